"""Runs compared over shakes of their workload."""

import json
import pickle
from dataclasses import replace
from threading import Lock
from typing import Self

import pytest

import pred_aware as pa
from pred_aware.comparison.copies import Perturbed
from pred_aware.comparison.effect_tables import perturbed_tables, significance_remarks
from pred_aware.comparison.page import in_words
from pred_aware.comparison.tables import remarks, tables
from pred_aware.effects.effect import Effect, holm_corrected
from pred_aware.errors import PredAwareError
from pred_aware.statistics import paired_difference
from schedulers.core.job import Job
from tests.pred_aware.api.synthetic_log import write_log


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> pa.Workload:
    return pa.read_log(write_log(tmp_path_factory.mktemp("log") / "made.swf")).workload


@pytest.fixture(scope="module")
def compared(workload: pa.Workload) -> pa.Comparison:
    runs = [pa.simulate(workload, name) for name in ("easy", "easy_sjbf", "pred_aware")]
    again = pa.simulate(workload, "easy", name="again")
    return pa.compare([*runs, again], shakes=6, workers=1)


@pytest.fixture
def shaken(compared: pa.Comparison) -> Perturbed:
    assert compared.shaken is not None
    return compared.shaken


def test_differences_equal_those_of_copies_simulated_by_hand(
    workload: pa.Workload, shaken: Perturbed
) -> None:
    waits = [
        [
            pa.simulate(workload.shaken(seed), name).figures["mean_waiting_time"]
            for seed in range(1, 7)
        ]
        for name in ("easy", "pred_aware")
    ]
    found = shaken.effect("pred_aware", "mean_waiting_time").change
    assert found == paired_difference(*waits)
    assert found.significant is True


def test_two_runs_of_one_policy_do_not_differ_significantly_and_times_have_no_interval(
    shaken: Perturbed,
) -> None:
    # of the maxima six shakes tell no interval
    assert {one.change.significant for one in shaken.of("again")} == {False, None}
    # the machine is too small to have a size class of its own for each share
    known = [one for one in shaken.of("again") if one.value.value is not None]
    assert all(one.same for one in known)
    assert len(known) > 10
    assert shaken.counts["again"]["at_most_the_same"].value == 1.0
    # nothing measured has an interval
    assert "scheduling_time" not in {one.measure for one in shaken.effects}


def test_groups_of_jobs_have_intervals_over_the_copies(
    workload: pa.Workload, shaken: Perturbed
) -> None:
    shakes = [workload.shaken(seed) for seed in range(1, 7)]
    by_user = [
        [pa.simulate(one, name).measures_by("user")["mean_waiting_time"]["3"] for one in shakes]
        for name in ("easy", "pred_aware")
    ]
    gains = shaken.gains("user").set_index(["run", "group"]).loc["pred_aware", "3"]
    expected = paired_difference(*by_user)
    assert gains[["difference", "low", "high"]].tolist() == pytest.approx(
        [expected.value, expected.low, expected.high]
    )
    assert gains["holm"] >= gains["p_value"]
    with pytest.raises(PredAwareError, match="the perturbed copies have no results by weekday"):
        shaken.gains("weekday")


def test_gains_and_the_requested_groups_are_shown_over_the_copies(workload: pa.Workload) -> None:
    runs = [pa.simulate(workload, name) for name in ("easy", "pred_aware")]
    found = pa.compare(runs, shakes=3, by=["weekday"], measures=["p95_waiting_time"], workers=1)
    titles = [table.title for table in tables(found)]
    over = "pred_aware against easy, over 3 perturbed copies"
    assert f"Who gains and who loses: mean waiting time, {over}" in titles
    assert f"Users who gain and who lose most: mean waiting time, {over}" in titles
    assert f"95th percentile of waiting time by weekday, {over}" in titles
    told = found.to_dict()["intervals"]["against_baseline"]["pred_aware"]["groups"]
    assert [*told] == ["size", "length", "queue", "user", "weekday"]


def test_tables_mark_changes_that_are_significant_only_alone(shaken: Perturbed) -> None:
    many = doubtful(shaken)
    rows = {row[0]: row[-1] for row in perturbed_tables(many)[1].rows}
    assert rows["mean waiting time"] == "less ~"
    (_, said) = significance_remarks(many)
    assert "differences (Holm), not significant any more (~): " in said
    assert "mean waiting time of pred_aware" in said


def doubtful(shaken: Perturbed) -> Perturbed:
    """The same, but that the mean wait of pred_aware differs by chance, of so many."""

    def unsure(one: Effect) -> Effect:
        if (one.policy, one.measure) != ("pred_aware", "mean_waiting_time"):
            return one
        return replace(one, change=replace(one.change, p_value=0.04))

    (effects,) = holm_corrected([[unsure(one) for one in shaken.effects]])
    return replace(shaken, effects=tuple(effects))


def test_json_has_bounds_and_p_values_and_the_frame_has_bounds(compared: pa.Comparison) -> None:
    told = json.loads(json.dumps(compared.to_dict()["intervals"]))
    assert (told["shakes"], told["seeds"], told["max_shift"]) == (6, [1, 2, 3, 4, 5, 6], 600.0)
    wait = told["against_baseline"]["pred_aware"]["mean_waiting_time"]
    assert wait["low"] < wait["change"] < wait["high"] < 0
    assert wait["p_value"] <= wait["holm"]
    row = compared.frame.loc["mean_waiting_time"]
    assert row["low of pred_aware"] == wait["low"]


def test_single_runs_have_no_interval_and_a_remark_says_so(workload: pa.Workload) -> None:
    one = pa.compare([pa.simulate(workload, name) for name in ("easy", "pred_aware")])
    says = "one run of each policy, so no interval"
    assert one.to_dict()["intervals"] == {"shakes": 0, "says": says}
    assert says in tables(one)[0].title
    assert says in in_words(one)[0]
    assert "--shakes 20" in remarks(one)[0]


def test_runs_that_rejected_every_job_have_no_figures_over_copies(workload: pa.Workload) -> None:
    runs = [pa.simulate(workload, name, platform=pa.Platform.of(1)) for name in ("easy", "fcfs")]
    few = pa.compare(runs, shakes=2, workers=1)
    assert few.shaken is not None
    assert tables(few)


def test_policies_defined_in_this_process_can_be_compared(workload: pa.Workload) -> None:
    class Own:
        changes = False

        def key(self, job: Job, now: float) -> float:
            return job.processors

    run = pa.simulate(workload, order=Own(), name="own")
    assert pickle.loads(pickle.dumps(run)).recipe is None  # noqa: S301 - our own bytes
    runs = [pa.simulate(workload), run]
    assert pa.compare(runs, shakes=2, workers=2).shaken == pa.compare(runs, shakes=2).shaken

    # what no other process can have is simulated in this one
    class Locked:
        changes = False

        def __init__(self) -> None:
            self.lock = Lock()

        def __deepcopy__(self, _: object) -> Self:
            return self

        def key(self, job: Job, now: float) -> float:
            return job.processors

    runs = [pa.simulate(workload), pa.simulate(workload, order=Locked(), name="locked")]
    assert pa.compare(runs, shakes=2, workers=2).shaken is not None
