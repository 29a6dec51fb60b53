"""What every command that reads a log can do to it on the way: cleaning, anonymising."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pred_aware.commands.options.panels import CHANGES
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from workload_tools.changes.key import Key
    from workload_tools.log import Log

CleanOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RECIPE",
        help="Remove the jobs of a condition such as 'user=2 and run>7d', mark the first as "
        "warm-up ('warm-up=1%'), or do what a paper did ('paper000-curie'). Repeatable.",
        show_default=False,
        rich_help_panel=CHANGES,
    ),
]
AnonymiseOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="KEY",
        help="Put numbers in the place of ids and names. KEY says which stands for which: it is "
        "made, or followed and added to if it exists, and stays with you.",
        rich_help_panel=CHANGES,
    ),
]
ShiftDatesOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--shift-dates",
        help="With --anonymise: shift all dates by a number of weeks that only KEY says.",
        rich_help_panel=CHANGES,
    ),
]
NumbersOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="KEY",
        help="For an SWF, which has numbers for names: write which stands for which.",
        rich_help_panel=CHANGES,
    ),
]

_WEEK = 604800.0
# one to ten years back: neither the date nor a log's later part overlaps with the true time
_FEWEST_WEEKS = 52
_MOST_WEEKS = 520


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be done to a log.

    Parameters
    ----------
    clean
        Recipes; see `workload_tools.changes.cleaning.recipe`.
    anonymise
        The key of an anonymised log; without one, names stay.
    shift_dates
        Whether dates are shifted; needs `anonymise`.
    numbers
        The key of the names that are numbers in an SWF.
    """

    clean: list[str] | None = None
    anonymise: Path | None = None
    shift_dates: bool = False
    numbers: Path | None = None

    @property
    def files(self) -> list[Path]:
        """The files that are written for these changes."""
        return [file for file in (self.anonymise, self.numbers) if file is not None]


@dataclass(frozen=True, slots=True)
class Changed:
    """A log with changes that take place as it is read, and the keys to be written then."""

    log: "Log"
    keys: "dict[Path, Key]"
    numbers: "Key | None"


def changed(log: "Log", changes: Changes, *, folder: Path) -> Changed:
    """Put the changes around a log.

    Parameters
    ----------
    log
        The log, of which nothing was read yet.
    changes
        What is to be done.
    folder
        Where temporary files may be made.

    Raises
    ------
    PredAwareError
        Options do not go together.
    InputError
        A recipe can't be understood, or a key can't be read.
    """
    from workload_tools.changes.cleaning import Cleaned, WarmUp, recipe
    from workload_tools.changes.key import Key

    wanted = recipe(*(changes.clean or ()))
    if wanted.removals:
        log = Cleaned(log, wanted.removals)
    if wanted.warm_up is not None:
        log = WarmUp(log, wanted.warm_up, folder=folder)
    keys = {path: Key.read(path) for path in changes.files}
    if changes.anonymise is not None:
        from workload_tools.changes.anonymised import Anonymised

        key = keys[changes.anonymise]
        if changes.shift_dates and key.date_shift is None:
            key.date_shift = _secret_shift()
        log = Anonymised(log, key)
    elif changes.shift_dates:
        raise PredAwareError("--shift-dates needs --anonymise KEY, which keeps by how much")
    return Changed(log, keys, None if changes.numbers is None else keys[changes.numbers])


def _secret_shift() -> float:
    """Choose by how many seconds dates are shifted: whole weeks, so that weekdays stay."""
    import secrets

    return -_WEEK * (_FEWEST_WEEKS + secrets.randbelow(_MOST_WEEKS - _FEWEST_WEEKS + 1))
