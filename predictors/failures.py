"""Failures of somebody's own code: what was raised, and in which line of it."""

import sys
from pathlib import Path
from traceback import walk_tb

OURS = frozenset({"pred_aware", "predictors", "schedulers", "workload_tools"})
"""Our packages."""

LONGEST = 500
"""The most characters of somebody else's message: the place is to be seen, too."""

_INSTALLED = frozenset({"site-packages", "dist-packages"})


def is_ours(module: str) -> bool:
    """Say whether a module, by its name, belongs to us.

    Examples
    --------
    >>> is_ours("predictors.rules.knn"), is_ours("site_predictor")
    (True, False)
    """
    return module.partition(".")[0] in OURS


def in_words(error: BaseException, module: str = "") -> str:
    """Describe an error on one line, with the line of somebody else's file where it was raised.

    `module` is that of the part which failed; installed libraries that it calls are not at fault.

    Examples
    --------
    >>> in_words(KeyError("ann"))
    "KeyError: 'ann'"
    """
    words = " ".join(str(error).split())
    said = f"{type(error).__name__}: {words[:LONGEST]}" if words else type(error).__name__
    return f"{said}{place(error, module)}"


def place(error: BaseException, module: str = "") -> str:
    """Return file and line in brackets, or nothing where only our own code took part."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    found = ""
    for frame, line in walk_tb(error.__traceback__):
        name = str(frame.f_globals.get("__name__", ""))
        if _is_theirs(name, frame.f_code.co_filename, module):
            found = f" ({frame.f_code.co_filename}:{line})"
    return found or _file_of(module)


def _is_theirs(name: str, file: str, module: str) -> bool:
    package = name.partition(".")[0]
    # a compiled library names the source that it was made of, which is nobody's part
    if package in OURS or file.startswith("<frozen") or file.endswith(".pyx"):
        return False
    if module and package == module.partition(".")[0]:
        return True
    return package not in sys.stdlib_module_names and _INSTALLED.isdisjoint(Path(file).parts)


def _file_of(module: str) -> str:
    """Name the file of a part that answered what we can't use, so that it failed with us."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return "" if not module or is_ours(module) or file is None else f" ({file})"
