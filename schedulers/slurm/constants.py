"""Numbers of Slurm's scheduling, in seconds; what is compiled takes them from here."""

GROUP = 30.0
"""Ends that are so close are looked at together."""
SOON = 1.0
"""A job that outlives its limit is taken to end in so many seconds."""
MARGIN = 1e-3
"""What is remembered is given up so long before it may change."""

ALL = 2**62
"""Above the number of each job."""
