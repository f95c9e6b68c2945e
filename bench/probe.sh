#!/bin/bash
# How fast Syzygy tables answer, and our own of four men beside them, one thread, by processor time.
#   bench/probe.sh [FOLDERS] [ROUNDS]     ($LOVAC_DATA or ../shared/data, 5); the median of the rounds
#   OWN=FOLDER bench/probe.sh             where `lovac tablebase make 4` has put ours
set -u
cd "$(dirname "$0")/.." || exit 1
folders=${1:-${LOVAC_DATA:-../shared/data}/tablebases/syzygy} rounds=${2:-5} cc=${CC:-gcc}
if [ ! -e "${folders%%:*}/KPvKP.rtbw" ]; then
    echo "no tables in $folders"
    exit 0
fi
make -s CONFIG=plain CC="$cc" PARTS=engine library || exit 1
build=build/plain-$cc-native-engine
make -s CONFIG=plain CC="$cc" PARTS=engine "$build/bench/probe" || exit 1
for ((i = 0; i < rounds; i++)); do
    "$build/bench/probe" "$folders" 200000 ${OWN:+"$OWN"} || exit 1
done | sort -k1,1 -k2,2n | awk '{v[$1] = v[$1] " " $2; n[$1]++} END {for (k in v) {split(v[k], a, " "); printf "%-13s %d\n", k, a[int((n[k] + 1) / 2)]}}'
