#!/bin/bash
# The laboratory's commands from outside: match, kill and resume, rate, datagen, data, tune, analyse.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh

exits "match plays" 0 "$LOVAC" match random greedy --games 20 --pgn "$scratch/a.pgn"
has "the table counts all games" "of 20 \(" "$out"
exits "the games are good PGN" 0 "$LOVAC" convert --check "$scratch/a.pgn"
exits "a finished match is not played again" 0 "$LOVAC" match random greedy --games 20 --pgn "$scratch/a.pgn"
has "all games were there" "20 before" "$out"
exits "another match does not go on with its journal" 1 "$LOVAC" match random greedy --games 20 --seed 9 --pgn "$scratch/a.pgn"
has "and says so" "another match" "$out"
exits "two players are needed" 2 "$LOVAC" match random
exits "an engine that is not there" 1 "$LOVAC" match random /nowhere/engine
has "is named" "/nowhere/engine" "$out"
exits "a crashing engine loses, the match goes on" 0 "$LOVAC" match "tests/engines/bad_engine.sh crash" random --games 4
has "its crashes are counted" "crash 4" "$out"

# Ctrl-C while an engine hangs, whose patience is a minute.
"$LOVAC" match "tests/engines/bad_engine.sh hang log=$scratch/hang" random --games 4 --concurrency 1 >"$scratch/out" 2>&1 &
pid=$!
for _ in $(seq 2000); do
    [ -s "$scratch/hang" ] && break
    sleep 0.01
done
begin=$(date +%s%N)
kill -INT $pid
wait $pid
status=$? took=$((($(date +%s%N) - begin) / 1000000))
[ $took -lt 1000 ] && pass "Ctrl-C ends a match at once though an engine hangs" ||
    fail "Ctrl-C ends a match at once though an engine hangs" "$took ms"
is "its exit status tells that it was stopped" 1 $status
has "the game is not counted" "game 0 of 4" "$(cat "$scratch/out")"
exits "the engine is gone" 1 kill -0 "$(cat "$scratch/hang")"

# Killed twenty times: each game once.
games=400
match=("$LOVAC" match "lovac depth=1 hash=1 name=one" "lovac depth=1 hash=1 name=two" --games $games --pgn "$scratch/k.pgn" --concurrency 2)
for i in $(seq 20); do
    "${match[@]}" >/dev/null 2>&1 &
    pid=$!
    sleep 0.0$((RANDOM % 8 + 2))
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
done
exits "a match killed twenty times is finished" 0 "${match[@]}"
is "with the right number of games" $games "$(grep -c '^\[Event ' "$scratch/k.pgn")"
is "none of them twice" "" "$(grep '^\[Round' "$scratch/k.pgn" | sort | uniq -d)"
exits "and all of them whole" 0 "$LOVAC" convert --check "$scratch/k.pgn"

exits "rate" 0 "$LOVAC" rate "$scratch/a.pgn" --anchor random=0
has "the anchor stands where it should" "random +\+?-?0\.0" "$out"
exits "rate wants games" 1 "$LOVAC" rate /dev/null

datagen=("$LOVAC" datagen "$scratch/d.games" --games 140 --nodes 50 --quiet)
for i in 1 2 3; do
    "${datagen[@]}" >/dev/null 2>&1 &
    pid=$!
    sleep 0.2
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
done
exits "datagen goes on after kills" 0 "${datagen[@]}"
"$LOVAC" datagen "$scratch/e.games" --games 140 --nodes 50 --quiet --threads 1 >/dev/null
exits "and makes the same bytes as without" 0 cmp "$scratch/d.games" "$scratch/e.games"
exits "data check" 0 "$LOVAC" data check "$scratch/d.games"
has "finds nothing wrong" "140 games.*all good" "$out"
size=$(stat -c %s "$scratch/d.games")
printf '\125' | dd of="$scratch/e.games" bs=1 seek=$((size / 2)) conv=notrunc status=none
exits "data check finds a wrong byte" 1 "$LOVAC" data check "$scratch/e.games"
has "and says where" "byte [0-9]+" "$out"

# Parts of a run are together the whole run.
positions() { "$LOVAC" data export "$@" --as epd --quiet | sort; }
"$LOVAC" datagen "$scratch/all.games" --games 13 --nodes 50 --quiet >/dev/null
for i in 1 2 3; do "$LOVAC" datagen "$scratch/p.games" --games 13 --nodes 50 --quiet --part $i/3 >/dev/null; done
is "three parts are the whole" "$(positions "$scratch/all.games" | cksum)" "$(positions "$scratch"/p.games.[123] | cksum)"
exits "there is no part 4 of 3" 2 "$LOVAC" datagen "$scratch/p.games" --part 4/3
exits "relabel" 0 "$LOVAC" data relabel "$scratch/all.games" "$scratch/new.games" --nodes 70 --quiet
has "tells how much changed" "13 games, [0-9]+ positions.*changed by [0-9.]+ centipawns" "$out"
exits "relabelled games are good" 0 "$LOVAC" data check "$scratch/new.games"
exits "relabel wants two files" 2 "$LOVAC" data relabel "$scratch/all.games"
exits "win, draw and loss from games" 0 "$LOVAC" data wdl "$scratch/d.games" --quiet
has "as constants of the engine" '\{\.draw = [0-9.]+, .*scale_men = [-0-9.]+\}' "$out"
exits "shuffle" 0 "$LOVAC" data shuffle "$scratch/d.games" --to "$scratch/s.games"
exits "export as PGN" 0 "$LOVAC" data export "$scratch/s.games" --as pgn --to "$scratch/s.pgn"
exits "which is good PGN" 0 "$LOVAC" convert --check "$scratch/s.pgn"
exits "export as EPD" 0 "$LOVAC" data export "$scratch/s.games" --as epd --games 5 --to "$scratch/s.epd"
exits "which is good EPD" 0 "$LOVAC" convert --check "$scratch/s.epd"
exits "tune fit wants enough positions" 1 "$LOVAC" tune fit "$scratch/d.games" --to "$scratch/w.inc"
has "and says how many there are" "too few positions" "$out"

exits "games of Legan to learn from" 0 "$LOVAC" datagen "$scratch/l.games" --variant legan --games 120 --nodes 40 --quiet
exits "train makes a net of them" 0 "$LOVAC" train "$scratch/l.games" --to "$scratch/l.nnue" --hidden 32 --epochs 1
exits "train makes one that adds" 0 "$LOVAC" train "$scratch/l.games" --to "$scratch/add.nnue" --add --hidden 32 --epochs 1
has "and says so" "on top of the hand-written evaluation" "$out"
has "as does eval" "Network for legan.*added to the hand-written evaluation" \
    "$(printf '%s\n' "setoption name EvalFile value $scratch/add.nnue" "setoption name UCI_Variant value legan" eval quit | "$LOVAC")"
exits "but not on a GPU" 2 "$LOVAC" train "$scratch/l.games" --to "$scratch/l.nnue" --add --device cuda
has "which it says" "on the cpu only" "$out"

exits "analyse judges games" 0 "$LOVAC" analyse "$scratch/a.pgn" --games 2 --nodes 300 --to "$scratch/j.pgn" --quiet
has "a table of players" "greedy .* %" "$out"
exits "what comes out is good PGN" 0 "$LOVAC" convert --check "$scratch/j.pgn"
has "with scores" "%eval" "$(cat "$scratch/j.pgn")"
cat >"$scratch/mates.epd" <<'END'
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "scholar";
k7/8/1K6/8/8/8/8/7R w - - am Ra1+; id "not that";
END
exits "analyse solves a suite" 0 "$LOVAC" analyse --epd "$scratch/mates.epd" --nodes 2000 --quiet
has "all of it" "3 of 3 solved" "$out"
exits "analyse looks at a position" 0 "$LOVAC" analyse --fen "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" --lines 2 --depth 6
has "and finds the mate" "\+M1.*Rd8#" "$out"
finish
