#!/usr/bin/env bash
# Installs the build into a temporary folder and builds the README's first C program against it four ways:
# pkg-config and find_package, shared and static. All four must run and print the same.
# usage: run.sh CMAKE BUILD_DIR CC
set -euo pipefail

cmake=$1 build=$2 cc=$3
here=$(cd "$(dirname "$0")" && pwd)
readme=$here/../../README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$cmake" --install "$build" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }

# The first ```c block of the README that includes the header.
program=$work/program.c
if [ -f "$readme" ]; then
    awk '/^```c$/ { inside = 1; text = ""; next }
         /^```/   { if (inside && text ~ /#include <sinew\/sinew\.h>/) { printf "%s", text; exit } inside = 0 }
         inside   { text = text $0 "\n" }' "$readme" >"$program"
fi
if [ ! -s "$program" ]; then
    echo "README.md has no C program: using fallback.c"
    cp "$here/fallback.c" "$program"
fi

pc=$(find "$prefix" -name sinew.pc)
lib=$(dirname "$(find "$prefix" -name libsinew.a)")
export PKG_CONFIG_PATH=${pc%/*}
flags=(-std=c11 -Wall -Wextra -Wpedantic -Werror)

echo "pkg-config, shared"
# shellcheck disable=SC2046
"$cc" "${flags[@]}" "$program" -o "$work/pc_shared" $(pkg-config --cflags --libs sinew) "-Wl,-rpath,$lib"
echo "pkg-config, static"
# shellcheck disable=SC2046
"$cc" "${flags[@]}" "$program" -o "$work/pc_static" \
    $(pkg-config --static --cflags --libs sinew | sed 's/-lsinew\>/-l:libsinew.a/')
echo "find_package, shared and static"
"$cmake" -S "$here/consumer" -B "$work/consumer" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
    -DPROGRAM="$program" >"$work/consumer.log" 2>&1 || { cat "$work/consumer.log"; exit 1; }
"$cmake" --build "$work/consumer" >"$work/consumer.log" 2>&1 || { cat "$work/consumer.log"; exit 1; }

for name in pc_shared pc_static consumer/consumer_shared consumer/consumer_static; do
    needs=$(readelf -d "$work/$name" | grep -c 'NEEDED.*libsinew' || true)
    case $name in
        *shared) [ "$needs" = 1 ] || { echo "$name does not use the shared library"; exit 1; } ;;
        *static) [ "$needs" = 0 ] || { echo "$name uses the shared library"; exit 1; } ;;
    esac
    "$work/$name" >"$work/output" || { echo "$name failed"; exit 1; }
    [ -f "$work/expected" ] || cp "$work/output" "$work/expected"
    cmp "$work/expected" "$work/output" || { echo "$name prints something else"; exit 1; }
done

# Only the API is visible.
stray=$(nm -D --defined-only "$lib/libsinew.so" | awk '$2 ~ /[A-Z]/ && $3 !~ /^sn_[a-z]/ { print $3 }')
[ -z "$stray" ] || { echo "libsinew.so shows private symbols: $stray"; exit 1; }
if [ -x "$prefix/bin/sinew" ]; then
    "$prefix/bin/sinew" --version
fi

echo "the program prints:"
cat "$work/expected"
