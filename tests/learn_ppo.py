"""PPO once more, by NumPy: learn_ppo.py FILE TOLERANCE compares with what tests/test_learn_numpy.c wrote."""
import sys
import numpy as np


class File:
    def __init__(self, path):
        self.data, self.at = np.fromfile(path), 0

    def take(self, *shape):
        n = int(np.prod(shape))
        x = self.data[self.at : self.at + n].reshape(shape).copy()
        self.at += n
        return x


f = File(sys.argv[1])
tolerance = float(sys.argv[2])
head = f.take(int(f.take(1)[0]))
parts, T, copies, iterations, epochs, minibatch = (int(x) for x in head[:6])
gamma, lam, clip, advantage_clip, value_low, value_high = head[6:12]
momentum = head[12] == 1
actor_rate, critic_rate, kl_target, rate_low, rate_high, norm_limit = head[13:19]
learn_noise, entropy, tanh, noise = head[19] == 1, head[20], head[21] == 2, head[22]
nactor, ncritic, kl_stop = int(head[23]), int(head[24]), head[25]
rests = 0
N = parts * T * copies


def layers(theta, widths):
    out, at = [], 0
    for a, b in zip(widths[:-1], widths[1:]):
        out.append((theta[at : at + a * b].reshape(a, b), theta[at + a * b : at + a * b + b]))
        at += a * b + b
    return out


def forward(theta, widths, x):
    values = [x]
    net = layers(theta, widths)
    for i, (W, b) in enumerate(net):
        z = values[-1] @ W + b
        if i < len(net) - 1:
            z = np.tanh(z) if tanh else np.maximum(z, 0)
        values.append(z)
    return values


def backward(theta, widths, values, dy):
    gradient, net = [], layers(theta, widths)
    for i in reversed(range(len(net))):
        if i < len(net) - 1:
            y = values[i + 1]
            dy = dy * (1 - y * y) if tanh else dy * (y > 0)
        gradient.insert(0, np.concatenate([(values[i].T @ dy).ravel(), dy.sum(0)]))
        dy = dy @ net[i][0].T
    return np.concatenate(gradient)


class Optimiser:
    def __init__(self, n):
        self.m, self.v, self.t = np.zeros(n), np.zeros(n), 0

    def step(self, theta, g, rate):
        n = np.sqrt((g * g).sum())
        if n > norm_limit:
            g = g * (norm_limit / n)
        if momentum:
            self.m = 0.9 * self.m + g
            return theta - rate * self.m
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.999 * self.v + 0.001 * g * g
        return theta - rate * (self.m / (1 - 0.9**self.t)) / (np.sqrt(self.v / (1 - 0.999**self.t)) + 1e-8)


actor, critic = f.take(nactor), f.take(ncritic)
widths_a, widths_c = [2, 16, 12, 1], [2, 16, 12, 1]
seen_all = np.zeros((0, 2))
mean, deviation = np.zeros(2), np.ones(2)
oa, oc = Optimiser(nactor), Optimiser(ncritic)
rate, worst, worst_float = actor_rate, 0.0, 0.0
ends = np.zeros(2)


def normal(x):
    # the library keeps mean and scale as floats
    return np.clip((x - mean.astype(np.float32)) * (1 / deviation).astype(np.float32).astype(float), -5, 5)


def log_probability(theta, mu, a):
    log_noise = theta[-1] if learn_noise else np.log(noise)
    return -0.5 * ((a - mu) / np.exp(log_noise)) ** 2 - log_noise


def difference(a, b):
    return np.abs(a - b).max() / (1 + np.abs(b).max())


for iteration in range(iterations):
    seen = f.take(parts, T + 1, copies, 2)
    final = f.take(parts, T, copies, 2)
    reward = f.take(parts, T, copies)
    terminated = f.take(parts, T, copies) == 1
    truncated = f.take(parts, T, copies) == 1
    action = f.take(N)
    drawn = f.take(N)
    orders = f.take(epochs, N).astype(int)
    ends += [terminated.sum(), (truncated & ~terminated).sum()]

    x = normal(seen[:, :T].reshape(N, 2))
    mu = forward(actor, widths_a, x)[-1][:, 0]
    worst = max(worst, difference(log_probability(actor, mu, action), drawn))

    def value(o):
        v = forward(critic, widths_c, normal(o))[-1][..., 0]
        return np.clip(v, value_low, value_high) if value_high > value_low else v

    V, F = value(seen), value(final)
    advantage = np.zeros((parts, T, copies))
    later = np.zeros((parts, copies))
    for t in reversed(range(T)):
        following = np.where(terminated[:, t], 0, np.where(truncated[:, t], F[:, t], V[:, t + 1]))
        delta = reward[:, t] + gamma * following - V[:, t]
        later = delta + gamma * lam * np.where(terminated[:, t] | truncated[:, t], 0, later)
        advantage[:, t] = later
    target = (advantage + V[:, :T]).reshape(N)
    advantage = advantage.reshape(N)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-5)
    advantage = np.clip(advantage, -advantage_clip, advantage_clip)

    if iteration > 0:
        resting = False
        for epoch in range(epochs):
            kl = 0
            for at in range(0, N, minibatch):
                s = orders[epoch][at : at + minibatch]
                B = len(s)
                values = forward(actor, widths_a, x[s])
                mu = values[-1][:, 0]
                change = log_probability(actor, mu, action[s]) - drawn[s]
                r = np.exp(change)
                A = advantage[s]
                active = r * A <= np.clip(r, 1 - clip, 1 + clip) * A
                push = np.where(active, -A * r, 0) / B
                sigma = np.exp(actor[-1]) if learn_noise else noise
                z = (action[s] - mu) / sigma
                n = nactor - 1 if learn_noise else nactor
                g = backward(actor[:n], widths_a, values, (push * z / sigma)[:, None])
                if learn_noise:
                    g = np.append(g, (push * (z * z - 1)).sum() - entropy)
                kl += (r - 1 - change).sum() / N
                resting = resting or (r - 1 - change).mean() > kl_stop * kl_target
                rests += resting
                values = forward(critic, widths_c, x[s])
                h = backward(critic, widths_c, values, (values[-1] - target[s][:, None]) / B)
                critic = oc.step(critic, h, critic_rate)
                if not resting:
                    actor = oa.step(actor, g, rate)
        if kl_target > 0:
            rate = rate / 1.5 if kl > 2 * kl_target else rate * 1.5 if kl < 0.5 * kl_target else rate
            rate = min(max(rate, rate_low), rate_high)

    seen_all = np.concatenate([seen_all, seen[:, :T].reshape(N, 2)])
    mean, deviation = seen_all.mean(0), np.maximum(seen_all.std(0), 0.02)
    worst = max(worst, difference(actor, f.take(nactor)), difference(critic, f.take(ncritic)), abs(rate / f.take(1)[0] - 1))

assert f.at == len(f.data), "the file has %d numbers, %d were read" % (len(f.data), f.at)
print("%d iterations, %d terminations, %d truncations, %d rests: largest difference %.2g" % (iterations, *ends, rests, worst))
sys.exit(0 if worst < tolerance and min(ends) > 0 else 1)
