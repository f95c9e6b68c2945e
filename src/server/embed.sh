#!/bin/sh
# Writes a C file with every file of a folder built in, plain, gzipped where that pays, and then also as brotli where
# node is there to make it: embed.sh FOLDER WORKFOLDER > page.c. A missing folder gives an empty list.
set -eu
folder=$1 work=$2
mkdir -p "$work"
work=$(cd "$work" && pwd)
n=0 rows=
squeeze='const [, from, to] = process.argv, fs = require("fs"); fs.writeFileSync(to, require("zlib").brotliCompressSync(fs.readFileSync(from)))'
echo '// Made by src/server/embed.sh.'
echo '#include "server/assets.h"'
# take NAME FILE: the bytes of a file between two symbols
take() {
    printf '__asm__(".section .rodata\\n.balign 16\\n.global %s\\n%s:\\n.incbin \\"%s\\"\\n.global %s_end\\n%s_end:\\n.byte 0\\n.previous\\n");\n' \
        "$1" "$1" "$2" "$1" "$1"
    echo "extern const unsigned char $1[], $1_end[];"
}
if [ -d "$folder" ]; then
    folder=$(cd "$folder" && pwd)
    for file in $(cd "$folder" && find . -type f ! -name '*.br' ! -name '*.gz' ! -name '*.map' ! -name '.*' | sort); do
        file=${file#./}
        name=lovac_page_$n
        n=$((n + 1))
        take "$name" "$folder/$file"
        gzip=NULL gzip_end=NULL brotli=NULL brotli_end=NULL
        gzip -9nc "$folder/$file" >"$work/$name.gz"
        if [ "$(wc -c <"$work/$name.gz")" -lt $(($(wc -c <"$folder/$file") * 9 / 10)) ]; then
            take "${name}_gz" "$work/$name.gz"
            gzip=${name}_gz gzip_end=${name}_gz_end
            if node -e "$squeeze" "$folder/$file" "$work/$name.br" 2>/dev/null; then
                take "${name}_br" "$work/$name.br"
                brotli=${name}_br brotli_end=${name}_br_end
            fi
        fi
        rows="$rows    {\"/$file\", $name, ${name}_end, $gzip, $gzip_end, $brotli, $brotli_end},
"
    done
fi
echo 'const EmbeddedFile EMBEDDED_FILES[] = {'
printf '%s' "$rows"
echo '    {0},'
echo '};'
echo "const int EMBEDDED_COUNT = $n;"
