#!/usr/bin/env bash
# Trains characters from several seeds until they reach their goal, and prints a table of medians. One row per training is
# added to OUT/trainings.csv; trainings whose row is there already are not repeated, so a stopped table can be gone on with.
# usage: trainings.sh SINEW OUT [TASK or group of tasks...]   default: the group goals; others are skills and pushes
#   SEEDS      default "1 2 3 4 5"
#   SINEW_DATA folder whose deepmimic/ holds DeepMimic's characters and motions (docs/data.md);
#              without it their tasks are skipped
#   RUN        what a training is started by, as "nice"
set -euo pipefail

sinew=$(realpath "${1:?usage: $0 SINEW OUT [TASK...]}")
out=${2:?usage: $0 SINEW OUT [TASK...]}
shift 2
seeds=${SEEDS:-1 2 3 4 5}
data=${SINEW_DATA:+$SINEW_DATA/deepmimic}
humanoid=$data/characters/humanoid3d.txt+$data/controllers/humanoid3d_ctrl.txt
dog=$data/characters/dog3d.txt+$data/controllers/dog3d_ctrl.txt
map=$(dirname "$(realpath "$0")")/dog3d_map.json # bodies of DeepMimic's dog by joints of ours
mkdir -p "$out"
for motion in trot canter; do
    [ -f "$out/$motion.json" ] || "$sinew" convert "$motion" "$out/$motion.json"
done
table=$out/trainings.csv
[ -f "$table" ] || echo "task,goal,seed,wall_seconds,cpu_seconds,samples,normalised,lasted,kl_target,epochs" > "$table"

eager=$out/eager.json # for what is learned from falls
echo '{"kl_target": 0.12, "epochs": 4}' > "$eager"

# group | name | goal (1: as good as it gets in the time) | seconds at most | character, motion and settings
clip=$data/motions/humanoid3d
tasks="
goals|deepmimic-walk|.95|60|$humanoid ${clip}_walk.txt
goals|deepmimic-walk-absolute|.9|180|$humanoid ${clip}_walk.txt --targets absolute --features 2021
goals|deepmimic-run|.9|120|$humanoid ${clip}_run.txt
goals|humanoid-walk|.9|180|humanoid walk
goals|humanoid-run|.9|180|humanoid run
goals|deepmimic-dog-trot|.9|600|$dog $out/trot.json --map $map --touch finger,toe
skills|deepmimic-jog|1|60|$humanoid ${clip}_jog.txt
skills|deepmimic-cartwheel|1|28|$humanoid ${clip}_cartwheel.txt --touch ankle,elbow
skills|deepmimic-backflip|1|300|$humanoid ${clip}_backflip.txt
skills|deepmimic-spinkick|1|28|$humanoid ${clip}_spinkick.txt --config $eager
skills|deepmimic-roll|1|210|$humanoid ${clip}_roll.txt --touch all --limit 1.5 --config $eager
skills|deepmimic-getup-faceup|1|28|$humanoid ${clip}_getup_faceup.txt --touch all
skills|deepmimic-crawl|1|28|$humanoid ${clip}_crawl.txt --touch hip,knee,ankle,shoulder,elbow
skills|deepmimic-dance-a|1|28|$humanoid ${clip}_dance_a.txt
pushes|deepmimic-walk-pushed|1|300|$humanoid ${clip}_walk.txt --push 500
"

# One training: "wall cpu samples normalised lasted kl_target epochs".
train() {
    local folder=$1 goal=$2 seconds=$3 seed=$4 TIMEFORMAT='%R %U %S'
    shift 4
    { time ${RUN:-} "$sinew" train "$@" --seed "$seed" --until "$goal" --seconds "$seconds" --threads 2 --no-report \
        --out "$folder" --overwrite --json > "$folder.json"; } 2> "$folder.time"
    value() { cat "$folder.json" "$folder/settings.json" | sed -n "s/.*\"$1\":[^0-9]*\([0-9.e-]*\).*/\1/p"; }
    tail -n 1 "$folder.time" | awk -v samples="$(value samples)" -v normalised="$(value normalised_return)" \
        -v lasted="$(value lasted)" -v settings="$(value kl_target) $(value epochs)" \
        '{printf "%.1f %.1f %d %.3f %d %s", $1, $2 + $3, samples, normalised, lasted, settings}'
}

median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

while IFS='|' read -r group name goal seconds settings; do
    [ -n "$name" ] || continue
    [[ " ${*:-goals} " == *" $name "* || " ${*:-goals} " == *" $group "* ]] || continue
    [[ $name != deepmimic-* ]] || [ -n "$data" ] || continue
    for seed in $seeds; do
        ! grep -q "^$name,$goal,$seed," "$table" || continue
        # shellcheck disable=SC2086
        row=$(train "$out/$name-$seed" "$goal" "$seconds" "$seed" $settings < /dev/null)
        echo "$name,$goal,$seed,${row// /,}" >> "$table"
    done
done <<< "$tasks"

printf '%-26s %5s %8s %18s %8s %9s %7s\n' task goal reached "wall s (slowest)" "CPU s" samples return
for name in $(tail -n +2 "$table" | cut -d, -f1 | awk '!seen[$0]++'); do
    rows=$(grep "^$name," "$table")
    column() { cut -d, -f"$1" <<< "$rows"; }
    printf '%-26s %5s %8s %10.1f (%5.1f) %8.1f %9.0f %7.3f\n' "$name" "$(column 2 | head -n 1)" \
        "$(awk -F, '{n += $7 >= $2} END {print n "/" NR}' <<< "$rows")" "$(column 4 | median)" \
        "$(column 4 | sort -g | tail -n 1)" "$(column 5 | median)" "$(column 6 | median)" "$(column 7 | median)"
done
