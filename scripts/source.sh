#!/usr/bin/env bash
# Writes the source archive, by CPack, from the files that git knows: what lies about in a working folder stays out.
# usage: source.sh FILE.tar.gz
set -euo pipefail
target=$(realpath -m "$1")
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
scripts/list-files.sh | tar -cf - -T - | tar -C "$work/source" -xf -
cmake -S "$work/source" -B "$work/build" -DSINEW_TESTS=OFF -DSINEW_CLI=OFF -DSINEW_IMPORT=OFF -DSINEW_LAPACK=OFF -DSINEW_MPI=OFF >"$work/log" 2>&1 &&
    cmake --build "$work/build" --target package_source >>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
# Nothing may be lost on the way.
diff <(cd "$work/source" && find . -type f | sort) \
    <(tar -tzf "$work/build/sinew-$(scripts/version.sh).tar.gz" | grep -v '/$' | sed 's|^[^/]*|.|' | sort) >&2 ||
    { echo "source: the archive lacks files" >&2; exit 1; }
mkdir -p "$(dirname "$target")"
mv "$work/build/sinew-$(scripts/version.sh).tar.gz" "$target"
