"""``python -m graphla.doors.cli`` runs the command `graphla` if its script is not on the path."""

from graphla.doors.cli import main

if __name__ == "__main__":
    main()
