"""gossamer multiply --distributed from outside, on random numbers of ranks, with SciPy as the oracle.

GOSSAMER is the program, ON_RANKS the script that runs one on several ranks, MPIEXEC what starts them.
"""

import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy
import scipy.io
import scipy.sparse

GOSSAMER = os.environ["GOSSAMER"]
START = [os.environ["ON_RANKS"], *os.environ["MPIEXEC"].split(";")]
random.seed(int(os.environ.get("GOSSAMER_SEED", "5")))


def run(ranks, *arguments):
    return subprocess.run([*START, str(ranks), GOSSAMER, "multiply", *map(str, arguments), "--distributed"],
                          capture_output=True, text=True, timeout=100)


class Distributed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, matrix, **how):
        scipy.io.mmwrite(self.folder / name, matrix, **how)
        return self.folder / name

    def test_random_products_agree_with_scipy(self):
        for case in range(8):
            ranks = random.choice([1, 2, 3, 4, 5, 7])
            rows, cols = random.randint(1, 120), random.randint(1, 120)
            transposed = random.random() < 0.4
            columns = random.choice([0, 0, 3])
            a = scipy.sparse.random(rows, cols, density=random.random() * 0.2, random_state=case)
            inner = rows if transposed else cols
            x = numpy.random.default_rng(case).random((inner, 1))
            numpy.save(self.folder / "x.npy", x)
            file = self.write("a.mtx", a)
            factor = ["--dense", columns] if columns else ["--vector", self.folder / "x.npy"]
            done = run(ranks, file, *factor, *(["--transpose-a"] if transposed else []), "--alpha", 2,
                       "--balance", random.choice(["rows", "nonzeros"]), "-o", self.folder / "y.npy",
                       "--check", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            record = json.loads(done.stdout)
            self.assertEqual(record["ranks"], ranks)
            self.assertEqual(len(record["per_rank"]), ranks)
            self.assertTrue(record["check"]["right"])
            self.assertEqual(sum(r["nnz"] for r in record["per_rank"]), a.nnz)
            self.assertEqual(sum(r["bytes_sent"] for r in record["per_rank"]), record["traffic"]["bytes"])
            if not columns:
                y = numpy.load(self.folder / "y.npy").reshape(-1)
                expected = 2 * ((a.T if transposed else a) @ x).reshape(-1)
                numpy.testing.assert_allclose(y, expected, rtol=1e-12, atol=1e-14)

    def test_random_sparse_products_agree_with_scipy(self):
        for case in range(10):
            ranks = random.choice([1, 2, 3, 4, 5, 6, 7])
            rows, inner, cols = (random.randint(1, 90) for _ in range(3))
            transposed = random.random() < 0.3
            a = scipy.sparse.random(rows, inner, density=random.random() * 0.2, random_state=case)
            b = scipy.sparse.random(inner, cols, density=random.random() * 0.2, random_state=100 + case)
            way = random.choice(["auto", "1d", "2d", "3d"] if ranks > 1 else ["auto", "1d", "2d"])
            masked = random.random() < 0.4
            arguments = [self.write("a.mtx", a.T if transposed else a), "--times", self.write("b.mtx", b),
                         "--decomposition", way, "--balance", random.choice(["rows", "nonzeros"]), "--alpha", 2,
                         *(["--transpose-a"] if transposed else [])]
            expected = 2 * (a @ b).tocsr()
            if masked:
                mask = scipy.sparse.random(rows, cols, density=0.3, random_state=200 + case)
                arguments += ["--mask", self.write("m.mtx", mask)]
                expected = expected.multiply(mask != 0).tocsr()
            with self.subTest(case=case, ranks=ranks, way=way, masked=masked, transposed=transposed):
                done = run(ranks, *arguments, "-o", self.folder / "c.npz", "--check", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                record = json.loads(done.stdout)
                self.assertTrue(record["check"]["right"])
                self.assertEqual(record["ranks"], ranks)
                if way != "auto":
                    self.assertEqual(record["decomposition"], way)
                found = scipy.sparse.load_npz(self.folder / "c.npz").tocsr()
                self.assertTrue(found.has_sorted_indices)
                self.assertEqual(record["result"]["nnz"], found.nnz)
                numpy.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-12, atol=1e-14)

    def test_explains_the_decomposition(self):
        a = scipy.sparse.random(80, 80, density=0.1, random_state=3)
        done = run(4, self.write("a.mtx", a), "--square", "--explain")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fewest bytes", done.stdout)
        for way in ("1d", "2d", "3d"):
            self.assertIn(way, done.stdout)

    def test_reordered_results_are_in_the_order_of_the_file(self):
        a = scipy.sparse.random(60, 60, density=0.05, random_state=2) + scipy.sparse.identity(60)
        file = self.write("a.mtx", a)
        done = run(3, file, "--vector", "ones", "--reorder", "any", "-o", self.folder / "y.npy", "--json")
        if done.returncode == 3:
            self.skipTest("neither METIS nor Scotch")
        self.assertEqual(done.returncode, 0, done.stderr)
        numpy.testing.assert_allclose(numpy.load(self.folder / "y.npy").reshape(-1),
                                      numpy.asarray(a.sum(axis=1)).reshape(-1), rtol=1e-12)

    def test_only_one_rank_prints(self):
        file = self.write("a.mtx", scipy.sparse.identity(9))
        done = run(4, file, "--vector", "ones")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("traffic"), 1)

    def test_errors_end_all_ranks_with_the_documented_code(self):
        file = self.write("a.mtx", scipy.sparse.identity(9))
        broken = self.folder / "broken.mtx"
        broken.write_text("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n3 x 1\n")
        for code, arguments, words in [
                (4, [self.folder / "missing.mtx", "--vector", "ones"], "missing.mtx"),
                (4, [broken, "--vector", "ones"], "line 4"),
                (4, [file, "--vector", "ones", "-o", self.folder / "no" / "y.mtx"], "y.mtx"),
                (2, [file, "--square", "--add", file], "--add is not for distributed sparse products"),
                (2, [file, "--vector", "ones", "--top", "3"], "an option of sparse products"),
                (2, [file], "multiply A by what?"),
                (2, [file, "--vector", "ones", "--algorithm", "no-such"], "no-such")]:
            done = run(3, *arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(done.stderr.count("gossamer: error:"), 1, done.stderr)
            self.assertIn(words, done.stderr)

    def test_runs_alone_without_mpiexec(self):
        file = self.write("a.mtx", scipy.sparse.identity(9))
        done = subprocess.run([GOSSAMER, "multiply", str(file), "--vector", "ones", "--distributed", "--json"],
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["ranks"], 1)


if __name__ == "__main__":
    unittest.main()
