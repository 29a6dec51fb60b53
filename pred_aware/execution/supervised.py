"""Runs with somebody else's program: the real Batsim, or a decision process of any make."""

import gzip
import logging
import os
import shlex
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pred_aware.comparison.figures import with_figures
from pred_aware.errors import PredAwareError
from pred_aware.execution.batsim_files import read_past, read_schedule
from pred_aware.execution.children import PATIENCE, Child, socket_in
from pred_aware.execution.pybatsim import pybatsim
from pred_aware.execution.relay import Party, Relay
from pred_aware.execution.simulate import estimates_into
from pred_aware.inputs.workload import Workload
from pred_aware.runs.contents import Contents
from pred_aware.runs.made import (
    made_by_command,
    made_by_scheduler,
    of_file,
    of_platform,
    of_workload,
    run_json,
)
from pred_aware.runs.run import Run
from pred_aware.simulator.outputs import RunFiles
from pred_aware.simulator.peer import SocketPeer
from pred_aware.simulator.simulation import Delays, simulate_jobs
from schedulers import make_policy
from workload_tools.files import GZIP_MAGIC
from workload_tools.platform.reader import read_platform

END_PATIENCE = 60.0
"""How long Batsim may take at most to write its files when the simulation has ended, in seconds."""

_logger = logging.getLogger(__name__)

_LOGS = ("batsim.log", "decision_process.log")


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides: a scheduler of ours under pybatsim, or any command.

    Parameters
    ----------
    scheduler, options
        As for `schedulers.make_policy`.
    command
        In place of a scheduler: the program and its arguments, as a shell takes them. The address
        to listen at stands for ``{endpoint}``, or is appended as ``-s ADDRESS``.
    journals
        Whether the scheduler writes how each job was planned.
    """

    scheduler: str | None = None
    options: Mapping[str, Any] | None = None
    command: str | None = None
    journals: bool = False

    @classmethod
    def of(
        cls, scheduler: str | None, options: Mapping[str, Any], command: str | None
    ) -> "Decider":
        """Make one of what the user gave: a scheduler and its options, or a command.

        Raises
        ------
        PredictorError, SchedulerError
            There is no such scheduler, or it can't be made with these options.
        """
        if scheduler is None:
            return cls(command=command)
        return cls(scheduler, options, journals=make_policy(scheduler, options).journal is not None)

    @property
    def name(self) -> str:
        """What its run is called."""
        return self.scheduler or shlex.split(self.command or "")[0]

    def told(self) -> dict[str, Any]:
        """Tell who decides, for ``PREFIX_run.json``."""
        if self.scheduler is None:
            return made_by_command(self.command)
        return made_by_scheduler(self.scheduler, self.options or {})

    def start(self, endpoint: str, log: Path, estimates: Path) -> Child:
        """Start it.

        Raises
        ------
        PredAwareError
            It can't be started.
        """
        if self.command is None:
            assert self.scheduler is not None
            options = dict(self.options or {})
            if self.journals:
                options["estimates_file"] = str(estimates)
            return pybatsim(self.scheduler, options, endpoint, log)
        return Child("the decision process", arguments_of(self.command, endpoint), log)


def arguments_of(command: str, endpoint: str) -> list[str]:
    """Take a command apart, with the address to listen at in it.

    Examples
    --------
    >>> arguments_of("batsched -v easy_bf", "tcp://127.0.0.1:28000")
    ['batsched', '-v', 'easy_bf', '-s', 'tcp://127.0.0.1:28000']
    >>> arguments_of("mine --at {endpoint}", "tcp://127.0.0.1:28000")
    ['mine', '--at', 'tcp://127.0.0.1:28000']
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise PredAwareError(f"--decision-process {command!r}: {error}") from error
    if not arguments:
        raise PredAwareError("--decision-process is empty; give a command such as 'batsched'")
    if not any("{endpoint}" in argument for argument in arguments):
        return [*arguments, "-s", endpoint]
    return [argument.replace("{endpoint}", endpoint) for argument in arguments]


def supervise(  # noqa: PLR0913 - what a run is made of
    decider: Decider,
    *,
    batsim: Path | None,
    platform: Path,
    workload: Path,
    prefix: Path,
    delays: Delays = "none",
    connect_timeout: float = 30.0,
    answer_timeout: float = 600.0,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Run with the real Batsim, or without one with the simulator that is built in.

    See `simulate_with` and `simulate_for`.
    """
    if batsim is None:
        return simulate_for(
            decider,
            platform=platform,
            workload=workload,
            prefix=prefix,
            delays=delays,
            connect_timeout=connect_timeout,
            answer_timeout=answer_timeout,
            progress=progress,
        )
    return simulate_with(
        batsim,
        decider,
        platform=platform,
        workload=workload,
        prefix=prefix,
        connect_timeout=connect_timeout,
        answer_timeout=answer_timeout,
        progress=progress,
    )


def simulate_for(  # noqa: PLR0913 - what a run is made of
    decider: Decider,
    *,
    platform: Path,
    workload: Path,
    prefix: Path,
    delays: Delays,
    connect_timeout: float = 30.0,
    answer_timeout: float = 600.0,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Start a decision process, and simulate for it with the simulator that is built in.

    Parameters
    ----------
    decider
        Who decides.
    platform, workload, prefix, delays, progress
        As for `pred_aware.simulate`.
    connect_timeout, answer_timeout
        How long it may take to listen, and to answer, in seconds.

    Raises
    ------
    PredAwareError, InputError, SimulationError
        It can't be started, is gone or silent, or can't be understood; there is no output then but
        its log, PREFIX_decision_process.log.
    """
    machine = read_platform(platform)
    jobs = Workload.read(workload)
    total = len(jobs)
    with _scratch(prefix) as folder:
        endpoint = socket_in(folder, "decisions")
        estimates = folder / "estimates.csv"
        log = folder / "decision_process.log"
        with ExitStack() as stack:
            child = stack.enter_context(decider.start(endpoint, log, estimates))
            peer = stack.enter_context(
                SocketPeer(
                    endpoint,
                    why_dead=child.why_dead,
                    connect_timeout=connect_timeout,
                    answer_timeout=answer_timeout,
                )
            )
            outputs = stack.enter_context(RunFiles(prefix))
            result = simulate_jobs(
                machine,
                jobs.raw,
                peer,
                outputs=outputs,
                delays=delays,
                progress=None if progress is None else lambda ended: progress(ended, total),
            )
            child.wait(PATIENCE)
            summary = with_figures(result.summary, result.past)
            if decider.journals:
                summary.update(estimates_into(outputs, estimates))
            outputs.open("run").write(
                run_json(
                    decider.told(),
                    workloads=[of_workload(jobs)],
                    platform=of_platform(machine),
                    delays=delays,
                    transport="zmq",
                    jobs_sha256=outputs.digest("jobs"),
                )
            )
    return Run(decider.name, Contents.written(outputs), summary=summary, workload=jobs)


def simulate_with(  # noqa: PLR0913 - what a run is made of
    batsim: Path,
    decider: Decider,
    *,
    platform: Path,
    workload: Path,
    prefix: Path,
    connect_timeout: float = 30.0,
    answer_timeout: float = 600.0,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Start the real Batsim and a decision process, and watch over both.

    Parameters
    ----------
    batsim
        The program.
    decider
        Who decides.
    platform, workload
        What Batsim is given; a workload that is compressed is unpacked for it.
    prefix
        What the output files' names begin with. They get these names when all has gone well.
    connect_timeout, answer_timeout
        How long it may take until Batsim says something, and how long one of the two may then keep
        the other waiting, in seconds.
    progress
        Called now and then with the numbers of jobs that have ended and of all jobs.

    Raises
    ------
    PredAwareError
        One of the two can't be started, is gone, silent or not understood; there is no output then
        but the logs, PREFIX_batsim.log and PREFIX_decision_process.log.
    """
    for path in (platform, workload):
        if not path.is_file():
            raise PredAwareError(f"{path}: can't be read: no such file")
    # a program in this folder needs no ./ before its name
    program = shutil.which(batsim.absolute()) or shutil.which(batsim)
    if program is None:
        raise PredAwareError(f"--batsim {batsim}: there is no such program")
    with _scratch(prefix) as folder, _results(prefix) as out, RunFiles(prefix) as outputs:
        estimates = folder / "estimates.csv"
        unpacked = _unpacked(workload, folder)
        front, back = (socket_in(folder, name) for name in ("batsim", "decisions"))
        with ExitStack() as stack:
            decisions = stack.enter_context(
                decider.start(back, folder / "decision_process.log", estimates)
            )
            command = [
                program, "-p", str(platform), "-w", str(unpacked), "-e", str(out / "out"),
                # it would write another schedule, for a program to draw, which nobody here reads
                "-s", front, "--disable-schedule-tracing",
            ]  # fmt: skip
            kept = Path(f"{prefix}_batsim.log")
            simulator = stack.enter_context(
                Child("Batsim", command, folder / "batsim.log", kept=kept)
            )
            relay = stack.enter_context(
                Relay(
                    Party("Batsim", simulator.why_dead),
                    Party("the decision process", decisions.why_dead),
                    batsim_endpoint=front,
                    decision_endpoint=back,
                    connect_timeout=connect_timeout,
                    answer_timeout=answer_timeout,
                )
            )
            total = _number_of_jobs(unpacked) if progress is not None else 0
            relay.run(None if progress is None else lambda ended: progress(ended, total))
            _end(simulator, min(END_PATIENCE, answer_timeout))
            decisions.wait(PATIENCE)
        schedule = read_schedule(out / "out_schedule.csv")
        past = read_past(out / "out_jobs.csv")
        summary = with_figures(schedule, past)
        for kind in ("jobs", "schedule", "machine_states"):
            outputs.adopt(kind, out / f"out_{kind}.csv")
        if decider.journals:
            summary.update(estimates_into(outputs, estimates))
        outputs.open("run").write(
            run_json(
                decider.told(),
                workloads=[of_file(workload, jobs=summary.get("nb_jobs"))],
                platform=of_file(platform, processors=summary.get("nb_computing_machines")),
                delays=None,
                transport="zmq",
                jobs_sha256=outputs.digest("jobs"),
                simulator={"name": "batsim", "version": str(summary.get("batsim_version", ""))},
            )
        )
    return Run(decider.name, Contents.written(outputs), summary=summary)


def _end(simulator: Child, patience: float) -> None:
    code = simulator.wait(patience)
    if code is None:
        raise PredAwareError(
            f"Batsim has not ended {patience:g} s after the simulation had; "
            f"{simulator.last_words()}"
        )
    if code:
        raise PredAwareError(f"Batsim ended after the simulation: {simulator.why_dead()}")


@contextmanager
def _scratch(prefix: Path) -> Iterator[Path]:
    """Make a folder for sockets and logs; the logs are kept beside the output, come what may."""
    if not prefix.parent.is_dir():
        raise PredAwareError(f"{prefix.parent}: no such folder; give another prefix with -e")
    for name in _LOGS:
        if Path(f"{prefix}_{name}").is_dir():
            raise PredAwareError(
                f"{prefix}_{name}: is a folder; name a file to write; give another prefix with -e"
            )
    # a short path, since the name of a socket has at most 107 characters
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as name:
        folder = Path(name)
        try:
            yield folder
        finally:
            for log in folder.glob("*.log"):
                _keep_log(log, Path(f"{prefix}_{log.name}"))


def _keep_log(log: Path, target: Path) -> None:
    """Copy a log, or do without it: a disk that is full must not hide what went wrong before."""
    if not target.parent.is_dir():
        return
    try:
        shutil.copyfile(log, target)
    except OSError as error:
        _logger.warning("%s: can't be kept: %s", target, error.strerror)
        with suppress(OSError):
            target.unlink(missing_ok=True)


@contextmanager
def _results(prefix: Path) -> Iterator[Path]:
    """Make a folder beside the output, from which files can be renamed."""
    with tempfile.TemporaryDirectory(
        prefix=f".{prefix.name}.{os.getpid()}.", suffix=".part", dir=prefix.parent,
        ignore_cleanup_errors=True,
    ) as name:  # fmt: skip
        yield Path(name).resolve()


def _unpacked(workload: Path, folder: Path) -> Path:
    with workload.open("rb") as file:
        if file.read(2) != GZIP_MAGIC:
            return workload
    target = folder / workload.name.removesuffix(".gz")
    try:
        with gzip.open(workload, "rb") as packed, target.open("wb") as file:
            shutil.copyfileobj(packed, file)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise PredAwareError(f"{workload}: damaged gzip: {error}") from error
    return target


def _number_of_jobs(workload: Path) -> int:
    import msgspec

    class _Jobs(msgspec.Struct):
        jobs: list[msgspec.Raw] = []

    try:
        return len(msgspec.json.decode(workload.read_bytes(), type=_Jobs).jobs)
    except msgspec.MsgspecError:
        # Batsim says what is wrong with it
        return 0
