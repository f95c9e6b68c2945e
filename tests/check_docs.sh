#!/bin/bash
# What the pages say can be found: links lead somewhere, files that are named are there, the page of a folder names every
# header in it, and no table has the same row, or a row for the same thing, twice.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
pages=$(git ls-files '*.md' 2>/dev/null || find . -name '*.md' -not -path '*/node_modules/*' -not -path './build/*')

dead=
while IFS=$'\t' read -r page link; do
    case $link in
    http*:* | mailto:* | '#'*) continue ;;
    esac
    [ -e "$(dirname "$page")/${link%%#*}" ] || dead+="$page: $link"$'\n'
done < <(grep -oHE '\]\([^) ]+\)' $pages | sed -E 's/^([^:]*):\]\((.*)\)$/\1\t\2/')
is "every link leads to a file" "" "$dead"

# Names with a capital word, a star or an ellipsis stand for others.
missing=
while IFS=: read -r page name; do
    [[ $name =~ [A-Z]{4}|\*|… ]] && [[ ! $name =~ (README|CHANGELOG|CONTRIBUTING) ]] && continue
    found=
    for path in "$name" "src/$name" "tests/$name" "web/$name" "$(dirname "$page")/$name"; do
        [ -e "$path" ] && found=1
    done
    [ -n "$found" ] || missing+="$page: $name"$'\n'
done < <(grep -oHE '`(src|tests|bench|docs|web|nets|books|packaging|base|core|engine|play|lab|server|tables|app)/[A-Za-z0-9_./*-]+`' $pages |
    grep -v 'lab/NUMBER' | tr -d '`')
is "every file that is named with its folder is there" "" "$missing"

# A page may name several at once: nnue*.c, request_*.c. Headers that are private to a folder need no row.
lacking=
for folder in base core tables engine play lab server app; do
    mapfile -t names < <(grep -oE '[a-z0-9_]+[a-z0-9_*]*\.[ch]' "docs/$folder.md" | sed 's/\.[ch]$//' | sort -u)
    for header in "src/$folder"/*.h; do
        base=$(basename "$header" .h)
        [[ $base == *_int || $base == *_avx512 ]] && continue
        for name in "${names[@]}"; do
            # shellcheck disable=SC2053
            [[ $base == $name ]] && continue 2
        done
        lacking+="docs/$folder.md: $base.h"$'\n'
    done
done
is "the page of a folder names its headers" "" "$lacking"

# In a table that lists files a row begins with a name: twice the same is a row that was meant to take another's place.
twice=$(awk 'FNR == 1 || !/^\|/ { delete seen; is_list = 0 }
    /^\|/ && is_list { split($0, cell, /[|,]/); if (seen[cell[2]]++) print FILENAME ":" FNR ":" cell[2] }
    /^\| *(file|files|header|player|helper|command) *\|/ { is_list = 1 }
    !/^\|/ && length($0) > 40 && $0 == last { print FILENAME ":" FNR ": " $0 }
    { last = $0 }' $pages)
is "nothing stands there twice" "" "$twice"
finish
