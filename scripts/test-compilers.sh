#!/usr/bin/env bash
# Builds the library and the command with other compilers, warnings as errors, with the lane types of this machine: clang in
# each version named, and gcc with plain C17. What is not installed is named and left out.
# usage: test-compilers.sh [COMPILER]...   clang-14 clang-16 clang-19 c17 unless told
#   READ   1: only read the sources, which takes seconds
#   JOBS   how many to compile at once
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
which=("$@")
if [ ${#which[@]} -eq 0 ]; then which=(clang-14 clang-16 clang-19 c17); fi
mkdir -p build/compilers

build() { # FOLDER
    if [ "${READ:-}" = 1 ]; then # each command that CMake would run
        awk -v what=tables -f scripts/schema.awk include/sinew/*.h >"$1/schema/schema_tables.h"
        (cd src && awk -v what=c -f ../scripts/program.awk) >"$1/device/program_text.c"
        sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$1/compile_commands.json" | sed 's/\\"/"/g; s/\\\\/\\/g; s/ -o [^ ]* / -fsyntax-only /' |
            (cd "$1" && xargs -d '\n' -P "$jobs" -n 1 sh -c)
    else
        cmake --build "$1" -j"$jobs" --target product
    fi
}

for name in "${which[@]}"; do
    compiler=$name options=()
    if [ "$name" = c17 ]; then
        compiler=gcc
        options=(-DCMAKE_C_EXTENSIONS=OFF -DCMAKE_C_FLAGS=-ffp-contract=fast)
    fi
    command -v "$compiler" >/dev/null || { echo "test-compilers: $name: left out: there is no $compiler"; continue; }
    folder=build/compilers/$name
    cmake -S . -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DSINEW_WERROR=ON -DSINEW_KERNEL_OPTIMIZE=-O1 \
        -DSINEW_TESTS=OFF -DSINEW_MPI=OFF -DSINEW_LANES_BUILT=native "${options[@]}" >"$folder.log" 2>&1 &&
        build "$folder" >>"$folder.log" 2>&1 ||
        { grep -E 'error|warning' -A4 "$folder.log" | head -n 60 >&2; echo "test-compilers: $name does not build it" >&2; exit 1; }
    verb=builds
    if [ "${READ:-}" = 1 ]; then verb=reads; fi
    echo "test-compilers: $name $verb library and command without warnings"
done
