#!/bin/bash
# UCI from outside: what a board program may send, and what it should never send. Whatever comes in, the engine lives,
# answers isready, and gives exactly one best move for each go that it accepts.
# shellcheck disable=SC2154
. "$(dirname "$0")/lib.sh"

. "$(dirname "$0")/uci_lib.sh"

# --- the ordinary
start
send uci isready
wait_for 1 '^readyok'
stop_engine
text=$(cat "$log")
has "uci names itself" '^id name Lovac' "$text"
has "uciok" '^uciok$' "$text"
for option in Hash Threads MultiPV Ponder 'Clear Hash' 'Move Overhead' UCI_Chess960 UCI_ShowWDL UCI_AnalyseMode \
    UCI_LimitStrength UCI_Elo 'Skill Level' UCI_Variant EvalFile 'Debug Log File'; do
    has "option $option" "^option name $option type" "$text"
done
try "go depth" 1 0 "position startpos moves e2e4 e7e5" "go depth 6"
has "info has what board programs want" \
    '^info depth 6 seldepth [0-9]+ multipv 1 score cp -?[0-9]+ nodes [0-9]+ nps [0-9]+ hashfull [0-9]+ tbhits [0-9]+ time [0-9]+ pv ([a-h][1-8]){2}' \
    "$(cat "$log")"
has "best move with the answer" '^bestmove ([a-h][1-8]){2} ponder ([a-h][1-8]){2}' "$(cat "$log")"
try "win, draw, loss" 1 0 "setoption name UCI_ShowWDL value true" "go depth 4"
has "wdl shown" ' wdl [0-9]+ [0-9]+ [0-9]+ ' "$(cat "$log")"
try "several lines" 1 0 "setoption name MultiPV value 3" "go depth 4"
has "third line" ' multipv 3 ' "$(cat "$log")"
try "searchmoves" 1 0 "go depth 4 searchmoves a2a3 h2h3"
has "one of them" '^bestmove (a2a3|h2h3)' "$(cat "$log")"
try "mate is told" 1 0 "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1" "go depth 4"
has "mate 1" 'score mate 1 .* pv a1a8$' "$(cat "$log")"
try "Chess960 castling" 1 0 "setoption name UCI_Chess960 value true" \
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1" "go depth 3"
try "perft, d and eval" 0 0 "go perft 3" "@0.3" "d" "eval"
has "perft counts" 'Nodes searched: 8902' "$(cat "$log")"
has "d shows the FEN" 'Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' "$(cat "$log")"
has "eval shows terms" '^MATERIAL ' "$(cat "$log")"
has "eval says which evaluation is used" '^Evaluation used: (network|hand-written)' "$(cat "$log")"
try "eval without a network, also during a search" 0 0 "setoption name EvalFile value none" "go infinite" "eval"
has "uses the hand-written one" '^Evaluation used: hand-written \(there is no network' "$(cat "$log")"
hasnt "and shows no network" '^Network' "$(cat "$log")"
if [ -f "$(dirname "$0")/../nets/chess.nnue" ]; then
    try "eval with a network" 0 0 "setoption name EvalFile value $(dirname "$0")/../nets/chess.nnue" \
        "setoption name UCI_Variant value chess960" "position startpos moves e2e4" "eval" "position fen 8/8/4k3/8/8/8/4K3/Q7 w - - 0 1" "eval"
    is "one value of the network is the final one" "$(sed -n 's/^Network evaluation //p' "$log" | head -n 1)" \
        "$(sed -n 's/^Final evaluation //p' "$log" | head -n 1)"
    is "against a bare king it is the hand-written one" "$(sed -n 's/^Hand-written evaluation //p' "$log" | tail -n 1)" \
        "$(sed -n 's/^Final evaluation //p' "$log" | tail -n 1)"
fi
for variant in chess chess960 doublechess960 horde32 legan corner fortress massacre; do
    try "variant $variant" 1 0 "setoption name UCI_Variant value $variant" "position startpos" "go nodes 3000"
done

# --- odd lines
try "blank lines, tabs, CRLF" 1 0 "" "   " $'\t\t' $'\r' $'go\tdepth   3\r'
try "unknown words" 0 2 "foo bar" "xyzzy"
try "a long line" 0 1 "$(head -c 1000000 /dev/zero | tr '\0' x)"
try "bad UTF-8" 0 - $'\xff\xfe\x80 abc' $'position \xc3\x28'
start
head -c 100000 /dev/urandom >&9
printf '\nuci\0isready\0\n\nisready\n' >&9
wait_for 1 '^readyok' && pass "random bytes" || fail "random bytes" "$(tail -n 3 "$log")"
stop_engine
is "random bytes: clean end" 0 "$status"
moves=$(for _ in $(seq 1475); do printf 'g1f3 g8f6 f3g1 f6g8 '; done)
try "a game of 5900 plies" 1 0 "position startpos moves $moves" "go nodes 2000"

# --- order
try "go first of all" 1 0 "go depth 3"
try "go during a search" 1 1 "go infinite" "go depth 3" "@0.1" "stop"
try "position during a search" 1 1 "go infinite" "position startpos moves e2e4" "@0.1" "stop"
try "options during a search" 1 3 "go infinite" "setoption name Hash value 32" "setoption name Threads value 2" \
    "ucinewgame" "@0.1" "stop"
try "position right after stop" 2 0 "go infinite" "@0.05" "stop" "position startpos moves e2e4" "go depth 4"
try "stray stop and ponderhit" 0 0 "stop" "ponderhit" "stop"
try "stop before go" 1 0 "stop" "go depth 3"
n=$([ "$LOVAC_TEST_LEVEL" = quick ] && echo 20 || echo 100)
lines=()
for _ in $(seq "$n"); do lines+=("go infinite" "stop"); done
try "a flood of go and stop" "$n" 0 "${lines[@]}"
lines=()
for _ in $(seq "$n"); do lines+=("uci" "ucinewgame" "isready"); done
try "a flood of questions" 0 0 "${lines[@]}"
# The clock of a game that is over rules nothing: half the time on the clock is not lag.
game="position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"
start
send "$game" "go wtime 20000 btime 20000"
wait_for 1 '^bestmove'
begin=$(date +%s%N)
send ucinewgame "$game f3g1 f6g8" "go wtime 9000 btime 9000"
wait_for 2 '^bestmove'
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -ge 80 ] && pass "a new game has its own clock" || fail "a new game has its own clock" "answered after $took ms"
stop_engine
try "ponder waits" 0 0 "go ponder wtime 300 btime 300" "@0.5"
try "ponderhit" 1 0 "go ponder wtime 300 btime 300" "@0.1" "ponderhit"
try "ponder, then stop" 1 0 "go ponder wtime 300 btime 300" "@0.1" "stop"
try "perft stops" 1 0 "go perft 30" "@0.1" "stop" "go depth 2"

# Who hears the result of a perft may at once ask for the next: on one processor with us, and humbler than we, the engine
# has often not gone on by then.
refusals() (
    cpu=$(taskset -cp $BASHPID | sed -E 's/.*: ([0-9]+).*/\1/')
    taskset -cp "$cpu" $BASHPID >/dev/null
    coproc nice -n 19 "$LOVAC"
    counted=0 refused=0
    for _ in {1..400}; do
        echo "go perft 1" >&"${COPROC[1]}"
        while read -r -t "$patience" -u "${COPROC[0]}" line; do
            case $line in
            *refused*) refused=$((refused + 1)) && break ;;
            "Nodes searched: 20") counted=$((counted + 1)) && break ;;
            esac
        done
    done
    echo quit >&"${COPROC[1]}"
    echo "$counted counted, $refused refused"
)
is "a perft that has said its result is over" "400 counted, 0 refused" "$(refusals)"

# --- limits
for limit in "movetime 0" "movetime -1" "wtime 0 btime 0" "wtime 1 btime 1" "wtime -5000 btime -5000" \
    "wtime 9223372036854775808 btime 1 movetime 10" "wtime 200 btime 200 movestogo 0" "depth 0" "depth -1" "nodes 0" \
    "nodes -1" "mate 0 nodes 1000" "mate -1 nodes 100" "depth 3 searchmoves" "depth 1000000 nodes 1000" \
    "nodes 18446744073709551616 movetime 20" "mate 1000000 movetime 20" "wtime 50 btime 50 winc 50 binc 50 movestogo 1"; do
    try "go $limit" 1 0 "go $limit"
done
for limit in "wtime abc btime 1000" "depth" "nodes" "movetime x"; do
    try "go $limit: refused" 0 - "go $limit"
done
try "searchmoves without a legal one: told, and a best move" 1 1 "go depth 3 searchmoves e2e5"
try "searchmoves with some: told" 1 1 "go depth 3 searchmoves e2e5 a2a3"
has "and the legal one is searched" '^bestmove a2a3' "$(cat "$log")"

# --- positions
mate="position fen R6k/8/7K/8/8/8/8/8 b - - 0 1"
try "go in mate" 1 0 "$mate" "go depth 5"
has "no move is 0000" '^bestmove 0000' "$(cat "$log")"
try "go in stalemate" 1 0 "position fen 7k/8/6QK/8/8/8/8/8 b - - 0 1" "go movetime 50"
try "go infinite in mate waits" 0 0 "$mate" "go infinite" "@0.2"
try "go infinite in mate, stopped" 1 0 "$mate" "go infinite" "@0.1" "stop"
try "illegal and malformed moves" 1 5 "position startpos moves e2e5" "position startpos moves e9e4" \
    "position startpos moves E2E4" "position startpos moves e2" "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8" \
    "go depth 2"
try "bad FENs" 1 5 "position fen" "position" "position fen 8/8/8/8/8/8/8/8 w - - 0 1" "position fen kkkk" "position foo" "go depth 2"
start
send "position startpos moves e2e4" "position startpos moves e2e5" "d"
wait_for 1 '^Fen:'
stop_engine
has "a refused position leaves the old one" 'PPPP1PPP' "$(cat "$log")"

# --- options
try "bad options" 1 12 "setoption" "setoption name" "setoption name Hash" "setoption name Hash value" \
    "setoption name Hash value 0" "setoption name Hash value abc" "setoption name Hash value 99999999999999" \
    "setoption name Foo value 3" "setoption name MultiPV value 0" "setoption name Threads value -1" \
    "setoption name UCI_Variant value foo" "setoption name Ponder value maybe" "go depth 3"
try "a hash table of a terabyte" 1 1 "setoption name Hash value 1048576" "go depth 3"
try "nets that are none" 1 4 "setoption name EvalFile value /nonexistent" "setoption name EvalFile value /" \
    "setoption name EvalFile value /dev/zero" "setoption name EvalFile value $0" "go depth 3"
try "a log that cannot be written" 1 1 "setoption name Debug Log File value /nonexistent/log" "go depth 2"
try "a log" 1 0 "setoption name Debug Log File value $scratch/uci.log" "go depth 2"
has "the log has both sides" '>> go depth 2' "$(cat "$scratch/uci.log")"
try "218 moves, 256 lines" 1 0 "setoption name MultiPV value 256" \
    "position fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1" "go depth 1"
try "weak play" 2 0 "setoption name Skill Level value 0" "go movetime 50" "@0.3" "setoption name UCI_LimitStrength value true" \
    "setoption name UCI_Elo value 900" "go movetime 50"

# --- ends
ends() { # ends NAME: after what was done to the engine, it ends by itself
    await_end
    is "$1" 0 "$status"
}
start
send "go infinite"
wait_for 1 "^info depth"
exec 9>&-
ends "end of input during a search"
is "and its best move" 1 "$(count '^bestmove')"
start
send "go infinite"
wait_for 1 "^info depth"
kill -TERM "$pid"
ends "SIGTERM during a search"
exec 9>&-
start
send "go infinite"
wait_for 1 "^info depth"
kill -INT "$pid"
send "stop"
wait_for 1 '^bestmove' && pass "SIGINT is ignored" || fail "SIGINT is ignored"
stop_engine
start
send "go infinite"
wait_for 1 "^info depth"
kill -STOP "$pid"
sleep 0.1
kill -CONT "$pid"
send "stop"
wait_for 1 '^bestmove' && pass "SIGSTOP and SIGCONT" || fail "SIGSTOP and SIGCONT"
stop_engine
{ printf 'go infinite\n'; sleep 0.3; printf 'stop\nisready\nisready\nquit\n'; } | "$LOVAC" 2>/dev/null | head -n 1 >/dev/null
[ "${PIPESTATUS[1]}" -lt 128 ] && pass "output closed" || fail "output closed" "${PIPESTATUS[*]}"

# --- one signature
if [ "$LOVAC_TEST_LEVEL" != quick ]; then
    a=$("$LOVAC" bench 8 | sed -n 's/^Nodes  *//p')
    b=$("$LOVAC" bench 8 | sed -n 's/^Nodes  *//p')
    is "bench twice the same" "$a" "$b"
fi
finish
