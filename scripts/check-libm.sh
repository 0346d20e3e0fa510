#!/usr/bin/env bash
# Fails when the library calls a function of libm whose last bits differ between platforms: recordings and trainings would
# differ, too. src/base/elementary.h has such functions with the same bits everywhere. What IEEE 754 or the C standard defines
# to the last bit is allowed: sqrt, fma, floor, ceil, rint, round, fmod, remquo, ldexp, frexp, and so on.
# usage: check-libm.sh [FILE...]    the sources of src unless told
set -euo pipefail
cd "$(dirname "$0")/.."

files=("$@")
if [ ${#files[@]} -eq 0 ]; then mapfile -t files < <(scripts/list-files.sh '*.c' '*.h' | grep '^src/'); fi

awk '
BEGIN {
    vary = "(a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erfc?|[lt]gamma)[fl]?"
}
FNR == 1 { comment = 0 }
{
    line = $0
    code = ""
    gsub(/\\["\\]/, "", line)
    gsub(/"[^"]*"/, "0", line)
    while (line != "") { # what stands in comments is mathematics
        at = index(line, comment ? "*/" : "/*")
        part = at ? substr(line, 1, at - 1) : line
        if (!comment) code = code part
        line = at ? substr(line, at + 2) : ""
        if (at) comment = !comment
    }
    sub(/\/\/.*/, "", code)
    if ((" " code) ~ "[^A-Za-z0-9_.>]" vary "\\(") {
        printf "%s:%d: a function of libm: %s\n", FILENAME, FNR, $0
        bad = 1
    }
}
END {
    if (bad) print "check-libm: call the function of src/base/elementary.h instead, as sn__sin"
    exit bad
}' "${files[@]}" >&2
