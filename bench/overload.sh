#!/bin/bash
# Games on a machine that is booked twice over: as many games at a time as twice the processors, at a second a side. Counts
# games lost on time, illegal moves, stalls and crashes; fails if there is one.
#   bench/overload.sh [GAMES] [TIME+INCREMENT] [GAMES AT A TIME]     (60, 1+0.01, twice the processors)
# PEER names another engine to be measured in the same way afterwards, for comparison; LOVAC another program.
set -u
cd "$(dirname "$0")/.." || exit 1
games=${1:-60} tc=${2:-1+0.01} at_once=${3:-$((2 * $(nproc)))}
program=${LOVAC:-$PWD/lovac}
[ -x ./lovac ] || make -s || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# What ended the games, from the tags of the PGN. The match runner itself forgives nothing but the usual 10 ms.
play() { # play PROGRAM FILE
    ./lovac match "$1 name=first option.Hash=4" "$1 name=second option.Hash=4" --games "$games" --tc "$tc" \
        --concurrency "$at_once" --openings random --pgn "$2" --draw 0 --win 0 --every 1000000 >"$2.log" 2>&1
}
tell() { # tell TITLE FILE
    local played time illegal other
    played=$(grep -c '^\[Result "[^*]' "$2")
    time=$(grep -c '^\[Termination "time' "$2")
    illegal=$(grep -ciE '^\[Termination "(rules infraction|illegal)' "$2")
    other=$(grep -ciE '^\[Termination "(abandoned|emergency|unterminated)' "$2")
    printf '%-12s %5d of %d games, %d lost on time, %d illegal moves, %d crashes or stalls\n' "$1" "$played" "$games" \
        "$time" "$illegal" "$other"
    faults=$((time + illegal + other + games - played))
}
echo "$tc, $at_once games at a time on $(nproc) processors, load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
play "$program" "$scratch/lovac.pgn"
tell Lovac "$scratch/lovac.pgn"
result=$faults
if [ -n "${PEER:-}" ]; then
    play "$PEER" "$scratch/peer.pgn"
    tell "$(basename "$PEER")" "$scratch/peer.pgn"
fi
[ "$result" = 0 ] || sed 's/^/# /' "$scratch/lovac.pgn.log" | tail -n 15
[ "$result" = 0 ]
