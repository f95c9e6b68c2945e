#!/bin/bash
# The list of mutants fits the program; the long suite also tries whether the tests notice them (tests/mutate).
# shellcheck disable=SC2154
cd "$(dirname "$0")/.." || exit 1
. tests/lib.sh
exits "every mutant can be made" 0 tests/mutate --check
has "and there are many" '^[1-9][0-9]+ mutants' "$out"
exits "an unknown one is refused" 2 tests/mutate no-such-mutant
has "by name" 'no-such-mutant' "$out"
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    exits "95 of 100 are caught" 0 env -u LOVAC_TEST_LEVEL tests/mutate
    sed 's/^/# /' <<<"$out"
fi
finish
