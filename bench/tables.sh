#!/bin/bash
# How long our own tables of endings take to make, and how large they are, beside Syzygy's where these are found.
#
#   bench/tables.sh            all of up to 4 men
#   bench/tables.sh 3          up to so many; a game may follow (legan, horde32)
#   SYZYGY=folder bench/tables.sh
set -eu
cd "$(dirname "$0")/.."
men=${1:-4} game=${2:-chess}
lovac=${LOVAC:-./lovac}
syzygy=${SYZYGY:-${LOVAC_DATA:-../shared/data}/tablebases/syzygy}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bytes() { find "$1" -maxdepth 1 -name "$2" -printf '%s\n' 2>/dev/null | awk '{n += $1} END {print n + 0}'; }
TIMEFORMAT='%R s by the clock, %U s of processor time'
time "$lovac" tablebase make "$men" --variant "$game" --folder "$folder" --quiet
own=$(bytes "$folder/$game" '*.wdz')
echo "WDL and DTZ: $own bytes; mates: $(bytes "$folder/$game" '*.dtm') bytes"
if [ "$game" = chess ] && [ "$men" = 4 ] && [ -d "$syzygy" ]; then
    other=$(($(bytes "$syzygy" '*.rtbw') + $(bytes "$syzygy" '*.rtbz')))
    echo "Syzygy: $other bytes; ours are $(awk -v a="$own" -v b="$other" 'BEGIN {printf "%.2f", a / b}') times as large"
fi
