#!/bin/bash
# How fast PGN is read: a file of our own random games, as tokens only and with every move checked.
#   bench/pgn.sh [ROUNDS] [MEGABYTES]     (5, 100); the median of the rounds, one thread, by processor time
set -u
cd "$(dirname "$0")/.." || exit 1
rounds=${1:-5} megabytes=${2:-100} cc=${CC:-gcc}
make -s CONFIG=plain CC="$cc" library || exit 1
build=build/plain-$cc-native
make -s CONFIG=plain CC="$cc" "$build/bench/pgn" || exit 1
file=$(mktemp --suffix=.pgn) || exit 1
trap 'rm -f "$file"' EXIT
"$build/bench/pgn" make "$megabytes" "$file" || exit 1

median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
for ((i = 0; i < rounds; i++)); do
    "$build/bench/pgn" tokens "$file" >>"$file.tokens" || exit 1
    "$build/bench/pgn" games "$file" >>"$file.games" || exit 1
done
trap 'rm -f "$file" "$file.tokens" "$file.games"' EXIT
printf 'file           %d MB, %d games\n' $(($(stat -c %s "$file") / 1000000)) "$(grep -c '^\[Event ' "$file")"
printf 'tokens only    %d MB/s\n' "$(median <"$file.tokens")"
printf 'moves checked  %d games/minute, %s million moves/s\n' "$(cut -d' ' -f1 "$file.games" | median)" \
    "$(cut -d' ' -f2 "$file.games" | median)"
