#!/usr/bin/env bash
# Builds the library as a game wants it, with one lane type and without files, studies and position-based steps: once for double
# and once for float. The program examples/hello.c must then be at most 1 MB, stripped, and a world of the one precision must
# work, rows included (tests/small/one_precision.c).
# usage: test-small.sh [FOLDER]   where to build (build/small)
#   JOBS   how many to compile at once
#   CC     the compiler
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-build/small}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
most=1000000 # bytes
suffix=base
case $(uname -m) in x86_64 | amd64) suffix=v2 ;; esac

library() { # LANES
    cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=MinSizeRel \
        -DCMAKE_C_FLAGS="-ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables" \
        -DSINEW_KERNEL_OPTIMIZE=-O2 -DSINEW_POSITION=OFF -DSINEW_STUDIES=OFF -DSINEW_SHARED=OFF -DSINEW_IMPORT=OFF \
        -DSINEW_LAPACK=OFF -DSINEW_PNG=OFF -DSINEW_ZLIB=OFF -DSINEW_LANES_BUILT="$1" >"$build.log" 2>&1 &&
        cmake --build "$build" -j"$jobs" --target sinew_static >>"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; exit 1; }
}

program() { # SOURCE
    "${CC:-cc}" -std=c17 -O2 -Iinclude "$1" "$build/libsinew.a" -lm -lpthread -no-pie -Wl,--gc-sections -s -o "$build/program"
}

mkdir -p "$(dirname "$build")"
for lanes in "f64x2_$suffix" "f32x4_$suffix"; do
    library "$lanes"
    program tests/small/one_precision.c
    "$build/program"
    if [[ $lanes == f64* ]]; then # hello.c has a world of doubles
        program examples/hello.c
        "$build/program" | tail -n 1
        size=$(wc -c <"$build/program")
        echo "test-small: hello with $lanes alone has $size bytes"
        [ "$size" -le $most ] || { echo "test-small: that is more than $most" >&2; exit 1; }
    fi
done
