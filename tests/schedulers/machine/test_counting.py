"""When enough processors of a counted machine will be free."""

from schedulers.core.counting import Counting
from schedulers.core.job import Job
from tests.suites import each_case

NEVER = float("inf")


@each_case(
    ("ends", "needed", "expected"),
    [
        ([(10, 4)], 4, (10, 0)),
        ([(10, 4)], 3, (10, 1)),
        ([(10, 2), (20, 4)], 3, (20, 3)),
        ([(10, 3), (10, 4)], 2, (10, 5)),
        ([(10, 4), (10.5, 3)], 2, (10, 2)),
        ([(3, 4), (10, 3)], 2, (5, 2)),
        ([(3, 4), (4, 2), (5, 1), (10, 3)], 2, (5, 5)),
        ([(3, 1), (10, 3)], 2, (10, 2)),
        ([(10, 4), (NEVER, 3)], 5, (NEVER, 2)),
        ([(10, 4)], 5, (NEVER, 0)),
        ([], 1, (NEVER, 0)),
    ],
)
def test_the_reservation_is_at_the_first_end_with_enough_processors(
    ends: list[tuple[float, int]], needed: int, expected: tuple[float, int]
) -> None:
    machine = Counting()
    machine.begin(20)
    running = [Job(f"w0!{n}", 0.0, size, None, number=n) for n, (_, size) in enumerate(ends)]
    assert all(machine.take(job) for job in running)
    head = Job("w0!head", 0.0, machine.free + needed, None, number=99)
    for job, (end, _) in zip(running, ends, strict=True):
        job.planned_end = end
    reservation = machine.reserve(head, running, 5.0)
    assert (reservation.date, reservation.extra) == expected


def test_released_processors_can_be_taken_again() -> None:
    machine = Counting("best_fit")
    machine.begin(4)
    first, second = (Job(f"w0!{n}", 0.0, 3, None, number=n) for n in range(2))
    assert machine.take(first)
    first.intervals = machine.allocate(first)
    assert not machine.take(second)
    machine.give_back(first)
    # taken, and not to start after all
    assert machine.take(second)
    machine.give_back(second)
    assert machine.take(second)
    assert (machine.allocate(second), machine.free) == (((0, 2),), 1)
