#!/usr/bin/env bash
# Writes the generated files of the Python package and of the C# and Rust bindings, and the list of symbols of the Debian package,
# from the headers, or checks that they are up to date.
# usage: bindings.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null || ! command -v "${CC:-cc}" >/dev/null; then
    echo "bindings: not checked without python3 and a C compiler"
    exit
fi
# A program that prints the schema needs src/base alone.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v what=tables -f scripts/schema.awk include/sinew/*.h >"$work/schema_tables.h"
cat >"$work/main.c" <<'PROGRAM'
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    const size_t size = sn_schema(NULL, 0);
    char *text = malloc(size + 1);
    sn_schema(text, size + 1);
    return puts(text) < 0;
}
PROGRAM
${CC:-cc} -O0 -std=gnu17 -D_GNU_SOURCE -w -Iinclude -Isrc -I. -I"$work" "$work/main.c" src/base/*.c -o "$work/schema" -lm -lpthread
"$work/schema" >"$work/schema.json"
python3 scripts/bindings.py "$work/schema.json" --layout "$work/layout.c" "$@"
python3 scripts/foreign.py "$work/schema.json" "$@"
scripts/symbols.sh "$@"
${CC:-cc} -std=gnu17 -fsyntax-only -Iinclude "$work/layout.c"
