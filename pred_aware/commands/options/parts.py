"""Schedulers and predictors on a command line: their names, and what a scheduler is made of."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pred_aware.commands.options.groups import MadeOf, argument, flag, option, parameter
from pred_aware.commands.options.reading import read_options
from pred_aware.errors import PredAwareError
from schedulers.options import OPTIONS

if TYPE_CHECKING:
    from pred_aware.prediction.candidate import Candidate

PLANNING = "How jobs are planned"
HISTORY_HELP = OPTIONS["history"].help

One = TypeVar("One")


def scheduler_names(begun: str) -> list[str]:
    """Return the schedulers whose names begin so."""
    from schedulers import scheduler_names as known

    return [name for name in known() if name.startswith(begun)]


def predictor_names(begun: str) -> list[str]:
    """Return the predictors whose names begin so."""
    from predictors.registry import PREDICTORS

    return [name for name in PREDICTORS.names() if name.startswith(begun)]


_COMPLETED = {"predictor": predictor_names}
_APART = frozenset({"machine", "site"})
"""Options of the machine, not of how jobs are planned."""


def _planning() -> MadeOf:
    """Return an option of `run` for each option of a policy that a command line can give."""
    return MadeOf(
        tuple(
            parameter(
                name,
                one.kind | None,
                option(
                    one.metavar,
                    one.help,
                    panel=None if name in _APART else PLANNING,
                    autocompletion=_COMPLETED.get(name),
                ),
                default=None,
            )
            for name, one in OPTIONS.items()
            if one.metavar
        )
    )


Planning = Annotated[Mapping[str, Any], _planning()]
"""What a command has for a combination's options, by name; ``None`` for what was not given."""


def told_options(planning: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given of `Planning`, as `schedulers.options.PolicyOptions` has it."""
    return {name: _read(name, value) for name, value in planning.items() if value is not None}


def _read(name: str, value: Any) -> Any:  # noqa: ANN401 - as it was typed
    if isinstance(value, str) and value.startswith("{"):
        return read_options(value)
    if OPTIONS[name].number:
        # what is none is left to the scheduler's own checks
        with suppress(ValueError):
            return float(value)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What is simulated, and where the run goes."""

    platform: Annotated[Path, option("FILE", "Platform XML.", "-p", "--platform")]
    workloads: Annotated[
        list[Path], option("FILE", "Batsim workload, gzip or not.", "-w", "--workload")
    ]
    prefix: Annotated[
        Path, option("PREFIX", "What the output files' names begin with.", "-e", "--export")
    ] = Path("out")


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunOptions:
    """How a run is simulated again, which its PREFIX_run.json tells."""

    workload: Annotated[
        Path | None,
        option("FILE", "The workload that was simulated, if it is no longer where it was."),
    ] = None
    platform: Annotated[
        Path | None, option("FILE", "The platform's XML, if it is no longer where it was.")
    ] = None
    own_parts: Annotated[
        bool, flag("Import parts of your own that PREFIX_run.json calls module:Class.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateOptions:
    """The predictors of a log's jobs, and when a job is learned."""

    predictor: Annotated[
        list[str] | None,
        option(
            "[NAME=]PREDICTOR",
            "Predictor, or NAME=PREDICTOR; can be given many times. `pred-aware predictors` lists "
            "them.",
        ),
    ] = None
    lag: Annotated[
        float,
        option(
            "SECONDS",
            "How many seconds after its end a job is learned: in production 5 of PBS, and 45 of "
            "Slurm.",
            min=0.0,
        ),
    ] = 0.0

    def candidates(self) -> "list[Candidate]":
        """Return the predictors, or raise the error of one that can't be made."""
        from pred_aware.prediction.candidate import read_candidates

        found = read_candidates(self.predictor or [])
        for one in found:
            one.make()
        return found


def names_argument(completed: Any) -> Any:  # noqa: ANN401 - as typer's
    """Return the argument of a command that lists what there is, or some of it."""
    return argument("[NAME...]", "Names of those to show.", shown="all", autocompletion=completed)


def looked_up(what: str, found: Mapping[str, One], names: Sequence[str]) -> dict[str, One]:
    """Return those that somebody named, all where nothing is named; refuse a name of none."""
    from predictors.registry import nearest

    for name in names:
        if name not in found:
            raise PredAwareError(f"no {what} is called '{name}'; {nearest(name, found)}")
    return {name: one for name, one in found.items() if not names or name in names}
