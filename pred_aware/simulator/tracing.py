"""The output files, with Batsim's columns, units and digits."""

from mypy_extensions import mypyc_attr

from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob
from pred_aware.simulator.outputs import Outputs
from workload_tools.batsim.intervals import format_intervals

JOB_COLUMNS = (
    "job_id", "workload_name", "profile", "submission_time", "requested_number_of_resources",
    "requested_time", "success", "final_state", "starting_time", "execution_time", "finish_time",
    "waiting_time", "turnaround_time", "stretch", "allocated_resources", "consumed_energy",
    "metadata",
)  # fmt: skip
MACHINE_STATE_COLUMNS = (
    "time", "nb_sleeping", "nb_switching_on", "nb_switching_off", "nb_idle", "nb_computing",
)  # fmt: skip

# Rows are collected value by value and formatted many at once: that takes half the time.
_ROW = '%s,%s,%s,%f,%d,%f,%d,%s,%f,%f,%f,%f,%f,%f,%s,-1.000000,"%s"\n'
_ROW_VALUES = 16
_REJECTED_ROW = '%s,%s,%s,%f,%d,%f,0,REJECTED,,,,,,,,,"%s"\n'
_STATE_ROW = "%g,0,0,0,%d,%d\n"
MACHINE_STATE_VALUES = 3
_SUCCESS = JobState.COMPLETED_SUCCESSFULLY
# by number: an IntEnum as a key of a dict would be hashed by a Python function
_STATE_NAMES = ("", *(state.name for state in JobState))
ROWS_AT_ONCE = 2000
_STATE_ROWS = _STATE_ROW * ROWS_AT_ONCE


@mypyc_attr(allow_interpreted_subclasses=True)
class Tracer:
    """Writes the rows of a run's files."""

    def __init__(self, outputs: Outputs) -> None:
        self._jobs = outputs.open("jobs")
        self._states = outputs.open("machine_states")
        self._schedule = outputs.open("schedule")
        self._jobs.write(",".join(JOB_COLUMNS) + "\n")
        self._states.write(",".join(MACHINE_STATE_COLUMNS) + "\n")
        self.machine_states: list[float] = []
        """Rows that are still to be written, value by value: date, idle and computing machines;
        `Ledger` adds to it, twice for each job."""

    def jobs(self, jobs: list[SimulatedJob]) -> None:
        """Write the rows of jobs that ended or were rejected."""
        values: list[object] = []
        for job in jobs:
            state = job.state
            if state is REJECTED:
                self._write_jobs(values)
                row = _REJECTED_ROW % (
                    job.name, job.workload, job.profile, job.submit_time, job.processors,
                    job.walltime, job.metadata,
                )  # fmt: skip
                self._jobs.write(row)
                continue
            start = job.start
            end = job.end
            submit_time = job.submit_time
            execution = end - start
            turnaround = end - submit_time
            values += (
                job.name, job.workload, job.profile, submit_time, job.processors, job.walltime,
                state is _SUCCESS, _STATE_NAMES[state], start, execution, end, start - submit_time,
                turnaround, turnaround / execution, format_intervals(job.intervals), job.metadata,
            )  # fmt: skip
        self._write_jobs(values)

    def write_machine_states(self) -> None:
        """Write the rows that are in `machine_states`."""
        values = self.machine_states
        rows = len(values) // MACHINE_STATE_VALUES
        form = _STATE_ROWS if rows == ROWS_AT_ONCE else _STATE_ROW * rows
        self._states.write(form % tuple(values))
        values.clear()

    def _write_jobs(self, values: list[object]) -> None:
        self._jobs.write(_ROW * (len(values) // _ROW_VALUES) % tuple(values))
        values.clear()

    def schedule(self, columns: dict[str, str]) -> None:
        """Write the figures of the whole schedule."""
        self._schedule.write(",".join(columns) + "\n" + ",".join(columns.values()) + "\n")

    def finish(self) -> None:
        """Write what is left."""
        self.write_machine_states()
