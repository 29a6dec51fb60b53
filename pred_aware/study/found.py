"""What the runs of a study have found, policy by policy."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.results.differences import compared
from pred_aware.campaign.run_key import RunKey
from pred_aware.statistics import Difference, Interval, mean_interval, paired_difference
from pred_aware.study.rounds import MEASURES


@dataclass(frozen=True, slots=True)
class Found:
    """A measure under the base and under a policy.

    Parameters
    ----------
    base, value
        Means over the shakes; of the log as it is, and without an interval, where there are none.
    difference
        As a share of the base's mean.
    as_it_is
        Both on the log as it is.
    holm
        The p value of the difference with all of the study's campaign in view, as `campaign table`
        has it; ``None`` where there are no shakes.
    """

    base: Interval
    value: Interval
    difference: Difference
    as_it_is: tuple[float | None, float | None]
    holm: float | None = None

    @property
    def same(self) -> bool:
        """Whether both are the same in every shake."""
        found = self.difference
        return found.value == 0.0 and found.low in (0.0, None) and found.high in (0.0, None)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        base, policy = self.as_it_is
        return {
            "base": asdict(self.base),
            "value": asdict(self.value),
            "difference": {
                **asdict(self.difference),
                "told_apart": self.difference.told_apart,
                "holm": self.holm,
            },
            "as_it_is": {"base": base, "value": policy},
        }


def found(agenda: Agenda, log: int = 0) -> dict[str, dict[str, Found]]:
    """Return by policy, the base too, and by measure what was found.

    Parameters
    ----------
    agenda
        The runs.
    log
        The place of the log, which is another for each size of the machine.
    """
    spec = agenda.campaign
    names = [policy.name for policy in spec.policies]
    together = {(row.log, row.policy, row.measure): row.holm for row in compared(agenda)}
    on = spec.logs[log].name
    return {
        name: {
            measure: _found(agenda, (log, place), measure, holm=together.get((on, name, measure)))
            for measure in MEASURES
        }
        for place, name in enumerate(names)
        if {RunKey(log, place), RunKey(log, agenda.base)} <= agenda.figures.keys()
    }


def _found(agenda: Agenda, of: tuple[int, int], measure: str, *, holm: float | None) -> Found:
    log, policy = of
    once = (
        agenda.figures[RunKey(log, agenda.base)][measure],
        agenda.figures[RunKey(log, policy)][measure],
    )
    old, new = agenda.both(log, policy, measure)
    if not old:
        old, new = [once[0]], [once[1]]
    return Found(mean_interval(old), mean_interval(new), paired_difference(old, new), once, holm)


def flat(policies: Mapping[str, Mapping[str, Found]]) -> Iterator[tuple[str, str, Found]]:
    """Yield policy, measure and what was found."""
    for policy, measures in policies.items():
        for measure, one in measures.items():
            yield policy, measure, one
