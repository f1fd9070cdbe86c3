"""The GIL, Ctrl-C, fork and threads that call at once."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix

PACKAGE = os.path.dirname(os.path.dirname(gs.__file__))


def run_script(text, **more):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PYTHONPATH": PACKAGE, **more})  # fmt: skip


def test_threads_may_call_at_once():
    A, x = random_matrix(300, 300), np.arange(300.0)
    own, product = gs.csr(A), gs.plan(A, x)
    dense = A.toarray()
    y, square = dense @ x, dense @ dense
    wrong = []

    def work():
        for _ in range(20):
            found = (gs.matmul(A, x), own @ x, product(x))
            if any((f != y).any() for f in found) or (gs.matmul(A, A).toarray() != square).any():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_the_gil_is_released():
    """Another thread runs Python while the main thread multiplies."""
    A = sp.random(2000, 2000, 0.02, format="csr", random_state=1)
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = ticks[0]
        gs.matmul(A, A)
        assert ticks[0] > before
    finally:
        stop.set()
        thread.join()


def in_child(result, A, x):
    result.put((gs.matmul(A, x).sum(), gs.matmul(A, A).nnz, (gs.csr(A) @ x).sum()))


def test_a_child_of_fork_multiplies():
    """After the parent used its threads; libgomp's would be waited for in vain."""
    A = sp.random(2000, 2000, 0.02, format="csr", random_state=1)
    x = np.ones(2000)
    expected = (gs.matmul(A, x, threads=2).sum(), gs.matmul(A, A, threads=2).nnz, gs.matmul(A, x).sum())
    forking = multiprocessing.get_context("fork")
    for _ in range(2):
        results = forking.Queue()
        child = forking.Process(target=in_child, args=(results, A, x))
        child.start()
        assert results.get(timeout=60) == pytest.approx(expected)
        child.join(60)
        assert child.exitcode == 0
    assert gs.matmul(A, A, threads=2).nnz == expected[1]  # the parent goes on


def test_pools_of_processes_multiply():
    A = random_matrix(200, 200)
    gs.matmul(A, A, threads=2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap(gs.matmul, [(A, np.full(200, float(k))) for k in range(4)])
    for k, y in enumerate(found):
        np.testing.assert_array_equal(y, A @ np.full(200, float(k)))


LONG_PRODUCT = """
    import gossamer as gs, scipy.sparse as sp, time, sys
    A = gs.generate.rmat(a=0.25, b=0.25, c=0.25, scale=15, edge_factor=64, seed=1)  # 130 million multiplications
    print("started", flush=True)
    try:
        gs.matmul(A, A)
        print("finished", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        x = gs.matmul(A, A[:, :10].tocsr())  # and the library goes on
        print("multiplied", x.shape, flush=True)
"""


def test_ctrl_c_interrupts_a_long_product():
    process = run_script(LONG_PRODUCT)
    assert process.stdout.readline() == "started\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    if out.startswith("finished") or "KeyboardInterrupt" in err:
        pytest.skip("the product was over before the signal came: this machine is too fast")
    assert out == "interrupted\nmultiplied (32768, 10)\n", err
    assert process.returncode in (0, 130)


def test_a_handler_that_does_not_raise_lets_the_product_go_on():
    process = run_script("""
        import signal
        import gossamer as gs, scipy.sparse as sp
        A = gs.generate.rmat(a=0.25, b=0.25, c=0.25, scale=14, edge_factor=32, seed=1)
        signal.signal(signal.SIGALRM, lambda *_: print("signal", flush=True))
        signal.setitimer(signal.ITIMER_REAL, 0.06)
        print(gs.matmul(A, A).nnz == (A @ A).nnz)
    """)
    out, err = process.communicate(timeout=120)
    assert out == "signal\nTrue\n", err


def test_ctrl_c_interrupts_reading(tmp_path):
    file = tmp_path / "A.mtx"
    gs.write(file, gs.generate.poisson2d(nx=100, ny=100))

    def progress(what, done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gs.read(file, progress=progress)
