"""Oddities of a log, in words, each with advice.

The thresholds were chosen with eight logs of the Parallel Workloads Archive and the CERIT-SC log;
`docs/how-to/inspect.md` lists the thresholds.
"""

from typing import TYPE_CHECKING

from pred_aware.inspection.odd_jobs import (
    Oddity,
    about_arrivals,
    about_run_times,
    about_users,
    about_waits,
    about_walltimes,
)
from pred_aware.inspection.odd_log import (
    about_early_jobs,
    about_fields,
    about_machine,
    about_records,
    about_size,
    about_starts,
    about_weeks,
)

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection


def findings(inspection: "Inspection") -> list[Oddity]:
    """Return all findings; the odd ones come first.

    Parameters
    ----------
    inspection
        The inspection of a log.
    """
    parts = (
        about_size,
        about_starts,
        about_early_jobs,
        about_records,
        about_machine,
        about_weeks,
        about_arrivals,
        about_walltimes,
        about_run_times,
        about_waits,
        about_users,
        about_fields,
    )
    found = [finding for part in parts for finding in part(inspection)]
    return sorted(found, key=lambda finding: finding.kind != "odd")
