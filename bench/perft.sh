#!/bin/bash
# Lovac's perft beside Stockfish's, alternately on the same machine: the median of several rounds.
#   bench/perft.sh [ROUNDS]     (5); STOCKFISH names another program that knows `go perft`
# One thread, counting without making the last moves, no hash table on either side.
set -u
cd "$(dirname "$0")/.." || exit 1
rounds=${1:-5}
peer=${STOCKFISH:-$(PATH=$PATH:/usr/games command -v stockfish)}
[ -x ./lovac ] || make -s || exit 1
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'

median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
now() { date +%s.%N; }

# Nodes per second of Lovac, by its own clock (which leaves out the start of the program).
lovac_speed() { ./lovac perft "$1" --fen "$2" --quiet ${3:+--threads $3} | sed -n 's/^Nodes\/s: //p'; }

# Stockfish tells no time for perft: take the time of the whole run and that of a run of depth 1 away.
peer_seconds() {
    local begin
    begin=$(now)
    printf 'position fen %s\ngo perft %s\nquit\n' "$2" "$1" | "$peer" >"$scratch/peer"
    awk -v a="$begin" -v b="$(now)" 'BEGIN {print b - a}'
}
peer_speed() {
    local empty full nodes
    empty=$(peer_seconds 1 "$2")
    full=$(peer_seconds "$1" "$2")
    nodes=$(sed -n 's/^Nodes searched: //p' "$scratch/peer")
    awk -v n="$nodes" -v t="$full" -v e="$empty" 'BEGIN {printf "%.0f\n", n / (t - e)}'
}

measure() { # measure TITLE DEPTH FEN
    local ours=() theirs=() i
    for ((i = 0; i < rounds; i++)); do
        ours+=("$(lovac_speed "$2" "$3")")
        [ -z "$peer" ] || theirs+=("$(peer_speed "$2" "$3")")
    done
    local a b=
    a=$(printf '%s\n' "${ours[@]}" | median)
    [ -z "$peer" ] || b=$(printf '%s\n' "${theirs[@]}" | median)
    awk -v t="$1" -v a="$a" -v b="${b:-0}" 'BEGIN {
        printf "%-24s %10.1f", t, a / 1e6
        if (b > 0) printf " %10.1f %7.2f", b / 1e6, a / b
        printf "\n"}'
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(${CC:-gcc} --version | head -n 1)"
[ -n "$peer" ] && echo "Beside: $(echo quit | "$peer" | head -n 1)" || echo "Stockfish not found: Lovac alone"
printf '%-24s %10s %10s %7s\n' "million nodes/s" Lovac Stockfish ratio
measure "start, depth 6" 6 "$start"
measure "Kiwipete, depth 5" 5 "$kiwipete"

# Threads: the same work (long enough to outlast its beginning and end) on one and on two, alternately.
one=() two=()
for ((i = 0; i < rounds; i++)); do
    one+=("$(lovac_speed 7 "$start" 1)")
    two+=("$(lovac_speed 7 "$start" 2)")
done
awk -v a="$(printf '%s\n' "${one[@]}" | median)" -v b="$(printf '%s\n' "${two[@]}" | median)" \
    'BEGIN {printf "%-24s %10.1f %10s %7.2f\n", "start, depth 7, 2 threads", b / 1e6, "", b / a}'
