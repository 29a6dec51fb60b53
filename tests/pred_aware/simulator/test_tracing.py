"""Output files: whole or not at all."""

from pathlib import Path

import pytest

from pred_aware.simulator.errors import DeadlockError, SimulationError
from pred_aware.simulator.outputs import RunFiles
from pred_aware.simulator.tracing import JOB_COLUMNS, Tracer
from tests.pred_aware.simulator.world import Scripted, job, simulate, start
from workload_tools.errors import InputError


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"platform.xml", "workload.json"}


def test_a_finished_run_leaves_three_files(tmp_path: Path) -> None:
    simulate(tmp_path, [job(1, 0, 2, 10)], Scripted({"submitted 1": [start(1, 0, 1)]}))
    assert files(tmp_path) == {"out_jobs.csv", "out_schedule.csv", "out_machine_states.csv"}


def test_a_failed_run_leaves_existing_files_unchanged(tmp_path: Path) -> None:
    (tmp_path / "out_jobs.csv").write_text("older")
    with pytest.raises(DeadlockError):
        simulate(tmp_path, [job(1, 0, 2, 10)], Scripted({}))
    assert files(tmp_path) == {"out_jobs.csv"}
    assert (tmp_path / "out_jobs.csv").read_text() == "older"


def test_files_get_their_names_at_the_end(tmp_path: Path) -> None:
    with RunFiles(tmp_path / "out") as outputs:
        Tracer(outputs)
        assert all(path.suffix == ".part" for path in tmp_path.iterdir())
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv"}


def test_a_missing_folder_is_created_and_removed_if_the_run_fails(
    tmp_path: Path,
) -> None:
    def run(error: str = "") -> None:
        with RunFiles(tmp_path / "new" / "inside" / "out") as outputs:
            Tracer(outputs)
            if error:
                raise SimulationError(error)

    with pytest.raises(SimulationError, match="deadlock"):
        run("deadlock")
    assert files(tmp_path) == set()
    run()
    assert "out_jobs.csv" in files(tmp_path / "new" / "inside")


def test_a_file_at_the_folders_path_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(InputError, match=r"file: cannot be created: .*another prefix"),
        RunFiles(tmp_path / "file" / "out"),
    ):
        pass


def test_a_folder_at_a_files_path_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "out_schedule.csv").mkdir()
    with pytest.raises(InputError, match=r"out_schedule.csv: is a folder"):
        RunFiles(tmp_path / "out")
    assert files(tmp_path) == {"out_schedule.csv"}


def test_a_failure_while_the_last_file_is_written_leaves_all_files_as_they_were(
    tmp_path: Path,
) -> None:
    (tmp_path / "out_estimates.csv").write_text("older")

    def write_until_it_fails() -> None:
        with RunFiles(tmp_path / "out") as outputs:
            outputs.open("jobs").write("job_id\n")
            outputs.open("estimates").write("job_id\n")
            raise SimulationError("no space left on the device")

    with pytest.raises(SimulationError, match="no space"):
        write_until_it_fails()
    assert files(tmp_path) == {"out_estimates.csv"}
    assert (tmp_path / "out_estimates.csv").read_text() == "older"


def test_files_that_only_an_earlier_run_wrote_are_removed(tmp_path: Path) -> None:
    (tmp_path / "out_estimates.csv").write_text("older")
    with RunFiles(tmp_path / "out") as outputs:
        outputs.open("jobs").write("job_id\n")
    assert files(tmp_path) == {"out_jobs.csv"}


def test_machine_states_count_the_machines(tmp_path: Path) -> None:
    script = {"submitted 1": [start(1, 0, 1)], "submitted 2": [start(2, 2, 9)]}
    simulate(tmp_path, [job(1, 0, 2, 10), job(2, 4, 8, 4)], Scripted(script))
    rows = (tmp_path / "out_machine_states.csv").read_text().splitlines()[1:]
    assert rows == ["0,0,0,0,8,2", "4,0,0,0,0,10", "8,0,0,0,8,2", "10,0,0,0,10,0"]


def test_every_job_gets_a_row_also_beyond_one_block(tmp_path: Path) -> None:
    jobs = [job(number, number, 1, 0.5) for number in range(4500)]
    script = {f"submitted {number}": [start(number, 0, 0)] for number in range(4500)}
    rows = simulate(tmp_path, jobs, Scripted(script))
    assert list(rows) == [str(number) for number in range(4500)]
    assert all(tuple(row) == JOB_COLUMNS for row in rows.values())
