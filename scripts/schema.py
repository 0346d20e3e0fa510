"""The library's description of its interface, as bindings.py and foreign.py read it."""
import re


def split(text):
    """What stands between commas outside brackets; nothing for "void"."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in parts if part and part != "void"]


def declared(text):
    """The type of a declaration with a name, as "const uint8_t *which"."""
    text = re.sub(r"/\*.*?\*/", "", text).strip()
    match = re.fullmatch(r"(.*?[ *])(\w+)((\[[^]]*\])*)", text)
    return match[1] + (match[3] or "") if match else text


class Schema:
    """The output of `sinew schema --json`, with constants and names of enumerations at hand."""

    def __init__(self, schema):
        self.schema = schema
        self.constants = {one["name"]: one["value"] for one in schema["constants"]}
        for one in schema["enumerations"]:
            self.constants[one["name"].upper() + "_COUNT"] = len(one["values"])
        self.enums = {one["name"] for one in schema["enumerations"]} | {"sn_field", "sn_status"}
        self.aliases = {one["name"]: one["type"] for one in schema["structures"] if one.get("type")}
