#!/usr/bin/env bash
# Installs the build into a temporary folder and builds the README's first C program and all examples against it, as
# strangers would: with pkg-config and find_package, shared and static, and from the sources with FetchContent. All must
# run, and print the same whichever way they were built.
# usage: run.sh CMAKE BUILD_DIR CC
set -euo pipefail

cmake=$1 build=$2 cc=$3
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

# Runs a command quietly; its output is shown when it fails.
quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

quietly "$cmake" --install "$build" --prefix "$prefix"

# The first C program of the README is examples/hello.c.
awk '/^```c$/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$root/README.md" >"$work/readme.c"
cmp "$work/readme.c" "$root/examples/hello.c" || { echo "README.md and examples/hello.c differ"; exit 1; }

pc=$(find "$prefix" -name sinew.pc)
programs=("$work/readme.c")
for program in "$root"/examples/*.c; do
    # A library without expat reads no files.
    [[ $program == */mjcf_bvh.c ]] && ! grep -q expat "$pc" || programs+=("$program")
done
list=$(IFS=';' && echo "${programs[*]}")
lib=$(dirname "$(find "$prefix" -name libsinew.a)")
export PKG_CONFIG_PATH=${pc%/*}
flags=(-std=c11 -Wall -Wextra -Wpedantic -Werror)
mkdir -p "$work/pkg_config"

echo "pkg-config, shared and static"
for program in "${programs[@]}"; do
    name=$(basename "$program" .c)
    # shellcheck disable=SC2046
    "$cc" "${flags[@]}" "$program" -o "$work/pkg_config/${name}_sinew" \
        $(pkg-config --cflags --libs sinew) -lm "-Wl,-rpath,$lib"
    # shellcheck disable=SC2046
    "$cc" "${flags[@]}" "$program" -o "$work/pkg_config/${name}_sinew_static" \
        $(pkg-config --static --cflags --libs sinew | sed 's/-lsinew\>/-l:libsinew.a/') -lm
done
# Studies are a static library of their own, which pkg-config names with the static one and all that they need.
# shellcheck disable=SC2046
"$cc" "${flags[@]}" "$here/study.c" -o "$work/pkg_config/study" $(pkg-config --cflags --libs sinew-studies)
"$work/pkg_config/study" >"$work/study.expected"
echo "find_package, shared and static"
quietly "$cmake" -S "$here/consumer" -B "$work/package" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
    "-DPROGRAMS=$list" "-DSTUDY=$here/study.c"
quietly "$cmake" --build "$work/package"
"$work/package/programs/study" | cmp - "$work/study.expected" || { echo "study.c prints something else"; exit 1; }

# Each program, in the folder given: it must use the library it was built for, run, and print what it always prints.
check_programs() {
    local program name kind path needs
    for program in "${programs[@]}"; do
        name=$(basename "$program" .c)
        for kind in sinew sinew_static; do
            path=$1/${name}_$kind
            [ -x "$path" ] || continue
            needs=$(readelf -d "$path" | grep -c 'NEEDED.*libsinew' || true)
            case $kind in
                sinew) [ "$needs" = 1 ] || { echo "$path does not use the shared library"; exit 1; } ;;
                *) [ "$needs" = 0 ] || { echo "$path uses the shared library"; exit 1; } ;;
            esac
            (cd "$root" && "$path") >"$work/output" || { echo "$path failed"; exit 1; }
            [ -f "$work/$name.expected" ] || cp "$work/output" "$work/$name.expected"
            cmp "$work/$name.expected" "$work/output" || { echo "$path prints something else"; exit 1; }
        done
    done
}
check_programs "$work/pkg_config"
check_programs "$work/package/programs"

# From the sources: few lane types, so that it does not take long. Other lanes may give other last digits, so each
# program must run, but may print its own.
echo "FetchContent"
lanes=()
if [ "$(uname -m)" = x86_64 ]; then lanes=("-DSINEW_LANES_BUILT=f64x2_v2;f32x4_v2"); fi
quietly "$cmake" -S "$here/consumer" -B "$work/fetched" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug \
    "-DPROGRAMS=$list" -DFETCHCONTENT_SOURCE_DIR_SINEW="$root" -DSINEW_ALL_LANES=OFF "${lanes[@]}" \
    -DSINEW_KERNEL_OPTIMIZE=-O1
quietly "$cmake" --build "$work/fetched" -j2
for program in "${programs[@]}"; do
    path=$work/fetched/programs/$(basename "$program" .c)_sinew
    (cd "$root" && "$path") >"$work/output" || { echo "$path failed"; exit 1; }
done

# Only the API is visible.
stray=$(nm -D --defined-only "$lib/libsinew.so" | awk '$2 ~ /[A-Z]/ && $3 !~ /^sn_[a-z]/ { print $3 }')
[ -z "$stray" ] || { echo "libsinew.so shows private symbols: $stray"; exit 1; }
# Until 1.0 the interface changes with the minor version, and so does the name that programs are linked with.
wanted=libsinew.so.$(awk '/^#define SN_VERSION_MAJOR/ { a = $3 } /^#define SN_VERSION_MINOR/ { b = $3 } END { print a "." b }' \
    "$root/include/sinew/base.h")
[ -f "$lib/$wanted" ] || { echo "there is no $wanted"; exit 1; }
if [ -x "$prefix/bin/sinew" ]; then
    "$prefix/bin/sinew" --version
fi

for program in "${programs[@]:1}"; do
    echo "$(basename "$program" .c) prints:"
    sed 's/^/    /' "$work/$(basename "$program" .c).expected"
done
