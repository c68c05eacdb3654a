"""The command line: that each problem has a command with all that it takes, and says how it is called."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

import click
import pytest

from graphla.doors.cli._extras import EXTRAS, Extra
from graphla.doors.cli._problem import list_arguments, make_command
from graphla.problem import all_problems, list_names


@pytest.mark.parametrize("name", sorted(list_names()))
def test_the_examples_of_a_problem_can_be_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = make_command(all_problems()[name])
    text = str(command.help).partition("Examples:")[2]
    lines = [line.split() for line in text.splitlines() if line.strip()]
    assert len(lines) >= 2
    for _, called, *words in lines:
        assert called == name
        assert command.make_context(name, list(words)).params["graph"] == words[0]


@pytest.mark.parametrize("name", sorted(list_names()))
def test_a_command_has_an_option_for_each_argument_of_its_problem(name: str) -> None:
    command, extra = make_command(all_problems()[name]), EXTRAS.get(name, Extra())
    parameters = signature(type(all_problems()[name]).__call__).parameters.keys()
    beyond = {"self", "G", "method", "options", *extra.form, *extra.hidden}
    offered = {argument.name for argument in list_arguments(all_problems()[name], extra)}
    assert offered == parameters - beyond
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_extras_are_of_problems_and_of_their_arguments() -> None:
    for name, extra in EXTRAS.items():
        parameters = signature(type(all_problems()[name]).__call__).parameters
        named = {*extra.told, *extra.form, *extra.hidden, *extra.defaults, *extra.flags, *extra.arguments}
        assert named <= parameters.keys(), name
