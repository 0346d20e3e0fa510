#!/usr/bin/env bash
# Writes the tables of options in docs/definitions.md from the comments of the public headers: what stands between
# "<!-- table NAME -->" and "<!-- end -->".
# usage: doc-tables.sh           writes them
#        doc-tables.sh --check   fails when they are not up to date, and writes nothing
#   SINEW_HEADERS  a folder of headers to read instead of include/sinew
#   SINEW_DOCUMENT  the document to write instead of docs/definitions.md
set -euo pipefail
cd "$(dirname "$0")/.."
document=${SINEW_DOCUMENT:-docs/definitions.md}
headers=${SINEW_HEADERS:-include/sinew}

tables=$(awk -v what=docs -f scripts/schema.awk "$headers"/*.h)
fresh=$(awk '
NR == FNR {
    if (/^table /) name = $2
    else if (/^end$/) name = ""
    else if (name != "") table[name] = table[name] $0 "\n"
    next
}
/^<!-- table [a-z_]+ -->$/ {
    print
    if (!($3 in table)) { print "doc-tables: there is no definition " $3 > "/dev/stderr"; bad = 1 }
    printf "\n%s\n", table[$3]
    seen[$3] = 1
    inside = 1
    next
}
/^<!-- end -->$/ { inside = 0 }
!inside { print }
END {
    for (name in table)
        if (!(name in seen)) { print "doc-tables: the document has no place for " name > "/dev/stderr"; bad = 1 }
    exit bad
}' <(printf '%s\n' "$tables") "$document")

if [ "${1:-}" = --check ]; then
    if [ "$fresh" != "$(cat "$document")" ]; then
        echo "doc-tables: $document is not up to date: run scripts/doc-tables.sh" >&2
        exit 1
    fi
    echo "doc-tables: $document is up to date"
else
    printf '%s\n' "$fresh" >"$document"
fi
