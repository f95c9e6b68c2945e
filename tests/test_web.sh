#!/bin/bash
# The page in a real browser: tests/web/*.test.mjs (journeys through play, watching, analysis, library, settings, network,
# 2D and 3D). Needs node, Chromium and the modules of web/. LOVAC_TEST_LEVEL=long runs the long ones too.
source "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

missing=
command -v node >/dev/null || missing="node is not installed"
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing=${missing:-"Chromium is not installed"}
# The build takes only what the page needs; the tests need the rest of package.json. The stamp keeps its old time,
# so that nothing is built anew because of it.
if [ -z "$missing" ] && ! [ -d "$here/../web/node_modules/playwright-core" ]; then
    (make -s -C "$here/.." web-tools >/dev/null 2>&1 && touch -r "$here/../web/package-lock.json" "$here/../web/node_modules/.lovac") ||
        missing="npm could not fetch the modules of web/package.json"
fi
"$LOVAC" help 2>/dev/null | grep -q '^ *serve' || missing=${missing:-"this build has no server"}
if [ -n "$missing" ]; then
    skip "the page in a browser" "$missing"
    finish
    exit
fi
exec node "$here/web/run.mjs" "$@"
