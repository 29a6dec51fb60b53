"""Making of a run by a worker."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import msgspec

from pred_aware.campaign import run_digest
from pred_aware.campaign.kept_metrics import (
    BASELINE,
    JOBS,
    STARTS,
    STOPS,
    WAITS,
    classes_of,
    extra_files,
    figures_of,
    groups_of,
    packed,
    starts_of,
    waits_of,
)
from pred_aware.campaign.making.resource_usage import Meter
from pred_aware.campaign.messages import Figures, Task, WorkerAnswer
from pred_aware.campaign.specification import LogOfCampaign, RunKey, Specification
from pred_aware.campaign.store import MEASURED, RUN, Store
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import read_log
from pred_aware.log.workload import Copy, Workload, read_workload
from pred_aware.recorded_queue import check_baseline
from pred_aware.runs.run import Run
from schedulers.site.reader import site_of
from workload_tools.formats import recognised
from workload_tools.platform.platform import Platform

if TYPE_CHECKING:
    from pred_aware.campaign.run_digest import Identity


_WORKLOAD = ["batsim"]


class Inputs:
    """A log to simulate: read once, with copies on demand.

    Parameters
    ----------
    log
        The log, with its changes.

    Raises
    ------
    PredAwareError, InputError
        The log cannot be read, or changed while it was read.
    """

    def __init__(self, log: LogOfCampaign) -> None:
        self.log = log
        self.identity = run_digest.of_log(log)
        self.workload, self.platform = _read(log)
        if run_digest.of_log(log).digest != self.identity.digest:
            raise PredAwareError(
                f"{log.file}: changed while it was being read; run the campaign again"
            )
        self._copy: tuple[Copy | None, Workload] = (None, self.workload)
        self.of_site: dict[str, Any] = {} if log.site is None else {"site": site_of(log.site)}
        """The site, as an option of schedulers."""

    def of(self, copy: Copy | None) -> Workload:
        """Return a copy of the workload; the last copy is cached for the next policy."""
        if copy is None:
            return self.workload
        if self._copy[0] != copy:
            self._copy = copy, copy.of(self.workload)
        return self._copy[1]


class Maker:
    """Makes runs of a campaign, and puts them into the campaign's store; reads each log once.

    Parameters
    ----------
    campaign
        The campaign.
    """

    def __init__(self, campaign: Specification) -> None:
        self.campaign = campaign
        self._store = Store(campaign.store)
        self._inputs: dict[int, Inputs] = {}
        self._policies: dict[int, Identity] = {}

    def inputs(self, log: int) -> Inputs:
        """Return a log, which is read on first use; see `Inputs`."""
        if log not in self._inputs:
            self._inputs[log] = Inputs(self.campaign.logs[log])
        return self._inputs[log]

    def forget(self, log: int) -> None:
        """Drop a log that is no longer needed."""
        self._inputs.pop(log, None)

    def answer(
        self, task: Task, *, progress: Callable[[int, int], None] | None = None
    ) -> WorkerAnswer:
        """Make a run, put it into the store, and answer with its measures and costs; see `make`."""
        _, figures, measured = self.make(task.run, digest=task.digest, progress=progress)
        return WorkerAnswer(figures, measured)

    def make(
        self,
        which: RunKey,
        *,
        digest: str,
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[Run, Figures, dict[str, Any]]:
        """Make a run and put it into the store; return the run, its measures and its costs.

        Parameters
        ----------
        which
            The run's key.
        digest
            The run's digest.
        progress
            As in `pred_aware.simulate`.

        Raises
        ------
        InputError, PredictorError, SchedulerError, SimulationError, PredAwareError
            The run cannot be simulated or written, or its inputs have changed.
        """
        inputs, decides = self.inputs(which.log), self.campaign.policies[which.policy]
        meter = Meter()
        run = simulate(
            inputs.of(which.copy),
            decides.scheduler,
            platform=inputs.platform,
            options={**decides.options, **inputs.of_site},
            delays=self.campaign.delays,
            progress=progress,
        )
        campaign, unperturbed = self.campaign, which.copy is None
        figures = figures_of(run, tau=campaign.tau)
        starts = starts_of(run) if STARTS in extra_files(campaign) else {}
        policy = self._determined(inputs, which, digest)
        record = {
            "digest": digest,
            "log": inputs.identity.digest,
            "policy": policy.digest,
            "seed": which.shake,
            **({} if which.resample is None else {"resample": which.resample}),
            "figures": figures,
            "rejected": dict(sorted(run.rejections.items())),
            "jobs_sha256": run.jobs_sha256,
        }
        files = {RUN: _json(record), **groups_of(run, tau=campaign.tau)}
        if unperturbed:
            files[BASELINE] = _baseline(run)
        if unperturbed or campaign.keep_jobs:
            files[JOBS] = packed(run.content("jobs") or b"")
            if (stops := run.content("stops")) is not None:
                files[STOPS] = packed(stops)
        if campaign.against_baseline:
            files[WAITS] = waits_of(run)
        if starts:
            files[STARTS] = _json(starts)
        if campaign.classes is not None:
            files[campaign.classes.file] = classes_of(run, campaign.classes, tau=campaign.tau)
        measured = {
            **meter.read(),
            "scheduling_seconds": run.scheduling_time,
            "disk_bytes": sum(map(len, files.values())),
        }
        for part in (inputs.identity, policy):
            self._store.keep_part(part.digest, part.content)
        self._store.publish(digest, {**files, MEASURED: _json(measured)})
        return run, {**figures, **starts}, measured

    def _determined(self, inputs: Inputs, which: RunKey, digest: str) -> "Identity":
        """Return the policy's identity, and check that the run's inputs are unchanged."""
        # check after loading the policy's parts: otherwise results of an edited part could be
        # stored under the digest of the old version
        policy = which.policy
        decides = self.campaign.policies[policy]
        if policy not in self._policies:
            self._policies[policy] = run_digest.of_policy(decides, delays=self.campaign.delays)
        identity = self._policies[policy]
        found = run_digest.digest_of_run(
            inputs.identity, identity, copy=which.copy, tau=self.campaign.tau
        )
        if found != digest:
            raise PredAwareError(
                f"{inputs.log.name} or {decides.name} changed while the campaign was running; run "
                "it again"
            )
        return identity


def _baseline(run: Run) -> bytes:
    """Return the comparison of the baseline's queue with the recorded one, as JSON."""
    # not the log's own name, because another campaign may use this run under another name
    check = replace(check_baseline(run), log="the log")
    # if the machine's size was guessed, a remark about the size comes first
    sentence = f"{check.about_size} {check.sentence}".lstrip()
    if check.warns and check.about_base:
        sentence = f"{sentence} {check.about_base}"
    half = None if check.second_half is None else asdict(check.second_half)
    return _json(
        {
            "answer": check.answer, "sentence": sentence, "all": list(check.sentences),
            "base": check.base, "second_half": half,
        }
    )  # fmt: skip


def _read(log: LogOfCampaign) -> tuple[Workload, Platform]:
    platform = None if log.platform is None else Platform.read(log.platform)
    processors = log.processors or (None if log.site is None else site_of(log.site).size)
    changed = (log.clean, log.load, log.missing_walltime, log.options)
    if not any(changed) and (log.format or recognised(log.file)) in ("batsim", _WORKLOAD):
        # without changes, a Batsim workload is read directly instead of converted
        workload = read_workload(log.file)
        size = processors or workload.processors
        if platform is None and size is None:
            raise PredAwareError(
                f"{log.file}: does not contain the machine's size; give processors or a platform"
            )
        return workload, platform or Platform.of(size or 0)
    read = read_log(
        log.file,
        format=log.format,
        clean=log.clean,
        missing_walltime=log.missing_walltime,  # type: ignore[arg-type] # checked by the reader
        processors=processors,
        load=log.load,
        **log.options,
    )
    return read.workload, platform or read.platform


def _json(content: Any) -> bytes:  # noqa: ANN401 - content of a file
    return msgspec.json.encode(content) + b"\n"
