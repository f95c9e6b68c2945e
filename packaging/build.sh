#!/bin/bash
# On a bare Debian: installs what a package or a program for another system is made with, and makes it.
#   packaging/build.sh windows|arm64|i386|dist|deb|release [variables of make]
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source tests/install.sh
need_compiler_for() { # the compilers of windows and arm64
    case $1 in
    windows) need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 ;;
    arm64)
        need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
        [ -d /usr/aarch64-linux-gnu/include ] || missing+=(libc6-dev-arm64-cross)
        ;;
    esac
}
need_native() { # everything for this machine
    need gcc gcc
    need_header stdio.h libc6-dev
    need pkg-config pkg-config
    need_library libzstd libzstd-dev
    need_library zlib zlib1g-dev
    need_server
    need dpkg-shlibdeps dpkg-dev
    need xz xz-utils
}
need make make
case ${1:-} in
windows | arm64) need_compiler_for "$1" ;;
i386)
    need gcc gcc
    [ -n "$(compgen -G '/usr/lib/gcc/*/*/32')" ] || missing+=(gcc-multilib)
    ;;
dist)
    need git git
    need_server
    ;;
deb) need_native ;;
release)
    need git git
    need_native
    need_compiler_for windows
    need_compiler_for arm64
    ;;
*)
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
    ;;
esac
install_missing make || exit 1
exec make --no-print-directory -j"$(nproc)" "$@"
