"""The plans of Slurm's own backfill: our planner makes the same of the same queues."""

from pathlib import Path

from tests.schedulers.slurm.cases import CASES, planned, recorded
from tests.suites import each_case


@each_case("case", CASES)
def test_a_queue_is_planned_as_slurms_own_backfill_plans_it(shared: Path, case: str) -> None:
    folder = shared / "slurm" / "plans" / case
    assert planned(folder) == recorded(folder)
