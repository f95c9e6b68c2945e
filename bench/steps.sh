#!/bin/bash
# What each step of the search is worth: the engine as it is against the engine without the step, at a fixed number of nodes a move.
#   bench/steps.sh [GAMES] [--nodes N] [--concurrency N] [--only NAMES] [--csv FILE] [--seed N]
#       GAMES for each step (400), at N nodes a move (20000); NAMES are steps or switches: 9,16a,UseNullMove.
#       Prints a table; with --csv also writes it, one line as each step is done. A step that the file has already is not played again.
#   bench/steps.sh --list          the steps and their switches
#   bench/steps.sh --write FILE    puts the Elo of such a file, where it is beyond its error, into the comments of src/engine:
#                                  // Step 9 (+136 Elo). ...
# The switches stand in src/engine/tunables.h; a tuning build (-DTUNE) has them as options.
cd "$(dirname "$0")/.." || exit 1
games=400 nodes=20000 concurrency=$(nproc) only= csv= seed=1 mode=play
fail() {
    echo "bench/steps.sh: $*" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    --list) mode=list ;;
    --nodes | --concurrency | --only | --csv | --seed | --write)
        [ $# -ge 2 ] || fail "$1 needs a value"
        case $1 in
        --nodes) nodes=$2 ;;
        --concurrency) concurrency=$2 ;;
        --only) only=$2 ;;
        --csv) csv=$2 ;;
        --seed) seed=$2 ;;
        --write) mode=write csv=$2 ;;
        esac
        shift
        ;;
    [1-9]*) games=$1 ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

# "10 UseNullMove" for each switch of the list, and the sentence of the step behind it.
steps() {
    sed -nE 's/^ *X\((Use[A-Za-z]+), *1, 0, 1\) \/\* Step ([A-Z]?[0-9]*[a-z]?) \*\/.*/\2 \1/p' src/engine/tunables.h
}
sentence() {
    grep -hoE "// Step $1( \([^)]*\))?\. .*" src/engine/*.c | head -n 1 | sed -E 's/^[^.]*\. //'
}
is_wanted() {
    [ -z "$only" ] || [[ ,$only, == *,$1,* || ,$only, == *,$2,* ]]
}

list() {
    steps | while read -r number switch; do
        printf '%-5s %-22s %s\n' "$number" "$switch" "$(sentence "$number")"
    done
}

# Elo is rounded: more digits than the error bar deserves would say too much; and what lies within it says nothing.
write() {
    [ -r "$csv" ] || fail "cannot read $csv"
    local number switch elo error rest figure
    while IFS=, read -r number switch elo error rest; do
        [ "$number" = step ] && continue
        [ -n "$(sentence "$number")" ] || fail "$csv: there is no step $number"
        figure=$(awk -v e="$elo" -v r="$error" 'BEGIN {if (e * e > r * r) printf " (%+.0f Elo)", e}')
        sed -i -E "s|// Step $number( \([^)]*\))?\. |// Step $number$figure. |" src/engine/*.c
    done <"$csv"
    ! command -v clang-format >/dev/null || clang-format -i src/engine/*.c
}

play() {
    local number switch line lovac=build/lovac-steps
    make --no-print-directory -s PARTS=lab CUDA=0 CPPFLAGS=-DTUNE BUILD=build/steps EXE=$lovac program || fail "the tuning build failed"
    [ -z "$csv" ] || [ -s "$csv" ] || echo 'step,switch,elo,error,games,nodes' >"$csv"
    printf '%-5s %-22s %8s %7s  %s\n' step switch Elo ± "with - without"
    steps | while read -r number switch; do
        is_wanted "$number" "$switch" || continue
        [ -n "$csv" ] && grep -q "^$number,$switch," "$csv" && continue
        line=$($lovac match "lovac hash=8 name=with" "lovac hash=8 name=without $switch=0" --nodes "$nodes" --games "$games" \
            --concurrency "$concurrency" --seed "$seed" --every 1000000 </dev/null | grep '^with - without:' | tail -n 1)
        [[ $line =~ :\ (.*),\ Elo\ ([-+0-9.]+|[-+]inf)\ ±\ ([0-9.]+|inf|-?nan) ]] || fail "no result without $switch: $line"
        printf '%-5s %-22s %+8.1f %7.1f  %s\n' "$number" "$switch" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}" "${BASH_REMATCH[1]}"
        [ -z "$csv" ] || echo "$number,$switch,${BASH_REMATCH[2]},${BASH_REMATCH[3]},$games,$nodes" >>"$csv"
    done
}
$mode
