"""Runs an ONNX file by itself: learn_onnx.py FILE TOLERANCE DATA [MODEL HASH]. DATA holds float32 rows, observations and then the
actions they shall give; MODEL and HASH are what the file's metadata shall say.

Reads the protocol buffer by hand and needs nothing but Python; where the module onnx is there, its checker looks at the file, too."""
import math
import struct
import sys


def fields(data):
    """Number and value of each field of a message: an integer, or bytes."""
    at = 0

    def varint():
        nonlocal at
        x, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            x |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return x

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            n = varint()
            assert at + n <= len(data), "a field runs over the end"
            yield key >> 3, data[at : at + n]
            at += n
        else:
            raise SystemExit("wire type %d" % (key & 7))


def all_of(message, number):
    return [x for n, x in fields(message) if n == number]


def text(message, number):
    return [x.decode() for x in all_of(message, number)]


model = open(sys.argv[1], "rb").read()
(graph,) = all_of(model, 7)
assert all_of(model, 1) == [7] and all_of(all_of(model, 8)[0], 2) == [13]
notes = dict((text(p, 1)[0], text(p, 2)[0]) for p in all_of(model, 14))
if len(sys.argv) > 4:
    assert notes["model"] == sys.argv[4] and notes["model_hash"] == sys.argv[5], notes

values = {}
for tensor in all_of(graph, 5):
    dims, raw = all_of(tensor, 1), all_of(tensor, 9)[0]
    flat = list(struct.unpack("<%df" % (len(raw) // 4), raw))
    assert all_of(tensor, 2) == [1] and len(flat) == math.prod(dims)
    values[text(tensor, 8)[0]] = [flat[i * dims[1] : (i + 1) * dims[1]] for i in range(dims[0])] if len(dims) == 2 else flat


def gemm(x, W, b):
    return [sum(x[i] * W[i][j] for i in range(len(x))) + b[j] for j in range(len(b))]


def width(value):
    """Of rows that go in or out: the second dimension of a ValueInfoProto."""
    (kind,) = all_of(value, 2)
    (tensor,) = all_of(kind, 1)
    (shape,) = all_of(tensor, 2)
    return all_of(all_of(shape, 1)[1], 1)[0]


operators = {
    "Sub": lambda x, y: [a - b for a, b in zip(x, y)],
    "Mul": lambda x, y: [a * b for a, b in zip(x, y)],
    "Clip": lambda x, low, high: [min(max(a, low[0]), high[0]) for a in x],
    "Gemm": gemm,
    "Relu": lambda x: [max(a, 0) for a in x],
    "Tanh": lambda x: [math.tanh(a) for a in x],
}
data = open(sys.argv[3], "rb").read()
numbers = struct.unpack("<%df" % (len(data) // 4), data)
inputs, outputs = ([width(all_of(graph, k)[0]) for k in (11, 12)])
assert len(numbers) and len(numbers) % (inputs + outputs) == 0
worst, used = 0, set()
for i in range(0, len(numbers), inputs + outputs):
    v = dict(values)
    v["observation"] = numbers[i : i + inputs]
    for node in all_of(graph, 1):
        (kind,), (out,) = text(node, 4), text(node, 2)
        v[out] = operators[kind](*(v[name] for name in text(node, 1)))
        used.add(kind)
    wanted = numbers[i + inputs : i + inputs + outputs]
    assert len(v["action"]) == outputs
    worst = max([worst] + [abs(a - b) for a, b in zip(v["action"], wanted)])

checked = "no onnx module: not checked by it"
try:
    import onnx

    onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)
    checked = "onnx %s finds nothing wrong" % onnx.__version__
except ImportError:
    pass
print("%s: largest difference %.2g; %s" % (" ".join(sorted(used)), worst, checked))
sys.exit(0 if worst < float(sys.argv[2]) else 1)
