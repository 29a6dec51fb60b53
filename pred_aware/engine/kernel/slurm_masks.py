"""Bit masks of processors, in words, and the choice of those that stand side by side."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.nodes_masks import count_of, first_bits, first_run
from pred_aware.engine.kernel.slurm_values import BITS, HEAD_ROWS, MIXED, PLACED, Slurm

_WHOLE = 2**BITS - 1


@compiled
def room_of(slurm: Slurm, ends: int) -> int:
    """Return the row of what is free after so many ends."""
    return HEAD_ROWS + 2 * len(slurm.unused) + ends


@compiled
def period_of(slurm: Slurm, period: int) -> int:
    """Return the row of what nothing is planned for in a period."""
    return HEAD_ROWS + 3 * len(slurm.unused) + 1 + period


@compiled
def first_after(dates: Floats, low: int, high: int, date: float) -> int:
    """Return the first place from one on, before another, with a later date; else that one."""
    while low < high:
        middle = (low + high) // 2
        if dates[middle] <= date:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def copy(masks: Integers, source: int, target: int) -> None:
    """Copy a mask."""
    for word in range(masks.shape[1]):
        masks[target, word] = masks[source, word]


@compiled
def are_same(masks: Integers, row: int, other: int) -> bool:
    """Say whether two masks are the same."""
    for word in range(masks.shape[1]):  # noqa: SIM110 - compiled
        if masks[row, word] != masks[other, word]:
            return False
    return True


@compiled
def count_in(masks: Integers, row: int) -> int:
    """Return how many bits are set."""
    count = 0
    for word in range(masks.shape[1]):
        count += count_of(masks[row, word])
    return count


@compiled
def leave_out(masks: Integers, row: int, others: int) -> None:
    """Leave others out of a mask."""
    for word in range(masks.shape[1]):
        masks[row, word] &= ~masks[others, word]


@compiled
def keep_common(masks: Integers, row: int, others: int) -> int:
    """Leave all but others out of a mask; return how many bits are still set."""
    count = 0
    for word in range(masks.shape[1]):
        masks[row, word] &= masks[others, word]
        count += count_of(masks[row, word])
    return count


@compiled
def put_in(masks: Integers, row: int, others: int) -> None:
    """Put others into a mask."""
    for word in range(masks.shape[1]):
        masks[row, word] |= masks[others, word]


@compiled
def keep_first(masks: Integers, row: int, count: int) -> None:
    """Keep the lowest of a mask: so many, or all."""
    left = count
    for word in range(masks.shape[1]):
        found = first_bits(masks[row, word], max(left, 0))
        masks[row, word] = found
        left -= count_of(found)


@compiled
def has_room(slurm: Slurm, room: int, usable: int, size: int) -> bool:
    """Say whether so many of the usable processors are free, which are noted."""
    masks, count = slurm.masks, 0
    for word in range(masks.shape[1]):
        found = masks[room, word] & masks[usable, word]
        masks[MIXED, word] = found
        count += count_of(found)
    return count >= size


@compiled_apart
def place_side_by_side(slurm: Slurm, size: int) -> None:
    """Choose so many of those that were noted; see `schedulers.slurm.cluster.side_by_side`."""
    masks, runs, found = slurm.masks, slurm.runs, _list_runs(slurm)
    for word in range(masks.shape[1]):
        masks[PLACED, word] = 0
    while size > 0:
        best = 0
        for run in range(1, found):
            length, known = runs[run, 1], runs[best, 1]
            if (size <= length < known) or (known < size and length > known):
                best = run
        taken = min(runs[best, 1], size)
        _set(masks, PLACED, runs[best, 0], taken)
        runs[best, 1] = 0
        size -= taken


@compiled
def _list_runs(slurm: Slurm) -> int:
    """List the runs among those that were noted, the lowest first; return how many there are."""
    masks, runs, found, behind = slurm.masks, slurm.runs, 0, -1
    for word in range(masks.shape[1]):
        bits = masks[MIXED, word]
        while bits:
            low, length = first_run(bits)
            begin = word * BITS + low
            if begin == behind:
                runs[found - 1, 1] += length
            else:
                runs[found, 0], runs[found, 1] = begin, length
                found += 1
            behind = begin + length
            bits &= ~(_ones(length) << low)
    return found


@compiled
def _ones(count: int) -> int:
    return _WHOLE >> (BITS - count)


@compiled
def _set(masks: Integers, row: int, begin: int, count: int) -> None:
    while count > 0:
        word, low = begin // BITS, begin % BITS
        length = min(count, BITS - low)
        masks[row, word] |= _ones(length) << low
        begin += length
        count -= length
