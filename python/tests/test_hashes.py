"""Five scenes have the same bits in Python as in C, hashes.c."""
import ctypes

import numpy as np
import pytest

import sinew
from helpers import compiled


def put(world, model, x=0.0):
    member = world.add(model)
    member.gains = model.gains(frequency=8)
    q = model.home_pose.copy()
    q[0] = x
    member.q = member.target = member.stand(q)
    return member


def push(model):
    world = sinew.World()
    world.plane()
    put(world, model).push(0, (150, 0, 0), duration=0.1)
    return world, 120


def crowd(model):
    world = sinew.World(copies=37, precision="float", setting="crowd", threads=2)
    world.plane()
    many = put(world, model)
    walk = sinew.Motion.builtin("walk", model)
    q, qd = walk.sample(0)
    many.reset(q=q, qd=qd)
    q, qd = walk.sample(0)
    many.reset(q=q, qd=qd)
    many.follow(walk)
    many.phase = np.arange(37) / 64
    many.mass_scale = 0.8 + np.arange(37) / 100
    return world, 60


def hills(model):
    world = sinew.World(dt=1 / 120, setting="exact", self_contact=True)
    y, x = np.mgrid[:17, :17]
    world.heightfield((x * 5 + y * 3) % 7 / 64, (8, 8), (-4, -4, 0))
    put(world, model)
    return world, 90


def company(model):
    world = sinew.World(copies=3, contact="rows")
    world.plane()
    put(world, model)
    dog = put(world, sinew.Model.builtin("dog"), 1.2)
    qd = np.zeros(dog.model.nv)
    qd[0], qd[2] = -3, 1
    dog.qd = qd
    return world, 60


def pinned(model):
    world = sinew.World()
    world.plane()
    human = put(world, model)
    world.constrain("pin", "head", point2=human.body_pose[model.body("head"), :3])
    human.gains = np.zeros(model.nv), np.zeros(model.nv)
    return world, 120


@pytest.fixture(scope="module")
def hash_in_c(tmp_path_factory):
    function = compiled("hashes.c", tmp_path_factory.mktemp("hashes")).hash_of
    function.restype = ctypes.c_uint64
    return function


@pytest.mark.parametrize("scene", [push, crowd, hills, company, pinned])
def test_the_same_bits_as_in_c(scene, hash_in_c):
    world, steps = scene(sinew.Model.builtin("humanoid"))
    world.step(steps)
    assert world.hash() == hash_in_c(scene.__name__.encode()) != 0
