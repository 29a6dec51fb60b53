"""No scheduler and no predictor sees the recorded start of a job."""

from pathlib import Path

import pytest

from pred_aware import simulate
from predictors import Submission
from tests.pred_aware.recorded_queue.queues import JOBS, workload
from workload_tools.batsim.fields import AFTERWARDS

PEEKING = """
class Peeking:
    changes = False

    def key(self, job, now):
        if job.fields["user"] != "ann" or {"wait_time", "state"} & set(job.fields):
            raise ValueError(f"sees {sorted(job.fields)}")
        return job.submit_time
"""


@pytest.mark.parametrize("transport", ["process", "zmq"])
def test_a_schedulers_own_part_sees_no_recorded_wait(
    transport: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "peeking_order.py").write_text(PEEKING)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    recorded = workload(wait_time=[5.0] * JOBS, state=["DONE"] * JOBS, user=["ann"] * JOBS)
    order, predictor = "peeking_order:Peeking", "last_two"
    run = simulate(recorded, "easy", order=order, predictor=predictor, transport=transport)
    assert len(run.jobs) == JOBS


def test_no_predictor_sees_a_recorded_wait() -> None:
    assert not {*AFTERWARDS, "eligible_time"} & set(Submission.__struct_fields__)
