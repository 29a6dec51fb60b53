import pytest

from predictors import OptionError, Submission
from predictors.regression.encoding import SubmissionEncoder


def job(user: str | None) -> Submission:
    return Submission(id="7", submit_time=0.0, processors=4, user=user)


def test_a_new_text_does_not_move_the_codes_of_others() -> None:
    encoder = SubmissionEncoder(["user"])
    codes = [encoder.learn(job(user)) for user in ("ann", "bob", "cyd")]
    assert codes == [[0], [1], [2]]
    assert [encoder.encode(job(user)) for user in ("ann", "bob", "cyd")] == codes


def test_a_text_that_was_not_learned_has_a_code_of_no_other_and_leaves_no_trace() -> None:
    encoder = SubmissionEncoder(["user"])
    encoder.learn(job("ann"))
    assert encoder.encode(job("eve")) == encoder.encode(job("bob")) == [1]
    assert encoder.learn(job("bob")) == [1]


def test_what_is_not_known_is_minus_one() -> None:
    assert SubmissionEncoder(["memory", "user", "walltime"]).learn(job(None)) == [-1, -1, -1]


def test_texts_that_were_not_learned_lately_are_forgotten_without_moving_the_others() -> None:
    encoder = SubmissionEncoder(["user"], texts=2)
    for name in ("ann", "bob", "cyd", "bob", "dan", "eve"):
        encoder.learn(job(name))
    codes = {name: encoder.encode(job(name)) for name in ("ann", "bob", "cyd", "dan", "eve")}
    assert codes == {"ann": [5], "bob": [1], "cyd": [5], "dan": [3], "eve": [4]}
    assert encoder.learn(job("ann")) == [5]


@pytest.mark.parametrize(
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
