"""Learns to walk with the built-in trainer, and saves what it learned.

usage: train.py [SECONDS]      without a number it trains for a moment"""
import sys

import sinew

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
env = sinew.Environment("humanoid", "walk", copies=256 if seconds > 1 else 32, threads=0)
trainer = sinew.Trainer(env, hidden=(128, 128))
curve = []
last = trainer.run(seconds=seconds, callback=lambda p: curve.append((p.samples, p.mean_return)))
print("%d samples in %.0f s, return %.1f" % (last.samples, last.seconds, last.mean_return))
policy = trainer.policy
print(policy.evaluate(env, seed=0))
policy.save("walk.sinew")
policy.export("walk.onnx")
try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.plot(*zip(*curve))
    plt.xlabel("samples"), plt.ylabel("mean return")
    plt.savefig("walk.png")
except ImportError:
    print("matplotlib is not installed: no picture")
