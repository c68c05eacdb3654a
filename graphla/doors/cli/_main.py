"""The root command: finds the commands in this folder, sets exit codes, prints errors as one sentence."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import sys
import traceback
from pathlib import Path

import click

import graphla
from graphla.common.arguments import suggest
from graphla.common.errors import GraphlaError, NegativeCycle, NotConverged, OutOfMemory, VerificationError
from graphla.doors.cli._streams import OUTPUT, drop_output, is_full, name_streams
from graphla.problem import Problem
from graphla.problem.registry import all_problems, list_names

FAILED, BAD_INPUT, STOPPED = 1, 2, 130
FOLDER = Path(__file__).parent


def list_written() -> list[str]:
    """The commands that are modules of this folder."""
    names = (module.name for module in pkgutil.iter_modules([str(FOLDER)]))
    return [name for name in names if not name.startswith("_")]


def load_written(name: str) -> click.Command:
    """The command that a module of this folder is."""
    return importlib.import_module(f"graphla.doors.cli.{name}").command


def read_summary(problem: Problem) -> str:
    """What a problem is, in a line."""
    return (inspect.getdoc(type(problem).__call__) or problem.name).partition("\n")[0].replace("`", "")


class Commands(click.Group):
    """The commands: each public module of this folder defines one as `command`; any other problem has one, too."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*list_written(), *list_names()})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in list_written():
            return load_written(name)
        problem = all_problems().get(name)
        if problem is None:
            return None
        from graphla.doors.cli._problem import make_command

        return make_command(problem)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands; that of a problem is not made to be listed."""
        problems, written = all_problems(), list_written()
        rows = [
            (name, load_written(name).get_short_help_str() if name in written else read_summary(problems[name]))
            for name in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            if args[0].startswith("-"):
                raise
        known = self.list_commands(ctx)
        said = f"there is no command {args[0]!r}; there are: {', '.join(known)}{suggest(args[0], known)}"
        raise click.UsageError(said)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(graphla.__version__, message="graphla %(version)s")
@click.option("--debug", is_flag=True, help="Show where an error comes from.")
def root(debug: bool) -> None:
    """Graph problems as semiring algebra over sparse matrices, on the GPU and on the CPU.

    A GRAPH is a file (Matrix Market, DIMACS, PACE, SNAP, METIS, .npz, .csv, .tsv; also .gz, .xz, .bz2; Parquet and
    Feather), - for the standard input, a generator with its size, or "ny", the roads of New York that come with it.

    \b
    Examples:
      graphla demo                             see it work
      graphla bfs ny --source 0                levels of a breadth-first search
      graphla sssp road.gr.gz --output d.npy   shortest paths into a file
      graphla compare bfs kron:16 ny           every method and every installed library, side by side
      graphla generate                         the generators
    """


def run_and_exit() -> None:
    """Run the command line and exit: 0 done, 1 the work failed, 2 bad input, 130 stopped by Ctrl-C."""
    os.environ.setdefault("GRAPHLA_ANNOUNCE", "1")
    name_streams()
    code = run(sys.argv[1:])
    if code == STOPPED:
        leave_at_once()
    sys.exit(code)


def leave_at_once() -> None:
    """Exit without waiting for the thread whose kernel still runs."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(STOPPED)


def run(arguments: list[str]) -> int:
    """Run the command line; return the exit code."""
    try:
        code = root.main(arguments, prog_name="graphla", standalone_mode=False) or 0
        sys.stdout.flush()
        return code
    except (Exception, KeyboardInterrupt) as error:
        if "--debug" in arguments:
            traceback.print_exc()
        code, sentence = explain_error(error)
        if sentence:
            click.echo(f"graphla: {sentence}", err=True)
        return code


def explain_error(error: BaseException) -> tuple[int, str]:
    """Return the exit code and the message for an error."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code, ""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return BAD_INPUT, ""
    if isinstance(error, click.ClickException):
        return BAD_INPUT, join_lines(error.format_message()) + suggest_help(error)
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return STOPPED, "stopped"
    if isinstance(error, OSError) and error.filename == OUTPUT:
        drop_output()
        return FAILED, "" if isinstance(error, BrokenPipeError) else f"{OUTPUT} cannot be written: {error.strerror}"
    if isinstance(error, VerificationError):
        return FAILED, f"the answer is wrong: {join_lines(str(error))}"
    if isinstance(error, NegativeCycle | NotConverged | OutOfMemory):
        return FAILED, join_lines(str(error))
    if isinstance(error, MemoryError):
        return FAILED, "there is not enough memory for this: try a smaller graph"
    if isinstance(error, GraphlaError | ValueError):
        return FAILED if is_full(error) else BAD_INPUT, join_lines(str(error))
    if isinstance(error, OSError):
        said = f"{error.filename or 'a file'}: {error.strerror or error}"
        return BAD_INPUT if error.filename and not is_full(error) else FAILED, said
    said = join_lines(f"{type(error).__name__}: {error}")
    return FAILED, f"{said} (an error of graphla's own; graphla --debug … shows where)"


def join_lines(text: str) -> str:
    """Replace line breaks by blanks."""
    return " ".join(text.split())


def suggest_help(error: click.ClickException) -> str:
    """Return a pointer to the help text, for a usage error."""
    ctx = getattr(error, "ctx", None)
    return f" (see {ctx.command_path} --help)" if ctx is not None else ""
