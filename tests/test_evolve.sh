#!/bin/bash
# lovac evolve: a small league killed with kill -9 again and again ends with the same champions as one that was not; they
# play; another league is refused; pictures are drawn.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
if ! "$LOVAC" help evolve >/dev/null 2>&1; then
    skip "evolve" "this build has no laboratory"
    finish
    exit
fi
[ "$LOVAC_TEST_LEVEL" = quick ] && generations=4 || generations=12
league=(evolve --populations 3 --individuals 3 --generations $generations --freeze $((generations / 2)) --depth 1 --plies 80
    --share 0.3 --seed 5)
exits "a league" 0 "$LOVAC" "${league[@]}" "$scratch/a"
has "its final points" '^final [0-9./]+$' "$out"
has "and the slope" 'slope -?[0-9.]+ a population' "$out"
has "points as bars" '^ {12}( {5}(▁|▂|▃|▄|▅|▆|▇|█) ){3}$' "$out"
has "and curves over the generations, a block for each" "^best rating +(▁|▂|▃|▄|▅|▆|▇|█){$generations} [0-9]+ to [0-9]+$" "$out"
is "a champion of every generation" $generations "$(ls "$scratch/a" | grep -c '^champion-')"
is "a line for every generation, the head and the final" $((generations + 2)) "$(wc -l <"$scratch/a/league.csv")"
has "a picture of the curve" '</svg>' "$(cat "$scratch/a/curve.svg")"

# Ten times: wait for one generation more, then kill.
kills=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
    lines=$(cat "$scratch/k/league.csv" 2>/dev/null | wc -l)
    "$LOVAC" "${league[@]}" "$scratch/k" --quiet >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 500); do
        [ "$(cat "$scratch/k/league.csv" 2>/dev/null | wc -l)" -gt "$lines" ] && break
        sleep 0.01
    done
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
done
[ $kills -ge 2 ] && pass "killed $kills times" || fail "killed" "only $kills times"
exits "and gone on with" 0 "$LOVAC" "${league[@]}" "$scratch/k" --quiet
for file in "$scratch"/a/*.dna "$scratch/a/league.csv"; do
    cmp -s "$file" "$scratch/k/$(basename "$file")" || fail "the same after all" "$(basename "$file") differs"
done
pass "compared all champions"
exits "another league is refused in the folder" 1 "$LOVAC" "${league[@]}" --seed 6 "$scratch/k"
has "and told why" "'seed 5', not 'seed 6'" "$out"
exits "its search may be unsorted: the same champions" 0 "$LOVAC" "${league[@]}" --unsorted "$scratch/u"
exits "indeed" 0 cmp "$scratch/a/league.csv" "$scratch/u/league.csv"

exits "the table of the depths" 0 "$LOVAC" evolve --table "$scratch/a" --games 3 --depths 2
has "as the document has it" '^1/2 +[0-9.]+ +[0-9.]+ ' "$out"
has "with error bars" '^    Elo.* ± ' "$out"
is "and as CSV: 2 depths, 2 populations and all of them" 7 "$(wc -l <"$scratch/a/table.csv")"
is "6 games a cell" 4 "$(grep -c '/[24],[23],[0-9.]*,6,' "$scratch/a/table.csv")"
exits "no league, no table" 1 "$LOVAC" evolve --table "$scratch"

last=$(printf 'champion-%03d.dna' $generations)
exits "a champion plays" 0 "$LOVAC" match "network file=$scratch/a/$last depth=1" random --games 2 --max-moves 20 --concurrency 1
has "without a fault" "game 2 of 2" "$out"
exits "a network that is none is refused" 1 "$LOVAC" match "network file=README.md" random --games 2
has "by name" "README.md: is no DNA file" "$out"
exits "a network is drawn" 0 "$LOVAC" evolve --draw "$scratch/a/$last" "$scratch/n.svg"
has "as a picture" '</svg>' "$(cat "$scratch/n.svg")"
exits "beyond the document" 0 "$LOVAC" evolve "$scratch/b" --populations 2 --individuals 2 --generations 2 --depth 1 \
    --plies 40 --ends --grow --discard --random 1 --fixed --reset move --change-best --quiet
printf '8/8/8/3k4/8/8/1Q6/K7 w - - 0 1\n8/8/8/3k4/8/8/1Q6/K7 b - - 0 1\n' >"$scratch/starts"
exits "other starts" 0 "$LOVAC" evolve "$scratch/s" --populations 2 --individuals 2 --generations 2 --depth 1 --plies 40 \
    --starts "$scratch/starts" --quiet
exits "a bad start is refused" 1 "$LOVAC" evolve "$scratch/x" --starts README.md
exits "weights of the evaluation" 0 "$LOVAC" evolve "$scratch/h" --hand --populations 2 --individuals 2 --generations 2 --depth 1 \
    --plies 20 --quiet
exits "play too" 0 "$LOVAC" match "twodepth hand=$scratch/h/champion-002.dna depth=1" random --games 2 --max-moves 20 --concurrency 1
has "without a fault" "game 2 of 2" "$out"
exits "a network for each phase" 0 "$LOVAC" match \
    "network file=$scratch/a/champion-001.dna middle=$scratch/a/$last end=$scratch/b/champion-002.dna depth=1" random --games 2 \
    --max-moves 40 --concurrency 1
has "plays too" "game 2 of 2" "$out"
exits "no folder" 2 "$LOVAC" evolve
finish
