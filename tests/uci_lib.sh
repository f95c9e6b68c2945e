# For scripts that drive the engine by UCI through pipes: source it after lib.sh.
#
#   start [ARGUMENT...]     starts the engine; its output goes to $log, its errors to $scratch/err; $pid
#   send LINE...            writes lines to it
#   count PATTERN           lines of its output that match
#   wait_for N PATTERN      waits until so many match; false when it does not come to that
#   stop_engine             ends it by quit; $status is its exit status, or "hangs"
#   try NAME BESTMOVES ERRORS LINE...   a whole conversation, see below
#
# $run_with, an array, is put before the program: (prlimit --as=...), (taskset ...).
patience=$([ "$LOVAC_TEST_LEVEL" = quick ] && echo 60 || echo 20)
run_with=()
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT

start() {
    log=$scratch/log
    : >"$log"
    rm -f "$scratch/in"
    mkfifo "$scratch/in"
    "${run_with[@]}" "$LOVAC" "$@" <"$scratch/in" >"$log" 2>"$scratch/err" &
    pid=$!
    exec 9>"$scratch/in"
}
send() { printf '%s\n' "$@" >&9; }
count() { grep -acE -e "$1" "$log"; }

wait_for() {
    local n=$1 pattern=$2 end=$((SECONDS + patience))
    while [ "$(count "$pattern")" -lt "$n" ]; do
        [ $SECONDS -lt $end ] && kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.02
    done
}

# Waits for the end of the engine; its exit status in $status (or "hangs": then it is killed).
await_end() {
    local end=$((SECONDS + patience))
    while kill -0 "$pid" 2>/dev/null; do
        if [ $SECONDS -ge $end ]; then
            kill -9 "$pid"
            status=hangs
            wait "$pid" 2>/dev/null
            pid=
            return
        fi
        sleep 0.02
    done
    wait "$pid"
    status=$?
    pid=
}

stop_engine() {
    { send quit; } 2>/dev/null
    exec 9>&-
    await_end
}

# What the sanitizers said, if anything.
complaints() { grep -aE -A 12 'ERROR: |WARNING: |runtime error|Assertion' "$scratch/err" | head -n 25; }

# try NAME BESTMOVES ERRORS LINE...: sends the lines (@0.2 waits), then expects readyok, that many best moves (and not
# one more), that many error lines (- for any), and a clean end.
try() {
    local name=$1 best=$2 errors=$3 line
    shift 3
    start
    for line in "$@"; do
        case $line in
        @*) sleep "${line#@}" ;;
        *) send "$line" ;;
        esac
    done
    send isready
    local problem=
    wait_for 1 '^readyok' || problem+=" no readyok;"
    wait_for "$best" '^bestmove' || problem+=" too few best moves;"
    [ "$best" = 0 ] && sleep 0.1
    [ "$(count '^bestmove')" = "$best" ] || problem+=" $(count '^bestmove') best moves;"
    [ "$errors" = - ] || [ "$(count '^info string error: ')" = "$errors" ] ||
        problem+=" $(count '^info string error: ') error lines;"
    stop_engine
    [ "$(count '^bestmove')" -le $((best + (best == 0))) ] || problem+=" late best moves;"
    [ "$status" = 0 ] || problem+=" status $status;"
    [ -z "$(complaints)" ] || problem+=" a complaint of the sanitizers;"
    [ -z "$problem" ] && pass "$name" || fail "$name" "$problem" "$(tail -n 5 "$log" | cut -c 1-300)" "$(tail -n 20 "$scratch/err")"
}
