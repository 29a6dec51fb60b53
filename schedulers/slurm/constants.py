"""Constants of Slurm's scheduling, in seconds. Compiled modules import them from here."""

GROUP = 30.0
"""Backfill puts planned ends that are so close into one group."""
SOON = 1.0
"""Backfill assumes that a job that has run beyond its limit ends after this time."""
MARGIN = 1e-3
"""The planner forgets remembered results this long before they may change."""

ALL = 2**62
"""A number larger than the number of any job."""
