#!/bin/bash
# The page in a real browser: tests/web/*.test.mjs (journeys through play, watching, analysis, library, settings, network,
# 2D and 3D). Needs node, Chromium and the modules of web/. LOVAC_TEST_LEVEL=long runs the long ones too.
source "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

missing=
command -v node >/dev/null || missing="node is not installed"
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing=${missing:-"Chromium is not installed"}
[ -d "$here/../web/node_modules/playwright-core" ] || missing=${missing:-"web/node_modules is not there (make web)"}
"$LOVAC" help 2>/dev/null | grep -q '^ *serve' || missing=${missing:-"this build has no server"}
if [ -n "$missing" ]; then
    skip "the page in a browser" "$missing"
    finish
    exit
fi
exec node "$here/web/run.mjs" "$@"
