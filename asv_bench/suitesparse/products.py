"""Products of matrices and vectors: a function of the operands by name."""

from __future__ import annotations

from .operations import Case, bind, take, update

COUNTS = (1, 4, 31, 32, 33, 300)
SHARES = (0.001, 0.02, 0.5, 1)
LARGEST_TERMS = 3e8
"""Terms of a product of matrices above which it is left out."""


def compare_semirings(dtype: str) -> tuple[str, ...]:
    return ("lor_land", "any_pair") if dtype == "bool" else ("plus_times", "min_plus")


def list_vector_products(dtype: str) -> dict[str, Case]:
    found: dict[str, Case] = {}
    for ring in compare_semirings(dtype):
        found |= {
            f"{ring} A @ x": take(f"ring.{ring}(o.A @ o.x).new()"),
            f"{ring} A.T @ y": take(f"ring.{ring}(o.A.T @ o.y).new()"),
            f"{ring} A @ half": take(f"ring.{ring}(o.A @ o.half).new()"),
            f"{ring} A @ few": take(f"ring.{ring}(o.A @ o.few).new()"),
            f"{ring} halves @ A": take(f"ring.{ring}(o.halves @ o.A).new()"),
        }
    return found | {
        "any_pair A @ half": take("ring.any_pair(o.A @ o.half).new()"),
        "any_pair A @ few, mask": take("ring.any_pair(o.A @ o.few).new(mask=~o.halves.S)"),
        "x.diag() @ A": bind(lambda o, D: o.ring.any_second(D @ o.A).new(), lambda o: o.y.diag()),
        "A @ x.diag()": bind(lambda o, D: o.ring.any_first(o.A @ D).new(), lambda o: o.x.diag()),
    }


def list_few_products(dtype: str) -> dict[str, Case]:
    """Return products of matrices of few rows or few columns."""
    found: dict[str, Case] = {}
    ring = "lor_land" if dtype == "bool" else "plus_first"
    other = "lor_land" if dtype == "bool" else "min_plus"
    for k in COUNTS:
        for share in SHARES:
            found[f"{k} x n {share:.1%} @ A"] = bind(
                lambda o, F: getattr(o.ring, ring)(F @ o.A).new(), lambda o, k=k, s=share: o.rows(k, s)
            )
            found[f"A @ n x {k} {share:.1%}"] = bind(
                lambda o, F: getattr(o.ring, other)(o.A @ F).new(), lambda o, k=k, s=share: o.columns(k, s)
            )
        found[f"{k} x n 2% @ A, ~mask"] = bind(
            lambda o, F, N: o.ring.any_pair(F @ o.A).new(mask=~N.S),
            lambda o, k=k: o.rows(k, 0.02),
            lambda o, k=k: o.columns(k, 0.5).T.new(),
        )
    return found


MATRIX_PRODUCTS: dict[str, Case] = {
    "A @ A": take("ring.plus_pair(o.A @ o.A).new()"),
    "A @ A, values": take("(ring.lor_land if o.dtype == 'bool' else ring.plus_times)(o.A @ o.A).new()"),
    "A @ A.T": take("ring.plus_pair(o.A @ o.A.T).new()"),
    "A @ M": take("ring.any_pair(o.A @ o.M).new()"),
    "C(M.S) << A @ A": take("ring.plus_pair(o.A @ o.A).new(mask=o.M.S)"),
    "C(M.V) << A @ A": take("ring.plus_pair(o.A @ o.A).new(mask=o.M.V)"),
    "C(~A.S) << M @ M": take("ring.plus_pair(o.M @ o.M).new(mask=~o.A.S)"),
    "C(plus) << M @ M": lambda o: update(o.A, lambda C: C(o.add) << o.ring.any_pair(o.M @ o.M)),
    "C(A.S) << A.T @ A": take("ring.any_pair(o.A.T @ o.A).new(mask=o.A.S)"),
}
