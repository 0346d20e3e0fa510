#!/usr/bin/env bash
# Prints the SHA-256 of a recording and of a policy after 20 updates of a training. Strict builds print the same on every
# platform (scripts/test-bits.sh).
# usage: one-hash.sh COMMAND...   what starts sinew, as build/strict/cli/sinew or wine64 sinew.exe
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command=()
for word in "$@"; do
    if [[ $word != /* && -e $word ]]; then word=$(realpath "$word"); fi
    command+=("$word")
done
cd "$work"
"${command[@]}" track humanoid run --record run.json >/dev/null
"${command[@]}" train humanoid walk --copies 32 --samples 10240 --episodes 2 --threads 1 --no-report --out walk >/dev/null
sha256sum run.json walk/policy.sinew | awk '{ print $2, $1 }'
