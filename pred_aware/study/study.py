"""A study: a log read, checked, simulated again and again, and what follows."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from pred_aware.base_queue.check import BaseCheck, check_base
from pred_aware.campaign.groups import gains
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.store import Store
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.group_changes import GroupChange
from pred_aware.comparison.one_run_each import one_run_each
from pred_aware.errors import PredAwareError
from pred_aware.execution.cores import cores
from pred_aware.inspection import findings
from pred_aware.measures.groups import can_group
from pred_aware.runs.run import Run
from pred_aware.study.answer import Verdict, verdict
from pred_aware.study.asked import Effort, Reading
from pred_aware.study.found import Found, found
from pred_aware.study.policies import BASE, RECOMMENDED
from pred_aware.study.predicting import SHARE, Predicted, measured
from pred_aware.study.reading import ReadLog, read
from pred_aware.study.rounds import Rounds, Simulating, write_campaign
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
        What it found, by policy and measure.
    gains
        Who gains and who loses under the recommended policy, by kind of group; empty without
        shakes.
    runs
        The base's and the recommended one's run of the log as it is.
    compared
        These two beside each other.
    seconds
        How long it took.
    verdict
        What follows.
    """

    log: ReadLog
    check: BaseCheck
    predicted: Predicted
    rounds: Rounds
    policies: Mapping[str, Mapping[str, Found]]
    gains: Mapping[str, list[GroupChange]]
    runs: tuple[Run, Run]
    compared: Comparison
    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        """Draw the conclusion."""
        object.__setattr__(self, "verdict", verdict(self))

    @property
    def recommended(self) -> Mapping[str, Found]:
        """What was found of the recommended policy, by measure."""
        return self.policies[RECOMMENDED]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it; times in seconds, shares from 0 to 1."""
        log, rounds = self.log, self.rounds
        (against,) = self.compared.against_base
        return {
            "pred_aware": __version__,
            "answer": self.verdict.to_dict(),
            "log": {
                "name": log.name,
                "jobs": len(log.log),
                "users": log.users,
                "records": log.log.report.to_dict(),
                "size": {"processors": log.size.processors, "from": log.size.source},
                "walltimes": asdict(log.walltimes),
                "load": log.inspection.load.used,
                "clean": list(log.clean),
                "workload_sha256": log.log.workload.sha256,
                "findings": [asdict(one) for one in findings(log.inspection)],
            },
            "base_queue": self.check.to_dict(),
            "shakes": rounds.shakes,
            "ended_because": rounds.why,
            "not_simulated": dict(rounds.failed),
            "baseline": BASE,
            "policies": {
                name: {measure: one.to_dict() for measure, one in measures.items()}
                for name, measures in self.policies.items()
            },
            "gains": {by: [one.to_dict() for one in groups] for by, groups in self.gains.items()},
            "on_the_log_as_it_is": against.to_dict(),
            "predictors": [one.to_dict() for one in self.predicted.evaluations],
            "predictors_left_out": list(self.predicted.left_out),
        }


def study(asked: Reading, folder: Path, *, effort: Effort, told: Told) -> Study:
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

    Raises
    ------
    PredAwareError, InputError, SchedulerError, SimulationError
        The log can't be read or simulated, or the folder can't be written.
    """
    began = monotonic()
    check_folder(folder, asked)
    told(f"Reading {asked.name}")
    log = read(asked)
    _write_inputs(log, folder, platform=asked.platform)
    share = None if effort.seconds is None or effort.shakes is not None else SHARE * effort.seconds
    predicted = measured(log.log, seconds=share, told=told)
    simulating = Simulating(
        folder / WORKLOAD, folder / PLATFORM, folder / STORE, workers=_workers(log, effort)
    )
    runs = [simulating.as_it_is(name, folder / name, told=told) for name in (BASE, RECOMMENDED)]
    rounds = simulating.run(effort, began=began, told=told)
    content = {
        **simulating.content(max(rounds.shakes, 0)),
        "store": STORE, "logs": {"log": {"file": WORKLOAD, "platform": PLATFORM}},
    }  # fmt: skip
    write_campaign(content, folder / CAMPAIGN)
    told("Comparing")
    return Study(
        log=log,
        check=replace(check_base(runs[0]), log="the log", guessed=log.size.guessed),
        predicted=predicted,
        rounds=rounds,
        policies=found(rounds.agenda),
        gains=_gains(rounds.inventory, runs[0]) if rounds.shakes else {},
        runs=(runs[0], runs[1]),
        compared=one_run_each(runs),
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


def _write_inputs(log: ReadLog, folder: Path, *, platform: Path | None) -> None:
    write_workload(log.log.machine, folder / WORKLOAD)
    if platform is None:
        write_platform(folder / PLATFORM, hosts=log.size.processors)
    else:
        with written_whole(folder / PLATFORM) as file:
            file.write(platform.read_bytes())
    log.write_key(folder / KEY)


def _gains(inventory: Inventory, base: Run) -> dict[str, list[GroupChange]]:
    """Return who gains and who loses under the recommended policy, as far as the log tells."""
    return {
        by: [one.change for one in gains(inventory, by) if one.policy == RECOMMENDED]
        for by in GROUPS
        if can_group(base, by)
    }
