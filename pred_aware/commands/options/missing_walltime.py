"""The option for jobs without a walltime, of the commands that make a workload of a log."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pred_aware.commands.options.panels import CHANGES
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workload_tools.missing_walltime import MissingWalltime

_HELP = "What becomes of a job without a walltime: left out, kept so, or given this one."
_DEFAULT = "drop, and an error where most have none"

MissingWalltimeOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="drop|keep|SECONDS",
        help=_HELP,
        show_default=f"{_DEFAULT}; keep for an SWF, which is a log again",
        rich_help_panel=CHANGES,
    ),
]
MissingInLogOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="drop|keep|SECONDS",
        help=_HELP,
        show_default=_DEFAULT,
        rich_help_panel=CHANGES,
    ),
]
"""The same for commands that write no log."""


def missing_walltime_of(
    text: str | None, *, output: Path | None = None, keep: bool = True
) -> "MissingWalltime | None":
    """Return what the option says, its seconds as a number.

    Parameters
    ----------
    text
        The option.
    output
        What is made of the log. A job without a walltime stays in an SWF or a table unless
        something else is said: that is a log again, and what is simulated is decided when it
        becomes a workload.
    keep
        Whether they may be kept without one.

    Returns
    -------
    MissingWalltime or None
        As `workload_tools.missing_walltime.WithWalltimes` takes it.

    Raises
    ------
    PredAwareError
        It says none of these.
    """
    if text is None:
        again = output is not None and (is_swf(output) or is_parquet(output))
        return "keep" if again else None
    if text == "keep":
        return "keep"
    if text == "drop":
        return "drop"
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        known = "keep, drop" if keep else "drop"
        raise PredAwareError(
            f"--missing-walltime is '{text}'; it must be {known} or a number of seconds above 0"
        )
    return seconds


def reader_options(
    options: "Mapping[str, Any]", missing_walltime: str | None, *, output: Path | None = None
) -> dict[str, Any]:
    """Return the options of a log's reader, with what becomes of jobs without a walltime.

    Parameters
    ----------
    options
        Those of the reader; what they say of such jobs holds unless `missing_walltime` is given.
    missing_walltime, output
        As :func:`missing_walltime_of` has them.

    Raises
    ------
    PredAwareError
        As there.
    """
    missing = missing_walltime_of(missing_walltime, output=output)
    given = {} if missing_walltime is None else {"missing_walltime": missing}
    return {"missing_walltime": missing, **options, **given}


def is_swf(path: Path) -> bool:
    """Say whether a file to be written is an SWF, by its name."""
    return path.name.removesuffix(".gz").endswith(".swf")


def is_parquet(path: Path) -> bool:
    """Say whether a file to be written is a table of jobs, by its name."""
    return path.name.endswith(".parquet")
