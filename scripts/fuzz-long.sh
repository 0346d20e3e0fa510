#!/usr/bin/env bash
# Runs the fuzz programs of all readers, one process at a time, until they have had so many executions together; goes on where it
# was stopped. A crash, leak, hang or too much memory ends it and leaves its input in BUILD/found.
# usage: fuzz-long.sh BUILD EXECUTIONS [SECONDS]     SECONDS: a turn of one program, 60 unless told
#
# Inputs are small, since speed is what counts here: 256 bytes, 1,024 in formats of many words. Each program begins with the
# seeds of fuzz/corpus and all it has learnt, reduced to the fewest and shortest inputs that reach as much. All get the same
# time, turn by turn, so that a slow reader has fewer executions than a quick one: the table at the end says how many.
# BUILD/long/NAME.count holds the executions that ended well, as libFuzzer says, BUILD/long/NAME.turns the turns.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
wanted=$2
seconds=${3:-60}
readers=(asf_amc attach bvh deepmimic hfield keyframes load mesh mjcf model_json motion_json poses recording scene smpl snapshot urdf)
mkdir -p "$build/long" "$build/found"
# Traces of allocations take a third of the time and tell nothing that the input, run again, would not.
export ASAN_OPTIONS=malloc_context_size=1:quarantine_size_mb=16

executions() {
    cat "$build/long/$1.count" 2>/dev/null || echo 0
}

turns() {
    cat "$build/long/$1.turns" 2>/dev/null || echo 0
}

longest() {
    case $1 in
        attach | deepmimic | keyframes | mjcf | model_json | recording | scene | urdf) echo 1024 ;;
        *) echo 256 ;;
    esac
}

# The fewest inputs that reach all that seeds and earlier turns have reached.
reduce() {
    local name=$1 kept=$build/long/$1
    rm -rf "$kept.less" && mkdir -p "$kept" "$kept.less"
    "$build/programs/fuzz_$name" -merge=1 -max_len="$(longest "$name")" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
        -artifact_prefix="$build/found/$name-" "$kept.less" "$kept" "fuzz/corpus/$name" >"$kept.log" 2>&1 ||
        { tail -40 "$kept.log"; echo "fuzz-long: $name failed on its own corpus" >&2; exit 1; }
    rm -rf "$kept" && mv "$kept.less" "$kept"
}

# One turn; its executions are added to the count.
turn() {
    local name=$1 log=$build/long/$1.log runs
    local options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len="$(longest "$name")" -reload=0
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/found/$name-")
    if [ -f "fuzz/$name.dict" ]; then options+=(-dict="fuzz/$name.dict"); fi
    if ! "$build/programs/fuzz_$name" "${options[@]}" "$build/long/$name" >"$log" 2>&1; then
        tail -60 "$log"
        echo "fuzz-long: $name failed; the input is in $build/found" >&2
        exit 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    echo $(($(executions "$name") + runs)) >"$build/long/$name.count"
    echo $(($(turns "$name") + 1)) >"$build/long/$name.turns"
}

total() {
    local sum=0 name
    for name in "${readers[@]}"; do sum=$((sum + $(executions "$name"))); done
    echo "$sum"
}

for name in "${readers[@]}"; do reduce "$name"; done
while [ "$(total)" -lt "$wanted" ]; do
    least=${readers[0]}
    for name in "${readers[@]}"; do
        if [ "$(turns "$name")" -lt "$(turns "$least")" ]; then least=$name; fi
    done
    turn "$least"
    echo "fuzz-long: $(total) of $wanted executions; $least $(executions "$least")"
done

for name in "${readers[@]}"; do printf '%12d  %s\n' "$(executions "$name")" "$name"; done
echo "fuzz-long: $(total) executions over ${#readers[@]} readers, none of which failed"
