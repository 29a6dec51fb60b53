"""Parser of the command that submitted a job: SubmitLine in Slurm's accounting."""

from collections.abc import Mapping
from types import MappingProxyType

_SHORT = MappingProxyType(
    {
        "a": "array", "B": "extra-node-info", "C": "constraint", "G": "gpus", "L": "licenses",
        "m": "distribution", "M": "clusters", "n": "ntasks", "N": "nodes", "w": "nodelist",
        "x": "exclude",
    }
)  # fmt: skip
_SHORT_FLAGS = frozenset("HhIklOQsuvVWXE")
_FLAGS = frozenset(
    (
        *("contiguous", "exclusive", "get-user-env", "help", "hold", "ignore-pbs", "immediate"),
        *("label", "nice", "no-kill", "no-requeue", "overcommit", "oversubscribe", "parsable"),
        *(
            "propagate",
            "pty",
            "quiet",
            "reboot",
            "requeue",
            "spread-job",
            "test-only",
            "unbuffered",
        ),
        *("use-min-nodes", "verbose", "wait", "x11"),
    )
)
"""Long options without a separate value."""
_THE_END = frozenset(("wrap", ":"))


def submit_options(line: str) -> Mapping[str, str]:
    """Return the options of a command line, by their long names.

    Nothing in the line is quoted, and options in the script are not in it, so a missing option may
    still have been requested. Options end at the script's name or at ``--wrap``.

    Parameters
    ----------
    line
        The line as ``sacct --format=SubmitLine`` prints it.

    Examples
    --------
    >>> submit_options("sbatch -N2 --ntasks-per-node 4 --exclusive -C big&fast job.sh -n 7")
    {'nodes': '2', 'ntasks-per-node': '4', 'exclusive': '', 'constraint': 'big&fast'}
    """
    found: dict[str, str] = {}
    # only blanks separate words; a name may contain other white space
    words = iter([word for word in line.split(" ") if word][1:])
    for word in words:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name in _THE_END:
                break
            found[name] = value if equals or name in _FLAGS else next(words, "")
        elif word.startswith("-") and len(word) > 1:
            letter, value = word[1], word[2:].removeprefix("=")
            if letter == "s":
                found["oversubscribe"] = ""
            if letter in _SHORT_FLAGS:
                continue
            value = value or next(words, "")
            if letter in _SHORT:
                found[_SHORT[letter]] = value
        else:
            break
    return found
