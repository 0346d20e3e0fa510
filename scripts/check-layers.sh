#!/usr/bin/env bash
# Fails, with file and line, when an include points the wrong way between the layers:
#   base <- model <- { import, kernels <- solve, collide } <- world <- { crowd, motion, pbad } <- learn <- cli, examples
# The private sources say "folder/file.h"; the command, the examples and the public header see only the public API.
set -euo pipefail
cd "$(dirname "$0")/.."

files=$(scripts/list-files.sh | grep -E '^(src|include|cli|examples)/.*\.(c|h|inc|cpp)$' || true)
[ -n "$files" ] || { echo "check-layers: no sources"; exit 0; }

xargs awk '
BEGIN {
    may["base"] = "base"
    may["model"] = may["base"] " model"
    may["import"] = may["model"] " import"
    may["kernels"] = may["model"] " kernels"
    may["collide"] = may["base"] " collide"
    may["solve"] = may["kernels"] " solve"
    may["world"] = may["solve"] " import collide world"
    may["crowd"] = may["world"] " crowd"
    may["motion"] = may["world"] " motion"
    may["pbad"] = may["world"] " pbad"
    may["learn"] = may["world"] " crowd motion pbad learn"
    exception["import", "motion/clip.h"] = 1 # importers fill clips
}
function complain(why) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why
    bad = 1
}
function exists(path,    line, found) {
    found = (getline line < path) >= 0
    close(path)
    return found
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*$/, "", target)
    if (target ~ /^sinew\//) next # the public API is open to all

    n = split(FILENAME, part, "/")
    here = FILENAME
    sub(/[^\/]*$/, "", here)
    if (part[1] == "src") {
        layer = part[2]
        if (!(layer in may)) { complain("src/" layer " is not a layer; see scripts/check-layers.sh"); next }
        if (target ~ /\.\.\//) { complain("say \"folder/file.h\""); next }
        if (target !~ /\//) next # own folder
        split(target, to, "/")
        if (index(" " may[layer] " ", " " to[1] " ") == 0 && !((layer, target) in exception))
            complain(layer " may include only: " may[layer])
    } else if (part[1] == "include") {
        complain("the public header includes nothing private")
    } else if (target ~ /\.\.\// || !(exists(here target) || exists(part[1] "/" target) || (target ~ "^" part[1] "/" && exists(target)))) {
        complain(part[1] " may include only <sinew/...> and its own headers")
    }
}
/^[ \t]*#[ \t]*include[ \t]*<(base|model|import|kernels|collide|solve|world|crowd|motion|pbad|learn)\// {
    complain("private headers are included with quotes")
}
END { exit bad }
' <<<"$files" || { echo "check-layers: an include points the wrong way" >&2; exit 1; }
echo "check-layers: $(wc -l <<<"$files") files keep to the layers"
