#!/bin/bash
# Every header compiles alone, has a guard of the house's form, and every source file includes its own header first.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
bad='' count=0
while read -r header; do
    count=$((count + 1))
    echo "#include \"${header#src/}\"" |
        ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -Isrc -Wall -Wextra -Werror -fsyntax-only -x c - 2>"$scratch/err" ||
        grep -qE '(cuda_runtime|cublas_v2).h: No such file' "$scratch/err" || # only for nvcc
        bad+="$header: $(head -n 1 "$scratch/err")"$'\n'
    guard=LOVAC_$(sed -E 's,^src/,,; s,[/.],_,g' <<<"$header" | tr a-z A-Z)
    grep -q "^#ifndef $guard\$" "$header" && grep -q "^#define $guard\$" "$header" || bad+="$header: no guard $guard"$'\n'
done < <(find src -name '*.h' | sort)
is "each of the $count headers compiles alone and is guarded" "" "$bad"

bad=
while read -r source; do
    own=${source%.c}.h
    [ -e "$own" ] || continue
    first=$(grep -m 1 '^#include "' "$source")
    # The folder's private header, which includes the public one, will do.
    [ "$first" = "#include \"${own#src/}\"" ] || [ "$first" = "#include \"$(sed 's,^src/,,; s,\.h$,_int.h,' <<<"$own")\"" ] || bad+="$source begins with $first"$'\n'
done < <(find src -name '*.c' | sort)
is "a source file includes its own header first" "" "$bad"
finish
