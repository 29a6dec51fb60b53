"""What is true of a schedule, by brute force from its files; nothing of the package makes it."""

import csv
import itertools
import json
from bisect import insort
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

STEPS = tuple(60 * minutes for minutes in (0, 1, 5, 15, 30, 60, 120, 300, 600, 1200, 3000, 6000))
"""What EASY++ adds to an estimate that ran out, one after the other, in seconds."""

NEAR = 1e-5


@dataclass(eq=False)
class Row:
    """A job, as the files have it."""

    name: str
    number: int
    submit: float
    start: float
    end: float
    size: int
    walltime: float
    estimate: float
    corrections: int
    last_estimate: float
    started_as: str
    user: str | None
    queue: str | None

    def estimate_at(self, date: float) -> float:
        """Return what it is planned to run for, at a date while it runs."""
        found = self.estimate
        for step in STEPS:
            found = min(self.estimate + step, self.walltime)
            if self.start + found > date + NEAR:
                break
        else:
            return self.walltime
        return found

    def planned_end(self, date: float) -> float:
        """Return when it is planned to end, at a date while it runs."""
        return self.start + self.estimate_at(date)


class Truth:
    """The jobs of a run of EASY, EASY++ or conservative backfilling in the order of submission."""

    def __init__(self, prefix: Path, workload: Path) -> None:
        told = json.loads(workload.read_bytes())
        known = {str(job["id"]): (place, job) for place, job in enumerate(told["jobs"])}
        planned = {row["job_id"]: row for row in _rows(Path(f"{prefix}_estimates.csv"))}
        self.size = int(told["nb_res"])
        self.rows: dict[str, Row] = {}
        for row in _rows(Path(f"{prefix}_jobs.csv")):
            name = row["job_id"]
            place, job = known[name]
            plan = planned[name]
            user, queue = (job.get(field) for field in ("user_id", "queue"))
            self.rows[name] = Row(
                name, place, float(row["submission_time"]), float(row["starting_time"]),
                float(row["finish_time"]), int(row["requested_number_of_resources"]),
                float(row["requested_time"]), float(plan["first_estimate"]),
                int(plan["corrections"]), float(plan["last_estimate"]), plan["started_as"],
                None if user is None else str(user), None if queue is None else str(queue),
            )  # fmt: skip

    @cached_property
    def queue(self) -> list[Row]:
        """Return the jobs in the order of submission, those of one date as in the workload."""
        return sorted(self.rows.values(), key=lambda row: (row.submit, row.number))

    @cached_property
    def passes(self) -> list[float]:
        """Return when the queue was gone through: at each submission and each end."""
        return sorted({date for row in self.queue for date in (row.submit, row.end)})

    def near(self, row: Row) -> "Around":
        """Return what there was while a job waited."""
        return Around(self, row)

    def places(self) -> dict[str, list[tuple[float, float]]]:
        """Plan as conservative backfilling does; return each job's promises, and check its start.

        At each pass the machine is a list of what holds it: (from, to, processors).
        """
        promised: dict[str, list[tuple[float, float]]] = {}
        waiting: list[Row] = []
        running: list[Row] = []
        place: dict[str, float] = {}
        coming = list(reversed(self.queue))
        for now in self.passes:
            ended = any(row.end <= now for row in running)
            running = [row for row in running if row.end > now]
            held = [(now, row.start + row.walltime, row.size) for row in running]
            held += [(place[row.name], place[row.name] + row.walltime, row.size) for row in waiting]
            if ended:
                for row in waiting:
                    start = place[row.name]
                    held.remove((start, start + row.walltime, row.size))
                    place[row.name] = self._earliest(row, held, now)
                    held.append((place[row.name], place[row.name] + row.walltime, row.size))
            while coming and coming[-1].submit <= now:
                row = coming.pop()
                waiting.append(row)
                place[row.name] = self._earliest(row, held, now)
                held.append((place[row.name], place[row.name] + row.walltime, row.size))
            for row in list(waiting):
                known = promised.setdefault(row.name, [])
                if not known or known[-1][1] != place[row.name]:
                    known.append((now, place[row.name]))
                if place[row.name] <= now:
                    assert abs(row.start - now) < NEAR, f"job {row.name} starts otherwise"
                    waiting.remove(row)
                    running.append(row)
        return promised

    def _earliest(self, row: Row, held: list[tuple[float, float, int]], now: float) -> float:
        changes: list[tuple[float, int]] = []
        free = self.size
        for first, last, size in held:
            if first <= now:
                free -= size
            else:
                insort(changes, (first, -size))
            insort(changes, (last, size))
        start = now if free >= row.size else None
        place = 0
        while place < len(changes):
            date = changes[place][0]
            if start is not None and date >= start + row.walltime:
                break
            while place < len(changes) and changes[place][0] == date:
                free += changes[place][1]
                place += 1
            if free < row.size:
                start = None
            elif start is None:
                start = date
        assert start is not None
        return start


class Around:
    """What there was while a job waited."""

    def __init__(self, truth: Truth, row: Row) -> None:
        self.truth = truth
        self.row = row
        rows = truth.queue
        self.overtook = [one for one in rows if one.submit > row.submit and one.start < row.start]
        self.held = [one for one in rows if one.start < row.start and one.end > row.submit]
        self.held = [one for one in self.held if one is not row]
        self.behind = [one for one in rows if one.submit <= row.start and one.start > row.submit]

    def running(self, date: float) -> list[Row]:
        """Return the jobs that run just after a date."""
        return [one for one in self.held if one.start <= date < one.end]

    def waiting(self, date: float) -> list[Row]:
        """Return the jobs that wait just after a date, in the order of the queue."""
        return [one for one in self.behind if one.submit <= date < one.start]

    @cached_property
    def stretches(self) -> list[tuple[float, float, bool]]:
        """Return the wait from date to date, and whether enough processors were free."""
        dates = {self.row.submit, self.row.start}
        for one in self.held:
            dates |= {max(one.start, self.row.submit), min(one.end, self.row.start)}
        dates |= {one.start for one in self.behind if one.start < self.row.start}
        ordered = sorted(dates)
        return [
            (first, last, self.free(first) >= self.row.size)
            for first, last in itertools.pairwise(ordered)
        ]

    def free(self, date: float) -> int:
        """Return how many processors are free just after a date."""
        return self.truth.size - sum(one.size for one in self.running(date))

    def kind(self, one: Row) -> str:
        """Say what a job that held processors is to this one."""
        if one.start <= self.row.submit:
            return "running"
        return "ahead" if one.submit <= self.row.submit else "overtook"

    @cached_property
    def areas(self) -> dict[str, float]:
        """Return the processor seconds that each job held while too few were free."""
        found = {}
        for one in self.held:
            held = sum(
                max(min(one.end, last) - max(one.start, first), 0.0)
                for first, last, enough in self.stretches
                if not enough
            )
            if held > 0.0:
                found[one.name] = held * one.size
        return found

    def reservation(self, date: float) -> tuple[Row, float] | None:
        """Return the first of the queue just after a date, and the start that EASY promises it."""
        waiting = self.waiting(date)
        if not waiting:
            return None
        head = waiting[0]
        running = self.running_with(date)
        free = self.truth.size - sum(one.size for one in running)
        for end, size in sorted((one.planned_end(date), one.size) for one in running):
            free += size
            if free >= head.size:
                return head, end
        raise AssertionError(f"no room for job {head.name}")

    def head_at(self, date: float) -> tuple[Row, float]:
        """Return the reservation of a date at which there is one."""
        found = self.reservation(date)
        assert found is not None
        return found

    def running_with(self, date: float) -> list[Row]:
        """Return the jobs that run just after a date, including this one."""
        rows = [*self.held, self.row]
        return [one for one in rows if one.start <= date < one.end]

    @cached_property
    def passes(self) -> list[float]:
        """Return when the queue was gone through while the job waited."""
        dates = {one.submit for one in self.truth.queue} | {one.end for one in self.held}
        return sorted(date for date in dates if self.row.submit <= date < self.row.start)

    def promises_of_easy(self) -> list[tuple[float, float]]:
        """Return when the job was promised a start, and which, from pass to pass."""
        found: list[tuple[float, float]] = []
        for date in self.passes:
            reserved = self.reservation(date)
            if reserved is None or reserved[0] is not self.row:
                continue
            if not found or abs(found[-1][1] - reserved[1]) > NEAR:
                found.append((date, reserved[1]))
        return found


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
