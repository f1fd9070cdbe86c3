"""The build backend of the package (PEP 517): CMake builds the module, this file packs the wheel.

The library is taken from where it is built already, in this order: the installation that
GOSSAMER_PREFIX names; build/release of the repository, where ./quickstart and ./run-tests build it,
brought up to date; otherwise it is built once, in build/python-library.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent
NAME, VERSION = "gossamer", "0.1.0"


def run(*command: object) -> None:
    words = [str(word) for word in command]
    print("+", " ".join(words), flush=True)
    # pip hides installed packages from the Python that builds. CMake asks another one for NumPy: the
    # library's own build would be configured without Python.
    hidden = ("PYTHONPATH", "PYTHONNOUSERSITE", "PYTHONHOME")
    surroundings = {name: value for name, value in os.environ.items() if name not in hidden}
    try:
        done = subprocess.run(words, env=surroundings)
    except FileNotFoundError:
        sys.exit(f"{words[0]} is missing; on Debian: apt-get install cmake ninja-build g++ pybind11-dev")
    if done.returncode != 0:
        sys.exit(f"{words[0]} failed with exit code {done.returncode}; its words are above. What the build needs is "
                 "in docs/guide/python.md, and ./quickstart installs it where it is root")  # fmt: skip


def build_folder(name: str) -> Path:
    return Path(os.environ.get("GOSSAMER_BUILD", ROOT / "build")) / name


def library() -> Path:
    """The prefix of an installed library."""
    given = os.environ.get("GOSSAMER_PREFIX")
    if given:
        return Path(given).resolve()
    prefix = build_folder("python-prefix")
    release = build_folder("release")
    settings = ["-DGOSSAMER_CLI=OFF", "-DGOSSAMER_TESTS=OFF", "-DGOSSAMER_EXAMPLES=OFF", "-DGOSSAMER_PYTHON=OFF",
                "-DGOSSAMER_PCH=ON", "-DCMAKE_BUILD_TYPE=Release"]  # fmt: skip
    if (release / "CMakeCache.txt").exists():
        folder = release
    else:
        folder = build_folder("python-library")
        cuda = "AUTO" if shutil.which("nvidia-smi") else "OFF"
        run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *settings, f"-DGOSSAMER_CUDA={cuda}")
    targets = ["gossamer"]
    if "GOSSAMER_AMG:BOOL=ON" in (folder / "CMakeCache.txt").read_text():
        targets.append("gossamer_amg")
    run("cmake", "--build", folder, "--target", *targets)
    run("cmake", "--install", folder, "--prefix", prefix, "--component", "gossamer_library")
    return prefix


def build_module() -> Path:
    """The shared object of the module, built for the Python that runs this."""
    tag = sysconfig.get_config_var("SOABI") or "python"
    folder = build_folder(f"python-{tag}")
    run("cmake", "-S", PACKAGE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={library()}", f"-DPython3_EXECUTABLE={sys.executable}")  # fmt: skip
    run("cmake", "--build", folder, "--target", "gossamer_python")
    (found,) = (folder / "gossamer").glob("_core*.so")
    return found


def metadata() -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {VERSION}",
             "Summary: Sparse matrix products on all cores, for the objects of SciPy and NumPy",
             "License: BSD-3-Clause", "Requires-Python: >=3.9",
             "Requires-Dist: numpy>=1.22", "Requires-Dist: scipy>=1.8",
             "Description-Content-Type: text/markdown"]  # fmt: skip
    return "\n".join(lines) + "\n\n" + (PACKAGE / "README.md").read_text()


def wheel_tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def info_files() -> dict[str, bytes]:
    info = f"{NAME}-{VERSION}.dist-info"
    return {
        f"{info}/METADATA": metadata().encode(),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: gossamer_build\nRoot-Is-Purelib: false\nTag: {wheel_tag()}\n".encode()
        ),
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }


def pack(wheel: Path, files: dict[str, bytes]) -> None:
    record = []
    name_of_record = f"{NAME}-{VERSION}.dist-info/RECORD"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        record.append(f"{name_of_record},,")
        archive.writestr(name_of_record, "\n".join(record) + "\n")


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    """Name and version, before anything is built."""
    for name, content in info_files().items():
        file = Path(metadata_directory) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return f"{NAME}-{VERSION}.dist-info"


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    module = build_module()
    files = {f"gossamer/{module.name}": module.read_bytes()}
    for pattern in ("*.py", "*.pyi", "py.typed"):
        for file in sorted((PACKAGE / "gossamer").glob(pattern)):
            files[f"gossamer/{file.name}"] = file.read_bytes()
    name = f"{NAME}-{VERSION}-{wheel_tag()}.whl"
    pack(Path(wheel_directory) / name, {**files, **info_files()})
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    sys.exit("the package is built from a clone of the repository: pip install ./python")


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    return []
