"""The options of a combination: one table for scripts, command line and records."""

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
    """How an option is given on a command line, and which part it belongs to."""

    metavar: str = ""
    """The metavariable of its value. Empty if it is only given within ``--options``."""
    help: str = ""
    kind: type = str
    number: bool = False
    """Whether text that looks like a number is a number. Other text is a name or JSON."""
    part: str = ""
    """The part it belongs to, such as ``backfilling``. Empty: the whole combination."""
    later: bool = False
    """Whether it was added later. Older runs then count as made with `neutral`."""
    neutral: object = None
    """The value with the same effect as leaving it out."""


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
            help="Past jobs to learn first: a job log of any format, a workload or a CSV table. "
            'JSON names the file and options of its format, such as \'{"file": "sacct.txt", '
            '"format": "slurm"}\'.',
        ),
    ]
    """A file of past jobs from which predictors learn first, or a mapping with ``file``, ``format``
    and options of its reader."""
    correction: Annotated[
        PartSpec,
        PolicyOption(
            metavar="NAME|JSON",
            help="New estimate of a job that runs longer than its estimate, such as doubling.",
        ),
    ]
    """How an estimate that ran out is corrected: ``simple``, ``doubling``, ..."""
    order: Annotated[
        PartSpec, PolicyOption(metavar="NAME|JSON", help="Order of the queue, such as sjf.")
    ]
    """The queue's order: ``sjf``, ``lxf``, ..."""
    backfilling: Annotated[
        PartSpec, PolicyOption(metavar="NAME|JSON", help="Which jobs may overtake (policy).")
    ]
    """The backfilling rule: ``none``, ``filler``, ``easy``, ``conservative``."""
    candidates: Annotated[
        str | None,
        PolicyOption(
            metavar="NAME",
            help="Order of the jobs that may overtake: queue, shortest, smallest, best_fit.",
            part="backfilling",
        ),
    ]
    """The order in which candidates are tried: ``queue``, ``shortest``, ``smallest``,
    ``best_fit``."""
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
    """The machine model, which decides which jobs have room: ``counting`` (all processors are
    alike), a `BlockList` or its file, or your own (`schedulers.core.machine.Machine`)."""
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
    """The wait in seconds after which a job gets a reservation that cannot move back, or a mapping:
    ``wait`` (these seconds), ``overtaken`` (processor seconds of later jobs that started before
    it), ``backlog`` (the wait is this fraction of the largest backlog so far, and at least
    ``wait``; see `schedulers.core.backlog.Backlog`) and ``ahead`` (the fraction of the time until
    there is room that counts as waited)."""
    ties: Annotated[str | None, PolicyOption(later=True, neutral="submission")]
    """The order of jobs that are submitted together: ``submission``, as in the workload, or
    ``id``, by their ids as text, as in batsched."""
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
    """The concordance of estimates and run times, from 0 to 1, above which estimates are used.
    Below it jobs are scheduled as by EASY (`schedulers.core.trusted.Trusted`). With 0, estimates
    are always used."""
    estimates: PartSpec
    """Instead of `predictor`: one source for all roles, or a mapping with a source for each of
    ``queueing``, ``backfilling`` and ``running``."""
    call_margin: Annotated[float | None, PolicyOption(kind=float, number=True)]
    """Seconds from a planned end to the call that corrects it (1 by default). ``None`` for
    simulations without message delays: they correct estimates without calls."""


def _table() -> Iterator[tuple[str, PolicyOption]]:
    # without the types, which would have to be imported
    for name, hint in PolicyOptions.__annotations__.items():
        (of,) = getattr(hint, "__metadata__", (PolicyOption(),))
        yield name, of


OPTIONS: Mapping[str, PolicyOption] = MappingProxyType(dict(_table()))
"""All options, in the order in which a command shows them."""

RENAMED: Mapping[str, str] = MappingProxyType({"bound": "max_wait", "trust": "min_concordance"})
"""Former names of options."""


def neutral_of(part: str) -> dict[str, Any]:
    """Return a part's later options, each with its neutral value."""
    return {name: one.neutral for name, one in OPTIONS.items() if one.later and one.part == part}


NEUTRAL: Mapping[str, Any] = MappingProxyType(neutral_of(""))
"""The later options of the whole combination, each with its neutral value."""


def of_part(part: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a scheduler that belong to one of its parts.

    Examples
    --------
    >>> of_part("backfilling", {"order": "sjf", "reservations": 2})
    {'reservations': 2}
    """
    return {name: value for name, value in options.items() if OPTIONS[name].part == part}
