#!/bin/bash
# `lovac convert` from outside: every pair of formats, packed files, what is told about bad input, exit statuses.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
cd "$scratch" || exit 1

cat >good.pgn <<'PGN'
[Event "Test"]
[Site "?"]
[Date "2026.01.02"]
[Round "1"]
[White "One"]
[Black "Two"]
[Result "1-0"]

1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Qh5 $2 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

PGN
exits "a good file is good" 0 "$LOVAC" convert --check good.pgn
is "and nothing is told but the summary" "1 games, 0 positions, 0 problems, 0 left out" "$out"
exits "clean PGN" 0 "$LOVAC" convert good.pgn --quiet --output again.pgn
has "numbers are put where they are needed" '^1\. e4 \{a comment\} 1\.\.\. e5 \(1\.\.\. c5 2\. Nf3\) 2\. Qh5 \$2 Nc6' "$(cat again.pgn)"
"$LOVAC" convert again.pgn --quiet --output third.pgn
is "cleaning twice changes nothing more" "$(cat again.pgn)" "$(cat third.pgn)"

is "PGN to UCI" "startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7" "$("$LOVAC" convert good.pgn --to uci --quiet)"
is "PGN to FEN: the last position" "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4" \
    "$("$LOVAC" convert good.pgn --to fen --quiet)"
is "all positions" 8 "$("$LOVAC" convert good.pgn --to fen --positions all --quiet | wc -l)"
is "the first, as EPD" 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4; id "One - Two";' \
    "$("$LOVAC" convert good.pgn --to epd --positions first --quiet)"
is "UCI to PGN" "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# *" \
    "$("$LOVAC" convert good.pgn --to uci --quiet | "$LOVAC" convert --quiet | grep '^1\.')"

echo '4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 bm e4; id "x"' >some.epd
is "EPD cleaned" '4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 9; bm e4; id "x";' "$("$LOVAC" convert some.epd --to epd --quiet)"
is "EPD to FEN" "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9" "$("$LOVAC" convert some.epd --to fen --quiet)"
is "EPD to UCI" "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 9" "$("$LOVAC" convert some.epd --to uci --quiet)"
has "EPD to PGN keeps the operations" '\{hmvc 3; fmvn 9; bm e4; id "x";\} \*' "$("$LOVAC" convert some.epd --quiet)"
is "standard input is recognised" "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" \
    "$(echo '4k3/8/8/8/8/8/4P3/4K3 w' | "$LOVAC" convert --to fen --quiet -)"

printf '[Event "B"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n[Event "C"]\n\n1. d4 {open\n\n[Event "D"]\n\n1. c4 *\n' >bad.pgn
exits "bad games are told" 1 "$LOVAC" convert --check bad.pgn
has "with file and line" "^bad\.pgn:3: 'Ke3' is illegal: no king can go there" "$out"
has "and what was not closed" '^bad\.pgn:9: comment not closed before a new game' "$out"
has "all three are seen" '^3 games' "$out"
has "the good part is kept" '^1\. e4 e5 \*' "$("$LOVAC" convert bad.pgn 2>/dev/null)"
is "or bad games are dropped" 1 "$("$LOVAC" convert --drop bad.pgn 2>/dev/null | grep -c '^\[Event')"
printf 'rubbish\n4k3/8/8/8/8/8/4P3/4K3 w - - bm Kf5;\n\n4k3/8/8/8/8/8/4P3/5K3 w - -\n' >bad.epd
exits "bad lines are told" 1 "$LOVAC" convert --check bad.epd
has "no position" '^bad\.epd:1: side to move: missing' "$out"
has "no move" "^bad\.epd:2: bm: 'Kf5' is illegal" "$out"
has "a rank too long" '^bad\.epd:4: board: rank 1 has more than 8 squares' "$out"

printf '[White "M\xfcller"]\n[Variant "Legan"]\n\n1. f5 *\n' >latin1.pgn
has "Latin-1 becomes UTF-8" '\[White "Müller"\]' "$("$LOVAC" convert latin1.pgn --quiet)"
has "variants are known by their tag" '^1\. f5 \*' "$("$LOVAC" convert latin1.pgn --quiet)"
printf '[Variant "Crazyhouse"]\n\n1. e4 *\n' >other.pgn
exits "a variant that is not known" 1 "$LOVAC" convert other.pgn
has "is named and left out" "other\.pgn:3: Variant: 'Crazyhouse' is not known" "$out"
has "variant on the command line" '^1\. f5 \*' "$(echo '1. f5 *' | "$LOVAC" convert --variant legan --quiet)"

wanted() { "$LOVAC" convert good.pgn --where "$1" --to uci --quiet | wc -l; }
is "a filter: wanted" 1 "$(wanted 'player:one date>=2026 (moves=4 or eco=B) end=checkmate')"
is "a filter: not wanted" 0 "$(wanted 'white=two')"
is "by position" 1 "$(wanted 'position=*/*/*/*Q/*/*/*/*')"
is "by men" 0 "$(wanted 'material=KRPKR')"
exits "a filter that makes no sense" 2 "$LOVAC" convert good.pgn --where 'moves<few'
has "is told" "where: filter: moves wants a number, not 'few'" "$out"
exits "what a filter leaves out" 0 "$LOVAC" convert good.pgn --where 'not one' --to uci
has "is counted" '1 games, .*, 1 not wanted' "$out"

for ending in gz zst; do
    if "$LOVAC" convert good.pgn --quiet --output packed.pgn.$ending 2>/dev/null; then
        is "packed with .$ending and back" "$(cat again.pgn)" "$("$LOVAC" convert packed.pgn.$ending --quiet)"
        head -c 100 packed.pgn.$ending >cut.pgn.$ending
        exits "cut .$ending is told" 1 "$LOVAC" convert cut.pgn.$ending
        has "with the reason" 'ends in the middle of packed data' "$out"
    else
        skip "packed with .$ending" "not built in"
    fi
done

exits "no such file" 1 "$LOVAC" convert missing.pgn
has "is named" 'missing\.pgn: No such file' "$out"
exits "no such format" 2 "$LOVAC" convert good.pgn --to doc
exits "no such choice" 2 "$LOVAC" convert good.pgn --positions some
exits "no such variant" 2 "$LOVAC" convert good.pgn --variant checkers
exits "nowhere to write" 1 "$LOVAC" convert good.pgn --output /nowhere/x.pgn
exits "an empty file is no error" 0 "$LOVAC" convert /dev/null
exits "the same file in and out" 0 "$LOVAC" convert third.pgn --output third.pgn
is "is safe" "$(cat again.pgn)" "$(cat third.pgn)"
finish
