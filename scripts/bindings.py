#!/usr/bin/env python3
"""Writes the generated files of the Python package from the library's own description of its interface.

usage: bindings.py SCHEMA [--check] [--layout FILE]

SCHEMA is the output of `sinew schema --json`. Without --check the files are written; with it they are compared with what is there,
and the first difference is told. scripts/bindings.sh makes the schema and calls this script; the test python_bindings compares.

  python/sinew/_c.py          structures, prototypes, enumerators, fields and settings with their comments
  python/sinew/enums.py       the enumerations as IntEnum
  python/sinew/__init__.pyi   types of the package, from __init__.pyi.in with the settings filled in

--layout writes a C file of assertions that ctypes and the compiler lay out all structures alike.
"""
import argparse
import ctypes
import difflib
import json
import keyword
import pathlib
import re
import sys

from schema import Schema, declared, split

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTE = "Written by scripts/bindings.py from the public headers. Do not edit."
SCALARS = {
    "bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "double": "c_double", "float": "c_float",
    "size_t": "c_size_t", "uint8_t": "c_uint8", "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64",
    "uint64_t": "c_uint64",
}
PYTHON = {"int": "int", "bits": "int", "seed": "int", "real": "float", "flag": "bool", "text": "Optional[str]"}


class Interface(Schema):
    """The schema, with types translated to ctypes."""

    def __init__(self, schema):
        super().__init__(schema)
        self.structures = {one["name"]: one for one in schema["structures"] if one["members"]}

    def type(self, text, needs=None):
        """The ctypes name of a C type; structures that it needs are added to `needs`."""
        text = text.strip()
        match = re.fullmatch(r"(.*?)\(\*\)\s*\((.*)\)", text)
        if match:  # a pointer to a function
            arguments = split(match[2])
            types = [self.type(match[1], needs)] + [self.type(declared(one), needs) for one in arguments]
            return "CFUNCTYPE(%s)" % ", ".join(types)
        if "(*)" in text:  # a pointer to arrays
            return "c_void_p"
        match = re.fullmatch(r"(.*)\[[^]]*\]", text)
        if match:
            return "c_void_p"
        plain = re.sub(r"\bconst\b|\bstruct\b", "", text)
        stars = plain.count("*")
        base = plain.replace("*", "").strip()
        if stars == 0:
            if base == "void":
                return "None"
            if base in self.enums:
                return "c_int"
            if base in self.aliases:
                return SCALARS[self.aliases[base]]
            if base in self.structures:
                if needs is not None:
                    needs.add(base)
                return base
            return SCALARS[base]
        if base == "char" and "const" in text:
            return "c_char_p" if stars == 1 else "POINTER(c_char_p)"
        if stars == 1 and base in self.structures:
            if needs is not None:
                needs.add(base)
            return "POINTER(%s)" % base
        return "c_void_p"

    def count(self, text):
        total = []
        for part in text.split("]["):
            for name, value in self.constants.items():
                part = re.sub(r"\b%s\b" % name, str(value), part)
            total.append(eval(part, {"__builtins__": {}}))
        return total

    def ordered(self):
        """Structures, those that others contain first."""
        done, order = set(), []

        def visit(name, path):
            if name in done or name in path:
                return
            needs = set()
            for member in self.structures[name]["members"]:
                self.type(member["type"], needs)
            for need in sorted(needs - {name}):
                visit(need, path | {name})
            done.add(name)
            order.append(self.structures[name])

        for name in self.structures:
            visit(name, set())
        return order


def own_name(name):
    """Python words get a trailing underscore."""
    return name + "_" if keyword.iskeyword(name) else name


def class_name(name):
    return "".join(part.capitalize() for part in name[len("sn_"):].split("_"))


def shape(size):
    """("nbody", 7) from "7 * NBODY"."""
    match = re.fullmatch(r"(\d+) \* (\w+)", size)
    if match:
        return (match[2].lower(), int(match[1]))
    if size.isdigit():
        return () if size == "1" else (int(size),)
    return (size.lower(),)


def settings_of(interface, name):
    """(name, type, default, unit and range, text) of each member of a structure, as the documentation tells them."""
    for definition in interface.schema["definitions"]:
        if definition["name"] == name:
            rows = []
            for option in definition["options"]:
                about = [option["unit"]] if option["unit"] else []
                if "minimum" in option:
                    about.append("from %s" % option["minimum"])
                if "above" in option:
                    about.append("above %s" % option["above"])
                if "maximum" in option:
                    about.append("to %s" % option["maximum"])
                kind = option.get("enumeration") or option["type"]
                default = option["default"] if option["type"] != "definition" else None
                rows.append((own_name(option["name"]), kind, option["count"], default, " ".join(about), option["text"]))
            return rows
    rows = []
    kinds = {"int": "int", "bool": "flag", "double": "real", "uint32_t": "bits", "uint64_t": "seed", "const char *": "text"}
    for member in interface.structures[name]["members"]:
        kind = kinds.get(member["type"], member["type"] if member["type"] in interface.enums else "pointer")
        count = interface.count(member["count"])[0] if member["count"] else 0
        rows.append((own_name(member["name"]), kind, count, None, "", member["text"]))
    return rows


def write_c(interface):
    schema = interface.schema
    lines = ['"""%s"""' % NOTE, "# flake8: noqa",
             "from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64,",
             "                    c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p)", "",
             "VERSION = %r" % schema["version"], "",
             "STATUSES = %s" % pretty({one["name"]: one["value"] for one in schema["statuses"]}), "",
             "CONSTANTS = %s" % pretty(interface.constants), "",
             "# Enumerators by the words that settings take.",
             "ENUMS = {"]
    for one in schema["enumerations"]:
        lines.append("    %r: %s," % (one["name"], pretty({value["word"]: value["value"] for value in one["values"]}, 4)))
    lines += ["}", "",
              "# Values of a member: number, shape of one copy, whether it can be set, what it is.",
              "FIELDS = {"]
    for one in schema["fields"]:
        lines.append("    %r: (%d, %r, %r, %r)," % (one["name"].lower(), one["value"], shape(one["size"]), one["settable"], one["text"]))
    lines += ["}", ""]
    order = interface.ordered()
    for one in order:
        lines += ["", "class %s(Structure):" % one["name"]]
        if one["text"]:
            lines.append('    """%s"""' % one["text"].replace("\\", "\\\\").replace('"""', "'''"))
        lines.append("    _fields_ = [")
        for member in one["members"]:
            kind = interface.type(member["type"])
            if member["count"]:
                for n in reversed(interface.count(member["count"])):
                    kind = "%s * %d" % (kind, n)
            lines.append("        (%r, %s)," % (own_name(member["name"]), kind))
        lines += ["    ]", ""]
    lines += ["", "# Result and arguments of each function of the library, as text that is read when the function is first used.", "FUNCTIONS = {"]
    for one in schema["functions"]:
        if one["header"] == "studies.h":
            continue
        types = ", ".join(interface.type(argument["type"]) for argument in one["arguments"])
        lines.append("    %r: %r," % (one["name"], "%s, [%s]" % (interface.type(one["returns"]), types)))
    lines += ["}", "", "# Members of definitions: name, kind, how many, default, unit and range, what they are for.", "SETTINGS = {"]
    for one in order:
        if one["name"].endswith("_def") or one["name"].endswith("_options"):
            lines.append("    %r: [" % one["name"])
            lines += ["        %r," % (row,) for row in settings_of(interface, one["name"]) if row[0] != "struct_size"]
            lines.append("    ],")
    lines += ["}", ""]
    return "\n".join(lines)


def pretty(table, indent=0):
    text = "{%s}" % ", ".join("%r: %r" % item for item in table.items())
    if len(text) < 100:
        return text
    inner = " " * (indent + 4)
    return "{\n%s%s}" % ("".join("%s%r: %r,\n" % (inner, key, value) for key, value in table.items()), " " * indent)


def write_enums(interface):
    lines = ['"""%s\n\nEach class is one enumeration of the library. Settings take these, or the same words as strings."""' % NOTE,
             "from enum import IntEnum", ""]
    for one in interface.schema["enumerations"]:
        if one["header"] == "studies.h":
            continue
        lines += ["", "class %s(IntEnum):" % class_name(one["name"])]
        text = one["text"] or "Words of %s." % one["name"]
        told = ["    %s: %s" % (value["word"], value["text"]) for value in one["values"] if value["text"]]
        text = "\n\n    ".join([text] + told) if told else text
        lines.append('    """%s"""' % text.replace("\\", "\\\\"))
        for value in one["values"]:
            word = value["word"].upper()
            if word[0].isdigit():
                word = "V" + word
            lines.append("    %s = %d" % (word, value["value"]))
        lines.append("")
    return "\n".join(lines)


def stub_type(interface, row):
    name, kind, count, *_ = row
    if kind in interface.enums:
        words = next((one["values"] for one in interface.schema["enumerations"] if one["name"] == kind), [])
        return "Union[Literal[%s], int]" % ", ".join('"%s"' % one["word"] for one in words)
    if kind == "pointer":
        return "Any"
    if kind == "definition":
        return "Mapping[str, Any]"
    if count:
        return "ArrayLike"
    return PYTHON[kind]


def write_stub(interface):
    """Fills @settings NAME [without A B]@ in __init__.pyi.in with keywords."""
    text = (ROOT / "python/sinew/__init__.pyi.in").read_text()

    def fill(match):
        words = match[1].split()
        left_out = set(words[2:]) | {"struct_size"}
        rows = [row for row in settings_of(interface, words[0]) if row[0] not in left_out]
        return ", ".join("%s: %s = ..." % (row[0], stub_type(interface, row)) for row in rows)

    def fields(match):
        lines = []
        for one in interface.schema["fields"]:
            name = one["name"].lower()
            if name == "push":
                name = "pushes"
            if name in ("touching", "diverged", "asleep"):
                kind = "Flags"
            else:
                kind = "Array" if shape(one["size"]) else "Any"
            lines.append("    @property\n    def %s(self) -> %s: ..." % (name, kind))
            if one["settable"]:
                lines.append("    @%s.setter\n    def %s(self, value: ArrayLike) -> None: ..." % (name, name))
        return "\n".join(lines)

    text = re.sub(r"@settings ([^@]*)@", fill, text)
    text = re.sub(r"    @fields@", fields, text)
    classes = "\n".join("from .enums import %s as %s" % ((class_name(one["name"]),) * 2)
                        for one in interface.schema["enumerations"] if one["header"] != "studies.h")
    return text.replace("@enums@", classes).replace("@note@", NOTE)


def write_layout(interface, module):
    lines = ["/* %s */" % NOTE]
    for header in sorted({one["header"] for one in interface.schema["structures"]}):
        lines.append('#include "sinew/%s"' % header)
    lines.append("#include <stddef.h>\n")
    n = 0
    for one in interface.ordered():
        structure = module[one["name"]]
        lines.append('_Static_assert(sizeof(%s) == %d, "%s");' % (one["name"], ctypes.sizeof(structure), one["name"]))
        for member in one["members"]:
            offset = getattr(structure, own_name(member["name"])).offset
            lines.append('_Static_assert(offsetof(%s, %s) == %d, "%s");' % (one["name"], member["name"], offset, member["name"]))
            n += 1
    return "\n".join(lines) + "\n", n


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schema")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--layout")
    arguments = parser.parse_args()
    schema = json.load(sys.stdin if arguments.schema == "-" else open(arguments.schema))
    interface = Interface(schema)
    code = write_c(interface)
    module = {}
    exec(compile(code, "_c.py", "exec"), module)
    layout, members = write_layout(interface, module)
    files = {"python/sinew/_c.py": code, "python/sinew/enums.py": write_enums(interface)}
    if (ROOT / "python/sinew/__init__.pyi.in").exists():
        files["python/sinew/__init__.pyi"] = write_stub(interface)
    if arguments.layout:
        pathlib.Path(arguments.layout).write_text(layout)
    for name, text in files.items():
        path = ROOT / name
        text = re.sub(r"[ \t]+\n", "\n", text)
        if not arguments.check:
            path.write_text(text)
            continue
        old = path.read_text() if path.exists() else ""
        if old != text:
            change = difflib.unified_diff(old.splitlines(), text.splitlines(), name, name, n=0, lineterm="")
            print("\n".join(list(change)[:12]))
            sys.exit("%s is not what the headers give: run `make bindings` and commit the result." % name)
    print("bindings: %d functions, %d structures with %d members" % (len(module["FUNCTIONS"]), len(interface.structures), members))


main()
