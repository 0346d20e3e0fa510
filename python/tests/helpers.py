"""What several tests share."""
import gc
import os

import pytest

import sinew

memory_is_told = pytest.mark.skipif(not os.path.exists("/proc/self/statm") or "SINEW_SANITIZED" in os.environ, reason="memory is read from /proc")


def humanoid(**settings):
    model = sinew.Model.builtin("humanoid")
    world = sinew.World(**settings)
    human = world.add(model)
    world.plane()
    human.gains = model.gains()
    human.q = human.target = human.stand()
    return world, human


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(once, before=300, times=1000):
    """Bytes by which the process grows while `once` runs so many times, after a first few that fill what Python keeps."""

    def some(n):
        for i in range(n):
            once()
            if i % 10 == 0:
                gc.collect()
        gc.collect()
        return memory()

    return -some(before) + some(times)
