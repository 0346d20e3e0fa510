#!/usr/bin/env bash
# Runs the tests of the web pages, tests/web/*.test.mjs, each a node program of its own, side by side: they mostly wait for
# the browser. Says in one line why not where the machine cannot.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null || [ ! -d web/node_modules/playwright-core ]; then
    echo "test-web: skipped: node or its packages are missing (scripts/web.sh test)"
    exit 0
fi
export SINEW_COMMAND=${SINEW_COMMAND:-$PWD/build/release/cli/sinew}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
declare -A job
for test in tests/web/*.test.mjs; do
    timeout -k 10 900 node "$test" >"$logs/$(basename "$test").log" 2>&1 &
    job[$test]=$!
done
failed=0
for test in "${!job[@]}"; do
    verdict=passed
    wait "${job[$test]}" || { verdict=FAILED; failed=1; }
    cat "$logs/$(basename "$test").log"
    echo "test-web: $test $verdict"
done
exit $failed
