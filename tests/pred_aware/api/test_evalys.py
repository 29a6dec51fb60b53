"""What we write is read by evalys, the package with which users of Batsim look at schedules."""

import pytest

import pred_aware as pa
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import python

# in a process of its own: evalys warns of its own code under today's pandas and matplotlib
LOOK = """
import sys
from evalys.jobset import JobSet
from evalys.mstates import MachineStatesChanges
jobs = JobSet.from_csv(sys.argv[1] + "_jobs.csv")
states = MachineStatesChanges(sys.argv[1] + "_machine_states.csv")
jobs.plot(with_details=True)
print(len(jobs.df), jobs.res_bounds, jobs.mean_utilisation(), jobs.queue.load.max())
print(jobs.df.waiting_time.mean(), jobs.df.proc_alloc.sum(), states.df.nb_computing.max())
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> pa.Run:
    folder = tmp_path_factory.mktemp("evalys")
    log = pa.read_log(write_log(folder / "made.swf"))
    return pa.simulate(log, "easy", write_to=folder / "out")


@pytest.mark.slow
def test_evalys_reads_jobs_and_machine_states_and_finds_the_same_figures(run: pa.Run) -> None:
    pytest.importorskip("evalys", reason="evalys is not installed: pip install evalys")
    prefix = str(run.path).removesuffix("_jobs.csv")
    done = python("-W", "ignore", "-c", LOOK, prefix, env={"MPLBACKEND": "agg"})
    jobs, bounds, in_use, queue, wait, sizes, computing = map(_number, done.out.split())
    assert (jobs, bounds) == (len(run.jobs), "0-7")
    assert in_use == pytest.approx(8 * run.figures["utilisation"])
    assert wait == pytest.approx(run.figures["mean_waiting_time"])
    assert sizes == run.jobs["requested_number_of_resources"].sum()
    assert computing == 8
    assert isinstance(queue, float)
    assert queue > 8


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
