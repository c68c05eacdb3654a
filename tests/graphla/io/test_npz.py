"""Arrays of an archive are followed only once they are known to lead nowhere else."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
import scipy.sparse

import graphla as gl
from graphla.common.errors import InvalidGraph, OutOfMemory
from graphla.graphs.io import read_coo

CSR = {"format": b"csr", "shape": [3, 3], "data": [1.0, 2.0], "indices": [0, 1], "indptr": [0, 1, 1, 2]}
COO = {"format": b"coo", "shape": [3, 3], "data": [1.0, 2.0], "row": [0, 1], "col": [1, 2]}
BSR = {"format": b"bsr", "shape": [4, 4], "data": np.ones((1, 2, 2)), "indices": [1], "indptr": [0, 0, 1]}
DIA = {"format": b"dia", "shape": [3, 3], "data": np.ones((1, 3)), "offsets": [1]}
FAULTS = {
    "falls": (CSR | {"indptr": [0, 5_000_000, 1, 2]}, "indptr falls from 5000000 to 1 after row 1"),
    "falls and is empty": (
        CSR | {"indptr": [0, 5_000_000, 0, 0], "data": [], "indices": np.zeros(0, int)},
        "indptr falls from 5000000 to 0",
    ),
    "negative": (CSR | {"indptr": [0, -1, 1, 2]}, "indptr falls from 0 to -1 after row 0"),
    "begins": (CSR | {"indptr": [1, 1, 1, 2]}, "indptr[0] = 1, and it must be 0"),
    "ends": (CSR | {"indptr": [0, 1, 1, 9]}, "indptr ends with 9, and there are 2 indices"),
    "rows": (CSR | {"indptr": [0, 2]}, "indptr has shape (2,), and 3 rows need (4,)"),
    "no rows": (CSR | {"indptr": np.zeros(0, int)}, "indptr has shape (0,)"),
    "column": (CSR | {"indices": [0, 3]}, "indices[1] = 3 is out of range: 0 to 2"),
    "column negative": (CSR | {"indices": [-1, 1]}, "indices[0] = -1 is out of range"),
    "values": (CSR | {"data": [1.0]}, "there are 2 indices, and data has shape (1,)"),
    "fractions": (CSR | {"indptr": [0.0, 1, 1, 2]}, "indptr must be whole numbers in one dimension, and is float64"),
    "two dimensions": (CSR | {"indices": [[0, 1]]}, "of shape (1, 2)"),
    "huge": (CSR | {"indices": np.array([0, 2**64 - 1], "u8")}, "indices holds 18446744073709551615"),
    "csc": (CSR | {"format": b"csc", "indptr": [0, 5, 1, 2]}, "indptr falls from 5 to 1"),
    "shape": (CSR | {"shape": [3, -3]}, "the shape 3 × -3 is negative"),
    "three sizes": (CSR | {"shape": [3, 3, 3]}, "shape must be whole numbers of shape (2,)"),
    "too many": (COO | {"shape": [2**40, 3]}, "1,099,511,627,776 vertices are more than"),
    "format": (CSR | {"format": b"lil"}, "format 'lil' is not one of coo, csr"),
    "format is a number": (CSR | {"format": 3}, "format is no word but int64"),
    "format is an array": (CSR | {"format": [b"csr"]}, "format is no word but"),
    "row": (COO | {"row": [0, 7]}, "row[1] = 7 is out of range: 0 to 2"),
    "rows and columns": (COO | {"row": [0]}, "1 rows and 2 columns of entries"),
    "no column": ({k: v for k, v in COO.items() if k != "col"}, "it has no array 'col'"),
    "words": (COO | {"data": ["a", "b"]}, "weights must be real numbers, and these are <U1"),
    "NaN": (COO | {"data": [1.0, np.nan]}, "weight 1 is NaN"),
    "blocks": (BSR | {"data": np.ones((1, 3, 2))}, "blocks of 3 × 2 do not fill a matrix of 4 × 4"),
    "no blocks": (BSR | {"data": np.ones((1, 0, 2))}, "data must hold blocks, and has shape (1, 0, 2)"),
    "block pointers": (BSR | {"indptr": [0, 9, 1]}, "indptr falls from 9 to 1"),
    "block indices": (BSR | {"indices": [2]}, "indices[0] = 2 is out of range: 0 to 1"),
    "blocks and indices": (BSR | {"data": np.ones((2, 2, 2))}, "there are 1 indices, and data has shape (2, 2, 2)"),
    "diagonals": (DIA | {"offsets": [1, 2]}, "there are 2 diagonals, and data has shape (1, 3)"),
    "diagonal twice": (DIA | {"offsets": [1, 1], "data": np.ones((2, 3))}, "a diagonal occurs twice"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_each_fault_is_named(tmp_path, case: str) -> None:
    arrays, said = FAULTS[case]
    np.savez(tmp_path / "a.npz", **{name: np.asarray(value) for name, value in arrays.items()})
    with pytest.raises(InvalidGraph) as caught:
        read_coo(tmp_path / "a.npz")
    assert str(caught.value).startswith(f"{tmp_path / 'a.npz'}: ")
    assert said in str(caught.value)


def write_npz(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return stream.getvalue()


def write_npy(array) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


class Boom:
    def __reduce__(self):
        return pytest.fail, ("a pickle from a file was run",)


def test_pickles_are_refused_and_headers_checked_before_memory_is_taken(tmp_path) -> None:
    good = {name: write_npy(np.asarray(value)) for name, value in CSR.items()}
    objects = write_npy(np.array([Boom(), Boom()], dtype=object))
    with pytest.raises(pytest.fail.Exception, match="was run"):
        np.load(io.BytesIO(objects), allow_pickle=True)
    lying = good["data"].replace(b"'shape': (2,)", b"'shape': (2000000000000,)")
    cases = (
        (good | {"data": objects}, "array 'data' cannot be read: it holds pickled objects, which could run code"),
        (good | {"data": lying}, "array 'data' cannot be read: "),
        (good | {"data": good["data"][:-1]}, "its header tells of 16 bytes, and 15 follow"),
        (good | {"data": b""}, "array 'data' cannot be read"),
        (good | {"indices": b"\x93NUMPY\x03\x00" + good["indices"][8:]}, "version (3, 0) of .npy is not known"),
    )
    for members, said in cases:
        (tmp_path / "a.npz").write_bytes(write_npz(**members))
        with pytest.raises(InvalidGraph) as caught:
            read_coo(tmp_path / "a.npz")
        assert said in str(caught.value)


def test_a_bomb_in_an_archive_is_not_unpacked(tmp_path) -> None:
    np.savez_compressed(tmp_path / "a.npz", **(COO | {"format": b"coo", "data": np.zeros(10**7)}))
    with gl.config.set(memory_limit=10**6), pytest.raises(OutOfMemory, match=r"a\.npz: array 'data'"):
        read_coo(tmp_path / "a.npz")


@pytest.mark.parametrize("layout", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("pointers", [[0, 5_000_000, 1, 2], [0, 5_000_000, 0, 0], [0, -7, 1, 2], [0, 1, 1, 90]])
def test_a_matrix_of_scipy_with_broken_pointers_is_refused(layout: str, pointers: list[int]) -> None:
    """SciPy's own code would write out of its arrays."""
    S = scipy.sparse.csr_array(([1.0, 2.0], [0, 1], [0, 1, 1, 2]), shape=(3, 3)).asformat(layout)
    S.indptr[:] = pointers
    for make in (gl.Graph, gl.Matrix.from_scipy_sparse):
        with pytest.raises(InvalidGraph, match=f"the {layout} matrix is damaged: indptr"):
            make(S, engine="cpu")


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_a_matrix_of_scipy_with_room_to_spare_is_whole(layout: str) -> None:
    S = scipy.sparse.csr_array(([1.0, 2.0], [0, 1], [0, 1, 1, 2]), shape=(3, 3)).asformat(layout)
    S.indices, S.data = np.append(S.indices, np.zeros(2, S.indices.dtype)), np.append(S.data, [9.0, 9.0])
    assert gl.Matrix.from_scipy_sparse(S, engine="cpu").to_dicts() == {0: {0: 1.0}, 2: {1: 2.0}}


def test_pointers_and_indices_of_two_types_are_refused() -> None:
    S = scipy.sparse.csr_array(([1.0, 2.0], [0, 1], [0, 1, 1, 2]), shape=(3, 3)).tocsc()
    S.indices = S.indices.astype("int64" if S.indptr.dtype == "int32" else "int32")
    with pytest.raises(InvalidGraph, match=r"csc matrix is damaged: indptr is int\d\d and indices is int\d\d"):
        gl.Matrix.from_scipy_sparse(S, engine="cpu")


@pytest.mark.parametrize("pointers", [[], [0.5, 1], [0, 3, 1, 2], [0, 5], [1, 2], [[0, 1]]])
def test_from_csr_checks_pointers(pointers) -> None:
    for make in (gl.Matrix.from_csr, gl.Matrix.from_csc):
        with pytest.raises(gl.errors.GraphlaError, match="indptr"):
            make(pointers, [0, 1], [1, 2], engine="cpu")
