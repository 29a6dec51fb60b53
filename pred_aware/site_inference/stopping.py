"""Whom the rules of a site stop at each date of a recorded schedule."""

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pred_aware.log.site_of_workload import site_of_workload
from schedulers.job import Job
from schedulers.site.gate import Gate
from schedulers.site.reader import calendar_of, site_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload
    from pred_aware.site_inference.queue_record import QueueRecord
    from schedulers.site.site import Site


class Stopping:
    """The gate of a site, told of what was recorded and not of what a policy decides.

    Parameters
    ----------
    site
        Its limits, start windows and freezes are looked at; nodes and partitions are not, since no
        log tells on which a job was.
    workload
        What the record was read from.
    record
        The recorded queue.
    """

    def __init__(self, site: "Site", workload: "Workload", record: "QueueRecord") -> None:
        resolved = site_of(site_of_workload(site, workload))
        # begin times and arrays are in the recorded starts, and nodes in no record
        rules = msgspec.structs.replace(
            resolved, eligible=False, arrays=False, nodes=(), partitions=(), outages=(),
            reservations=(),
        )  # fmt: skip
        self._gate = Gate(rules, calendar_of(rules))
        rows = dict(zip((str(job.id) for job in workload.raw.jobs), workload.raw.details.rows(),
                        strict=True))  # fmt: skip
        walltimes = record.walltime.tolist()
        self._jobs = [
            Job(
                str(name),
                submitted,
                round(processors),
                walltime if walltime < np.inf else None,
                fields=rows.get(str(name), {}),
                number=place,
            )
            for place, (name, submitted, processors, walltime) in enumerate(
                zip(
                    record.ids.tolist(),
                    record.schedule.submit_time.tolist(),
                    record.schedule.processors.tolist(),
                    walltimes,
                    strict=True,
                )
            )
        ]
        self.stopped: NDArray[np.bool_] = np.zeros(len(record), bool)
        """Whether a rule stops each job, if it waits; shape (jobs,)."""
        self._refused: set[int] = set()
        self.has_limits = bool(rules.limits)
        """Whether a start may stop others at its very date."""

    def submitted(self, place: int, now: float) -> None:
        """Tell of a submission, by the job's place in the record."""
        if self._gate.refusal(self._jobs[place], now) is not None:
            self._refused.add(place)
            self.stopped[place] = True

    def started(self, place: int, now: float) -> None:
        """Tell of a start."""
        if place not in self._refused:
            self._gate.took(self._jobs[place], now)

    def ended(self, place: int) -> None:
        """Tell of an end."""
        if place not in self._refused:
            self._gate.gave_back(self._jobs[place], waits=False)

    def stops(self, place: int, now: float) -> bool:
        """Say whether a limit that is filled by what was `tried` stops a job."""
        return self._gate.stops(self._jobs[place], now)

    def tried(self, place: int, now: float) -> None:
        """Count a job that a policy would start now, until `taken_back`."""
        if self._is_limited(place):
            self._gate.took(self._jobs[place], now)

    def taken_back(self, place: int) -> None:
        """Let a job wait again that was `tried`."""
        if self._is_limited(place):
            self._gate.gave_back(self._jobs[place], waits=True)

    def _is_limited(self, place: int) -> bool:
        """Say whether it makes a difference to any limit whether a job runs."""
        alike = self._gate.limits_of(self._jobs[place])
        return bool(alike.counting or alike.stopping)

    def look(self, now: float) -> None:
        """Bring `stopped` to a date in seconds."""
        gate = self._gate
        if not gate.has_changed(now):
            return
        new, _, touched = gate.to_look_at(now)
        for job in new:
            self.stopped[job.number] = gate.alike(job).rule is not None
        for alike in touched:
            gate.looked_at(alike, now)
            self.stopped[list(alike.jobs)] = alike.rule is not None
