#!/usr/bin/env bash
# Measures what a newcomer's first run costs: `make run` in an empty clone of HEAD, from the compiler to the report. Prints
# the CPU seconds and fails above the budget. No compiler cache is used.
# usage: first-run.sh [SECONDS]   default 100
set -euo pipefail
cd "$(dirname "$0")/.."

budget=${1:-100}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
git clone -q . "$room/sinew"
unset CMAKE_C_COMPILER_LAUNCHER
TIMEFORMAT='%U %S'
{ time env CCACHE_DISABLE=1 make -C "$room/sinew" run >"$room/log" 2>&1; } 2>"$room/time" || { tail -n 40 "$room/log" >&2; exit 1; }
[ -s "$room/sinew/build/report.html" ] || { echo "first-run: there is no report" >&2; exit 1; }
awk -v budget="$budget" 'END {
    used = $1 + $2
    printf "first-run: %.0f CPU seconds from the compiler to the report; the budget is %d\n", used, budget
    exit used > budget
}' "$room/time"
