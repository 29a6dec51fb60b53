"""Options of a combination of parts: one table for scripts, command line and records."""

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
    """How an option is given on a command line, and where it goes."""

    metavar: str = ""
    """What it takes; empty for one that is given within ``--options`` alone."""
    help: str = ""
    kind: type = str
    number: bool = False
    """Whether text that is a number is one; other text is a name or JSON."""
    part: str = ""
    """The part that it is an option of, such as ``backfilling``; empty for one of the whole."""
    later: bool = False
    """Whether it came when there were runs already, which were then made with `neutral`."""
    neutral: object = None
    """What does the same as to leave it out."""


class PolicyOptions(TypedDict, total=False):
    """What a combination is made of; a part is a name, a mapping, a class or an object."""

    predictor: Annotated[
        PartSpec,
        PolicyOption(
            metavar="PREDICTOR",
            help="Source of estimates: walltime, actual, a predictor's name, module:Class, or JSON "
            "with name and options.",
        ),
    ]
    """Where estimates of run times come from: ``last_two``, ``knn``, ...; ``actual`` looks at the
    run time. It is for the roles that the scheduler predicts, which are mostly all; see
    `schedulers.core.estimates.make_source`."""
    history: Annotated[
        str | Path | Mapping[str, Any] | None,
        PolicyOption(
            metavar="FILE|JSON",
            help="Past jobs to learn first: a job log of any format, a workload or a CSV table. "
            'JSON names the file and options of its format, such as \'{"file": "sacct.txt", '
            '"format": "slurm"}\'.',
        ),
    ]
    """A file of past jobs that predictors learn first, or a mapping with ``file``, ``format`` and
    options of its reader."""
    correction: Annotated[
        PartSpec,
        PolicyOption(
            metavar="NAME|JSON",
            help="New estimate of a job that runs longer than its estimate, such as doubling.",
        ),
    ]
    """What becomes of an estimate that ran out: ``simple``, ``doubling``, ..."""
    order: Annotated[
        PartSpec, PolicyOption(metavar="NAME|JSON", help="Order of the queue, such as sjf.")
    ]
    """In which order jobs wait: ``sjf``, ``lxf``, ..."""
    backfilling: Annotated[
        PartSpec, PolicyOption(metavar="NAME|JSON", help="Which jobs may overtake (policy).")
    ]
    """Which jobs may overtake: ``none``, ``filler``, ``easy``, ``conservative``."""
    candidates: Annotated[
        str | None,
        PolicyOption(
            metavar="NAME",
            help="Order of the jobs that may overtake: queue, shortest, smallest, best_fit.",
            part="backfilling",
        ),
    ]
    """In which order those are tried: ``queue``, ``shortest``, ``smallest``, ``best_fit``."""
    reservations: Annotated[
        int | None,
        PolicyOption(
            metavar="N",
            help="Number of reservations for the first jobs of the queue (EASY).",
            kind=int,
            part="backfilling",
        ),
    ]
    """Number of reservations for the first jobs of the queue (EASY)."""
    allocation: Annotated[
        PartSpec,
        PolicyOption(
            metavar="NAME",
            help="Processors that a job gets: lowest, contiguous, best_fit.",
            part="machine",
        ),
    ]
    """Which processors a job gets: ``lowest``, ``contiguous``, ``best_fit``."""
    machine: Annotated[
        PartSpec,
        PolicyOption(
            metavar="FILE|NAME|JSON",
            help="Machine model: counting, a machine file such as intrepid.json, or module:Class.",
        ),
    ]
    """The machine model, of what has room beside what: ``counting`` (any processors do), a
    `BlockList` or its file, or one of your own (`schedulers.core.machine.Machine`)."""
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
    """The machine's nodes and the rules before any policy: a `Site`, its file, or the file's
    content (`schedulers.site.site.Site`)."""
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
    """Seconds after which a waiting job gets a reservation that nobody may push back, or a mapping
    with ``wait`` (those seconds), ``overtaken`` (processor seconds of later jobs that started
    before it), ``backlog`` (the wait is then this share of the largest backlog so far, and
    ``wait`` the least that it can be; see `schedulers.core.backlog.Backlog`) and
    ``ahead`` (how much of the time until there is room for a job counts as waited)."""
    ties: Annotated[str | None, PolicyOption(later=True, neutral="submission")]
    """How jobs that are submitted together stand: ``submission``, as in the workload, or ``id``, by
    their ids as text, as batsched has it."""
    min_concordance: Annotated[
        float | None,
        PolicyOption(
            metavar="SHARE",
            help="Use estimates only while their concordance with the run times is at least "
            "this, such as 0.55. Otherwise schedule jobs as EASY does.",
            kind=float,
            later=True,
        ),
    ]
    """From which concordance with the run times of jobs that have ended on, from 0 to 1, estimates
    are used; below it jobs are scheduled as by EASY (`schedulers.core.trusted.Trusted`).
    With 0 they always are."""
    estimates: PartSpec
    """In the place of `predictor`, a mapping with one for each of ``queueing``, ``backfilling`` and
    ``running``, or one for all."""
    call_margin: float | None
    """Seconds after a planned end at which its correction is due, by a call that is asked for (1 by
    default); ``None`` where messages take no time: corrections are then made as of their moment
    when somebody looks, without any call."""


def _table() -> Iterator[tuple[str, PolicyOption]]:
    # not the types, which would have to be imported
    for name, hint in PolicyOptions.__annotations__.items():
        (of,) = getattr(hint, "__metadata__", (PolicyOption(),))
        yield name, of


OPTIONS: Mapping[str, PolicyOption] = MappingProxyType(dict(_table()))
"""All of them, in the order in which a command shows them."""

RENAMED: Mapping[str, str] = MappingProxyType({"bound": "max_wait", "trust": "min_concordance"})
"""Options by the names that they had before."""


def neutral_of(part: str) -> dict[str, Any]:
    """Return a part's options that came later, each with the value that does as was done before."""
    return {name: one.neutral for name, one in OPTIONS.items() if one.later and one.part == part}


NEUTRAL: Mapping[str, Any] = MappingProxyType(neutral_of(""))
"""The same of the options of the whole."""


def of_part(part: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a scheduler's options that are options of one of its parts.

    Examples
    --------
    >>> of_part("backfilling", {"order": "sjf", "reservations": 2})
    {'reservations': 2}
    """
    return {name: value for name, value in options.items() if OPTIONS[name].part == part}
