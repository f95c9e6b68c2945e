#!/bin/bash
# Who may include whom: base <- core <- tables <- engine <- play <- {lab, server} <- app. An arrow that is not in the list
# fails, and so do folders, at every depth, that include each other.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
declare -A may=(
    [base]="base"
    [core]="base core"
    [tables]="base core tables"
    [engine]="base core tables engine"
    [play]="base core tables engine play"
    [lab]="base core tables engine play lab"
    [server]="base core tables engine play server"
    [app]="base core tables engine play lab server app"
)
# FILE:LINE:TARGET of every include of a file of ours
includes=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src --include='*.[ch]' --include='*.cu' --include='*.cuh' |
    sed -E 's,^([^:]*:[0-9]+:).*"([^"]*)".*,\1\2,')
for folder in src/*/; do
    folder=$(basename "$folder")
    bad=
    if [ -z "${may[$folder]:-}" ]; then
        fail "src/$folder is a known folder"
        continue
    fi
    while IFS=: read -r file line target; do
        [ -n "$file" ] || continue
        [[ $target == */* && " ${may[$folder]} " == *" ${target%%/*} "* ]] || bad+="$file:$line: $target"$'\n'
        # foo_int.h is private to its folder.
        [[ $target != *_int.h || src/${target%/*} = "${file%/*}" ]] || bad+="$file:$line: $target is private"$'\n'
    done < <(grep "^src/$folder/" <<<"$includes")
    is "src/$folder includes only what it may" "" "$bad"
done
# Folders with subfolders counted as folders of their own: FOLDER includes FOLDER.
arrows=$(sed -E 's,^src/([^:]*)/[^/:]*:[0-9]+:(.*)/[^/]*$,\1 \2,' <<<"$includes" | sort -u)
is "no folder, at any depth, includes one that includes it" "" "$(tsort <<<"$arrows" 2>&1 >/dev/null)"
# The drawing in docs/includes.md: an arrow for each pair of folders but those that a longer way shows.
# `tests/check_includes.sh draw` makes it anew.
drawing=$(awk '$1 != $2 { edge[$1, $2] = reach[$1, $2] = 1; node[$1] = node[$2] = 1 }
    END {
        for (k in node) for (i in node) for (j in node) if (((i, k) in reach) && ((k, j) in reach)) reach[i, j] = 1
        for (i in node) for (j in node) {
            direct = (i, j) in edge
            for (k in node) if (((i, k) in edge) && ((k, j) in reach)) direct = 0
            if (direct) print "    " i " --> " j
        }
    }' <<<"$arrows" | sort)
page=$(printf '# Who includes whom\n\nAn arrow points to what a folder of `src/` includes; what a longer way shows is left out. Made by\n`tests/check_includes.sh draw`.\n\n```mermaid\ngraph TD\n%s\n```' "$drawing")
[ "${1:-}" != draw ] || echo "$page" >docs/includes.md
is "docs/includes.md is the drawing of it" "$page" "$(cat docs/includes.md)"
finish
