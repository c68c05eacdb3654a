"""Every conformance test runs on each engine."""

from typing import Any

import pytest
from engines import NAMES, get_engine_named


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest) -> Any:
    return get_engine_named(request.param)
