"""Worlds: scenes in one copy or in thousands, and their members."""
import ctypes
import os
from typing import NamedTuple

import numpy as np

from . import _c
from ._lib import (DOUBLE, FLOAT, NUMBER, Handle, Told, address, array, as_dict, choice, definition, document, hot, lib,
                   made, mask, read_only, world_copies, world_dt, world_failed, world_lanes, world_members)
from .model import Model, shape_definition

CONTACT = None  # dtype of contacts, made when first needed
SETTABLE = tuple("pushes" if name == "push" else name for name, about in _c.FIELDS.items() if about[2] and name != "dt")


class Summary(NamedTuple):
    """Energies in J, the centre of mass in m and momenta of a member in one copy."""

    kinetic: float
    potential: float
    com: np.ndarray
    linear_momentum: np.ndarray
    angular_momentum: np.ndarray


class Hit(NamedTuple):
    """What a ray meets: part of the way, member (None: ground), body, place and normal."""

    t: float
    member: object
    body: int
    pos: np.ndarray
    normal: np.ndarray


class World(hot.World):
    """A scene, in one copy or in thousands: members, ground and constraints. Each copy has its own state.

    World() has no axis of copies: fields of a member have the shape of one copy, as q (nq,). With World(copies=n) they have
    one row for each copy, as q (n, nq), also for n = 1."""

    def __init__(self, *, copies=None, **settings):
        self.batched = copies is not None
        made_of = definition("sn_world_def", copies=1 if copies is None else int(copies), **settings)
        error = _c.sn_error()
        pointer = made(lib.sn_world_create(ctypes.byref(made_of), ctypes.byref(error)), error)
        self._start(pointer, made_of)

    def _start(self, pointer, made_of, owned=True):
        self._handle = Handle(pointer, lib.sn_world_free if owned else None)
        self._definition = made_of
        self.settings = as_dict(made_of)
        self.copies = world_copies(pointer)
        is_float = self.settings["precision"] == "float"
        self.dtype = FLOAT if is_float else DOUBLE
        self.members = []
        self._script = []
        long_calls = self.copies > 8 or self.settings["substeps"] > 8 or self.settings["threads"] != 1
        self._attach(pointer, self.copies, is_float, long_calls)

    @classmethod
    def _borrow(cls, pointer):
        """A world that belongs to something else, with the members it has."""
        world = cls.__new__(cls)
        world.batched = True
        found = lib.sn_world_get_info(pointer).definition
        made_of = _c.sn_world_def.from_buffer_copy(found.contents)
        world._start(pointer, made_of, owned=False)
        world._find_members()
        return world

    @classmethod
    def load(cls, path, *, keyframe=None, allow_missing_mesh=False, copies=None, **settings):
        """Reads a whole scene from an MJCF file; of any other file the character stands on a plane."""
        options = {"keyframe": keyframe, "allow_missing_mesh": allow_missing_mesh}
        return cls._read(lib.sn_world_load, (os.fsencode(path),), options, copies, settings, ("load", os.fspath(path)))

    @classmethod
    def parse(cls, text, name="text", *, keyframe=None, allow_missing_mesh=False, copies=None, **settings):
        """Reads a whole scene from a text, as load does from a file."""
        options = {"keyframe": keyframe, "allow_missing_mesh": allow_missing_mesh}
        data = text.encode() if isinstance(text, str) else bytes(text)
        return cls._read(lib.sn_world_load, (name.encode(),), options, copies, settings, ("parse", text), data)

    @classmethod
    def _read(cls, function, arguments, options, copies, settings, recipe, data=None):
        world = cls.__new__(cls)
        world.batched = copies is not None
        made_of = definition("sn_world_def", copies=1 if copies is None else int(copies), **settings)
        error, told = _c.sn_error(), Told()
        read = told.options(options)
        if data is not None:
            read.text, read.size = data, len(data)
        pointer = function(*arguments, ctypes.byref(made_of), ctypes.byref(read), ctypes.byref(error))
        told.tell(4)
        world._start(made(pointer, error), made_of)
        world._find_members()
        world._recipe = recipe + (options, settings)
        return world

    def _find_members(self):
        for number in world_members(self._pointer):
            model = lib.sn_world_model(self._pointer, number)
            self.members.append(Member(self, number, Model(Handle(model, None, self._handle))))

    @property
    def _pointer(self):
        return self._handle.pointer

    def _check(self, status):
        if status:
            world_failed(self, status)

    # ----------------------------------------------------------------------------------------------------------- scene

    def add(self, model):
        """Adds a member of a model: at rest, in the zero pose, without gains. Returns it."""
        error = _c.sn_error()
        number = lib.sn_world_add(self._pointer, model._pointer, ctypes.byref(error))
        if error.status:
            made(None, error)
        self._handle.need(model._handle)
        member = Member(self, number, model)
        self.members.append(member)
        self._script.append(("add", (model,), {}))
        return member

    def remove(self, member):
        """Takes a member out."""
        self._check(lib.sn_world_remove(self._pointer, member._number))
        self.members.remove(member)
        self._script.append(("_remove_number", (member._number,), {}))

    def _remove_number(self, number):
        self.remove(next(one for one in self.members if one._number == number))

    def _ground(self, function, *arguments):
        error = _c.sn_error()
        number = function(self._pointer, *arguments, ctypes.byref(error))
        if error.status:
            made(None, error)
        return number

    def plane(self, point=(0, 0, 0), normal=(0, 0, 1), **material):
        """Adds a plane as ground. `material` has friction, restitution, group and mask. Returns its number."""
        look = shape_definition("box", **material)
        point, normal = array(point, np.float64, (3,), "point"), array(normal, np.float64, (3,), "normal")
        self._script.append(("plane", (point, normal), material))
        return self._ground(lib.sn_world_add_plane, address(point), address(normal), ctypes.byref(look))

    def shape(self, type, pos=(0, 0, 0), rot=(1, 0, 0, 0), **settings):
        """Adds a shape as ground. Settings are those of sn_shape_def. Returns its number."""
        look = shape_definition(type, **settings)
        pos, rot = array(pos, np.float64, (3,), "pos"), array(rot, np.float64, (4,), "rot")
        self._script.append(("shape", (type, pos, rot), settings))
        return self._ground(lib.sn_world_add_shape, ctypes.byref(look), address(pos), address(rot))

    def heightfield(self, height, size, origin=(0, 0, 0), **material):
        """Adds heights (ny, nx) over a rectangle of this size as ground, from the corner `origin`. Returns its number."""
        height = array(height)
        field = definition("sn_heightfield_def")
        field.ny, field.nx = height.shape
        field.size, field.origin = tuple(map(float, size)), tuple(map(float, origin))
        field.height = address(height)
        look = shape_definition("box", **material)
        self._script.append(("heightfield", (height, size, origin), material))
        return self._ground(lib.sn_world_add_heightfield, ctypes.byref(field), ctypes.byref(look))

    def mesh(self, vertices, triangles, **material):
        """Adds triangles (m, 3) of vertices (n, 3) as ground. Returns its number."""
        vertices, triangles = array(vertices), array(triangles, np.int32)
        one = definition("sn_mesh_def")
        one.nvertex, one.ntriangle, one.vertex, one.triangle = len(vertices), len(triangles), address(vertices), address(triangles)
        look = shape_definition("box", **material)
        self._script.append(("mesh", (vertices, triangles), material))
        return self._ground(lib.sn_world_add_mesh, ctypes.byref(one), ctypes.byref(look))

    def remove_ground(self, number):
        """Takes ground out."""
        self._check(lib.sn_world_remove_ground(self._pointer, number))
        self._script.append(("remove_ground", (number,), {}))

    def move_ground(self, number, pos, rot=(1, 0, 0, 0), linear=(0, 0, 0), angular=(0, 0, 0)):
        """Puts ground somewhere else, and lets it move on from there with these velocities."""
        values = [array(one) for one in (pos, rot, linear, angular)]
        self._check(lib.sn_world_move(self._pointer, number, *map(address, values)))

    def constrain(self, type, body, body2=None, *, member=None, member2=None, **settings):
        """Adds a constraint of this kind and returns it. `body` is a body of `member`, by default of the first one; `body2`
        of `member2`, or the world if neither is given."""
        first = member or self.members[0]
        second = member2 or (first if body2 is not None else None)
        defined = definition("sn_constraint_def", 0, type=type, **settings)
        defined.member, defined.body = first._number, first.model.body(body)
        if second is not None:
            defined.member2, defined.body2 = second._number, second.model.body(body2 or 0)
        error = _c.sn_error()
        number = made(lib.sn_world_add_constraint(self._pointer, ctypes.byref(defined), ctypes.byref(error)), error)
        settings.update(member=self.members.index(first), member2=None if second is None else self.members.index(second))
        self._script.append(("_constrain_again", (type, body, body2), settings))
        return Constraint(self, number)

    def _constrain_again(self, type, body, body2, member=None, member2=None, **settings):
        self.constrain(type, body, body2, member=self.members[member],
                       member2=None if member2 is None else self.members[member2], **settings)

    # ------------------------------------------------------------------------------------------------------------ state

    @property
    def dt(self):
        """Seconds of one substep."""
        return world_dt(self._pointer)

    @dt.setter
    def dt(self, value):
        self._check(lib.sn_world_set_dt(self._pointer, value))

    @property
    def lanes(self):
        """The vectors in use, as "f32x16"."""
        return world_lanes(self._pointer)

    @property
    def memory(self):
        """Bytes that the world holds."""
        return lib.sn_world_memory(self._pointer)

    @property
    def stats(self):
        """Numbers of the last step, over all copies, as a dict."""
        stats = _c.sn_world_stats()
        lib.sn_world_get_stats(self._pointer, ctypes.byref(stats))
        return {name: getattr(stats, name) for name, _ in stats._fields_}

    def contacts(self, copy=0):
        """Contacts of the last step in one copy, or in all (None): a structured array with copy, member, body, pos, normal, gap,
        force, phase, ..."""
        global CONTACT
        if CONTACT is None:
            CONTACT = np.dtype(_c.sn_contact)
        if copy is None:
            copy = -1
        elif not 0 <= copy < self.copies:
            raise IndexError("copy %d of %d" % (copy, self.copies))
        count = ctypes.c_int()
        found = lib.sn_world_contacts(self._pointer, copy, ctypes.byref(count))
        if not count.value:
            return np.empty(0, CONTACT)
        whole = ctypes.cast(found, ctypes.POINTER(_c.sn_contact * count.value)).contents
        return np.frombuffer(bytearray(whole), CONTACT)

    def ray(self, origin, way, *, copy=0, group_mask=0xFFFFFFFF):
        """The first thing that a ray meets on its way, as a Hit, or None."""
        hit = _c.sn_hit()
        origin, way = array(origin, np.float64, (3,), "origin"), array(way, np.float64, (3,), "way")
        if not lib.sn_world_cast_ray(self._pointer, copy, address(origin), address(way), group_mask, ctypes.byref(hit)):
            return None
        member = next((one for one in self.members if one._number == hit.member), None)
        return Hit(hit.t, member, hit.body, np.array(hit.pos), np.array(hit.normal))

    def snapshot(self):
        """Everything of all copies as bytes. `restore` continues from there with the same bits."""
        size = lib.sn_world_snapshot(self._pointer, None, 0)
        block = np.empty(size, np.uint8)
        if not lib.sn_world_snapshot(self._pointer, address(block), size):
            raise MemoryError("no memory for a snapshot")
        return block.tobytes()

    def restore(self, block):
        """Goes back to a snapshot."""
        error = _c.sn_error()
        status = lib.sn_world_restore(self._pointer, block, len(block), ctypes.byref(error))
        if status:
            made(None, error)

    def copy_state(self, source, where=None):
        """Copies everything of copy `source`, warm starts included, to the copies of a mask or list (None: all)."""
        chosen = mask(where, self.copies)
        if chosen is None:
            chosen = np.ones(self.copies, np.uint8)
        self._check(lib.sn_world_copy(self._pointer, source, address(chosen)))

    def replicate(self, copies, **settings):
        """A new world with the same scene in so many copies, each in the state of the first copy of this one. Settings that are not
        given are as in this world."""
        if getattr(self, "_recipe", None):
            raise TypeError("a world from a file cannot be replicated: read the file again with copies=%d" % copies)
        changed = {key: value for key, value in self.settings.items() if key != "copies"}
        changed.update(settings)
        other = World(copies=copies, **changed)
        other._play(self._script)
        self._hand_to(other)
        return other

    def _hand_to(self, other, left_out=(), handed=None):
        """Gives another world this one's time step, and all copies of its members the fields that the first copy has here. `handed`
        has what was handed over before; what is still the same is not set again."""
        if other.dt != self.dt:
            other.dt = self.dt
        for number, (mine, its) in enumerate(zip(self.members, other.members)):
            for name in SETTABLE:
                if name in left_out:
                    continue
                values = getattr(mine, name)
                if handed is not None:
                    data = np.asarray(values).tobytes()
                    if handed.get((number, name)) == data:
                        continue
                    handed[number, name] = data
                if name == "torque_limit" and not other.settings.get("torque_limits") and not np.isfinite(values).any():
                    continue
                setattr(its, name, values[0] if self.batched else values)

    def _play(self, script):
        for name, arguments, keywords in script:
            getattr(self, name)(*arguments, **keywords)

    def linearize(self, member=None, *, inputs="target", epsilon=1e-5, threads=1):
        """(A, B): how the state after a step depends on the state before it and on the inputs, by central differences in one step of
        a world with two copies for each unknown.

        The state is (dq, dqd), 2 nv values: a displacement of the pose as in Model.pose_add, and of the velocity. Inputs are
        displacements of the target pose, or torques with inputs="torque": nv values. A is (2 nv, 2 nv), B (2 nv, nv)."""
        from .planning import linearize

        return linearize(self, member, inputs, epsilon, threads)

    def __reduce__(self):
        state = (self.batched, self.settings, self._script, self.snapshot(), getattr(self, "_recipe", None))
        return _world_again, state

    def __repr__(self):
        return "<world: %d cop%s, %s, %s, %d member%s, t = %.4g s>" % (
            self.copies, "y" if self.copies == 1 else "ies", self.settings["precision"], self.lanes, len(self.members),
            "" if len(self.members) == 1 else "s", self.time)

    def _repr_html_(self):
        from .record import Recording

        return Recording(self, count=min(self.copies, 16)).take()._repr_html_()


def _world_again(batched, settings, script, snapshot, recipe):
    if recipe:
        kind, source, options, given = recipe
        world = (World.load if kind == "load" else World.parse)(source, **options, copies=settings["copies"] if batched else None, **given)
    else:
        world = World(**{**settings, "copies": settings["copies"] if batched else None})
    world._play(script)
    world.restore(snapshot)
    return world


class Constraint:
    """A constraint of a world."""

    def __init__(self, world, number):
        self.world, self._number = world, number

    def set(self, target=None, velocity=None, copy=-1):
        """Sets target and velocity in one copy or in all (-1)."""
        target = None if target is None else _padded(target, 7)
        velocity = None if velocity is None else _padded(velocity, 6)
        self.world._check(lib.sn_world_set_constraint(self.world._pointer, self._number, copy, address(target), address(velocity)))

    def _state(self, copy):
        state = _c.sn_constraint_state()
        self.world._check(lib.sn_world_get_constraint(self.world._pointer, self._number, copy, ctypes.byref(state)))
        return state

    def force(self, copy=0):
        """Force of each row in the last step."""
        state = self._state(copy)
        return np.array(state.force[:state.rows])

    def broken(self, copy=0):
        """Whether it is broken in a copy."""
        return self._state(copy).broken

    def remove(self):
        """Takes the constraint out of the world."""
        self.world._check(lib.sn_world_remove_constraint(self.world._pointer, self._number))


def _padded(values, n):
    whole = np.zeros(n)
    values = np.atleast_1d(np.asarray(values, float))
    whole[:len(values)] = values
    return whole


_PUSH = hot.Member.push


class Member(hot.Member):
    """A character or free body of a world.

    Fields are read as arrays of your own, which cannot be written to, and set by assignment of the whole. One row is broadcast to all
    copies. `set` changes some copies only; `view` shows the world's own memory."""

    __slots__ = ("world", "model", "_number", "_shapes", "_views", "__weakref__")  # so that a mistyped field is refused
    _names = tuple(_c.FIELDS)

    def __init__(self, world, number, model):
        sizes = {"nq": model.nq, "nv": model.nv, "nbody": model.nbody}
        rows = (world.copies,) if world.batched else ()
        self.world, self.model, self._number = world, model, number
        self._shapes = tuple(rows + tuple(sizes.get(one, one) for one in about[1]) for about in _c.FIELDS.values())
        self._views = {}
        self._attach(world, number, self._shapes, model.nq)

    # ---------------------------------------------------------------------------------------------------------- fields

    def shape(self, field):
        """The shape of a field, copies included."""
        return self._shapes[NUMBER[field]]

    def set(self, field, values, where=None):
        """Sets a field in the copies of a mask or list (None: all). Values have one row, or one row for every copy of the world."""
        if field == "target":
            field = "target_q"
        if field not in NUMBER:
            raise AttributeError("there is no field '%s'; fields are %s" % (field, ", ".join(NUMBER)))
        if where is None:
            setattr(self, "pushes" if field == "push" else field, values)
            return
        if not _c.FIELDS[field][2]:
            raise AttributeError("%s can only be read" % field)
        number, chosen = NUMBER[field], mask(where, self.world.copies)
        values = np.asarray(values)
        shape = self._shapes[number]
        picked = np.asarray(where)
        if picked.dtype != bool and values.ndim == len(shape) and len(values) == len(picked) != shape[0]:
            whole = np.zeros(shape, self.world.dtype)
            whole[picked] = values
            values = whole
        values = array(values, self.world.dtype, shape, field)
        world = self.world
        world._check(lib.sn_world_put(world._pointer, self._number, number, address(chosen), address(values)))

    def view(self, field):
        """The world's own memory of a field, read-only. It is valid until the world changes or steps; then ask again."""
        number = NUMBER["target_q" if field == "target" else field]
        place = lib.sn_world_view(self.world._pointer, self._number, number)
        if not place:
            self.world._check(_c.STATUSES["SN_ERROR_ARGUMENT"])
        kept = self._views.get(number)
        if kept is None or kept[0] != place:
            shape = self._shapes[number]
            kind = ctypes.c_float if self.world.dtype == FLOAT else ctypes.c_double
            whole = (kind * int(np.prod(shape, dtype=int))).from_address(place)
            kept = self._views[number] = (place, read_only(np.frombuffer(whole, self.world.dtype).reshape(shape)))
        return kept[1]

    def _set_target(self, value):
        self.target_q = value
        self.target_qd = 0.0

    @property
    def pushes(self):
        """Force through the origin and torque on each body, (nbody, 6) in world axes; `push` sets those of one body."""
        return _PUSH.__get__(self)

    @pushes.setter
    def pushes(self, value):
        _PUSH.__set__(self, value)

    @property
    def gains(self):
        """(kp, kd) of the drives. Set them together: member.gains = model.gains(frequency=8)."""
        return self.kp, self.kd

    @gains.setter
    def gains(self, pair):
        kp, kd = pair
        if np.ndim(kp) < 2 and np.ndim(kd) < 2:
            nv = self.model.nv
            kp, kd = array(kp, np.float64, (nv,), "kp"), array(kd, np.float64, (nv,), "kd")
            self.world._check(lib.sn_world_set_gains(self.world._pointer, self._number, address(kp), address(kd)))
        else:
            self.kp, self.kd = kp, kd

    # ------------------------------------------------------------------------------------------------------------ doing

    def stand(self, q=None):
        """The pose q (nq,), by default the home pose, raised or lowered until it stands on the ground. Nothing is set."""
        q = np.array(self.model.home_pose if q is None else q, float)
        self.world._check(lib.sn_world_stand(self.world._pointer, self._number, address(q)))
        return q

    def push(self, body, force=(0, 0, 0), torque=(0, 0, 0), duration=np.inf):
        """A force (N) and a torque (N m) on a body in world axes, in all copies, for a time or until changed. push(body) ends it."""
        force, torque = array(force, np.float64, (3,), "force"), array(torque, np.float64, (3,), "torque")
        self.world._check(lib.sn_world_push(self.world._pointer, self._number, self.model.body(body), address(force), address(torque), duration))

    def follow(self, motion):
        """Targets come from a motion, each copy at its own `phase`. None: they are set by hand again."""
        self.world._check(lib.sn_world_set_motion(self.world._pointer, self._number, motion and motion._pointer))
        self.world._script.append(("_follow_again", (self.world.members.index(self), motion), {}))

    def reset(self, where=None, q=None, qd=None):
        """Starts the copies of a mask or list afresh (None: all): contacts are forgotten and flags cleared. `q` and `qd` are one row,
        or one for every copy of the world; without q the state stays, without qd it is at rest."""
        chosen = mask(where, self.world.copies)
        rows = np.ndim(q) > 1 or np.ndim(qd) > 1
        first_q = None if q is None or rows else array(q, np.float64, (self.model.nq,), "q")
        first_qd = None if qd is None or rows else array(qd, np.float64, (self.model.nv,), "qd")
        self.world._check(lib.sn_world_reset(self.world._pointer, self._number, address(chosen), address(first_q), address(first_qd)))
        if rows:
            if q is not None:
                self.set("q", q, where)
            self.set("qd", 0.0 if qd is None else qd, where)

    def summary(self, copy=0):
        """Energy, centre of mass and momentum in one copy."""
        found = _c.sn_summary()
        self.world._check(lib.sn_world_summary(self.world._pointer, self._number, copy, ctypes.byref(found)))
        return Summary(found.kinetic, found.potential, np.array(found.com), np.array(found.linear_momentum),
                       np.array(found.angular_momentum))

    def set_active(self, active=True):
        """A member that is not active stays where it is and touches nothing."""
        self.world._check(lib.sn_world_set_active(self.world._pointer, self._number, bool(active)))

    def react(self, **settings):
        """Gains fall when the member is hit, and come back. No settings: the defaults of sn_reaction_def."""
        made_of = definition("sn_reaction_def", **settings)
        self.world._check(lib.sn_world_set_reaction(self.world._pointer, self._number, ctypes.byref(made_of)))

    def give_way(self, body=None, copy=-1):
        """Starts the reaction to a hit on a body, or on all, in one copy or in all (-1). Needs react() once before."""
        which = -1 if body is None else self.model.body(body)
        self.world._check(lib.sn_world_react(self.world._pointer, self._number, copy, which))

    def constraint(self, index):
        """A constraint that came with the model, by its number there. None: there is none, or it was removed."""
        number = lib.sn_world_model_constraint(self.world._pointer, self._number, index)
        return Constraint(self.world, number) if number else None

    def limb(self, body=None, mode="limp", blend=0.0, copy=-1):
        """The body and all that hangs on it become "driven", "limp" or "animated" over `blend` seconds."""
        which = -1 if body is None else self.model.body(body)
        number = choice("sn_limb_mode", mode, "mode")
        self.world._check(lib.sn_world_set_limb(self.world._pointer, self._number, copy, which, number, blend))

    def __repr__(self):
        return "<member of %r: q %s, %s>" % (self.model.name, self.shape("q"), self.world.settings["precision"])


def _follow_again(self, index, motion):
    self.members[index].follow(motion)


World._follow_again = _follow_again


def _converted(name, convert):
    """A field whose values are not real numbers, or a single number where the world has no copies."""
    base = getattr(hot.Member, name)

    def get(self):
        values = base.__get__(self)
        if values.ndim == 0:
            return convert(values).item()
        return read_only(convert(values)) if convert is not _same else values

    def put(self, value):
        base.__set__(self, value)

    return property(get, put, doc=_c.FIELDS[name][3])


def _same(values):
    return values


def _truth(values):
    return np.asarray(values != 0)


def _whole(values):
    return np.asarray(values).astype(np.int64)


for _name, _about in _c.FIELDS.items():
    if _name in ("touching", "diverged", "asleep"):
        setattr(Member, _name, _converted(_name, _truth))
    elif _name == "impacts":
        setattr(Member, _name, _converted(_name, _whole))
    elif _about[1] == ():
        setattr(Member, _name, _converted(_name, _same))

World.__doc__ = document("sn_world_def", World.__doc__)
World.constrain.__doc__ = document("sn_constraint_def", World.constrain.__doc__, ("type", "member", "body", "member2", "body2"))
Member.react.__doc__ = document("sn_reaction_def", Member.react.__doc__)
Member.__doc__ += "\n\nFields:\n\n" + "\n".join(
    "    %s %s%s: %s" % (name, "(%s)" % ", ".join(map(str, about[1])), "" if about[2] else ", read only", about[3] or name)
    for name, about in _c.FIELDS.items())
__all__ = ["World", "Member", "Constraint", "Summary", "Hit"]
