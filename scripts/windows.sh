#!/usr/bin/env bash
# Builds for 64-bit Windows with Debian's mingw-w64: library, command and what else `cmake --install` puts somewhere. Installs
# what is missing, and compiles expat, cJSON and cmocka from Debian's sources. Where that cannot be done it says so in one line
# and ends with 0.
# usage: windows.sh zip     a zip to unpack anywhere: command, DLL, headers, import library, policies, report page
#        windows.sh test    without fused multiply-adds, with the portable tests, which run under wine; the exports of the
#                           DLL; a program that links with it; each command of the zip (scripts/try-windows.sh)
#        windows.sh command the command alone, without fused multiply-adds (scripts/test-bits.sh)
#   JOBS               how many to compile and run at once
#   SINEW_LANES_BUILT  the lane types; `zip` builds all unless told, `test` five: the tests ask for scalars and both precisions
#   OPTIONS            more options for cmake
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-zip}
work=$PWD/build/windows
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
compiler=x86_64-w64-mingw32-gcc-posix

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
    echo "windows: fetching the sources of expat, cJSON and cmocka"
    sources "$work" expat cjson cmocka || give_up "the sources of expat, cJSON and cmocka cannot be fetched"
    mkdir -p "$work/objects" "$work/root/include/cjson" "$work/root/lib"
    cp "$from/expat/lib/expat.h" "$from/expat/lib/expat_external.h" "$from"/cmocka/include/cmocka*.h "$work/root/include"
    cp "$from/cjson/cJSON.h" "$work/root/include/cjson"
    printf '#define XML_DTD 1\n#define XML_NS 1\n#define XML_GE 1\n#define XML_CONTEXT_BYTES 1024\n' >"$work/objects/expat_config.h"
    library expat "-I$from/expat/lib -I$work/objects -DXML_STATIC" \
        "$from"/expat/lib/xmlparse.c "$from"/expat/lib/xmlrole.c "$from"/expat/lib/xmltok.c
    library cjson -DCJSON_HIDE_SYMBOLS "$from/cjson/cJSON.c"
    printf '#define HAVE_%s 1\n' INTTYPES_H STDINT_H SIGNAL_H TIME_H MALLOC_H STRUCT_TIMESPEC STRINGS_H UNISTD_H \
        SNPRINTF VSNPRINTF >"$work/objects/config.h"
    library cmocka "-I$from/cmocka/include -I$work/objects -DHAVE_CONFIG_H -DCMOCKA_STATIC -D__USE_MINGW_ANSI_STDIO=1" \
        "$from/cmocka/src/cmocka.c"
    touch "$work/root/complete"
}

# build FOLDER TARGET OPTION...
build() {
    local folder=$1 target=$2 options
    shift 2
    read -ra options <<<"${OPTIONS:-}"
    cmake -S . -B "$folder" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw.cmake" -DSINEW_WINDOWS_ROOT="$work/root" \
        -DCMAKE_BUILD_TYPE=Release -DSINEW_IMPORT=ON -DSINEW_LAPACK=OFF -DSINEW_LBFGS=OFF -DSINEW_PNG=OFF -DSINEW_ZLIB=OFF \
        -DSINEW_MPI=OFF "$@" "${options[@]}" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
    cmake --build "$folder" -j"$jobs" --target "$target" >"$folder.make.log" 2>&1 ||
        { grep -E 'error|warning|undefined' -A4 "$folder.make.log" | head -n 80 >&2; exit 1; }
}

# The DLL exports the public functions, all of them and nothing else, and its import library leads to it.
exports() { # DLL IMPORT_LIBRARY
    local leads
    leads=$(x86_64-w64-mingw32-dlltool -I "$2")
    [ "$leads" = sinew.dll ] || { echo "windows: $2 leads to $leads" >&2; exit 1; }
    x86_64-w64-mingw32-objdump -p "$1" |
        awk '/^\[Ordinal\/Name Pointer\] Table/ { names = 1; next } names && NF == 0 { names = 0 } names { print $NF }' | sort >"$work/exported"
    ls include/sinew/*.h | grep -v studies | xargs grep -hoE '^SN_API .*\(' | grep -oE '\bsn_[a-z0-9_]+\(' | tr -d '(' |
        sort -u >"$work/public"
    cmp -s "$work/exported" "$work/public" ||
        { diff "$work/public" "$work/exported" >&2 || true; echo "windows: the DLL exports other functions than the headers declare" >&2; exit 1; }
    echo "windows: the DLL exports the $(wc -l <"$work/exported") public functions and nothing else"
}

# Spills of vectors must not trust the alignment of the stack.
spills() { # DLL
    local aligned
    aligned=$(x86_64-w64-mingw32-objdump -d --no-show-raw-insn "$1" | grep -cE 'vmov(ap[sd]|dqa(32|64)?) .*%[yz]mm' || true)
    [ "$aligned" = 0 ] || { echo "windows: $aligned aligned moves of wide vectors: Windows aligns stacks to 16 bytes" >&2; exit 1; }
}

package cmake cmake
package gcc-mingw-w64-x86-64-posix "$compiler"
mkdir -p "$work"
libraries

if [ "$what" = zip ]; then
    package zip zip
    build "$work/release" product -DSINEW_TESTS=OFF -DSINEW_LANES_BUILT="${SINEW_LANES_BUILT:-}"
    version=$(scripts/version.sh)
    name=sinew-$version-windows-x86_64
    rm -rf "$work/$name" "$work/$name.zip"
    cmake --install "$work/release" --strip --prefix "$work/$name" >/dev/null
    rm -rf "$work/$name"/share/{bash-completion,zsh,fish,man} "$work/$name"/lib/libsinew_studies.a
    cp LICENSE README.md CHANGELOG.md "$work/$name"
    dll=$(find "$work/$name" -name 'sinew*.dll')
    exports "$dll" "$work/$name/lib/libsinew.dll.a"
    spills "$dll"
    (cd "$work" && zip -qr9 "$name.zip" "$name")
    echo "windows: build/windows/$name.zip, $(wc -c <"$work/$name.zip") bytes"
    exit 0
fi

package wine64 /usr/lib/wine/wine64 wine64
target=all
if [ "$what" = command ]; then target=sinew_cli; fi
build "$work/strict" $target -DSINEW_STRICT=ON -DSINEW_TESTS=ON -DSINEW_KERNEL_OPTIMIZE=-O1 \
    -DSINEW_LANES_BUILT="${SINEW_LANES_BUILT:-f32x8_v3;f64x2_v3;f32x4_v3;f32x1_v2;f64x1_v2}"
if [ "$what" = command ]; then exit 0; fi
dll=$(find "$work/strict" -maxdepth 1 -name 'sinew*.dll')
exports "$dll" "$work/strict/libsinew.dll.a"
spills "$dll"
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEPREFIX=$work/wine WINEDEBUG=-all
"$compiler" -std=c17 -O2 -DSINEW_DLL -Iinclude examples/hello.c "$work/strict/libsinew.dll.a" -o "$work/strict/hello.exe"
timeout 600 "$wine" "$work/strict/hello.exe" >"$work/hello.log" || { cat "$work/hello.log" >&2; exit 1; }
tail -n 1 "$work/hello.log"
SINEW_TEST_SHORT=1 ctest --test-dir "$work/strict" -j"$jobs" --output-on-failure --no-tests=error -L portable --timeout 1200
SINEW_SHARE=$PWD/web/prebuilt scripts/try-windows.sh "$work/strict/cli/sinew.exe" # a page that needs no node
