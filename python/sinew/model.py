"""Models: the bodies and joints of a character."""
import ctypes
import os
from collections.abc import Mapping

import numpy as np

from . import _c
from ._lib import Handle, Told, address, array, as_dict, check, choice, definition, document, fill, lib, made, model_gains, model_info, names_of


class Body:
    """One body of a model, with its joint. `q` and `v` are its slices in positions and velocities."""

    __slots__ = ("name", "index", "parent", "q", "v", "mass", "com", "inertia", "pos", "rot", "joint", "joint_name", "model")

    def __init__(self, model, index, info):
        self.model = model
        self.index = index
        self.name = info.name.decode()
        self.parent = info.parent
        self.q = slice(info.q_index, info.q_index + info.nq)
        self.v = slice(info.v_index, info.v_index + info.nv)
        self.mass = info.mass
        self.com = tuple(info.com)
        self.inertia = tuple(info.inertia)
        self.pos = tuple(info.pos)
        self.rot = tuple(info.rot)
        self.joint = as_dict(info.joint)
        self.joint_name = self.joint.pop("name", None) or ""

    def __index__(self):
        return self.index

    def __repr__(self):
        return "<body %r: %s joint, q[%d:%d], qd[%d:%d], %.3g kg>" % (
            self.name, self.joint["type"], self.q.start, self.q.stop, self.v.start, self.v.stop, self.mass)


class Bodies(Mapping):
    """The bodies of a model by name or number, parents before children."""

    def __init__(self, bodies):
        self._list = bodies
        self._names = {body.name: body for body in bodies}

    def __getitem__(self, key):
        if isinstance(key, str):
            try:
                return self._names[key]
            except KeyError:
                raise KeyError("there is no body '%s'; bodies are %s" % (key, ", ".join(self._names))) from None
        return self._list[key]

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._list)

    def __repr__(self):
        return "\n".join(map(repr, self._list))

    def _ipython_key_completions_(self):
        return list(self._names)


class Joints(Bodies):
    """The joints of a model by the names that its file gives them; each is the body that the joint moves."""

    def __init__(self, bodies):
        super().__init__(bodies)
        self._names = {body.joint_name or body.name: body for body in bodies}


class Model:
    """A finished character: bodies, joints and shapes. It never changes and can be shared by any number of worlds.

    Make one with Model.builtin, Model.load, Model.parse or a Builder."""

    def __init__(self, handle):
        if not isinstance(handle, Handle):
            raise TypeError("make a model with Model.builtin(name), Model.load(path), Model.parse(text) or Builder")
        self._handle = handle
        self.nbody, self.nq, self.nv, self.mass = model_info(handle.pointer)
        self.name = ""
        self._bodies = None

    @classmethod
    def _own(cls, pointer, name=""):
        model = cls(Handle(pointer, lib.sn_model_free))
        model.name = name
        return model

    @classmethod
    def builtin(cls, name):
        """A model that comes with the library; Model.builtins() lists them."""
        error = _c.sn_error()
        return cls._own(made(lib.sn_builtin_create(name.encode(), ctypes.byref(error)), error), name)

    @staticmethod
    def builtins():
        """Names of the models that come with the library."""
        return names_of(lib.sn_builtin_name)

    @classmethod
    def load(cls, path, **options):
        """Reads a model from a file: MJCF, URDF, DeepMimic, JSON, or a character made from a BVH or ASF skeleton. The format is
        recognised by content. What the reader passes over becomes a warning."""
        error, told = _c.sn_error(), Told()
        read = told.options(options)
        pointer = lib.sn_model_load(os.fsencode(path), ctypes.byref(read), ctypes.byref(error))
        told.tell()
        return cls._own(made(pointer, error), os.path.splitext(os.path.basename(os.fspath(path)))[0])

    @classmethod
    def parse(cls, text, name="text", **options):
        """Reads a model from a text. `name` stands for the file in messages."""
        error, told = _c.sn_error(), Told()
        read = told.options(options)
        data = text.encode() if isinstance(text, str) else bytes(text)
        read.text, read.size = data, len(data)
        pointer = lib.sn_model_load(name.encode(), ctypes.byref(read), ctypes.byref(error))
        told.tell()
        return cls._own(made(pointer, error), name)

    @property
    def _pointer(self):
        return self._handle.pointer

    @property
    def bodies(self):
        """Bodies by name or number: model.bodies["left_shin"].q is the slice of its joint in q."""
        if self._bodies is None:
            infos = [lib.sn_model_body(self._pointer, i).contents for i in range(self.nbody)]
            self._bodies = Bodies([Body(self, i, info) for i, info in enumerate(infos)])
        return self._bodies

    @property
    def joints(self):
        """Joints by the names that the file gives them, or by the name of their body."""
        return Joints(self.bodies._list)

    def body(self, which):
        """The number of a body that is given by name, number or as a Body."""
        if isinstance(which, str):
            return self.bodies[which].index
        return which.__index__()

    @property
    def zero_pose(self):
        """q (nq,) with all joints at zero."""
        q = np.empty(self.nq)
        lib.sn_model_zero_pose(self._pointer, address(q))
        return q

    @property
    def home_pose(self):
        """q (nq,) as the file has it: the zero pose, with the joints' home where one is given."""
        q = np.empty(self.nq)
        lib.sn_model_home_pose(self._pointer, address(q))
        return q

    @property
    def own_gains(self):
        """(kp, kd), nv values each, as the file has them."""
        kp, kd = np.empty(self.nv), np.empty(self.nv)
        model_gains(self._pointer, kp, kd)
        return kp, kd

    def gains(self, frequency=8.0, **settings):
        """Gains (kp, kd) for drives of this frequency in Hz, from the inertia that each joint moves."""
        settings.setdefault("widen", True)
        if "q" in settings:
            settings["q"] = array(settings["q"], np.float64, (self.nq,), "q")
        chosen = definition("sn_gains_def", frequency=frequency, **settings)
        kp, kd, error = np.empty(self.nv), np.empty(self.nv), _c.sn_error()
        check(lib.sn_gains_choose(self._pointer, ctypes.byref(chosen), address(kp), address(kd), ctypes.byref(error)), error)
        return kp, kd

    def pose_add(self, q, dv):
        """q (+) dv: the pose reached from q with the constant velocity dv in unit time. Rows are broadcast."""
        q, dv = np.asarray(q, float), np.asarray(dv, float)
        rows = np.broadcast_shapes(q.shape[:-1], dv.shape[:-1])
        q, dv = array(q, np.float64, rows + (self.nq,), "q"), array(dv, np.float64, rows + (self.nv,), "dv")
        result = np.empty_like(q)
        lib.sn_model_pose_add(self._pointer, q.size // self.nq, address(q), address(dv), address(result))
        return result

    def pose_subtract(self, q1, q0):
        """The velocity that takes q0 to q1 in unit time. Rows are broadcast."""
        q1, q0 = np.asarray(q1, float), np.asarray(q0, float)
        rows = np.broadcast_shapes(q1.shape[:-1], q0.shape[:-1])
        q1, q0 = array(q1, np.float64, rows + (self.nq,), "q1"), array(q0, np.float64, rows + (self.nq,), "q0")
        result = np.empty(rows + (self.nv,))
        lib.sn_model_pose_subtract(self._pointer, q1.size // self.nq, address(q1), address(q0), address(result))
        return result

    def save(self, path):
        """Writes the model, by the ending of the name: .json (exact) or .xml (MJCF)."""
        error = _c.sn_error()
        check(lib.sn_model_save(self._pointer, os.fsencode(path), ctypes.byref(error)), error)

    def text(self):
        """The model as JSON, exactly."""
        size = lib.sn_model_write(self._pointer, None, 0)
        data = ctypes.create_string_buffer(size + 1)
        lib.sn_model_write(self._pointer, data, size + 1)
        return data.value.decode()

    def __reduce__(self):
        return _parse, (self.text(), self.name)

    def __repr__(self):
        return "<model %r: %d bodies, nq %d, nv %d, %.4g kg>" % (self.name, self.nbody, self.nq, self.nv, self.mass)


def _parse(text, name):
    model = Model.parse(text, name or "model")
    model.name = name
    return model


class Builder:
    """Builds a model body by body:

        b = sinew.Builder()
        b.body("arm", joint="hinge", axis=(0, 1, 0), pos=(0, 0, 1)).capsule(radius=.05, half_length=.3)
        model = b.build()

    Settings of the joint can be given beside those of the body."""

    def __init__(self):
        self._handle = Handle(lib.sn_builder_create(), lib.sn_builder_free)
        self._last = None

    def body(self, name, parent=None, *, joint="weld", joint_name=None, joint_settings=None, **settings):
        """Adds a body. Settings are those of sn_body_def and, for the joint, of sn_joint_def."""
        own = {row[0] for row in _c.SETTINGS["sn_body_def"]}
        of_joint = {key: settings.pop(key) for key in list(settings) if key not in own}
        of_joint.update(joint_settings or {})
        if "mass" in settings:
            settings.setdefault("mass_given", True)
        defined = definition("sn_body_def", name=name, parent=parent, **settings)
        defined.joint.type = choice("sn_joint_type", joint, "joint")
        if joint_name is not None:
            of_joint["name"] = joint_name
        fill(defined.joint, of_joint)
        lib.sn_builder_add_body(self._handle.pointer, ctypes.byref(defined))
        self._last = name
        return self

    def shape(self, type, *, body=None, **settings):
        """Adds a shape to a body, by default to the last one. Settings are those of sn_shape_def."""
        defined = shape_definition(type, **settings)
        lib.sn_builder_add_shape(self._handle.pointer, (body or self._last or "").encode(), ctypes.byref(defined))
        return self

    def sphere(self, radius, **settings):
        return self.shape("sphere", size=(radius,), **settings)

    def capsule(self, radius, half_length, **settings):
        return self.shape("capsule", size=(radius, half_length), **settings)

    def box(self, half_extents, **settings):
        return self.shape("box", size=half_extents, **settings)

    def exclude(self, body1, body2):
        """Shapes of these two bodies never touch each other."""
        lib.sn_builder_exclude(self._handle.pointer, body1.encode(), body2.encode())
        return self

    def constraint(self, type, body, body2=None, **settings):
        """Adds a constraint that every member of the model brings along: a "pin", "weld", "coupling" or "coupling_limit" of two bodies, or of
        a body and the world. Settings are those of sn_constraint_def; Member.constraint finds it in a world."""
        defined = definition("sn_constraint_def", 0, type=type, **settings)
        lib.sn_builder_add_constraint(self._handle.pointer, body.encode(), None if body2 is None else body2.encode(), ctypes.byref(defined))
        return self

    def build(self):
        """The finished model; ModelError names the body at fault if something is wrong."""
        error = _c.sn_error()
        return Model._own(made(lib.sn_builder_build(self._handle.pointer, ctypes.byref(error)), error), self._last or "")


def shape_definition(type, **settings):
    """An sn_shape_def of this kind."""
    return definition("sn_shape_def", 0, type=type, **settings)


Builder.body.__doc__ = document("sn_body_def", Builder.body.__doc__, ("name", "parent", "joint"))
Builder.shape.__doc__ = document("sn_shape_def", Builder.shape.__doc__, ("type",))
Model.gains.__doc__ = document("sn_gains_def", Model.gains.__doc__, ("frequency",))
__all__ = ["Model", "Builder", "Body", "Bodies"]
