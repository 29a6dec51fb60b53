"""The option for jobs without a walltime, of the commands under `convert`."""

from typing import Annotated, Literal, TypeAlias

import typer

from pred_aware.errors import PredAwareError

MissingWalltimeOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="keep|drop|SECONDS",
        help="What becomes of a job without a walltime: kept so, dropped, or given this one.",
    ),
]


def missing_walltime_of(text: str) -> Literal["keep", "drop"] | float:
    """Return what the option says, its seconds as a number.

    Raises
    ------
    PredAwareError
        It says none of the three.
    """
    if text == "keep":
        return "keep"
    if text == "drop":
        return "drop"
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise PredAwareError(
            f"--missing-walltime is '{text}'; it must be keep, drop or a number of seconds above 0"
        )
    return seconds
