#!/bin/bash
# One signature: `lovac bench` searches the same number of nodes whatever compiler, optimisation, processor and vector code
# it was built and run with, and again in the same process. Fails when two differ, or when the fast build needs 10 s or more.
#   bench/signature.sh [DEPTH]     (that of bench)
set -u
cd "$(dirname "$0")/.." || exit 1
depth=${1:-} failed=0 wanted=
printf '%-52s %10s %8s\n' build nodes seconds

# Takes the output of bench; the first build gives the number that all others must have.
report() { # report TITLE OUTPUT
    local nodes ms
    nodes=$(sed -nE 's/^Nodes( searched:)? +([0-9]+)$/\2/p' <<<"$2" | sort -u | paste -sd ' ')
    ms=$(sed -nE 's/^Time:? +([0-9]+) ms$/\1/p' <<<"$2" | head -n 1)
    wanted=${wanted:-$nodes}
    printf '%-52s %10s %8s%s\n' "$1" "${nodes:-none}" "$(awk -v t="${ms:-0}" 'BEGIN {printf "%.2f", t / 1000}')" \
        "$([ "$nodes" = "$wanted" ] || echo '  DIFFERS')"
    [ -n "$nodes" ] && [ "$nodes" = "$wanted" ] || failed=1
    last_ms=${ms:-0}
}
build() { # build FOLDER make-arguments...
    local folder=build/signature/$1
    shift
    make -s -j"$(nproc)" CONFIG=plain PARTS=engine BUILD="$folder" EXE="$folder/lovac" "$@" program >"$folder.log" 2>&1 && return
    echo "$folder cannot be built: see $folder.log"
    failed=1
    return 1
}

mkdir -p build/signature
make -s || exit 1
report "as released" "$(./lovac bench $depth)"
released=$last_ms
report "as released, twice in one process" "$(printf 'bench %s\nucinewgame\nbench %s\n' "$depth" "$depth" | ./lovac)"
for name in avx512-vbmi2 avx512-vnni avx512 avx2 sse4.1 neon plain; do
    ./lovac bench 1 --vector $name >/dev/null 2>&1 || continue
    report "as released, vector code $name" "$(./lovac bench $depth --vector $name)"
done
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    for level in -O0 -O1 -O2 -O3; do
        build $cc$level CC=$cc CFLAGS=$level && report "$cc $level" "$(build/signature/$cc$level/lovac bench $depth)"
    done
done
# Other processors, as far as this one can play them.
machine=$(uname -m)
for arch in x86-64 x86-64-v2 x86-64-v3; do
    [ "$machine" = x86_64 ] || break
    build "gcc-$arch" ARCH=$arch && report "gcc -O3 -march=$arch" "$("build/signature/gcc-$arch/lovac" bench $depth)"
done
if echo 'int main(void) { return 0; }' | gcc -m32 -x c -o /dev/null - 2>/dev/null; then
    build gcc-i386 ARCH=i686 CFLAGS='-m32 -Wno-psabi' LDFLAGS=-m32 && report "gcc -O3, 32 bits" "$(build/signature/gcc-i386/lovac bench $depth)"
fi
if [ -z "$depth" ] && [ "$released" -ge 10000 ]; then
    echo "bench took $released ms: too long"
    failed=1
fi
[ $failed = 0 ] && echo "one signature: $wanted"
exit $failed
