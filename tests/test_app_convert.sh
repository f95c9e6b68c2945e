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
has "with file, line and game" "^bad\.pgn:3: game 1: 'Ke3' is illegal: no king can go there" "$out"
has "and what was not closed" '^bad\.pgn:9: game 2: comment not closed before a new game' "$out"
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
has "is named and left out" "other\.pgn:3: game 1: Variant: 'Crazyhouse' is not known" "$out"
has "variant on the command line" '^1\. f5 \*' "$(echo '1. f5 *' | "$LOVAC" convert --variant legan --quiet)"

wanted() { "$LOVAC" convert good.pgn --where "$1" --to uci --quiet | wc -l; }
is "a filter: wanted" 1 "$(wanted 'player:one date>=2026 (moves=4 or eco=B) end=checkmate')"
is "a filter: not wanted" 0 "$(wanted 'white=two')"
is "by position" 1 "$(wanted 'position=*/*/*/*Q/*/*/*/*')"
is "by men" 0 "$(wanted 'material=KRPKR')"
exits "a filter that makes no sense" 2 "$LOVAC" convert good.pgn --where 'moves<few'
has "is told" "where: filter: moves wants a number, not 'few'" "$out"
exits "a filter that is not finished" 2 "$LOVAC" convert good.pgn --where 'white=one or black='
has "is told so" "where: filter: something is missing at its end" "$out"
exits "what a filter leaves out" 0 "$LOVAC" convert good.pgn --where 'not one' --to uci
has "is counted" '1 games, .*, 1 not wanted' "$out"

# --- other ways to write
convert() { "$LOVAC" convert --quiet "$@"; }
is "long algebraic" "1. e2-e4 e7-e5 2. Qd1-h5 Nb8-c6 3. Bf1-c4 Ng8-f6 4. Qh5xf7# 1-0" \
    "$(convert good.pgn --moves long --strip all | grep '^1\.')"
is "and back" "$(convert good.pgn --to uci)" "$(convert good.pgn --moves long | convert --to uci)"
has "UCI moves in PGN" '^1\. e2e4 \{a comment\} 1\.\.\. e7e5 \(1\.\.\. c7c5 2\. g1f3\) 2\. d1h5 \$2' "$(convert good.pgn --moves uci)"
is "CSV has a head" "Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,ECO,Opening,Variant,Start,Plies,Moves" \
    "$(convert good.pgn --to csv | head -n 1)"
printf '[Event "A, \\"B\\""]\n\n1. e4 *\n' >quoted.pgn
is "CSV quotes what it must" '"A, ""B""",,,,,,*,,,,,chess,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,1,e4' \
    "$(convert quoted.pgn --to csv | tail -n 1)"
is "JSON, an object a line" '{"tags": {"Event": "A, \"B\""}, "variant": "chess", "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "result": "*", "plies": 1, "moves": ["e4"], "uci": ["e2e4"]}' \
    "$(convert quoted.pgn --to json)"
has "JSON keeps comments and variations" '"movetext": "1\. e4 \{a comment\} 1\.\.\. e5 \(1\.\.\. c5 2\. Nf3\) 2\. Qh5 \$2' "$(convert good.pgn --to json)"

# --- what is taken out, put in and put right
has "comments stripped" '^1\. e4 e5 \(1\.\.\. c5 2\. Nf3\) 2\. Qh5 \$2 Nc6' "$(convert good.pgn --strip comments)"
has "variations and glyphs stripped" '^1\. e4 \{a comment\} 1\.\.\. e5 2\. Qh5 Nc6' "$(convert good.pgn --strip variations,nags)"
printf '1. e4 { [%%clk 0:10:00] } e5 {[%%eval 0.3] [%%clk 0:09:59] well} 2. d4 {[%%emt 0:00:01] good} *\n' >clocks.pgn
is "clocks stripped" '1. e4 e5 {[%eval 0.3] well} 2. d4 {good} *' "$(convert clocks.pgn --strip clocks | grep '^1\.')"
exits "no such thing to strip" 2 "$LOVAC" convert good.pgn --strip moves
has "classified" '^\[ECO "C23"\]' "$(printf '1. e4 e5 2. Bc4 Bc5 *\n' | convert --classify)"
has "by transposition" '^\[Opening "Queen.s Gambit Declined"\]' "$(printf '1. c4 e6 2. d4 d5 *\n' | convert --classify)"
is "a filter by opening needs no tag" 1 "$(printf '1. e4 c5 *\n\n1. e4 e5 *\n' | convert --where eco=B --to uci | wc -l)"
printf '[ECO "B20"]\n\n1. e4 c5 *\n\n[Opening "My Sicilian"]\n\n1. d4 *\n\n[Opening "Other"]\n\n1. e4 c5 *\n' >named.pgn
is "nor does one by its name" 2 "$(convert named.pgn --where 'opening:sicilian' --to uci | wc -l)"
is "and what the game tells of it stays" "B20 Other B20" "$(convert named.pgn --where 'eco=B' | sed -nE 's/^\[(ECO|Opening) "(.*)"\]/\2/p' | xargs)"
printf '1. f3 e5 2. g4 Qh4# *\n\n[Result "1-0"]\n\n1. e4 *\n\n[Result "*"]\n\n1. d4 0-1\n\n[Result "1-0"]\n\n1. d4 1-0\n' >results.pgn
exits "results repaired" 1 "$LOVAC" convert results.pgn --repair --output repaired.pgn
has "are counted" '4 games, .*, 3 results repaired' "$out"
is "all of them" "0-1 1-0 0-1 1-0" "$(sed -n 's/^\[Result "\(.*\)"\]/\1/p' repaired.pgn | xargs)"
exits "and then nothing is wrong" 0 "$LOVAC" convert repaired.pgn --check

# --- games alike
printf '[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. e4 {same} e5 (1... c5) *\n\n[White "A"]\n\n1. e4 e5 *\n\n[White "A"]\n\n1. e4 e6 *\n' >twins.pgn
is "the same moves once" "A A" "$(convert twins.pgn --unique moves | sed -n 's/^\[White "\(.*\)"\]/\1/p' | xargs)"
is "the same moves and players once" "A B A" "$(convert twins.pgn --unique players | sed -n 's/^\[White "\(.*\)"\]/\1/p' | xargs)"
exits "duplicates" 0 "$LOVAC" convert twins.pgn twins.pgn --unique moves --to uci
has "are counted, over all files" '8 games, .*, 6 duplicates' "$out"
exits "no such likeness" 2 "$LOVAC" convert twins.pgn --unique looks

# --- sorted and split
for n in 3 10 1 2; do printf '[Round "%s"]\n[White "%s"]\n\n1. %s *\n\n' "$n" "$((n % 2))/" "$([ $n = 10 ] && echo d4 || echo e4)"; done >rounds.pgn
rounds() { sed -n 's/^\[Round "\(.*\)"\]/\1/p' "$@" | xargs; }
is "sorted by number" "1 2 3 10" "$(convert rounds.pgn --sort Round | rounds)"
is "and falling" "10 3 2 1" "$(convert rounds.pgn --sort -Round | rounds)"
is "by several keys" "2 10 1 3" "$(convert rounds.pgn --sort White,Round | rounds)"
is "equals keep their order" "3 1 10 2" "$(convert rounds.pgn --sort=-White | rounds)"
exits "split by number" 0 "$LOVAC" convert rounds.pgn --split 3 --output part.pgn
is "into files" "3 10 1/2" "$(rounds part-1.pgn)/$(rounds part-2.pgn)"
has "that are counted" ', 2 files' "$out"
exits "split by tag" 0 "$LOVAC" convert rounds.pgn --split White --sort Round --output by.pgn
is "one for each value" "2 10/1 3" "$(rounds by-0_.pgn)/$(rounds by-1_.pgn)"
exits "split needs a name" 2 "$LOVAC" convert rounds.pgn --split 3
exits "and a number above 0" 2 "$LOVAC" convert rounds.pgn --split 0 --output part.pgn
exits "no key to sort by" 2 "$LOVAC" convert rounds.pgn --sort ,

# --- letters of other languages
is "German letters" "startpos moves g1f3 g8f6 a2a4 h7h5" "$(echo '1. Sf3 Sf6 2. a4 h5 *' | convert --letters de --to uci)"
is "Czech" "startpos moves g1f3 d7d5 g2g3 c8g4 f1g2" "$(echo '1. Jf3 d5 2. g3 Sg4 3. Sg2 *' | convert --letters czech --to uci)"
is "Russian" "startpos moves e2e4 e7e5 e1e2 g8f6" "$(echo '1. e4 e5 2. Крe2 Кf6 *' | convert --letters ru --to uci)"
is "found out: French" "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5" "$(echo '1. e4 e5 2. Cf3 Cc6 3. Fb5 *' | convert --to uci)"
is "found out: Spanish" "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5" "$(echo '1. e4 e5 2. Cf3 Cc6 3. Ab5 *' | convert --to uci)"
printf '1. e4 e5 2. Lc4 Lc5 3. Dh5 Sc6 4. Dxf7# 1-0\n' >german.pgn
exits "foreign letters" 0 "$LOVAC" convert german.pgn --to uci
has "are told" '^german\.pgn: read with German letters' "$out"
exits "no such language" 2 "$LOVAC" convert german.pgn --letters klingon

# --- for scripts
is "the summary as JSON" '{"games": 4, "positions": 0, "problems": 0, "left_out": 0, "not_wanted": 3, "duplicates": 0, "classified": 0, "repaired": 0, "written": 1, "files": 1, "format": "pgn"}' \
    "$("$LOVAC" convert rounds.pgn --where round=1 --output one.pgn --json)"
is "on standard error, where games go to standard output" '{"games": 4,' "$("$LOVAC" convert rounds.pgn --json 2>&1 >/dev/null | cut -c 1-12)"

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

mkdir many
for n in $(seq 400); do cp good.pgn "many/$n.pgn"; done
exits "four hundred files" 0 "$LOVAC" convert many/*.pgn --check
has "are read" '^400 games, ' "$out"

exits "no such file" 1 "$LOVAC" convert missing.pgn
has "is named" 'missing\.pgn: No such file' "$out"
cp good.pgn kept.pgn
exits "no such file, but a place to write" 1 "$LOVAC" convert missing.pgn --output kept.pgn
is "what was there stays" "$(cat good.pgn)" "$(cat kept.pgn)"
exits "no such format" 2 "$LOVAC" convert good.pgn --to doc
exits "no such choice" 2 "$LOVAC" convert good.pgn --positions some
exits "no such variant" 2 "$LOVAC" convert good.pgn --variant checkers
exits "nowhere to write" 1 "$LOVAC" convert good.pgn --output /nowhere/x.pgn
exits "an empty file is no error" 0 "$LOVAC" convert /dev/null
exits "the same file in and out" 0 "$LOVAC" convert third.pgn --output third.pgn
is "is safe" "$(cat again.pgn)" "$(cat third.pgn)"
finish
