"""``graphla methods``."""

from __future__ import annotations

import json

import click

from graphla.doors.cli import _show
from graphla.doors.cli._options import ProblemName
from graphla.problem import Method, Option, Problem, all_problems
from graphla.problem.describe import describe_option


@click.command("methods", short_help="List the methods of each problem.")
@click.argument("problem", type=ProblemName(), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def command(problem: str | None, as_json: bool) -> None:
    """The methods of each problem: their idea, their engines and options, where they come from.

    \b
    Examples:
      graphla methods
      graphla methods sssp
    """
    found = all_problems()
    problems = [found[problem]] if problem else list(found.values())
    if as_json:
        click.echo(json.dumps({p.name: [to_plain_method(m) for m in p.methods.values()] for p in problems}))
        return
    for each in problems:
        show(each)


def to_plain_method(method: Method) -> dict[str, object]:
    """A method as plain data."""
    return {
        "name": method.name,
        "engines": list(method.engines),
        "idea": method.idea,
        "source": method.source,
        "also": list(method.also),
        "options": {name: to_plain_option(option) for name, option in method.options.items()},
    }


def to_plain_option(option: Option) -> dict[str, object]:
    """An option as plain data."""
    choices = None if option.choices is None else list(option.choices)
    return {"default": option.default, "choices": choices, "meaning": option.text}


def show(problem: Problem) -> None:
    """A table of the methods of a problem, the preferred one first, each with its options and what they mean."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=problem.name, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for head in ("method", "engines", "idea and options (--set NAME=VALUE)", "source"):
        table.add_column(head)
    for m in problem.methods.values():
        options = [describe_option(name, option) for name, option in m.options.items()]
        table.add_row(m.name, ", ".join(m.engines), escape("\n".join([m.idea, *options])), escape(m.source))
    _show.make_console().print(table)
