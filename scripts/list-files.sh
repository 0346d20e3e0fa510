#!/usr/bin/env bash
# The project's files, tracked or new, a line each; with patterns, those whose name matches one.
# usage: list-files.sh ['*.c' ...]
set -euo pipefail
cd "$(dirname "$0")/.."

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | sort -u
else # an unpacked archive
    names=()
    for pattern in "$@"; do names+=(-o -name "$pattern"); done
    [ ${#names[@]} -gt 0 ] || names=(-o -true)
    find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o -type f \( -false "${names[@]}" \) -print |
        sed 's|^\./||' | sort
fi | while IFS= read -r file; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
done
