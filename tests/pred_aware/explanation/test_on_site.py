"""Explanations of jobs that a site's rules stopped."""

from collections.abc import Mapping
from typing import Any

import pytest

from pred_aware.explanation.explainer import explain
from tests.schedulers.site.on_site import job, ran

ONE_EACH = {"limits": [{"of": "jobs", "per": "user", "most": 1}]}
HOURS = {
    "start": "2026-01-05T07:00:00+00:00",
    "windows": [{"closed": "07:30-08:00", "longer_than": 60}],
}


def told(site: Mapping[str, Any], jobs: list[dict[str, Any]], which: int) -> dict[str, str]:
    explanation = explain(ran(site, jobs), which)
    return {one.topic: str(one) for one in explanation.sentences}


def test_time_stopped_by_a_rule_comes_before_time_without_room() -> None:
    jobs = [
        job(1, 0, 1, 50, user_id="ann"),
        job(2, 0, 1, 90, user_id="ann"),
        job(3, 20, 3, 80, user_id="bob"),
        job(4, 40, 4, 10, user_id="bob"),
    ]
    found = explain(ran(ONE_EACH, jobs), 4)
    first, *others = found.reasons
    assert (first.kind, first.seconds) == ("rule", 60.0)
    assert sum(one.seconds for one in others) == pytest.approx(40.0)
    assert sum(one.share for one in found.reasons) == pytest.approx(1.0)
    words = {one.topic: str(one) for one in found.sentences}
    assert (
        words["rule"]
        == "For 1 min of the wait (60 %), the site's rule '1 job per user' stopped it."
    )
    assert words["answer"].endswith("the site's rule '1 job per user' stopped it.")


def test_a_rule_with_hours_is_quoted_in_the_sentence() -> None:
    words = told(HOURS, [job(1, 1800, 1, 50)], 1)
    assert words["rule"] == (
        "During the whole wait, the site's rule "
        "'closed Mon-Sun 07:30-08:00 for jobs of more than 1 min' stopped it."
    )


def test_jobs_that_passed_a_stopped_job_name_the_rule() -> None:
    jobs = [job(number, number, 1, 50, user_id=who) for number, who in enumerate("aab", 1)]
    (overtaker,) = explain(ran(ONE_EACH, jobs), 2).overtaken_by
    assert (overtaker.job, overtaker.rule) == ("3", "stopped")
