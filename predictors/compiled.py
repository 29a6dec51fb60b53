"""How modules with a ``.pxd`` file run: compiled, or as plain Python.

These modules are plain Python files. If a C compiler is present, the installation also compiles
them. With ``PRED_AWARE_PURE=1``, Python imports the plain files, for debuggers, profilers and
coverage.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

PURE = "PRED_AWARE_PURE"
"""The environment variable that selects plain Python."""

PACKAGES = ("predictors", "schedulers")
_ROOT = Path(__file__).parents[1]


class _PythonFiles:
    """Finds the Python files of our modules, even if compiled files exist."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the Python file of a module that may be compiled; ``None`` for other modules."""
        del path, target
        if name.partition(".")[0] not in PACKAGES:
            return None
        types = _ROOT.joinpath(*name.split(".")).with_suffix(".pxd")
        return spec_from_file_location(name, types.with_suffix(".py")) if types.is_file() else None


if os.environ.get(PURE) == "1":
    sys.meta_path.insert(0, _PythonFiles)


def form() -> str:
    """Return the form in which the scheduling rules run: ``compiled`` or ``python``."""
    found = find_spec("schedulers.core.loop")
    compiled = found is not None and not str(found.origin).endswith(".py")
    return "compiled" if compiled else "python"


def stale() -> list[str]:
    """Return the names of compiled files that are older than their sources."""
    return [
        compiled.name
        for package in PACKAGES
        for types in sorted((_ROOT / package).rglob("*.pxd"))
        for suffix in EXTENSION_SUFFIXES
        if (compiled := types.with_suffix(suffix)).is_file()
        and compiled.stat().st_mtime < max(_changed(types, one) for one in (".pxd", ".py", ".pyx"))
    ]


def _changed(types: Path, suffix: str) -> float:
    file = types.with_suffix(suffix)
    return file.stat().st_mtime if file.is_file() else 0.0
