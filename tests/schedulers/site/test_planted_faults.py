"""Faults planted in the gate and the machine are found by the checker or by the model."""

import functools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pred_aware.simulator.errors import DeadlockError
from schedulers.machine.capacity import CountingInTime
from schedulers.machine.node_dates import NodeDates
from schedulers.machine.node_fit import NodeFit
from schedulers.machine.node_layout import NodeLayout
from schedulers.machine.node_room import Room
from schedulers.policy.on_site import PolicyOnSite
from schedulers.site import partitions
from schedulers.site.books import Books
from schedulers.site.calendar import Calendar
from schedulers.site.counters import AsHad, Counter, MinutesLeft
from schedulers.site.gate import Gate
from schedulers.site.gated_machine import GatedMachine
from schedulers.site.last_dates import LastDates
from schedulers.site.site import Site
from schedulers.site.windows import Known, OpenWindow
from tests.schedulers.site.test_random_sites import broken, differences
from tests.suites import each_case

Patch = pytest.MonkeyPatch
NODES = functools.partial(broken, nodes=True)
PLAIN = functools.partial(broken, nodes=False)
Plant = Callable[[Patch], None]
FAULTS: dict[str, tuple[Plant, int, Callable[[int], object]]] = {}


def fault(seed: int, finds: Callable[[int], object]) -> Callable[[Plant], Plant]:
    """Note a fault, with a random site on which it is found, and by what."""

    def noted(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = plant, seed, finds
        return plant

    return noted


def changed(patch: Patch, owner: Any, name: str, change: Callable[..., Any]) -> None:  # noqa: ANN401 - any class
    """Let a method's result, and its arguments, go through something."""
    before = getattr(owner, name)

    @functools.wraps(before)
    def after(*args: Any, **options: Any) -> Any:  # noqa: ANN401 - of any method
        return change(before, *args, **options)

    patch.setattr(owner, name, after)


@fault(1, NODES)
def a_limit_lets_one_more_in(patch: Patch) -> None:
    changed(
        patch, Counter, "_is_above", lambda f, s, used, amount, now: f(s, used - 1, amount, now)
    )


@fault(0, NODES)
def a_limit_lets_one_less_in(patch: Patch) -> None:
    changed(
        patch, Counter, "_is_above", lambda f, s, used, amount, now: f(s, used + 1, amount, now)
    )


@fault(0, PLAIN)
def what_ends_is_not_given_back_to_limits(patch: Patch) -> None:
    patch.setattr(Counter, "give_back", lambda self, job: self._taken.pop(job.number))


@fault(1, NODES)
def what_starts_is_not_counted(patch: Patch) -> None:
    patch.setattr(Counter, "take", lambda self, job, *_: self._taken.update({job.number: 0.0}))


@fault(184, NODES)
def nodes_count_as_they_were_asked_for(patch: Patch) -> None:
    patch.setattr(AsHad, "take", Counter.take)


@fault(63, NODES)
def jobs_start_when_their_reservation_is_over(patch: Patch) -> None:
    patch.setattr(LastDates, "reached", lambda *_: [])
    changed(
        patch,
        NodeDates,
        "closed",
        lambda f, s, name, start, end: f(
            s, name if name in s.kept and start < s.kept[name].end else "", start, end
        ),
    )


@fault(48, differences)
def minutes_do_not_run_off(patch: Patch) -> None:
    changed(
        patch,
        MinutesLeft,
        "stops",
        lambda _, self, amount, now: self._is_above(self.used, amount, now),
    )


@fault(48, differences)
def limits_hold_one_second_longer(patch: Patch) -> None:
    def later(before: Any, self: Counter, *args: Any, end: float, **more: Any) -> None:  # noqa: ANN401
        before(self, *args, end=end + 1.0, **more)

    changed(patch, Counter, "__init__", later)


@fault(139, differences)
def windows_are_an_hour_off(patch: Patch) -> None:
    # what is known of other runs is true
    patch.setattr("schedulers.site.windows._known", lambda *_: Known())
    changed(patch, Calendar, "of_week", lambda f, s, now: f(s, now + 3600.0))


@fault(1, PLAIN)
def jobs_may_run_over_the_time_by_which_they_have_ended(patch: Patch) -> None:
    changed(
        patch,
        OpenWindow,
        "stops",
        lambda f, self, job, now: self._hours is not None and f(self, job, now),
    )


@fault(5, NODES)
def freezes_are_not_looked_at(patch: Patch) -> None:
    changed(
        patch,
        Gate,
        "__init__",
        lambda f, self, *args: (f(self, *args), self.freezes.dates.clear())[0],
    )


@fault(8, PLAIN)
def a_stopped_job_stays_in_the_queue(patch: Patch) -> None:
    changed(patch, PolicyOnSite, "_requeue", lambda f, s, back, _, now: f(s, back, {}, now))


@fault(6, NODES)
def a_pass_goes_on_with_what_a_limit_stops_in_it(patch: Patch) -> None:
    patch.setattr(GatedMachine, "_stops", lambda *_: False)


@fault(1508, differences)
def a_job_that_a_limit_stops_in_a_pass_keeps_its_reservation(patch: Patch) -> None:
    patch.setattr(Gate, "has_stopped_more", False)


@fault(3, NODES)
def held_jobs_start_at_once(patch: Patch) -> None:
    def without(before: Any, self: Gate, site: Site, calendar: Calendar) -> None:  # noqa: ANN401
        before(self, msgspec.structs.replace(site, eligible=False), calendar)

    changed(patch, Gate, "__init__", without)


@fault(4, PLAIN)
def rules_are_for_everybody(patch: Patch) -> None:
    patch.setattr("schedulers.site.books.is_for", lambda *_: True)


@fault(1_004, PLAIN)
def limits_stop_whom_they_only_count(patch: Patch) -> None:
    patch.setattr("schedulers.site.books.is_exempt", lambda *_: False)


@fault(16, NODES)
def throttles_are_not_looked_at(patch: Patch) -> None:
    patch.setattr(Books, "_throttle", lambda *_: None)


@fault(4, PLAIN)
def any_partition_takes_any_job(patch: Patch) -> None:
    patch.setattr(partitions, "_outside", lambda *_: None)


@fault(6, PLAIN)
def capacity_comes_late(patch: Patch) -> None:
    changed(patch, CountingInTime, "look", lambda f, s, now: f(s, now - 5.0))


@fault(3, NODES)
def the_scheduler_has_no_cycle(patch: Patch) -> None:
    changed(
        patch,
        PolicyOnSite,
        "decide",
        lambda f, s, request: (setattr(s, "_cycle", 0.0), f(s, request))[1],
    )


@fault(2, NODES)
def memory_is_not_given_back(patch: Patch) -> None:
    def only_cores(before: Any, self: Room, placement: Any) -> None:  # noqa: ANN401
        rest = None if self.rest is None else self.rest.copy()
        before(self, placement)
        self.rest = rest

    changed(patch, Room, "give_back", only_cores)


@fault(45, NODES)
def memory_is_not_taken(patch: Patch) -> None:
    def only_cores(before: Any, self: Room, placement: Any) -> None:  # noqa: ANN401
        rest = None if self.rest is None else self.rest.copy()
        before(self, placement)
        self.rest = rest

    changed(patch, Room, "take", only_cores)


@fault(47, NODES)
def whole_nodes_are_shared(patch: Patch) -> None:
    changed(patch, NodeFit, "_idle_in", lambda *_: -1)


@fault(4, NODES)
def jobs_run_into_reservations(patch: Patch) -> None:
    patch.setattr(NodeDates, "closed", lambda *_: 0)


@fault(8, NODES)
def nodes_that_are_out_are_given(patch: Patch) -> None:
    patch.setattr(NodeDates, "lost", lambda *_: {})


@fault(1, NODES)
def features_and_partitions_are_not_looked_at(patch: Patch) -> None:
    changed(patch, NodeLayout, "_choice", lambda f, s, *_: f(s, None, s.all, ""))


def is_found(seed: int, finds: Callable[[int], object]) -> bool:
    """Say whether something is broken, or whether somebody waits for ever."""
    try:
        return bool(finds(seed))
    except DeadlockError:
        return True


@each_case("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    plant, seed, finds = FAULTS[name]
    assert not is_found(seed, finds)
    with Patch.context() as patch:
        plant(patch)
        assert is_found(seed, finds)
