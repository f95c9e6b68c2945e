#!/bin/bash
# The laboratory's figures. Without a word: speed of matches and of self-play (two minutes on two cores). Words choose others:
#   bench/lab.sh match      1000 games at 5000 nodes, two at a time: games a second, share of the processors used
#   bench/lab.sh datagen    self-play at 1000 nodes: kept positions a second, bytes a half-move, check
#   bench/lab.sh kill       the same match killed twenty times: games in all, games twice
#   bench/lab.sh levels [GAMES [CONCURRENCY]]  200 games between neighbouring levels, and the levels beside other engines where
#                           these are installed; goes on where it was; ends with the table of docs/lab.md
#   bench/lab.sh fit FILE   the evaluation fitted to a file of games: loss on games held out
#   bench/lab.sh spsa [PAIRS [CONCURRENCY]]    spoils six constants of the search and tunes them back (one hour on two cores)
#   bench/lab.sh annotate [GAMES [WORKERS [NODES]]]  games judged by lovac analyse (100, 2, 100000)
#   bench/lab.sh wdl [GAMES [THREADS [NODES]]]       win, draw and loss fitted to fresh games (2000, all, 5000)
#   bench/lab.sh suites     WAC and STS where the collection of test data is
cd "$(dirname "$0")/.." || exit 1
lovac=${LOVAC:-./lovac}
data=${LOVAC_DATA:-../shared/data}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/games

used() { # used NAME COMMAND...: the last lines of its output, and how much of the processors it used
    local name=$1
    shift
    echo "-- $name"
    { TIMEFORMAT='%R s, %U s of processor time'; time "$@" >"$work/out" 2>&1; } 2>"$work/time"
    tail -n 5 "$work/out"
    cat "$work/time"
}

do_match() {
    used "match, ${1:-1000} games at 5000 nodes, two at a time" "$lovac" match "lovac hash=8 name=one" "lovac hash=8 name=two" \
        --nodes 5000 --games "${1:-1000}" --concurrency 2 --every 1000000
}
do_datagen() {
    used "self-play, ${1:-3000} games at 1000 nodes" "$lovac" datagen "$work/a.games" --games "${1:-3000}" --threads 2 --quiet
    "$lovac" data check "$work/a.games" --quiet
}
do_kill() {
    local match=("$lovac" match "lovac hash=8 name=one" "lovac hash=8 name=two" --nodes 5000 --games 1000 --concurrency 2 --pgn "$work/k.pgn")
    for _ in $(seq 20); do
        "${match[@]}" >/dev/null 2>&1 &
        local pid=$!
        sleep $((RANDOM % 9 + 1))
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
    done
    "${match[@]}" | tail -n 3
    echo "games: $(grep -c '^\[Event ' "$work/k.pgn"), twice: $(grep '^\[Round' "$work/k.pgn" | sort | uniq -d | wc -l)"
}
# Neighbouring levels meet, then engines that know their own rating (Stockfish weakened by UCI_Elo) and some at a fixed depth. All
# players are bound by nodes or depth, so that the machine does not matter. Stockfish 15.1 chooses a weak move at the end of a certain
# depth, which follows from the rating (1, 4, 7, 11, 15 for these): the depths here are one more, and save the time it would only wait.
anchors() {
    local sf="option.UCI_LimitStrength=true option.Hash=4 option.UCI_Elo"
    if command -v stockfish >/dev/null; then
        echo "3 4 5|stockfish name=stockfish-1350 depth=2 $sf=1350"
        echo "5 6 7|stockfish name=stockfish-1700 depth=5 $sf=1700"
        echo "7 8 9|stockfish name=stockfish-2000 depth=8 $sf=2000"
        echo "8 9 10|stockfish name=stockfish-2300 depth=12 $sf=2300"
        echo "10 11|stockfish name=stockfish-2600 depth=16 $sf=2600"
    fi
    command -v gnuchess >/dev/null && echo "5 6 7|gnuchess -u name=gnuchess-depth-2 depth=2"
    command -v toga2 >/dev/null && echo "7 8 9|toga2 name=toga2-depth-4 depth=4"
    command -v ethereal-chess >/dev/null && echo "6 7 8|ethereal-chess name=ethereal-depth-6 depth=6 option.Hash=4"
}
do_levels() { # levels [GAMES [CONCURRENCY]]: goes on where it was; games are kept while the levels and the net are the same
    local games=${1:-200} full=3600 i line where
    local options=(--games "$games" --concurrency "${2:-$(nproc)}" --every 1000000 --margin 1000)
    # A new level or net begins anew; new names and ratings do not.
    where=build/levels/$({ sed -n 's/^ *{"[^"]*", [0-9]*, \(.*\)},$/\1/p' src/engine/level.c; cat nets/chess.nnue; } | cksum | cut -d' ' -f1)
    mkdir -p "$where" || return
    echo "games in $where; the last level with $full nodes a move"
    for i in $(seq 11); do
        "$lovac" match "lovac level=$((i + 1)) hash=4 name=level-$((i + 1)) nodes=$full" "lovac level=$i hash=4 name=level-$i nodes=$full" \
            "${options[@]}" --pgn "$where/pair.$i.pgn" | sed -n 2p
    done
    options[1]=$(((games + 1) / 2))
    anchors | while read -r line; do
        for i in ${line%%|*}; do
            "$lovac" match "lovac level=$i hash=4 name=level-$i nodes=$full" "${line#*|}" "${options[@]}" \
                --pgn "$where/$(sed 's/.*name=\([^ ]*\).*/\1/' <<<"$line").$i.pgn" </dev/null | sed -n 2p
        done
    done
    "$lovac" rate "$where"/*.pgn --quiet --csv | awk -F, -f bench/levels.awk
}
do_fit() { "$lovac" tune fit "$1" --to "$work/weights.inc"; }
# Six constants of the search are set far from where they should be and tuned back by SPSA; then the spoilt and the tuned set play
# against the standard one. Goes on where it was (build/spsa). One pair of games costs half a second of one processor.
do_spsa() { # spsa [PAIRS [CONCURRENCY]]
    local pairs=${1:-10000} threads=${2:-$(nproc)} nodes=${SPSA_NODES:-2000} tune=build/tune/lovac dir=build/spsa set
    make -s CPPFLAGS=-DTUNE PARTS=lab BUILD=build/tune EXE=$tune program && mkdir -p "$dir" || return
    local bad=FutilityMargin=190,NullMoveBase=2,ReductionBase=2900,QuietSeeDepthSquared=60,MoveCountBase=0,QuietFutilityDepth=20
    tr ',' '\n' <<<"$bad" >"$dir/spoilt"
    $tune tune spsa "$dir/tuned" --set "$bad" --only "$(sed 's/=.*//' "$dir/spoilt" | paste -sd,)" --pairs "$pairs" --nodes "$nodes" \
        --reach 0.1 --pull 0.02 --threads "$threads" --curve "$dir/curve.csv" | tail -n 8
    for set in spoilt tuned; do
        $tune match "lovac hash=4 name=$set tunables=$dir/$set" "lovac hash=4 name=standard" --nodes "$nodes" --games "${SPSA_GAMES:-1000}" \
            --concurrency "$threads" --every 1000000 --journal "$dir/$set.journal" | sed -n 2p
    done
}
do_wdl() { # wdl [GAMES [THREADS [NODES]]]: the model of win, draw and loss from fresh games
    local games=${1:-2000} threads=${2:-$(nproc)} nodes=${3:-5000} file=build/wdl.games
    "$lovac" datagen "$file" --games "$games" --nodes "$nodes" --threads "$threads" --hash 8 --seed 3 --quiet && "$lovac" data wdl "$file" --quiet
}
do_annotate() { # annotate [GAMES [WORKERS [NODES]]]: games between two levels, made once, then judged
    local games=${1:-100} workers=${2:-2} nodes=${3:-100000} file=build/annotate-${1:-100}.pgn
    "$lovac" match "lovac level=7 name=strong" "lovac level=5 name=club" --games "$games" --pgn "$file" --every 1000000 >/dev/null || return
    used "$games games judged, $workers at a time, $nodes nodes a position" "$lovac" analyse "$file" --to "$work/judged.pgn" --threads "$workers" \
        --nodes "$nodes" --quiet
    echo "comments: $(grep -o '%eval' "$work/judged.pgn" | wc -l), better lines: $(grep -oE 'was best' "$work/judged.pgn" | wc -l)"
    "$lovac" convert --check "$work/judged.pgn" | tail -n 1
}
do_suites() {
    local wac=$data/suites/arasan/wacnew.epd sts=$data/suites/sts/STS1-STS15_LAN_v3.epd
    [ -e "$wac" ] && used "WAC, one second a position" "$lovac" analyse --epd "$wac" --movetime 1 --quiet
    [ -e "$sts" ] && used "STS, 100 000 nodes a position" "$lovac" analyse --epd "$sts" --nodes 100000 --quiet
}

[ -x "$lovac" ] || make -s || exit 1
if [ $# = 0 ]; then
    do_match 150
    do_datagen 400
else
    what=$1
    shift
    "do_$what" "$@"
fi
