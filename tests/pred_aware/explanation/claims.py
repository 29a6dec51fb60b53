"""Reads each sentence of an explanation, and holds it against what is true of the schedule."""

import itertools
import re
from collections.abc import Callable, Iterable

from tests.pred_aware.explanation.truth import NEAR, Row, Truth

UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
WITH = {"min": "s", "h": "min", "d": "h"}
"""Which unit a time is told to that has another beside it, which is left out where it is 0."""

TIME = r"[\d.]+ (?:ms|s|min|h|d)(?: \d+ (?:s|min|h))?"
DATE = r"(?:on \d{4}-\d\d-\d\d at \d\d:\d\d|on day \d+ \d\d:\d\d)"
JOB = r"\w+"
PLAIN_DATE = r"(?:\d{4}-\d\d-\d\d \d\d:\d\d|day \d+ \d\d:\d\d)"


def near(told: str, seconds: float) -> bool:
    """Say whether a time that is told is a number of seconds, as exactly as it is told."""
    words = told.split()
    value = sum(
        float(number) * UNITS[unit] for number, unit in zip(words[::2], words[1::2], strict=True)
    )
    exact = UNITS[WITH.get(words[1], words[1])] * (0.1 if "." in words[0] else 1.0)
    if value >= 10 * UNITS["d"]:
        exact = UNITS["d"]
    return abs(value - seconds) <= exact / 2 + NEAR


def percent(told: str, share: float) -> bool:
    return abs(float(told) - 100.0 * share) <= 0.5 + NEAR


def whole(told: str) -> int:
    return int(told.replace(",", ""))


def named(words: str) -> tuple[list[str], int]:
    """Return the jobs of "jobs 1, 2 and 3 more in turn", and how many there are in all."""
    more = re.search(r" and ([\d,]+) more", words)
    rest = words[: more.start()] if more else words
    jobs = re.findall(
        rf"{JOB}", rest.replace("jobs ", "").replace("job ", "").replace(" and ", ", ")
    )
    jobs = [job for job in jobs if job not in {"in", "turn"}]
    return jobs, len(jobs) + (whole(more[1]) if more else 0)


class Claims:
    """Checks the sentences on one job; an assertion fails where one is not so.

    Parameters
    ----------
    truth
        The schedule.
    job
        Which job they are on.
    promises
        What it was promised, from when on, while it waited.
    scheduler
        ``easy``, ``easy_plus_plus`` or ``conservative``.
    """

    def __init__(
        self, truth: Truth, job: str, promises: list[tuple[float, float]], scheduler: str
    ) -> None:
        self.truth = truth
        self.row = truth.rows[job]
        self.near = truth.near(self.row)
        self.promises = promises
        self.reserves = scheduler != "conservative"
        self.moves = list(itertools.pairwise(promises))
        self.told_moves: list[tuple[float, float]] = []

    def check(self, sentences: Iterable[str]) -> list[str]:
        """Check each sentence; return which kinds there were."""
        found = []
        for sentence in sentences:
            for kind, (pattern, check) in _KINDS.items():
                match = re.fullmatch(pattern, sentence)
                if match is not None:
                    check(self, match)
                    found.append(kind)
                    break
            else:
                raise AssertionError(f"can't be read: {sentence}")
        assert ("answer" in found) == (self.row.start > self.row.submit)
        assert ("promised" in found) == bool(self.promises and self.row.start > self.row.submit)
        assert ("moved" in found) == (bool(self.moves) and "promised" in found)
        assert found.count("move") == min(len(self.moves), 3) * ("promised" in found)
        assert ("outlived" in found) == (self.row.corrections > 0)
        return found

    # the job itself

    def job(self, told: re.Match[str]) -> None:
        row = self.row
        assert told["job"] == row.name
        assert (told["user"], told["queue"]) == (row.user, row.queue)
        assert (int(told["size"]), int(told["machine"])) == (row.size, self.truth.size)
        assert near(told["walltime"], row.walltime)
        assert (told["estimate"] is None) == (row.estimate == row.walltime)
        assert told["estimate"] is None or near(told["estimate"], row.estimate)
        assert near(told["ran"], row.end - row.start)
        self._on(told["started"], row.start)
        if told["waited"] is None:
            assert row.start == row.submit
        else:
            assert near(told["waited"], row.start - row.submit)
            self._on(told["submitted"], row.submit)

    def _on(self, told: str, second: float) -> None:
        words = told.removeprefix("On ").removeprefix("on ").replace(" at ", " ")
        assert words == self.truth.date(second), f"{words} is {self.truth.date(second)}"

    # who held the processors

    @property
    def waited(self) -> float:
        return self.row.start - self.row.submit

    def _part(self, told: re.Match[str], *, enough: bool) -> list[tuple[float, float]]:
        """Check for how long enough or too few were free; return these stretches."""
        stretches = [one[:2] for one in self.near.stretches if one[2] == enough]
        seconds = sum(last - first for first, last in stretches)
        assert whole(told["size"] or "1") == self.row.size
        if told["part"] == "All the time":
            assert seconds > 0.995 * self.waited - NEAR
        else:
            assert near(told["seconds"], seconds)
            assert percent(told["share"], seconds / self.waited)
        return stretches

    def too_few(self, told: re.Match[str]) -> None:
        self._part(told, enough=False)

    def shares(self) -> dict[str, float]:
        """Return the share of the wait that each reason is."""
        areas = self.near.areas
        total = sum(areas.values())
        enough = sum(last - first for first, last, free in self.near.stretches if free)
        shares = {"kept": enough / self.waited}
        for name, area in areas.items():
            kind = self.near.kind(self.truth.rows[name])
            part = area / total * (1.0 - shares["kept"])
            shares[kind] = shares.get(kind, 0.0) + part
        return shares

    def answer(self, told: re.Match[str]) -> None:
        shares = self.shares()
        kind = _ANSWERS[told["answer"]]
        assert shares[kind] >= max(shares.values()) - NEAR
        assert percent(told["share"], shares[kind])

    def held(self, told: re.Match[str]) -> None:
        areas = self.near.areas
        kind = next(kind for words, kind in _HELD.items() if words in told["kind"])
        of_kind = {
            name: area
            for name, area in areas.items()
            if self.near.kind(self.truth.rows[name]) == kind
        }
        share = sum(of_kind.values()) / sum(areas.values())
        assert share > 0.995 - NEAR if told["share"] is None else percent(told["share"], share)
        assert whole(told["jobs"]) == len(of_kind)
        holders = re.findall(rf"job ({JOB}) \(([\d,]+) processors? for ({TIME})\)", told["most"])
        assert len(holders) == min(2, len(of_kind))
        assert told["most"].startswith("most of it by ") == (len(of_kind) > 2)
        for name, size, lasted in holders:
            assert whole(size) == self.truth.rows[name].size
            assert near(lasted, of_kind[name] / whole(size))
            assert sum(area > of_kind[name] + NEAR for area in of_kind.values()) < 2

    def kept_for_first(self, told: re.Match[str]) -> None:
        assert self.reserves
        stretches = self._part(told, enough=True)
        lasted: dict[str, float] = {}
        for first, last in stretches:
            dates = [first, *(date for date in self.near.passes if first < date < last)]
            for since, until in zip(dates, [*dates[1:], last], strict=True):
                reserved = self.near.reservation(since)
                assert reserved is not None
                head, start = reserved
                assert head is not self.row
                lasted[head.name] = lasted.get(head.name, 0.0) + until - since
                if since in self.near.passes:
                    assert since + self.row.estimate > start, "it would have ended in time"
        self._longest(told["jobs"], lasted)

    def _longest(self, told: str, lasted: dict[str, float]) -> None:
        jobs, number = named(told)
        assert number == len(lasted)
        assert len(jobs) == min(number, 3)
        for place, job in enumerate(jobs):
            assert sum(other > lasted[job] + NEAR for other in lasted.values()) <= place

    def kept_in_plan(self, told: re.Match[str]) -> None:
        assert not self.reserves
        for first, last in self._part(told, enough=True):
            others = [row for row in self.near.waiting(first) if row is not self.row]
            assert others
            # its own place is later than that, though there is room for it now
            assert [start for at, start in self.promises if at <= first][-1] >= last - NEAR

    # who overtook

    def nobody_overtook(self, _: re.Match[str]) -> None:
        assert not self.near.overtook

    def overtaken(self, told: re.Match[str]) -> None:
        overtook = self.near.overtook
        assert whole(told["number"]) == len(overtook) > 1
        self._largest(told, overtook)
        self._rules(told["rules"], overtook)
        longer = [one for one in overtook if one.end - one.start > one.estimate + 1.0]
        assert (told["longer"] is None) == (not longer)
        if longer:
            worst = self.truth.rows[told["worst"]]
            assert whole(told["longer"]) == len(longer)
            by = worst.end - worst.start - worst.estimate
            assert near(told["by"], by)
            assert all(one.end - one.start - one.estimate <= by + NEAR for one in longer)

    def overtaken_by_one(self, told: re.Match[str]) -> None:
        (only,) = self.near.overtook
        assert told["largest"] == only.name
        self._largest(told, [only])
        self._rules(f"1 {told['rules']}", [only])
        late = only.end - only.start - only.estimate
        assert (told["by"] is None) == (late <= 1.0)
        assert told["by"] is None or near(told["by"], late)

    def _largest(self, told: re.Match[str], overtook: list[Row]) -> None:
        largest = self.truth.rows[told["largest"]]
        assert largest in overtook
        assert all(one.work <= largest.work + NEAR for one in overtook)
        assert whole(told["size"]) == largest.size
        assert near(told["lasted"], largest.end - largest.start)

    def _rules(self, told: str, overtook: list[Row]) -> None:
        all_of_them = re.fullmatch(r"(?:all of them|both) (.*)", told)
        if all_of_them:
            parts = [(len(overtook), all_of_them[1])]
        else:
            words = (part.split(" ", 1) for part in re.split(r", (?=\d)", told))
            parts = [(whole(number), rule) for number, rule in words]
        counts = {_RULES[words]: number for number, words in parts}
        assert sum(counts.values()) == len(overtook)
        if not self.reserves:
            assert set(counts) == {"gap"}
            return
        # which of both is said of a job that could have used either is the scheduler's choice
        backfilled = [one for one in overtook if one.started_as == "backfilled"]
        assert counts.get("in_time", 0) == len(backfilled)
        for one in overtook:
            head, start = self._head_at(one.start)
            if one.started_as == "backfilled":
                assert one.start + one.estimate <= start + NEAR
            else:
                held = [
                    other
                    for other in self.near.running_with(one.start)
                    if other.planned_end(one.start) > start + NEAR
                ]
                assert sum(other.size for other in held) + head.size <= self.truth.size

    def _head_at(self, date: float) -> tuple[Row, float]:
        reserved = self.near.reservation(date)
        assert reserved is not None
        return reserved

    # promises

    def promised(self, told: re.Match[str]) -> None:
        at, start = self.promises[0]
        assert (told["head"] is not None) == self.reserves
        if told["after"] is None:
            assert at - self.row.submit < 1.0
        else:
            assert near(told["after"], at - self.row.submit)
        self._on(told["date"], start)
        late = self.row.start - start
        if told["late"] is None:
            assert abs(late) <= 1.0
        else:
            assert near(told["late"], abs(late))
            assert (told["way"] == "later") == (late > 0.0)

    def moved(self, told: re.Match[str]) -> None:
        counts = {"an earlier": 0, "a later": 0}
        for number, way in re.findall(r"(once|[\d,]+ times) to (an earlier|a later) date", told[0]):
            counts[way] = 1 if number == "once" else whole(number.split()[0])
        earlier = sum(after[1] < before[1] for before, after in self.moves)
        assert counts == {"an earlier": earlier, "a later": len(self.moves) - earlier}

    def move(self, told: re.Match[str]) -> None:
        for before, after in self.moves:
            later = after[1] - before[1]
            words = told["date"].removeprefix("On ").replace(" at ", " ")
            if (
                self.truth.date(after[0]) == words
                and near(told["by"], abs(later))
                and self.truth.date(after[1]) == told["to"]
                and (told["way"] == "later") == (later > 0.0)
            ):
                break
        else:
            raise AssertionError(f"no such move: {told[0]}")
        larger = [abs(b[1] - a[1]) > abs(later) + NEAR for a, b in self.moves]
        assert sum(larger) < 3
        self._cause(told["cause"], after[0])

    def _cause(self, told: str, at: float) -> None:
        others = re.search(r" \(and (\d+) others? likewise\)$", told)
        told = told[: others.start()] if others else told
        number = 1 + (int(others[1]) if others else 0)
        before = max(date for date in self.truth.passes if date < at)
        if ended := re.fullmatch(rf"job ({JOB}) ended ({TIME}) earlier than planned", told):
            job = self.truth.rows[ended[1]]
            assert abs(job.end - at) < NEAR
            assert near(ended[2], job.planned_end(at - 2 * NEAR) - job.end)
            likewise = [
                one
                for one in self.truth.queue
                if abs(one.end - at) < NEAR and one.planned_end(at - 2 * NEAR) > at + NEAR
            ]
        elif corrected := re.fullmatch(
            rf"job ({JOB}) outlived its estimate, and was planned to end ({TIME}) later", told
        ):
            job = self.truth.rows[corrected[1]]
            assert near(corrected[2], job.planned_end(at) - job.planned_end(before))
            likewise = [
                one
                for one in self.truth.queue
                if one.start <= before < at < one.end
                and one.planned_end(at) > one.planned_end(before) + NEAR
            ]
        else:
            raise AssertionError(f"can't be read: {told}")
        assert job in likewise
        assert number <= len(likewise)

    # its start, the queue, its estimate

    def start(self, told: re.Match[str]) -> None:
        row = self.row
        assert {
            " as the first of the queue": "head",
            " past others in the queue, on processors that nobody had reserved,": "queue",
            " past others in the queue, being estimated to end in time,": "backfilled",
        }[told["how"]] == row.started_as
        before = [
            one
            for one in self.near.behind
            if (one.submit, one.number) < (row.submit, row.number) and one.start > row.start
        ]
        assert bool(before) == (row.started_as != "head")
        ended = {one.name for one in self.near.held if abs(one.end - row.start) < NEAR}
        if told["jobs"] is None:
            assert not ended
        else:
            jobs, number = named(told["jobs"])
            assert set(jobs) <= ended
            assert number == len(ended)

    def queue(self, told: re.Match[str]) -> None:
        row = self.row
        running = [
            one for one in self.truth.queue if one.start <= row.submit < one.end and one is not row
        ]
        waiting = [
            one
            for one in self.truth.queue
            if one.submit <= row.submit < one.start and one is not row
        ]
        assert whole(told["running"]) == len(running)
        assert int(told["machine"]) == self.truth.size
        assert whole(told["used"]) == sum(one.size for one in running)
        assert whole(told["waiting"] or "0") == len(waiting)
        if waiting:
            assert whole(told["wanted"]) == sum(one.size for one in waiting)
            before = sum((one.submit, one.number) < (row.submit, row.number) for one in waiting)
            which = told["before"].removesuffix(" stood before it").removesuffix(" of them")
            number = {
                "all": len(waiting), "none": 0, "it": 1, "it stood behind it": 0,
            }.get(which)  # fmt: skip
            assert before == (whole(which) if number is None else number)

    def outlived(self, told: re.Match[str]) -> None:
        row = self.row
        assert near(told["estimate"], row.estimate)
        self._on(told["date"], row.start + row.estimate)
        assert int(told["times"] or 1) == row.corrections
        assert near(told["last"], row.last_estimate)
        assert near(told["last"], row.estimate_at(row.end - 2 * NEAR))


_ANSWERS = {
    "jobs that ran already when it was submitted held the processors": "running",
    "jobs that were submitted before it held the processors": "ahead",
    "jobs that overtook it held the processors": "overtook",
    "enough processors were free, but kept for other waiting jobs": "kept",
}
_HELD = {
    "ran already when it was submitted": "running",
    "submitted no later than it and started while it waited": "ahead",
    "submitted later and started before it": "overtook",
}
_IN_TIME = "estimated to end before the start that was promised to the first of the queue"
_RULES = {
    f"was {_IN_TIME}": "in_time",
    f"were {_IN_TIME}": "in_time",
    "took processors that the reservation of the first of the queue left over": "left_over",
    "fitted into a gap of the plan": "gap",
}
_PART = rf"(?P<part>All the time|For (?P<seconds>{TIME}) of it \((?P<share>\d+) %\))"
_ENOUGH = rf"{_PART} at least (?P<size>[\d,]+) processors? (?:was|were) free, but"

_KINDS: dict[str, tuple[str, Callable[[Claims, re.Match[str]], None]]] = {
    "job": (
        (
            rf"Job (?P<job>{JOB}) \((?:user (?P<user>\S+), )?(?:queue (?P<queue>\S+), )?"
            rf"(?P<size>\d+) of (?P<machine>\d+) processors, walltime (?P<walltime>{TIME})"
            rf"(?:, estimated (?P<estimate>{TIME}))?\) (?:waited (?P<waited>{TIME}): submitted "
            rf"(?P<submitted>{DATE}), started |did not wait: it started )(?P<started>{DATE})"
            rf"(?:, when it was submitted)?, and ran (?P<ran>{TIME})\."
        ),
        Claims.job,
    ),
    "answer": (r"The main reason \((?P<share>\d+) % of the wait\): (?P<answer>.*)\.",
        Claims.answer),
    "too_few": (rf"{_PART} (?:no processor was|fewer than (?P<size>[\d,]+) processors were) free\.",
        Claims.too_few),
    "held": (
        (
            r"(?:All that was|(?P<share>\d+) % of what was) in use then was held by "
            r"(?P<jobs>[\d,]+) jobs? that (?P<kind>[^:]*): (?P<most>.*)\."
        ),
        Claims.held,
    ),
    "kept_for_first": (
        (
            rf"{_ENOUGH} reserved for the first of the queue \((?P<jobs>[^)]*)\): by its estimate "
            r"it would have run beyond the start promised there\."
        ),
        Claims.kept_for_first,
    ),
    "kept_in_plan": (rf"{_ENOUGH} kept for the places that other waiting jobs had in the plan\.",
        Claims.kept_in_plan),
    "nobody_overtook": (r"No job that was submitted later started before it\.",
        Claims.nobody_overtook),
    "overtaken": (
        (
            r"(?P<number>[\d,]+) jobs, submitted later, started before it: (?P<rules>[^;]*); the "
            rf"largest is job (?P<largest>{JOB}) \((?P<size>[\d,]+) processors? for "
            rf"(?P<lasted>{TIME})\)(?:; (?P<longer>[\d,]+) ran longer than estimated, "
            rf"job (?P<worst>{JOB}) by (?P<by>{TIME}))?\."
        ),
        Claims.overtaken,
    ),
    "overtaken_by_one": (
        (
            rf"Job (?P<largest>{JOB}), submitted later, started before it: it (?P<rules>[^;]*); it "
            rf"took (?P<size>[\d,]+) processors? for (?P<lasted>{TIME})(?:; it ran (?P<by>{TIME}) "
            r"longer than estimated)?\."
        ),
        Claims.overtaken_by_one,
    ),
    "promised": (
        (
            rf"(?:When it was submitted|After (?P<after>{TIME})) it was first (?:(?P<head>in the "
            rf"queue, and was promised)|promised) a start (?P<date>{DATE}); it started "
            rf"(?:then|(?P<late>{TIME}) (?P<way>earlier|later) than that)\."
        ),
        Claims.promised,
    ),
    "moved": (r"That promise moved .*\.", Claims.moved),
    "move": (
        (
            rf"(?P<date>{DATE.replace('on', '[Oo]n')}) it moved (?P<by>{TIME}) "
            rf"(?P<way>later|earlier), to (?P<to>{PLAIN_DATE}): (?P<cause>.*)\."
        ),
        Claims.move,
    ),
    "start": (r"It started(?P<how>.*?) when (?:no job had just ended|(?P<jobs>jobs? .*) ended)\.",
        Claims.start),
    "queue": (
        (
            r"When it was submitted, (?P<running>[\d,]+) other jobs? ran on (?P<used>[\d,]+) of "
            r"(?P<machine>\d+) processors, and (?:no other job|(?P<waiting>[\d,]+) other "
            r"jobs?) waited(?:, for (?P<wanted>[\d,]+) processors?; (?P<before>.*))?\."
        ),
        Claims.queue,
    ),
    "outlived": (
        (
            rf"While it ran it outlived its estimate of (?P<estimate>{TIME}) (?P<date>{DATE})"
            r"(?:, and was then estimated|; its estimate was corrected (?P<times>\d+) times, at "
            rf"last to) (?P<last>{TIME})\."
        ),
        Claims.outlived,
    ),
}  # fmt: skip
