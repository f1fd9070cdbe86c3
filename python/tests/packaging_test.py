"""The wheel that pip builds: what is in it, and that it can be installed and used."""

import base64
import hashlib
import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import gossamer as gs
import pytest

HERE = Path(__file__).resolve().parent.parent


@pytest.fixture
def backend(monkeypatch):
    """The build backend; the module is the one under test instead of a new one."""
    spec = importlib.util.spec_from_file_location("gossamer_build", HERE / "build_support" / "gossamer_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "build_module", lambda: Path(gs._core.__file__))
    return module


def test_the_wheel_has_the_whole_package_and_its_record(backend, tmp_path):
    wheel = zipfile.ZipFile(tmp_path / backend.build_wheel(str(tmp_path)))
    names = set(wheel.namelist())
    sources = {f"gossamer/{p.name}" for p in (HERE / "gossamer").iterdir() if p.suffix in (".py", ".pyi", ".typed")}
    assert names >= sources | {f"gossamer/{Path(gs._core.__file__).name}"} and "gossamer/py.typed" in names
    record = wheel.read("gossamer-0.1.0.dist-info/RECORD").decode().splitlines()
    assert len(record) == len(names)
    for line in record[:-1]:
        name, digest, size = line.split(",")
        found = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
        assert digest == f"sha256={found}" and int(size) == len(wheel.read(name))
    (tmp_path / "before").mkdir()
    info = backend.prepare_metadata_for_build_wheel(str(tmp_path / "before"))
    for name in ("METADATA", "WHEEL"):
        assert (tmp_path / "before" / info / name).read_bytes() == wheel.read(f"{info}/{name}")
    assert f"Version: {gs.__version__}" in wheel.read(f"{info}/METADATA").decode()


def test_the_wheel_is_installed_by_pip(backend, tmp_path):
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed (python3-pip)")
    wheel = tmp_path / backend.build_wheel(str(tmp_path))
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target",
                           str(tmp_path / "installed"), str(wheel)], env=clean, capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    program = "import gossamer as gs; A = gs.identity(3); print(gs.__file__, (2 * gs.csr(A) @ A).nnz)"
    # Elsewhere than in the build's folder, where Python would find the package that is tested.
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path,
                          env={**clean, "PYTHONPATH": str(tmp_path / "installed")})  # fmt: skip
    assert done.stdout.split() == [str(tmp_path / "installed" / "gossamer" / "__init__.py"), "3"], done.stderr


def test_programs_of_the_build_see_installed_packages(backend, monkeypatch, capfd):
    """pip hides them by PYTHONPATH and a sitecustomize.py there; CMake looks for NumPy."""
    monkeypatch.setenv("PYTHONPATH", "/nothing")
    monkeypatch.setenv("PYTHONNOUSERSITE", "1")
    backend.run(sys.executable, "-c", "import os; print('PYTHONPATH' in os.environ, 'PYTHONNOUSERSITE' in os.environ)")
    assert capfd.readouterr().out.splitlines()[-1] == "False False"
    with pytest.raises(SystemExit, match="exit code 3"):
        backend.run(sys.executable, "-c", "import sys; sys.exit(3)")
    with pytest.raises(SystemExit, match="is missing"):
        backend.run("no-such-program")
