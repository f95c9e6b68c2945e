#!/bin/bash
# How fast our own tables tell distances to mate, beside Gaviota's library (Debian's libgaviotatb-dev) with its files.
#   bench/mates.sh [GAVIOTA-FOLDER] [ROUNDS]     ($LOVAC_DATA or ../shared/data, 5); the median of the rounds
#   GTB=PREFIX bench/mates.sh                    where the library is, if not in /usr
set -u
cd "$(dirname "$0")/.." || exit 1
gaviota=${1:-${LOVAC_DATA:-../shared/data}/tablebases/gaviota} rounds=${2:-5} cc=${CC:-gcc} gtb=${GTB:-/usr}
if [ ! -e "$gaviota/krk.gtb.cp4" ] || [ ! -e "$gtb/include/gtb-probe.h" ]; then
    echo "no Gaviota files in $gaviota, or no libgaviotatb-dev"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
make -s CONFIG=plain CC="$cc" PARTS=engine library || exit 1
make -s CONFIG=plain CC="$cc" PARTS=engine EXE="$folder/lovac" program || exit 1
"$folder/lovac" tablebase make 3 --folder "$folder/tables" --quiet >/dev/null || exit 1
"$cc" -std=c17 -D_GNU_SOURCE -O3 -march=native -Isrc -I"$gtb/include" -o "$folder/mates" bench/mates.c \
    "build/plain-$cc-native-engine/liblovac.a" -L"$gtb/lib" -Wl,-rpath,"$gtb/lib" -lgaviotatb -lpthread -lm || exit 1
for ((i = 0; i < rounds; i++)); do
    "$folder/mates" "$folder/tables" "$gaviota" || exit 1
done | sort -k1,1 -k2,2n | awk '{v[$1] = v[$1] " " $2; n[$1]++} END {for (k in v) {split(v[k], a, " "); printf "%-12s %s\n", k, a[int((n[k] + 1) / 2)]}}'
