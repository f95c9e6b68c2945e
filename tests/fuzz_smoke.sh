#!/bin/bash
# Runs one fuzz target over its seeds and then for a few seconds more. For real fuzzing: `make fuzz`.
cd "$(dirname "$0")/.." || exit 1
name=$1 seconds=${FUZZ_SMOKE_SECONDS:-5}
seeds=tests/corpus/${name#fuzz_}
corpus=$(mktemp -d) || exit 1
trap 'rm -rf "$corpus"' EXIT
[ -d "$seeds" ] || seeds=
if "build/fuzz/$name" -max_total_time="$seconds" -seed=1 -artifact_prefix="$PWD/build/crash-$name-" "$corpus" $seeds; then
    echo "ok - $name"
else
    echo "not ok - $name"
    exit 1
fi
