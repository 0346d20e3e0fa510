#!/usr/bin/env bash
# Builds the library, the command and the portable tests for 64-bit Windows with Debian's mingw-w64, without fused
# multiply-adds, and runs the tests under wine: the golden hashes among them are those of Linux. Installs what is missing, and
# compiles expat, cJSON and cmocka from Debian's sources. Where that cannot be done it says so in one line and ends with 0.
# usage: windows.sh [build|test]    test (the default) runs the portable tests and the command as well
#   JOBS     how many to compile and run at once
#   OPTIONS  more options for cmake
set -euo pipefail
cd "$(dirname "$0")/.."

work=$PWD/build/windows
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
compiler=x86_64-w64-mingw32-gcc-posix
tests=(test_base test_elementary test_pool test_dynamics test_pgs test_snapshot test_world_constraints)
for source in tests/test_copies_determinism*.c; do tests+=("$(basename "$source" .c)"); done
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
    echo "windows: fetching the sources of expat, cJSON and cmocka"
    sources "$work" expat cjson cmocka || give_up "the sources of expat, cJSON and cmocka cannot be fetched"
    mkdir -p "$work/objects" "$work/root/include/cjson" "$work/root/lib"
    cp "$from/expat/lib/expat.h" "$from/expat/lib/expat_external.h" "$from"/cmocka/include/*.h "$work/root/include"
    cp "$from/cjson/cJSON.h" "$work/root/include/cjson"
    printf '#define XML_DTD 1\n#define XML_NS 1\n#define XML_GE 1\n#define XML_CONTEXT_BYTES 1024\n' >"$work/objects/expat_config.h"
    library expat "-I$from/expat/lib -I$work/objects -DXML_STATIC" \
        "$from"/expat/lib/xmlparse.c "$from"/expat/lib/xmlrole.c "$from"/expat/lib/xmltok.c
    library cjson -DCJSON_HIDE_SYMBOLS "$from/cjson/cJSON.c"
    library cmocka "-I$from/cmocka/include -DCMOCKA_STATIC -DHAVE_SIGNAL_H -DHAVE_INTTYPES_H -DHAVE_STDINT_H -DHAVE_TIME_H -DHAVE__SNPRINTF_S=0" \
        "$from/cmocka/src/cmocka.c"
    touch "$work/root/complete"
}

package cmake cmake
package gcc-mingw-w64-x86-64-posix "$compiler"
mkdir -p "$work"
libraries

read -ra options <<<"${OPTIONS:-}"
cmake -S . -B "$work/cmake" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw.cmake" -DSINEW_WINDOWS_ROOT="$work/root" \
    -DCMAKE_BUILD_TYPE=Release -DSINEW_STRICT=ON -DSINEW_TESTS=ON -DSINEW_IMPORT=ON -DSINEW_LAPACK=OFF -DSINEW_LBFGS=OFF \
    -DSINEW_PNG=OFF -DSINEW_ZLIB=OFF -DSINEW_MPI=OFF -DSINEW_KERNEL_OPTIMIZE=-O1 -DSINEW_LANES_BUILT="$lanes" "${options[@]}" >"$work/cmake.log" 2>&1 ||
    { cat "$work/cmake.log" >&2; exit 1; }
cmake --build "$work/cmake" -j"$jobs" --target sinew_shared sinew_cli >"$work/make.log" 2>&1 ||
    { grep -E 'error|warning' -A4 "$work/make.log" | head -n 80 >&2; exit 1; }
echo "windows: $(du -h "$work/cmake/cli/sinew.exe" | cut -f1) $work/cmake/cli/sinew.exe"
if [ "${1:-test}" = build ]; then exit 0; fi
