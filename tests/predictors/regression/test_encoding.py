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


def test_an_unlearned_text_has_an_unused_code_and_changes_nothing() -> None:
    encoder = SubmissionEncoder(["user"])
    encoder.learn(job(user="ann"))
    assert encoder.encode(job(user="eve")) == encoder.encode(job(user="bob")) == [1]
    assert encoder.learn(job(user="bob")) == [1]


def test_an_unknown_value_is_minus_one() -> None:
    assert SubmissionEncoder(["memory", "user", "walltime"]).learn(job(user=None)) == [-1, -1, -1]


def test_texts_not_learned_recently_are_forgotten_and_other_codes_stay() -> None:
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
def test_invalid_features_are_refused(features: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SubmissionEncoder(features)
