"""A task of your own in NumPy: a humanoid learns to stay on its feet while it is pushed. examples/task.c is the same in C.

usage: balance.py [SECONDS]      without a number it trains for a moment, to show that everything works"""
import sys

import numpy as np

import sinew


class Balance(sinew.Task):
    name, observations, actions, terms = "balance", 43 - 2 + 34, 28, ("upright", "still")

    def __init__(self) -> None:
        self.model = sinew.Model.builtin("humanoid")
        self.kp, self.kd = self.model.gains(frequency=6, precision="float")
        self.kp[:6] = self.kd[:6] = 0  # nothing holds the pelvis

    def scene(self, world: sinew.World) -> None:
        human = world.add(self.model)
        world.plane()
        human.gains = self.kp, self.kd

    def act(self, part: sinew.Part, action: sinew.Array) -> None:
        since = part.steps % 45  # every 1.5 s up to 120 N on the pelvis, for 0.2 s and from a random side
        angle, force = 6.2832 * part.random(0, ago=since), 120 * part.random(1, ago=since)
        force[(part.steps < 45) | (since >= 6)] = 0
        pushes = np.zeros((part.copies, self.model.nbody, 6))
        pushes[:, 0, 0], pushes[:, 0, 1] = force * np.cos(angle), force * np.sin(angle)
        part.member.pushes = pushes
        super().act(part, action)  # actions turn joints away from the standing pose; then the world runs for 1/30 s

    def observe(self, part: sinew.Part) -> sinew.Array:
        return np.concatenate([part.member.q[:, 2:], part.member.qd], 1)

    def reward(self, part: sinew.Part) -> sinew.Array:
        q, qd = part.member.q, part.member.qd
        up = 1 - 2 * (q[:, 4] ** 2 + q[:, 5] ** 2)  # height of the pelvis' own z axis
        return np.stack([0.6 * np.maximum(0, up), 0.4 * np.exp(-2 * (qd[:, 0] ** 2 + qd[:, 1] ** 2))], 1)

    def ends(self, part: sinew.Part) -> sinew.Array:
        return np.asarray(part.member.diverged | (part.member.q[:, 2] < 0.7 * self.start[2]))


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    env = sinew.Environment(Balance(), copies=256 if seconds else 32, seed=1, threads=1)
    trainer = sinew.Trainer(env, seed=1, gamma=0.97)  # a fall takes about a second: 30 control steps
    print(trainer.run(seconds=seconds, callback=lambda p: p.iterations % 25 == 0 and print("%.0f s: return %.0f of 300" % (p.seconds, p.mean_return))))
    if seconds:
        score = trainer.policy.evaluate(env, seed=7)
        print("%d of %d stay up for 10 s; on average they last %.1f s" % (score.lasted, score.episodes, score.seconds))
