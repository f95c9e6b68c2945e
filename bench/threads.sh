#!/bin/bash
# What more threads bring: the time to a depth over twenty positions, with one thread and with more, position by position
# alternately. The ratio of the sums is what counts; fails below LEAST.
#   bench/threads.sh [DEPTH] [THREADS] [ROUNDS] [LEAST]     (20, 2, 3, 1.6); LOVAC names another program
# Wants a machine with nothing else to do. Threads change what is searched, so that single positions scatter widely; by
# rounds the median is told.
set -u
cd "$(dirname "$0")/.." || exit 1
depth=${1:-20} threads=${2:-2} rounds=${3:-3} least=${4:-1.6}
program=${LOVAC:-./lovac}
[ -x "$program" ] || make -s || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
positions=( # after the first moves of twenty openings
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8"
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 a7a6 a2a4 c5a7"
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 c8e6 f2f3 f8e7"
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6 b1c3 e7e5 d4b5 d7d6 c1g5 a7a6 b5a3 b7b5"
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 e4e5 f6d7 f2f4 c7c5 g1f3 b8c6 c1e3 a7a6"
    "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5 g1f3 e7e6 f1e2 c6c5 c1e3 c5d4 f3d4 g8e7"
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6 g1f3 c7c6 f1c4 c8f5 c1d2 e7e6"
    "e2e4 g7g6 d2d4 f8g7 b1c3 d7d6 c1e3 a7a6 d1d2 b7b5 f2f3 b8d7 h2h4 h7h5"
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6"
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4 a2a4 c8f5 e2e3 e7e6 f1c4 f8b4 e1g1 e8g8"
    "d2d4 d7d5 c2c4 d5c4 g1f3 g8f6 e2e3 e7e6 f1c4 c7c5 e1g1 a7a6 d4c5 d8d1 f1d1 f8c5"
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8 f1d3 d7d5 g1f3 c7c5 e1g1 b8c6 a2a3 b4c3 b2c3"
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6 g2g3 c8a6 b2b3 f8b4 c1d2 b4e7 f1g2 c7c6"
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5 e1g1 b8c6 d4d5 c6e7"
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5 e2e4 d5c3 b2c3 f8g7 f1c4 c7c5 g1e2 b8c6"
    "d2d4 g8f6 c2c4 c7c5 d4d5 e7e6 b1c3 e6d5 c4d5 d7d6 e2e4 g7g6 g1f3 f8g7 f1e2 e8g8"
    "d2d4 f7f5 g2g3 g8f6 f1g2 g7g6 g1f3 f8g7 e1g1 e8g8 c2c4 d7d6 b1c3 d8e8"
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5 f1g2 d5b6 e1g1 f8e7"
    "g1f3 d7d5 g2g3 g8f6 f1g2 e7e6 e1g1 f8e7 d2d3 e8g8 b1d2 c7c5 e2e4 b8c6 f1e1 b7b5"
    "d2d4 d7d5 c1f4 g8f6 e2e3 c7c5 c2c3 b8c6 b1d2 e7e6 g1f3 f8d6 f4g3 e8g8"
)
coproc ENGINE { exec "$program"; }
exec 8<&"${ENGINE[0]}" 9>&"${ENGINE[1]}"

# Milliseconds to the depth, from a new game.
seconds_to_depth() { # seconds_to_depth THREADS MOVES
    local line ms=
    printf '%s\n' "setoption name Threads value $1" "setoption name Hash value 64" ucinewgame "position startpos moves $2" \
        "go depth $depth" >&9
    while IFS= read -r -u 8 line; do
        [[ $line =~ ^info\ depth\ $depth\ .*\ time\ ([0-9]+)\ pv ]] && ms=${BASH_REMATCH[1]}
        [[ $line == bestmove* ]] && break
    done
    echo "${ms:-0}"
}
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), load $(cut -d ' ' -f 1-3 /proc/loadavg)"
printf '%8s %14s %14s %8s\n' round "1 thread, s" "$threads threads, s" ratio
for ((round = 1; round <= rounds; round++)); do
    one=0 more=0
    for ((i = 0; i < ${#positions[@]}; i++)); do
        [ ! -t 2 ] || printf '\r  position %d of %d ' $((i + 1)) ${#positions[@]} >&2
        one=$((one + $(seconds_to_depth 1 "${positions[i]}")))
        more=$((more + $(seconds_to_depth "$threads" "${positions[i]}")))
    done
    [ ! -t 2 ] || printf '\r%30s\r' '' >&2
    awk -v r=$round -v a=$one -v b=$more 'BEGIN {printf "%8d %14.1f %14.1f %8.2f\n", r, a / 1e3, b / 1e3, a / (b > 0 ? b : 1)}' |
        tee -a "$scratch/rounds"
done
echo quit >&9
ratio=$(awk '{print $4}' "$scratch/rounds" | median)
echo "depth $depth, ${#positions[@]} positions: $threads threads are $ratio times as fast (wanted: $least)"
awk -v r="$ratio" -v l="$least" 'BEGIN {exit !(r >= l)}'
