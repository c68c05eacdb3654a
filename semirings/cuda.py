"""Operators as CUDA C++: text only, no header needed, for NVRTC and for a host compiler that plays a GPU.

Signed arithmetic wraps round through the unsigned type, quotients and shifts are defined everywhere, and a
cast from floating point is held at the ends of the integer: no operand makes the behaviour undefined.

Minimum and maximum ignore a NaN, as `fmin` does. A comparison with NaN is false.
"""

import math
from collections.abc import Mapping

from semirings.arguments import require_body, require_identifier, require_sort
from semirings.dtypes import BOOL, INT64, DType, Number, lookup, real_part
from semirings.expression import Expression
from semirings.operators import BinaryOp, IndexUnaryOp, Monoid, ScalarOp, Semiring, UnaryOp
from semirings.registry import find
from semirings.typed import Atom, Step, linearise

__all__ = ["KINDS", "render_binary", "render_indexunary", "render_literal", "render_semiring", "render_unary"]

KINDS = {"other": 0, "plus": 1, "min": 2, "max": 3, "any": 4, "lor": 5, "land": 6, "lxor": 7, "times": 8}
"""The monoids that primitives may know a native atomic for; `S::kind` is one of these numbers."""

_COMMON = {
    "lt": "{0} < {1}",
    "le": "{0} <= {1}",
    "gt": "{0} > {1}",
    "ge": "{0} >= {1}",
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "where": "{0} ? {1} : {2}",
}

_BOOLEAN = _COMMON | {
    "plus": "{0} || {1}",
    "minus": "{0} != {1}",
    "times": "{0} && {1}",
    "min": "{0} && {1}",
    "max": "{0} || {1}",
    "and": "{0} && {1}",
    "or": "{0} || {1}",
    "xor": "{0} != {1}",
    "add_saturating": "{0} || {1}",
    "add_to_max": "{0} || {1}",
    "add_to_min": "{0} && {1}",
    "div": "{0}",
    "floordiv": "{0}",
    "mod": "false",
    "pow": "{0} || !{1}",
    "shl": "{0} && !{1}",
    "shr": "{0} && !{1}",
    "neg": "{0}",
    "abs": "{0}",
    "sign": "{0}",
    "invert": "!{0}",
}

_INTEGER = _COMMON | {
    "plus": "({T})(({U}){0} + ({U}){1})",
    "minus": "({T})(({U}){0} - ({U}){1})",
    "times": "({T})(({U}){0} * ({U}){1})",
    "neg": "({T})(({U})0 - ({U}){0})",
    "min": "{1} < {0} ? {1} : {0}",
    "max": "{1} > {0} ? {1} : {0}",
    "and": "({T})({0} & {1})",
    "or": "({T})({0} | {1})",
    "xor": "({T})({0} ^ {1})",
    "invert": "({T})~{0}",
    "shl": "({U}){1} < {bits} ? ({T})(({U}){0} << {1}) : ({T})0",
}

_SIGNED = _INTEGER | {
    "abs": "{0} < 0 ? ({T})(({U})0 - ({U}){0}) : {0}",
    "sign": "({T})(({0} > 0) - ({0} < 0))",
    "shr": "({T})({0} >> (({U}){1} < {bits} ? {1} : {bits} - 1))",
    "div": "{1} == 0 ? ({0} == 0 ? ({T})0 : {0} < 0 ? {min} : {max})"
    " : {1} == -1 ? ({T})(({U})0 - ({U}){0}) : ({T})({0} / {1})",
    "floordiv": "{1} == 0 ? ({0} == 0 ? ({T})0 : {0} < 0 ? {min} : {max})"
    " : {1} == -1 ? ({T})(({U})0 - ({U}){0})"
    " : ({T})({0} / {1} - ({0} % {1} != 0 && ({0} < 0) != ({1} < 0)))",
    "mod": "{1} == 0 || {1} == -1 ? ({T})0 : ({T})({0} % {1} + ({0} % {1} != 0 && ({0} < 0) != ({1} < 0) ? {1} : 0))",
    # The sum overflows where its sign differs from that of both operands.
    "add_saturating": "(({0} ^ {sum}) & ({1} ^ {sum})) < 0 ? ({0} < 0 ? {min} : {max}) : {sum}",
    "add_to_max": "{0} == {max} || {1} == {max} ? {max}"
    " : (({0} ^ {sum}) & ({1} ^ {sum})) < 0 ? ({0} < 0 ? {min} : {max}) : {sum}",
    "add_to_min": "{0} == {min} || {1} == {min} ? {min}"
    " : (({0} ^ {sum}) & ({1} ^ {sum})) < 0 ? ({0} < 0 ? {min} : {max}) : {sum}",
}

_UNSIGNED = _INTEGER | {
    "abs": "{0}",
    "sign": "({T})({0} != 0)",
    "shr": "({U}){1} < {bits} ? ({T})({0} >> {1}) : ({T})0",
    "div": "{1} == 0 ? ({0} == 0 ? ({T})0 : {max}) : ({T})({0} / {1})",
    "floordiv": "{1} == 0 ? ({0} == 0 ? ({T})0 : {max}) : ({T})({0} / {1})",
    "mod": "{1} == 0 ? ({T})0 : ({T})({0} % {1})",
    "add_saturating": "{sum} < {0} ? {max} : {sum}",
    "add_to_max": "{sum} < {0} ? {max} : {sum}",
    "add_to_min": "{sum} < {0} ? {max} : {sum}",  # no unsigned number is an infinity below all others
}

_UNARY_MATH = (
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " erf erfc lgamma tgamma"
)
_ROUNDING = "floor ceil trunc round"

_FLOATING = (
    _COMMON
    | {
        "plus": "{0} + {1}",
        "minus": "{0} - {1}",
        "times": "{0} * {1}",
        "truediv": "{0} / {1}",
        "div": "{0} / {1}",
        "floordiv": "floor{f}({0} / {1})",
        "add_saturating": "{0} + {1}",
        "add_to_max": "{0} + {1}",
        "add_to_min": "{0} + {1}",
        "min": "fmin{f}({0}, {1})",
        "max": "fmax{f}({0}, {1})",
        "pow": "pow{f}({0}, {1})",
        "atan2": "atan2{f}({0}, {1})",
        "hypot": "hypot{f}({0}, {1})",
        "fmod": "fmod{f}({0}, {1})",
        "copysign": "copysign{f}({0}, {1})",
        # no exponent beyond 4096 makes a difference
        "ldexp": "ldexp{f}({0}, {1} != {1} ? 0 : (int)fmax{f}(fmin{f}({1}, ({T})4096), ({T})-4096))",
        "frexpe": "{0} == 0 || {0} - {0} != 0 ? ({T})0 : logb{f}({0}) + 1",
        "neg": "-{0}",
        "abs": "fabs{f}({0})",
        "sign": "{0} > 0 ? ({T})1 : {0} < 0 ? ({T})-1 : {0}",
        "isnan": "{0} != {0}",
        "isinf": "{0} == {max} || {0} == {min}",
        "isfinite": "{0} - {0} == 0",
    }
    | {name: name + "{f}({0})" for name in f"{_UNARY_MATH} {_ROUNDING}".split()}
)

_OF_COMPLEX = "sqrt exp exp2 log log2 log10 sin cos tan sinh cosh tanh"

_COMPLEX = {
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "where": "{0} ? {1} : {2}",
    "plus": "{0} + {1}",
    "minus": "{0} - {1}",
    "times": "{0} * {1}",
    "truediv": "{0} / {1}",
    "div": "{0} / {1}",
    "pow": "complex_pow({0}, {1})",
    "neg": "-{0}",
    "conj": "complex_conj({0})",
    "abs": "complex_abs({0})",
    "real": "{0}.re",
    "imag": "{0}.im",
    "arg": "complex_arg({0})",
    "complex": "{T}{{{0}, {1}}}",
    "isnan": "{0} != {0}",
    "isinf": "complex_isinf({0})",
    "isfinite": "{0} - {0} == {T}{{0, 0}}",
} | {name: f"complex_{name}({{0}})" for name in _OF_COMPLEX.split()}

_TEMPLATES: Mapping[str, Mapping[str, str]] = {
    "b": _BOOLEAN,
    "i": _SIGNED,
    "u": _UNSIGNED,
    "f": _FLOATING,
    "c": _COMPLEX,
}


def render_literal(value: Number, dtype: DType) -> str:
    """A constant of a type in C++.

    Parameters
    ----------
    value : number
        A number that fits the type.
    dtype : DType
        The type.

    Returns
    -------
    str
        C++ source.

    Examples
    --------
    >>> from semirings.dtypes import FP32, INT64
    >>> render_literal(0.5, FP32), render_literal(7, INT64)
    ('0.5f', '7LL')
    """
    if dtype.kind == "b":
        return "true" if value else "false"
    if dtype.kind == "c":
        z = complex(value)
        return f"{dtype.c}{{{', '.join(_render_float(part, real_part(dtype)) for part in (z.real, z.imag))}}}"
    assert not isinstance(value, complex)
    if dtype.kind == "f":
        return _render_float(float(value), dtype)
    if dtype.kind == "u":
        return f"{value}{'ULL' if dtype.bits == 64 else 'u'}" if dtype.bits >= 32 else f"({dtype.c}){value}"
    suffix = "LL" if dtype.bits == 64 else ""
    if value == dtype.min:
        return f"({dtype.c})({int(value) + 1}{suffix} - 1)"
    return f"{value}{suffix}" if dtype.bits >= 32 else f"({dtype.c}){value}"


def _render_float(value: float, dtype: DType) -> str:
    single = dtype.bits == 32
    if math.isfinite(value):
        return f"{value!r}f" if single else repr(value)
    if math.isnan(value):
        return "__int_as_float(0x7fc00000)" if single else "__longlong_as_double(0x7ff8000000000000LL)"
    infinity = "__int_as_float(0x7f800000)" if single else "__longlong_as_double(0x7ff0000000000000LL)"
    return infinity if value > 0 else f"-{infinity}"


def _render_atom(atom: Atom) -> str:
    return atom.value if isinstance(atom.value, str) else render_literal(atom.value, atom.dtype)


def _render_cast(value: str, source: DType, target: DType) -> str:
    """A cast without undefined behaviour: NaN becomes 0, and what lies outside an integer becomes its end."""
    if source.kind == "c" and target.kind != "c":
        both = f"{value}.re != 0 || {value}.im != 0"
        return both if target.kind == "b" else _render_cast(f"{value}.re", real_part(source), target)
    if target.kind == "c":
        parts = (f"{value}.re", f"{value}.im") if source.kind == "c" else (value, "0")
        return f"{target.c}{{{', '.join(f'({real_part(target).c}){part}' for part in parts)}}}"
    if target.kind == "b":
        return f"{value} != 0"
    if source.kind != "f" or target.kind == "f":
        return f"({target.c}){value}"
    top = _render_float(float(int(target.max) + 1), source)
    bottom = _render_float(float(target.min), source)
    low, high = render_literal(target.min, target), render_literal(target.max, target)
    held = f"{value} <= {bottom} ? {low} : {value} >= {top} ? {high} : ({target.c}){value}"
    return f"{value} != {value} ? ({target.c})0 : {held}"


def _render_expression(step: Step) -> str:
    args = [_render_atom(arg) for arg in step.args]
    if step.op == "cast":
        return _render_cast(args[0], step.at, step.target.dtype)
    t = step.at
    wide = "unsigned long long" if t.bits == 64 else "unsigned int"
    fields = {"T": t.c, "U": f"{wide}", "bits": str(t.bits), "f": "f" if t.bits == 32 else ""}
    if t.kind != "c":
        fields |= {"min": render_literal(t.min, t), "max": render_literal(t.max, t)}
    if step.op.startswith("add_") and t.kind in "iu":
        fields["sum"] = f"{step.target.value}_sum"
    return _TEMPLATES[t.kind][step.op].format(*args, **fields)


def _render_statements(step: Step) -> list[str]:
    """The step as C++ statements; a saturating sum first takes the sum that wraps."""
    lines: list[str] = []
    if step.op.startswith("add_") and step.at.kind in "iu":
        total = Step(Atom(f"{step.target.value}_sum", step.at), "plus", step.args, step.at)
        lines += _render_statements(total)
    return [*lines, f"const {step.target.dtype.c} {step.target.value} = {_render_expression(step)};"]


def _render_body(expression: Expression, types: Mapping[str, DType], out: DType) -> str:
    """The statements of a function that computes an expression."""
    straight = linearise(expression, types, out)
    lines = [line for step in straight.steps for line in _render_statements(step)]
    return "\n".join(f"    {line}" for line in [*lines, f"return {_render_atom(straight.result)};"])


def _render_function(result: str, name: str, parameters: str, body: str) -> str:
    return f"  static __device__ __forceinline__ {result} {name}({parameters}) {{\n{body}\n  }}"


def _render_struct(name: str, members: list[str]) -> str:
    return f"struct {name} {{\n" + "\n".join(members) + "\n};\n"


def _render_apply(op: ScalarOp, dtypes: tuple[object, ...], out: object, struct: str) -> str:
    require_body(op)
    require_identifier(struct, "struct")
    types = op.symbol_types(*dtypes)
    result = op.result_type(*dtypes)
    out_type = result if out is None else lookup(out)
    letters = dict(zip(op.operands, "AB", strict=False))
    using = [f"  using {letter} = {types[n].c};" for n, letter in letters.items()] + [f"  using C = {out_type.c};"]
    parameters = ", ".join(f"{letters.get(n, 'long long')} {n}" for n in op.arguments)
    return _render_struct(
        struct, [*using, _render_function("C", "apply", parameters, _render_body(op.body, types, out_type))]
    )


def render_unary(op: UnaryOp, dtype: object, out: object = None, struct: str = "Unary") -> str:
    """A struct with ``C apply(A x)``.

    Parameters
    ----------
    op : UnaryOp
        The operator.
    dtype : dtype
        The type of the operand.
    out : dtype, optional
        The type of the result; by default the one that follows.
    struct : str
        The name of the struct.

    Returns
    -------
    str
        CUDA C++ source.

    Raises
    ------
    DomainError
        If the operator has no meaning on the types.

    Examples
    --------
    >>> from semirings import unary
    >>> render_unary(unary.abs, "INT32").splitlines()[1]
    '  using A = int;'
    """
    return _render_apply(op, (dtype,), out, struct)


def render_binary(op: BinaryOp, a: object, b: object, out: object = None, struct: str = "Binary") -> str:
    """A struct with ``C apply(A x, B y)``; a positional operator also takes ``long long i, k, j``.

    Parameters
    ----------
    op : BinaryOp
        The operator.
    a, b : dtype
        The types of the operands.
    out : dtype, optional
        The type of the result; by default the one that follows.
    struct : str
        The name of the struct.

    Returns
    -------
    str
        CUDA C++ source.

    Raises
    ------
    DomainError
        If the operator has no meaning on the types.

    Examples
    --------
    >>> from semirings import binary
    >>> "const float t0 = x + y;" in render_binary(binary.plus, "FP32", "FP32")
    True
    """
    return _render_apply(op, (a, b), out, struct)


def render_indexunary(
    op: IndexUnaryOp, dtype: object, thunk: object = INT64, out: object = None, struct: str = "IndexUnary"
) -> str:
    """A struct with ``C apply(A x, long long i, long long j, B thunk)``.

    Parameters
    ----------
    op : IndexUnaryOp
        The operator.
    dtype : dtype
        The type of the values.
    thunk : dtype
        The type of the parameter.
    out : dtype, optional
        The type of the result; by default the one that follows.
    struct : str
        The name of the struct.

    Returns
    -------
    str
        CUDA C++ source.

    Raises
    ------
    DomainError
        If the operator has no meaning on the types.

    Examples
    --------
    >>> from semirings import indexunary
    >>> "struct Near" in render_indexunary(indexunary.tril, "FP32", struct="Near")
    True
    """
    return _render_apply(op, (dtype, thunk), out, struct)


def render_semiring(semiring: Semiring, a: object, b: object, out: object = None, struct: str = "S") -> str:
    """A struct with the types of the operands, ``mul``, ``add``, ``identity`` and its terminal value.

    Parameters
    ----------
    semiring : Semiring
        The semiring.
    a, b : dtype
        The types of the operands.
    out : dtype, optional
        The type in which products are added; by default the result type.
    struct : str
        The name of the struct.

    Returns
    -------
    str
        CUDA C++ source.

    Raises
    ------
    DomainError
        If the semiring has no meaning on the types.

    Examples
    --------
    >>> from semirings import min_plus
    >>> "struct Tropical" in render_semiring(min_plus, "INT32", "INT32", struct="Tropical")
    True
    """
    require_sort(semiring, "semiring", "semiring")
    require_identifier(struct, "struct")
    x, y = lookup(a), lookup(b)
    natural = semiring.result_type(x, y)
    z = natural if out is None else lookup(out)
    multiply = semiring.multiply
    mul = _render_body(multiply.body, multiply.symbol_types(x, y), z)
    members = [f"  using A = {x.c}; using B = {y.c}; using C = {z.c};"]
    members += [_render_function("C", "mul", "A x, B y, long long i, long long k, long long j", mul)]
    members += _render_monoid_members(semiring.add, z)
    members += [f"  static constexpr bool reads_a = {render_literal(multiply.reads_first, BOOL)};"]
    members += [f"  static constexpr bool reads_b = {render_literal(multiply.reads_second, BOOL)};"]
    return _render_struct(struct, members)


def _find_kind(monoid: Monoid, t: DType) -> str:
    """What `S::kind` says: a monoid of one's own has no native atomic, whatever its name."""
    if monoid.name not in KINDS or find("monoid", monoid.name) is not monoid:
        return "any" if monoid.is_any else "other"
    if t.kind == "b":
        return {"plus": "lor", "max": "lor", "times": "land", "min": "land"}.get(monoid.name, monoid.name)
    return "other" if monoid.name in ("lor", "land", "lxor") else monoid.name


def _render_monoid_members(monoid: Monoid, t: DType) -> list[str]:
    terminal = monoid.terminal(t)
    end = "true" if monoid.is_any else "false" if terminal is None else f"x == {render_literal(terminal, t)}"
    known = monoid.is_any or terminal is not None
    kind = _find_kind(monoid, t)
    return [
        _render_function("C", "add", "C x, C y", _render_body(monoid.op.body, {"x": t, "y": t}, t)),
        _render_function("C", "identity", "", f"    return {render_literal(monoid.identity(t), t)};"),
        _render_function("bool", "is_terminal", "C x" if "x" in end else "C", f"    return {end};"),
        f"  static constexpr bool has_terminal = {render_literal(known, BOOL)};",
        f"  static constexpr bool is_any = {render_literal(monoid.is_any, BOOL)};",
        f"  static constexpr int kind = {KINDS[kind]};  // {kind}",
    ]
