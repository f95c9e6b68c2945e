#!/bin/bash
# `lovac lab`: the list, runs with their files, runs that were interrupted, refused names, the page of all results.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
dir=$scratch/results

exits "list" 0 "$LOVAC" lab list
names=$(grep -oE '^[a-z][a-z-]+' <<<"$out")
has "it has the bit experiments" "bit-count" "$names"
has "and says which document each repeats" "Beside: D \(2011\), table 3.4" "$out"

exits "run" 0 "$LOVAC" lab run bit-count bit-scan --quick --output "$dir"
has "prints the table" "Ones +Loop +Kernighan +HAKMEM +Hardware +D: loop" "$out"
has "with the published figures beside ours" "^ +10 +0\.[0-9]+ .* 3\.268 +0\.655 +0\.678" "$out"
for file in bit-count.csv bit-count.md bit-count.svg bit-scan.csv bit-scan.md bit-scan.svg; do
    [ -s "$dir/$file" ] && pass "$file is written" || fail "$file is written" "$(ls "$dir")"
done
is "the CSV has a head and a row for each number of ones" 16 "$(wc -l <"$dir/bit-count.csv")"
has "and the published figures" "^64,.*,3\.316,4\.166,0\.676$" "$(cat "$dir/bit-count.csv")"
has "the page links its picture" '!\[Counting ones\]\(bit-count.svg\)' "$(cat "$dir/bit-count.md")"
if command -v xmllint >/dev/null; then
    exits "pictures are good XML" 0 xmllint --noout "$dir"/*.svg
else
    skip "pictures are good XML" "no xmllint"
fi

before=$(cat "$dir/bit-count.csv")
exits "the same command" 0 "$LOVAC" lab run bit-count --quick --output "$dir"
has "finds all rows there" "15 of 15 rows were there before" "$out"
is "and writes the same table" "$before" "$(cat "$dir/bit-count.csv")"
exits "--restart measures anew" 0 "$LOVAC" lab run bit-count --quick --output "$dir" --restart
hasnt "without the old rows" "were there before" "$out"

# Interrupted: what was measured stays.
"$LOVAC" lab run bit-count --output "$scratch/cut" --quiet >"$scratch/out" 2>&1 &
pid=$!
for _ in $(seq 6000); do
    [ "$(wc -l 2>/dev/null <"$scratch/cut/state/bit-count-full-1.rows")" -ge 3 ] 2>/dev/null && break
    sleep 0.02
done
kill -INT $pid
wait $pid
is "Ctrl-C: the status tells it" 1 $?
exits "and the files are not written yet" 1 test -e "$scratch/cut/bit-count.csv"
exits "the same command goes on" 0 "$LOVAC" lab run bit-count --output "$scratch/cut" --quiet
has "behind the rows that were there" "lab: bit-count: ([2-9]|1[0-4]) of 15 rows" "$out"

# The page of what there is.
exits "page" 0 "$LOVAC" lab page --quick --output "$dir"
page=$(cat "$dir/results.md")
has "has the tables that were measured" "^\| 10 \|.*\| 3\.268 \| 0\.655 \| 0\.678 \|" "$page"
has "with the pictures beside it" "pictures/results/bit-count\.svg" "$page"
exits "which are written" 0 test -s "$dir/pictures/results/bit-count.svg"
has "says what is not there yet" "\*\*Not finished\*\*: 0 of 6 rows" "$page"
has "and names the processor" "on: .*, [0-9]+ processors" "$page"
for name in $names; do has "$name has its place" "lovac lab run $name\$" "$page"; done
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    exits "all of them, small" 0 "$LOVAC" lab run all --quick --output "$scratch/all" --quiet
    hasnt "and nothing is missing on the page" "Not finished" "$(cat "$scratch/all/results.md")"
else
    # Those whose figures do not depend on the machine.
    exits "small runs of the others" 0 "$LOVAC" lab run trees ordering g-nodes k-league --quick --output "$dir" --quiet
    has "G's figures belong to depth 10" "ends before depth 10" "$out"
    has "minimax from the start to depth 4" "206 604 +206 604" "$out"
    has "the league's champions" "Slope of the final points" "$out"
fi

# docs/documents.md: every feature of the documents has a row, and what it names is there.
missing=
for id in G{1..13} D{1..16} K{1..9} M{1..9} T{1..3}; do grep -q "^| $id |" docs/documents.md || missing+="$id "; done
is "every feature of the five documents has its row" "" "$missing"
missing=
for file in $(grep -oE '`(tests|src)/[a-z_./]+`' docs/documents.md | tr -d '`' | sort -u); do [ -e "$file" ] || missing+="$file "; done
is "the files that they name are there" "" "$missing"
missing=
for name in $(grep -oE 'lovac lab run [a-z -]+`' docs/documents.md | sed 's/lovac lab run //; s/`//'); do
    grep -qx "$name" <<<"$names" || missing+="$name "
done
is "and the experiments" "" "$missing"
missing=
while read -r name; do
    grep -qF -e "journey('$name" -e "journey(\`$name" tests/web/*.test.mjs || missing+="$name; "
done < <(grep '^|' docs/documents.md | grep -oE '\*[a-zA-Z0-9]+:? [^*]*…\*' | sed -E 's/^\*//; s/ *…\*$//' | sort -u)
is "and the journeys" "" "$missing"

exits "no such experiment" 2 "$LOVAC" lab run bitcount
has "the nearest is named" "did you mean 'bit-count'" "$out"
exits "all stands alone" 2 "$LOVAC" lab run all bit-count
exits "run wants a name" 2 "$LOVAC" lab run
exits "list or run" 2 "$LOVAC" lab
exits "nothing else" 2 "$LOVAC" lab walk
exits "page stands alone" 2 "$LOVAC" lab page bit-count
exits "games must be a number" 2 "$LOVAC" lab run bit-count --games few
exits "a folder that cannot be made" 1 "$LOVAC" lab run bit-count --quick --output /proc/nowhere
finish
