"""A site's rules as arrays: what each job has to do with them, and who may stop whom."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.job_arrays import Floats, Integers
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.site_values import (
    Alikes,
    Asked,
    Booked,
    Counters,
    Gate,
    Lists,
    Waited,
    Windows,
)
from pred_aware.engine.kinds_of_jobs import KindsOfJobs
from pred_aware.engine.node_arrays import NodeArrays
from schedulers.job import Job
from schedulers.machine.capacity import CountingInTime
from schedulers.machine.machine import NEVER, Machine
from schedulers.machine.nodes import Nodes
from schedulers.policy.on_site import limit_walltime
from schedulers.site import gate as gates
from schedulers.site.alike import Alike
from schedulers.site.counters import AsHad, Counter, MinutesInSteps, MinutesLeft
from schedulers.site.windows import OpenWindow

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DAYS_AHEAD = 30.0 * 86400.0
"""Hours of windows are known so many seconds beyond the last submission at first."""


class SiteArrays:
    """The rules of a site for some jobs.

    Parameters
    ----------
    gate
        The gate of the policy, which nobody has used.
    machine
        The machine behind it.
    asked, submit, processors, walltime
        What the jobs ask for, as the kernel has it; shape (jobs,).
    remembers
        Whether the backfilling does.
    """

    def __init__(
        self,
        gate: gates.Gate,
        machine: Machine,
        asked: AskedOfSite,
        *,
        submit: Floats,
        processors: Integers,
        walltime: Floats,
        remembers: bool,
    ) -> None:
        self._gate = gate
        self._windows = gate.windows
        self._horizon = float(submit.max(initial=0.0)) + _DAYS_AHEAD
        self._machine = machine
        self._kinds = kinds = KindsOfJobs(
            gate, machine, asked, submit=submit, processors=processors, walltime=walltime
        )
        self.walltime = kinds.walltime
        """The walltimes that jobs are planned by, in seconds; infinite without one."""
        self.nowhere = kinds.nowhere
        """Who is refused at its submission, since it can start nowhere."""
        self._alikes: dict[Alike, int] = {}
        self._counters: dict[Counter, int] = {}
        self.rules: list[str] = [gates.FROZEN, gates.HELD]
        """The rules in words, by their numbers."""
        self._numbers = {rule: number for number, rule in enumerate(self.rules)}
        since = (
            submit
            if asked.eligible is None or not gate.site.eligible
            else np.where(np.isnan(asked.eligible), submit, asked.eligible)
        )
        self.gate = self._made(since, submit, machine, remembers=remembers)

    @property
    def refuses_later(self) -> bool:
        """Whether somebody may be refused for what others have, or for the date."""
        waits = self.gate.jobs.alike >= 0
        return bool(len(self.gate.submitted) or (self.gate.jobs.last[waits] < NEVER).any())

    @property
    def has_limits(self) -> bool:
        """Whether the site has limits, other than those of arrays of jobs."""
        return bool(self._gate.site.limits)

    @cached_property
    def nodes(self) -> NodeArrays | None:
        """The nodes, where there are any; ``None`` also where all are away at first."""
        if not isinstance(self._machine, Nodes):
            return None
        asked = self._kinds.asked_of_nodes
        dates = self._machine.dates
        losses = [dates.lost(date) for date in dates.changes]
        return NodeArrays(
            self._machine.layout, asked, self._kinds.on_nodes, losses,
            counts_gpus=bool((self.gate.counters.had == codes.GPUS_HAD).any()),
        )  # fmt: skip

    @property
    def too_large(self) -> "NDArray[np.bool_]":
        """Who has no room on idle nodes."""
        if not self._kinds.refusals:
            return np.zeros(len(self.nowhere), np.bool_)
        refused = [refusal is not None for refusal in self._kinds.refusals]
        return np.array(refused, np.bool_)[self._kinds.on_nodes]

    def refusal_on_nodes(self, job: int) -> str:
        """Say why a job has none."""
        return str(self._kinds.refusals[int(self._kinds.on_nodes[job])])

    def settle(self, job: Job, now: float) -> None:
        """Give a job the walltime, partition and memory that the site gives it."""
        limit_walltime(job)
        self._gate.kinds.of(job, now)

    def later(self) -> Gate:
        """Return the gate with hours of windows up to a date twice as late."""
        self._horizon *= 2.0
        known = self.gate.windows
        tables = self._tables(known.of)
        self.gate = self.gate._replace(windows=tables._replace(place=known.place))
        return self.gate

    def reason(self, job: int, *, above: bool) -> str:
        """Say why a job was refused: since others have too much, or since it never could start."""
        if above:
            rules = self.gate.counters.rule
            rule = self.rules[rules[self.gate.jobs.above[job]]]
            return f"is above the site's limit of {rule}"
        return self._kinds.reason(job)

    def said(self, refusal: str) -> str:
        """Say of a job that the machine could never hold what becomes of it."""
        waits = self._gate.site.impossible == "waits"
        return f"would wait for ever: it {refusal}" if waits else refusal

    def stops(self, ended: list[int]) -> Iterator[tuple[int, Mapping[str, float]]]:
        """Yield jobs that rules have stopped, and for how many seconds each did, in their order."""
        gate = self.gate
        begins, owned = gate.alikes.rules.tolist(), gate.jobs
        ranks, rules = gate.waited.rank.tolist(), gate.waited.rule.tolist()
        stopped, firsts, alikes = owned.stopped.tolist(), owned.rules.tolist(), owned.alike.tolist()
        for job in ended:
            alike = alikes[job]
            if alike < 0:
                continue
            begin = begins[alike]
            own = stopped[firsts[job] : firsts[job] + begins[alike + 1] - begin]
            slots = [begin + place for place, seconds in enumerate(own) if seconds > 0.0]
            if slots:
                # a hold stands last
                slots.sort(key=lambda slot: NEVER if ranks[slot] < 0 else ranks[slot])
                yield job, {self.rules[rules[slot]]: own[slot - begin] for slot in slots}

    def _made(self, since: Floats, submit: Floats, machine: Machine, *, remembers: bool) -> Gate:
        gate, jobs = self._gate, len(submit)
        kinds, of_job = self._kinds.kinds, self._kinds.of_job
        for kind in kinds:
            if kind.alike is not None:
                self._alikes.setdefault(kind.alike, len(self._alikes))
        stopping = Entries([one.stopping for one in self._alikes], self._counter)
        counting = Entries([one.counting for one in self._alikes], self._counter)
        submitted = Entries([kind.submitted for kind in kinds], self._counter)
        windows = Entries(
            [[(self._place_of(one), 0.0) for one in alike.windows] for alike in self._alikes], int
        )
        rules_of_counters = [self._number(one.rule) for one in self._counters]
        each = int(np.diff(counting.begins).max(initial=0))
        counters = counters_in_arrays(
            self._counters, np.array(rules_of_counters, np.int64), jobs=jobs, each=each
        )
        held = bool((since > submit).any())
        rules = [[*self._rules_of(one, held=held)] for one in self._alikes]
        begins = np.cumsum([0, *map(len, rules)], dtype=np.int64)
        numbers = [-1 if kind.alike is None else self._alikes[kind.alike] for kind in kinds]
        alike = np.where(self.nowhere, -1, np.array(numbers, np.int64)[of_job])
        slots = np.where(alike >= 0, np.diff(begins, append=begins[-1])[alike], 0)
        partitions = list(dict.fromkeys(one.partition for one in self._alikes))
        alikes = len(self._alikes)
        steps: list[float] = []
        sizes: list[int] = []
        if isinstance(machine, CountingInTime):
            steps, sizes = machine.dates, machine.sizes
        elif isinstance(machine, Nodes):
            steps = machine.dates.changes
        return Gate(
            alikes=Alikes(
                stopping=stopping.begins,
                counting=counting.begins,
                windows=windows.begins,
                rules=begins,
                partition=np.array([partitions.index(one.partition) for one in self._alikes], int),
                longest=np.array([self._kinds.longest[one] for one in self._alikes], np.float64),
                by_clock=np.array([one.by_clock for one in self._alikes], np.int64),
                waiting=_none(alikes), rule=_nobody(alikes), since=np.zeros(alikes),
                stopped=_none(alikes), unsure=_none(alikes), touched=_none(alikes),
            ),
            stopping=stopping.asked(),
            counting=counting.asked(),
            counters=counters,
            windows=self._tables(windows.numbers),
            waited=Waited(
                rule=np.array([rule for one in rules for rule in one], np.int64),
                seconds=np.zeros(int(begins[-1])),
                rank=_nobody(int(begins[-1])),
            ),
            jobs=Booked(
                alike=alike, since=since.copy(), last=self._kinds.lasts,
                submitted=submitted.begins[of_job],
                submitted_count=np.diff(submitted.begins)[of_job],
                open=_none(jobs), number=np.arange(jobs),
                rules=np.cumsum(slots) - slots,
                had_waited=np.zeros(int(slots.sum())), stopped=np.zeros(int(slots.sum())),
                had=np.zeros((jobs if counters.had.any() else 0, 2), np.int64),
                above=_nobody(jobs),
            ),
            waiting=_lists(alikes, jobs),
            asking=_lists(len(counters.used), len(stopping.numbers)),
            alikes_waiting=_lists(1, alikes),
            submitted=submitted.numbers,
            refuses=submitted.values.astype(np.int64),
            dates=np.array(gate.dates, np.float64),
            freezes=np.array(gate.freezes.dates, np.float64),
            frozen=np.array(
                [[gate.freezes.stop(one, date) for one in partitions]
                 for date in gate.freezes.dates], np.int64,
            ).reshape(len(gate.freezes.dates), len(partitions)),
            steps=np.array(steps, np.float64),
            sizes=np.array(sizes, np.int64),
            by_time=gate.by_time, by_clock=gate.by_clock, runs_off=gate.runs_off,
            in_time=bool(steps), remembers=remembers,
            cycle=float(gate.site.cycle),
            touched=_none(alikes), come=_none(jobs), gone=_none(jobs),
            back=_none(jobs), leaves=np.full(jobs, codes.STAYS), returns=_none(jobs),
            released=_none(jobs), held=_none(jobs), lasts=_none(jobs), calls=np.zeros(jobs + 1000),
            first_promise=np.zeros(jobs), last_promise=np.zeros(jobs),
            at=np.array([0.0, -NEVER, -NEVER if gate.windows else NEVER, NEVER]),
            counts=_none(codes.GATE_COUNTS),
        )  # fmt: skip

    def _place_of(self, window: OpenWindow) -> int:
        return next(place for place, one in enumerate(self._gate.windows) if one is window)

    def _counter(self, counter: Counter) -> int:
        return self._counters.setdefault(counter, len(self._counters))

    def _number(self, rule: str) -> int:
        if rule not in self._numbers:
            self._numbers[rule] = len(self.rules)
            self.rules.append(rule)
        return self._numbers[rule]

    def _rules_of(self, alike: Alike, *, held: bool) -> Iterator[int]:
        """Yield the numbers of the rules that may stop jobs that are alike, each once."""
        told = [gates.FROZEN] if self._gate.freezes else []
        told += [window.rule for window in alike.windows]
        told += [counter.rule for counter, _ in alike.stopping]
        yield from map(self._number, dict.fromkeys([*told, *([gates.HELD] if held else [])]))

    def _tables(self, of: Integers) -> Windows:
        tables = [window.changes(self._horizon) for window in self._windows]
        most = max((len(dates) for dates, _ in tables), default=1)
        dates = np.full((len(tables), most + 1), NEVER)
        closed = np.zeros((len(tables), most), np.int64)
        for place, (changes, states) in enumerate(tables):
            dates[place, : len(changes)] = changes
            closed[place, : len(states)] = states
        return Windows(
            of=of,
            by_clock=np.array([window.by_clock for window in self._windows], np.int64),
            rule=np.array([self._number(window.rule) for window in self._windows], np.int64),
            dates=dates,
            closed=closed,
            known=np.array([self._horizon if tables else NEVER]),
            place=_none(len(tables)),
        )


def counters_in_arrays(
    told: Collection[Counter], rules: Integers, *, jobs: int = 0, each: int = 0
) -> Counters:
    """Return counters that count nobody yet, with the numbers of their rules.

    Each of so many jobs is in `each` of them at most.
    """
    count = len(told)
    periods = [one.period if isinstance(one, MinutesInSteps) else 0.0 for one in told]
    slots = jobs * each if any(periods) else 0
    return Counters(
        most=np.array([one.most for one in told], np.float64),
        begin=np.array([one.begin for one in told], np.float64),
        end=np.array([one.end for one in told], np.float64),
        alone=np.array([one.alone for one in told], np.int64),
        rule=rules,
        runs_off=np.array([isinstance(one, MinutesLeft) for one in told], np.int64),
        had=np.array([_had(one) for one in told], np.int64),
        period=np.array(periods, np.float64), step=np.zeros(count),
        used=np.zeros(count), rate=np.zeros(count), taken=_none(count),
        running=_lists(count, slots), since=np.zeros(slots), rates=np.zeros(slots), each=each,
    )  # fmt: skip


def _had(counter: Counter) -> int:
    """Return the code of what a counter counts of a running job."""
    if not isinstance(counter, AsHad) or counter.had is None:
        return codes.AS_ASKED
    return codes.NODES_HAD if counter.had.__name__ == Nodes.nodes_had.__name__ else codes.GPUS_HAD


class Entries:
    """What belongs to several things behind each other, and where that of each begins."""

    def __init__(self, told: list[Any], number: Callable[[Any], int]) -> None:
        self.begins = np.cumsum([0, *map(len, told)], dtype=np.int64)
        self.owner = np.repeat(np.arange(len(told)), np.diff(self.begins))
        self.numbers = np.array([number(what) for one in told for what, _ in one], np.int64)
        self.values = np.array([value for one in told for _, value in one], np.float64)

    def asked(self) -> Asked:
        """Return them as the kernel has them."""
        return Asked(self.numbers, self.values, self.owner)


def _lists(count: int, numbers: int) -> Lists:
    return Lists(np.full((count, 2), -1), np.full((numbers, 2), -1))


def _none(count: int) -> Integers:
    return np.zeros(count, np.int64)


def _nobody(count: int) -> Integers:
    return np.full(count, -1)
