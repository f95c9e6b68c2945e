#!/bin/bash
# Nodes a second beside other engines, one thread: the `bench` of each in turn, and how many times as fast as each Lovac is (medians).
#   bench/nps.sh [ROUNDS]     (5)
# LOVAC: the program; OTHERS: engines that answer to "bench" on the command line (ethereal-chess stockfish). One that is not installed
# is left out, and said so.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH=$PATH:/usr/games
lovac=${LOVAC:-./lovac}
rounds=${1:-5}
others=
for engine in ${OTHERS:-ethereal-chess stockfish}; do
    if command -v "$engine" >/dev/null; then others="$others $engine"; else echo "$engine is not installed" >&2; fi
done
[ -x "$lovac" ] || make -s || exit 1

# Prints nodes a second of one run, as the engines say it: "Nodes/second  N" or "NPS : N".
speed() {
    "$@" 2>&1 </dev/null | tr -d '\r' | awk '
        tolower($0) ~ /nodes\/second/ {v = $NF}
        $1 == "NPS" {v = $NF}
        END {print v + 0}'
}

for ((i = 1; i <= rounds; i++)); do
    mine=$(speed "$lovac" bench 14)
    hand=$(speed "$lovac" bench 14 --net none)
    echo "lovac $mine"
    echo "lovac,hand-written $hand"
    for engine in $others; do echo "$engine $(speed "$engine" bench)"; done
    [ -t 2 ] && printf '\rround %d of %d' "$i" "$rounds" >&2
done | awk '
    !($1 in count) {order[++engines] = $1}
    {value[$1, ++count[$1]] = $2}
    function median(name, over,    n, i, j, t, list) {
        n = count[name]
        for (i = 1; i <= n; i++) list[i] = over ? value["lovac", i] / (value[name, i] ? value[name, i] : 1) : value[name, i]
        for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) {t = list[j]; list[j] = list[j - 1]; list[j - 1] = t}
        return list[int((n + 1) / 2)]
    }
    END {
        printf "%-22s %16s %18s\n", "engine", "nodes/s", "lovac is so fast"
        for (k = 1; k <= engines; k++) {
            name = order[k]; shown = name; sub(",", ", ", shown)
            printf "%-22s %16d %18.2f\n", shown, median(name, 0), median(name, 1)
        }
    }'
[ -t 2 ] && echo >&2
exit 0
