#!/usr/bin/env bash
# Makes everything that a release has, with checksums, in build/release-VERSION: the source archive, a wheel and a source
# archive of the Python package, the npm package, the zip for Windows, and Debian packages. Each is tried from an empty folder.
# What cannot be made on this machine is named at the end.
# usage: release.sh
#   JOBS               how many to compile at once
#   SINEW_LANES_BUILT  the lane types, all unless told: for trials
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(scripts/version.sh)
scripts/version.sh check
out=$PWD/build/release-$version
rm -rf "$out"
mkdir -p "$out"
lanes=${SINEW_LANES_BUILT:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=()

# take FILE...: into the release; fails where there is none.
take() {
    local file
    for file in "$@"; do
        if [ -f "$file" ]; then cp "$file" "$out/"; else return 1; fi
    done
}

scripts/source.sh "$out/sinew-$version.tar.gz"
tar -C "$work" -xzf "$out/sinew-$version.tar.gz"
cmake -S "$work/sinew-$version" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DSINEW_CLI=OFF -DSINEW_TESTS=OFF -DSINEW_SHARED=OFF \
    -DSINEW_STUDIES=OFF -DSINEW_LAPACK=OFF -DSINEW_LANES_BUILT=native >"$work/log" 2>&1 &&
    cmake --build "$work/build" -j"${JOBS:-2}" >>"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
cc -I"$work/sinew-$version/include" "$work/sinew-$version/examples/hello.c" "$work/build/libsinew.a" -lexpat -lcjson -lpng -lz -lm -lpthread -o "$work/hello"
(cd "$work" && ./hello >/dev/null)
echo "release: the source archive builds, and a program runs"

SINEW_PYTHON_CMAKE="-DSINEW_LANES_BUILT=$lanes" scripts/wheel.sh build/wheels --if-possible
mkdir -p "$out/python" # the archive of the Python package has the name of the other one
cp build/wheels/sinew-*.whl build/wheels/sinew-*.tar.gz "$out/python/" || missing+=(wheel)

if [ -f build/web/sinew.wasm ]; then scripts/npm.sh; fi
if take build/npm/*.tgz; then
    mkdir "$work/npm"
    (cd "$work/npm" && npm install --silent --no-save "$out"/sinew-*.tgz >/dev/null 2>&1 &&
        node --input-type=module -e 'import("sinew").then(s => console.log("release: the npm package has", Object.keys(s).length, "names"))')
else
    missing+=("npm package (make npm)")
fi

SINEW_LANES_BUILT=$lanes scripts/windows.sh zip
if take build/windows/sinew-"$version"-windows-x86_64.zip; then
    mkdir "$work/zip"
    (cd "$work/zip" && unzip -q "$out/sinew-$version-windows-x86_64.zip")
    scripts/try-windows.sh "$work/zip/sinew-$version-windows-x86_64"/bin/sinew.exe
else
    missing+=("zip for Windows")
fi

SINEW_LANES_BUILT=$lanes scripts/deb.sh try
take build/deb/*.deb || missing+=("Debian packages")

(cd "$out" && find . -type f ! -name SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS && cat SHA256SUMS)
[ ${#missing[@]} -eq 0 ] || { printf 'release: not made: %s\n' "${missing[@]}" >&2; exit 1; }
