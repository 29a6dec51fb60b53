"""A claim of a paper, and what was found of it in each trial."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

HOLDS, FAILS, OPEN, UNTRIED = "holds", "does not hold", "cannot be told", "not tried"
VERDICTS = (HOLDS, FAILS, OPEN, UNTRIED)
"""What becomes of a claim in a trial, and in all of one kind of data."""
YES, NO = "yes", "no"
"""Whether it is of the size that the paper tells; `OPEN` where that cannot be told."""

THEIRS, CHANGED, OTHER = "authors' data", "authors' data, changed", "other data"
SOURCES = (THEIRS, CHANGED, OTHER)
"""What a trial is made on: what the authors had or published; that with another predictor, rebuilt,
or in another release; what they never saw."""

DATA, RUN, GENERAL, OURS = "describes its data", "found in its run", "general", "ours"
KINDS = (DATA, RUN, GENERAL, OURS)
"""What is claimed: of the authors' own jobs, users or machine, which other data cannot refute; of
the runs that they made; of all systems, or of what a method does; and what the paper does not say,
but is asked here beside its claims."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a claim in a trial."""

    log: str
    """The log's short name."""
    ours: str
    """Our figure with its interval, in words; or why there is none."""
    verdict: str
    """One of `VERDICTS`."""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    """The same figure as a number, as far as there is one, and the ends of its interval."""
    runs: int = 0
    """How many shakes, splits or jobs it is from; 0 where nothing was made."""
    source: str = THEIRS
    """One of `SOURCES`."""
    size: str = ""
    """Whether it is of the paper's size: `YES`, `NO` or `OPEN`; empty where none is claimed."""
    p_value: float | None = None
    """Probability of as much if there were nothing; ``None`` where no chance is told."""
    true_by_construction: bool = False
    """Whether it cannot come out otherwise; then it counts for nothing."""


class Check(Protocol):
    """How a claim is tried on a log."""

    @property
    def log(self) -> str:
        """The log that it needs, by its short name; empty if none."""
        ...

    @property
    def source(self) -> str:
        """One of `SOURCES`; empty where the log tells."""
        ...

    @property
    def true_by_construction(self) -> bool:
        """Whether it cannot come out otherwise."""
        ...

    def look(self, evidence: "Evidence") -> Found:
        """Judge the claim by what was simulated or replayed; its log is at hand."""
        ...


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper says, and how it is tried."""

    name: str
    """The paper's number, a dot and the claim's."""
    place: str
    """Where in the paper it stands."""
    text: str
    """What it says, in our words."""
    figure: str = ""
    """The paper's figure; empty where it has none."""
    kind: str = RUN
    """One of `KINDS`."""
    checks: tuple[Check, ...] = ()
    """How it is tried; empty where it is not."""
    untried: str = ""
    """Why not, then."""
    some: bool = False
    """Whether it says "some", so that one trial that holds is enough."""
    answer: str = ""
    """What its authors may answer where it does not hold: the figure or input that decides."""

    @property
    def true_by_construction(self) -> bool:
        """Whether no trial of it can come out otherwise."""
        return bool(self.checks) and all(one.true_by_construction for one in self.checks)


def in_order(*claims: Claim) -> tuple[Claim, ...]:
    """Return claims by their number.

    Examples
    --------
    >>> [one.name for one in in_order(Claim("000.10", "", ""), Claim("000.9", "", ""))]
    ['000.9', '000.10']
    """
    return tuple(sorted(claims, key=lambda claim: int(claim.name.partition(".")[2])))
