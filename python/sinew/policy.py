"""Policies: networks that act."""
import ctypes
import os

import numpy as np

from . import _c
from ._lib import HERE, Handle, address, array, check, lib, made
from .results import Score


class Policy:
    """A network and the scale of its observations. Make one with Policy.load, Policy.from_arrays, from_torch or from_onnx."""

    def __init__(self, handle):
        if not isinstance(handle, Handle):
            raise TypeError("make a policy with Policy.load(path), Policy.from_arrays(...), from_torch(...) or from_onnx(...)")
        self._handle = handle
        data = self._data()
        self.observations, self.actions = data.width[0], data.width[data.layers]
        self._pool = None

    @classmethod
    def _own(cls, pointer, error):
        return cls(Handle(made(pointer, error), lib.sn_policy_free))

    @classmethod
    def load(cls, path):
        """Reads a policy file; or one that comes with the package by its name, as "humanoid-walk"."""
        name = os.fspath(path)
        if not os.path.exists(name):
            for folder in (HERE / "policies", HERE.parent.parent / "policies"):
                if (folder / (name + ".sinew")).exists():
                    name = str(folder / (name + ".sinew"))
                    break
        error = _c.sn_error()
        return cls._own(lib.sn_policy_load(os.fsencode(name), ctypes.byref(error)), error)

    @classmethod
    def parse(cls, data):
        """A policy from the bytes of a file."""
        error = _c.sn_error()
        return cls._own(lib.sn_policy_parse(data, len(data), ctypes.byref(error)), error)

    @classmethod
    def from_arrays(cls, weights, biases, *, shift=None, scale=None, clip=5.0, tanh=False, squash=False, noise=None, note=None, env=None):
        """A policy of arrays: layer i computes x @ weights[i] + biases[i], hidden layers end with ReLU or tanh. An observation x is
        clamp((x - shift) * scale, -clip, clip) first. With `env`, the policy is for the task of that environment."""
        weights = [array(one, np.float32) for one in weights]
        biases = [array(one, np.float32) for one in biases]
        most = _c.CONSTANTS["SN_MAX_POLICY_LAYERS"]
        if not 0 < len(weights) <= most or len(weights) != len(biases):
            raise ValueError("a policy has 1 to %d layers, each with weights and biases" % most)
        widths = [weights[0].shape[0]] + [one.shape[1] for one in weights]
        for one, bias, before, after in zip(weights, biases, widths, widths[1:]):
            if one.shape != (before, after) or bias.shape != (after,):
                raise ValueError("a layer has weights %s and biases %s, but (%d, %d) is needed" % (one.shape, bias.shape, before, after))
        n = widths[0]
        shift = array(0 if shift is None else shift, np.float32, (n,), "shift")
        scale = array(1 if scale is None else scale, np.float32, (n,), "scale")
        data = _c.sn_policy_data()
        data.layers = len(weights)
        for i, width in enumerate(widths):
            data.width[i] = width
        for i, (one, bias) in enumerate(zip(weights, biases)):
            data.weight[i], data.bias[i] = address(one), address(bias)
        data.tanh, data.squash, data.clip = bool(tanh), bool(squash), float(clip)
        data.shift, data.scale = address(shift), address(scale)
        if noise is not None:
            noise = array(noise, np.float32, (widths[-1],), "noise")
            data.noise = address(noise)
        data.note = None if note is None else note.encode()
        error = _c.sn_error()
        return cls._own(lib.sn_policy_create(ctypes.byref(data), env._pointer if env else None, ctypes.byref(error)), error)

    @classmethod
    def from_torch(cls, module, *, env=None, shift=None, scale=None, clip=5.0, noise=None, note=None):
        """A policy of a torch module: a Sequential of Linear layers with ReLU or Tanh between them, or one that to_torch made."""
        from torch import nn

        layers = [one for one in module.modules() if isinstance(one, (nn.Linear, nn.ReLU, nn.Tanh))]
        linear = [one for one in layers if isinstance(one, nn.Linear)]
        between = {type(one) for one in layers[:-1] if not isinstance(one, nn.Linear)}
        if not linear or len(between) > 1:
            raise ValueError("from_torch takes Linear layers with ReLU or with Tanh between them")
        if shift is None and hasattr(module, "shift"):
            shift, scale, clip = module.shift.detach().cpu().numpy(), module.scale.detach().cpu().numpy(), float(module.clip)
        return cls.from_arrays(
            [one.weight.detach().cpu().numpy().T for one in linear], [one.bias.detach().cpu().numpy() for one in linear], shift=shift,
            scale=scale, clip=clip, tanh=nn.Tanh in between, squash=isinstance(layers[-1], nn.Tanh), noise=noise, note=note, env=env)

    @classmethod
    def from_onnx(cls, path, *, env=None, order=None, note=None):
        """A policy of an ONNX file: Sub, Mul or Div and Clip of the observation, then Gemm, or MatMul and Add, with Relu or Tanh.
        `order` names the observations as the network expects them; `env` says in which order the environment gives them."""
        from . import onnx

        found = onnx.read(path)
        if order is not None:
            if env is None or env.observation_names is None:
                raise ValueError("an order of names needs an environment with names of observations")
            place = {name: i for i, name in enumerate(env.observation_names)}
            unknown = [name for name in order if name not in place]
            if unknown:
                raise ValueError("the environment does not observe %s" % ", ".join(map(repr, unknown[:5])))
            rows = [place[name] for name in order]
            first = np.zeros((env.observations, found["weights"][0].shape[1]), np.float32)
            first[rows] = found["weights"][0]
            found["weights"][0] = first
            for key, empty in (("shift", 0), ("scale", 1)):
                whole = np.full(env.observations, empty, np.float32)
                whole[rows] = found[key]
                found[key] = whole
        return cls.from_arrays(**found, env=env, note=note)

    @property
    def _pointer(self):
        return self._handle.pointer

    def _data(self):
        data = _c.sn_policy_data()
        lib.sn_policy_get(self._pointer, ctypes.byref(data))
        return data

    def arrays(self):
        """The network as a dict, as from_arrays takes it: weights, biases, shift, scale, clip, tanh, squash, noise, note."""
        data = self._data()

        def values(place, *shape):
            count = int(np.prod(shape))
            return np.frombuffer((ctypes.c_float * count).from_address(place), np.float32).reshape(shape).copy()

        widths = list(data.width)[:data.layers + 1]
        return {
            "weights": [values(data.weight[i], widths[i], widths[i + 1]) for i in range(data.layers)],
            "biases": [values(data.bias[i], widths[i + 1]) for i in range(data.layers)],
            "shift": values(data.shift, widths[0]), "scale": values(data.scale, widths[0]), "clip": float(data.clip),
            "tanh": data.tanh, "squash": data.squash, "noise": values(data.noise, widths[-1]) if data.noise else None,
            "note": data.note.decode() if data.note else None,
        }

    def act(self, observation, out=None):
        """Actions without noise, one row for each row of observations."""
        rows = np.asarray(observation)
        flat = np.ascontiguousarray(rows, np.float32).reshape(-1, self.observations)
        action = out if out is not None else np.empty((len(flat), self.actions), np.float32)
        check(lib.sn_policy_act(self._pointer, len(flat), address(flat), address(action)))
        return action.reshape(rows.shape[:-1] + (self.actions,))

    __call__ = act

    def check(self, env):
        """Raises unless the policy is for the environment's character, observations and actions."""
        error = _c.sn_error()
        check(lib.sn_policy_check(self._pointer, env._pointer, ctypes.byref(error)), error)

    def evaluate(self, env, seed=None):
        """Runs one episode in every copy without noise, and returns the Score."""
        seeds = None if seed is None else env._seeds(seed)
        episodes = (_c.sn_policy_episode * env.copies)()
        error = _c.sn_error()
        env._checked(lib.sn_policy_evaluate(self._pointer, env._pointer, address(seeds), episodes, ctypes.byref(error)), error)
        score = _c.sn_policy_score()
        lib.sn_policy_add_up(env.copies, episodes, ctypes.byref(score))
        return Score(score.episodes, score.lasted, score.normalised, score.mean)

    def save(self, path):
        """Writes a policy file or, if the name ends in .onnx, an ONNX file."""
        error = _c.sn_error()
        check(lib.sn_policy_save(self._pointer, os.fsencode(path), ctypes.byref(error)), error)

    export = save

    def to_torch(self):
        """The policy as a torch module with the same numbers."""
        from .torch import Network

        return Network(self.arrays())

    def __bytes__(self):
        size = lib.sn_policy_write(self._pointer, None, 0)
        data = ctypes.create_string_buffer(size)
        lib.sn_policy_write(self._pointer, data, size)
        return data.raw

    def __reduce__(self):
        return Policy.parse, (bytes(self),)

    def __repr__(self):
        data = self._data()
        widths = "-".join(str(data.width[i]) for i in range(data.layers + 1))
        return "<policy %s, %s>" % (widths, "tanh" if data.tanh else "ReLU")
