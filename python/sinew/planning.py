"""Derivatives of a step and plans over many copies."""
import numpy as np

from .model import Model  # noqa: F401


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
    wide = _scratch(world, 2 * columns, threads)
    its = wide.members[world.members.index(member)]
    row = (lambda one: np.asarray(one, float).reshape(-1, one.shape[-1])[0])
    q, qd = row(member.q), row(member.qd)
    target, forward = row(member.target_q), row(member.feedforward)
    step = np.zeros((2, columns, columns))
    step[0, range(columns), range(columns)] = epsilon
    step[1] = -step[0]
    step = step.reshape(2 * columns, 3, nv)
    its.q = model.pose_add(q, step[:, 0])
    its.qd = qd + step[:, 1]
    if inputs == "target":
        its.target_q, its.feedforward = model.pose_add(target, step[:, 2]), forward
    else:
        its.target_q, its.feedforward = target, forward + step[:, 2]
    wide.step()
    q1 = np.asarray(its.q, float)
    dq = model.pose_subtract(q1[:columns], q1[columns:]) / (2 * epsilon)
    qd1 = np.asarray(its.qd, float)
    dqd = (qd1[:columns] - qd1[columns:]) / (2 * epsilon)
    J = np.concatenate([dq, dqd], 1).T
    return J[:, :2 * nv].copy(), J[:, 2 * nv:].copy()


def _scratch(world, copies, threads=1):
    """A world with the same scene in so many copies, kept for the next call. Every call starts it afresh."""
    kept = world.__dict__.setdefault("_scratches", {})
    key = (copies, len(world._script))
    if key not in kept:
        kept.clear()
        kept[key] = world.replicate(copies, setting="exact", threads=threads, report_contacts=False)
    wide = kept[key]
    for mine, its in zip(world.members, wide.members):
        its.reset(q=np.asarray(mine.q, float).reshape(-1, mine.model.nq)[0], qd=np.asarray(mine.qd, float).reshape(-1, mine.model.nv)[0])
    world._hand_to(wide)  # gains, pushes and masses may have changed since the last call
    return wide


def mppi(world, member, cost, *, plan, samples=64, horizon=24, noise=0.1, temperature=0.1, threads=1, random=None):
    """One improvement of a plan of targets by sampling futures (predictive sampling with exponential weights).

    `plan` (horizon, nu) has displacements of the last nu velocity coordinates from the target pose that the member has now;
    `cost(member)` gives a cost for each copy after a step. All futures start in the state of the world, in a world with one copy for
    each. Returns the new plan, shifted by nothing, and the mean cost of the best future."""
    random = random or np.random.default_rng(0)
    model = member.model
    wide = _scratch(world, samples, threads)
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
