"""A heap of jobs by date, ties by another number: the first of them is on top."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats, Integers


@compiled
def _earlier(at: Floats, ties: Integers, one: int, other: int) -> bool:
    return at[one] < at[other] or (at[one] == at[other] and ties[one] < ties[other])


@compiled
def push(heap: Integers, count: int, at: Floats, ties: Integers, job: int) -> None:
    """Add a job to so many."""
    place = count
    while place > 0:
        parent = (place - 1) // 2
        if not _earlier(at, ties, job, heap[parent]):
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = job


@compiled
def pop(heap: Integers, count: int, at: Floats, ties: Integers) -> int:
    """Remove the first of so many, and return it."""
    first, job = heap[0], heap[count - 1]
    left, place = count - 1, 0
    # first down to the end, by the same steps whatever is there, then up again, which is not far
    while 2 * place + 2 < left:
        child = 2 * place + 1
        one, other = heap[child], heap[child + 1]
        date, next_date = at[one], at[other]
        second = (date > next_date) | ((date == next_date) & (ties[one] > ties[other]))
        heap[place] = other if second else one
        place = child + second
    if 2 * place + 2 == left:
        heap[place] = heap[left - 1]
        place = left - 1
    heap[place] = job
    push(heap, place, at, ties, job)
    return first
