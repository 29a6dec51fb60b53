"""The values of an explanation, computed from a schedule and the scheduler's decisions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.explanation.explanation import (
    AtSubmission,
    Holder,
    Overtaker,
    Promise,
    Reason,
    StoppedByRule,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.explanation.decision_record import DecisionRecord
    from pred_aware.explanation.schedule import JobSchedule, Occupation

SHORTEST = 1e-5
"""A remainder of a wait up to this many seconds counts as 0, because times in files have six
decimals."""

MOST = 5
"""The maximum number of jobs that are listed for each reason."""


@dataclass(frozen=True, eq=False)
class ExplanationValues:
    """Computes the values of explanations; `place` is a job's index in the schedule."""

    schedule: "JobSchedule"
    recorded: "DecisionRecord | None"
    """The scheduler's decisions; ``None`` if unknown."""
    called: Callable[[str], str]
    """Returns a job's short name for its full name."""
    stops: Mapping[str, Mapping[str, float]]
    """Seconds for which each rule of the site stopped a job, by the job's short name."""

    def at_submission(self, place: int) -> AtSubmission:
        """Count the running and waiting jobs at a job's submission."""
        schedule = self.schedule
        date = float(schedule.submission[place])
        running, waiting = schedule.running_at(date), schedule.waiting_at(date)
        running[place] = waiting[place] = False
        others = [schedule.names[one] for one in waiting.nonzero()[0]]
        before = None
        if self.recorded is not None:
            before = self.recorded.rules.stood_before(schedule.names[place], others, date)
        return AtSubmission(
            running_jobs=int(running.sum()),
            processors_in_use=int(schedule.sizes[running].sum()),
            waiting_jobs=len(others),
            processors_waited_for=int(schedule.sizes[waiting].sum()),
            before=before,
        )

    def started_after(self, place: int) -> tuple[str, ...]:
        """Return the names of the jobs whose ends allowed a job to start."""
        names = self.schedule.names
        return tuple(self.called(names[one]) for one in self.schedule.ended_before_start(place))

    def reasons(self, place: int) -> tuple[Reason, ...]:
        """Divide the wait of a job into parts by reason, largest first; the wait must exceed 0."""
        schedule = self.schedule
        occupation = schedule.occupation(place)
        waited = float(schedule.start[place] - schedule.submission[place])
        rules = self.stops.get(self.called(schedule.names[place]), {})
        # It is unknown when the rules stopped the job: assume first the time with enough free
        # processors, then the time with too few.
        kept = sum(last - first for first, last in occupation.enough)
        stopped = sum(rules.values())
        kept, more = _less(kept, stopped), _less(stopped, kept)
        too_few = _less(occupation.too_few, more)
        found: list[Reason] = [
            StoppedByRule("rule", time, time / waited, 0, (), rule) for rule, time in rules.items()
        ]
        found += self._too_few(place, occupation, too_few, waited)
        if kept > 0.0:
            others = self._jobs_reserved_for(place, occupation)
            most = tuple(self._holder(job, lasted) for job, lasted in others[:MOST])
            found.append(Reason("kept", kept, kept / waited, len(others), most))
        return tuple(sorted(found, key=lambda reason: -reason.seconds))

    def _too_few(
        self, place: int, occupation: "Occupation", too_few: float, waited: float
    ) -> Iterator[Reason]:
        schedule, holders = self.schedule, occupation.holders
        since = schedule.submission[place]
        later, ran = schedule.submission[holders] > since, schedule.start[holders] <= since
        kinds = {"running": ran, "ahead": ~ran & ~later, "overtook": ~ran & later}
        total = float(occupation.areas.sum())
        for kind, holding in kinds.items():
            which = holding & (occupation.areas > 0.0)
            if which.any() and too_few > 0.0:
                seconds = too_few * float(occupation.areas[which].sum()) / total
                most = self._most(holders[which], occupation.areas[which])
                yield Reason(kind, seconds, seconds / waited, int(which.sum()), most)

    def _most(
        self, holders: "NDArray[np.intp]", areas: "NDArray[np.float64]"
    ) -> tuple[Holder, ...]:
        schedule = self.schedule
        return tuple(
            self._holder(
                schedule.names[holders[one]], float(areas[one] / schedule.sizes[holders[one]])
            )
            for one in np.argsort(-areas, kind="stable")[:MOST]
        )

    def _holder(self, name: str, seconds: float) -> Holder:
        size = int(self.schedule.sizes[self.schedule.places[name]])
        return Holder(self.called(name), size, seconds)

    def _jobs_reserved_for(
        self, place: int, occupation: "Occupation"
    ) -> Sequence[tuple[str, float]]:
        if self.recorded is None:
            return ()
        return self.recorded.jobs_reserved_for(
            self.schedule.names[place], occupation.enough, self.schedule
        )

    def promises(self, place: int) -> tuple[Promise, ...]:
        """Return a job's planned starts, with the possible causes of each change."""
        if self.recorded is None:
            return ()
        return tuple(
            replace(
                promise,
                causes=tuple(
                    replace(cause, job=self.called(cause.job)) for cause in promise.causes
                ),
            )
            for promise in self.recorded.promises(self.schedule.names[place], self.schedule)
        )

    def overtakers(self, place: int) -> tuple[Overtaker, ...]:
        """Return the jobs that were submitted later and started earlier, in order of starts."""
        return tuple(self._overtaker(one, place) for one in self.schedule.overtook(place))

    def _overtaker(self, overtaker: int, place: int) -> Overtaker:
        schedule, recorded = self.schedule, self.recorded
        name, started = schedule.names[overtaker], float(schedule.start[overtaker])
        rule = None
        if recorded is not None:
            rule = recorded.rules.of(name, schedule.names[place], started)
        return Overtaker(
            job=self.called(name),
            processors=int(schedule.sizes[overtaker]),
            submitted=float(schedule.submission[overtaker]),
            started=started,
            ran=float(schedule.end[overtaker]) - started,
            estimate=None if recorded is None else recorded.estimate(name),
            rule=rule,
        )


def _less(seconds: float, by: float) -> float:
    """Return the difference of two durations; 0 if it is negative or only rounding."""
    return seconds - by if not by or seconds > by + SHORTEST else 0.0
