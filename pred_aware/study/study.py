"""A study: read, check and simulate a log, and draw the conclusion."""

from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.differences import gains
from pred_aware.effects.effect import OF_GROUP, Effect
from pred_aware.errors import PredAwareError
from pred_aware.execution.cores import cores
from pred_aware.metrics.groups import can_group
from pred_aware.recorded_queue.check import check_baseline
from pred_aware.report.durations import timespan
from pred_aware.runs.run import Run
from pred_aware.site_inference.inferred_site import InferredSite
from pred_aware.study.base import similarity_of, with_inferred_site
from pred_aware.study.campaign import LOG, StudyCampaign
from pred_aware.study.contenders import EASY, not_understood
from pred_aware.study.folder import (
    CAMPAIGN,
    PLATFORM,
    SITE,
    STORE,
    WORKLOAD,
    study_folder,
    write_campaign,
    write_inputs,
)
from pred_aware.study.reading import ReadLog, read
from pred_aware.study.request import Budget, OnProgress, Reading, StudyEffort
from pred_aware.study.rounds import Simulating, found, unperturbed_run
from pred_aware.study.studied import SHARE, Predicted, Studied, measured
from pred_aware.study.verdict import Verdict, known_without_shakes, unanswerable, verdict
from pred_aware.version import __version__
from schedulers.site.in_words import rules_in_words
from schedulers.site.site import Site

WORTH_PROCESSES = 3000
"""The number of jobs from which a study starts worker processes."""

COMPARING, FINISHING = 1e-4, 5e-5
"""Seconds per job that a study reserves for comparing and drawing: after the judged policy's run of
the unperturbed log, and after the last perturbed copy."""
DRAWING = 3.0
"""Seconds that a study reserves for drawing the smallest page."""
INFERRING = 0.5
"""The share of the study's time for inferring the site's rules. Without these rules, even many
simulations usually give no answer."""
SIMULATING = 0.6
"""If the baseline is a batch system's own scheduler, its run must end within this share of the
study's time."""


@dataclass(frozen=True, kw_only=True)
class Study(Studied):
    """The findings of a study and its conclusion."""

    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        """Draw the conclusion from the findings."""
        object.__setattr__(self, "verdict", verdict(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the study for JSON, with times in seconds and shares from 0 to 1."""
        log, rounds = self.log, self.rounds
        return {
            "pred_aware": __version__,
            "answer": asdict(self.verdict),
            "log": {
                "name": log.name,
                "jobs": len(log.log),
                "users": log.users,
                "records": log.log.report.to_dict(),
                "size": {
                    "processors": log.size.processors,
                    "from": log.size.source,
                    "overfull": log.size.overfull,
                    "contradicted": log.size.contradicted,
                },
                "walltimes": asdict(log.walltimes),
                "load": log.inspection.load.used,
                "clean": list(log.clean),
                **({} if log.site is None else {"site": _site(log.site, log)}),
                "workload_sha256": log.log.workload.sha256,
            },
            "recorded_queue": self.check.to_dict(),
            **({} if self.base is None else {"base": self.base.to_dict()}),
            "shakes": rounds.shakes,
            "ended_because": rounds.why,
            "not_simulated": dict(rounds.failed),
            "compared": {
                "baseline": self.baseline.name,
                "judged": log.contenders.judged,
                "why": log.contenders.why,
                "compared": log.contenders.compared,
                "not_understood": (
                    None if log.configured is None else len(not_understood(log.configured))
                ),
            },
            "policies": {
                name: {measure: one.to_dict() for measure, one in measures.items()}
                for name, measures in self.policies.items()
            },
            "gains": {
                by: [one.to_dict(OF_GROUP) for one in self.gains_of(log.contenders.judged, by)]
                for by in self.gains
            },
            "predictors": [one.to_dict() for one in self.predicted.evaluations],
            "predictors_left_out": list(self.predicted.left_out),
        }


def study(
    request: Reading,
    folder: Path,
    *,
    effort: StudyEffort,
    on_progress: OnProgress,
    began: float | None = None,
) -> Study:
    """Study a log and keep its runs in a folder, so that a later call can continue.

    Parameters
    ----------
    request
        The log and the options for reading it.
    folder
        The folder for the workload, the platform, the runs and the campaign's file.
    effort
        The limits that end the study.
    on_progress
        Called with a description of the current step.
    began
        The value of `time.monotonic` at which the time of `effort` began; by default now.

    Raises
    ------
    PredAwareError, InputError, SchedulerError, SimulationError
        The log cannot be read or simulated, or the folder cannot be written.
    """
    budget = Budget(effort, monotonic() if began is None else began)
    with study_folder(folder, request):
        on_progress(f"Reading {request.name}")
        log = read(request)
    # if the log alone shows that there is no answer, only requested copies are simulated
    hopeless = effort.shakes is None and unanswerable(log, ran=len(log.log)) is not None
    predicted, inferred = Predicted((), ()), None
    if not hopeless:
        predicted = measured(log.log, until=budget.by(SHARE), on_progress=on_progress)
    if not hopeless and _infers(request, log):
        log, inferred = with_inferred_site(
            log, on_progress=on_progress, until=budget.by(SHARE + INFERRING)
        )
    write_inputs(log, folder, platform=request.platform)
    campaign = StudyCampaign(
        folder / WORKLOAD, folder / PLATFORM, folder / STORE,
        # this process simulates a short log faster than another process starts
        workers=effort.workers or (1 if len(log.log) < WORTH_PROCESSES else cores()),
        site=None if log.site is None else folder / SITE,
        definitions=log.contenders.definitions,
    )  # fmt: skip
    simulate = partial(unperturbed_run, campaign, folder=folder, on_progress=on_progress)
    # EASY is so fast that it needs no time limit
    until = budget.by(SIMULATING) if campaign.baseline != EASY else None
    baseline = simulate(campaign.baseline, until=until)
    if baseline is None:
        raise PredAwareError(
            f"{request.name}: the simulation of {campaign.baseline}, the site's own scheduler, did "
            f"not finish within {timespan(budget.spent)}. Give more --minutes, leave out jobs, for "
            "example with --clean 'submit<180d', or use EASY with --baseline easy"
        )
    check = replace(check_baseline(baseline), log="the log", guessed=log.size.guessed)
    if isinstance(inferred, InferredSite):
        check = replace(check, unexplained=inferred.unexplained_by_rules)
    base = similarity_of(check, inferred)
    until = budget.until(DRAWING + COMPARING * len(log.log))
    other = None if hopeless else simulate(campaign.judged, until=until)
    simulating = Simulating(campaign)
    runs = (baseline,) if other is None else (baseline, other)
    on_progress("Comparing")
    once = simulating.without_copies
    looked = Study(
        log=log,
        check=check,
        base=base,
        predicted=predicted,
        rounds=once,
        policies=found(once.agenda),
        runs=runs,
        seconds=budget.spent,
    )
    if other is None:
        rounds = replace(looked.rounds, why=known_without_shakes(looked) or "time is up")
    else:
        rounds = simulating.run(
            effort,
            until=budget.until(DRAWING + FINISHING * len(log.log)),
            known=known_without_shakes(looked),
            on_progress=on_progress,
        )
    files = {"store": STORE, "logs": {LOG: {"file": WORKLOAD, "platform": PLATFORM}}}
    files |= {} if log.site is None else {"site": SITE}
    content = {**campaign.content(rounds.shakes), **files}
    write_campaign(content, folder / CAMPAIGN)
    on_progress("Comparing")
    return replace(
        looked,
        rounds=rounds,
        policies=found(rounds.agenda),
        gains=_gains(rounds.inventory, runs[0]) if rounds.shakes else {},
        seconds=budget.spent,
    )


def _site(site: Site, log: ReadLog) -> dict[str, Any]:
    """Return the simulated rules and the content of the snapshot for JSON."""
    configured = log.configured
    return {
        "rules": list(rules_in_words(site, names=True)),
        **({} if configured is None else {"base": configured.to_dict(names=log.key is None)}),
    }


def _infers(request: Reading, log: ReadLog) -> bool:
    """Return whether the study infers rules of the site from the log."""
    if request.infer_site is not None:
        return request.infer_site
    only_order = request.site is None or request.site == Site(order=request.site.order)
    return only_order and log.contenders.baseline.name == EASY


def _gains(inventory: Inventory, baseline: Run) -> dict[str, list[Effect]]:
    """Return the effects on the waits of queues and users, if the log names them."""
    return {by: gains(inventory, by) for by in ("queue", "user") if can_group(baseline, by)}
