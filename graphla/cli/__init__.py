"""The command `graphla`: one file a command; the folder is the list."""

from graphla.cli._main import main

__all__ = ["main"]
