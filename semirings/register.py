"""The namespaces of operators, and the functions that enter a new one.

An operator of your own is one Python expression, traced when it is registered and usable at once:
``register_binary("plus_clip", lambda a, b: minimum(a + b, 100))`` makes ``binary.plus_clip``.
"""

# pyright: reportUnnecessaryIsInstance=false
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

from semirings.anonymous import require_title, trace_operator
from semirings.arguments import require_bool, to_dtypes
from semirings.dtypes import ALL, DType, Number, lookup
from semirings.errors import DomainError, RegistrationError, TraceError
from semirings.expression import Expression, Literal, as_expression, trace
from semirings.operators import BinaryOp, Constant, IndexUnaryOp, Monoid, Result, Semiring, UnaryOp
from semirings.registry import Namespace, is_registered

__all__ = [
    "binary",
    "indexunary",
    "monoid",
    "register_binary",
    "register_indexunary",
    "register_monoid",
    "register_semiring",
    "register_unary",
    "semiring",
    "unary",
]

S = TypeVar("S", UnaryOp, BinaryOp, IndexUnaryOp)
F = TypeVar("F", bound=Callable[..., object])


class Functions(Namespace[S], Generic[S, F]):
    """Operators that are made of a function, with python-graphblas's names for what makes one."""

    def __init__(self, kind: type[S]) -> None:
        super().__init__(kind.sort)
        self._kind = kind

    def register_new(self, name: str, function: F, **options: Any) -> S:
        """Enter an operator of one's own: `register_unary`, `register_binary` or `register_indexunary`.

        Parameters
        ----------
        name : str
            A free identifier.
        function : callable
            What it computes, as one expression.
        **options : object
            Those of the function for this kind of operator.

        Returns
        -------
        UnaryOp, BinaryOp or IndexUnaryOp
            The new operator.

        Examples
        --------
        >>> binary.register_new("doc_middle", lambda x, y: (x + y) / 2)
        binary.doc_middle
        """
        found: S = _REGISTER[self.sort](name, function, **options)
        return found

    def register_anonymous(self, function: F, name: str | None = None) -> S:
        """Make an operator of a function without entering it.

        Parameters
        ----------
        function : callable
            What it computes, as one expression.
        name : str, optional
            What it is called where it is shown; by default the expression.

        Returns
        -------
        UnaryOp, BinaryOp or IndexUnaryOp
            The operator.

        Examples
        --------
        >>> unary.register_anonymous(lambda x: x + 1)
        unary.<plus(x, 1)>
        """
        found: S = trace_operator(self._kind, function, name)
        return found


class Monoids(Namespace[Monoid]):
    """Monoids, with python-graphblas's names for what makes one."""

    def register_new(self, name: str, op: BinaryOp, identity: Constant, terminal: Constant = None) -> Monoid:
        """Enter a monoid of one's own: `register_monoid`.

        Parameters
        ----------
        name : str
            A free identifier.
        op : BinaryOp
            The operator.
        identity, terminal : number, callable or mapping
            What adds nothing, and what absorbs everything.

        Returns
        -------
        Monoid
            The new monoid.

        Examples
        --------
        >>> monoid.register_new("doc_sum", binary.plus, 0)
        monoid.doc_sum
        """
        return register_monoid(name, op, identity, terminal)

    def register_anonymous(
        self, op: BinaryOp, identity: Constant, terminal: Constant = None, name: str | None = None
    ) -> Monoid:
        """Make a monoid without entering it.

        Parameters
        ----------
        op : BinaryOp
            The operator.
        identity, terminal : number, callable or mapping
            What adds nothing, and what absorbs everything.
        name : str, optional
            What it is called where it is shown; by default as its operator.

        Returns
        -------
        Monoid
            The monoid.

        Examples
        --------
        >>> monoid.register_anonymous(binary.plus, 0).identity("INT8")
        0
        """
        title = f"<{getattr(op, 'name', op)}>" if name is None else require_title(name)
        return _make_monoid(title, op, identity, terminal)


class Semirings(Namespace[Semiring]):
    """Semirings, with python-graphblas's names for what makes one."""

    def register_new(self, name: str, add: Monoid, multiply: BinaryOp) -> Semiring:
        """Enter a semiring of one's own: `register_semiring`.

        Parameters
        ----------
        name : str
            A free identifier.
        add : Monoid
            The addition.
        multiply : BinaryOp
            The multiplication.

        Returns
        -------
        Semiring
            The new semiring.

        Examples
        --------
        >>> semiring.register_new("doc_max_hypot", monoid.max, binary.hypot)
        semiring.doc_max_hypot
        """
        return register_semiring(name, add, multiply)

    def register_anonymous(self, add: Monoid, multiply: BinaryOp, name: str | None = None) -> Semiring:
        """Make a semiring without entering it.

        Parameters
        ----------
        add : Monoid
            The addition.
        multiply : BinaryOp
            The multiplication.
        name : str, optional
            What it is called where it is shown; by default as its two operators.

        Returns
        -------
        Semiring
            The semiring.

        Examples
        --------
        >>> semiring.register_anonymous(monoid.min, binary.register_anonymous(lambda x, y: x + 2 * y))
        semiring.<min_<plus(x, times(2, y))>>
        """
        title = (
            f"<{getattr(add, 'name', add)}_{getattr(multiply, 'name', multiply)}>"
            if name is None
            else require_title(name)
        )
        return _make_semiring(title, add, multiply)

    def get_semiring(self, monoid: Monoid, binaryop: BinaryOp, name: str | None = None) -> Semiring:
        """Find the semiring of an addition and a multiplication, or make one without entering it.

        Parameters
        ----------
        monoid : Monoid
            The addition.
        binaryop : BinaryOp
            The multiplication.
        name : str, optional
            What a new one is called where it is shown; with a name none is looked for.

        Returns
        -------
        Semiring
            The semiring; of `min` and `plus` it is `min_plus`, whose addition holds infinity.

        Examples
        --------
        >>> semiring.get_semiring(monoid.min, binary.plus), semiring.get_semiring(monoid.min, binary.atan2)
        (semiring.min_plus, semiring.<min_atan2>)
        """
        made = self.register_anonymous(monoid, binaryop, name)
        known = f"{monoid.name}_{binaryop.name}"
        shipped = is_registered(monoid) and is_registered(binaryop) and known in self
        return self[known] if shipped and name is None else made


unary: Functions[UnaryOp, Callable[[Expression], object]] = Functions(UnaryOp)
binary: Functions[BinaryOp, Callable[[Expression, Expression], object]] = Functions(BinaryOp)
indexunary: Functions[IndexUnaryOp, Callable[[Expression, Expression, Expression, Expression], object]] = Functions(
    IndexUnaryOp
)
monoid = Monoids("monoid")
semiring = Semirings("semiring")


def register_unary(
    name: str,
    function: Callable[[Expression], object],
    *,
    result: object = None,
    domain: tuple[DType, ...] = ALL,
) -> UnaryOp:
    """Trace ``function(x)`` and enter it as ``unary.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    function : callable (x) -> expression
        A function of one symbol that computes one expression.
    result : dtype or callable, optional
        The type of the result, or a function of the operands' types; by default the one that follows from the
        expression.
    domain : tuple of DType, optional
        The types of operands that are allowed; by default all.

    Returns
    -------
    UnaryOp
        The new operator.

    Raises
    ------
    RegistrationError
        If the name is taken or is no identifier, or `result` gives no dtype.
    TraceError
        If the function needs the value of an operand, or is not one expression.

    Examples
    --------
    >>> square = register_unary("doc_square", lambda x: x * x)
    >>> square.result_type("INT32")
    INT32
    """
    op = UnaryOp(name, trace(function, ("x",)), _look_up_result(result), to_dtypes(domain, "domain"))
    return unary.add(name, _require_results(op))


def register_binary(
    name: str,
    function: Callable[[Expression, Expression], object],
    *,
    result: object = None,
    domain: tuple[DType, ...] = ALL,
    commutative: bool = False,
    associative: bool = False,
) -> BinaryOp:
    """Trace ``function(x, y)`` and enter it as ``binary.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    function : callable (x, y) -> expression
        A function of two symbols that computes one expression.
    result : dtype or callable, optional
        The type of the result, or a function of the operands' types; by default the one that follows from the
        expression.
    domain : tuple of DType, optional
        The types of operands that are allowed; by default all.
    commutative, associative : bool
        Laws that it promises; `semirings.laws.check` checks them.

    Returns
    -------
    BinaryOp
        The new operator.

    Raises
    ------
    RegistrationError
        If the name is taken or is no identifier, or `result` gives no dtype.
    TraceError
        If the function needs the value of an operand, or is not one expression.

    Examples
    --------
    >>> from semirings.expression import minimum
    >>> register_binary("doc_plus_clip", lambda a, b: minimum(a + b, 100)).result_type("INT8", "INT32")
    INT32
    """
    body = trace(function, ("x", "y"))
    require_bool(commutative, "commutative")
    require_bool(associative, "associative")
    op = BinaryOp(name, body, _look_up_result(result), to_dtypes(domain, "domain"), commutative, associative)
    return binary.add(name, _require_results(op))


def register_positional(name: str, function: Callable[[Expression, Expression, Expression], object]) -> BinaryOp:
    """Trace ``function(i, k, j)`` and enter it as ``binary.<name>``, an operator on positions."""
    return binary.add(name, BinaryOp(name, trace(function, ("i", "k", "j")), positional=name))


def register_indexunary(
    name: str,
    function: Callable[[Expression, Expression, Expression, Expression], object],
    *,
    result: object = None,
    domain: tuple[DType, ...] = ALL,
) -> IndexUnaryOp:
    """Trace ``function(x, i, j, thunk)`` and enter it as ``indexunary.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    function : callable (x, i, j, thunk) -> expression
        A function of the symbols for a value, its row, its column and a parameter.
    result : dtype or callable, optional
        The type of the result, or a function of the operands' types; by default the one that follows from the
        expression.
    domain : tuple of DType, optional
        The types of operands that are allowed; by default all.

    Returns
    -------
    IndexUnaryOp
        The new operator.

    Raises
    ------
    RegistrationError
        If the name is taken or is no identifier, or `result` gives no dtype.
    TraceError
        If the function needs the value of an operand, or is not one expression.

    Examples
    --------
    >>> near = register_indexunary("doc_near", lambda x, i, j, thunk: abs(i - j) <= thunk)
    >>> near.result_type("FP32", "INT64")
    BOOL
    """
    body = trace(function, ("x", "i", "j", "thunk"))
    op = IndexUnaryOp(name, body, _look_up_result(result), to_dtypes(domain, "domain"))
    return indexunary.add(name, _require_results(op))


def register_monoid(
    name: str,
    op: BinaryOp,
    identity: Constant,
    terminal: Constant = None,
    *,
    domain: tuple[DType, ...] = ALL,
    is_any: bool = False,
    results: Mapping[DType, DType] | None = None,
) -> Monoid:
    """Enter a binary operator with its identity as ``monoid.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    op : BinaryOp
        The operator; it should be associative and commutative, which `semirings.laws.check` tells.
    identity : number, callable or mapping
        What adds nothing; an infinity is the end of the type. A callable or a mapping gives it for each
        dtype.
    terminal : number, callable or mapping, optional
        What absorbs everything.
    domain : tuple of DType, optional
        The types on which it is a monoid.
    is_any : bool, optional
        Whether either operand may be taken for the result.
    results : mapping of DType to DType, optional
        The types that are cast before they are combined.

    Returns
    -------
    Monoid
        The new monoid.

    Raises
    ------
    RegistrationError
        If the name is taken or is no identifier, or the operator reads positions.

    Examples
    --------
    >>> from math import inf
    >>> from semirings import maximum
    >>> larger = register_binary("doc_larger", lambda x, y: maximum(x, y), commutative=True, associative=True)
    >>> register_monoid("doc_larger", larger, identity=-inf, terminal=inf).identity("INT8")
    -128
    """
    return monoid.add(name, _make_monoid(name, op, identity, terminal, domain, is_any, results))


def _make_monoid(
    name: str,
    op: object,
    identity: object,
    terminal: object = None,
    domain: tuple[DType, ...] = ALL,
    is_any: bool = False,
    results: object = None,
) -> Monoid:
    if not isinstance(op, BinaryOp):
        raise RegistrationError(f"op={op!r}: give a binary operator, such as binary.plus")
    if op.positional:
        raise RegistrationError(f"{op!r} reads positions and cannot be a monoid")
    require_bool(is_any, "is_any")
    one, end = _look_up_keys(identity, "identity"), _look_up_keys(terminal, "terminal")
    if one is None and not is_any:
        raise RegistrationError("identity=None: give the number that adds nothing, or a function or mapping of dtypes")
    return _require_constants(Monoid(name, op, one, end, to_dtypes(domain, "domain"), is_any, _casts(results)))


def register_semiring(
    name: str, add: Monoid, multiply: BinaryOp, *, annihilates: bool = False, distributes: bool = False
) -> Semiring:
    """Enter an addition and a multiplication as ``semiring.<name>``.

    Parameters
    ----------
    name : str
        A free identifier.
    add : Monoid
        The addition.
    multiply : BinaryOp
        The multiplication.
    annihilates, distributes : bool
        Laws that it promises on every type; `semirings.laws.check` checks them.

    Returns
    -------
    Semiring
        The new semiring.

    Raises
    ------
    RegistrationError
        If the name is taken or is no identifier.

    Examples
    --------
    >>> register_semiring("doc_min_times", monoid.min, binary.times).result_type("FP32", "FP32")
    FP32
    """
    return semiring.add(name, _make_semiring(name, add, multiply, annihilates, distributes))


def _make_semiring(
    name: str, add: object, multiply: object, annihilates: bool = False, distributes: bool = False
) -> Semiring:
    if not isinstance(add, Monoid):
        raise RegistrationError(f"add={add!r}: give a monoid, such as monoid.min")
    if not isinstance(multiply, BinaryOp):
        raise RegistrationError(f"multiply={multiply!r}: give a binary operator, such as binary.plus")
    require_bool(annihilates, "annihilates")
    require_bool(distributes, "distributes")
    return Semiring(name, add, multiply, annihilates, distributes)


_REGISTER: dict[str, Callable[..., Any]] = {
    "unary": register_unary,
    "binary": register_binary,
    "indexunary": register_indexunary,
}


def _look_up_result(result: object) -> Result:
    if result is None or (callable(result) and not isinstance(result, type)):
        return cast("Result", result)
    return lookup(result)


def _require_results(op: S) -> S:
    """The operator itself, if what gives the type of its result gives one for operands of each allowed type."""
    _ask_each(op.result, "result", "a dtype", op.domain, lambda t: op.result_type(*[t] * len(op.operands)))
    return op


def _require_constants(op: Monoid) -> Monoid:
    """The monoid itself, if what gives its constants gives a number or None for each allowed type."""
    _ask_each(op.identity_of, "identity", "a number", op.domain, op.identity)
    _ask_each(op.terminals, "terminal", "a number", op.domain, op.terminal)
    return op


def _ask_each(given: object, what: str, wanted: str, domain: tuple[DType, ...], ask: Callable[[DType], object]) -> None:
    """Refuse a function that fails on a type which the domain allows, or has an answer for none."""
    refusal = f"{what}={given!r}: give {wanted}, or a function of dtypes that gives one"
    silent: list[DomainError] = []
    for dtype in domain if callable(given) else ():
        try:
            ask(dtype)
        except DomainError as error:
            silent.append(error)
        except Exception as error:
            raise RegistrationError(f"{refusal}; on {dtype} it gives none: {error}") from None
    if silent and len(silent) == len(domain):
        raise RegistrationError(f"{refusal}; on {domain[0]} it gives none: {silent[0]}")


def _casts(results: object) -> dict[DType, DType]:
    """The types that are cast before they are combined."""
    if results is None:
        return {}
    if not isinstance(results, Mapping):
        raise RegistrationError(f"results={results!r}: give a mapping of dtypes to dtypes")
    return {lookup(key): lookup(value) for key, value in cast("Mapping[object, object]", results).items()}


def _look_up_keys(constant: object, what: str) -> Constant:
    """A constant; a mapping with its keys looked up, so that names and NumPy's dtypes may be given."""
    if isinstance(constant, Mapping):
        given = cast("Mapping[object, object]", constant)
        return {lookup(key): _to_number(value, what) for key, value in given.items()}
    if constant is None or (callable(constant) and not isinstance(constant, type)):
        return cast("Constant", constant)
    return _to_number(constant, what)


def _to_number(constant: object, what: str) -> Number:
    """A number of Python or NumPy, or a literal such as `semirings.inf`."""
    try:
        literal = as_expression(constant)
    except TraceError:
        literal = None
    if not isinstance(literal, Literal):
        raise RegistrationError(f"{what}={constant!r}: give a number, or a function or a mapping of dtypes")
    return literal.value
