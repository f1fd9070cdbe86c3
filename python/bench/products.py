"""Products of real matrices by Gossamer and by what Python users reach for, interleaved and checked.

    python3 python/bench/products.py FOLDER [--threads 2] [--budget 0.5] [--json FILE]
    OMP_NUM_THREADS=1 python3 python/bench/products.py FOLDER --cpu-time

Every matrix of the folder (.mtx, .mtx.gz): A A and A x in double precision, by SciPy, by gs.matmul,
by SciPy under gs.scipy_accelerated(), by a plan (SpMV) and, with --peers, by Numba (SpMV by rows in
parallel) and torch.sparse (SpMV), whose threads slow down all others of the process. A wrong result ends the program. Contestants take turns, round by
round; times are medians of the rounds, and the record has the load of the machine beside them. The goals
compare gs.matmul, and the plan, with SciPy.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

import gossamer as gs
import numpy as np
import scipy
import scipy.sparse as sp

try:
    import numba

    @numba.njit(parallel=True)
    def numba_spmv(indptr, indices, data, x):
        y = np.empty(len(indptr) - 1)
        for i in numba.prange(len(y)):
            s = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                s += data[k] * x[indices[k]]
            y[i] = s
        return y

except ImportError:
    numba = None
try:
    import torch
except ImportError:
    torch = None


def torch_matrix(A, x):
    """A as a CSR tensor, or as COO where PyTorch was built without MKL (Debian's), which CSR needs."""
    t = torch.sparse_csr_tensor(A.indptr, A.indices, A.data, size=A.shape)
    try:
        t @ x
    except RuntimeError:
        c = A.tocoo()
        t = torch.sparse_coo_tensor(np.stack([c.row, c.col]), c.data, size=A.shape).coalesce()
    return t


clock = time.perf_counter


def race(contestants, budget):
    """Median seconds of each, in rounds, until the budget of each is spent; the first run is not counted."""
    results = {name: call() for name, call in contestants.items()}
    times = {name: [] for name in contestants}
    spent, rounds = 0.0, 0
    while rounds < 5 or spent < budget * len(contestants):
        for name, call in contestants.items():
            start = clock()
            call()
            times[name].append(clock() - start)
            spent += times[name][-1]
        rounds += 1
        if rounds >= 2000 or (rounds >= 5 and spent > 20):
            break
    return results, {name: statistics.median(t) for name, t in times.items()}


def accelerated(call):
    with gs.scipy_accelerated():
        return call()


def spmv(A, threads, budget):
    x = np.random.default_rng(1).standard_normal(A.shape[1])
    y = np.empty(A.shape[0])
    plan = gs.plan(A, x, expected_calls=1000, constant_values=True, threads=threads)
    contestants = {
        "scipy": lambda: A @ x,
        "gs.matmul": lambda: gs.matmul(A, x),
        "accelerated": lambda: accelerated(lambda: A @ x),
        "plan": lambda: plan(x),
        "plan, out=": lambda: plan(x, out=y),
    }
    if numba:
        contestants["numba"] = lambda: numba_spmv(A.indptr, A.indices, A.data, x)
    if torch:
        tx = torch.from_numpy(x)
        t = torch_matrix(A, tx)
        contestants["torch"] = lambda: (t @ tx).numpy()
    results, medians = race(contestants, budget)
    bound = 1e-12 * (abs(A) @ abs(x)) + 1e-300
    for name, found in results.items():
        assert (abs(found - results["scipy"]) <= bound).all(), f"{name} is wrong"
    return medians


def spgemm(A, budget):
    B = A if A.shape[0] == A.shape[1] else A.T.tocsr()
    contestants = {
        "scipy": lambda: A @ B,
        "scipy, sorted": lambda: (A @ B).sorted_indices(),
        "gs.matmul": lambda: gs.matmul(A, B),
        "accelerated": lambda: accelerated(lambda: A @ B),
    }
    results, medians = race(contestants, budget)
    scale = abs(results["scipy"]).max() if results["scipy"].nnz else 0.0
    for name, found in results.items():
        worst = abs(found - results["scipy"]).max() if found.nnz else 0.0
        assert worst <= 1e-12 * max(scale, 1e-300) * 100, f"{name} is wrong"
    return medians


def geomean(values):
    return statistics.geometric_mean(values)


def processor():
    """The name of the processor, as Linux prints it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds per contestant and matrix")
    parser.add_argument("--least", type=int, default=10_000, help="fewest nonzeros")
    parser.add_argument("--most-flop", type=float, default=2e8, help="largest sparse product")
    parser.add_argument("--cpu-time", action="store_true",
                        help="processor time instead of wall time: for one thread on a machine that others use")  # fmt: skip
    parser.add_argument("--json", type=Path)
    parser.add_argument("--peers", action="store_true", help="also Numba and torch.sparse, where installed")
    how = parser.parse_args()
    global clock, numba, torch
    if how.cpu_time:
        if gs.on("cpu").threads != 1:
            parser.error("--cpu-time compares single threads: set OMP_NUM_THREADS=1")
        clock = time.process_time
    if not how.peers:
        numba = torch = None
    load = [os.getloadavg()[0]]
    records = []
    for file in sorted(how.folder.glob("*.mtx*")):
        try:
            A = sp.csr_matrix(gs.read(file, dtype=np.float64))
        except (ValueError, TypeError, RuntimeError) as error:  # complex values
            print(f"{file.name}: skipped, {error}")
            continue
        A.data[:] = np.where(np.isfinite(A.data), A.data, 1.0)
        if A.nnz < how.least:
            continue
        B = A if A.shape[0] == A.shape[1] else A.T.tocsr()
        flop = int(np.diff(B.indptr)[A.indices].sum())
        record = {"matrix": file.name, "shape": A.shape, "nnz": A.nnz, "multiplications": flop,
                  "spmv": spmv(A, how.threads, how.budget)}  # fmt: skip
        if flop <= how.most_flop:
            record["spgemm"] = spgemm(A, how.budget)
        records.append(record)
        t = record["spmv"]
        line = f"{file.name:34} {A.nnz:9}  A x: matmul {t['scipy'] / t['gs.matmul']:5.2f} plan {t['scipy'] / t['plan']:5.2f}"
        if "spgemm" in record:
            t = record["spgemm"]
            line += f"   A A: matmul {t['scipy'] / t['gs.matmul']:5.2f} accelerated {t['scipy'] / t['accelerated']:5.2f}"
        print(line, flush=True)
    load.append(os.getloadavg()[0])
    summary = {}
    for operation in ("spmv", "spgemm"):
        rows = [r[operation] for r in records if operation in r]
        for name in rows[0] if rows else ():
            factors = [r["scipy"] / r[name] for r in rows]
            summary[f"{operation}: {name}"] = {"geomean": geomean(factors), "least": min(factors), "matrices": len(rows)}
    for name, s in summary.items():
        print(f"{name:28} {s['geomean']:5.2f} x SciPy (least {s['least']:.2f}), {s['matrices']} matrices")
    if how.json:
        how.json.write_text(json.dumps({
            "machine": processor(), "python": sys.version.split()[0],
            "scipy": scipy.__version__, "numba": numba and numba.__version__, "torch": torch and torch.__version__,
            "load average before and after": load, "gossamer": gs.__version__, "threads": gs.on("cpu").threads,
            "clock": "processor time" if how.cpu_time else "wall time",
            "speedup over SciPy": summary, "records": records}, indent=1))  # fmt: skip


main()
