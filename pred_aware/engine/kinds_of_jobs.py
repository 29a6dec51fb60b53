"""The jobs of a site by what they ask for: of its partitions, of its rules, and of its nodes.

What makes a difference to one of these makes none to the others, mostly, so that each is asked for
far fewer jobs than would have to be told apart for all three.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite, limited, told_apart, with_default
from pred_aware.engine.job_arrays import Floats, Integers
from schedulers.backfilling.backfilling import at_worst
from schedulers.job import Job
from schedulers.machine.machine import Machine
from schedulers.machine.node_request import FIELDS as OF_NODES
from schedulers.machine.nodes import NodeRequest, Nodes
from schedulers.policy.on_site import limit_walltime
from schedulers.site.gate import Gate
from schedulers.site.kinds import Kind
from schedulers.site.partitions import Placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from schedulers.site.alike import Alike


class KindsOfJobs:
    """What a gate and the machine behind it say of some jobs.

    Parameters
    ----------
    gate
        Of a policy, which nobody has used.
    machine
        The machine behind it.
    asked, submit, processors, walltime
        What the jobs ask for, as the kernel has it; shape (jobs,).
    """

    def __init__(
        self,
        gate: Gate,
        machine: Machine,
        asked: AskedOfSite,
        *,
        submit: Floats,
        processors: Integers,
        walltime: Floats,
    ) -> None:
        self._gate, self._asked, self._submit = gate, asked, submit
        self._processors = processors
        self._place_partitions(limited(walltime, asked.limits))
        self._ask_rules()
        lasts = np.array([kind.last for kind in self.kinds], np.float64)
        self.lasts: Floats = lasts[self.of_job]
        """From when on each never can start, in seconds."""
        refused = np.array([kind.refusal is not None for kind in self.kinds], np.bool_)
        self.nowhere: NDArray[np.bool_] = (
            self._outside | refused[self.of_job] | (self.lasts <= submit)
        )
        """Who is refused at its submission, since it can start nowhere."""
        self.asked_of_nodes: list[NodeRequest | None] = []
        """What jobs ask of nodes; ``None`` for those that have no room."""
        self.refusals: list[str | None] = []
        """Why they have none."""
        self.on_nodes: Integers = np.zeros(len(submit), np.int64)
        """For each job which of these."""
        if isinstance(machine, Nodes):
            self._ask_nodes(machine)

    def reason(self, job: int) -> str:
        """Say why a job can start nowhere."""
        kind = self.kinds[int(self.of_job[job])]
        return self._placed[int(self._of_partitions[job])].refusal or kind.refusal or kind.why

    def _place_partitions(self, walltime: Floats) -> None:
        places = self._gate.kinds.places
        columns: list[NDArray[Any]] = [self._asked.by(places.fields)]
        if places.bounded:
            columns += [self._processors, walltime]
        firsts, self._of_partitions = told_apart(columns)
        self._placed = [Placed()] * len(firsts)
        for place, first in _in_time(firsts):
            self._placed[place] = places.of(self._job(first))
        outside = np.array([one.refusal is not None for one in self._placed], np.bool_)
        self._outside = outside[self._of_partitions]
        default = [one.walltime for one in self._placed]
        self.walltime = with_default(walltime, default, self._of_partitions)
        """The walltimes that jobs are planned by, in seconds; infinite without one."""

    def _ask_rules(self) -> None:
        kinds, asked = self._gate.kinds, self._asked
        fields = kinds.fields_of_rules
        # a rule tells true from 1, but not the gate whether it knows somebody who asks for the same
        truth = asked.has_truth(fields)
        columns: list[NDArray[Any]] = [
            self._outside, asked.groups if truth else asked.by(fields)
        ]  # fmt: skip
        if kinds.rules_by_size:
            columns.append(self._processors)
        if kinds.rules_by_walltime:
            columns.append(self.walltime)
        if truth or kinds.rules_by_partition:
            columns.append(self._of_partitions)
        if asked.throttled is not None and self._gate.site.arrays:
            # there are as many arrays as anybody likes
            own = np.arange(len(self._submit))
            columns.append(np.where(np.isnan(asked.throttled), -1, own))
        firsts, self.of_job = told_apart(columns)
        self.kinds: list[Kind] = [Kind(None)] * len(firsts)
        """What the rules do with jobs."""
        self.longest: dict[Alike, float] = {}
        """The walltimes of jobs that are alike, where that makes a difference."""
        for place, first in _in_time(firsts):
            if self._outside[first]:
                continue
            job, now = self._job(first), float(self._submit[first])
            for window in self._gate.windows:
                # so that nobody goes through all weeks for each
                window.look(now)
            kind = self.kinds[place] = kinds.of(job, now)
            if kind.alike is not None:
                self.longest.setdefault(kind.alike, at_worst(job))

    def _ask_nodes(self, machine: Nodes) -> None:
        firsts, self.on_nodes = told_apart(
            [self._asked.by(OF_NODES), self._processors, self._of_partitions, self.nowhere]
        )
        self.asked_of_nodes = [None] * len(firsts)
        self.refusals = [None] * len(firsts)
        for place, first in _in_time(firsts):
            if self.nowhere[first]:
                continue
            job = self._job(first)
            self._gate.kinds.settle(job, self._placed[int(self._of_partitions[first])])
            refusal = self.refusals[place] = machine.refusal(job)
            if refusal is None:
                self.asked_of_nodes[place] = machine.asked(job)

    def _job(self, place: int) -> Job:
        job = self._asked.make(place)
        limit_walltime(job)
        job.number = place + 1
        return job


def _in_time(firsts: Integers) -> Iterator[tuple[int, int]]:
    """Yield the place of each, and which it is, in the order of submission."""
    for place in np.argsort(firsts, kind="stable").tolist():
        yield place, int(firsts[place])
