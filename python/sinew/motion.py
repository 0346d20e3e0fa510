"""Motions: how a model should move."""
import ctypes
import os

import numpy as np

from . import _c
from ._lib import Handle, Told, address, array, lib, made, names_of


class Motion:
    """Poses of a model over time. Make one with Motion.builtin, Motion.load or Motion.from_poses."""

    def __init__(self, handle, model, recipe):
        if not isinstance(handle, Handle):
            raise TypeError("make a motion with Motion.builtin(name, model), Motion.load(path, model) or Motion.from_poses")
        self._handle, self.model, self._recipe = handle, model, recipe

    @classmethod
    def _own(cls, pointer, error, model, recipe):
        return cls(Handle(made(pointer, error), lib.sn_motion_free, model._handle), model, recipe)

    @classmethod
    def builtin(cls, name, model):
        """A motion that comes with the library; Motion.builtins() lists them."""
        error = _c.sn_error()
        pointer = lib.sn_builtin_motion_create(name.encode(), model._pointer, ctypes.byref(error))
        return cls._own(pointer, error, model, ("builtin", name))

    @staticmethod
    def builtins():
        """Names of the motions that come with the library."""
        return names_of(lib.sn_builtin_motion_name)

    @classmethod
    def load(cls, path, model, **options):
        """Reads a motion for a model: BVH, AMC, DeepMimic, or numbers that were written for the model. Joints are matched by name;
        `map` is a JSON text {"body": "joint", ...} where names do not tell."""
        error, told = _c.sn_error(), Told()
        read = told.options(options)
        pointer = lib.sn_motion_load(os.fsencode(path), model._pointer, ctypes.byref(read), ctypes.byref(error))
        told.tell()
        motion = cls._own(pointer, error, model, ("load", os.fspath(path), options))
        motion.notes = told.notes
        return motion

    @classmethod
    def from_poses(cls, model, time, q, loop=False):
        """A motion through the poses q (n, nq) at the times (n,)."""
        time = array(time)
        q = array(q, np.float64, (len(time), model.nq), "q")
        error = _c.sn_error()
        pointer = lib.sn_motion_from_poses(model._pointer, len(time), address(time), address(q), bool(loop), ctypes.byref(error))
        return cls._own(pointer, error, model, ("from_poses", time, q, loop))

    @property
    def _pointer(self):
        return self._handle.pointer

    @property
    def duration(self):
        """Length in seconds."""
        return lib.sn_motion_get(self._pointer).contents.duration

    @property
    def loops(self):
        """Whether it starts again at its end."""
        return lib.sn_motion_get(self._pointer).contents.loops

    def sample(self, time):
        """(q, qd) at a time in seconds: (nq,) and (nv,), or one row for each of several times."""
        times = np.asarray(time, float)
        q, qd = np.empty(times.shape + (self.model.nq,)), np.empty(times.shape + (self.model.nv,))
        flat = np.ascontiguousarray(times.ravel())
        lib.sn_motion_sample_many(self._pointer, flat.size, address(flat), address(q), address(qd))
        return q, qd

    def cut(self, start, end):
        """The part between two times; it does not loop."""
        error = _c.sn_error()
        pointer = lib.sn_motion_cut(self._pointer, start, end, ctypes.byref(error))
        return self._own(pointer, error, self.model, ("cut", self, start, end))

    def __reduce__(self):
        return _again, (self.model, self._recipe)

    def __repr__(self):
        return "<motion of %r: %.3g s%s>" % (self.model.name, self.duration, ", loops" if self.loops else "")


def _again(model, recipe):
    kind = recipe[0]
    if kind == "builtin":
        return Motion.builtin(recipe[1], model)
    if kind == "load":
        return Motion.load(recipe[1], model, **recipe[2])
    if kind == "cut":
        return recipe[1].cut(*recipe[2:])
    return Motion.from_poses(model, *recipe[1:])
