"""What checked the recordings of a real Slurm, for what is simulated in their place."""

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pred_aware import Run
from tests.schedulers.site.random_runs import numbers
from tests.shared_slurm import Recording

CORES = 8
FATS = 2
"""Nodes of the recording ``memory`` that are fat; they come first."""
MOST = {
    "most CPUs": 64,
    "most CPUs on a node by one-node jobs": CORES,
    # jobs of some QOS are not bound by the limits of lab2 and user3, but count there
    "max jobs of user in peruser": 2, "max cpu in group": 16, "max cpu lab2": 20 + 16,
    "max jobs lab3": 4, "max jobs user3": 2 + 2, "max cpu/user in wall": 12,
    "max memory by one-node jobs": 8000, "overlaps": 0, "outside": 0,
}  # fmt: skip
"""What the check may print at most of a schedule that breaks no rule."""
FAT = 32000
PARTITIONS = {"short": {"n1", "n2", "n3", "n4"}, "long": {f"n{place}" for place in range(3, 9)}}


def outcome_of(recording: Recording, run: Run, name: str) -> list[dict[str, str]]:
    """Return what ran in the form of a recording's outcome."""
    rows = []
    jobs = {job.id: job for job in recording.jobs}
    for job_id, ran in run.jobs.dropna(subset=["starting_time"]).iterrows():
        job, places = jobs[str(job_id)], numbers(str(ran["allocated_resources"]))
        nodes = sorted({_node(place // CORES, fat=name == "memory") for place in places})
        start, end = int(ran["starting_time"]), int(ran["finish_time"])
        gib = (job.memory_per_node or 0.0) * len(nodes) or job.memory or 0.0
        told = (job.partition or "").split(",")
        on = [one for one in told if {*nodes} <= PARTITIONS.get(one, set())] or told
        completed = ran["final_state"] == "COMPLETED_SUCCESSFULLY"
        rows.append(
            {
                **recording.outcome[job.id],
                "Submit": f"{int(ran['submission_time'])}", "Start": f"{start}", "End": f"{end}",
                "ElapsedRaw": f"{end - start}", "State": "COMPLETED" if completed else "TIMEOUT",
                "TimelimitRaw": f"{round((job.walltime or 0.0) / 60)}", "Partition": on[0],
                "NodeList": ",".join(nodes), "AllocCPUS": f"{len(places)}",
                "AllocTRES": f"cpu={len(places)},mem={round(gib * 1024)}M,node={len(nodes)}",
            }
        )  # fmt: skip
    return rows


def _node(place: int, *, fat: bool) -> str:
    if not fat:
        return f"n{place + 1}"
    return f"f{place + 1}" if place < FATS else f"n{place - FATS + 1}"


def found_by_check(shared: Path, folder: Path, name: str, rows: list[dict[str, str]]) -> set[str]:
    """Put rows in the place of a recording's outcome, and say what its check finds too large."""
    shutil.copytree(shared / "slurm" / name, folder / name, dirs_exist_ok=True)
    shutil.copy(shared / "slurm" / "check.py", folder)
    with (folder / name / "outcome.psv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter="|")
        writer.writeheader()
        writer.writerows(rows)
    ran = subprocess.run(  # noqa: S603 - what checked the recordings
        [sys.executable, folder / "check.py", name], capture_output=True, text=True, check=True
    )
    # without where and when
    told = re.sub(r"exclusive \d+ |, 'makespan.*| makespan \d+", "", ran.stdout)
    found = set()
    for what, most in MOST.items():
        match = re.search(rf"^ +{re.escape(what)} (.+)$", told, re.MULTILINE)
        if match is not None and any(
            number > (FAT if key.startswith("f") and "memory" in what else most)
            for key, number in _numbers(match[1])
        ):
            found.add(what)
    return found


def _numbers(told: str) -> list[tuple[str, int]]:
    """Return the numbers of ``{'n1': 8}``, of ``3`` and of ``['17', '18']``, which is how many."""
    if told.startswith("["):
        return [("", told.count("'") // 2)]
    return [(key, int(number)) for key, number in re.findall(r"(?:'?(\w+)'?: )?(-?\d+)", told)]
