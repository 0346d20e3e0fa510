#!/usr/bin/env bash
# Builds for 64-bit ARM with Debian's cross compiler, without fused multiply-adds, and runs a short set of tests under
# qemu: the golden hashes among them are those of x86. Square roots of vectors must be NEON's. Installs the compiler and
# qemu when they are missing; the ARM packages of cmocka, expat and cJSON are unpacked into build/arm/root, so that the
# system needs no second architecture.
# Where that cannot be done it says so in one line and ends with 0, so that everything else can go on.
# usage: test-arm.sh [TEST...]   programs under tests/, a short set unless told
#        test-arm.sh command     builds the command alone (scripts/test-bits.sh)
#   STRICT   OFF: with fused multiply-adds, as on users' machines; no hash is promised then
#   JOBS     how many to compile and run at once
#   OPTIONS  more options for cmake
set -euo pipefail
cd "$(dirname "$0")/.."

work=$PWD/build/arm
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
strict=${STRICT:-ON}
build=$work/cmake
if [ "$strict" = OFF ]; then build=$work/fused; fi
tests=("$@")
if [ ${#tests[@]} -eq 0 ]; then
    tests=(test_base test_dynamics test_pgs test_problem test_snapshot)
    for source in tests/test_copies_determinism*.c; do tests+=("$(basename "$source" .c)"); done
fi
packages=(libcmocka0 libcmocka-dev libexpat1 libexpat1-dev libcjson1 libcjson-dev)

me=test-arm
. scripts/package.sh

# Unpacks the packages into $work/root. apt gets lists of its own, which have ARM beside this machine's architecture.
libraries() {
    local dir=$work/apt line=() deb
    if [ -f "$work/root/complete" ]; then return; fi
    command -v apt-get >/dev/null || give_up "there is no apt-get to fetch cmocka, expat and cJSON for ARM with"
    echo "test-arm: fetching ${packages[*]} for ARM"
    rm -rf "$dir" "$work/root"
    mkdir -p "$dir/lists/partial" "$dir/archives/partial" "$dir/packages" "$work/root"
    line=(apt-get -qq -o "APT::Architectures::=$(dpkg --print-architecture)" -o APT::Architectures::=arm64
        -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir" -o APT::Sandbox::User=root)
    "${line[@]}" update >/dev/null 2>&1 || true # a source without ARM does no harm when another has it
    (cd "$dir/packages" && "${line[@]}" download "${packages[@]/%/:arm64}" >/dev/null 2>&1) ||
        give_up "apt-get could not fetch cmocka, expat and cJSON for ARM"
    for deb in "$dir/packages"/*.deb; do dpkg -x "$deb" "$work/root"; done
    rm -rf "$dir"
    touch "$work/root/complete"
}

case $(uname -m) in
    aarch64 | arm64) give_up "this machine is ARM itself: make strict runs these tests on it" ;;
esac
package cmake cmake
package gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
package libc6-dev-arm64-cross /usr/aarch64-linux-gnu/include/stdio.h
package qemu-user qemu-aarch64 qemu-aarch64-static
mkdir -p "$work"
libraries

read -ra options <<<"${OPTIONS:-}"
cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" -DSINEW_ARM_ROOT="$work/root" \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DSINEW_STRICT=$strict" -DSINEW_KERNEL_OPTIMIZE=-O1 -DSINEW_TESTS=ON -DSINEW_IMPORT=ON \
    -DSINEW_LAPACK=OFF -DSINEW_LBFGS=OFF -DSINEW_PNG=OFF -DSINEW_ZLIB=OFF -DSINEW_SHARED=OFF -DSINEW_MPI=OFF "${options[@]}" >"$build.log" 2>&1 ||
    { cat "$build.log" >&2; exit 1; }
if [ "${tests[*]}" = command ]; then tests=(sinew_cli); fi
cmake --build "$build" -j"$jobs" --target "${tests[@]}" >"$build.make.log" 2>&1 ||
    { tail -n 60 "$build.make.log" >&2; exit 1; }
if [ "${tests[*]}" = sinew_cli ]; then exit 0; fi
for object in "$build"/CMakeFiles/lanes_f{32x4,64x2}_base.dir/src/kernels/lanes.c.o; do
    aarch64-linux-gnu-objdump -d --no-show-raw-insn "$object" | awk '$2 == "fsqrt" { $3 ~ /^v/ ? vectors++ : singles++ }
        END { printf "test-arm: square roots: %d of vectors, %d of single numbers\n", vectors, singles; exit vectors == 0 }' ||
        { echo "test-arm: $object takes square roots one by one" >&2; exit 1; }
done
names=$(IFS='|'; echo "${tests[*]}")
SINEW_TEST_SHORT=1 ctest --test-dir "$build" -j"$jobs" --output-on-failure --no-tests=error -R "^($names)\$"
