"""Files, generators, conversions, reports, arrays of other libraries."""

import ctypes

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import array_addresses, random_matrix


@pytest.mark.parametrize("extension", ["mtx", "mtx.gz", "npz", "gsm"])
def test_files(tmp_path, extension, dtype):
    A = random_matrix(40, 30, dtype=dtype)
    path = tmp_path / f"A.{extension}"
    steps = []
    gs.write(path, A, comment="a comment")
    B = gs.read(path, dtype=dtype, progress=lambda what, done: steps.append(done))
    assert isinstance(B, sp.csr_array) and B.dtype == dtype and (B != A).nnz == 0
    assert gs.file_info(path)["shape"] == (40, 30)
    gs.write(str(path), A.tocoo())
    assert (gs.read(str(path)) != A).nnz == 0


def test_dense_files(tmp_path):
    X = np.arange(12.0).reshape(3, 4)
    gs.write(tmp_path / "X.npy", X)
    np.testing.assert_array_equal(gs.read(tmp_path / "X.npy"), X)
    np.testing.assert_array_equal(np.load(tmp_path / "X.npy"), X)


@pytest.mark.parametrize("to", ["csr", "csc", "coo", "ell", "sellp", "hyb", "dense"])
def test_conversions(dtype, format, to):
    A = random_matrix(40, 30, dtype=dtype, format=format)
    B = gs.convert(A, to)
    x = np.arange(30, dtype=dtype)
    if to == "dense":
        np.testing.assert_array_equal(B, A.toarray())
    elif to in ("csr", "csc", "coo"):
        assert B.format == to and type(B).__name__ == f"{to}_matrix"
        np.testing.assert_array_equal(B.toarray(), A.toarray())
    else:
        assert (B.shape, B.nnz, B.dtype) == (A.shape, A.nnz, dtype)
        np.testing.assert_array_equal(B @ x, A.toarray() @ x)
        np.testing.assert_array_equal(gs.plan(B, x)(x), A.toarray() @ x)
    narrow = "complex64" if dtype.kind == "c" else "float32"
    assert gs.convert(A, "csr", dtype=narrow).dtype == narrow


def test_structure():
    A = random_matrix(30, 30)
    np.testing.assert_array_equal(gs.transpose(A).toarray(), A.toarray().T)
    np.testing.assert_array_equal(gs.symmetrise(A).toarray(), (A.toarray() + A.toarray().T) / 2)
    np.testing.assert_array_equal(gs.add(A, A.T, alpha=2, beta=-1).toarray(), (2 * A - A.T).toarray())
    shuffled = sp.csr_matrix((np.ones(3), [2, 0, 0], [0, 3]), shape=(1, 3))
    assert gs.sort_columns(shuffled).indices.tolist() == [0, 0, 2]
    assert gs.sum_duplicates(shuffled).data.tolist() == [2, 1]
    assert gs.drop_zeros(sp.csr_matrix((np.zeros(3), [2, 0, 1], [0, 3]), shape=(1, 3))).nnz == 0
    assert np.diff(gs.select(A, largest=2).indptr).max() == 2
    assert isinstance(gs.transpose(gs.csr(A)), gs.csr)


def test_reports():
    A = gs.generate.poisson2d(nx=20, ny=10)
    facts = gs.analyze(A)
    assert facts["nnz"] == A.nnz and str(A.nnz) in str(facts).replace(",", "") and "<pre>" in facts._repr_html_()
    guess = gs.estimate(A, A, exact=True)
    assert guess["nnz"] == (A @ A).nnz
    kernels = gs.kernels()
    assert all(k["available"] or k["why_not"] for k in kernels) and len(kernels) > 20


def test_generators():
    assert all(kind.isidentifier() for kind in gs.generate.__all__) and callable(gs.generate.power_law)
    for kind in gs.generate.__all__:
        assert callable(getattr(gs.generate, kind)) and getattr(gs.generate, kind).__doc__
    A = gs.generate.rmat(scale=6, edge_factor=4, seed=3)
    assert A.shape == (64, 64) and (A != gs.generate.by_name("rmat", scale=6, edge_factor=4, seed=3)).nnz == 0


class OnDevice:
    """An array that says it is on a CUDA device; only its address is ever used."""

    def __init__(self, array, strides=None):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "version": 3, "strides": strides,
            "data": (array.__array_interface__["data"][0], False), "stream": None,
        }  # fmt: skip


def test_arrays_on_devices_are_borrowed():
    values = np.arange(5.0)
    lent = gs._core.from_cuda_interface(OnDevice(values))
    assert lent.address == values.__array_interface__["data"][0] and lent.on_device
    assert (lent.shape, lent.dtype) == ([5], np.float64)
    again = lent.__cuda_array_interface__
    assert again["data"] == (lent.address, False) and again["typestr"] == "<f8" and again["shape"] == (5,)
    assert lent.__dlpack_device__() == (2, 0)
    back = gs._core.from_dlpack(lent.__dlpack__())
    assert back.address == lent.address and back.on_device and back.shape == [5]
    with pytest.raises(ValueError, match="contiguous"):
        gs._core.from_cuda_interface(OnDevice(values[::2], strides=(16,)))
    with pytest.raises(TypeError, match="convert it first"):
        gs.matmul(random_matrix(5, 5), OnDevice(np.arange(5)))


def test_matrices_on_devices_are_borrowed():
    A = random_matrix(40, 30)
    own = gs.csr(tuple(OnDevice(a) for a in (A.data, A.indices, A.indptr)), shape=A.shape, check=False)
    assert own.on_device and [a.address for a in own._core.arrays] == array_addresses(A)
    assert own.T.on_device and "on a device" in repr(own)
    if gs._core.why_no_cuda():
        with pytest.raises(RuntimeError, match="."):
            own @ OnDevice(np.ones(30))
        with pytest.raises(RuntimeError):
            gs.on("cuda:0")
    with pytest.raises(ValueError, match="memory"):
        gs.matmul(own, np.ones(30), on="cpu")


class Lent:
    """Host memory of another library, through DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack_on_the_host():
    A, x = random_matrix(40, 30), np.arange(30.0)
    np.testing.assert_array_equal(gs.matmul(A, Lent(x)), A @ x)
    own = gs.csr(tuple(Lent(a) for a in (A.data, A.indices, A.indptr)), shape=A.shape)
    assert [a.__array_interface__["data"][0] for a in own._core.arrays] == array_addresses(A)
    out = np.empty(40)
    gs.matmul(A, x, out=Lent(out))
    np.testing.assert_array_equal(out, A @ x)
    lent = gs._core.from_dlpack(x.__dlpack__())
    assert not lent.on_device and lent.address == x.__array_interface__["data"][0]
    np.testing.assert_array_equal(np.from_dlpack(lent), x)
    np.testing.assert_array_equal(lent.to_host(), x)
    with pytest.raises(AttributeError):
        lent.__cuda_array_interface__
    assert ctypes.c_double.from_address(lent.address + 8).value == 1.0
