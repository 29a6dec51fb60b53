"""The core: one definition of every scheduling rule.

Its modules are plain Python. Where a C compiler was there when pred-aware was installed, those
that have a ``.pxd`` file beside them are compiled. ``PRED_AWARE_PURE=1`` imports the Python files
anyway, for debuggers, profilers and coverage.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

PURE = "PRED_AWARE_PURE"
"""The environment variable that asks for plain Python."""

_HERE = Path(__file__).parent


class _PythonFiles:
    """Finds the modules of this package as Python files, whether they are compiled or not."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module of this package is."""
        del path, target
        file = _HERE / f"{name.rpartition('.')[2]}.py"
        if name.rpartition(".")[0] != __name__ or not file.is_file():
            return None
        return spec_from_file_location(name, file)


if os.environ.get(PURE) == "1":
    sys.meta_path.insert(0, _PythonFiles)


def form() -> str:
    """Say in which form the core runs: ``compiled`` or ``python``."""
    found = find_spec(f"{__name__}.loop")
    compiled = found is not None and not str(found.origin).endswith(".py")
    return "compiled" if compiled else "python"


def stale() -> list[str]:
    """Return the names of the compiled files that are older than what they are made of."""
    return [
        made.name
        for made in sorted([*_HERE.glob("*.so"), *_HERE.glob("*.pyd")])
        for suffix in (".py", ".pxd")
        if made.stat().st_mtime
        < (_HERE / made.name.partition(".")[0]).with_suffix(suffix).stat().st_mtime
    ]
