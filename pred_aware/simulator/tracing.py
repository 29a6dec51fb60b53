"""The output files, with Batsim's columns, units and digits."""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob
from pred_aware.simulator.outputs import Outputs
from workload_tools.batsim.batprotocol import full_name
from workload_tools.batsim.intervals import Intervals, format_intervals

JOB_COLUMNS = (
    "job_id", "workload_name", "profile", "submission_time", "requested_number_of_resources",
    "requested_time", "success", "final_state", "starting_time", "execution_time", "finish_time",
    "waiting_time", "turnaround_time", "stretch", "allocated_resources", "consumed_energy",
    "metadata",
)  # fmt: skip
MACHINE_STATE_COLUMNS = (
    "time", "nb_sleeping", "nb_switching_on", "nb_switching_off", "nb_idle", "nb_computing",
)  # fmt: skip

# Values are collected, and many rows are formatted together, which takes half the time.
_ROW = '%s,%s,%s,%f,%d,%f,%d,%s,%f,%f,%f,%f,%f,%f,%s,-1.000000,"%s"\n'
_ROW_VALUES = 16
_REJECTED_ROW = '%s,%s,%s,%f,%d,%f,0,REJECTED,,,,,,,,,"%s"\n'
_STATE_ROW = "%g,0,0,0,%d,%d\n"
MACHINE_STATE_VALUES = 3
_SUCCESS = JobState.COMPLETED_SUCCESSFULLY
_REAL_TIMES = ("scheduling_time", "simulation_time")  # Batsim 5 does not write them here
# a tuple by number, because an IntEnum as a key of a dict would be hashed by slow Python code
STATE_NAMES = ("", *(state.name for state in JobState))
ROWS_AT_ONCE = 2000
_STATE_ROWS = _STATE_ROW * ROWS_AT_ONCE


_OF_JOB = [
    attrgetter(name)
    for name in (
        "name", "workload", "profile", "submit_time", "processors", "walltime", "state", "start",
        "end", "intervals", "metadata",
    )
]  # fmt: skip


class JobColumns(NamedTuple):
    """Ended or rejected jobs as columns of the file, in the order of the file."""

    names: list[str]
    workloads: list[str]
    profiles: list[str]
    submit: list[float]
    processors: list[int]
    walltimes: list[float]
    """Walltimes in seconds; -1 for a job without one."""
    states: list[JobState]
    start: list[float]
    end: list[float]
    intervals: list[Intervals]
    metadata: list[str]

    @classmethod
    def of(cls, jobs: list[SimulatedJob]) -> "JobColumns":
        """Return the columns of the jobs."""
        return cls(*[[*map(get, jobs)] for get in _OF_JOB])

    def text(self) -> Iterator[str]:
        """Return the rows of ``_jobs.csv``."""
        pieces: list[str] = []
        values: list[object] = []
        for (
            name, workload, profile, submit_time, processors, walltime, state, start, end,
            intervals, metadata,
        ) in zip(*self, strict=True):  # fmt: skip
            if state is REJECTED:
                pieces += (
                    _formatted(values),
                    _REJECTED_ROW
                    % (name, workload, profile, submit_time, processors, walltime, metadata),
                )
                values.clear()
                continue
            execution = end - start
            turnaround = end - submit_time
            values += (
                name, workload, profile, submit_time, processors, walltime,
                state is _SUCCESS, STATE_NAMES[state], start, execution, end, start - submit_time,
                turnaround, turnaround / execution, format_intervals(intervals), metadata,
            )  # fmt: skip
        return iter((*pieces, _formatted(values)))


class _Rows5:
    """Rows of Batsim 5's jobs file: profiles have full names, and metadata are missing."""

    def __init__(self, columns: JobColumns) -> None:
        self._columns = columns._replace(
            profiles=[*map(full_name, columns.workloads, columns.profiles)]
        )

    def text(self) -> Iterator[str]:
        return (text.replace(',""\n', ",\n") for text in self._columns.text())


def in_text(figures: Mapping[str, object]) -> dict[str, str]:
    """Return the values of the schedule file as texts, in alphabetic order of their names."""
    return {
        name: f"{value:f}" if isinstance(value, float) else str(value)
        for name, value in sorted(figures.items())
    }


def _formatted(values: list[object]) -> str:
    return _ROW * (len(values) // _ROW_VALUES) % tuple(values)


class MachineStates:
    """Columns of the machine states file: date, idle machines, computing machines."""

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def text(self) -> Iterator[str]:
        """Yield the rows."""
        rows = len(self.values) // MACHINE_STATE_VALUES
        form = _STATE_ROWS if rows == ROWS_AT_ONCE else _STATE_ROW * rows
        return iter((form % tuple(self.values),))


class Tracer:
    """Writes the rows of a run's files as Batsim does. Machine states are optional."""

    def __init__(self, outputs: Outputs, version: int = 4, *, states: bool = True) -> None:
        self._version = version
        self._jobs = outputs.open("jobs")
        self._states = outputs.open("machine_states") if states else None
        self._schedule = outputs.open("schedule")
        self._jobs.write(",".join(JOB_COLUMNS) + "\n")
        if self._states is not None:
            self._states.write(",".join(MACHINE_STATE_COLUMNS) + "\n")
        self.machine_states: list[float] = []
        """Values of rows that are not written yet: date, idle and computing machines of each.

        `Ledger` adds a row when a job starts, and when it ends."""

    def jobs(self, jobs: list[SimulatedJob]) -> None:
        """Write the rows of ended or rejected jobs."""
        columns = JobColumns.of(jobs)
        self._jobs.add(columns if self._version == 4 else _Rows5(columns))  # noqa: PLR2004

    def write_machine_states(self) -> None:
        """Write the rows of `machine_states`."""
        if self._states is not None:
            self._states.add(MachineStates(self.machine_states.copy()))
        self.machine_states.clear()

    def schedule(self, columns: dict[str, str]) -> None:
        """Write the schedule file."""
        if self._version == 4:  # noqa: PLR2004 - the version number
            self._schedule.write(",".join(columns) + "\n" + ",".join(columns.values()) + "\n")
            return
        columns["batsim_version"] = f'"{columns["batsim_version"]}"'
        rows = ",\n".join(
            f'  "{name}": {value}' for name, value in columns.items() if name not in _REAL_TIMES
        )
        self._schedule.write(f"{{\n{rows}\n}}\n")

    def finish(self) -> None:
        """Write the remaining rows."""
        self.write_machine_states()
