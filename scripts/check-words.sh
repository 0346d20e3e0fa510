#!/usr/bin/env bash
# Fails, with file and line, when a file holds a path of somebody's machine or a note of unfinished work, or when a
# document names a file or a public name that is not there. The changelog may name what is gone.
set -euo pipefail
cd "$(dirname "$0")/.."

paths='(^|[^[:alnum:]._/$}-])/(work|root|home/[a-z]+|tmp/bash_jobs[^/]*)/'
notes='(^|[^[:alnum:]_])(TODO|FIXME|XXX|HACK)([^[:alnum:]_]|$)'

files=$(scripts/list-files.sh | grep -vxF scripts/check-words.sh)
if xargs -d '\n' grep -InHE -e "$paths" -e "$notes" <<<"$files"; then
    echo "check-words: these do not belong in the project" >&2
    exit 1
fi

documents=$(grep '\.md$' <<<"$files" | grep -vxF CHANGELOG.md)
bad=0

# Names of the interface, in any document; those with a placeholder in them stand for many.
known=$(cat include/sinew/*.h src/*/*.[ch] | grep -oE '\b(sn_|SN_)[A-Za-z0-9_]+' | sort -u)
fields=$(sed -n 's/^ *X(\([A-Z_]*\), [^,]*, [A-Z_]*).*/SN_FIELD_\1/p; s/^ *X(\([A-Z_]*\), [0-9]*, ".*/SN_\1/p' include/sinew/sinew.h)
while IFS=: read -r file line name; do
    case $name in sn_noun*|sn__noun*|SN_X|SN_FIELD_) continue ;; esac
    grep -qxF -- "$name" <<<"$known"$'\n'"$fields" || { echo "$file:$line: there is no $name" >&2 && bad=1; }
done < <(xargs -d '\n' grep -noHE '\b(sn_|SN_)[A-Za-z0-9_]+' <<<"$documents" | sort -u -t: -k1,1 -k3,3)

# Files: between backquotes with their folder, and behind links.
while IFS=: read -r file line name; do
    case $name in *'*'*) continue ;; esac
    [ -e "${name%/}" ] || { echo "$file:$line: there is no $name" >&2 && bad=1; }
done < <(xargs -d '\n' grep -noHE '`(src|cli|web|tests|scripts|docs|include|bench|fuzz|examples|scenes|cmake)/[A-Za-z0-9_./*-]+`' <<<"$documents" | tr -d '`')
while IFS=: read -r file line link; do
    link=${link#](} && link=${link%)} && link=${link%%#*}
    case $link in ''|http*) continue ;; esac
    [ -e "$(dirname "$file")/$link" ] || { echo "$file:$line: the link to $link leads nowhere" >&2 && bad=1; }
done < <(xargs -d '\n' grep -noHE '\]\([^) ]+\)' <<<"$documents")

[ "$bad" = 0 ] || { echo "check-words: the documents name what is not there" >&2 && exit 1; }
echo "check-words: $(wc -l <<<"$files") files are clean"
