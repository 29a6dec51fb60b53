"""The recipe of a study's page: what to change in the batch system, how to go back, and the cost.

Versions and effects were tried on Slurm 22.05.8, 24.11.5 and 25.11.7 and on OpenPBS 23.06.06. There
jobs were cut or killed by predictions in the time limit of waiting jobs, which a prolog took back,
by `time_min` below 25.05.4, and when soft limits were switched off in another order than here.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from pred_aware.report.table import Table
from pred_aware.site_configuration.soft_limits import has_soft_limits, slurm_version

if TYPE_CHECKING:
    from pred_aware.study.reading import ReadLog

SETUP = "setup"
"""The anchor of the recipe."""
_COST = (
    "The service answers in 0.1 ms and takes 72 MB of memory; the hook adds 2 ms to a qsub. "
    "Rehearse first on a copy of the accounting files (`pred-aware service shadow`)."
)
System = Literal["PBS", "Slurm", ""]

_BY_FORMAT: dict[str, System] = {"pbs": "PBS", "slurm": "Slurm", "m100": "Slurm"}


def _system_of(log: "ReadLog") -> System:
    """Return which batch system the log is of; empty where it does not tell."""
    if log.site is not None and log.site.slurm is not None:
        return "Slurm"
    if log.site is not None and log.site.openpbs is not None:
        return "PBS"
    return _BY_FORMAT.get(log.format, "")


_PBS = (
    "`pred-aware service files` writes the service, and a hook that sets `soft_walltime` at qsub; "
    "begin with a dry run. PBS plans ahead only with `strict_ordering: true` and a "
    "`backfill_depth`; `pred-aware service pbs-check` checks all of it."
)
_INFORM = (
    "Slurm below 25.05.4: nothing in its configuration. `time_min`, or a prediction as the time "
    "limit, can cut or kill jobs. Let predictions inform people (`pred-aware service serve`)."
)
_SOFT_LIMITS = (
    "Slurm from 25.05.4 on, in this order: first `SchedulerParameters=time_min_as_soft_limit` and "
    "`scontrol reconfigure`; then the service (`pred-aware service files`); last a tested "
    "`job_submit.lua` of the site, which asks the service and sets `time_min`. It leaves a job "
    "alone whose limit reaches into a reservation."
)


def _changes(system: System, version: str) -> Iterator[str]:
    """Yield what is changed in the batch system."""
    if system != "Slurm":
        yield f"{'' if system else 'PBS: '}{_PBS}"
    if system != "PBS":
        if not has_soft_limits(version):
            yield _INFORM
        if not version or has_soft_limits(version):
            yield _SOFT_LIMITS


def _undoing(system: System, version: str) -> Iterator[str]:
    """Yield how to go back."""
    if system != "Slurm":
        yield (
            f'{"" if system else "PBS: "}`qmgr -c "set hook pred_aware enabled = False"` acts at '
            "once. Soft walltimes that are set already kill no job."
        )
    if system != "PBS" and (not version or has_soft_limits(version)):
        yield (
            "Slurm, in this order: 1. Take the script out of `JobSubmitPlugins`, `scontrol "
            "reconfigure`. 2. `scontrol update JobId=... TimeMin=0` for each job that waits. 3. "
            "When no job shows a TimeMin, waiting or running, remove `time_min_as_soft_limit`: "
            "without it Slurm cuts jobs to their TimeMin."
        )
    if system != "PBS" and not has_soft_limits(version):
        yield "Slurm below 25.05.4: nothing was changed; stop the service."


def _failing(system: System, version: str) -> Iterator[str]:
    """Say what becomes of jobs when predictions are wrong or the predictor fails."""
    if system == "Slurm" and version and not has_soft_limits(version):
        yield "Predictions stay outside Slurm, so that a wrong one changes no job."
        return
    yield (
        "A wrong prediction makes a worse plan and kills no job: only the user's own limit does. "
        "Without the predictor, jobs are planned with their own limits, as today."
    )
    if system != "PBS":
        yield ("In Slurm this holds from 25.05.4 on, while `time_min_as_soft_limit` is set.")


def recipe(system: System, version: str) -> Iterator[tuple[str, str]]:
    """Yield what an administrator asks, and the answer, for a batch system and its version."""
    yield from (("change", one) for one in _changes(system, version))
    yield from (("go back", one) for one in _undoing(system, version))
    yield from (("what can go wrong", one) for one in _failing(system, version))
    yield "cost", _COST


def recipe_table(log: "ReadLog") -> Table:
    """Return the recipe for the log's batch system."""
    rows = recipe(_system_of(log), slurm_version(log.site))
    told = tuple((what, text.replace("`", "")) for what, text in rows)
    return Table("Set up and go back", ("", ""), told, words=True)
