#!/bin/bash
# `lovac convert` beside pgn-extract (Debian's package of that name): how fast both are on the same file, whether filters
# choose the same games, and whether both read the same moves in small files with every feature of PGN.
#   bench/convert.sh [speed|filters|files ...]     (all three); MEGABYTES=60 ROUNDS=3 LOVAC=./lovac
# Filters and files also take the games of ../shared/data (or LOVAC_DATA), where they are.
set -u
cd "$(dirname "$0")/.." || exit 1
megabytes=${MEGABYTES:-60} rounds=${ROUNDS:-3} data=${LOVAC_DATA:-../shared/data} lovac=${LOVAC:-./lovac}
PATH=$PATH:/usr/games
command -v pgn-extract >/dev/null || { echo "skipped: pgn-extract is missing"; exit 0; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

# The moves of the main lines, a game a line; games without moves are left aside.
clean_ours() { sed 's/^.* moves //; /^startpos$/d; /^fen /d'; }
clean_theirs() { sed 's/ *$//; s/ *\(1-0\|0-1\|1\/2-1\/2\|\*\)$//; s/--/0000/g; /^ *$/d' | tr QRBN qrbn; }
ours() { "$lovac" convert --to uci --quiet --letters en "$@" 2>/dev/null | clean_ours; }
theirs() { pgn-extract -s -C -N -V --notags --allownullmoves -Wuci -w1000000 --noresults "$@" 2>/dev/null | clean_theirs; }

# ---- speed ----
seconds() { # of processor time, the least of all rounds
    for ((i = 0; i < rounds; i++)); do
        { TIMEFORMAT='%U %S'; time "$@" >"$work/null" 2>&1; } 2>&1 | tail -n 1 | awk '{print $1 + $2}'
    done | sort -n | head -n 1
}
row() { # row NAME WHERE... -- PGN-EXTRACT...
    local name=$1 a b mine=()
    shift
    while [ "$1" != -- ]; do mine+=("$1"); shift; done
    shift
    a=$(seconds "$lovac" convert "$work/big.pgn" --quiet --output "$work/a.pgn" "${mine[@]}")
    b=$(seconds pgn-extract -s "-o$work/b.pgn" "$@" "$work/big.pgn")
    awk -v n="$name" -v a="$a" -v b="$b" -v mb="$size" \
        'BEGIN {printf "%-28s %6.2f s (%4.0f MB/s) %7.2f s  %5.1f times\n", n, a, mb / a, b, b / a; exit b < 2 * a}' || bad=1
}
speed() {
    local build=build/plain-${CC:-gcc}-native-lab
    make -s CONFIG=plain PARTS=lab library "$build/bench/pgn" && "$build/bench/pgn" make "$megabytes" "$work/big.pgn" || exit 1
    size=$(($(stat -c %s "$work/big.pgn") / 1000000))
    printf 'Result "1-0"\nResult "0-1"\n' >"$work/none"
    printf 'FENPattern "*/*/*/*/*/*/*/*QK*"\n' >"$work/board"
    printf '0 R1P1 r1\n' >"$work/men"
    printf '%d MB, %d games; processor time        lovac        pgn-extract\n' "$size" "$(grep -c '^\[Event ' "$work/big.pgn")"
    row "written clean" --
    row "comments stripped" --strip comments -- -C
    row "long algebraic" --moves long -- -Whalg
    row "filter: result" --where 'result=1-0 or result=0-1' -- "-t$work/none"
    row "filter: length" --where 'moves<=30' -- -bu30
    row "filter: checkmate" --where 'end=checkmate' -- -M
    row "filter: board" --where 'position=*/*/*/*/*/*/*/*QK*' -- "-t$work/board"
    row "filter: men" --where 'material=KRPKR' -- "-z$work/men"
    row "no duplicates" --unique moves -- -D
}

# ---- filters ----
same_row() { # same_row WHERE PGN-EXTRACT...
    local where=$1 a b
    shift
    ours "$work/all.pgn" --where "$where" | sort >"$work/a"
    theirs "$@" "$work/all.pgn" | sort >"$work/b"
    a=$(wc -l <"$work/a") b=$(wc -l <"$work/b")
    if cmp -s "$work/a" "$work/b"; then
        printf '%-62s %5d games  same\n' "$where" "$a"
    else
        printf '%-62s %5d games  %d in pgn-extract: %s\n' "$where" "$a" "$b" "${why:-DIFFERENT}"
        [ -n "${why:-}" ] || bad=1
    fi
}
# Do all of our games with KRPKR really have a position with five men like that, counted without Lovac's filter?
has_five_men() {
    "$lovac" convert "$work/all.pgn" --quiet --where 'material=KRPKR' --split 1 --output "$work/five.pgn" 2>/dev/null
    for file in "$work"/five-*.pgn; do
        "$lovac" convert "$file" --to fen --positions all --quiet 2>/dev/null |
            awk '{s = $1; gsub(/[0-9\/]/, "", s); n = split(tolower(s), l, ""); delete c; for (i = 1; i <= n; i++) c[l[i]]++
                  if (n == 5 && c["r"] == 2 && c["p"] == 1) found = 1} END {exit !found}' || return 1
    done
}
filters() {
    local files=("$data"/pgn/pychess/world_matches.pgn "$data"/pgn/pychess/dortmund.pgn "$data"/pgn/scalachess/*.pgn)
    if [ ! -f "${files[0]}" ]; then
        echo "filters: skipped, there are no games in $data"
        return
    fi
    cat "${files[@]}" >"$work/all.pgn"
    printf 'Date >= "1950"\nDate < "1980"\n' >"$work/date"
    printf 'WhiteElo >= "2600"\nBlackElo >= "2600"\n' >"$work/elo"
    printf 'FENPattern "*/*/*/*/*/*/5PP1/*K*"\n' >"$work/board"
    printf 'FENPattern "r1bq*/*/*/*/2B1P*/*/*/*1RK1"\n' >"$work/board2"
    printf 'FEN "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"\n' >"$work/fen"
    printf '0 R1P1 r1\n' >"$work/men"
    printf '%-62s %5d games  %d in pgn-extract\n' "no filter" "$(ours "$work/all.pgn" | wc -l)" "$(theirs "$work/all.pgn" | wc -l)"
    same_row 'player~Karpov*' -TpKarpov
    same_row 'white~Kasparov*' -TwKasparov
    same_row 'result=0-1' -Tr0-1
    same_row 'date>=1950 date<1980' "-t$work/date"
    same_row 'elo>=2600' "-t$work/elo"
    same_row 'setup!=1 moves<=20' -bu20 --nosetuptags # it counts from the number of the first move, not from the first move
    same_row 'setup!=1 moves>=80' -bl80 --nosetuptags
    same_row 'end=checkmate' -M
    same_row 'position=*/*/*/*/*/*/5PP1/*K*' "-t$work/board"
    same_row 'position=r1bq*/*/*/*/2B1P*/*/*/*1RK1' "-t$work/board2"
    same_row 'fen="rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w"' "-t$work/fen"
    why="a game without an ECO tag is classified" same_row 'eco=B' -TeB
    why=
    has_five_men && why="it misses some; every one of ours has such a position"
    why=$why same_row 'material=KRPKR' "-z$work/men"
    a=$("$lovac" convert "$work/all.pgn" --unique moves --to uci --quiet 2>/dev/null | wc -l)
    b=$(pgn-extract -s -D "$work/all.pgn" 2>/dev/null | grep -ac '^\[Event ')
    printf '%-62s %5d games  %d in pgn-extract\n' "--unique moves" "$a" "$b"
}

# ---- files ----
# Small files of our own, a feature of the standard or a habit of other programs in each; \n ends a line.
OWN=(
    '1. e4 e5 2. Nf3 Nc6 *' '1.e4 e5 2.Nf3 Nc6 1-0' '1 e4 e5 2 Nf3 Nc6 0-1' '1. e4 1... e5 2. Nf3 2... Nc6 1/2-1/2'
    'e4 e5 Nf3 Nc6 *' '1. e4\ne5\n2. Nf3\nNc6\n*' '1. e4   e5\t2. Nf3 Nc6   *' '1. e4 e5\r\n2. Nf3 Nc6 *\r\n'
    '[Event "x"]\n\n1. e4 e5 *' '[Event "x"]\n[Event "y"]\n\n1. e4 e5 *' '[Event "a \\"b\\" c"]\n\n1. e4 e5 *'
    '[Event ""]\n[Site "?"]\n\n1. e4 *' '[Event "x"] [Site "y"]\n\n1. e4 *' '[ Event "x" ]\n\n1. e4 *'
    '[Event "x"]\n1. e4 e5 *' '[Event "x"]\n\n\n\n1. e4 e5 *\n\n\n\n[Event "y"]\n\n1. d4 *' '1. e4 *\n1. d4 *'
    '1. e4 {a comment} e5 {two} {three} *' '{before} 1. e4 e5 *' '1. e4 e5 * {after}\n' '1. e4 {} e5 *' '1. e4 ; to the end 2. d4\ne5 *'
    '1. e4 {a ; b} e5 *' '1. e4 {over\ntwo lines} e5 *' '%% an escape line\n1. e4 e5 *' '1. e4 e5\n%% 2. d4 d5\n2. Nf3 *'
    '1. e4 $1 e5 $2 2. Nf3 $14 *' '1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *' '1. e4 $1 $5 {both} e5 *'
    '1. e4 (1. d4 d5) 1... e5 *' '1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 *' '1. e4 (1. d4) (1. c4) e5 *'
    '1. e4 e5 (1... c5 {in it} 2. Nf3 $1) 2. Nf3 *' '1. e4 e5 2. Nf3 (2. f4) *' '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *'
    '1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. 0-0 Be7 5. Re1 0-0 *' '1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O *'
    '1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Nd5 5. bxa8=Q *' '1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Nd5 5. bxa8Q *'
    '1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Nd5 5. bxc8=N Nb6 *' '1. e4 a6 2. e5 d5 3. exd6 *' '1. e4 a6 2. e5 d5 3. exd6 e.p. *'
    '1. f3 e5 2. g4 Qh4# 0-1' '1. f3 e5 2. g4 Qh4 0-1' '1. e4 f6 2. Qh5+ g6 *' '1. e4 f6 2. Qh5 g6 *'
    '1. Nf3 Nf6 2. Nc3 Nc6 3. Nd4 Nd5 4. Ndb5 Ndb4 *' '1. e2e4 e7e5 2. g1f3 *' '1. e2-e4 e7-e5 2. Ng1-f3 *' '1. Ng1f3 d7d5 *'
    '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Kd7 *' '[FEN "4k3/4p3/8/8/8/8/8/4K3 b - - 0 30"]\n[SetUp "1"]\n\n30... e5 31. Kd2 *'
    '[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]\n[SetUp "1"]\n\n1. O-O O-O-O *' '[FEN "8/P7/8/8/8/8/8/k1K5 w - - 0 1"]\n\n1. a8=R# *'
    '[White "M\xfcller"]\n\n1. e4 *' '[White "Müller, ♘"]\n\n1. e4 *' '1. d4 d5 2. c4 dxc4 3. e4 b5 4. a4 c6 5. axb5 cxb5 6. Nc3 a6 7. Nxb5 axb5 8. Rxa8 *'
    '1. e4 e5 2. Ke2 Ke7 3. Ke3 Ke6 4. Kf3 Kf6 1/2-1/2'
)
# Why a file differs, found in the file and in what both say about it.
explain() {
    local file=$1
    if "$lovac" convert --check "$file" 2>/dev/null | grep -aq "Variant: .* is not known"; then
        echo "another game, which Lovac names and pgn-extract reads as chess"
    elif [ "$(diff "$work/a" "$work/b" | grep -c '^>')" = 0 ]; then
        echo "games that pgn-extract drops whole: $(pgn-extract -s -r "$file" 2>&1 | grep -aoE 'Missing result|Unknown move text|Failed to make move|Null moves|Unmatched comment|Unknown character' | sort -u | paste -sd,)"
    elif grep -aqi 'fischer\|960' "$file" && [ "$(wc -l <"$work/a")" = "$(wc -l <"$work/b")" ]; then
        echo "castling of Chess960: king to rook, and king to its goal"
    elif grep -aq 'Z0\|--' "$file"; then
        echo "null moves, which pgn-extract writes in other words"
    fi
}
compare() { # compare NAME FILE
    local reason
    total=$((total + 1))
    ours "$2" >"$work/a"
    theirs "$2" >"$work/b"
    if cmp -s "$work/a" "$work/b"; then
        equal=$((equal + 1))
        return
    fi
    reason=$(explain "$2")
    [ -n "$reason" ] || bad=1
    printf '%-62s %s\n' "$1" "${reason:-NOT EXPLAINED}"
}
files() {
    local i=0
    total=0 equal=0
    for text in "${OWN[@]}"; do
        printf "$text\n" >"$work/own.pgn" # the texts are formats
        compare "own $((++i)): $text" "$work/own.pgn"
    done
    while read -r file; do
        compare "${file#"$data"/}" "$file"
    done < <(find "$data" -name '*.pgn' 2>/dev/null | sort)
    printf '%d files, %d equal, %d explained above\n' "$total" "$equal" $((total - equal))
}

for part in ${*:-speed filters files}; do
    "$part"
done
exit $bad
