"""Code of the tests in another process, as compiled loops without compilation."""

import os
from pathlib import Path

from tests.pred_aware.command import python

_FINDS_TESTS = """
import sys
from types import ModuleType
tests = sys.modules["tests"] = ModuleType("tests")
tests.__path__ = [sys.argv[1]]
"""


def uncompiled(lines: str, folder: Path) -> str:
    """Return what lines of Python print in a process in which numba compiles nothing.

    This finds what lies outside of an array. The lines may import from `tests`; `folder` is an
    empty one for what is kept.
    """
    return in_another_process(lines, NUMBA_DISABLE_JIT="1", XDG_CACHE_HOME=str(folder))


def in_another_process(lines: str, **environment: str) -> str:
    """Return what lines of Python, which may import from `tests`, print in another process."""
    tests = str(Path(__file__).parent)
    ended = python("-c", _FINDS_TESTS + lines, tests, env={**os.environ, **environment})
    assert ended.code == 0, ended.err
    return ended.out
