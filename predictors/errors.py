"""The errors of predictors, and messages about errors in the user's own code."""

import sys
from pathlib import Path
from traceback import walk_tb


class PredictorError(ValueError):
    """A predictor cannot handle a request. The message says what to change."""


class UnknownNameError(PredictorError):
    """The name of a predictor (order, correction, ...) is unknown. The message suggests names."""


class OptionError(PredictorError):
    """An option is unknown or has an invalid value."""


class MissingLibraryError(OptionError):
    """A library that the predictor needs is not installed. The message says how to install it."""


class HistoryError(PredictorError):
    """A file of past jobs cannot be read. The message names the file and the line."""


OURS = frozenset({"pred_aware", "predictors", "schedulers", "workload_tools"})
"""The packages of pred-aware."""

LONGEST = 500
"""Messages of other code are cut after this many characters, so that the line number after the
message stays visible.
"""

_INSTALLED = frozenset({"site-packages", "dist-packages"})


def is_ours(module: str) -> bool:
    """Return True if a module belongs to pred-aware, according to its name.

    Examples
    --------
    >>> is_ours("predictors.rules.knn"), is_ours("site_predictor")
    (True, False)
    """
    return module.partition(".")[0] in OURS


def in_words(error: BaseException, module: str = "") -> str:
    """Describe an error on one line, with the user's file and line that raised the error.

    `module` is the module of the user's class that failed. Lines of installed libraries are
    skipped.

    Examples
    --------
    >>> in_words(KeyError("ann"))
    "KeyError: 'ann'"
    """
    words = " ".join(str(error).split())
    said = f"{type(error).__name__}: {words[:LONGEST]}" if words else type(error).__name__
    return f"{said}{place(error, module)}"


def place(error: BaseException, module: str = "") -> str:
    """Return the user's file and line in brackets, or "" if only pred-aware's code was involved."""
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
    # a compiled library names its own source file, which is not the user's
    if package in OURS or file.startswith("<frozen") or file.endswith(".pyx"):
        return False
    if module and package == module.partition(".")[0]:
        return True
    return package not in sys.stdlib_module_names and _INSTALLED.isdisjoint(Path(file).parts)


def _file_of(module: str) -> str:
    """Return the file of the user's class if pred-aware's code failed on the class's result."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return "" if not module or is_ours(module) or file is None else f" ({file})"
