"""``python -m graphla``: the command line."""

from graphla.doors.cli import main

main()
