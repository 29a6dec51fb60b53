"""The machine of nodes against a brute-force model, on small random sites and requests."""

import random

from schedulers.core.machine import NEVER
from tests.schedulers.machine.nodes_model import (
    Ask,
    Site,
    allowed,
    fits,
    free_beside,
    random_ask,
    random_site,
)
from tests.suites import each_case

SEEDS = range(60)
JOBS = 14


def given_on(site: Site, nodes: tuple[int, ...], given: tuple[int, ...]) -> list[int]:
    counts = [0] * len(site.nodes)
    for node, count in zip(nodes, given, strict=True):
        counts[node] = count
    return counts


def possible(rng: random.Random, site: Site) -> Ask:
    while True:
        ask = random_ask(rng, site)
        if fits(site, site.nodes, ask):
            return ask


@each_case("seed", SEEDS)
def test_jobs_have_room_if_any_placement_exists_and_get_their_request(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a seeded site
    site = random_site(rng)
    machine = site.machine()
    running = {}
    for number in range(1, JOBS):
        ask = random_ask(rng, site)
        one = ask.job(number, 60.0)
        free = free_beside(site, machine, running)
        assert (machine.refusal(one) is None) is fits(site, site.nodes, ask)
        expected = fits(site, free, ask)
        assert machine.take(one) is expected
        if expected:
            placement = machine.held[number]
            counts = given_on(site, placement.nodes, placement.given)
            assert any(allowed(site, free, ask, counts, name) for name in ask.partitions or ("",))
            one.intervals = machine.allocate(one)
            assert sum(last - first + 1 for first, last in one.intervals) == one.processors
            running[number] = one
        if running and rng.random() < 0.4:
            machine.give_back(running.pop(rng.choice(list(running))))
    for one in running.values():
        machine.give_back(one)
    assert machine.room.free_on == machine.layout.idle.free_on
    assert machine.room.levels == machine.layout.idle.levels


@each_case("seed", SEEDS)
def test_a_reservation_is_at_the_first_planned_end_with_room_and_is_kept(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a seeded site
    site = random_site(rng)
    machine = site.machine()
    running = []
    for number in range(1, JOBS):
        one = possible(rng, site).job(number, 60.0)
        if machine.take(one):
            one.planned_end = float(rng.randint(0, 6))
            running.append(one)
    for one in running[::2]:
        machine.give_back(one)
    running = sorted(running[1::2], key=lambda one: (one.planned_end, one.number))
    asks = [possible(rng, site) for _ in range(10)]
    without = [one for one in asks if not fits(site, free_beside(site, machine, machine.held), one)]
    if not without:
        return
    ask = without[0]
    head = ask.job(JOBS, 60.0)
    assert not machine.take(head)
    now = 2.0
    dates = sorted({max(now, one.planned_end) for one in running})
    left = {date: [one.number for one in running if one.planned_end > date] for date in dates}
    first = next(d for d in dates if fits(site, free_beside(site, machine, left[d]), ask))
    reservation = machine.reserve(head, running, now)
    assert reservation.date == first
    longer = list(left[first])
    for number in range(JOBS + 1, 2 * JOBS):
        other = possible(rng, site)
        one = other.job(number, 60.0)
        extra, end = reservation.extra, rng.choice((first, first + 1))
        room = fits(site, free_beside(site, machine, machine.held), other)
        taken = machine.take_beside(one, reservation, end)
        assert room or not taken
        if end <= first:
            assert taken is room
            assert not taken or one.started_as == "backfilled"
        elif taken:
            assert one.started_as == "queue"
            assert one.processors <= extra
            longer.append(number)
        assert fits(site, free_beside(site, machine, longer), ask)


@each_case("seed", SEEDS)
def test_a_place_is_the_earliest_with_the_same_nodes_throughout(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a seeded site
    site = random_site(rng)
    machine = site.machine()
    availability = machine.availability(0.0)
    spans: dict[int, tuple[float, float]] = {}
    placed = {}

    def free_during(start: float, end: float) -> list[list]:
        events = {start, *(first for first, _ in spans.values() if start < first < end)}
        return [
            free_beside(site, machine, [n for n, (a, b) in spans.items() if a <= at < b], placed)
            for at in sorted(events)
        ]

    def has_place(ask: Ask, start: float, duration: float) -> bool:
        states = free_during(start, start + duration)
        least = states[0]
        for other in states[1:]:
            for node, there in zip(least, other, strict=True):
                node.cores = min(node.cores, there.cores)
                if node.memory is not None:
                    node.memory = min(node.memory, there.memory)
                node.gpus = {name: min(n, there.gpus.get(name, 0)) for name, n in node.gpus.items()}
        return fits(site, least, ask)

    for number in range(1, 10):
        ask, duration = possible(rng, site), float(rng.randint(1, 5))
        one = ask.job(number, 60.0)
        start = availability.place(one, duration)
        assert start < NEVER
        begins = {0.0, *(end for _, end in spans.values() if end < start)} - {start}
        assert not any(has_place(ask, begin, duration) for begin in begins)
        spans[number], placed[number] = (start, start + duration), machine.places[number]
        free_during(start, start + duration)
        if rng.random() < 0.3:
            gone = rng.choice(list(spans))
            availability.give_back(possible(rng, site).job(gone, 1.0), *spans.pop(gone))
    for number, (start, end) in spans.items():
        availability.give_back(Ask(1).job(number, 1.0), start, end)
    assert availability.times == [0.0]
    assert availability.free[0][0] == machine.layout.idle.free_on


@each_case("seed", SEEDS)
def test_a_place_moves_to_the_earliest_date_beside_the_others(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a seeded site
    site = random_site(rng)
    machine = site.machine()
    availability = machine.availability(0.0)
    jobs = [possible(rng, site).job(number, 60.0) for number in range(1, 10)]
    lengths = {one.number: float(rng.randint(1, 5)) for one in jobs}
    starts = {one.number: availability.place(one, lengths[one.number]) for one in jobs}
    gone = jobs.pop(rng.randrange(len(jobs)))
    begin = starts[gone.number]
    availability.give_back(gone, begin, begin + lengths[gone.number])
    for one in jobs:
        number, kept = one.number, dict(machine.places)
        beside = machine.availability(0.0)
        for other in jobs:
            if other is not one:
                assert beside.place_at(other, starts[other.number], lengths[other.number])
        expected = min(starts[number], beside.place(one, lengths[number]))
        machine.places.update(kept)
        if starts[number] > 0.0:
            starts[number] = availability.move_up(one, starts[number], lengths[number])
        assert starts[number] == expected
