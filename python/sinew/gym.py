"""Environments for Gymnasium, where it is installed; the same classes without it have the same functions.

    import gymnasium, sinew.gym
    envs = gymnasium.make_vec("sinew/HumanoidWalk-v0", num_envs=4096, vectorization_mode="vector_entry_point")
    env = gymnasium.make("sinew/HumanoidWalk-v0")

`import sinew.gym` registers the names in REGISTERED. VectorEnv knows the three ways to start ended episodes again: autoreset_mode
"NextStep" (Gymnasium's default), "SameStep" with final_obs and final_info, and "Disabled" with reset(options={"reset_mask": ...}).
Terminated and truncated are apart, and each copy has its own seed."""
import os

import numpy as np

from .learn import Environment
from .model import Builder, Model
from .motion import Motion

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as _VectorEnv

    _Env = gymnasium.Env
    INSTALLED = True
except ImportError:
    import enum

    INSTALLED = False

    class AutoresetMode(enum.Enum):
        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"

    class _Env:
        metadata = {}

        def reset(self, *, seed=None, options=None):
            pass

        def close(self):
            pass

    class _VectorEnv(_Env):
        def close(self, **keywords):
            pass

    class spaces:
        """Stands in for gymnasium.spaces."""

        class Box:
            def __init__(self, low, high, shape, dtype=np.float32):
                self.low, self.high, self.shape, self.dtype = np.full(shape, low, dtype), np.full(shape, high, dtype), shape, np.dtype(dtype)
                self._random = np.random.default_rng()

            def seed(self, seed=None):
                self._random = np.random.default_rng(seed)

            def sample(self):
                low, high = np.maximum(self.low, -1e3), np.minimum(self.high, 1e3)
                return self._random.uniform(low, high).astype(self.dtype)

            def contains(self, x):
                return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


_MODES = {"NextStep": "next_step", "SameStep": "same_step", "Disabled": "off"}


def _spaces(env, copies=None):
    rows = () if copies is None else (copies,)
    return (spaces.Box(-np.inf, np.inf, rows + (env.observations,), np.float32), spaces.Box(-1.0, 1.0, rows + (env.actions,), np.float32))


class VectorEnv(_VectorEnv):
    """Copies of a task as a vector environment of Gymnasium.

    Arguments are those of sinew.Environment; `num_envs` is the number of copies. Actions are meant for [-1, 1] and are not clamped.
    What `step` and `reset` return is never written to again while you hold it. Infos have `terms` (num_envs, terms) of the reward,
    `episode_return` and `episode_length`."""

    def __init__(self, character="humanoid", motion="walk", *, num_envs=1, autoreset_mode="NextStep", render_mode=None, **settings):
        mode = AutoresetMode(getattr(autoreset_mode, "value", autoreset_mode))
        settings.setdefault("threads", 0 if num_envs >= 64 else 1)
        character, motion, settings = _named(character, motion, settings)
        self.env = Environment(character, motion, copies=num_envs, autoreset=_MODES[mode.value], **settings)
        self.num_envs, self.render_mode, self.autoreset_mode = num_envs, render_mode, mode
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_observation_space, self.single_action_space = _spaces(self.env)
        self.observation_space, self.action_space = _spaces(self.env, num_envs)
        self._ended = np.zeros(num_envs, bool)
        self._seeded = False

    def reset(self, *, seed=None, options=None):
        """Starts new episodes, in all copies or in those of options["reset_mask"]. Copy i has the seed seed + i, or seed[i]."""
        where = None
        if options and "reset_mask" in options:
            where = np.asarray(options["reset_mask"])
            if where.dtype != bool or where.shape != (self.num_envs,):
                raise ValueError("reset_mask has %d booleans, not %s of %s" % (self.num_envs, where.shape, where.dtype))
            if not where.any():
                raise ValueError("reset_mask has no copy in it")
        if seed is None and not self._seeded:
            seed = int.from_bytes(os.urandom(4), "little")
        if seed is not None and np.ndim(seed):
            if len(seed) != self.num_envs:
                raise ValueError("%d seeds for %d environments" % (len(seed), self.num_envs))
            seed = [int.from_bytes(os.urandom(4), "little") if one is None else one for one in seed]
        self._seeded = True
        observation = self.env.reset(seed=seed, where=where)
        if where is None:
            self._ended[:] = False
        else:
            self._ended = self._ended & ~where
            whole = self.env.observe()
            whole[where] = observation[where]
            observation = whole
        return observation, {}

    def step(self, actions):
        """One control step of all copies."""
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            raise RuntimeError("episodes of %s have ended: reset them with options={'reset_mask': ...}" % np.flatnonzero(self._ended)[:8])
        out = self.env.step(actions)
        infos = {"terms": out.terms, "episode_return": out.episode_return, "episode_length": out.episode_length}
        ended = out.terminated | out.truncated
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            infos["final_obs"], infos["_final_obs"] = out.final, ended
            infos["final_info"] = {key: infos[key] for key in ("terms", "episode_return", "episode_length")}
            infos["_final_info"] = ended
        self._ended = ended
        return out.observation, out.reward, out.terminated, out.truncated, infos

    def close_extras(self, **keywords):
        pass

    @property
    def np_random_seed(self):
        return None


class Env(_Env):
    """One copy of a task as an environment of Gymnasium. Actions are in [-1, 1]."""

    metadata = {"render_modes": [], "render_fps": 30}

    def __init__(self, character="humanoid", motion="walk", *, render_mode=None, **settings):
        settings.setdefault("threads", 1)  # worker processes have a core each
        character, motion, settings = _named(character, motion, settings)
        self._arguments = (character, motion, settings)
        self.env = Environment(character, motion, copies=1, autoreset="off", **settings)
        self.observation_space, self.action_space = _spaces(self.env)
        self.render_mode = render_mode
        self._seeded = False

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int.from_bytes(os.urandom(4), "little")
        self._seeded = True
        return self.env.reset(seed=seed)[0].copy(), {}

    def step(self, action):
        out = self.env.step(np.asarray(action)[None])
        info = {"terms": out.terms[0].copy(), "episode_return": float(out.episode_return[0]), "episode_length": int(out.episode_length[0])}
        return out.observation[0].copy(), float(out.reward[0]), bool(out.terminated[0]), bool(out.truncated[0]), info


# ------------------------------------------------------------------------------------------------------------ characters


def swimmer():
    """A chain of six links with five hinges that swims in the plane."""
    builder = Builder()
    for i in range(6):
        joint = {"joint": "free"} if i == 0 else {"joint": "hinge", "axis": (0, 0, 1), "anchor": (0, 0, 0), "pos": (-0.2, 0, 0)}
        builder.body("link%d" % i, "link%d" % (i - 1) if i else None, **joint)
        builder.capsule(0.03, 0.07, pos=(-0.1, 0, 0), rot=(0.7071067811865476, 0, 0.7071067811865476, 0))
    return builder.build()


def spider():
    """Four legs with a universal hip and a knee each, on a flat trunk."""
    builder = Builder()
    builder.body("trunk", joint="free").box((0.2, 0.1, 0.05), mass=4)
    for name, front, side in (("front_left", 1, 1), ("front_right", 1, -1), ("hind_left", -1, 1), ("hind_right", -1, -1)):
        builder.body(name + "_thigh", "trunk", joint="universal", pos=(0.18 * front, 0.08 * side, 0), axis=(0, 0, -side), axis2=(side, 0, 0))
        _bone(builder, (0, 0.22 * side, 0.08), 0.025, 0.3)
        builder.body(name + "_foot", name + "_thigh", joint="hinge", pos=(0, 0.22 * side, 0.08), axis=(side, 0, 0))
        _bone(builder, (0, 0.12 * side, -0.38), 0.02, 0.2)
    return builder.build()


def _bone(builder, end, radius, mass):
    """A capsule from the origin of the last body to a point."""
    end = np.asarray(end, float)
    length = np.linalg.norm(end)
    z = end / length
    turn = np.array([1 + z[2], -z[1], z[0], 0])  # from the z axis to the bone, the short way
    builder.capsule(radius, length / 2, pos=end / 2, rot=turn / np.linalg.norm(turn), mass=mass)


def _g1():
    path = os.environ.get("SINEW_G1")
    if not path:
        raise FileNotFoundError("the G1 does not come with Sinew: set SINEW_G1 to its MJCF or URDF file, as Unitree publishes it")
    return Model.load(path, allow_missing_mesh=True)


_MADE = {"swimmer": swimmer, "spider": spider, "g1": _g1}
_models = {}


def _named(character, motion, settings):
    """Characters of this module by name; "stand" as motion."""
    if isinstance(character, str) and character in _MADE:
        if character not in _models:
            _models[character] = _MADE[character]()
            _models[character].name = character
        if character == "swimmer":
            settings.setdefault("drag_along", 1.0)
            settings.setdefault("drag_across", 10.0)
            settings.setdefault("speed", 0.3)
        character = _models[character]
    return character, motion, settings


REGISTERED = {
    "sinew/HumanoidWalk-v0": {"character": "humanoid", "motion": "walk"},
    "sinew/HumanoidRun-v0": {"character": "humanoid", "motion": "run"},
    "sinew/HumanoidStand-v0": {"character": "humanoid", "motion": "stand", "push": 100.0},
    "sinew/DogTrot-v0": {"character": "dog", "motion": "trot"},
    "sinew/DogStand-v0": {"character": "dog", "motion": "stand", "push": 100.0},
    "sinew/SpiderWalk-v0": {"character": "spider", "motion": None, "speed": 0.3},
    "sinew/SpiderStand-v0": {"character": "spider", "motion": "stand"},
    "sinew/SwimmerSwim-v0": {"character": "swimmer", "motion": None},
    "sinew/G1Walk-v0": {"character": "g1", "motion": None, "speed": 0.8},
    "sinew/G1Stand-v0": {"character": "g1", "motion": "stand", "push": 50.0},
}

if INSTALLED:
    for _id, _keywords in REGISTERED.items():
        if _id not in gymnasium.registry:
            gymnasium.register(_id, entry_point="sinew.gym:Env", vector_entry_point="sinew.gym:VectorEnv", kwargs=_keywords)

__all__ = ["VectorEnv", "Env", "AutoresetMode", "REGISTERED", "spider", "swimmer", "Motion"]
