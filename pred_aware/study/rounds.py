"""The campaign of a study: whole rounds of shakes until the time is up or enough is known."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from pred_aware.campaign.agenda import Agenda, Place
from pred_aware.campaign.campaign import Campaign
from pred_aware.campaign.collecting import leftovers, remove_leftovers
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making import Maker
from pred_aware.campaign.measuring import where_and_when
from pred_aware.campaign.running import Progress
from pred_aware.campaign.store import MEASURED, Failure, Store
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from pred_aware.study.asked import Effort
from pred_aware.study.policies import BASE, POLICIES, RECOMMENDED
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
WORTH = 0.1
"""Share of the shakes that are there: for fewer no further round is begun."""

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
    failed
        What could not be made, with the reason.
    """

    inventory: Inventory
    shakes: int
    why: str
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
    platform
        The machine's file.
    store
        Where the runs are kept.
    workers
        How many processes simulate; with 1 it is this one.
    """

    def __init__(self, workload: Path, platform: Path, store: Path, *, workers: int) -> None:
        self._files = {"file": str(workload.absolute()), "platform": str(platform.absolute())}
        self._store = str(store.absolute())
        self._workers = workers
        self._names = [policy.name for policy in POLICIES]
        self._failed: dict[str, str] = {}

    def content(self, shakes: int) -> dict[str, Any]:
        """Return what the campaign's file says."""
        return {
            "baseline": BASE,
            "store": self._store,
            "measures": list(MEASURES),
            "logs": {LOG: self._files},
            "policies": {name: {} for name in self._names},
            "shakes": {"at_least": shakes, "at_most": shakes},
        }

    def as_it_is(self, name: str, prefix: Path, *, told: Told) -> Run:
        """Simulate the log as it is, whole and in this process, or read the run that is there.

        Parameters
        ----------
        name
            The policy.
        prefix
            How the names of the run's files begin.
        told
            Is told what is done.

        Raises
        ------
        PredAwareError, SchedulerError, SimulationError
            No job can be simulated, or the files can't be written.
        """
        inventory = self._inventory(0)
        place = Place(0, self._names.index(name), None)
        digest = inventory.digest(place)
        if digest is None:
            raise PredAwareError(inventory.unreadable[LOG])
        told(f"Simulating the log under {name}")
        run = self._kept(prefix, inventory.store, digest)
        if run is None:
            run, _, _ = self._maker.make_run(*place, digest=digest)
            if run.ran.empty:
                reasons = ", ".join(f"{why}: {count:,}" for why, count in run.rejections.items())
                raise PredAwareError(f"no job can be simulated under {name} ({reasons})")
            run.write(prefix)
        return run

    def run(self, effort: Effort, *, began: float, told: Told) -> Rounds:
        """Simulate the log as it is, and then round by round.

        Parameters
        ----------
        effort
            How much is to be done.
        began
            When the study began, by the monotonic clock.
        told
            Is told what is done.

        Raises
        ------
        PredAwareError
            The base or the recommended policy can't be simulated.
        """
        remove_leftovers(leftovers(self._inventory(0)))
        endless = effort.seconds is None or effort.shakes is not None
        until = None if endless else began + (effort.seconds or 0.0)
        before = monotonic()
        self._make(0, told=told, until=None)
        first = monotonic() - before
        there, why = self._there(), ""
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
        return Rounds(self._inventory(shakes), shakes, why, dict(self._failed))

    @cached_property
    def _maker(self) -> Maker:
        return Maker(self._inventory(0).specification)

    def _kept(self, prefix: Path, store: Store, digest: str) -> Run | None:
        """Return a run that an earlier call has written, if it is that of the store."""
        if not store.has(digest):
            return None
        try:
            run = read_run(prefix, workload=Path(self._files["file"]))
            content = run.content("jobs") or b""
        except PredAwareError:
            # not there, or not whole: an earlier call was stopped before
            return None
        same = hashlib.sha256(content).hexdigest() == store.read(digest)["jobs_sha256"]
        return run if same and run.made else None

    def _inventory(self, shakes: int) -> Inventory:
        return Campaign.of(self.content(shakes), name="study").inventory

    def _make(self, shakes: int, *, told: Told, until: float | None) -> bool:
        """Make the runs that are missing of so many shakes; say whether all of them are there."""
        what = f"{shakes} shakes" if shakes else "the log as it is"

        def tell(progress: Progress) -> None:
            if until is not None and monotonic() >= until:
                raise _TimeIsUp
            done, all_of_them = progress.there + progress.made, progress.to_do
            told(f"Simulating {what}: {done:,} of {done + all_of_them:,} runs")

        inventory = self._inventory(shakes)
        try:
            if self._workers == 1:
                self._make_here(inventory, tell)
            else:
                Campaign(inventory).run(workers=self._workers, progress=tell)
        except _TimeIsUp:
            return False
        self._leave_out(self._inventory(shakes))
        return True

    def _make_here(self, inventory: Inventory, tell: Callable[[Progress], None]) -> None:
        """Make the runs in this process, shake by shake: to start another one takes its time."""
        inventory.check()
        agenda = inventory.agenda()
        made = 0
        while agenda.open:
            tell(Progress(made=made, there=len(agenda.figures) - made, to_do=agenda.to_do))
            place = min(agenda.open, key=lambda one: one.seed or 0)
            agenda.open.take(place)
            digest = inventory.digest(place)
            assert digest is not None
            try:
                figures, _ = self._maker.make(*place, digest=digest)
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
        """Return how many shakes of all policies are there."""
        inventory = self._inventory(MOST)
        there = inventory.agenda().figures
        policies = range(len(self._names))
        shakes = 0
        while all(Place(0, policy, shakes + 1) in there for policy in policies):
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
        fit = int(left / self._seconds_of_a_shake())
        if not there:
            # what the time cuts off is there for the next call
            return max(FEWEST, min(fit, FIRST)) if left > 0.0 else 0
        if fit < max(1, WORTH * there):
            return there
        # twice as many each time, so that a wrong guess of the time costs little
        return min(MOST, there + min(fit, max(FIRST, there)))

    def _known(self, shakes: int, precision: float) -> bool:
        agenda = self._inventory(shakes).agenda()
        policy = self._names.index(RECOMMENDED)
        found = [agenda.difference(0, policy, name) for name in KNOWN]
        return all(one.value is None or one.known_to(precision) for one in found)

    def _seconds_of_a_shake(self) -> float:
        """Return how long a shake takes under all policies, as far as was measured."""
        inventory = self._inventory(FIRST)
        total = 0.0
        for policy in range(len(self._names)):
            took = []
            for seed in (None, *range(1, FIRST + 1)):
                digest = inventory.digest(Place(0, policy, seed))
                if digest is not None and inventory.store.has(digest):
                    took.append(inventory.store.read(digest, MEASURED)["seconds"])
            total += sum(took) / max(1, len(took))
        return max(total / self._workers, 1e-3)


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
