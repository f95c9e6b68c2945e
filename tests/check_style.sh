#!/bin/bash
# The layout (clang-format), the length of files, and words that no finished source has.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
sources=$(find src tests bench \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) | sort)
if command -v clang-format >/dev/null; then
    is "clang-format would change nothing (make format)" "" \
        "$(clang-format --dry-run $sources 2>&1 | sed -nE 's/^([^:]+:[0-9]+).*/\1/p' | sort -u -t: -k1,1 | head -n 20)"
else
    skip "clang-format would change nothing" "no clang-format"
fi
is "no source file is longer than 1100 lines" "" "$(wc -l $sources | awk '$1 > 1100 && $2 != "total" {print $2 ": " $1}')"
is "nothing is left to do in the sources" "" "$(grep -nwE 'TODO|FIXME|XXX|HACK' $sources)"
is "no trailing space, no carriage return" "" \
    "$(git ls-files 2>/dev/null | grep -E '\.(c|h|cu|sh|md)$|^(Makefile|run|test)$' | xargs -r grep -nE '[ '$'\t\r'']$' | head)"
finish
