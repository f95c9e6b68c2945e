#!/bin/bash
# How well Lovac plays the variants: Horde, Corner and Fortress against Fairy-Stockfish at 1+0.01, Legan and Massacre against a random
# mover and alpha-beta to depth 3 with material (docs/lab.md, Players).
#   bench/variants_match.sh [GAMES [CONCURRENCY]]     (200 games each, one at a time for each processor)
# LOVAC: the program; FAIRY: the other engine (fairy-stockfish); INI: its description of the games (../shared/oracle/variants.ini);
# PLAYER: what plays for us (lovac; "lovac net=none" for the hand-written evaluations); GAMES_OF: only these games.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH=$PATH:/usr/games
lovac=${LOVAC:-./lovac}
games=${1:-200}
concurrency=${2:-$(nproc)}
player="${PLAYER:-lovac} name=lovac hash=16"
fairy=${FAIRY:-fairy-stockfish}
ini=${INI:-../shared/oracle/variants.ini}
chosen=${GAMES_OF:-horde32 corner fortress legan massacre}
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

# The lines after a match: score, Elo, and faults by kind if there were any.
play() { # play VARIANT NAME WANTED OPPONENT
    if ! "$lovac" match "$player" "$4" --variant "$1" --games "$games" --tc 1+0.01 --margin 50 --concurrency "$concurrency" \
        --every 1000000 >"$out" 2>&1; then
        printf '%-10s %-16s %s\n' "$1" "$2" "$(tail -n 1 "$out")"
        return 1
    fi
    awk -v game="$1" -v name="$2" -v wanted="$3" '
        / - .*: \+/ {score = $0}
        /^(crash|stall|illegal|time|refuses)/ {faults = faults (faults ? ", " : "") $0}
        END {
            split(score, part, ": "); n = part[2]; sub(/,.*/, "", n)
            percent = score; sub(/.*\(/, "", percent); sub(/ %.*/, "", percent)
            elo = score; sub(/.*Elo /, "", elo)
            printf "%-10s %-16s %-18s %6.1f %%  (%d)  %-18s %s\n", game, name, n, percent, wanted, elo, faults ? faults : "none"
        }' "$out"
}

printf '%-10s %-16s %-18s %8s  %s  %-18s %s\n' game opponent "won drawn lost" score wanted Elo faults
status=0
for game in $chosen; do
    case $game in
    legan | massacre)
        play "$game" random 98 random || status=1
        play "$game" material-3 90 "material depth=3" || status=1
        ;;
    *)
        if command -v "$fairy" >/dev/null && [ -r "$ini" ]; then
            play "$game" "$(basename "$fairy")" 50 "$fairy name=fairy option.Hash=16 option.VariantPath=$ini" || status=1
        else
            echo "$game: skipped, it needs $fairy and $ini"
        fi
        ;;
    esac
done
exit $status
