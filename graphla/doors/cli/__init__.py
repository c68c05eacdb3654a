"""The command `graphla`: one module per command; the modules in this folder are the commands."""

from graphla.doors.cli._main import main

__all__ = ["main"]
