#!/bin/bash
# The server end to end: games, bad clients, kill -9, load. Each part is a program of its own that speaks TAP and can also be run
# alone: node tests/server/play.mjs [word in a test's name].
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
for part in server/play server/faults server/crash load/load; do
    echo "# $part"
    timeout 900 node "tests/$part.mjs" || status=1
done
exit $status
