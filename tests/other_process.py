"""Code of the tests in another process."""

import os
from pathlib import Path

from tests.pred_aware.command import python

_FINDS_TESTS = """
import sys
from types import ModuleType
tests = sys.modules["tests"] = ModuleType("tests")
tests.__path__ = [sys.argv[1]]
"""


def in_another_process(lines: str, **environment: str) -> str:
    """Return what lines of Python, which may import from `tests`, print in another process."""
    tests = str(Path(__file__).parent)
    ended = python("-c", _FINDS_TESTS + lines, tests, env={**os.environ, **environment})
    assert ended.code == 0, ended.err
    return ended.out
