"""Every example runs, and prints something."""
import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(os.environ.get("SINEW_ROOT", pathlib.Path(__file__).parent.parent.parent)) / "python/examples"


@pytest.mark.parametrize("name", sorted(one.name for one in FOLDER.glob("*.py")))
def test_example(name, tmp_path):
    if name == "ppo_torch.py":
        pytest.importorskip("torch", reason="torch is not installed")
    more = {"plan.py": ["2"]}.get(name, [])
    result = subprocess.run([sys.executable, str(FOLDER / name), *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=str(tmp_path), timeout=300)
    assert result.returncode == 0 and len(result.stdout) > 20, result.stdout.decode()
