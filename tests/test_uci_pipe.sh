#!/bin/bash
# UCI from a pipe and from the command line: nothing is cut short, nothing is refused only because it came early, and what
# is stopped does not look as if it were whole.
cd "$(dirname "$0")/.." || exit 1
. tests/lib.sh
. tests/uci_lib.sh
pipe() { printf '%s\n' "$@" | timeout 60 "$LOVAC" 2>&1; }
depth=$([ "$LOVAC_TEST_LEVEL" = quick ] && echo 5 || echo 6)
nodes=$([ $depth = 5 ] && echo 4865609 || echo 119060324)

# --- the end of the input
has "perft before the end of the input is whole" "^Nodes searched: $nodes\$" "$(pipe "position startpos" "go perft $depth")"
has "perft before quit too" "^Nodes searched: $nodes\$" "$(pipe "position startpos" "go perft $depth" quit)"
out=$(pipe "position startpos moves e2e4" "go depth 12")
has "a search before the end of the input comes to its depth" '^info depth 12 ' "$out"
is "and gives one best move" 1 "$(grep -c '^bestmove' <<<"$out")"
example=$("$LOVAC" help uci | sed -n 's/^Example: //p' | head -n 1)
cd "$scratch" && ln -sf "$LOVAC" lovac
out=$(PATH=$PWD:$PATH bash -c "$example" 2>&1)
has "the example of lovac help uci does what it says" '^info depth 12 ' "$out"
cd - >/dev/null || exit 1
is "an endless search ends with the input" 1 "$(pipe "go infinite" | grep -c '^bestmove')"
is "a pondering one too" 1 "$(pipe "go ponder wtime 1000 btime 1000" | grep -c '^bestmove')"
out=$(pipe "go depth 90" "quit")
is "quit does not wait for a search" 1 "$(grep -c '^bestmove' <<<"$out")"

# --- one after the other
out=$(pipe "position startpos" "go depth 9" "position startpos moves e2e4" "go depth 9" "d")
is "two searches, two best moves" 2 "$(grep -c '^bestmove' <<<"$out")"
hasnt "and no refusal" 'error' "$out"
has "the second position counts" '^bestmove [a-h][78]' "$(grep '^bestmove' <<<"$out" | tail -n 1)"
is "both to the end" 2 "$(grep -c '^info depth 9 .*multipv 1 score cp -*[0-9]* nodes' <<<"$out")"
out=$(pipe "go perft 4" "position startpos moves e2e4" "go perft 4" "setoption name Hash value 32" "go depth 5" "ucinewgame" "bench 3" "go depth 4")
is "counts, searches, options and bench in a row" "Nodes searched: 197281 Nodes searched: 405385" \
    "$(grep '^Nodes searched' <<<"$out" | head -n 2 | paste -sd' ')"
is "each is done" "3 2" "$(grep -c '^Nodes searched' <<<"$out") $(grep -c '^bestmove' <<<"$out")"
hasnt "none is refused" 'error' "$out"
# What waits hears stop, isready and quit.
start
send "go depth 90" "position startpos moves e2e4" "go infinite" "isready"
wait_for 1 '^readyok' && pass "isready is answered while a position waits" || fail "isready is answered while a position waits"
is "before any best move" 0 "$(count '^bestmove')"
send stop
wait_for 2 '^bestmove' && pass "stop is for every go before it" || fail "stop is for every go before it" "$(cat "$log")"
send "go depth 90" "position startpos" "quit"
await_end
exec 9>&-
is "quit is heard while a position waits" 0 "$status"
start
send "go depth 90" "position startpos"
wait_for 1 '^info depth 5'
exec 9>&-
sleep 0.2
kill -TERM "$pid"
await_end
is "SIGTERM after the end of the input" 0 "$status"

# --- bench and counts answer
start
send "bench 60"
sleep 0.3
send isready
wait_for 1 '^readyok' && pass "isready during bench" || fail "isready during bench"
send quit
await_end
exec 9>&-
is "quit during bench" 0 "$status"
hasnt "what was stopped shows no signature" 'Nodes searched' "$(cat "$log")"
start
send "go perft 30"
sleep 0.2
send stop isready "go depth 2"
wait_for 1 '^bestmove' && pass "a count stops" || fail "a count stops" "$(cat "$log")"
has "it says that it is not whole" '^info string stopped: ' "$(cat "$log")"
hasnt "and shows no total" '^Nodes searched' "$(cat "$log")"
stop_engine

# --- the command line
exits "a search from the command line" 0 "$LOVAC" "go depth 8"
has "to its depth" '^info depth 8 ' "$out"
exits "in words" 0 "$LOVAC" go depth 7
has "too" '^info depth 7 ' "$out"
exits "several lines" 0 "$LOVAC" "position startpos moves e2e4" "go depth 5" d
has "in their order" '^bestmove [a-h][78]' "$out"
has "to the last" '^Fen: .* b ' "$out"
exits "behind uci" 0 "$LOVAC" uci "go perft 3"
has "as well" '^Nodes searched: 8902' "$out"
exits "a refused line is a failure" 1 "$LOVAC" "position startpos moves e2e5"
exits "what is no command" 2 "$LOVAC" uci x
has "is named" "'x' is no command of UCI" "$out"
exits "also among good ones" 2 "$LOVAC" "go depth 1" "gone"
exits "nor is it one alone" 2 "$LOVAC" x
finish
