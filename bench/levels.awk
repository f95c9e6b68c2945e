# The output of `lovac rate --csv` as the table of levels: fitted Elo with its bar, and the same on the scale of those players whose
# name ends in their own rating (stockfish-1700): the straight line through these that fits best.
NR > 1 {
    gsub(/"/, "", $2)
    elo[$2] = $3; bar[$2] = $4; games[$2] = $5; score[$2] = $6
    if ($2 ~ /^stockfish-/) {
        own = substr($2, 11)
        n++; x += $3; y += own; xx += $3 * $3; xy += $3 * own
    }
}
END {
    slope = n > 1 ? (n * xy - x * y) / (n * xx - x * x) : 1
    shift = n ? (y - slope * x) / n : 0
    if (n > 1)
        printf "scale of %d anchors: a point there is %.2f points here\n", n, 1 / slope
    print "| player | fitted Elo | ± | above the one before | on the anchors' scale | games |\n|---|---|---|---|---|---|"
    for (i = 1; i <= 12; i++) {
        p = "level-" i
        if (p in elo)
            printf "| %s | %.0f | %.0f | %s | %.0f | %d |\n", p, elo[p], bar[p], (i > 1 ? sprintf("%.0f", elo[p] - elo["level-" (i - 1)]) : ""),
                shift + slope * elo[p], games[p]
    }
    for (p in elo)
        if (p !~ /^level-/)
            printf "| %s | %.0f | %.0f | | %.0f | %d |\n", p, elo[p], bar[p], shift + slope * elo[p], games[p]
}
