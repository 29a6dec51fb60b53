"""The clock with its actors: dates and order of their actions."""

import math
from collections.abc import Generator

import pytest

from pred_aware.simulator.kernel import (
    COMPUTE,
    CREATE,
    RECEIVE,
    SEND,
    SLEEP,
    Actor,
    ActorRequest,
    Kernel,
)

RATE = 125e6
BYTE = 1 / RATE
NAPS = [15.3, 0.1, 9.0]
Life = Generator[ActorRequest, object, None]
Log = list[tuple[float, str]]


def sleeper(kernel: Kernel, log: Log, name: str, *naps: float) -> Life:
    for nap in naps:
        yield SLEEP, nap, 0.0, None
        log.append((kernel.now, name))


def sender(kernel: Kernel, log: Log, name: str, latency: float) -> Life:
    yield SEND, latency, RATE, name
    log.append((kernel.now, f"{name} sent"))


def receiver(kernel: Kernel, log: Log, messages: int) -> Life:
    for _ in range(messages):
        message = yield RECEIVE, 0.0, 0.0, None
        log.append((kernel.now, f"got {message}"))


def test_sleeps_end_at_their_dates_and_ties_in_the_order_of_their_begins() -> None:
    kernel, log = Kernel(), Log()
    lives = [sleeper(kernel, log, "a", 2.0), sleeper(kernel, log, "b", 1.0, 1.0)]
    kernel.run([*map(Actor, lives), Actor(sleeper(kernel, log, "c", 2.0))])
    assert log == [(1.0, "b"), (2.0, "a"), (2.0, "c"), (2.0, "b")]


def test_a_message_takes_its_latency_and_a_byte() -> None:
    kernel, log = Kernel(), Log()
    kernel.run([Actor(sender(kernel, log, "a", 0.5)), Actor(receiver(kernel, log, 1))])
    assert [name for _, name in log] == ["a sent", "got a"]
    assert kernel.now == pytest.approx(0.5 + BYTE, abs=1e-12)


def test_waiting_senders_are_served_one_after_another_first_come_first_served() -> None:
    kernel, log = Kernel(), Log()
    lives = [sender(kernel, log, "a", 0.5), sender(kernel, log, "b", 0.25)]
    kernel.run([*map(Actor, lives), Actor(receiver(kernel, log, 2))])
    got = [(date, name) for date, name in log if name.startswith("got")]
    assert [name for _, name in got] == ["got a", "got b"]
    assert [date for date, _ in got] == pytest.approx([0.5 + BYTE, 0.75 + 2 * BYTE], abs=1e-12)


def test_a_latency_begins_when_the_receiver_asks_for_the_message() -> None:
    kernel, log = Kernel(), Log()

    def busy() -> Life:
        yield SLEEP, 10.0, 0.0, None
        yield from receiver(kernel, log, 1)

    kernel.run([Actor(sender(kernel, log, "a", 0.5)), Actor(busy())])
    assert kernel.now == pytest.approx(10.5, abs=1e-7)


def test_a_created_actor_runs_before_its_creator() -> None:
    kernel, log = Kernel(), Log()

    def creator() -> Life:
        yield CREATE, 0.0, 0.0, Actor(sleeper(kernel, log, "child", 1.0))
        yield from sleeper(kernel, log, "creator", 1.0)

    kernel.run([Actor(creator())])
    assert log == [(1.0, "child"), (1.0, "creator")]


def test_a_killed_sleeper_never_wakes() -> None:
    kernel, log = Kernel(), Log()
    victim = Actor(sleeper(kernel, log, "victim", 5.0))

    def killer() -> Life:
        yield SLEEP, 2.0, 0.0, None
        kernel.kill(victim)

    kernel.run([victim, Actor(killer()), Actor(sleeper(kernel, log, "other", 4.0))])
    assert log == [(4.0, "other")]
    assert kernel.now == 4.0


def test_remaining_times_are_subtracted_step_by_step_in_double_precision() -> None:
    kernel, log = Kernel(), Log()
    lives = [sleeper(kernel, log, "long", 0.9), sleeper(kernel, log, "short", 0.1, 0.1)]
    kernel.run([*map(Actor, lives)])
    rest = 0.9 - 0.1 - 0.1
    assert log[-1] == (0.1 + 0.1 + rest, "long")
    assert 0.1 + 0.1 + rest != 0.9


def worker(kernel: Kernel, log: Log, name: str, limit: float, *rates: float) -> Life:
    for rate in rates:
        done = yield COMPUTE, limit, rate, None
        log.append((kernel.now, name if done else f"{name} stopped"))


def test_work_ends_when_done_or_at_its_limit_and_a_tie_counts_as_done() -> None:
    kernel, log = Kernel(), Log()
    lives = [
        worker(kernel, log, name, limit, 0.5) for name, limit in zip("abc", (1, 2, 3), strict=True)
    ]
    kernel.run([*map(Actor, lives)])
    assert log == [(1.0, "a stopped"), (2.0, "b"), (2.0, "c")]


def test_work_is_subtracted_step_by_step_in_double_precision() -> None:
    kernel, log = Kernel(), Log()
    lives = [worker(kernel, log, "work", math.inf, 1 / 60), sleeper(kernel, log, "a", *NAPS)]
    kernel.run([*map(Actor, lives)])
    date, share = 0.0, 1.0
    for nap in NAPS:
        date, share = date + nap, share - nap * (1 / 60)
    assert log[-1] == (date + share / (1 / 60), "work")
    assert log[-1][0] != 60.0


def test_killed_work_is_not_done_and_its_limit_makes_no_step() -> None:
    kernel, log = Kernel(), Log()
    victim = Actor(worker(kernel, log, "victim", 5.0, 0.1))

    def killer() -> Life:
        yield SLEEP, 2.0, 0.0, None
        kernel.kill(victim)

    kernel.run([victim, Actor(killer())])
    assert (log, kernel.now) == ([], 2.0)
