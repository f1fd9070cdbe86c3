"""Semirings, masks, filters and sums on the command line, with results written by hand."""

import json
import unittest

from harness import DATA, FAULTY, Case

# The square of a.mtx = [2 0 1; 0 3 0; 4 0 5] is [8 0 7; 0 9 0; 28 0 29].


class SemiringProducts(Case):
    def setUp(self):
        super().setUp()
        # Entries at (1, 1), (1, 2) and (3, 3), whatever their values.
        (self.folder / "m.mtx").write_text(
            "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 1\n1 2\n3 3\n")
        (self.folder / "z.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 4\n2 3 10\n")
        self.before = self.names()

    def product(self, *arguments):
        self.succeed("multiply", "a.mtx", "--square", *arguments, "--check", "-o", "c.mtx")
        rows, cols, found = self.entries("c.mtx")
        self.assertEqual((rows, cols), (3, 3))
        return found

    def test_semirings(self):
        self.assertEqual(self.product("--semiring", "min_plus"),
                         {(1, 1): 4, (1, 3): 3, (2, 2): 6, (3, 1): 6, (3, 3): 5})
        self.assertEqual(self.product("--semiring", "max_plus"),
                         {(1, 1): 5, (1, 3): 6, (2, 2): 6, (3, 1): 9, (3, 3): 10})
        self.assertEqual(self.product("--semiring", "plus_pair"),
                         {(1, 1): 2, (1, 3): 2, (2, 2): 1, (3, 1): 2, (3, 3): 2})
        self.assertEqual(set(self.product("--semiring", "or_and").values()), {1})

    def test_masks(self):
        self.assertEqual(self.product("--mask", "m.mtx"), {(1, 1): 8, (3, 3): 29})
        self.assertEqual(self.product("--mask", "m.mtx", "--complement-mask"),
                         {(1, 3): 7, (2, 2): 9, (3, 1): 28})
        self.assertEqual(self.product("--mask", "m.mtx", "--semiring", "min_plus", "--type", "f32",
                                      "--on", "reference"), {(1, 1): 4, (3, 3): 5})

    def test_filters(self):
        self.assertEqual(self.product("--threshold", "9"), {(2, 2): 9, (3, 1): 28, (3, 3): 29})
        self.assertEqual(self.product("--top", "1"), {(1, 1): 8, (2, 2): 9, (3, 3): 29})
        self.assertEqual(self.product("--top", "1", "--threshold", "9", "--alpha", "-1"),
                         {(2, 2): -9, (3, 3): -29})

    def test_sums(self):
        self.assertEqual(self.product("--add", "z.mtx"),
                         {(1, 1): 12, (1, 3): 7, (2, 2): 9, (2, 3): 10, (3, 1): 28, (3, 3): 29})
        self.assertEqual(self.product("--add", "z.mtx", "--beta", "-2", "--alpha", "0.5", "--top",
                                      "1"), {(1, 1): -4, (2, 3): -20, (3, 3): 14.5})
        self.assertEqual(self.product("--add", "z.mtx", "--beta", "0"), self.product())

    def test_every_algorithm_and_transposed(self):
        for algorithm in ["adaptive", "hash", "spa"]:
            self.assertEqual(self.product("--algorithm", algorithm, "--mask", "m.mtx",
                                          "--transpose-a"), {(1, 1): 20, (3, 3): 26})
        for algorithm in ["pb", "heap", "hashvec"]:
            self.assertEqual(self.product("--algorithm", algorithm, "--top", "1"),
                             {(1, 1): 8, (2, 2): 9, (3, 3): 29})

    def test_real_matrix_is_checked(self):
        matrix = DATA / "west0479.mtx.gz"
        for more in [["--mask", matrix], ["--semiring", "max_plus"], ["--threshold", "0.5"],
                     ["--add", matrix, "--beta", "-3"], ["--top", "3", "--repeat", "2"]]:
            found = self.succeed_json("multiply", matrix, "--square", "--check", *more)
            self.assertTrue(found["check"]["right"], more)
            self.assertGreater(found["check"]["entries"], 0)

    def test_texts(self):
        found = self.succeed_json("multiply", "a.mtx", "--square", "--semiring", "min_plus",
                                  "--mask", "m.mtx")
        self.assertEqual(found["product"], "C = A A over min_plus, masked by m.mtx")
        self.assertFalse(found["planned"])
        self.assertIn("over min_plus, mask of 3 entries", found["explanation"]["problem"])
        found = self.succeed_json("multiply", "a.mtx", "--square", "--add", "z.mtx", "--beta", "2",
                                  "--top", "5")
        self.assertEqual(found["product"], "C = A A + 2 z.mtx, the 5 largest of each row")
        self.assertFalse(found["planned"])
        text = self.succeed("multiply", "a.mtx", "--square", "--threshold", "1", "--explain")
        self.assertIn("rows filtered before they are stored", text)

    def test_wrong_results_are_seen(self):
        for more in [["--semiring", "min_plus"], ["--mask", "m.mtx"], ["--threshold", "9"],
                     ["--add", "z.mtx"]]:
            done = self.run_program("multiply", "a.mtx", "--square", *more, "--check", "--json",
                                    program=FAULTY)
            self.assertEqual(done.returncode, 1, more)
            self.assertGreater(json.loads(done.stdout)["check"]["worst"], 1)


class SemiringErrors(Case):
    def refuse_square(self, code, *arguments):
        return self.refuse(code, "multiply", "a.mtx", "--square", *arguments)

    def test_combinations_that_make_no_sense(self):
        self.assertIn("--mask", self.refuse_square(2, "--complement-mask"))
        self.assertIn("--add", self.refuse_square(2, "--beta", "2"))
        self.assertIn("min_plus", self.refuse_square(2, "--semiring", "min_plus", "--alpha", "2"))
        self.assertIn("or_and", self.refuse_square(2, "--semiring", "or_and", "--add", "a.mtx"))
        self.refuse_square(2, "--semiring", "times_plus")
        self.refuse_square(2, "--top", "0")
        for wrong in ["-1", "nan"]:
            self.assertIn("not negative", self.refuse_square(2, f"--threshold={wrong}"))

    def test_dense_results_take_none_of_it(self):
        for right in [["--vector", "ones"], ["--dense", "2"], ["--times", "b.mtx"]]:
            for more in [["--semiring", "min_plus"], ["--mask", "a.mtx"], ["--top", "1"],
                         ["--threshold", "1"], ["--add", "a.mtx"]]:
                self.assertIn("sparse results", self.refuse(2, "multiply", "a.mtx", *right, *more))

    def test_shapes(self):
        text = self.refuse_square(4, "--mask", "wide.mtx")
        self.assertIn("wide.mtx is 2 x 3 and the result 3 x 3", text)
        self.assertIn("--add", self.refuse_square(4, "--add", "wide.mtx"))
        self.refuse_square(4, "--mask", "missing.mtx")

    def test_kernels_without_it(self):
        text = self.refuse_square(3, "--algorithm", "pb", "--mask", "a.mtx")
        self.assertIn("takes plus_times without a mask", text)


if __name__ == "__main__":
    unittest.main()
