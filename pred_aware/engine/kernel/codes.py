"""What the compiled loops know parts, states and places by."""

FCFS, SJF, SAF, LXF, WFP, MULTIFACTOR, RANKED = range(7)
"""Orders."""
NONE, FILLER, EASY, CONSERVATIVE, OPENPBS, SLURM = range(6)
"""Backfillings; the last ones plan for several jobs."""
QUEUE, SHORTEST, SMALLEST, BEST_FIT = range(4)
"""Orders of candidates."""
KEEPS, TO_WALLTIME, DOUBLING, SIMPLE, POWER, TSAFRIR, MULTIPLES = range(7)
"""Corrections; the first asks for none."""
AS_HEAD, FROM_QUEUE, BACKFILLED = range(3)
"""How a job was started."""
FITS, TOO_LARGE, UNKNOWN, NOWHERE, ABOVE, TOO_LATE, NO_WALLTIME = range(7)
"""Why a job is rejected, if it is: on a site it can start nowhere, is above a limit of submitted
jobs, or has not started by the date from which it never can."""
GIVEN, LAST_TWO, ASKED = range(3)
"""Where estimates come from: made before, by a rule from the jobs that have ended, or asked for at
each submission."""
STAYS, LEAVES = -1, 0
"""Marks of waiting jobs, as dates of starts are: who leaves the queue has none that is negative."""

NEVER = float("inf")

FREE, WAITING, RUNNING, PLANNED, STARTS, CHANGES, OVER, CHOSEN, ORDERED, FAILED = range(10)
ENDED, ANEW, TRUSTS, SUBMITTED, ESTIMATED, ASKS, THERE, PASSED, HIDDEN, KEPT = range(10, 20)
"""Places in `State.counts`; `ENDED` says that a job has, `ANEW` that the plan is wrong, `TRUSTS`
that estimates are used, and `ASKS` that those of the jobs from `SUBMITTED` on are asked for, or
hours of windows, or more room for what jobs have. So many processors are `THERE`; in a pass that a
limit has ended (`PASSED`) none is free, and those that are are `HIDDEN`. Places that a bound on
waiting gives are `KEPT` from pass to pass beside the running jobs, where nodes don't matter."""
COUNTS = 20
ESTIMATES, HOURS, MORE_ROOM = 1, 2, 3
"""What is asked for."""

USED, REQUESTED, LONGEST, WAIT, BACKLOG, SETTLED = range(6)
SUMS = 6
"""Places in `Bound.sums`; see `bound` and `backlog`."""
LOOKS, UNSETTLED = range(2)
BOUND_COUNTS = 2
"""Places in `Bound.counts`; see `backlog`."""
SEEN, PAIRS, RIGHT, RIGHT_OF_WALLTIMES, CHANGED = range(5)
TRUST_COUNTS = 5
"""Places in `Trust.counts`; see `trust`."""
TOUCHED, UNSURE, STOPPED, COME, HELD, LASTS, CALLS, DUE, DATED = range(9)
GATE_COUNTS = 9
"""Places in `Gate.counts`: how many there are in its lists, or of jobs that are alike so; whether a
pass is due, and how many dates of rules have passed."""
NOW, PAST, CHANGES_AT, WAKE = range(4)
GATE_DATES = 4
"""Places in `Gate.at`, dates in seconds: of the pass, of the last look at rules, of the next change
of a window, and of the next call."""
LAST_PASS, PASS_AT, CALLED_AT = range(3)
"""Places in `Calendar.at`: of the last pass, of the next that is wanted, and of the call for it."""
BEGUN, STALE, NODES, ACCOUNTS, LEAVES, NEWS, IN_ORDER, STEPS_MADE = range(8)
PRIORITY_COUNTS = 8
"""Places in `Priority.counts`: whether usage was counted, and factors are old; how many there are,
the last of which are the jobs since the last step, the nodes that were ranked, and the steps."""
AS_ASKED, NODES_HAD, GPUS_HAD = range(3)
"""What a limit counts of a running job: what it has asked for, or how many it has."""
BY_FREEZE, BY_HOLD = range(2)
"""The first rules by their numbers."""
LAST_CYCLE, ARRANGED_AT = range(2)
"""Places in `Pbs.at`: of the last cycle in which eligible times were counted, and of the order."""
ITEMS, OLD = range(2)
PBS_COUNTS = 2
"""Places in `Pbs.counts`: how many jobs wait, and whether the order is that of others."""
