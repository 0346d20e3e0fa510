"""A humanoid balances under pushes: linear-quadratic feedback about the standing pose, from World.linearize.

Up to 70 N it stays up for 10 s, with feedback and without; above that it would have to take a step, which this controller cannot.

usage: plan.py [SECONDS] [PUSH]      10 s and 50 N by default"""
import sys
import time

import numpy as np

import sinew

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
newtons = float(sys.argv[2]) if len(sys.argv) > 2 else 50.0


def scene() -> sinew.Member:
    model = sinew.Model.builtin("humanoid")
    world = sinew.World(dt=1 / 120)
    human = world.add(model)
    world.plane()
    human.gains = model.gains(frequency=6, dt=1 / 120)
    human.q = human.target = human.stand()
    world.step(240)
    return human


def stays_up(feedback: bool) -> float:
    human = scene()
    world, model = human.world, human.model
    n = model.nv
    q0, target = human.q, human.target
    if feedback:
        human.qd = np.zeros(n)
        A, B = world.linearize(epsilon=1e-4)
        com = sinew.Dynamics(model).mass_matrix(q0)[:3] / model.mass  # how the centre of mass moves with qd
        Q = np.diag(np.concatenate([np.ones(n), np.full(n, 0.1)]))
        Q[:n, :n] += 1e4 * com.T @ com
        Q[n:, n:] += 1e3 * com.T @ com
        K = sinew.lqr(A, B[:, 6:], Q, 100 * np.eye(n - 6), steps=400)
    random = np.random.default_rng(0)
    for step in range(int(seconds * 120)):
        if step % 240 == 120:  # every 2 s, for .2 s, from a random side
            angle = random.uniform(0, 2 * np.pi)
            human.push("pelvis", newtons * np.array([np.cos(angle), np.sin(angle), 0]))
        elif step % 240 == 144:
            human.push("pelvis")
        if feedback:
            x = np.concatenate([model.pose_subtract(human.q, q0), human.qd])
            turn = np.zeros(n)
            turn[6:] = np.clip(-K @ x, -0.5, 0.5)
            human.target = model.pose_add(target, turn)
        world.step()
        if human.q[2] < 0.6 * q0[2]:
            return step / 120
    return seconds


for feedback in (False, True):
    start = time.perf_counter()
    lasted = stays_up(feedback)
    print("%s feedback: up for %.1f of %.0f s under %.0f N (%.1f s of work)" % (
        "with" if feedback else "without", lasted, seconds, newtons, time.perf_counter() - start))
