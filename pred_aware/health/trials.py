"""Run ten jobs with each available program, and compare the schedules."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import msgspec

from pred_aware.errors import USER_ERRORS
from pred_aware.execution.decider import Decider
from pred_aware.execution.pybatsim import major, protocol_of_pybatsim, version_of
from pred_aware.execution.simulate import simulate
from pred_aware.execution.supervised import supervise
from pred_aware.log.workload import read_workload
from pred_aware.report.finding import Finding
from pred_aware.runs.run import Run
from pred_aware.simulator.simulation import Delays
from workload_tools.platform.writer import write_platform

PROCESSORS = 8

SCHEDULER = "easy_bf"
"""A scheduler that batsched also has."""

# submission, processors, run time, walltime: one job is killed, and some are backfilled
_JOBS = (
    (0, 4, 100, 120),
    (0, 4, 300, 400),
    (10, 8, 50, 60),
    (20, 2, 40, 90),
    (20, 1, 500, 200),
    (30, 2, 80, 95),
    (200, 6, 100, 150),
    (210, 1, 10, 20),
    (220, 8, 30, 30),
    (5000, 3, 60, 600),
)


class Trials:
    """Runs ten jobs with different programs.

    Parameters
    ----------
    folder
        Folder for the files of the runs.
    timeout
        Longest wait for an answer of a program, in seconds.
    """

    def __init__(self, folder: Path, timeout: float) -> None:
        self._folder = folder
        self._timeout = timeout
        self._platform = folder / "platform.xml"
        self._workload = folder / "workload.json"
        profiles = {f"{delay}": {"type": "delay", "delay": delay} for _, _, delay, _ in _JOBS}
        jobs = [
            {
                "id": str(number),
                "subtime": at,
                "res": size,
                "walltime": walltime,
                "profile": f"{delay}",
            }
            for number, (at, size, delay, walltime) in enumerate(_JOBS, 1)
        ]
        content = {"nb_res": PROCESSORS, "jobs": jobs, "profiles": profiles}
        self._workload.write_bytes(msgspec.json.encode(content))
        write_platform(self._platform, hosts=PROCESSORS)

    def in_one_process(self) -> Finding:
        """Simulate in this process, with decisions from this process."""
        return self._tried(
            "a run in one process",
            lambda: self._own("none"),
            None,
            advice="reinstall the package; if that does not help, report it",
        )

    def with_pybatsim(self) -> Finding:
        """Simulate in this process, with decisions from pybatsim over ZeroMQ."""
        return self._tried(
            "a run with pybatsim over ZeroMQ",
            lambda: self._supervised(
                "zmq", Decider.of(SCHEDULER, {}, None), protocol=protocol_of_pybatsim()
            ),
            lambda: self._own("none"),
            advice="see the checks of pyzmq, pybatsim and sockets above",
        )

    def with_batsched(self, batsched: Path, *, needed: bool) -> Finding:
        """Simulate in this process, with decisions from batsched."""
        command = f"'{batsched}' -v {SCHEDULER}"
        return self._tried(
            "a run with batsched",
            lambda: self._supervised("batsched", Decider(command=command), delays="batsim"),
            lambda: self._own("batsim"),
            advice="run `batsched --version`, and check that it is batsched 1.4",
            needed=needed,
        )

    def with_batsim(self, batsim: Path, *, needed: bool) -> Finding:
        """Simulate with the real Batsim and decisions from a scheduler of this package."""
        decider = Decider.of(SCHEDULER, {}, None)
        five = major(version_of(batsim)) > 4  # noqa: PLR2004 - the protocol
        return self._tried(
            "a run with Batsim",
            lambda: self._supervised("batsim", decider, batsim=batsim),
            lambda: (
                self._supervised("ours", decider, delays="batsim", protocol=5)
                if five
                else self._own("batsim")
            ),
            advice="run `batsim --version`; docs/how-to/batsim.md says how to start Batsim",
            needed=needed,
        )

    def _tried(
        self,
        subject: str,
        trial: Callable[[], Run],
        reference: Callable[[], Run] | None,
        *,
        advice: str,
        needed: bool = True,
    ) -> Finding:
        began = monotonic()
        try:
            starts = _starts(trial())
            expected = starts if reference is None else _starts(reference())
        except (*USER_ERRORS, OSError) as error:
            found = f"does not work: {error}"
            return Finding(
                state="wrong", subject=subject, found=found, advice=advice, needed=needed
            )
        if starts != expected:
            differ = sum(a != b for a, b in zip(starts, expected, strict=False))
            return Finding(
                state="wrong",
                subject=subject,
                found=f"{len(starts)} jobs ran, but {differ} of them at other times than in "
                "pred-aware's own simulation",
                advice=advice,
                needed=needed,
            )
        same = "" if reference is None else ", at the same times as in one process"
        return Finding(
            state="ok",
            subject=subject,
            found=f"{len(starts)} jobs ran{same} ({monotonic() - began:.1f} s)",
            needed=needed,
        )

    def _own(self, delays: Delays) -> Run:
        return simulate(
            read_workload(self._workload), SCHEDULER, platform=self._platform, delays=delays
        )

    def _supervised(
        self,
        name: str,
        decider: Decider,
        *,
        batsim: Path | None = None,
        delays: Delays = "none",
        protocol: int = 4,
    ) -> Run:
        return supervise(
            decider,
            batsim=batsim,
            platform=self._platform,
            workload=self._workload,
            prefix=self._folder / name,
            delays=delays,
            protocol=protocol,
            connect_timeout=self._timeout,
            answer_timeout=self._timeout,
        )


def _starts(run: Run) -> list[tuple[float, float]]:
    """Return submission and start of each job, to the microsecond."""
    dates = run.ran[["submission_time", "starting_time"]]
    return sorted(dates.itertuples(index=False, name=None))


@contextmanager
def trials(timeout: float) -> Iterator[Trials]:
    """Provide trial runs in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="pred-aware-doctor-") as folder:
        yield Trials(Path(folder), timeout)
