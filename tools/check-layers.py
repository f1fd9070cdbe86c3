#!/usr/bin/env python3
"""Data flows one way through the layers, and includes follow it.

Usage: check-layers.py [ROOT]

Reads every C++ file of the library, the command line and the examples, and prints each offence as
file:line with the rule it breaks. Exit status 1 when there is one. The rules:

  layers     a file of src/ lies in the folder of its layer; it includes its own layer and layers before
             it, never a sibling or a later one
  public     public headers include the standard library and earlier public headers, nothing else
  examples   examples use public headers only
  amg        the solver uses public headers, threads and texts of the library only
  mpi        the distributed matrices use public headers, src/base, typed views and the parsers of files only;
             mpi.h is included in src/distributed, gossamer/mpi.hpp, gossamer/petsc.hpp and plug-ins only
  threads    teams and threads start in src/backends/openmp only: no omp.h, pragma omp, std::thread
  cuda       CUDA's headers are included in src/backends/cuda, *.cuda.* kernels and plug-ins only
  families   src/kernels/common and simd see nothing above them; a folder below an operation is
             private to it, and a family's folder is included by its own kernels only. Other layers see
             src/kernels/catalog.hpp and simd; src/multiply, the conductor, also count_result.hpp
  crowd      no folder of sources has more than 30 files
  ifdef      no conditional compilation: CMake picks the file, the code has no #if
"""

import re
import sys
from pathlib import Path

# The order of the layers. Layers on one line are siblings: they do not see each other.
LEVELS = [
    ["base"],
    ["formats"],
    ["backends"],
    ["io", "generate", "convert"],
    ["analysis"],
    ["plan"],
    ["kernels"],
    ["multiply"],
    ["amg", "c_api"],
    ["distributed"],
    ["distributed_amg"],
    ["bench"],
    ["cli", "python", "examples"],
]
LEVEL = {layer: level for level, layers in enumerate(LEVELS) for layer in layers}

# Public headers in their own order, each with the layer that implements it.
PUBLIC = {
    "types": "base", "complex": "base", "semirings": "base", "error": "base", "version": "base", "memory": "base", "machine": "base",
    "context": "base",
    "views": "formats", "matrix": "formats", "operand": "formats", "validate": "formats",
    "elements": "formats",
    "copy": "backends",
    "io": "io", "generate": "generate", "convert": "convert", "assemble": "convert",
    "compare": "convert", "structure": "convert",
    "analysis": "analysis", "plan": "plan", "multiply": "multiply",
    "over_semiring": "multiply", "eigen": "formats",
    "amg": "amg", "distributed_matrix": "distributed", "distributed_files": "distributed",
    "distributed_multiply": "distributed", "distributed_products": "distributed",
    "distributed_reorder": "distributed",
    "distributed": "distributed", "mpi": "distributed", "petsc": "distributed",
    "distributed_amg": "distributed_amg",
}
PUBLIC_ORDER = [*PUBLIC, "gossamer"]

# What src/amg sees of the library besides its public headers: threads, texts and, for CUDA, launches.
INSIDE_FOR_AMG = {"src/base/parallel.hpp", "src/base/parallel_all.hpp", "src/base/text.hpp"}
INSIDE_FOR_AMG_ON_CUDA = INSIDE_FOR_AMG | {"src/backends/cuda/launch.cuh", "src/formats/typed.hpp"}

# What src/distributed sees of the library besides public headers: files are parsed by the same code.
INSIDE_FOR_DISTRIBUTED = ("src/base/", "src/formats/typed.hpp", "src/io/")
# What src/distributed_amg sees: both libraries that it joins, and texts.
INSIDE_FOR_DISTRIBUTED_AMG = ("src/distributed/", "src/amg/", "src/base/text.hpp", "src/base/parallel.hpp")
# Foreign headers that a public header is for: who includes it has them, and no other header includes it.
FOREIGN = {"eigen": "Eigen/", "mpi": "mpi.h", "petsc": "petsc"}
MPI_FOLDERS = ("src/distributed/", "bench/peers/", "bench/distributed/")

# (file, include) pairs that break the rule of layers for a reason.
EXCEPTIONS = {
    # A context of the CUDA backend needs its memory; the header is plain C++ in every build.
    ("src/base/context.cpp", "src/backends/cuda/runtime.hpp"),
    ("src/base/memory.cpp", "src/backends/cuda/runtime.hpp"),
}

# What layers after the kernels see of them: the list of kernels for everyone, and the functions the
# conductor calls beside it. Folders below src/kernels are private to the kernels.
KERNELS_FOR_ALL = {"src/kernels/catalog.hpp"}
KERNELS_FOR_THE_CONDUCTOR = {"src/kernels/count_result.hpp"}

# Inside src/kernels/<operation>: folders a file of the operation may include, besides its own, by the
# folder it lies in ("" for the kernels themselves).
SHARED_PARTS = {
    "spmv": {"": {"operands"}},
    "spmm": {"": {"operands"}, "cuda": {"operands"}},
    "spgemm": {
        "": {"operands", "accumulators", "frame", "masked"},
        "accumulators": {"operands"},
        "frame": {"operands", "accumulators"},
        "masked": {"operands", "accumulators", "frame"},
        "adaptive": {"operands", "accumulators", "frame"},
        "pb": {"operands", "accumulators", "frame"},
        "hashvec": {"operands", "accumulators"},
    },
}
# Folders of one family, with the kernels that may include them; cuda/ is for kernels on devices.
FAMILIES = {
    "spmv/rows": {"csr_rows", "csr_merge"},
    "spmv/sell": {"csr_sell", "csc_sell"},
    "spmv/ell": {"ell_rows", "sellp_slices", "hyb_split"},
    "spmv/bins": {"csr_bins"},
    "spmv/coo": {"coo_segments", "hyb_split"},
    "spmm/rows": {"csr_rows"},
    "spgemm/adaptive": {"csr_adaptive"},
    "spgemm/pb": {"csr_pb"},
    "spgemm/hashvec": {"csr_hashvec"},
}
CROWD = 30

SOURCES = ("*.cpp", "*.hpp", "*.cu", "*.cuh", "*.cpp.in")
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
CONDITIONAL = re.compile(r"\s*#\s*(?:if|ifdef|ifndef|elif|else|endif)\b")
THREADS = re.compile(r"#\s*pragma\s+omp\b|\bstd::(?:j?thread|async)\b(?!::)")
# Standard headers are single lower-case words; <unistd.h> and the like are not standard C++.
STANDARD = re.compile(r"[a-z_]+$")
CUDA = re.compile(r"(?:cuda|cub/|thrust/|cusparse|nv/|cooperative_groups)")


# Plug-ins of the benchmarks are programs of their own: nothing else is linked with CUDA by them.
CUDA_FOLDERS = ("src/backends/cuda/", "bench/peers/cusparse", "bench/probes/", "bench/clock/")


def layer_of(path):
    """The layer of a file of the tree, by its path; None for files no rule is about."""
    parts = path.split("/")
    if parts[0] == "include":
        return PUBLIC.get(Path(path).stem)
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return parts[0] if parts[0] in LEVEL else None


def resolve(root, path, included):
    """The file of the tree that a quoted include means, as the compiler would find it."""
    own = [Path("bench")] if path.startswith("bench/") else []
    for folder in (Path(path).parent, *own, Path("src"), Path("include"), Path(".")):
        candidate = root / folder / included
        if candidate.is_file():
            return candidate.resolve().relative_to(root).as_posix()
    return None


def check_public_header(path, quoted, angled):
    if angled is not None:
        foreign = FOREIGN.get(Path(path).stem)
        if foreign and angled.startswith(foreign):
            return None
        if not STANDARD.match(angled):
            return f"public: <{angled}> is not of the standard library"
        return None
    own, other = Path(path).stem, Path(quoted).stem
    if not quoted.startswith("gossamer/") or other not in PUBLIC_ORDER:
        return f'public: "{quoted}" is not a public header'
    if own not in PUBLIC_ORDER:
        return f"public: {own}.hpp has no place in the order of public headers (see {Path(__file__).name})"
    if PUBLIC_ORDER.index(other) >= PUBLIC_ORDER.index(own):
        return f"public: {other}.hpp comes after {own}.hpp"
    if own in PUBLIC:
        return check_rooms(path, f"include/{quoted}")
    return None


def check_rooms(path, target):
    own, other = layer_of(path), layer_of(target)
    if target == "include/gossamer/gossamer.hpp":
        return None if LEVEL[own] == len(LEVELS) - 1 else "layers: gossamer.hpp is for users"
    if own == other or other is None or (path, target) in EXCEPTIONS:
        return None
    if own == "examples" and not target.startswith("include/"):
        return f"examples: {target} is not a public header"
    if own == "amg" and target.startswith("src/"):
        if target not in (INSIDE_FOR_AMG_ON_CUDA if ".cuda." in path else INSIDE_FOR_AMG):
            return f"amg: {target} is inside the library; the solver uses its public headers"
    if own == "distributed" and target.startswith("src/") and not target.startswith(INSIDE_FOR_DISTRIBUTED):
        return f"mpi: {target} is inside the library; distributed matrices use its public headers"
    if own == "distributed_amg" and target.startswith("src/") and not target.startswith(INSIDE_FOR_DISTRIBUTED_AMG):
        return f"mpi: {target} is inside the library; the distributed solver joins src/distributed and src/amg"
    if LEVEL[other] == LEVEL[own]:
        return f"layers: {own} and {other} are siblings and do not see each other"
    if LEVEL[other] > LEVEL[own]:
        return f"layers: {other} comes after {own}"
    return None


def place_of(path):
    """(operation or common folder, folder below it) of a file in src/kernels; a kernel's folder is ""."""
    parts = Path(path).parts[2:-1]
    return (parts[0] if parts else "", parts[1] if len(parts) > 1 else "")


def check_families(path, target):
    if not target.startswith("src/kernels/") or target in KERNELS_FOR_ALL:
        return None
    if target.startswith("src/kernels/simd/") and not path.startswith("src/kernels/"):
        return None
    if target in KERNELS_FOR_THE_CONDUCTOR:
        if path.startswith(("src/multiply/", "src/kernels/")):
            return None
        return f"families: {target} is for src/multiply; call a function of that layer"
    if not path.startswith("src/kernels/"):
        return f"families: {target} is private to the kernels; catalog.hpp and simd are what others see"
    own, folder = place_of(path)
    other, part = place_of(target)
    if other == own and (part == folder or own in ("common", "simd")):
        return None
    if other in ("common", "simd"):
        return f"families: {own} is below {other}" if own == "simd" else None
    if own != other:
        return f"families: {target} is private to {other}"
    if part in SHARED_PARTS.get(own, {}).get(folder, ()):
        return None
    if folder == "" and part == "cuda" and ".cuda." in path:
        return None
    if folder == "" and Path(path).name.split(".")[0] in FAMILIES.get(f"{own}/{part}", ()):
        return None
    return f"families: {own}/{part} is not for {own}/{folder or Path(path).name}"


def check_angled(path, angled):
    if angled == "omp.h" and not path.startswith("src/backends/openmp/"):
        return "threads: omp.h belongs to src/backends/openmp"
    if angled == "mpi.h" and not path.startswith(MPI_FOLDERS):
        return "mpi: mpi.h belongs to src/distributed; others include gossamer/mpi.hpp"
    if CUDA.match(angled) and not path.startswith(CUDA_FOLDERS) and ".cuda." not in path:
        return f"cuda: <{angled}> belongs to src/backends/cuda, *.cuda.* kernels and plug-ins for CUDA"
    return None


def check_include(root, path, quoted, angled):
    if path.startswith("include/"):
        return check_public_header(path, quoted, angled)
    if angled is not None:
        return check_angled(path, angled)
    target = resolve(root, path, quoted)
    if target is None:
        return f'layers: "{quoted}" is not a file of this tree'
    return check_rooms(path, target) or check_families(path, target)


def crowded(files):
    """Folders with too many sources to be an index."""
    count = {}
    for path in files:
        count[Path(path).parent.as_posix()] = count.get(Path(path).parent.as_posix(), 0) + 1
    return [f"{folder}:1: crowd: {number} files, more than {CROWD}: which families live here?"
            for folder, number in sorted(count.items()) if number > CROWD]


def offences(root, path):
    layer = layer_of(path)
    if path.startswith("src/") and layer is None:
        yield 1, "layers: a file of src/ lies in the folder of its layer"
        return
    if path.startswith("src/") and layer not in LEVEL:
        yield 1, f"layers: {layer} is not a layer (see {Path(__file__).name})"
        return
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        code = line.split("//")[0]
        if CONDITIONAL.match(code):
            yield number, "ifdef: CMake picks the file; the code has no conditional compilation"
        if THREADS.search(code) and path.startswith(("src/", "include/")) \
                and not path.startswith("src/backends/openmp/"):
            yield number, "threads: teams and threads start in src/backends/openmp only"
        if found := INCLUDE.match(line):
            problem = check_include(root, path, *found.groups())
            if problem:
                yield number, problem


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    files = sorted({file.relative_to(root).as_posix()
                    for folder in ("include", "src", "cli", "python", "bench", "examples")
                    for pattern in SOURCES for file in (root / folder).rglob(pattern)})
    crowds = crowded(files)
    for problem in crowds:
        print(problem)
    count = len(crowds)
    for path in files:
        for line, problem in offences(root, path):
            print(f"{path}:{line}: {problem}")
            count += 1
    print(f"{len(files)} files, {count} offences")
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main())
