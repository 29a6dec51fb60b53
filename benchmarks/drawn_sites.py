"""Does the error bar hold on sites that nobody chose? The table of docs/how-to/infer-site.md.

Usage: python benchmarks/drawn_sites.py [--jobs N] [--sites N] [--seed N] [--to FILE] LOG...
       python benchmarks/drawn_sites.py --of FILE...

Each site has one to three rules, drawn with their numbers, and is planted into a part of a log
that is drawn, too. What the whole chain tells of a policy against the site's scheduler stands
beside what is true there, and the error bar beside the error. FILE keeps them as lines of JSON.
"""

import argparse
import itertools
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np

from pred_aware import Workload, read_log
from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue.trust import Ground, error_bar
from pred_aware.site_inference.queue_record import QueueRecord
from pred_aware.site_inference.self_test import (
    Planted,
    SelfTestResult,
    highest_of,
    recorded_by,
    results_of,
)
from schedulers.site.site import Capacity, Freeze, Limit, Resource, Site, Window

HOUR, DAY = 3600.0, 86400.0
LONGER = 1.2, 50.0
"""The recorded mean wait is that of machines without rules times something in between, as on the
logs that are at hand; other draws are drawn again."""
TRIES = 40
SEVERAL = 3
"""Keys that a limit is for at least."""
SIGN = 0.1
"""From this change on a sign counts."""
Change = Callable[[np.random.Generator, QueueRecord, Planted], Planted]


def main() -> None:
    """Print a row for each site, and the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", type=Path)
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--sites", type=int, default=5, help="of each log")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--predictor", help="in place of the policy's own")
    parser.add_argument("--only-told", action="store_true", help="leave out what is refused")
    parser.add_argument("--processors", type=int)
    parser.add_argument("--to", type=Path)
    parser.add_argument("--of", nargs="+", type=Path, default=[])
    arguments = parser.parse_args()
    refused = 0
    every = [msgspec.json.decode(line) for path in arguments.of for line in path.open("rb")]
    for place, path in enumerate(arguments.logs):
        rng = np.random.default_rng([arguments.seed, place])
        whole = read_log(path, processors=arguments.processors).workload
        for number in range(arguments.sites):
            told = _told(rng, whole, arguments, f"{number + 1}: ")
            if told is None:
                refused += 1
                continue
            line = {"log": path.name.partition(".")[0], **asdict(told)}
            line |= {"told": told.told, "ground": told.ground}
            every.append(line)
            print(_row(line), flush=True)
            if arguments.to is not None:
                with arguments.to.open("ab") as file:
                    file.write(msgspec.json.encode(line) + b"\n")
    for line in every if arguments.of else ():
        print(_row(line))
    for known in (True, False):
        _summary([one for one in every if one["known"] is known], "known" if known else "others")
    _summary(every, "all")
    _covered(every)
    if refused:
        print(f"nothing told, or none drawn: {refused}")


def _told(
    rng: np.random.Generator, whole: Workload, arguments: argparse.Namespace, called: str
) -> SelfTestResult | None:
    """Draw a part of a log and a site, and return what is told of it."""
    workload = drawn_jobs(rng, whole, arguments.jobs)
    policy: dict[str, Any] = {"name": "recommended"}
    if arguments.predictor:
        policy["predictor"] = arguments.predictor
    counted = recorded_by(workload, Planted(None, known=True))
    record = QueueRecord.of(counted)
    for _ in range(TRIES):
        name, planted = drawn_site(rng, workload, record)
        try:
            wait = float(QueueRecord.of(recorded_by(workload, planted)).wait.mean())
        except PredAwareError:
            continue
        if LONGER[0] <= wait / max(float(record.wait.mean()), 1.0) <= LONGER[1]:
            sites = {called + name: planted}
            return next(
                results_of(workload, sites, policy=policy, refused=not arguments.only_told), None
            )
    return None


def drawn_jobs(rng: np.random.Generator, workload: Workload, jobs: int) -> Workload:
    """Return some jobs in a row of a workload, from a date that is drawn."""
    content = msgspec.json.decode(workload.raw.content)
    every = content["jobs"]
    first = int(rng.integers(0, max(1, len(every) - jobs)))
    content["jobs"] = part = every[first : first + jobs]
    begins = part[0]["subtime"]
    for job in part:
        job["subtime"] -= begins
        job.pop("eligible_time", None)
    if "start_time" in content:
        content["start_time"] += begins
    return Workload.of(content, workload.name)


def drawn_site(
    rng: np.random.Generator, workload: Workload, record: QueueRecord
) -> tuple[str, Planted]:
    """Return a site of one to three rules, and what it is called."""
    number = int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
    names = [*KNOWN, *OTHERS]
    share = [0.5 / len(KNOWN)] * len(KNOWN) + [0.5 / len(OTHERS)] * len(OTHERS)
    chosen = [str(one) for one in rng.choice(names, number, replace=False, p=share)]
    planted = Planted(Site(above="alone"), known=all(one in KNOWN for one in chosen))
    for name in chosen:
        planted = ({**KNOWN, **OTHERS})[name](rng, record, planted)
    if planted.held:
        planted = replace(planted, held=_holds(rng, workload))
    return ", ".join(chosen), planted


def _with(planted: Planted, **rules: tuple[Any, ...]) -> Planted:
    """Add rules to a site."""
    added = {kind: (*getattr(planted.site, kind), *new) for kind, new in rules.items()}
    return _on(planted, **added)


def _on(planted: Planted, **changed: object) -> Planted:
    assert planted.site is not None
    return replace(planted, site=msgspec.structs.replace(planted.site, **changed))


def _key(rng: np.random.Generator, record: QueueRecord) -> str:
    """Draw whose jobs are counted together: users' twice as often as others'."""
    kinds = [kind for kind, one in record.labels.items() if len(np.unique(one.codes)) >= SEVERAL]
    return str(rng.choice([*kinds, "user"]))


def _most(rng: np.random.Generator, record: QueueRecord, of: str, per: str) -> float:
    """Draw a number that some of them have running without a limit."""
    highest = highest_of(record, of, per)
    return float(
        max(2.0, np.floor(np.quantile(highest, rng.uniform(0.6, 0.97)) * rng.uniform(0.2, 0.9)))
    )


def _limit(of: Resource) -> Change:
    def change(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
        per: Any = _key(rng, record)
        return _with(planted, limits=(Limit(of=of, per=per, most=_most(rng, record, of, per)),))

    return change


def _closed(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    begin, hours = int(rng.integers(0, 24)), int(rng.integers(4, 15))
    window = Window(
        days=str(rng.choice(["Mon-Fri", "Mon-Fri", "Mon-Sun", "Sat,Sun"])),
        closed=f"{begin:02d}:00-{(begin + hours) % 24:02d}:00",
        longer_than=_walltime(rng, record),
    )
    return _with(planted, windows=(window,))


def _walltime(rng: np.random.Generator, record: QueueRecord) -> float:
    known = record.walltime[np.isfinite(record.walltime)]
    return float(np.quantile(known, rng.uniform(0.2, 0.85), method="lower"))


def _ended(rng: np.random.Generator, _: QueueRecord, planted: Planted) -> Planted:
    hours = rng.choice(24, int(rng.integers(1, 3)), replace=False).tolist()
    windows = tuple(
        Window(days="Mon-Fri", ended_by=f"{hour:02d}:00", longer_than=HOUR, at_most=12.0 * HOUR)
        for hour in hours
    )
    return _with(planted, windows=windows)


def _down(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    last = float(record.schedule.start_time.max())
    number = int(rng.integers(3, 25))
    begins = np.sort(rng.uniform(0.02 * last, 0.98 * last, number))
    lasts = rng.uniform(2.0, 48.0, number) * HOUR
    ends = np.minimum(begins + lasts, [*(begins[1:] - 60.0), np.inf])
    pairs = zip(begins.tolist(), ends.tolist(), strict=True)
    return _with(planted, freezes=tuple(Freeze(begin=a, end=b) for a, b in pairs if b > a))


def _own_numbers(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    names = record.labels["user"].numbers[1]
    most = _most(rng, record, "jobs", "user")
    by = {name: float(np.ceil(most * rng.uniform(0.3, 3.0))) for name in names if name}
    return _with(planted, limits=(Limit(of="jobs", per="user", by=by),))


def _minutes(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    each = record.schedule.processors * np.where(np.isfinite(record.walltime), record.walltime, DAY)
    most = float(np.quantile(each / 60.0, rng.uniform(0.8, 0.99))) * rng.uniform(1.0, 5.0)
    return _with(planted, limits=(Limit(of="processor_minutes", per="user", most=most),))


def _pair(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    other: Any = next(
        (one for one in ("queue", "partition", "group") if one in record.labels), "user"
    )
    most = _most(rng, record, "jobs", "user")
    return _with(planted, limits=(Limit(of="jobs", per=("user", other), most=most),))


def _moved(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    last = float(record.schedule.start_time.max())
    dates = [0.0, *np.sort(rng.uniform(0.1, 0.9, int(rng.integers(1, 3)))).tolist(), 2.0]
    limits = tuple(
        Limit(
            of="jobs", per="user", most=_most(rng, record, "jobs", "user"), begin=begin * last,
            end=end * last,
        )
        for begin, end in itertools.pairwise(dates)
    )  # fmt: skip
    return _with(planted, limits=limits)


def _smaller(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    last, machine = float(record.schedule.start_time.max()), record.schedule.machine
    dates = [0.0, *np.sort(rng.uniform(0.0, last, int(rng.integers(2, 12)))).tolist()]
    sizes = [round(machine * float(rng.choice([1.0, rng.uniform(0.5, 0.95)]))) for _ in dates[:-1]]
    every = zip(dates, [*sizes, machine], strict=True)
    return _with(planted, capacity=tuple(Capacity(begin=at, processors=of) for at, of in every))


def _cycle(rng: np.random.Generator, _: QueueRecord, planted: Planted) -> Planted:
    cycle = float(rng.choice([300.0, 600.0, 900.0, 1800.0]))
    return _on(planted, cycle=cycle)


def _of_some(rng: np.random.Generator, record: QueueRecord) -> dict[Any, tuple[str, ...]]:
    names = [name for name in record.labels["user"].numbers[1] if name]
    return {
        "user": tuple(str(one) for one in rng.choice(names, max(1, len(names) // 3), replace=False))
    }


def _share(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    """Give a third of the users together a part of the machine at most."""
    most = float(round(record.schedule.machine * rng.uniform(0.1, 0.5)))
    limit = Limit(of="processors", per="all", most=most, only=_of_some(rng, record))
    return _with(planted, limits=(limit,))


def _closed_to_some(rng: np.random.Generator, record: QueueRecord, planted: Planted) -> Planted:
    begin = int(rng.integers(0, 24))
    window = Window(closed=f"{begin:02d}:00-{(begin + 9) % 24:02d}:00", only=_of_some(rng, record))
    return _with(planted, windows=(window,))


def _order(rng: np.random.Generator, _: QueueRecord, planted: Planted) -> Planted:
    policy = str(rng.choice(["easy_sjbf", "wfp", "fcfs"]))
    return replace(planted, policy=policy)


def _begin_dates(_: np.random.Generator, __: QueueRecord, planted: Planted) -> Planted:
    return replace(planted, held={"": 0.0})


def _holds(rng: np.random.Generator, workload: Workload) -> dict[str, float]:
    """Draw jobs that wait for something else first, such as other jobs."""
    jobs = workload.raw.jobs
    share, hours = rng.uniform(0.1, 0.5), rng.uniform(1.0, 10.0)
    held = rng.random(len(jobs)) < share
    lasts = rng.exponential(hours * HOUR, len(jobs))
    return {str(job.id): float(lasts[at]) for at, job in enumerate(jobs) if held[at]}


KNOWN: dict[str, Change] = {
    "limit of jobs": _limit("jobs"),
    "limit of processors": _limit("processors"),
    "closed hours": _closed,
    "ended by hours": _ended,
    "downtime": _down,
}
OTHERS: dict[str, Change] = {
    "numbers of their own": _own_numbers,
    "processor minutes": _minutes,
    "limit of pairs": _pair,
    "moved limit": _moved,
    "smaller machine": _smaller,
    "passes": _cycle,
    "share of some": _share,
    "hours of some": _closed_to_some,
    "another order": _order,
    "begin dates": _begin_dates,
}


def _row(line: dict[str, Any]) -> str:
    changes = [line[name] for name in ("true", "counted", "fitted")]
    cells = [line["log"], line["site"] + " *" * (not line["known"])]
    cells += [f"{100 * one:+.1f} %" for one in changes]
    cells += [line["verdict"], f"{line['ratio']:.2f} {line['correlation']:.2f}"]
    return f"| {' | '.join(cells)} |"


def _summary(every: list[dict[str, Any]], which: str) -> None:
    """Print mean and worst errors in points, and wrong signs of changes above 10 %."""
    for name in ("counted", "fitted", "told"):
        pairs = [(one[name], one["true"]) for one in every if one[name] is not None]
        errors = [100 * abs(said - true) for said, true in pairs]
        wrong = sum(abs(said) >= SIGN and said * true < 0 for said, true in pairs)
        if errors:
            print(
                f"{which}, {name}: {len(errors)} sites, mean {np.mean(errors):.1f}, "
                f"worst {max(errors):.1f} points, {wrong} wrong signs"
            )


def _covered(every: list[dict[str, Any]]) -> None:
    """Print how many of the told changes are within the error bar that is printed."""
    for ground in get_args(Ground):
        bar = error_bar(ground)
        of_it = [one for one in every if one["ground"] == ground]
        errors = sorted(100 * abs(one["told"] - one["true"]) for one in of_it)
        within = sum(error <= bar for error in errors)
        print(f"{ground}: {within} of {len(errors)} within {bar:.0f} points")
        print("   ", ", ".join(f"{error:.1f}" for error in errors))


if __name__ == "__main__":
    main()
