"""Results that change without a raised version: a store of runs would give the old ones."""

import os
from dataclasses import replace
from typing import Any

import pytest

from pred_aware.log.job_log import JobLog
from tests.golden.semantics import (
    Result,
    complaint,
    made_log,
    of_a_policy,
    of_the_rest,
    policies,
    read_recorded,
    record,
)


@pytest.fixture(scope="module")
def log() -> JobLog:
    return made_log()


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    if os.environ.get("PRED_AWARE_RECORD"):
        record()
    return read_recorded()


POLICIES = policies()


@pytest.mark.parametrize("kind", sorted({case.split()[0] for case in POLICIES}))
def test_every_part_gives_the_results_recorded_for_its_version(
    log: JobLog, recorded: dict[str, Any], kind: str
) -> None:
    cases = [case for case in POLICIES if case.split()[0] == kind]
    results = {case: of_a_policy(log, case, POLICIES[case]) for case in cases}
    assert [
        said for case in cases if (said := complaint(case, recorded.get(case), results[case]))
    ] == []


def test_reading_perturbing_resampling_and_measuring_give_their_recorded_results(
    log: JobLog, recorded: dict[str, Any]
) -> None:
    said = [complaint(case, recorded.get(case), result) for case, result in of_the_rest(log)]
    assert said == [None] * 4


def test_different_results_under_the_same_version_are_an_error() -> None:
    result = Result({"policy": 1}, {}, "0")
    recorded = result.recorded()
    assert complaint("easy", recorded, result) is None
    assert "raise a version" in str(complaint("easy", recorded, replace(result, sha256="1")))
    raised = replace(result, sha256="1", versions={"policy": 2})
    assert "other versions" in str(complaint("easy", recorded, raised))


def test_the_same_results_with_another_library_are_accepted() -> None:
    result = Result({"policy": 1}, {"numpy": "2.4.6"}, "0")
    newer = replace(result, libraries={"numpy": "2.5.5"})
    assert complaint("knn", result.recorded(), newer) is None
    assert "other versions" in str(complaint("knn", result.recorded(), replace(newer, sha256="1")))


def test_every_recorded_part_still_exists(recorded: dict[str, Any]) -> None:
    assert set(recorded) == {*policies(), "logs", "shakes", "resamples", "measures"}
