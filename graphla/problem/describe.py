"""What a problem and its methods say of themselves: docstrings for `help`, texts for `print`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from textwrap import fill, indent
from typing import Any

from graphla.problem.method import Method
from graphla.problem.option import Option

WIDTH = 100


def describe_option(name: str, option: Option) -> str:
    """The name of an option, its choices and its default; below it what it means."""
    choices = "" if option.choices is None else f"{{{', '.join(map(repr, option.choices))}}}, "
    meaning = f"\n{wrap_text(option.text)}" if option.text else ""
    return f"{name} : {choices}default {option.default!r}{meaning}"


def describe_method(method: Method) -> str:
    """The name of a method and its engines; below them its idea, its options and its source."""
    extras = f"; gives {', '.join(extra.replace('_', ' ') for extra in method.also)}, too" if method.also else ""
    options = [indent(describe_option(name, option), "    ") for name, option in method.options.items()]
    parts = [wrap_text(method.idea + extras), *options, wrap_text(f"source: {method.source}")]
    return f"{method.name} ({', '.join(method.engines)})\n" + "\n\n".join(parts)


def describe_methods(methods: Iterable[Method]) -> str:
    """All methods, one below the other."""
    return "\n\n".join(map(describe_method, methods))


def wrap_text(text: str) -> str:
    """`text` in lines of four blanks and at most WIDTH columns."""
    return fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False)


def format_signature(name: str, function: Any) -> str:
    """``name(parameters)`` without annotations."""
    signature = inspect.signature(function)
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    return f"{name}{signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)}"


def describe_problem(name: str, call: Any, methods: Mapping[str, Method]) -> str:
    """The docstring of a call, with its signature after the summary and the methods among its notes."""
    summary, rest = inspect.cleandoc(call.__doc__).split("\n\n", 1)
    before, after = split_after_notes(rest)
    heading = "\n" if "\nNotes\n-----\n" in before else "\nNotes\n-----\n"
    listed = f"The methods of `{name}`, the preferred one first:\n\n{describe_methods(methods.values())}\n"
    return f"{summary}\n\n``{format_signature(name, call)}``\n\n{before}{heading}{listed}{after}"


def split_after_notes(text: str) -> tuple[str, str]:
    """A numpydoc text up to the end of its notes, and the sections that come after them."""
    later = [text.find(f"\n{name}\n{'-' * len(name)}\n") for name in ("References", "Examples")]
    end = min((place for place in later if place >= 0), default=len(text))
    return text[:end], text[end:]


class ComposedDoc:
    """A docstring: of a class its own text, of an instance what `describe` of it returns."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def __get__(self, instance: Any, owner: type) -> str | None:
        return self.text if instance is None else instance.describe()
