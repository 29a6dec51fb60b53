"""The values of a site's rules that the compiled loops work on; see `schedulers.site`."""

from typing import NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers


class Lists(NamedTuple):
    """Linked lists of numbers, each number in one of them at most; -1 stands for none."""

    ends: Integers
    """The first and the last of each list; shape (lists, 2)."""
    links: Integers
    """The neighbours of each number, one before and one after; shape (numbers, 2)."""


class Alikes(NamedTuple):
    """Waiting jobs that the same rules stop, as `schedulers.site.alike` has them; shape (alikes,).

    The first four say where what is theirs begins, and have one entry more.
    """

    stopping: Integers
    """In `Gate.stopping`."""
    counting: Integers
    """In `Gate.counting`."""
    windows: Integers
    """In `Windows.of`."""
    rules: Integers
    """In `Waited`."""
    partition: Integers
    """For freezes."""
    longest: Floats
    """Their walltime, where a window looks at it."""
    by_clock: Integers
    waiting: Integers
    """How many jobs wait."""
    rule: Integers
    """What stops them since; -1: nothing."""
    since: Floats
    stopped: Integers
    unsure: Integers
    touched: Integers
    """Whether they are in `Gate.touched`; the two before as in `schedulers.site.gate`."""


class Asked(NamedTuple):
    """What jobs that are alike ask of counters; shape (entries,)."""

    counter: Integers
    amount: Floats
    alike: Integers


class Counters(NamedTuple):
    """What running jobs have of something, as `schedulers.site.counters`; shape (counters,)."""

    most: Floats
    begin: Floats
    end: Floats
    alone: Integers
    rule: Integers
    runs_off: Integers
    """Whether it counts minutes that are left."""
    period: Floats
    """After how many seconds what has run off of these is taken off again; 0: at once."""
    step: Floats
    """When that was done last."""
    had: Integers
    """Whether it counts the nodes or GPUs that jobs have."""
    used: Floats
    rate: Floats
    taken: Integers
    """How many jobs it counts."""
    running: Lists
    """The jobs of those that have a period, in the order of their starts, by their slots: each has
    `each` of them, for as many counters."""
    since: Floats
    """Since when it runs; shape (slots,), as `rates`."""
    rates: Floats
    """How many minutes of it run off in a second."""
    each: int


class Windows(NamedTuple):
    """Hours in which jobs may not start; see `schedulers.site.windows`."""

    of: Integers
    """The windows that are for jobs that are alike."""
    by_clock: Integers
    """Shape (windows,), as `rule`."""
    rule: Integers
    dates: Floats
    """When each changes, the first before all; shape (windows, most changes)."""
    closed: Integers
    """Whether it is closed from then on, likewise."""
    known: Floats
    """One entry: up to when changes are known."""
    place: Integers
    """How many of its changes have come."""


class Waited(NamedTuple):
    """For how long rules have stopped jobs that are alike; an entry for each rule of theirs."""

    rule: Integers
    seconds: Floats
    rank: Integers
    """Which was the first to stop them, from 0; -1: it has not yet."""


class Booked(NamedTuple):
    """The jobs in the gate's books; shape (jobs,)."""

    alike: Integers
    """-1 where no rule has to do with it."""
    since: Floats
    """When it can run by itself."""
    last: Floats
    """From when on it never can start."""
    submitted: Integers
    """Where the limits of submitted jobs begin in `Gate.submitted`, and how many they are."""
    submitted_count: Integers
    open: Integers
    """Whether it is in the books."""
    number: Integers
    rules: Integers
    """Where those of its alike begin in the next two."""
    had_waited: Floats
    """For how long each had stopped those that are alike when it came, and it, at the start."""
    stopped: Floats
    had: Integers
    """How many nodes and GPUs it has, once it was taken; shape (jobs, 2), (0, 2) where none is
    counted."""
    above: Integers
    """The counter of the limit by which it is refused."""


class Gate(NamedTuple):
    """The rules of a site, and what is kept of them; see `schedulers.site.gate`."""

    alikes: Alikes
    stopping: Asked
    counting: Asked
    counters: Counters
    windows: Windows
    waited: Waited
    jobs: Booked
    waiting: Lists
    """The jobs that wait: a list for each alike."""
    asking: Lists
    """The entries of `stopping` of which jobs wait: a list for each counter."""
    alikes_waiting: Lists
    """The alikes of which jobs wait, where the clock may stop some: one list."""
    submitted: Integers
    """The counters of submitted jobs."""
    refuses: Integers
    """Whether they refuse."""
    dates: Floats
    """When freezes and limits begin and end."""
    freezes: Floats
    """When freezes begin and end."""
    frozen: Integers
    """Whom they stop from then on; shape (dates, partitions)."""
    steps: Floats
    """When the machine changes, and to how many processors."""
    sizes: Integers
    by_time: bool
    """Whether what stops a job may change though nothing ends; the next are why."""
    by_clock: bool
    runs_off: bool
    in_time: bool
    """Whether the machine changes."""
    remembers: bool
    """Whether the backfilling does."""
    cycle: float
    touched: Integers
    come: Integers
    gone: Integers
    back: Integers
    leaves: Integers
    returns: Integers
    released: Integers
    held: Integers
    """A heap by `since`."""
    lasts: Integers
    """A heap by `last`."""
    calls: Floats
    """Descending."""
    first_promise: Floats
    last_promise: Floats
    """Before the pass."""
    at: Floats
    counts: Integers
