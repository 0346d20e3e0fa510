#!/usr/bin/env bash
# Fails, with file and line, when an include points the wrong way between the layers:
#   base <- model <- { clip, kernels } <- { import, motion, dynamics, device, solve, collide }
#        <- world <- record <- learn <- scenes <- cli
# studies stands right of world, beside record: it may include what world may, and nothing of src includes it.
# and inside src/kernels: args.h <- tree <- contact <- position <- the units of a lane type.
# The private sources say "folder/file.h"; scenes, the command, the examples and the public header see only the public API.
# Also: one place asks for memory, and one place knows the operating system.
set -euo pipefail
cd "$(dirname "$0")/.."

files=$(scripts/list-files.sh | grep -E '^(src|studies|include|scenes|cli|examples)/.*\.(c|h|inc|cpp)$' || true)
[ -n "$files" ] || { echo "check-layers: no sources"; exit 0; }

xargs awk '
BEGIN {
    may["base"] = "base"
    # each layer, and the one it stands right of
    n = split("model base, clip model, kernels model, import clip, motion clip, dynamics kernels, device kernels, solve kernels, collide model," \
        " world kernels, studies world, record world, learn record", rule, ", ")
    for (i = 1; i <= n; i++) {
        split(rule[i], word, " ")
        may[word[1]] = may[word[2]] (word[1] == "world" ? " clip import motion dynamics device solve collide " : " ") word[1]
    }
    inner["tree"] = " args.h tree/ "
    inner["contact"] = inner["tree"] "contact/ "
    inner["position"] = inner["contact"] "position/ "
    inner["device"] = inner["contact"] "device/ "
    # Public headers, in the order of sinew.h; those behind it include it.
    n = split("base model expert world ground fields queries constraints gains ragdolls hulls files motions keyframes " \
              "recordings contact draw engine sinew search tasks puppet learn dynamics studies", name, " ")
    for (i = 1; i <= n; i++) order[name[i]] = i
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
    n = split(FILENAME, part, "/")
    if (target ~ /^sinew\//) { # sinew.h is open to all; each of the others belongs to a layer and those right of it
        owner = target
        sub(/^sinew\//, "", owner)
        sub(/\.h$/, "", owner)
        if (part[1] == "include") { # headers build on those before them in this list; sinew.h includes all up to recordings.h
            if (!(owner in order)) complain("it has no place in the order of headers, see scripts/check-layers.sh")
            here = part[3]
            sub(/\.h$/, "", here)
            if (here != "sinew" && owner != "sinew" && order[owner] >= order[here]) complain("sinew/" here ".h stands before sinew/" owner ".h")
            next
        }
        layer = part[1] == "src" ? part[2] : part[1]
        if (layer in may && owner != "sinew" && index(" " may[layer] " ", " " owner " ") == 0)
            complain(layer " stands left of sinew/" owner ".h")
        next
    }
    here = FILENAME
    sub(/[^\/]*$/, "", here)
    if (part[1] == "src" || part[1] == "studies") {
        layer = part[1] == "src" ? part[2] : part[1]
        if (!(layer in may)) { complain("src/" layer " is not a layer; see scripts/check-layers.sh"); next }
        if (target ~ /\.\.\//) { complain("say \"folder/file.h\""); next }
        if (target !~ /\//) next # own folder
        to[3] = ""
        split(target, to, "/")
        place = to[3] == "" ? to[2] : to[2] "/"
        if (layer == "kernels" && to[1] == "kernels" && part[4] != "" && index(inner[part[3]], " " place " ") == 0)
            complain("src/kernels/" part[3] " may include from kernels only:" inner[part[3]])
        if (index(" " may[layer] " ", " " to[1] " ") == 0)
            complain(layer " may include only: " may[layer])
    } else if (part[1] == "include") {
        complain("the public header includes nothing private")
    } else if (part[1] == "cli" && target ~ /^scenes\/[a-z_]*\.h$/ && exists(target)) {
        next
    } else if (target ~ /\.\.\// || !(exists(here target) || exists(part[1] "/" target) || (target ~ "^" part[1] "/" && exists(target)))) {
        complain(part[1] " may include only <sinew/...> and its own headers")
    }
}
/^[ \t]*#[ \t]*include[ \t]*<(base|model|clip|import|kernels|dynamics|device|solve|collide|world|motion|record|learn)\// {
    complain("private headers are included with quotes")
}
END { exit bad }
' <<<"$files" || { echo "check-layers: an include points the wrong way" >&2; exit 1; }

# One place asks the system for memory, so that the functions given to sn_set_memory see every byte.
past=$(grep -E '^(src|studies)/' <<<"$files" | grep -v '^src/base/platform\.c$' |
    xargs grep -nE '(^|[^_A-Za-z0-9.>])(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|strndup)\(' || true)
[ -z "$past" ] || { echo "$past"; echo "check-layers: ask src/base/memory.h for memory" >&2; exit 1; }
# One place knows which operating system it is: a file for the library, one family of files for the command, and SN_API.
knowing=$(grep -vE '^(src/base/platform\.c|cli/platform(_[a-z]+)?\.[ch]|include/sinew/base\.h)$' <<<"$files" |
    xargs grep -nwE '_WIN32|_WIN64|__APPLE__|__MACH__|__MINGW(32|64)__|__CYGWIN__|__linux__' || true)
[ -z "$knowing" ] || { echo "$knowing"; echo "check-layers: ask src/base/platform.h or cli/platform.h instead" >&2; exit 1; }
echo "check-layers: $(wc -l <<<"$files") files keep to the layers"
