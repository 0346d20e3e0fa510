#!/usr/bin/env bash
# Adds an option to a copy of the public header, one member with its comment, and looks for it in everything that is made
# from the header.
# usage: run.sh CC BUILD [FLAGS]   the compiler, the folder with libsinew.a, and flags that the library was compiled with
set -euo pipefail
cd "$(dirname "$0")/../.."
cc=${1:?} build=${2:?} flags=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r include "$work/include"
sed -i '/^} sn_world_def;/i\    /* Share of elk in the ground. [kg; default 2.5; 0 to 9] */\n    double elk;' "$work/include/sinew/world.h"
sed -i '/^} sn_trainer_def;/i\    /* Share of moose in a rollout. [default 3; 1 to 7] */\n    int moose;' "$work/include/sinew/learn.h"
awk -v what=tables -f scripts/schema.awk "$work"/include/sinew/*.h >"$work/schema_tables.h"

libraries=$(sed -n 's/^Libs.private: *//p; s/^Libs: .*-lsinew//p' "$build/sinew.pc" | tr '\n' ' ')
# shellcheck disable=SC2086
"$cc" $flags -std=gnu17 -DSN__HAVE_IMPORT=1 -I"$work/include" -I"$work" -Isrc -Icli -o "$work/sinew" tests/schema/added.c \
    cli/definition_options.c cli/options.c cli/schema.c cli/terminal.c cli/platform.c src/base/definition.c src/base/schema.c \
    src/import/definition_json.c "$build/libsinew.a" $libraries -lm -lpthread

expect() { # WHERE PATTERN < TEXT
    grep -E -- "$2" >/dev/null || { echo "the new option is not in $1" >&2 && exit 1; }
}
sinew=$work/sinew
"$sinew" help run | expect help '--elk X +Share of elk in the ground\. Default: 2\.5 kg\.'
scripts/man.sh "$sinew" | expect "the manual page" '\\-\\-elk X +Share of elk in the ground'
"$sinew" help train | expect "the help of train" '--moose N +Share of moose in a rollout\. Default: 3\.'
scripts/man.sh "$sinew" | expect "the manual page" '\\-\\-moose N +Share of moose in a rollout'
cp docs/definitions.md "$work/definitions.md"
if SINEW_HEADERS=$work/include/sinew SINEW_DOCUMENT=$work/definitions.md scripts/doc-tables.sh --check 2>/dev/null; then
    echo "doc-tables --check does not see that the document is old" >&2
    exit 1
fi
SINEW_HEADERS=$work/include/sinew SINEW_DOCUMENT=$work/definitions.md scripts/doc-tables.sh
expect "the document" '^\| `elk` \| 2\.5 \| 0 to 9 \| kg \| Share of elk in the ground\. \|$' <"$work/definitions.md"
expect "the document" '^\| `moose` \| 3 \| 1 to 7 \|  \| Share of moose in a rollout\. \|$' <"$work/definitions.md"
"$sinew" schema --json | expect "the schema" '"name": "moose", "type": "int", .*"default": 3, "minimum": 1, "maximum": 7'
"$sinew" settings | expect "the settings of a training" '"moose": 3[,}]'
"$sinew" settings --moose 5 | expect "the settings of a training" '"moose": 5[,}]'
"$sinew" schema --json | expect "the schema" '"name": "elk", "type": "real", .*"default": 2\.5, "minimum": 0, "maximum": 9'
"$sinew" values | expect "JSON" '"elk": 2\.5'
"$sinew" values --elk 3 | expect "JSON that was read" '"elk": 3[,}]'
[ "$("$sinew" values | tail -1)" != "$("$sinew" values --elk 3 | tail -1)" ] || { echo "the new option is not in the hash" >&2 && exit 1; }
if "$sinew" values --elk 10 2>"$work/said"; then echo "the new option is not checked" >&2 && exit 1; fi
expect "the message" 'elk is 10\. Set it to a finite number from 0 to 9\.' <"$work/said"

# A member without a comment, and a name that is a reserved word, are refused.
for line in '    double elk;' '    /* A share. [default 0] */\n    double lambda;'; do
    cp include/sinew/world.h "$work/include/sinew/world.h"
    sed -i "/^} sn_world_def;/i\\$line" "$work/include/sinew/world.h"
    if awk -v what=tables -f scripts/schema.awk "$work"/include/sinew/*.h >/dev/null 2>&1; then
        echo "the script does not refuse $line" >&2 && exit 1
    fi
done
echo "an option in one place is in help, manual page, document, schema, JSON, check and hash"
