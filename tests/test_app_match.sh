#!/bin/bash
# `lovac match` as its users trip over it: options that engines do not have, engines that say nothing, files of earlier
# matches, openings that repeat, and what table and PGN tell.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
engines=$PWD/tests/engines
match() { "$LOVAC" match --concurrency 1 "$@"; }

# --- options of engines
refused() { # refused NAME PATTERN PLAYER
    exits "$1 is refused" 1 "$LOVAC" match "$3" random --games 2 --depth 1
    has "$1: the reason" "$2" "$out"
    hasnt "$1: before the first game" 'game [1-9] of' "$out"
}
refused "an unknown option" "it has no option 'Hasch'; did you mean 'Hash'\\?" "uci $LOVAC option.Hasch=16"
refused "a number out of range" "option Hash is a number from 1 to [0-9]+, not '0'" "uci $LOVAC option.Hash=0"
refused "what is no number" "option Threads is a number from 1 to [0-9]+, not 'many'" "uci $LOVAC option.Threads=many"
refused "neither true nor false" "UCI_ShowWDL is true or false, not 'yes'" "uci $LOVAC option.UCI_ShowWDL=yes"
refused "what cannot be chosen" "option UCI_Variant cannot be 'poker'" "uci $LOVAC option.UCI_Variant=poker"
refused "an option of XBoard" "it has no option 'Hash'" "xboard $engines/stubborn_xboard.sh option.Hash=3"
exits "blanks in names are underscores, letters of any size" 0 \
    "$LOVAC" match "uci $LOVAC option.Debug_Log_File=$scratch/log option.move_overhead=77" random --games 2 --depth 1
has "the engine gets its own name for it" 'setoption name Move Overhead value 77' "$(cat "$scratch/log" 2>/dev/null)"
exits "quotes do as well" 0 "$LOVAC" match "uci $LOVAC option.\"Skill Level\"=3 name=\"a b\"" random --games 2 --depth 1
has "names too" '^a b - random' "$out"

# --- XBoard engines that do not know their limit
refused "a depth that an XBoard engine does not know" 'does not know its limit: Invalid move: sd 3' \
    "xboard $engines/stubborn_xboard.sh depth=3"
refused "a limit of nodes" 'no limit of nodes: give tc=, movetime= or depth=' "xboard $engines/stubborn_xboard.sh nodes=100"
begin=$SECONDS
out=$(match "xboard $engines/stubborn_xboard.sh movetime=0.3 name=stubborn" random --games 2 --max-moves 2 --openings start --margin 5000 2>&1)
hasnt "an engine that waits beyond its time is told to move" 'stall' "$out"
[ $((SECONDS - begin)) -lt 30 ] && pass "in time" || fail "in time"
if command -v perl >/dev/null; then
    begin=$SECONDS
    out=$(match "xboard $engines/buffered_xboard.pl name=buffered tc=60" random --games 2 2>&1)
    has "an engine that sees lines late plays all the same" '^resigns 2 \(buffered\)' "$out"
    hasnt "without a stall" 'stall|waiting' "$out"
    [ $((SECONDS - begin)) -lt 30 ] && pass "in time" || fail "in time"
else
    skip "an engine that sees lines late" "no perl"
fi
if [ -x /usr/games/gnuchess ] && [ "$LOVAC_TEST_LEVEL" = long ]; then
    for limit in movetime=0.2 tc=20; do
        out=$(match "xboard /usr/games/gnuchess -x $limit name=gnu" random --games 2 --margin 5000 2>&1)
        hasnt "GNU Chess plays with $limit" 'stall|crash' "$out"
        has "and beats chance" '^gnu - random: \+2' "$out"
    done
fi

# --- an engine that says nothing
out=$(timeout 60 "$LOVAC" match "$engines/bad_engine.sh mute name=silent patience=5" random --games 2 2>&1)
has "a silent engine is named" '^lovac match: waiting for silent' "$out"

# --- files of earlier matches
printf '[White "One"]\n[Result "1-0"]\n\n1. e4 1-0' >"$scratch/old.pgn"
match random greedy --games 2 --pgn "$scratch/old.pgn" >/dev/null 2>&1
exits "games written behind a last line without end" 0 "$LOVAC" convert --check "$scratch/old.pgn"
has "are all there" '^3 games, .* 0 problems' "$out"
is "each on lines of its own" 2 "$(grep -c '^\[Event' "$scratch/old.pgn")"
: >"$scratch/old.pgn.journal"
exits "an empty journal beside a full PGN" 1 "$LOVAC" match random greedy --games 2 --pgn "$scratch/old.pgn"
has "is told, with what to do" 'journal is empty, but .*old\.pgn has games: --restart' "$out"
has "and the PGN is as it was" '^3 games' "$("$LOVAC" convert --check "$scratch/old.pgn" 2>&1)"
exits "restart is a way out" 0 "$LOVAC" match random greedy --games 2 --pgn "$scratch/old.pgn" --restart

# --- openings
printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -' >"$scratch/two.epd"
has "openings that repeat are warned of" 'warning: 2 openings for 3 rounds: they repeat' \
    "$(match random greedy --games 6 --openings "$scratch/two.epd" 2>&1)"
hasnt "not when they suffice" 'warning' "$(match random greedy --games 4 --openings "$scratch/two.epd" 2>&1)"

# --- what is shown
out=$(match "lovac depth=2 name=strong" random --games 20 2>&1)
has "no Elo is made up where all was won" '^strong - random: \+20 =0 -0, 20\.0 of 20 \(100\.0 %\), Elo above \+[0-9]+ \(all won\)' "$out"
out=$(match random "lovac depth=2 name=strong" --games 20 2>&1)
has "nor where all was lost" 'Elo below -[0-9]+ \(all lost\)' "$out"
out=$(match random "random name=other" --games 2 --max-moves 1 2>&1)
has "no error is made up of two draws" 'other: \+0 =2 -0, .*, Elo \+0 \(too few games for an error\)$' "$out"
out=$(match random greedy "random name=other" --games 4 2>&1)
has "a crosstable" '^ *1\. +[a-z]+ +x +[0-9.]+/4 +[0-9.]+/4$' "$out"
match random "greedy tc=5+0.1" --games 2 --tc 40/10 --pgn "$scratch/t.pgn" >/dev/null 2>&1
has "both clocks" '^\[WhiteTimeControl "40/10"\]' "$(cat "$scratch/t.pgn")"
has "as PGN has them" '^\[BlackTimeControl "5\+0\.1"\]' "$(cat "$scratch/t.pgn")"
match random greedy --games 2 --movetime 0.5 --pgn "$scratch/u.pgn" >/dev/null 2>&1
is "one tag where they are the same" 2 "$(grep -c '^\[TimeControl "1/0.5"\]' "$scratch/u.pgn")"
is "the opening by its code" 2 "$(grep -c '^\[ECO "[A-E][0-9][0-9]"\]' "$scratch/u.pgn")"
plies=$(sed -n 's/^\[PlyCount "\(.*\)"\]/\1/p' "$scratch/u.pgn" | head -n 1)
is "PlyCount counts half-moves" "$plies" "$("$LOVAC" convert "$scratch/u.pgn" --to uci --quiet | head -n 1 | sed 's/.* moves //' | wc -w)"
# --- resigning
out=$(match "lovac depth=4" "greedy name=g" --games 4 --win 0 --resign 2,300 --pgn "$scratch/r.pgn" 2>&1)
hasnt "greedy, which has no score, never resigns" 'esignation' "$(cat "$scratch/r.pgn")"
match "lovac depth=5 name=five" "lovac depth=1 name=one" --games 4 --win 0 --resign 2,300 --pgn "$scratch/s.pgn" >/dev/null 2>&1
has "who knows that it is lost does" 'resign' "$(cat "$scratch/s.pgn")"
exits "a bad rule is refused" 2 "$LOVAC" match random greedy --resign 2
finish
