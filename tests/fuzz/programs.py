"""Random programs in the notation that graphla shares with python-graphblas, as text.

A program is a list of statements over named containers. Text is what makes a failure useful: it can be printed, run by
hand in either library, and shortened by leaving statements out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

FLOATS = ("FP32", "FP64")
INTEGERS = ("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64")
NUMBERS = (*INTEGERS, *FLOATS)
FILLS = (0.0, 0.2, 0.5, 0.9, 1.0)
FORMS = ("sparse", "bitmap", "full")
SEMIRINGS = (
    "min_plus", "max_plus", "plus_times", "max_first", "max_second", "any_pair", "plus_pair", "min_second",
    "plus_first", "lor_land", "land_lor", "min_max", "max_min", "plus_minus", "plus_second", "lxor_pair",
)  # fmt: skip
WRAPPING = SEMIRINGS[2:]
"""Those that do the same at the ends of integers in both libraries: the tropical ones saturate here."""
BINARIES = (
    "plus", "minus", "rminus", "times", "min", "max", "first", "second", "pair", "eq", "ne", "lt", "ge", "lor", "land",
)  # fmt: skip
UNARIES = ("identity", "abs", "ainv", "lnot", "one")
MONOIDS = ("plus", "min", "max", "times", "lor", "land")
ACCUMS = ("plus", "min", "max", "second", "first", "times")
MANY, IN_A_ROW, FEW = 10**7, 1000, 2
"""From so many seeds on, programs in a row share dtypes and operators, a few of each kind, which are compiled once."""


@dataclass(frozen=True)
class Operand:
    """A container of both libraries: its dtype, shape, share of entries and storage."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    fill: float
    form: str
    seed: int
    ends: bool = False
    """Whether its values are the ends of the dtype, 0 and 1; else they are small."""

    def __str__(self) -> str:
        values = "the ends of the dtype" if self.ends else "small values"
        return f"{self.name}: {self.dtype} {self.shape}, {values}, fill {self.fill}, {self.form}, seed {self.seed}"


@dataclass(frozen=True)
class Program:
    """Operands and the statements over them; `seed` names it."""

    seed: int
    operands: tuple[Operand, ...]
    statements: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"program {self.seed}", *map(str, self.operands), *self.statements])

    def drop(self, k: int) -> Program:
        return replace(self, statements=self.statements[:k] + self.statements[k + 1 :])


@dataclass
class Writer:
    """Writes one program; every choice comes from `rng`. With `only` its values are the ends of that dtype."""

    rng: np.random.Generator
    only: str | None = None
    operands: list[Operand] = field(default_factory=list)
    row: int | None = None
    """Of the programs that share dtypes and operators, if they do."""

    def pick(self, options: tuple | list | range):  # type: ignore[no-untyped-def,type-arg]
        if self.row is not None and isinstance(options, tuple) and isinstance(options[0], str):
            options = narrow(options, self.row)
        return options[int(self.rng.integers(len(options)))]

    def toss(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def write_container(self, shape: tuple[int, ...], dtype: str | None = None, fresh: float = 0.3) -> str:
        """The name of an operand of that shape: one that is there (aliases come about so), or a new one."""
        fitting = [o.name for o in self.operands if o.shape == shape and dtype in (None, o.dtype)]
        if fitting and not self.toss(fresh):
            return self.pick(fitting)
        kind = dtype or ("BOOL" if self.toss(0.15) else self.only or self.pick(NUMBERS))
        name = f"{'v' if len(shape) == 1 else 'A'}{len(self.operands)}"
        seed = int(self.rng.integers(2**31))
        self.operands.append(Operand(name, kind, shape, self.pick(FILLS), self.pick(FORMS), seed, bool(self.only)))
        return name

    def write_matrix(self, shape: tuple[int, int]) -> str:
        """A matrix of that shape, perhaps as the transpose of another."""
        if self.toss(0.3):
            return f"{self.write_container(shape[::-1])}.T"
        return self.write_container(shape)

    def write_leaf(self, shape: tuple[int, ...]) -> str:
        return self.write_container(shape) if len(shape) == 1 else self.write_matrix(shape)  # type: ignore[arg-type]

    def write_operand(self, shape: tuple[int, ...], depth: int) -> str:
        """A container, or a parenthesised expression of that shape."""
        if depth == 0 or self.toss(0.6):
            return self.write_leaf(shape)
        return f"{self.write_expression(shape, depth - 1)}.new()"

    def write_expression(self, shape: tuple[int, ...], depth: int = 1) -> str:
        ways = [
            self.write_product,
            self.write_product,
            self.write_ewise,
            self.write_ewise,
            self.write_union,
            self.apply,
            self.select,
            self.extract,
        ]
        ways += [self.reduce, self.write_product] if len(shape) == 1 else [self.kronecker]
        return self.pick(ways)(shape, depth)

    def write_product(self, shape: tuple[int, ...], depth: int) -> str:
        k, name = self.pick(range(1, 7)), self.pick(WRAPPING if self.only else SEMIRINGS)
        if len(shape) == 2:
            left, right = self.write_operand((shape[0], k), depth), self.write_operand((k, shape[1]), depth)
            return f"semiring.{name}({left} @ {right})"
        if self.toss(0.5):
            return f"semiring.{name}({self.write_operand((*shape, k), depth)} @ {self.write_operand((k,), depth)})"
        return f"semiring.{name}({self.write_operand((k,), depth)} @ {self.write_operand((k, *shape), depth)})"

    def write_ewise(self, shape: tuple[int, ...], depth: int) -> str:
        sign = self.pick("|&")
        op, left, right = self.pick(BINARIES), self.write_operand(shape, depth), self.write_operand(shape, depth)
        if op == "pair" and self.only == "UINT64":  # a union casts an entry of one side alone to INT64 there
            sign = "&"
        return f"binary.{op}({left} {sign} {right})"

    def write_union(self, shape: tuple[int, ...], depth: int) -> str:
        x, y = self.write_operand(shape, depth), self.write_operand(shape, depth)
        fills = (f"like({x}, {self.write_number()})", f"like({y}, {self.write_number()})")
        return f"{x}.ewise_union({y}, binary.{self.pick(BINARIES)}, {', '.join(fills)})"

    def apply(self, shape: tuple[int, ...], depth: int) -> str:
        x = self.write_operand(shape, depth)
        way = self.pick(range(4))
        if way == 0:
            return f"unary.{self.pick(UNARIES)}({x})"
        if way == 1:
            names = ("rowindex", "colindex", "diagindex") if len(shape) == 2 else ("index", "rowindex")
            return f"indexunary.{self.pick(names)}({x}, 0)"
        pair = (x, f"like({x}, {self.write_number()})")
        return f"binary.{self.pick(BINARIES)}({', '.join(pair if way == 2 else pair[::-1])})"

    def select(self, shape: tuple[int, ...], depth: int) -> str:
        x = self.write_operand(shape, depth)
        way = self.pick(range(3))
        if way == 0:
            return f"{x}.select({self.write_container(shape, 'BOOL')})"
        if way == 1:
            return (
                f"select.value{self.pick(('eq', 'ne', 'lt', 'le', 'gt', 'ge'))}({x}, like({x}, {self.write_number()}))"
            )
        names = ("tril", "triu", "diag", "offdiag", "colle", "rowgt") if len(shape) == 2 else ("indexle", "indexgt")
        return f"select.{self.pick(names)}({x}, {int(self.rng.integers(-2, 3))})"

    def extract(self, shape: tuple[int, ...], depth: int) -> str:
        wide = tuple(int(n + self.rng.integers(0, 3)) for n in shape)
        if len(shape) == 1 and self.toss(0.4):
            m = self.pick(range(1, 6))
            index = [self.write_index(shape[0], wide[0], True), str(int(self.rng.integers(-m, m)))]
            side = (wide[0], m)
            if self.toss(0.5):
                index, side = index[::-1], side[::-1]
            return f"{self.write_matrix(side)}[{', '.join(index)}]"
        leaf = self.write_leaf(wide)
        index = [self.write_index(n, size, True) for n, size in zip(shape, wide, strict=True)]
        return f"{leaf}[{', '.join(index)}]"

    def write_index(self, length: int, size: int, repeats: bool) -> str:
        """An index of `length` places out of `size`: a slice, or a list."""
        if length <= size and self.toss(0.5):
            begin = int(self.rng.integers(0, size - length + 1))
            return f"{begin}:{begin + length}" if begin + length or not length else ":"
        if size == 0 or (not repeats and length > size):
            return ":"
        places = self.rng.integers(0, size, length) if repeats else self.rng.permutation(size)[:length]
        return f"np.array({places.tolist()}, 'int64')"

    def reduce(self, shape: tuple[int, ...], depth: int) -> str:
        k, monoid = self.pick(range(1, 6)), self.pick(MONOIDS)  # SuiteSparse 9.4 fills a reduction of nothing
        if self.toss(0.5):
            return f"{self.write_operand((*shape, k), depth)}.reduce_rowwise(monoid.{monoid})"
        return f"{self.write_operand((k, *shape), depth)}.reduce_columnwise(monoid.{monoid})"

    def kronecker(self, shape: tuple[int, ...], depth: int) -> str:
        factors = [self.pick([d for d in range(1, n + 1) if n % d == 0] or [1]) for n in shape]
        rest = tuple(n // f for n, f in zip(shape, factors, strict=True))
        left, right = self.write_matrix(tuple(factors)), self.write_matrix(rest)  # type: ignore[arg-type]
        return f"{left}.kronecker({right}, binary.{self.pick(BINARIES)})"

    def write_number(self) -> int:
        return int(self.rng.integers(0, 4))

    def write_settings(self, shape: tuple[int, ...]) -> str:
        """``mask, accum, replace``, any of them left out."""
        parts = []
        if self.toss(0.6):
            mask = self.write_container(shape)
            parts.append(f"mask={self.pick(('', '~'))}{mask}.{self.pick('SV')}")
            if self.toss(0.4):
                parts.append("replace=True")
        if self.toss(0.4):
            parts.append(f"accum=binary.{self.pick(ACCUMS)}")
        return f"({', '.join(parts)})" if parts else "()"

    def write_statement(self) -> str:
        shape = tuple(int(self.rng.integers(1, 7)) for _ in range(self.pick((1, 1, 2))))
        target = self.write_container(shape)
        if self.toss(0.75):
            return f"{target}{self.write_settings(shape)} << {self.write_expression(shape)}"
        part = tuple(int(self.rng.integers(1, n + 1)) for n in shape)
        index = ", ".join(self.write_index(k, n, False) for k, n in zip(part, shape, strict=True))
        part = tuple(n if text == ":" else k for k, n, text in zip(part, shape, split_index(index), strict=True))
        value = f"like({target}, {self.write_number()})" if self.toss(0.3) else self.write_leaf(part)
        if self.toss(0.5):
            return f"{target}{self.write_settings(shape)}[{index}] << {value}"
        return f"{target}[{index}]{self.write_settings(part)} << {value}"


@lru_cache
def narrow(options: tuple[str, ...], row: int) -> list[str]:
    """The few options that the programs of a row share."""
    return np.random.default_rng([row, len(options)]).permutation(options)[:FEW].tolist()


def split_index(index: str) -> list[str]:
    """The parts of an index, whose lists hold commas of their own."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(index):
        depth += (c in "[(") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(index[start:k].strip())
            start = k + 1
    return [*parts, index[start:].strip()]


def write(seed: int) -> Program:
    """The program of a seed: one to three statements. That of every fourth has values at the ends of one dtype."""
    rng = np.random.default_rng(seed)
    writer = Writer(rng, str(rng.choice(INTEGERS)) if seed % 4 == 3 else None)
    if seed >= MANY:
        writer.row = seed // IN_A_ROW
        writer.only = writer.only and writer.pick(INTEGERS)
    statements = tuple(writer.write_statement() for _ in range(writer.pick((1, 1, 2, 3))))
    return Program(seed, tuple(writer.operands), statements)
