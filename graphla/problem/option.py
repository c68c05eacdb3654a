"""Options of a method: default, allowed values, meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.common.arguments import show
from graphla.common.errors import InvalidOption, NotSupported


@dataclass(frozen=True)
class Option:
    """An option of a method.

    Parameters
    ----------
    default : object
        The value if the caller gives none.
    choices : tuple, optional
        The values that are allowed; by default any that passes `check`.
    check : callable (value) -> str or None, optional
        What is wrong with a value, or None if it is allowed.
    text : str
        What the option means, and the unit of its value, in one line.

    Examples
    --------
    >>> from graphla.problem import Option
    >>> rounds = Option(8, check=lambda n: None if n > 0 else "give a positive number", text="rounds before a restart")
    >>> rounds.checked("rounds", 3)
    3
    """

    default: Any
    choices: tuple[Any, ...] | None = None
    check: Callable[[Any], str | None] | None = None
    text: str = ""

    def checked(self, name: str, value: Any) -> Any:
        """Return `value` if it is allowed.

        Parameters
        ----------
        name : str
            The name of the option, for the message of the error.
        value : object
            What the caller gave.

        Returns
        -------
        object
            `value` itself.

        Raises
        ------
        NotSupported
            If it is none of the choices.
        InvalidOption
            If the check finds something wrong.

        Examples
        --------
        >>> from graphla.problem import Choice
        >>> Choice("push", "pull").checked("direction", "pull")
        'pull'
        """
        if self.choices is not None and not any(value is each or is_same(value, each) for each in self.choices):
            raise NotSupported(f"{name}={show(value)} is not one of {', '.join(map(repr, self.choices))}")
        problem = self.check(value) if self.check is not None else None
        if problem:
            raise InvalidOption(f"{name}={show(value)}: {problem}")
        return value


def is_same(value: Any, choice: Any) -> bool:
    """Whether a value is one of the choices: equal to it and of its type."""
    return type(value) is type(choice) and bool(value == choice)


def Choice(*choices: Any, text: str = "") -> Option:
    """Make an option that is one of `choices`.

    Parameters
    ----------
    *choices : object
        The allowed values; the first is the default.
    text : str
        What the option means, in one line.

    Returns
    -------
    Option
        The option.

    Examples
    --------
    >>> from graphla.problem import Choice
    >>> Choice("fine", "serial").default
    'fine'
    """
    return Option(choices[0], choices, None, text)
