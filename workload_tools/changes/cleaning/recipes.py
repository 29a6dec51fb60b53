"""Cleaning recipes. A recipe is a condition that removes jobs, a warm-up, or a published name."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from workload_tools.changes.cleaning.condition import RecipeError, Test, job_test, parse
from workload_tools.expressions.syntax import Expression
from workload_tools.hints import did_you_mean
from workload_tools.job import Job
from workload_tools.job_store import JobStore
from workload_tools.log import Log

_WARM_UP = re.compile(r"warm-up\s*=\s*([0-9]+(?:\.[0-9]+)?)\s*%", re.ASCII)
_HUNDRED = 100.0


@dataclass(frozen=True, slots=True)
class Removal:
    """A condition that removes jobs."""

    text: str
    """The condition as typed."""
    condition: Expression
    """The parsed condition."""
    name: str | None = None
    """Name of the published recipe that contains the condition, if any."""

    @property
    def reason(self) -> str:
        """Return the reason under which the report counts removed jobs."""
        return f"cleaned by {self.name}: {self.text}" if self.name else f"cleaned: {self.text}"


@dataclass(frozen=True, slots=True)
class CleaningRecipe:
    """The cleaning steps for a log."""

    removals: tuple[Removal, ...] = ()
    """The conditions that remove jobs, in order of use."""
    warm_up: float | None = None
    """Share of the remaining jobs to mark as warm-up, from 0 to 1, or None."""


@dataclass(frozen=True, slots=True)
class NamedRecipe:
    """A published recipe."""

    steps: tuple[str, ...]
    """The recipe's conditions and warm-ups, as text."""
    source: str
    """The publication of the recipe, and the log for which the recipe was published."""


_SEVEN_DAYS = "run>7d"
_FIRST_PERCENT = "warm-up=1%"
_PAPER000 = "paper 000 (DOST-ASTI COARE), section 5.1"
_HEADER = "the filters in the header of the archive's cleaned log, for the log"

RECIPES: Mapping[str, NamedRecipe] = MappingProxyType(
    {
        "paper000": NamedRecipe((_SEVEN_DAYS, _FIRST_PERCENT), f"{_PAPER000}: for every log"),
        "paper000-seth": NamedRecipe(
            ("user=2", _SEVEN_DAYS, _FIRST_PERCENT),
            f"{_PAPER000}: HPC2N Seth, without the user who submitted more than 55 % of the jobs "
            "(305,178 of 527,371). The archive's cleaned log already lacks these jobs",
        ),
        "paper000-curie": NamedRecipe(
            ("submit<2012-03-01", _SEVEN_DAYS, _FIRST_PERCENT),
            f"{_PAPER000}: CEA Curie, jobs submitted after February 2012",
        ),
        "archive-hpc2n": NamedRecipe(
            (
                "user=2",
                "user=60 and (job>=254200 and job<=271542)",
                "user=67 and (job>=289098 and job<=305172)",
                "job<=10",
            ),
            f"{_HEADER} HPC2N-2002-2.1",
        ),
        "archive-kth": NamedRecipe(("job<=14",), f"{_HEADER} KTH-SP2-1996-2"),
        "archive-sdsc-ds": NamedRecipe(("job<=20",), f"{_HEADER} SDSC-DS-2004-2"),
        "archive-curie": NamedRecipe(
            (
                "submit<=2012-02-03 00:00:00",
                "user=204 and (job>=274118 and job<=303564)",
                "user=288 and (job>=372153 and job<=593820)",
                "user=553 and (job>=542320 and job<=587600)",
                "user=4 and (job>=518258 and job<=600524)",
            ),
            f"{_HEADER} CEA-Curie-2011-2",
        ),
    }
)
"""Published recipes by name."""


def recipe(*texts: str) -> CleaningRecipe:
    """Parse recipes, and combine them in the given order.

    Parameters
    ----------
    *texts
        Conditions for jobs to remove (see `workload_tools.changes.cleaning.condition.parse`),
        warm-ups such as ``warm-up=1%``, or names of `RECIPES`.

    Raises
    ------
    RecipeError
        A recipe is invalid, or the recipes contain two different warm-ups.

    Examples
    --------
    >>> both = recipe("paper000", "status=5")
    >>> [removal.reason for removal in both.removals], both.warm_up
    (['cleaned by paper000: run>7d', 'cleaned: status=5'], 0.01)
    """
    removals: list[Removal] = []
    warm_up: float | None = None
    for text in texts:
        name = text.strip()
        known = RECIPES.get(name)
        for step in (text,) if known is None else known.steps:
            share = _warm_up(step)
            if share is None:
                removals.append(_removal(step, None if known is None else name))
            elif warm_up not in (None, share):
                raise RecipeError(
                    text, "another recipe has a different warm-up; give only one warm-up"
                )
            else:
                warm_up = share
    return CleaningRecipe(tuple(removals), warm_up)


def _warm_up(text: str) -> float | None:
    match = _WARM_UP.fullmatch(text.strip())
    if match is None:
        return None
    share = float(match[1]) / _HUNDRED
    if not 0.0 < share < 1.0:
        raise RecipeError(text, "a warm-up must be more than 0 % and less than 100 % of the jobs")
    return share


def _removal(text: str, name: str | None) -> Removal:
    text = " ".join(text.split())
    if not set(text) & set("=<>"):
        raise RecipeError(
            text,
            f"is not a recipe: {did_you_mean(text, RECIPES)}; "
            "or give a condition such as 'run>7d', or 'warm-up=1%'",
        )
    if text.startswith("warm-up"):
        raise RecipeError(text, "give a share of the jobs in percent, such as warm-up=1%")
    return Removal(text, parse(text), name)


class Cleaned:
    """A log without the jobs that match a condition. The report counts them as dropped.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report.
    removals
        The conditions. If a job matches several, the report counts it under the first.
    """

    def __init__(self, log: Log, removals: tuple[Removal, ...]) -> None:
        self.log = log
        self.removals = removals
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the remaining jobs; see `workload_tools.log.Log`.

        Raises
        ------
        RecipeError
            A condition has a date, but the log has no dates.
        """
        jobs = self.log.jobs()
        first = next(jobs, None)
        if first is None:
            return
        tests = [(removal, self._test(removal, first)) for removal in self.removals]
        removed = Counter({removal.reason: 0 for removal in self.removals})
        for job in _with_first(first, jobs):
            for removal, test in tests:
                if test(job):
                    removed[removal.reason] += 1
                    break
            else:
                yield job
        # `kept` is changed last, because some readers set it only after their last job
        self.report.kept -= removed.total()
        for reason, count in removed.items():
            self.report.dropped[reason] += count

    def _test(self, removal: Removal, first: Job) -> Test:
        try:
            return job_test(removal.condition, self.machine, first)
        except ValueError as error:
            raise RecipeError(removal.text, str(error)) from error


def _with_first(first: Job, others: Iterator[Job]) -> Iterator[Job]:
    yield first
    yield from others


MARK = "warm-up"


class WarmUp:
    """A log whose first jobs are marked as warm-up, so that measures can exclude them.

    The number of marked jobs depends on the number of all jobs. So the log is first read
    completely, with limited memory, and the jobs are sorted by submission.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report.
    share
        The share of jobs to mark, such as 0.01. The number of jobs is rounded down.
    folder
        Folder for a temporary file, which is only used if the log has many jobs.
    """

    def __init__(self, log: Log, share: float, *, folder: Path | None = None) -> None:
        self.log = log
        self.share = share
        self.folder = folder
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs by submission; see `workload_tools.log.Log`."""
        with JobStore(self.folder) as store:
            store.fill(self.log.jobs())
            # in floating point, 0.29 * 100 is slightly below 29
            marked = int(len(store) * self.share + 1e-9)
            self.report.marked[MARK] += marked
            for index, job in enumerate(store):
                yield replace(job, warm_up=True) if index < marked else job
