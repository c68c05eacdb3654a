"""What puts the entries of a container at other places, or others at its own: resize, set a diagonal, build anew."""

from __future__ import annotations

from typing import Any

from graphla.containers.common import Shared
from graphla.containers.container import MaskView
from graphla.containers.operations import MatrixAlgebra
from graphla.containers.validate import checked_size
from graphla.errors import DimensionMismatch, GraphlaError, IndexOutOfBounds
from graphla.language.nodes import Select
from semirings import binary, indexunary


class Built(Shared):
    """Entries given to a container that has none."""

    def _build(self, entries: tuple[Any, ...], dup_op: Any, clear: bool, sizes: dict[str, int]) -> None:
        if clear:
            self.clear()
        if self.nvals:
            raise GraphlaError(f"build: there are {self.nvals:,} entries already; give clear=True to drop them")
        made = type(self).from_coo(*entries, self.dtype, dup_op=dup_op, engine=self.engine, **sizes)  # type: ignore
        self._held = made._storage


class VectorPlaces(Built):
    """Vectors with their entries elsewhere."""

    size: int

    def reposition(self, offset: int, *, size: int | None = None) -> Any:
        """A vector (of length `size`) with every entry `offset` places further on; what falls outside is dropped."""
        length = self.size if size is None else checked_size(size)
        moved = type(self)(self.dtype, length, engine=self.engine)
        first, last = max(0, -offset), min(self.size, length - offset)
        if first < last:
            moved[first + offset : last + offset] << self[first:last]
        return moved

    def build(
        self, indices: Any, values: Any, *, dup_op: Any = None, clear: bool = False, size: int | None = None
    ) -> None:
        """Fill this empty vector (or one that is cleared, or resized first) as `from_coo` would.

        Raises
        ------
        GraphlaError
            If there are entries and they are not cleared.
        InvalidGraph
            If an index occurs twice and there is no `dup_op`.
        """
        self._build((indices, values), dup_op, clear, {"size": self.size if size is None else size})


class MatrixPlaces(Built, MatrixAlgebra):
    """Matrices with their entries elsewhere."""

    nrows: int
    ncols: int

    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape; entries outside the new one go."""
        self._held = self.reposition(0, 0, nrows=nrows, ncols=ncols)._storage

    def build(
        self,
        rows: Any,
        columns: Any,
        values: Any,
        *,
        dup_op: Any = None,
        clear: bool = False,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> None:
        """Fill this empty matrix (or one that is cleared, or resized first) as `from_coo` would.

        Raises
        ------
        GraphlaError
            If there are entries and they are not cleared.
        InvalidGraph
            If a place occurs twice and there is no `dup_op`.
        """
        sizes = {"nrows": self.nrows if nrows is None else nrows, "ncols": self.ncols if ncols is None else ncols}
        self._build((rows, columns, values), dup_op, clear, sizes)

    def setdiag(self, values: Any, k: int = 0, *, mask: Any = None, accum: Any = None) -> None:
        """Write a vector, an array or a number into the k-th diagonal: ``A[i, i + k] = values[i]``. O(entries).

        Parameters
        ----------
        values : Vector, array or number
            As many as the diagonal is long. Where a vector has no entry the diagonal loses its own, unless
            there is an accumulator.
        k : int
            Which diagonal: above the main one, or below it if negative.
        mask : mask, optional
            Of a vector along the diagonal, or of a matrix, of which the diagonal counts.
        accum : operator, optional
            Joins old values and new ones.
        """
        line = self.diag(k)
        if not (-self.nrows < k < self.ncols or k == 0):
            raise IndexOutOfBounds(f"setdiag: k={k} is no diagonal of a matrix of {self.nrows} × {self.ncols}")
        if isinstance(mask, MaskView) and mask.of.rank == 2:
            if mask.of.shape != self.shape:
                raise DimensionMismatch(f"setdiag: the mask has shape {mask.of.shape}, the matrix {self.shape}")
            mask = MaskView(mask.of.diag(k), mask.structural, mask.complement)  # type: ignore[attr-defined]
        line(mask=mask, accum=accum) << self._along(line, values)
        places, held = line.to_coo()
        shape = {"nrows": self.nrows, "ncols": self.ncols, "engine": self.engine}
        diagonal = type(self).from_coo(places + max(0, -k), places + max(0, k), held, self.dtype, **shape)
        rest = Select(self, indexunary.offdiag, k).new()
        self << binary.second(rest | diagonal)

    def _along(self, line: Any, values: Any) -> Any:
        """What is written into the vector `line`: a number or an expression as it is, an array as a vector."""
        if hasattr(values, "rank") or getattr(values, "ndim", None) == 0 or isinstance(values, bool | int | float):
            return values
        return type(line).from_dense(values, engine=self.engine)
