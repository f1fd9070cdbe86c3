"""What a call costs: SpMV of a small matrix by SciPy, by a plan and without one, interleaved.

    python3 python/bench/overhead.py [--json FILE]
"""

import argparse
import json
import statistics
import timeit

import gossamer as gs
import numpy as np
import scipy.sparse as sp

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--json", help="write the record here")
parser.add_argument("--rounds", type=int, default=15)
arguments = parser.parse_args()

A = sp.random(100, 100, 0.05, format="csr", random_state=1)
own, x, y = gs.csr(A), np.ones(100), np.empty(100)
plan = gs.plan(A, x, expected_calls=10**6)


def accelerated():
    return A @ x


calls = {
    "scipy A @ x": lambda: A @ x,
    "plan(x)": lambda: plan(x),
    "plan(x, out=y)": lambda: plan(x, out=y),
    "gs.matmul(A, x)": lambda: gs.matmul(A, x),
    "gs.matmul(A, x, check=False)": lambda: gs.matmul(A, x, check=False),
    "gs.csr @ x": lambda: own @ x,
    "A @ x, scipy_accelerated": accelerated,
    "scipy A @ A": lambda: A @ A,
    "gs.matmul(A, A)": lambda: gs.matmul(A, A),
}
times = {name: [] for name in calls}
for _ in range(arguments.rounds):
    for name, call in calls.items():
        if call is accelerated:
            with gs.scipy_accelerated():
                times[name].append(timeit.timeit(call, number=500) / 500)
        else:
            times[name].append(timeit.timeit(call, number=500) / 500)
record = {name: {"median": statistics.median(t), "least": min(t)} for name, t in times.items()}
for name, t in record.items():
    print(f"{name:32} median {t['median'] * 1e6:7.2f} us, least {t['least'] * 1e6:7.2f} us")
if arguments.json:
    with open(arguments.json, "w") as file:
        json.dump({"matrix": "100 x 100, 500 nonzeros, float64", "seconds": record}, file, indent=1)
