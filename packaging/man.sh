#!/bin/bash
# The manual page, made of the program's own help: packaging/man.sh ./lovac >lovac.6
# SOURCE_DATE_EPOCH, where it is set, is its date.
set -eu
lovac=$1
version=$("$lovac" --version | sed -n '1s/^Lovac //p')
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%d)
# roff's own characters lose their meaning.
plain() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\&\\1/" -e "s/'/\\\\(aq/g" -e 's/`/\\(ga/g' -e 's/\^/\\(ha/g' -e 's/~/\\(ti/g'; }
# A help text: usage and examples as they stand, options as a list, the rest as paragraphs.
body() {
    awk '
    function mode(want) {
        if (want == now) return
        if (now == "fixed") print ".EE"
        if (want == "fixed") print ".PP\n.EX"
        else if (want == "text") print ".PP"
        now = want
    }
    /^$/ { mode(""); next }
    /^(Usage|Examples?):/ { mode("fixed"); is_kept = 1; print; next }
    now == "fixed" && is_kept && /^  / { print; next }
    { is_kept = 0 }
    /^  \\-\\-/ {
        mode("option")
        line = substr($0, 3)
        at = match(line, /   *[^ ]/)
        print ".TP\n.B " (at ? substr(line, 1, at - 1) : line)
        if (at) { rest = substr(line, at); sub(/^ +/, "", rest); print keep(rest) }
        next
    }
    now == "option" && /^      / { sub(/^ +/, ""); print keep($0); next }
    /^  / { mode("fixed"); print; next }
    { mode("text"); print keep($0) }
    function keep(text) { return text ~ /^[.]/ ? "\\&" text : text }
    END { mode("") }'
}
cat <<END
.TH LOVAC 6 $date "Lovac $version" "Games"
.nh
.ad l
.SH NAME
lovac \- chess program and UCI engine, board for the browser, laboratory
.SH SYNOPSIS
.B lovac
.RI [ COMMAND " [" arguments ]]
.br
.B lovac \-\-version
.SH DESCRIPTION
Lovac plays chess, Chess960 and five rare games: Horde, Legan, Corner, Fortress and Massacre.
Without a command it speaks UCI, the protocol by which chess programs talk to an engine.
.B lovac serve \-\-open
shows the board in the browser,
.B lovac play
in the terminal.
.PP
The same texts are shown by
.BR "lovac help" " [" \fICOMMAND\fR ]
and, all together, by
.BR "lovac help \-\-all" .
.SH COMMANDS
END
"$lovac" help | sed -nE 's/^  ([a-z0-9]+) +(.*)/\1 \2/p' | while read -r command summary; do
    printf '.SS "lovac %s: %s"\n' "$command" "$(plain <<<"$summary")"
    "$lovac" help "$command" | plain | body
done
cat <<'END'
.SH EXIT STATUS
.TP
.B 0
What was asked for was done.
.TP
.B 1
It failed, or what was looked at is wrong: a file that cannot be read or written, an engine that does not start, a game with an
illegal move, a damaged table. What was written before is whole.
.TP
.B 2
The arguments are wrong. Nothing was done.
.PP
A command that Ctrl\-C stopped ends with 1 if its work is unfinished; the same command goes on with it where the help says so.
.SH ENVIRONMENT
.TP
.B XDG_DATA_HOME
Games of the server and tables of endings are kept in
.I lovac/
there
.RI ( ~/.local/share ).
.TP
.B XDG_CONFIG_HOME
.I lovac/engines.conf
there
.RI ( ~/.config )
names other players: a line
.I NAME: DESCRIPTION
each, as in
.BR "lovac match" .
.TP
.B NO_COLOR
No colours in the terminal.
.SH FILES
.TP
.I lovac.service
A systemd unit of the user for the server:
.BR "systemctl \-\-user enable \-\-now lovac" .
It listens on 127.0.0.1, port 8064.
.SH SEE ALSO
.BR xboard (6),
.BR polyglot (6)
END
