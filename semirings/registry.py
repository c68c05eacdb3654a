"""Namespaces of operators: found by name, extended by `register_*`."""

# pyright: reportUnnecessaryIsInstance=false
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from keyword import iskeyword
from typing import Any, Generic, TypeVar

from semirings.errors import RegistrationError, UnknownOperator

T = TypeVar("T")
_by_sort: dict[str, "Namespace[Any]"] = {}


class Namespace(Generic[T]):
    """Operators of one sort by name: ``binary.plus`` or ``binary["plus"]``.

    Iterating gives the names, `len` counts them, and ``in`` asks for one.

    Parameters
    ----------
    sort : str
        ``"unary"``, ``"binary"`` …, for messages and for pickling.

    Examples
    --------
    >>> from semirings import binary
    >>> binary["plus"] is binary.plus, "plus" in binary
    (True, True)
    """

    sort: str = ""
    foreign: Mapping[str, Any] = {}
    """Operators of another sort that are found here, too, but neither listed nor counted."""

    def __init__(self, sort: str) -> None:
        self.sort = sort
        self._entries: dict[str, T] = {}
        self.ss: Extensions[T] = Extensions(self, ())
        _by_sort[sort] = self

    def __getattr__(self, name: str) -> T:
        if name.startswith("__") or name == "_entries":
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise UnknownOperator(self._describe_unknown(name))
        found: T = self._entries[name] if name in self._entries else self.foreign[name]
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._entries or name in self.foreign)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __dir__(self) -> list[str]:
        own = () if type(self) is Namespace else (name for name in vars(type(self)) if not name.startswith("_"))
        return sorted({*self._entries, *self.foreign, *own, "ss"})

    def __repr__(self) -> str:
        return f"<{len(self)} {self.sort} operators: {', '.join(sorted(self))}>"

    def values(self) -> list[T]:
        """The operators, each once, in the order of their registration.

        Returns
        -------
        list
            The operators.

        Examples
        --------
        >>> from semirings import unary
        >>> unary.abs in unary.values()
        True
        """
        return list(dict.fromkeys(self._entries.values()))

    def add(self, name: str, operator: T) -> T:
        """Enter an operator under a free name; `register_unary` and the like make one and enter it.

        Parameters
        ----------
        name : str
            A public Python identifier that is not taken.
        operator : object
            The operator.

        Returns
        -------
        object
            The operator.

        Raises
        ------
        RegistrationError
            If the name is taken or is no identifier.

        Examples
        --------
        >>> from semirings import binary
        >>> binary.add("plus", binary.times)
        Traceback (most recent call last):
        semirings.errors.RegistrationError: the binary operator 'plus' exists already; choose another name
        """
        if not isinstance(name, str) or not name.isidentifier() or iskeyword(name) or name.startswith("_"):
            raise RegistrationError(f"the name {name!r} is no public Python identifier, such as 'plus_clip'")
        if name in self._entries or name in ("ss", *dir(type(self))):
            raise RegistrationError(f"the {self.sort} operator {name!r} exists already; choose another name")
        self._entries[name] = self.__dict__[name] = operator  # an attribute, found without a call
        return operator

    def alias(self, name: str, existing: str) -> T:
        """Enter a second name for an operator.

        Parameters
        ----------
        name : str
            A public Python identifier that is not taken.
        existing : str
            The name of the operator.

        Returns
        -------
        object
            The operator.

        Raises
        ------
        RegistrationError
            If the name is taken or is no identifier.
        UnknownOperator
            If there is no such operator.

        Examples
        --------
        >>> from semirings import binary
        >>> binary.alias("doc_sum", "plus") is binary.plus
        True
        """
        return self.add(name, self[existing])

    def _describe_unknown(self, name: object) -> str:
        near = describe_choices(name, self) if isinstance(name, str) else "give the name of one, a text such as 'plus'"
        return f"there is no {self.sort} operator {name!r}; {near}"


class Extensions(Generic[T]):
    """The operators of a namespace that the GraphBLAS specification lacks: ``unary.ss.erf`` is ``unary.erf``.

    Parameters
    ----------
    of : Namespace
        The namespace that holds the operators.
    names : iterable of str
        Their names.
    """

    def __init__(self, of: Namespace[T], names: Iterable[str]) -> None:
        self._of = of
        self._names = frozenset(names)

    def __getattr__(self, name: str) -> T:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> T:
        if name not in self:
            names = f"{self._of.sort}.ss has {', '.join(self) or 'no operators'}"
            raise UnknownOperator(f"there is no operator {self._of.sort}.ss.{name}; {names}")
        return self._of[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._names))

    def __len__(self) -> int:
        return len(self._names)

    def __dir__(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return f"<{len(self)} {self._of.sort} operators: {', '.join(self)}>"


def find(sort: str, name: str) -> Any:
    """The operator of a sort by name; what a pickled operator becomes."""
    return _by_sort[sort][name]


def is_registered(op: Any) -> bool:
    """Whether an operator is found by its name."""
    return op.name in _by_sort[op.sort] and _by_sort[op.sort][op.name] is op


def list_operators(sort: str) -> list[Any]:
    """The operators of a sort, each once."""
    return _by_sort[sort].values()


def describe_choices(name: str, names: Iterable[str]) -> str:
    """The names that are much like one that is none of them, or all of them."""
    known = sorted(set(names))
    close = get_close_matches(name, known, 3, 0.8)
    return f"the nearest are {', '.join(close)}" if close else f"there are {', '.join(known)}"
