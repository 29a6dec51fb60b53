import pytest

from predictors import OptionError
from predictors.regression.encoding import SubmissionEncoder
from tests.predictors.jobs import job
from tests.suites import each_case


def test_a_new_text_does_not_move_the_codes_of_others() -> None:
    encoder = SubmissionEncoder(["user"])
    codes = [encoder.learn(job(user=user)) for user in ("ann", "bob", "cyd")]
    assert codes == [[0], [1], [2]]
    assert [encoder.encode(job(user=user)) for user in ("ann", "bob", "cyd")] == codes


def test_a_text_that_was_not_learned_has_a_code_of_no_other_and_leaves_no_trace() -> None:
    encoder = SubmissionEncoder(["user"])
    encoder.learn(job(user="ann"))
    assert encoder.encode(job(user="eve")) == encoder.encode(job(user="bob")) == [1]
    assert encoder.learn(job(user="bob")) == [1]


def test_what_is_not_known_is_minus_one() -> None:
    assert SubmissionEncoder(["memory", "user", "walltime"]).learn(job(user=None)) == [-1, -1, -1]


def test_texts_that_were_not_learned_lately_are_forgotten_without_moving_the_others() -> None:
    encoder = SubmissionEncoder(["user"], texts=2)
    for name in ("ann", "bob", "cyd", "bob", "dan", "eve"):
        encoder.learn(job(user=name))
    codes = {name: encoder.encode(job(user=name)) for name in ("ann", "bob", "cyd", "dan", "eve")}
    assert codes == {"ann": [5], "bob": [1], "cyd": [5], "dan": [3], "eve": [4]}
    assert encoder.learn(job(user="ann")) == [5]


@each_case(
    ("features", "message"),
    [
        ([], "at least one field"),
        ("user", "must be a list"),
        (["usr"], "unknown feature 'usr': did you mean 'user'"),
        (["run_time"], "unknown feature 'run_time'"),
        (["user", "user"], "repeated"),
    ],
)
def test_features_that_can_not_be(features: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SubmissionEncoder(features)
