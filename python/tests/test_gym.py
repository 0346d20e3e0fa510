"""Environments of Gymnasium, against Gymnasium's own checks where it is installed, and without it."""
import warnings

import numpy as np
import pytest

import sinew.gym

needs = pytest.mark.skipif(not sinew.gym.INSTALLED, reason="gymnasium is not installed")
ID = "sinew/HumanoidWalk-v0"


def vector(mode="NextStep", n=4):
    if not sinew.gym.INSTALLED:
        return sinew.gym.VectorEnv(num_envs=n, autoreset_mode=mode)
    import gymnasium

    return gymnasium.make_vec(ID, num_envs=n, vectorization_mode="vector_entry_point", autoreset_mode=mode)


def wild(envs):
    return np.full((envs.num_envs, 28), 1.0, np.float32)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_modes(mode):
    envs = vector(mode, 12)
    first, _ = envs.reset(seed=5)
    again, _ = envs.reset(seed=5)
    assert np.array_equal(first, again) and first.dtype == np.float32
    kept = []
    for _ in range(200):
        observation, reward, terminated, truncated, infos = envs.step(wild(envs))
        kept.append((observation, observation.copy()))
        ended = terminated | truncated
        if ended.any():
            break
    assert ended.any() and all(np.array_equal(a, b) for a, b in kept)
    if mode == "SameStep":
        assert np.array_equal(infos["_final_obs"], ended) and not np.array_equal(infos["final_obs"][ended], observation[ended])
    elif mode == "NextStep":
        _, reward, terminated, truncated, _ = envs.step(wild(envs))
        assert (reward[ended] == 0).all() and not (terminated | truncated)[ended].any()
    else:
        with pytest.raises(RuntimeError, match="reset_mask"):
            envs.step(wild(envs))
        new, _ = envs.reset(options={"reset_mask": ended})
        assert np.array_equal(new[~ended], observation[~ended]) and not np.array_equal(new[ended], observation[ended])
        envs.step(wild(envs))
        with pytest.raises(ValueError):
            envs.reset(options={"reset_mask": np.zeros(12, bool)})
    envs.close()


@needs
def test_check_env():
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*render.*")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", message=".*minimum value is -infinity.*|.*maximum value is infinity.*")
        check_env(gymnasium.make(ID).unwrapped, skip_render_check=True)


@needs
@pytest.mark.parametrize("kind", ["SyncVectorEnv", "AsyncVectorEnv"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_same_bits_as_gymnasiums_own_vectors(kind, mode):
    import gymnasium

    mode = gymnasium.vector.AutoresetMode(mode)
    theirs = getattr(gymnasium.vector, kind)([lambda: gymnasium.make(ID).unwrapped for _ in range(4)], autoreset_mode=mode)
    ours = vector(mode)
    try:
        a, _ = theirs.reset(seed=11)
        b, _ = ours.reset(seed=11)
        assert np.array_equal(a, b)
        rng = np.random.default_rng(0)
        for _ in range(60):
            action = rng.uniform(-1, 1, (4, 28)).astype(np.float32)
            x, y = theirs.step(action), ours.step(action)
            for i in range(4):
                assert np.array_equal(np.asarray(x[i], np.float32), np.asarray(y[i], np.float32))
            if "final_obs" in x[4]:
                where = y[4]["_final_obs"]
                assert all(np.array_equal(x[4]["final_obs"][i], y[4]["final_obs"][i]) for i in np.flatnonzero(where))
    finally:
        theirs.close()


@needs
def test_wrappers():
    import gymnasium
    from gymnasium.wrappers import vector as wrappers

    envs = wrappers.RescaleAction(vector("NextStep", 6), -0.5, 0.5)
    for wrap in (wrappers.RecordEpisodeStatistics, wrappers.NormalizeObservation, wrappers.NormalizeReward, wrappers.ClipAction):
        envs = wrap(envs)
    envs = wrappers.TransformReward(envs, lambda r: 0.1 * r)
    observation, _ = envs.reset(seed=0)
    seen = False
    for _ in range(150):
        observation, reward, terminated, truncated, infos = envs.step(np.full((6, 28), 0.5, np.float32))
        seen = seen or "episode" in infos
    assert observation.shape == (6, 175) and seen
    single = gymnasium.wrappers.TimeLimit(gymnasium.make(ID), 5)
    single.reset(seed=0)
    assert [single.step(single.action_space.sample())[3] for _ in range(5)][-1]


@pytest.mark.parametrize("name", [one for one in sinew.gym.REGISTERED if "G1" not in one])
def test_registered_tasks_can_be_stepped(name):
    keywords = sinew.gym.REGISTERED[name]
    envs = sinew.gym.VectorEnv(num_envs=3, **keywords)
    observation, _ = envs.reset(seed=0)
    for _ in range(5):
        observation, reward, *_ = envs.step(envs.action_space.sample())
    assert np.isfinite(observation).all() and np.isfinite(reward).all()


def test_g1_asks_for_its_file(monkeypatch):
    monkeypatch.delenv("SINEW_G1", raising=False)
    sinew.gym._models.pop("g1", None)
    with pytest.raises(FileNotFoundError, match="SINEW_G1"):
        sinew.gym.VectorEnv(**sinew.gym.REGISTERED["sinew/G1Walk-v0"])


def test_seeds_of_each_copy():
    envs = vector(n=3)
    together, _ = envs.reset(seed=[7, 8, 9])
    alone, _ = vector(n=1).reset(seed=8)
    assert np.array_equal(together[1], alone[0])
    with pytest.raises(ValueError, match="seeds"):
        envs.reset(seed=[1, 2])
