"""What the bound on waiting costs and gives, and whether it holds.

    python research/measurements/bound.py PLATFORM WORKLOAD --predictor last_two --max-wait 86400
    python research/measurements/bound.py PLATFORM WORKLOAD --predictor last_two --backlog 0.9

Runs `pred_aware` (with the predictor), `easy_sjbf` and `easy` shortest first, each without and with
the bounds, and prints a Markdown table. For each job it works out from the output files what
`schedulers/core/bounded.py` promises, wait + W + S: W is the longest walltime of the jobs
that ran when it had waited for `wait`, S the sum of the walltimes of the jobs that were submitted
before it and still waited then. With ``--backlog``, `wait` is worked out too: how long the job had
waited at the pass that protected it. `nearest` is the largest share of the promised wait that a job
waited; ends with 1 if one waited longer. With ``--overtaken`` and ``--ahead`` jobs are protected
earlier too, which must not change what is promised.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pred_aware import read_workload, simulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bound = float | dict[str, float]
"""Seconds, or an object of the option `max_wait`."""
SIX_HOURS = 21_600.0
"""The least wait after which a share of the backlog protects a job."""
SLACK = 1e-5
"""What the digits of the output files may hide, in seconds."""


def waits(ran: pd.DataFrame, *, share: float, processors: int) -> "NDArray[np.float64]":
    """Return how long each job had waited when its wait had reached a share of the backlog.

    Infinite for one that started before; see `schedulers.core.backlog.Backlog`.
    """
    submitted, started, ended, size, walltime = (
        ran[column].to_numpy(dtype=float)
        for column in (
            "submission_time", "starting_time", "finish_time", "requested_number_of_resources",
            "requested_time",
        )
    )  # fmt: skip
    dates = np.unique(np.concatenate([submitted, ended]))
    come, gone = (
        pd.Series(np.arange(len(ran))).groupby(when).indices for when in (submitted, ended)
    )
    # of each date of a submission: the work of the jobs that wait then, as it is known
    arrivals = np.unique(submitted)
    backlogs = np.zeros(len(arrivals))
    first = np.searchsorted(arrivals, submitted)
    after = np.searchsorted(arrivals, started, side="right")
    known = np.zeros(len(ran))
    used = asked = 0.0
    wanted = np.zeros(len(dates))
    reached = 0
    for place, date in enumerate(dates):
        for job in gone.get(date, ()):
            work = size[job] * (ended[job] - started[job])
            backlogs[first[job] : after[job]] += work - known[job]
            used, asked = used + work, asked + size[job] * walltime[job]
        for job in come.get(date, ()):
            known[job] = size[job] * walltime[job] * (min(1.0, used / asked) if asked else 1.0)
            backlogs[first[job] : after[job]] += known[job]
            reached = first[job] + 1
        # later ones count jobs that wait on, but not yet those that come until then
        wanted[place] = max(SIX_HOURS, share * backlogs[:reached].max(initial=0.0) / processors)
    found = np.full(len(ran), np.inf)
    for job in np.flatnonzero(started - submitted >= SIX_HOURS):
        passes = slice(*np.searchsorted(dates, [submitted[job], started[job] + SLACK]))
        late = np.flatnonzero(dates[passes] - submitted[job] >= wanted[passes])
        if late.size:
            found[job] = dates[passes][late[0]] - submitted[job]
    return found


def check(jobs: pd.DataFrame, wait: Bound, processors: int) -> tuple[int, float]:
    """Compare each job's wait with its bound.

    Parameters
    ----------
    jobs
        A run's `_jobs.csv`, of jobs that all have walltimes.
    wait
        The option `max_wait`: seconds, or with ``backlog``.
    processors
        How many the machine has.

    Returns
    -------
    tuple
        How many jobs waited longer than that, and the largest share of its bound that one waited.
    """
    ran = jobs[jobs["final_state"] != "REJECTED"]
    # equal submissions count in the order of the workload
    ran = ran.sort_values(["submission_time", "position"], kind="stable")
    submitted, started, ended, walltime = (
        ran[column].to_numpy()
        for column in ("submission_time", "starting_time", "finish_time", "requested_time")
    )
    if isinstance(wait, dict) and "backlog" in wait:
        asked = waits(ran, share=wait["backlog"], processors=processors)
    else:
        asked = np.full(len(ran), wait["wait"] if isinstance(wait, dict) else wait)
    late = np.flatnonzero(started - submitted > asked + SLACK)
    largest = 0.0
    for job in late:
        date = submitted[job] + asked[job]
        runs = (started <= date) & (ended > date)
        waits_before = started[:job] > date
        most = asked[job] + walltime[runs].max(initial=0.0) + walltime[:job][waits_before].sum()
        largest = max(largest, (started[job] - submitted[job] - SLACK) / most)
    return len(late), largest


def positions(workload: Path) -> dict[str, int]:
    """Return where each job stands in a workload."""
    jobs = json.loads(workload.read_text(encoding="utf-8"))["jobs"]
    return {str(job["id"]): place for place, job in enumerate(jobs)}


def _label(bound: Bound | None) -> str:
    if isinstance(bound, dict):
        return f"{bound['backlog']:g} of the backlog"
    return "none" if bound is None else f"{bound:.0f}"


def main() -> None:
    """Run everything, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("platform", type=Path)
    parser.add_argument("workload", type=Path)
    parser.add_argument("--predictor", default="walltime", help="of pred_aware")
    parser.add_argument("--max-wait", type=float, action="append", default=[], help="seconds")
    parser.add_argument("--backlog", type=float, action="append", default=[], help="shares")
    parser.add_argument("--overtaken", type=float, help="beside each bound, processor seconds")
    parser.add_argument("--ahead", type=float, help="beside each bound")
    given = parser.parse_args()
    place = positions(given.workload)
    schedulers: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (f"pred_aware, {given.predictor}", "pred_aware", {"predictor": given.predictor}),
        ("easy_sjbf", "easy_sjbf", {}),
        ("easy, order sjf", "easy", {"order": "sjf"}),
        ("easy", "easy", {}),
    )
    print(
        "| scheduler | bound, s | mean wait, s | longest wait, s | mean bounded slowdown "
        "| jobs that waited beyond the bound | nearest to wait + W + S |\n" + "|---" * 7 + "|"
    )
    held = True
    with tempfile.TemporaryDirectory() as folder:
        for label, scheduler, options in schedulers:
            for bound in (None, *given.max_wait, *({"backlog": share} for share in given.backlog)):
                limits: Any = bound
                early = {
                    name: value
                    for name in ("overtaken", "ahead")
                    if (value := getattr(given, name)) is not None
                }
                if bound is not None and early:
                    limits = {**(bound if isinstance(bound, dict) else {"wait": bound}), **early}
                result = simulate(
                    read_workload(given.workload),
                    scheduler,
                    platform=given.platform,
                    write_to=Path(folder) / "out",
                    options={**options, "max_wait": limits},
                )
                figures = result.summary
                cells = ["", ""]
                if bound is not None:
                    jobs = pd.read_csv(os.fspath(Path(folder) / "out_jobs.csv"))
                    jobs["position"] = jobs["job_id"].astype(str).map(place)
                    late, largest = check(jobs, limits, result.processors)
                    held = held and largest <= 1.0
                    cells = [str(late), f"{100 * largest:.0f} %" if late else ""]
                row = [
                    label,
                    _label(bound),
                    f"{figures['mean_waiting_time']:.0f}",
                    f"{figures['max_waiting_time']:.0f}",
                    f"{figures['mean_bounded_slowdown']:.2f}",
                    *cells,
                ]
                print("| " + " | ".join(row) + " |", flush=True)
    sys.exit(not held)


if __name__ == "__main__":
    main()
