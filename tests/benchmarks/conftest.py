"""What the tests of benchmarks share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def _scripts_beside_each_other() -> Iterator[None]:
    """Let scripts import what stands beside them, as they do when they are run."""
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    yield
    sys.path.remove(folder)
