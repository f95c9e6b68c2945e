#!/bin/bash
# lovac book: books from games and from texts, looked at, edited and mixed; and played from by UCI.
# shellcheck disable=SC2154
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/uci_lib.sh"

game() { printf '[Event "?"]\n[Result "%s"]\n\n%s %s\n\n' "$1" "$2" "$1"; }
{
    for _ in 1 2 3; do game 1-0 "1. e4 e5 2. Nf3 Nc6"; done
    for _ in 1 2 3 4; do game 1/2-1/2 "1. d4 d5 2. c4"; done
    game 0-1 "1. g4 d5"
} >"$scratch/games.pgn"
exits "make" 0 "$LOVAC" book make "$scratch/games.pgn" --output "$scratch/a.bin" --quiet
has "tells the games" '^8 games read$' "$out"
has "tells the moves" '^5 moves in .*a\.bin$' "$out"
exits "show" 0 "$LOVAC" book show start --book "$scratch/a.bin"
has "the key of the start" '^key 463b96181691fc9c, 2 moves$' "$out"
has "three wins" '^  e4 +6 +60\.0 %  3 games$' "$out"
has "four draws" '^  d4 +4 +40\.0 %  4 games$' "$out"
hasnt "one loss is nothing" 'g4' "$out"
exits "a lost move has no weight" 0 "$LOVAC" book show rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 --book "$scratch/a.bin"
has "so it is not there" ' 0 moves$' "$out"
exits "make, all moves" 0 "$LOVAC" book make "$scratch/games.pgn" --output "$scratch/b.bin" --min-count 1 --max-ply 2 --quiet
has "four of them" '^4 moves' "$out"
exits "from standard input" 0 bash -c "'$LOVAC' book make - --output '$scratch/c.bin' --quiet <'$scratch/games.pgn'"
is "the same book" "$(md5sum <"$scratch/a.bin")" "$(md5sum <"$scratch/c.bin")"

# --- as a text, and back
exits "dump" 0 "$LOVAC" book dump "$scratch/a.bin" --output "$scratch/a.txt"
has "positions" '^rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1$' "$(cat "$scratch/a.txt")"
exits "compile" 0 "$LOVAC" book compile "$scratch/a.txt" --output "$scratch/c.bin"
is "gives the same book" "$(md5sum <"$scratch/a.bin")" "$(md5sum <"$scratch/c.bin")"
printf 'start\n    e4 1\n    Ke2 1\n' >"$scratch/bad.txt"
exits "a bad text" 1 "$LOVAC" book compile "$scratch/bad.txt" --output "$scratch/d.bin"
has "is refused with file and line" 'bad\.txt:3: ' "$out"
is "and nothing is written" no "$([ -e "$scratch/d.bin" ] && echo yes || echo no)"
exits "edit" 0 "$LOVAC" book edit "$scratch/c.bin" start Nf3 10
exits "edit, out" 0 "$LOVAC" book edit "$scratch/c.bin" start e4 0
exits "show what was edited" 0 "$LOVAC" book show start --book "$scratch/c.bin"
is "both" "Nf3 d4" "$(sed -nE 's/^  (d4|Nf3|e4) .*/\1/p' <<<"$out" | sort | tr '\n' ' ' | sed 's/ $//')"
exits "merge" 0 "$LOVAC" book merge "$scratch/a.bin" "$scratch/b.bin" --output "$scratch/d.bin"
exits "show what was merged" 0 "$LOVAC" book show start --book "$scratch/d.bin"
has "weights and games are added" '^  e4 +12 .* 6 games$' "$out"
printf 'variant legan\nstart\n    %s 3\n' "$("$LOVAC" perft 1 --divide --variant legan | sed -nE 's/^([a-h][1-8][a-h][1-8]).*/\1/p' | head -n 1)" >"$scratch/legan.txt"
exits "a book of another game" 0 "$LOVAC" book compile "$scratch/legan.txt" --output "$scratch/legan.bin"
exits "is found in it" 0 "$LOVAC" book show start --book "$scratch/legan.bin" --variant legan
has "by its own key" ', 1 move$' "$out"
exits "but not in chess" 0 "$LOVAC" book show start --book "$scratch/legan.bin"
has "nothing" ', 0 moves$' "$out"

exits "Lovac's own book" 0 "$LOVAC" book show start
has "knows the start" '^  (e4|d4) +[1-9]' "$out"
exits "a book grows by analysis" 0 "$LOVAC" book grow start --positions 5 --nodes 300 --output "$scratch/grown.bin" --quiet
exits "and is one" 0 "$LOVAC" book show start --book "$scratch/grown.bin"
has "with moves" ', [1-6] moves?$' "$out"

# --- what is refused
exits "no action" 2 "$LOVAC" book
exits "an unknown action" 2 "$LOVAC" book bake x
exits "make without --output" 2 "$LOVAC" book make "$scratch/games.pgn"
exits "a file that is not there" 1 "$LOVAC" book make "$scratch/none.pgn" --output "$scratch/e.bin" --quiet
exits "a book that is none" 1 "$LOVAC" book dump "$scratch/games.pgn"
has "told so" 'no Polyglot book' "$out"
exits "an illegal move" 1 "$LOVAC" book edit "$scratch/c.bin" start e5 3

# --- play
try "off by default" 1 0 "setoption name BookFile value $scratch/a.bin" "position startpos" "go nodes 500"
has "it searches" '^info depth' "$(cat "$log")"
try "own book" 1 0 "setoption name BookFile value $scratch/legan.bin" "setoption name BookFile value $scratch/a.bin" \
    "setoption name OwnBook value true" "position startpos" "go nodes 500"
has "plays from the book" '^bestmove (e2e4|d2d4)$' "$(cat "$log")"
hasnt "without a search" '^info depth' "$(cat "$log")"
try "without a file" 2 0 "setoption name OwnBook value true" "position startpos" "go nodes 500" \
    "setoption name UCI_Variant value legan" "position startpos" "go nodes 500"
hasnt "Lovac's own serves" '^info depth' "$(cat "$log")"
try "no book at all" 1 0 "setoption name OwnBook value true" "setoption name BookFile value none" "go nodes 500"
has "it searches, too" '^info depth' "$(cat "$log")"
try "out of book" 1 0 "setoption name BookFile value $scratch/a.bin" "setoption name OwnBook value true" \
    "position startpos moves a2a3" "go nodes 500"
has "it searches again" '^info depth' "$(cat "$log")"
try "analysis asks no book" 1 0 "setoption name BookFile value $scratch/a.bin" "setoption name OwnBook value true" "go infinite" "@0.5" "stop"
has "but searches" '^info depth' "$(cat "$log")"
try "a bad book" 1 1 "setoption name BookFile value $scratch/games.pgn" "go nodes 500"
text=$(printf 'xboard\nprotover 2\noption OwnBook=1\noption BookFile=/none\noption BookFile=%s\nnew\ngo\n' "$scratch/a.bin" |
    { cat; sleep 2; } | "$LOVAC" xboard)
has "XBoard: a book that is not there" '^Error .*BookFile$' "$text"
has "XBoard: plays from the book" '^move (e2e4|d2d4)$' "$text"
finish
