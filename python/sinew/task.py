"""Tasks of your own, in Python: what a policy observes, what its actions do, and what earns a reward."""
import ctypes
import threading

import numpy as np

from . import _c
from ._lib import lib
from .world import World

_FIELDS = dict(_c.sn_task._fields_)


def _told(function):
    """A callback of the library: it returns 0, or the status of the exception that it keeps."""
    def call(self, *arguments):
        try:
            function(self, *arguments)
            return 0
        except BaseException as problem:
            return self._failed(problem, arguments[-1])
    return call


class Part:
    """Copies that run together in a world of their own. Arrays have one row for each of them.

    `world` is their world, `members` its members and `member` the first one. `steps`, `count` and `limit` tell about the running
    episodes; `first` is the number of the first copy in the environment."""

    def __init__(self, pointer, copies, first):
        self._pointer, self.copies, self.first = pointer, copies, first
        self.world = None
        raw = (_c.sn_episode * copies).from_address(ctypes.cast(pointer.contents.episode, ctypes.c_void_p).value)
        self._raw = raw
        self.episode = np.frombuffer(raw, np.dtype(_c.sn_episode))

    @property
    def members(self):
        return self.world.members

    @property
    def member(self):
        return self.world.members[0]

    @property
    def steps(self):
        """Control steps that each episode has done."""
        return self.episode["steps"].copy()

    @property
    def count(self):
        """Episodes begun in each copy, this one included."""
        return self.episode["count"].copy()

    def random(self, index=0, ago=0):
        """A random number in (0, 1) for each copy. It depends on the seed, the episode, the step and the index alone, so nothing has to
        be saved. `ago` steps back, as one number or one for each copy, gives the number of an earlier step."""
        if np.any(ago):
            rows = (_c.sn_episode * self.copies)()
            ctypes.memmove(rows, self._raw, ctypes.sizeof(rows))
            np.frombuffer(rows, self.episode.dtype)["steps"][:] -= ago
        else:
            rows = self._raw
        return np.array([lib.sn_episode_random(ctypes.byref(rows[i]), index)
                         for i in range(self.copies)])


class Task:
    """A task of your own. Derive from it, set the attributes, and write `scene`, `observe`, `reward` and `ends`:

        class Balance(sinew.Task):
            name, observations, actions, terms = "balance", 75, 28, ("upright", "still")

            def scene(self, world):                        # once for each part
                world.add(self.model); world.plane()

            def observe(self, part):                       # (copies, observations)
                return np.concatenate([part.member.q[:, 2:], part.member.qd], 1)

            def reward(self, part): ...                    # (copies, terms)
            def ends(self, part): ...                      # (copies,) of bool, or (terminated, truncated)

        env = sinew.Environment(Balance(), copies=256)

    The environment runs the copies in parts of up to 16, each with its own world, and calls these functions for one part at a
    time. `begin` and `act` have useful defaults: a new episode starts in the pose `start`, at rest, and actions are added to that pose
    as target, joint by joint behind a free root, before the world runs for one control step."""

    name = "task"          # policies are for tasks of the same name and sizes
    observations = 0       # numbers in an observation
    actions = 0            # numbers in an action
    terms = ("reward",)    # names of the parts of the reward, which is their sum
    rate = 30              # control steps per second
    substeps = 8           # world steps in each
    limit = 10.0           # length of an episode in seconds
    action_scale = 1.0     # rad that an action of 1 turns a joint; actions are clamped to [-1, 1] before
    model = None           # the character
    start = None           # the pose that episodes start in; None: the first member stands in its home pose
    settings = {"precision": "float", "setting": "crowd"}  # of the worlds

    def scene(self, world):
        """Adds members, ground and gains to a new world."""
        raise NotImplementedError("a task needs scene(self, world)")

    def begin(self, part, where):
        """Starts new episodes in the copies of the mask `where`."""
        part.member.reset(where, q=self.start)

    def act(self, part, action):
        """Applies actions (copies, actions) and steps the world up to the next control step."""
        turn = np.zeros((part.copies, self.model.nv))
        turn[:, self.model.nv - self.actions:] = self.action_scale * np.clip(action, -1, 1)
        part.member.target_q = self.model.pose_add(self.start, turn)
        self.step(part)

    def step(self, part):
        """Runs the world for one control step. Copies that diverge are left to `ends`."""
        from ._errors import DivergedError

        try:
            part.world.step(self.substeps)
        except DivergedError:
            pass

    def observe(self, part):
        """Observations (copies, observations) of the state as it is now."""
        raise NotImplementedError("a task needs observe(self, part)")

    def reward(self, part):
        """Terms of the reward (copies, terms), or (copies,) where there is one, for the step that `act` made."""
        raise NotImplementedError("a task needs reward(self, part)")

    def ends(self, part):
        """Which copies have failed, as a mask, or a pair of masks: those that failed, and those that only have to stop."""
        return part.member.diverged

    def reference(self, part, copy):
        """The pose q (nq,) that a copy should have now, for pictures; None: there is none."""
        return None


class Bridge:
    """Calls a task of Python from the library, whichever thread that happens in."""

    def __init__(self, task):
        if task.observations <= 0 or task.actions <= 0:
            raise ValueError("a task needs the numbers of its observations and actions")
        self.task = task
        self.parts = {}
        self.failure = None
        self._lock = threading.Lock()
        self.table = _c.sn_task()
        self._kept = [task.name.encode(), (ctypes.c_char_p * len(task.terms))(*(one.encode() for one in task.terms))]
        table = self.table
        table.name, table.observations, table.actions, table.terms = self._kept[0], task.observations, task.actions, len(task.terms)
        table.rate, table.limit = task.rate, task.limit
        self._names("term_names", task.terms)
        for attribute in ("observation_names", "action_names"):
            if getattr(task, attribute, None):
                self._names(attribute, getattr(task, attribute))
        if task.model is not None:
            table.model = task.model._pointer
        for name in ("open", "close", "begin", "act", "reward", "ends", "observe", "reference"):
            function = _FIELDS[name](getattr(self, "_" + name))
            self._kept.append(function)
            setattr(table, name, function)

    def _names(self, attribute, names):
        rows = (ctypes.c_char_p * len(names))(*(one.encode() for one in names))
        self._kept.append(rows)
        setattr(self.table, attribute, ctypes.cast(rows, ctypes.POINTER(ctypes.c_char_p)))

    def _failed(self, problem, error):
        """Keeps an exception for the thread that called the library."""
        with self._lock:
            if self.failure is None:
                self.failure = problem
        if error:
            error.contents.status = _c.STATUSES["SN_ERROR_ARGUMENT"]
            error.contents.message = ("%s: %s" % (type(problem).__name__, problem)).encode()[:1000]
        return _c.STATUSES["SN_ERROR_ARGUMENT"]

    def _part(self, pointer):
        return self.parts[ctypes.addressof(pointer.contents)]

    @_told
    def _open(self, user, pointer, error):
        task, raw = self.task, pointer.contents
        part = Part(pointer, raw.copies, raw.first)
        world = World(copies=raw.copies, **task.settings)
        part.world = world
        task.scene(world)
        if task.start is None:
            task.start = world.members[0].stand()
        raw.world = world._pointer
        world._handle._record.free = None  # the environment frees it
        self.parts[ctypes.addressof(raw)] = part

    def _close(self, user, pointer):
        self.parts.pop(ctypes.addressof(pointer.contents), None)

    @_told
    def _begin(self, user, pointer, which, error):
        part = self._part(pointer)
        self.task.begin(part, _bytes(which, part.copies) != 0)

    @_told
    def _act(self, user, pointer, action, error):
        part = self._part(pointer)
        n = self.task.actions
        whole = (ctypes.c_float * (part.copies * n)).from_address(action)
        self.task.act(part, np.frombuffer(whole, np.float32).reshape(part.copies, n).copy())

    @_told
    def _reward(self, user, pointer, term, error):
        part = self._part(pointer)
        shape = (part.copies, len(self.task.terms))
        values = np.asarray(self.task.reward(part), float)
        place = (ctypes.c_double * (shape[0] * shape[1])).from_address(term)
        np.frombuffer(place, float).reshape(shape)[:] = values[:, None] if values.ndim == 1 else values

    @_told
    def _ends(self, user, pointer, terminated, truncated, error):
        part = self._part(pointer)
        found = self.task.ends(part)
        if found is not None:
            failed, stopped = found if isinstance(found, tuple) else (found, None)
            _bytes(terminated, part.copies)[:] = failed
            if stopped is not None:
                _bytes(truncated, part.copies)[:] = stopped

    @_told
    def _observe(self, user, pointer, which, observation, error):
        part = self._part(pointer)
        n = self.task.observations
        values = np.asarray(self.task.observe(part))
        if values.shape != (part.copies, n):
            raise ValueError("observe returned shape %s, but (%d, %d) is needed" % (values.shape, part.copies, n))
        place = (ctypes.c_float * (part.copies * n)).from_address(observation)
        rows = np.frombuffer(place, np.float32).reshape(part.copies, n)
        chosen = _bytes(which, part.copies) != 0
        rows[chosen] = values[chosen]

    def _reference(self, user, pointer, copy, q):
        try:
            pose = self.task.reference(self._part(pointer), copy)
            if pose is None:
                return False
            np.frombuffer((ctypes.c_double * len(pose)).from_address(q), float)[:] = pose
            return True
        except BaseException as problem:
            self._failed(problem, None)
            return False


def _bytes(place, count):
    return np.frombuffer((ctypes.c_uint8 * count).from_address(place), np.uint8)
