"""Worlds and members: the same bits as in C, every field in every shape, and refusals in words."""
import ctypes
import gc
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew import _c
from sinew._lib import address, definition, lib, model_info
from helpers import growth, humanoid, memory_is_told


def in_c(steps, dog=False, **settings):
    """The hash of the scene of `humanoid` after some steps, by calls of the library alone."""
    error = _c.sn_error()
    model = lib.sn_builtin_create(b"dog" if dog else b"humanoid", ctypes.byref(error))
    made = definition("sn_world_def", **settings)
    world = lib.sn_world_create(ctypes.byref(made), ctypes.byref(error))
    member = lib.sn_world_add(world, model, ctypes.byref(error))
    zero, up = np.zeros(3), np.array([0, 0, 1.0])
    lib.sn_world_add_plane(world, address(zero), address(up), None, ctypes.byref(error))
    _, nq, nv, _ = model_info(model)
    kp, kd, q = np.empty(nv), np.empty(nv), np.empty(nq)
    gains = definition("sn_gains_def", frequency=8.0, widen=True)
    assert lib.sn_gains_choose(model, ctypes.byref(gains), address(kp), address(kd), None) == 0
    assert lib.sn_world_set_gains(world, member, address(kp), address(kd)) == 0
    lib.sn_model_home_pose(model, address(q))
    assert lib.sn_world_stand(world, member, address(q)) == 0
    assert lib.sn_world_set_state(world, member, address(q), None) == 0
    assert lib.sn_world_set_target(world, member, address(q), None) == 0
    for _ in range(steps):
        assert lib.sn_world_step(world) == 0
    result = lib.sn_world_hash(world)
    lib.sn_world_free(world)
    lib.sn_model_free(model)
    return result


@pytest.mark.parametrize("settings", [
    {}, {"precision": "float", "copies": 5}, {"contact": "rows"}, {"setting": "crowd", "copies": 17, "precision": "float", "threads": 2},
    {"form": "full", "dt": 1 / 60},
])
def test_the_same_hash_as_by_the_library_alone(settings):
    world, _ = humanoid(**settings)
    world.step(60)
    assert world.hash() == in_c(60, **settings)
    assert world.hash() != in_c(59, **settings)


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("copies", [None, 1, 7])
def test_every_field_is_read_and_set(precision, copies):
    world, human = humanoid(precision=precision, copies=copies, torque_limits=True, report_torque=True, gains_by_axis=True)
    world.step(3)
    rows = () if copies is None else (copies,)
    rng = np.random.default_rng(0)
    for name, (_, shape, settable, _) in _c.FIELDS.items():
        sizes = {"nq": human.model.nq, "nv": human.model.nv, "nbody": human.model.nbody}
        whole = rows + tuple(sizes.get(one, one) for one in shape)
        name = "pushes" if name == "push" else name
        values = np.asarray(getattr(human, name))
        assert values.shape == whole == human.shape("push" if name == "pushes" else name), name
        if not settable:
            with pytest.raises(AttributeError):
                setattr(human, name, values)
            continue
        if name == "dt":
            continue
        new = np.abs(rng.uniform(0.5, 1.5, whole)).astype(world.dtype)
        if name in ("q", "target_q"):
            new = np.broadcast_to(human.model.pose_add(human.model.home_pose, 0.1 * rng.standard_normal(human.model.nv)), whole).astype(world.dtype)
        setattr(human, name, new)
        np.testing.assert_allclose(np.asarray(getattr(human, name)), new, rtol=2e-6, atol=2e-6, err_msg=name)
        if copies:  # one row for all
            setattr(human, name, new[0])
            np.testing.assert_allclose(getattr(human, name), np.broadcast_to(new[0], whole), rtol=2e-6, atol=2e-6)


def test_what_is_read_is_your_own_and_cannot_be_written():
    world, human = humanoid()
    q = human.q
    before = q.copy()
    with pytest.raises(ValueError, match="read-only"):
        human.q[3] = 1
    world.step(10)
    assert np.array_equal(q, before) and not np.array_equal(human.q, before)


def test_masks_and_rows():
    world, human = humanoid(copies=6, precision="float")
    where = np.array([1, 0, 0, 1, 0, 1], bool)
    human.set("mass_scale", 2.0, where)
    assert human.mass_scale.tolist() == [2, 1, 1, 2, 1, 2]
    human.set("mass_scale", np.arange(1.0, 7.0), [1, 2])
    assert human.mass_scale.tolist() == [2, 2, 3, 2, 1, 2]
    human.set("mass_scale", [5.0, 6.0], [4, 5])
    assert human.mass_scale.tolist() == [2, 2, 3, 2, 5, 6]
    q = human.q.copy()
    q[:, 2] += np.arange(6) * 0.1
    human.reset(where, q=q)
    np.testing.assert_allclose(human.q[where, 2], q[where, 2])
    np.testing.assert_allclose(human.q[~where, 2], human.q[1, 2])
    phase = np.linspace(0, 1, 6)
    human.follow(sinew.Motion.builtin("walk", human.model))
    human.phase = phase
    np.testing.assert_allclose(human.phase, phase, rtol=1e-6)


def test_views_show_the_memory_of_the_world():
    world, human = humanoid(copies=3)
    world.step(2)
    view = human.view("q")
    assert np.array_equal(view, human.q) and not view.flags.writeable
    world.step(5)
    assert np.array_equal(human.view("q"), human.q)


@pytest.mark.parametrize("do, kind, words", [
    (lambda w, h: setattr(h, "q", np.full(h.model.nq, np.nan)), ValueError, "."),
    (lambda w, h: setattr(h, "gains", (-np.ones(34), np.ones(34))), ValueError, "."),
    (lambda w, h: setattr(h, "q", np.zeros(5)), ValueError, "shape"),
    (lambda w, h: setattr(h, "qdd", np.zeros(34)), AttributeError, "only be read"),
    (lambda w, h: setattr(h, "targt", h.q), AttributeError, "targt"),
    (lambda w, h: h.set("nonsense", 1), AttributeError, "fields are q,"),
    (lambda w, h: sinew.World(precision="half"), ValueError, "'double', 'float'"),
    (lambda w, h: sinew.World(copys=3), TypeError, "Did you mean 'copies'"),
    (lambda w, h: sinew.World(dt=-1), ValueError, "dt"),
    (lambda w, h: sinew.Model.builtin("unicorn"), ValueError, "unicorn"),
    (lambda w, h: sinew.Model.load("nowhere.xml"), OSError, "nowhere.xml"),
    (lambda w, h: sinew.Model.parse("<mujoco><body/>"), ValueError, "."),
    (lambda w, h: h.model.bodies["wing"], KeyError, "left_shin"),
    (lambda w, h: h.push("wing"), KeyError, "wing"),
    (lambda w, h: w.restore(b"1234"), ValueError, "."),
    (lambda w, h: sinew.Builder().build(), ValueError, "."),
    (lambda w, h: w.contacts(4), IndexError, "4"),
])
def test_refusals_have_a_class_and_a_reason(do, kind, words):
    world, human = humanoid()
    before = world.hash()
    with pytest.raises(kind, match=words):
        do(world, human)
    assert world.hash() == before


def test_a_diverged_world_says_so():
    world, human = humanoid(form="explicit")
    human.kp = np.full(34, 1e9)
    human.target = human.model.home_pose
    with pytest.raises(sinew.DivergedError):
        world.step(200)
    assert human.diverged is True
    assert issubclass(sinew.DivergedError, ArithmeticError)


def test_feet_carry_the_weight():
    world, human = humanoid()
    world.step(480)
    weight = 9.81 * human.model.mass
    assert abs(world.contacts()["force"][:, 2].sum() - weight) < 0.02 * weight
    assert abs(human.contact_force[:, 2].sum() - weight) < 0.02 * weight
    assert human.touching.dtype == bool and human.touching.any()


def test_snapshots_and_pickles_continue_with_the_same_bits():
    world, human = humanoid(copies=3, precision="float")
    world.shape("box", pos=(0.5, 0, 0.1), size=(0.1, 0.1, 0.1))
    human.follow(sinew.Motion.builtin("walk", human.model))
    world.step(20)
    kept = world.snapshot()
    again = pickle.loads(pickle.dumps(world))
    world.step(20)
    end = world.hash()
    again.step(20)
    assert again.hash() == end
    world.restore(kept)
    world.step(20)
    assert world.hash() == end
    model = pickle.loads(pickle.dumps(human.model))
    assert (model.nq, model.nv, model.mass) == (human.model.nq, human.model.nv, human.model.mass)
    motion = sinew.Motion.builtin("walk", model)
    assert np.array_equal(pickle.loads(pickle.dumps(motion)).sample(0.3)[0], motion.sample(0.3)[0])


def test_replicas_start_in_the_same_state():
    world, human = humanoid()
    human.push("pelvis", (30, 0, 0))
    world.step(30)
    many = world.replicate(4)
    np.testing.assert_allclose(many.members[0].q, np.broadcast_to(human.q, (4, 43)), atol=1e-12)
    np.testing.assert_allclose(many.members[0].pushes[2], human.pushes)


def test_linearize_of_a_pendulum_is_the_analytic_one():
    length, mass, inertia, h, q, qd = 0.5, 2.0, 0.05, 1 / 240, 0.3, 0.2
    builder = sinew.Builder()
    builder.body("arm", joint="hinge", axis=(0, 1, 0), pos=(0, 0, 2), mass=mass, com=(0, 0, -length), inertia=(inertia, inertia, 0.01, 0, 0, 0))
    builder.sphere(0.1)
    world = sinew.World(contact="none", products="explicit")
    arm = world.add(builder.build())
    arm.q, arm.qd = [q], [qd]
    A, B = world.linearize(inputs="torque")
    total = inertia + mass * length**2
    k = mass * 9.81 * length * np.cos(q)  # of the torque -m g l sin q
    np.testing.assert_allclose(A, [[1 - h * h * k / total, h], [-h * k / total, 1]], atol=1e-6)
    np.testing.assert_allclose(B, [[h * h / total], [h / total]], atol=1e-6)


def difference(world, direction, eps=1e-5):
    """How the state after a step changes along a direction of state and targets, by two worlds of one copy."""
    human = world.members[0]
    model, n = human.model, human.model.nv
    ends = []
    for sign in (1, -1):
        step = sign * eps * direction
        other = world.replicate(1, setting="exact").members[0]
        other.reset(q=model.pose_add(human.q, step[:n]), qd=human.qd + step[n:2 * n])
        other.target_q = model.pose_add(human.target, step[2 * n:])
        other.world.step()
        ends.append((other.q[0], other.qd[0]))
    (q1, v1), (q0, v0) = ends
    return np.concatenate([model.pose_subtract(q1, q0), v1 - v0]) / (2 * eps)


def test_linearize_agrees_with_differences_of_single_worlds():
    world, human = humanoid(setting="exact", contact="none", joint_limits=False)
    human.qd = np.random.default_rng(2).standard_normal(34)
    world.step(10)
    A, B = world.linearize()
    direction = np.random.default_rng(1).standard_normal(3 * 34)
    expected = np.concatenate([A, B], 1) @ direction
    np.testing.assert_allclose(difference(world, direction), expected, rtol=0, atol=1e-6 * max(1, np.abs(expected).max()))


def test_linearize_sees_gains_masses_and_steps_that_changed_since_the_last_call():
    world, human = humanoid(setting="exact")
    world.linearize()
    human.kp = 0.25 * human.kp
    human.mass_scale = 1.5
    world.dt = 1 / 120
    world.step(5)
    again = world.linearize()
    world.__dict__["_scratches"].clear()
    fresh = world.linearize()
    for mine, its in zip(again, fresh):
        np.testing.assert_array_equal(mine, its)


def test_linearize_on_the_ground_agrees_column_by_column():
    world, human = humanoid(setting="exact")
    world.step(30)
    A, B = world.linearize()
    J = np.concatenate([A, B], 1)
    for column in (0, 2, 4, 20, 36, 50, 80):
        np.testing.assert_allclose(difference(world, np.eye(102)[column]), J[:, column], rtol=0, atol=1e-6 * max(1, np.abs(J[:, column]).max()))


def test_a_child_process_steps_a_world_with_threads():
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork here")
    world, human = humanoid(copies=64, threads=2, precision="float")
    world.step(4)
    child = os.fork()
    if child == 0:
        world.step(4)
        os._exit(0)
    deadline = 60
    import time

    end = time.monotonic() + deadline
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail("the child did not finish within %d s" % deadline)


@memory_is_told
def test_worlds_do_not_leak():
    def once():
        world, human = humanoid(copies=2)
        world.step(1)
        human.q
        sinew.Recording(world).take().text()
        human.view("q")

    assert growth(once) < 2e6  # a world takes hundreds of kilobytes


def test_a_world_keeps_its_models_and_members_keep_their_world():
    world, human = humanoid()
    del world
    gc.collect()
    human.world.step(1)
    q = human.q
    del human
    gc.collect()
    assert np.isfinite(q).all()


def test_every_function_of_the_headers_is_there():
    inline = {name for name in _c.FUNCTIONS if name.endswith("_default")}
    missing = [name for name in _c.FUNCTIONS if not lib.has(name) and name not in inline]
    assert missing == []


def test_comments_become_documentation():
    rows = [row for rows in _c.SETTINGS.values() for row in rows]
    assert sum(bool(row[-1]) for row in rows) >= 0.9 * len(rows)
    for word in ("precision", "'double', 'float'", "copies", "gravity"):
        assert word in sinew.World.__doc__


def test_import_needs_neither_gymnasium_nor_torch():
    code = "import sys, sinew; sys.exit(any(one in sys.modules for one in ('gymnasium', 'torch', 'IPython', 'matplotlib')))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_constraints_and_rays():
    world, human = humanoid()
    pin = world.constrain("pin", "head", point2=human.body_pose[human.model.body("head"), :3])
    human.gains = np.zeros(34), np.zeros(34)
    world.step(240)
    assert pin.force().shape == (3,) and np.linalg.norm(pin.force()) > 50
    hit = world.ray((0, 0, 5), (0, 0, -10))
    assert hit is not None and 0 < hit.t < 1
    pin.remove()
    with pytest.raises(ValueError):
        pin.remove()


def test_members_bring_the_constraints_of_their_model():
    builder = sinew.Builder()
    builder.body("left", joint="hinge", axis=(0, 1, 0), pos=(0, -1, 2)).capsule(0.05, 0.3, mass=1)
    builder.body("right", joint="hinge", axis=(0, 1, 0), pos=(0, 1, 2)).capsule(0.05, 0.3, mass=1)
    builder.constraint("coupling", "left", "right")
    model = builder.build()
    world = sinew.World(contact="none")
    pair = world.add(model)
    tie = pair.constraint(0)
    assert tie is not None and pair.constraint(1) is None
    pair.qd = (1.0, 0.0)
    world.step(60)
    assert abs(pair.q[0] - pair.q[1]) < 1e-3 < abs(pair.q[0])
    tie.remove()
    assert pair.constraint(0) is None


def test_a_reaction_can_be_started_without_a_hit():
    heights = []
    for struck in (False, True):
        world, human = humanoid()
        human.react(hold=10.0)
        if struck:
            human.give_way()
        world.step(240)
        heights.append(human.body_pose[human.model.body("head"), 2])
    assert heights[1] < heights[0] - 0.2
    with pytest.raises(ValueError, match="no body"):
        human.give_way(copy=5)


def test_ground_of_all_kinds_carries():
    model = sinew.Model.builtin("humanoid")
    ways = {
        "plane": lambda world: world.plane(friction=0.9),
        "shape": lambda world: world.shape("box", pos=(0, 0, -0.5), size=(2, 2, 0.5)),
        "heightfield": lambda world: world.heightfield(np.zeros((9, 9)), (4, 4), (-2, -2, 0)),
        "mesh": lambda world: world.mesh([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], [[0, 1, 2], [0, 2, 3]]),
    }
    for name, way in ways.items():
        world = sinew.World()
        human = world.add(model)
        number = way(world)
        human.gains = model.gains()
        human.q = human.target = human.stand()
        world.step(120)
        assert abs(human.q[2] - human.stand()[2]) < 0.02, name
        assert abs(world.contacts()["force"][:, 2].sum() / (9.81 * model.mass) - 1) < 0.1, name
        again = pickle.loads(pickle.dumps(world))
        world.step(5), again.step(5)
        assert again.hash() == world.hash(), name
        world.remove_ground(number)
        world.step(60)
        assert human.q[2] < 0.8, name


def test_reprs_have_the_numbers_that_matter():
    world, human = humanoid(copies=3)
    assert "3 copies" in repr(world) and "nq 43" in repr(human.model) and "(3, 43)" in repr(human)
    assert "q[" in repr(human.model.bodies["left_shin"])


def test_enumerations_are_words_or_numbers():
    assert sinew.World(precision=sinew.Precision.FLOAT).dtype == np.float32
    assert sinew.World(form="full").settings["form"] == "full"
