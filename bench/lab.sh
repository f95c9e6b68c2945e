#!/bin/bash
# The laboratory's figures. Without a word: speed of matches and of self-play (two minutes on two cores). Words choose others:
#   bench/lab.sh match      1000 games at 5000 nodes, two at a time: games a second, share of the processors used
#   bench/lab.sh datagen    self-play at 1000 nodes: kept positions a second, bytes a half-move, check
#   bench/lab.sh kill       the same match killed twenty times: games in all, games twice
#   bench/lab.sh levels     200 games between neighbouring levels, and the levels beside other engines where these are installed
#   bench/lab.sh fit FILE   the evaluation fitted to a file of games: loss on games held out
#   bench/lab.sh spsa       spoils six constants of the search and tunes them back (one hour; SPSA_PAIRS for less)
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
    tail -n 4 "$work/out"
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
do_levels() {
    local games=${1:-200} i
    for i in $(seq 11); do
        "$lovac" match "lovac level=$((i + 1)) hash=2 name=L$((i + 1))" "lovac level=$i hash=2 name=L$i" --nodes 4000 --games "$games" \
            --every 1000000 --pgn "$work/levels.$i.pgn" | sed -n 2p
    done
    # Anchors: engines with their own idea of a rating, a tenth of a second a move.
    for i in 3 5 7 9; do
        command -v stockfish >/dev/null && "$lovac" match "lovac level=$i name=L$i" \
            "stockfish name=stockfish-1320 movetime=0.05 option.UCI_LimitStrength=true option.UCI_Elo=1350" --games 60 --margin 100 \
            --pgn "$work/anchor.a$i.pgn" | sed -n 2p
        command -v gnuchess >/dev/null && "$lovac" match "lovac level=$i name=L$i" "gnuchess -u name=gnuchess-d3 depth=3" --games 60 --margin 100 \
            --pgn "$work/anchor.b$i.pgn" | sed -n 2p
    done
    "$lovac" rate "$work"/*.pgn --quiet
}
do_fit() { "$lovac" tune fit "$1" --to "$work/weights.inc"; }
do_spsa() {
    make -s CPPFLAGS=-DTUNE EXE="$work/lovac-tune" program || return
    local bad=FutilityMargin=190,NullMoveBase=2,ReductionBase=2900,QuietSeeDepthSquared=60,MoveCountBase=0,SingularMargin=150
    tr ',' '\n' <<<"$bad" >"$work/bad"
    "$work/lovac-tune" tune spsa "$work/state" --set "$bad" --only "$(sed 's/=.*//' "$work/bad" | paste -sd,)" --pairs "${SPSA_PAIRS:-12000}" \
        --nodes 2000 --pull 0.006 | tail -n 7
    "$work/lovac-tune" match "lovac name=spoilt tunables=$work/bad" "lovac name=standard" --nodes 2000 --games 1000 --every 1000000 | sed -n 2p
    "$work/lovac-tune" match "lovac name=tuned tunables=$work/state" "lovac name=standard" --nodes 2000 --games 1000 --every 1000000 | sed -n 2p
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
