"""Growing trees on classes of numbers, in loops that are compiled.

Each step does what `sklearn.ensemble.HistGradientBoostingRegressor` does for the squared error
without missing values, categories or constraints, sums in its order: so both trees are the same to
the last bit. Nothing is allocated here.
"""

import numpy as np
from numpy.typing import NDArray

from predictors.compiled import compiled
from predictors.regression.histograms.values import BinTable, Counts, Floats, Options, Trees, Work

_LEAST = 1e-15
"""Added to the number of jobs that a sum is divided by, as scikit-learn does."""
_ROUNDED = 1e-12
"""Of a sum, more than what rounding makes of it."""
_EIGHT = 8
_HALF = 128


@compiled
def _sum_of_first(sums: Floats, classes: int) -> float:
    """Add up the gradients of the first column as numpy does 256 numbers: pairwise, eight apart."""
    total = 0.0
    for half in range(2):
        a = b = c = d = e = f = g = h = 0.0
        for first in range(half * _HALF, min((half + 1) * _HALF, classes), _EIGHT):
            a += sums[first]
            b += sums[first + 1] if first + 1 < classes else 0.0
            c += sums[first + 2] if first + 2 < classes else 0.0
            d += sums[first + 3] if first + 3 < classes else 0.0
            e += sums[first + 4] if first + 4 < classes else 0.0
            f += sums[first + 5] if first + 5 < classes else 0.0
            g += sums[first + 6] if first + 6 < classes else 0.0
            h += sums[first + 7] if first + 7 < classes else 0.0
        total += ((a + b) + (c + d)) + ((e + f) + (g + h))
    return total


@compiled
def _fill_root(table: BinTable, work: Work, place: int) -> None:
    """Make the histogram of all jobs, whose numbers are known."""
    # numbers apart from sums: so these alone are in the processor's nearest cache
    sums, numbers = work.sums[place], work.numbers[place]
    for entry in range(len(sums)):
        sums[entry] = 0.0
        numbers[entry] = table.jobs_of[entry]
    columns = table.classes.shape[1]
    for job in range(table.classes.shape[0]):
        gradient = np.float64(work.gradients[job])
        for column in range(columns):
            sums[table.classes[job, column]] += gradient


@compiled
def _fill(table: BinTable, work: Work, node: int) -> None:
    """Make the histogram of a node's jobs."""
    sums, numbers = work.sums[work.place[node]], work.numbers[work.place[node]]
    for entry in range(len(sums)):
        sums[entry] = 0.0
        numbers[entry] = 0
    columns = table.classes.shape[1]
    for index in range(work.start[node], work.stop[node]):
        job = work.jobs[index]
        gradient = np.float64(work.gradients[job])
        for column in range(columns):
            entry = table.classes[job, column]
            sums[entry] += gradient
            numbers[entry] += 1


@compiled
def _take_away(work: Work, place: int, other: int) -> None:
    """Take a histogram from its parent's, which is that of the other child then."""
    sums, numbers = work.sums[place], work.numbers[place]
    less_sums, less_numbers = work.sums[other], work.numbers[other]
    for entry in range(len(sums)):
        sums[entry] -= less_sums[entry]
    for entry in range(len(numbers)):
        numbers[entry] -= less_numbers[entry]


@compiled
def _less_rounded(best: float, loss: float) -> float:
    """Return what squares by numbers of jobs must add up to for a gain above `best`, or less."""
    return (best - loss) - _ROUNDED * (best + abs(loss))


@compiled
def _find_split(
    table: BinTable, options: Options, work: Work, trees: Trees, tree: int, node: int
) -> bool:
    """Find a node's best split, the first of equally good ones; say whether there is one."""
    number, total = work.stop[node] - work.start[node], work.total[node]
    loss, least = total * work.value[node], options.min_samples_leaf
    jobs, place, best = np.float64(number), work.place[node], 0.0
    for column in range(len(table.bounds) - 1):
        first, until = table.bounds[column], table.bounds[column + 1]
        sums, numbers = work.sums[place, first:until], work.numbers[place, first:until]
        left, many = 0.0, 0
        beyond = _less_rounded(best, loss)
        for entry in range(len(sums) - 1):
            left += sums[entry]
            many += numbers[entry]
            if many < least:
                continue
            if number - many < least:
                break
            right, count = total - left, np.float64(many)
            others = jobs - count
            # both sides by both numbers of jobs: to divide for each class takes longest of all
            if not left * left * others + right * right * count > beyond * (count * others):
                continue
            left_value = -left / (count + _LEAST)
            right_value = -right / (others + _LEAST)
            gain = loss - left * left_value - right * right_value
            if gain > best:
                best = gain
                beyond = _less_rounded(best, loss)
                trees.column[tree, node], trees.cut[tree, node] = column, first + entry
                work.left_total[node], work.left_jobs[node] = left, count
                work.gain[node] = gain
    return best > 0.0


@compiled
def _rise(work: Work, place: int, node: int) -> None:
    """Put a node into a free place of the heap, or above it, below the first of no less gain."""
    heap, gain = work.heap, work.gain
    while place > 0:
        parent = (place - 1) >> 1
        if not gain[node] > gain[heap[parent]]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = node


@compiled
def _push(work: Work, size: int, node: int) -> int:
    """Put a node into the heap, as `heapq` does: equal gains come out in its order."""
    _rise(work, size, node)
    return size + 1


@compiled
def _pop(work: Work, size: int) -> int:
    """Take the node of the largest gain out of a heap, as `heapq` does."""
    heap, gain = work.heap, work.gain
    top, last = heap[0], heap[size - 1]
    size -= 1
    place, child = 0, 1
    while child < size:
        if child + 1 < size and not gain[heap[child]] > gain[heap[child + 1]]:
            child += 1
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    _rise(work, place, last)
    return top


@compiled
def _part(table: BinTable, work: Work, trees: Trees, tree: int, node: int) -> int:
    """Put a node's jobs that go left before the others; return where these begin."""
    classes, cut = table.by_column[trees.column[tree, node]], trees.cut[tree, node]
    jobs, aside = work.jobs[work.start[node] : work.stop[node]], work.aside
    # unsigned, since places from the end take longer; without a branch to be guessed wrongly
    border = others = np.uint64(0)
    for index in range(len(jobs)):
        job = jobs[index]
        goes = np.uint64(classes[job] <= cut)
        jobs[border] = aside[others] = job
        border += goes
        others += np.uint64(1) - goes
    for index in range(others):
        jobs[border + index] = aside[index]
    return work.start[node] + np.int64(border)


@compiled
def _split(work: Work, node: int, left: int, border: int) -> None:
    """Note what the two children of a node are."""
    right = left + 1
    work.start[left], work.stop[left] = work.start[node], border
    work.start[right], work.stop[right] = border, work.stop[node]
    work.total[left] = work.left_total[node]
    work.total[right] = work.total[node] - work.left_total[node]
    jobs = np.float64(work.stop[node] - work.start[node])
    work.value[left] = -work.total[left] / (work.left_jobs[node] + _LEAST)
    work.value[right] = -work.total[right] / (jobs - work.left_jobs[node] + _LEAST)


@compiled
def _grow(table: BinTable, options: Options, work: Work, trees: Trees, tree: int) -> int:
    """Grow a tree, the best split first; return its number of nodes."""
    fewest = 2 * options.min_samples_leaf
    for place in range(len(work.unused)):
        work.unused[place] = place
    unused = len(work.unused) - 1
    work.place[0] = work.unused[unused]
    work.start[0], work.stop[0] = 0, len(work.jobs)
    work.value[0] = 0.0
    _fill_root(table, work, work.place[0])
    work.total[0] = _sum_of_first(work.sums[work.place[0]], table.bounds[1])
    nodes, size, leaves = 1, 0, 1
    trees.left[tree, 0] = -1
    if len(work.jobs) >= fewest and _find_split(table, options, work, trees, tree, 0):
        size, leaves = _push(work, 0, 0), 0
    while size > 0:
        node = _pop(work, size)
        size -= 1
        left, right = nodes, nodes + 1
        nodes += 2
        _split(work, node, left, _part(table, work, trees, tree, node))
        trees.left[tree, node], trees.right[tree, node] = left, right
        trees.left[tree, left] = trees.left[tree, right] = -1
        if leaves + size + 2 == options.max_leaves:
            break
        smaller, larger = right, left
        if work.stop[left] - work.start[left] < work.stop[right] - work.start[right]:
            smaller, larger = left, right
        if work.stop[larger] - work.start[larger] >= fewest:
            unused -= 1
            work.place[smaller] = work.unused[unused]
            work.place[larger] = work.place[node]
            _fill(table, work, smaller)
            _take_away(work, work.place[larger], work.place[smaller])
        else:
            work.place[smaller] = work.place[larger] = -1
            work.unused[unused] = work.place[node]
            unused += 1
        for child in (left, right):
            if work.stop[child] - work.start[child] >= fewest and _find_split(
                table, options, work, trees, tree, child
            ):
                size = _push(work, size, child)
                continue
            leaves += 1
            if work.place[child] >= 0:
                work.unused[unused] = work.place[child]
                unused += 1
    return nodes


@compiled
def boost(table: BinTable, options: Options, work: Work, trees: Trees) -> None:
    """Grow all trees, each on what those before it leave."""
    jobs = len(table.targets)
    for job in range(jobs):
        work.predicted[job] = options.base
    for tree in range(len(trees.left)):
        for job in range(jobs):
            work.gradients[job] = np.float32(work.predicted[job] - table.targets[job])
            work.jobs[job] = job
        nodes = _grow(table, options, work, trees, tree)
        for node in range(nodes):
            if trees.left[tree, node] < 0:
                value = work.value[node] * options.learning_rate
                trees.value[tree, node] = value
                for index in range(work.start[node], work.stop[node]):
                    work.predicted[work.jobs[index]] += value


@compiled
def classify(
    numbers: Floats, cuts: Floats, first: int, classes: NDArray[np.uint16], jobs: Counts
) -> None:
    """Put each number of a column into the class behind the last cut below it, and count them."""
    number_of_cuts = len(cuts)
    for job in range(len(numbers)):
        number = numbers[job]
        # the same steps for each number, without a branch that could be guessed wrongly
        low, width = 0, number_of_cuts
        while width > 1:
            half = width >> 1
            low += half * (cuts[low + half - 1] < number)
            width -= half
        if width == 1:
            low += cuts[low] < number
        classes[job] = first + low
        jobs[first + low] += 1
