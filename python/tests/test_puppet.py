"""Puppets: members of one's own world that go where a stick says."""
import numpy as np
import pytest

import sinew


def stage(count=1, **settings):
    world = sinew.World(dt=1 / 240)
    model = sinew.Model.builtin("humanoid")
    world.plane()
    members = [world.add(model) for _ in range(count)]
    for i, member in enumerate(members):
        q = member.stand(model.zero_pose).copy()
        q[1] = 2 * i
        member.q = q
    return world, members, [sinew.Puppet(member, **settings) for member in members]


def play(world, puppets, seconds):
    for _ in range(round(240 * seconds)):
        sinew.Puppet.step_all(puppets)
        world.step()


def test_it_goes_where_the_stick_says_and_heads_for_a_direction():
    world, (human,), (puppet,) = stage()
    puppet.stick = 1.2, 0, 0
    play(world, [puppet], 3)
    assert puppet.mode == "goes" and puppet.stick == (1.2, 0, 0) and human.q[0] > 2
    assert np.allclose(puppet.planned, (1.2, 0, 0), atol=0.1) and puppet.reference.shape == (43,)
    for _ in range(6 * 30):
        puppet.head(np.pi / 2, 1.0)
        play(world, [puppet], 1 / 30)
    before = np.array(human.q[:2])
    play(world, [puppet], 1)
    along = np.array(human.q[:2]) - before
    assert puppet.mode == "goes" and along[1] > 0.6 and abs(along[0]) < 0.4


def test_let_go_it_falls():
    world, (human,), (puppet,) = stage(get_up=None)
    puppet.stick = 2, 0, 0
    play(world, [puppet], 1)
    puppet.let_go()
    assert puppet.mode == "limp" and puppet.stick is None
    play(world, [puppet], 2)
    puppet.stick = 0, 0, 0
    play(world, [puppet], 0.1)
    assert puppet.mode == "lies" and human.q[2] < 0.5
    assert "lies" in repr(puppet)


def test_rolled_back_it_plays_the_same():
    world, humans, puppets = stage(2)
    puppets[0].stick = 1, 0, 0.3
    play(world, puppets, 0.51)
    then, states = world.snapshot(), [one.state for one in puppets]

    def rest():
        puppets[1].stick = 0, 0.5, 0
        play(world, puppets, 0.5)
        return np.concatenate([one.q for one in humans])

    first = rest()
    world.restore(then)
    for one, state in zip(puppets, states):
        one.state = state
    assert np.array_equal(first, rest())
    with pytest.raises(ValueError):
        puppets[0].state = b"short"


def test_what_cannot_be_a_puppet_is_refused():
    world = sinew.World(dt=1 / 100)
    member = world.add(sinew.Model.builtin("humanoid"))
    with pytest.raises(sinew.ArgumentError, match="1/30"):
        sinew.Puppet(member)
    with pytest.raises(TypeError):
        sinew.Puppet(member, go=None)
