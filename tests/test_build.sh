#!/bin/bash
# The build itself: what is linked, that nothing is done twice, that the two commands are quick, install.
source "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/.." || exit 1
if [ "$LOVAC_TEST_LEVEL" = quick ]; then
    skip "the build" "once is enough"
    finish
    exit
fi
engine=build/lovac-engine
if [ -x $engine ]; then
    is "the engine alone needs libc and libm, no more" "" \
        "$(ldd $engine | awk '{print $1}' | grep -vE '^(linux-vdso|libc|libm|libpthread)\.so|^/lib.*/ld-linux|^ldd|^not$|^statically$')"
    is "the engine alone counts right" "Nodes searched: 197281" "$($engine perft 4 | tail -n 1)"
else
    fail "the engine alone was built"
fi
make -q program >/dev/null 2>&1
is "a second make has nothing to do" 0 $?
begin=$(date +%s%N)
said=$(./run perft 3 2>&1)
took_ms=$((($(date +%s%N) - begin) / 1000000))
is "run passes its arguments on, and says nothing of its own" 'Nodes searched: 8902' "$(grep -v '^Time\|^Nodes/s' <<<"$said")"
# A build takes far longer, however fast the machine; a busy one may need more than a second for this.
[ $took_ms -lt 5000 ] && pass "a second run builds nothing" || fail "a second run builds nothing" "$took_ms ms"
has "run alone opens the board" 'http://127\.0\.0\.1:' "$(XDG_DATA_HOME=$scratch BROWSER=true timeout -s INT 4 ./run </dev/null 2>&1)"
exits "run tells the exit status" 2 ./run nonsense
exits "make install" 0 make -s install DESTDIR="$scratch" PREFIX=/usr
has "the installed program works" '^Lovac ' "$("$scratch/usr/bin/lovac" --version)"
exits "a network that is not there is refused" 2 make EVALFILE=/nonexistent.nnue
has "in words" 'there is no such file' "$out"
exits "an unknown configuration is refused" 2 make CONFIG=fastest
has "help lists the targets" '^  sanitize|sanitize' "$(make help)"
is "every command is in its page" "" "$(for f in src/app/cmd_*.c; do grep -q "$(basename "$f")" docs/*.md README.md || echo "$f"; done)"
finish
