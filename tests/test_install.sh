#!/bin/bash
# What `make install` puts into place: the program, its manual page, completion for bash and zsh, the menu entry, the systemd unit;
# that all commands and options of the help are in them; and that `make uninstall` leaves nothing.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
: "${LOVAC_INSTALL_ARGUMENTS:=}" # variables of make, to try another build than the default
commands=$("$LOVAC" help | sed -nE 's/^  ([a-z0-9]+) .*/\1/p')

# Every option that the help of a command names.
helped() { "$LOVAC" help "$1" | sed '/^Example/,$d' | grep -oE -e '--[a-z][a-z-]*' | grep -vx -e '--enable-recovery' | sort -u; }
if [ "$LOVAC_TEST_LEVEL" = quick ]; then
    skip "the installation" "once is enough"
    finish
    exit
fi
exits "make install" 0 make -s install $LOVAC_INSTALL_ARGUMENTS DESTDIR="$scratch/root" PREFIX=/usr
root=$scratch/root/usr
has "the program runs" '^Lovac ' "$("$root/bin/lovac" --version)"
is "stripped" "" "$(nm "$root/bin/lovac" 2>/dev/null)"
man=$(MANWIDTH=100 man -l "$root/share/man/man6/lovac.6.gz" 2>"$scratch/complaints" | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g')
is "man has no complaint" "" "$(cat "$scratch/complaints" && MANROFFSEQ='' LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$root/share/man/man6/lovac.6.gz" 2>&1 >/dev/null)"
bash_file=$root/share/bash-completion/completions/lovac zsh_file=$root/share/zsh/site-functions/_lovac
# What bash offers after some words.
offers() {
    # shellcheck disable=SC2016
    bash --norc -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lovac 2>/dev/null; echo " ${COMPREPLY[*]} "' - "$bash_file" "$@"
}
missing=
for command in $commands; do
    [[ $man == *"lovac $command: "* ]] || missing+=" man:$command"
    [[ $(offers lovac '') == *" $command "* ]] || missing+=" bash:$command"
    grep -q "^    '$command:" "$zsh_file" || missing+=" zsh:$command"
    options=$(offers lovac "$command" --)
    zsh_line=$(grep -A 1 "^$command)" "$zsh_file" | tail -n 1)
    for option in $(helped "$command"); do
        [[ $man == *"$option"* ]] || missing+=" man:$command:$option"
        [[ $options == *" $option "* ]] || missing+=" bash:$command:$option"
        [[ $zsh_line == *"'$option"[=\']* ]] || missing+=" zsh:$command:$option"
    done
done
is "every command and option is in the manual and both completions" "" "$missing"
is "actions are offered" " make " "$(offers lovac tablebase ma)"
is "and games" " legan " "$(offers lovac perft 3 --variant le)"
has "and files" ' README.md ' "$(offers lovac convert READ)"
if command -v zsh >/dev/null; then
    exits "zsh reads its file" 0 zsh -n "$zsh_file"
else
    skip "zsh reads its file" "no zsh"
fi
if [ -e "$root/share/applications/lovac.desktop" ]; then
    if command -v desktop-file-validate >/dev/null; then
        exits "the menu entry is valid" 0 desktop-file-validate "$root/share/applications/lovac.desktop"
    else
        has "the menu entry opens the board" '^Exec=lovac serve --open$' "$(cat "$root/share/applications/lovac.desktop")"
    fi
    has "its icon" '<svg' "$(head -c 100 "$root/share/icons/hicolor/scalable/apps/lovac.svg")"
    has "the systemd unit starts the installed program" '^ExecStart=/usr/bin/lovac serve$' "$(cat "$root/lib/systemd/user/lovac.service")"
fi
exits "make uninstall" 0 make -s uninstall $LOVAC_INSTALL_ARGUMENTS DESTDIR="$scratch/root" PREFIX=/usr
is "leaves no file" "" "$(find "$scratch/root" -type f)"
finish
