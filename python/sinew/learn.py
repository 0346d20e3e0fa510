"""Environments in many copies, and the trainer."""
import ctypes
import os
import sys
import time
from typing import NamedTuple, Optional

import numpy as np

from . import _c
from ._lib import SHAPES_ARE_COUNTED, Handle, address, array, as_dict, check, definition, document, lib, made, mask
from .model import Model
from .motion import Motion
from .policy import Policy
from .results import Progress
from .task import Bridge, Task
from .world import World


class Step(NamedTuple):
    """What a control step gives, one row for each copy."""

    observation: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final: np.ndarray
    episode_return: np.ndarray
    episode_length: np.ndarray
    terms: np.ndarray


class _Pool:
    """Fresh arrays, made of memory that nobody holds any more. A view or a tensor of a result keeps it from being used again."""

    def __init__(self, shape, dtype):
        self._shape, self._dtype, self._arrays = shape, dtype, []

    def take(self):
        if SHAPES_ARE_COUNTED:
            for one in self._arrays:
                if sys.getrefcount(one) == 3:  # this list, `one`, and the argument
                    return one
        one = np.zeros(self._shape, self._dtype)
        if len(self._arrays) < 8:
            self._arrays.append(one)
        return one


def _model(character):
    if isinstance(character, Model):
        return character
    name = os.fspath(character)
    return Model.builtin(name) if name in Model.builtins() else Model.load(name)


def _motion(motion, model):
    if isinstance(motion, Motion):
        return motion
    name = os.fspath(motion)
    return Motion.builtin(name, model) if name in Motion.builtins() else Motion.load(name, model)


def standing(model):
    """A motion in which the model stands still in its home pose."""
    world = World()
    member = world.add(model)
    world.plane()
    q = member.stand()
    return Motion.from_poses(model, [0.0, 1.0], np.stack([q, q]), loop=True)


class Environment:
    """Many copies of a task: Environment("humanoid", "walk", copies=256, push=100), or Environment(task) with a Task of your own.

    The character is a Model, a built-in name or a file; the motion likewise, a list of them, "stand", or None for locomotion at
    `speed`. Observations, actions and rewards are float32 arrays with one row for each copy. Each episode ends terminated (the task is
    over, for example by a fall) or truncated (only the time is up); `autoreset` says when it starts again.

    `step` returns arrays that are never written to again while you hold them."""

    def __init__(self, character, motion=None, *, copies=None, threads=None, seed=None, autoreset=None, **settings):
        of_environment = {"copies": copies, "threads": threads, "seed": seed, "autoreset": autoreset}
        made_of = definition("sn_environment_def", **{key: value for key, value in of_environment.items() if value is not None})
        error = _c.sn_error()
        self._bridge = None
        needs = []
        if isinstance(character, type) and issubclass(character, Task):
            character = character()
        if isinstance(character, Task):
            if settings or motion is not None:
                raise TypeError("a task of your own has no other settings: %s" % ", ".join(settings))
            self.task, self.model, self.motion = character, character.model, None
            self._bridge = Bridge(character)
            table = self._bridge.table
            if self.model is not None:
                needs.append(self.model._handle)
        else:
            self.task, self.model = None, _model(character)
            table, self.motion = self._imitation(motion, settings, error)
            needs.append(self.model._handle)
        pointer = lib.sn_environment_create(ctypes.byref(table), ctypes.byref(made_of), ctypes.byref(error))
        self._raise_failure()
        self._handle = Handle(made(pointer, error), lib.sn_environment_free, *needs)
        if self._bridge:
            _keep(self._handle, self._bridge)
        self._settings = settings
        self._made_of = made_of
        self._describe()

    def _imitation(self, motion, settings, error):
        kept = []
        model = self.model
        several = list(motion) if isinstance(motion, (list, tuple)) else None
        first = None
        if several is not None:
            several = [_motion(one, model) for one in several]
        elif isinstance(motion, str) and motion == "stand":
            first = standing(model)
        elif motion is not None:
            first = _motion(motion, model)
        made_of = self._imitation_def(model, first, settings)
        if several is not None:
            table = (ctypes.c_void_p * len(several))(*(one._pointer for one in several))
            made_of.motions, made_of.nmotions = ctypes.cast(table, ctypes.c_void_p), len(several)
            kept.append(table)
        task = _c.sn_task()
        check(lib.sn_imitation_task(ctypes.byref(task), ctypes.byref(made_of), ctypes.byref(error)), error)
        return task, first if several is None else several

    @staticmethod
    def _imitation_def(model, motion, settings):
        fields = dict(_c.sn_imitation_def._fields_)
        if "struct_size" in fields:
            made_of = definition("sn_imitation_def", **settings)
            made_of.model, made_of.motion = model._pointer, motion._pointer if motion else None
            return made_of
        return definition("sn_imitation_def", model._pointer, motion._pointer if motion else None, **settings)

    def _describe(self):
        info = _c.sn_environment_info()
        lib.sn_environment_get_info(self._pointer, ctypes.byref(info))
        self.copies, self.observations, self.actions, self.rate, self.limit = info.copies, info.observations, info.actions, info.rate, info.limit
        self.name = info.name.decode() if info.name else ""

        def names(rows, count):
            return tuple(rows[i].decode() for i in range(count)) if rows else None

        self.observation_names = names(info.observation_names, info.observations)
        self.action_names = names(info.action_names, info.actions)
        self.term_names = names(info.term_names, info.terms) or tuple("term %d" % i for i in range(info.terms))
        n = self.copies
        self._shapes = {
            "observation": ((n, self.observations), np.float32), "reward": ((n,), np.float32), "terminated": ((n,), np.bool_),
            "truncated": ((n,), np.bool_), "final": ((n, self.observations), np.float32), "episode_return": ((n,), np.float64),
            "episode_length": ((n,), np.int32), "term": ((n, info.terms), np.float32),
        }
        self._pools = {name: _Pool(*about) for name, about in self._shapes.items()}
        self._worlds = {}

    @property
    def _pointer(self):
        return self._handle.pointer

    def _raise_failure(self):
        if self._bridge and self._bridge.failure is not None:
            problem, self._bridge.failure = self._bridge.failure, None
            raise problem

    def _checked(self, status, error):
        if status:
            self._raise_failure()
            check(status, error)

    def _seeds(self, seed):
        if np.ndim(seed) == 0:
            return np.arange(self.copies, dtype=np.uint64) + np.uint64(seed)
        return array(seed, np.uint64, (self.copies,), "seed")

    def reset(self, seed=None, where=None, out=None):
        """Starts new episodes in all copies, or in those of a mask or list, and returns observations (copies, observations).
        With a seed, everything random in copy i follows from seed + i, or from seed[i]."""
        error = _c.sn_error()
        observation = self._pools["observation"].take() if out is None else out
        chosen, seeds = mask(where, self.copies), None if seed is None else self._seeds(seed)
        status = lib.sn_environment_reset(self._pointer, address(chosen), address(seeds), address(observation), ctypes.byref(error))
        self._checked(status, error)
        return observation

    def buffers(self):
        """A dict of arrays for step(action, out=...), which then writes there instead of making new ones."""
        return {name: np.zeros(*about) for name, about in self._shapes.items()}

    def step(self, action, out=None):
        """One control step of all copies under actions (copies, actions). Returns a Step."""
        action = array(action, np.float32, (self.copies, self.actions), "action")
        rows = {name: pool.take() for name, pool in self._pools.items()} if out is None else out
        places = _c.sn_environment_out()
        for name in self._shapes:
            setattr(places, name, address(rows.get(name)))
        error = _c.sn_error()
        self._checked(lib.sn_environment_step(self._pointer, address(action), ctypes.byref(places), ctypes.byref(error)), error)
        return Step(*(rows.get(name) for name in self._shapes))

    def observe(self):
        """Observations of the state as it is now, for example after you changed a world."""
        error = _c.sn_error()
        observation = self._pools["observation"].take()
        self._checked(lib.sn_environment_observe(self._pointer, address(observation), ctypes.byref(error)), error)
        return observation

    def save(self):
        """The state of all copies as bytes; `restore` continues from there with the same bits."""
        size = lib.sn_environment_save(self._pointer, None, 0)
        block = np.empty(size, np.uint8)
        lib.sn_environment_save(self._pointer, address(block), size)
        return block.tobytes()

    def restore(self, block):
        """Goes back to what `save` gave."""
        error = _c.sn_error()
        self._checked(lib.sn_environment_restore(self._pointer, block, len(block), ctypes.byref(error)), error)

    def world(self, copy=0):
        """(world, number): the World that a copy is in, and its number there; to look at, record and push."""
        number = ctypes.c_int()
        pointer = lib.sn_environment_world(self._pointer, copy, ctypes.byref(number))
        if not pointer:
            raise LookupError("this task has no world")
        if pointer not in self._worlds:
            world = World._borrow(pointer)
            world._handle.need(self._handle)
            for member in world.members:
                if self.model is not None and member.model._pointer == self.model._pointer:
                    member.model = self.model
            self._worlds[pointer] = world
        return self._worlds[pointer], number.value

    def reference(self, copy=0):
        """The pose q that a copy should have now, or None."""
        q = np.empty(self.model.nq)
        return q if lib.sn_environment_reference(self._pointer, copy, address(q)) else None

    def __repr__(self):
        return "<environment %r: %d copies, %d observations, %d actions, %d steps per second>" % (
            self.name, self.copies, self.observations, self.actions, self.rate)


def _keep(handle, thing):
    """A thing of Python that must live as long as a handle's object."""
    record = handle._record
    free = record.free

    def freed(pointer, free=free, thing=thing):
        free(pointer)

    record.free = freed


_DECAY = "gae_lambda"


class Trainer:
    """Improves a policy in an environment by PPO. The environment must not be stepped otherwise meanwhile."""

    def __init__(self, env, **settings):
        for name in ("lambda", "lambda_"):  # as papers call it
            if name in settings:
                settings[_DECAY] = settings.pop(name)
        if "hidden" in settings:
            settings["hidden"] = tuple(settings["hidden"]) + (0,) * (4 - len(settings["hidden"]))
        made_of = definition("sn_trainer_def", **settings)
        error = _c.sn_error()
        self.env = env
        pointer = lib.sn_trainer_create(env._pointer, ctypes.byref(made_of), ctypes.byref(error))
        env._raise_failure()
        self._handle = Handle(made(pointer, error), lib.sn_trainer_free, env._handle)
        self.settings = as_dict(made_of)
        self.progress: Optional[Progress] = None
        self.seconds = 0.0

    def iterate(self):
        """One iteration: a rollout in all copies, then some passes over it. Returns a Progress."""
        now, error = _c.sn_training(), _c.sn_error()
        self.env._checked(lib.sn_trainer_iterate(self._handle.pointer, ctypes.byref(now), ctypes.byref(error)), error)
        self.seconds += now.collect_seconds + now.update_seconds
        self.progress = Progress(now.iterations, now.samples, now.episodes, now.mean_return, now.mean_length, now.mean_reward,
                                 now.value_loss, now.explained, now.kl, now.noise, self.seconds)
        return self.progress

    def run(self, *, samples=None, seconds=None, iterations=None, callback=None, until=None, plot=None):
        """Trains until so many samples in all, for so many seconds or iterations, or until the mean return of an iteration reaches
        `until`. `callback(progress)` is called after each iteration; it ends the training by returning True. In a notebook, or with
        plot=True, a curve grows below the cell. Returns the last Progress."""
        if samples is None and seconds is None and iterations is None and until is None:
            raise TypeError("run needs samples, seconds, iterations or until")
        from .curve import Curve

        curve = Curve(plot)
        start, done = time.monotonic(), 0
        while True:
            progress = self.iterate()
            done += 1
            curve.add(progress)
            if callback is not None and callback(progress):
                break
            if samples is not None and progress.samples >= samples or iterations is not None and done >= iterations:
                break
            if seconds is not None and time.monotonic() - start >= seconds:
                break
            if until is not None and progress.mean_return >= until:
                break
        curve.finish()
        return progress

    @property
    def policy(self):
        """What it has learned so far, as a Policy of its own."""
        error = _c.sn_error()
        return Policy._own(lib.sn_trainer_policy(self._handle.pointer, None, ctypes.byref(error)), error)

    def save(self, path):
        """Writes everything that the next iteration depends on."""
        error = _c.sn_error()
        check(lib.sn_trainer_save(self._handle.pointer, os.fsencode(path), ctypes.byref(error)), error)

    def restore(self, path):
        """Continues from a file of `save` with the same bits."""
        error = _c.sn_error()
        self.env._checked(lib.sn_trainer_restore(self._handle.pointer, os.fsencode(path), None, ctypes.byref(error)), error)

    def __repr__(self):
        if self.progress is None:
            return "<trainer, not started>"
        return "<trainer: %d samples, return %.4g, %.0f s>" % (self.progress.samples, self.progress.mean_return, self.seconds)


Environment.__doc__ = document("sn_imitation_def", document("sn_environment_def", Environment.__doc__) + "\n\nFor imitation and locomotion:",
                               ("model", "motion", "motions", "nmotions", "study"))
Trainer.__doc__ = document("sn_trainer_def", Trainer.__doc__, ("exchange",))
