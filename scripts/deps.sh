#!/usr/bin/env bash
# Installs what is missing, and only that. Does nothing, quickly, when nothing is.
# usage: deps.sh run    what building and running the command needs
#        deps.sh test   that, and what the tests and checks need
#        deps.sh fuzz   what building and fuzzing need
set -euo pipefail

tier=${1:-run}
case $tier in
    run | test | fuzz) ;;
    *) echo "usage: $0 run|test|fuzz" >&2; exit 2 ;;
esac

missing=()
# tool PACKAGE COMMAND...: one of the commands must be there.
tool() {
    local package=$1 name
    shift
    for name in "$@"; do
        if command -v "$name" >/dev/null; then return; fi
    done
    missing+=("$package")
}
# library PACKAGE NAME [MODULE]: pkg-config must know the module, or the linker the library.
library() {
    if [ $# -gt 2 ] && command -v pkg-config >/dev/null && pkg-config --exists "$3"; then return; fi
    if echo 'int main(void) { return 0; }' | "${CC:-cc}" -x c - -o /dev/null "-l$2" >/dev/null 2>&1; then return; fi
    missing+=("$1")
}

# clang's own run-time libraries, which libFuzzer and the sanitizers are part of.
fuzzer() {
    local path
    path=$(clang -print-runtime-dir 2>/dev/null || true)
    if ! compgen -G "$path/libclang_rt.fuzzer*.a" >/dev/null; then missing+=("$1"); fi
}

# python PACKAGE CODE: some python3 must run the code without an error.
python() {
    local name
    for name in python3 /usr/bin/python3; do
        if command -v "$name" >/dev/null && "$name" -c "$2" 2>/dev/null; then return; fi
    done
    missing+=("$1")
}

# OpenCL on the processor, which tests of devices run on.
opencl() {
    if ! compgen -G "/etc/OpenCL/vendors/*.icd" >/dev/null; then missing+=(pocl-opencl-icd); fi
    if ! compgen -G "/usr/lib/*/libOpenCL.so.1" >/dev/null; then missing+=(ocl-icd-libopencl1); fi
}

look() {
    missing=()
    tool gcc "${CC:-cc}"
    tool make make
    tool cmake cmake
    library libc6-dev m
    library libexpat1-dev expat expat
    library libcjson-dev cjson libcjson
    library libpng-dev png libpng
    library zlib1g-dev z zlib
    if [ "$tier" = fuzz ]; then
        tool clang clang
        fuzzer libclang-rt-dev
    fi
    if [ "$tier" = test ]; then
        tool g++ "${CXX:-c++}"
        tool pkg-config pkg-config pkgconf
        library libopenblas-dev openblas openblas
        library liblbfgs-dev lbfgs
        tool clang-format clang-format
        tool valgrind valgrind
        library libcmocka-dev cmocka cmocka
        library libmujoco-dev mujoco
        library libopenmpi-dev mpi mpi-c
        tool openmpi-bin mpirun
        opencl
        python python3-dev "import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()['include'] + '/Python.h'))"
        python python3-numpy "import numpy"
        python python3-pytest "import pytest"
        python python3-venv "import ensurepip"
    fi
}

give_up() {
    {
        echo "sinew: $1"
        echo "sinew: please install these by hand (Debian names): ${missing[*]}"
    } >&2
    exit 1
}

look
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

command -v apt-get >/dev/null || give_up "something is missing, and there is no apt-get to install it with"
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "something is missing, and installing it needs root or sudo"
    root=(sudo)
fi

echo "sinew: installing ${missing[*]}"
apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" </dev/null; }
apt update || echo "sinew: apt-get update failed; trying with the package lists as they are" >&2
apt install -y --no-install-recommends "${missing[@]}" >/dev/null || give_up "apt-get could not install everything"
look
if [ ${#missing[@]} -ne 0 ]; then give_up "still missing after the installation"; fi
