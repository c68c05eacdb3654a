"""Every test that SciPy has of csgraph passes with graphla's module in its place."""

from __future__ import annotations

import pytest
from scipys_tests import collect_tests, list_modules

pytestmark = pytest.mark.filterwarnings("default")

globals().update(collect_tests(list_modules()))
