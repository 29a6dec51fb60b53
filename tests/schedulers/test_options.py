"""The options of a scheduler, and the errors for all others."""

from collections.abc import Mapping
from typing import Any

import pytest

from predictors import PredictorError
from schedulers import COMBINATIONS, SchedulerError, make_policy
from schedulers.core.scheduler import Scheduler
from tests.suites import each_case

EASY = {"name": "easy", "candidates": "shortest"}


@each_case(
    ("name", "options", "message"),
    [
        ("eazy", {}, r"unknown scheduler 'eazy': did you mean 'easy'"),
        ("easy", {"predictr": "last_two"}, r"no option 'predictr': did you mean 'predictor'"),
        ("easy", {"backfilling": "none"},
         r"'easy' \(plain EASY.*\) has no option 'backfilling'; .* policy"),
        ("fcfs", {"predictor": "last_two"}, r"has no option 'predictor'; .* easy, .* pred_aware"),
        ("filler", {"predictor": "last_two"}, r"has no option 'predictor'; "),
        ("easy_bf", {"predictor": "last_two"}, r"has no option 'predictor'; "),
        ("fcfs", {"speed": 3}, r"no option 'speed': known: allocation"),
        ("easy", {"predictor": "last_tow"}, r"unknown predictor 'last_tow': did you mean 'last_t"),
        ("easy", {"predictor": "actaul"}, r"unknown predictor 'actaul': did you mean 'actual'"),
        ("easy", {"predictor": {"name": "nosuch"}},
         r"unknown predictor 'nosuch': known: accuracy, actual"),
        ("easy", {"predictor": {"name": "last_two", "k": 2}}, r"no option 'k'"),
        ("easy", {"predictor": {"name": "decision_tree", "windw": 2}}, r"did you mean 'window'"),
        ("easy", {"predictor": {"name": "decision_tree", "window": "x"}}, r"window"),
        ("easy", {"predictor": 5}, r"given by a name or by an object"),
        ("easy", {"predictor": {"k": 5}}, r"unknown role 'k' in estimates"),
        ("easy", {"predictor": {"name": "last_two", "default": 0}},
         r"'default' must be a number of seconds, at least 1, not 0"),
        ("easy", {"predictor": {"name": "last_two", "default": float("nan")}},
         r"'default' must be .*, not nan"),
        ("easy", {"predictor": "nosuch:Thing"}, r"'nosuch:Thing' cannot be loaded: .*PYTHONPATH"),
        ("easy", {"predictor": "math:pi"}, r"'math:pi'"),
        ("easy", {"predictor": ":"}, r"':' cannot be loaded"),
        ("easy", {"estimates": {"runing": "actual"}}, r"did you mean 'running'"),
        ("easy", {"estimates": {"draining": "actual"}}, r"role 'draining' .* it is now 'running'"),
        ("easy", {"bound": 60}, r"has no option 'bound': it is now 'max_wait'"),
        ("filler", {"trust": 0.5}, r"has no option 'trust': it is now 'min_concordance'"),
        ("easy", {"estimates": {"running": 7}}, r"given by a name or by an object"),
        ("easy", {"estimates": "actual", "predictor": "last_two"}, r"not both"),
        ("easy", {"correction": "waltime"}, r"unknown correction 'waltime': did you mean 'wallt"),
        ("easy", {"call_margin": -1},
         r"call_margin must be a number of seconds, from 0 to 1e\+09, not -1"),
        ("easy", {"call_margin": True}, r"call_margin must be .*, not True"),
        ("easy", {"call_margin": "1"}, r"call_margin must be .*, not '1'"),
        ("easy", {"call_margin": float("nan")}, r"call_margin must be .*, not nan"),
        ("easy_bf", {"rjms_delay": -5}, r"rjms_delay must be .*, not -5"),
        ("conservative_bf", {"rjms_delay": "x"}, r"rjms_delay must be .*, not 'x'"),
        ("easy", {"history": "log.swf"}, r"history needs a predictor"),
        ("easy", {"history": 5, "predictor": "last_two"}, r"history is 5"),
        ("easy", {"history": "no.csv", "predictor": "last_two"}, r"no\.csv"),
        ("policy", {"order": "sfj"}, r"unknown order 'sfj': did you mean 'sjf'"),
        ("policy", {"order": 5}, "give the order as its name"),
        ("policy", {"ties": "x"}, r"ties 'x' is not known"),
        ("policy", {"backfilling": "esy"}, r"unknown backfilling 'esy': did you mean 'easy'"),
        ("policy", {"backfilling": {"name": "easy", "candidates": []}}, r"candidates \[\] is not"),
        ("policy", [1], r"options must be an object"),
        ("conservative", {"max_wait": 60}, r"cannot have max_wait: .* -O reservations=1000000"),
        ("easy", {"max_wait": {"ahead": 1}},
         r"max_wait has 'ahead', which also needs 'wait' or 'backlog'"),
        ("easy", {"max_wait": {"waits": 5}},
         r"max_wait has no option 'waits': did you mean 'wait'"),
        ("easy", {"max_wait": {"overtaken": -1}},
         r"max_wait's overtaken must be a number of processor seconds, at least 0, not -1"),
    ],
)  # fmt: skip
def test_invalid_names_are_reported_with_the_nearest_ones(
    name: str, options: Mapping[str, Any], message: str
) -> None:
    with pytest.raises((SchedulerError, PredictorError), match=message) as error:
        make_policy(name, options)
    assert "\n" not in str(error.value)


@each_case("name", COMBINATIONS)
def test_an_option_of_none_counts_as_not_given(name: str) -> None:
    make_policy(name, {"predictor": None, "whatever": None})


def test_only_parts_that_use_more_than_sizes_and_walltimes_need_the_fields() -> None:
    needs = {name: make_policy(name).needs_fields for name in COMBINATIONS}
    assert {name for name, needed in needs.items() if not needed} == {
        "conservative", "conservative_bf", "easy", "easy_bf", "easy_sjbf", "fcfs", "filler",
        "policy", "user_estimates", "wfp",
    }  # fmt: skip


def test_estimates_given_for_roles_replace_the_combinations_predictor() -> None:
    assert not make_policy("pred_aware", {"estimates": {"queueing": "walltime"}}).needs_fields


def test_an_option_replaces_the_whole_part() -> None:
    policy = make_policy("policy", {"backfilling": EASY, "order": {"name": "sjf"}})
    assert isinstance(policy, Scheduler)
