#!/bin/bash
# Faults, floods and load: what a broken board program, a full disk, a small machine or an impatient person may do to
# the engine. It lives, answers isready, gives exactly one best move for each go that it accepts, and keeps what was set.
# The table in docs/tests.md says which check stands for what. test_uci.sh has the ordinary protocol and its limits.
# shellcheck disable=SC2154
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/uci_lib.sh"
is_sanitized=$(nm "$LOVAC" 2>/dev/null | grep -c __asan_init)
cd "$(dirname "$0")/.." || exit 1
is_long=$([ "$LOVAC_TEST_LEVEL" = long ] && echo 1 || echo 0)
net=nets/chess.nnue

# many N LINE...: the lines, so often, in $lines
many() {
    local n=$1
    shift
    lines=()
    for ((i = 0; i < n; i++)); do lines+=("$@"); done
}
scaled() { # scaled QUICK SHORT LONG
    case $LOVAC_TEST_LEVEL in
    quick) echo "$1" ;;
    long) echo "$3" ;;
    *) echo "$2" ;;
    esac
}
rss_kb() { awk '/^VmRSS/ {print $2}' "/proc/$pid/status"; }

# --- lines
start
{ head -c 16777216 /dev/zero | tr '\0' 'x'; echo; } >&9
{ printf 'position startpos moves'; head -c 16777216 /dev/zero | tr '\0' ' '; echo ' e2e4'; } >&9
{ printf 'setoption name '; head -c 16777216 /dev/zero | tr '\0' 'y'; echo ' value 1'; } >&9
{ printf 'position fen '; head -c 16777216 /dev/zero | tr '\0' '8'; echo; } >&9
send d isready
wait_for 1 '^readyok' && pass "lines of 16 MiB: answered" || fail "lines of 16 MiB: answered" "$(tail -n 3 "$log" | cut -c 1-300)"
stop_engine
is "lines of 16 MiB: three refusals" 3 "$(count '^info string error: ')"
is "lines of 16 MiB: the good one is obeyed" 1 "$(count '^Fen: .*/4P3/.* b ')"
is "lines of 16 MiB: clean end" 0 "$status"
[ "$(wc -c <"$log")" -lt 20000 ] && pass "lines of 16 MiB: short answers" || fail "lines of 16 MiB: short answers" "$(wc -c <"$log")"
start
{ head -c 70000000 /dev/zero | tr '\0' 'x'; echo; } >&9
send isready
wait_for 1 '^readyok' && pass "a line of 67 MiB" || fail "a line of 67 MiB"
stop_engine
has "a line of 67 MiB: refused" '^info string error: line too long' "$(cat "$log")"
start
printf 'po\0sition startpos\nposition\0startpos\0moves e2e4\ngo depth\0 2\n\0\0\0\n\0isready\0\n' >&9
wait_for 1 '^readyok' && wait_for 1 '^bestmove' && pass "NUL bytes" || fail "NUL bytes" "$(cat "$log")"
stop_engine
is "NUL bytes: clean end" 0 "$status"
start
printf 'go depth 2' >&9
exec 9>&-
await_end
is "a last line without end" "0 1" "$status $(count '^bestmove')"
moves=$(for _ in $(seq 2500); do printf 'g1f3 g8f6 f3g1 f6g8 '; done)
try "10 000 moves" 1 0 "position startpos moves $moves" "go nodes 2000"
start
head -c "$(scaled 300000 1000000 20000000)" /dev/urandom >&9
send "" isready
wait_for 1 '^readyok' && pass "binary rubbish" || fail "binary rubbish" "$(tail -n 3 "$log" | cut -c 1-200)"
stop_engine
is "binary rubbish: clean end" 0 "$status"

# --- limits: each odd value of each word, alone; 2^64 and 10^6 need another bound to end
for word in depth nodes mate; do
    for value in 0 -1 1000000 18446744073709551616; do
        try "go $word $value" 1 0 "go $word $value movetime 30"
    done
    try "go $word: no value" 0 1 "go $word"
    try "go $word abc" 0 1 "go $word abc"
done
for clock in 0 1 -5000 9223372036854775808 -9223372036854775809; do
    try "clocks of $clock" 1 0 "go wtime $clock btime $clock winc $clock binc $clock movestogo 1 movetime 30"
done
for clock in 0 1 -5000; do
    try "clocks of $clock, no other bound" 1 0 "go wtime $clock btime $clock"
done

# --- floods
n=$(scaled 1000 10000 100000)
many "$n" isready
start
send "${lines[@]}"
wait_for "$n" '^readyok' && pass "a flood of isready" || fail "a flood of isready" "$(count '^readyok') of $n"
stop_engine
is "a flood of isready: one answer each" "$n" "$(count '^readyok')"
n=$(scaled 100 1000 5000)
many "$n" uci
start
send "${lines[@]}"
wait_for "$n" '^uciok' && pass "a flood of uci" || fail "a flood of uci" "$(count '^uciok') of $n"
stop_engine
n=$(scaled 50 300 2000)
many "$n" ucinewgame "position startpos moves e2e4"
try "a flood of ucinewgame" 1 0 "${lines[@]}" "go depth 2"
n=$(scaled 30 300 3000)
many "$n" "position startpos moves e2e4 e7e5" "go infinite" stop
try "a flood of position, go, stop" "$n" 0 "${lines[@]}"
many "$n" "go infinite" isready stop isready
start
send "${lines[@]}"
wait_for $((2 * n)) '^readyok' && wait_for "$n" '^bestmove' && pass "isready between go and stop" ||
    fail "isready between go and stop" "$(count '^readyok') $(count '^bestmove')"
stop_engine
many 2000 "go depth 1" "go infinite"
start
send "${lines[@]}" stop isready
wait_for 1 '^readyok'
accepted=$((4000 - $(count '^info string error: go refused')))
wait_for "$accepted" '^bestmove'
sleep 0.1
is "a flood of go without stop: one best move for each that is accepted" "$accepted" "$(count '^bestmove')"
stop_engine
# Nobody reads for a while: the engine waits, loses nothing, and goes on.
rm -f "$scratch/in" "$scratch/out"
mkfifo "$scratch/in" "$scratch/out"
"$LOVAC" <"$scratch/in" >"$scratch/out" 2>"$scratch/err" &
pid=$!
exec 9>"$scratch/in" 8<"$scratch/out"
{ for _ in $(seq 200); do echo uci; done; echo "go depth 8"; } >&9
sleep 0.5
(timeout "$patience" cat <&8 >"$log") &
reader=$!
exec 8<&-
wait_for 200 '^uciok' && wait_for 1 '^bestmove' && pass "output that nobody reads for a while" ||
    fail "output that nobody reads for a while" "$(count '^uciok') uciok"
stop_engine
wait "$reader"
is "output that nobody reads for a while: clean end" 0 "$status"

# --- isready while it thinks: within a second
start
send "setoption name Threads value 4" "go infinite"
wait_for 1 '^info depth'
begin=$(date +%s%N)
send isready
wait_for 1 '^readyok'
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -lt $(scaled 5000 1000 1000) ] && pass "isready during a search, within a second" || fail "isready during a search, within a second" "$took ms"
stop_engine

# --- ends and signals
for threads in 1 4; do
    for how in quit eof TERM; do
        start
        send "setoption name Threads value $threads" "go infinite"
        wait_for 1 '^info depth'
        case $how in
        quit) send quit ;;
        eof) exec 9>&- ;;
        *) kill -"$how" "$pid" ;;
        esac
        await_end
        exec 9>&-
        is "$how during a search, $threads threads" "0 1" "$status $(count '^bestmove')"
    done
done
start
send "go perft 30"
sleep 0.1
kill -TERM "$pid"
await_end
exec 9>&-
is "SIGTERM while counting moves" 0 "$status"
start
send "go infinite"
for _ in $(seq 20); do kill -INT "$pid"; kill -STOP "$pid"; sleep 0.01; kill -CONT "$pid"; done
send stop isready
wait_for 1 '^readyok' && wait_for 1 '^bestmove' && pass "twenty SIGINT, SIGSTOP, SIGCONT" || fail "twenty SIGINT, SIGSTOP, SIGCONT"
stop_engine
is "twenty signals: clean end" 0 "$status"
start
send "go movetime 300"
sleep 0.05
kill -STOP "$pid"
sleep 0.6
kill -CONT "$pid"
wait_for 1 '^bestmove' && pass "stopped beyond its time, it answers" || fail "stopped beyond its time, it answers"
stop_engine
# Standard output closed from the beginning, and a full disk behind it: nobody listens, it ends by itself, without a signal.
{ echo uci; echo "go depth 5"; sleep 2; } | timeout 20 "$LOVAC" >&- 2>"$scratch/err"
status=${PIPESTATUS[1]}
[ "$status" -lt 124 ] && pass "no standard output" || fail "no standard output" "$status"
{ echo uci; echo "go depth 5"; sleep 2; } | timeout 20 "$LOVAC" >/dev/full 2>"$scratch/err"
status=${PIPESTATUS[1]}
[ "$status" -lt 124 ] && pass "a full disk behind standard output" || fail "a full disk behind standard output" "$status"
{ echo "go infinite"; sleep 0.5; echo isready; sleep 1; echo stop; sleep 1; } | timeout 20 "$LOVAC" 2>"$scratch/err" | head -n 2 >/dev/null
status=${PIPESTATUS[1]}
[ "$status" -lt 124 ] && pass "the reader goes away during a search" || fail "the reader goes away during a search" "$status"
timeout 20 "$LOVAC" <&- >"$log" 2>&1
is "no standard input" 0 "$?"
timeout 20 "$LOVAC" <"$scratch" >"$log" 2>&1
[ $? -lt 124 ] && pass "a directory as standard input" || fail "a directory as standard input"

# --- memory and threads that cannot be had
if [ "$is_sanitized" = 0 ] && command -v prlimit >/dev/null; then
    run_with=(prlimit --as=$((400 << 20)))
    try "memory limit: Hash 64 fits, Hash 4096 is refused" 1 1 "setoption name Hash value 64" "setoption name Hash value 4096" "go depth 8"
    start
    send "setoption name Hash value 64" "setoption name Hash value 4096" "go depth 12"
    wait_for 1 '^bestmove'
    stop_engine
    hasnt "memory limit: the old table still works" 'hashfull 0 .* depth 12' "$(cat "$log")"
    try "memory limit: 1024 threads are refused, one goes on" 1 1 "setoption name Threads value 1024" "go depth 6"
    try "memory limit: a long line is refused" 1 - "$(head -c 100000 /dev/zero | tr '\0' x)" "go depth 3"
    run_with=(prlimit --as=$((200 << 20)))
    start
    { printf 'position startpos moves '; head -c 60000000 /dev/zero | tr '\0' 'x'; echo; } >&9
    send "go depth 3"
    wait_for 1 '^bestmove' && pass "memory limit: a line that does not fit" || fail "memory limit: a line that does not fit" "$(tail -n 2 "$log" | cut -c 1-200)"
    stop_engine
    is "memory limit: clean end" 0 "$status"
    run_with=()
    for megabytes in 8 16 24 32 40 48 56 64 80 100 150 200; do
        # Below some size not even the loader gets through: that is not ours to say.
        prlimit --as=$((megabytes << 20)) "$LOVAC" help >/dev/null 2>&1 || continue
        printf 'go depth 3\n' | timeout 20 prlimit --as=$((megabytes << 20)) "$LOVAC" >"$log" 2>"$scratch/err"
        status=${PIPESTATUS[1]}
        if [ "$status" -lt 124 ] && { [ "$status" != 0 ] || [ "$(count '^(bestmove|info string error: )')" = 1 ]; }; then
            pass "$megabytes MiB of address space: plays, or says why not"
        else
            fail "$megabytes MiB of address space: plays, or says why not" "status $status" "$(cat "$scratch/err")"
        fi
    done
    if [ "$(id -u)" != 0 ]; then
        run_with=(prlimit --nproc=$(($(ps -L -u "$(id -u)" | wc -l) + 20)))
        try "too few threads to be had" 1 1 "setoption name Threads value 512" "go depth 5"
        run_with=()
    fi
else
    skip "memory limits" "the sanitizers reserve terabytes, or there is no prlimit"
fi
if [ "$is_sanitized" = 0 ]; then
    try "1024 threads" 1 0 "setoption name Threads value 1024" "setoption name Hash value 4" "go nodes 200000"
    try "1024 threads, stopped, then one" 2 0 "setoption name Threads value 1024" "go infinite" "@0.3" "stop" \
        "setoption name Threads value 1" "go depth 5"
else
    try "64 threads" 1 0 "setoption name Threads value 64" "setoption name Hash value 4" "go nodes 20000"
fi
try "Hash, Threads and back, many times" 1 0 "setoption name Hash value 1" "setoption name Threads value 8" \
    "setoption name Hash value 300" "setoption name Threads value 2" "setoption name Hash value 3" "go nodes 20000"
n=$(scaled 10 40 300)
lines=()
for ((i = 0; i < n; i++)); do
    lines+=("setoption name Threads value $((1 + i % 7))" "setoption name Hash value $((1 + i * 13 % 50))" "go infinite" stop)
done
try "options changed right after stop" "$n" 0 "${lines[@]}"

# --- nets
: >"$scratch/empty"
head -c 500000 /dev/urandom >"$scratch/random"
mkfifo "$scratch/fifo"
head -c 1000 "$net" >"$scratch/cut" 2>/dev/null
if [ -s "$net" ]; then
    size=$(stat -c %s "$net")
    head -c $((size - 1)) "$net" >"$scratch/short"
    { cat "$net"; printf x; } >"$scratch/longer"
    cp "$net" "$scratch/flipped"
    printf '\377\000\377' | dd of="$scratch/flipped" bs=1 seek=$((size / 2)) conv=notrunc status=none
else
    for f in short longer flipped; do cp "$scratch/random" "$scratch/$f"; done
fi
cp "$scratch/random" "$scratch/locked" && chmod 000 "$scratch/locked"
long_path=/$(head -c 5000 /dev/zero | tr '\0' a)
for path in "/nonexistent/net" "$scratch" "$scratch/empty" "$scratch/random" "$scratch/cut" "$scratch/short" "$scratch/longer" \
    "$scratch/flipped" /dev/zero /dev/urandom /dev/full "$scratch/fifo" "$scratch/locked" "$long_path" \
    "/proc/self/mem" ""$'\x01\x02'; do
    name=${path/$scratch/.}
    try "EvalFile ${name:0:30} is refused" 1 1 "setoption name EvalFile value $path" "go nodes 2000"
done
# A refused net leaves the old one: the same search as without it.
nodes_of() { start; send "$@" "position startpos moves d2d4" "go depth 9"; wait_for 1 '^bestmove'; stop_engine; grep -a '^info depth 9 ' "$log" | tail -n 1 | sed 's/ nps.*//'; }
plain=$(nodes_of isready)
is "a refused net leaves the old one" "$plain" "$(nodes_of "setoption name EvalFile value $scratch/flipped")"
if [ -s "$net" ]; then
    try "EvalFile: the net itself, and back" 2 0 "setoption name EvalFile value $PWD/$net" "go nodes 2000" stop \
        "setoption name EvalFile value <empty>" "go nodes 2000"
fi

# --- the log
try "a log on a full disk" 2 - "setoption name Debug Log File value /dev/full" "go depth 3" stop "go depth 3"
try "a log in a directory that is a file" 1 1 "setoption name Debug Log File value $scratch/empty/log" "go depth 3"
try "a log that is a directory" 1 1 "setoption name Debug Log File value $scratch" "go depth 3"
try "a log changed and switched off" 1 0 "setoption name Debug Log File value $scratch/log1" \
    "setoption name Debug Log File value $scratch/log2" "setoption name Debug Log File value <empty>" "go depth 3"
hasnt "the log ends when switched off" 'go depth 3' "$(cat "$scratch/log1" "$scratch/log2")"
try "options without value" 1 - "setoption name EvalFile" "setoption name EvalFile value" "setoption name Debug Log File" \
    "setoption name UCI_Variant" "setoption name Clear Hash" "setoption name Clear Hash value x" "go depth 3"

# --- positions of the whole collection of bad FENs: one refusal each, and it goes on
data=${LOVAC_DATA:-../shared/data}
if [ -r "$data/fen_bad/fen_bad_A.tsv" ]; then
    mapfile -t fens < <(cut -f 1 "$data/fen_bad/fen_bad_A.tsv" | grep -v '^#')
    start
    for fen in "${fens[@]}"; do send "position fen $fen" "go nodes 50"; done
    send isready
    wait_for 1 '^readyok' && pass "bad FENs by the hundred" || fail "bad FENs by the hundred" "$(tail -n 3 "$log")"
    stop_engine
    is "bad FENs by the hundred: clean end" 0 "$status"
else
    skip "bad FENs by the hundred" "no $data"
fi

# --- long conversations, line by line: the engine as a coprocess, its answers read as they come
open_engine() {
    coproc ENGINE { exec "$LOVAC" 2>"$scratch/err"; }
    pid=$ENGINE_PID
    exec 7<&"${ENGINE[0]}" 9>&"${ENGINE[1]}"
}
answer() { # waits for the best move; all that a search found in $found, without times
    local line
    found=
    while IFS= read -r -t "$patience" -u 7 line; do
        case $line in
        info\ depth*\ pv\ *) found=$line ;;
        bestmove*)
            found="${found/ nps*pv / pv } $line"
            return 0
            ;;
        esac
    done
    return 1
}
close_engine() {
    send quit
    exec 9>&- 7<&-
    eval "exec ${ENGINE[1]}>&- ${ENGINE[0]}<&-" 2>/dev/null
    await_end
}

# The same nodes, score, line and move twice after ucinewgame, for twenty node limits.
open_engine
same=0
for ((i = 1; i <= 20; i++)); do
    send ucinewgame "position startpos moves e2e4 c7c5" "go nodes $((i * i * 97))"
    answer
    first=$found
    send ucinewgame "position startpos moves e2e4 c7c5" "go nodes $((i * i * 97))"
    answer && [[ $found == *nodes*bestmove* ]] && [ "$first" = "$found" ] && same=$((same + 1))
done
close_engine
is "20 node limits, twice each after ucinewgame: same nodes, score, line, move" 20 "$same"

# Memory stays flat over new games.
n=$(scaled 100 1000 10000)
open_engine
send "setoption name Hash value 2"
memory=()
for ((i = 0; i <= n; i++)); do
    send ucinewgame "position startpos moves e2e4" "go nodes 300"
    answer || break
    ((i % (n / 4) == n / 20)) && memory+=("$(rss_kb)")
done
close_engine
if [ "$is_sanitized" = 0 ]; then # else freed memory is kept for a while on purpose, and leaks are told at the end
    [ ${#memory[@]} = 4 ] && [ $((memory[3] - memory[0])) -lt 256 ] && pass "memory flat over $n new games (${memory[*]} kB)" ||
        fail "memory flat over $n new games" "${memory[*]} kB after $i games"
fi
is "memory flat: clean end" 0 "$status"

# --- the long suite
if [ "$is_long" = 1 ] && [ "$is_sanitized" = 0 ]; then
    # Races: two to eight threads on a tiny hash table, with everything that may cross a search.
    cc=${CC:-gcc}
    exits "the build for the thread sanitizer" 0 make -s -j"$(nproc)" CONFIG=thread CC="$cc" \
        EXE="build/thread-$cc-native/lovac" program "build/thread-$cc-native/tests/test_search"
    release=$LOVAC
    LOVAC=$PWD/build/thread-$cc-native/lovac
    patience=120
    for threads in 2 3 4 8; do
        lines=("setoption name Hash value 1" "setoption name Threads value $threads")
        for ((i = 0; i < 5; i++)); do
            lines+=("position startpos moves e2e4" "go infinite" isready "@0.2" stop ucinewgame
                "go ponder wtime 500 btime 500" "@0.1" ponderhit "@1.5" stop "go nodes 20000" "@1" stop
                "setoption name MultiPV value $((i + 1))" "go movetime 100" "@0.5" stop)
        done
        try "thread sanitizer, $threads threads" 20 0 "${lines[@]}"
    done
    for variant in horde32 legan massacre; do
        try "thread sanitizer, $variant" 2 0 "setoption name Hash value 1" "setoption name Threads value 4" \
            "setoption name UCI_Variant value $variant" "go infinite" "@0.5" stop ucinewgame "go nodes 30000" "@2" stop
    done
    LOVAC=$release
    LOVAC_TEST_LEVEL=quick exits "thread sanitizer: tests of the search" 0 timeout 900 "build/thread-$cc-native/tests/test_search"

    # stop within 50 ms, and no game lost on time; a machine with other work would be measured, not the engine.
    read -r load _ </proc/loadavg
    if [ "${load%.*}" -lt "$(nproc)" ]; then
        exits "stop answered within 50 ms, 99 of 100" 0 bench/stop.sh 300 50
        sed 's/^/# /' <<<"$out"
        exits "60 games on an overbooked machine, none lost on time" 0 bench/overload.sh 60
        sed 's/^/# /' <<<"$out"
    else
        skip "stop answered within 50 ms, 99 of 100" "the machine is busy (load $load)"
        skip "60 games on an overbooked machine, none lost on time" "the machine is busy (load $load)"
    fi
fi
finish
