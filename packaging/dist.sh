#!/bin/bash
# The source tarball, build/release/lovac-VERSION.tar.gz: what git has at HEAD, the built page (so that no network is needed to build it)
# and the commit's name. Equal bytes from equal commits. `make dist` calls it.
set -eu
cd "$(dirname "$0")/.."
version=$1
[ -e .git ] || { echo "make dist: this is no git checkout, and the tarball is made of one" >&2; exit 1; }
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    echo "make dist: what is not committed does not go into the tarball" >&2
name=lovac-$version
stage=build/dist
rm -rf "$stage"
mkdir -p "$stage/$name" build/release
git archive --format=tar HEAD | tar -x -C "$stage/$name"
git describe --always --abbrev=12 >"$stage/$name/.commit"
cp -r web/dist "$stage/$name/web/dist"
chmod -R u=rwX,go=rX "$stage/$name"
tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -C "$stage" -cf - "$name" |
    gzip -9n >"build/release/$name.tar.gz.new"
mv -f "build/release/$name.tar.gz.new" "build/release/$name.tar.gz"
rm -rf "$stage"
echo "build/release/$name.tar.gz"
