"""The layer check finds what it is for: each rule is broken once in a tree of its own."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).parents[2] / "tools" / "check-layers.py"

CLEAN = {
    "include/gossamer/types.hpp": "#pragma once\n#include <cstdint>\n",
    "include/gossamer/views.hpp": '#pragma once\n#include "gossamer/types.hpp"\n',
    "include/gossamer/gossamer.hpp": '#pragma once\n#include "gossamer/views.hpp"\n',
    "src/base/parallel.hpp": '#pragma once\n#include "gossamer/types.hpp"\n',
    "src/backends/openmp/team.cpp": '#include <omp.h>\n#include "base/parallel.hpp"\n#pragma omp parallel\n',
    "src/io/read.cpp": '#include "base/parallel.hpp"\n#include "gossamer/views.hpp"\n',
    "src/plan/problem.hpp": '#pragma once\n#include "gossamer/views.hpp"\n',
    "src/kernels/spmv/csr.cpp": '#include "plan/problem.hpp"\n',
    "src/multiply/dense.cpp": '#include "plan/problem.hpp"\n',
    "examples/one.cpp": '#include "gossamer/gossamer.hpp"\n',
}


def check(changes):
    """Runs the checker over the clean tree with `changes` laid over it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**CLEAN, **changes}.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True, text=True)
        return done.returncode, done.stdout


class CheckLayers(unittest.TestCase):
    def test_mpi_stays_in_its_library(self):
        self.assert_found("src/multiply/dense.cpp", "#include <mpi.h>\n", 1, "mpi")
        self.assert_found("src/distributed/matrix.cpp", '#include "plan/problem.hpp"\n', 1, "mpi")
        self.assert_found("include/gossamer/views.hpp", "#include <mpi.h>\n", 1, "public")
        status, output = check({"src/distributed/calls.hpp": "#include <mpi.h>\n"})
        self.assertEqual(status, 0, output)

    def assert_found(self, name, text, line, rule):
        status, output = check({name: text})
        self.assertEqual(status, 1, output)
        self.assertIn(f"{name}:{line}: {rule}", output)
        self.assertIn("1 offences", output)

    def test_a_clean_tree_passes(self):
        self.assertEqual(check({}), (0, f"{len(CLEAN)} files, 0 offences\n"))

    def test_an_empty_tree_is_not_a_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True)
            self.assertEqual(done.returncode, 1)

    def test_a_later_room(self):
        self.assert_found("src/io/read.cpp", '// why\n#include "plan/problem.hpp"\n', 2,
                          "layers: plan comes after io")

    def test_a_later_room_by_its_public_header(self):
        self.assert_found("src/base/parallel.hpp", '#include "gossamer/views.hpp"\n', 1,
                          "layers: formats comes after base")

    def test_a_sibling(self):
        status, output = check({"src/generate/draw.hpp": "", "src/io/read.cpp": '#include "generate/draw.hpp"\n'})
        self.assertEqual(status, 1)
        self.assertIn("src/io/read.cpp:1: layers: io and generate are siblings", output)

    def test_a_later_room_by_a_relative_path(self):
        self.assert_found("src/io/read.cpp", '#include "../plan/problem.hpp"\n', 1,
                          "layers: plan comes after io")

    def test_an_unknown_room(self):
        self.assert_found("src/attic/old.cpp", "", 1, "layers: attic is not a layer")

    def test_a_file_beside_the_rooms(self):
        self.assert_found("src/multiply.cpp", "", 1, "layers: a file of src/ lies in the folder")

    def test_what_the_conductor_sees_of_the_kernels(self):
        counting = {"src/kernels/count_result.hpp": "", "src/kernels/spgemm/frame/counted_rows.hpp": "",
                    "src/multiply/dense.cpp": '#include "kernels/count_result.hpp"\n'}
        self.assertEqual(check(counting)[0], 0)
        for name, included, says in (
                ("cli/why.cpp", "kernels/count_result.hpp", "is for src/multiply"),
                ("cli/why.cpp", "kernels/spgemm/frame/counted_rows.hpp", "is private to the kernels"),
                ("src/multiply/dense.cpp", "kernels/spgemm/frame/counted_rows.hpp",
                 "is private to the kernels")):
            status, output = check({**counting, name: f'#include "{included}"\n'})
            self.assertEqual(status, 1, output)
            self.assertIn(f"{name}:1: families: src/{included} {says}", output)

    def test_everything_at_once_inside_the_library(self):
        self.assert_found("src/multiply/dense.cpp", '#include "gossamer/gossamer.hpp"\n', 1,
                          "layers: gossamer.hpp is for users")

    def test_the_order_of_public_headers(self):
        self.assert_found("include/gossamer/types.hpp", '#pragma once\n#include "gossamer/views.hpp"\n',
                          2, "public: views.hpp comes after types.hpp")

    def test_a_foreign_library_in_a_public_header(self):
        self.assert_found("include/gossamer/views.hpp", "#include <fmt/format.h>\n", 1,
                          "public: <fmt/format.h> is not of the standard library")

    def test_an_internal_header_in_a_public_header(self):
        self.assert_found("include/gossamer/views.hpp", '#include "base/parallel.hpp"\n', 1,
                          'public: "base/parallel.hpp" is not a public header')

    def test_an_example_that_looks_inside(self):
        self.assert_found("examples/one.cpp", '#include "base/parallel.hpp"\n', 1,
                          "examples: src/base/parallel.hpp is not a public header")

    def test_a_pragma_outside_the_backend(self):
        self.assert_found("src/kernels/spmv/csr.cpp", "#pragma omp parallel for\n", 1, "threads: ")

    def test_a_thread_outside_the_backend(self):
        self.assert_found("src/io/read.cpp", "std::thread worker;\n", 1, "threads: ")

    def test_cuda_outside_the_backend(self):
        self.assert_found("src/kernels/spmv/csr.cpp", "#include <cuda_runtime.h>\n", 1, "cuda: ")

    def test_conditional_compilation(self):
        status, output = check({"src/io/read.cpp": "#ifdef FAST\n#endif\n"})
        self.assertEqual(status, 1)
        self.assertIn("src/io/read.cpp:1: ifdef: ", output)


if __name__ == "__main__":
    unittest.main()
