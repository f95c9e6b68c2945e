#!/bin/bash
# Endgame tables from outside: the options of UCI, XBoard, lovac analyse, lovac tablebase probe.
# shellcheck disable=SC2154
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/uci_lib.sh"
syzygy=${LOVAC_DATA:-../shared/data}/tablebases/syzygy
mate="position fen 8/8/8/3k4/8/8/4B3/3NK3 w - - 0 1"

# --- the options, as other engines have them
start
send uci
wait_for 1 '^uciok'
stop_engine
text=$(cat "$log")
has "SyzygyPath" '^option name SyzygyPath type string default <empty>$' "$text"
has "SyzygyProbeDepth" '^option name SyzygyProbeDepth type spin default 1 min 1 max 100$' "$text"
has "Syzygy50MoveRule" '^option name Syzygy50MoveRule type check default true$' "$text"
has "SyzygyProbeLimit" '^option name SyzygyProbeLimit type spin default 7 min 0 max 7$' "$text"
try "bad values" 1 4 "setoption name SyzygyPath value /no/such/folder" "setoption name SyzygyProbeDepth value 0" \
    "setoption name SyzygyProbeLimit value 8" "setoption name Syzygy50MoveRule value maybe" "go depth 3"
has "the folder is named" "^info string error: cannot read the folder '/no/such/folder'" "$(cat "$log")"
mkdir "$scratch/empty"
try "a folder without tables" 1 0 "setoption name SyzygyPath value $scratch/empty" "$mate" "go depth 3"
has "none found" '^info string Found 0 WDL and 0 DTZ tablebase files \(up to 0-man\)\.$' "$(cat "$log")"
has "none asked" ' tbhits 0 ' "$(cat "$log")"

if [ -f "$syzygy/KBNvK.rtbz" ]; then
    try "tables" 1 0 "setoption name SyzygyPath value $syzygy:$syzygy/5" "$mate" "go depth 5"
    has "are counted" '^info string Found 37 WDL and 36 DTZ tablebase files \(up to 5-man\)\.$' "$(cat "$log")"
    has "a sure win" '^info depth 5 .* score cp 20000 .* tbhits [1-9]' "$(cat "$log")"
    try "and given back" 1 0 "setoption name SyzygyPath value $syzygy" "setoption name SyzygyPath value <empty>" "$mate" "go depth 5"
    has "not asked any more" '^info depth 5 .* tbhits 0 ' "$(cat "$log")"
    try "in the search" 1 0 "setoption name SyzygyPath value $syzygy" "position fen 8/8/8/3k4/8/3n4/4P3/3RK3 w - - 0 1" "go depth 7"
    has "a win from a table some plies away" '^info depth 7 .* score cp 199[0-9][0-9] .* tbhits [1-9]' "$(cat "$log")"
    try "not for other games" 1 0 "setoption name UCI_Variant value legan" "setoption name SyzygyPath value $syzygy" "$mate" "go depth 4"
    has "Legan asks no tables" '^info depth 4 .* tbhits 0 ' "$(cat "$log")"
    try "the same rules in Corner" 1 0 "setoption name UCI_Variant value corner" "setoption name SyzygyPath value $syzygy" "$mate" "go depth 4"
    has "Corner does" '^info depth 4 .* score cp 20000 .* tbhits [1-9]' "$(cat "$log")"
    mkdir "$scratch/bad"
    for file in "$syzygy"/*.rtb?; do
        head -c 70 "$file" >"$scratch/bad/$(basename "$file")"
    done
    try "damaged tables" 1 0 "setoption name SyzygyPath value $scratch/bad" "$mate" "go depth 5"
    has "are not asked" '^info depth 5 .* tbhits 0 ' "$(cat "$log")"
    if "$LOVAC" help analyse >/dev/null 2>&1; then
        exits "lovac analyse with tables" 0 "$LOVAC" analyse --fen "${mate#position fen }" --depth 4 --lines 1 --syzygy "$syzygy"
        has "knows the result" '[+]200\.00' "$out"
    fi
    # --- XBoard
    text=$(printf 'xboard\nprotover 2\negtpath gaviota /none\negtpath syzygy %s\nsetboard 8/8/8/3k4/8/8/4B3/3NK3 w - - 0 1\npost\nsd 4\ngo\n' "$syzygy" |
        { cat; sleep 1; } | "$LOVAC" xboard)
    has "XBoard is told of tables" 'egt="syzygy"' "$text"
    has "and they are asked" '^4 20000 ' "$text"
    # --- lovac tablebase probe
    exits "probe" 0 "$LOVAC" tablebase probe "8/8/8/3k4/8/8/4B3/3NK3 w - -" --syzygy "$syzygy"
    has "the result in words" '^White to move\. White wins\.$' "$out"
    has "the distance" 'is [0-9]+ half-moves away' "$out"
    is "a row for every move" 15 "$(grep -cE '^  [KBN][a-h1-8]+[+]? +(wins|draws|loses)' <<<"$out")"
    exits "mate is told" 0 "$LOVAC" tablebase probe 7k/5K2/8/8/8/8/8/6R1 w - - --syzygy "$syzygy"
    is "and comes first" "  Rh1#     wins                         mate" "$(sed -n '/^  move/{n;p;}' <<<"$out")"
    exits "a draw" 0 "$LOVAC" tablebase probe "8/8/8/3k4/8/8/4B3/4K3 b - -" --syzygy "$syzygy"
    has "is called so" '^Black to move\. With best play it is a draw\.$' "$out"
    exits "half-moves that count" 0 "$LOVAC" tablebase probe "8/8/8/3k4/8/8/4B3/3NK3 w - - 70 90" --syzygy "$syzygy"
    has "spoil the win" 'the fifty-move rule comes first' "$out"
    exits "castling rights" 1 "$LOVAC" tablebase probe "4k3/8/8/8/8/8/8/4K2R w K -" --syzygy "$syzygy"
    has "are named" 'tables know no castling rights' "$out"
    exits "damage" 1 "$LOVAC" tablebase probe "8/8/8/3k4/8/8/4B3/3NK3 w - -" --syzygy "$scratch/bad"
    has "names the file" 'K[A-Zv]*\.rtbw: damaged' "$out"
else
    skip "tables" "no $syzygy"
fi
exits "probe makes no tables if told so" 1 "$LOVAC" tablebase probe "7k/5K2/8/8/8/8/8/6R1 w - -" --no-make
has "but says what is missing" 'there is no table KRK' "$out"
exits "and has made none" 1 test -e "$XDG_DATA_HOME"
exits "probe without tables makes them" 0 "$LOVAC" tablebase probe "7k/5K2/8/8/8/8/8/6R1 w - -"
own=$XDG_DATA_HOME/lovac/tables
exits "in the user's data folder" 0 test -f "$own/chess/KRK.wdz"
try "the engine asks them" 1 0 "setoption name TablePath value $own" "position fen 8/8/8/3k4/8/8/8/R3K3 w - - 0 1" "go depth 4"
has "tells what it found" "^info string Lovac's own tables of Chess: up to 3 men$" "$(cat "$log")"
has "and knows the result" '^info depth 4 .* score (cp 20000|mate [0-9]+) .* tbhits [1-9]' "$(cat "$log")"

# --- found without being told, the user's and the system's
rook="position fen 8/8/8/3k4/8/8/8/R3K3 w - - 0 1" queen="position fen 8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"
start
send uci
wait_for 1 '^uciok'
stop_engine
has "the engine finds them" "^option name TablePath type string default $own$" "$(cat "$log")"
hasnt "and is silent about it" 'info string' "$(cat "$log")"
exits "tables for everybody" 0 "$LOVAC" tablebase make KQK --folder "$XDG_DATA_DIRS/lovac/tables" --quiet
try "both are asked" 2 0 "$rook" "go depth 4" "$queen" "go depth 4"
is "without being told" 2 "$(grep -cE '^info depth 4 .* score (cp 20000|mate [0-9]+) .* tbhits [1-9]' "$log")"
exits "both are listed" 0 "$LOVAC" tablebase list
has "as one" '3 men: 2 of 5' "$out"
exits "and probed" 0 "$LOVAC" tablebase probe "8/8/8/3k4/8/8/8/Q3K3 w - -" --no-make
try "none if told so" 1 0 "setoption name TablePath value <empty>" "$rook" "go depth 4"
has "then none are asked" '^info depth 4 .* tbhits 0 ' "$(cat "$log")"
is "bench asks none" "$(XDG_DATA_HOME=/none "$LOVAC" bench 5 | grep -i nodes | head -1)" "$("$LOVAC" bench 5 | grep -i nodes | head -1)"
if "$LOVAC" help analyse >/dev/null 2>&1; then
    exits "lovac analyse asks them" 0 "$LOVAC" analyse --fen "${queen#position fen }" --depth 3 --lines 1
    has "and knows the result" '[+](200\.00|M[0-9])' "$out"
    exits "not if told so" 0 "$LOVAC" analyse --fen "${queen#position fen }" --depth 1 --lines 1 --tables ""
    hasnt "then it does not know" '[+](200\.00|M[0-9])' "$out"
fi
exits "an unknown action" 2 "$LOVAC" tablebase prob
exits "a bad FEN" 2 "$LOVAC" tablebase probe "8/8 w" --syzygy "$scratch/empty"
exits "no such table" 1 "$LOVAC" tablebase probe "8/8/8/3k4/8/8/4B3/3NK3 w - -" --syzygy "$scratch/empty"
finish
