"""The options of a combination, in one table for scripts, command line and records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from predictors.registry import PartSpec

if TYPE_CHECKING:
    from schedulers.site.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOption:
    """How users give an option on a command line, and to which part it belongs."""

    metavar: str = ""
    """The word for the option's value in help texts. Empty: only ``--options`` can set it."""
    help: str = ""
    kind: type = str
    number: bool = False
    """Whether text that looks like a number is read as a number. Other text is a name or JSON."""
    part: str = ""
    """The part that has the option, such as ``backfilling``. Empty: the whole combination."""
    later: bool = False
    """Whether some recorded runs are older than the option. They count as having `neutral`."""
    neutral: object = None
    """The value that has the same effect as no value."""


class PolicyOptions(TypedDict, total=False):
    """The options of a combination. A part is a name, a mapping, a class or an object."""

    predictor: Annotated[
        PartSpec,
        PolicyOption(
            metavar="PREDICTOR",
            help="Source of estimates: walltime, actual, a predictor's name, module:Class, or JSON "
            "with name and options.",
        ),
    ]
    """The source of run time estimates: ``last_two``, ``knn``, ...; ``actual`` uses the true run
    time. It applies to the roles that the scheduler predicts, in most cases all; see
    `schedulers.core.estimates.make_source`."""
    history: Annotated[
        str | Path | Mapping[str, Any] | None,
        PolicyOption(
            metavar="FILE|JSON",
            help="Past jobs from which predictors learn first: a job log of any format, a workload "
            "or a CSV table. JSON names the file and options of its format, such as "
            '\'{"file": "sacct.txt", "format": "slurm"}\'.',
        ),
    ]
    """A file of past jobs from which predictors learn first, or a mapping with ``file``, ``format``
    and options of its reader."""
    correction: Annotated[
        PartSpec,
        PolicyOption(
            metavar="NAME|JSON",
            help="Rule for the new estimate of a job that outlives its estimate, such as doubling.",
        ),
    ]
    """The rule for the new estimate of a job that outlives its estimate: ``simple``, ..."""
    order: Annotated[
        PartSpec, PolicyOption(metavar="NAME|JSON", help="Order of the queue, such as sjf.")
    ]
    """The queue's order: ``sjf``, ``lxf``, ..."""
    backfilling: Annotated[
        PartSpec,
        PolicyOption(
            metavar="NAME|JSON", help="Rule for which jobs may overtake others (policy only)."
        ),
    ]
    """The backfilling rule: ``none``, ``filler``, ``easy``, ``conservative``."""
    candidates: Annotated[
        str | None,
        PolicyOption(
            metavar="NAME",
            help="Order in which backfilling tries jobs: queue, shortest, smallest, best_fit.",
            part="backfilling",
        ),
    ]
    """The order in which candidates are tried: ``queue``, ``shortest``, ``smallest``,
    ``best_fit``."""
    reservations: Annotated[
        int | None,
        PolicyOption(
            metavar="N",
            help="How many of the first jobs of the queue get reservations (EASY).",
            kind=int,
            part="backfilling",
        ),
    ]
    """How many of the first jobs of the queue get reservations (EASY)."""
    allocation: Annotated[
        PartSpec,
        PolicyOption(
            metavar="NAME",
            help="Which free processors a job gets: lowest, contiguous, best_fit.",
            part="machine",
        ),
    ]
    """Which free processors a job gets: ``lowest``, ``contiguous``, ``best_fit``."""
    machine: Annotated[
        PartSpec,
        PolicyOption(
            metavar="FILE|NAME|JSON",
            help="Machine model: counting, a machine file such as intrepid.json, or module:Class.",
        ),
    ]
    """The machine model, which decides when a job fits: ``counting`` (all processors are alike), a
    `BlockList` or its file, or your own (`schedulers.core.machine.Machine`)."""
    site: Annotated[
        "str | Path | Mapping[str, Any] | Site | None",
        PolicyOption(
            metavar="FILE",
            help="Site file such as site.toml, or snapshot folder, with nodes, partitions, "
            "limits, start windows and downtime. `pred-aware site` shows and checks site "
            "files.",
            later=True,
        ),
    ]
    """The machine's nodes and the site's rules: a `Site`, its file, or the file's content
    (`schedulers.site.site.Site`)."""
    max_wait: Annotated[
        float | Mapping[str, float] | None,
        PolicyOption(
            metavar="SECONDS|JSON",
            help="Seconds after which a waiting job gets a reservation that no other job can "
            'delay, or JSON: {"wait": seconds, "overtaken": processor seconds, "backlog": '
            'share, "ahead": share}.',
            number=True,
        ),
    ]
    """The wait in seconds after which a job gets a reservation that never moves back, or a mapping
    with these limits. ``wait``: this wait. ``overtaken``: a job also gets the reservation after
    later jobs with this work, in processor seconds, started before it. ``backlog``: the wait is
    this multiple of the largest backlog so far, and at least ``wait``; see
    `schedulers.core.backlog.Backlog`. ``ahead``: this fraction of the time until the job has room
    counts as time that the job has waited."""
    ties: Annotated[str | None, PolicyOption(later=True, neutral="submission")]
    """The order of jobs that are submitted together: ``submission``, as in the workload, or
    ``id``, by their ids as text, as in batsched."""
    min_concordance: Annotated[
        float | None,
        PolicyOption(
            metavar="SHARE",
            help="Use estimates only while their concordance with the run times is at least "
            "this value, such as 0.55. Otherwise schedule jobs as EASY does.",
            kind=float,
            later=True,
        ),
    ]
    """The least concordance of estimates and run times, from 0 to 1, at which estimates are used.
    At a lower concordance, jobs are scheduled as by EASY (`schedulers.core.trusted.Trusted`). With
    0, estimates are always used."""
    estimates: PartSpec
    """Instead of `predictor`: one source for all roles, or a mapping with a source for each of
    ``queueing``, ``backfilling`` and ``running``."""
    call_margin: Annotated[float | None, PolicyOption(kind=float, number=True)]
    """The seconds from a planned end to the call that corrects the estimate (1 by default). Use
    ``None`` for simulations without message delays, which correct estimates without calls."""


def _table() -> Iterator[tuple[str, PolicyOption]]:
    # the annotations themselves, because evaluating the types would need more imports
    for name, hint in PolicyOptions.__annotations__.items():
        (of,) = getattr(hint, "__metadata__", (PolicyOption(),))
        yield name, of


OPTIONS: Mapping[str, PolicyOption] = MappingProxyType(dict(_table()))
"""All options, in the order in which a command shows them."""

RENAMED: Mapping[str, str] = MappingProxyType({"bound": "max_wait", "trust": "min_concordance"})
"""The new name of each renamed option."""


def neutral_of(part: str) -> dict[str, Any]:
    """Return the options of a part that some recorded runs lack, with their neutral values."""
    return {name: one.neutral for name, one in OPTIONS.items() if one.later and one.part == part}


NEUTRAL: Mapping[str, Any] = MappingProxyType(neutral_of(""))
"""The options of the whole combination that some recorded runs lack, with neutral values."""


def of_part(part: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a scheduler that belong to one of its parts.

    Examples
    --------
    >>> of_part("backfilling", {"order": "sjf", "reservations": 2})
    {'reservations': 2}
    """
    return {name: value for name, value in options.items() if OPTIONS[name].part == part}
