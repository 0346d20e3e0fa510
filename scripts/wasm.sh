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
. scripts/sources.sh

find_sources() {
    if [ -n "${SINEW_WASM_SOURCES:-}" ]; then
        expat=$SINEW_WASM_SOURCES/expat cjson=$SINEW_WASM_SOURCES/cjson
        return
    fi
    expat=$work/sources/expat cjson=$work/sources/cjson
    if [ -f "$expat/lib/xmlparse.c" ] && [ -f "$cjson/cJSON.c" ]; then return; fi
    package dpkg-dev dpkg-source
    echo "wasm: fetching the sources of expat and cJSON"
    sources "$work" expat cjson ||
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
