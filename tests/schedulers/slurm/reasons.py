"""Why the jobs of a recording wait: what Slurm said each second, and what is said here."""

import csv
import json
from collections import Counter
from pathlib import Path

from tests.schedulers.slurm.recorded_state import Walk

KINDS = {"Assoc": "limit", "QOS": "limit", "Partition": "partition"}
"""What recorded reasons begin with that are not compared by their names."""


def compared(folder: Path) -> Counter[tuple[str, str]]:
    """Count recorded and simulated reasons, of each waiting job in each second.

    What no job of its size may have is of the kind of limits if one of the site's limits says so.
    """
    walk, found = Walk(folder), Counter[tuple[str, str]]()
    lost = json.loads((folder / "record.json").read_text())["fraction_of_epoch_second_lost"]
    changes: dict[str, list[dict[str, str]]] = {}
    with (folder / "queue.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            changes.setdefault(row["time"], []).append(row)
    seen: dict[str, dict[str, str]] = {}
    for date in (folder / "sample_times.txt").read_text().split():
        seen |= {row["job_id"]: row for row in changes.get(date, [])}
        now = int(float(date) + lost)
        waiting = {name: row for name, row in seen.items() if row["state"] == "PD"}
        told = _told(walk, now) if waiting else {}
        for name, row in waiting.items():
            if name in told:
                found[_kind(row["reason"]), told[name]] += 1
    return found


def _told(walk: Walk, now: int) -> dict[str, str]:
    """Return the reasons of the jobs that wait here, by their recorded ids."""
    chosen, backfilling, _ = walk.at(now)
    started = {one.job.number for one in chosen}
    told = {}
    for name, one in walk.jobs.items():
        number = one.job.number
        if one.submit >= now or (one.start is not None and one.start < now):
            continue
        if number in walk.never:
            told[name] = "partition" if "partition" in walk.never[number] else "limit"
        elif number in started:
            told[name] = "starts"
        elif walk.is_stopped(one.job, now):
            told[name] = "limit"
        else:
            is_first = one.job in backfilling.first.values()
            told[name] = "Resources" if is_first else "Priority"
    return told


def _kind(reason: str) -> str:
    return next((kind for begin, kind in KINDS.items() if reason.startswith(begin)), reason)
