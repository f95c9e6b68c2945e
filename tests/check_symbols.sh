#!/bin/bash
# What the object files reveal: core allocates nothing, does no I/O, knows no clock and no threads; nothing below app/
# prints to stdout or ends the process; nothing mutable is global but tables that are filled once.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
build=build/debug-${CC:-gcc}-native
if [ ! -d "$build/core" ]; then
    skip "forbidden symbols" "no debug build"
    finish
    exit
fi
uses() { # uses FOLDER WORDS...: objects of the folder that call one of these functions
    local folder=$1 words
    shift
    words=$(IFS='|' && echo "$*")
    find "$build/$folder" -name '*.o' 2>/dev/null | sort | while read -r object; do
        nm -u "$object" | grep -wE "U ($words)(@.*)?" | sed "s,^ *U,${object#"$build/"}:,"
    done
}
is "core is pure" "" "$(uses core malloc calloc realloc free aligned_alloc fopen fclose fread fwrite printf fprintf puts fputs \
    putchar open read write pthread_create pthread_mutex_lock clock_gettime time clock stdout stderr)"
for folder in base core tables engine play lab server; do
    [ -d "$build/$folder" ] || continue
    is "$folder does not print or exit" "" "$(uses $folder printf vprintf puts putchar stdout perror exit _exit quick_exit)"
done
# Every exception by its name: tables that are filled once (by bitboard_init, or under pthread_once) and only read ever
# after, and the flags that a signal handler can reach.
allowed='app/cmd_serve.o: RUNNING
base/console.o: END_ASKED
core/bitboard.o: BETWEEN
core/bitboard.o: BISHOP_ENTRIES
core/bitboard.o: BISHOP_LINES
core/bitboard.o: BISHOP_TABLE
core/bitboard.o: KING_ATTACKS
core/bitboard.o: KNIGHT_ATTACKS
core/bitboard.o: LINE
core/bitboard.o: PAWN_ATTACKS
core/bitboard.o: ROOK_ENTRIES
core/bitboard.o: ROOK_LINES
core/bitboard.o: ROOK_TABLE
core/bitboard.o: attacks
core/bitboard.o: occupied
engine/cuckoo.o: keys
engine/cuckoo.o: once
engine/cuckoo.o: squares
engine/hand_setup.o: once
engine/hand_setup.o: setups
engine/nnue_file.o: once
engine/nnue_file.o: program_error
engine/nnue_file.o: program_nets
engine/patterns.o: PAWN_WINS
engine/patterns.o: once'
globals=$(find "$build" -name '*.o' -not -path '*/tests/*' | sort | while read -r object; do
    objdump -t "$object" | grep -E '[[:space:]]O[[:space:]]+\.(data|bss|tdata|tbss)[[:space:]]' |
        awk '{sub(/\.[0-9]+$/, "", $NF); print $NF}' | sed "s,^,${object#"$build/"}: ,"
done | grep -vxF "$allowed")
is "nothing mutable is global" "" "$globals"
# A function of ours with the name of a library's takes its place, and the server's calls go astray.
header=/usr/include/jansson.h
if [ -f "$header" ]; then
    taken=$(grep -oE '\bjson_[a-z0-9_]+ *\(' "$header" | tr -d ' (' | sort -u)
    ours=$(find "$build" -name '*.o' -not -path '*/tests/*' -exec nm --defined-only {} + | awk '$2 == "T" && $3 ~ /^json_/ {print $3}' | sort -u)
    is "no name of the JSON library is ours" "" "$(comm -12 <(echo "$taken") <(echo "$ours"))"
fi
finish
