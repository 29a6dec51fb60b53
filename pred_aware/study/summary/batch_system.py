"""The site's batch system: what of a result it can do, what is changed in it, and how to undo that.

Versions and effects were tried on Slurm 22.05.8, 24.11.5 and 25.11.7 and on OpenPBS 23.06.06.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pred_aware.study.reading import ReadLog
    from schedulers.site.site import Site

System = Literal["PBS", "Slurm", ""]

_BY_FORMAT: dict[str, System] = {"pbs": "PBS", "slurm": "Slurm", "m100": "Slurm"}
SOFT, WHOLE = (23, 11), (25, 5, 4)
"""The versions of Slurm from which backfill plans with soft limits, and with those of running jobs,
too."""


def system_of(log: "ReadLog") -> System:
    """Return which batch system the log is of; empty where it does not tell."""
    if log.site is not None and log.site.slurm is not None:
        return "Slurm"
    if log.site is not None and log.site.openpbs is not None:
        return "PBS"
    return _BY_FORMAT.get(log.format, "")


def slurm_version(log: "ReadLog") -> tuple[int, ...]:
    """Return Slurm's version; empty where nobody says it."""
    return version_of(log.site)


def version_of(site: "Site | None") -> tuple[int, ...]:
    """Return the version of a site's Slurm; empty where nobody says it."""
    slurm = None if site is None else site.slurm
    told = "" if slurm is None else slurm.version or ""
    return tuple(map(int, re.findall(r"\d+", told)[:3]))


def can_do(system: System, version: tuple[int, ...] = ()) -> str:
    """Say in one sentence what the batch system can do with predictions."""
    if system == "PBS":
        return "PBS can plan with predictions (soft walltimes)."
    if _row_of(version) == OLD:
        return (
            f"Slurm {'.'.join(f'{part:02d}' for part in version)} can plan with predictions while "
            "jobs wait; soft time limits it has from 23.11 on."
        )
    slurm = "Slurm from 23.11 on (soft time limits) can plan with predictions."
    return slurm if system else f"PBS (soft walltimes) and {slurm}"


NEW, MIDDLE, OLD = "25.05.4 or later", "23.11 to 25.05.3", "below 23.11"
_SETS = {
    NEW: "they set `time_min`, with `SchedulerParameters=time_min_as_soft_limit`.",
    MIDDLE: "likewise; expect less, for running jobs are planned to their full limit.",
    OLD: (
        "never `time_min`, which there cuts jobs short. They set the time limit while a job waits, "
        "and `PrologSlurmctld` puts the user's own back when it starts."
    ),
}
_PBS = (
    "`pred-aware service files` writes the service, and a hook that sets `soft_walltime` at qsub; "
    "begin with a dry run. PBS plans ahead only with `strict_ordering: true` and a "
    "`backfill_depth`; `pred-aware service pbs-check` checks all of it."
)
_SERVICE = (
    "`pred-aware service serve --sacct sacct` answers with predictions; a few lines of "
    "`job_submit.lua`, for the site to write, ask it."
)


def _row_of(version: tuple[int, ...]) -> str:
    """Return which versions of Slurm one is among; empty where it is not known."""
    if not version:
        return ""
    return NEW if version >= WHOLE else MIDDLE if version >= SOFT else OLD


def changes(system: System, version: tuple[int, ...] = ()) -> Iterator[str]:
    """Yield what is changed in the batch system."""
    if system != "Slurm":
        yield f"{'' if system else 'PBS: '}{_PBS}"
    if system != "PBS":
        yield f"{'' if system else 'Slurm: '}{_SERVICE}"
        row = _row_of(version)
        if row == MIDDLE:
            yield f"Slurm {NEW}: {_SETS[NEW]}"
        for of, how in _SETS.items():
            if row in {"", of}:
                yield f"Slurm {of}: {how}"


def undoing(system: System, version: tuple[int, ...] = ()) -> Iterator[str]:
    """Yield how to go back."""
    row = _row_of(version)
    if system != "Slurm":
        yield (
            f'{"" if system else "PBS: "}`qmgr -c "set hook pred_aware enabled = False"` acts at '
            "once. Soft walltimes that are set already kill no job."
        )
    if system != "PBS" and row != OLD:
        yield (
            "Slurm from 23.11 on: take the script out of `JobSubmitPlugins`, `scontrol "
            "reconfigure`; then `scontrol update JobId=... TimeMin=0` for the jobs that wait."
        )
    if system != "PBS" and row in {"", OLD}:
        yield (
            "Slurm below 23.11: first give waiting jobs their own limits back; then take out the "
            "script, and the prolog last."
        )


def failing(system: System, version: tuple[int, ...] = ()) -> Iterator[str]:
    """Say what becomes of jobs when predictions are wrong or the predictor fails."""
    yield (
        "A wrong prediction makes a worse plan and kills no job: only the user's own limit does. "
        "Without the predictor, jobs are planned with their own limits, as today."
    )
    if system != "PBS" and _row_of(version) in {"", OLD}:
        yield (
            "Only in Slurm below 23.11: if the prolog fails, a job is killed at its prediction, "
            "unless `OverTimeLimit` lets it go on."
        )
