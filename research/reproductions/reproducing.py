"""Papers reproduced: claim by claim, on the logs that are at hand."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.report import BarChart, Table
from predictors import nearest
from reproductions.checks.claim import UNTRIED, Check, Found
from reproductions.claims.paper_000 import PAPER as PAPER_000
from reproductions.claims.paper_001 import PAPER as PAPER_001
from reproductions.claims.paper_002 import PAPER as PAPER_002
from reproductions.claims.paper_003 import PAPER as PAPER_003
from reproductions.claims.paper_004 import PAPER as PAPER_004
from reproductions.evidence import Effort, Evidence
from reproductions.figures.figures import PaperFigure
from reproductions.judging import Judged, judged
from reproductions.logs import REBUILT, found_in
from reproductions.paper import Paper

PAPERS: Mapping[str, Paper] = MappingProxyType(
    {paper.number: paper for paper in (PAPER_000, PAPER_001, PAPER_002, PAPER_003, PAPER_004)}
)
"""Those that are reproduced, by number."""


@dataclass(frozen=True, slots=True)
class LogUsed:
    """A log that a paper's authors had, beside what of it is here."""

    log: str
    source: str
    """Whether it is theirs, or changed."""
    file: str
    """What is here; empty where nothing is."""
    missing: str
    """Why it is not tried; empty where it is."""
    jobs: int | None
    """How many jobs, or records, it has; ``None`` where that was not counted."""
    paper_jobs: int | None
    """How many the paper says."""
    differs: str
    """How it is not what they used."""


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
    logs: tuple[LogUsed, ...] = ()
    """The logs that its authors had, and what of them is here."""
    figures: tuple[BarChart | Table, ...] = ()
    """Its figures and tables, as far as their logs are at hand."""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        return {
            "paper": self.paper.number,
            "title": self.paper.title,
            "quick": self.effort.quick,
            "shakes": [self.effort.at_least, self.effort.at_most],
            "logs": [asdict(one) for one in self.logs],
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
        The folder cannot be written.
    """
    evidence = Evidence(paper, found_in(places), folder=folder, effort=effort)
    evidence.make(told=told, workers=workers, progress=progress)
    claims = judged(
        (
            claim,
            tuple(_found(check, evidence) for check in claim.checks)
            or (Found("", claim.untried, UNTRIED, source=evidence.source("")),),
        )
        for claim in paper.claims
    )
    logs = tuple(_used(name, evidence) for name in paper.own)
    figures = [_drawn(one, evidence) for one in paper.figures]
    shown = tuple(one for one in figures if one is not None)
    return Reproduced(paper, claims, evidence.failures, effort, logs, shown)


def _found(check: Check, evidence: Evidence) -> Found:
    why, found = evidence.missing(check.log) if check.log else "", None
    if not why:
        try:
            found = check.look(evidence)
        except USER_ERRORS as error:
            # the log, or a part of it, cannot be read
            why = str(error)
    return replace(
        found or Found(check.log, why, UNTRIED),
        source=check.source or evidence.source(check.log),
        true_by_construction=check.true_by_construction,
    )


def _used(log: str, evidence: Evidence) -> LogUsed:
    own = evidence.paper.own[log]
    jobs: float | None = None
    # what cannot be read says so where it is tried
    with suppress(*USER_ERRORS):
        if not evidence.missing(log):
            counts = evidence.day.counts if log == REBUILT else evidence.counted(log)
            jobs = counts.get("jobs" if own.differs else "records")
    differs, file = own.differs, evidence.name_of_file(log)
    if file and not file.startswith(own.release):
        differs = f"the paper took {own.release}"
    here = None if jobs is None else round(jobs)
    missing = evidence.missing(log)
    return LogUsed(log, evidence.source(log), file, missing, here, own.jobs, differs)


def _drawn(figure: PaperFigure, evidence: Evidence) -> BarChart | Table | None:
    try:
        return figure.drawn(evidence)
    except USER_ERRORS:
        # its claims say why
        return None
