"""World and Member of _hot.c again, by ctypes alone: where the C file cannot be loaded, or SINEW_PURE is set."""
import numpy as np

from . import _c
from ._errors import ClosedError


class World:
    """Calls on a world that stand in loops."""

    def _attach(self, address, copies, is_float, long_calls):
        from ._lib import lib, world_failed

        self._address, self._count, self._is_float = address, copies, is_float
        self._step, self._hash, self._time, self._failed = lib.sn_world_step, lib.sn_world_hash, lib.sn_world_time, world_failed

    def _live(self):
        address = getattr(self, "_address", None)
        if not address:
            raise ClosedError("this world is closed")
        return address

    def step(self, n=1, /):
        """Makes n steps of all copies. Each has `substeps` substeps of `dt`."""
        address, step = self._live(), self._step
        for _ in range(n):
            status = step(address)
            if status:
                self._failed(self, status)

    def hash(self):
        """A hash of all positions and velocities, bit by bit, for comparing runs."""
        return self._hash(self._live())

    @property
    def time(self):
        """Seconds that have been stepped."""
        return self._time(self._live())


class Member:
    """Fields of a member."""

    __slots__ = ("_world", "_pure_number", "_pure_shapes")

    def _attach(self, world, number, shapes, nq):
        self._world, self._pure_number, self._pure_shapes = world, number, shapes

    def _get(self, field):
        from ._lib import DOUBLE, FLOAT, address, lib

        world = self._world
        live = world._live()
        values = np.empty(self._pure_shapes[field], FLOAT if world._is_float else DOUBLE)
        status = lib.sn_world_take(live, self._pure_number, field, address(values))
        if status:
            world._failed(world, status)
        values.setflags(write=False)
        return values

    def _put(self, field, value):
        from ._lib import _coerce, address, lib

        world = self._world
        values = _coerce(self, field, value)
        status = lib.sn_world_put(world._live(), self._pure_number, field, None, address(values))
        if status:
            world._failed(world, status)


def _field(number):
    return property(lambda self: self._get(number), lambda self, value: self._put(number, value))


for _name, _about in _c.FIELDS.items():
    setattr(Member, _name, _field(_about[0]))
Member.target = property(lambda self: self._get(_c.FIELDS["target_q"][0]), lambda self, value: self._set_target(value))
