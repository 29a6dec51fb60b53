"""Choosing nodes that stand side by side, as `schedulers.slurm.runs` defines it.

How many units have room on each node that is looked at stands in `FITS`; those with fewer than a
`bottom` are left out.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_fit import allow, count_units, is_whole, list_chosen
from pred_aware.engine.kernel.nodes_gpus import choose_with_gpus
from pred_aware.engine.kernel.nodes_masks import (
    give,
    high_of,
    low_of,
    lowest_of,
    of_choice,
    of_kind,
    set_at,
)
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    AVAILABLE,
    BITS,
    CHOSEN,
    EXACTLY,
    FITS,
    FREE_OF,
    HEAVIEST,
    LEVELS,
    LIGHTEST,
    MEMORY_OF,
    MEMORY_OF_UNIT,
    MOST,
    ON,
    ON_WIDTH,
    PLACES,
    RUN_BEGIN,
    RUN_BEHIND,
    RUN_RANK,
    RUN_ROOM,
    RUN_WIDTH,
    RUNS,
    SIZE,
    TALLY,
    TOGETHER,
    UNIT,
    WEIGHTS,
    WORDS,
)
from schedulers.slurm.runs import ANY_NUMBER


@compiled_apart
def place_in_runs(
    values: Integers,
    room: int,
    kind: int,
    choice: int,
    most: int,
    old: bool,  # noqa: FBT001 - compiled
) -> bool:
    """Choose where a job has room on the nodes of a choice; say whether there is any.

    Those in `AVAILABLE` are left out. It may have so many at most (0: any number).
    """
    first, last = of_choice(values, choice, LIGHTEST), of_choice(values, choice, HEAVIEST)
    allow(values, room, kind, choice, values[AVAILABLE])
    units = of_kind(values, kind, SIZE) // of_kind(values, kind, UNIT)
    if of_kind(values, kind, TOGETHER):
        among = of_choice(values, choice, PLACES)
        count_units(values, room, kind, among, of_kind(values, kind, MOST))
        found = choose_with_gpus(values, room, kind, first, last, units)
    else:
        _count_fitting(values, room, kind, among=of_choice(values, choice, PLACES))
        found = _in_runs(values, kind, choice, units, most, old)
    if found:
        list_chosen(values, room, kind, choice)
    return found


@compiled
def _count_fitting(values: Integers, room: int, kind: int, among: int) -> None:
    """Fill in how many units have room on each of the nodes that are allowed."""
    unit, memory = of_kind(values, kind, UNIT), of_kind(values, kind, MEMORY_OF_UNIT)
    for word in range(low_of(values, among), high_of(values, among)):
        left = values[values[ALLOWED] + word]
        while left:
            node = word * BITS + lowest_of(left)
            fits = max(values[room + values[FREE_OF] + node], 0) // unit
            if memory:
                fits = min(fits, max(values[room + values[MEMORY_OF] + node], 0) // memory)
            values[values[ON] + ON_WIDTH * node + FITS] = fits
            left &= left - 1


@compiled
def _fits(values: Integers, node: int) -> int:
    return values[values[ON] + ON_WIDTH * node + FITS]


@compiled
def _bounded(fits: int, on_each: int) -> int:
    """Return how many units a node may be given of those that have room there."""
    return min(fits, on_each) if on_each else fits


@compiled
def _in_runs(
    values: Integers,
    kind: int,
    choice: int,
    units: int,
    most: int,
    old: bool,  # noqa: FBT001 - compiled
) -> bool:
    first, last = of_choice(values, choice, LIGHTEST), of_choice(values, choice, HEAVIEST)
    count, on_each, bottom = of_kind(values, kind, EXACTLY), of_kind(values, kind, MOST), 1
    if on_each and count * on_each == units:
        # as many tasks on each
        bottom = on_each
    elif (count or most) == 1:
        # all of them on one
        bottom = units
    by_place = count == 1 and not old and not is_whole(values, kind, choice)
    most = count or most
    while True:
        for rank in range(first, last):
            if _may_suffice(values, first, rank, last, units, count, on_each, bottom):
                runs = _list_runs(values, first, rank, bottom)
                if _choose(values, runs, units, count, most, on_each, by_place):
                    _fill(values, units, on_each)
                    return True
        bottom = _next_bottom(values, first, last, units, count, most, on_each, bottom)
        if bottom < 0:
            return False


@compiled_apart
def _may_suffice(  # noqa: PLR0913, PLR0917 - compiled
    values: Integers,
    first: int,
    rank: int,
    last: int,
    units: int,
    count: int,
    on_each: int,
    bottom: int,
) -> bool:
    """Say whether there are enough nodes, and room on those up to a weight's rank.

    Each node counts that has as much room as one of these; how many have is noted, too.
    """
    tally, levels, room, enough = values[TALLY], values[LEVELS], 0, 0
    for place in range(tally, tally + 2 * levels):
        values[place] = 0
    for place in range(first, last):
        among = values[values[WEIGHTS] + place]
        for word in range(low_of(values, among), high_of(values, among)):
            left = values[set_at(values, among) + word] & values[values[ALLOWED] + word]
            while left:
                fits = _fits(values, word * BITS + lowest_of(left))
                if fits >= bottom:
                    values[tally + fits] += 1
                    if place <= rank:
                        values[tally + levels + fits] = 1
                        room += _bounded(fits, on_each)
                left &= left - 1
    for level in range(1, levels):
        if values[tally + levels + level]:
            enough += values[tally + level]
    return enough >= count and room >= units


@compiled
def _next_bottom(  # noqa: PLR0913, PLR0917 - compiled
    values: Integers,
    first: int,
    last: int,
    units: int,
    count: int,
    most: int,
    on_each: int,
    bottom: int,
) -> int:
    """Return the bottom without the emptiest nodes; -1 where so many can't have the units."""
    if not most or first == last:
        return -1
    _may_suffice(values, first, last - 1, last, units, count, on_each, bottom)
    room, left, lowest = 0, most, 0
    for level in range(values[LEVELS] - 1, 0, -1):
        there = values[values[TALLY] + level]
        taken = min(left, there)
        room += taken * _bounded(level, on_each)
        left -= taken
        if there:
            lowest = level
    if (count and left) or room < units:
        return -1
    return lowest + 1


@compiled_apart
def _list_runs(values: Integers, first: int, rank: int, bottom: int) -> int:
    """List the runs of neighbours of each weight, the lowest first; return how many there are."""
    found, behind = 0, -1
    row = values[RUNS] - RUN_WIDTH
    for place in range(first, rank + 1):
        among, behind = values[values[WEIGHTS] + place], -1
        for word in range(low_of(values, among), high_of(values, among)):
            left = values[set_at(values, among) + word] & values[values[ALLOWED] + word]
            while left:
                node = word * BITS + lowest_of(left)
                fits = _fits(values, node)
                if fits >= bottom:
                    if node != behind:
                        row += RUN_WIDTH
                        found += 1
                        values[row + RUN_RANK], values[row + RUN_ROOM] = place, 0
                        values[row + RUN_BEGIN] = node
                    behind = node + 1
                    values[row + RUN_ROOM] += fits
                    values[row + RUN_BEHIND] = behind
                left &= left - 1
    return found


@compiled_apart
def _choose(
    values: Integers,
    runs: int,
    units: int,
    count: int,
    most: int,
    on_each: int,
    by_place: bool,  # noqa: FBT001 - compiled
) -> bool:
    """Choose the nodes; say whether there are enough."""
    for word in range(values[WORDS]):
        values[values[CHOSEN] + word] = 0
    needed, most = max(count, 1), most or ANY_NUMBER
    while units > 0 or needed > 0:
        best = _best(values, runs, units, needed, by_place) if most > 0 else -1
        if best < 0:
            return False
        node, behind = values[best + RUN_BEGIN], values[best + RUN_BEHIND]
        values[best + RUN_BEHIND] = node
        if needed <= 1:
            alone = _fullest(values, node, behind, units, on_each)
            if alone >= 0:
                node, behind = alone, alone + 1
        while node < behind and most > 0 and (units > 0 or needed > 0):
            room = _bounded(_fits(values, node), on_each)
            if most > 1 or room >= units:
                # one is kept for each of the others
                units -= min(room, max(1, units - max(0, needed - 1)))
                give(values, node, room)
                needed -= 1
                most -= 1
            node += 1
    return True


@compiled
def _best(
    values: Integers,
    runs: int,
    units: int,
    needed: int,
    by_place: bool,  # noqa: FBT001 - compiled
) -> int:
    """Return where the run to take stands; -1 where none is left."""
    best, enough = -1, False
    for row in range(values[RUNS], values[RUNS] + RUN_WIDTH * runs, RUN_WIDTH):
        nodes, room = values[row + RUN_BEHIND] - values[row + RUN_BEGIN], values[row + RUN_ROOM]
        if not nodes:
            continue
        suffices = room >= units and nodes >= needed
        better = best < 0
        if not better and values[row + RUN_RANK] == values[best + RUN_RANK]:
            # so it is: one that does not suffice is better even than a smaller one that does
            better = room > values[best + RUN_ROOM]
            if suffices:
                better = not enough or (not by_place and room < values[best + RUN_ROOM])
        if better:
            best, enough = row, suffices
    return best


@compiled
def _fullest(values: Integers, begin: int, behind: int, units: int, on_each: int) -> int:
    """Return the first of the fullest nodes of a run with room for so many units; or -1."""
    found, least = -1, 0
    for node in range(begin, behind):
        fits = _fits(values, node)
        if _bounded(fits, on_each) >= units and (found < 0 or fits < least):
            found, least = node, fits
    return found


@compiled
def _fill(values: Integers, units: int, on_each: int) -> None:
    """Share units among the nodes that are chosen: as many as have room on the lower ones."""
    others = 0
    for word in range(values[WORDS]):
        left = values[values[CHOSEN] + word]
        while left:
            others += 1
            left &= left - 1
    for word in range(values[WORDS]):
        left = values[values[CHOSEN] + word]
        while left:
            node = word * BITS + lowest_of(left)
            others -= 1
            given = min(_bounded(_fits(values, node), on_each), units - others)
            give(values, node, given)
            units -= given
            left &= left - 1
