# Reads the public headers and writes what is generated from them. Any POSIX awk runs it; no compiler is needed.
#
#   awk -v what=tables -f scripts/schema.awk include/sinew/*.h    C tables of definitions, enumerators, fields and functions,
#                                                                 which src/base/definition.c and schema.c include
#   awk -v what=docs ...                                          the tables of docs/definitions.md
#   awk -v what=names ...                                         every public name, with its kind and header
#
# A structure whose first member is `uint32_t struct_size` is a definition. The comment above each of its members says what the member
# is for and ends with a list in square brackets, with semicolons between the parts:
#
#   default X      the value that *_default() gives it; an array has its values with spaces between them
#   from A         the least value allowed; `above A`: the value itself is not allowed; `A to B`: the largest one, too.
#                  Numbers are finite unless B is infinity
#   not hashed     a snapshot may be restored into a world where this differs
#   anything else  the unit
#
# The script ends with code 1, and a line for each mistake, when a member of a definition has no comment or when a name is a
# reserved word of Python, JavaScript or C++.

function clean(text) { # a comment as one line
    sub(/^\/\*+/, "", text)
    sub(/\*+\/$/, "", text)
    gsub(/\n[ \t]*\*+[ \t]?/, "\n", text)
    gsub(/[ \t\n]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
}

function trim(text) {
    gsub(/[ \t\n]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
}

function quote(text) { # as a string of C, and of JSON
    gsub(/["\\]/, "\\\\&", text)
    return "\"" text "\""
}

function mistake(text) {
    print "schema: " header ": " text > "/dev/stderr"
    mistakes++
}

function check_name(name, where) {
    if (name in reserved) mistake("'" name "' of " where " is a reserved word of some language: choose another name")
}

# ------------------------------------------------------------------------------------------------------- pieces of text

# Splits a text into items, each with its comment, at the separator where no bracket is open. Items are numbered from
# `first` on in item[], raw[] (with its line breaks) and remark[]; returns the number behind the last one. A comment belongs to the item below it, or to the
# one that ends in the same line.
function split_items(text, separator, first,    n, depth, piece, pending, newlines, blank, c, at, comment) {
    n = first
    piece = pending = ""
    depth = 0
    newlines = 2
    while (text != "") {
        if (substr(text, 1, 2) == "/*") {
            at = index(text, "*/")
            comment = clean(substr(text, 1, at + 1))
            text = substr(text, at + 2)
            if (depth) piece = piece "/*" comment "*/"
            else if (trim(piece) != "") pending = pending == "" ? comment : pending " " comment
            else if (newlines == 0 && n > first) remark[n - 1] = remark[n - 1] == "" ? comment : remark[n - 1] " " comment
            else if (comment !~ /^---/) pending = comment
            else pending = ""
            blank = 0
            continue
        }
        at = match(text, /[^A-Za-z0-9_ \t*]/)
        if (at > 1) {
            if (substr(text, 1, at - 1) ~ /[^ \t]/) newlines = blank = 0
            piece = piece substr(text, 1, at - 1)
            text = substr(text, at)
            continue
        }
        if (!at) { piece = piece text; break }
        c = substr(text, 1, 1)
        text = substr(text, 2)
        if (c == "\n") {
            newlines++
            blank++
            if (blank > 1 && trim(piece) == "") pending = ""
            piece = piece c
            continue
        }
        newlines = blank = 0
        if (c == "/" && substr(text, 1, 1) == "*") { text = c text; continue }
        depth += (c ~ /[({[]/) - (c ~ /[)}\]]/)
        if (depth == 0 && (c == separator || (c == "}" && trim(piece) ~ /^static inline/))) {
            raw[n] = piece
            item[n] = trim(piece)
            remark[n] = pending
            n++
            piece = pending = ""
        } else
            piece = piece c
    }
    if (trim(piece) != "") {
        raw[n] = piece
        item[n] = trim(piece)
        remark[n] = pending
        n++
    }
    return n
}

# ------------------------------------------------------------------------------------------------------------ kinds of items

# A declaration "const double *a, b[3]" becomes declared_name[], declared_type[], declared_count[] (text in brackets).
function declarators(text,    base, parts, n, i, one, name, stars, count) {
    ndeclared = 0
    if (text ~ /\(\*/) { # a pointer to a function or to an array
        name = text
        sub(/^[^(]*\(\*[ ]*/, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
        ndeclared = 1
        declared_name[1] = name
        one = text
        sub(/\(\*[ ]*[A-Za-z0-9_]+/, "(*", one)
        declared_type[1] = trim(one)
        declared_count[1] = ""
        return
    }
    n = split(text, parts, ",")
    for (i = 1; i <= n; i++) {
        one = trim(parts[i])
        count = ""
        if (match(one, /\[[^]]*\](\[[^]]*\])*$/)) {
            count = substr(one, RSTART + 1, RLENGTH - 2)
            one = trim(substr(one, 1, RSTART - 1)) # the bracket may begin the next line
        }
        name = one
        sub(/.*[^A-Za-z0-9_]/, "", name)
        one = trim(substr(one, 1, length(one) - length(name)))
        if (i == 1) {
            base = one
            gsub(/[ ]*\*[ ]*(const)?[ ]*$/, "", base)
        } else {
            stars = one
            one = base (stars == "" ? "" : " " stars)
        }
        ndeclared++
        declared_name[ndeclared] = name
        declared_type[ndeclared] = one
        declared_count[ndeclared] = count
    }
}

function body_of(text) { # between the outermost braces
    sub(/^[^{]*\{/, "", text)
    sub(/\}[^}]*$/, "", text)
    return text
}

function take_enum(text, name, comment,    n, i, first, value, one, prefix, at, words) {
    first = 100000
    if (text ~ /_MAP\(X\)/) { # made by a list
        nenum++
        enum_name[nenum] = name
        enum_text[nenum] = comment
        enum_header[nenum] = header
        enum_list[nenum] = name == "sn_status" ? "SN_STATUS_MAP" : "SN_FIELD_MAP"
        enum_of[name] = nenum
        return
    }
    n = split_items(body_of(text), ",", first)
    if (name == "") {
        for (i = first; i < n; i++) {
            one = item[i]
            sub(/[ =].*/, "", one)
            nconstant++
            constant_name[nconstant] = one
            constant_text[nconstant] = remark[i]
        }
        return
    }
    nenum++
    enum_name[nenum] = name
    enum_text[nenum] = comment
    enum_header[nenum] = header
    enum_first[nenum] = nvalue + 1
    enum_of[name] = nenum
    prefix = ""
    for (i = first; i < n; i++) {
        one = item[i]
        sub(/[ =].*/, "", one)
        if (one ~ /_COUNT$/) continue
        nvalue++
        value_name[nvalue] = one
        value_text[nvalue] = remark[i]
        if (prefix == "") prefix = one
        while (substr(one, 1, length(prefix)) != prefix) prefix = substr(prefix, 1, length(prefix) - 1)
    }
    enum_last[nenum] = nvalue
    sub(/[^_]*$/, "", prefix)
    for (i = enum_first[nenum]; i <= nvalue; i++) {
        value_word[i] = tolower(substr(value_name[i], length(prefix) + 1))
        check_word(value_word[i], value_name[i])
    }
}

function check_word(word, name) {
    if (word == "") mistake(name " has nothing after the prefix of its kind")
}

function take_struct(text, name, comment,    n, i, k, first) {
    first = 200000
    n = split_items(body_of(text), ";", first)
    nstruct++
    struct_name[nstruct] = name
    struct_text[nstruct] = comment
    struct_header[nstruct] = header
    struct_first[nstruct] = nmember + 1
    struct_is[name] = nstruct
    for (i = first; i < n; i++) {
        declarators(item[i])
        for (k = 1; k <= ndeclared; k++) {
            nmember++
            member_name[nmember] = declared_name[k]
            member_type[nmember] = declared_type[k]
            member_count[nmember] = declared_count[k]
            member_text[nmember] = remark[i]
            check_name(declared_name[k], name)
        }
    }
    struct_last[nstruct] = nmember
    struct_defines[nstruct] = member_name[struct_first[nstruct]] == "struct_size" && member_type[struct_first[nstruct]] == "uint32_t"
}

function take_function(text, comment,    head, arguments, n, i, first, name) {
    sub(/^SN_API[ ]*/, "", text)
    sub(/^static inline[ ]*/, "", text)
    if (text ~ /\{/) sub(/[ ]*\{.*/, "", text)
    if (text !~ /\)$/) return
    head = text
    sub(/[ ]*\(.*/, "", head)
    name = head
    sub(/.*[ *]/, "", name)
    if (name !~ /^sn_/) return
    nfunction++
    function_name[nfunction] = name
    function_returns[nfunction] = trim(substr(head, 1, length(head) - length(name)))
    function_text[nfunction] = comment
    function_header[nfunction] = header
    arguments = substr(text, length(head) + 1)
    sub(/^[ ]*\(/, "", arguments)
    sub(/\)$/, "", arguments)
    function_first[nfunction] = nargument + 1
    first = 300000
    n = arguments == "void" ? first : split_items(arguments, ",", first)
    for (i = first; i < n; i++) {
        if (item[i] ~ /\(\*/) declarators(item[i])
        else { declarators(item[i]) }
        nargument++
        argument_name[nargument] = declared_name[1]
        argument_type[nargument] = declared_type[1] (declared_count[1] == "" ? "" : " [" declared_count[1] "]")
        if (what != "tables") check_name(declared_name[1], name)
    }
    function_last[nfunction] = nargument
}

function take_item(text, whole, comment,    name) {
    if (text ~ /^typedef enum /) {
        name = text
        sub(/.*\}[ ]*/, "", name)
        take_enum(whole, name, comment)
    } else if (text ~ /^enum[ ]*\{/)
        take_enum(whole, "", comment)
    else if (text ~ /^typedef struct [A-Za-z0-9_]+[ ]*\{/) {
        name = text
        sub(/.*\}[ ]*/, "", name)
        take_struct(whole, name, comment)
    } else if (text ~ /^typedef struct [A-Za-z0-9_]+ [A-Za-z0-9_]+$/ || text ~ /^typedef u?int[0-9]+_t /) {
        name = text
        sub(/.* /, "", name)
        nopaque++
        opaque_name[nopaque] = name
        opaque_type[nopaque] = text ~ /^typedef struct/ ? "" : text
        sub(/^typedef /, "", opaque_type[nopaque])
        sub(/ [^ ]*$/, "", opaque_type[nopaque])
        opaque_text[nopaque] = comment
        opaque_header[nopaque] = header
    } else if (text ~ /^(SN_API|static inline) /)
        take_function(text, comment)
}

function take_field(line,    text, name, size, rule) { # "X(Q, NQ, POSE) /* position */"
    sub(/^[ \t]*X\(/, "", line)
    text = ""
    if (line ~ /\/\*/) {
        text = line
        sub(/^[^\/]*/, "", text)
        text = clean(text)
        sub(/[ ]*\/\*.*/, "", line)
    }
    sub(/\)[ ]*$/, "", line)
    name = line
    sub(/,.*/, "", name)
    size = line
    sub(/^[^,]*,[ ]*/, "", size)
    rule = size
    sub(/,.*/, "", size)
    sub(/^[^,]*,[ ]*/, "", rule)
    nfield++
    field_name[nfield] = name
    field_size[nfield] = size
    field_rule[nfield] = trim(rule)
    field_text[nfield] = text
}

# ------------------------------------------------------------------------------------------------------------------ options

function number(text) { # as C has it
    if (text == "infinity") return "(double)INFINITY"
    if (text == "-infinity") return "-(double)INFINITY"
    if (text ~ /^-?[0-9.]+\/[0-9.]+$/) {
        sub(/\//, ".0 / ", text)
        return text
    }
    return text
}

function is_number(text) {
    return text ~ /^-?(infinity|[0-9.]+(e-?[0-9]+)?(\/[0-9]+)?)$/
}

# Reads the list in brackets at the end of a comment: option_text, option_default, option_low, option_high, option_above, option_unit,
# option_hashed.
function take_option(text, where,    list, parts, n, i, one, ends) {
    option_default = option_unit = option_low = option_high = ""
    option_above = 0
    option_hashed = 1
    option_text = text
    if (text == "") mistake(where " has no comment above it")
    if (!match(text, /\[[^]]*\]$/)) return
    list = substr(text, RSTART + 1, RLENGTH - 2)
    option_text = trim(substr(text, 1, RSTART - 1))
    n = split(list, parts, ";")
    for (i = 1; i <= n; i++) {
        one = trim(parts[i])
        if (one == "not hashed") option_hashed = 0
        else if (sub(/^default /, "", one)) option_default = one
        else if (match(one, /^(from|above) /)) {
            option_above = one ~ /^above/
            sub(/^(from|above) /, "", one)
            if (split(one, ends, " to ") == 2) option_high = ends[2]
            option_low = ends[1]
            if (!is_number(option_low)) mistake(where ": '" option_low "' is not a number")
        } else if (split(one, ends, " to ") == 2 && is_number(ends[1]) && is_number(ends[2])) {
            option_low = ends[1]
            option_high = ends[2]
        } else if (option_unit == "") option_unit = one
        else mistake(where ": '" one "' is not understood")
    }
}

function kind_of(type) {
    if (type ~ /\*/) return type ~ /^const char \*$/ ? "TEXT" : "POINTER"
    if (type == "double") return "REAL"
    if (type == "bool") return "FLAG"
    if (type == "int" || type == "int32_t" || type == "sn_member") return "INT"
    if (type == "uint32_t") return "BITS"
    if (type == "uint64_t") return "SEED"
    if (type in enum_of) return "CHOICE"
    if (type in struct_is && struct_defines[struct_is[type]]) return "DEFINITION"
    return ""
}

# --------------------------------------------------------------------------------------------------------------- C tables

function print_enums(    e, i) {
    print "/* Written by scripts/schema.awk from the public headers. */\n"
    for (e = 1; e <= nenum; e++) {
        if (enum_list[e] != "") continue
        print "static const struct sn__choice choices_" enum_name[e] "[] = {"
        for (i = enum_first[e]; i <= enum_last[e]; i++)
            print "    {" quote(value_name[i]) ", " quote(value_word[i]) ", " value_name[i] ", " quote(value_text[i]) "},"
        print "};"
    }
    print "static const struct sn__enumeration enumerations[] = {"
    for (e = 1; e <= nenum; e++)
        if (enum_list[e] == "")
            print "    {" quote(enum_name[e]) ", " quote(enum_text[e]) ", " quote(enum_header[e]) ", " \
                enum_last[e] - enum_first[e] + 1 ", choices_" enum_name[e] "},"
    print "};"
}

function default_of(m, kind,    values, n, i, text) {
    if (option_default == "") return kind == "DEFINITION" ? "standard_" member_type[m] "_values" : ""
    if (member_count[m] == "") return number(option_default)
    n = split(option_default, values, " ")
    text = "{"
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") number(values[i])
    return text "}"
}

function print_definition(s,    m, kind, values, choice, n, place, index_of_enum, e, value) {
    values = ".struct_size = sizeof(" struct_name[s] ")"
    n = 0
    for (m = struct_first[s] + 1; m <= struct_last[s]; m++) {
        kind = kind_of(member_type[m])
        if (kind == "") mistake(struct_name[s] "." member_name[m] ": a definition cannot hold a " member_type[m])
        if (member_count[m] ~ /[^0-9]/) mistake(struct_name[s] "." member_name[m] ": its length is not a number")
        take_option(member_text[m], struct_name[s] "." member_name[m])
        value = default_of(m, kind)
        if (value != "") values = values ", ." member_name[m] " = " value
        place = 0
        if (kind == "CHOICE") {
            for (e = 1; e <= enum_of[member_type[m]]; e++) place += enum_list[e] == ""
        } else if (kind == "DEFINITION")
            place = definition_number[member_type[m]]
        rows[++n] = "    {.name = " quote(member_name[m]) ", .type = SN__" kind ", .offset = offsetof(" struct_name[s] ", " \
            member_name[m] "), .bytes = sizeof(((" struct_name[s] " *)0)->" member_name[m] "), .count = " \
            (member_count[m] == "" ? 0 : member_count[m]) ", .low = " \
            (option_low == "" ? (kind == "INT" ? "INT_MIN" : "-DBL_MAX") : number(option_low)) ", .high = " \
            (option_high == "" ? (kind == "INT" ? "INT_MAX" : "DBL_MAX") : number(option_high)) \
            ", .above = " option_above ", .hashed = " (option_hashed && kind != "TEXT" && kind != "POINTER") \
            ", .bounded = " (option_low != "") ", .kind = " place ", .declared = " quote(member_type[m]) \
            ",\n     .unit = " quote(option_unit) ", .text = " quote(option_text) "},"
    }
    print "#define standard_" struct_name[s] "_values {" values "}"
    print "static const " struct_name[s] " standard_" struct_name[s] " = standard_" struct_name[s] "_values;"
    print "static const struct sn__option options_" struct_name[s] "[] = {"
    for (m = 1; m <= n; m++) print rows[m]
    print "};"
}

function print_definitions(    s, n) {
    print "#ifdef SCHEMA_DEFINITIONS"
    n = 0
    for (s = 1; s <= nstruct; s++)
        if (struct_defines[s]) {
            definition_number[struct_name[s]] = n++
            print_definition(s)
        }
    print "static const struct sn__definition definitions[] = {"
    for (s = 1; s <= nstruct; s++)
        if (struct_defines[s])
            print "    {" quote(struct_name[s]) ", " quote(struct_text[s]) ", " quote(struct_header[s]) ", sizeof(" \
                struct_name[s] "), " struct_last[s] - struct_first[s] ", options_" struct_name[s] ", &standard_" struct_name[s] "},"
    print "};\n#endif"
}

function literal(text) { # a line of a long string
    print "    " quote(text) ","
}

function print_json_members(    s, m) {
    literal("\"structures\": [")
    for (s = 1; s <= nstruct; s++) {
        literal((s > 1 ? "," : "") "{\"name\": " quote(struct_name[s]) ", \"header\": " quote(struct_header[s]) ", \"text\": " \
            quote(struct_text[s]) ", \"members\": [")
        for (m = struct_first[s]; m <= struct_last[s]; m++)
            literal((m > struct_first[s] ? "," : "") "{\"name\": " quote(member_name[m]) ", \"type\": " quote(member_type[m]) \
                ", \"count\": " quote(member_count[m]) ", \"text\": " quote(member_text[m]) "}")
        literal("]}")
    }
    for (s = 1; s <= nopaque; s++)
        literal(",{\"name\": " quote(opaque_name[s]) ", \"header\": " quote(opaque_header[s]) ", \"text\": " quote(opaque_text[s]) \
            (opaque_type[s] == "" ? "" : ", \"type\": " quote(opaque_type[s])) ", \"members\": []}")
    literal("]")
}

function print_json_functions(    f, a) {
    literal("\"functions\": [")
    for (f = 1; f <= nfunction; f++) {
        literal((f > 1 ? "," : "") "{\"name\": " quote(function_name[f]) ", \"header\": " quote(function_header[f]) \
            ", \"returns\": " quote(function_returns[f]) ", \"text\": " quote(function_text[f]) ", \"arguments\": [")
        for (a = function_first[f]; a <= function_last[f]; a++)
            literal((a > function_first[f] ? "," : "") "{\"name\": " quote(argument_name[a]) ", \"type\": " quote(argument_type[a]) "}")
        literal("]}")
    }
    literal("]")
}

function print_field_infos(    i, rows, columns) { # "7 * NBODY" is seven columns for each body
    print "static const struct sn__field_meaning field_infos[] = {"
    for (i = 1; i <= nfield; i++) {
        columns = field_size[i] ~ /^[0-9]/ ? field_size[i] + 0 : 1
        rows = field_size[i]
        sub(/^[0-9]+( \* )?/, "", rows)
        print "    {" quote(tolower(field_name[i])) ", " quote(rows == "" ? "1" : tolower(rows)) ", " columns ", " \
            (field_rule[i] == "READ_ONLY" ? "false" : "true") "},"
    }
    print "};"
}

function print_rest(    i) {
    print "#ifdef SCHEMA_FIELDS"
    print_field_infos()
    print "#endif\n#ifdef SCHEMA_REST"
    print "static const struct sn__field_text fields[] = {"
    for (i = 1; i <= nfield; i++)
        print "    {" quote(field_name[i]) ", " quote(field_size[i]) ", " quote(field_rule[i]) ", " quote(field_text[i]) "},"
    print "};"
    print "static const struct sn__constant constants[] = {"
    for (i = 1; i <= nconstant; i++)
        print "    {" quote(constant_name[i]) ", " constant_name[i] ", " quote(constant_text[i]) "},"
    print "};"
    print "static const char *const structures[] = {"
    print_json_members()
    print "};\nstatic const char *const functions[] = {"
    print_json_functions()
    print "};\n#endif"
}

# ------------------------------------------------------------------------------------------------------------------- docs

function range_words(kind,    text) {
    if (kind == "CHOICE" || kind == "FLAG" || kind == "DEFINITION" || option_low == "") return ""
    text = option_above ? "above " option_low : option_high == "" ? "at least " option_low : option_low " to " option_high
    if (option_above && option_high != "") text = text " to " option_high
    return text
}

function choice_words(type,    e, i, text) {
    e = enum_of[type]
    for (i = enum_first[e]; i <= enum_last[e]; i++)
        text = text (i > enum_first[e] ? ", " : "") "`" value_word[i] "`"
    return text
}

function default_words(m, kind,    i) {
    if (option_default == "") return kind == "TEXT" || kind == "POINTER" ? "none" : kind == "DEFINITION" ? "" : kind == "FLAG" ? "false" : "0"
    if (kind == "CHOICE") {
        for (i = 1; i <= nvalue; i++)
            if (value_name[i] == option_default) return "`" value_word[i] "`"
        mistake(member_name[m] ": there is no " option_default)
    }
    return option_default == "NULL" ? "none" : option_default
}

function print_docs(    s, m, kind, range, text) {
    for (s = 1; s <= nstruct; s++) {
        if (!struct_defines[s]) continue
        print "table " struct_name[s]
        print "| option | default | range or choices | unit | meaning |"
        print "|---|---|---|---|---|"
        for (m = struct_first[s] + 1; m <= struct_last[s]; m++) {
            kind = kind_of(member_type[m])
            take_option(member_text[m], struct_name[s] "." member_name[m])
            range = kind == "CHOICE" ? choice_words(member_type[m]) : range_words(kind)
            text = option_text
            gsub(/\|/, "\\|", text)
            print "| `" member_name[m] "` | " default_words(m, kind) " | " range " | " option_unit " | " text " |"
        }
        print "end"
    }
}

function print_names(    i) {
    for (i = 1; i <= nfunction; i++) print "function", function_name[i], function_header[i]
    for (i = 1; i <= nstruct; i++) print struct_defines[i] ? "definition" : "structure", struct_name[i], struct_header[i]
    for (i = 1; i <= nenum; i++) print "enumeration", enum_name[i], enum_header[i]
    for (i = 1; i <= nvalue; i++) print "enumerator", value_name[i]
}

# ------------------------------------------------------------------------------------------------------------------- reading

BEGIN {
    words = "False None True and as assert async await break class continue def del elif else except finally for from global if " \
        "import in is lambda nonlocal not or pass raise return try while with yield case catch const debugger default delete do " \
        "enum export extends false function instanceof new null super switch this throw true typeof var void let static " \
        "implements interface package private protected public alignas alignof asm auto bool char concept constexpr decltype " \
        "double explicit extern float friend goto inline int long mutable namespace noexcept operator register requires short " \
        "signed sizeof struct template typedef typeid typename union unsigned using virtual volatile"
    n = split(words, list, " ")
    for (i = 1; i <= n; i++) reserved[list[i]] = 1
    nheader = 0
}

FNR == 1 {
    nheader++
    header = FILENAME
    sub(/.*\//, "", header)
    headers[nheader] = header
    foreign = macro = 0
    source[nheader] = ""
    last_macro = ""
}
/^#ifdef __cplusplus/ { foreign = 1 }
foreign { if (/^#endif/) foreign = 0; next }
macro {
    if (last_macro == "SN_FIELD_MAP") {
        line = $0
        sub(/[ \t]*\\$/, "", line)
        held = held " " line
        if (held ~ /X\([^)]*\)/ && held !~ /\/\*[^\/]*$/) { take_field(held); held = "" }
    }
    macro = /\\$/
    next
}
/^#/ {
    if (/^#define [A-Z_]+\(/) { last_macro = $2; sub(/\(.*/, "", last_macro) }
    held = ""
    macro = /\\$/
    source[nheader] = source[nheader] "\n"
    next
}
{ source[nheader] = source[nheader] $0 "\n" }

END {
    for (h = 1; h <= nheader; h++) {
        header = headers[h]
        top = split_items(source[h], ";", 1)
        for (t = 1; t < top; t++) take_item(item[t], raw[t], remark[t])
    }
    if (what == "docs") print_docs()
    else if (what == "names") print_names()
    else {
        print_enums()
        print_definitions()
        print_rest()
    }
    exit mistakes > 0
}
