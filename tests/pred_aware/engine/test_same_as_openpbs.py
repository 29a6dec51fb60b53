"""In OpenPBS's order, and scheduling as it does, the engine gives what the Python parts give."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from pred_aware import Workload, read_log
from pred_aware.engine.coverage import arrangement_of
from pred_aware.engine.job_arrays import Floats
from pred_aware.engine.kernel.pbs_values import Pbs
from pred_aware.engine.pbs_arrays import Standings
from schedulers import make_policy
from tests.pred_aware.engine.comparing import both, compared, unlike
from tests.pred_aware.engine.random_cases import random_case
from tests.pred_aware.engine.random_openpbs import with_openpbs
from tests.schedulers.site.random_runs import site_and_jobs, workload_content
from tests.suites import each_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)


def case(seed: int) -> tuple[Workload, str, dict[str, Any]]:
    """Return a workload, a scheduler and its options; every other one is under a site's rules."""
    workload, _, policy = random_case(seed)
    rng = np.random.default_rng(seed)
    site: dict[str, Any] = {}
    content = msgspec.json.decode(workload.raw.content)
    if seed % 2:
        site, jobs = site_and_jobs(seed, nodes=False)
        content = workload_content(site, jobs)
    name = with_openpbs(rng, site, content["jobs"], policy)
    return Workload.of(content), name, {**policy, "site": site}


def differences(seed: int, *, bounded: bool = True) -> list[str]:
    """Name what differs between the runs of both."""
    workload, name, policy = case(seed)
    if not bounded:
        policy = {key: policy[key] for key in policy.keys() - {"max_wait", "min_concordance"}}
    # the jobs of these sites have nothing recorded
    if seed % 2 and "recorded" in repr(policy):
        return []
    found, engine = compared(workload, name, policy)
    return ["engine"] if not seed % 2 and engine != "arrays" else found


@pytest.mark.slow
def test_two_jobs_in_each_other_s_places_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Standings.ranks

    def swapped(standings: Standings) -> Floats:
        ranks = plain(standings)
        first, second = np.argsort(ranks)[:2]
        ranks[first], ranks[second] = ranks[second], ranks[first]
        return ranks

    jobs = [{"id": n, "subtime": 0, "res": 1, "walltime": 60 + n, "profile": "D"} for n in range(4)]
    workload = Workload.of(
        {"nb_res": 1, "jobs": jobs, "profiles": {"D": {"type": "delay", "delay": 30}}}
    )
    site = {"openpbs": {"job_sort_key": ["walltime HIGH"]}}
    runs = both(monkeypatch, workload, "openpbs", {"site": site})
    assert unlike(runs) == []
    assert [*runs[0].jobs.sort_values("starting_time").index] == ["3", "2", "1", "0"]
    monkeypatch.setattr(Standings, "ranks", swapped)
    assert "jobs" in unlike(both(monkeypatch, workload, "openpbs", {"site": site}))


@pytest.mark.slow
def test_a_moment_more_of_eligible_time_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # whoever has been eligible for longer than a minute is first, the one of the longest walltime
    formula = "walltime * (eligible_time > 60)"
    site = {"openpbs": {"eligible_time_enable": True, "job_sort_formula": formula}}
    jobs = [{"id": n, "subtime": 0, "res": 1, "walltime": 90 + n, "profile": "D"} for n in range(4)]
    content = {"nb_res": 1, "jobs": jobs, "profiles": {"D": {"type": "delay", "delay": 60}}}
    runs = both(monkeypatch, Workload.of(content), "openpbs", {"site": site})
    assert unlike(runs) == []
    assert [*runs[0].jobs.sort_values("starting_time").index] == ["0", "1", "3", "2"]
    plain = Standings.changing

    def earlier(standings: Standings) -> Pbs | None:
        pbs = plain(standings)
        return pbs and pbs._replace(since=pbs.since - 1.0)

    monkeypatch.setattr(Standings, "changing", earlier)
    assert "jobs" in unlike(both(monkeypatch, Workload.of(content), "openpbs", {"site": site}))


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        {"strict_ordering": True, "job_sort_formula": "ncpus * walltime"},
        {"eligible_time_enable": True, "job_sort_formula": "eligible_time / walltime + ncpus"},
    ],
    ids=str,
)
def test_kth_agrees(shared: Path, monkeypatch: pytest.MonkeyPatch, table: dict[str, Any]) -> None:
    log = read_log(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz")
    assert unlike(both(monkeypatch, log.workload, "openpbs", {"site": {"openpbs": table}})) == []


@each_case(
    ("table", "covered"),
    [
        ({}, True),
        ({"job_sort_formula": "ncpus * walltime", "job_sort_key": ["mem HIGH"]}, True),
        ({"round_robin": True}, True),
        ({"job_sort_formula": "eligible_time % 60"}, True),
        ({"eligible_time_enable": True, "job_sort_formula": "eligible_time ** 2"}, True),
        ({"eligible_time_enable": True, "job_sort_formula": "eligible_time % 60"}, False),
        ({"eligible_time_enable": True, "job_sort_formula": "log(eligible_time)"}, False),
        ({"eligible_time_enable": True, "job_sort_formula": "max(eligible_time)"}, False),
        ({"help_starving_jobs": True}, True),
        ({"job_sort_key": ["fair_share_perc HIGH"]}, False),
        ({"fair_share": True}, False),
    ],
)
def test_shares_and_some_functions_of_what_changes_are_left_to_python(
    table: dict[str, Any], *, covered: bool
) -> None:
    policy = make_policy("openpbs", {"site": {"openpbs": table}})
    assert (arrangement_of(policy) is not None) == covered
