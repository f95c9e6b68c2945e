#!/bin/bash
# An engine that speaks XBoard like GNU Chess 6: it does not know sd, and thinks on beyond st until it is told `?`. Its
# moves are those of a fixed game as White or Black; it knows no other.
moves_white=(e2e4 d2d4 g1f3 b1c3) moves_black=(e7e5 d7d5 g8f6 b8c6)
turn=white made=0 thinks=
while read -r line; do
    case $line in
    protover*) echo 'feature ping=1 setboard=1 usermove=1 option="Book File -string x" done=1' ;;
    ping*) echo "pong ${line#ping }" ;;
    new) turn=white made=0 ;;
    sd*) echo "Invalid move: $line" ;;
    usermove*) [ $turn = white ] && turn=black || { turn=white; made=$((made + 1)); } ;;
    go) thinks=yes ;;
    '?')
        [ -n "$thinks" ] || continue
        thinks=
        [ $turn = white ] && echo "move ${moves_white[made]}" || echo "move ${moves_black[made]}"
        [ $turn = white ] && turn=black || { turn=white; made=$((made + 1)); }
        ;;
    quit) exit ;;
    esac
done
