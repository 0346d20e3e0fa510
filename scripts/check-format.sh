#!/usr/bin/env bash
# Fails when clang-format would change a C or C++ file. `make format` puts it right.
set -euo pipefail
cd "$(dirname "$0")/.."

files=$(scripts/list-files.sh '*.c' '*.h' '*.cpp')
if [ -n "$files" ]; then
    xargs clang-format --dry-run -Werror <<<"$files" || { echo "check-format: run 'make format'" >&2; exit 1; }
fi
echo "check-format: $(wc -l <<<"$files") files are in order"
