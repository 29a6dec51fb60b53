import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from msgspec.structs import replace
from sklearn.tree import DecisionTreeRegressor

from pred_aware.errors import PredAwareError
from pred_aware.prediction.past_table import PastColumns, PastTable, read_past
from predictors import Submission
from predictors.errors import HistoryError
from reproductions.paper001 import Setup, run

TREE = Setup(models=("decision_tree",))


def rows(number: int = 300, seed: int = 1) -> pd.DataFrame:
    """Make a table in the paper's columns; user 9 has few jobs, and user 1 is predictable."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    made = []
    for _ in range(number):
        user = 9 if rng.random() < 0.01 else rng.randrange(4)
        limit = rng.choice([600, 3600])
        made.append(
            {
                "cpu": 2 ** rng.randrange(4),
                "mem (GB)": rng.choice([4.0, 7.5]),
                "node": 1,
                "gres/gpu": rng.randrange(5),
                "user_id": user,
                "qos": rng.randrange(2),
                "time_limit": limit,
                "run_time": limit // 10 if user == 1 else rng.randrange(1, limit),
            }
        )
    return pd.DataFrame(made)


def table(frame: pd.DataFrame, folder: Path, name: str = "jobs.csv") -> PastTable:
    path = folder / name
    if name.endswith(".csv"):
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    return read_past(path)


def test_the_baseline_is_what_scikit_learn_gives_on_the_same_split(tmp_path: Path) -> None:
    frame = rows()
    found = run("baseline", table(frame, tmp_path), TREE)
    order = np.random.default_rng(13).permutation(300)
    learned, predicted = np.sort(order[:240]), np.sort(order[240:])
    features = frame.drop(columns="run_time").copy()
    for column in ("user_id", "qos"):
        codes = {value: code for code, value in enumerate(dict.fromkeys(features[column][learned]))}
        features[column] = [codes.get(value, len(codes)) for value in features[column]]
    tree = DecisionTreeRegressor(random_state=13)
    names = ["cpu", "mem (GB)", "node", "gres/gpu", "user_id", "qos", "time_limit"]
    values = features[names].to_numpy(np.float32)
    run_times = frame["run_time"].to_numpy(float)
    tree.fit(values[learned], run_times[learned])
    errors = np.abs(tree.predict(values[predicted]) - run_times[predicted])
    (result,) = found.models
    assert (found.learned, found.predicted) == (240, 60)
    assert result.measures.mae == pytest.approx(float(errors.mean()), rel=1e-12)


def test_the_consecutive_split_predicts_the_last_fifth(tmp_path: Path) -> None:
    frame = rows().assign(end_time=lambda frame: 1000.0 * frame.index + frame["run_time"])
    past = table(frame, tmp_path)
    found = run("consecutive", past, TREE)
    assert (found.learned, found.predicted) == (240, 60)
    begin = past.submissions[240].submit_time
    assert past.end_times is not None
    late = sum(end > begin for end in past.end_times[:240])
    assert f"also {late} that had not ended" in found.remark


def test_the_best_user_is_the_one_who_can_be_predicted(tmp_path: Path) -> None:
    found = run(
        "best_users", table(rows(), tmp_path), Setup(models=("decision_tree",), best_users=1)
    )
    assert "best 1 of 4 experts" in found.remark
    assert found.models[0].measures.mae == 0.0


def test_who_has_less_than_a_tenth_of_the_average_is_no_expert(tmp_path: Path) -> None:
    frame = rows()
    found = run("augmentation", table(frame, tmp_path), TREE)
    assert "jobs of 4 experts" in found.remark
    assert found.learned + found.predicted == int((frame["user_id"] != 9).sum())
    assert "average walltime of the user" in found.features


def test_averages_come_from_the_training_part_only(tmp_path: Path) -> None:
    past = table(rows(), tmp_path)
    learned = np.arange(200)
    names, averages = PastColumns(past).averages(learned)
    other = [
        job if place < 200 else replace(job, processors=999, walltime=1.0)
        for place, job in enumerate(past.submissions)
    ]
    changed = PastTable(other, past.run_times, None)
    assert PastColumns(changed).averages(learned)[1].tolist() == averages.tolist()
    mine = [job.processors for job in past.submissions[:200] if job.user == "1"]
    place = next(place for place, job in enumerate(past.submissions) if job.user == "1")
    column = names.index("average processors of the user")
    assert averages[place, column] == pytest.approx(sum(mine) / len(mine))


def test_a_forest_does_not_depend_on_the_threads(tmp_path: Path) -> None:
    past = table(rows(), tmp_path)
    one, two = (
        run("baseline", past, Setup(models=("random_forest",), workers=workers)).models[0].measures
        for workers in (1, 2)
    )
    assert one == two


def test_without_users_two_experiments_are_left_out(tmp_path: Path) -> None:
    past = table(rows().drop(columns="user_id"), tmp_path)
    for name in ("best_users", "augmentation"):
        found = run(name, past, TREE)
        assert (found.models, "nobody knows" in found.remark) == ((), True)
    assert run("baseline", past, TREE).models


def test_parquet_and_csv_are_the_same(tmp_path: Path) -> None:
    frame = rows().assign(ignored=[[1, 2]] * 300)
    frame.loc[3, "mem (GB)"] = np.nan
    parquet = table(frame, tmp_path, "jobs.parquet")
    plain = table(frame.drop(columns="ignored"), tmp_path)
    assert (parquet.submissions, parquet.dropped) == (plain.submissions, plain.dropped)


def test_rows_with_gaps_and_without_run_time_are_dropped_and_counted(tmp_path: Path) -> None:
    frame = rows()
    frame.loc[3, "mem (GB)"] = np.nan
    frame.loc[[4, 5], "time_limit"] = np.nan
    frame.loc[7, "run_time"] = 0
    past = table(frame, tmp_path)
    assert past.dropped == {"no memory": 1, "no walltime": 2, "run time of 0 s": 1}
    assert len(past.submissions) == 296


@pytest.mark.parametrize("name", ["jobs.csv", "jobs.parquet"])
def test_a_row_without_run_time_is_named(tmp_path: Path, name: str) -> None:
    frame = rows()
    frame.loc[3, "run_time"] = np.nan
    with pytest.raises(HistoryError, match=rf"{name}:5: 'run_time' is empty"):
        table(frame, tmp_path, name)


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    path.write_text("cpu,run_time\n")
    with pytest.raises(HistoryError, match=r"jobs\.parquet: cannot be read as Parquet"):
        read_past(path)


def test_a_table_of_which_nothing_is_left_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PredAwareError, match="no job can be used"):
        table(rows(2).assign(run_time=0), tmp_path)


def test_one_job_is_too_few() -> None:
    job = Submission(id="1", submit_time=0.0, processors=1, walltime=60.0, user="1")
    with pytest.raises(PredAwareError, match="too few"):
        run("baseline", PastTable([job], [5.0], None), TREE)
