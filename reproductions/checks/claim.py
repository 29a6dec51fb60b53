"""A claim of a paper, and what was found of it."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from reproductions.evidence import Evidence

HOLDS, FAILS, OPEN, UNCHECKED = "holds", "does not hold", "can't be told", "can't be checked"
VERDICTS = (HOLDS, FAILS, OPEN, UNCHECKED)
"""What can become of a claim on a log."""
MIXED = "holds in part"
OUTCOMES = (HOLDS, MIXED, FAILS, OPEN, UNCHECKED)
"""What becomes of a claim on all logs together."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a claim on a log."""

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
    """How many shakes, or jobs, it is from; 0 where nothing was made."""


class Check(Protocol):
    """How a claim is tried on a log."""

    @property
    def log(self) -> str:
        """The log that it needs, by its short name; empty if none."""
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
    checks: tuple[Check, ...] = ()
    """How it is tried; empty where it can't be."""
    unchecked: str = ""
    """Why not, then."""


def in_order(*claims: Claim) -> tuple[Claim, ...]:
    """Return claims by their number.

    Examples
    --------
    >>> [one.name for one in in_order(Claim("000.10", "", ""), Claim("000.9", "", ""))]
    ['000.9', '000.10']
    """
    return tuple(sorted(claims, key=lambda claim: int(claim.name.partition(".")[2])))


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what was found of it, log by log."""

    claim: Claim
    found: tuple[Found, ...]

    @property
    def outcome(self) -> str:
        """One of `OUTCOMES`: whether it holds wherever that can be told."""
        verdicts = {one.verdict for one in self.found}
        told = verdicts & {HOLDS, FAILS}
        if len(told) > 1:
            return MIXED
        return next(one for one in (*told, OPEN, UNCHECKED) if one in verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        claim = self.claim
        return {
            "claim": claim.name,
            "place": claim.place,
            "text": claim.text,
            "figure": claim.figure or None,
            "outcome": self.outcome,
            "found": [asdict(one) for one in self.found],
        }
