#!/bin/bash
# The page's pure parts (languages, words, rooms, navigation, settings, figures, connection) in node, without a browser:
# tests/page/*.test.mjs. A single file: node --test tests/page/words.test.mjs. Journeys in a browser: test_web.sh.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
missing=
[ -d web/node_modules/esbuild ] || missing="no esbuild (make web)"
command -v node >/dev/null || missing="no node"
if [ -n "$missing" ]; then
    skip "the parts of the page" "$missing"
    finish
    exit
fi
exec node --test --test-reporter=tap tests/page/*.test.mjs
