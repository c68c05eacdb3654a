"""Every conformance test runs on each engine."""

from typing import Any

import pytest
from engines import NAMES, engine_of


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest) -> Any:
    return engine_of(request.param)
