#!/usr/bin/env bash
# Reads the library, the command, the scenes and the studies as clang would for a Mac with an ARM processor, warnings as errors,
# and the public headers for both kinds of Mac. Nothing is built and nothing runs. The headers of musl replace Apple's, without
# the functions that macOS lacks. Installs clang and musl-dev if they are missing. If that is impossible, it says so in one line
# and ends with 0.
# usage: check-macos.sh
#   CLANG  the compiler
set -euo pipefail
cd "$(dirname "$0")/.."

me=check-macos
. scripts/package.sh
clang=${CLANG:-clang}
musl=/usr/include/$(uname -m)-linux-musl
package clang "$clang"
package musl-dev "$musl/stdio.h"
for header in expat.h cjson/cJSON.h; do
    [ -f "/usr/include/$header" ] || give_up "$header is missing (make deps)"
done

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir -p "$room/system/mach-o" "$room/made"
cat >"$room/system/mach-o/dyld.h" <<'EOF'
#pragma once
#include <stdint.h>
int _NSGetExecutablePath(char *path, uint32_t *room);
EOF
{
    printf '#include <%s.h>\n' fcntl pthread sched signal stdio stdlib string sys/socket time unistd
    printf '#undef %s\n' MSG_NOSIGNAL SOCK_CLOEXEC SOCK_NONBLOCK
    printf '#pragma GCC poison %s\n' accept4 pipe2 dup3 clock_nanosleep sched_getaffinity sched_setaffinity cpu_set_t \
        secure_getenv pthread_setaffinity_np sem_timedwait qsort_r ppoll prctl epoll_wait eventfd timer_create strchrnul \
        mempcpy posix_fallocate fdatasync sigtimedwait sigqueue get_nprocs
} >"$room/lacks.h"
awk -v what=tables -f scripts/schema.awk include/sinew/*.h >"$room/made/schema_tables.h"
echo '#define LANE_TABLES(X) X(64, 2, base) X(32, 4, base)' >"$room/made/lanes_built.h"

warnings=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only)
ours=("--target=arm64-apple-macos13" -std=gnu17 "${warnings[@]}" -nostdlibinc -isystem "$room/system" -isystem "$musl"
    -idirafter /usr/include -Iinclude -Isrc -I. -Icli -I"$room/made" '-DSINEW_MPI_FOLDER="."')
read_as_mac() { # OPTION... FILE...
    "$clang" "${ours[@]}" "$@" || { echo "check-macos: clang for macOS refuses this" >&2; exit 1; }
}

mapfile -t sources < <(scripts/list-files.sh '*.c' | grep -E '^(src|studies|scenes|cli)/' |
    grep -vE '_lanes\.c$|/lanes\.c$|^studies/kernels/|^cli/mpi/|^cli/ranks_alone\.c$')
system='#include *<(unistd|fcntl|pthread|sched|signal|poll|dlfcn|sys/[a-z]+)\.h>' # these files ask the system for something
mapfile -t asking < <(grep -lE "$system" "${sources[@]}")
mapfile -t others < <(grep -LE "$system" "${sources[@]}")
read_as_mac -include "$room/lacks.h" "${asking[@]}"
read_as_mac "${others[@]}"
mapfile -t lanes < <(ls src/kernels/*lanes.c src/learn/*_lanes.c)
for type in 64:2 32:4; do
    read_as_mac "-DLANE_BITS=${type%:*}" "-DLANE_WIDTH=${type#*:}" -DLANE_ISA=base "${lanes[@]}"
done
for processor in arm64 x86_64; do
    "$clang" "--target=$processor-apple-macos13" -nostdlibinc "${warnings[@]}" -Iinclude -std=c11 tests/header_c11.c
    "$clang" "--target=$processor-apple-macos13" -nostdlibinc "${warnings[@]}" -Iinclude -x c++ -std=c++17 tests/header_cxx17.cpp
done
echo "check-macos: $((${#sources[@]} + ${#lanes[@]})) sources read as for a Mac"
