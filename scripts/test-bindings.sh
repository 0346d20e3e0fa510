#!/usr/bin/env bash
# Runs the same program in C, C# (mono) and Rust with the shared library of a build. All must print the same, to the last bit of
# the final state. Installs mono and rustc where they are missing; where that cannot be done it says so and leaves them out.
# usage: test-bindings.sh [BUILD]   build/release unless told
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-build/release}
me=test-bindings
. scripts/package.sh
[ -f "$build/libsinew.so" ] || give_up "there is no shared library in $build (make)"
library=$(realpath "$build")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$library

sed 's/^    sn_world_free(world);/    printf("hash %016llx\\n", (unsigned long long)sn_world_hash(world));\n&/' examples/hello.c >"$work/hello.c"
"${CC:-cc}" -std=c17 -Iinclude "$work/hello.c" "$library/libsinew.so" -o "$work/c"
"$work/c" >"$work/c.out"
echo "test-bindings: C     $(tail -n 1 "$work/c.out")"
same() { # LANGUAGE
    cmp "$work/c.out" "$work/$1.out" || { diff "$work/c.out" "$work/$1.out" >&2 || true; exit 1; }
    printf 'test-bindings: %-5s %s\n' "$1" "$(tail -n 1 "$work/$1.out")"
}

if (package rustc rustc) && command -v rustc >/dev/null; then
    rustc -O -L "$library" -o "$work/rust" bindings/rust/hello.rs
    "$work/rust" >"$work/Rust.out"
    same Rust
fi
if (package mono-mcs mcs && package mono-runtime mono) && command -v mcs mono >/dev/null; then
    mcs -warnaserror -unsafe -out:"$work/hello.exe" bindings/csharp/*.cs
    mono "$work/hello.exe" >"$work/C#.out"
    same C#
fi
