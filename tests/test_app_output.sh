#!/bin/bash
# Where commands write: only regular files are replaced, links are followed, devices and pipes stay what they are, a signal
# leaves nothing behind, and a full disk is an error everywhere.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
cd "$scratch" || exit 1
umask 022

printf '[White "One"]\n[Black "Two"]\n\n1. e4 e5 2. Nf3 *\n' >in.pgn
"$LOVAC" convert in.pgn --quiet >wanted.pgn
wanted=$(cat wanted.pgn)
echo old >goal.pgn
chmod 640 goal.pgn
ln -s goal.pgn link.pgn
ln -s link.pgn second.pgn
exits "output through two links" 0 "$LOVAC" convert in.pgn --quiet --output second.pgn
is "the links stay" "link.pgn goal.pgn" "$(readlink second.pgn) $(readlink link.pgn)"
is "the file behind them is written" "$wanted" "$(cat goal.pgn)"
is "and keeps its permissions" 640 "$(stat -c %a goal.pgn)"
mkdir folder
ln -s folder/new.pgn dangling.pgn
exits "a link to a file that is not there" 0 "$LOVAC" convert in.pgn --quiet --output dangling.pgn
is "makes it" "$wanted" "$(cat folder/new.pgn)"
is "with the permissions of any new file" 644 "$(stat -c %a folder/new.pgn)"
ln -s round.pgn round.pgn
exits "a link to itself" 1 "$LOVAC" convert in.pgn --quiet --output round.pgn
has "is named" 'round\.pgn' "$out"
[ -L round.pgn ] && pass "and stays" || fail "and stays"

# Nothing in /dev is ever named behind --output: a program that fails would, as root, take it away.
mkfifo pipe
cat pipe >through.pgn &
exits "output into a FIFO" 0 timeout 20 "$LOVAC" convert in.pgn --quiet --output pipe
[ -p pipe ] && pass "it stays one" || { fail "it stays one"; kill $!; }
wait $!
is "and all comes through" "$wanted" "$(cat through.pgn)"
# Nodes of its own where we may make them.
if mknod null c 1 3 2>/dev/null && mknod full c 1 7 2>/dev/null && : >null 2>/dev/null; then
    exits "output into a device" 0 "$LOVAC" convert in.pgn --quiet --output null
    [ -c null ] && pass "it stays one" || fail "it stays one" "$(ls -l null)"
    exits "a full device" 1 "$LOVAC" convert in.pgn --quiet --output full
    has "is an error" 'No space left' "$out"
    [ -c full ] && pass "and stays one" || fail "and stays one" "$(ls -l full)"
    ln -s full fullness
    exits "the same through a link" 1 "$LOVAC" convert in.pgn --quiet --output fullness
    is "which stays" full "$(readlink fullness)"
else
    skip "output into a device" "no right to make one here"
fi
exits "a folder cannot be written" 1 "$LOVAC" convert in.pgn --quiet --output folder
has "and that is said" 'folder: Is a directory' "$out"
exits "nor a file without a name" 1 "$LOVAC" convert in.pgn --quiet --output ""
echo before >appended.pgn
"$LOVAC" convert in.pgn --quiet --output - >>appended.pgn
ln -s /proc/self/fd/1 stdout
"$LOVAC" convert in.pgn --quiet --output stdout >>appended.pgn
is "- and a link like /dev/stdout are standard output, also behind >>" "before
$wanted

$wanted" "$(cat appended.pgn)"

# A match goes on behind the games of a file: what is no file is refused, and never taken away.
if "$LOVAC" help match >/dev/null 2>&1; then
    mkfifo games.fifo
    for place in games.fifo folder - $([ -c null ] && echo null); do
        exits "match --pgn $place" 2 timeout 20 "$LOVAC" match random greedy --games 2 --max-moves 1 --restart --pgn "$place"
        has "is refused" "pgn: '$place' is no regular file" "$out"
    done
    exits "a journal that is none" 2 timeout 20 "$LOVAC" match random greedy --games 2 --max-moves 1 --restart --journal games.fifo
    [ -p games.fifo ] && pass "nothing is taken away" || fail "nothing is taken away" "$(ls -l games.fifo)"
    [ ! -e null ] || [ -c null ] && pass "nor a device" || fail "nor a device" "$(ls -l null)"
    is "no journal is left" "" "$(ls | grep journal)"
    ln -s played.pgn games.pgn
    for _ in 1 2; do "$LOVAC" match random greedy --games 2 --max-moves 1 --restart --pgn games.pgn >/dev/null; done
    is "--restart follows a link" "played.pgn 2" "$(readlink games.pgn) $(grep -c '^\[Event' played.pgn)"
fi

# A signal in the middle of the work: the input is a pipe that we hold open.
echo old >goal.pgn
for signal in INT TERM HUP KILL; do
    mkfifo "in-$signal"
    (trap - INT; exec env --default-signal=INT "$LOVAC" convert --quiet --output goal.pgn) <"in-$signal" 2>/dev/null &
    pid=$!
    exec 7>"in-$signal"
    for _ in $(seq 5000); do cat in.pgn; done >&7
    for _ in $(seq 100); do
        [ -n "$(find /proc/$pid/fd -lname "$PWD/*" -not -lname "*/in-*" 2>/dev/null)" ] && break
        sleep 0.05
    done
    kill -s "$signal" "$pid"
    exec 7>&-
    wait "$pid" 2>/dev/null
    status=$?
    is "SIG$signal leaves the old file" old "$(cat goal.pgn)"
    is "and nothing beside it" "" "$(ls | grep tmp)"
    [ "$status" -gt 128 ] && pass "and ends the program" || fail "and ends the program" "status $status"
done

# Every command that prints, on a full disk.
"$LOVAC" convert in.pgn --to fen --quiet >start.fen
full() {
    local name=$1
    shift
    "$LOVAC" "$@" >/dev/full 2>err </dev/null
    is "$name on a full disk: status" 1 $?
    has "$name says so" 'cannot write|cannot be written|No space left' "$(cat err)"
}
full --version --version
full help help
full "help of a command" help perft
full "a command's --help" match --help
full perft perft 3
full bench bench 2
full convert convert in.pgn --quiet
full play play
if "$LOVAC" help match >/dev/null 2>&1; then
    full match match random greedy --games 2
    full analyse analyse --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' --depth 2
    printf '[White "One"]\n[Black "Two"]\n[Result "1-0"]\n\n1. e4 1-0\n' >won.pgn
    full rate rate won.pgn
fi
finish
