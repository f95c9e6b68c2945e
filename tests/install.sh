# For ./run and ./test: finds out what is missing and installs it with apt-get. Source it.
# Quick when nothing is missing; says in one line what it installs.
missing=()

need() { command -v "$1" >/dev/null || missing+=("$2"); } # need PROGRAM PACKAGE
need_header() { [ -e "/usr/include/$1" ] || [ -n "$(compgen -G "/usr/include/*/$1")" ] || missing+=("$2"); }
need_library() { # need_library PKG-CONFIG-NAME PACKAGE
    command -v pkg-config >/dev/null && pkg-config --exists "$1" || missing+=("$2")
}
# What the server is made of, and the browser's side with it.
need_server() {
    need_library libwebsockets libwebsockets-dev
    need_library jansson libjansson-dev
    need_library sqlite3 libsqlite3-dev
    need node nodejs
    need npm npm
}
# The library that clang links into fuzzers.
need_runtime() { [ -n "$(compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a')" ] || missing+=("$1"); }

# Installs what is missing. Fails only if afterwards one of the programs named here is not there: all else is optional.
install_missing() {
    local sudo= program log
    if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
        [ "$(id -u)" = 0 ] || sudo=sudo
        echo "Installing ${missing[*]} (apt-get)" >&2
        log=$(mktemp)
        if ! { $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
            { $sudo apt-get update -qq &&
                $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; }; } \
            >"$log" 2>&1 </dev/null; then
            echo "apt-get could not install everything:" >&2
            grep -E '^E:' "$log" | head -n 5 >&2
        fi
        rm -f "$log"
    fi
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            echo "Lovac needs $program to be built; please install it (on Debian: apt-get install ${missing[*]})" >&2
            return 1
        fi
    done
}
