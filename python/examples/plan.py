"""A humanoid balances under pushes from all sides. Linear-quadratic feedback about a standing pose comes from World.linearize.

Without steps, balance ends where a push throws the centre of mass out over the edge of the feet. In the home pose it stands just in
front of the ankles, so 50 N from the front throw it over. Over the middle of the feet it withstands 50 N from every side, and with feedback 90 N.

usage: plan.py [SECONDS] [PUSH]      10 s and 50 N by default"""
import sys
import time

import numpy as np

import sinew

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
newtons = float(sys.argv[2]) if len(sys.argv) > 2 else 50.0
model = sinew.Model.builtin("humanoid")
dynamics = sinew.Dynamics(model)
n = model.nv


def scene() -> sinew.Member:
    world = sinew.World(dt=1 / 120)
    human = world.add(model)
    world.plane()
    human.gains = model.gains(frequency=6, dt=1 / 120)
    human.q = human.target = human.stand()
    world.step(240)
    return human


def com_jacobian(q: sinew.Array) -> sinew.Array:
    """How the centre of mass moves with qd: the momentum of the free root over the mass."""
    return dynamics.mass_matrix(q)[:3] / model.mass


def lean(human: sinew.Member) -> None:
    """Moves the centre of mass over the middle of the feet, which stay where they are. The smallest change of pose that does it is a
    pseudo-inverse away; drives give way a little, so it is repeated."""
    for _ in range(3):
        sole = human.world.contacts()["pos"][:, :2]
        off = (sole.min(0) + sole.max(0)) / 2 - human.summary().com[:2]
        feet = [dynamics.jacobian(human.q, name) for name in ("left_foot", "right_foot")]
        J = np.concatenate([com_jacobian(human.q)] + feet)
        change = np.linalg.pinv(J, rcond=1e-6) @ np.concatenate([off, np.zeros(len(J) - 2)])
        human.q, human.target = model.pose_add(human.q, change), model.pose_add(human.target, change)
        human.qd = np.zeros(n)
        human.world.step(240)


def feedback(human: sinew.Member) -> sinew.Array:
    """Gains of the regulator: the centre of mass is to come back, with little effort."""
    A, B = human.world.linearize(epsilon=1e-4)
    com = com_jacobian(human.q)
    Q = np.diag(np.concatenate([np.ones(n), np.full(n, 0.1)]))
    Q[:n, :n] += 1e4 * com.T @ com
    Q[n:, n:] += 1e3 * com.T @ com
    return sinew.lqr(A, B[:, 6:], Q, 1000 * np.eye(n - 6), steps=400)


def stays_up(leaning: bool, regulated: bool) -> float:
    human = scene()
    if leaning:
        lean(human)
    human.qd = np.zeros(n)
    q0, target = human.q, human.target
    K = feedback(human) if regulated else np.zeros((n - 6, 2 * n))
    for step in range(int(seconds * 120)):
        if step % 240 == 120:  # every 2 s, for .2 s, from the next of eight sides
            angle = np.pi * (1 + 0.75 * (step // 240))
            human.push("pelvis", newtons * np.array([np.cos(angle), np.sin(angle), 0]), duration=0.2)
        x = np.concatenate([model.pose_subtract(human.q, q0), human.qd])
        turn = np.zeros(n)
        turn[6:] = np.clip(-K @ x, -0.5, 0.5)
        human.target = model.pose_add(target, turn)
        human.world.step()
        if human.q[2] < 0.6 * q0[2]:
            return step / 120
    return seconds


for name, leaning, regulated in (("home pose", False, False), ("home pose, feedback", False, True),
                                 ("over the feet", True, False), ("over the feet, feedback", True, True)):
    start = time.perf_counter()
    lasted = stays_up(leaning, regulated)
    print("%-23s up for %4.1f of %.0f s under %.0f N (%.1f s of work)" % (name + ":", lasted, seconds, newtons, time.perf_counter() - start))
