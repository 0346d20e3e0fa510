#!/usr/bin/env bash
# Checks the words of the project. It prints file and line and fails
#
# - if a file contains a path on somebody's machine or a note about unfinished work;
#
# - if a document names a file or a public name that does not exist (the changelog may name what was removed);
#
# - if an area has more findings of odd English (scripts/words.pl) than its budget. Budgets only fall.
# usage: check-words.sh [--list [AREA]] [--rules]
#        --list prints every finding of odd English, or those of one area; --rules explains the rules.
set -euo pipefail
cd "$(dirname "$0")/.."

# Number of findings each area may have. Areas that are not named may have none.
budget='
src/kernels      8
'

findings() { scripts/list-files.sh | perl scripts/words.pl; }
case ${1:-} in
--list) findings | awk -F '\t' -v area="${2:-}" '!area || $1 == area { printf "%s: %s: %s\n", $2, $3, $4 }' && exit ;;
--rules) perl scripts/words.pl --rules && exit ;;
esac

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
known=$(cat include/sinew/*.h src/*/*.[ch] studies/*.[ch] | grep -oE '\b(sn_|SN_)[A-Za-z0-9_]+' | sort -u)
fields=$(sed -n 's/^ *X(\([A-Z_]*\), [^,]*, [A-Z_]*).*/SN_FIELD_\1/p; s/^ *X(\([A-Z_]*\), [0-9]*, ".*/SN_\1/p' include/sinew/base.h include/sinew/fields.h)
while IFS=: read -r file line name; do
    case $name in sn_noun*|sn__noun*|SN_X|SN_FIELD_) continue ;; esac
    grep -qxF -- "$name" <<<"$known"$'\n'"$fields" || { echo "$file:$line: there is no $name" >&2 && bad=1; }
done < <(xargs -d '\n' grep -noHE '\b(sn_|SN_)[A-Za-z0-9_]+' <<<"$documents" | sort -u -t: -k1,1 -k3,3)

# Files: between backquotes with their folder, and behind links.
while IFS=: read -r file line name; do
    case $name in *'*'*) continue ;; esac
    [ -e "${name%/}" ] || { echo "$file:$line: there is no $name" >&2 && bad=1; }
done < <(xargs -d '\n' grep -noHE '`(src|studies|cli|web|tests|scripts|docs|include|bench|fuzz|examples|scenes|cmake)/[A-Za-z0-9_./*-]+`' <<<"$documents" | tr -d '`')
while IFS=: read -r file line link; do
    link=${link#](} && link=${link%)} && link=${link%%#*}
    case $link in ''|http*) continue ;; esac
    [ -e "$(dirname "$file")/$link" ] || { echo "$file:$line: the link to $link leads nowhere" >&2 && bad=1; }
done < <(xargs -d '\n' grep -noHE '\]\([^) ]+\)' <<<"$documents")

[ "$bad" = 0 ] || { echo "check-words: the documents name what does not exist" >&2 && exit 1; }

found=$(findings)
while read -r area count; do
    most=$(awk -v area="$area" '$1 == area { print $2 }' <<<"$budget")
    if [ "$count" -gt "${most:-0}" ]; then
        awk -F '\t' -v area="$area" '$1 == area { printf "  %s: %s: %s\n", $2, $3, $4 }' <<<"$found" >&2
        echo "check-words: $count findings of odd English in '$area', at most ${most:-0} are allowed (--rules explains them)" >&2
        bad=1
    elif [ "$count" -lt "${most:-0}" ]; then
        echo "check-words: $count findings in '$area' (the budget of $most can be lowered)"
    fi
done < <(cut -f1 <<<"$found" | sort | uniq -c | awk 'NF == 2 { print $2, $1 }')
[ "$bad" = 0 ] || exit 1
echo "check-words: $(wc -l <<<"$files") files are clean; $(grep -c . <<<"$found" || true) findings of odd English are within their budgets"
