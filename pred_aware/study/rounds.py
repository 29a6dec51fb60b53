"""The campaign of a study: whole rounds of shakes until the time is up or enough is known."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.campaign import Campaign
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, make_runs
from pred_aware.campaign.making.resource_usage import where_and_when
from pred_aware.campaign.making.run_maker import Maker
from pred_aware.campaign.results.collecting import leftovers, remove_leftovers
from pred_aware.campaign.run_key import RunKey
from pred_aware.campaign.store import MEASURED, Failure, Store
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from pred_aware.study.aside import aside
from pred_aware.study.policies import BASE, POLICIES, RECOMMENDED
from pred_aware.study.request import Effort
from workload_tools.files import written_whole

LOG = "log"
"""What the campaign calls the log, whose name may not be for everybody."""

MEASURES = (
    "mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip
KNOWN = ("mean_waiting_time", "mean_bounded_slowdown")
"""The measures of which the precision is asked."""

FEWEST = 2
FIRST = 5
"""So many shakes at first, if there is time for them."""
MOST = 1000
START = 3.0
"""Seconds that a round takes before it simulates anything, on top of reading the log."""

Told = Callable[[str], None]


class _TimeIsUp(Exception):  # noqa: N818 - no error
    """Ends a round; what it has made stays."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What the rounds have made.

    Parameters
    ----------
    inventory
        The campaign with as many shakes as all of its policies have.
    shakes
        How many these are.
    why
        Why there are no more, in words.
    unfinished
        What was begun and is of no use to this page, in words; empty where nothing was.
    failed
        What could not be made, with the reason.
    """

    inventory: Inventory
    shakes: int
    why: str
    unfinished: str
    failed: Mapping[str, str]

    @property
    def agenda(self) -> Agenda:
        """What was found, over these shakes."""
        return self.inventory.agenda()

    @property
    def policies(self) -> list[str]:
        """The policies that were simulated, the base first."""
        return [policy.name for policy in self.inventory.specification.policies]


class Simulating:
    """Makes the rounds.

    Parameters
    ----------
    workload
        The workload's file.
    platforms
        The machine's files, by what the log is called on it; the first, `LOG`, is the one that the
        log is studied on.
    store
        Where the runs are kept.
    workers
        How many processes simulate; with 1 it is this one.
    """

    def __init__(
        self, workload: Path, platforms: Mapping[str, Path], store: Path, *, workers: int
    ) -> None:
        self._workload = workload.absolute()
        self._platforms = {name: path.absolute() for name, path in platforms.items()}
        self._store = store.absolute()
        self._workers = workers
        self._names = [policy.name for policy in POLICIES]
        self._failed: dict[str, str] = {}
        self._unfinished = ""

    def content(self, shakes: int) -> dict[str, Any]:
        """Return what the campaign's file says."""
        return {
            "baseline": BASE,
            "store": str(self._store),
            "measures": list(MEASURES),
            "logs": {
                name: {"file": str(self._workload), "platform": str(platform)}
                for name, platform in self._platforms.items()
            },
            "policies": {name: {} for name in self._names},
            "shakes": {"at_least": shakes, "at_most": shakes},
        }

    def as_it_is(
        self, name: str, prefix: Path, *, told: Told, until: float | None = None
    ) -> Run | None:
        """Simulate the log as it is, whole and in this process, or read the run that is there.

        Parameters
        ----------
        name
            The policy.
        prefix
            How the names of the run's files begin.
        told
            Is told what is done.
        until
            When the time is up, by the monotonic clock; ``None`` for as long as it takes.

        Returns
        -------
        Run or None
            ``None`` where the time was up before it was made.

        Raises
        ------
        PredAwareError, SchedulerError, SimulationError
            No job can be simulated, or the files can't be written.
        """
        place, digest = self._known_by(name)
        told(f"Simulating the log under {name}")
        run = self._kept(prefix, digest)
        if run is None:
            try:
                run, _, _ = self._maker.make(place, digest=digest, progress=_ends_at(until))
            except _TimeIsUp:
                return None
            if run.ran.empty:
                reasons = ", ".join(f"{why}: {count:,}" for why, count in run.rejections.items())
                raise PredAwareError(f"no job can be simulated under {name} ({reasons})")
            run.write(prefix)
        return run

    @contextmanager
    def beside(
        self, name: str, prefix: Path, *, told: Told
    ) -> Iterator[Callable[[float | None], Run | None]]:
        """Simulate the log as it is as `as_it_is` does, beside what else the block does.

        Parameters
        ----------
        name, prefix, told
            As for `as_it_is`.

        Yields
        ------
        callable
            Gives the run, or ``None`` where it is not there by a date of the monotonic clock.
        """

        def here(until: float | None) -> Run | None:
            return self.as_it_is(name, prefix, told=told, until=until)

        _, digest = self._known_by(name)
        if self._workers == 1:
            yield here
            return
        if (kept := self._kept(prefix, digest)) is not None:
            yield lambda _: kept
            return
        platform = self._platforms[LOG]
        with aside(self._workload, platform, self._store, policy=name, prefix=prefix) as making:
            yield lambda until: here(None) if making.wait(until=until, told=told) else None

    def seconds_as_it_is(self) -> float:
        """Return how long the runs of the log as it is took of the base and the recommended one."""
        store = self._inventory(0).store
        digests = [self._known_by(name)[1] for name in (BASE, RECOMMENDED)]
        there = [digest for digest in digests if store.has(digest)]
        return float(sum(store.read(digest, MEASURED)["seconds"] for digest in there))

    def _known_by(self, name: str) -> tuple[RunKey, str]:
        """Return the place of a policy's run of the log as it is, and by what it is known."""
        inventory = self._inventory(0)
        place = RunKey(0, self._names.index(name))
        digest = inventory.digest(place)
        if digest is None:
            raise PredAwareError(inventory.unreadable[LOG])
        return place, digest

    def run(self, effort: Effort, *, until: float | None, known: str = "", told: Told) -> Rounds:
        """Simulate the log as it is, and then round by round.

        Parameters
        ----------
        effort
            How much is to be done.
        until
            When the time is up, by the monotonic clock; ``None`` for as long as it takes.
        known
            Why no shake would change the answer, in words; then none are made unless they were
            asked for.
        told
            Is told what is done.

        Raises
        ------
        PredAwareError
            The base or the recommended policy can't be simulated.
        """
        remove_leftovers(leftovers(self._inventory(0)))
        before = monotonic()
        whole = self._make(0, told=told, until=until)
        first = monotonic() - before
        there = self._there()
        why = "" if whole else "time is up"
        if known and effort.shakes is None:
            why = known
        while not why:
            wanted = self._wanted(there, effort, until, start=min(START, first))
            if wanted is None:
                why = f"precision {effort.precision:g} reached"
            elif wanted <= there:
                why = "time is up" if effort.shakes is None else "the shakes asked for are there"
            elif not self._make(wanted, told=told, until=until):
                there, why = self._there(), "time is up"
            else:
                there = max(wanted, self._there())
        # a store may have more than the rounds of this time
        shakes = there if effort.shakes is None else min(effort.shakes, there)
        return Rounds(self._inventory(shakes), shakes, why, self._unfinished, dict(self._failed))

    @property
    def as_far_as_it_is(self) -> Rounds:
        """What there is without any shake."""
        return Rounds(self._inventory(0), 0, "", "", {})

    @cached_property
    def _maker(self) -> Maker:
        return Maker(self._inventory(0).specification)

    def _kept(self, prefix: Path, digest: str) -> Run | None:
        """Return a run that an earlier call has written, if it is that of the store."""
        store = Store(self._store)
        if not store.has(digest):
            return None
        try:
            run = read_run(prefix, workload=self._workload)
            same = run.jobs_sha256 == store.read(digest)["jobs_sha256"]
        except PredAwareError:
            # not there, or not whole: an earlier call was stopped before
            return None
        return run if same and run.made else None

    def _inventory(self, shakes: int) -> Inventory:
        return Campaign.of(self.content(shakes), name="study").inventory

    def _make(self, shakes: int, *, told: Told, until: float | None) -> bool:
        """Make the runs that are missing of so many shakes; say whether all of them are there."""
        what = f"{shakes} shakes" if shakes else "the log as it is"
        last = Progress()

        def tell(progress: Progress) -> None:
            nonlocal last
            last = progress
            if until is not None and monotonic() >= until:
                raise _TimeIsUp
            done, all_of_them = progress.there + progress.made, progress.to_do
            told(f"Simulating {what}: {done:,} of {done + all_of_them:,} runs")

        inventory = self._inventory(shakes)
        try:
            if self._workers == 1:
                self._make_here(inventory, tell, until=until)
            else:
                make_runs(inventory, workers=self._workers, told=tell, in_order=True)
        except _TimeIsUp:
            begun = min(self._workers, last.to_do)
            self._unfinished = (
                f"of {what} {last.made:,} of {last.made + last.to_do:,} runs were made, which the "
                f"next call goes on from, and {begun:,} that {'was' if begun == 1 else 'were'} "
                "begun dropped"
            )
            return False
        self._leave_out(self._inventory(shakes))
        return True

    def _make_here(
        self, inventory: Inventory, tell: Callable[[Progress], None], *, until: float | None
    ) -> None:
        """Make the runs in this process, shake by shake: to start another one takes its time."""
        inventory.check()
        agenda = inventory.agenda()
        made = 0
        while agenda.open:
            tell(Progress(made=made, there=len(agenda.figures) - made, to_do=agenda.to_do))
            place = min(agenda.open, key=lambda one: (one.shake or 0, one.log))
            agenda.open.take(place)
            digest = inventory.digest(place)
            assert digest is not None
            try:
                _, figures, _ = self._maker.make(place, digest=digest, progress=_ends_at(until))
            except USER_ERRORS as error:
                agenda.fail(place)
                inventory.store.fail(digest, Failure("error", str(error), where_and_when()))
            else:
                agenda.note(place, figures)
                made += 1

    def _leave_out(self, inventory: Inventory) -> None:
        """Go on without a policy that can't be simulated; without the first or last one can't."""
        agenda = inventory.agenda()
        for place in agenda.failed:
            name = inventory.specification.policies[place.policy].name
            reason = dict(inventory.failures(agenda)).get(inventory.told(place), "it failed")
            if name in {BASE, RECOMMENDED}:
                raise PredAwareError(
                    f"{name} can't be simulated: {reason}; `pred-aware study` called again goes on "
                    "from what is there"
                )
            self._failed.setdefault(name, reason)
        if agenda.failed:
            self._names = [name for name in self._names if name not in self._failed]
            # which knows policies by their places
            self.__dict__.pop("_maker", None)

    def _there(self) -> int:
        """Return how many shakes of all policies are there, on all sizes of the machine."""
        inventory = self._inventory(MOST)
        there = inventory.agenda().figures
        logs = inventory.specification.logs
        shakes = 0
        while all(
            RunKey(log, policy, logs[log].shake(shakes + 1)) in there for log, policy in self._pairs
        ):
            shakes += 1
        return shakes if shakes >= FEWEST else 0

    def _wanted(
        self, there: int, effort: Effort, until: float | None, *, start: float
    ) -> int | None:
        """Return how many shakes there are to be next; ``None`` where enough is known."""
        if effort.shakes is not None:
            return effort.shakes
        if there >= FIRST and self._known(there, effort.precision):
            return None
        if until is None:
            return min(MOST, there + max(FIRST, there))
        left = until - monotonic() - start
        if left <= 0.0:
            return there
        # what the time cuts off is there for the next call, and whole shakes count; twice as many
        # each time, to look now and then whether enough is known
        fit = 1 + ceil(left / self._seconds_of_a_shake())
        return min(MOST, there + max(FEWEST - there, min(fit, max(FIRST, there))))

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """The places of logs and policies."""
        return [*product(range(len(self._platforms)), range(len(self._names)))]

    def _known(self, shakes: int, precision: float) -> bool:
        agenda = self._inventory(shakes).agenda()
        policy = self._names.index(RECOMMENDED)
        logs = range(len(self._platforms))
        found = [agenda.difference(log, policy, name) for log in logs for name in KNOWN]
        return all(one.value is None or one.known_to(precision) for one in found)

    def _seconds_of_a_shake(self) -> float:
        """Return how long a shake takes under all policies, as far as was measured."""
        inventory = self._inventory(FIRST)
        total = 0.0
        for log, policy in self._pairs:
            took = []
            for copy in inventory.specification.logs[log].copies:
                digest = inventory.digest(RunKey(log, policy, copy))
                if digest is not None and inventory.store.has(digest):
                    took.append(inventory.store.read(digest, MEASURED)["seconds"])
            total += sum(took) / max(1, len(took))
        return max(total / self._workers, 1e-3)


def _ends_at(until: float | None) -> Callable[[int, int], None] | None:
    """Return what ends a simulation when the time is up."""
    if until is None:
        return None

    def progress(_done: int, _of: int) -> None:
        if monotonic() >= until:
            raise _TimeIsUp

    return progress


def write_campaign(content: Mapping[str, Any], path: Path) -> None:
    """Write a campaign's file, so that `pred-aware campaign` goes on with the study's runs.

    Parameters
    ----------
    content
        What it says; its files stand beside it.
    path
        The file.
    """
    lines = ["# The campaign of `pred-aware study`: `pred-aware campaign table` shows its runs."]
    tables = {key: value for key, value in content.items() if isinstance(value, Mapping)}
    lines += [f"{key} = {_toml(value)}" for key, value in content.items() if key not in tables]
    for key, value in tables.items():
        nested = {name: one for name, one in value.items() if isinstance(one, Mapping)}
        for name, one in (nested or {"": value}).items():
            lines += ["", f"[{key}.{name}]" if name else f"[{key}]"]
            lines += [f"{inner} = {_toml(given)}" for inner, given in one.items()]
    with written_whole(path) as file:
        file.write("\n".join([*lines, ""]).encode())


def _toml(value: Any) -> str:  # noqa: ANN401 - text, number or list of texts
    # of these, JSON is TOML
    return msgspec.json.encode(value).decode()
