"""What the tests share."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# no test asserts a time: a busy machine is no fault
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# some hundred processes are started, and as many would compile all modules anew where the environment
# keeps Python from leaving them compiled in __pycache__
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

SHARED = Path(__file__).resolve().parents[2] / "shared"


ONLY_WHEN_ASKED_FOR = ("slow", "large", "browser", "cluster")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow or needs more than Python, unless it is asked for."""
    for mark in ONLY_WHEN_ASKED_FOR:
        if mark not in config.option.markexpr:
            items[:] = [item for item in items if item.get_closest_marker(mark) is None]


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real runs and logs that stand beside the checkout of the project's developers.

    Elsewhere the tests that need them skip; with PRED_AWARE_REQUIRE_SHARED they fail instead.
    """
    if SHARED.is_dir():
        return SHARED
    reason = "needs the reference runs and logs in ../shared, which are not published"
    if os.environ.get("PRED_AWARE_REQUIRE_SHARED"):
        pytest.fail(reason)
    return pytest.skip(reason)
