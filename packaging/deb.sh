#!/bin/bash
# A Debian package of a program that is built: packaging/deb.sh PROGRAM VERSION. `make deb` builds it and calls this.
# Depends on what dpkg-shlibdeps finds; equal bytes from equal programs and commits (SOURCE_DATE_EPOCH).
set -eu
cd "$(dirname "$0")/.."
program=$1 version=$2
for tool in dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "make deb: $tool is missing (on Debian: apt-get install dpkg-dev)" >&2; exit 1; }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
# As Debian's own tools do it: DEBFULLNAME and DEBEMAIL, else who made the last commit.
maintainer=${DEBEMAIL:+${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>}
maintainer=${maintainer:-$(git log -1 --format='%an <%ae>' 2>/dev/null || echo 'Lovac <lovac@example.org>')}
architecture=$(dpkg --print-architecture)
stage=$PWD/build/deb
root=$stage/root
rm -rf "$stage"
mkdir -p "$root/DEBIAN" "$stage/debian" build/release
umask 022
make --no-print-directory -s install-files EXE="$program" DESTDIR="$root" PREFIX=/usr BINDIR=/usr/games ZSHDIR=vendor-completions
doc=$root/usr/share/doc/lovac
rm "$doc/LICENSE"
gzip -9n "$doc/CHANGELOG.md" && mv "$doc/CHANGELOG.md.gz" "$doc/changelog.gz"
printf 'lovac (%s-1) unstable; urgency=medium\n\n  * Lovac %s: see changelog.gz.\n\n -- %s  %s\n' "$version" "$version" "$maintainer" \
    "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Lovac

Files: *
Copyright: 2026 The authors of Lovac
License: GPL-3+

License: GPL-3+
 This program is free software: you can redistribute it and/or modify it under
 the terms of the GNU General Public License as published by the Free Software
 Foundation, either version 3 of the License, or (at your option) any later
 version.
 .
 This program is distributed in the hope that it will be useful, but WITHOUT
 ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or FITNESS
 FOR A PARTICULAR PURPOSE.  See the GNU General Public License for more details.
 .
 On Debian systems the full text is in /usr/share/common-licenses/GPL-3.
END
# It closes no wish for a package in Debian's list, because it is not one of Debian's archive.
mkdir -p "$root/usr/share/lintian/overrides"
echo 'lovac: initial-upload-closes-no-bugs *' >"$root/usr/share/lintian/overrides/lovac"
# dpkg-shlibdeps wants to stand in a source package.
printf 'Source: lovac\n\nPackage: lovac\nArchitecture: any\n' >"$stage/debian/control"
depends=$(cd "$stage" && dpkg-shlibdeps -O "$root/usr/games/lovac" | sed -n 's/^shlibs:Depends=//p')
size=$(du -sk --exclude=DEBIAN "$root" | cut -f 1)
cat >"$root/DEBIAN/control" <<END
Package: lovac
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends, sensible-utils
Recommends: xdg-utils
Suggests: xboard
Section: games
Priority: optional
Description: chess program with an engine, a board in the browser and a laboratory
 Lovac plays chess, Chess960, Horde, Legan, Corner, Fortress and Massacre.
 .
 It is an engine for chess programs that speak UCI or the XBoard protocol, a
 board for the browser and for the terminal, and a set of tools: matches with
 Elo and SPRT, analysis of games, PGN conversion, endgame tables, opening
 books, self-play and training of networks.
END
find "$root" -path "$root/DEBIAN" -prune -o -type f -printf '%P\n' | LC_ALL=C sort | (cd "$root" && xargs md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
package=build/release/lovac_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package.new" >/dev/null
mv -f "$package.new" "$package"
rm -rf "$stage"
echo "$package"
