#!/usr/bin/env bash
# Builds the command without fused multiply-adds by gcc, clang, mingw-w64 (run by wine) and for 64-bit ARM (run by qemu). Each
# records a run and trains 20 updates, and all must write the same. What cannot be built here is named and left out.
# usage: test-bits.sh [gcc|clang|windows|arm]...   all unless told
#   JOBS   how many to compile at once
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
which=("$@")
if [ ${#which[@]} -eq 0 ]; then which=(gcc clang windows arm); fi
mkdir -p build/bits
export WINEDEBUG=-all WINEPREFIX=$PWD/build/windows/wine

native() { # NAME COMPILER
    command -v "$2" >/dev/null || { echo "test-bits: $1: left out: there is no $2"; return 0; }
    cmake -S . -B "build/bits/$1" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSINEW_STRICT=ON -DSINEW_KERNEL_OPTIMIZE=-O1 \
        -DSINEW_TESTS=OFF -DSINEW_SHARED=OFF -DSINEW_MPI=OFF -DSINEW_LANES_BUILT=native >"build/bits/$1.log" 2>&1 &&
        cmake --build "build/bits/$1" -j"$jobs" --target sinew_cli >>"build/bits/$1.log" 2>&1 || { tail -n 40 "build/bits/$1.log" >&2; exit 1; }
    hash "$1" "build/bits/$1/cli/sinew"
}

hash() { # NAME COMMAND...
    local name=$1
    shift
    timeout 3000 scripts/one-hash.sh "$@" >"build/bits/$name.sha256" || { echo "test-bits: $name: the command failed" >&2; exit 1; }
    echo "test-bits: $name: $(tr '\n' ' ' <"build/bits/$name.sha256")"
}

rm -f build/bits/*.sha256
for name in "${which[@]}"; do
    case $name in
        gcc) native gcc gcc ;;
        clang) native clang "${CLANG:-clang}" ;;
        windows)
            JOBS=$jobs scripts/windows.sh command
            if [ -f build/windows/strict/cli/sinew.exe ]; then
                hash windows "$(command -v wine64 || echo /usr/lib/wine/wine64)" build/windows/strict/cli/sinew.exe
            fi
            ;;
        arm)
            JOBS=$jobs scripts/test-arm.sh command
            if [ -f build/arm/cmake/cli/sinew ]; then
                hash arm "$(command -v qemu-aarch64 || command -v qemu-aarch64-static)" -L /usr/aarch64-linux-gnu \
                    -E "LD_LIBRARY_PATH=$PWD/build/arm/root/usr/lib/aarch64-linux-gnu" build/arm/cmake/cli/sinew
            fi
            ;;
    esac
done
sums=(build/bits/*.sha256)
for one in "${sums[@]}"; do
    cmp -s "${sums[0]}" "$one" || { echo "test-bits: $(basename "$one" .sha256) and $(basename "${sums[0]}" .sha256) differ" >&2; exit 1; }
done
echo "test-bits: ${#sums[@]} platforms, the same bits"
