"""The instructions on a study's page: how to change the batch system, and how to go back.

The instructions were tested on Slurm 22.05.8, 24.11.5 and 25.11.7 and on OpenPBS 23.06.06. Three
other ways shortened or killed jobs: predictions as time limits that a prolog restores, `time_min`
before Slurm 25.05.4, and another order of the steps that switch soft limits off.
"""

from typing import TYPE_CHECKING, Literal

from pred_aware.report.table import Table
from pred_aware.site_configuration.reading import has_soft_limits, slurm_version

if TYPE_CHECKING:
    from pred_aware.study.reading import ReadLog

SETUP = "setup"
"""The anchor of the instructions on the page."""
System = Literal["PBS", "Slurm", ""]
_BY_FORMAT: dict[str, System] = {"pbs": "PBS", "slurm": "Slurm", "m100": "Slurm"}

_PBS_CHANGE = (
    "pred-aware service files writes the service and a hook that sets soft_walltime at qsub. "
    "Begin with a dry run. PBS plans ahead only with strict_ordering: true and a backfill_depth; "
    "pred-aware service pbs-check checks these settings."
)
_PBS_BACK = (
    'qmgr -c "set hook pred_aware enabled = False" acts immediately. Soft walltimes that are '
    "already set kill no job."
)
_SLURM_CHANGE = (
    "In this order: first SchedulerParameters=time_min_as_soft_limit and scontrol reconfigure; "
    "then the service (pred-aware service files); last a job_submit.lua that the site writes and "
    "tests. This script requests a prediction from the service and sets time_min. It must not "
    "change a job whose time limit overlaps a reservation."
)
_SLURM_BACK = (
    "In this order: 1. Take the script out of JobSubmitPlugins, scontrol reconfigure. 2. scontrol "
    "update JobId=... TimeMin=0 for each waiting job. 3. When no waiting or running job has a "
    "TimeMin, remove time_min_as_soft_limit. Without this option Slurm can shorten the time limit "
    "of a job to its TimeMin."
)
_OLD_SLURM = (
    "Change nothing in Slurm's configuration: time_min, or a prediction as the time limit, can "
    "shorten or kill jobs. Show predictions to users instead (pred-aware service serve)."
)
_RISK = (
    "A wrong prediction makes the plan worse but kills no job: only the time limit that the user "
    "requested kills it. If the predictor fails, the scheduler plans with these limits, as today."
)
_COST = (
    "The service answers in 0.1 ms and uses 72 MB of memory. The hook adds 2 ms to a qsub. "
    "Test the predictions first on a copy of the accounting files (pred-aware service shadow)."
)


def recipe(system: System, version: str) -> list[tuple[str, str]]:
    """Return the instructions for a version of a batch system as pairs of a label and a text."""
    rows = []
    if system != "Slurm":
        rows += [("PBS: change", _PBS_CHANGE), ("PBS: go back", _PBS_BACK)]
    if system != "PBS" and (not version or has_soft_limits(version)):
        rows += [("Slurm from 25.05.4 on: change", _SLURM_CHANGE), ("Slurm: go back", _SLURM_BACK)]
    if system != "PBS" and not has_soft_limits(version):
        rows.append(("Slurm before 25.05.4", _OLD_SLURM))
    return [*rows, ("what can go wrong", _RISK), ("cost", _COST)]


def recipe_table(log: "ReadLog") -> Table:
    """Return the instructions for the log's batch system as a table."""
    system = _BY_FORMAT.get(log.format, "")
    if log.site is not None and (log.site.slurm is not None or log.site.openpbs is not None):
        system = "PBS" if log.site.slurm is None else "Slurm"
    rows = tuple(recipe(system, slurm_version(log.site)))
    return Table("Set up and go back", ("", ""), rows, words=True)
