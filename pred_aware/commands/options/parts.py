"""Schedulers and predictors on a command line: their names and options."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pred_aware.commands.options.groups import ParameterList, argument, flag, option, parameter
from pred_aware.commands.options.reading import read_options
from pred_aware.errors import PredAwareError
from schedulers.options import OPTIONS

if TYPE_CHECKING:
    from pred_aware.prediction.candidate import Candidate

PLANNING = "Planning of jobs"
HISTORY_HELP = OPTIONS["history"].help

One = TypeVar("One")


def scheduler_names(begun: str) -> list[str]:
    """Return the names of schedulers that start with a text, for shell completion."""
    from schedulers import scheduler_names as known

    return [name for name in known() if name.startswith(begun)]


def predictor_names(begun: str) -> list[str]:
    """Return the names of predictors that start with a text, for shell completion."""
    from predictors.registry import PREDICTORS

    return [name for name in PREDICTORS.names() if name.startswith(begun)]


_OWN = {"predictor": predictor_names, "history": None, "machine": None, "site": None}
"""Policy options that `run` has as its own options, each with its shell completion."""


Planning = Annotated[
    Mapping[str, Any],
    ParameterList(
        tuple(
            parameter(
                name,
                str | None,
                option(OPTIONS[name].metavar, OPTIONS[name].help, autocompletion=completed),
                default=None,
                panel=PLANNING,
            )
            for name, completed in _OWN.items()
        )
    ),
]
"""Values of the policy options of `run`, by name; ``None`` if not given."""

MoreOptions = Annotated[
    list[str] | None,
    option(
        "NAME=VALUE",
        "Another option of the scheduler, such as order=sjf. Or several options as a JSON "
        "object, or as @FILE with a JSON object. Repeatable.",
        "-O",
        "--options",
        panel=PLANNING,
    ),
]

OPTIONS_HELP = "\n\n".join(
    f"    {name:16} {one.help}" for name, one in OPTIONS.items() if one.metavar and name not in _OWN
)
"""The options that `-O` accepts, for the help of a command."""


def parse_policy_options(texts: Sequence[str] | None) -> dict[str, Any]:
    """Return the values given with `-O`, for `schedulers.options.PolicyOptions`.

    Raises
    ------
    PredAwareError
        A text is neither NAME=VALUE nor a JSON object.

    Examples
    --------
    >>> parse_policy_options(["order=sjf", "call_margin=2", '{"max_wait": 60.0}'])
    {'order': 'sjf', 'call_margin': 2.0, 'max_wait': 60.0}
    """
    options: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if text.startswith(("{", "@")):
            options |= read_options(text)
        elif not equals or not name:
            raise PredAwareError(f"-O {text}: give NAME=VALUE, such as order=sjf, or a JSON object")
        else:
            name = name.replace("-", "_")
            options[name] = read_value(name, value)
    return options


def read_value(name: str, value: str) -> Any:  # noqa: ANN401 - as it was typed
    """Convert the text of a policy option to a JSON object, a number or a string."""
    if value.startswith("{"):
        return read_options(value)
    one = OPTIONS.get(name)
    if one is not None and not one.number and one.kind is str:
        return value
    for kind in (float,) if one is not None and one.kind is not int else (int, float):
        # the scheduler checks a value that is not a number
        with suppress(ValueError):
            return kind(value)
    return value


CONNECT_TIMEOUT, ANSWER_TIMEOUT = 30.0, 600.0
TimeoutOption = Annotated[
    float | None,
    option(
        "SECONDS",
        "Time limit for the other program to connect and to answer.",
        shown="30 to connect, 600 to answer",
        min=0.1,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Inputs of a simulation, and the prefix of its output files."""

    platform: Annotated[Path, option("FILE", "Platform file (XML).", "-p", "--platform")]
    workloads: Annotated[
        list[Path], option("FILE", "Batsim workload (JSON), plain or gzip.", "-w", "--workload")
    ]
    prefix: Annotated[str, option("PREFIX", "Prefix of the output files.", "-e", "--export")] = (
        "out"
    )
    """Text, because a path would lose the ``/`` at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunOptions:
    """Inputs for repeating a run that its PREFIX_run.json describes."""

    workload: Annotated[
        Path | None,
        option("FILE", "The simulated workload, if it was moved."),
    ] = None
    platform: Annotated[Path | None, option("FILE", "The platform file, if it was moved.")] = None
    own_parts: Annotated[
        bool, flag("Import your own Python classes that PREFIX_run.json names as module:Class.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateOptions:
    """The predictors to evaluate, and the delay after which they learn an ended job."""

    predictor: Annotated[
        list[str] | None,
        option(
            "[NAME=]PREDICTOR",
            "Predictor, or NAME=PREDICTOR. Repeatable. `pred-aware predictors` lists them.",
        ),
    ] = None
    lag: Annotated[
        float,
        option(
            "SECONDS",
            "Seconds between the end of a job and the time when predictors learn it. In "
            "production about 5 for PBS and 45 for Slurm.",
            min=0.0,
        ),
    ] = 0.0

    def candidates(self) -> "list[Candidate]":
        """Return the predictors. An invalid predictor raises its own error."""
        from pred_aware.prediction.candidate import read_candidates

        found = read_candidates(self.predictor or [])
        for one in found:
            one.make()
        return found


def names_argument(completed: Any) -> Any:  # noqa: ANN401 - as typer's
    """Return the argument with which a list command shows only some names."""
    return argument("[NAME...]", "Show only these names.", shown="all", autocompletion=completed)


def looked_up(what: str, found: Mapping[str, One], names: Sequence[str]) -> dict[str, One]:
    """Return the named items, or all if no name is given. An unknown name is an error."""
    from predictors.registry import nearest

    for name in names:
        if name not in found:
            raise PredAwareError(f"no {what} is called '{name}'; {nearest(name, found)}")
    return {name: one for name, one in found.items() if not names or name in names}
