#!/usr/bin/env bash
# Builds the library and the command with other compilers, warnings as errors, with the lane types of this machine: clang in
# each version named, and gcc with plain C17. What is not installed is named and left out.
# usage: test-compilers.sh [COMPILER]...   clang-14 clang-16 clang-19 c17 unless told
#   JOBS   how many to compile at once
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
which=("$@")
if [ ${#which[@]} -eq 0 ]; then which=(clang-14 clang-16 clang-19 c17); fi
mkdir -p build/compilers

for name in "${which[@]}"; do
    compiler=$name options=()
    if [ "$name" = c17 ]; then
        compiler=gcc
        options=(-DCMAKE_C_EXTENSIONS=OFF -DCMAKE_C_FLAGS="-D_POSIX_C_SOURCE=200809L -ffp-contract=fast")
    fi
    command -v "$compiler" >/dev/null || { echo "test-compilers: $name: left out: there is no $compiler"; continue; }
    folder=build/compilers/$name
    cmake -S . -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DSINEW_WERROR=ON -DSINEW_KERNEL_OPTIMIZE=-O1 \
        -DSINEW_TESTS=OFF -DSINEW_MPI=OFF -DSINEW_LANES_BUILT=native "${options[@]}" >"$folder.log" 2>&1 &&
        cmake --build "$folder" -j"$jobs" --target product >>"$folder.log" 2>&1 ||
        { grep -E 'error|warning' -A4 "$folder.log" | head -n 60 >&2; echo "test-compilers: $name does not build it" >&2; exit 1; }
    echo "test-compilers: $name builds library and command without warnings"
done
