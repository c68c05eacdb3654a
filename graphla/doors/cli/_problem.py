"""The command of a problem, made of the signature and the docstring of its call; `_extras` adds what is its own."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_type_hints

import click

from graphla.containers.matrix import Matrix
from graphla.doors.cli import _options
from graphla.doors.cli._arguments import VERTEX, Argument, Form, find_form
from graphla.doors.cli._extras import EXTRAS, Extra
from graphla.problem import Problem

SHARED = frozenset({"G", "method", "self"})
"""Parameters that every command offers under other names."""
RENAMED = {"weights": "weighted"}
"""Options whose name says something else on the command line: --weights draws weights."""
GRAPHS = {"acyclic": ("tasks.csv", "tasks.csv"), "undirected": ("ny", "kron:12"), "": ("ny", "kron:12")}
"""Graphs of the examples, by the domain of the problem."""


def make_command(problem: Problem) -> click.Command:
    """The command of a problem: an option for each parameter, the facts that all commands print, and its answers."""
    extra = EXTRAS.get(problem.name, Extra())
    arguments = list_arguments(problem, extra)
    returns = type(problem).__call__.__annotations__.get("return")
    arcs = extra.arcs if extra.arcs is not None else "arcs are three" if returns in ("Matrix", Matrix) else ""

    @_options.add_solve_options
    def solve_it(**asked: Any) -> None:
        from graphla.doors.cli._solve import answer

        answer(problem, extra, arcs, {each.name: (each.take(asked), each.default) for each in arguments}, asked)

    summary, *about = read_summary(problem)
    text = "\n\n".join(filter(None, (summary, *about, extra.more, list_examples(problem, extra, arguments, arcs))))
    command = click.command(problem.name, help=text, short_help=summary)(solve_it)
    command.params[1:1] = [option for each in arguments for option in each.options]
    return command


def read_summary(problem: Problem) -> tuple[str, str, str]:
    """What a problem is, in a line and at length, and which graphs it is about, by its docstring."""
    text = inspect.getdoc(type(problem).__call__) or problem.name
    summary, _, rest = text.partition("\n")
    about = read_meanings(text).get("G", "")
    return summary, clean(rest.partition("Parameters\n---")[0]), "" if about == "The graph." else about


def clean(text: str) -> str:
    """A text in one line, without marks of references and names."""
    return " ".join(re.sub(r"\s\[\d+\]_|`", "", text).split())


def read_meanings(text: str) -> dict[str, str]:
    """What the section Parameters of a docstring says of each."""
    section = text.partition("Parameters\n----------\n")[2].partition("\nReturns\n")[0]
    found: dict[str, str] = {}
    for block in re.split(r"\n(?=\S)", section):
        head, _, body = block.partition("\n")
        found |= dict.fromkeys(head.partition(" :")[0].split(", "), clean(body))
    return found


def list_arguments(problem: Problem, extra: Extra) -> list[Argument]:
    """What a problem takes beside the graph, as far as a command line can say it."""
    call: Any = type(problem).__call__
    hints, meanings = get_type_hints(call), read_meanings(inspect.getdoc(call) or "")
    skipped = SHARED | extra.form.keys() | set(extra.hidden)
    found = []
    for each in inspect.signature(call).parameters.values():
        if each.name in skipped or each.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        made = extra.arguments.get(each.name) or make_argument(each, hints.get(each.name), meanings, problem, extra)
        found += [made] if made is not None else []
    return found


def make_argument(
    parameter: inspect.Parameter, hint: Any, meanings: dict[str, str], problem: Problem, extra: Extra
) -> Argument | None:
    """The option of a parameter, or None if a command line cannot say it."""
    name = parameter.name
    form = Form({"type": VERTEX}) if name in problem.takes else find_form(hint)
    if form is None:
        return None
    first = name in problem.takes[:1]
    usual = 0 if first else extra.defaults.get(name) if parameter.default is parameter.empty else parameter.default
    option = click.Option(
        [*extra.flags.get(name, (spell(name, form, usual),)), f"given_{name}"],
        help=shorten(meanings.get(name, "")) + " May be repeated." * form.several,
        **({"required": True} if usual is None and parameter.default is parameter.empty else {"default": usual}),
        show_default=usual is not None and usual is not False,
        **form.kind,
    )
    return Argument(name, (option,), lambda asked: form.read(asked.pop(f"given_{name}")), parameter.default)


def shorten(meaning: str) -> str:
    """The first sentence of what a parameter means, as one says it of an option."""
    first = meaning.partition(". ")[0].removesuffix(".").removeprefix("Whether to ")
    return f"{first[:1].upper()}{first[1:]}."


def spell(name: str, form: Form, usual: Any) -> str:
    """The option of a parameter: one letter after one dash, a list in the singular, a truth with its opposite."""
    if len(name) == 1:
        return f"-{name}"
    word = RENAMED.get(name, name.removesuffix("s") if form.several else name).replace("_", "-")
    return f"--{word}/--no-{word}" if form.is_truth and usual is not False else f"--{word}"


def list_examples(problem: Problem, extra: Extra, arguments: list[Argument], arcs: str) -> str:
    """Two examples that every problem has, and its own."""
    plain, other = GRAPHS[problem.domain]
    needed = "".join(f" {option.opts[0]} 1" for each in arguments for option in each.options if option.required)
    second = next((answer.asked_by for answer in problem.gives if answer.asked_by), "")
    more = f" --{second.replace('_', '-')}" if second else ""
    suffix = "csv" if arcs else "npz" if problem.gives[1:] else "npy"
    file = "" if extra.number else f" --output {problem.gives[0].name}.{suffix}"
    lines = f"{plain}{needed}", f"{other}{needed}{more} --verify{file}", *extra.examples
    return "\b\nExamples:\n" + "\n".join(f"  graphla {problem.name} {line}" for line in lines)
