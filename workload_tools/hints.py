"""Suggestions of known names for an unknown name."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the known name that resembles a mistyped word, if any, and all known names.

    Examples
    --------
    >>> did_you_mean("slrum", ["pbs", "slurm", "swf"])
    "did you mean 'slurm'? known: pbs, slurm, swf"
    >>> did_you_mean("xyz", ["pbs", "slurm", "swf"])
    'known: pbs, slurm, swf'
    """
    names = list(known)
    close = difflib.get_close_matches(word, names, n=1)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{hint}known: {', '.join(names)}"
