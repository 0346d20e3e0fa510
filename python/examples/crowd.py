"""4,096 humanoids follow a walk, each at its own phase and with its own weight; those that fall start again."""
import time

import numpy as np

import sinew

model = sinew.Model.builtin("humanoid")
crowd = sinew.World(copies=4096, precision="float", setting="crowd", threads=0)
many = crowd.add(model)
crowd.plane()
many.gains = model.gains(precision="float")

walk = sinew.Motion.builtin("walk", model)
phase = np.linspace(0, walk.duration, 4096)
many.q, many.qd = walk.sample(phase)
many.follow(walk)
many.phase = phase
many.mass_scale = np.random.default_rng(0).uniform(0.8, 1.2, 4096)

start = time.perf_counter()
for _ in range(15):
    crowd.step(8)
    fallen = many.q[:, 2] < 0.6
    many.reset(where=fallen, q=walk.sample(0)[0])
print("%d steps of 4,096 humanoids in %.2f s; %d are down" % (15 * 8, time.perf_counter() - start, fallen.sum()))
