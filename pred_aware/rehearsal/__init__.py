"""A rehearsal: the soft walltimes that the service would have set on a log, and their effects."""

from pred_aware.rehearsal.rehearsal import Rehearsal, rehearse

__all__ = ["Rehearsal", "rehearse"]
