"""Running a scheduler on a workload, in one process or over a socket."""

import io
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pred_aware.comparison.figures import with_figures
from pred_aware.errors import PredAwareError
from pred_aware.execution.in_process import PolicyInProcess
from pred_aware.simulator.outputs import Outputs, RunFiles
from pred_aware.simulator.record import Record
from pred_aware.simulator.simulation import Delays, simulate_jobs
from schedulers import COMBINATIONS, make_policy
from schedulers.journal import read_rows, sums
from workload_tools.batsim.workload import load_raw
from workload_tools.platform.reader import read_platform

if TYPE_CHECKING:
    from pred_aware.simulator.peer import SocketPeer

Transport = Literal["process", "zmq"]


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of a run.

    Parameters
    ----------
    summary
        The columns of ``PREFIX_schedule.csv`` by name, but that means and maxima are those of
        `pred_aware.comparison.figures`, over the jobs that ran (``None`` if none did), with the
        bounded slowdown too; and what `schedulers.journal.sums` makes of ``PREFIX_estimates.csv``,
        where the scheduler writes it.
    past
        Dates and sizes of the jobs that ran.
    rejections
        How many were rejected, by reason.
    """

    summary: dict[str, Any]
    past: Record
    rejections: Counter[str] = field(default_factory=Counter)


def simulate(  # noqa: PLR0913 - what a run is made of
    *,
    platform: Path,
    workload: Path,
    scheduler: str,
    prefix: Path,
    options: Mapping[str, Any] | None = None,
    delays: Delays = "none",
    transport: Transport = "process",
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Run a scheduler on a workload and write ``PREFIX_jobs.csv``, ``_schedule`` and the rest.

    Parameters
    ----------
    platform, workload
        Platform XML and Batsim workload (gzip or not).
    scheduler
        One of `schedulers.COMBINATIONS`.
    prefix
        What the output files' names begin with.
    options
        The scheduler's; see `schedulers.make_policy`.
    delays
        ``none``: messages take no time; ``batsim``: what they take in the real Batsim.
    transport
        ``process``: the policy decides in this process; ``zmq``: pybatsim is started beside it.
        Both give the same files.
    progress
        Called now and then with the numbers of jobs that have ended and of all jobs.

    Raises
    ------
    InputError, PredictorError, SchedulerError, SimulationError, PredAwareError
        What is given can't be run; there is no output then.
    """
    options = dict(options or {})
    if (
        delays == "none"
        and scheduler in COMBINATIONS
        and "call_margin" in COMBINATIONS[scheduler].open
    ):
        options.setdefault("call_margin", None)
    # made here in any case, so that what is wrong with it is told before anything is started
    policy = make_policy(scheduler, options)
    peer = PolicyInProcess(policy)
    machine = read_platform(platform)
    jobs = load_raw(workload)
    total = len(jobs.jobs)
    report = None if progress is None else lambda ended: progress(ended, total)
    with RunFiles(prefix) as outputs, ExitStack() as stack:
        decider: PolicyInProcess | SocketPeer = peer
        if transport == "zmq":
            from pred_aware.execution.pybatsim import started_pybatsim

            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pred-aware-")))
            estimates = folder / "estimates.csv"
            if policy.journal is not None:
                options["estimates_file"] = str(estimates)
            decider = stack.enter_context(started_pybatsim(scheduler, options, folder))
        elif transport != "process":
            raise PredAwareError(f"unknown transport '{transport}'; known: process, zmq")
        result = simulate_jobs(
            machine,
            jobs,
            decider,
            outputs=outputs,
            delays=delays,
            measured=lambda: decider.scheduling_time,
            progress=report,
        )
        summary = with_figures(result.summary, result.past)
        if policy.journal is not None:
            if transport == "zmq":
                summary.update(estimates_into(outputs, estimates))
            else:
                file = outputs.open("estimates")
                for piece in policy.journal.text():
                    file.write(piece)
                summary.update(sums(policy.journal.rows()))
    return Result(summary, result.past, peer.rejections)


def estimates_into(outputs: Outputs, estimates: Path) -> dict[str, float | int]:
    """Copy what pybatsim wrote of how each job was planned, and sum it up.

    Raises
    ------
    PredAwareError
        It wrote nothing.
    """
    try:
        # not splitlines(), which splits at more than the ends of lines
        text = estimates.read_bytes().decode()
    except FileNotFoundError as error:
        raise PredAwareError("pybatsim ended without telling how each job was planned") from error
    outputs.open("estimates").write(text)
    return sums(read_rows(io.StringIO(text, newline="\n")))
