#!/bin/bash
# Completion for a shell, made of what the program tells of itself: its commands (`lovac help`), the actions of a command (the
# usage in its help) and its options (`lovac COMMAND --list-options`).
#   packaging/completion.sh ./lovac bash >lovac.bash
#   packaging/completion.sh ./lovac zsh >_lovac
set -eu
lovac=$1
commands() { "$lovac" help | sed -nE 's/^  ([a-z0-9]+) +(.*)/\1 \2/p'; }
# Words that a command wants first: make, verify ... of `lovac tablebase`.
actions() {
    "$lovac" help "$1" | sed -nE "s/^(Usage:|      ) lovac $1 ([a-z]+)( .*|$)/\2/p" | sort -u | paste -sd ' '
}
# --flag or --name= in a line; a command whose actions have options of their own tells them with the action.
options() {
    case $1 in
    uci | xboard) ;;
    help) echo --all ;;
    tablebase) { "$lovac" "$1" make --list-options && "$lovac" "$1" probe --list-options; } | sort -u ;;
    *) "$lovac" "$1" --list-options ;;
    esac
}
names=$(commands | cut -d ' ' -f 1 | paste -sd ' ')
variants=$(echo uci | "$lovac" | sed -n "s/^option name UCI_Variant .* default [^ ]*//p" | sed "s/ var / /g; s/^ //")
case ${2:-} in
bash)
    cat <<END
# bash completion for lovac, made by packaging/completion.sh
_lovac()
{
    local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} options='' actions=''
    if [ "\$COMP_CWORD" = 1 ]; then
        COMPREPLY=(\$(compgen -W "$names --help --version" -- "\$cur"))
        return
    fi
    case \$prev in
    --variant) COMPREPLY=(\$(compgen -W "$variants" -- "\$cur")); return ;;
    esac
    case \${COMP_WORDS[1]} in
END
    for command in $names; do
        actions=$(actions "$command")
        [ "$command" != help ] || actions=$names
        printf '    %s)\n        options="%s --help"\n        actions="%s"\n        ;;\n' "$command" \
            "$(options "$command" | sed 's/=.*//' | paste -sd ' ')" "$actions"
    done
    cat <<'END'
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [ "$COMP_CWORD" = 2 ] && [ -n "$actions" ]; then
        COMPREPLY=($(compgen -W "$actions" -- "$cur"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -F _lovac lovac
END
    ;;
zsh)
    cat <<'END'
#compdef lovac
# zsh completion for lovac, made by packaging/completion.sh
local -a commands
commands=(
END
    commands | sed -E "s/'/'\\\\''/g; s/^([a-z0-9]+) (.*)/    '\1:\2'/"
    cat <<'END'
)
if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[the commands]' '--version[version, commit, compiler and nets]'
    return
fi
local command=$words[2]
shift words
(( CURRENT-- ))
case $command in
END
    for command in $names; do
        actions=$(actions "$command")
        [ "$command" != help ] || actions=$names
        printf '%s)\n    _arguments' "$command"
        for option in $(options "$command") --help; do
            case $option in
            --variant=) printf " '--variant=[]:game:(%s)'" "$variants" ;;
            *=NUMBER) printf " '%s[]:number:'" "${option%NUMBER}" ;;
            *=) printf " '%s[]:value:_files'" "$option" ;;
            *) printf " '%s'" "$option" ;;
            esac
        done
        [ -z "$actions" ] || printf " '1:action:(%s)'" "$actions"
        printf " '*:file:_files'\n    ;;\n"
    done
    echo esac
    ;;
*)
    echo "usage: $0 LOVAC bash|zsh" >&2
    exit 2
    ;;
esac
