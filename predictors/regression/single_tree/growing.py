"""Growing a regression tree, in loops that are compiled.

Each step does what `sklearn.tree.DecisionTreeRegressor` does for the squared error without weights,
missing values or limits but those of depth and leaves: it draws columns as that one does, and takes
the first of equally good splits. Sums of whole numbers are exact in whatever order they are made,
so both trees are the same to the last bit, and jobs of equal rows, which nothing parts, are one row
with their sums. Nothing is allocated here.
"""

from typing import Final

import numpy as np

from predictors.compiled import compiled
from predictors.regression.single_tree.values import (
    BEGIN,
    CLASS,
    COLUMN,
    COUNT_BITS,
    DEPTH,
    END,
    IS_LEFT,
    KNOWN,
    MOST_JOBS,
    PARENT,
    SAME,
    SQUARES,
    STATE,
    SUMMED,
    SplitTable,
    Tree,
    Work,
)

_EPSILON: Final = float(np.finfo(np.float64).eps)
_CLOSE: Final = np.float32(1e-7)
"""Numbers so close are not parted, as there."""
_PLACES: Final = 32
_ONES: Final = 0xFFFFFFFF
_POSITIVE: Final = 0x7FFFFFFF
_GAP: Final = 3
_DENSE: Final = 4
"""So many classes for each row are gone through rather than sorting the rows."""


@compiled
def _draw(work: Work, low: int, high: int) -> int:
    """Return a random number from `low` to below `high`: Marsaglia's xorshift of 32 bits."""
    state = work.numbers[STATE]
    state ^= (state << 13) & _ONES
    state ^= state >> 17
    state ^= (state << 5) & _ONES
    work.numbers[STATE] = state
    drawn: int = low + (state & _POSITIVE) % (high - low)
    return drawn


@compiled
def _swap(work: Work, one: int, other: int) -> None:
    columns = work.columns
    columns[one], columns[other] = columns[other], columns[one]


@compiled
def _sort(work: Work, number: int) -> None:
    """Sort the first keys: by ever smaller gaps, by insertion in the end."""
    keys, gap = work.keys, 1
    while gap < number // _GAP:
        gap = _GAP * gap + 1
    while gap > 0:
        for place in range(gap, number):
            key, before = keys[place], place
            while before >= gap and keys[before - gap] > key:
                keys[before] = keys[before - gap]
                before -= gap
            keys[before] = key
        gap //= _GAP


@compiled
def _look_at(table: SplitTable, work: Work, column: int, begin: int, end: int) -> int:
    """Add up the node's targets in each class of a column in order; return how many it has."""
    # parts of arrays, in which no place is counted from the end: looking for that takes longer
    rows, targets = work.rows[begin:end], work.targets[begin:end]
    classes, sums = table.classes[column], work.sums
    lowest, highest = 0, table.first[column + 1] - table.first[column] - 1
    if highest >= _DENSE * len(rows):
        lowest, highest = highest, lowest
        for place in range(len(rows)):
            lowest = min(lowest, np.int64(classes[rows[place]]))
            highest = max(highest, np.int64(classes[rows[place]]))
    last = -1
    if highest - lowest < _DENSE * len(rows):
        for place in range(len(rows)):
            sums[classes[rows[place]]] += targets[place]
        sums = sums[lowest : highest + 1]
        for place in range(len(sums)):
            if sums[place]:
                last += 1
                work.present[last], work.present_sums[last] = lowest + place, sums[place]
                sums[place] = 0
        return last + 1
    for place in range(len(rows)):
        work.keys[place] = (np.int64(classes[rows[place]]) << _PLACES) | place
    _sort(work, len(rows))
    for one in range(len(rows)):
        found, target = work.keys[one] >> _PLACES, targets[work.keys[one] & _ONES]
        if last < 0 or work.present[last] != found:
            last += 1
            work.present[last], work.present_sums[last] = found, 0
        work.present_sums[last] += target
    return last + 1


@compiled
def _is_close(table: SplitTable, column: int, one: int, other: int) -> bool:
    """Say whether the number of a class is hardly above that of another."""
    numbers, first = table.distinct, table.first[column]
    return bool(numbers[first + other] <= np.float32(numbers[first + one] + _CLOSE))


@compiled
def _best_of(
    table: SplitTable, work: Work, column: int, classes: int, summed: int, fewest: int, best: float
) -> tuple[float, float]:
    """Try all splits of a column; return how good the best is by now, and its threshold if new."""
    jobs, total, until, threshold = summed & MOST_JOBS, summed >> COUNT_BITS, 0, np.nan
    for place in range(classes - 1):
        until += work.present_sums[place]
        count, of_left = until & MOST_JOBS, until >> COUNT_BITS
        one, other = work.present[place], work.present[place + 1]
        if count < fewest or jobs - count < fewest or _is_close(table, column, one, other):
            continue
        left, right = np.float64(of_left), np.float64(total - of_left)
        good = left * left / count + right * right / (jobs - count)
        if good > best:
            best = good
            numbers, first = table.distinct, table.first[column]
            threshold = np.float64(numbers[first + one]) / 2.0
            threshold += np.float64(numbers[first + other]) / 2.0
            work.numbers[CLASS], work.numbers[COLUMN] = one, column
    return best, threshold


@compiled
def _find_split(
    table: SplitTable, work: Work, begin: int, end: int, known: int, summed: int, fewest: int
) -> float:
    """Find the best split of a node's rows; return its threshold, NaN where there is none."""
    columns, same = work.columns, work.same
    left, drawn, found = len(columns), 0, 0
    best, threshold = -np.inf, np.nan
    while left > known + found:
        place = _draw(work, drawn, left - found)
        if place < known:
            _swap(work, drawn, place)
            drawn += 1
            continue
        place += found
        column = columns[place]
        classes = _look_at(table, work, column, begin, end)
        if classes == 1 or _is_close(table, column, work.present[0], work.present[classes - 1]):
            _swap(work, place, known + found)
            found += 1
            continue
        left -= 1
        _swap(work, left, place)
        best, new = _best_of(table, work, column, classes, summed, fewest, best)
        if not np.isnan(new):
            threshold = new
    # the order of those that were known is that of the siblings, too
    for place in range(known):
        columns[place] = same[place]
    for place in range(known, known + found):
        same[place] = columns[place]
    work.numbers[SAME] = known + found
    return threshold


@compiled
def _part(table: SplitTable, work: Work, begin: int, end: int) -> tuple[int, int, int]:
    """Put the rows of the left side first; return how many, the sums of targets and squares."""
    classes, rows, targets = table.classes[work.numbers[COLUMN]], work.rows, work.targets
    summed = squares = 0
    first, last, until = np.uint64(begin), np.uint64(end), work.numbers[CLASS]
    while first < last:
        row, target = rows[first], targets[first]
        if classes[row] <= until:
            summed += target
            squares += table.squares[row]
            first += np.uint64(1)
        else:
            last -= np.uint64(1)
            rows[first], rows[last] = rows[last], row
            targets[first], targets[last] = targets[last], target
    return int(np.int64(first)) - begin, summed, squares


@compiled
def _impurity(summed: int, squares: int) -> float:
    """Return the variance of targets, of which these are the sums."""
    jobs: int = summed & MOST_JOBS
    mean = (summed >> COUNT_BITS) / jobs
    return squares / jobs - mean * mean


@compiled
def _push(  # noqa: PLR0913, PLR0917 - compiled
    work: Work, size: int, begin: int, end: int, depth: int, parent: int, is_left: int,
    known: int, summed: int, squares: int,
) -> int:  # fmt: skip
    stacked = work.stack[size]
    stacked[BEGIN], stacked[END], stacked[DEPTH] = begin, end, depth
    stacked[PARENT], stacked[IS_LEFT], stacked[KNOWN] = parent, is_left, known
    stacked[SUMMED], stacked[SQUARES] = summed, squares
    return size + 1


@compiled
def grow(table: SplitTable, work: Work, tree: Tree, deepest: int, fewest: int) -> int:
    """Grow a tree down to so many levels, with so many jobs in a leaf; return how many nodes."""
    summed = squares = 0
    for row in range(len(table.targets)):
        work.rows[row], work.targets[row] = row, table.targets[row]
        summed += table.targets[row]
        squares += table.squares[row]
    for column in range(len(work.columns)):
        work.columns[column] = column
    everybody = summed & MOST_JOBS
    nodes, size = 0, _push(work, 0, 0, len(work.rows), 0, -1, 0, 0, summed, squares)
    while size > 0:
        size -= 1
        stacked = work.stack[size]
        begin, end, depth, known = stacked[BEGIN], stacked[END], stacked[DEPTH], stacked[KNOWN]
        summed, squares, node = stacked[SUMMED], stacked[SQUARES], nodes
        jobs, total, impurity = summed & MOST_JOBS, summed >> COUNT_BITS, _impurity(summed, squares)
        nodes += 1
        if node > 0 and stacked[IS_LEFT]:
            tree.left[stacked[PARENT]] = node
        elif node > 0:
            tree.right[stacked[PARENT]] = node
        tree.value[node] = total / jobs
        tree.left[node] = tree.right[node] = tree.column[node] = -1
        if depth >= deepest or jobs < 2 * fewest or jobs == 1 or impurity <= _EPSILON:
            continue
        threshold = _find_split(table, work, begin, end, known, summed, fewest)
        if np.isnan(threshold):
            continue
        rows, left, squared = _part(table, work, begin, end)
        share, other = (left & MOST_JOBS) / jobs, ((summed - left) & MOST_JOBS) / jobs
        of_left, of_right = _impurity(left, squared), _impurity(summed - left, squares - squared)
        gain = jobs / everybody * (impurity - other * of_right - share * of_left)
        if gain + _EPSILON < 0.0:
            continue
        tree.column[node], tree.threshold[node] = work.numbers[COLUMN], threshold
        known, middle = work.numbers[SAME], begin + rows
        size = _push(
            work, size, middle, end, depth + 1, node, 0, known, summed - left, squares - squared
        )
        size = _push(work, size, begin, middle, depth + 1, node, 1, known, left, squared)
    return nodes
