"""Constants of the core, which stay Python's where the rest is compiled."""

NEVER = float("inf")
"""A date that never comes, and a run time of which nothing is known; in seconds."""

HEAD, QUEUE, BACKFILLED = "head", "queue", "backfilled"
"""The ways in which a job is started; see `Job.started_as`."""
