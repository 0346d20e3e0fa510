#!/usr/bin/env bash
# Fails, with file and line, when a file holds a path of somebody's machine or a note of unfinished work.
set -euo pipefail
cd "$(dirname "$0")/.."

paths='(^|[^[:alnum:]._/$}-])/(work|root|home/[a-z]+|tmp/bash_jobs[^/]*)/'
notes='(^|[^[:alnum:]_])(TODO|FIXME|XXX|HACK)([^[:alnum:]_]|$)'

files=$(scripts/list-files.sh | grep -vxF scripts/check-words.sh)
if xargs -d '\n' grep -InHE -e "$paths" -e "$notes" <<<"$files"; then
    echo "check-words: these do not belong in the project" >&2
    exit 1
fi
echo "check-words: $(wc -l <<<"$files") files are clean"
