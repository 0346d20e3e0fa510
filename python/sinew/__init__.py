"""Sinew: physics-based characters under stable PD control, in linear time.

    import sinew
    model = sinew.Model.builtin("humanoid")
    world = sinew.World()
    human = world.add(model)
    world.plane()
    human.gains = model.gains()
    human.q = human.target = human.stand()
    world.step(240)

docs/python.md of the project is the tutorial. Classes: Model, Builder, Motion, World, Member, Recording, Environment, Task, Policy,
Trainer, Puppet, Search, Dynamics. sinew.gym has environments for Gymnasium."""
from typing import Any

from ._c import VERSION as __version__
from ._errors import (ArgumentError, ClosedError, DivergedError, Error, FileError, FormatError, ModelError, OutOfMemoryError, SinewWarning,
                      TooLargeError, UnsupportedError)
from .model import Bodies, Body, Builder, Model
from .motion import Motion
from .world import Constraint, Hit, Member, Summary, World

Array = Any  # in annotations; the stub says that it is an array of NumPy
# Modules that are loaded when one of their names is first asked for.
_LATER = {
    "Recording": "record", "show": "show", "Environment": "learn", "Task": "task", "Policy": "policy", "Trainer": "learn",
    "Search": "search", "Puppet": "puppet", "Part": "task", "Step": "learn", "Progress": "results", "Score": "results", "Dynamics": "dynamics", "mppi": "planning", "lqr": "planning",
}


def __getattr__(name):
    import importlib

    if name in _LATER:
        value = getattr(importlib.import_module("." + _LATER[name], __name__), name)
    elif name in ("gym", "enums", "dynamics", "planning", "torch"):
        value = importlib.import_module("." + name, __name__)
    else:
        enums = importlib.import_module(".enums", __name__)
        value = getattr(enums, name, None)
        if value is None or name.startswith("_"):
            raise AttributeError("module 'sinew' has no attribute %r" % name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(_LATER) | {"gym", "enums"})


__all__ = [
    "ArgumentError", "Body", "Builder", "ClosedError", "Constraint", "DivergedError", "Dynamics", "Environment", "Error", "FileError",
    "FormatError", "Hit", "Member", "Model", "ModelError", "Motion", "OutOfMemoryError", "Policy", "Puppet", "Recording", "Search", "SinewWarning",
    "Summary", "Task", "TooLargeError", "Trainer", "UnsupportedError", "World", "show",
]
