#!/usr/bin/env bash
# Runs test programs under valgrind, shortened; an error or a leak fails, and so does half an hour.
# usage: valgrind.sh FOLDER [PROGRAM...]     all test_* of the folder when none is named
set -euo pipefail

folder=$1
shift
if [ $# -eq 0 ]; then
    for program in "$folder"/test_*; do
        name=${program##*/}
        case $name in
            *_slow | *speed*) ;; # too long, or about time
            *) if [ -x "$program" ]; then set -- "$@" "$name"; fi ;;
        esac
    done
fi

# valgrind does not know AVX-512.
export SINEW_ISA=v3 SINEW_TEST_SHORT=1 OPENBLAS_NUM_THREADS=1
unset SINEW_LANES
if [ -z "${SINEW_COMMAND:-}" ] && [ -x "$folder/../cli/sinew" ]; then
    export SINEW_COMMAND=$folder/../cli/sinew
fi
for name in "$@"; do
    log=$(mktemp)
    start=$SECONDS
    if ! timeout -k 10 1800 valgrind --quiet --error-exitcode=1 --leak-check=full "$folder/$name" >"$log" 2>&1; then
        cat "$log"
        rm -f "$log"
        echo "valgrind: $name failed" >&2
        exit 1
    fi
    rm -f "$log"
    echo "valgrind: $name is clean ($((SECONDS - start)) s)"
done
