#!/usr/bin/env bash
# Trains the policies that come with the project into policies/, each in half a minute to two minutes. The settings stay
# when defaults change. The same machine, vectors and library give the same bytes, however many threads there are.
# usage: policies.sh SINEW [NAME...]
#   RUN  what a training is started by, as "nice"
set -euo pipefail

sinew=$(realpath "${1:?usage: $0 SINEW [NAME...]}")
shift
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

# name | samples | character, motion and settings | file of more settings | samples and settings of a second part
policies="
humanoid-walk|2200000|humanoid walk|policies.json
humanoid-run|2500000|humanoid run|policies.json
dog-trot|1350000|dog trot|policies.json
humanoid-stick|2600000|humanoid stick|policies-stick.json|5000000 --push 250
"

while IFS='|' read -r name samples settings config more; do
    [ -n "$name" ] || continue
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    # shellcheck disable=SC2086
    ${RUN:-} "$sinew" train $settings --config "scripts/$config" --samples "$samples" --no-report --out "$room/$name" < /dev/null
    # shellcheck disable=SC2086
    [ -z "$more" ] || ${RUN:-} "$sinew" train --resume --samples $more --no-report --out "$room/$name" < /dev/null
    size=$(stat -c %s "$room/$name/policy.sinew")
    if [ "$size" -gt 300000 ]; then
        echo "policies: $name has $size bytes, more than 300 KB" >&2
        exit 1
    fi
    mkdir -p policies
    cp "$room/$name/policy.sinew" "policies/$name.sinew"
done <<< "$policies"
