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
    while True:
        child = 2 * place + 1
        if child >= left:
            break
        if child + 1 < left and _earlier(at, ties, heap[child + 1], heap[child]):
            child += 1
        if not _earlier(at, ties, heap[child], job):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = job
    return first
