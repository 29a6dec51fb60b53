"""Runs with external programs: the real Batsim, or any decision process."""

import csv
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pred_aware.errors import PredAwareError
from pred_aware.execution.children import PATIENCE, Child, socket_in
from pred_aware.execution.decider import Decider
from pred_aware.execution.folders import for_batsim, results, scratch
from pred_aware.execution.pybatsim import major, version_of
from pred_aware.execution.relay import Party, Relay
from pred_aware.execution.simulate import notes_into
from pred_aware.log.workload import Workload
from pred_aware.metrics.figures import with_figures
from pred_aware.runs.contents import RunContents
from pred_aware.runs.provenance import of_file, of_platform, of_workload, run_json
from pred_aware.runs.run import Run
from pred_aware.simulator.job import EndedJobs
from pred_aware.simulator.outputs import RunFiles
from pred_aware.simulator.peer import SocketPeer
from pred_aware.simulator.simulation import Delays, simulate_jobs
from pred_aware.simulator.tracing import in_text
from workload_tools.batsim.intervals import parse_intervals
from workload_tools.expected import in_words
from workload_tools.platform.reader import read_platform

_NO_TRACE = "--disable-schedule-tracing"


def read_schedule(path: Path) -> dict[str, float | int | str]:
    """Read ``_schedule.csv``, or Batsim 5's ``schedule.json``; return its columns by name.

    Raises
    ------
    PredAwareError
        The file cannot be read or has no row.
    """
    if path.suffix == ".json":
        import msgspec

        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, float | int | str])
        except (OSError, msgspec.DecodeError) as error:
            raise PredAwareError(f"{path}: cannot be read: {in_words(error)}") from error
    row = next(_rows(path), None)
    if row is None:
        raise PredAwareError(f"{path}: has no row; Batsim writes one at the end of a simulation")
    return {name: _value(name, text) for name, text in row.items()}


def _value(name: str, text: str) -> float | int | str:
    if name.endswith("version"):
        return text
    try:
        return int(text) if name.startswith("nb_") else float(text)
    except ValueError:
        return text


def read_past(path: Path) -> EndedJobs:
    """Read from ``_jobs.csv`` the jobs that ran.

    Raises
    ------
    PredAwareError
        The file cannot be read, lacks a column, or has an invalid field.
    """
    past = EndedJobs()
    for line, row in enumerate(_rows(path), start=2):
        try:
            if row["final_state"] == "REJECTED":
                past.rejected += 1
                continue
            past.successful += row["final_state"] == "COMPLETED_SUCCESSFULLY"
            intervals = parse_intervals(row["allocated_resources"])
            past.submit.append(float(row["submission_time"]))
            past.start.append(float(row["starting_time"]))
            past.end.append(float(row["finish_time"]))
            past.sizes.append(sum(last - first + 1 for first, last in intervals))
            past.intervals.append(intervals)
        except (KeyError, TypeError, ValueError) as error:
            raise PredAwareError(f"{path}:{line}: not a row of a jobs file: {error}") from error
    return past


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise PredAwareError(f"{path}: cannot be read: {why}") from error


END_PATIENCE = 60.0
"""Longest wait for Batsim's files after the end of the simulation, in seconds."""


def supervise(  # noqa: PLR0913 - the inputs of a run
    decider: Decider,
    *,
    batsim: Path | None,
    platform: Path,
    workload: Path,
    prefix: Path,
    delays: Delays = "none",
    protocol: int = 4,
    connect_timeout: float = 30.0,
    answer_timeout: float = 600.0,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Run a decision process with a simulator, and watch both processes.

    Parameters
    ----------
    decider
        The decision process.
    batsim
        The program of the real Batsim; by default the built-in simulator.
    platform, workload
        The files. A compressed workload is unpacked for Batsim.
    prefix
        Prefix of the output files. They get these names only if the run succeeds.
    delays
        As in `pred_aware.simulate`; the real Batsim has its own delays.
    protocol
        Protocol version for the built-in simulator; the real Batsim determines its own.
    connect_timeout, answer_timeout
        Longest wait until the programs connect, and longest wait for each answer, in seconds.
    progress
        Called at intervals with the numbers of ended jobs and of all jobs.

    Raises
    ------
    PredAwareError, InputError, SimulationError
        A program cannot be started, has ended, is silent, or sent invalid messages. Then only the
        logs are kept, PREFIX_batsim.log and PREFIX_decision_process.log.
    """
    task = _Task(decider, platform, workload, prefix, connect_timeout, answer_timeout, progress)
    return task.with_ours(delays, protocol) if batsim is None else task.with_batsim(batsim)


@dataclass(frozen=True, slots=True)
class _Task:
    """The arguments of `supervise`, for the built-in simulator or the real Batsim."""

    decider: Decider
    platform: Path
    workload: Path
    prefix: Path
    connect_timeout: float
    answer_timeout: float
    progress: Callable[[int, int], None] | None

    def with_ours(self, delays: Delays, protocol: int) -> Run:
        """Run the built-in simulator."""
        machine = read_platform(self.platform)
        jobs = Workload.read(self.workload)
        with scratch(self.prefix) as folder, ExitStack() as stack:
            endpoint = socket_in(folder, "decisions")
            child = stack.enter_context(self._decider(endpoint, folder))
            peer = stack.enter_context(
                SocketPeer(
                    endpoint,
                    why_dead=child.why_dead,
                    connect_timeout=self.connect_timeout,
                    answer_timeout=self.answer_timeout,
                    protocol=protocol,
                )
            )
            features = peer.features
            outputs = stack.enter_context(RunFiles(self.prefix))
            result = simulate_jobs(
                machine,
                jobs.raw,
                peer,
                outputs=outputs,
                delays=delays,
                progress=self._progress(lambda: len(jobs)),
                dynamic_jobs=features is not None and features.dynamic_registration,
                acknowledged=features is not None and features.acknowledge_dynamic_jobs,
                version=protocol,
            )
            child.wait(PATIENCE)
            summary = self._finish(
                outputs, folder, result.summary, result.past,
                workloads=[of_workload(jobs)], platform=of_platform(machine), delays=delays,
            )  # fmt: skip
        return Run(self.decider.name, RunContents.written(outputs), summary=summary, workload=jobs)

    def with_batsim(self, batsim: Path) -> Run:
        """Run the real Batsim, with a relay between Batsim and the decision process."""
        for path in (self.platform, self.workload):
            if not path.is_file():
                raise PredAwareError(f"{path}: cannot be read: no such file")
        # a program in the current folder needs no ./ prefix
        program = shutil.which(batsim.absolute()) or shutil.which(batsim)
        if program is None:
            raise PredAwareError(f"--batsim {batsim}: this program does not exist")
        version = version_of(Path(program))
        five = major(version) > 4  # noqa: PLR2004 - the protocol version
        prefix = self.prefix
        with scratch(prefix) as folder, results(prefix) as out, RunFiles(prefix) as outputs:
            workload = for_batsim(self.workload, folder, 5 if five else 4)
            front, back = (socket_in(folder, name) for name in ("batsim", "decisions"))
            # version 4 would write an additional schedule for a drawing program, which is not
            # needed
            version_options = [front, "", "--trace-machine-state"] if five else [front, _NO_TRACE]
            written = f"{out}/" if five else f"{out}/out_"
            command = [
                program, "-p", str(self.platform), "-w", str(workload),
                "-e", written if five else written.removesuffix("_"), "-s", *version_options,
            ]  # fmt: skip
            with ExitStack() as stack:
                decisions = stack.enter_context(self._decider(back, folder))
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
                        connect_timeout=self.connect_timeout,
                        answer_timeout=self.answer_timeout,
                    )
                )
                relay.run(self._progress(lambda: _number_of_jobs(workload)))
                _end(simulator, min(END_PATIENCE, self.answer_timeout))
                decisions.wait(PATIENCE)
            schedule = read_schedule(Path(f"{written}schedule.{'json' if five else 'csv'}"))
            past = read_past(Path(f"{written}jobs.csv"))
            for kind in ("jobs", "machine_states", *(() if five else ("schedule",))):
                outputs.adopt(kind, Path(f"{written}{kind}.csv"))
            if five:
                columns = in_text(schedule)
                rows = (columns, columns.values())
                outputs.open("schedule").write("".join(",".join(row) + "\n" for row in rows))
            summary = self._finish(
                outputs, folder, schedule, past,
                workloads=[of_file(self.workload, jobs=schedule.get("nb_jobs"))],
                platform=of_file(self.platform, processors=schedule.get("nb_computing_machines")),
                delays=None,
                simulator={"name": "batsim", "version": str(schedule.get("batsim_version", ""))},
            )  # fmt: skip
        return Run(self.decider.name, RunContents.written(outputs), summary=summary)

    def _decider(self, endpoint: str, folder: Path) -> Child:
        log = folder / "decision_process.log"
        return self.decider.start(endpoint, log, folder)

    def _progress(self, number_of_jobs: Callable[[], int]) -> Callable[[int], None] | None:
        progress = self.progress
        if progress is None:
            return None
        total = number_of_jobs()
        return lambda ended: progress(ended, total)

    def _finish(
        self,
        outputs: RunFiles,
        folder: Path,
        schedule: dict[str, Any],
        past: EndedJobs,
        **details: Any,  # noqa: ANN401 - see `run_json`
    ) -> dict[str, Any]:
        """Write the remaining files; return the values of the run."""
        summary = with_figures(schedule, past)
        summary.update(notes_into(outputs, folder, self.decider.notes))
        outputs.open("run").write(
            run_json(
                self.decider.provenance(),
                transport="zmq",
                jobs_sha256=outputs.digest("jobs")(),
                **details,
            )
        )
        return summary


def _end(simulator: Child, patience: float) -> None:
    code = simulator.wait(patience)
    if code is None:
        raise PredAwareError(
            f"Batsim has not ended {patience:g} s after the simulation; {simulator.last_words()}"
        )
    if code:
        raise PredAwareError(f"Batsim ended after the simulation: {simulator.why_dead()}")


def _number_of_jobs(workload: Path) -> int:
    import msgspec

    class _Jobs(msgspec.Struct):
        jobs: list[msgspec.Raw] = []

    try:
        return len(msgspec.json.decode(workload.read_bytes(), type=_Jobs).jobs)
    except msgspec.MsgspecError:
        # Batsim will report the error in the workload
        return 0
