"""Stubs and examples under mypy --strict, where it is installed; stubs against what is really there."""
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import sinew

ROOT = pathlib.Path(os.environ.get("SINEW_ROOT", pathlib.Path(__file__).parent.parent.parent))


def mypy(*arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", os.devnull, *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=str(ROOT),
                          env={**os.environ, "MYPYPATH": str(ROOT / "python")})


def test_mypy_strict():
    pytest.importorskip("mypy", reason="mypy is not installed")
    examples = [one for one in sorted((ROOT / "python/examples").glob("*.py")) if one.name != "ppo_torch.py"]
    result = mypy(ROOT / "python/sinew/__init__.pyi", ROOT / "python/sinew/gym.pyi", *examples)
    assert result.returncode == 0, result.stdout.decode()


def test_mypy_refuses_what_the_library_would(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    wrong = ("sinew.World(precision='half')", "sinew.World(copys=3)", "sinew.Trainer(3)", "sinew.Member().qdd = 1")
    (tmp_path / "wrong.py").write_text("import sinew\n%s\n" % "\n".join(wrong))
    told = mypy(tmp_path / "wrong.py").stdout.decode()
    for line in range(2, 2 + len(wrong)):
        assert "wrong.py:%d: error" % line in told, told


def test_stubs_tell_what_is_there():
    import ast

    tree = ast.parse((ROOT / "python/sinew/__init__.pyi").read_text())
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(classes) > 25
    for node in classes:
        real = getattr(sinew, node.name)
        for one in node.body:
            if isinstance(one, ast.FunctionDef):
                assert hasattr(real, one.name), "%s.%s" % (node.name, one.name)
    for name, real in vars(sinew).items():
        if inspect.isclass(real) and real.__module__.startswith("sinew.") and not name.startswith("_"):
            known = {node.name for node in classes}
            assert name in known or real.__module__ in ("sinew.enums", "sinew.results"), name
