"""Reads the networks of ONNX files without the package onnx: a list of layers is all that a policy can be."""
import struct

import numpy as np

from ._errors import FormatError


def _varint(data, at):
    """(number, place behind it) of a number of Protocol Buffers: seven bits in each byte, the last byte below 128."""
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return result, at


def _fields(data):
    """(number, value) of a message of Protocol Buffers; values are ints, bytes or 4 and 8 raw bytes."""
    at = 0
    try:
        while at < len(data):
            key, at = _varint(data, at)
            kind = key & 7
            if kind == 0:
                value, at = _varint(data, at)
                yield key >> 3, value
                continue
            if kind == 2:
                size, at = _varint(data, at)
            elif kind in (1, 5):
                size = 8 if kind == 1 else 4
            if kind not in (1, 2, 5) or at + size > len(data):
                raise IndexError
            yield key >> 3, bytes(data[at:at + size])
            at += size
    except IndexError:
        raise FormatError("this is not an ONNX file, or it is cut off") from None


def _packed(values):
    numbers = []
    for value in values:
        if isinstance(value, int):
            numbers.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = _varint(value, at)
            numbers.append(number)
    return numbers


def _group(data):
    groups = {}
    for number, value in _fields(data):
        groups.setdefault(number, []).append(value)
    return groups


def _tensor(data):
    groups = _group(data)
    dims = _packed(groups.get(1, []))
    kind = groups.get(2, [0])[0]
    if kind not in (1, 11):
        return None  # not floats
    dtype = np.dtype("<f4" if kind == 1 else "<f8")
    if 9 in groups:
        values = np.frombuffer(groups[9][0], dtype)
    else:
        raw = b"".join(groups.get(4 if kind == 1 else 10, []))
        values = np.frombuffer(raw, dtype)
    return values.reshape(dims).astype(np.float32)


def _name(groups, number):
    return groups[number][0].decode() if number in groups else ""


def _nodes(graph):
    for data in graph.get(1, []):
        groups = _group(data)
        attributes = {}
        for one in groups.get(5, []):
            attribute = _group(one)
            name = _name(attribute, 1)
            if 5 in attribute:
                attributes[name] = _tensor(attribute[5][0])
            elif 3 in attribute:
                attributes[name] = attribute[3][0]
            elif 2 in attribute:
                attributes[name] = struct.unpack("<f", attribute[2][0])[0]
        names = [[one.decode() for one in groups.get(number, [])] for number in (1, 2)]
        yield _name(groups, 4), names[0], names[1], attributes


def read(path):
    """The arrays of Policy.from_arrays from an ONNX file."""
    with open(path, "rb") as file:
        model = _group(file.read())
    if 7 not in model:
        raise FormatError("%s has no graph: it is not an ONNX file" % path)
    graph = _group(model[7][0])
    known = {}
    for data in graph.get(5, []):
        tensor = _tensor(data)
        known[_name(_group(data), 8)] = tensor
    found = {"weights": [], "biases": [], "shift": None, "scale": None, "clip": np.float32(3e38), "tanh": False, "squash": False}
    activations = []
    for operator, inputs, outputs, attributes in _nodes(graph):
        given = [known[one] for one in inputs if known.get(one) is not None]
        if operator == "Constant":
            known[outputs[0]] = attributes.get("value")
        elif operator in ("Sub", "Add") and not found["weights"]:
            found["shift"] = given[0] if operator == "Sub" else -given[0]
        elif operator in ("Mul", "Div") and not found["weights"]:
            found["scale"] = given[0] if operator == "Mul" else 1 / given[0]
        elif operator == "Clip" and not found["weights"]:
            found["clip"] = float(given[-1]) if given else float(attributes.get("max", 3e38))
        elif operator == "Gemm":
            found["weights"].append(given[0].T if attributes.get("transB") else given[0])
            found["biases"].append(given[1] if len(given) > 1 else np.zeros(found["weights"][-1].shape[1], np.float32))
            activations.append("")
        elif operator == "MatMul":
            found["weights"].append(given[0])
            found["biases"].append(np.zeros(given[0].shape[1], np.float32))
            activations.append("")
        elif operator == "Add":
            found["biases"][-1] = given[0].ravel()
        elif operator in ("Relu", "Tanh") and activations:
            activations[-1] = operator
        elif operator not in ("Identity", "Flatten", "Cast"):
            raise FormatError("%s: the operator %s cannot be part of a policy" % (path, operator))
    if not found["weights"]:
        raise FormatError("%s has no layers" % path)
    hidden = set(activations[:-1])
    if len(hidden) > 1 or "" in hidden or activations[-1] == "Relu":
        raise FormatError("%s: hidden layers end with Relu or with Tanh, the last one with nothing or Tanh" % path)
    n = found["weights"][0].shape[0]
    found["tanh"], found["squash"] = "Tanh" in hidden, activations[-1] == "Tanh"
    for key, empty in (("shift", 0), ("scale", 1)):
        found[key] = np.broadcast_to(np.float32(empty) if found[key] is None else found[key].ravel(), (n,)).astype(np.float32)
    return found
