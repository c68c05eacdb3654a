"""Arrays and matrices that come and go without a copy, and what is refused."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import graphla as gl
from graphla.common.errors import DomainMismatch, NotSupported
from graphla.containers import interop
from graphla.containers.interop import to_cupyx
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage import CompressedMatrix
from tests.emulator import load

ENGINES = ["cpu", CudaEngine(np, load)]
ON_GPU = 2  # kDLCUDA
FULL = [3, 1, 2]


class Speaker:
    """Nothing but DLPack: an array of another library."""

    def __init__(self, array: np.ndarray, device: int = 1) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **request: Any) -> Any:
        return self.array.__dlpack__(**request)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


class OnGpu(np.ndarray):
    """An array that says where it is as CuPy's do."""

    __cuda_array_interface__ = property(lambda self: {"shape": self.shape, "data": (self.ctypes.data, False)})


def make_full(engine: Any, values: Any = FULL) -> gl.Vector:
    return gl.Vector.from_dense(np.array(values, "int32"), engine=engine)


def make_csr(dtype: str = "float32", kind: Any = scipy.sparse.csr_array) -> Any:
    rng = np.random.default_rng(4)
    return kind(np.where(rng.random((7, 9)) < 0.4, rng.integers(1, 9, (7, 9)), 0).astype(dtype))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_dlpack_out_shares_the_values(engine: Any) -> None:
    v = make_full(engine)
    seen = np.from_dlpack(v)
    assert np.shares_memory(seen, v._storage.values)
    assert v.__dlpack_device__() == (1, 0)
    assert np.asarray(v).tolist() == FULL


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_a_vector_with_every_entry_is_dense_in_any_format(engine: Any) -> None:
    v = gl.Vector.from_coo([0, 1, 2], FULL, size=3, engine=engine)
    assert np.from_dlpack(v).tolist() == FULL


def test_an_absent_entry_is_no_zero() -> None:
    v = gl.Vector.from_coo([1], [5], size=3, engine="cpu")
    for ask in (np.from_dlpack, np.asarray, lambda v: v.__dlpack_device__(), lambda v: v.__cuda_array_interface__):
        with pytest.raises(NotSupported, match=r"2 of 3 have no entry: give v.to_dense\(\) a fill_value"):
            ask(v)
    assert not hasattr(v, "__cuda_array_interface__")
    with pytest.raises(BufferError):
        v.__dlpack__()


def test_the_cuda_array_interface_is_that_of_the_values() -> None:
    v = make_full("cpu")
    with pytest.raises(AttributeError, match=r"lives on cpu, and v.to\('cuda'\) on a GPU"):
        _ = v.__cuda_array_interface__
    on_gpu = gl.Vector._from_storage(type(v._storage)(v._storage.values.view(OnGpu)), ENGINES[1])
    assert on_gpu.__cuda_array_interface__["data"] == (v._storage.values.ctypes.data, False)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_dlpack_in(engine: Any) -> None:
    array = np.array([1.5, 2.5])
    copied = gl.Vector.from_dense(Speaker(array), engine=engine)
    shared = gl.Vector.from_dense(Speaker(array), engine=engine, copy=False)
    assert np.asarray(copied).tolist() == np.asarray(shared).tolist() == [1.5, 2.5]
    assert not np.shares_memory(copied._storage.values, array)
    assert np.shares_memory(shared._storage.values, array)


def test_another_dtype_or_layout_is_copied() -> None:
    array = np.arange(6.0)
    assert not np.shares_memory(gl.Vector.from_dense(array, dtype="FP32", copy=False, engine="cpu"), array)
    every_second = gl.Vector.from_dense(array[::2], copy=False, engine="cpu")._storage.values
    assert every_second.flags.c_contiguous
    assert every_second.tolist() == [0, 2, 4]


def test_from_a_gpu_to_the_cpu_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("cupy")
    fake.from_dlpack = lambda speaker: SimpleNamespace(get=lambda: speaker.array)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", fake)
    assert gl.Vector.from_dense(Speaker(np.array([4, 5]), ON_GPU), engine="cpu").to_dict() == {0: 4, 1: 5}


def test_a_gpu_array_stays_on_its_engine() -> None:
    """An array module that is not NumPy takes what is on the GPU by DLPack, and the host's by a copy."""
    taken: list[Any] = []
    xp = SimpleNamespace(ndarray=OnGpu, from_dlpack=lambda speaker: taken.append(speaker) or speaker.array)
    engine = SimpleNamespace(xp=xp, asarray=lambda values: ("moved", values))
    speaker = Speaker(np.array([1]), ON_GPU)
    assert interop.to_engine_array(engine, speaker) is speaker.array
    assert taken == [speaker]
    assert interop.to_engine_array(engine, Speaker(np.array([7])))[0] == "moved"


@pytest.mark.parametrize("engine", ENGINES, ids=str)
@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "uint8"])
def test_rows_of_scipy_are_shared(engine: Any, kind: Any, dtype: str) -> None:
    S = make_csr(dtype, kind)
    A = gl.Matrix.from_scipy_sparse(S, engine=engine)
    assert np.shares_memory(A._storage.values, S.data)
    assert np.shares_memory(A._storage.indices, S.indices)
    assert np.shares_memory(A._storage.indptr, S.indptr)
    np.testing.assert_array_equal(A.to_scipy_sparse().toarray(), S.toarray())


def test_a_graph_shares_them_too() -> None:
    S = make_csr()[:7, :7].tocsr()
    S.sort_indices()
    assert np.shares_memory(gl.Graph(S, engine="cpu").csr.values, S.data)


def test_shared_rows_are_not_written_into() -> None:
    S = make_csr()
    before = S.copy()
    A = gl.Matrix.from_scipy_sparse(S, engine="cpu")
    A[0, 0] = 77
    A(accum=gl.binary.plus) << A
    A << A.apply("ainv")
    del A[0, 0]
    assert (before != S).nnz == 0


def unsort(S: Any) -> Any:
    start, end = S.indptr[:2]
    S.indices[start:end] = S.indices[start:end][::-1].copy()
    S.data[start:end] = S.data[start:end][::-1].copy()
    return S


def repeat(S: Any) -> Any:
    return scipy.sparse.csr_array((np.ones(3), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 3))


@pytest.mark.parametrize("change", [unsort, repeat, lambda S: S.tocsc(), lambda S: S.tocoo()])
def test_what_is_no_sorted_csr_takes_the_long_way(change: Any) -> None:
    S = change(make_csr())
    expected = S.toarray()
    S.has_canonical_format = True  # what a matrix says of itself is not believed
    A = gl.Matrix.from_scipy_sparse(S, dup_op="plus", engine="cpu")
    np.testing.assert_array_equal(A.to_dense(0), expected)
    sorted_rows = gl.Matrix.from_dense(expected, 0, engine="cpu")._storage
    np.testing.assert_array_equal(A._storage.indices, sorted_rows.indices)
    np.testing.assert_array_equal(A._storage.indptr, sorted_rows.indptr)


def test_wide_indices_are_narrowed_and_foreign_byte_order_is_turned() -> None:
    S = make_csr()
    wide = scipy.sparse.csr_array((S.data.astype(">f4"), S.indices.astype("int64"), S.indptr.astype("int64")), S.shape)
    A = gl.Matrix.from_scipy_sparse(wide, engine="cpu")
    assert [A._storage.indptr.dtype, A._storage.indices.dtype] == ["int32", "int32"]
    assert A._storage.values.dtype.isnative
    np.testing.assert_array_equal(A.to_dense(0), S.toarray())


def test_a_column_outside_is_refused() -> None:
    S = make_csr()
    S.indices[-1] = 900
    with pytest.raises(ValueError, match="index"):  # by SciPy, on the long way
        gl.Matrix.from_scipy_sparse(S, engine="cpu")


def test_cupyx_holds_the_same_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    sparse = ModuleType("cupyx.scipy.sparse")
    sparse.csr_matrix = lambda arrays, shape: made.append((arrays, shape)) or "csr"  # type: ignore[attr-defined]
    names = {"cupyx": ModuleType("cupyx"), "cupyx.scipy": ModuleType("cupyx.scipy"), "cupyx.scipy.sparse": sparse}
    names["cupyx"].scipy, names["cupyx.scipy"].sparse = names["cupyx.scipy"], sparse  # type: ignore[attr-defined]
    for name, module in names.items():
        monkeypatch.setitem(sys.modules, name, module)
    on_gpu = SimpleNamespace(xp=SimpleNamespace(__name__="cupy"), name="cuda")
    S = make_csr()
    matrix = CompressedMatrix(*S.shape, S.indptr, S.indices, S.data)
    assert to_cupyx(matrix, on_gpu) == "csr"
    assert made[0][0][0] is S.data
    assert made[0][1] == (7, 9)
    ints = CompressedMatrix(*S.shape, S.indptr, S.indices, S.data.astype("int32"))
    with pytest.raises(
        DomainMismatch, match=r"no sparse matrix of INT32, only of BOOL, FP32, FP64, FC32, FC64: ask .dup\('FP64'\)"
    ):
        to_cupyx(ints, on_gpu)


def test_cupyx_wants_a_gpu() -> None:
    with pytest.raises(NotSupported, match=r"this one lives on cpu: ask .to\('cuda'\) first"):
        gl.Matrix.from_scipy_sparse(make_csr(), engine="cpu").to_cupyx_sparse()


@pytest.mark.gpu
def test_cupy_and_back() -> None:
    """On a GPU: nothing is copied on the way in or out."""
    cupy = pytest.importorskip("cupy")
    import cupyx.scipy.sparse

    values = cupy.arange(5, dtype="float32")
    v = gl.Vector.from_dense(values, copy=False, engine="cuda")
    for seen in (cupy.asarray(v), cupy.from_dlpack(v)):
        assert seen.data.ptr == values.data.ptr
    S = cupyx.scipy.sparse.csr_matrix(make_csr("float32", scipy.sparse.csr_matrix)[:7, :7])
    S.sort_indices()
    G = gl.Graph(S, engine="cuda")
    assert G.csr.values.data.ptr == S.data.data.ptr
    assert G.A.to_cupyx_sparse().data.data.ptr == S.data.data.ptr
    np.testing.assert_array_equal(G.A.to_scipy_sparse().toarray(), S.get().toarray())
    assert gl.Matrix.from_scipy_sparse(S, engine="cpu").isequal(G.A.to("cpu"))


@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "UINT64", "FP32", "FC64"])
def test_python_graphblas_both_ways(dtype: str) -> None:
    A = gl.Matrix.from_coo([0, 2, 1], [1, 0, 3], [1, 0, 1], dtype, nrows=3, ncols=5, engine="cpu")
    v = gl.Vector.from_coo([4, 1], [1, 0], dtype, size=6, engine="cpu")
    there = A.to_graphblas(), v.to_graphblas()
    assert [type(x).__module__.split(".")[0] for x in there] == ["graphblas"] * 2
    assert [x.dtype.name for x in there] == [dtype, dtype]
    assert gl.Matrix.from_graphblas(there[0], engine="cpu").isequal(A, check_dtype=True)
    assert gl.Vector.from_graphblas(there[1], engine="cpu").isequal(v, check_dtype=True)
    with pytest.raises(gl.errors.DomainMismatch, match="Vector is no Matrix of python-graphblas"):
        gl.Matrix.from_graphblas(there[1])
