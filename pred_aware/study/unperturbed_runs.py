"""The runs of a study of the log as it is, whole, with their files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

from pred_aware.campaign.making.workers import Worker
from pred_aware.campaign.store import Store
from pred_aware.errors import PredAwareError
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from pred_aware.study.campaign import StudyCampaign
from pred_aware.study.request import OnProgress
from pred_aware.study.worker_process import in_worker


class UnperturbedRuns:
    """Makes these runs, or reads those that an earlier call has made.

    Parameters
    ----------
    campaign
        All runs of the study.
    worker
        The process beside this one, if there is one.
    """

    def __init__(self, campaign: StudyCampaign, worker: Worker | None = None) -> None:
        self._campaign = campaign
        self._worker = worker

    def run(
        self, name: str, prefix: Path, *, on_progress: OnProgress, until: float | None = None
    ) -> Run | None:
        """Simulate the log as it is, whole and in this process, or read the run that is there.

        Parameters
        ----------
        name
            The policy.
        prefix
            How the names of the run's files begin.
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
            No job can be simulated, or the files can't be written.
        """
        place, digest = self._campaign.known_by(name)
        on_progress(f"Simulating the log under {name}")
        run = self._kept(prefix, digest)
        if run is None:
            try:
                run, _, _ = self._campaign.maker.make(place, digest=digest, progress=ends_at(until))
            except TimeIsUp:
                return None
            # several policies of a study may be one scheduler
            run.name = name
            if run.ran.empty:
                reasons = ", ".join(f"{why}: {count:,}" for why, count in run.rejections.items())
                raise PredAwareError(f"no job can be simulated under {name} ({reasons})")
            run.write(prefix)
        return run

    @contextmanager
    def in_background(
        self, name: str, prefix: Path, *, on_progress: OnProgress
    ) -> Iterator[Callable[[float | None], Run | None]]:
        """Simulate the log as it is as `run` does, beside what else the block does.

        Parameters
        ----------
        name, prefix, on_progress
            As for `run`.

        Yields
        ------
        callable
            Gives the run, or ``None`` where it is not there by a date of the monotonic clock.
        """

        def here(until: float | None) -> Run | None:
            return self.run(name, prefix, on_progress=on_progress, until=until)

        _, digest = self._campaign.known_by(name)
        if self._worker is None:
            yield here
            return
        if (kept := self._kept(prefix, digest)) is not None:
            yield lambda _: kept
            return
        told = self._campaign
        # one that can be sent; the run is known by its place among the others
        definitions = {each: dict(told.definitions[each]) for each in told.policies}
        campaign = StudyCampaign(
            told.workload, told.platform, told.store, workers=1, definitions=definitions,
            sizes=told.sizes, site=told.site,
        )  # fmt: skip
        make = partial(_make, campaign, prefix)
        with in_worker(make, self._worker, what=f"the run of {name}") as making:
            assert making is not None

            def there(until: float | None) -> Run | None:
                on_progress(f"Simulating the log under {name}")
                left = None if until is None else max(0.0, until - monotonic())
                if not making.is_over(left):
                    return None
                making.get()
                return here(None)

            yield there

    def _kept(self, prefix: Path, digest: str) -> Run | None:
        """Return a run that an earlier call has written, if it is that of the store."""
        store = Store(self._campaign.store)
        if not store.has(digest):
            return None
        try:
            run = read_run(prefix, workload=self._campaign.workload)
            same = run.jobs_sha256 == store.read(digest)["jobs_sha256"]
        except PredAwareError:
            # not there, or not whole: an earlier call was stopped before
            return None
        return run if same and run.provenance else None


def _make(campaign: StudyCampaign, prefix: Path) -> None:
    """Make the judged policy's run, in a process beside the study's own."""
    UnperturbedRuns(campaign).run(campaign.judged, prefix, on_progress=lambda _: None)
