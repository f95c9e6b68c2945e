#!/bin/bash
# The packages: the source tarball (equal bytes twice, builds without git), the Debian package (lintian, what is in it, and as root
# in the long suite: installed, used and removed without a trace). Long suite: a build with a profile takes minutes.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
if [ "$LOVAC_TEST_LEVEL" = quick ]; then
    skip "packages" "once is enough"
    finish
    exit
fi
has "the version is one of the changes" "^## $("$LOVAC" --version | sed -n '1s/^Lovac //p')( |$)" "$(cat CHANGELOG.md)"
version=$("$LOVAC" --version | sed -n '1s/^Lovac //p')
if [ -e .git ] && [ -d web/dist ]; then
    exits "make dist" 0 packaging/dist.sh "$version"
    tarball=build/release/lovac-$version.tar.gz
    first=$(sha256sum <"$tarball")
    packaging/dist.sh "$version" >/dev/null 2>&1
    is "twice the same bytes" "$first" "$(sha256sum <"$tarball")"
    tar -xzf "$tarball" -C "$scratch"
    unpacked=$scratch/lovac-$version
    is "nothing in it is missing or more than git has, but the page and the commit" "$(git ls-tree -r --name-only HEAD | LC_ALL=C sort)" \
        "$(cd "$unpacked" && find . -type f -printf '%P\n' | grep -vE '^(\.commit$|web/dist/)' | LC_ALL=C sort)"
    is "the page is in it" "$(cd web/dist && find . -type f | sort)" "$(cd "$unpacked/web/dist" && find . -type f | sort)"
    if [ "$LOVAC_TEST_LEVEL" = long ]; then
        # Neither git nor the network, as on a builder of packages.
        mkdir "$scratch/bin"
        printf '#!/bin/sh\nexit 1\n' | tee "$scratch/bin/git" >"$scratch/bin/npm"
        chmod +x "$scratch/bin/"*
        exits "it builds without git and npm" 0 env PATH="$scratch/bin:$PATH" make -s -j2 -C "$unpacked" CONFIG=plain
        has "and names its commit" "^commit    $(git describe --always --abbrev=12)" "$("$unpacked/lovac" --version)"
    fi
else
    skip "make dist" "no git checkout, or no built page"
fi
if [ "$LOVAC_TEST_LEVEL" != long ]; then
    skip "the package for Debian" "long suite only"
    finish
    exit
fi
if ! command -v dpkg-shlibdeps >/dev/null || ! pkg-config --exists libwebsockets; then
    skip "the package for Debian" "no dpkg-dev here, or no library for the server"
    finish
    exit
fi
exits "make deb" 0 make --no-print-directory -j2 deb
deb=$(ls build/release/lovac_"$version"-1_*.deb)
dpkg-deb -x "$deb" "$scratch/deb"
is "what is in it" "usr/games/lovac
usr/lib/systemd/user/lovac.service
usr/share/applications/lovac.desktop
usr/share/bash-completion/completions/lovac
usr/share/doc/lovac/README.md
usr/share/doc/lovac/changelog.Debian.gz
usr/share/doc/lovac/changelog.gz
usr/share/doc/lovac/copyright
usr/share/icons/hicolor/scalable/apps/lovac.svg
usr/share/lintian/overrides/lovac
usr/share/man/man6/lovac.6.gz
usr/share/zsh/vendor-completions/_lovac" "$(cd "$scratch/deb" && find . -type f -printf '%P\n' | LC_ALL=C sort)"
has "it needs the server's libraries" 'libwebsockets.*libjansson|libjansson.*libwebsockets' "$(dpkg-deb -f "$deb" Depends)"
hasnt "and no Open MPI" 'openmpi' "$(dpkg-deb -f "$deb" Depends)"
is "the same search" "$("$LOVAC" bench 7 | sed -n 's/^Nodes  *//p')" "$("$scratch/deb/usr/games/lovac" bench 7 | sed -n 's/^Nodes  *//p')"
# Processors that have less than this one; the program chooses what they can do.
if [ "$(dpkg --print-architecture)" = amd64 ] && command -v qemu-x86_64 >/dev/null; then
    for cpu in qemu64 Nehalem Haswell; do
        is "on a processor like $cpu too" "$("$LOVAC" bench 7 | sed -n 's/^Nodes  *//p')" \
            "$(timeout 600 qemu-x86_64 -cpu $cpu "$scratch/deb/usr/games/lovac" bench 7 2>/dev/null | sed -n 's/^Nodes  *//p')"
    done
else
    skip "on other processors" "no qemu-user here, or another kind of processor"
fi
if command -v lintian >/dev/null; then
    exits "lintian is content" 0 lintian --fail-on error,warning "$deb"
    is "entirely" "" "$out"
else
    skip "lintian is content" "no lintian"
fi
if [ "$(id -u)" != 0 ] || dpkg -s lovac >/dev/null 2>&1; then
    skip "installed and removed" "not root, or installed already"
    finish
    exit
fi
files() { find /usr /etc /var/lib/systemd -xdev -iname '*lovac*' 2>/dev/null | sort; }
before=$(files)
exits "apt install" 0 env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$PWD/$deb"
has "the program runs" '^Lovac ' "$(/usr/games/lovac --version)"
has "man lovac" 'lovac - chess program' "$(man lovac 2>/dev/null | col -b)"
# shellcheck disable=SC2016
has "completion" 'tablebase' "$(bash --norc -c '. /usr/share/bash-completion/completions/lovac; COMP_WORDS=(lovac tab); COMP_CWORD=1; _lovac; echo "${COMPREPLY[@]}"')"
PATH=$PATH:/usr/games XDG_DATA_HOME=$scratch BROWSER=true lovac serve --open --port 0 >"$scratch/serve" 2>/dev/null &
for _ in $(seq 300); do [ -s "$scratch/serve" ] && break; sleep 0.2; done
has "the board is served as the menu starts it" 'Lovac is at http://127\.0\.0\.1:' "$(cat "$scratch/serve")"
kill -INT $! && wait $!
if command -v systemd-analyze >/dev/null; then
    exits "systemd reads its unit" 0 env XDG_RUNTIME_DIR="$scratch" systemd-analyze --user --man=no verify /usr/lib/systemd/user/lovac.service
else
    skip "systemd reads its unit" "no systemd here"
fi
exits "apt purge" 0 env DEBIAN_FRONTEND=noninteractive apt-get purge -y -q lovac
is "no trace is left" "$before" "$(files)"
finish
