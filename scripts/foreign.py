#!/usr/bin/env python3
"""Writes the C# and the Rust binding from the library's own description of its interface.

usage: foreign.py SCHEMA [--check]

SCHEMA is the output of `sinew schema --json`. Without --check the files are written; with it they are compared with what is there.

  bindings/csharp/Sinew.cs    structures, enumerations and functions for P/Invoke
  bindings/rust/sinew.rs      the same for Rust, with assertions of all sizes

Functions of studies.h are left out: they are in a library of their own.
"""
import argparse
import json
import pathlib
import re
import sys

from schema import Schema, declared, split

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTE = "Written by scripts/foreign.py from the public headers. Do not edit."
FUNCTION = re.compile(r"(.*?)\(\*\w*\)\s*\((.*)\)", re.S)

CSHARP = {"void": "void", "bool": "byte", "char": "byte", "int": "int", "unsigned": "uint", "double": "double", "float": "float",
          "size_t": "UIntPtr", "uint8_t": "byte", "int32_t": "int", "uint32_t": "uint", "int64_t": "long", "uint64_t": "ulong"}
CSHARP_WORDS = {"checked", "event", "fixed", "in", "lock", "object", "operator", "out", "params", "ref", "string", "base", "is", "as"}
RUST = {"void": "c_void", "bool": "bool", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "double": "f64", "float": "f32",
        "size_t": "usize", "uint8_t": "u8", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64"}
RUST_WORDS = {"as", "box", "fn", "in", "loop", "match", "mod", "move", "ref", "self", "trait", "type", "use", "where", "dyn", "final"}


def unnamed(text):
    """The type of a declaration with a name."""
    return text if FUNCTION.fullmatch(text.strip()) else declared(text)


def pointers(text):
    """(base, [const of what each star points to]) of a type that is no function: "const char *const *" is ("char", [1, 1])."""
    text = re.sub(r"\bstruct\b", "", text)
    text = re.sub(r"\(\*\)\s*\[\d*\]|\[[^]]*\]", "*", text)  # arrays as arguments, and pointers to them
    words = re.findall(r"\w+|\*", text)
    base, const, stars = "", False, []
    for word in words:
        if word == "const":
            const = True
        elif word == "*":
            stars.append(const)
            const = False
        else:
            base = word
    return base, stars


class Interface(Schema):
    def __init__(self, schema):
        super().__init__(schema)
        structures = {one["name"]: one for one in schema["structures"]}
        self.structures = [one for one in structures.values() if one["members"]]
        self.opaque = sorted(name for name, one in structures.items() if not one["members"] and not one.get("type"))
        self.known = {one["name"] for one in self.structures}
        self.functions = [one for one in schema["functions"] if one["header"] != "studies.h"]
        self.sizes = {one["name"]: one["size"] for one in schema["definitions"] if one["header"] != "studies.h"}

    def definition(self, function):
        """The definition whose defaults the function returns, which headers have inline; or None."""
        name = function["name"]
        return function["returns"] if name.endswith("_default") and function["returns"] in self.sizes else None

    def inner(self, name):
        """The definition inside a definition, or None."""
        members = next(one for one in self.structures if one["name"] == name)["members"]
        return next((one["type"] for one in members if one["type"] in self.sizes), None)

    def count(self, text):
        """How many a member has; 0: it is no array."""
        for name, value in self.constants.items():
            text = re.sub(r"\b%s\b" % name, str(value), text)
        return eval(text, {"__builtins__": {}}) if text else 0


def comment(text, mark, indent=""):
    """Lines of at most 110 columns."""
    lines, line = [], ""
    for word in text.split():
        if line and len(indent) + len(mark) + len(line) + len(word) > 108:
            lines.append(line)
            line = ""
        line += " " + word
    return ["%s%s%s" % (indent, mark, line) for line in lines + [line] if line]


class Language:
    """What both have: the interface, and a mark before names that are words of the language."""

    def __init__(self, interface):
        self.i = interface

    def name(self, name):
        return self.mark + name if name in self.words else name


# ---------------------------------------------------------------------------------------------------------------------- C#

class CSharp(Language):
    """C# with P/Invoke: pointers stay pointers, opaque ones are IntPtr, a bool of a structure is a byte."""
    words, mark = CSHARP_WORDS, "@"

    def type(self, text):
        if FUNCTION.fullmatch(text):
            return "IntPtr"
        base, stars = pointers(text)
        if base in self.i.aliases:
            base = self.i.aliases[base]
        if base not in CSHARP and base not in self.i.enums and base not in self.i.known:
            return "IntPtr" + "*" * (len(stars) - 1)
        return CSHARP.get(base, base) + "*" * len(stars)

    def argument(self, text):
        if text == "bool":
            return "[MarshalAs(UnmanagedType.I1)] bool"
        if text == "const char *":
            return "[MarshalAs(UnmanagedType.LPUTF8Str)] string"
        return self.type(text)

    def member(self, one):
        kind, count = self.type(one["type"]), self.i.count(one["count"])
        name = self.name(one["name"])
        if not count:
            return ["        public %s %s;" % (kind, name)]
        if kind in self.i.enums:
            kind = "int"
        if kind in CSHARP.values() and kind != "UIntPtr":
            return ["        public fixed %s %s[%d];" % (kind, name, count)]
        return ["        public %s %s;" % (kind, ", ".join("%s%d" % (one["name"], k) for k in range(count)))]

    def text(self):
        schema = self.i.schema
        lines = ["// " + NOTE, "using System;", "using System.Runtime.InteropServices;", "", "namespace Sinew {"]
        for enum in self.enumerations(schema):
            lines += ["    public enum %s {" % enum[0]] + ["        %s = %d," % pair for pair in enum[1]] + ["    }", ""]
        for one in self.i.structures:
            lines += comment(one["text"], "///", "    ")
            lines += ["    [StructLayout(LayoutKind.Sequential)]", "    public unsafe struct %s {" % one["name"]]
            for member in one["members"]:
                lines += comment(member["text"], "///", "        ") + self.member(member)
            lines += ["    }", ""]
        lines += ["    public static unsafe class Api {", "        const string Library = \"sinew\";"]
        lines += ["        public const int %s = %d;" % pair for pair in self.i.constants.items()]
        for one in self.i.functions:
            lines += [""] + comment(one["text"], "///", "        ")
            if self.i.definition(one):
                lines += self.default(one)
                continue
            lines.append("        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]")
            result = self.type(one["returns"])
            if one["returns"] == "bool":
                lines.append("        [return: MarshalAs(UnmanagedType.I1)]")
                result = "bool"
            if one["returns"] == "const char *":
                result = "IntPtr"
            arguments = ["%s %s" % (self.argument(a["type"]), self.name(a["name"])) for a in one["arguments"]]
            lines.append("        public static extern %s %s(%s);" % (result, one["name"], ", ".join(arguments)))
        lines += ["", "        /// Whether structures are laid out as in the library.", "        public static bool LayoutIsRight() {",
                  "            return %s;" % "\n                && ".join("sizeof(%s) == %d" % pair for pair in self.i.sizes.items()),
                  "        }", "    }", "}", ""]
        return "\n".join(lines)

    def default(self, one):
        kind, inner = self.i.definition(one), self.i.inner(one["returns"])
        arguments = ["%s %s" % (self.type(a["type"]), self.name(a["name"])) for a in one["arguments"]]
        lines = ["        public static %s %s(%s) {" % (kind, one["name"], ", ".join(arguments)), "            %s def;" % kind,
                 "            sn_def_default(\"%s\", &def, (UIntPtr)sizeof(%s), (UIntPtr)%s);"
                 % (kind, kind, "sizeof(%s)" % inner if inner else "0")]
        lines += ["            def.%s = %s;" % ((self.name(a["name"]),) * 2) for a in one["arguments"]]
        return lines + ["            return def;", "        }"]

    def enumerations(self, schema):
        yield "sn_status", [(one["name"], one["value"]) for one in schema["statuses"]]
        yield "sn_field", [("SN_FIELD_" + one["name"], one["value"]) for one in schema["fields"]]
        for one in schema["enumerations"]:
            yield one["name"], [(value["name"], value["value"]) for value in one["values"]]


# -------------------------------------------------------------------------------------------------------------------- Rust

class Rust(Language):
    """Rust declarations as C has them: everything that takes pointers is unsafe."""
    words, mark = RUST_WORDS, "r#"

    def type(self, text):
        match = FUNCTION.fullmatch(text)
        if match:
            arguments = ", ".join(self.type(unnamed(one)) for one in split(match[2]))
            return "Option<unsafe extern \"C\" fn(%s)%s>" % (arguments, self.result(match[1].strip()))
        base, stars = pointers(text)
        if base not in RUST and base not in self.i.enums | self.i.known | set(self.i.opaque) | set(self.i.aliases):
            base = "void"  # a type of functions
        base = RUST.get(base, base)
        for const in stars:
            base = ("*const " if const else "*mut ") + base
        return base

    def result(self, text):
        return "" if text == "void" else " -> " + self.type(text)

    def text(self):
        schema = self.i.schema
        lines = ["// " + NOTE, "#![allow(non_camel_case_types, dead_code)]",
                 "use std::os::raw::{c_char, c_int, c_uint, c_void};", ""]
        lines += ["pub type %s = %s;" % (name, RUST[kind]) for name, kind in self.i.aliases.items()]
        lines += ["pub const %s: c_int = %d;" % pair for pair in self.i.constants.items()]
        for name, values in CSharp(self.i).enumerations(schema):
            lines += ["", "pub type %s = c_int;" % name] + ["pub const %s: %s = %d;" % (one, name, value) for one, value in values]
        for name in self.i.opaque:
            lines += ["", "#[repr(C)]", "pub struct %s {" % name, "    _private: [u8; 0],", "}"]
        for one in self.i.structures:
            lines += [""] + comment(one["text"], "///") + ["#[repr(C)]", "#[derive(Clone, Copy)]", "pub struct %s {" % one["name"]]
            for member in one["members"]:
                kind, count = self.type(member["type"]), self.i.count(member["count"])
                lines += comment(member["text"], "///", "    ")
                lines.append("    pub %s: %s," % (self.name(member["name"]), "[%s; %d]" % (kind, count) if count else kind))
            lines.append("}")
        lines += [""] + ["const _: () = assert!(std::mem::size_of::<%s>() == %d);" % pair for pair in self.i.sizes.items()]
        lines += ["", "#[link(name = \"sinew\")]", "extern \"C\" {"]
        for one in self.i.functions:
            if self.i.definition(one):
                continue
            lines += comment(one["text"], "///", "    ")
            arguments = self.arguments(one)
            lines.append("    pub fn %s(%s)%s;" % (one["name"], arguments, self.result(one["returns"])))
        lines += ["}", "", "/// A definition of that name with all defaults; `inner`: the size of the definition inside it.",
                  "unsafe fn default_of<T>(name: &[u8], inner: usize) -> T {", "    let mut def = std::mem::MaybeUninit::<T>::zeroed();",
                  "    sn_def_default(name.as_ptr().cast(), def.as_mut_ptr().cast(), std::mem::size_of::<T>(), inner);",
                  "    def.assume_init()", "}"]
        for one in self.i.functions:
            if self.i.definition(one):
                lines += [""] + self.default(one)
        return "\n".join(lines + [""])

    def arguments(self, one):
        return ", ".join("%s: %s" % (self.name(a["name"]), self.type(a["type"])) for a in one["arguments"])

    def default(self, one):
        kind, inner = self.i.definition(one), self.i.inner(one["returns"])
        lines = comment("A %s with all defaults." % kind, "///")
        default = "default_of(b\"%s\\0\", %s)" % (kind, "std::mem::size_of::<%s>()" % inner if inner else "0")
        changes = "".join(", %s" % self.name(a["name"]) for a in one["arguments"])
        if changes:
            default = "%s {%s, ..%s }" % (kind, changes[1:], default)
        return lines + ["pub fn %s(%s) -> %s {" % (one["name"], self.arguments(one), kind), "    unsafe { %s }" % default, "}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schema")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    interface = Interface(json.load(sys.stdin if arguments.schema == "-" else open(arguments.schema)))
    for name, text in {"bindings/csharp/Sinew.cs": CSharp(interface).text(), "bindings/rust/sinew.rs": Rust(interface).text()}.items():
        path = ROOT / name
        if not arguments.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit("%s is not what the headers give: run `make bindings` and commit the result." % name)
    print("bindings: C# and Rust, %d functions, %d structures" % (len(interface.functions), len(interface.structures)))


main()
