#!/usr/bin/env bash
# Runs every fuzz program for a while; a crash, leak, hang or too much memory fails and leaves its input behind.
# usage: fuzz.sh BUILD SECONDS [NAME...]     names as urdf, model_json; all when none is named
# What was learnt stays in BUILD/corpus; the seeds of fuzz/corpus are never written to.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
seconds=$2
shift 2
if [ $# -eq 0 ]; then
    for program in "$build"/programs/fuzz_*; do set -- "$@" "${program##*/fuzz_}"; done
fi

# One program: its summary line goes to BUILD/NAME.summary.
fuzz_one() {
    local name=$1 log=$build/$1.log status=0 runs
    mkdir -p "$build/corpus/$name" "$build/found"
    local options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1
        -verbosity=0 -artifact_prefix="$build/found/$name-")
    if [ "$seconds" -lt 60 ]; then options+=(-seed=1); fi # a short run is a test, and a test says the same twice
    if [ -f "fuzz/$name.dict" ]; then options+=(-dict="fuzz/$name.dict"); fi
    local seeds=()
    if [ -d "fuzz/corpus/$name" ]; then seeds=("fuzz/corpus/$name"); fi
    "$build/programs/fuzz_$name" "${options[@]}" "$build/corpus/$name" "${seeds[@]}" >"$log" 2>&1 || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    if [ "$status" -ne 0 ]; then
        tail -60 "$log"
        echo "fuzz: $name failed after ${runs:-?} executions; the input is in $build/found" >&2
    else
        echo "fuzz: $name is clean, ${runs:-?} executions in $seconds s"
    fi
    echo "${runs:-0} $status" >"$build/$name.summary"
}

# As many at once as there are processors.
running=0
for name in "$@"; do
    rm -f "$build/$name.summary"
    fuzz_one "$name" &
    running=$((running + 1))
    if [ "$running" -ge "$(nproc)" ]; then
        wait -n || true
        running=$((running - 1))
    fi
done
wait

total=0
failed=0
for name in "$@"; do
    if ! read -r runs status <"$build/$name.summary"; then runs=0 status=1; fi
    total=$((total + runs))
    if [ "$status" -ne 0 ]; then failed=$((failed + 1)); fi
done
echo "fuzz: $total executions, $failed programs failed"
[ "$failed" -eq 0 ]
