"""What a campaign of 100,000 runs on 1,000 cores asks of a login node and of a shared folder.

Usage: python benchmarks/campaign_cluster.py [--runs N] [--cores N] [--seconds S] LOG

No run is simulated here: the engine is our own code, on a clock of its own. Three parts:

- the array: what one command of ``--on slurm-array`` takes (looking, cutting, writing the shares),
  with nothing in the store and with all runs in it;
- the controller: the one that gives runs to Dask workers, with workers that are made up: each takes
  S seconds for a run, give or take a half, and the answer comes when the clock says so;
- the folder: how many operations on files an element of an array takes to begin and for each run,
  and how many of them concern the store, counted by strace on a short window of LOG.
"""

import argparse
import heapq
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from campaign_cost import fill

from pred_aware.campaign.campaign import Campaign, read_campaign
from pred_aware.campaign.cluster.arrays import Array, Arrays
from pred_aware.campaign.cluster.batch import BATCHES, Pbs
from pred_aware.campaign.cluster.dask_team import AT_ONCE, CHUNK
from pred_aware.campaign.cluster.jobs import Jobs
from pred_aware.campaign.cluster.shares import NAME as SHARES
from pred_aware.campaign.kept_metrics import OF_A_RUN
from pred_aware.campaign.making.dispatch import make_runs_by
from pred_aware.campaign.messages import Task, WorkerAnswer

SHAKES = 40


class Nobody(Pbs):
    """A batch system that takes all and says nothing."""

    def submit(self, script: Path) -> str:
        """Take an array."""
        return script.parent.name

    def unfinished(self) -> set[str]:
        """Say that nothing runs."""
        return set()


class MadeUp:
    """A worker of a made-up team."""

    def __init__(self, team: "MadeUpTeam") -> None:
        self.last: Task | None = None
        self.logs: set[int] = set()
        self.team = team

    def give(self, tasks: Sequence[Task]) -> None:
        """Take a chunk, which takes as long as its runs."""
        self.last = tasks[-1]
        self.team.begin(self, list(tasks))


class MadeUpTeam:
    """A team of made-up workers: answers come in their order, and the clock is set by them."""

    def __init__(self, number: int, seconds: float) -> None:
        self.now = 0.0
        self.chunk = max(CHUNK, number / AT_ONCE)
        self.idle = [MadeUp(self) for _ in range(number)]
        self.busy: list[MadeUp] = []
        self.making = self.chunks = 0
        self._seconds = seconds
        self._ends: list[tuple[float, int, MadeUp, list[Task]]] = []

    def begin(self, member: MadeUp, tasks: list[Task]) -> None:
        """Let a chunk begin now."""
        self.idle.remove(member)
        self.making += len(tasks)
        self.chunks += 1
        took = sum(self._of(task) for task in tasks)
        heapq.heappush(self._ends, (self.now + took, self.chunks, member, tasks))

    def wait(self) -> list[tuple[Task, WorkerAnswer]]:
        """Go on to the next end."""
        self.now, _, member, tasks = heapq.heappop(self._ends)
        self.idle.append(member)
        self.making -= len(tasks)
        return [(task, self._answer(task)) for task in tasks]

    def _of(self, task: Task) -> float:
        return self._seconds * random.Random(task.digest).uniform(0.5, 1.5)  # noqa: S311

    def _answer(self, task: Task) -> WorkerAnswer:
        chance = random.Random(task.digest)  # noqa: S311 - figures that differ
        figures = dict.fromkeys(OF_A_RUN, 1000.0 * chance.gauss(1.0, 0.05))
        took = self._of(task)
        return WorkerAnswer(figures, {"cpu_seconds": took, "seconds": took})


def campaign(folder: Path, runs: int) -> Campaign:
    """Write a campaign of about so many runs, of one made log."""
    (folder / "log.swf").write_text("; MaxProcs: 8\n1 1 5 60 4 -1 -1 4 90 -1 1 7 1 -1 1 -1 -1 -1\n")
    bounds = list(range(1000, 1000 + max(1, runs // (1 + SHAKES) - 1)))
    file = folder / "large.toml"
    file.write_text(
        f"[logs.one]\nfile = 'log.swf'\n[shakes]\nat_least = {SHAKES}\nat_most = {SHAKES}\n"
        f"[policies.easy]\n[policies.bounded]\nscheduler = 'easy'\nmax_wait = {bounds}\n"
    )
    return read_campaign(file)


def megabytes() -> float:
    """Return the most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def in_child(part: str, *arguments: object) -> None:
    """Measure a part in a process of its own, since memory is told at its most."""
    whole = [sys.executable, __file__, "--part", part, *map(str, arguments)]
    subprocess.run(whole, check=True)  # noqa: S603 - ourselves


def array(folder: Path, runs: int, elements: int) -> None:
    """Measure a submission, with nothing in the store."""
    made = campaign(folder, runs)
    began = time.process_time()
    (told,) = submitted(made, elements)
    size = (Path(told.folder) / SHARES).stat().st_size
    files = len(list(Path(told.folder).iterdir()))
    took = time.process_time() - began
    print(
        f"array: {told.runs:,} runs in {told.elements:,} elements: {took:.1f} s of CPU, "
        f"{megabytes():.0f} MB; {files} files, shares of {size / 1e6:.1f} MB"
    )


def submitted(made: Campaign, elements: int) -> list[Array]:
    """Submit a campaign to nobody."""
    BATCHES["pbs"] = Nobody()
    return Arrays(made.inventory, "pbs", Jobs(elements)).submit().submitted


def full(folder: Path, runs: int, log: Path) -> None:
    """Measure how long a look at a store takes in which all runs are, for the first time and again.

    The first makes the cache of all figures.
    """
    made = campaign(folder, runs)
    fill(made)
    for _ in range(2):
        in_child("look", "--folder", folder, log)


def look(folder: Path) -> None:
    """Measure a look at a campaign that is there."""
    made = read_campaign(folder / "large.toml")
    began = time.process_time()
    submitted(made, 1)
    took = time.process_time() - began
    there = len(made.inventory.agenda().figures)
    print(f"look at {there:,} runs: {took:.1f} s of CPU, {megabytes():.0f} MB")


def controller(folder: Path, runs: int, cores: int, seconds: float) -> None:
    """Measure the controller of Dask workers, on a clock of its own."""
    made = campaign(folder, runs)
    team = MadeUpTeam(cores, seconds)

    began = time.process_time()
    done = make_runs_by(lambda _: nullcontext(team), made.inventory)
    took = time.process_time() - began
    ideal = done.cpu_seconds / cores
    print(
        f"controller: {done.made:,} runs in {team.chunks:,} chunks to {cores:,} workers: "
        f"{took:.1f} s of CPU, {1e3 * took / team.chunks:.2f} ms a chunk, {megabytes():.0f} MB"
    )
    print(
        f"  by the workers' clock {team.now:,.0f} s, where {ideal:,.0f} s would be ideal; "
        f"{team.chunks / team.now:.0f} chunks a second, the controller busy for "
        f"{100 * took / team.now:.1f} % of it"
    )


def counted(folder: Path, log: Path, shakes: int) -> tuple[int, int, int]:
    """Count the operations on files of an element with so many runs: all, of Python, of the store.

    It has ended when this returns.
    """
    file = folder / f"counted{shakes}.toml"
    file.write_text(
        f"[logs.one]\nfile = {json.dumps(str(log.resolve()))}\nuntil = 1996-10-01\n"
        f"[shakes]\nat_least = {shakes}\nat_most = {shakes}\n[policies.easy]\n"
    )
    (one,) = submitted(read_campaign(file), 1)
    element = [sys.executable, "-P", "-m", "pred_aware.campaign.cluster.element", one.folder, "0"]
    trace = folder / "trace"
    calls = "%file,mkdir,getdents64,fstat,newfstatat"
    whole = ["strace", "-f", "-qq", "-s", "200", "-o", str(trace), "-e", f"trace={calls}", *element]
    subprocess.run(whole, check=True, env=os.environ)  # noqa: S603 - ourselves
    lines = trace.read_text(errors="replace").splitlines()
    named = [line for line in lines if '"' in line]
    store = [line for line in named if re.search(rf"counted{shakes}\.runs", line)]
    code = [line for line in named if "site-packages" in line or "/lib/" in line or ".py" in line]
    return len(named), len(code), len(store)


def folder_of_the_store(folder: Path, log: Path, cores: int, seconds: float) -> None:
    """Count operations on files."""
    if shutil.which("strace") is None:
        print("folder: not counted, there is no strace")
        return
    few, many = 3, 13
    first, last = counted(folder, log, few), counted(folder, log, many)
    each = [(b - a) / (many - few) for a, b in zip(first, last, strict=True)]
    begin = [a - (few + 1) * one for a, one in zip(first, each, strict=True)]
    print(f"folder: an element begins with {begin[0]:,.0f} operations by name, {begin[1]:,.0f} of "
          f"them on Python's modules, {begin[2]:,.0f} in the store")  # fmt: skip
    print(f"  a run takes {each[0]:.0f}, {each[2]:.0f} of them in the store: "
          f"{each[2] * cores / seconds:,.0f} a second of {cores:,} cores")  # fmt: skip


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=13.0)
    parser.add_argument("--part", choices=("array", "full", "look", "controller"))
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.part == "array":
            array(folder, asked.runs, asked.cores)
        elif asked.part == "full":
            full(folder, asked.runs, asked.log)
        elif asked.part == "look":
            look(asked.folder)
        elif asked.part == "controller":
            controller(folder, asked.runs, asked.cores, asked.seconds)
        else:
            told = ("--runs", asked.runs, "--cores", asked.cores, "--seconds", asked.seconds)
            for part in ("array", "full", "controller"):
                in_child(part, *told, asked.log)
            folder_of_the_store(folder, asked.log, asked.cores, asked.seconds)


if __name__ == "__main__":
    main()
