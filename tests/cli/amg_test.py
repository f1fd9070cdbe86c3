"""amg: systems from files and recipes, what is reported, what is refused; SciPy judges the hierarchy."""

import json
import unittest

from harness import DATA, Case

try:
    import numpy
    import scipy.sparse
except ImportError:
    numpy = None


class Amg(Case):
    def test_a_recipe(self):
        system = self.succeed_json("amg", "poisson3d:nx=20")["systems"][0]
        self.assertEqual(system["method"], "cg")
        self.assertEqual(system["levels"][0]["rows"], 8000)
        self.assertEqual(system["coarsest"], "direct")
        self.assertLess(system["operator_complexity"], 1.6)
        solve = system["solves"][0]
        self.assertEqual(solve["outcome"], "converged")
        self.assertLess(solve["iterations"], 20)
        self.assertEqual(len(solve["residuals"]), solve["iterations"] + 1)
        self.assertLess(solve["error"], 1e-6)
        share = system["setup"]["spgemm_share"]
        self.assertTrue(0 < share < 1)

    def test_text(self):
        text = self.succeed("amg", "poisson2d:nx=40", "poisson3d:nx=8", "--reuse", "2", "--threads", "1")
        for word in ["hierarchy", "SpGEMM", "50.0 %", "converged", "new values", "poisson3d:nx=8"]:
            self.assertIn(word, text)

    def test_new_values(self):
        system = self.succeed_json("amg", "fem:n=3000", "--reuse", "3")["systems"][0]
        self.assertEqual(len(system["updates"]), 3)
        self.assertEqual([s["outcome"] for s in system["solves"]], ["converged"] * 4)

    def test_files_and_other_methods(self):
        for method in ["cg", "bicgstab", "gmres"]:
            system = self.succeed_json("amg", DATA / "1138_bus.mtx.gz", "--method", method)["systems"][0]
            self.assertEqual(system["method"], method)
        (self.folder / "u.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n1 2 1\n2 1 2\n2 2 3\n")
        (self.folder / "b.mtx").write_text("%%MatrixMarket matrix array real general\n2 1\n6\n8\n")
        found = self.succeed_json("amg", "u.mtx", "--rhs", "b.mtx", "-o", "x.npy")["systems"][0]
        self.assertFalse(found["symmetric"])
        self.assertEqual(found["method"], "bicgstab")
        if numpy:
            x = numpy.load(self.folder / "x.npy")
            numpy.testing.assert_allclose(x.ravel(), [1, 2], rtol=1e-7)

    def test_refusals(self):
        self.assertIn("square", self.refuse(4, "amg", "wide.mtx"))
        self.assertIn("no nonzero on the diagonal", self.refuse(4, "amg", DATA / "west0479.mtx.gz"))
        self.refuse(2, "amg")
        self.refuse(4, "amg", "nowhere.mtx")
        self.refuse(2, "amg", "poisson2d:nx=9", "poisson2d:nx=8", "-o", "x.mtx")

    def test_too_few_iterations_are_exit_code_1(self):
        done = self.run_program("amg", "poisson2d:nx=40", "--iterations", "2", "--json")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["systems"][0]["solves"][0]["outcome"], "iteration limit")

    @unittest.skipIf(numpy is None, "no SciPy")
    def test_levels_are_galerkin_products(self):
        for product in ["right", "left"]:
            system = self.succeed_json("amg", "fem:domain=ball,n=3000", "--coarsest", "20", "--product",
                                       product, "--save-levels", self.folder / "l")["systems"][0]
            levels = [scipy.sparse.load_npz(self.folder / f"lA{i}.npz")
                      for i in range(len(system["levels"]))]
            self.assertGreater(len(levels), 2)
            for i, (fine, coarse) in enumerate(zip(levels, levels[1:])):
                p = scipy.sparse.load_npz(self.folder / f"lP{i}.npz")
                difference = abs(p.T @ fine @ p - coarse).max()
                self.assertLess(difference, 1e-12 * abs(coarse).max())


if __name__ == "__main__":
    unittest.main()
