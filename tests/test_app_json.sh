#!/bin/bash
# --json, for scripts: what each command tells is one JSON object, with the same numbers as its words.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
reader=
command -v node >/dev/null && reader=node
command -v python3 >/dev/null && reader=python3
if [ -z "$reader" ]; then
    skip "--json" "neither python3 nor node here"
    finish
    exit
fi
# json PATH...: the value at a path in $out (names and numbers), as JSON.
json() {
    if [ $reader = python3 ]; then
        python3 -c 'import json, sys
value = json.loads(sys.argv[1])
for name in sys.argv[2:]:
    value = value[int(name) if isinstance(value, list) else name]
print(json.dumps(value, separators=(",", ":")))' "$out" "$@" 2>&1
    else
        node -e 'let value = JSON.parse(process.argv[1]);
for (const name of process.argv.slice(2)) value = value[name];
console.log(JSON.stringify(value));' "$out" "$@" 2>&1
    fi
}
# Only standard output; what is wrong comes on the other.
run() { out=$("$LOVAC" "$@" 2>"$scratch/errors"); }

run perft 3 --json --divide
is "perft: nodes" 8902 "$(json nodes)"
is "perft: a move's share" 600 "$(json divide e2e4)"
run perft 0 --json
is "perft: depth 0" 1 "$(json nodes)"
run perft 2 --json --variant legan
is "perft: the game" '"legan"' "$(json variant)"

run bench 2 --json
is "bench: the signature" "$("$LOVAC" bench 2 | sed -n 's/^Nodes  *//p')" "$(json nodes)"
is "bench: the depth" 2 "$(json depth)"

run tablebase make KQK --folder "$scratch/tables" --json --quiet
is "tablebase make" 1 "$(json made)"
run tablebase list --folder "$scratch/tables" --json
is "tablebase list" '["KQK"]' "$(json tables)"
run tablebase verify --folder "$scratch/tables" --json --quiet --samples 20
is "tablebase verify" '0' "$(json wrong)"
run tablebase probe '7k/8/6K1/8/8/8/8/1Q6 w - -' --folder "$scratch/tables" --json --quiet
is "tablebase probe: result" '"win"' "$(json result)"
is "tablebase probe: the best move first" 'true' "$(json moves 0 mate)"
run tablebase probe '7k/6Q1/6K1/8/8/8/8/8 b - -' --folder "$scratch/tables" --json --quiet
is "tablebase probe: the game is over" 'true' "$(json over)"

if "$LOVAC" help match >/dev/null 2>&1; then
    printf '[White "A \\"the \\\\ first\\""]\n[Black "B\xff\xc3\xa9"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n' >"$scratch/g.pgn"
    run rate "$scratch/g.pgn" --json --quiet
    is "rate: games" 1 "$(json games)"
    is "rate: a name with quotes" '"A \"the \\ first\""' "$(json players 0 name)"
    has "rate: a name with bytes that are no text" '^"B(\\ufffd|�)(\\u00e9|é)"$' "$(json players 1 name)"
    run analyse --fen '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --depth 4 --lines 2 --json
    is "analyse --fen: mate" 1 "$(json lines 0 score mate)"
    is "analyse --fen: its line" '["Rd8#"]' "$(json lines 0 moves)"
    has "analyse --fen: the second line in centipawns" '^-?[0-9]+$' "$(json lines 1 score cp)"
    echo '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id "back rank";' >"$scratch/s.epd"
    run analyse --epd "$scratch/s.epd" --depth 4 --json --quiet
    is "analyse --epd: solved" 1 "$(json solved)"
    is "analyse --epd: the position" '["Rd8#"]' "$(json positions 0 best)"
    run analyse "$scratch/g.pgn" --nodes 200 --output "$scratch/o.pgn" --json --quiet
    is "analyse: moves of a player" '4' "$(json players 0 moves)"
    is "analyse: games" '1' "$(json games)"
    out=$("$LOVAC" analyse "$scratch/g.pgn" --nodes 200 --json --quiet 2>&1 >"$scratch/o.pgn")
    is "analyse: on stderr beside the games" '1' "$(json games)"
    run match "random name=a" "greedy name=b" --games 4 --sprt 0,5 --json --seed 3
    is "match: games" 4 "$(json games)"
    is "match: players" '"b"' "$(json players 1 name)"
    is "match: all games are counted" 4 "$(($(json pairings 0 wins) + $(json pairings 0 draws) + $(json pairings 0 losses)))"
    is "match: the test goes on" '"open"' "$(json sprt accepted)"
    exits "a bad argument is told as ever" 2 "$LOVAC" match random --json
fi
exits "--json takes no value" 2 "$LOVAC" perft 1 --json=yes
if [ -c /dev/full ]; then
    exits "a full disk is an error" 1 sh -c "\"$LOVAC\" perft 1 --json >/dev/full"
fi
finish
