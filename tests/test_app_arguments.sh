#!/bin/bash
# Wrong, missing, extreme and doubled arguments of every command: the right exit status, no signal, nothing of a sanitizer, no file left
# behind. The cases are made of each command's own table of options (--list-options) and of the list below. The sanitized program
# gets every fifteenth of them; in the long suite all, where there is one.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
sanitized=build/sanitize-${CC:-gcc}-native/lovac
[ "$LOVAC_TEST_LEVEL" = long ] && [ -x "$sanitized" ] && LOVAC=$PWD/$sanitized
case $LOVAC in /*) ;; *) LOVAC=$PWD/$LOVAC ;; esac
every=$([ "$LOVAC_TEST_LEVEL" = quick ] && echo 15 || echo 1)
long=$(head -c 3000 /dev/zero | tr '\0' x)

# STATUS and arguments, a case on each line, separated by tabs. EMPTY stands for an empty argument.
cases() {
    local command option name tab=$'\t'
    for command in $("$LOVAC" help | sed -nE 's/^  ([a-z0-9]+) .*/\1/p'); do
        local words=("$command")
        [ "$command" != tablebase ] || words=("tablebase make" "tablebase probe" "tablebase list" "tablebase verify")
        case $command in
        uci | xboard | help) continue ;;
        esac
        for name in "${words[@]}"; do
            name=${name// /$tab}
            printf '2\t%s\t--nosuchoption\n2\t%s\t-x\n' "$name" "$name"
            # shellcheck disable=SC2086
            "$LOVAC" ${name//$tab/ } --list-options | while read -r option; do
                case $option in
                *=NUMBER)
                    option=${option%=NUMBER}
                    printf '2\t%s\t%s\n' "$name" "$option"
                    printf '2\t%s\t%s\tx1\n' "$name" "$option"
                    printf '2\t%s\t%s=\n' "$name" "$option"
                    printf '2\t%s\t%s\t1\t%s\t1e999\n' "$name" "$option" "$option"
                    ;;
                *=) printf '2\t%s\t%s\n' "$name" "${option%=}" ;;
                *) printf '2\t%s\t%s=1\n' "$name" "$option" ;;
                esac
            done
        done
    done
    sed '/^#/d; s/ | /\t/g' <<'END'
2 | nosuchcommand
2 | help | nosuch
2 | help | perft | play
2 | EMPTY
2 | LONG
2 | uci | nosuch
2 | xboard | x
# perft
0 | perft | 1 | --threads | 1024
0 | perft | 0
2 | perft
2 | perft | -1
2 | perft | 1 | 2
2 | perft | LONG
2 | perft | 1 | --fen | EMPTY
2 | perft | 1 | --fen | LONG
2 | perft | 1 | --fen | 8/8/8/8/8/8/8/8 w - -
2 | perft | 1 | --variant | nosuch
2 | perft | 1 | --variant | chess960 | --start | 960
2 | perft | 1 | --fen | startpos | --start | 1
0 | perft | 1 | --divide | --divide
# bench
2 | bench | 0
2 | bench | 100000
2 | bench | x
2 | bench | 5x
2 | bench | 3 | 4
2 | bench | 1 | --vector | EMPTY
1 | bench | 1 | --net | nowhere.nnue
1 | bench | 1 | --net | LONG
# play
2 | play | --variant | nosuch
2 | play | --level | 13
2 | play | --tc | x
2 | play | --color | sometimes
2 | play | word
# convert
1 | convert | nowhere.pgn
2 | convert | --to | nosuch
2 | convert | --from | nosuch
2 | convert | --variant | nosuch
2 | convert | --positions | some
0 | convert | /dev/null
1 | convert | /dev/null | --output | nowhere/out.pgn
# tablebase
2 | tablebase
2 | tablebase | nosuch
2 | tablebase | make
2 | tablebase | make | 0
2 | tablebase | make | KXK
2 | tablebase | make | LONG
2 | tablebase | make | KQK | --variant | massacre
2 | tablebase | probe
2 | tablebase | probe | LONG
2 | tablebase | probe | 8/8/8/8/8/8/8/8 w - -
# book
2 | book
2 | book | nosuch | x
0 | book | show | startpos
1 | book | show | start | --book | nowhere.bin
2 | book | dump | a.bin | b.bin
2 | book | compile | a.txt | b.txt | --output | out.bin
1 | book | dump | nowhere.bin
1 | book | make | nowhere.pgn | --output | out.bin
2 | book | make | nowhere.pgn
1 | book | edit | nowhere.bin | start | e4 | x
END
    # With the server:
    "$LOVAC" help serve >/dev/null 2>&1 && sed 's/ | /\t/g' <<'END'
2 | serve | word
2 | serve | --tls-cert | nowhere.pem
1 | serve | --host | nowhere.invalid
1 | serve | --password | @nowhere
END
    # With the laboratory:
    "$LOVAC" help match >/dev/null 2>&1 && sed 's/ | /\t/g' <<'END'
2 | match
2 | match | random
1 | match | random | nosuchplayer
2 | match | random | random | --variant | nosuch
2 | match | random | random | --tc | x
2 | match | random | random | --sprt | x
2 | match | random | random | --draw | 1
1 | match | random | random | --openings | nowhere.epd
1 | match | random | level=13
2 | match | random | random | --order | nosuch
2 | match | random | random | --games | 0
2 | match | random | random | --pgn | -
2 | match | random | random | --pgn | .
1 | match | random | LONG
2 | analyse
1 | analyse | nowhere.pgn
1 | analyse | nowhere.pgn | --output | out.pgn
1 | analyse | --epd | nowhere.epd
2 | analyse | x.pgn | --fen | startpos
2 | analyse | --fen | startpos | --lines | 0
2 | analyse | nowhere.pgn | --output | out.json
2 | rate
1 | rate | nowhere.pgn
1 | rate | /dev/null
2 | tune
2 | tune | nosuch | x
1 | tune | fit | nowhere.games
2 | datagen
2 | datagen | a | b
2 | datagen | out.games | --games | 0
2 | datagen | out.games | --plies | x
2 | datagen | out.games | --part | 3/2
2 | datagen | out.games | --variant | nosuch
2 | data
2 | data | nosuch | x
1 | data | check | nowhere.games
2 | data | merge | nowhere.games
1 | data | merge | nowhere.games | --to | out.games
2 | data | export | nowhere.games | --as | nosuch
1 | train | nowhere.games | --to | out.nnue
2 | train
2 | learn
2 | lab
2 | lab | run | nosuch
2 | evolve
END
}

mkdir "$scratch/empty"
cases >"$scratch/cases"
number=0 tried=0 bad=
while IFS=$'\t' read -r -a words; do
    number=$((number + 1))
    [ $((number % every)) = 0 ] || continue
    tried=$((tried + 1))
    wanted=${words[0]}
    words=("${words[@]:1}")
    for i in "${!words[@]}"; do
        case ${words[i]} in
        EMPTY) words[i]= ;;
        LONG) words[i]=$long ;;
        esac
    done
    said=$(cd "$scratch/empty" && XDG_DATA_HOME=$scratch/home timeout 60 "$LOVAC" "${words[@]}" 2>&1 </dev/null)
    got=$?
    left=$(ls -A "$scratch/empty")
    if [ $got != "$wanted" ] || [[ $said == *Sanitizer* || $said == *"runtime error"* ]] || [ -n "$left" ]; then
        bad+="$(cut -c 1-200 <<<"lovac ${words[*]}"): status $got, wanted $wanted${left:+, left $left}: $(head -n 2 <<<"${said:0:300}")"$'\n'
        rm -rf "$scratch/empty"
        mkdir "$scratch/empty"
    fi
done <"$scratch/cases"
[ "$number" -ge 400 ] && pass "$number cases are made" || [ "$number" -ge 100 ] || fail "cases are made" "$number"
is "$tried of $number cases: exit status, no signal, no file left" "" "$bad"
finish
