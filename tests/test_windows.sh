#!/bin/bash
# The program for Windows, cross-built by `make windows` and run under wine: UCI, the same signature as here, play, perft,
# files, and a match between processes. Long suite: the build takes minutes.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null)
if [ "$LOVAC_TEST_LEVEL" != long ]; then
    skip "the program for Windows" "long suite only"
elif [ -z "$wine" ] || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
    skip "the program for Windows" "no wine or no mingw-w64 here"
fi
[ "$tests_done" = 0 ] || { finish; exit; }

exe=$PWD/build/windows/lovac.exe
exits "make windows" 0 make --no-print-directory windows
export WINEDEBUG=-all WINEPREFIX=$PWD/build/wine
mkdir -p "$WINEPREFIX"
run() { timeout 300 "$wine" "$exe" "$@" 2>/dev/null | tr -d '\r'; }
run --version >/dev/null # wine makes itself at home first
has "it names itself" '^Lovac [0-9]' "$(run --version)"
signature() { sed -n 's/^Nodes  *//p'; }
is "the same signature as here" "$("$LOVAC" bench | signature)" "$(run bench | signature)"
is "and with plain code" "$("$LOVAC" bench 6 | signature)" "$(run bench 6 --vector plain | signature)"
out=$(printf 'uci\nisready\nposition startpos moves e2e4\ngo depth 6\n' | run)
has "UCI: uciok" '^uciok$' "$out"
has "UCI: readyok" '^readyok$' "$out"
has "UCI: a search to its depth, though the input ends" '^info depth 6 ' "$out"
is "UCI: one best move" 1 "$(grep -c '^bestmove' <<<"$out")"
has "a search from the command line" '^bestmove ' "$(run go depth 4)"
is "perft" "Nodes searched: 197281" "$(run perft 4 | tail -n 1)"
out=$(printf 'E2E4\nhint\nhistory\nquit\n' | run play --opponent level=2 --hurry --seconds 0.1)
has "play: a game against a level" '^1\. e4 [a-hNBRQKO]' "$out"
has "play: a hint" '^Lovac would play ' "$out"

cd "$scratch" || exit 1
printf '[White "A"]\n[Black "B"]\n\n1. e4 e5 *\n' >in.pgn
run convert in.pgn --quiet --output out.pgn
is "convert writes what it writes here" "$("$LOVAC" convert in.pgn --quiet)" "$(tr -d '\r' <out.pgn)"
run convert in.pgn --quiet --output out.pgn
is "and replaces it" "$("$LOVAC" convert in.pgn --quiet)" "$(tr -d '\r' <out.pgn)"
is "with nothing left beside it" "in.pgn out.pgn" "$(echo *.pgn*)"
# Names that are not ASCII, and paths beyond the 260 letters at which Windows begins to count.
cp in.pgn 'Šahovnica ♞.pgn'
is "a name with any letters is read" "$("$LOVAC" convert in.pgn --quiet)" "$(run convert 'Šahovnica ♞.pgn' --quiet)"
run convert in.pgn --quiet --output 'Müller ♞.pgn'
is "and written" "$("$LOVAC" convert in.pgn --quiet)" "$(tr -d '\r' <'Müller ♞.pgn')"
deep=$(printf 'a folder with a rather long name, number %d/' 1 2 3 4 5 6 7 8 9)
mkdir -p "$deep"
run convert in.pgn --quiet --output "${deep}out.pgn"
is "a path of ${#deep} letters is written" "$("$LOVAC" convert in.pgn --quiet)" "$(tr -d '\r' <"${deep}out.pgn")"
is "and read" "startpos moves e2e4 e7e5" "$(run convert "${deep}out.pgn" --to uci --quiet)"
run match random greedy --games 2 --pgn "${deep}m.pgn" >/dev/null
has "a match goes on there" '2 before' "$(run match random greedy --games 2 --pgn "${deep}m.pgn")"
is "with nothing left beside them" "m.pgn m.pgn.journal out.pgn" "$(ls "$deep" | xargs)"

# Ctrl-C ends long work in order, as here.
"$wine" "$exe" match "lovac nodes=20000" random --games 100000 --pgn stopped.pgn >stopped.txt 2>/dev/null &
pid=$!
for _ in $(seq 600); do [ "$(grep -c '^\[Event' stopped.pgn 2>/dev/null)" -ge 2 ] 2>/dev/null && break; sleep 0.1; done
kill -INT $pid
wait $pid
is "Ctrl-C: a match ends with status 1" 1 $?
has "and shows its table" '^lovac - random: ' "$(tr -d '\r' <stopped.txt)"
is "its games are whole" 0 "$("$LOVAC" convert --check stopped.pgn >/dev/null 2>&1; echo $?)"
"$wine" "$exe" analyse stopped.pgn --output judged.pgn >/dev/null 2>&1 &
pid=$!
sleep 3
kill -INT $pid
wait $pid 2>/dev/null
is "Ctrl-C: nothing half-written" "0 " "$([ ! -e judged.pgn ] || "$LOVAC" convert --check judged.pgn >/dev/null 2>&1; echo $?) $(ls | grep tmp)"
out=$(run match "uci $exe name=one depth=2" "xboard $exe xboard name=two depth=2" --games 4 --concurrency 2 --pgn m.pgn)
has "a match between processes of both protocols" '^one - two: .* of 4 ' "$out"
hasnt "without faults" 'stall|crash|illegal|time' "$(tail -n 1 <<<"$out")"
is "its games are good" 0 "$("$LOVAC" convert --check m.pgn >/dev/null 2>&1; echo $?)"
has "it is not played again" '4 before' "$(run match "uci $exe name=one depth=2" "xboard $exe xboard name=two depth=2" --games 4 --concurrency 2 --pgn m.pgn)"
out=$(run match "uci nosuchengine.exe" random --games 2 2>&1)
hasnt "an engine that is not there plays no game" 'game [1-9]' "$out"
has "analyse" '\+M1.*Rd8#' "$(run analyse --fen '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --lines 2 --depth 6)"
run datagen l.games --variant legan --games 120 --nodes 40 --quiet >/dev/null
run train l.games --to l.nnue --hidden 32 --epochs 1 >/dev/null
[ -s l.nnue ] && pass "games are made and a net is trained" || fail "games are made and a net is trained" "$(ls -la)"
finish
