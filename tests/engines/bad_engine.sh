#!/bin/bash
# An engine that misbehaves: bad_engine.sh MODE. It plays nothing but greets politely, then:
#   mute     never answers anything          hang     reads on but never moves
#   crash    ends at its first move          late     moves a1a2, half a second later
#   illegal  moves a1h8                      rubbish  answers with noise and 0000
#   flood    writes without end              deaf     stops reading
#   leave    closes its output, stays        slow     thinks far too long, then moves
#   tell     writes what it was asked to standard error, then as illegal
# When asked for a move it writes its process number to standard error.
mode=$1
[ "$mode" = mute ] && exec sleep 1000
while read -r line; do
    case $line in
    uci) echo "id name bad $mode" && echo "option name Book type string default" && echo uciok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
    go*)
        echo $$ >&2
        case $mode in
        crash) kill -SEGV $$ ;;
        illegal) echo "info depth 1 score cp 30" && echo "bestmove a1h8" ;;
        rubbish) printf '\001\377\n\n\nbestmove\nbestmove 0000\n' ;;
        flood) exec yes "info depth 1 score cp 12 nodes 1" ;;
        deaf) exec sleep 1000 <&- ;;
        leave) exec sleep 1000 >&- ;;
        tell) echo "$line" >&2 && echo "bestmove a1h8" ;;
        late) sleep 0.5 && echo "bestmove a1a2" ;;
        slow) sleep 1 && echo "bestmove a1h8" ;;
        esac
        ;;
    esac
done
