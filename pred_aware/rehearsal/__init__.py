"""A rehearsal: what the service would have set for a log's jobs, and with which effects."""

from pred_aware.rehearsal.rehearsal import Rehearsal, rehearse

__all__ = ["Rehearsal", "rehearse"]
