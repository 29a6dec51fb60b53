"""What becomes of groups of jobs over several runs: means, and changes with their intervals."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pred_aware.comparison.cells import mean_cell
from pred_aware.report.interval_format import change_cells, doubtful_note, verdict
from pred_aware.report.table import Cell
from pred_aware.statistics import (
    Difference,
    Interval,
    holm,
    mean_interval,
    paired_difference,
    surely,
)

MOST = 5
"""Of many groups so many are shown that gain most, and so many that lose most."""

Values = Mapping[str, Mapping[int, float | None]]
"""A measure of each group in each shake, by its name and the shake's seed."""


@dataclass(frozen=True, slots=True)
class GroupChange:
    """What a policy changes for a group of jobs.

    Parameters
    ----------
    group
        Its name.
    jobs
        How many jobs it has.
    base, value
        The group's measure over the shakes of both.
    difference
        With its interval.
    holm
        The p value as it is when all groups are looked at together.
    """

    group: str
    jobs: int
    base: Interval
    value: Interval
    difference: Difference
    holm: float | None = None

    @property
    def total(self) -> float:
        """The difference times the jobs: by how much all of them together wait longer."""
        return self.jobs * (self.difference.absolute or 0.0)

    @property
    def surely(self) -> bool:
        """Whether it differs surely, with all groups in view."""
        return surely(self.difference, self.holm) != 0

    def to_dict(self) -> dict[str, Any]:
        """Return it flat, a value by name."""
        found = self.difference
        return {
            "group": self.group, "jobs": self.jobs, "base": self.base.value,
            "value": self.value.value, "difference": found.value, "low": found.low,
            "high": found.high, "absolute": found.absolute, "shakes": found.shakes,
            "told_apart": found.told_apart, "p_value": found.p_value, "holm": self.holm,
        }  # fmt: skip

    def row(self, measure: str, label: str | None = None) -> tuple[str, ...]:
        """Return its row of a table with the columns `columns`."""
        return (
            self.group if label is None else label,
            Cell(f"{self.jobs:,}", self.jobs),
            mean_cell(measure, self.base),
            mean_cell(measure, self.value),
            *change_cells(self.difference),
            verdict(self.difference, self.holm),
        )


def columns(by: str, base: str, policy: str) -> tuple[str, ...]:
    """Return the columns of a table of groups."""
    return (by, "jobs", base, policy, "change", "from", "to", "told apart")


def note(shown: "Sequence[GroupChange]", more: str = "") -> str:
    """Say below a table of groups what is meant by its mark, where one bears it."""
    mark = doubtful_note(verdict(one.difference, one.holm) for one in shown)
    return " ".join(text for text in (more, mark) if text)


def group_changes(base: Values, other: Values, jobs: Mapping[str, int]) -> list[GroupChange]:
    """Compare groups under a policy with the same under the base.

    Parameters
    ----------
    base, other
        A measure of each group in each shake under both; shakes that only one has don't count.
    jobs
        How many jobs each group has.

    Returns
    -------
    list of GroupChange
        In the order of `jobs`; groups that have no shake in both are left out.
    """
    found = []
    for group, number in jobs.items():
        old, new = base.get(group, {}), other.get(group, {})
        seeds = sorted(old.keys() & new.keys())
        if seeds:
            before = [_known(old[seed]) for seed in seeds]
            after = [_known(new[seed]) for seed in seeds]
            means = mean_interval(before), mean_interval(after)
            found.append(GroupChange(group, number, *means, paired_difference(before, after)))
    return found


def together(several: "Iterable[Sequence[GroupChange]]") -> Iterator[list[GroupChange]]:
    """Yield the same groups, with the p values that they have with all of them in view."""
    every = [list(some) for some in several]
    p_values = iter(holm([one.difference.p_value for some in every for one in some]))
    for some in every:
        yield [replace(one, holm=next(p_values)) for one in some]


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
