import gzip
import re
from pathlib import Path

import pytest

from tests.suites import each_case
from tests.workload_tools.jobs import SyntheticLog, job
from workload_tools.changes.cleaning import RECIPES, Cleaned, WarmUp, recipe
from workload_tools.changes.cleaning.condition import RecipeError, unix_date
from workload_tools.swf.log import SwfLog

CURIE_START = 1296571124
SEVEN_DAYS = 604800


def lines(path: Path) -> list[list[float]]:
    """Read a log's lines with nothing of the project."""
    with gzip.open(path, "rt", encoding="latin-1") as file:
        return [
            [*map(float, line.split()[:18])]
            for line in file
            if line.strip() and not line.lstrip().startswith(";")
        ]


def cleaned(log: SwfLog | SyntheticLog, *texts: str) -> list[str]:
    return [one.id for one in Cleaned(log, recipe(*texts).removals).jobs()]


def test_a_flurry_of_a_user_in_an_interval_is_removed_and_counted() -> None:
    others = [job(str(n), user=str(n % 9), submit_time=60.0 * n) for n in range(1000)]
    flurry = [job(str(2000 + n), user="2", submit_time=60.0 * n) for n in range(500)]
    log = SyntheticLog([*others, *flurry])
    kept = cleaned(log, "user=2 and (job>=2000 and job<=2400)")
    assert len(kept) == 1000 + 500 - 401 == log.report.kept
    assert log.report.dropped == {"cleaned: user=2 and (job>=2000 and job<=2400)": 401}
    assert log.report.read == log.report.kept + log.report.dropped.total()


def test_the_flurry_of_hpc2n_is_removed_as_in_the_cleaned_log() -> None:
    # a made log with the header's 527,371 jobs at a scale of 1 to 100, 57.9 % of them of user 2
    jobs = [job(str(n + 11), user="2" if n < 3052 else str(n % 7 + 3)) for n in range(5274)]
    log = SyntheticLog(jobs)
    cleaned(log, "archive-hpc2n")
    assert log.report.dropped["cleaned by archive-hpc2n: user=2"] == 3052
    assert log.report.kept == 5274 - 3052
    assert [step for step in RECIPES["paper000-seth"].steps if "user" in step] == ["user=2"]


@pytest.mark.slow
def test_curie_after_february_has_the_counted_number_of_jobs(shared: Path) -> None:
    path = shared / "traces" / "CEA-Curie-2011-2.1-cln.swf.gz"
    rows = lines(path)
    dates = [CURIE_START + row[1] for row in rows]
    march = unix_date("2012-03-01", "Europe/Paris")
    assert (len(rows), sum(date >= march for date in dates)) == (312826, 301867)
    # 191 jobs of the morning of 1 March; then nothing until the 7th
    assert sum(date >= unix_date("2012-03-02", "Europe/Paris") for date in dates) == 301676
    log = SwfLog(path)
    kept = cleaned(log, "paper000-curie")
    assert kept == [
        str(int(row[0]))
        for row, date in zip(rows, dates, strict=True)
        if date >= march and row[3] > 0 and max(row[4], row[7]) > 0
    ]
    assert log.report.read == 312826 == log.report.kept + log.report.dropped.total()


@pytest.mark.parametrize(
    ("name", "removed"),
    [
        pytest.param("UniLu-Gaia-2014-1", 25, marks=pytest.mark.slow),
        pytest.param("SDSC-DS-2004-2.1-cln", 1, marks=pytest.mark.slow),
        pytest.param("DOST-ASTI_COARE-Saliksik-2020-cln", 61, marks=pytest.mark.slow),
        ("wagap-2013", 206),
    ],
)
def test_jobs_over_seven_days_are_removed(shared: Path, name: str, removed: int) -> None:
    log = SwfLog(shared / "traces" / f"{name}.swf.gz")
    cleaned(log, "paper000")
    assert log.report.dropped["cleaned by paper000: run>7d"] == removed
    assert sum(row[3] > SEVEN_DAYS for row in lines(Path(log.path))) == removed


@pytest.mark.slow
@each_case(
    ("name", "known"),
    [
        ("KTH-SP2-1996-2.1-cln", "archive-kth"),
        ("SDSC-DS-2004-2.1-cln", "archive-sdsc-ds"),
        ("HPC2N-2002-2.2-cln", "archive-hpc2n"),
        ("CEA-Curie-2011-2.1-cln", "archive-curie"),
    ],
)
def test_the_archives_filters_are_in_its_headers_and_find_nothing_in_cleaned_logs(
    shared: Path, name: str, known: str
) -> None:
    path = shared / "traces" / f"{name}.swf.gz"
    log = SwfLog(path)
    cleaned(log, known)
    steps = RECIPES[known].steps
    assert [log.report.dropped[f"cleaned by {known}: {step}"] for step in steps] == [0] * len(steps)
    with gzip.open(path, "rt", encoding="latin-1") as file:
        filters = re.findall(r";\s+(\S.*) \(\d+ jobs removed\)", file.read(10000))
    assert filters == list(steps)


def test_a_job_that_two_recipes_remove_counts_once() -> None:
    log = SyntheticLog([job("1", user="2", run_time=8.0e5), job("2", user="2"), job("3")])
    assert cleaned(log, "run>7d", "user=2", "user=9") == ["3"]
    assert log.report.dropped == {"cleaned: run>7d": 1, "cleaned: user=2": 1, "cleaned: user=9": 0}


@each_case(("jobs", "share", "marked"), [(100, 0.29, 29), (199, 0.01, 1), (9, 0.1, 0)])
def test_the_first_submissions_are_marked_as_warm_up(jobs: int, share: float, marked: int) -> None:
    log = SyntheticLog([job(str(n), submit_time=float(-n)) for n in range(jobs)])
    found = list(WarmUp(log, share).jobs())
    assert [one.id for one in found if one.warm_up] == [str(jobs - 1 - n) for n in range(marked)]
    assert [one.warm_up for one in found] == sorted((one.warm_up for one in found), reverse=True)
    assert (len(found), log.report.kept, log.report.marked["warm-up"]) == (jobs, jobs, marked)


def test_the_warm_up_is_a_share_of_the_remaining_jobs() -> None:
    wanted = recipe("warm-up=50%", "user=2")
    log = SyntheticLog([job(str(n), user=str(n % 3), submit_time=float(n)) for n in range(6)])
    found = WarmUp(Cleaned(log, wanted.removals), wanted.warm_up or 0.0).jobs()
    told = [(one.id, one.warm_up) for one in found]
    assert told == [("0", True), ("1", True), ("3", False), ("4", False)]


@each_case("name", RECIPES)
def test_every_named_recipe_is_valid_and_has_a_source(name: str) -> None:
    wanted = recipe(name)
    assert wanted.removals or wanted.warm_up
    assert RECIPES[name].source


@each_case(
    ("texts", "message"),
    [
        (("paper000-set",), "is not a recipe: did you mean 'paper000-seth'"),
        (("warm-up=5",), "give a share of the jobs in percent"),
        (("warm-up=100%",), "more than 0 % and less than 100 %"),
        (("warm-up=1%", "warm-up=2%"), "another recipe has a different warm-up"),
    ],
)
def test_an_invalid_recipe_is_an_error(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        recipe(*texts)


def test_a_date_is_an_error_for_a_log_without_dates() -> None:
    with pytest.raises(RecipeError, match="--clean 'submit<2012-03-01': the log does not contain"):
        cleaned(SyntheticLog([job("1")]), "submit<2012-03-01")


def test_an_unknown_time_zone_is_an_error() -> None:
    log = SyntheticLog([job("1")], start_time=0.0, time_zone="Mars/Olympus")
    with pytest.raises(RecipeError, match="'Mars/Olympus' is unknown here: give the date with"):
        cleaned(log, "submit<2012-03-01")


def test_a_log_without_jobs_stays_empty() -> None:
    assert cleaned(SyntheticLog([]), "user=2") == []
