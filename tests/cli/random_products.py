#!/usr/bin/env python3
"""SciPy judges thousands of random sparse products, each by every SpGEMM kernel.

Usage: random_products.py PRODUCTS [COUNT [SEED [cuda]]]

PRODUCTS is the driver (tests/products); with cuda, the kernels are those for a GPU. Shapes from
nothing to 40 x 40, densities up to 0.6, empty rows and columns, unsorted rows, duplicates, explicit
zeros, transposed operands, float and double, 32- and 64-bit indices; some products are large enough
for several threads. Values are small integers, so that results are exact: all kernels must give the
very same matrix, with exactly the structural pattern (what cancels stays), sorted. Half of the
products are more than A B: over a semiring, under a mask, filtered, or added to; there the kernels
that take such products must agree with SciPy, and over min_plus and max_plus with NumPy. Exit
status 77 when SciPy is not there.
"""

import os
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

try:
    import numpy as np
    import scipy.sparse as sp
except ImportError as missing:
    print(f"SKIPPED: this interpreter ({sys.executable}) has no SciPy: {missing}")
    sys.exit(77)

COUNT, SEED = 4000, 1
LARGE_EVERY = 100  # one product in so many is large enough to be shared by threads

SEMIRINGS = ["plus_times", "min_plus", "max_plus", "or_and", "plus_pair"]
# Kernels that take semirings and masks.
GENERAL = ["spgemm/csr/hash/", "spgemm/csr/spa/", "spgemm/csr/adaptive/"]

Case = namedtuple("Case", "single transpose_a transpose_b wide alpha semiring masked threshold "
                          "largest drop_zeros added beta a b mask z")


def random_matrix(rng, rows, cols, density):
    """CSR arrays with all that is allowed: unsorted, duplicates, zeros, empty rows and columns."""
    rows_of = rng.integers(0, max(rows, 1), int(round(rows * cols * density)))
    cols_of = rng.integers(0, max(cols, 1), len(rows_of))
    if rng.random() < 0.5:  # some rows and columns have nothing
        kept = (rng.random(rows) < 0.7)[rows_of] & (rng.random(cols) < 0.7)[cols_of] \
            if len(rows_of) else np.zeros(0, bool)
        rows_of, cols_of = rows_of[kept], cols_of[kept]
    style = rng.integers(0, 3)
    if style == 0:  # sorted, no duplicates
        keys = np.unique(rows_of * max(cols, 1) + cols_of)
        rows_of, cols_of = keys // max(cols, 1), keys % max(cols, 1)
    elif style == 1:  # unsorted inside the rows
        order = np.argsort(rows_of, kind="stable")
        rows_of, cols_of = rows_of[order], cols_of[order]
    else:  # sorted, duplicates side by side
        order = np.lexsort((cols_of, rows_of))
        rows_of, cols_of = rows_of[order], cols_of[order]
    most = rng.choice([1, 9])  # -1, 0 and 1 cancel often
    values = rng.integers(-most, most + 1, len(rows_of)).astype(np.float64)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows_of, minlength=rows))])
    matrix = sp.csr_matrix((rows, cols))
    matrix.data, matrix.indices, matrix.indptr = values, cols_of, offsets[:rows + 1]
    return matrix


def random_case(rng, large):
    # Large products are wide: columns far apart meet in the same places of hash tables.
    m, k, n = rng.integers(120, [200, 200, 2000]) if large else rng.integers(0, 41, 3)
    densities = rng.uniform(0.02, 0.12, 2) if large else rng.choice([0, 0.02, 0.1, 0.3, 0.6], 2)
    flips = rng.random(2) < 0.25
    shape_a = (k, m) if flips[0] else (m, k)
    shape_b = (n, k) if flips[1] else (k, n)
    special = rng.random() < 0.5
    over = rng.choice(SEMIRINGS) if special else "plus_times"
    masked = int(rng.integers(0, 3)) if special else 0
    filtered = special and rng.random() < 0.4
    added = bool(special and over == "plus_times" and rng.random() < 0.3)
    return Case(bool(rng.random() < 0.5), bool(flips[0]), bool(flips[1]), bool(rng.random() < 0.3),
                int(rng.choice([1, 1, -1, 3])) if over == "plus_times" else 1, str(over), masked,
                float(rng.choice([0, 2, 5])) if filtered else 0.0,
                int(rng.choice([0, 1, 3])) if filtered else 0,
                bool(filtered and rng.random() < 0.5), added, int(rng.choice([1, -1, 2, 0])),
                random_matrix(rng, *shape_a, densities[0]),
                random_matrix(rng, *shape_b, densities[1]),
                random_matrix(rng, m, n, rng.choice([0, 0.1, 0.5])),
                random_matrix(rng, m, n, rng.choice([0, 0.1, 0.3])))


def in_words(matrix):
    return [np.array([*matrix.shape, len(matrix.data)], np.int64), matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int64), matrix.data.view(np.int64)]


def write(case, file):
    header = [case.single, case.transpose_a, case.transpose_b, case.wide, case.alpha,
              SEMIRINGS.index(case.semiring), case.masked,
              np.float64(case.threshold).view(np.int64), case.largest, case.drop_zeros, case.added,
              case.beta]
    parts = [case.a, case.b] + [case.mask] * (case.masked > 0) + [case.z] * case.added
    np.concatenate([np.array(header, np.int64),
                    *(words for part in parts for words in in_words(part))]).tofile(file)


class Words:
    """The driver's answer, read from front to back."""

    def __init__(self, path):
        self.words, self.at = np.fromfile(path, np.int64), 0

    def take(self, count):
        self.at += count
        if self.at > len(self.words):
            raise SystemExit("WRONG: the driver's answer ends early")
        return self.words[self.at - count:self.at]

    def matrix(self):
        rows, _, entries = shape = self.take(3)
        return shape, self.take(rows + 1), self.take(entries), self.take(entries).view(np.float64)


def with_values(matrix, values):
    changed = matrix.copy()
    changed.data = values
    return changed


def best_sums(a, b, choose, worst):
    """min_plus or max_plus, entry by entry of A."""
    best = np.full((a.shape[0], b.shape[1]), worst)
    for i in range(a.shape[0]):
        for p in range(a.indptr[i], a.indptr[i + 1]):
            of_b = slice(b.indptr[a.indices[p]], b.indptr[a.indices[p] + 1])
            choose.at(best[i], b.indices[of_b], a.data[p] + b.data[of_b])
    return best


def product(case, a, b):
    """The values of the product as a table, right wherever the product has an entry."""
    if case.semiring == "min_plus":
        return best_sums(a, b, np.minimum, np.inf)
    if case.semiring == "max_plus":
        return best_sums(a, b, np.maximum, -np.inf)
    if case.semiring == "plus_pair":
        a, b = (with_values(m, np.ones_like(m.data)) for m in (a, b))
    if case.semiring == "or_and":
        a, b = (with_values(m, (m.data != 0).astype(float)) for m in (a, b))
    table = (a @ b).toarray()
    return (table > 0).astype(float) if case.semiring == "or_and" else case.alpha * table


def has_entries(matrix):
    return with_values(matrix, np.ones_like(matrix.data)).toarray() > 0


def filtered(case, values, there):
    """Which entries stay: zeros go, small ones go, then all but the largest of each row."""
    there = there & (np.abs(values) >= case.threshold)
    if case.drop_zeros:
        there = there & (values != 0)
    if case.largest:
        ranked = np.argsort(np.where(there, -np.abs(values), np.inf), axis=1, kind="stable")
        among = np.zeros_like(there)
        np.put_along_axis(among, ranked[:, :case.largest], True, axis=1)
        there = there & among
    return there


def expected(case):
    """Shape and size, offsets, columns and values by SciPy, on the structural pattern."""
    a = case.a.T.tocsr() if case.transpose_a else case.a.copy()
    b = case.b.T.tocsr() if case.transpose_b else case.b.copy()
    ones = (with_values(m, np.ones_like(m.data)) for m in (a, b))
    there = (next(ones) @ next(ones)).toarray() > 0
    values = product(case, a, b)
    if case.masked:
        there = there & (has_entries(case.mask) == (case.masked == 1))
    if case.added and case.beta:
        values = np.where(there, values, 0) + case.beta * case.z.toarray()
        there = there | has_entries(case.z)
    there = filtered(case, values, there)
    offsets = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    rows, columns = np.nonzero(there)
    return (*there.shape, len(rows)), offsets, columns, values[rows, columns]


def takes(case, way):
    """Whether a way of multiplying must answer this product."""
    if (case.semiring != "plus_times" or case.masked) and not way.startswith(tuple(GENERAL)):
        return False
    whole = case.threshold or case.largest or case.drop_zeros or case.added
    return not (whole and ", planned" in way)


def check(case, answer, ways):
    """What is wrong with the results of one product, a line each."""
    right = expected(case)
    seen = set()
    for _ in range(answer.take(1)[0]):
        led_here = answer.take(answer.take(1)[0])
        seen.update(led_here.tolist())
        parts = zip(["shape or size", "offsets", "columns", "values"], answer.matrix(), right)
        wrong = [name for name, found, wanted in parts if not np.array_equal(found, wanted)]
        if wrong:
            yield f"{', '.join(wrong)} by " + "; ".join(ways[k] for k in led_here)
    wanted = {k for k, way in enumerate(ways) if takes(case, way)}
    if wanted - seen:
        yield "no result by " + "; ".join(ways[k] for k in sorted(wanted - seen))
    if seen - wanted:
        yield "a result where none was to be had by " + "; ".join(ways[k] for k in seen - wanted)


def main():
    driver, *rest = sys.argv[1:]
    count, seed = [int(given) for given in rest[:2]] + [COUNT, SEED][len(rest[:2]):]
    rng = np.random.default_rng(seed)
    cases = [random_case(rng, large=k % LARGE_EVERY == LARGE_EVERY - 1) for k in range(count)]
    with tempfile.TemporaryDirectory() as scratch:
        stream, results = Path(scratch) / "in", Path(scratch) / "out"
        with open(stream, "wb") as file:
            for case in cases:
                write(case, file)
        # More threads than cores, and products of microseconds: waiting threads must not spin.
        done = subprocess.run([driver, stream, results, *rest[2:]], capture_output=True, text=True,
                              check=False, timeout=600,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        if done.returncode != 0:
            print(f"WRONG: exit {done.returncode}: {done.stderr.strip()}")
            return 1
        ways, answer = done.stdout.splitlines(), Words(results)
    failed = 0
    for k, case in enumerate(cases):
        for problem in check(case, answer, ways):
            failed += 1
            print(f"WRONG: product {k} {case.a.shape} x {case.b.shape} {case[:12]}: {problem}")
    print(f"{count} products in up to {len(ways)} ways each, {failed} wrong")
    return 1 if failed or not ways or answer.at != len(answer.words) else 0


if __name__ == "__main__":
    sys.exit(main())
