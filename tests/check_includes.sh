#!/bin/bash
# Who may include whom: base <- core <- tables <- engine <- {lab, server} <- app. An arrow that is not in the list fails.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
declare -A may=(
    [base]="base"
    [core]="base core"
    [tables]="base core tables"
    [engine]="base core tables engine"
    [lab]="base core tables engine lab"
    [server]="base core tables engine server"
    [app]="base core tables engine lab server app"
)
for folder in src/*/; do
    folder=$(basename "$folder")
    bad=
    if [ -z "${may[$folder]:-}" ]; then
        fail "src/$folder is a known folder"
        continue
    fi
    while IFS=: read -r file line text; do
        [ -n "$file" ] || continue
        target=$(sed -E 's/.*"([^"]*)".*/\1/' <<<"$text")
        [[ $target == */* && " ${may[$folder]} " == *" ${target%%/*} "* ]] || bad+="$file:$line: $target"$'\n'
        # foo_int.h is private to its folder.
        [[ $target != *_int.h || ${target%%/*} = "$folder" ]] || bad+="$file:$line: $target is private"$'\n'
    done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "src/$folder" --include='*.[ch]' --include='*.cu' --include='*.cuh')
    is "src/$folder includes only what it may" "" "$bad"
done
finish
