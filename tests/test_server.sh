#!/bin/bash
# The server end to end: games, bad clients, kill -9, the laboratory, load. Each part is a program of its own that speaks TAP and
# can also be run alone: node tests/server/play.mjs [word in a test's name].
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
reason=
"$LOVAC" help serve >/dev/null 2>&1 || reason="this build has none: its libraries were missing"
command -v node >/dev/null || reason="no node"
if [ -n "$reason" ]; then
    skip "the server" "$reason"
    finish
    exit
fi
export LOVAC LOVAC_TEST_LEVEL
status=0
# They mostly wait, so they run side by side; only what is measured runs alone.
for part in play faults crash lab strangers; do
    { timeout 900 node "tests/server/$part.mjs" || echo "# failed"; } >"$scratch/$part" 2>&1 &
done
wait
for part in play faults crash lab strangers; do
    echo "# $part"
    cat "$scratch/$part"
    ! grep -q '^# failed' "$scratch/$part" || status=1
done
echo "# load"
timeout 900 node tests/load/load.mjs || status=1
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    echo "# class"
    timeout 900 node tests/load/class.mjs || status=1
fi
exit $status
