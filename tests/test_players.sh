#!/bin/bash
# Every kind of player, as the program itself lists them, chosen in the terminal, the match runner, at the board and on the
# laboratory page. A new row of the list is tried without a line here, unless it needs words besides its name.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
export XDG_CONFIG_HOME=$scratch

# describe KIND: a description of that kind that moves quickly
describe() {
    case $1 in
    level) echo "level=2" ;;
    lovac) echo "lovac nodes=200 net=none" ;;
    uci) echo "uci $LOVAC option.Hash=1 nodes=200" ;;
    xboard) echo "xboard $LOVAC xboard depth=2" ;;
    naive) echo "naive depth=1" ;;
    minimax | negamax | alphabeta | material | step | twodepth | textbook-*) echo "$1 depth=2" ;;
    network) echo "network file=$scratch/network.dna depth=1" ;;
    fullnet) echo "fullnet file=$scratch/fullnet.dna" ;;
    *) echo "$1" ;;
    esac
}
# Two small networks: one that likes men on d4 and e4, one that names a move by what stands on e2.
printf 'lovac dna 1\n0 64 1 0 0 0 2 27 0.1 28 0.1\n' >"$scratch/network.dna"
printf 'lovac dna 1\n0 64 4 0 0 0.1 1 12 0.05 0.4 0 0.3 1 12 0.05 0.4 0\n' >"$scratch/fullnet.dna"
play() { # play DESCRIPTION LINES...: a game against that player in the terminal
    local who=$1
    shift
    printf '%s\n' "$@" | "$LOVAC" play --opponent "$who" --seconds 0.05 2>&1
}

has "the terminal lists the players" '^  level=N ' "$(play random players)"
listed=$(play random players | grep '^  [^ 1-8]')
if "$LOVAC" help match >/dev/null 2>&1; then
    is "and so does the match runner, the same ones" "$listed" "$("$LOVAC" match --players)"
fi
kinds=$(sed -E 's/^ +\[?([a-z0-9_-]+).*/\1/' <<<"$listed")
[ "$(wc -l <<<"$kinds")" -ge 6 ] && pass "there are some" || fail "there are some" "$listed"
: >"$scratch/kinds"
for kind in $kinds; do
    who=$(describe "$kind")
    printf '%s\t%s\n' "$kind" "$who" >>"$scratch/kinds"
    has "terminal: $kind plays" '^1\. e4 [a-hNKQRBO][^ ]*$' "$(play "$who" e4 history)"
    has "terminal: $kind after a move was taken back" '^1\. d4 [a-hNKQRBO][^ ]* 2\. c4 [a-hNKQRBO][^ ]*$' "$(play "$who" e4 undo d4 c4 history)"
    has "terminal: go lets $kind take a side" '^1\. e4 [a-hNKQRBO][^ ]* 2\. [a-hNKQRBO]' "$(play human e4 "go $who" history d4 history)"
    "$LOVAC" help match >/dev/null 2>&1 || continue
    exits "match: $kind plays" 0 "$LOVAC" match "$who name=one" "random name=two" --games 2 --max-moves 12 --concurrency 1
    has "match: $kind without a fault" "game 2 of 2" "$out"
    hasnt "match: $kind breaks nothing" "crash|stall|illegal|refuse" "$out"
done

# Levels: all of them, by number and by name; nothing else.
for level in 1 12 beginner full; do
    has "level $level" '^1\. e4 [a-hN]' "$(play level=$level e4 history)"
done
for bad in level=0 level=13 level=x "lovac elo=1" "random depth" "lovac colour=red"; do
    exits "refused: $bad" 2 "$LOVAC" play --opponent "$bad"
done
# A player of a file, under its name, and one that gives up.
printf 'My engine [chess]: %s option.Hash=1 nodes=100\nBad\n' "$LOVAC" >"$scratch/two.conf"
exits "a bad line of the file is named" 2 "$LOVAC" play --engines "$scratch/two.conf"
has "with its number" 'two.conf, line 2: ' "$out"
mkdir -p "$scratch/lovac"
head -n 1 "$scratch/two.conf" >"$scratch/lovac/engines.conf"
has "a player of the user's own file" '^My engine plays [a-hN]' "$(play "My engine" e4)"
has "is listed" '^  My engine ' "$(play random players)"
has "resign= gives up after three bad moves" '^Game over: 1-0, resignation' \
    "$("$LOVAC" play --black "lovac nodes=500 resign=300" --fen 'k7/8/8/8/8/8/8/KQR5 w - - 0 1' <<<$'Rd1\nRe1\nRf1\nRg1' 2>&1)"
rm "$scratch/lovac/engines.conf"

if "$LOVAC" help serve >/dev/null 2>&1 && command -v node >/dev/null; then
    export LOVAC
    timeout 300 node tests/server/players.mjs "$scratch/kinds" >"$scratch/board" 2>&1 && pass "board and laboratory page: all of them" ||
        fail "board and laboratory page: all of them" "$(grep -v '^ok' "$scratch/board")"
    sed 's/^/# /' "$scratch/board"
else
    skip "board and laboratory page" "this build has no server, or there is no node"
fi
finish
