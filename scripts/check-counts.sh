#!/usr/bin/env bash
# Fails when the C sources grow past their budgets: public functions (those of studies.h apart), public functions that no
# command, example, scene, binding or page uses, functions that are long or take many parameters, and long files.
# Budgets only fall: a change that brings a count down lowers its budget here.
# usage: check-counts.sh [--list]    --list names what is counted, the largest first
set -euo pipefail
cd "$(dirname "$0")/.."

lines_of_function=60 parameters=7 lines_of_file=500
budget='
public    189
studies   14
unused    0
functions 0
crowded   15
files     0
'

sources=$(scripts/list-files.sh '*.c' '*.h' | grep -E '^(include|src|studies|cli|scenes|examples|tests|fuzz|bench|web)/')

# A line for each function, file and public name: kind, size, place. Sources are formatted, so that what stands at the margin is a
# declaration, and a function ends at a brace there.
measured=$(xargs -d '\n' awk '
function strip(line,    out, at) { # without comments and texts
    gsub(/\\["\\]/, "", line)
    gsub(/'"'"'[^'"'"']'"'"'/, "0", line)
    gsub(/"[^"]*"/, "0", line)
    out = ""
    while (line != "") {
        if (comment) {
            at = index(line, "*/")
            if (!at) return out
            line = substr(line, at + 2)
            comment = 0
        } else {
            at = index(line, "/*")
            if (!at) { sub(/\/\/.*/, "", line); return out line }
            out = out substr(line, 1, at - 1)
            line = substr(line, at + 2)
            comment = 1
        }
    }
    return out
}
function parameters_of(text,    i, c, depth, n) { # commas between the outermost brackets
    if (text ~ /\((void)?\)[^()]*$/) return 0
    n = 1
    for (i = index(text, "("); i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "(" || c == "[" || c == "{") - (c == ")" || c == "]" || c == "}")
        if (c == "," && depth == 1) n++
        if (depth == 0) return n
    }
    return n
}
function name_of(text) {
    sub(/\(.*/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}
function finish() { # a declaration is complete
    if (head ~ /\) *\{$/ && head !~ /=/) {
        inside = 1
        name = name_of(head)
        if (name == "TEST" || name ~ /^TEST_/) { name = head; sub(/^[^(]*\(/, "", name); sub(/[,)].*/, "", name) }
        else print "parameters", parameters_of(head), FILENAME ":" begun ": " name
    } else if (FILENAME ~ /^include\// && head ~ /\) *(__attribute__.*)?;$/ && head !~ /^typedef|^#/ && name_of(head) ~ /^sn_/)
        print (FILENAME ~ /\/studies\.h$/ ? "study" : "public"), 1, FILENAME ":" begun ": " name_of(head)
    head = ""
}
FNR == 1 {
    if (last) print "file", length_of_file, last
    last = FILENAME
    comment = inside = macro = 0
    head = ""
}
{
    length_of_file = FNR
    line = strip($0)
    if (macro || line ~ /^[ \t]*#/) { macro = line ~ /\\$/; next }
    if (inside) {
        if (line ~ /^}/) { print "function", FNR - begun + 1, FILENAME ":" begun ": " name; inside = 0 }
        next
    }
    if (head == "" && line !~ /^[A-Za-z_]/) next
    if (head == "") begun = FNR
    sub(/[ \t]+$/, "", line)
    sub(/^[ \t]+/, " ", line)
    head = head line
    if (line ~ /[;{}]$/) finish()
}
END { print "file", length_of_file, last }' <<<"$sources" | LC_ALL=C sort -k1,1 -k2,2nr)

# Public functions that nobody calls who is not the library or a test. sn_def_default is called by the headers themselves.
callers=$(scripts/list-files.sh | grep -E '^(cli|examples|scenes|web|python)/.*\.(c|h|cpp|py|js|mjs|pyx|in)$' | grep -vE '^python/sinew/(_c|enums)\.py$')
used=$(xargs -d '\n' grep -ohE '\bsn_[a-z0-9_]+' <<<"$callers" | sort -u)
measured+=$'\n'$(awk 'NR == FNR { used[$1]; next } ($1 == "public" || $1 == "study") && !($NF in used) && $NF != "sn_def_default" {
    print "unused", 1, $3, $4 }' <(printf '%s\n' "$used") <(printf '%s\n' "$measured"))

bad=0
check() { # KIND BUDGET LIMIT WORDS
    local over count most
    over=$(awk -v kind="$1" -v limit="$3" '$1 == kind && $2 > limit' <<<"$measured")
    count=$(grep -c . <<<"$over" || true)
    most=$(awk -v name="$2" '$1 == name { print $2 }' <<<"$budget")
    if [ "$list" = 1 ] && [[ $1 != public && $1 != study ]]; then sed 's/^[a-z]* //' <<<"$over"; fi
    if [ "$count" -gt "$most" ]; then
        echo "check-counts: $count $4, at most $most are allowed" >&2
        [[ $1 = public || $1 = study ]] || sed 's/^[a-z]* /  /' <<<"$over" >&2
        bad=1
    else
        echo "check-counts: $count $4$([ "$count" = "$most" ] || echo " (the budget of $most can be lowered)")"
    fi
}
list=0 && [ "${1:-}" != --list ] || list=1
check public public 0 "public functions"
check study studies 0 "functions of studies.h"
check unused unused 0 "public functions that no command, example, scene, binding or page uses"
check function functions $lines_of_function "functions of more than $lines_of_function lines"
check parameters crowded $parameters "functions of more than $parameters parameters"
check file files $lines_of_file "files of more than $lines_of_file lines"
exit $bad
