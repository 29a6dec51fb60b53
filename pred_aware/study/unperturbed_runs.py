"""The runs of the log as it is, whole, with their files."""

from pathlib import Path
from time import monotonic

from pred_aware.campaign.store import Store
from pred_aware.errors import PredAwareError
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from pred_aware.study.campaign import StudyCampaign
from pred_aware.study.request import OnProgress


def unperturbed_run(
    campaign: StudyCampaign,
    name: str,
    *,
    folder: Path,
    on_progress: OnProgress,
    until: float | None,
) -> Run | None:
    """Simulate the log as it is, or read the run that an earlier call has written.

    Parameters
    ----------
    campaign
        All runs of the study.
    name
        The policy, by which the run's files are named.
    folder
        Where they are.
    on_progress
        Called with what is done.
    until
        When the time is up, by the monotonic clock; ``None`` for as long as it takes.

    Returns
    -------
    Run or None
        ``None`` where the time was up before it was made.

    Raises
    ------
    PredAwareError, SchedulerError, SimulationError
        No job can be simulated, or the files cannot be written.
    """
    place, digest = campaign.known_by(name)
    on_progress(f"Simulating the log under {name}")
    run = _kept(campaign, folder / name, digest)
    if run is not None:
        return run
    if until is not None and monotonic() >= until:
        return None
    try:
        run, _, _ = campaign.maker.make(place, digest=digest, progress=ends_at(until))
    except TimeIsUp:
        return None
    # several policies of a study may be one scheduler
    run.name = name
    if run.ran.empty:
        reasons = ", ".join(f"{why}: {count:,}" for why, count in run.rejections.items())
        raise PredAwareError(f"no job can be simulated under {name} ({reasons})")
    run.write(folder / name)
    return run


def _kept(campaign: StudyCampaign, prefix: Path, digest: str) -> Run | None:
    """Return a run that an earlier call has written, if it is that of the store."""
    store = Store(campaign.store)
    if not store.has(digest):
        return None
    try:
        run = read_run(prefix, workload=campaign.workload)
        same = run.jobs_sha256 == store.read(digest)["jobs_sha256"]
    except PredAwareError:
        # not there, or not whole: an earlier call was stopped before
        return None
    return run if same and run.provenance else None
