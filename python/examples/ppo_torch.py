"""PPO in torch over a Sinew environment: what a trainer of your own looks like. Arrays are shared, nothing is copied.

usage: ppo_torch.py [SAMPLES]      1,000,000 reach a normalised return above .9; the default only shows that it works"""
import sys
import time

import numpy as np
import torch
from torch import nn

import sinew

samples = int(float(sys.argv[1])) if len(sys.argv) > 1 else 16384
torch.set_num_threads(1)
torch.manual_seed(0)
copies, horizon, epochs, minibatch = 256, 16, 3, 512
gamma, lam, clip, noise = 0.95, 0.95, 0.2, 0.05
env = sinew.Environment("humanoid", "walk", copies=copies, threads=1)
n, m = env.observations, env.actions


def network(out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(n, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, out))


actor, critic = network(m), network(1)
with torch.no_grad():
    actor[-1].weight *= 0.01
actor_adam, critic_adam = torch.optim.Adam(actor.parameters(), 5e-5), torch.optim.Adam(critic.parameters(), 5e-4)
out = env.buffers()
seen = {name: torch.from_numpy(one) for name, one in out.items()}  # the same memory
obs = torch.zeros(horizon + 1, copies, n)
acts = torch.zeros(horizon, copies, m)
rewards, ends, finals = torch.zeros(horizon, copies), torch.zeros(horizon, copies), torch.zeros(horizon, copies)
mean, square, count = torch.zeros(n), torch.ones(n), 0
spent = {"environment": 0.0, "acting": 0.0, "updates": 0.0}
seen["observation"].copy_(torch.from_numpy(env.reset(seed=0)))


def scaled(x: torch.Tensor) -> torch.Tensor:
    return ((x - mean) / (square - mean * mean).clamp_min(4e-4).sqrt()).clamp(-5, 5)


def log_density(x: torch.Tensor, a: torch.Tensor) -> torch.Tensor:
    return -((a - actor(x)) ** 2).sum(-1) / (2 * noise * noise)


done = 0
while done < samples:
    clock = time.process_time()
    for t in range(horizon):
        obs[t] = seen["observation"]
        with torch.no_grad():
            acts[t] = actor(scaled(obs[t])) + noise * torch.randn(copies, m)
        began = time.process_time()
        spent["acting"] += began - clock
        env.step(acts[t].numpy(), out=out)
        clock = time.process_time()
        spent["environment"] += clock - began
        rewards[t] = seen["reward"]
        ends[t] = (seen["terminated"] | seen["truncated"]).float()
        with torch.no_grad():  # what could still have come where only the time was up
            finals[t] = torch.where(seen["truncated"], critic(scaled(seen["final"]))[:, 0], torch.zeros(copies))
    obs[horizon] = seen["observation"]
    rows = obs[:horizon].reshape(-1, n)
    weight = len(rows) / (count + len(rows))
    mean, square, count = mean + weight * (rows.mean(0) - mean), square + weight * ((rows**2).mean(0) - square), count + len(rows)
    with torch.no_grad():
        values = critic(scaled(obs))[..., 0]
        advantage, last = torch.zeros(horizon, copies), torch.zeros(copies)
        for t in reversed(range(horizon)):
            after = torch.where(ends[t] > 0, finals[t], values[t + 1])
            last = rewards[t] + gamma * after - values[t] + gamma * lam * (1 - ends[t]) * last
            advantage[t] = last
        x, a, target = scaled(rows), acts.reshape(-1, m), (advantage + values[:horizon]).reshape(-1)
        advantage = ((advantage - advantage.mean()) / (advantage.std() + 1e-8)).clamp(-4, 4).reshape(-1)
        before = log_density(x, a)
    moved = []
    for epoch in range(epochs if done else 0):  # the first rollout only measures the scale of observations
        for part in torch.randperm(len(x)).split(minibatch):
            change = log_density(x[part], a[part]) - before[part]
            ratio = change.exp()
            kl = float((ratio - 1 - change).mean().detach())  # how far the policy has moved
            if epoch == epochs - 1:
                moved.append(kl)
            gain = torch.min(ratio * advantage[part], ratio.clamp(1 - clip, 1 + clip) * advantage[part]).mean()
            if kl < 0.16:
                actor_adam.zero_grad(), (-gain).backward(), nn.utils.clip_grad_norm_(actor.parameters(), 1.0), actor_adam.step()
            loss = ((critic(x[part])[:, 0] - target[part]) ** 2).mean() / 2
            critic_adam.zero_grad(), loss.backward(), nn.utils.clip_grad_norm_(critic.parameters(), 1.0), critic_adam.step()
    for group in actor_adam.param_groups:  # the rate adapts to a divergence of .08 per iteration
        factor = 1.0 if not moved else 1 / 1.5 if np.mean(moved) > 0.16 else 1.5 if np.mean(moved) < 0.04 else 1.0
        group["lr"] = min(max(group["lr"] * factor, 1e-6), 1e-2)
    spent["updates"] += time.process_time() - clock
    done += copies * horizon
    if done % (50 * copies * horizon) == 0:
        print("%.2f M samples, mean reward %.3f" % (done / 1e6, float(rewards.mean())))

deviation = (square - mean * mean).clamp_min(4e-4).sqrt()
policy = sinew.Policy.from_torch(actor, shift=mean.numpy(), scale=(1 / deviation).numpy(), noise=np.full(m, noise), env=env)
score = policy.evaluate(sinew.Environment("humanoid", "walk", copies=32, threads=1), seed=0)
total = sum(spent.values())
print("normalised return %.3f after %d samples, %.0f s of the processor; %s" % (
    score.normalised, done, total, ", ".join("%s %.0f %%" % (name, 100 * one / total) for name, one in spent.items())))
policy.save("walk-torch.sinew")
