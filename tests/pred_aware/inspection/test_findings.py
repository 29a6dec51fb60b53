from pathlib import Path

from msgspec.structs import replace

from pred_aware.inspection import Inspection, findings, inspect_log
from pred_aware.report.clock import DAY
from tests.pred_aware.inspection.synthetic_logs import MONDAY, inspected, job
from tests.workload_tools.jobs import SyntheticLog
from workload_tools.changes.cleaning import Cleaned, recipe
from workload_tools.formats import open_log
from workload_tools.job import Job


def usual(**fields: object) -> list[Job]:
    """Make 60 days of 24 jobs of four users by day, without odd properties."""
    given = {"walltime": 7200.0, "status": 1, "run_time": 3600.0, "wait_time": 20.0, **fields}
    return [
        job(day * DAY + 8 * 3600 + n * 1700 + 7.5, **{"user": f"u{n % 4}", **given})
        for day in range(60)
        for n in range(24)
    ]


def texts(inspection: Inspection) -> str:
    return "\n".join(f"{f.kind}: {f.text}" for f in findings(inspection))


def test_a_usual_log_has_no_odd_finding() -> None:
    # all have one walltime, and four users share the log
    jobs = [job for n, job in enumerate(usual()) if n % 3] + usual(walltime=14400.0)[::3]
    found = texts(inspected(*jobs))
    assert "odd" not in found
    assert "67 % of the jobs have the walltime 2 h" in found


ODD: list[tuple[dict[str, object], str]] = [
    ({"walltime": None}, "odd: No job has a walltime"),
    ({"run_time": 1e4, "walltime": 5e3}, "100 % of the jobs ran longer than their walltime"),
    ({"processors": 5}, "odd: The log has 1,440 jobs larger than the machine (up to 5"),
    (
        {"allocated_processors": 2},
        "load is 0.50 with the processors that jobs had on the real machine, but",
    ),
    ({"run_time": 60.0}, "odd: The load is 0.00"),
    ({"run_time": 2.0}, "note: 100 % of the jobs run for less than 10 s"),
    ({"user": "ann"}, "odd: User ann submitted 100 % of the jobs"),
    ({"user": None}, "odd: The log has no users"),
    ({"status": None}, "note: The log does not say how jobs ended"),
    ({"wait_time": None}, "note: 1,440 jobs (100 %) have an unknown wait"),
    ({"wait_time": None}, "odd: The log has no waits, and its submissions look like"),
    ({"wait_time": 40.0 * DAY}, "odd: 1,440 jobs waited for more than 30 days, up to 40 d"),
    ({"run_time": 8.0 * DAY}, "note: 1,440 jobs ran for more than 7 days, with 100 % of all work"),
    ({"walltime": 1e5}, "note: Half of the jobs run less than 3.6 % of their walltime"),
]


def test_each_odd_property_gives_a_finding() -> None:
    nothing_odd = texts(inspected(*usual()))
    for fields, said in ODD:
        assert said not in nothing_odd
        assert said in texts(inspected(*usual(**fields))), fields


def test_time_zones_sizes_and_quiet_weeks_give_findings() -> None:
    assert "submissions is at night" not in texts(inspected(*usual()))
    assert "submissions is at night" in texts(inspected(*usual(), zone="Asia/Tokyo"))
    # an unknown size and an unknown time zone give findings
    found = texts(inspected(*usual(), processors=None, zone=None))
    assert "odd: The log does not contain the machine's size; 3 processors" in found
    assert "note: The log has no time zone" in found
    # quiet weeks and few jobs give findings
    jobs = [job for job in usual() if not 14 * DAY < job.submit_time < 21 * DAY]
    found = texts(inspected(*jobs))
    assert "odd: 1 of 9 weeks had less than a quarter of the mean load (week 3)" in found
    assert "odd: The log has only 30 jobs." in texts(inspected(*usual()[:30]))
    # quiet weeks at the beginning can be left out as it says
    late = [replace(one, submit_time=one.submit_time + 28 * DAY) for one in usual()]
    found = findings(inspected(*usual()[:3], *late))
    assert any("--clean 'submit<2024-01-29T08:00:07+00:00'" in one.advice for one in found)
    # a guessed size comes first
    found = findings(inspected(*usual(run_time=60.0), processors=None))
    assert found[0].text.startswith("The log does not contain the machine's size")


def test_the_log_of_kth_has_only_odd_waits(shared: Path) -> None:
    path = shared / "traces/KTH-SP2-1996-2.1-cln.swf.gz"
    odd = [f.text for f in findings(inspect_log(open_log(path), path)) if f.kind == "odd"]
    assert len(odd) == 1
    assert odd[0].startswith("During 33 % of all waiting, the job could have started")


def test_long_waits_on_an_idle_machine_are_never_shown_as_none() -> None:
    found = findings(inspected(*usual(run_time=60.0, wait_time=7200.0)))
    (load,) = (f for f in found if f.text.startswith("The load is"))
    assert load.advice.startswith(
        "Nevertheless jobs waited 2 h on average, a tenth of the jobs over 2 h"
    )
    (idle,) = (f for f in findings(inspected(*usual(run_time=60.0))) if "load is" in f.text)
    assert idle.advice.startswith("Hardly any job waits")


def test_a_limit_that_no_user_passed_is_named() -> None:
    # each day six users submit six jobs at once, and two of them run at a time
    jobs = [
        job(
            day * DAY,
            run_time=3000.0,
            walltime=9e3,
            user=f"u{user}",
            wait_time=3000.0 * (turn // 2),
        )
        for day in range(60)
        for user in range(6)
        for turn in range(6)
    ]
    found = texts(inspected(*jobs, processors=24))
    assert "% of all waiting, the job could have started" in found
    assert "each user had at most 2 running jobs" in found.lower()


def test_impossible_waits_are_reported_with_the_work_they_would_need() -> None:
    found = findings(inspected(*usual(processors=1, allocated_processors=3)))
    (one,) = (f for f in found if "more processors were busy" in f.text)
    assert "the recorded waits or the size must be wrong" in one.advice


def test_the_recipe_in_a_finding_removes_the_flurry() -> None:
    others = [one for one in usual() if one.submit_time < 28 * DAY]
    flurry = [job(10 * DAY + 5 * n, user="ann", run_time=30.0, walltime=60.0) for n in range(500)]
    log = SyntheticLog(others + flurry, processors=4, start_time=MONDAY, time_zone="UTC")
    inspection = inspect_log(log, Path("made.swf"))
    (found,) = (
        f for f in findings(inspection) if "1 flurry (days with very many jobs of one" in f.text
    )
    assert "of user ann, has 500 jobs from 2024-01-11 00:00" in found.text
    recipe_text = found.advice.partition("--clean '")[2].removesuffix("'.")
    kept = [*Cleaned(log, recipe(recipe_text).removals).jobs()]
    assert len(inspection.columns) - len(kept) == inspection.flurries[0].jobs == 500
    assert {one.user for one in kept} == {one.user for one in others}


def test_jobs_submitted_before_the_record_are_reported_with_their_share_of_waits() -> None:
    # submitted before the first start at 600: 600 + 300 of 1,000 s of waiting
    begun = [job(0.0, wait_time=600.0), job(400.0, wait_time=300.0), job(900.0, wait_time=100.0)]
    said = "The log has 2 jobs submitted before the first recorded start, with 90 % of all waiting."
    assert said in texts(inspected(*begun))
    usual_start = [job(0.0, wait_time=9.0), job(400.0, wait_time=991.0)]
    assert "before the first recorded start" not in texts(inspected(*usual_start))
