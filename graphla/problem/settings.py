"""Settings: the options of a problem, checked once, as methods and verifiers read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from typing import Any, ClassVar, Self, TypeVar

from graphla.common.arguments import to_bool, to_choice

S = TypeVar("S", bound="Settings")
Check = Callable[[Any, str], Any]
"""A value and its name; the value in its own type, or an error that names it."""


def checked(default: Any, check: Check) -> Any:
    """A field of settings that is checked.

    Parameters
    ----------
    default : object
        The value if the caller gives none, as in the signature of the call.
    check : callable (value, name) -> object
        Converts a value, or raises an error that names it.

    Returns
    -------
    object
        The field of a dataclass.

    Examples
    --------
    >>> from graphla.common.arguments import to_int
    >>> checked(3, to_int).default
    3
    """
    return field(default=default, metadata={"check": check})


def flag(default: bool = False) -> Any:
    """A field that is true or false.

    Parameters
    ----------
    default : bool
        The value if the caller gives none.

    Returns
    -------
    object
        The field of a dataclass.

    Examples
    --------
    >>> flag().default
    False
    """
    return checked(default, to_bool)


def choice(*choices: str) -> Any:
    """A field that is one of some words.

    Parameters
    ----------
    *choices : str
        The allowed words; the first is the default.

    Returns
    -------
    object
        The field of a dataclass.

    Examples
    --------
    >>> choice("weak", "strong").default
    'weak'
    """
    return checked(choices[0], lambda value, name: to_choice(value, name, choices))


@dataclass(frozen=True)
class Settings:
    """The options of a problem: a subclass is a frozen dataclass with a field for each, or `resolve`s them itself.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1], [1, 2]))
    >>> gl.components.resolve(G, kind="strong").kind
    'strong'
    """

    lasts: ClassVar[bool] = True
    """Whether a graph keeps the settings of a call without options, as long as its matrix stays: not those that hold
    arrays of all vertices."""

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Self:
        """Check the options of a call.

        Parameters
        ----------
        G : Graph
            The graph that is asked about.
        asked : mapping
            All options of the problem by name.

        Returns
        -------
        Settings
            The options in their own types.

        Raises
        ------
        InvalidOption
            If a value is none of those that are allowed.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.components.settings.resolve(gl.Graph(([0], [1])), {"kind": "weak", "sizes": 1}).sizes
        True
        """
        try:
            return make(cls, tuple(asked), *asked.values())
        except TypeError:  # a value without a hash
            return make.__wrapped__(cls, tuple(asked), *asked.values())

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options by name, as methods are told them that choose or refuse.

        Parameters
        ----------
        asked : mapping
            The options of a call by name, as they are given.

        Returns
        -------
        mapping
            By default the fields.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.components.resolve(gl.Graph(([0], [1])), sizes=1).tell({"sizes": 1})
        {'kind': 'weak', 'sizes': True}
        """
        return vars(self)


@lru_cache(typed=True)
def make(settings: type[S], names: tuple[str, ...], *values: Any) -> S:
    """The record of some options; the same one for the same options."""
    given = dict(zip(names, values, strict=True))
    return settings(**{name: check(given[name], name) for name, check in list_checks(settings)})


@cache
def list_checks(settings: type[Settings]) -> tuple[tuple[str, Check], ...]:
    """The names of the fields that callers give, and their checks."""
    return tuple((each.name, each.metadata["check"]) for each in fields(settings) if each.metadata)
