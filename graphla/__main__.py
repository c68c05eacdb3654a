"""``python -m graphla``: the command line."""

from graphla.cli import main

main()
