"""The tutorial and the examples run; the stubs are what the package is."""

import os
import subprocess
import sys
from pathlib import Path

import gossamer as gs
import pytest

HERE = Path(__file__).resolve().parent.parent
PACKAGE = os.path.dirname(os.path.dirname(gs.__file__))
TUTORIAL = sorted(p for p in (HERE / "tutorial").glob("*.py") if p.name != "figures.py")


def run(script, *arguments, **surroundings):
    done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": PACKAGE, "MPLBACKEND": "Agg", **surroundings})  # fmt: skip
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("script", TUTORIAL, ids=lambda p: p.stem)
def test_tutorial(script, tmp_path):
    figures = os.environ.get("GOSSAMER_FIGURES", str(tmp_path))
    out = run(script, GOSSAMER_FIGURES=figures)
    if "no figure" in out:
        pytest.skip(f"{script.stem} ran, but {out.strip().splitlines()[-1]}")
    assert (Path(figures) / f"{script.stem}.png").stat().st_size > 1000


def test_the_tutorial_is_complete():
    names = {p.stem for p in TUTORIAL}
    assert names >= {"pagerank", "cosine_similarity", "markov_clustering", "graph_convolution", "multigrid"}


@pytest.mark.parametrize("script, needs", [("sklearn_similarity", "sklearn"), ("networkx_neighbours", "networkx")])
def test_examples(script, needs):
    pytest.importorskip(needs, reason=f"{needs} is not installed (python3-{needs})")
    assert "Gossamer" in run(HERE / "examples" / f"{script}.py", "--small")


def test_the_reference_page_is_what_the_docstrings_say():
    page = HERE.parent / "docs" / "reference" / "python.md"
    printed = run(HERE / "build_support" / "list_api.py")
    assert printed == page.read_text(), f"print it again: python/build_support/list_api.py > {page.name}"


def test_every_public_name_is_documented():
    for name in gs.__all__:
        assert getattr(gs, name).__doc__, name


def test_types():
    """mypy --strict on the package, and the stub of the module against the module."""
    import shutil

    mypy = shutil.which("mypy")
    if mypy is None:
        pytest.skip("mypy is not installed")
    done = subprocess.run([mypy, "--strict", "--config-file", str(HERE / "pyproject.toml"), "--cache-dir=/dev/null",
                           str(HERE / "gossamer")], capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_lists_what_the_module_has():
    stub = (HERE / "gossamer" / "_core.pyi").read_text()
    for name in dir(gs._core):
        if not name.startswith("_"):
            assert any(f"{kind} {name}" in stub for kind in ("def", "class")) or f"{name}: " in stub, name
