"""The command of a problem that has no file of its own here: made of the signature and the docstring of its call."""

from __future__ import annotations

import inspect
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from graphla.doors.cli import _options
from graphla.problem import Problem

SHARED = frozenset({"G", "method", "self"})
"""Parameters that every command offers under other names."""
RENAMED = {"weights": "weighted"}
"""Options whose name says something else on the command line: --weights draws weights."""


def make_command(problem: Problem) -> click.Command:
    """The command of a problem: an option for each parameter, the facts that all commands print, and its answers."""
    call: Any = type(problem).__call__
    parameters = [each for each in inspect.signature(call).parameters.values() if each.name not in SHARED]
    hints, meanings = get_type_hints(call), read_meanings(inspect.getdoc(call) or "")
    made = [make_option(each, hints.get(each.name), meanings, problem) for each in parameters]
    names = {option.name: name for name, option in made if option is not None}

    @_options.add_solve_options
    def solve_it(**asked: Any) -> None:
        solve_and_deliver(problem, {names[name]: asked.pop(name) for name in names}, asked)

    summary = (inspect.getdoc(call) or problem.name).split("\n")[0]
    command = click.command(problem.name, help=summary, short_help=summary)(solve_it)
    command.params.extend(option for _, option in made if option is not None)
    return command


def read_meanings(text: str) -> dict[str, str]:
    """What the section Parameters of a docstring says of each, its first sentence."""
    section = text.partition("Parameters\n----------\n")[2].partition("\nReturns\n")[0]
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if line and not line.startswith(" "):
            name = line.partition(" :")[0]
            found[name] = ""
        elif line.strip():
            found[name] = f"{found[name]} {line.strip()}".strip()
    return {name: meaning.partition(". ")[0].removesuffix(".") + "." for name, meaning in found.items()}


def make_option(
    parameter: inspect.Parameter, hint: Any, meanings: dict[str, str], problem: Problem
) -> tuple[str, click.Option | None]:
    """The option of a parameter, or None if a command line cannot say it."""
    kind = find_kind(hint)
    if parameter.kind is inspect.Parameter.VAR_KEYWORD or kind is None:
        return parameter.name, None
    name = RENAMED.get(parameter.name, parameter.name)
    needed = parameter.default is parameter.empty
    form: dict[str, Any] = {"is_flag": True} if kind == "flag" else {"type": kind}
    start = {"default": 0, "show_default": True} if needed and parameter.name in problem.takes[:1] else {}
    option = click.Option(
        [f"--{name.replace('_', '-')}"],
        help=meanings.get(parameter.name),
        required=needed and not start,
        **form,
        **start,
    )
    return parameter.name, option


def find_kind(hint: Any) -> Any:
    """What an option of this type of argument takes: "flag", a type of click; None if it cannot be said in a word."""
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [find_kind(each) for each in get_args(hint) if each is not type(None)]
        return next((kind for kind in kinds if kind is not None), None)
    if get_origin(hint) is Literal:
        choices = [each for each in get_args(hint) if isinstance(each, str)]
        return click.Choice(choices) if choices else None
    return {bool: "flag", int: click.INT, float: click.FLOAT, str: click.STRING}.get(hint)


def solve_and_deliver(problem: Problem, given: dict[str, Any], asked: dict[str, Any]) -> None:
    """Solve the problem with what was given, print the facts and write the answers."""
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    where = tuple(given.pop(name) for name in problem.takes)
    request = {name: value for name, value in given.items() if value is not None and value is not False}
    found = solve(problem, where, request, asked)
    answers, path = found.answers, asked["output"]
    numbers = {a.name: value for a, value in zip(problem.gives, answers, strict=False) if not hasattr(value, "to_coo")}
    facts = {**found.facts, **dict(zip(problem.takes, where, strict=True)), **numbers}
    if path is not None and any(getattr(value, "rank", 1) == 2 for value in answers):
        parts = (found.graph.engine.to_host(part) for part in answers[0].to_coo())
        write_entries(path, dict(zip(("from", "to", problem.gives[0].name), parts, strict=True)))
        return deliver(Solution(found.graph, (), facts, in_file=True), (), -1, asked)
    first = problem.gives[0]
    absent = first.find_absent(getattr(getattr(answers[0], "dtype", None), "numpy", "int32"))
    names = tuple(each.name for each in problem.gives)
    return deliver(Solution(found.graph, answers, facts), names, -1 if absent is None else absent, asked)
