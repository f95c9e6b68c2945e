#!/bin/bash
# The page's own house rules: equal keys in all languages, types that fit, no style or script in the HTML.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
if ! command -v node >/dev/null; then
    skip "the page's messages and types" "no node"
    finish
    exit
fi
exits "every language has every message, with the same places and its plural forms" 0 node web/check_messages.mjs
if [ -x web/node_modules/.bin/tsc ]; then
    exits "the types fit (tsc)" 0 web/node_modules/.bin/tsc --noEmit -p web
else
    skip "the types fit" "no typescript (make web-tools)"
fi
if [ -x web/node_modules/.bin/tsc ]; then
    exits "the examples of messages fit the page's types (web/check_examples.mjs)" 0 node web/check_examples.mjs
else
    skip "the examples of messages" "no typescript (make web-tools)"
fi
if [ -x web/node_modules/.bin/prettier ]; then
    exits "the sources are laid out as prettier does (npx prettier --write web/src)" 0 \
        web/node_modules/.bin/prettier --log-level warn --check 'web/src/**/*.{ts,tsx}'
else
    skip "the layout of the sources" "no prettier (make web-tools)"
fi
is "no inline script or style in index.html" "" "$(grep -nE '<style|[ ]style=|[ ]on[a-z]+=|<script>' web/index.html)"
is "no source file of the page is longer than 1100 lines" "" \
    "$(find web/src -name '*.ts*' -print0 | xargs -0 wc -l | awk '$1 > 1100 && $2 != "total" {print $2 ": " $1}')"
is "nothing is left to do in the page's sources" "" "$(grep -rnwE 'TODO|FIXME|XXX|HACK' web/src web/build.mjs)"
is "the lock file names no server" "" "$(grep -n '"resolved"' web/package-lock.json | head -n 3)"
finish
