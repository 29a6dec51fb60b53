"""What the compiled loops know parts, states and places by."""

FCFS, SJF, SAF, LXF, WFP = range(5)
"""Orders."""
NONE, FILLER, EASY, CONSERVATIVE = range(4)
"""Backfillings."""
QUEUE, SHORTEST, SMALLEST, BEST_FIT = range(4)
"""Orders of candidates."""
KEEPS, TO_WALLTIME, DOUBLING, SIMPLE, POWER, TSAFRIR = range(6)
"""Corrections; the first asks for none."""
AS_HEAD, FROM_QUEUE, BACKFILLED = range(3)
"""How a job was started."""
FITS, TOO_LARGE, UNKNOWN = range(3)
"""Why a job is rejected, if it is."""
GIVEN, LAST_TWO, ASKED = range(3)
"""Where estimates come from: made before, by a rule from the jobs that have ended, or asked for at
each submission."""

NEVER = float("inf")

FREE, WAITING, RUNNING, PLANNED, STARTS, CHANGES, OVER, CHOSEN, ORDERED, FAILED = range(10)
ENDED, ANEW, TRUSTS, SUBMITTED, ESTIMATED, ASKS = range(10, 16)
"""Places in `State.counts`; `ENDED` says that a job has, `ANEW` that the plan is wrong, `TRUSTS`
that estimates are used, and `ASKS` that those of the jobs from `SUBMITTED` on are asked for."""
COUNTS = 16

USED, REQUESTED, LONGEST, WAIT, BACKLOG, SETTLED = range(6)
SUMS = 6
"""Places in `Bound.sums`; see `bound` and `backlog`."""
LOOKS, UNSETTLED = range(2)
BOUND_COUNTS = 2
"""Places in `Bound.counts`; see `backlog`."""
SEEN, PAIRS, RIGHT, RIGHT_OF_WALLTIMES, CHANGED = range(5)
TRUST_COUNTS = 5
"""Places in `Trust.counts`; see `trust`."""
