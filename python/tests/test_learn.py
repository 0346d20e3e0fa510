"""Environments, tasks of your own, the trainer, policies and searches."""
import ctypes
import importlib.util
import os
import pickle
import subprocess

import numpy as np
import pytest

import sinew
from sinew import _c
from sinew._lib import Handle, lib
from helpers import ROOT, compiled, growth, humanoid, memory_is_told


def example(name):
    spec = importlib.util.spec_from_file_location(name, str(ROOT / "python/examples" / (name + ".py")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def walk(copies=8, **settings):
    return sinew.Environment("humanoid", "walk", copies=copies, **settings)


def actions(env, seed=0, scale=0.3):
    return scale * np.random.default_rng(seed).standard_normal((env.copies, env.actions)).astype(np.float32)


def test_shapes_and_names():
    env = walk()
    out = [env.reset(seed=0)] + list(env.step(actions(env)))
    assert [one.shape for one in out] == [(8, 175), (8, 175), (8,), (8,), (8,), (8, 175), (8,), (8,), (8, 5)]
    assert len(env.observation_names) == 175 and len(env.action_names) == 28 and env.term_names[0] == "pose"
    np.testing.assert_allclose(out[-1].sum(1), out[2], rtol=1e-5)


def test_seeds_and_threads_change_nothing():
    def run(**settings):
        env = walk(40, **settings)
        seen = [env.reset(seed=3)]
        for i in range(20):
            out = env.step(actions(env, i))
            seen += [out.observation, out.reward.copy()]
        return np.concatenate([one.ravel() for one in seen])

    first = run(threads=1)
    assert np.array_equal(first, run(threads=2))
    assert not np.array_equal(first[:175], walk(40).reset(seed=4)[0])


def test_results_are_never_written_again():
    env = walk()
    kept, copies = [], []
    env.reset(seed=0)
    for i in range(12):
        out = env.step(actions(env, i))
        view = out.observation[2:]
        kept.append((view, out.reward))
        copies.append((view.copy(), out.reward.copy()))
        del out, view
    for (a, b), (c, d) in zip(kept, copies):
        assert np.array_equal(a, c) and np.array_equal(b, d)
    buffers = env.buffers()
    out = env.step(actions(env), out=buffers)
    assert out.observation is buffers["observation"]


def test_three_ways_to_start_again():
    for autoreset in ("same_step", "next_step", "off"):
        env = walk(16, autoreset=autoreset)
        env.reset(seed=0)
        wild = 3 * np.ones((16, env.actions), np.float32)
        for _ in range(200):
            out = env.step(wild)
            if out.terminated.any():
                break
        ended = out.terminated
        assert ended.any()
        if autoreset == "same_step":
            assert not np.array_equal(out.final[ended], out.observation[ended])
        elif autoreset == "next_step":
            out = env.step(wild)
            assert (out.reward[ended] == 0).all() and not out.terminated[ended].any()
        else:
            first = env.reset(where=ended)
            assert np.array_equal(env.observe()[ended], first[ended])


def test_save_and_restore_continue_with_the_same_bits():
    env = walk(20)
    env.reset(seed=1)
    env.step(actions(env))
    block = env.save()
    first = env.step(actions(env, 5)).observation
    env.restore(block)
    assert np.array_equal(env.step(actions(env, 5)).observation, first)
    with pytest.raises(ValueError):
        env.restore(block[:-1])


def test_refusals():
    env = walk()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action"):
        env.step(np.zeros((3, 28)))
    with pytest.raises(TypeError, match="Did you mean 'push'"):
        walk(pushh=3)
    with pytest.raises(ValueError):
        sinew.Policy.parse(b"nonsense")
    with pytest.raises(ValueError):
        sinew.Policy.load("dog-trot").check(env)
    with pytest.raises(TypeError):
        sinew.Trainer(walk(32)).run()
    with pytest.raises(ValueError, match="minibatches"):
        sinew.Trainer(env)


def test_the_policy_that_comes_along_walks():
    env = walk(32, threads=2)
    score = sinew.Policy.load("humanoid-walk").evaluate(env, seed=1)
    assert score.episodes == 32 and score.lasted >= 30 and score.normalised > 0.9


def test_policies_from_and_to_arrays_files_and_bytes(tmp_path):
    env = walk()
    policy = sinew.Policy.load("humanoid-walk")
    x = env.reset(seed=0)
    action = policy(x)
    again = sinew.Policy.from_arrays(**policy.arrays(), env=env)
    assert np.array_equal(again(x), action)
    again.check(env)
    assert np.array_equal(pickle.loads(pickle.dumps(policy))(x), action)
    policy.save(tmp_path / "p.sinew")
    assert np.array_equal(sinew.Policy.load(tmp_path / "p.sinew")(x), action)
    policy.export(tmp_path / "p.onnx")
    np.testing.assert_allclose(sinew.Policy.from_onnx(tmp_path / "p.onnx", env=env)(x), action, atol=1e-6)
    assert policy(x[0]).shape == (28,)
    a = policy.arrays()
    h = np.clip((x - a["shift"]) * a["scale"], -a["clip"], a["clip"])
    for i, (w, b) in enumerate(zip(a["weights"], a["biases"])):
        h = h @ w + b
        if i < 2:
            h = np.maximum(h, 0)
    np.testing.assert_allclose(h, action, atol=1e-5)


def test_onnx_in_an_order_of_names(tmp_path):
    env = walk()
    policy = sinew.Policy.load("humanoid-walk")
    arrays = policy.arrays()
    turn = np.random.default_rng(0).permutation(env.observations)
    arrays["weights"][0], arrays["shift"], arrays["scale"] = arrays["weights"][0][turn], arrays["shift"][turn], arrays["scale"][turn]
    sinew.Policy.from_arrays(**arrays).export(tmp_path / "turned.onnx")
    order = [env.observation_names[i] for i in turn]
    x = env.reset(seed=0)
    found = sinew.Policy.from_onnx(tmp_path / "turned.onnx", env=env, order=order)
    np.testing.assert_allclose(found(x), policy(x), atol=1e-5)
    with pytest.raises(ValueError, match="wing"):
        sinew.Policy.from_onnx(tmp_path / "turned.onnx", env=env, order=["wing"] + order[1:])
    (tmp_path / "bad.onnx").write_bytes(b"\x08\x07abc")
    with pytest.raises(sinew.FormatError):
        sinew.Policy.from_onnx(tmp_path / "bad.onnx")


def test_torch(tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    env = walk()
    policy = sinew.Policy.load("humanoid-walk")
    x = env.reset(seed=0)
    network = policy.to_torch()
    with torch.no_grad():
        np.testing.assert_allclose(network(torch.from_numpy(x)).numpy(), policy(x), atol=1e-5)
    np.testing.assert_allclose(sinew.Policy.from_torch(network, env=env)(x), policy(x), atol=1e-6)
    buffers = env.buffers()
    tensor = torch.from_numpy(buffers["observation"])
    env.step(actions(env), out=buffers)
    assert np.array_equal(tensor.numpy(), buffers["observation"]) and tensor.abs().sum() > 0


def test_a_training_saves_and_resumes(tmp_path):
    def trainer():
        return sinew.Trainer(walk(32, threads=1), hidden=(32, 32), seed=5, threads=2)

    first = trainer()
    first.run(iterations=3)
    first.save(tmp_path / "t.sinew")
    first.run(iterations=12)
    second = trainer()
    second.restore(tmp_path / "t.sinew")
    second.run(iterations=12)
    assert bytes(first.policy) == bytes(second.policy)
    assert first.progress.samples == 15 * 16 * 32
    seen = []
    first.run(iterations=50, callback=lambda p: seen.append(p) or len(seen) == 2)
    assert len(seen) == 2


def test_the_package_learns_what_the_command_learns(tmp_path):
    command = os.environ.get("SINEW_COMMAND")
    if not command:
        pytest.skip("SINEW_COMMAND does not name the command")
    made = subprocess.run([command, "train", "humanoid", "walk", "--samples", "1024", "--copies", "32", "--hidden", "16", "--minibatch", "64", "--seed", "5", "--no-report",
                           "--out", str(tmp_path / "by-command")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout.decode()
    trainer = sinew.Trainer(walk(32, seed=5), hidden=(16,), minibatch=64, seed=5)
    trainer.run(samples=1024)
    mine, its = trainer.policy.arrays(), sinew.Policy.load(tmp_path / "by-command" / "policy.sinew").arrays()
    for name in ("weights", "biases"):
        for a, b in zip(mine[name], its[name]):
            assert np.array_equal(a, b) and np.abs(a).max() > 0


def test_a_task_in_python_and_its_twin_in_c_earn_the_same(tmp_path):
    balance = example("balance")
    copies, seed = 20, 3
    env = sinew.Environment(balance.Balance(), copies=copies, seed=seed)
    twin_of = compiled("twin.c", tmp_path).twin
    twin_of.restype = ctypes.c_void_p
    twin = sinew.Environment.__new__(sinew.Environment)
    twin._bridge, twin.model, twin._worlds = None, env.model, {}
    twin._handle = Handle(twin_of(copies, seed), lib.sn_environment_free)
    twin._describe()
    np.testing.assert_allclose(env.reset(), twin.reset(), atol=1e-6)
    fell = 0
    for i in range(90):
        action = actions(env, i, 0.1)
        mine, its = env.step(action), twin.step(action)
        np.testing.assert_allclose(mine.reward, its.reward, atol=1e-6)
        np.testing.assert_allclose(mine.terms, its.terms, atol=1e-6)
        assert np.array_equal(mine.terminated, its.terminated)
        fell += mine.terminated.sum()
    assert fell > 0


def test_a_task_in_python_is_learned_with_any_number_of_threads():
    balance = example("balance")

    def learned(threads):
        env = sinew.Environment(balance.Balance(), copies=32, seed=1, threads=threads)
        trainer = sinew.Trainer(env, hidden=(16,), seed=1, threads=threads)
        trainer.run(iterations=4)
        return bytes(trainer.policy)

    assert learned(1) == learned(2)


def test_exceptions_of_a_task_come_through():
    class Bad(example("balance").Balance):
        def reward(self, part):
            raise ZeroDivisionError("in the reward")

    env = sinew.Environment(Bad(), copies=4)
    env.reset()
    with pytest.raises(ZeroDivisionError, match="in the reward"):
        env.step(np.zeros((4, 28)))

    class Wrong(example("balance").Balance):
        def observe(self, part):
            return np.zeros((part.copies, 3))

    with pytest.raises(ValueError, match="observe returned shape"):
        sinew.Environment(Wrong(), copies=4).reset()


def test_worlds_of_an_environment():
    env = walk(20)
    env.reset(seed=0)
    world, number = env.world(17)
    human = world.members[0]
    assert world.dtype == np.float32 and 0 <= number < world.copies
    before = human.q[number].copy()
    human.set("qd", np.full(34, 0.1), [number])
    np.testing.assert_allclose(human.qd[number], 0.1, rtol=1e-6)
    assert env.reference(17).shape == (43,) and np.array_equal(human.q[number], before)
    recording = sinew.Recording(world, first=number)
    recording.ghost(env.model, env.reference(17))
    assert '"reference"' in recording.take().text()


def test_a_training_improves():
    trainer = sinew.Trainer(walk(128, threads=2), threads=2, seed=1)
    rewards = []
    trainer.run(iterations=40, callback=lambda p: rewards.append(p.mean_reward))
    assert np.mean(rewards[-5:]) > np.mean(rewards[1:6])


def test_search_finds_the_minimum():
    goal = np.array([0.3, -0.7, 1.1])
    search = sinew.Search(3, seed=1)
    for _ in range(80):
        search.tell([-np.sum((x - goal) ** 2) for x in search.ask()])
    np.testing.assert_allclose(search.best[0], goal, atol=1e-3)
    with pytest.raises(ValueError, match="scores are needed"):
        search.tell([1.0])


def test_dynamics_invert_each_other():
    model = sinew.Model.builtin("dog")
    dynamics = sinew.Dynamics(model)
    rng = np.random.default_rng(0)
    q = model.pose_add(model.home_pose, 0.3 * rng.standard_normal((4, model.nv)))
    qd, qdd = rng.standard_normal((2, 4, model.nv))
    tau = dynamics.inverse(q, qd, qdd)
    np.testing.assert_allclose(dynamics.forward(q, qd, tau), qdd, atol=1e-7)
    M = dynamics.mass_matrix(q)
    assert M.shape == (4, model.nv, model.nv)
    np.testing.assert_allclose(np.einsum("nij,nj->ni", M, qdd), tau - dynamics.inverse(q, qd), atol=1e-7)
    energy = 0.5 * np.einsum("i,ij,j", qd[0], M[0], qd[0])
    assert abs(dynamics.summary(q[0], qd[0]).kinetic - energy) < 1e-6 * energy + 1e-2 * energy  # armature is in M alone
    J = dynamics.jacobian(q[0], model.nbody - 1)
    np.testing.assert_allclose((J @ qd[0]), dynamics.bodies(q[0], qd[0])[1][model.nbody - 1], atol=1e-9)


@memory_is_told
def test_environments_and_trainers_do_not_leak():
    model = sinew.Model.builtin("humanoid")
    motion = sinew.Motion.builtin("walk", model)

    def once():
        env = sinew.Environment(model, motion, copies=1)
        env.reset(seed=0)
        sinew.Trainer(env, hidden=(4,), threads=1, minibatch=16).policy

    assert growth(once, 60, 300) < 600e3  # an environment takes hundreds of kilobytes


def test_shows_are_served_and_rewind():
    import json
    import urllib.request

    world, _ = humanoid()
    show = sinew.show(world)
    try:
        show.step(120)
        state = json.load(urllib.request.urlopen(show.url + "state", timeout=20))
        assert abs(state["time"] - 0.5) < 1e-9
        assert b'id="recording"' in urllib.request.urlopen(show.url + "page", timeout=20).read()
        urllib.request.urlopen(show.url + "rewind?t=0.2", data=b"", timeout=20)
        show.step(1)
        assert world.time < 0.25
        assert "iframe" in show._repr_html_()
    finally:
        show.close()


def test_recordings_are_pages(tmp_path):
    world = sinew.World()
    world.add(sinew.Model.builtin("humanoid"))
    recording = sinew.Recording(world)
    with pytest.raises(ValueError, match="take"):
        recording.text()
    for _ in range(5):
        world.step(4)
        recording.take()
    for name in ("r.html", "r.json", "r.glb", "r.bvh"):
        recording.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    assert "srcdoc" in recording._repr_html_() and "srcdoc" in world._repr_html_()


def test_plans_by_sampling_lower_the_cost():
    world = sinew.World()
    builder = sinew.Builder()
    builder.body("arm", joint="hinge", axis=(0, 1, 0), pos=(0, 0, 2), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1, 0, 0, 0)).sphere(0.1)
    arm = world.add(builder.build())
    arm.gains = [20.0], [2.0]
    plan = np.zeros((12, 1))

    def cost(member):
        return (member.q[:, 0] - 0.5) ** 2

    costs = []
    for _ in range(10):
        plan, best = sinew.mppi(world, arm, cost, plan=plan, samples=32, horizon=12, noise=0.3)
        costs.append(best)
    assert costs[-1] < costs[0]


def test_lqr_stabilises():
    A, B = np.array([[1, 0.01], [0.2, 1.0]]), np.array([[0.0], [0.01]])
    assert np.abs(np.linalg.eigvals(A)).max() > 1
    K = sinew.lqr(A, B, np.eye(2), np.eye(1) * 1e-3, steps=3000)
    assert np.abs(np.linalg.eigvals(A - B @ K)).max() < 1


def test_constants_are_those_of_the_header():
    assert _c.CONSTANTS["SN_MAX_NAME"] == 63
