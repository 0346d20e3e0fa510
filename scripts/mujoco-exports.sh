#!/usr/bin/env bash
# Writes every model of SINEW_DATA as MJCF and lets MuJoCo load it: npm's, installed into the folder where there is none.
# usage: mujoco-exports.sh SINEW FOLDER
set -euo pipefail

sinew=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
[ -n "${SINEW_DATA:-}" ] || { echo "mujoco-exports: SINEW_DATA does not name the folder of data files: skipped"; exit 0; }
mkdir -p "$folder"
rm -f "$folder"/*.xml
[ -d "$folder/node_modules/@mujoco/mujoco" ] || npm install --silent --prefix "$folder" @mujoco/mujoco ||
    { echo "mujoco-exports: npm cannot install @mujoco/mujoco: skipped"; exit 0; }

# Names are numbered: files of several folders are called alike. A file that is not a complete model is skipped.
number=0
while read -r file; do
    number=$((number + 1))
    name=$(basename "$file")
    "$sinew" convert "$file" "$folder/$number-${name%.*}.xml" --allow-missing-mesh >/dev/null 2>&1 || true
done < <(find "$SINEW_DATA" \( -name '*.xml' -o -name '*.urdf' -o -path '*characters/*.txt' -o -name '*.bvh' -o -name '*.asf' \) | sort)
node "$here/mujoco-loads.mjs" "$folder/node_modules" "$folder"/*.xml
