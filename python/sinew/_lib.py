"""The library itself: loading it, calling it, and what every module needs to talk to it."""
import ctypes
import os
import pathlib
import sys
import sysconfig
import threading
import warnings

import numpy as np

from . import _c
from ._errors import BY_STATUS, ClosedError, Error, SinewWarning

HERE = pathlib.Path(__file__).resolve().parent


def _find():
    path = os.environ.get("SINEW_LIBRARY")
    if path:
        return path
    for name in ("libsinew.so", "libsinew.dylib", "sinew.dll"):
        if (HERE / name).exists():
            return str(HERE / name)
    raise ImportError(
        "The library of sinew is not beside the package (%s). Install the package with `pip install .`, "
        "or set SINEW_LIBRARY to the path of libsinew.so." % HERE
    )


class _Library:
    """Functions of the C library by name. Each gets its types when it is first used; calls let other threads run."""

    def __init__(self, path):
        self._handle = ctypes.CDLL(path)
        self._path = path

    def __getattr__(self, name):
        result, arguments = eval(_c.FUNCTIONS[name], vars(_c))
        function = getattr(self._handle, name)
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function

    def has(self, name):
        return name in _c.FUNCTIONS and hasattr(self._handle, name)


lib = _Library(_find())
_version = lib.sn_version().decode()
if _version.split(".")[:2] != _c.VERSION.split(".")[:2]:
    raise ImportError("The library %s is version %s, the package is for %s." % (lib._path, _version, _c.VERSION))

_NAMES = {value: name for name, value in _c.STATUSES.items()}
NUMBER = {name: value[0] for name, value in _c.FIELDS.items()}
DOUBLE, FLOAT = np.dtype(np.float64), np.dtype(np.float32)


def raise_status(status, message=""):
    """Raises the exception of a status code that is not success."""
    name = _NAMES.get(status, "")
    raise BY_STATUS.get(name, Error)(message or lib.sn_status_text(status).decode())


def check(status, error=None, message=""):
    """Raises if a call did not succeed."""
    if status:
        told = error.message.decode(errors="replace") if error is not None else ""
        raise_status(status, told or message)


def made(pointer, error, message=""):
    """The pointer that a function made, or the exception of why it could not."""
    if not pointer:
        raise_status(error.status or _c.STATUSES["SN_ERROR_MEMORY"], error.message.decode(errors="replace") or message)
    return pointer


def names_of(function):
    """All names that a function gives for 0, 1, and so on."""
    names = []
    while True:
        name = function(len(names))
        if not name:
            return names
        names.append(name.decode())


def world_failed(world, status):
    """Raises for a call on a world, with the world's own words where it has some."""
    raise_status(status, (lib.sn_world_message(world._pointer) or b"").decode(errors="replace"))


# ------------------------------------------------------------------------------------------------------------ lifetimes


class _Record:
    __slots__ = ("pointer", "free", "needs", "count")


_lock = threading.RLock()


class Handle:
    """Owns something of the library, and keeps what that needs. Python's collector may drop objects in any order; what is freed, and
    when, is counted here: a model goes after the worlds that have it."""

    __slots__ = ("_record",)

    def __init__(self, pointer, free, *needs):
        record = _Record()
        record.pointer, record.free, record.needs, record.count = pointer, free, [], 1
        self._record = record
        self.need(*needs)

    @property
    def pointer(self):
        return self._record.pointer

    def need(self, *handles):
        with _lock:
            for handle in handles:
                handle._record.count += 1
                self._record.needs.append(handle._record)

    def __del__(self):
        try:
            record = self._record
        except AttributeError:
            return
        _release(record)


def _release(record):
    with _lock:
        record.count -= 1
        if record.count:
            return
        pointer, record.pointer = record.pointer, None
        needs, record.needs = record.needs, []
    if pointer and record.free is not None:
        record.free(pointer)
    for need in needs:
        _release(need)


# ---------------------------------------------------------------------------------------------------------- definitions

_DEFINITIONS = {}  # members of each definition


def choice(enumeration, value, name="value"):
    """The number of an enumerator that is given as a word, a number or a member of an IntEnum."""
    words = _c.ENUMS[enumeration]
    if isinstance(value, str):
        try:
            return words[value.lower()]
        except KeyError:
            raise ValueError("%s is one of %s, not %r" % (name, ", ".join(repr(one) for one in words), value)) from None
    number = int(value)
    if number not in words.values():
        raise ValueError("%s is one of %s, not %r" % (name, ", ".join(repr(one) for one in words), value))
    return number


def word(enumeration, number):
    """The word of an enumerator."""
    for name, value in _c.ENUMS[enumeration].items():
        if value == number:
            return name
    return str(number)


def definition(name, /, *arguments, **settings):
    """A structure with the defaults of the library and these settings. `arguments` go to the *_default function."""
    kind = getattr(_c, name)
    fields = dict(kind._fields_)
    if "struct_size" in fields:
        made_one = kind()
        inner = [one for one in fields.values() if isinstance(one, type) and issubclass(one, ctypes.Structure)
                 and one._fields_[0][0] == "struct_size"]
        lib.sn_def_default(name.encode(), ctypes.byref(made_one), ctypes.sizeof(kind), ctypes.sizeof(inner[0]) if inner else 0)
    elif lib.has(name + "_default"):
        made_one = getattr(lib, name + "_default")(*arguments)
    else:
        made_one = kind()
    made_one._kept = []
    fill(made_one, settings)
    return made_one


def fill(structure, settings):
    """Sets members of a structure by name. What pointers point to is kept beside it."""
    name = type(structure).__name__
    rows = _DEFINITIONS.get(name)
    if rows is None:
        rows = _DEFINITIONS[name] = {row[0]: row for row in _c.SETTINGS[name]}
    kept = structure.__dict__.setdefault("_kept", [])
    fields = dict(type(structure)._fields_)
    for key, value in settings.items():
        row = rows.get(key)
        if row is None:
            raise TypeError(_unknown(name, key, rows))
        kind, count, type_ = row[1], row[2], fields[key]
        if kind in _c.ENUMS:
            value = choice(kind, value, key)
        elif kind == "definition":
            fill(getattr(structure, key), value)
            continue
        elif count:
            value = _several(type_, value, key)
        elif type_ is ctypes.c_char_p:
            value = None if value is None else os.fsencode(value)
        elif type_ is ctypes.c_void_p:
            if isinstance(value, (list, tuple, np.ndarray)):
                value = array(value, np.uint8 if row[0] in ("standing", "foot", "effector", "keyed") else np.float64)
                kept.append(value)
                value = address(value)
        elif kind == "flag":
            value = bool(value)
        try:
            setattr(structure, key, value)
        except TypeError as error:
            raise TypeError("%s: %s" % (key, error)) from None


def _several(type_, value, key):
    values = np.atleast_1d(np.asarray(value))
    if values.ndim != 1 or len(values) > type_._length_:
        raise ValueError("%s has %d values" % (key, type_._length_))
    if issubclass(type_._type_, (ctypes.c_double, ctypes.c_float)):
        return type_(*(float(one) for one in values))
    return type_(*(int(one) for one in values))


def _unknown(name, key, rows):
    import difflib

    near = difflib.get_close_matches(key, rows, 1)
    hint = " Did you mean '%s'?" % near[0] if near else ""
    return "there is no setting '%s'.%s Settings are: %s" % (key, hint, ", ".join(rows))


def as_dict(structure):
    """The members of a definition, as settings are given."""
    values = {}
    fields = dict(type(structure)._fields_)
    for row in _c.SETTINGS[type(structure).__name__]:
        name, kind = row[0], row[1]
        value = getattr(structure, name)
        if kind in _c.ENUMS:
            value = word(kind, value)
        elif kind in ("pointer", "definition"):
            continue
        elif row[2]:
            value = tuple(value)
        elif fields[name] is ctypes.c_char_p and value is not None:
            value = os.fsdecode(value)
        values[name] = value
    return values


def document(name, head, left_out=()):
    """A docstring: a head, then the settings of a definition in the header's own words."""
    lines = [head.rstrip(), "", "Settings, all optional:", ""]
    for key, kind, count, default, about, text in _c.SETTINGS[name]:
        if key in left_out:
            continue
        notes = []
        if kind in _c.ENUMS:
            notes.append("one of " + ", ".join(repr(one) for one in _c.ENUMS[kind]))
        if default is not None:
            notes.append("default %s" % (" ".join(map(str, default)) if isinstance(default, list) else default))
        if about:
            notes.append(about)
        lines.append("    %s: %s%s" % (key, text, " [%s]" % "; ".join(notes) if notes else ""))
    return "\n".join(lines)


# --------------------------------------------------------------------------------------------------------------- arrays


def array(values, dtype=np.float64, shape=None, name="value"):
    """A contiguous array of this type; a shape is broadcast to, and named when it does not fit."""
    made_one = np.asarray(values, dtype=dtype, order="C")
    if shape is not None and made_one.shape != shape:
        try:
            made_one = np.broadcast_to(made_one, shape).copy()
        except ValueError:
            raise ValueError("%s has shape %s, but %s is needed" % (name, made_one.shape, shape)) from None
    return made_one


def address(values):
    """The address of a contiguous array; None for None."""
    return None if values is None else values.__array_interface__["data"][0]


def read_only(values):
    values.setflags(write=False)
    return values


def mask(where, copies):
    """A mask of copies as bytes: booleans, numbers of copies, or None for all."""
    if where is None:
        return None
    where = np.asarray(where)
    if where.dtype == bool:
        return array(where, np.uint8, (copies,), "where")
    chosen = np.zeros(copies, np.uint8)
    chosen[where] = 1
    return chosen


# ------------------------------------------------------------------------------------------------------- what things are


def model_info(pointer):
    """(nbody, nq, nv, mass) of a model."""
    info = lib.sn_model_get(pointer).contents
    return info.nbody, info.nq, info.nv, info.mass


def model_gains(pointer, kp, kd):
    """Fills the gains of a model's own joints."""
    info = lib.sn_model_get(pointer).contents
    ctypes.memmove(address(kp), info.kp, kp.nbytes)
    ctypes.memmove(address(kd), info.kd, kd.nbytes)


def world_lanes(pointer):
    return lib.sn_world_get_info(pointer).lanes.decode()


def world_copies(pointer):
    return lib.sn_world_get_info(pointer).copies


def world_dt(pointer):
    return lib.sn_world_get_info(pointer).dt


def world_members(pointer):
    """Handles of all members."""
    numbers = [lib.sn_world_member(pointer, i) for i in range(lib.sn_world_get_info(pointer).members)]
    return [one for one in numbers if one >= 0]


# ------------------------------------------------------------------------------------------------------------- messages

LOAD = "sn_load_def" if hasattr(_c, "sn_load_def") else "sn_load_options"

_WARN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class Told:
    """Collects what a reader tells; after the call each becomes a warning of Python."""

    def __init__(self):
        self.messages = []
        self.notes = []
        self._warn = _WARN(lambda user, text: self.messages.append((text or b"").decode(errors="replace")))
        self._note = _WARN(lambda user, text: self.notes.append((text or b"").decode(errors="replace")))

    def options(self, settings):
        options = definition(LOAD, **settings)
        fields = dict(type(options)._fields_)
        options.warn = fields["warn"](ctypes.cast(self._warn, ctypes.c_void_p).value)
        options.note = fields["note"](ctypes.cast(self._note, ctypes.c_void_p).value)
        options._kept.append(self)
        return options

    def tell(self, level=3):
        for message in self.messages:
            warnings.warn(message, SinewWarning, stacklevel=level + 1)


# ------------------------------------------------------------------------------------------------------------- hot types


def _coerce(member, field, value):
    """Any array-like as the field's own shape and type."""
    shape = member._shapes[field]
    dtype = member.world.dtype
    name = member._names[field]
    if not _c.FIELDS[name][2]:
        raise AttributeError("%s can only be read" % name)
    if isinstance(value, bool):
        value = float(value)
    made_one = np.asarray(value)
    if made_one.dtype.kind not in "fiub":
        made_one = made_one.astype(dtype)
    if made_one.ndim > len(shape) or (made_one.ndim == len(shape) and made_one.shape != shape and made_one.size != 1 and not _fits(made_one.shape, shape)):
        raise ValueError("%s has shape %s, not %s" % (name, shape, made_one.shape))
    # One number for each copy, of a field that has one number.
    return array(made_one, dtype, shape, name)


def _fits(given, wanted):
    return all(a in (1, b) for a, b in zip(given, wanted))


def _load_hot():
    if os.environ.get("SINEW_PURE") or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    try:
        from . import _hot
    except ImportError:
        return None
    if _hot.FIELD_COUNT != len(_c.FIELDS):
        return None
    addresses = {name: ctypes.cast(getattr(lib, name), ctypes.c_void_p).value for name in _hot.FUNCTIONS}
    _hot.bind(addresses, np.ndarray, (DOUBLE, FLOAT), world_failed, _coerce, ClosedError)
    return _hot


hot = _load_hot()
if hot is None:
    from . import _pure as hot  # noqa: F401

SHAPES_ARE_COUNTED = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
