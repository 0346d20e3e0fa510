#!/usr/bin/env bash
# Builds the library and the playground's glue to WebAssembly: build/web/sinew.{js,wasm}, with SIMD, and
# build/web/sinew-plain.{js,wasm}, without. Installs emscripten when it is missing, and fetches the sources of expat and
# cJSON from Debian. Where that cannot be done it says so in one line and ends with 0, so that everything else can go on.
# usage: wasm.sh [FOLDER]   into FOLDER, build/web unless told; objects and sources go into the folder wasm beside it
#   SINEW_WASM_SOURCES  a folder with the folders expat (with lib/) and cjson, instead of Debian's
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-build/web}
mkdir -p "$out"
work=$(cd "$out/.." && pwd)/wasm
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

me=wasm
. scripts/package.sh

# sources PATTERN: unpacks expat and cJSON into $work/sources, with Debian's patches, from where this machine has its
# packages from; releases that match the pattern are left out.
sources() {
    local dir=$work/apt line=()
    rm -rf "$dir" "$work/sources"
    mkdir -p "$dir/lists/partial" "$dir/archives/partial" "$work/sources"
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
        sort -u | awk -v without="$1" '$3 !~ without' >"$dir/sources.list"
    if [ ! -s "$dir/sources.list" ]; then return 1; fi
    line=(apt-get -qq -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$dir/lists"
        -o "Dir::Cache=$dir" -o APT::Sandbox::User=root)
    "${line[@]}" update >/dev/null 2>&1 || return 1
    (cd "$work/sources" && "${line[@]}" source expat cjson >/dev/null 2>&1) || return 1
    rm -rf "$dir"
    mv "$work"/sources/expat-*/ "$work/sources/expat" && mv "$work"/sources/cjson-*/ "$work/sources/cjson"
    if [ -d "$work/sources/expat/expat" ]; then # as the project itself keeps it
        mv "$work/sources/expat/expat" "$work/sources/inner" && rm -rf "$work/sources/expat" && mv "$work/sources/inner" "$work/sources/expat"
    fi
}

find_sources() {
    if [ -n "${SINEW_WASM_SOURCES:-}" ]; then
        expat=$SINEW_WASM_SOURCES/expat cjson=$SINEW_WASM_SOURCES/cjson
        return
    fi
    expat=$work/sources/expat cjson=$work/sources/cjson
    if [ -f "$expat/lib/xmlparse.c" ] && [ -f "$cjson/cJSON.c" ]; then return; fi
    package dpkg-dev dpkg-source
    echo "wasm: fetching the sources of expat and cJSON"
    # A mirror may lack a file of the security archive that its list names.
    sources '^$' || sources security ||
        give_up "the sources of expat and cJSON cannot be fetched (SINEW_WASM_SOURCES names a folder that has them)"
}

package emscripten emcc
export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} # for a node that is not Debian's own
package cmake cmake
mkdir -p "$work"
find_sources

emcmake cmake -S web/wasm -B "$work/cmake" -DCMAKE_BUILD_TYPE=Release \
    -DSINEW_EXPAT_SOURCE="$expat" -DSINEW_CJSON_SOURCE="$cjson" >"$work/cmake.log" 2>&1 ||
    { cat "$work/cmake.log" >&2; exit 1; }
cmake --build "$work/cmake" -j"$jobs" >"$work/make.log" 2>&1 || { tail -n 60 "$work/make.log" >&2; exit 1; }
for name in sinew sinew-plain; do
    cp "$work/cmake/$name.js" "$work/cmake/$name.wasm" "$out/"
done
