"""Arrays and matrices of other libraries, in and out without a copy where the layout allows.

DLPack and the CUDA array interface for vectors; rows in CSR for matrices of SciPy and of cupyx.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.common.errors import DomainMismatch, InvalidGraph, NotSupported
from graphla.engine.protocol import Engine
from graphla.storage import CompressedMatrix
from graphla.storage.convert import find_ends, get_array_module, is_all, is_any
from graphla.storage.formats import choose_index_dtype
from graphla.storage.pointers import find_pointer_fault
from semirings.dtypes import lookup

ON_HOST = (1, 3)
"""Device types of DLPack whose memory the host reads: its own, and the part pinned for CUDA."""
CUPYX_DTYPES = ("BOOL", "FP32", "FP64", "FC32", "FC64")


class NoDenseForm(NotSupported, AttributeError, BufferError, TypeError):
    """A vector that the protocols of dense arrays cannot represent without a copy."""


class DenseProtocols:
    """A vector with every entry present, seen as an array by others; what they write into it is in the vector."""

    if TYPE_CHECKING:  # what `Vector` has

        @property
        def _storage(self) -> Any: ...

        @property
        def engine(self) -> Engine: ...

        @property
        def nvals(self) -> int: ...

        @property
        def size(self) -> int: ...

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """How CuPy, Numba, PyTorch and JAX find the values on a GPU."""
        values = self._require_every_value("the CUDA array interface")
        if not hasattr(values, "__cuda_array_interface__"):
            raise NoDenseForm(f"this vector lives on {self.engine.name}, and v.to('cuda') on a GPU")
        return values.__cuda_array_interface__

    def __dlpack__(self, **request: Any) -> Any:
        """The values as a capsule of DLPack; `request` is the consumer's, as the standard has it."""
        return self._require_every_value("DLPack").__dlpack__(**request)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Type and number of the device where the values are."""
        return self._require_every_value("DLPack").__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The values on the host."""
        return np.array(self.engine.to_host(self._require_every_value("a NumPy array")), dtype, copy=copy)

    def _require_every_value(self, what: str) -> Any:
        if self.nvals < self.size:
            absent = self.size - self.nvals
            raise NoDenseForm(
                f"Vector can't be directly converted to a numpy array or the like: "
                f"{what} holds a value for each place, and {absent:,} of {self.size:,} have no entry: "
                "give v.to_dense() a fill_value"
            )
        return self._storage.values


def require_graphblas() -> Any:
    """The package python-graphblas, or an error that says how to install it."""
    try:
        import graphblas
    except ImportError as error:
        raise NotSupported("this needs python-graphblas: pip install python-graphblas") from error
    return graphblas


def read_graphblas(source: Any, kind: str) -> tuple[Any, ...]:
    """The arrays of ``to_coo()`` of a `kind` of python-graphblas: ``"Matrix"`` or ``"Vector"``."""
    if type(source).__name__ != kind or not type(source).__module__.startswith("graphblas"):
        raise DomainMismatch(f"{type(source).__name__} is no {kind} of python-graphblas: give one, or use from_coo")
    *places, values = source.to_coo()
    return *(place.astype("int64") for place in places), values


def to_engine_array(engine: Engine, values: Any) -> Any:
    """An array of the engine, of its own kind or of what speaks DLPack; copied from another device alone."""
    xp = engine.xp
    if isinstance(values, (np.ndarray, xp.ndarray, type)) or not hasattr(values, "__dlpack__"):
        return engine.asarray(values)
    if values.__dlpack_device__()[0] in ON_HOST:
        return engine.asarray(np.from_dlpack(values))
    if xp is not np:
        return xp.from_dlpack(values)
    import cupy

    return engine.asarray(cupy.from_dlpack(values).get())


def to_rows(engine: Engine, matrix: Any) -> CompressedMatrix | None:
    """The rows of a matrix of SciPy or cupyx with its own arrays where dtype, order and device are right.

    None where its format is not CSR, or columns are not sorted and unique within the shape.
    """
    if getattr(matrix, "format", None) != "csr" or len(matrix.shape) != 2:
        return None
    xp, (nrows, ncols) = engine.xp, matrix.shape
    indptr, columns, values = (to_engine_array(engine, part) for part in (matrix.indptr, matrix.indices, matrix.data))
    if not is_canonical(xp, indptr, columns, values, (nrows, ncols)):
        return None
    return CompressedMatrix(
        nrows,
        ncols,
        xp.ascontiguousarray(indptr, choose_index_dtype(int(columns.shape[0]))),
        xp.ascontiguousarray(columns, choose_index_dtype(ncols)),
        xp.ascontiguousarray(values, lookup(values.dtype).numpy),
    )


def is_canonical(xp: Any, indptr: Any, columns: Any, values: Any, shape: tuple[int, int]) -> bool:
    """Whether pointers rise from 0 to the number of columns, and columns rise within each row and the shape."""
    count = int(columns.shape[0])
    if indptr.shape != (shape[0] + 1,) or values.shape != (count,) or int(indptr[0]) or int(indptr[-1]) != count:
        return False
    if is_any(indptr[1:] < indptr[:-1]):
        return False
    low, high = find_ends(columns) if count else (0, -1)
    if low < 0 or high >= shape[1]:
        return False
    rises = xp.ones(count + 1, bool)
    rises[1:-1] = columns[1:] > columns[:-1]
    rises[indptr] = True
    return is_all(rises)


def check_pointers(matrix: Any) -> Any:
    """Return a matrix of SciPy or cupyx without room to spare.

    Raises
    ------
    InvalidGraph
        If its row pointers would lead its own code out of its arrays.
    """
    if getattr(matrix, "format", None) not in ("csr", "csc", "bsr") or len(matrix.shape) != 2:
        return matrix
    high, wide = getattr(matrix, "blocksize", (1, 1))
    lines = matrix.shape[1] // wide if matrix.format == "csc" else matrix.shape[0] // high
    pointers, room = matrix.indptr, min(matrix.indices.shape[0], matrix.data.shape[0])
    last = int(pointers[-1]) if pointers.size else 0
    count = last if 0 <= last <= room else room
    wrong = find_pointer_fault(get_array_module(pointers), pointers, lines, count)
    if pointers.dtype != matrix.indices.dtype:
        wrong = f"indptr is {pointers.dtype} and indices is {matrix.indices.dtype}"
    if wrong:
        raise InvalidGraph(f"the {matrix.format} matrix is damaged: {wrong}")
    if max(matrix.indices.shape[0], matrix.data.shape[0]) > count:
        matrix = matrix.copy()
        matrix.prune()
    return matrix


def to_cupyx(matrix: CompressedMatrix, engine: Engine) -> Any:
    """A matrix of cupyx with the same arrays."""
    if engine.xp.__name__ != "cupy":
        raise NotSupported(f"cupyx holds matrices on a GPU, and this one lives on {engine.name}: ask .to('cuda') first")
    dtype = lookup(matrix.dtype)
    if dtype.name not in CUPYX_DTYPES:
        raise DomainMismatch(
            f"cupyx has no sparse matrix of {dtype.name}, only of {', '.join(CUPYX_DTYPES)}: ask .dup('FP64') first"
        )
    import cupyx.scipy.sparse

    return cupyx.scipy.sparse.csr_matrix((matrix.values, matrix.indices, matrix.indptr), shape=matrix.shape)
