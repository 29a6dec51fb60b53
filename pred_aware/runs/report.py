"""A run as a report: some measures, the paths of its files, and its rejections."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pred_aware.report.lines import say
from pred_aware.report.plural import counted
from pred_aware.report.result import Result
from pred_aware.report.table import NOTHING

FIGURES = (
    ("nb_jobs", "jobs", "d"),
    ("nb_jobs_rejected", "rejected", "d"),
    ("nb_jobs_killed", "killed at their walltime", "d"),
    ("makespan", "makespan, s", ".0f"),
    ("mean_waiting_time", "mean wait, s", ".2f"),
    ("max_waiting_time", "longest wait, s", ".0f"),
    ("mean_bounded_slowdown", "mean bounded slowdown (10 s)", ".2f"),
    ("max_bounded_slowdown", "largest bounded slowdown (10 s)", ".1f"),
)
"""The printed values: key, label and format."""

REASONS = 3
"""Largest number of rejection reasons to print."""

PLURALS = {"asks": "ask", "does": "do", "has": "have", "is": "are", "needs": "need", "was": "were"}
"""Plurals of the verbs at the start of reasons."""


class RunReport(Result):
    """A report of a run whose files are written.

    Parameters
    ----------
    summary
        The run's values by name.
    prefix
        The prefix of its files.
    version
        The version of Batsim's files.
    """

    def __init__(
        self,
        summary: Mapping[str, float | int | str | None],
        prefix: Path,
        *,
        version: int = 4,
    ) -> None:
        self.summary = summary
        self._version = version
        self.prefix = prefix

    def to_dict(self) -> Mapping[str, float | int | str | None]:
        """Return all values."""
        return self.summary

    def show(self) -> None:
        """Print some values, and the paths of the files."""
        for name, label, form in FIGURES:
            if name in self.summary:
                value = self.summary[name]
                text = NOTHING if value is None else f"{value:{form}}"
                say(f"{label:>32}  {text}")
        if self._version == 5:  # noqa: PLR2004 - the version number
            say(f"{'written':>32}  {self.prefix}/jobs.csv, schedule.json, run.json")
            return
        files = f"{self.prefix}_jobs.csv, _schedule.csv, _machine_states.csv"
        if "corrections" in self.summary:
            files += ", _estimates.csv"
        for name in ("_blocks.csv", "_trust.csv", "_stops.csv"):
            files += f", {name}" if Path(f"{self.prefix}{name}").is_file() else ""
        say(f"{'written':>32}  {files}, _run.json")


def tell_rejections(rejections: Mapping[str, int]) -> None:
    """Print on standard error how many jobs were rejected, and why.

    Parameters
    ----------
    rejections
        Numbers of jobs by reason.
    """
    total = sum(rejections.values())
    if not total:
        return
    if total == 1:
        sentence = f"1 job was rejected: it {next(iter(+Counter(rejections)))}"
    else:
        reasons = [
            f"{n:,} {_of_many(why, n)}" for why, n in Counter(rejections).most_common(REASONS)
        ]
        if len(rejections) > REASONS:
            reasons.append(f"and {counted(len(rejections) - REASONS, 'more reason')}")
        sentence = f"{total:,} jobs were rejected: {'; '.join(reasons)}"
    say(f"pred-aware: {sentence}", error=True)


def _of_many(why: str, number: int) -> str:
    """Return a reason in the plural."""
    verb, _, rest = why.partition(" ")
    if number == 1:
        return why
    return f"{PLURALS[verb]} {rest}" if verb in PLURALS else f"each {why}"
