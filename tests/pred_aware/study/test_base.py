"""What a study tells by how far its simulated queue is the recorded one."""

from dataclasses import replace
from pathlib import Path

import pytest

from pred_aware import Site, simulate
from pred_aware.recorded_queue.trust import error_bar, verdict_of
from pred_aware.statistics import Difference
from pred_aware.study.base import Base, base_of, with_error_bar, with_inferred_site
from pred_aware.study.reading import ReadLog, read
from pred_aware.study.request import Reading
from pred_aware.study.study import Study
from schedulers.site.site import Limit
from tests.pred_aware.site_inference.planted import like, swf_of
from tests.pred_aware.study.conftest import MakeLog, Studied


def on_base(ratio: float, correlation: float) -> Base:
    test = like(ratio, correlation)
    return Base(test=test, verdict=verdict_of(test), held=0.77, rules=True)


def told(study: Study, ratio: float, correlation: float, change: float = -0.25) -> str:
    """Return the first sentence of a study on such a base, if the mean wait changes so."""
    base = on_base(ratio, correlation)
    check = replace(study.check, answer="shorter", recorded=study.check.simulated)
    surely = Difference(change, change - 0.01, change + 0.01, 0.95, 10)
    measures = {
        name: replace(
            one, change=surely, holm=0.0,
            value=replace(one.value, value=(1.0 + change) * (one.baseline.value or 0.0)),
        )
        for name, one in study.recommended.items()
    }  # fmt: skip
    policies = {**study.policies, "recommended": measures}
    return replace(study, base=base, check=check, policies=policies).verdict.sentence


def test_on_a_base_that_is_the_sites_queue_the_change_is_told(with_shakes: Study) -> None:
    sentence = told(with_shakes, 0.8, 0.9)
    assert sentence.startswith("Yes: with predictions a job waits on average")
    points = f"{error_bar('rules'):.0f} points"
    assert f"give or take {points}: by the second half of the log" in sentence


def test_on_one_that_is_about_it_the_change_is_told_within_points(with_shakes: Study) -> None:
    sentence = told(with_shakes, 1.1, 0.6, change=-0.6)
    assert sentence.startswith("Yes, roughly: with predictions a job waits some 60 % less")
    assert f"give or take {error_bar('bare'):.0f} points" in sentence


@pytest.mark.parametrize(("ratio", "correlation", "change"), [(1.1, 0.6, -0.2), (0.8, 0.9, -0.02)])
def test_of_a_change_below_the_error_of_the_base_no_sign_is_told(
    with_shakes: Study, ratio: float, correlation: float, change: float
) -> None:
    assert told(with_shakes, ratio, correlation, change).startswith("The change is too small")


def test_on_another_queue_no_change_and_no_hours_are_told(with_shakes: Study) -> None:
    sentence = told(with_shakes, 0.2, 0.3)
    assert sentence.startswith(
        "No change can be claimed for this site: 77 % of its waiting had nothing to do with "
        "processors"
    )
    assert "on an undivided machine without its rules" in sentence
    assert not any(unit in sentence for unit in (" h ", " min ", " s "))


def test_more_time_is_not_waited_for_where_no_change_could_be_claimed(with_shakes: Study) -> None:
    check = replace(with_shakes.check, answer="shorter", recorded=with_shakes.check.simulated)
    baseline = with_shakes.baseline.name
    found = replace(
        with_shakes, base=on_base(0.2, 0.3), check=check,
        policies={baseline: with_shakes.policies[baseline]},
    )  # fmt: skip
    assert found.verdict.kind == "no time"
    assert found.verdict.sentence.startswith("No change can be claimed for this site: 77 %")
    assert "the time was up" in found.verdict.sentence


def test_of_one_run_each_a_change_below_the_bar_is_too_small_to_tell(with_shakes: Study) -> None:
    rounds = replace(with_shakes.rounds, shakes=0)
    assert told(replace(with_shakes, rounds=rounds), 1.1, 0.6, -0.01).startswith(
        "The change is too small to tell"
    )
    assert "roughly" in told(replace(with_shakes, rounds=rounds), 1.1, 0.6, -0.6)


@pytest.fixture
def log(tmp_path: Path) -> ReadLog:
    path = tmp_path / "made.swf"
    path.write_text(swf_of("three each"))
    return read(Reading(paths=(path,), format="swf"))


def test_inferred_rules_become_the_studys_site(log: ReadLog) -> None:
    rules: list[str] = []
    found, inferred = with_inferred_site(log, on_progress=rules.append)
    assert inferred is not None
    assert found.site is not None
    assert [one.most for one in found.site.limits] == [3.0]
    assert any("3 jobs per user" in one for one in rules)


def test_rules_are_looked_for_where_no_site_is_stated_and_only_then(
    make_log: MakeLog, studied: Studied
) -> None:
    path = make_log(jobs=450, wait=5)
    site = Site(limits=(Limit(of="jobs", per="user", most=50.0),))
    found = [
        studied(path, folder=str(number), **asked).base
        for number, asked in enumerate(({}, {"infer_site": False}, {"site": site}))
    ]
    assert [one is not None and one.inferred is not None for one in found] == [True, False, False]


def test_rules_are_not_looked_for_when_the_time_is_up(log: ReadLog) -> None:
    same, inferred = with_inferred_site(log, on_progress=lambda _: None, until=0.0)
    assert inferred is None
    assert same is log


def test_without_time_the_error_bar_is_that_of_other_logs(log: ReadLog) -> None:
    found, inferred = with_inferred_site(log, on_progress=lambda _: None)
    assert found.site is not None
    base = base_of(simulate(found.log, "easy", site=found.site), found, inferred, rules=True)
    assert base is not None
    assert with_error_bar(base, log, seconds=None, on_progress=lambda _: None) is base
    assert base.points == pytest.approx(5.3)


def test_a_site_of_nothing_but_a_size_has_no_rules(make_log: MakeLog, studied: Studied) -> None:
    found = studied(make_log(wait=600, jobs=400), site=Site(processors=8))
    assert found.base is not None
    assert (found.base.rules, found.base.ground in (None, "bare")) == (False, True)


def test_a_baseline_without_the_rules_is_refused(log: ReadLog) -> None:
    base = base_of(simulate(log.log, "easy"), log, None, rules=False)
    assert base is not None
    assert base.verdict == "none"
    assert base.held is not None
    assert base.held > 0.8
