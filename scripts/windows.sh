#!/usr/bin/env bash
# Builds the library as a DLL for 64-bit Windows with Debian's mingw-w64, without fused multiply-adds; checks that it exports
# the public functions; and runs examples/hello.c with it under wine. Installs what is missing, and compiles expat and cJSON from
# Debian's sources. Where that cannot be done it says so in one line and ends with 0.
# usage: windows.sh
#   JOBS               how many to compile and run at once
#   SINEW_LANES_BUILT  the lane types, two unless told
#   OPTIONS            more options for cmake
set -euo pipefail
cd "$(dirname "$0")/.."

work=$PWD/build/windows
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
compiler=x86_64-w64-mingw32-gcc-posix
lanes=${SINEW_LANES_BUILT:-f32x8_v3;f64x2_v3}

me=windows
. scripts/package.sh
. scripts/sources.sh

# library NAME FLAGS SOURCE...: lib/libNAME.a
library() {
    local name=$1 flags=$2 source objects=()
    shift 2
    for source in "$@"; do
        objects+=("$work/objects/$name-$(basename "$source" .c).o")
        # shellcheck disable=SC2086
        "$compiler" -O2 -w $flags -c "$source" -o "${objects[-1]}"
    done
    rm -f "$work/root/lib/lib$name.a"
    x86_64-w64-mingw32-ar rcs "$work/root/lib/lib$name.a" "${objects[@]}"
}

libraries() {
    local from=$work/sources
    if [ -f "$work/root/complete" ]; then return; fi
    package dpkg-dev dpkg-source
    echo "windows: fetching the sources of expat and cJSON"
    sources "$work" expat cjson || give_up "the sources of expat and cJSON cannot be fetched"
    mkdir -p "$work/objects" "$work/root/include/cjson" "$work/root/lib"
    cp "$from/expat/lib/expat.h" "$from/expat/lib/expat_external.h" "$work/root/include"
    cp "$from/cjson/cJSON.h" "$work/root/include/cjson"
    printf '#define XML_DTD 1\n#define XML_NS 1\n#define XML_GE 1\n#define XML_CONTEXT_BYTES 1024\n' >"$work/objects/expat_config.h"
    library expat "-I$from/expat/lib -I$work/objects -DXML_STATIC" \
        "$from"/expat/lib/xmlparse.c "$from"/expat/lib/xmlrole.c "$from"/expat/lib/xmltok.c
    library cjson -DCJSON_HIDE_SYMBOLS "$from/cjson/cJSON.c"
    touch "$work/root/complete"
}

package cmake cmake
package gcc-mingw-w64-x86-64-posix "$compiler"
mkdir -p "$work"
libraries

read -ra options <<<"${OPTIONS:-}"
cmake -S . -B "$work/cmake" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw.cmake" -DSINEW_WINDOWS_ROOT="$work/root" \
    -DCMAKE_BUILD_TYPE=Release -DSINEW_STRICT=ON -DSINEW_TESTS=OFF -DSINEW_CLI=OFF -DSINEW_IMPORT=ON -DSINEW_LAPACK=OFF -DSINEW_LBFGS=OFF \
    -DSINEW_PNG=OFF -DSINEW_ZLIB=OFF -DSINEW_MPI=OFF -DSINEW_KERNEL_OPTIMIZE=-O1 -DSINEW_LANES_BUILT="$lanes" "${options[@]}" >"$work/cmake.log" 2>&1 ||
    { cat "$work/cmake.log" >&2; exit 1; }
cmake --build "$work/cmake" -j"$jobs" --target sinew_shared >"$work/make.log" 2>&1 ||
    { grep -E 'error|warning|undefined' -A4 "$work/make.log" | head -n 80 >&2; exit 1; }

# The DLL exports the public functions, all of them and nothing else.
dll=$(find "$work/cmake" -maxdepth 1 -name 'libsinew*.dll')
x86_64-w64-mingw32-objdump -p "$dll" | awk '/^\[Ordinal\/Name Pointer\] Table/ { names = 1; next } names && NF == 0 { exit } names { print $NF }' |
    sort >"$work/exported"
grep -hoE '^SN_API .*\(' include/sinew/*.h | grep -oE '\bsn_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/declared"
grep -hoE '^SN_API .*\(' include/sinew/studies.h | grep -oE '\bsn_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/studies"
comm -23 "$work/declared" "$work/studies" >"$work/public"
cmp -s "$work/exported" "$work/public" || { diff "$work/public" "$work/exported" >&2 || true; echo "windows: the DLL exports other functions than the headers declare" >&2; exit 1; }
echo "windows: the DLL exports $(wc -l <"$work/exported") functions"

# A program that links with it runs.
package wine64 /usr/lib/wine/wine64 wine64
wine=/usr/lib/wine/wine64
if command -v wine64 >/dev/null; then wine=wine64; fi
"$compiler" -std=c17 -O2 -DSINEW_DLL -Iinclude examples/hello.c "$dll.a" -o "$work/cmake/hello.exe"
WINEPREFIX=$work/wine WINEDEBUG=-all timeout 600 "$wine" "$work/cmake/hello.exe" >"$work/hello.log" || { cat "$work/hello.log" >&2; exit 1; }
tail -n 1 "$work/hello.log"
