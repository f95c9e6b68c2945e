#!/bin/bash
# Games in a board program that nobody here wrote: XBoard, on a screen that does not exist (Xvfb). By UCI through polyglot,
# and by the XBoard protocol: chess, and games that XBoard does not know and Lovac teaches it. What XBoard saves must be a
# complete legal game. XBoard tests every move by its own rules, and forfeits a game for an illegal one.
#   ./test gui     short: one game; `make test-long`: all
# shellcheck disable=SC2154
. "$(dirname "$0")/lib.sh"
PATH=$PATH:/usr/games
if [ "$LOVAC_TEST_LEVEL" = quick ]; then
    skip "games in XBoard" "too slow under the sanitizers"
    finish
    exit
fi
for program in xboard polyglot Xvfb; do
    command -v $program >/dev/null && continue
    skip "games in XBoard" "no $program"
    finish
    exit
done

# A screen of our own; -displayfd tells its number when it is ready.
export HOME=$scratch
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>"$scratch/display" 2>/dev/null &
screen=$!
trap 'kill "$screen" 2>/dev/null; wait "$screen" 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 300); do [ -s "$scratch/display" ] && break; sleep 0.1; done
DISPLAY=:$(cat "$scratch/display")
export DISPLAY

# game NAME VARIANT OPTION...: one game; its PGN in $pgn, what XBoard and the engines said in $talk
game() {
    local name=$1 variant=$2 status
    shift 2
    pgn=$scratch/game.pgn
    rm -f "$pgn" "$scratch/talk"
    timeout 300 xboard -variant "$variant" -matchGames 1 -timeControl 0:10 -timeIncrement 0 -animateMoving false -saveGameFile "$pgn" \
        -popupExitMessage false -popupMoveErrors false -soundProgram true -debug -nameOfDebugFile "$scratch/talk" \
        "$@" >"$scratch/out" 2>&1 </dev/null
    status=$?
    talk=$(cat "$scratch/talk" 2>/dev/null)
    is "$name: XBoard plays and ends" 0 "$status"
    hasnt "$name: nobody complains of a move" 'Illegal move|invalid move|illegal move' "$(grep -iE 'illegal|invalid' "$scratch/talk" | head -n 5)"
    [ -s "$pgn" ] || { fail "$name: a game is saved" "$(tail -n 5 "$scratch/talk")"; return; }
    hasnt "$name: nobody leaves, loses on time or hangs" 'exited unexpectedly|time forfeit|forfeits on time|xboard exit' "$(cat "$pgn")"
}

# complete NAME VARIANT [TOLERATED]: the moves that went over the wire and the saved game are legal to the end, and the end
# is one by the rules; a problem of the PGN that matches is XBoard's
complete() {
    local name=$1 variant=$2 moves
    moves=$(sed -nE 's/^[0-9]+ <(first |second): move ([a-h].*|O-.*)$/\2/p' "$scratch/talk" | tr '\n' ' ')
    if [ -n "$moves" ]; then
        [ "$(wc -w <<<"$moves")" -gt 20 ] && pass "$name: a whole game" || fail "$name: a whole game" "$moves"
        out=$(echo "startpos moves $moves" | "$LOVAC" convert --from uci --variant "$variant" --check 2>&1)
        has "$name: every move is legal" '^1 games, .* 0 problems' "$out"
    fi
    out=$("$LOVAC" convert --variant "$variant" --check "$pgn" 2>&1)
    has "$name: one game is saved" '^1 games' "$out"
    [ -n "${3:-}" ] && out=$(grep -vE "$3" <<<"$out" | sed 's/ 1 problems/ 0 problems/')
    has "$name: its PGN is read without a problem" '^1 games, .* 0 problems' "$out"
    hasnt "$name: nor a complaint" '\.pgn:' "$out"
    has "$name: with a result" '^(1-0|0-1|1/2-1/2)$' "$(sed -n 's/^\[Result "\(.*\)"\]$/\1/p' "$pgn")"
    has "$name: by the rules" '[Cc]heckmate|(White|Black) mates|[Ss]talemate|[Rr]epetition|fifty|50 moves|[Ii]nsufficient|dead position|captured|no capture' \
        "$(tail -n 4 "$pgn")"
}

game "UCI by polyglot" normal -fcp "$LOVAC" -fUCI -scp "$LOVAC" -sUCI
complete "UCI by polyglot" chess
has "UCI by polyglot: UCI it was" 'polyglot' "$talk"
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    game "chess by the XBoard protocol" normal -fcp "$LOVAC xboard" -scp "$LOVAC xboard"
    complete "chess by the XBoard protocol" chess
    for variant in corner fortress; do
        game "$variant" $variant -fcp "$LOVAC xboard" -scp "$LOVAC xboard"
        complete "$variant" $variant
        has "$variant: taught" 'first : setup ' "$talk"
    done
    # XBoard has no words for their ends and promotions: it believes the engines, and leaves the piece out of its PGN.
    for variant in legan horde32 massacre; do
        game "$variant" $variant -fcp "$LOVAC xboard" -scp "$LOVAC xboard" -testLegality false
        complete "$variant" $variant 'does not say what the pawn becomes'
        has "$variant: taught" 'first : setup ' "$talk"
    done
    if command -v fairymax >/dev/null; then
        game "against Fairy-Max" normal -fcp "$LOVAC xboard" -scp fairymax
        complete "against Fairy-Max" chess
    else
        skip "against Fairy-Max" "no fairymax"
    fi
fi
finish
