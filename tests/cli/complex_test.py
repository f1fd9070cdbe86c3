#!/usr/bin/env python3
"""Complex files on the command line, judged by SciPy: npz and npy, both types, products with conjugates, sums and masks,
comparisons, and what is refused. scipy_oracle.py multiplies the Matrix Market files of tests/data."""

import json
import subprocess
import sys
import unittest

try:
    import numpy as np
    import scipy.sparse as sp
except ImportError as missing:
    print(f"SKIPPED: this interpreter ({sys.executable}) has no SciPy: {missing}")
    sys.exit(77)

from harness import ENVIRONMENT, PROGRAM, Case

TYPES = {"c64": np.complex64, "c128": np.complex128}


def random_matrix(shape, seed, dtype=np.complex128):
    rng = np.random.default_rng(seed)
    a = sp.random(*shape, density=0.15, format="csr", random_state=rng).astype(np.complex128)
    a.data = rng.uniform(-1, 1, a.nnz) + 1j * rng.uniform(-1, 1, a.nnz)
    return a.astype(dtype)


class ComplexFiles(Case):
    def saved(self, name, matrix):
        if sp.issparse(matrix):
            sp.save_npz(self.folder / name, matrix)
        else:
            np.save(self.folder / name, matrix)
        return name

    def product(self, *words, out="out.npz"):
        self.succeed("multiply", *words, "-o", out)
        return sp.load_npz(self.folder / out) if out.endswith(".npz") else np.load(self.folder / out)

    def close(self, found, wanted, eps):
        scale = max(1, abs(wanted).max())
        self.assertLessEqual(abs(found - wanted).max(), 200 * eps * scale)

    def test_both_types_there_and_back(self):
        for name, dtype in TYPES.items():
            a = random_matrix((30, 20), 1, dtype)
            self.saved("c.npz", a)
            info = self.succeed_json("info", "c.npz")
            self.assertEqual((info["file"]["type"], info["file"]["field"]), (name, "complex"))
            for file in ("t.mtx", "t.gsm", "t.npz"):
                self.succeed("convert", "c.npz", file, "--type", name)
                self.succeed("convert", file, "back.npz", "--type", name)
                back = sp.load_npz(self.folder / "back.npz")
                self.assertEqual(back.dtype, dtype)
                self.assertEqual(abs(back - a).nnz, 0)

    def test_products_of_every_kind(self):
        forms = {(): lambda m: m, ("--transpose-a",): lambda m: m.T, ("--conjugate-a",): lambda m: m.conj(),
                 ("--transpose-a", "--conjugate-a"): lambda m: m.conj().T}
        for name, dtype in TYPES.items():
            a = random_matrix((60, 60), 2, dtype)
            rng = np.random.default_rng(3)
            block = (rng.uniform(-1, 1, (60, 9)) + 1j * rng.uniform(-1, 1, (60, 9))).astype(dtype)
            self.saved("c.npz", a), self.saved("b.npy", block), self.saved("x.npy", block[:, :1])
            for flags, form in forms.items():
                for place in ("reference", "openmp"):
                    common = ["c.npz", *flags, "--type", name, "--on", place, "--alpha", "0.5"]
                    eps = np.finfo(dtype).eps
                    self.close(self.product(*common, "--square"), 0.5 * form(a) @ a, eps)
                    self.close(self.product(*common, "--times", "b.npy", out="o.npy"), 0.5 * form(a) @ block, eps)
                    self.close(self.product(*common, "--vector", "x.npy", out="o.npy"), 0.5 * form(a) @ block[:, :1], eps)

    def test_formats_sums_and_masks(self):
        a, z = random_matrix((40, 40), 4), random_matrix((40, 40), 5)
        x = np.arange(40).reshape(40, 1) * (1 - 2j)
        self.saved("c.npz", a), self.saved("z.npz", z), self.saved("x.npy", x)
        eps = np.finfo(float).eps
        for kind in ("csc", "coo", "ell", "sellp", "hyb"):
            self.close(self.product("c.npz", "--vector", "x.npy", "--format", kind, out="o.npy"), a @ x, eps)
        self.close(self.product("c.npz", "--square", "--add", "z.npz", "--beta", "2", "--check"), a @ a + 2 * z, eps)
        masked = self.product("c.npz", "--square", "--mask", "z.npz")
        wanted = (a @ a).multiply(z != 0)
        self.close(masked, wanted, eps)
        largest = self.product("c.npz", "--square", "--top", "1")
        self.close(abs(largest).max(axis=1).toarray(), abs(a @ a).max(axis=1).toarray(), eps)

    def test_real_and_complex_operands_meet(self):
        a, b = random_matrix((30, 30), 6), random_matrix((30, 30), 7).real.tocsr()
        self.saved("c.npz", a), self.saved("r.npz", b)
        self.close(self.product("r.npz", "--times", "c.npz"), b @ a, np.finfo(float).eps)
        self.assertEqual(self.product("r.npz", "--square").dtype, np.float64)

    def test_pipes_and_several_files(self):
        self.saved("c.npz", random_matrix((10, 10), 10))
        self.succeed("convert", "c.npz", "c.mtx")
        text = (self.folder / "c.mtx").read_text()
        for words in (["info", "-"], ["multiply", "-", "--square"], ["convert", "-", "d.npz"], ["compare", "-", "c.npz"],
                      ["info", "-", "--why", "spmv"]):
            done = subprocess.run([PROGRAM, *words], input=text, cwd=self.folder, env=ENVIRONMENT, text=True,
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sp.load_npz(self.folder / "d.npz").dtype, np.complex128)
        found = self.succeed_json("info", "a.mtx", "c.npz")["files"]
        self.assertEqual([f["file"]["field"] for f in found], ["real", "complex"])

    def test_comparisons(self):
        a = random_matrix((10, 10), 8)
        b = a.copy()
        b.data[3] += 0.5j
        self.saved("c.npz", a), self.saved("d.npz", b)
        self.succeed("compare", "c.npz", "c.npz")
        done = self.run_program("compare", "c.npz", "d.npz", "--json")
        self.assertEqual(done.returncode, 1)
        self.assertAlmostEqual(json.loads(done.stdout)["largest_difference"], 0.5)

    def test_refusals(self):
        self.saved("c.npz", random_matrix((10, 10), 9))
        for words, part in ((["multiply", "c.npz", "--square", "--semiring", "min_plus"], "plus_times"),
                            (["multiply", "c.npz", "--square", "--type", "f64"], "complex"),
                            (["convert", "c.npz", "r.mtx", "--type", "f32"], "complex")):
            done = self.run_program(*words)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
