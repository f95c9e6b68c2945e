#!/bin/bash
# Both protocols as a client speaks them that is not XBoard: libraries for scripts refuse usermove and send bare moves, give times
# in fractions, ask ping after every move and wait for it, take moves back by undo and remove, and stop an analysis by exit or stop.
# shellcheck disable=SC2154
cd "$(dirname "$0")/.." || exit 1
. tests/lib.sh
. tests/uci_lib.sh

# pinged N NAME: the answer to a ping comes, and before it exactly one move that was not there before.
moves=0
pinged() {
    wait_for $((moves + 1)) '^move ' || fail "$2: a move" "$(tail -n 3 "$log")"
    send "ping $1"
    wait_for 1 "^pong $1\$" || fail "$2: pong" "$(tail -n 3 "$log")"
    is "$2" $((moves + 1)) "$(count '^move ')"
    moves=$(count '^move ')
}
played() { sed -n 's/^move //p' "$log" | tail -n 1; }

start xboard
send xboard "protover 2"
wait_for 1 'done=1$' && pass "features, to their end" || fail "features, to their end" "$(cat "$log")"
for feature in done=0 ping=1 setboard=1 analyze=1 reuse=1 nps=0 'myname="Lovac ' 'variants="normal,fischerandom,'; do
    has "feature $feature" "^feature (.* )?$feature" "$(cat "$log")"
done
send "rejected sigterm" "rejected usermove" "accepted memory" "accepted smp" "accepted egt"
send "memory 8" "cores 1" "option OwnBook=0" "option Skill Level=20"
send new force e2e4 e7e5 "st 0.1" nopost easy go
pinged 17 "a time of a tenth of a second, after bare moves"
send force a7a6 "level 0 0:20 0.5" "time 2000" "otim 2000" post easy go
pinged 18 "a clock with half a second for each move"
has "and what it thought" '^ *[0-9]+ +-?[0-9]+ +[0-9]+ +[0-9]+ ' "$(cat "$log")"
send force undo undo "sd 3" nopost go
pinged 19 "moves taken back one by one"
has "Black was to move again" '^[a-h][78]' "$(played)"
send force remove "sd 3" go
pinged 20 "and two at once"
has "White was to move" '^[a-h][1-6]' "$(played)"
send force post analyze
wait_for 3 '^ *[0-9]+ +-?[0-9]+ +[0-9]+ +[0-9]+ .*[a-h][1-8]' && pass "an analysis shows lines" || fail "an analysis shows lines" "$(tail -n 3 "$log")"
send . exit "ping 21"
wait_for 1 '^pong 21$' && pass "and ends by exit" || fail "and ends by exit"
is "without a move" $moves "$(count '^move ')"
send new force "setboard r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4" "sd 3" go
pinged 22 "another position"
is "mate" h5f7 "$(played)"
wait_for 1 '^1-0 \{' && pass "and the result" || fail "and the result" "$(tail -n 3 "$log")"
send new "variant fischerandom" force "setboard bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1" "st 0.1" go
pinged 23 "Chess960 from its own start"
hasnt "nobody complains" '^(Error|Illegal|tellusererror)' "$(cat "$log")"
stop_engine
is "quit" 0 "$status"
is "no complaint of the sanitizers" "" "$(complaints)"

start
send uci
wait_for 1 '^uciok$' && pass "UCI: uciok" || fail "UCI: uciok"
hasnt "every line before it is an id or an option" '.' "$(grep -vE '^(id (name|author) .+|option name .+ type (check|spin|combo|button|string)( .*)?|uciok|)$' "$log")"
hasnt "numbers have a default within their bounds" '.' "$(sed -nE 's/^option name .* type spin default (-?[0-9]+) min (-?[0-9]+) max (-?[0-9]+)$/\1 \2 \3/p' "$log" |
    awk '$1 < $2 || $1 > $3')"
send "setoption name UCI_AnalyseMode value false" "setoption name Ponder value false" ucinewgame isready
wait_for 1 '^readyok$' && pass "UCI: readyok" || fail "UCI: readyok"
send "position startpos moves e2e4" "go wtime 20000 btime 20000 winc 500 binc 500"
wait_for 1 '^bestmove [a-h][78]' && pass "UCI: a clock" || fail "UCI: a clock" "$(tail -n 2 "$log")"
send "setoption name UCI_AnalyseMode value true" "setoption name MultiPV value 3" isready "position startpos" "go infinite"
wait_for 2 ' multipv 3 ' && pass "UCI: three lines" || fail "UCI: three lines"
send stop
wait_for 2 '^bestmove ' && pass "UCI: stop" || fail "UCI: stop"
send "setoption name MultiPV value 1" "setoption name UCI_Chess960 value true" ucinewgame isready \
    "position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1" "go movetime 50 searchmoves a2a3 b2b3"
wait_for 3 '^bestmove ' && pass "UCI: Chess960 with chosen moves" || fail "UCI: Chess960 with chosen moves"
has "UCI: one of these" '^bestmove (a2a3|b2b3)' "$(grep '^bestmove' "$log" | tail -n 1)"
send "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" "go nodes 500"
wait_for 4 '^bestmove ' && pass "UCI: nodes" || fail "UCI: nodes"
hasnt "UCI: nobody complains" 'error' "$(grep '^info string' "$log")"
stop_engine
is "UCI: quit" 0 "$status"
finish
