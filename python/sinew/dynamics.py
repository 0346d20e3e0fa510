"""Questions about a model without a world: mass matrices, Jacobians, inverse and forward dynamics."""
import ctypes

import numpy as np

from . import _c
from ._lib import Handle, address, array, check, definition, document, lib, made
from .world import Summary


class Dynamics:
    """A calculator for one model. Arrays of states may have any number of leading axes."""

    def __init__(self, model, **settings):
        defined = definition("sn_dynamics_def", **settings)
        error = _c.sn_error()
        pointer = made(lib.sn_dynamics_create(model._pointer, ctypes.byref(defined), ctypes.byref(error)), error)
        self.model = model
        self._handle = Handle(pointer, lib.sn_dynamics_free, model._handle)

    def _rows(self, values, n, name):
        values = np.asarray(values, float)
        if values.shape[-1:] != (n,):
            raise ValueError("%s has %d values in each row, not %s" % (name, n, values.shape))
        return values.shape[:-1], array(values).reshape(-1, n)

    def mass_matrix(self, q):
        """M (..., nv, nv), armature included."""
        rows, q = self._rows(q, self.model.nq, "q")
        M = np.empty((len(q), self.model.nv, self.model.nv))
        for one, place in zip(q, M):
            check(lib.sn_dynamics_mass_matrix(self._handle.pointer, address(one), address(place)))
        return M.reshape(rows + M.shape[1:])

    def _solve(self, function, q, qd, values, push):
        rows, q = self._rows(q, self.model.nq, "q")
        qd = array(0 if qd is None else qd, np.float64, rows + (self.model.nv,), "qd").reshape(-1, self.model.nv)
        values = array(0 if values is None else values, np.float64, rows + (self.model.nv,)).reshape(-1, self.model.nv)
        if push is not None:
            push = array(push, np.float64, rows + (self.model.nbody, 6), "push").reshape(-1, self.model.nbody, 6)
        result = np.empty((len(q), self.model.nv))
        for i in range(len(q)):
            given = None if push is None else address(push[i])
            check(function(self._handle.pointer, address(q[i]), address(qd[i]), given, address(values[i]), address(result[i])))
        return result.reshape(rows + (self.model.nv,))

    def inverse(self, q, qd=None, qdd=None, push=None):
        """The torques tau (..., nv) of M qdd + C = tau; C has gravity, damping, springs and pushes (..., nbody, 6)."""
        return self._solve(lib.sn_dynamics_inverse, q, qd, qdd, push)

    def forward(self, q, qd=None, tau=None, push=None):
        """The accelerations qdd (..., nv) of M qdd + C = tau."""
        return self._solve(lib.sn_dynamics_forward, q, qd, tau, push)

    def jacobian(self, q, body, point=(0, 0, 0)):
        """J (6, nv): linear and angular velocity, world axes, of a point of a body for each unit of qd."""
        q, point = array(q, np.float64, (self.model.nq,), "q"), array(point, np.float64, (3,), "point")
        J = np.empty((6, self.model.nv))
        check(lib.sn_dynamics_jacobian(self._handle.pointer, address(q), self.model.body(body), address(point), address(J)))
        return J

    def bodies(self, q, qd=None):
        """Poses (nbody, 7) and velocities (nbody, 6) of all bodies in the world."""
        q = array(q, np.float64, (self.model.nq,), "q")
        qd = None if qd is None else array(qd, np.float64, (self.model.nv,), "qd")
        pose, velocity = np.empty((self.model.nbody, 7)), np.empty((self.model.nbody, 6))
        check(lib.sn_dynamics_bodies(self._handle.pointer, address(q), address(qd), address(pose), address(velocity), None))
        return pose, velocity

    def summary(self, q, qd=None):
        """Energy, centre of mass and momentum."""
        q = array(q, np.float64, (self.model.nq,), "q")
        qd = None if qd is None else array(qd, np.float64, (self.model.nv,), "qd")
        found = _c.sn_summary()
        check(lib.sn_dynamics_bodies(self._handle.pointer, address(q), address(qd), None, None, ctypes.byref(found)))
        return Summary(found.kinetic, found.potential, np.array(found.com), np.array(found.linear_momentum),
                       np.array(found.angular_momentum))

    def __repr__(self):
        return "<dynamics of %r>" % self.model.name


Dynamics.__doc__ = document("sn_dynamics_def", Dynamics.__doc__)
