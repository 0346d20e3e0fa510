"""An environment in NumPy: the policy that comes with the package walks under pushes."""
import sinew

env = sinew.Environment("humanoid", "walk", copies=64, push=60, threads=0)
policy = sinew.Policy.load("humanoid-walk")
policy.check(env)
observation = env.reset(seed=0)
falls = 0
for _ in range(150):
    out = env.step(policy(observation))
    observation = out.observation
    falls += int(out.terminated.sum())
print("%d observations: %s ..." % (env.observations, ", ".join((env.observation_names or ())[:4])))
print("5 s of 64 humanoids under pushes of up to 60 N: %d falls, mean reward %.3f" % (falls, out.reward.mean()))
print("terms:", dict(zip(env.term_names, out.terms.mean(0).round(3))))
