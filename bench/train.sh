#!/bin/bash
# The CPU trainer's speed: positions a second of `lovac train`, wall clock and per second of processor time (which
# does not waver when the machine has other work).
#   bench/train.sh [HIDDEN] [THREADS]     (128, one for each processor)
set -u
cd "$(dirname "$0")/.." || exit 1
hidden=${1:-128}
threads=${2:-$(nproc)}
[ -x ./lovac ] || make -s || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

./lovac datagen "$scratch/games" --games 100000 --positions 30000 --nodes 60 --quiet >/dev/null || exit 1
TIMEFORMAT='%R %U'
# Reading the games and the net's check at the end are measured with one pass and taken away.
short=$({ time ./lovac train "$scratch/games" --to "$scratch/net" --batch 16384 --hidden "$hidden" --threads "$threads" --epochs 1 >/dev/null; } 2>&1)
long=$({ time ./lovac train "$scratch/games" --to "$scratch/net" --batch 16384 --hidden "$hidden" --threads "$threads" --epochs 61 >"$scratch/log"; } 2>&1)
positions=$(sed -n 's/.*, \([0-9]*\) positions, .*/\1/p' "$scratch/log" | head -1)
[ -n "$positions" ] || { cat "$scratch/log"; exit 1; }
echo "$short $long" | awk -v n="$positions" -v h="$hidden" -v t="$threads" '{
    printf "%d units, %d threads, %d positions, 60 passes: %.2f million positions/s by the clock, %.2f per processor-second\n",
        h, t, n, 60 * n / ($3 - $1) / 1e6, 60 * n / ($4 - $2) / 1e6}'
