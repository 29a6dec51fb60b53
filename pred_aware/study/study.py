"""A study: a log read, checked, simulated again and again, and what follows."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.groups import gains
from pred_aware.campaign.store import Store
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.group_changes import GroupChange
from pred_aware.comparison.one_run_each import one_run_each
from pred_aware.errors import PredAwareError
from pred_aware.execution.cores import cores
from pred_aware.inspection import findings
from pred_aware.metrics.groups import can_group
from pred_aware.recorded_queue.check import BaseCheck, check_base
from pred_aware.report.page import Prepared
from pred_aware.runs.run import Run
from pred_aware.study.answer import Verdict, known_without_shakes, verdict
from pred_aware.study.budget import Budget
from pred_aware.study.evidence import of_the_log, of_the_runs, written
from pred_aware.study.found import Found, found
from pred_aware.study.policies import BASE, RECOMMENDED
from pred_aware.study.predicting import SHARE, Predicted, measured
from pred_aware.study.reading import ReadLog, read
from pred_aware.study.request import Effort, Reading
from pred_aware.study.rounds import LOG, Rounds, Simulating, write_campaign
from pred_aware.study.unanswerable import unanswerable
from pred_aware.version import __version__
from workload_tools.batsim.writer import write_workload
from workload_tools.files import written_whole
from workload_tools.platform.writer import write_platform

Told = Callable[[str], None]

WORKLOAD, PLATFORM, STORE, CAMPAIGN, KEY = (
    "workload.json", "platform.xml", "runs", "campaign.toml", "names.json",
)  # fmt: skip
"""The files of a study beside its page and data."""

WORTH_PROCESSES = 3000
"""Jobs of a log."""

JSON, PAGE = "study.json", "study.html"
COMPARING, FINISHING = 5e-5, 1e-5
"""Seconds for each job that are kept for what follows the recommended policy's run of the log as it
is, and the last shake."""
EXPLAINING = 0.1
"""Share of the time that it may take to work out why jobs waited."""
GROUPS = ("size", "length", "queue", "user")
"""By what it is told who gains and who loses."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What a study has found.

    Parameters
    ----------
    log
        The log.
    check
        Whether the simulated base is the queue that it recorded.
    predicted
        How right predictors are on it.
    rounds
        The campaign.
    policies
        What it found, by policy and measure; without those for which there was no time.
    on_other_sizes
        What it found of the recommended policy, by measure, on each of the sizes that the log shows
        in place of its own (`pred_aware.study.machine_size.Size.others`).
    gains
        Who gains and who loses under the recommended policy, by kind of group; empty without
        shakes.
    runs
        The base's and the recommended one's run of the log as it is; the base's alone where there
        was no time for the other.
    compared
        These two beside each other; ``None`` where there is one.
    seconds
        How long it took until the answer was known.
    prepared
        What of the page does not depend on shakes, written before them: by the sections' titles.
    verdict
        What follows.
    """

    log: ReadLog
    check: BaseCheck
    predicted: Predicted
    rounds: Rounds
    policies: Mapping[str, Mapping[str, Found]]
    runs: tuple[Run, ...]
    compared: Comparison | None
    seconds: float
    on_other_sizes: tuple[Mapping[str, Found], ...] = ()
    gains: Mapping[str, list[GroupChange]] = field(default_factory=dict)
    prepared: Mapping[str, Prepared] = field(default_factory=dict)
    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        """Draw the conclusion."""
        object.__setattr__(self, "verdict", verdict(self))

    @property
    def recommended(self) -> Mapping[str, Found]:
        """What was found of the recommended policy, by measure; nothing where it did not run."""
        return self.policies.get(RECOMMENDED, {})

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it; times in seconds, shares from 0 to 1."""
        log, rounds = self.log, self.rounds
        against = None if self.compared is None else self.compared.against_base[0].to_dict()
        return {
            "pred_aware": __version__,
            "answer": self.verdict.to_dict(),
            "log": {
                "name": log.name,
                "jobs": len(log.log),
                "users": log.users,
                "records": log.log.report.to_dict(),
                "size": {
                    "processors": log.size.processors,
                    "from": log.size.source,
                    "overfull": log.size.overfull,
                    "shown": list(log.size.others),
                },
                "walltimes": asdict(log.walltimes),
                "load": log.inspection.load.used,
                "clean": list(log.clean),
                "workload_sha256": log.log.workload.sha256,
                "findings": [asdict(one) for one in findings(log.inspection)],
            },
            "base_queue": self.check.to_dict(),
            "shakes": rounds.shakes,
            "ended_because": rounds.why,
            "unfinished": rounds.unfinished,
            "not_simulated": dict(rounds.failed),
            "baseline": BASE,
            "policies": {
                name: {measure: one.to_dict() for measure, one in measures.items()}
                for name, measures in self.policies.items()
            },
            "on_other_sizes": [
                {"processors": size, **{name: one.to_dict() for name, one in measures.items()}}
                for size, measures in zip(log.size.others, self.on_other_sizes, strict=False)
            ],
            "gains": {by: [one.to_dict() for one in groups] for by, groups in self.gains.items()},
            "on_the_log_as_it_is": against,
            "predictors": [one.to_dict() for one in self.predicted.evaluations],
            "predictors_left_out": list(self.predicted.left_out),
        }


def study(
    asked: Reading,
    folder: Path,
    *,
    effort: Effort,
    told: Told,
    began: float | None = None,
    draw: bool = True,
) -> Study:
    """Study a log, and keep what was made in a folder, from which a later call goes on.

    Parameters
    ----------
    asked
        Which log, and how it is read.
    folder
        Where workload, platform, runs and the campaign's file go; not the page.
    effort
        How much is done.
    told
        Is told what is being done.
    began
        When what `effort` has seconds for began, by the monotonic clock; by default now.
    draw
        Whether what the page needs is written before the shakes, so that the time is kept.

    Raises
    ------
    PredAwareError, InputError, SchedulerError, SimulationError
        The log can't be read or simulated, or the folder can't be written.
    """
    budget = Budget(effort, monotonic() if began is None else began)
    check_folder(folder, asked)
    told(f"Reading {asked.name}")
    log = read(asked)
    platforms = _write_inputs(log, folder, platform=asked.platform)
    simulating = Simulating(
        folder / WORKLOAD, platforms, folder / STORE, workers=_workers(log, effort)
    )
    # what can't be answered is not simulated, unless somebody wants it all the same
    hopeless = effort.shakes is None and unanswerable(log, ran=len(log.log)) is not None
    with (
        nullcontext(lambda _: None)
        if hopeless
        else simulating.beside(RECOMMENDED, folder / RECOMMENDED, told=told)
    ) as recommended:
        predicted = measured(log.log, seconds=budget.share(SHARE), told=told)
        base = simulating.as_it_is(BASE, folder / BASE, told=told)
        assert base is not None
        check = replace(check_base(base), log="the log", guessed=log.size.guessed)
        told("Drawing the log")
        prepared = written(of_the_log(log, check, predicted)) if draw else {}
        other = recommended(budget.until(COMPARING * len(log.log)))
    runs = (base,) if other is None else (base, other)
    told("Comparing")
    once = simulating.as_far_as_it_is
    looked = Study(
        log=log,
        check=check,
        predicted=predicted,
        rounds=once,
        policies=found(once.agenda),
        runs=runs,
        compared=None if other is None else one_run_each(runs),
        seconds=budget.spent,
    )
    if draw:
        explained = simulating.seconds_as_it_is() <= (budget.share(EXPLAINING) or inf)
        prepared |= written(of_the_runs(runs, explained=explained))
    if other is None:
        rounds = replace(looked.rounds, why=known_without_shakes(looked) or "time is up")
    else:
        rounds = simulating.run(
            effort,
            until=budget.until(FINISHING * len(log.log)),
            known=known_without_shakes(looked),
            told=told,
        )
    content = {**simulating.content(rounds.shakes), "store": STORE, "logs": _named(platforms)}
    write_campaign(content, folder / CAMPAIGN)
    told("Comparing")
    agenda = rounds.agenda
    others = (found(agenda, number) for number in range(1, len(platforms)))
    return replace(
        looked,
        rounds=rounds,
        policies=found(agenda),
        on_other_sizes=tuple(
            one[RECOMMENDED] for one in takewhile(lambda one: RECOMMENDED in one, others)
        ),
        gains=_gains(rounds.inventory, runs[0]) if rounds.shakes else {},
        seconds=budget.spent,
        prepared=prepared,
    )


def _workers(log: ReadLog, effort: Effort) -> int:
    """Return how many processes simulate: a short log is done before another has begun."""
    return effort.workers or (1 if len(log.log) < WORTH_PROCESSES else cores())


def check_folder(folder: Path, asked: Reading) -> None:
    """Make the folder, or see that it is an earlier study's.

    Raises
    ------
    PredAwareError
        It can't be made, is a file, or holds something else.
    """
    for path in asked.paths:
        if path.is_dir() and folder.resolve().is_relative_to(path.resolve()):
            raise PredAwareError(f"{folder} is in the folder of the log; give another with -o")
    store = Store(folder / STORE)
    try:
        there = folder.is_dir() and any(folder.iterdir())
        if there and not store.folder.is_dir():
            raise PredAwareError(
                f"{folder}: is not empty, and no folder of a study; give another with -o"
            )
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"can't make the folder {folder}: {error.strerror}") from error
    store.begin()


def write_json(content: Any, path: Path) -> None:  # noqa: ANN401 - whatever JSON has
    """Write JSON for people and programs, whole or not at all."""
    with written_whole(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(content)) + b"\n")


def _write_inputs(log: ReadLog, folder: Path, *, platform: Path | None) -> dict[str, Path]:
    """Write what is simulated; return the machines by what the log is called on them."""
    write_workload(log.log.machine, folder / WORKLOAD)
    if platform is None:
        write_platform(folder / PLATFORM, hosts=log.size.processors)
    else:
        with written_whole(folder / PLATFORM) as file:
            file.write(platform.read_bytes())
    log.write_key(folder / KEY)
    platforms = {LOG: folder / PLATFORM}
    for size in log.size.others:
        name = f"{LOG} on {size} processors"
        platforms[name] = folder / f"platform-{size}.xml"
        write_platform(platforms[name], hosts=size)
    return platforms


def _named(platforms: Mapping[str, Path]) -> dict[str, Any]:
    """Return the logs of the campaign's file, which stands beside theirs."""
    return {name: {"file": WORKLOAD, "platform": path.name} for name, path in platforms.items()}


def _gains(inventory: Inventory, base: Run) -> dict[str, list[GroupChange]]:
    """Return who gains and who loses under the recommended policy, as far as the log tells."""
    return {
        by: [
            one.change
            for one in gains(inventory, by)
            if (one.log, one.policy) == (LOG, RECOMMENDED)
        ]
        for by in GROUPS
        if can_group(base, by)
    }
