"""Whole runs with Batsim's delays against those of the real Batsim with the real batsched."""

from pathlib import Path

import pytest

from benchmarks.compare_with_batsim import compare, schedule_differences


@pytest.mark.parametrize(
    "run",
    [
        "m100-512/easy_bf",
        "m100-512/filler",
        "m100-15680/easy_bf",
        *(
            pytest.param(run, marks=pytest.mark.slow)
            for run in ("kth/easy_bf", "kth/filler", "kth/conservative_bf", "curie20k/easy_bf")
        ),
        pytest.param("hpc2n/easy_bf", marks=pytest.mark.large),
    ],
)
def test_the_simulator_reproduces_the_real_batsims_run(shared: Path, run: str) -> None:
    result = compare(shared / "golden" / run)
    rows, different = result["rows"], result["different"]
    assert isinstance(rows, int)
    assert isinstance(different, int)
    assert rows > 4000
    assert result["schedule"] == []
    # one job in half a million may differ in the sixth decimal of its start
    assert different <= rows // 200_000, result["first"]


def test_another_build_of_batsim_is_not_a_difference() -> None:
    theirs, ours = (["batsim_version,makespan", f"{version},5"] for version in ("v4.2.1", "4.2.1"))
    assert schedule_differences(theirs, ours) == []
    assert schedule_differences(theirs, [ours[0], "4.2.1,6"]) == ["makespan: 6 instead of 5"]
