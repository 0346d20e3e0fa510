"""Derivatives of a step and plans over many copies."""
import numpy as np

from ._lib import address, lib


def linearize(world, member=None, inputs="target", epsilon=1e-5, threads=1):
    """See World.linearize."""
    member = member or world.members[0]
    if world.copies != 1:
        raise ValueError("linearize takes a world of one copy")
    if inputs not in ("target", "torque"):
        raise ValueError("inputs is 'target' or 'torque', not %r" % inputs)
    model = member.model
    nv = model.nv
    columns = 3 * nv
    moved = "target_q" if inputs == "target" else "feedforward"
    wide = _scratch(world, 2 * columns, threads, ("q", "qd", moved))
    number = world.members.index(member)
    its = wide.members[number]
    made = wide.__dict__.setdefault("_made", {})
    if number not in made:
        last = _Turns(model, 2 * nv) if inputs == "target" else _Shifts(nv, 2 * nv)
        made[number] = _Turns(model, 0), _Shifts(nv, nv), last
    for name, rows in zip(("q", "qd", moved), made[number]):
        setattr(its, name, rows.about(_row(getattr(member, name)), epsilon))
    wide.step()
    q1, qd1 = its.q, its.qd
    J = np.empty((2 * nv, columns))
    J[:nv] = model.pose_subtract(q1[:columns], q1[columns:]).T
    J[nv:] = (qd1[:columns] - qd1[columns:]).T
    J /= 2 * epsilon
    return J[:, :2 * nv].copy(), J[:, 2 * nv:].copy()


def _row(values):
    return np.asarray(values, float).reshape(-1, values.shape[-1])[0]


class _Shifts:
    """A row of n velocities or torques for each of 3 n unknowns, up and then down: those from `first` on shift their own value."""

    def __init__(self, n, first):
        self.unit = np.zeros((2, 3 * n, n))
        self.unit[0, range(first, first + n), range(n)] = 1
        self.unit[1] = -self.unit[0]
        self.unit = self.unit.reshape(-1, n)
        self.rows = np.empty_like(self.unit)

    def about(self, row, epsilon):
        np.multiply(self.unit, epsilon, out=self.rows)
        self.rows += row
        return self.rows


class _Turns:
    """A pose for each of 3 nv unknowns, up and then down: those from `first` on turn their own coordinate.

    Row r of `pattern` moves the r-th coordinate of every joint. A joint does not see the others, so these few poses hold all the
    values that the poses of single coordinates need: value `source` of them goes to `place`."""

    def __init__(self, model, first):
        self.model = model
        self.pattern = np.zeros((2, 6, model.nv))
        self.rows = np.empty((6 * model.nv, model.nq))
        place, source = [], []
        for body in map(model.bodies.__getitem__, range(model.nbody)):
            for r in range(body.v.stop - body.v.start):
                self.pattern[:, r, body.v.start + r] = 1, -1
                for half in range(2):
                    for column in range(body.q.start, body.q.stop):
                        place.append((half * 3 * model.nv + first + body.v.start + r) * model.nq + column)
                        source.append((half * 6 + r) * model.nq + column)
        self.base, self.turn, self.turned = np.empty((12, model.nq)), np.empty((12, model.nv)), np.empty((12, model.nq))
        self.pattern = self.pattern.reshape(self.turn.shape)
        self.place, self.source = np.array(place), np.array(source)

    def about(self, q, epsilon):
        self.rows[:] = self.base[:] = q
        np.multiply(self.pattern, epsilon, out=self.turn)
        lib.sn_model_pose_add(self.model._pointer, len(self.base), *map(address, (self.base, self.turn, self.turned)))
        self.rows.reshape(-1)[self.place] = self.turned.reshape(-1)[self.source]
        return self.rows


def _scratch(world, copies, threads, own):
    """A world with the same scene in so many copies, kept for the next call. Every call starts it afresh. The caller sets the
    fields `own` of all members; the others are handed over if they have changed since the last call."""
    kept = world.__dict__.setdefault("_scratches", {})
    key = (copies, threads, own, len(world._script))
    if key not in kept:
        kept.clear()
        kept[key] = world.replicate(copies, setting="exact", threads=threads, report_contacts=False), {}
    wide, handed = kept[key]
    for mine, its in zip(world.members, wide.members):
        its.reset(q=_row(mine.q), qd=_row(mine.qd))
    world._hand_to(wide, own, handed)
    return wide


def mppi(world, member, cost, *, plan, samples=64, horizon=24, noise=0.1, temperature=0.1, threads=1, random=None):
    """One improvement of a plan of targets by sampling futures (predictive sampling with exponential weights).

    `plan` (horizon, nu) has displacements of the last nu velocity coordinates from the target pose that the member has now;
    `cost(member)` gives a cost for each copy after a step. All futures start in the state of the world, in a world with one copy for
    each. Returns the new plan, shifted by nothing, and the mean cost of the best future."""
    random = random or np.random.default_rng(0)
    model = member.model
    wide = _scratch(world, samples, threads, ("q", "qd"))
    its = wide.members[world.members.index(member)]
    base = np.asarray(member.target_q, float).reshape(-1, model.nq)[0]
    nu = plan.shape[1]
    tried = plan[None] + noise * random.standard_normal((samples, horizon, nu))
    tried[0] = plan
    total = np.zeros(samples)
    turn = np.zeros((samples, model.nv))
    for t in range(horizon):
        turn[:, model.nv - nu:] = tried[:, t]
        its.target_q = model.pose_add(base, turn)
        wide.step()
        total += cost(its)
    best = total.min()
    weight = np.exp(-(total - best) / max(temperature * (np.median(total) - best), 1e-12))
    weight /= weight.sum()
    return np.tensordot(weight, tried, 1), best / horizon


def lqr(A, B, Q, R, steps=200):
    """Gains K (nu, n) of a linear-quadratic regulator about a point: u = -K x. A and B are those of World.linearize, Q and R the
    costs of state and input. The recursion runs backwards for so many steps."""
    Q, R = np.asarray(Q, float), np.asarray(R, float)
    P = Q.copy()
    K = np.zeros((B.shape[1], A.shape[0]))
    for _ in range(steps):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K)
        P = (P + P.T) / 2
    return K
