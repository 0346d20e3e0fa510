# Puts the program of a device together: the files it is given with all they include, each once, without comments. Any POSIX awk
# runs it, in the folder src.
#
#   awk -f ../scripts/program.awk FILE...    the text of these files
#   awk -v what=c -f ../scripts/program.awk  a C file that has the text of the whole program, as src/device/program_text.h says
#
# A file that has no guard against a second time (model/compiled_tree.h) is put in each time. Headers of the system are left
# out: src/kernels/device/head.h stands for them.

function strip(line,    at, out) { # without comments
    out = ""
    while (line != "") {
        if (inside) {
            at = index(line, "*/")
            if (!at) return out
            line = substr(line, at + 2)
            inside = 0
        } else {
            at = index(line, "/*")
            if (!at) return out line
            out = out substr(line, 1, at - 1)
            line = substr(line, at + 2)
            inside = 1
        }
    }
    return out
}

function escape(line, what,    at, out) { # with a backslash before each; gsub differs from awk to awk
    out = ""
    while (at = index(line, what)) {
        out = out substr(line, 1, at - 1) "\\" what
        line = substr(line, at + 1)
    }
    return out line
}

function emit(line) {
    sub(/[ \t]+$/, "", line)
    if (line == "") return
    sub(/^[ \t]+/, "", line) # indentation costs a fifth of the text
    if (what != "c") {
        print line
        return
    }
    line = escape(escape(line, "\\"), "\"")
    if (size + length(line) > 3500) { # a longer string is more than C promises
        print ","
        size = 0
    }
    size += length(line) + 1
    print "    \"" line "\\n\""
}

function put(file,    line, target, guarded, first) {
    if (file in seen) return
    first = 1
    while ((getline line < file) > 0) {
        line = strip(line)
        if (line ~ /^#ifndef SINEW_[A-Z0-9_]*_H$/ && first) seen[file] = 1
        if (line !~ /^[ \t]*$/) first = 0
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*</) continue
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            target = line
            sub(/^[^"]*"/, "", target)
            sub(/".*$/, "", target)
            put(target)
            continue
        }
        emit(line)
    }
    close(file)
}

BEGIN {
    if (what == "c") {
        print "/* Made by scripts/program.awk from src/kernels. */"
        print "#include \"device/program_text.h\""
        print "const char *const SN__PROGRAM[] = {"
    }
    n = split("kernels/device/head.h kernels/contact/ground.h kernels/tree/rows.h kernels/device/fields.h kernels/device/program.h", file, " ")
    for (i = 1; i < ARGC; i++)
        file[i] = ARGV[n = i]
    for (i = 1; i <= n; i++) {
        if (what == "c" && i == n) { # the world's tables stand ahead of the last file
            print ",\n    NULL,"
            size = 0
        }
        put(file[i])
    }
    if (what == "c") {
        print "};"
        print "const int SN__PROGRAM_PIECES = sizeof SN__PROGRAM / sizeof *SN__PROGRAM;"
    }
    exit
}
