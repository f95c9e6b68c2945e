#!/bin/bash
# `lovac play` from outside: whole games by pipe, in every variant; bad input; the board on a terminal.
source "$(dirname "$0")/lib.sh"

# play ARGUMENTS... -- LINES...: what the program says to these lines.
play() {
    local args=()
    while [ "$1" != -- ]; do
        args+=("$1")
        shift
    done
    shift
    printf '%s\n' "$@" | "$LOVAC" play "${args[@]}" 2>&1
}

# ---- Whole games, and how they end.
said=$(play -- e4 e5 Qh5 Nc6 Bc4 'Nf6??' 'Qxf7#' history fen)
has "mate is announced" '^Game over: 1-0, checkmate\.$' "$said"
has "history is written in SAN" '^1\. e4 e5 2\. Qh5 Nc6 3\. Bc4 Nf6 4\. Qxf7#$' "$said"
has "fen after mate" '^r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4$' "$said"
has "check is marked" '!♚!' "$said"
has "the last move is marked" '\[♕\]' "$said"
said=$(play -- '1. f3 e5 2. g4 Qh4' e4)
has "Black mates" '^Game over: 0-1, checkmate\.$' "$said"
has "no move after the end" 'The game is over: 0-1, checkmate' "$said"
said=$(play -- 'e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6')
has "stalemate" '^Game over: 1/2-1/2, stalemate\.$' "$said"
said=$(play -- 'Nf3 Nf6 Ng1 Ng8' 'Nf3 Nf6 Ng1' Ng8)
has "the third repetition draws" '^Game over: 1/2-1/2, (threefold )?repetition\.$' "$said"
said=$(play --fen '7k/8/8/8/8/8/R7/K7 w - - 99 80' -- Kb1)
has "fifty moves" '^Game over: 1/2-1/2, fifty moves\.$' "$said"
said=$(play --fen '7k/8/6K1/8/8/8/8/R7 w - - 99 80' -- Ra8)
has "mate on the hundredth half-move wins" '^Game over: 1-0, checkmate\.$' "$said"
said=$(play --fen '7k/8/8/8/8/8/r7/K7 w - - 0 1' -- Kxa2)
has "dead position" '^Game over: 1/2-1/2, (dead position|insufficient material)\.$' "$said"
said=$(play -- resign e4)
has "resignation" '^Game over: 0-1, resignation\.$' "$said"
has "resigned is over" 'The game is over: 0-1' "$said"
has "agreement" '^Game over: 1/2-1/2, (agreement|draw agreed)\.$' "$(play -- e4 draw)"
has "an end can be taken back" 'Move 1, Black to move' "$(play -- e4 resign undo e4 | tail -n 3)"

# ---- Special moves.
is "castling short and long" 'r4rk1/pppppppp/8/8/8/8/PPPPPPPP/2KR3R w - - 2 2' "$(play --fen 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1' -- 0-0-0 O-O fen | tail -n 1)"
has "castling by coordinates" 'R4RK1 b kq - 1 1' "$(play --fen 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1' -- e1g1 fen | tail -n 1)"
has "promotion" '^Q3k3/8/' "$(play --fen '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' -- a8=Q fen | tail -n 1)"
has "underpromotion by coordinates" '^N3k3/8/' "$(play --fen '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' -- a7a8n fen | tail -n 1)"
has "en passant" '^rnbqkbnr/ppp2ppp/3Pp3/8/8' "$(play -- 'e4 e6 e5 d5' fen exd6 fen | tail -n 1)"

# ---- As people type.
is "large letters, small letters, dashes" '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O' \
    "$(play -- 'E2E4' 'E7-E5' 'nf3' 'NC6' 'bb5' 'A6' 'bxc6' 'DXC6' 'o-o' history | tail -n 1)"
is "what can be a pawn's move is one" '1. b4 a5 2. bxa5' "$(play -- b4 a5 bxa5 history | tail -n 1)"
is "promotion with a small letter" '1. a8=N' "$(play --fen '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' -- a8n history | tail -n 1)"
is "castling with zeros" '1. O-O' "$(play --fen '4k3/8/8/8/8/8/8/4K2R w K - 0 1' -- 0-0 history | tail -n 1)"
is "takeback" 'No moves yet.' "$(play -- e4 takeback history | tail -n 1)"
has "what is illegal stays so" "'E2E5' is illegal|E2E5" "$(play -- E2E5 | tail -n 1)"

# ---- Every variant.
has "chess960" 'Chess960' "$(play --variant chess960 --start 0 --)"
is "chess960 start 0" 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1' "$(play --variant chess960 --start 0 -- fen | tail -n 1)"
has "chess960 castles by king takes rook" '/R4RK1 b' "$(play --variant chess960 --fen '4k3/8/8/8/8/8/8/R3K2R w HA - 0 1' -- e1h1 fen | tail -n 1)"
has "a random start tells its number" '^Double Chess960, start position [0-9]+\.$' "$(play --variant doublechess960 --)"
has "horde32: Black mates" '^Game over: 0-1, checkmate\.$' "$(play --variant horde32 --fen '8/8/8/8/8/6p1/4q3/7K b - - 0 1' -- Qh2)"
has "horde32: White takes the last man" '^Game over: 1-0, ' "$(play --variant horde32 --fen '8/8/8/8/8/8/6p1/7K w - - 0 1' -- Kxg2)"
is "legan: a pawn steps aslant" 'knbrp3/bqpp4/npp5/rp1p1P1P/p3P2R/5PPN/4PPQB/3PRBNK b - - 0 1' "$(play --variant legan -- g4f5 fen | tail -n 1)"
is "corner 137" 'krrqbbnn/pppppppp/8/8/8/8/PPPPPPPP/NNBBQRRK w - - 0 1' "$(play --variant corner --start 137 -- fen | tail -n 1)"
has "fortress 137 plays" '^krrqbbnn/pppppppp/ppp5/8/4P3/5PPP/PPPP1PPP/NNBBQRRK b - - 0 1$' "$(play --variant fortress --start 137 -- e4 fen | tail -n 1)"
said=$(play --variant massacre --fen '8/8/8/8/8/8/8/Rr5n w - - 0 1' -- moves Rxb1 Nxb1 moves)
hasnt "massacre: only captures" 'Ra2' "$said"
for variant in chess chess960 doublechess960 horde32 legan corner fortress massacre; do
    # A long game of the first move in the list: legal from beginning to end.
    moves=() start=1
    [ "$variant" = horde32 ] || [ "$variant" = legan ] || [ "$variant" = chess ] && start=0
    for ply in 1 2 3 4 5 6 7 8; do
        last=$(play --variant $variant --start $start -- "${moves[@]}" moves | tail -n 1)
        moves+=("${last%% *}")
    done
    said=$(play --variant $variant --start $start -- "${moves[@]}" history)
    is "$variant: eight moves are played" 8 "$(tail -n 1 <<<"$said" | sed -E 's/[0-9]+\. //g' | wc -w)"
done

# ---- Words.
has "undo and redo" '^1\. e4$' "$(play -- e4 e5 undo history | tail -n 1)"
has "redo plays again" '^1\. e4 e5 2\. Nf3$' "$(play -- e4 e5 Nf3 'undo 3' 'redo 3' history | tail -n 1)"
has "a new move forgets what was undone" 'nothing to play again' "$(play -- e4 undo d4 redo | tail -n 1)"
has "nothing to undo" 'nothing to take back' "$(play -- undo | tail -n 1)"
is "moves of a square" 'Na3 Nc3' "$(play -- 'moves b1' | tail -n 1)"
is "moves of an empty square" 'No legal moves.' "$(play -- 'moves e4' | tail -n 1)"
is "flip" ' 8  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜ ' "$(play -- flip | tail -n 4 | head -n 1)"
has "new" 'Horde' "$(play -- e4 'new horde32')"
is "new with a number" 'krrqbbnn/pppppppp/8/8/8/8/PPPPPPPP/NNBBQRRK w - - 0 1' "$(play -- 'new corner 137' fen | tail -n 1)"
is "a number alone keeps the game" 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1' "$(play --variant chess960 -- 'new 0' fen | tail -n 1)"
is "fen sets a position" '4k3/8/8/8/8/8/8/4K2R w K - 0 1' "$(play -- 'fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1' fen | tail -n 1)"
has "help" '^  undo \[N\] ' "$(play -- help)"
has "rules" 'must|captur' "$(play --variant massacre --start 3 -- rules)"
has "variants" '^  massacre' "$(play -- variants)"
hasnt "quit ends it" '^1\. e4$' "$(play -- e4 quit history)"

# ---- Files.
has "save says where" "^Saved to $scratch/a.pgn\.$" "$(play -- e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7 "save $scratch/a.pgn")"
has "the file has moves and result" '^1\. e4 e5 2\. Qh5 Nc6 3\. Bc4 Nf6 4\. Qxf7# .*1-0$' "$(cat "$scratch/a.pgn")"
has "and the roster" '^\[Result "1-0"\]$' "$(cat "$scratch/a.pgn")"
said=$(play -- "load $scratch/a.pgn" history)
has "load shows the end" '^Game over: 1-0, checkmate\.$' "$said"
has "and knows the moves" '^1\. e4 e5 2\. Qh5 Nc6 3\. Bc4 Nf6 4\. Qxf7#$' "$said"
for variant in chess chess960 doublechess960 horde32 legan corner fortress massacre; do
    start=7
    [ $variant = horde32 ] || [ $variant = legan ] || [ $variant = chess ] && start=0
    first=$(play --variant $variant --start $start -- moves | tail -n 1)
    before=$(play --variant $variant --start $start -- "${first%% *}" "save $scratch/$variant.pgn" fen | tail -n 1)
    is "$variant: saved and loaded" "$before" "$(play -- "load $scratch/$variant.pgn" fen | tail -n 1)"
done
play -- e4 resign "save $scratch/r.pgn" >/dev/null
has "a resignation is kept" '^Game over: 1-0, resignation' "$(play -- "load $scratch/r.pgn")"
printf '1. e4 e5 2. Ke3 Nf6 *\n' >"$scratch/bad.pgn"
said=$(play -- d4 "load $scratch/bad.pgn" history)
has "a damaged game is named with its line" "Only loaded up to a problem: $scratch/bad.pgn, line 1: .*Ke3" "$said"
is "and loaded up to the damage" '1. e4 e5' "$(tail -n 1 <<<"$said")"
has "a missing file" 'No such file' "$(play -- 'load /nonexistent' | tail -n 1)"
: >"$scratch/empty.pgn"
has "an empty file" 'no game in' "$(play -- "load $scratch/empty.pgn" | tail -n 1)"
is "the running game stays" '1. d4' "$(play -- d4 "load $scratch/empty.pgn" history | tail -n 1)"
has "a folder that is not there" 'cannot write' "$(play -- 'save /nonexistent/x.pgn' | tail -n 1)"
cp "$scratch/a.pgn" "$scratch/kept.pgn"
said=$(play -- d4 "save $scratch/kept.pgn")
has "a file that is there is not replaced" "kept\.pgn is there already; .save! " "$said"
is "and stays" "$(cat "$scratch/a.pgn")" "$(cat "$scratch/kept.pgn")"
has "unless that is said" '^Saved to ' "$(play -- d4 "save! $scratch/kept.pgn")"
has "which replaces it" '^1\. d4 \*' "$(cat "$scratch/kept.pgn")"
if command -v script >/dev/null; then
    ask() { printf '%s\n' e4 "save $scratch/kept.pgn" "$1" quit | script -qec "'$LOVAC' play --ascii" /dev/null | tr -d '\r'; }
    has "on a terminal it is asked" 'is there already\. Replace it' "$(ask n)"
    has "no is no" '^1\. d4 \*' "$(cat "$scratch/kept.pgn")"
    has "yes is yes" 'Saved to ' "$(ask y)"
    has "and then it is done" '^1\. e4 \*' "$(cat "$scratch/kept.pgn")"
fi
has "save without a name" 'wants the name' "$(play -- save | tail -n 1)"

# ---- Lovac as an opponent.
said=$(play --black lovac --seconds 0.01 -- e4 history undo history)
has "Lovac answers" '^Lovac plays [a-hNKQRBO][^ ]* \(.*depth [0-9]+\)$' "$said"
has "its move is in the game" '^1\. e4 [a-hN]' "$said"
is "undo takes back both moves" 'No moves yet.' "$(tail -n 1 <<<"$said")"
has "Lovac begins as White" '^Lovac plays ' "$(play --white lovac --seconds 0.01 --)"
has "a hint" '^Lovac would play Qxf7# \(mate in 1' "$(play --seconds 0.1 -- 'e4 e5 Qh5 Nc6 Bc4 Nf6' hint)"
hasnt "a hint plays nothing" 'Game over' "$(play --seconds 0.1 -- 'e4 e5 Qh5 Nc6 Bc4 Nf6' hint)"
has "go lets it play" '^Game over: 1-0, checkmate' "$(play --seconds 0.1 -- 'e4 e5 Qh5 Nc6 Bc4 Nf6' go)"
has "people take over again" '^1\. e4 [^ ]+ 2\. [^ ]+ [^ ]+$' "$(play --black lovac --seconds 0.01 -- e4 people a3 a6 h3 h6 history | tail -n 1 |
    sed -E 's/^(1\. e4 [^ ]+ 2\. a3 [^ ]+).*/\1/')"
has "it refuses a draw at the start" 'wants to play on' "$(play --black lovac --seconds 0.01 -- e4 draw)"
has "a level" 'at that level' "$(play -- 'level 1200')"
has "a level out of range" 'from 800 to 2800' "$(play -- 'level 99')"
has "a level by its number" '^Lovac plays at that level' "$(play -- 'level 3')"
has "and by its name" '^Lovac plays at that level' "$(play -- 'level Club')"
has "full strength" '^Lovac plays at its best' "$(play -- 'level full')"
has "the levels are listed" '^   1  beginner +about [0-9]+ Elo' "$(play -- level)"
has "which one it is" 'Lovac plays as `lovac level=5`' "$(play --level club -- level)"
exits "no such level" 2 "$LOVAC" play --level club7
has "is told" "a level is 1 to 12, a name from .beginner. to .full." "$out"
mate='r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4'
for weak in "--level 1" "--opponent level=1" "--elo 800"; do
    # shellcheck disable=SC2086
    depth=$(play $weak --seconds 0.3 -- hint | sed -n 's/^Lovac would play .*, depth \([0-9]*\))$/\1/p')
    [ "${depth:-0}" -ge 6 ] && pass "a hint is as strong as can be with $weak" || fail "a hint is as strong as can be with $weak" "depth '$depth'"
done

# ---- Clocks.
has "clocks are shown" '^White (5:00\.0|4:59\.[0-9])  Black 5:00\.0$' "$(play --tc 300+2 --)"
has "the increment comes with a move" '^White 5:0[12]\.[0-9]  Black 5:00\.0$' "$(play --tc 300+2 -- e4)"
has "and goes with it when it is taken back" '^White (5:00|4:59)\.[0-9]  Black 5:00\.0$' "$(play --tc 300+2 -- e4 undo | grep '^White' | tail -n 1)"
has "but is there again when it is played again" '^White 5:0[12]\.[0-9]  Black 5:00\.0$' "$(play --tc 300+2 -- e4 undo redo | grep '^White' | tail -n 1)"
play -- e4 e5 "save $scratch/clock.pgn" >/dev/null
has "a game from a file begins with full clocks" '^White (5:00\.0|4:59\.[0-9])  Black 5:00\.0$' "$(play --tc 300+2 -- d4 d5 "load $scratch/clock.pgn" | grep '^White' | tail -n 1)"
has "moves of the file have brought no time" '^White (5:00|4:59)\.[0-9]  Black (5:00|4:59)\.[0-9]$' "$(play --tc 300+2 -- "load $scratch/clock.pgn" "undo 2" | grep '^White' | tail -n 1)"
hasnt "none without" '^White [0-9]' "$(play -- e4)"
said=$({ sleep 0.6; echo e4; } | "$LOVAC" play --tc 0.3 2>&1)
has "the flag falls" '^Game over: 0-1, time' "$said"
has "and no move is played after it" 'The game is over: 0-1' "$said"
said=$(play --tc 1+0.02 --white lovac --black "lovac nodes=200" --)
has "players have clocks too" '^Game over: ' "$(tail -n 1 <<<"$said")"
exits "a bad clock" 2 "$LOVAC" play --tc soon
exits "an unknown player" 2 "$LOVAC" play --white deepblue
has "is named" "deepblue: No such file" "$out"
for variant in chess chess960 doublechess960 horde32 legan corner fortress massacre; do
    said=$(play --variant $variant --white lovac --black lovac --seconds 0.001 --)
    has "$variant: Lovac against itself comes to an end" '^Game over: (1-0|0-1|1/2-1/2), [a-z ]+\.$' "$(tail -n 1 <<<"$said")"
done

# ---- Bad input is answered, and nothing is changed by it.
has "an illegal move" 'e2e5|e5' "$(play -- e2e5 | tail -n 1)"
has "a mistyped word" 'did you mean `history`' "$(play -- histroy | tail -n 1)"
has "a bad square" "wants a square such as e2, not 'z9'" "$(play -- 'moves z9' | tail -n 1)"
has "a bad FEN" '[a-z]' "$(play -- 'fen xyz' | tail -n 1)"
has "the position stays" '^rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1$' "$(play -- e4 'fen 8/8/8/8/8/8/8/8 w - - 0 1' Ke7 e9 xx fen | tail -n 1)"
has "an unknown game" "unknown game 'ludo'" "$(play -- 'new ludo' | tail -n 1)"
has "a start out of range" '0 to 959' "$(play -- 'new chess960 960' | tail -n 1)"
has "moves before a wrong one stay" '^1\. e4 e5$' "$(play -- 'e4 e5 Qh9 d5' history | tail -n 1)"
exits "no input at all" 0 "$LOVAC" play
exits "an unexpected argument" 2 "$LOVAC" play chess
exits "a bad colour" 2 "$LOVAC" play --color sometimes
head -c 200000 /dev/urandom | "$LOVAC" play --ascii >"$scratch/out" 2>&1
is "rubbish does no harm" 0 $?
printf 'e4\0e5\ne4' | "$LOVAC" play >"$scratch/out" 2>&1
is "a zero byte and a last line without end" 0 $?
head -c 3000000 /dev/zero | tr '\0' a | "$LOVAC" play >"$scratch/out" 2>&1
is "a line of three million letters" 0 $?

# ---- The board: plain, letters, and on a terminal.
has "letters with --ascii" '^ 1  R  N  B  Q  K  B  N  R $' "$(play --ascii --)"
has "letters where the locale is not UTF-8" '^ 1  R  N  B  Q  K  B  N  R $' "$(LC_ALL=C play --)"
has "figures where it is" '^ 1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖ $' "$(LC_ALL=C.UTF-8 play --)"
escape=$'\033'
# Every background that is shown lets both inks be read: at least 3:1, as WCAG reckons.
contrast=$(play --color always --fen '4k3/8/8/8/8/8/8/r3K2R w K - 0 1' -- Kd2 Ke7 | grep -oE '[34]8;5;[0-9]+' | sort -u | awk -F';' '
    function part(n) { return n ? 55 + 40 * n : 0 }
    function linear(c) { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ^ 2.4 }
    { n = $3 - 16; light = 0.2126 * linear(part(int(n / 36))) + 0.7152 * linear(part(int(n / 6) % 6)) + 0.0722 * linear(part(n % 6))
      if ($1 == 38) { inks++; ink[$3] = light } else { grounds++; ground[$3] = light } }
    END { least = 21
          for (i in ink) for (g in ground) { c = (ink[i] + 0.05) / (ground[g] + 0.05); c = c < 1 ? 1 / c : c; if (c < least) least = c }
          print inks " inks, " grounds " grounds, " (least < 3 ? least : "readable") }')
is "both inks can be read on every square" "2 inks, 5 grounds, readable" "$contrast"
hasnt "no colour in a pipe" "$escape" "$(play --)"
has "colour when asked" "$escape\[48;5;" "$(play --color always --)"
terminal() { # terminal ENVIRONMENT... -- what a person at a terminal would see while playing 1. e4
    printf 'e4\nquit\n' | script -qec "env TERM=xterm-256color $* '$LOVAC' play" /dev/null | tr -d '\r'
}
if command -v script >/dev/null; then
    seen=$(terminal)
    has "colour on a terminal" "$escape\[48;5;137m" "$seen"
    has "the last move is coloured" "$escape\[48;5;(65|29)m" "$seen"
    has "the figures have an ink" "38;5;231m♟|38;5;231m♜" "$seen"
    has "a prompt" '^> ' "$seen"
    is "as many boards as positions" 2 "$(grep -cE '^    a  b  c  d  e  f  g  h' <<<"$seen")"
    hasnt "NO_COLOR is respected" "$escape\[48" "$(terminal NO_COLOR=1)"
    hasnt "a dumb terminal gets no colour" "$escape\[48" "$(terminal TERM=dumb)"
    has "the end of input ends the game" '> $|^$' "$(printf '\004' | script -qec "'$LOVAC' play" /dev/null | tr -d '\r' | tail -n 1)"
else
    skip "the board on a terminal" "no script(1)"
fi
finish
