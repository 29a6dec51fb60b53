"""Simulation of a scheduler on a workload, as a function."""

import io
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from pred_aware.errors import PredAwareError
from pred_aware.execution.in_process import PolicyInProcess
from pred_aware.execution.undelayed import simulated_undelayed
from pred_aware.log.needed_fields import require_fields
from pred_aware.log.workload import Workload
from pred_aware.metrics.figures import with_figures
from pred_aware.runs.contents import RunContents
from pred_aware.runs.provenance import RunRecipe, SimulationProvenance, scheduler_provenance
from pred_aware.runs.run import Run
from pred_aware.simulator.outputs import Outputs, RunFiles, RunInMemory
from pred_aware.simulator.simulation import Delays, simulate_jobs
from predictors.registry import Registry
from schedulers import COMBINATIONS, Policy, make_policy
from schedulers.decisions import notes_of
from schedulers.factory import given_options
from schedulers.journal import read_rows, sums
from schedulers.machine.registry import in_words
from schedulers.options import PolicyOptions
from workload_tools.platform.platform import Platform

if TYPE_CHECKING:
    from pred_aware.log.job_log import JobLog
    from pred_aware.simulator.peer import SocketPeer

Transport = Literal["process", "zmq"]


def simulate(  # noqa: PLR0913 - the inputs of a run, each by its name
    workload: "JobLog | Workload",
    policy: Any = "easy",  # noqa: ANN401 - a name, a mapping, a class or an object
    *,
    platform: Platform | str | Path | None = None,
    name: str | None = None,
    options: Mapping[str, Any] | None = None,
    delays: Delays = "none",
    transport: Transport = "process",
    write_to: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    **parts: Unpack[PolicyOptions],
) -> Run:
    """Simulate a scheduler on a log or a workload.

    The arguments are not changed: each run instantiates classes and copies objects, so predictors
    do not learn from other runs. Equal arguments give equal results. Runs can be pickled, so a
    process pool can map ``functools.partial(simulate, workload)`` over a list of policies, given
    as names or mappings.

    Parameters
    ----------
    workload
        A log, whose jobs are simulated as `pred-aware convert` would write them, or a Batsim
        workload.
    policy
        Name of a scheduler (`pred-aware schedulers` lists them; `policy` is any combination); a
        mapping with ``name`` and options, as in JSON; or a policy or class of your own
        (`schedulers.Policy`).
    platform
        The machine, or its XML file; by default the log's machine.
    name
        Name of the run in tables; by default the policy's name.
    options
        The scheduler's parts as a mapping, and its other options: ``rjms_delay`` of `easy_bf`, or
        those of your own policy class.
    delays
        ``none`` for messages without delay; ``batsim`` for the delays of the real Batsim.
    transport
        ``process``: the policy decides in this process; ``zmq``: pybatsim is started as another
        process. The results are equal.
    write_to
        Prefix of the run's files. They are written during the run instead of kept in memory, which
        allows millions of jobs.
    progress
        Called at intervals with the numbers of ended jobs and of all jobs.
    parts
        The parts of the scheduler, see `PolicyOptions`: ``order="sjf"``, ``backfilling=``,
        ``predictor=``, ``machine=``, ``max_wait=`` and so on, each a name, a mapping with ``name``
        and options, a class, or an object.

    Returns
    -------
    Run
        The result for each job.

    Raises
    ------
    InputError, PredictorError, SchedulerError, SimulationError, PredAwareError
        An argument is invalid; no files are written then.

    Examples
    --------
    >>> jobs = [
    ...     {"id": 1, "subtime": 0, "res": 4, "walltime": 900, "profile": "long"},
    ...     {"id": 2, "subtime": 1, "res": 4, "walltime": 800, "profile": "long"},
    ...     {"id": 3, "subtime": 2, "res": 4, "walltime": 60, "profile": "short"},
    ... ]
    >>> lasting = {"long": 500, "short": 20}
    >>> profiles = {name: {"type": "delay", "delay": time} for name, time in lasting.items()}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> simulate(workload, "easy", order="sjf").jobs["waiting_time"]
    job_id
    1      0.0
    3    498.0
    2    519.0
    Name: waiting_time, dtype: float64
    """
    given: dict[str, Any] = {}
    if isinstance(policy, Mapping):
        given = {key: value for key, value in policy.items() if key != "name"}
        policy = policy.get("name", "policy")
    given |= options or {}
    given |= given_options(parts)
    if isinstance(given.get("history"), Path):
        given["history"] = str(given["history"])
    if "machine" in given:
        given["machine"] = in_words(given["machine"])
    site = None
    if given.get("site") is not None:
        # imported here, because runs without a site do not need it
        from pred_aware.log.site_on_log import site_of_workload
        from pred_aware.site_configuration import site_in

        site = site_in(given["site"])
        if platform is None and site.size is not None:
            platform = Platform.of(site.size)
    batsim_workload, simulated_platform = _inputs(workload, platform)
    if site is not None:
        given["site"] = site_of_workload(site, batsim_workload)
    given = options_for(policy, given, delays=delays)
    # always created here, so that errors are reported before anything is started
    made_policy = make_policy(policy, given)
    decision_process = scheduler_provenance(policy, given)
    require_fields(batsim_workload.raw, getattr(made_policy, "fields_needed", ()))
    label = name or Registry.label(policy)
    recipe = RunRecipe(policy, dict(given), simulated_platform, delays)
    outputs = RunInMemory() if write_to is None else RunFiles(write_to)
    with outputs:
        summary, rejections = _into(
            outputs, batsim_workload, simulated_platform, made_policy,
            given=(policy, given), decision_process=decision_process,
            delays=delays, transport=transport,
            files=_files(batsim_workload, platform, write_to), progress=progress,
        )  # fmt: skip
    contents = (
        RunContents.written(outputs)
        if isinstance(outputs, RunFiles)
        else RunContents(outputs.files)
    )
    return Run(
        label, contents, workload=batsim_workload, summary=summary, rejections=rejections,
        recipe=recipe,
    )  # fmt: skip


def _files(workload: Workload, platform: object, write_to: str | Path | None) -> dict[str, str]:
    """Return the inputs' paths relative to the run's files, if both are files."""
    if write_to is None:
        return {}
    files = {"workload": workload.path, "platform": platform}
    return {
        what: os.path.relpath(path, Path(write_to).parent)
        for what, path in files.items()
        if isinstance(path, str | Path)
    }


def options_for(policy: Any, options: Mapping[str, Any], *, delays: Delays) -> dict[str, Any]:  # noqa: ANN401 - a name, a class or an object
    """Return a scheduler's options; without delays, `call_margin` is None: it requests no calls."""
    known = COMBINATIONS.get(policy) if isinstance(policy, str) else None
    if delays == "none" and known is not None and "call_margin" in known.settable:
        return {"call_margin": None, **options}
    return dict(options)


def _inputs(
    workload: "JobLog | Workload", platform: Platform | str | Path | None
) -> tuple[Workload, Platform]:
    if not isinstance(workload, Workload):
        from pred_aware.log.job_log import JobLog

        if not isinstance(workload, JobLog):
            raise PredAwareError(
                f"simulate needs a log or a workload, not {type(workload).__name__}: read it "
                "first, with pred_aware.read_log or pred_aware.read_workload"
            )
        platform = workload.platform if platform is None else platform
        workload = workload.workload
    if platform is None:
        if workload.processors is None:
            raise PredAwareError(
                f"{workload.name} does not contain the machine's size: give a platform, such as "
                "platform=pred_aware.Platform.of(240)"
            )
        platform = Platform.of(workload.processors)
    return workload, platform if isinstance(platform, Platform) else Platform.read(platform)


Summary = Mapping[str, Any] | Callable[[], Mapping[str, Any]]


def _into(  # noqa: PLR0913 - the inputs of a run
    outputs: Outputs,
    workload: Workload,
    platform: Platform,
    policy: Policy,
    *,
    given: tuple[Any, dict[str, Any]],
    decision_process: dict[str, Any],
    delays: Delays,
    transport: Transport,
    files: Mapping[str, str],
    progress: Callable[[int, int], None] | None,
) -> tuple[Summary, Mapping[str, int]]:
    """Simulate into files or memory; return the run's values, and rejections by reason."""
    total = len(workload)
    undelayed = None
    if delays == "none" and transport == "process":
        undelayed = simulated_undelayed(
            workload, policy, processors=platform.processors,
            progress=None if progress is None else lambda ended: progress(ended, total),
        )  # fmt: skip
    summary: Summary
    if undelayed is None:
        summary, rejections = _by_messages(
            outputs, workload, platform, policy,
            given=given, delays=delays, transport=transport, progress=progress,
        )  # fmt: skip
    else:
        summary, rejections = undelayed.summary, undelayed.outcome.rejections
        undelayed.write(outputs)
    provenance = SimulationProvenance(
        decision_process,
        workload=workload,
        platform=platform,
        delays=delays,
        transport=transport,
        rejected=rejections,
        files=files,
        jobs_sha256=outputs.digest("jobs"),
    )
    outputs.open("run").add(provenance)
    return summary, rejections


def _by_messages(  # noqa: PLR0913 - the inputs of a run
    outputs: Outputs,
    workload: Workload,
    platform: Platform,
    policy: Policy,
    *,
    given: tuple[Any, dict[str, Any]],
    delays: Delays,
    transport: Transport,
    progress: Callable[[int, int], None] | None,
) -> tuple[dict[str, Any], Mapping[str, int]]:
    """Simulate with a decision process that answers messages; see `_into`."""
    peer, notes = PolicyInProcess(policy), notes_of(policy)
    with ExitStack() as stack:
        decider: PolicyInProcess | SocketPeer = peer
        if transport == "zmq":
            from pred_aware.execution.pybatsim import notes_files, started_pybatsim

            name, options = given
            if not isinstance(name, str):
                raise PredAwareError("pybatsim cannot use policies from a script: omit transport")
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pred-aware-")))
            options |= notes_files(notes, folder)
            decider = stack.enter_context(started_pybatsim(name, options, folder))
        elif transport != "process":
            raise PredAwareError(f"unknown transport '{transport}'; known: process, zmq")
        total = len(workload)
        result = simulate_jobs(
            platform,
            workload.raw,
            decider,
            outputs=outputs,
            delays=delays,
            progress=None if progress is None else lambda ended: progress(ended, total),
        )
        summary = with_figures(result.summary, result.past)
        if transport == "zmq":
            summary.update(notes_into(outputs, folder, notes))
        else:
            for kind, noted in notes.items():
                outputs.open(kind).add(noted)
            if policy.journal is not None:
                summary.update(sums(policy.journal.rows()))
    return summary, peer.rejections


def notes_into(outputs: Outputs, folder: Path, kinds: Iterable[str]) -> dict[str, float | int]:
    """Copy the additional files of a scheduler under pybatsim; return sums over the jobs' planning.

    Raises
    ------
    PredAwareError
        A file is missing.
    """
    summary: dict[str, float | int] = {}
    for kind in kinds:
        try:
            # splitlines() would also split at other characters
            text = (folder / f"{kind}.csv").read_bytes().decode()
        except FileNotFoundError as error:
            raise PredAwareError(
                "pybatsim ended without writing the file that shows how each job was planned"
            ) from error
        outputs.open(kind).write(text)
        if kind == "estimates":
            summary = sums(read_rows(io.StringIO(text, newline="\n")))
    return summary
