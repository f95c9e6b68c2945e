#!/bin/bash
# A student learns on the GPU while the other cores play: each net it writes meets the net it began as, at a fixed number of nodes.
#   bench/study.sh FOLDER PLAYER STUDENT PLAN [learn's options]
#       PLAYER plays on the GPU, the students go on from STUDENT, PLAN is a file (docs/training.md; it is read before each
#       generation). FOLDER gets what `lovac learn` writes, study.log, and matches.csv (matches.log): a line for each net that was played.
#       Ends when the plan has ended and its last nets are played. The same call goes on after a kill, with new positions.
# GAMES (400), NODES (20000) and CORES (all but four) may be set in the environment; so may the programs, LOVAC (./lovac) and
# LEARNER (the same), which must be a build with CUDA.
cd "$(dirname "$0")/.." || exit 1
[ $# -ge 4 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 2; }
folder=$1 player=$2 student=$3 plan=$4
shift 4
lovac=${LOVAC:-./lovac} learner=${LEARNER:-${LOVAC:-./lovac}}
games=${GAMES:-400} nodes=${NODES:-20000} cores=${CORES:-$(($(nproc) > 5 ? $(nproc) - 4 : 1))}
csv=$folder/matches.csv
fail() {
    echo "bench/study.sh: $*" >&2
    exit 2
}
for file in "$player" "$student" "$plan"; do
    [ -r "$file" ] || fail "cannot read $file"
done
for program in "$lovac" "$learner"; do
    command -v "$program" >/dev/null || fail "there is no program $program: make, or set LOVAC and LEARNER"
done
mkdir -p "$folder/played" || exit 1
[ -f "$csv" ] || echo "net,sum,won,drawn,lost,elo,error" >"$csv"

"$learner" learn "$folder" --start "$player" --student "$student" --plan "@$plan" "$@" >>"$folder/study.log" 2>&1 </dev/null &
learning=$!
trap 'kill "$learning" 2>/dev/null' EXIT

# Copies the oldest net that was not played as it is now, for the learner writes it anew, and tells its name and sum.
next_net() {
    local net name sum
    for net in $(ls -tr "$folder"/student-*.nnue 2>/dev/null); do
        name=$(basename "$net" .nnue)
        cp "$net" "$folder/played/copy" || return
        sum=$(md5sum <"$folder/played/copy" | cut -c1-12)
        grep -q "^$name,$sum," "$csv" && continue
        mv "$folder/played/copy" "$folder/played/$name-$sum.nnue" && echo "$name $sum"
        return
    done
}

# Plays a net and adds its line to the table.
play() { # play NAME SUM
    local net=$folder/played/$1-$2 result
    result=$("$lovac" match "lovac hash=16 net=$net.nnue name=new" "lovac hash=16 net=$student name=old" --games "$games" \
        --nodes "$nodes" --concurrency "$cores" --openings random --json --journal "$net.journal" 2>>"$folder/matches.log" |
        sed -nE 's/.*"wins": ([0-9]+), "draws": ([0-9]+), "losses": ([0-9]+),.*"elo": (-?[0-9.]+), "error": ([0-9.]+),.*/\1,\2,\3,\4,\5/p')
    # What was learned is worth more than one match: its line stays empty, and learning goes on.
    [ -n "$result" ] || echo "bench/study.sh: $net.nnue was not played: $(tail -n 1 "$folder/matches.log")" >&2
    echo "$1,$2,${result:-,,,,}" | tee -a "$csv"
}

while :; do
    goes_on=$(kill -0 "$learning" 2>/dev/null && echo yes)
    read -r name sum <<<"$(next_net)"
    if [ -n "$name" ]; then
        play "$name" "$sum"
    elif [ -z "$goes_on" ]; then
        break
    else
        sleep 2
    fi
done
wait "$learning"
status=$?
trap - EXIT
rm -f "$folder/played/copy"
[ $status = 0 ] || fail "learning ended with status $status: $(tail -n 1 "$folder/study.log")"
