"""Papers reproduced: claim by claim, on the logs that are at hand."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.report import BarChart, Table
from predictors import nearest
from reproductions.checks.claim import OUTCOMES, UNCHECKED, VERDICTS, Check, Found, Judged
from reproductions.claims.paper_000 import PAPER as PAPER_000
from reproductions.claims.paper_001 import PAPER as PAPER_001
from reproductions.claims.paper_002 import PAPER as PAPER_002
from reproductions.claims.paper_003 import PAPER as PAPER_003
from reproductions.claims.paper_004 import PAPER as PAPER_004
from reproductions.evidence import Effort, Evidence
from reproductions.figures.figures import PaperFigure
from reproductions.logs import found_in
from reproductions.paper import Paper

PAPERS: Mapping[str, Paper] = MappingProxyType(
    {paper.number: paper for paper in (PAPER_000, PAPER_001, PAPER_002, PAPER_003, PAPER_004)}
)
"""Those that are reproduced, by number."""


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A paper's claims, judged."""

    paper: Paper
    judged: tuple[Judged, ...]
    """Its claims in their order."""
    failures: Mapping[str, str]
    """What could not be simulated or read, with the reason."""
    effort: Effort
    """How much was done."""
    figures: tuple[BarChart | Table, ...] = ()
    """Its figures and tables, as far as their logs are at hand."""

    @property
    def verdicts(self) -> Counter[str]:
        """How many pairs of a claim and a log came out how."""
        counted = Counter(dict.fromkeys(VERDICTS, 0))
        counted.update(found.verdict for one in self.judged for found in one.found)
        return counted

    @property
    def outcomes(self) -> Counter[str]:
        """How many claims came out how, on all logs together."""
        counted = Counter(dict.fromkeys(OUTCOMES, 0))
        counted.update(one.outcome for one in self.judged)
        return counted

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        return {
            "paper": self.paper.number,
            "title": self.paper.title,
            "quick": self.effort.quick,
            "shakes": [self.effort.at_least, self.effort.at_most],
            "outcomes": dict(self.outcomes),
            "verdicts": dict(self.verdicts),
            "claims": [one.to_dict() for one in self.judged],
            "failures": dict(self.failures),
        }


def papers_named(names: Iterable[str]) -> list[Paper]:
    """Return the papers of these numbers, or all of them for ``all``.

    Raises
    ------
    PredAwareError
        There is none of a number.

    Examples
    --------
    >>> [paper.number for paper in papers_named(["003", "003"])]
    ['003']
    """
    wanted = list(dict.fromkeys(names))
    if "all" in wanted:
        return list(PAPERS.values())
    unknown = [name for name in wanted if name not in PAPERS]
    if unknown:
        known = [*PAPERS, "all"]
        told = "; ".join(f"'{name}': {nearest(name, known)}" for name in unknown)
        none = "is no such paper" if len(unknown) == 1 else "are no such papers"
        raise PredAwareError(f"there {none}: {told}")
    return [PAPERS[name] for name in wanted]


def try_claims(
    paper: Paper,
    places: Iterable[Path],
    *,
    folder: Path,
    effort: Effort,
    workers: int | None = None,
    told: Callable[[str], None] = lambda _: None,
    progress: Any = None,  # noqa: ANN401 - as `Campaign.run` takes it
) -> Reproduced:
    """Simulate and replay what a paper's claims need, and judge them.

    What is there is not made again: stopped, it goes on where it was.

    Parameters
    ----------
    paper
        The paper.
    places
        Where its logs are looked for: folders and files.
    folder
        Where runs and replays are kept.
    effort
        How much is done.
    workers
        How many processes simulate; one per core by default.
    told, progress
        Told what is replayed, and how far the simulations are.

    Raises
    ------
    PredAwareError
        The folder can't be written.
    """
    evidence = Evidence(paper, found_in(places), folder=folder, effort=effort)
    evidence.make(told=told, workers=workers, progress=progress)
    judged = tuple(
        Judged(
            claim,
            tuple(_found(check, evidence) for check in claim.checks)
            or (Found("", claim.unchecked, UNCHECKED),),
        )
        for claim in paper.claims
    )
    figures = [_drawn(one, evidence) for one in paper.figures]
    shown = tuple(one for one in figures if one is not None)
    return Reproduced(paper, judged, evidence.failures, effort, shown)


def _found(check: Check, evidence: Evidence) -> Found:
    why = evidence.missing(check.log) if check.log else ""
    if not why:
        try:
            return check.look(evidence)
        except USER_ERRORS as error:
            # the log, or a part of it, can't be read
            why = str(error)
    return Found(check.log, why, UNCHECKED)


def _drawn(figure: PaperFigure, evidence: Evidence) -> BarChart | Table | None:
    try:
        return figure.drawn(evidence)
    except USER_ERRORS:
        # its claims say why
        return None
