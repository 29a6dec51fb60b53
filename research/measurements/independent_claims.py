"""Redo claims of `pred-aware reproduce`, two of each paper, by a few lines of independent code.

They were drawn by ``random.Random(20261122)`` among the claims that are tried on a log, with a log
of a quick look and a check of it. Logs are read as lines of text, predictors and measures are those
that the papers define (`own_figures.py`, `own_predictors.py`), EASY and shortest first are
simulated by an event list (`own_easy.py`). Only AdaBoost, conservative backfilling, batsched's EASY
and the blocks of a Blue Gene are the package's, of whose runs the starts are taken and nothing
else; and so are the dates of the shakes.

First let them be tried, then compare (each exits with 1 where something differs):

    pred-aware reproduce all --logs LOGS --quick -o papers
    python research/measurements/independent_claims.py papers/claims.json --logs LOGS

Without ``--quick`` more shakes are made of some logs: the page tells how many, and ``--only gaia
--shakes 20`` compares with these.
"""

import argparse
import io
import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from csv import DictReader
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from own_easy import Job, TenMinutes, UsersLast, Walltimes, an_hour_more, easy, shortest_first
from own_figures import Figures, jobs_of, lines, ran, ratio, slowdown
from own_predictors import MinDiff, Neighbours, UsersRatio

import pred_aware as pa

SHAKES = [1, 2, 3, 4, 5]
"""Their seeds, in place; `--shakes` gives it as many as `reproduce` made of the log."""
DAY = 86400.0
JULY = "Intrepid, July"
CLOSE = 1e-8
"""Runs tell a job's slowdown with six decimals."""

Redone = Iterator[tuple[str, str, str, Figures]]
"""Claim, log, what `reproduce` says it of (and of several such, which), and the figures."""


def dated(path: Path, seed: int, **options: Any) -> tuple[Any, dict[str, Job]]:  # noqa: ANN401
    """Return a shake, and the log's jobs at its dates."""
    shake = pa.read_log(path, **options).workload.shaken(seed)
    told = jobs_of(path)
    dates = shake.jobs["submit_time"].to_dict()
    return shake, {name: told[name]._replace(submitted=date) for name, date in dates.items()}


def starts_of(run: pa.Run) -> dict[str, float]:
    """Return when each job of a run started, as its file of jobs says."""
    rows = DictReader(io.StringIO((run.content("jobs") or b"").decode()))
    return {row["job_id"]: float(row["starting_time"]) for row in rows}


def gaia(logs: Path) -> Redone:
    """Paper 000 on Gaia: bounded slowdowns, without the first 1 % and what runs over a week."""
    path = logs / "UniLu-Gaia-2014-1.swf.gz"
    log = pa.read_log(path, clean="paper000")
    names = list(log.workload.jobs.index)
    counting = set(names[int(0.01 * len(names)) :])
    means: dict[str, list[float]] = defaultdict(list)
    for seed in SHAKES:
        shake, jobs = dated(path, seed, clean="paper000")
        order = list(jobs)
        own = easy([jobs[name] for name in order], 2004, TenMinutes(), an_hour_more, 60.0)
        runs = {"simple_only": dict(zip(order, own, strict=True))}
        for policy in ("regression_simple", "regression_power"):
            runs[policy] = starts_of(pa.simulate(shake, policy, platform=log.platform))
        for policy, starts in runs.items():
            slow = [slowdown(jobs[name], starts[name], 10.0) for name in counting]
            means[policy].append(sum(slow) / len(slow))
    for claim, than in (("000.31", "simple_only"), ("000.17", "regression_power")):
        words = f"regression_simple against {than}"
        yield claim, "Gaia", words, ratio(means[than], means["regression_simple"])


def the_day(folder: Path) -> Redone:
    """Paper 001's day on 512 processors: the share of jobs that wait for less than a day."""
    # `reproduce` has rebuilt it there from the published outputs
    path = next(folder.rglob("slurm_workload_24h*"))
    shares: dict[str, list[float]] = defaultdict(list)
    for seed in SHAKES:
        shake = pa.read_workload(path).shaken(seed)
        frame = shake.jobs
        jobs = [
            Job(row.submit_time, row.run_time, row.walltime, int(row.processors), "")
            for row in frame.itertuples()
        ]
        bf = starts_of(pa.simulate(shake, "easy_bf", platform=pa.Platform.of(512)))
        for policy, starts in (
            ("easy_bf", [bf[name] for name in frame.index]),
            ("shortest", shortest_first(jobs, 512)),
        ):
            waits = [start - job.submitted for job, start in zip(jobs, starts, strict=True)]
            shares[policy].append(sum(wait < DAY for wait in waits) / len(waits))
    # the claim's second figure: the first is of waits under 6 h
    yield (
        "001.27",
        "Marconi100",
        "512 processors, actual#2",
        ratio(shares["easy_bf"], shares["shortest"]),
    )


def tree(logs: Path) -> Redone:
    """Paper 001's first experiment on KTH, over 20 splits: the share that a tree overestimates."""
    from sklearn.tree import DecisionTreeRegressor

    rows = [
        (float(row[7]), row[11], float(row[8]), row[12], float(row[3]), float(row[1]))
        for row in lines(logs / "KTH-SP2-1996-2.1-cln.swf.gz")
    ]
    # by submission; without size, walltime or run time a job teaches nothing
    rows = sorted((row for row in rows if min(row[0], row[2], row[4]) > 0), key=lambda row: row[5])
    overs = [_over(rows, seed, DecisionTreeRegressor(random_state=seed)) for seed in SPLITS]
    mean = sum(overs) / len(overs)
    spread = math.sqrt(sum((one - mean) ** 2 for one in overs) / (len(overs) - 1))
    # Nadeau and Bengio: a fifth is tested by what four fifths taught
    half = T_19 * spread * math.sqrt(1 / len(overs) + 1 / 4)
    yield "001.2", "KTH", "baseline decision_tree", (mean, mean - half, mean + half)


SPLITS = range(1, 21)
T_19 = 2.093024054408263
"""Of 20 splits, at 95 %."""


def _over(rows: list[Any], seed: int, model: Any) -> float:  # noqa: ANN401 - scikit-learn's
    """Return the share that a tree overestimates of a split."""
    places = np.random.default_rng(seed).permutation(len(rows))
    tested = round(0.2 * len(rows))
    learned, predicted = sorted(places[:-tested]), sorted(places[-tested:])
    codes: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for place in learned:
        for known, name in zip(codes, (rows[place][1], rows[place][3]), strict=True):
            known.setdefault(name, len(known))
    users, groups = codes
    table = np.array(
        [
            (size, users.get(user, len(users)), walltime, groups.get(group, len(groups)))
            for size, user, walltime, group, _, _ in rows
        ],
        np.float32,
    )
    run_times = np.array([row[4] for row in rows])
    model.fit(table[learned], run_times[learned])
    over = model.predict(table[predicted]) - run_times[predicted] > 0.5  # noqa: PLR2004 - s
    return float(over.mean())


def sdsc(logs: Path) -> Redone:
    """Paper 002 on SDSC-DS: mean waits under conservative backfilling; and how many jobs it has."""
    path = logs / "SDSC-DS-2004-2.1-cln.swf.gz"
    yield "002.6", "SDSC-DS", "records", (float(sum(1 for _ in lines(path))), None, None)
    log = pa.read_log(path)
    means: dict[str, list[float]] = defaultdict(list)
    for seed in SHAKES:
        shake, jobs = dated(path, seed)
        for name, predictor in (("knn", Neighbours()), ("min_diff", MinDiff())):
            run = pa.simulate(
                shake, "soft_conservative", predictor=predictor, platform=log.platform
            )
            starts = starts_of(run)
            means[name].append(
                sum(start - jobs[job].submitted for job, start in starts.items()) / len(starts)
            )
    words = "soft_conservative against min_diff"
    yield "002.4", "SDSC-DS", words, ratio(means["min_diff"], means["knn"])


def kth(logs: Path) -> Redone:
    """Paper 003 on KTH: mean bounded slowdowns (of 10 min) with and without soft walltimes."""
    path = logs / "KTH-SP2-1996-2.1-cln.swf.gz"
    means: dict[str, list[float]] = defaultdict(list)
    for seed in SHAKES:
        _, dates = dated(path, seed)
        jobs = list(dates.values())
        for name, estimates in (("easy", Walltimes()), ("soft_walltime", UsersLast())):
            starts = easy(jobs, 100, estimates)
            slow = [slowdown(job, start, 600.0) for job, start in zip(jobs, starts, strict=True)]
            means[name].append(sum(slow) / len(slow))
    words = "soft_walltime against easy"
    yield "003.10", "KTH", words, ratio(means["easy"], means["soft_walltime"])


def wagap(logs: Path) -> Redone:
    """Paper 003 on CERIT-SC's log of 2013: which share of the work is of jobs over a day."""
    jobs = jobs_of(logs / "wagap-2013.swf.gz").values()
    work = [(job.run_time, job.run_time * job.processors) for job in jobs if job.run_time > 0]
    long = sum(some for run_time, some in work if run_time > DAY)
    found = (long / sum(some for _, some in work), None, None)
    yield "003.11", "wagap", "work of jobs over 1 day", found


def intrepid(logs: Path) -> Redone:
    """Paper 004 on the blocks of Intrepid in July: slowdowns under WFP, and adjusted estimates."""
    path = logs / "ANL-Intrepid-2009-1.swf.gz"
    july = {
        "clean": ["submit<2009-07-01", "submit>=2009-08-01"],
        "processors_from": "allocated",
    }
    log, told = pa.read_log(path, **july), jobs_of(path)
    first = min(told[name].submitted for name in log.workload.jobs.index)
    figures: dict[str, list[float]] = defaultdict(list)
    for seed in SHAKES:
        shake, jobs = dated(path, seed, **july)
        learned = UsersRatio()
        for job in told.values():
            if job.submitted < first:
                learned.know(job.user, job.run_time / job.walltime)
        for name, options in (("wfp", {}), ("wfp_selective", {"predictor": learned})):
            run = pa.simulate(
                shake, name, machine=pa.blue_gene("intrepid"), platform=log.platform, **options
            )
            starts = starts_of(run)
            slow = {
                job: (start - jobs[job].submitted + ran(jobs[job])) / ran(jobs[job])
                for job, start in starts.items()
            }
            below = sorted(slow.values())[: int(0.99 * len(slow))]
            figures[name].append(sum(below) / len(below))
            for edges in pairwise((600.0, 3600.0, 14400.0)):
                some = [slow[job] for job in slow if edges[0] < ran(jobs[job]) <= edges[1]]
                figures[f"{name} {edges[1]:.0f}"].append(sum(some) / len(some))
    words = "selective on blocks against WFP on blocks, mean slowdown"
    yield "004.32", JULY, words, ratio(figures["wfp"], figures["wfp_selective"])
    words = "WFP on blocks, jobs of up to 4 h against those of up to 1 h, mean slowdown"
    yield "004.45", JULY, words, ratio(figures["wfp 3600"], figures["wfp 14400"])


PARTS: dict[str, Callable[[Path], Redone]] = {
    "gaia": gaia,
    "day": the_day,
    "tree": tree,
    "sdsc": sdsc,
    "kth": kth,
    "wagap": wagap,
    "intrepid": intrepid,
}


def said(claims: list[dict[str, Any]], claim: str, log: str, words: str) -> dict[str, Any] | None:
    """Return what `reproduce` found of a claim on a log: the n-th that begins with these words."""
    begin, _, place = words.partition("#")
    found = [
        one
        for judged in claims
        if judged["claim"] == claim
        for one in judged["found"]
        if one["log"] == log and one["ours"].startswith(begin)
    ]
    return found[int(place or 1) - 1] if len(found) >= int(place or 1) else None


def main() -> int:
    """Redo what is asked for, and say where it differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("claims", type=Path, nargs="+", help="claims.json of reproduce --quick")
    parser.add_argument("--logs", type=Path, required=True, help="the folder with the logs")
    parser.add_argument("--day", type=Path, help="the folder with paper 001's day, if another")
    parser.add_argument("--only", choices=PARTS, action="append", help="some of them")
    parser.add_argument("--shakes", type=int, default=5, help="how many `reproduce` made (5)")
    asked = parser.parse_args()
    SHAKES[:] = range(1, asked.shakes + 1)
    claims = [
        judged
        for path in asked.claims
        for paper in json.loads(path.read_text())
        for judged in paper["claims"]
    ]
    differ = 0
    for name in asked.only or PARTS:
        folder = asked.day or asked.claims[0].parent if name == "day" else asked.logs
        for claim, log, words, own in PARTS[name](folder):
            theirs = said(claims, claim, log, words)
            values = (
                [None] * 3 if theirs is None else [theirs[key] for key in ("value", "low", "high")]
            )
            same = all(
                (mine is None) == (other is None)
                and (mine is None or math.isclose(mine, other, rel_tol=CLOSE, abs_tol=CLOSE))
                for mine, other in zip(own, values, strict=True)
            )
            differ += not same
            print(f"{claim} {log}, {words}: {'equal' if same else 'OTHER'}")
            print(f"  here      {told(own)}")
            print(f"  reproduce {told(values)}")
    return 1 if differ else 0


def told(figures: Any) -> str:  # noqa: ANN401 - three numbers or nothing
    """Show a value and its interval."""
    return ", ".join("-" if value is None else f"{value:.12g}" for value in figures)


if __name__ == "__main__":
    sys.exit(main())
