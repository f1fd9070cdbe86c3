"""Products on small matrices whose results are written by hand."""

import json
import math
import unittest

from harness import DATA, FAULTY, Case

FORMATS = ["csr", "csc", "coo", "ell", "sellp", "hyb"]
SQUARED = {(1, 1): 8, (1, 3): 7, (2, 2): 9, (3, 1): 28, (3, 3): 29}


class Vectors(Case):
    def product(self, *arguments):
        self.succeed("multiply", *arguments, "-o", "y.mtx")
        return self.entries("y.mtx")

    def test_ones_and_files(self):
        self.assertEqual(self.product("a.mtx", "--vector", "ones"), [[3, 3, 9]])
        self.assertEqual(self.product("a.mtx", "--vector", "x.mtx"), [[102, 30, 504]])
        self.assertEqual(self.product("wide.mtx", "--vector", "x.mtx"), [[21, 300]])

    def test_a_file_called_ones(self):
        (self.folder / "ones").write_bytes((self.folder / "x.mtx").read_bytes())
        self.assertEqual(self.product("a.mtx", "--vector", "ones"), [[3, 3, 9]])
        self.assertEqual(self.product("a.mtx", "--vector", "./ones"), [[102, 30, 504]])

    def test_transposed_and_scaled(self):
        self.assertEqual(self.product("a.mtx", "--vector", "x.mtx", "--transpose-a"),
                         [[402, 30, 501]])
        self.assertEqual(self.product("a.mtx", "--vector", "ones", "--alpha", "-2"),
                         [[-6, -6, -18]])
        self.assertEqual(self.product("a.mtx", "--vector", "ones", "--alpha=0.5"), [[1.5, 1.5, 4.5]])

    def test_every_format_backend_and_type(self):
        for form in FORMATS:
            for backend in ["reference", "openmp", "best"]:
                for kind in ["f32", "f64"]:
                    for turn, expected in [([], [[102, 30, 504]]),
                                           (["--transpose-a"], [[402, 30, 501]])]:
                        found = self.product("a.mtx", "--vector", "x.mtx", "--format", form,
                                             "--on", backend, "--type", kind, "--check", *turn)
                        self.assertEqual(found, expected, (form, backend, kind, turn))

    def test_random_is_seeded(self):
        one = self.product("a.mtx", "--vector", "random", "--seed", "5")
        self.assertEqual(self.product("a.mtx", "--vector", "random", "--seed", "5", "--threads",
                                      "3"), one)
        self.assertNotEqual(self.product("a.mtx", "--vector", "random", "--seed", "6"), one)


class Blocks(Case):
    def test_array_files_make_dense_products(self):
        found = self.succeed_json("multiply", "a.mtx", "--times", "b.mtx", "-o", "c.mtx")
        self.assertEqual(found["operation"], "spmm")
        self.assertEqual(self.entries("c.mtx"), [[5, 6, 19], [14, 15, 46]])

    def test_random_blocks(self):
        arguments = ["multiply", "a.mtx", "--dense", "4", "--check", "--seed", "3"]
        for form in FORMATS:
            found = self.succeed_json(*arguments, "--format", form, "-o", "c.mtx")
            self.assertEqual((found["result"]["rows"], found["result"]["cols"]), (3, 4))
            self.assertTrue(found["check"]["right"])
            columns = self.entries("c.mtx")
            self.assertEqual(len(columns), 4)
            self.assertTrue(any(columns[0]))
        self.succeed(*arguments, "--transpose-a")


class Sparse(Case):
    def test_square(self):
        self.succeed("multiply", "a.mtx", "--square", "-o", "c.mtx")
        self.assertEqual(self.entries("c.mtx"), (3, 3, SQUARED))

    def test_times(self):
        self.succeed("multiply", "wide.mtx", "--times", "a.mtx", "--check", "-o", "c.mtx")
        self.assertEqual(self.entries("c.mtx"),
                         (2, 3, {(1, 1): 2, (1, 2): 6, (1, 3): 1, (2, 1): 12, (2, 3): 15}))

    def test_transposed_square_needs_no_square_matrix(self):
        self.succeed("multiply", "wide.mtx", "--square", "--transpose-a", "-o", "c.mtx")
        self.assertEqual(self.entries("c.mtx"),
                         (3, 3, {(1, 1): 1, (1, 2): 2, (2, 1): 2, (2, 2): 4, (3, 3): 9}))

    def test_cancelled_entries_stay(self):
        (self.folder / "one.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 -1\n")
        self.succeed("multiply", "one.mtx", "--square", "-o", "c.mtx")
        self.assertEqual(self.entries("c.mtx"),
                         (2, 2, {(1, 1): 2, (1, 2): 0, (2, 1): 0, (2, 2): 2}))

    def test_every_output_format_reads_back(self):
        for ending in ["mtx", "mtx.gz", "npz", "gsm"]:
            self.succeed("multiply", "a.mtx", "--square", "-o", f"c.{ending}")
            self.succeed("convert", f"c.{ending}", "back.mtx")
            self.assertEqual(self.entries("back.mtx"), (3, 3, SQUARED), ending)

    def test_bytes_do_not_depend_on_threads(self):
        matrix = DATA / "west0479.mtx.gz"
        results = set()
        for threads in ["1", "2", "5"]:
            self.succeed("multiply", matrix, "--square", "--threads", threads, "-o", "c.mtx")
            results.add((self.folder / "c.mtx").read_bytes())
        self.assertEqual(len(results), 1)


class Reports(Case):
    def test_json_of_a_product(self):
        found = self.succeed_json("multiply", "a.mtx", "--vector", "ones", "--repeat", "3",
                                  "--check", "--explain", "--threads", "2")
        self.assertEqual(found["operation"], "spmv")
        self.assertEqual(found["kernel"], found["explanation"]["chosen"])
        self.assertEqual((found["a"]["rows"], found["a"]["cols"], found["a"]["nnz"]), (3, 3, 5))
        self.assertEqual(found["seconds"]["warm"]["count"], 3)
        self.assertLessEqual(found["seconds"]["warm"]["min"], found["seconds"]["warm"]["median"])
        self.assertEqual(found["threads"], 2)
        self.assertEqual(found["flop"], 10)
        # CSR with 32-bit indices and f64, x and y.
        self.assertEqual(found["bytes"], 5 * 12 + 4 * 4 + 2 * 3 * 8)
        self.assertGreater(found["gflops"], 0)
        self.assertAlmostEqual(found["result"]["norm"], math.sqrt(9 + 9 + 81))
        self.assertTrue(found["check"]["right"])
        self.assertNotIn("output", found)

    def test_flop_of_a_sparse_product(self):
        self.assertEqual(self.succeed_json("multiply", "a.mtx", "--square")["flop"], 2 * 9)

    def test_text(self):
        text = self.succeed("multiply", "a.mtx", "--square", "--check", "--explain", "--repeat", "2")
        for word in ["kernel", "spgemm/csr/", "GFLOP/s", "correct:", "considered", "2 calls"]:
            self.assertIn(word, text)

    def test_phases_of_a_product(self):
        words = ["multiply", DATA / "west0479.mtx.gz", "--square", "--algorithm", "pb", "--check"]
        found = self.succeed_json(*words)
        phases = found["explanation"]["phases"]
        self.assertEqual([p["name"] for p in phases],
                         ["symbolic", "expand", "sort", "compress", "convert"])
        self.assertEqual(phases[3]["bytes"], 12 * found["result"]["nnz"])
        self.assertLess(sum(p["seconds"] for p in phases), found["seconds"]["first"])
        self.assertFalse(found["planned"])
        text = self.succeed(*words, "--explain", "--repeat", "1")
        for phase in phases:
            self.assertRegex(text, f"(?m)^  {phase['name']} .* to move, [0-9.]+ GB/s$")

    def test_algorithm_and_expectation_reach_the_plan(self):
        found = self.succeed_json("multiply", "a.mtx", "--vector", "ones", "--algorithm",
                                  "spmv/csr/merge/openmp", "--repeat", "9")
        self.assertEqual(found["kernel"], "spmv/csr/merge/openmp")
        self.assertEqual(found["explanation"]["expected_calls"], 10)

    def test_the_papers_rule(self):
        found = self.succeed_json("multiply", "a.mtx", "--square", "--algorithm", "paper", "--check")
        self.assertEqual(found["kernel"], "spgemm/csr/pb/openmp")  # next to no products meet
        self.assertIn("paper's rule", found["explanation"]["because"])
        rules = self.succeed_json("info", "--kernels")["rules"]
        self.assertEqual([rule["name"] for rule in rules], ["paper"])
        self.assertIn("--algorithm paper", self.succeed("info", "--kernels"))

    def test_a_memory_limit_is_kept_or_refused(self):
        found = self.succeed_json("multiply", "a.mtx", "--square", "--memory-limit", "1M", "--check")
        self.assertEqual(found["explanation"]["memory_limit"], 1000000)
        self.assertIn("smallest limit", self.refuse(5, "multiply", "a.mtx", "--square",
                                                     "--memory-limit", "100"))

    def test_not_a_number_travels(self):
        (self.folder / "nan.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 nan\n2 2 1\n")
        found = self.succeed_json("multiply", "nan.mtx", "--vector", "ones", "--check")
        self.assertIsNone(found["result"]["norm"])
        self.assertTrue(found["check"]["right"])


class Hypersparse(Case):
    """Far more columns than nonzeros: nothing may be allocated for each column."""

    def setUp(self):
        super().setUp()
        columns = 2**61
        (self.folder / "far.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n"
            f"3 {columns} 4\n1 1 2\n1 {columns} 1\n2 7 3\n3 {columns} 5\n")

    def test_products_are_checked(self):
        for nonzeros, extra in ((5, []), (4, ["--mask", "far.mtx"]),
                                (1, ["--mask", "far.mtx", "--complement-mask"]),
                                (5, ["--semiring", "min_plus"]), (3, ["--top", "1"])):
            found = self.succeed_json("multiply", "a.mtx", "--times", "far.mtx", "--check", *extra)
            self.assertTrue(found["check"]["right"], extra)
            self.assertEqual(found["result"]["nnz"], nonzeros, extra)

    def test_wide_matrices_are_analysed(self):
        found = self.succeed_json("info", "far.mtx")["analysis"]
        self.assertEqual(found["columns"]["zeros"], 2**61 - 3)
        self.assertEqual(found["columns"]["max"], 2)
        self.succeed_json("info", "a.mtx", "--why", "spgemm", "--times", "far.mtx")


class ScaledByZero(Case):
    def test_infinite_values_are_not_read(self):
        (self.folder / "inf.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 inf\n2 2 nan\n3 1 4\n")
        for right in (["--vector", "ones"], ["--dense", "2"], ["--square"],
                      ["--times", "inf.mtx"], ["--square", "--top", "2"]):
            found = self.succeed_json("multiply", "inf.mtx", *right, "--alpha", "0", "--check")
            self.assertTrue(found["check"]["right"], right)
            self.assertEqual(found["result"]["norm"], 0)


class WrongResults(Case):
    """A build whose products are off by one: --check must see it and nothing may be written."""

    def test_wrong_result_is_exit_code_one(self):
        for right in [["--vector", "ones"], ["--dense", "2"], ["--square"]]:
            done = self.run_program("multiply", "a.mtx", *right, "--check", "-o", "c.mtx", "--json",
                                    program=FAULTY)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("differs from the reference", done.stderr)
            found = json.loads(done.stdout)
            self.assertFalse(found["check"]["right"])
            self.assertGreater(found["check"]["worst"], 1)
            self.assertNotIn("output", found)
            self.assertEqual(self.names(), self.before)

    def test_bench_gives_it_no_time(self):
        for product in ["spmv", "spmm", "spgemm"]:
            done = self.run_program("bench", product, "a.mtx", "--all-kernels", "--json",
                                    program=FAULTY)
            self.assertEqual(done.returncode, 1)
            case = json.loads(done.stdout)["cases"][0]
            self.assertEqual(case["records"], [])
            self.assertTrue(case["refused"])
            for refused in case["refused"]:
                self.assertTrue(refused["wrong"] or "convert" in refused["why"], refused)

    def test_without_check_it_is_not_noticed(self):
        self.assertEqual(self.run_program("multiply", "a.mtx", "--square",
                                          program=FAULTY).returncode, 0)


if __name__ == "__main__":
    unittest.main()
