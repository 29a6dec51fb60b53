from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.batsim.writer import read_workload

LOG = "; MaxProcs: 96\n1 0 5 100 96 -1 -1 96 3600 -1 1 7 1 2 0 1 -1 -1\n"
ACCOUNTING = "".join(
    f"03/01/2024 11:00:00;E;{number}.srv;user=ann ctime=100 start=200 end=300 "
    "Resource_List.nodes=2:ppn=48 Resource_List.walltime=01:00:00 resources_used.walltime=90\n"
    for number in range(20)
)


@pytest.fixture
def infer(here: Path, command: Command) -> Command:
    (here / "log.swf").write_text(LOG)
    (here / "accounting").write_text(ACCOUNTING)
    return partial(command, "log", "infer")


def test_nodes_and_tasks_of_an_swf_are_learned_from_accounting(infer: Command) -> None:
    ended = infer("log.swf", "--training", "accounting", "-o", "w.json", "--node-processors", "36")
    assert ended.code == 0
    (job,) = read_workload("w.json").jobs
    assert (job.nodes, job.tasks, job.inferred) == (3, 96, ("nodes", "tasks"))
    assert "learned from 20 jobs of accounting, from processors, memory, walltime" in ended.out
    assert "exact for 100.0% of the last 4 jobs" in ended.out


def test_the_run_time_is_an_input_only_on_request(infer: Command) -> None:
    ended = infer("log.swf", "--training", "accounting", "-o", "w.json", "--with-run-time")
    assert "from processors, memory, walltime, run_time" in ended.out


def test_a_log_without_usable_jobs_gives_a_one_line_error(infer: Command) -> None:
    infer("log.swf", "--training", "log.swf", "-o", "w.json").assert_refused(
        "log.swf: fewer than 10 of its jobs state their nodes or tasks"
    )
    assert not Path("w.json").exists()


def test_an_output_never_replaces_the_log_to_learn_from(infer: Command) -> None:
    infer("log.swf", "--training", "accounting", "-o", "accounting").assert_refused(
        "accounting is an input file; give another name"
    )
    assert Path("accounting").read_text() == ACCOUNTING
