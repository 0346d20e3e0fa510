"""Finds the mass and the gains of a character from a recording of how it moves, by CMA-ES over copies of one world."""
import numpy as np

import sinew

model = sinew.Model.builtin("humanoid")
kp, kd = model.gains(frequency=4)
search = sinew.Search(3, candidates=16, width=0.3, seed=1)
world = sinew.World(copies=17, contact="none", gravity=(0, 0, 0))
people = world.add(model)
home = model.home_pose
turn = np.zeros(model.nv)
turn[6:] = 0.4


def run(factors: sinew.Array) -> sinew.Array:
    """Poses over time of all copies with factors (17, 3) of mass, kp and kd, while the target jumps there and back."""
    people.reset(q=home)
    people.push("pelvis", force=(50, 0, 0))  # a known force tells mass from gains
    people.mass_scale = factors[:, 0]
    people.gains = factors[:, 1:2] * kp, factors[:, 2:3] * kd
    poses = []
    for sign in (1, -1, 0):
        people.target = model.pose_add(home, sign * turn)
        for _ in range(4):
            world.step(6)
            poses.append(people.q)
    return np.stack(poses, 1)


truth = np.array([1.3, 0.8, 1.6])
for generation in range(30):
    candidates = search.ask()
    poses = run(np.concatenate([truth[None], np.exp(candidates)]))  # copy 0 is what was recorded
    search.tell(-((poses[1:] - poses[:1]) ** 2).sum((1, 2)))
found = np.exp(search.best[0])
print("factors of mass, kp, kd: found %s, were %s" % (found.round(4), truth))
assert np.abs(found - truth).max() < 0.05
