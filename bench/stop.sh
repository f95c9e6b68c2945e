#!/bin/bash
# From `stop`, and from `go depth 1`, to the best move, through pipes: median, 99th percentile and the longest of STOPS, for some numbers of
# threads, on a free machine and with every processor booked twice over. Fails when a 99th percentile of stop is above LIMIT.
#   bench/stop.sh [STOPS] [LIMIT]     (300, 50 ms); LOVAC names another program
set -u
cd "$(dirname "$0")/.." || exit 1
stops=${1:-300} limit=${2:-50} cc=${CC:-gcc} cores=$(nproc) failed=0
program=${LOVAC:-$PWD/lovac}
[ -x "$program" ] || make -s || exit 1
make -s CONFIG=plain CC="$cc" library "build/plain-$cc-native/bench/stop" || exit 1
printf '%-34s %8s %8s %8s   %8s %8s %8s\n' "ms to the best move" "stop p50" p99 max "go p50" p99 max
measure() { # measure THREADS BURNERS
    local p50 p99 max go
    read -r p50 p99 max go < <("build/plain-$cc-native/bench/stop" "$program" "$stops" "$1" "$2" || echo - 1e9 "no answer")
    # shellcheck disable=SC2086
    printf '%-34s %8s %8s %8s   %8s %8s %8s\n' "$1 threads, $2 busy beside them" "$p50" "$p99" "$max" $go
    awk -v p="$p99" -v l="$limit" 'BEGIN {exit !(p <= l)}' || failed=1
}
measure 1 0
measure "$cores" 0
measure 1 "$cores"
measure "$cores" "$cores"
[ $failed = 0 ] || echo "above $limit ms"
exit $failed
