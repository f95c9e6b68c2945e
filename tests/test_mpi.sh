#!/bin/bash
# Work over several processes (mpirun): the same games, bytes, weights and values as on threads from the same seed, and
# all of them although a process is killed in the middle.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
if ! ldd "$LOVAC" | grep -q libmpi || ! command -v mpirun >/dev/null; then
    skip "several processes" "built without MPI, or no mpirun here"
    finish
    exit
fi
# Open MPI itself leaves memory behind, which is not our business.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0
spread=(timeout 120 mpirun --oversubscribe --enable-recovery -n 3)
[ "$LOVAC_TEST_LEVEL" = quick ] && games=8 nodes=40 || games=24 nodes=300

# killed NAME STARTED COMMAND...: runs the command under mpirun and kills one process when STARTED (a command) succeeds.
killed() {
    local name=$1 started=$2 pid children
    shift 2
    mpirun --oversubscribe --enable-recovery -n 3 "$@" >"$scratch/out" 2>&1 </dev/null &
    pid=$!
    for _ in $(seq 3000); do
        eval "$started" && break
        sleep 0.01
    done
    read -ra children <"/proc/$pid/task/$pid/children"
    if [ ${#children[@]} != 3 ]; then
        fail "$name: killed in the middle" "${#children[@]} processes are there" "$(cat "$scratch/out")"
    else
        kill -9 "${children[-1]}"
    fi
    wait $pid
    is "$name: goes on without the dead process" 0 $?
    has "$name: tells that one died" "1 of 3 processes died" "$(cat "$scratch/out")"
}
has_lines() { [ "$({ wc -l <"$1" || echo 0; } 2>/dev/null)" -ge "$2" ]; }

# What a game is, without the time it took: number, result, fault, half-moves, moves and nodes of both sides.
results() { sed '1,/^games$/d' "$1" | awk '{print $1, $2, $3, $4, $5, $6, $7, $9, $10}' | sort -n; }
# A player without a score tells its time alone, where it took any.
moves() { tr '\n' ' ' <"$1" | sed -E 's/ \{[0-9.]+s\}( [0-9]+\.\.\.)?//g; s/ [0-9.]+s\}/}/g; s/\[Event /\n[Event /g' | sed 's/ *$//' | sort; }
match=("$LOVAC" match "lovac name=one hash=1" "lovac name=two hash=1" "random" --nodes $nodes)
"${match[@]}" --games $games --pgn "$scratch/t.pgn" >/dev/null 2>&1
exits "match under mpirun" 0 "${spread[@]}" "${match[@]}" --games $games --pgn "$scratch/m.pgn"
has "one table" "nodes/move" "$out"
is "printed once" 1 "$(grep -c "game $((games * 3)) of" <<<"$out")"
is "the same results as on threads" "$(results "$scratch/t.pgn.journal")" "$(results "$scratch/m.pgn.journal")"
is "the same moves" "$(moves "$scratch/t.pgn" | cksum)" "$(moves "$scratch/m.pgn" | cksum)"
killed "match" 'has_lines "$scratch/k.pgn.journal" 20' "${match[@]}" --games 80 --pgn "$scratch/k.pgn"
is "match: every game once" "$(seq 0 239)" "$(results "$scratch/k.pgn.journal" | cut -d ' ' -f 1)"
is "match: and in the PGN" 240 "$(grep -c '^\[Event ' "$scratch/k.pgn")"

# With --enable-recovery mpirun forgets the exit status.
exits "an error is told once" 1 mpirun --oversubscribe -n 3 "$LOVAC" match random /nowhere/engine
is "by the first process" 1 "$(grep -c '^lovac match: .*nowhere' <<<"$out")"

"$LOVAC" tablebase make 3 --quiet --folder "$scratch/tt" >/dev/null
exits "tablebase make under mpirun" 0 "${spread[@]}" "$LOVAC" tablebase make 3 --quiet --folder "$scratch/tm"
exits "tablebase: the same bytes" 0 diff -r "$scratch/tt" "$scratch/tm"

datagen=(datagen --games 300 --nodes $nodes --quiet)
[ "$LOVAC_TEST_LEVEL" = quick ] || datagen=(datagen --games 900 --nodes 100 --quiet)
"$LOVAC" "${datagen[@]}" "$scratch/t.games" >/dev/null
exits "datagen under mpirun" 0 "${spread[@]}" "$LOVAC" "${datagen[@]}" "$scratch/m.games"
exits "datagen: the same bytes" 0 cmp "$scratch/t.games" "$scratch/m.games"
killed "datagen" '[ "$(stat -c %s "$scratch/k.games" 2>/dev/null || echo 0)" -gt 5000 ]' \
    "$LOVAC" "${datagen[@]}" "$scratch/k.games"
exits "datagen: the same bytes although one was killed" 0 cmp "$scratch/t.games" "$scratch/k.games"

"$LOVAC" data relabel "$scratch/t.games" "$scratch/tr.games" --nodes 30 --quiet >/dev/null
exits "relabel under mpirun" 0 "${spread[@]}" "$LOVAC" data relabel "$scratch/t.games" "$scratch/mr.games" --nodes 30 --quiet
exits "relabel: the same bytes" 0 cmp "$scratch/tr.games" "$scratch/mr.games"

"$LOVAC" analyse "$scratch/t.pgn" --games 6 --nodes 200 --quiet --to "$scratch/tj.pgn" >/dev/null
exits "analyse under mpirun" 0 "${spread[@]}" "$LOVAC" analyse "$scratch/t.pgn" --games 6 --nodes 200 --quiet --to "$scratch/mj.pgn"
exits "analyse: the same judged games" 0 cmp "$scratch/tj.pgn" "$scratch/mj.pgn"
printf '%s\n' '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;' 'k7/8/1K6/8/8/8/8/7R w - - am Ra1+;' >"$scratch/a.epd"
exits "a suite under mpirun" 0 "${spread[@]}" "$LOVAC" analyse --epd "$scratch/a.epd" --nodes 2000 --quiet
has "is solved" "2 of 2 solved" "$out"

evolve=(evolve --populations 3 --individuals 3 --generations 5 --freeze 2 --depth 1 --plies 60 --share 0.3 --quiet)
"$LOVAC" "${evolve[@]}" "$scratch/te" >/dev/null
exits "evolve under mpirun" 0 timeout 120 mpirun --oversubscribe --enable-recovery -n 2 "$LOVAC" "${evolve[@]}" "$scratch/me"
exits "evolve: the same generations" 0 cmp "$scratch/te/league.csv" "$scratch/me/league.csv"
exits "evolve: the same champion" 0 cmp "$scratch/te/champion-005.dna" "$scratch/me/champion-005.dna"

if [ "$LOVAC_TEST_LEVEL" != quick ]; then
    "$LOVAC" tune fit "$scratch/t.games" --epochs 2 --to "$scratch/t.inc" >/dev/null
    exits "tune fit under mpirun" 0 "${spread[@]}" "$LOVAC" tune fit "$scratch/t.games" --epochs 2 --to "$scratch/m.inc"
    exits "tune fit: the same weights" 0 cmp "$scratch/t.inc" "$scratch/m.inc"
fi

# Tuning by games needs a build of its own.
tune=build/lovac-tune
if [ "$LOVAC_TEST_LEVEL" = long ] &&
    make -s -j2 PARTS=lab CONFIG=plain ARCH=none CPPFLAGS=-DTUNE EXE=$tune program >/dev/null 2>&1; then
    spsa=(tune spsa --pairs 60 --nodes 100 --hash 1 --pull 0.06 --reach 0.1)
    "$tune" "${spsa[@]}" "$scratch/t.spsa" --curve "$scratch/t.csv" >/dev/null
    exits "tune spsa under mpirun" 0 "${spread[@]}" "$tune" "${spsa[@]}" "$scratch/m.spsa" --curve "$scratch/m.csv"
    exits "tune spsa: the same values" 0 cmp "$scratch/t.spsa" "$scratch/m.spsa"
    exits "tune spsa: the same way there" 0 cmp "$scratch/t.csv" "$scratch/m.csv"
    killed "tune spsa" 'has_lines "$scratch/k.csv" 1 && sleep 1' "$tune" "${spsa[@]}" "$scratch/k.spsa" --curve "$scratch/k.csv"
    exits "tune spsa: the same values although one was killed" 0 cmp "$scratch/t.spsa" "$scratch/k.spsa"
else
    echo "# tune spsa is tested by make test-long: it needs a build of its own"
fi
finish
