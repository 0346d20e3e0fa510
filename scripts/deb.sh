#!/usr/bin/env bash
# Builds the Debian packages from the source archive into build/deb and lets lintian read them; `try` also installs them on a bare
# Debian 12 (debootstrap; needs root), uses them there and removes them.
# usage: deb.sh [try]
#   SINEW_LANES_BUILT  the lane types, all unless told
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD

me=deb
. scripts/package.sh
package cmake cmake
package debhelper dh
package dh-python dh_python3
package lintian lintian
package dpkg-dev dpkg-buildpackage
package fakeroot fakeroot
package python3-dev python3-config
version=$(scripts/version.sh)
work=$PWD/build/deb
rm -rf "$work"
mkdir -p "$work"

scripts/source.sh "$work/sinew_$version.orig.tar.gz"
tar -C "$work" -xzf "$work/sinew_$version.orig.tar.gz"
cd "$work/sinew-$version"
options=(-us -uc)
if [ "$(id -u)" -eq 0 ] && ! dpkg-checkbuilddeps >"$work/missing" 2>&1; then
    echo "deb: building without what the rules ask for: $(tail -n 1 "$work/missing")"
    options+=(-d)
fi
dpkg-buildpackage "${options[@]}" >"$work/build.log" 2>&1 || { tail -n 60 "$work/build.log" >&2; exit 1; }
cd "$work"
ls -l ./*.deb | awk '{ print "deb:", $9, $5 }'
# The project has no address of its own: whoever uploads the packages gives one.
lintian --allow-root --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog ./*.changes ||
    { echo "deb: lintian complains" >&2; exit 1; }
echo "deb: lintian has no errors and no warnings beside the missing mail address"
if [ "${1:-}" != try ]; then exit 0; fi

# A bare system: installed, used, removed.
. "$top/scripts/bare.sh"
bare_begin
mkdir -p "$bare/debs"
cp ./*.deb "$bare/debs"
cp "$work/sinew-$version/examples/hello.c" "$bare/hello.c"
cat >"$bare/try.sh" <<'TRY'
set -e
apt-get -qq update
before=$(dpkg-query -f '.' -W | wc -c)
apt-get -qq install -y --no-install-recommends /debs/*.deb gcc libc6-dev pkg-config >/dev/null
sinew --version | head -n 1
cd /tmp
sinew track humanoid run --record run.json --report run.html | tail -n 1
sinew play humanoid-walk --seconds 2 | head -n 1
cc /hello.c $(pkg-config --cflags --libs sinew) -o hello && ./hello | tail -n 1
python3 -c 'import sinew; w = sinew.World(); h = w.add(sinew.Model.builtin("humanoid")); w.plane(); h.q = h.stand(); w.step(10); print("python", sinew.__version__, sinew._lib.hot.__name__, "hash %016x" % w.hash())'
apt-get -qq purge -y sinew python3-sinew libsinew-dev libsinew0.3 >/dev/null
left=$(find / -xdev \( -path /proc -o -path /debs -o -path /tmp -o -path /root -o -path /var/cache \) -prune -o -name '*sinew*' -print)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
TRY
bare sh /try.sh
echo "deb: installed, used and removed on a bare Debian 12"
