#!/bin/bash
# `lovac tablebase`: tables are made, listed, verified, kept, made anew when damaged, refused when too large.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
tables=(--folder "$scratch/tables" --quiet)
exits "make" 0 "$LOVAC" tablebase make KQK KRK "${tables[@]}"
has "two tables" '2 tables made, 0 were there' "$out"
exits "they are kept" 0 "$LOVAC" tablebase make KQK KKR "${tables[@]}"
has "none made" '0 tables made, 2 were there' "$out"
exits "list" 0 "$LOVAC" tablebase list "${tables[@]}"
has "in words" '3 men: 2 of 5' "$out"
exits "verify a sample" 0 "$LOVAC" tablebase verify --samples 50 "${tables[@]}"
has "nothing wrong" '2 tables, 100 positions checked, 0 wrong' "$out"
exits "verify a table" 0 "$LOVAC" tablebase verify KRK --full "${tables[@]}"
has "all its positions" '1 tables, 50015 positions checked, 0 wrong' "$out"
cp "$scratch/tables/chess/KRK.dtm" "$scratch/KRK.dtm"
printf 'x' | dd of="$scratch/tables/chess/KRK.dtm" bs=1 seek=999 conv=notrunc 2>/dev/null
exits "a damaged table is told" 1 "$LOVAC" tablebase verify KRK "${tables[@]}"
has "with its name" 'KRK.dtm: its checksum is wrong' "$out"
exits "and made anew" 0 "$LOVAC" tablebase make KRK "${tables[@]}"
has "alone" '1 tables made, 0 were there' "$out"
exits "the same as before" 0 cmp "$scratch/KRK.dtm" "$scratch/tables/chess/KRK.dtm"
exits "a game of its own" 0 "$LOVAC" tablebase make KvP --variant horde32 "${tables[@]}"
exits "the five smallest of Horde" 0 test -f "$scratch/tables/horde32/KvP.wdz"
exits "too much memory" 1 "$LOVAC" tablebase make KQKR --memory 10 "${tables[@]}"
has "is refused" 'KQKR needs about [0-9]+ MB of memory, more than the 10 allowed' "$out"
exits "no such men" 2 "$LOVAC" tablebase make KXK "${tables[@]}"
has "are told" "'KXK' is no material" "$out"
exits "nothing to make" 2 "$LOVAC" tablebase make "${tables[@]}"
exits "a game without tables" 2 "$LOVAC" tablebase make 3 --variant massacre "${tables[@]}"
exits "no folder yet" 1 "$LOVAC" tablebase verify --folder "$scratch/none"
has "is told" 'no tables of Chess' "$out"
finish
