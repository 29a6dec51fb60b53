"""Compiled loops as Python runs them, which finds what lies outside of an array."""

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

    They may import from `tests`; `folder` is an empty one for what is kept.
    """
    settings = {"NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(folder)}
    tests = str(Path(__file__).parent)
    ended = python("-c", _FINDS_TESTS + lines, tests, env={**os.environ, **settings})
    assert ended.code == 0, ended.err
    return ended.out
