#!/bin/bash
# The program for 64-bit ARM, cross-built by `make arm64` and run under qemu-user: the same signature with NEON as here, perft,
# UCI. Long suite: the build takes minutes.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
if [ "$LOVAC_TEST_LEVEL" != long ]; then
    skip "the program for 64-bit ARM" "long suite only"
elif ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip "the program for 64-bit ARM" "no qemu-user or no cross compiler here"
fi
[ "$tests_done" = 0 ] || { finish; exit; }

exits "make arm64" 0 make --no-print-directory arm64
run() { timeout 600 qemu-aarch64 build/arm64/lovac "$@"; }
signature() { sed -n 's/^Nodes  *//p'; }
is "the same signature as here, with NEON" "$("$LOVAC" bench | signature)" "$(run bench --vector neon | signature)"
is "and with plain code" "$("$LOVAC" bench 6 | signature)" "$(run bench 6 --vector plain | signature)"
is "perft" "Nodes searched: 197281" "$(run perft 4 | tail -n 1)"
out=$(printf 'position startpos moves e2e4\ngo depth 6\n' | run)
is "UCI: one best move" 1 "$(grep -c '^bestmove' <<<"$out")"
finish
