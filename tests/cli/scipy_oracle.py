#!/usr/bin/env python3
"""SciPy judges the command line: every matrix in the folders given.

Usage: scipy_oracle.py GOSSAMER FOLDER...   (GOSSAMER_MATRICES names one more folder)

For every Matrix Market file: it is read as SciPy's mmread reads it, or refused with an error that
names the file; A A, A' A' ... products with a vector and with 32 columns equal SciPy's within
(n + 4) eps sum |a||b| per entry, and sparse results have exactly the structural pattern. Complex
matrices are multiplied by complex ones, conjugated and conjugate-transposed as well, and may be off by
twice as much. Exit status 77 when SciPy is not there.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError as missing:
    print(f"SKIPPED: this interpreter ({sys.executable}) has no SciPy: {missing}")
    sys.exit(77)

# Products beyond this many multiplications would keep SciPy busy for minutes: their sparse square
# is left out, loudly.
MOST_PRODUCTS = 1_000_000_000
EPS = np.finfo(np.float64).eps


class Wrong(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Wrong(text)


class Oracle:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True,
                              check=False, timeout=1200)

    def succeed(self, *arguments):
        done = self.run(*arguments)
        require(done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr.strip()}")
        return done

    def path(self, name):
        return str(self.folder / name)

    def sparse_result(self, *arguments):
        self.succeed("multiply", *arguments, "-o", self.path("c.npz"))
        return sp.load_npz(self.path("c.npz"))

    def dense_result(self, *arguments):
        self.succeed("multiply", *arguments, "-o", self.path("y.mtx"))
        return np.asarray(scipy.io.mmread(self.path("y.mtx")))


def read_by_scipy(file):
    """(matrix, None), or (None, why SciPy cannot say either)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return scipy.io.mmread(str(file)), None
    except Exception as refused:  # whatever mmread raises
        return None, f"{type(refused).__name__}: {refused}"


def tidied(file, scratch):
    """A copy of the same matrix as the strictest reader wants it, or None."""
    try:
        opened = gzip.open if file.name.endswith(".gz") else open
        with opened(file, "rt", encoding="utf-8") as text:
            lines = [" ".join(line.split()) for line in text]
    except (OSError, UnicodeDecodeError):
        return None
    lines = [line for line in lines if line]
    kept = lines[:1] + [line for line in lines[1:] if not line.startswith("%")]
    scratch.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return scratch


def close(found, expected, magnitude, terms):
    """Entry by entry; where magnitudes are not finite, the same NaN or infinity is asked for."""
    bound = (terms + 4) * EPS * magnitude * (2 if np.iscomplexobj(expected) else 1)
    with np.errstate(invalid="ignore"):
        same = (found == expected) | (np.isnan(found) & np.isnan(expected))
        near = np.isfinite(bound) & (np.abs(found - expected) <= bound)
    return bool(np.all(same | near))


def row_lengths(matrix):
    return np.diff(sp.csr_matrix(matrix).indptr).astype(float)


def structural_product(a, b):
    """|A||B| on every entry that has a product, cancelled or zero: (magnitudes, pattern)."""
    ones_a, ones_b = a.copy(), b.copy()
    ones_a.data, ones_b.data = np.ones_like(a.data), np.ones_like(b.data)
    pattern = (ones_a @ ones_b).tocsr()
    pattern.sort_indices()
    return pattern


def aligned(matrix, pattern):
    """The values of `matrix` on the entries of `pattern` (0 where it has none)."""
    matrix = matrix.tocsr()
    matrix.sort_indices()
    rows_m = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    rows_p = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
    width = max(matrix.shape[1], 1)
    keys_m = rows_m * width + matrix.indices.astype(np.int64)
    keys_p = rows_p * width + pattern.indices.astype(np.int64)
    values = np.zeros(len(keys_p), dtype=matrix.dtype)
    values[np.searchsorted(keys_p, keys_m)] = matrix.data
    return values


def check_sparse(found, a, b, what):
    pattern = structural_product(a, b)
    require(found.has_sorted_indices, f"{what}: columns are not sorted")
    require(np.array_equal(found.indptr, pattern.indptr)
            and np.array_equal(found.indices, pattern.indices),
            f"{what}: pattern differs ({found.nnz} entries, structurally {pattern.nnz})")
    with np.errstate(all="ignore"):
        expected = aligned(a @ b, pattern)
        magnitude = aligned(abs(a) @ abs(b), pattern)
    terms = np.repeat(row_lengths(a), np.diff(pattern.indptr))
    if not np.isfinite(a.data).all() or not np.isfinite(b.data).all():
        return  # SciPy drops 0 * inf with the rest: only the pattern can be compared
    require(close(found.data, expected, magnitude, terms), f"{what}: values differ")


def check_dense(found, a, x, what):
    expected, magnitude = a @ x, abs(a) @ abs(x)
    require(found.shape == expected.shape, f"{what}: shape {found.shape}, not {expected.shape}")
    require(close(found, expected, magnitude, row_lengths(a)[:, None]), f"{what}: values differ")


def number_type(matrix):
    return np.complex128 if np.iscomplexobj(matrix) else np.float64


def check_reading(oracle, file, matrix):
    """convert gives what mmread gave."""
    dense = not sp.issparse(matrix)
    copy = oracle.path("copy.mtx" if dense else "copy.npz")
    oracle.succeed("convert", file, copy)
    if dense:
        found = np.asarray(scipy.io.mmread(copy))
        require(np.array_equal(found, np.asarray(matrix, dtype=number_type(matrix)), equal_nan=True),
                "array read differently")
        return
    found, expected = sp.load_npz(copy), matrix.tocsr()
    expected.sort_indices()
    require(found.shape == expected.shape and np.array_equal(found.indptr, expected.indptr)
            and np.array_equal(found.indices, expected.indices)
            and found.dtype == number_type(matrix)
            and np.array_equal(found.data, expected.data.astype(found.dtype), equal_nan=True),
            "sparse matrix read differently")


def check_products(oracle, file, a, notes):
    rng = np.random.default_rng(1)
    rows, cols = a.shape
    complex_values = np.iscomplexobj(a)

    def random(shape):
        real = rng.uniform(-1, 1, shape)
        return real + 1j * rng.uniform(-1, 1, shape) if complex_values else real

    lefts = [([], a, cols), (["--transpose-a"], a.T.tocsr(), rows)]
    if complex_values:
        lefts += [(["--conjugate-a"], a.conj(), cols),
                  (["--conjugate-a", "--transpose-a"], a.conj().T.tocsr(), rows)]
    for flag, left, size in lefts:
        x = random((size, 1))
        block = random((size, 32))
        scipy.io.mmwrite(oracle.path("x.mtx"), x, precision=17)
        scipy.io.mmwrite(oracle.path("b.mtx"), block, precision=17)
        check_dense(oracle.dense_result(file, *flag, "--vector", oracle.path("x.mtx")), left, x,
                    f"vector {flag}")
        check_dense(oracle.dense_result(file, *flag, "--times", oracle.path("b.mtx")), left, block,
                    f"32 columns {flag}")
    check_seeded(oracle, file, a)
    if rows != cols:
        return
    products = int(np.diff(a.indptr).astype(np.int64)[a.indices].sum())
    if products > MOST_PRODUCTS:
        notes.append(f"{Path(file).name}: A A left out ({products:,} products)")
        return
    for flag, left, _ in lefts:
        check_sparse(oracle.sparse_result(file, "--square", *flag), left, a, f"square {flag}")


def check_seeded(oracle, file, a):
    """`--vector random` and `--dense 32` are A times what A = I shows them to be."""
    cols = a.shape[1]
    scipy.io.mmwrite(oracle.path("identity.mtx"), sp.identity(cols, format="coo"))
    for right in [["--vector", "random"], ["--dense", "32"]]:
        x = oracle.dense_result(oracle.path("identity.mtx"), *right, "--seed", "7")
        require(x.size == 0 or (np.abs(x).max() <= 1 and (x.size < 9 or x.min() < 0 < x.max())),
                f"{right}: not uniform in [-1, 1)")
        if np.iscomplexobj(a):
            x = oracle.dense_result(oracle.path("identity.mtx"), *right, "--seed", "7", "--type", "c128")
        check_dense(oracle.dense_result(file, *right, "--seed", "7"), a, x, " ".join(right))


def check_refusal(oracle, file, why):
    done = oracle.run("info", file, "--json")
    require(done.returncode in (3, 4), f"exit {done.returncode}, though {why}: {done.stderr}")
    text = json.loads(done.stdout)["error"]["text"]
    require(Path(file).name in text, f"the error does not name the file: {text}")
    return text


def check_file(oracle, file, notes):
    matrix, refused = read_by_scipy(file)
    if matrix is None:
        if oracle.run("info", file).returncode != 0:
            return "refused by both: " + check_refusal(oracle, file, refused)
        tidy = tidied(file, oracle.folder / "tidy.mtx")
        matrix, refused_again = read_by_scipy(tidy) if tidy else (None, refused)
        require(matrix is not None, f"read here, though SciPy says {refused_again}")
        notes.append(f"{file.name}: read here and, tidied, by SciPy, which said {refused.strip()}")
    check_reading(oracle, file, matrix)
    if np.iscomplexobj(matrix):
        done = oracle.run("info", file, "--type", "f64", "--json")
        require(done.returncode in (3, 4) and "complex" in done.stdout, "read as real, though complex")
    a = sp.csr_matrix(matrix, dtype=number_type(matrix))
    a.sort_indices()
    check_products(oracle, file, a, notes)
    return f"{a.shape[0]} x {a.shape[1]}, {a.nnz} entries: right"


def main():
    program, *folders = sys.argv[1:]
    if extra := os.environ.get("GOSSAMER_MATRICES"):
        folders.append(extra)
    files = sorted(f for folder in folders for f in Path(folder).iterdir()
                   if f.name.endswith((".mtx", ".mtx.gz")))
    failed, notes = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        oracle = Oracle(program, Path(scratch))
        for file in files:
            try:
                verdict = check_file(oracle, file, notes)
            except Wrong as problem:
                failed += 1
                verdict = f"WRONG: {problem}"
            print(f"{file.name}: {verdict}", flush=True)
    for note in notes:
        print("note:", note)
    print(f"{len(files)} files, {failed} wrong")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
