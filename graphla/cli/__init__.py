"""The command `graphla`: one module per command; the modules in this folder are the commands."""

from graphla.cli._main import main

__all__ = ["main"]
