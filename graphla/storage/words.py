"""Matrices of few rows whose structure is packed: a word of 64 bits per column holds 64 rows.

What one number fills needs no array of values: a matrix is a stack of layers, each of which is a set of cells and the
number that they hold. The entries are listed when something else than words is asked for.
"""

from __future__ import annotations

from typing import Any

from graphla.storage.deferred import Deferred
from graphla.storage.frozen import once, quick
from graphla.storage.records import Array, CompressedMatrix, MatrixStorage

WORD = 64
"""Rows that share a word."""
WORD_LAYERS = 32
"""Numbers that a matrix of words has at most, beside the values of its base."""
PACKED = "words"
"""The name under which a compressed matrix caches itself as words."""


@quick()
class Layer:
    """Cells that hold one number, unless a later layer has them; `words` may name cells without an entry, too."""

    words: Array
    value: Any


Packed = tuple[Array, tuple[Layer, ...], MatrixStorage | None]
"""What a compressed matrix caches of its words: arrays, layers and base."""


@quick()
class WordMatrix(Deferred):
    """A matrix of few rows: bit r % 64 of ``words[r // 64, j]`` says whether entry (r, j) exists.

    Its value is that of the last layer with the bit, else that of `base`: a matrix that has the other entries, or one
    of all cells, of which only those with a bit count. Arrays are never written again, so matrices may share them.
    """

    nrows: int
    ncols: int
    dtype: str  # type: ignore[assignment]
    words: Array
    layers: tuple[Layer, ...]
    base: MatrixStorage | None
    engine: Any
    along: CompressedMatrix | None = None
    """A matrix that this one may be multiplied by: the entries of its rows are counted in one go with those here."""
    alike: CompressedMatrix | None = None
    """A matrix with entries in the same cells, if one is at hand."""

    @once
    def shape(self) -> tuple[int, int]:
        return self.nrows, self.ncols

    @once
    def size(self) -> int:  # type: ignore[override]
        return self.nrows * self.ncols

    @once
    def measured(self) -> tuple[int, int]:
        """How many entries there are, and how many those of `along` are that they meet; the device is asked once."""
        return self.engine.measure_words(self, self.along)

    @once
    def nvals(self) -> int:
        """How many entries there are."""
        return self.measured[0] if self.alike is None else self.alike.nvals

    def count_arcs(self, matrix: CompressedMatrix) -> int:
        """Count the entries of the rows of another matrix at which this one has entries."""
        return self.measured[1] if matrix is self.along else self.engine.measure_words(self, matrix)[1]

    @once
    def value(self) -> Any:
        """The number that every entry holds, or None if they differ or this is not known."""
        found = {layer.value for layer in self.layers}
        if isinstance(self.base, CompressedMatrix):
            found.add(True if self.base.cached("all true", self.engine.are_all_true) else None)
        elif self.base is not None:
            found.add(None)
        return found.pop() if len(found) == 1 else None

    @once
    def listed(self) -> MatrixStorage:
        """The entries as a record of arrays, which remembers these words."""
        storage = self.engine.list_words(self)
        if isinstance(storage, CompressedMatrix):
            storage.cached(PACKED, self.pick_arrays)
        return storage

    def pick_arrays(self, _: CompressedMatrix) -> Packed:
        """Return what a compressed matrix of these entries caches."""
        return self.words, self.layers, self.base

    def resolve(self) -> MatrixStorage:
        return self.listed


def count_planes(rows: int) -> int:
    """Return how many words a column takes."""
    return -(-rows // WORD)


def count_word_bytes(shape: tuple[int, int]) -> int:
    """Return the bytes of the words of a matrix."""
    return count_planes(shape[0]) * shape[1] * 8


def has_words(held: Any) -> bool:
    """Whether the words of what a container holds are at hand."""
    return isinstance(held, WordMatrix) or (isinstance(held, CompressedMatrix) and held.is_cached(PACKED))


def make_words(matrix: CompressedMatrix, engine: Any) -> WordMatrix:
    """Return a compressed matrix as words, which are cached with it: arrays alone, so that no two records form a cycle.

    The values are those of the matrix, if the words were not made as layers.
    """

    def pack(matrix: CompressedMatrix) -> Packed:
        return engine.pack_words(matrix), (), None

    words, layers, base = matrix.cached(PACKED, pack)
    held = WordMatrix(
        *matrix.shape, matrix.dtype, words, layers, base if layers or base is not None else matrix, engine
    )
    held.__dict__.update(nvals=matrix.nvals, listed=matrix)
    return held
