#!/usr/bin/env bash
# Kills a training at random moments, kill -9, and goes on from its checkpoint each time; at the end it must have the bytes of
# a training in one go.
# Every run has a deadline of five minutes.
# usage: kill-train.sh SINEW [TIMES]   default 50
set -euo pipefail

sinew=$(realpath "${1:?usage: $0 SINEW [TIMES]}")
times=${2:-50}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
run=(timeout -s KILL 300 "$sinew") # timeout passes no kill -9 on: what is killed is started without it
small=(--copies 16 --hidden 16 --episodes 1 --threads 2 --no-report --checkpoint 0)

# Samples so far, after one more iteration from the checkpoint.
go_on() {
    "${run[@]}" train --resume --out "$room/killed" --seconds 0 --episodes 1 --no-report --json |
        sed -n 's/.*"samples":[^0-9]*\([0-9]*\).*/\1/p'
}

"${run[@]}" train humanoid walk --out "$room/killed" --seconds 0 "${small[@]}" > /dev/null
before=0
for ((i = 1; i <= times; i++)); do
    "$sinew" train --resume --out "$room/killed" --seconds 600 "${small[@]: -3}" > /dev/null 2>&1 &
    child=$!
    sleep "0.$(printf %03d $((RANDOM % 900 + 20)))"
    kill -9 "$child"
    wait "$child" 2> /dev/null || true
    samples=$(go_on) || { echo "kill-train: after kill $i it does not go on" >&2; exit 1; }
    if [ "$samples" -le "$before" ]; then
        echo "kill-train: after kill $i it is at $samples samples, before at $before" >&2
        exit 1
    fi
    before=$samples
done
"${run[@]}" train humanoid walk --out "$room/straight" --samples "$before" "${small[@]}" > /dev/null
cmp "$room/killed/checkpoint.sinew" "$room/straight/checkpoint.sinew"
echo "kill-train: $times kills, $before samples, the same bytes as in one go"
