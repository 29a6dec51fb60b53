"""What every scheduler must do: all that have a name, and some that have none."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from schedulers import COMBINATIONS, Policy, contract, make_policy
from schedulers.contract.checks import PROCESSORS, some_jobs
from schedulers.contract.playing import Spec, play
from tests.suites import Checks, each_case

LAST_TWO_SJBF = {"backfilling": {"name": "easy", "candidates": "shortest"}, "predictor": "last_two"}

Make = Callable[[], Policy]
check = Checks(contract.CHECKS)
"""What every policy must keep, and what ours do beside that."""
NEEDS_WALLTIMES = {
    "conservative", "conservative_bf", "easy", "easy_bf", "easy_sjbf", "policy", "recommended",
    "recommended_v4", "slurm", "user_estimates", "wfp", "wfp_s001", "wfp_s010", "wfp_s100",
    "wfp_s110", "wfp_selective",
}  # fmt: skip
"""Those in which some role that plans has the walltime for its only estimate."""


def maker(name: str, options: Mapping[str, Any]) -> Make:
    return lambda: make_policy(name, options)


SCHEDULERS: dict[str, Make] = {name: maker(name, {}) for name in COMBINATIONS} | {
    "easy_last_two_sjbf": maker("policy", LAST_TWO_SJBF),
    "sjf_easy_actual": maker("policy", {"order": "sjf", "predictor": "actual"}),
}


@check
def without_waiting_everything_starts_at_once(make: Make) -> None:
    specs = [Spec(f"w0!{n}", 10.0 * n, 2, 50 + n, 100.0, "a") for n in range(100)]
    assert play(make(), specs, 2 * 11).starts == {spec.id: spec.submit for spec in specs}


@check
def a_job_larger_than_the_machine_is_rejected_with_a_reason(make: Make) -> None:
    specs = [Spec("w0!1", 0, 17, 10), Spec("w0!2", 0, 16, 10), Spec("w0!3", 5, 17, 10)]
    played = play(make(), specs, PROCESSORS)
    reason = "asks for 17 processors; the machine has 16"
    assert played.refusals == {"w0!1": reason, "w0!3": reason}
    assert played.starts == {"w0!2": 0}


@check
def a_machine_of_one_processor_runs_one_job_at_a_time(make: Make) -> None:
    specs = [Spec(f"w0!{n}", 0, 1, 10, 20.0) for n in range(5)]
    assert sorted(play(make(), specs, 1).starts.values()) == [0, 10, 20, 30, 40]


@check
def a_job_fills_the_whole_machine(make: Make) -> None:
    specs = [Spec(f"w0!{n}", n, 16, 10, 20.0) for n in range(3)]
    played = play(make(), specs, PROCESSORS)
    assert played.starts == {"w0!0": 0, "w0!1": 10, "w0!2": 20}


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_scheduler_keeps_the_contract(name: str) -> None:
    check.run(name, SCHEDULERS[name])


@each_case("seed", range(5))
def test_fcfs_never_lets_a_job_overtake(seed: int) -> None:
    specs = some_jobs(seed=seed)
    starts = play(make_policy("fcfs"), specs, PROCESSORS).starts
    in_order = [starts[spec.id] for spec in specs]
    assert in_order == sorted(in_order)


@each_case("name", COMBINATIONS)
def test_a_job_without_a_walltime_is_rejected_if_the_rule_plans_with_it(name: str) -> None:
    specs = [Spec("w0!1", 0, 4, 10, None), Spec("w0!2", 0, 4, 10, 60.0)]
    played = play(make_policy(name), specs, PROCESSORS)
    if name in NEEDS_WALLTIMES:
        assert list(played.refusals) == ["w0!1"]
        assert "walltime" in played.refusals["w0!1"]
    else:
        assert played.starts == {"w0!1": 0, "w0!2": 0}


@each_case("predictor", ["actual", "last_two", "decision_tree"])
def test_without_a_walltime_easy_plans_with_an_estimate(predictor: str) -> None:
    specs = [Spec("w0!1", 0, 16, 10, None), Spec("w0!2", 1, 16, 10, None)]
    played = play(make_policy("easy", {"predictor": predictor}), specs, PROCESSORS)
    assert played.starts == {"w0!1": 0, "w0!2": 10}
