#!/bin/bash
# `lovac analyse` as analysts use it: twice on the same file, on several files, on what is no file of games; and what
# commands say to numbers and words that mean nothing.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
cd "$scratch" || exit 1
cat >game.pgn <<'PGN'
[White "One"]
[Black "Two"]
[Result "1-0"]
[Annotator "Tal"]

1. e4 {a good one} 1... e5 $1 (1... c5 {or this}) 2. Qh5 Nc6 3. Bc4 Nf6 $4 {oh no} (3... g6 {by Tal}) 4. Qxf7# 1-0

PGN
sed 's/One/Three/; /Annotator/d' game.pgn >other.pgn
judge=("$LOVAC" analyse --nodes 3000 --quiet --threads 1)

"${judge[@]}" game.pgn --output once.pgn >/dev/null
has "the annotator stays named" '^\[Annotator "Tal, Lovac"\]' "$(cat once.pgn)"
has "a blunder is found" 'Blunder: [^ ]+ was best' "$(cat once.pgn)"
"${judge[@]}" once.pgn --output twice.pgn >/dev/null
is "a second run gives the same game" "$(cat once.pgn)" "$(cat twice.pgn)"
"${judge[@]}" once.pgn --nodes 20 --output third.pgn >/dev/null
"${judge[@]}" game.pgn --nodes 20 --output fresh.pgn >/dev/null
is "another run replaces what the first wrote" "$(grep -v Annotator fresh.pgn)" "$(grep -v Annotator third.pgn)"
for kept in '\{a good one\}' '\{or this\}' 'e5 \$1' '\{oh no\}' '\{by Tal\}' '\$4'; do
    has "what was there stays: $kept" "$kept" "$(cat twice.pgn | tr '\n' ' ')"
done
is "one score for each move that does not end the game" 6 "$(grep -o '%eval' twice.pgn | wc -l)"
"${judge[@]}" other.pgn --output o.pgn >/dev/null
has "alone we are the annotator" '^\[Annotator "Lovac"\]' "$(cat o.pgn)"
"${judge[@]}" o.pgn --output oo.pgn >/dev/null
is "also twice" "$(cat o.pgn)" "$(cat oo.pgn)"

exits "several files" 0 "${judge[@]}" game.pgn other.pgn --output both.pgn
is "in one" 2 "$(grep -c '^\[White ' both.pgn)"
has "and in one table" '^Two +2 ' "$out"
has "all are counted" '^2 games' "$out"
exits "so many games of all" 0 "${judge[@]}" game.pgn other.pgn --games 1 --output both.pgn
has "are taken" '^1 games' "$out"
exits "a second file that is not there" 1 "${judge[@]}" game.pgn missing.pgn --output none.pgn
has "is named" 'missing\.pgn: No such file' "$out"
[ -e none.pgn ] && fail "and nothing is written" || pass "and nothing is written"
"${judge[@]}" game.pgn --to same.pgn >/dev/null
is "--to is --output" "$(cat once.pgn)" "$(cat same.pgn)"
echo "this is no game" >garbage
exits "a text without a game" 1 "${judge[@]}" garbage --output none.pgn
has "is told so" '^lovac analyse: garbage: there is no game in it' "$out"
[ -e none.pgn ] && fail "nothing is written then" || pass "nothing is written then"
exits "a file that is not there" 1 "${judge[@]}" garbled
exits "no file at all" 2 "$LOVAC" analyse
has "says what is needed" 'files of games, or --epd, or --fen' "$out"
exits "an output that nothing would be written to" 2 "$LOVAC" analyse --fen startpos --output x.pgn

# --- games that are not whole
printf '[White "One"]\n\n1. e4 e5 2. Ke3 Nf6 3. d4 *\n' >illegal.pgn
exits "a game with an illegal move" 1 "${judge[@]}" game.pgn illegal.pgn --output whole.pgn
has "is told, with its line" "^illegal\.pgn:3: 'Ke3' is illegal" "$out"
is "and judged up to it, as are the others" 2 "$(grep -c '^\[White ' whole.pgn)"

# --- startpos is a FEN everywhere
exits "analyse --fen startpos" 0 "$LOVAC" analyse --fen startpos --depth 2
is "perft --fen startpos" "Nodes searched: 400" "$("$LOVAC" perft 2 --fen startpos | tail -n 1)"
is "of its variant" "$("$LOVAC" perft 2 --variant legan | tail -n 1)" "$("$LOVAC" perft 2 --variant legan --fen startpos | tail -n 1)"
has "book show startpos" '^key 463b96181691fc9c, ' "$("$LOVAC" book show startpos)"
has "play --fen startpos" 'Move 1, White to move' "$(echo quit | "$LOVAC" play --fen startpos)"
is "fen startpos at its prompt" 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' "$(printf 'e4\nfen startpos\nfen\n' | "$LOVAC" play | tail -n 1)"

# --- numbers that mean nothing
exits "datagen --games 0" 2 timeout 20 "$LOVAC" datagen d.games --games 0
has "says that there is nothing to do" '\-\-games 0: there is nothing to do' "$out"
[ -e d.games ] && fail "and makes no file" || pass "and makes no file"
exits "match --games 0" 2 timeout 20 "$LOVAC" match random greedy --games 0
finish
