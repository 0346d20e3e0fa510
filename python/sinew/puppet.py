"""Characters that a stick steers, in a world of your own."""
import ctypes
import math
import weakref

import numpy as np

from . import _c
from ._lib import Handle, address, array, check, lib, made
from .policy import Policy

_MODES = {number: name for name, number in _c.ENUMS["sn_puppet_mode"].items()}
# Policies by name. The puppets of a world share them: one matrix product serves all of them. Two worlds do not, because a policy
# serves one thread at a time.
_shared = weakref.WeakKeyDictionary()


def _policy(world, policy):
    if policy is None or isinstance(policy, Policy):
        return policy
    known = _shared.setdefault(world, {})
    if policy not in known:
        known[policy] = Policy.load(policy)
    return known[policy]


class Puppet:
    """A member of your world that goes where a stick says:

        puppet = sinew.Puppet(human)
        puppet.stick = 1.2, 0, 0.5             # m/s ahead, m/s to the left, rad/s to the left
        for _ in range(2400):
            sinew.Puppet.step_all([puppet])    # before each step of the world, with all puppets
            world.step()

    The member is the built-in humanoid, standing; 1/30 s must be a whole number of steps of the world. `go` and `get_up` are policies
    or their names; with get_up=None it lies where it falls. `copy` is the copy of the world that it is in."""

    def __init__(self, member, go="humanoid-stick", get_up="humanoid-get-up", copy=0):
        go, get_up = _policy(member.world, go), _policy(member.world, get_up)
        if go is None:
            raise TypeError("a puppet needs a policy to go with")
        error = _c.sn_error()
        pointer = lib.sn_puppet_create(member.world._pointer, member._number, copy, go._handle.pointer,
                                       get_up._handle.pointer if get_up else None, ctypes.byref(error))
        needs = [member.world._handle, go._handle] + ([get_up._handle] if get_up else [])
        self._handle = Handle(made(pointer, error), lib.sn_puppet_free, *needs)
        self.member, self.copy, self._stick = member, copy, (0.0, 0.0, 0.0)

    @property
    def _pointer(self):
        return self._handle.pointer

    @property
    def stick(self):
        """Speed ahead and to the left, m/s, and turn to the left, rad/s, as you set them; None: you let it go."""
        return self._stick

    @stick.setter
    def stick(self, stick):
        if stick is None:
            self._stick = None
            lib.sn_puppet_stick(self._pointer, None)
            return
        row = array(stick, np.float64, (3,), "stick")
        self._stick = tuple(float(x) for x in row)
        lib.sn_puppet_stick(self._pointer, address(row))

    def let_go(self):
        """It is a ragdoll until you set the stick again."""
        self.stick = None

    def head(self, heading, speed):
        """Sets the stick so that it goes at `speed` in the direction `heading`, rad about the vertical of the world. Call it before
        each step, or as often as you like."""
        w, x, y, z = self.reference[3:7]
        off = math.remainder(heading - math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)), 2 * math.pi)
        self.stick = speed * max(0.0, math.cos(off)), 0.0, max(-2.0, min(2.0, 3 * off))

    @property
    def mode(self):
        """What it does: "goes", "lies", "gets_up" or "limp"."""
        return _MODES[lib.sn_puppet_get(self._pointer, None, None)]

    @property
    def planned(self):
        """The stick that it can follow at the moment."""
        planned = np.zeros(3)
        lib.sn_puppet_get(self._pointer, address(planned), None)
        return planned

    @property
    def reference(self):
        """The pose q that it should have now, as a ghost."""
        reference = np.zeros(self.member.model.nq)
        lib.sn_puppet_get(self._pointer, None, address(reference))
        return reference

    def _place(self):
        size = ctypes.c_size_t()
        return lib.sn_puppet_state(self._pointer, ctypes.byref(size)), size.value

    @property
    def state(self):
        """Its state beside that of the world, as bytes. Set them together with a snapshot of the world to go back in time."""
        return ctypes.string_at(*self._place())

    @state.setter
    def state(self, state):
        place, size = self._place()
        if len(state) != size:
            raise ValueError("the state of a puppet has %d bytes, not %d" % (size, len(state)))
        ctypes.memmove(place, state, size)

    @staticmethod
    def step_all(puppets):
        """Call this before each step of the world, with all puppets."""
        puppets = list(puppets)
        table = (ctypes.c_void_p * len(puppets))(*(one._pointer for one in puppets))
        error = _c.sn_error()
        check(lib.sn_puppets_step(table, len(puppets), ctypes.byref(error)), error)

    def __repr__(self):
        return "<puppet that %s>" % {"goes": "goes", "lies": "lies", "gets_up": "gets up", "limp": "is limp"}[self.mode]
