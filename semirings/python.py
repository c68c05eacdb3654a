"""Operators as Python source: text for Numba, and the same text run on plain Python numbers.

Numba widens as NumPy does (``int32 + int32`` is int64), so each step is cast to its type; the text computes
what `semirings.cuda` computes. `evaluate` runs it with stand-ins for ``np`` that wrap and round Python's
own numbers, so the laws can be checked exactly without NumPy.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from semirings.arguments import require_body, require_identifier, require_sort, to_dtypes
from semirings.dtypes import INT64, DType, Number, lookup, real_part
from semirings.errors import DomainError
from semirings.expression import Expression, symbols
from semirings.numbers import namespace
from semirings.operators import Monoid, Operator, ScalarOp, Semiring
from semirings.typed import Atom, Step, linearise

__all__ = ["evaluate", "render_function", "render_literal", "render_semiring"]

_COMMON = {
    "lt": "{0} < {1}",
    "le": "{0} <= {1}",
    "gt": "{0} > {1}",
    "ge": "{0} >= {1}",
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "where": "{1} if {0} else {2}",
}

_BOOLEAN = _COMMON | {
    "plus": "{0} | {1}",
    "minus": "{0} != {1}",
    "times": "{0} & {1}",
    "min": "{0} & {1}",
    "max": "{0} | {1}",
    "and": "{0} & {1}",
    "or": "{0} | {1}",
    "xor": "{0} != {1}",
    "add_saturating": "{0} | {1}",
    "add_to_max": "{0} | {1}",
    "add_to_min": "{0} & {1}",
    "div": "{0}",
    "floordiv": "{0}",
    "mod": "False",
    "pow": "{0} | (not {1})",
    "shl": "{0} & (not {1})",
    "shr": "{0} & (not {1})",
    "neg": "{0}",
    "abs": "{0}",
    "sign": "{0}",
    "invert": "not {0}",
}

_INTEGER = _COMMON | {
    "plus": "{T}({0} + {1})",
    "minus": "{T}({0} - {1})",
    "times": "{T}({0} * {1})",
    "neg": "{negative}",
    "min": "{1} if {1} < {0} else {0}",
    "max": "{1} if {1} > {0} else {0}",
    "and": "{T}({0} & {1})",
    "or": "{T}({0} | {1})",
    "xor": "{T}({0} ^ {1})",
    "invert": "{T}(~{0})",
    "shl": "{T}({0} << ({1} & {mask})) if {1} == {1} & {mask} else {zero}",
}

_HELD = "({min} if {0} < {zero} else {max}) if ({T}({0} ^ {sum}) & {T}({1} ^ {sum})) < {zero} else {sum}"

_SIGNED = _INTEGER | {
    "abs": "{negative} if {0} < {zero} else {0}",
    "sign": "{one} if {0} > {zero} else ({minus_one} if {0} < {zero} else {zero})",
    "shr": "{T}({0} >> ({1} if {1} == {1} & {mask} else {mask}))",
    "floordiv": "({zero} if {0} == {zero} else ({min} if {0} < {zero} else {max})) if {1} == {zero}"
    " else ({negative} if {1} == {minus_one} else {T}({0} // {1}))",
    "mod": "{zero} if ({1} == {zero}) | ({1} == {minus_one}) else {T}({0} % {1})",
    "div": "({zero} if {0} == {zero} else ({min} if {0} < {zero} else {max})) if {1} == {zero}"
    " else ({negative} if {1} == {minus_one} else {T}({0} // {1} +"
    " ({one} if ({0} % {1} != {zero}) & (({0} < {zero}) != ({1} < {zero})) else {zero})))",
    # The sum overflows where its sign differs from that of both operands.
    "add_saturating": _HELD,
    "add_to_max": f"{{max}} if ({{0}} == {{max}}) | ({{1}} == {{max}}) else ({_HELD})",
    "add_to_min": f"{{min}} if ({{0}} == {{min}}) | ({{1}} == {{min}}) else ({_HELD})",
}

# Numba lets LLVM assume that int64 sums do not overflow; the unsigned type wraps. Narrower types are widened.
_LONG = _SIGNED | {
    "plus": "np.int64(np.uint64({0}) + np.uint64({1}))",
    "minus": "np.int64(np.uint64({0}) - np.uint64({1}))",
    "times": "np.int64(np.uint64({0}) * np.uint64({1}))",
}

_UNSIGNED = _INTEGER | {
    "abs": "{0}",
    "sign": "{one} if {0} != {zero} else {zero}",
    "shr": "{T}({0} >> ({1} & {mask})) if {1} == {1} & {mask} else {zero}",
    "div": "({zero} if {0} == {zero} else {max}) if {1} == {zero} else {T}({0} // {1})",
    "floordiv": "({zero} if {0} == {zero} else {max}) if {1} == {zero} else {T}({0} // {1})",
    "mod": "{zero} if {1} == {zero} else {T}({0} % {1})",
    "add_saturating": "{max} if {sum} < {0} else {sum}",
    "add_to_max": "{max} if {sum} < {0} else {sum}",
    "add_to_min": "{max} if {sum} < {0} else {sum}",  # no unsigned number is an infinity below all others
}

_ALIKE = "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh floor ceil trunc"
_RENAMED = {op: f"arc{op[1:]}" for op in ("asin", "acos", "atan", "asinh", "acosh", "atanh")}

_FLOATING = (
    _COMMON
    | {
        "plus": "{R}({0} + {1})",
        "minus": "{R}({0} - {1})",
        "times": "{R}({0} * {1})",
        "truediv": "{R}(np.divide({0}, {1}))",
        "div": "{R}(np.divide({0}, {1}))",
        "floordiv": "np.floor({R}(np.divide({0}, {1})))",
        "add_saturating": "{R}({0} + {1})",
        "add_to_max": "{R}({0} + {1})",
        "add_to_min": "{R}({0} + {1})",
        # NaN is ignored, as fmin does; with no NaN about, a compiler may drop the second test
        "min": "{0} if ({0} < {1}) | ({1} != {1}) else {1}",
        "max": "{0} if ({0} > {1}) | ({1} != {1}) else {1}",
        "pow": "{R}(np.power({0}, {1}))",
        "atan2": "{R}(np.arctan2({0}, {1}))",
        "hypot": "{R}(np.hypot({0}, {1}))",
        "fmod": "{R}(np.fmod({0}, {1}))",
        "copysign": "{R}(np.copysign({0}, {1}))",
        # no exponent beyond 4096 makes a difference
        "ldexp": "{R}(math.ldexp({0}, np.int32({1} if ({1} > -4096.0) & ({1} < 4096.0)"
        " else (4096.0 if {1} > 0.0 else (-4096.0 if {1} < 0.0 else 0.0)))))",
        "frexpe": "{T}(math.frexp({0})[1]) if {0} - {0} == {zero} else {zero}",
        "tgamma": "{R}(math.gamma({0}))",
        "neg": "-{0}",
        "abs": "np.fabs({0})",
        "sign": "{one} if {0} > {zero} else ({minus_one} if {0} < {zero} else {0})",
        # halves away from zero, as C does
        "round": "np.trunc({0}) if np.fabs({0} - np.trunc({0})) < 0.5 or {0} - {0} != {zero}"
        " else {R}(np.trunc({0}) + np.copysign({one}, {0}))",
        "isnan": "{0} != {0}",
        "isinf": "({0} == {max}) | ({0} == {min})",
        "isfinite": "{0} - {0} == {zero}",
    }
    | {name: f"{{R}}(np.{name}({{0}}))" for name in _ALIKE.split()}
    | {name: f"{{R}}(np.{numpy}({{0}}))" for name, numpy in _RENAMED.items()}
    | {name: f"{{R}}(math.{name}({{0}}))" for name in ("erf", "erfc", "lgamma")}
)

_OF_COMPLEX = "sqrt exp exp2 log log2 log10 sin cos tan sinh cosh tanh"

_COMPLEX = {
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "where": "{1} if {0} else {2}",
    "plus": "{T}({0} + {1})",
    "minus": "{T}({0} - {1})",
    "times": "{T}({0} * {1})",
    "truediv": "{T}(np.divide({0}, {1}))",
    "div": "{T}(np.divide({0}, {1}))",
    "pow": "{T}(np.power({0}, {1}))",
    "neg": "{T}(-{0})",
    "conj": "{T}(np.conj({0}))",
    "abs": "{P}(np.abs({0}))",
    "real": "{P}(np.real({0}))",
    "imag": "{P}(np.imag({0}))",
    "arg": "{P}(np.arctan2(np.imag({0}), np.real({0})))",
    "complex": "{T}(np.complex128({0}) + np.complex128(1j) * np.complex128({1}))",
    "isnan": "{0} != {0}",
    "isinf": "np.isinf({0})",
    "isfinite": "np.isfinite({0})",
} | {name: f"{{T}}(np.{name}({{0}}))" for name in _OF_COMPLEX.split()}

_TEMPLATES: Mapping[str, Mapping[str, str]] = {
    "b": _BOOLEAN,
    "i": _SIGNED,
    "u": _UNSIGNED,
    "f": _FLOATING,
    "c": _COMPLEX,
}


def render_literal(value: Number, dtype: DType) -> str:
    """A constant of a type in Python.

    Parameters
    ----------
    value : number
        A number that fits the type.
    dtype : DType
        The type.

    Returns
    -------
    str
        Python source.

    Examples
    --------
    >>> from semirings.dtypes import FP32, INT64
    >>> render_literal(0.5, FP32), render_literal(7, INT64)
    ('np.float32(0.5)', 'np.int64(7)')
    """
    if dtype.kind == "b":
        return "True" if value else "False"
    if dtype.kind == "c":
        return f"np.{dtype.numpy}({complex(value)!r})"
    if isinstance(value, float) and not math.isfinite(value):
        text = "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
        return f"np.{dtype.numpy}({text})"
    return f"np.{dtype.numpy}({value!r})"


def _render_atom(atom: Atom) -> str:
    return atom.value if isinstance(atom.value, str) else render_literal(atom.value, atom.dtype)


def _render_cast(value: str, source: DType, target: DType) -> str:
    """A cast: NaN becomes 0, and what lies outside an integer becomes its end."""
    name = f"np.{target.numpy}"
    if target.kind == "b":
        return f"{value} != {render_literal(0.0 if source.kind in 'fc' else 0, source)}"
    if source.kind == "b":
        return f"{name}(1) if {value} else {name}(0)"
    if source.kind == "c" and target.kind != "c":
        part = f"np.{real_part(source).numpy}(np.real({value}))"
        return _render_cast(part, real_part(source), target)
    if source.kind != "f" or target.kind in "fc":
        return f"{name}({value})"
    bottom, top = render_literal(float(target.min), source), render_literal(float(int(target.max) + 1), source)
    low, high = render_literal(target.min, target), render_literal(target.max, target)
    return (
        f"{name}({value}) if ({value} > {bottom}) & ({value} < {top})"
        f" else ({high} if {value} >= {top} else ({low} if {value} <= {bottom} else {name}(0)))"
    )


def _render_expression(step: Step) -> str:
    args = [_render_atom(arg) for arg in step.args]
    if step.op == "cast":
        return _render_cast(args[0], step.at, step.target.dtype)
    t = step.at
    fields = {"T": f"np.{t.numpy}", "mask": render_literal(t.bits - 1, t) if t.kind in "iu" else ""}
    if t.kind == "c":
        fields["P"] = f"np.{real_part(t).numpy}"
    elif t.kind != "b":
        fields["R"] = "np.float32" if t.bits == 32 else ""
        real = float if t.kind == "f" else int
        fields |= {
            "zero": render_literal(real(0), t),
            "one": render_literal(real(1), t),
            "minus_one": render_literal(real(-1), t) if t.kind != "u" else "",
        }
        fields |= {"min": render_literal(t.min, t), "max": render_literal(t.max, t), "sum": f"{step.target.value}_sum"}
    if t.kind in "iu":
        difference = _LONG["minus"] if t is INT64 else _INTEGER["minus"]
        fields["negative"] = difference.format(fields["zero"], args[0], **fields)
    return (_LONG if t is INT64 else _TEMPLATES[t.kind])[step.op].format(*args, **fields)


def _render_statements(step: Step) -> list[str]:
    """The step as Python statements; a saturating sum first takes the sum that wraps."""
    lines: list[str] = []
    if step.op.startswith("add_") and step.at.kind in "iu":
        total = Step(Atom(f"{step.target.value}_sum", step.at), "plus", step.args, step.at)
        lines += _render_statements(total)
    return [*lines, f"{step.target.value} = {_render_expression(step)}"]


def _write_function(
    name: str, parameters: Sequence[str], body: Expression, types: Mapping[str, DType], out: DType
) -> str:
    straight = linearise(body, types, out)
    lines = [line for step in straight.steps for line in _render_statements(step)]
    lines.append(f"return {_render_atom(straight.result)}")
    return f"def {name}({', '.join(parameters)}):\n" + "".join(f"    {line}\n" for line in lines)


def render_function(op: ScalarOp | Expression, name: str, in_dtypes: Sequence[object], out_dtype: object = None) -> str:
    """The source of a function of scalars that Numba compiles; it needs ``np`` and ``math``.

    Parameters
    ----------
    op : operator or Expression
        An operator, whose function takes ``x``; ``x, y`` (and ``i, k, j`` if it is positional); or
        ``x, i, j, thunk``. An expression takes its symbols in the order in which they first occur.
    name : str
        The name of the function.
    in_dtypes : sequence of dtype
        The types of the operands; positions are INT64 and left out (not so for an expression).
    out_dtype : dtype, optional
        The type of the result; by default the one that follows.

    Returns
    -------
    str
        Python source.

    Raises
    ------
    DomainError
        If the operator has no meaning on the types.

    Examples
    --------
    >>> from semirings import binary
    >>> print(render_function(binary.plus, "plus", ["INT32", "INT32"]))
    def plus(x, y):
        t0 = np.int32(x + y)
        return t0
    <BLANKLINE>
    """
    given = to_dtypes(in_dtypes, "in_dtypes")
    require_identifier(name, "name")
    if isinstance(op, Expression):
        names = symbols(op)
        if len(names) != len(given):
            raise DomainError(f"in_dtypes={in_dtypes!r}: give one dtype for each of the symbols {names}")
        body, types = op, dict(zip(names, given, strict=True))
        natural = None
    else:
        require_body(op)
        names, body, types = op.arguments, op.body, op.symbol_types(*given)
        natural = op.result_type(*given)
    out = natural if out_dtype is None else lookup(out_dtype)
    return _write_function(name, names, body, types, out or linearise(body, types).result.dtype)


def render_semiring(semiring: Semiring, a: object, b: object, out: object = None) -> str:
    """The source of a module that defines a semiring for Numba.

    It holds ``add(x, y)``, ``mul(x, y, i, k, j)``, ``IDENTITY``, ``HAS_TERMINAL``, ``TERMINAL``, ``IS_ANY``.
    Where there is no terminal value, ``TERMINAL`` is the identity and means nothing.

    Parameters
    ----------
    semiring : Semiring
        The semiring.
    a, b : dtype
        The types of the operands.
    out : dtype, optional
        The type in which products are added; by default the result type.

    Returns
    -------
    str
        Python source.

    Raises
    ------
    DomainError
        If the semiring has no meaning on the types.

    Examples
    --------
    >>> from semirings import min_plus
    >>> "IDENTITY = np.int32(2147483647)" in render_semiring(min_plus, "INT32", "INT32")
    True
    """
    require_sort(semiring, "semiring", "semiring")
    x, y = lookup(a), lookup(b)
    natural = semiring.result_type(x, y)
    z = natural if out is None else lookup(out)
    add, multiply = semiring.add, semiring.multiply
    mul = _write_function("mul", ("x", "y", "i", "k", "j"), multiply.body, multiply.symbol_types(x, y), z)
    return f"import numpy as np\n\n\n{mul}\n\n{_render_monoid(add, z)}"


def _render_monoid(monoid: Monoid, t: DType) -> str:
    terminal, identity = monoid.terminal(t), monoid.identity(t)
    add = _write_function("add", ("x", "y"), monoid.op.body, {"x": t, "y": t}, t)
    return (
        f"{add}\n\n"
        f"IDENTITY = {render_literal(identity, t)}\n"
        f"HAS_TERMINAL = {monoid.is_any or terminal is not None}\n"
        f"TERMINAL = {render_literal(identity if terminal is None else terminal, t)}\n"
        f"IS_ANY = {monoid.is_any}\n"
    )


def evaluate(op: ScalarOp, dtypes: Sequence[object], out: object = None) -> Callable[..., Number]:
    """The operator as a function of plain Python numbers, exact for the given types.

    Parameters
    ----------
    op : UnaryOp, BinaryOp or IndexUnaryOp
        The operator.
    dtypes : sequence of dtype
        The types of the operands.
    out : dtype, optional
        The type of the result; by default the one that follows.

    Returns
    -------
    callable
        A function of as many numbers as the operator takes.

    Raises
    ------
    DomainError
        If the operator has no meaning on the types.

    Examples
    --------
    >>> from semirings import binary
    >>> evaluate(binary.plus, ["INT8", "INT8"])(100, 100)
    -56
    """
    return _compile(require_body(op), to_dtypes(dtypes, "dtypes"), None if out is None else lookup(out))


@lru_cache(maxsize=4096)
def _compile(op: ScalarOp, dtypes: tuple[DType, ...], out: DType | None) -> Callable[..., Number]:
    """The function of `evaluate`, written and compiled once: operators are records that compare by identity."""
    scope: dict[str, Any] = {"np": namespace, "math": namespace}
    exec(compile(render_function(op, "function", dtypes, out), f"<{op!r}>", "exec"), scope)
    return cast("Callable[..., Number]", scope["function"])


def evaluate_on_numbers(op: Operator, *numbers: Any) -> Number:
    """``unary.cos(0)``: the operator evaluated on Python numbers, each of the type that its value has."""
    of: Any = op.op if isinstance(op, Monoid) else op
    wanted = {"unary": 1, "binary": 2}.get(of.sort, 0)
    if len(numbers) != wanted or getattr(of, "positional", None) or not all(map(_is_number, numbers)):
        shown = ", ".join(f"{n!r} of type {type(n).__name__}" for n in numbers)
        raise DomainError(
            f"{op!r} was called on {shown}: no expression of matrices or vectors; "
            f"write {op.name}(A @ B), {op.name}(A & B) or {op.name}(A)"
        )
    types = [lookup(getattr(n, "dtype", cast("Any", type(n)))) for n in numbers]
    plain = [n.item() if hasattr(n, "item") else n for n in numbers]
    return evaluate(of, types)(*plain)


def _is_number(value: object) -> bool:
    """Whether a value is a number of Python, or one of NumPy."""
    plain = value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value  # pyright: ignore
    return isinstance(plain, int | float | complex)


Operator._on_numbers = staticmethod(evaluate_on_numbers)  # pyright: ignore[reportPrivateUsage]
