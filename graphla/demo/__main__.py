"""``python -m graphla.demo --output FOLDER``."""

import sys

from graphla.measuring.demo.__main__ import main

sys.exit(main())
