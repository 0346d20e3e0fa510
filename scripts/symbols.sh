#!/usr/bin/env bash
# Writes debian/libsinew0.3.symbols, the functions that the library exports, from the headers, or checks that it is up to date.
# A function that goes makes the package fail until the name of the library changes.
# usage: symbols.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(scripts/version.sh)
name=${version%.*}
file=debian/libsinew$name.symbols
list() {
    echo "libsinew.so.$name libsinew$name #MINVER#"
    find include/sinew -name '*.h' ! -name studies.h -print0 | xargs -0 grep -hoE '^SN_API .*\(' | grep -oE '\bsn_[a-z0-9_]+\(' |
        tr -d '(' | LC_ALL=C sort -u | sed "s/.*/ &@Base $name.0/"
}
if [ "${1:-}" = --check ]; then
    list | cmp -s - "$file" || { echo "symbols: $file is not what the headers give: run \`make bindings\` and commit the result" >&2; exit 1; }
else
    list >"$file"
fi
