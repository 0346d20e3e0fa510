#!/usr/bin/env bash
# Runs the tests of the web pages, tests/web/*.test.mjs, each a node program of its own. Says in one line why not where the
# machine cannot.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null || [ ! -d web/node_modules/playwright-core ]; then
    echo "test-web: skipped: node or its packages are missing (scripts/web.sh test)"
    exit 0
fi
export SINEW_COMMAND=${SINEW_COMMAND:-$PWD/build/release/cli/sinew}
for test in tests/web/*.test.mjs; do
    echo "test-web: $test"
    node "$test"
done
