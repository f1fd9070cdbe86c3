# Sourced by ./quickstart, ./run-tests, .ci/run and tools/test-aarch64: what the build needs, and how it is installed.
# Things are looked for themselves, not by package, so that an ordinary user with compilers and
# libraries of their own is never asked for Debian's.

if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then bold=$'\e[1m' plain=$'\e[0m'; else bold= plain=; fi

say() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
stop() { printf '%s\n' "$*" >&2; exit 1; }

has_command() { command -v "$1" >/dev/null 2>&1; }

# The header is there and compiles as far as the preprocessor is concerned.
has_header() {
  has_command g++ && printf '#include <%s>\n' "$1" | g++ -std=c++20 -E -x c++ -o /dev/null - 2>/dev/null
}

# The Python that has these modules: the one in PATH, or the system's own.
python_with() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" >/dev/null 2>&1; then
      command -v "$python"
      return 0
    fi
  done
  return 1
}

# Headers of the Python that has SciPy, to embed it.
python_headers() {
  local python
  python=$(python_with scipy.sparse) &&
    "$python" -c 'import os, sysconfig; exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

# What clang links into fuzzers and sanitized programs.
has_clang_runtime() {
  [[ -e $(clang++ --print-file-name="libclang_rt.fuzzer-$(uname -m).a" 2>/dev/null) ]]
}

build_needs=(
  "g++|has_command g++"
  "cmake|has_command cmake"
  "ninja-build|has_command ninja"
  "pkg-config|has_command pkg-config"
  "zlib1g-dev|has_header zlib.h"
  "libfmt-dev|has_header fmt/format.h"
  "nlohmann-json3-dev|has_header nlohmann/json.hpp"
  "libfast-float-dev|has_header fast_float/fast_float.h"
  "libcli11-dev|has_header CLI/CLI.hpp"
)
test_needs=(
  "libgtest-dev|has_header gtest/gtest.h"
  "python3|has_command python3"
  "python3-numpy|python_with numpy"
  "python3-scipy|python_with scipy.sparse"
  "python3-jsonschema|python_with jsonschema"
)
# The Python package, and what its tests use; each is optional.
python_needs=(
  "pybind11-dev|test -e /usr/include/pybind11/pybind11.h"
  "libpython3-dev|python_headers"
  "python3-numpy|python_with numpy"
  "python3-scipy|python_with scipy.sparse"
)
python_test_needs=(
  "python3-pytest|python_with pytest,scipy.sparse"
  "mypy|has_command mypy"
  "python3-matplotlib|python_with matplotlib,scipy.sparse"
  "python3-sklearn|python_with sklearn,scipy.sparse"
  "python3-networkx|python_with networkx,scipy.sparse"
)
# Libraries the benchmarks compare with; each is optional.
peer_needs=(
  "libeigen3-dev|has_header eigen3/Eigen/Sparse"
  "libgraphblas-dev|has_header GraphBLAS.h"
  "librsb-dev|has_header rsb.h"
  "libpetsc-real-dev|pkg-config --exists PETSc"
  "libtrilinos-kokkos-kernels-dev|test -e /usr/include/trilinos/KokkosKernels_SparseUtils.hpp"
  "libtrilinos-kokkos-dev|test -e /usr/include/trilinos/Kokkos_Core.hpp"
  "libpython3-dev|python_headers"
)
# Distributed matrices: an MPI and, for renumbering, partitioners of graphs; each is optional.
mpi_needs=(
  "libopenmpi-dev|has_command mpicxx"
  "openmpi-bin|has_command mpirun"
  "libmetis-dev|has_header metis.h"
  "libscotch-dev|test -e /usr/include/scotch/scotch.h"
)
# A cross build for aarch64; tools/test-aarch64 unpacks the libraries of the target.
cross_needs=(
  "g++-aarch64-linux-gnu|has_command aarch64-linux-gnu-g++"
  "qemu-user|has_command qemu-aarch64"
  "cmake|has_command cmake"
  "ninja-build|has_command ninja"
)
# The explorer's own tests; without Node the page that is shipped is all there is to have. Debian 12's
# Node is too old for the tools, so it is not installed for them.
explorer_needs=("chromium|has_command chromium")
# The site, and the reference in it.
site_needs=(
  "doxygen|has_command doxygen"
  "mkdocs|has_command mkdocs"
  "mkdocs-material|test -d /usr/share/mkdocs/themes/material"
)
style_needs=("clang-format-14|has_command clang-format-14")
clang_needs=(
  "clang|has_command clang++"
  "clang-tidy-14|has_command clang-tidy-14"
  "libclang-rt-14-dev|has_clang_runtime"
)

# missing_packages NEED...: the Debian packages of the needs that are not met, one a line.
missing_packages() {
  local need
  for need in "$@"; do
    ${need#*|} >/dev/null 2>&1 || printf '%s\n' "${need%%|*}"
  done
}

# install_missing NEED...: installs what is missing; without the right to, says what to run.
install_missing() {
  local packages as_root=()
  mapfile -t packages < <(missing_packages "$@")
  if ((${#packages[@]} == 0)); then
    say "everything the build needs is here; nothing to install"
    return
  fi
  has_command apt-get || stop "Missing: ${packages[*]} (Debian's names), and this system has no apt-get.
Install their counterparts, then run this again with --no-install."
  if ((EUID != 0)); then
    if has_command sudo && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      stop "Missing packages: ${packages[*]}
Installing them takes root. Run this once, then start again:
  apt-get update && apt-get install --no-install-recommends ${packages[*]}"
    fi
  fi
  say "installing ${packages[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    stop "apt-get could not install them; its last words are above, all of them are in $log"
  fi
  rm -f "$log"
  mapfile -t packages < <(missing_packages "$@")
  ((${#packages[@]} == 0)) || stop "installed, but still not usable: ${packages[*]}"
}

has_node() { has_command npm && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; }

# prepare_explorer: what the explorer's tests need beside Node 20: a browser, and npm's packages as
# package-lock.json names them. Where something is missing these tests are left out, and say so.
prepare_explorer() {
  local stamp=explorer/node_modules/.gossamer-lock
  if ! has_node; then
    say "no Node.js 20: the tests of the explorer are left out"
    return
  fi
  (install_missing "${explorer_needs[@]}") || say "no browser: its tests of the explorer are left out"
  if ! cmp -s explorer/package-lock.json "$stamp"; then
    say "installing the packages of explorer/package-lock.json"
    # npm ci refuses where a registry lacks packages for other systems, which npm install leaves out.
    if npm ci --prefix explorer --no-audit --no-fund >/dev/null 2>&1 ||
       npm install --prefix explorer --no-save --no-audit --no-fund >/dev/null 2>&1; then
      cp explorer/package-lock.json "$stamp"
    else
      say "npm could not install them: the tests of the explorer are left out"
    fi
  fi
}

# install_optional WHAT NEED...: as install_missing where we may, otherwise one line; never stops.
install_optional() {
  local what=$1 packages
  shift
  mapfile -t packages < <(missing_packages "$@")
  ((${#packages[@]} == 0)) && return
  if ((EUID == 0)) && has_command apt-get; then
    (install_missing "$@") && return
  fi
  say "left out: $what, which needs ${packages[*]}"
}

# A CUDA toolkit is often installed without being in PATH.
find_cuda() {
  if ! has_command nvcc && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    PATH="/usr/local/cuda/bin:$PATH"
  fi
}

# cuda_setting yes|auto: GOSSAMER_CUDA for a build. Compiling CUDA takes minutes, so it is built where a
# device is listed or where it is asked for.
cuda_setting() {
  if [[ $1 == yes ]]; then
    echo ON
  elif has_command nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU '; then
    echo AUTO
  else
    echo OFF
  fi
}

# configure PRESET [-D...]: prints only what was built and left out, everything when it fails.
configure() {
  local preset=$1 log
  shift
  # The first build counts here; those who build often, with ccache, configure for themselves.
  local settings=(-DGOSSAMER_PCH=ON "$@")
  if has_command ccache; then
    settings+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  say "configuring build/$preset"
  log=$(mktemp)
  if ! cmake --preset "$preset" "${settings[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    stop "the configuration failed; CMake's words are above"
  fi
  sed -n '/^-- Gossamer /,/^-- Configuring done/{/^-- Configuring done/d;s/^-- //;p}' "$log"
  rm -f "$log"
}
