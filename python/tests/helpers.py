"""What several tests share."""
import ctypes
import gc
import os
import pathlib
import shutil
import subprocess

import pytest

import sinew
from sinew._lib import lib

ROOT = pathlib.Path(os.environ.get("SINEW_ROOT", pathlib.Path(__file__).parent.parent.parent))
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


def compiled(name, folder):
    """A file of this folder in C, as a library that uses the library of the package."""
    compiler = os.environ.get("CC", "cc").split()
    if not shutil.which(compiler[0]):
        pytest.skip("no C compiler")
    built = folder / (name + ".so")
    command = [*compiler, "-shared", "-fPIC", "-O1", "-std=gnu17", "-Wno-unused-function", "-I", str(ROOT / "include"), str(ROOT / "python/tests" / name),
               "-o", str(built), "-lm"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == 0, result.stdout.decode()
    ctypes.CDLL(lib._path, mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(built))
