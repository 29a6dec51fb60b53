"""Evidence for claims: simulations of a paper's policies, and replays of its predictors."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pred_aware.campaign import Campaign, LogOfCampaign, StoreError
from pred_aware.errors import USER_ERRORS
from pred_aware.prediction import ReplaySummary
from pred_aware.statistics import LEAST
from reproductions.checks.claim import CHANGED, OTHER, THEIRS
from reproductions.counting import counted_on
from reproductions.day import Day
from reproductions.experiments import Measured, experiments_on
from reproductions.logs import LOGS, REBUILT
from reproductions.paper import Paper, Simulations
from reproductions.published import published_in
from reproductions.simulated import Simulated
from reproductions.training import training_file
from workload_tools import written_whole


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done."""

    at_least: int = 5
    at_most: int = 20
    """Shakes of each log."""
    precision: float = 0.02
    """To which share of the baseline's mean wait each difference is to be known."""
    quick: bool = False
    """Whether only a paper's quick logs are taken."""


QUICK = Effort(at_least=5, at_most=5, quick=True)
"""For a first look."""


class Evidence:
    """The simulations and replays of a paper, on the logs that are at hand.

    Parameters
    ----------
    paper
        The paper.
    files
        The logs by name.
    folder
        Where runs and replays are kept.
    effort
        How much is done.
    """

    def __init__(
        self, paper: Paper, files: Mapping[str, Path], *, folder: Path, effort: Effort
    ) -> None:
        self.paper = paper
        self._files = files
        self._folder = folder
        self._effort = effort
        self._failures: dict[str, str] = {}
        self._experiments: dict[str, Measured] = {}
        self._counted: dict[str, dict[str, float | None]] = {}

    def missing(self, log: str) -> str:
        """Say why nothing is known of a log; empty where something is."""
        if log not in self._files:
            return f"the log is not at hand ({LOGS[log].stem}*); get it: {LOGS[log].fetched}"
        if self._effort.quick and log not in self.paper.quick:
            return "left out of a quick look"
        return self._failures.get(log, "")

    def source(self, log: str) -> str:
        """Say whose data a log is to the paper: the authors', those changed, or others."""
        own = self.paper.own.get(log)
        if own is None:
            # what needs no log is the paper's own, too
            return OTHER if log else THEIRS
        file = self._files.get(log)
        another = file is not None and not file.name.startswith(own.release)
        return CHANGED if own.differs or another else THEIRS

    def name_of_file(self, log: str) -> str:
        """Return the name of a log's file; empty where it is not at hand."""
        return self._files[log].name if log in self._files else ""

    def _here(self, names: tuple[str, ...]) -> list[str]:
        return [name for name in names if not self.missing(name)]

    @cached_property
    def campaigns(self) -> tuple[Campaign, ...]:
        """The paper's simulations on the logs that are at hand and can be read."""
        found = []
        for wanted in self.paper.simulations:
            try:
                made = self._campaign(wanted)
            except USER_ERRORS as error:
                # what its predictors learn first cannot be read
                self._fail(wanted.logs, str(error))
            else:
                found += [made] if made is not None else []
        return tuple(found)

    def _fail(self, logs: Iterable[str], reason: str) -> None:
        """Note that nothing is known of some logs."""
        for log in logs:
            self._failures.setdefault(log, reason)

    def _campaign(self, wanted: Simulations) -> Campaign | None:
        paper, effort = self.paper, self._effort
        logs = {
            name: {**self._content(name), **wanted.logs[name]}
            for name in self._here(tuple(wanted.logs))
        }
        if not logs:
            return None
        machine = {"machine": str(self._machine(wanted.machine))} if wanted.machine else {}
        policies = {
            name: {**self._taught(options), **machine} for name, options in wanted.policies.items()
        }
        return Campaign.of(
            {
                "store": str(self._folder / "runs"),
                "baseline": next(iter(wanted.policies)),
                "logs": logs,
                "policies": policies,
                "classes": {by: list(edges) for by, edges in wanted.classes.items()},
                "measures": list(paper.measures),
                "tau": paper.tau,
                "shakes": {"at_least": effort.at_least, "at_most": effort.at_most},
                "precision": {"mean_waiting_time": effort.precision},
            },
            name=f"paper {paper.number}",
        )

    def _content(self, log: str) -> dict[str, Any]:
        """Return what a campaign's file would say of a log."""
        return {"file": str(self._files[log].resolve()), **LOGS[log].options}

    @cached_property
    def _replayed(self) -> Campaign | None:
        """The paper's replays on the logs that are at hand."""
        done = {log: what for one in self.paper.simulations for log, what in one.logs.items()}
        logs = {
            name: {**self._content(name), **done.get(name, {})}
            for name in self._here(self.paper.replayed)
        }
        if not logs:
            return None
        content = {"logs": logs, "predictors": dict(self.paper.predictors)}
        return Campaign.of({"store": str(self._folder / "runs"), **content})

    @cached_property
    def _summaries(self) -> dict[tuple[str, str], ReplaySummary]:
        return {} if self._replayed is None else self._replayed.summaries

    def _machine(self, name: str) -> Path:
        """Write the machine's blocks, as policies name them by a file."""
        from pred_aware import blue_gene
        from schedulers.machine.block_file import text_of

        path = self._folder.resolve() / f"{name}.json"
        with written_whole(path) as file:
            file.write(text_of(blue_gene(name)).encode())
        return path

    def _taught(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return a policy's options with the file of what its predictor learns first."""
        if "history" not in options:
            return dict(options)
        file = training_file(self._log(options["history"]), folder=self._folder / "training")
        return {**options, "history": str(file.resolve())}

    def _log(self, name: str) -> LogOfCampaign:
        content = {"logs": {name: self._content(name)}, "policies": {"easy": {}}}
        return Campaign.of(content).log(name)

    @property
    def failures(self) -> dict[str, str]:
        """What could not be simulated or replayed, with the reason."""
        simulated = {
            name: reason for one in self.campaigns for name, reason in one.failures.items()
        }
        return {**simulated, **self._failures}

    def make(self, *, told: Callable[[str], None], workers: int | None, progress: Any) -> None:  # noqa: ANN401
        """Simulate and replay what is not there yet.

        Parameters
        ----------
        told
            Told what is replayed.
        workers, progress
            As `Campaign.run` takes them.

        Raises
        ------
        PredAwareError
            The folder cannot be written.
        """
        for campaign in self.campaigns:
            try:
                campaign.run(workers=workers, progress=progress)
            except StoreError:
                raise
            except USER_ERRORS as error:
                # none of its logs can be read
                self._fail(campaign.logs, str(error))
            self._fail_of(campaign)
        if self._replayed is not None:
            self._replayed.run(replays=told)
            self._fail_of(self._replayed)

    def _fail_of(self, campaign: Campaign) -> None:
        """Note which logs of a campaign cannot be read."""
        for name, reason in campaign.failures.items():
            if name in campaign.logs:
                self._fail([name], reason)

    @property
    def shakes(self) -> int:
        """How many shakes are made of what is no campaign: ten, or as many as there may be."""
        return min(self._effort.at_most, max(self._effort.at_least, LEAST))

    @cached_property
    def day(self) -> Day:
        """The day of paper 001; only where its runs' outputs are at hand."""
        beside = self._files[REBUILT].parent
        return Day(published_in([beside, beside.parent]), self._folder / "day")

    def experiments(self, log: str) -> Measured:
        """Return paper 001's prediction experiments on a log, by experiment and model."""
        if log not in self._experiments:
            self._experiments[log] = experiments_on(
                self._files[log], folder=self._folder / "experiments"
            )
        return self._experiments[log]

    def counted(self, log: str) -> dict[str, float | None]:
        """Return what is counted in a log, by name; nothing where it cannot be read."""
        if log not in self._counted:
            try:
                self._counted[log] = counted_on(self._log(log), folder=self._folder / "counted")
            except USER_ERRORS as error:
                self._failures[log] = str(error)
                return {}
        return self._counted[log]

    @cached_property
    def simulated(self) -> Simulated:
        """What the simulations gave."""
        return Simulated(self.paper, self.campaigns)

    def replay(self, log: str, predictor: str) -> ReplaySummary:
        """Return a predictor's replay on a log."""
        return self._summaries[log, predictor]
