"""The runs of a study of the log as it is, whole, with their files."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import msgspec

from pred_aware.campaign.store import MEASURED, Store
from pred_aware.errors import PredAwareError
from pred_aware.execution.children import Child
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from pred_aware.study.campaign import LOG, StudyCampaign

PROCESS = "pred_aware.study.aside_process"
PATIENCE = 0.2
"""How often it is looked at whether the time is up, in seconds."""


class Aside:
    """A run that is being made beside this process.

    Parameters
    ----------
    child
        The process.
    policy
        Who schedules.
    """

    def __init__(self, child: Child, policy: str) -> None:
        self._child = child
        self._policy = policy

    def wait(self, *, until: float | None, on_progress: Callable[[str], None]) -> bool:
        """Wait until its files are there; say ``False`` where the time was up before.

        Parameters
        ----------
        until
            By the monotonic clock; ``None`` for as long as it takes.
        on_progress
            Called with what is waited for.

        Raises
        ------
        PredAwareError
            It can't be made.
        """
        on_progress(f"Simulating the log under {self._policy}")
        while self._child.wait(PATIENCE) is None:
            if until is not None and monotonic() >= until:
                return False
        if self._child.exit_code:
            lines = self._child.log.read_text(encoding="utf-8", errors="replace").splitlines()
            raise PredAwareError(lines[-1] if lines else f"{self._child.why_dead()}")
        return True


@contextmanager
def aside(campaign: StudyCampaign, *, policy: str, prefix: Path) -> Iterator[Aside]:
    """Make a run beside this process for as long as the block lasts.

    Parameters
    ----------
    campaign, policy, prefix
        As `AsItIs` and its `run` have them.
    """
    paths = (campaign.workload, campaign.platforms[LOG], campaign.store, campaign.site or "")
    # the run is known by its place among the others
    policies = {name: dict(campaign.definitions[name]) for name in campaign.policies}
    told = (*map(str, paths), msgspec.json.encode(policies).decode(), policy, str(prefix))
    command = [sys.executable, "-P", "-m", PROCESS, *told]
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        log = Path(folder) / "aside.log"
        with Child(f"the simulation of {policy}", command, log, guarded=False) as child:
            yield Aside(child, policy)


Told = Callable[[str], None]


class AsItIs:
    """Makes these runs, or reads those that an earlier call has made."""

    def __init__(self, campaign: StudyCampaign) -> None:
        self._campaign = campaign

    def run(
        self, name: str, prefix: Path, *, on_progress: Told, until: float | None = None
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
    def beside(
        self, name: str, prefix: Path, *, on_progress: Told
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
        if self._campaign.workers == 1:
            yield here
            return
        if (kept := self._kept(prefix, digest)) is not None:
            yield lambda _: kept
            return
        with aside(self._campaign, policy=name, prefix=prefix) as making:
            yield (
                lambda until: (
                    here(None) if making.wait(until=until, on_progress=on_progress) else None
                )
            )

    def seconds(self) -> float:
        """Return how long the runs of the log as it is took: the baseline's, the judged one's."""
        store = self._campaign.inventory(0).store
        two = self._campaign.baseline, self._campaign.judged
        digests = [self._campaign.known_by(name)[1] for name in two]
        there = [digest for digest in digests if store.has(digest)]
        return float(sum(store.read(digest, MEASURED)["seconds"] for digest in there))

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
        return run if same and run.made else None
