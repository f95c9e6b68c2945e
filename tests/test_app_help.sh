#!/bin/bash
# The program's front door: help, version, unknown commands, bad arguments.
source "$(dirname "$0")/lib.sh"

exits "help" 0 "$LOVAC" help
has "help lists perft" '^  perft +[a-z]' "$out"
has "help lists play" '^  play +[a-z]' "$out"
commands=$(sed -nE 's/^  ([a-z0-9]+) .*/\1/p' <<<"$out")
exits "--help is help" 0 "$LOVAC" --help
has "--help lists commands" '^  perft' "$out"
for command in $commands; do
    exits "help $command" 0 "$LOVAC" help "$command"
    has "help $command shows the usage" "^Usage: lovac" "$out"
    has "help $command shows an example" "^Examples?:" "$out"
    by_help=$out
    exits "$command --help" 0 "$LOVAC" "$command" --help
    is "$command --help says the same" "$by_help" "$out"
done
page=$("$LOVAC" help --all)
missing=
for command in $commands; do
    [[ $page == *"==== $command: "*"$("$LOVAC" help "$command")"* ]] || missing+=" $command"
done
is "help --all has the help of every command" "" "$missing"
# Every option that the help of a command names, and every one that it has.
helped() { "$LOVAC" help "$1" | sed '/^Example/,$d' | grep -oE -e '--[a-z][a-z-]*' | grep -vx -e '--enable-recovery' | sort -u; }
listed() {
    local action
    case $1 in
    uci | xboard) ;;
    help) echo --all ;;
    tablebase) for action in make probe; do "$LOVAC" tablebase $action --list-options; done ;;
    *) "$LOVAC" "$1" --list-options ;;
    esac | sed 's/=.*//' | sort -u
}
for command in $commands; do
    is "the help of $command names its options and no others" "$(listed "$command")" "$(helped "$command")"
done
exits "--version" 0 "$LOVAC" --version
has "--version names the program" '^Lovac [0-9]+\.[0-9]+' "$out"
has "the commit that it was built from" '^commit    ([0-9a-f]{7,}|v?[0-9]|unknown)' "$out"
has "the compiler" '^compiler  (gcc|clang|.*[Cc]lang) ?[0-9]?' "$out"
has "and the nets that are in it" '^net       chess: generation [0-9]+' "$out"
is "-v, -V and version say the same" "$out $out $out" "$("$LOVAC" -v) $("$LOVAC" -V) $("$LOVAC" version)"
is "how they were made, to the last word" "" "$(grep '^net ' <<<"$out" | grep -vE 'rate [0-9.]+ to [0-9.e-]+$')"
exits "--version with more" 2 "$LOVAC" --version perft

exits "an unknown command" 2 "$LOVAC" perf
has "suggests the nearest" "unknown command 'perf'; did you mean 'perft'\?" "$out"
exits "a far-off command" 2 "$LOVAC" xyzzy
hasnt "suggests nothing" 'did you mean' "$out"
exits "a very long command" 2 "$LOVAC" "$(head -c 5000 /dev/zero | tr '\0' a)"
exits "an empty command" 2 "$LOVAC" ''
exits "help for an unknown command" 2 "$LOVAC" help pefrt
has "help suggests too" "did you mean 'perft'" "$out"
exits "help for two commands" 2 "$LOVAC" help perft play

exits "an unknown option" 2 "$LOVAC" perft 1 --dvide
has "the option is named, and the nearest" 'unknown option --dvide; did you mean --divide\?' "$out"
has "the help is pointed to" 'lovac help perft' "$out"
exits "an option without its value" 2 "$LOVAC" perft 1 --fen
has "named" '[-][-]fen needs a value' "$out"
exits "a flag with a value" 2 "$LOVAC" perft 1 --divide=yes
has "named" '[-][-]divide takes no value' "$out"
exits "a number that is none" 2 "$LOVAC" perft 1 --threads many
has "named" "[-][-]threads wants a whole number from 1 to 1024, not 'many'" "$out"
exits "a number out of range" 2 "$LOVAC" perft 1 --threads 0
exits "a single dash" 2 "$LOVAC" perft 1 -d
has "explained" 'begin with two dashes' "$out"
exits "--name=value" 0 "$LOVAC" perft 1 --threads=2
if "$LOVAC" help serve >/dev/null 2>&1; then
    exits "an address that is none" 1 "$LOVAC" serve --port 0 --host nowhere.invalid --data "$scratch/served"
    has "is told" "^lovac serve: nowhere.invalid is no address: give numbers, such as 127.0.0.1 or 0.0.0.0" "$out"
fi
exits "-- ends the options" 2 "$LOVAC" perft -- --divide
has "then it is a word" "DEPTH must be .* not '--divide'" "$out"
finish
