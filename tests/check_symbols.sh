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
for folder in base core tables engine lab server; do
    [ -d "$build/$folder" ] || continue
    is "$folder does not print or exit" "" "$(uses $folder printf vprintf puts putchar stdout perror exit _exit quick_exit)"
done
# Filled once (by bitboard_init, or under pthread_once) and only read ever after; a command's flag for signals.
tables='(core/(bitboard|zobrist)|engine/(cuckoo|hand_setup|nnue_file)|app/(cmd_[a-z]*|line_input))\.o: '
globals=$(find "$build" -name '*.o' -not -path '*/tests/*' | sort | while read -r object; do
    objdump -t "$object" | grep -E '[[:space:]]O[[:space:]]+\.(data|bss|tdata|tbss)[[:space:]]' |
        awk '{print $NF}' | sed "s,^,${object#"$build/"}: ,"
done | grep -vE "^$tables")
is "nothing mutable is global" "" "$globals"
finish
