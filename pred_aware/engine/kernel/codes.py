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
GIVEN, LAST_TWO = range(2)
"""Where estimates come from: made before, or by a rule from the jobs that have ended."""

NEVER = float("inf")

FREE, WAITING, RUNNING, PLANNED, STARTS, CHANGES, OVER, CHOSEN, ORDERED, FAILED = range(10)
STEPS, ENDED, ANEW = range(10, 13)
"""Places in `State.counts`; the last two say that a job has ended, and that the plan is wrong."""
COUNTS = 13
