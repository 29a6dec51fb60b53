"""The command `inspect`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pred_aware.commands.options.groups import adding, flag, has, option
from pred_aware.commands.options.output import PAGE, OutputOptions
from pred_aware.commands.options.reading import LogsArgument, ReadingOptions, cleaned

if TYPE_CHECKING:
    from pred_aware.inspection import Inspection
    from pred_aware.log.job_log import JobLog
    from pred_aware.recorded_queue import BaselineCheck
    from schedulers.site.site import Site
    from workload_tools.log import LogInMemory


def inspect(
    logs: LogsArgument,
    *,
    reading: Annotated[
        ReadingOptions, has("reader", "processors", "time_zone", "site", "order", "clean")
    ],
    baseline: Annotated[
        str | None,
        option(
            "SCHEDULER",
            "Simulate the log under this scheduler, such as easy, and compare the simulated "
            "waits with the recorded waits.",
        ),
    ] = None,
    infer_site: Annotated[
        bool,
        flag(
            "Infer the site's rules from the log, and show how close EASY's queue with these "
            "rules is to the recorded queue."
        ),
    ] = False,
    output: Annotated[OutputOptions, has(*PAGE)],
) -> None:
    """Inspect a job log before you trust it: content, missing fields, odd values.

    Reads every format. Several files of one machine are read as one log. Shows period, jobs, users,
    load, and the distributions of sizes, run times, walltimes and waits. Lists the busiest users,
    bursts of jobs of one user, gaps in the submissions, dropped and repaired records, known fields,
    and likely reasons for waits. --baseline easy simulates the log and compares the simulated waits
    with the recorded waits. --site reports jobs that can never start on that site, and the
    simulation applies its rules. --infer-site infers the site's rules from the log. --html writes a
    page with pictures.

    For example:

        pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz

        pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz --html kth.html

        pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz --baseline easy --picture kth.png

        pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz --infer-site

        pred-aware inspect UniLu-Gaia-2014-1.swf.gz --clean 'user=8 and submit>=2014-08-13'

        pred-aware inspect wagap-2013.swf.gz --processors 2176 --time-zone Europe/Prague --json
    """
    from tempfile import TemporaryDirectory

    from pred_aware.inspection import inspect_log
    from pred_aware.inspection.report import InspectionReport
    from pred_aware.log.site_on_log import site_on_log
    from pred_aware.study.request import Reading
    from workload_tools.log import LogInMemory
    from workload_tools.several import SeveralLogs, open_logs

    alone = len(logs) == 1
    called = logs[0] if alone else Path(Reading(paths=tuple(logs)).name)
    read = {"the log" if alone else f"the log {log}": log for log in logs}
    output.check({**read, **reading.files})
    if baseline is not None:
        from schedulers import make_policy

        # report a wrong name before a long log is read
        make_policy(baseline, {})
    site = reading.read_site()
    opened = open_logs(logs, options=reading.options, **reading.open_options)
    with TemporaryDirectory(prefix="pred-aware-") as folder:
        wanted = cleaned(opened, reading.clean, folder=Path(folder))
        # the log is read only once, so that the inspected jobs are also the simulated jobs
        kept = None if baseline is None and site is None and not infer_site else LogInMemory(wanted)
        inspection = inspect_log(kept or wanted, called)
    jobs = None if kept is None else _jobs(kept, inspection)
    check = on_site = None
    if jobs is not None and baseline is not None:
        check = _check(jobs, baseline, inspection, site=site)
    if jobs is not None and site is not None:
        on_site = site_on_log(site, jobs.workload)
    inferred = None
    if jobs is not None and infer_site:
        from pred_aware.site_inference.fitting import infer_site as infer

        inferred = infer(jobs, site=site)
    apart = opened.apart if isinstance(opened, SeveralLogs) else ""
    report = InspectionReport(inspection, check, apart=apart, on_site=on_site, base=inferred)
    output.deliver(report, readable=True)


def _jobs(log: "LogInMemory", inspection: "Inspection") -> "JobLog":
    """Return the log's jobs with the machine's size, for a simulation."""
    from msgspec.structs import replace as with_size

    from pred_aware.log.job_log import JobLog
    from workload_tools.log import gather
    from workload_tools.missing_walltime import WithWalltimes

    path, again, load = inspection.path, log.again(), inspection.load
    jobs = gather(WithWalltimes(again, missing_walltime=None, path=path))
    # the largest job must fit a guessed machine size
    largest = int(inspection.columns.processors.max()) if load.guessed else 0
    machine = with_size(jobs, processors=max(load.processors, largest), guessed=False)
    return JobLog(path.name, machine, again.report)


def _check(
    log: "JobLog", baseline: str, inspection: "Inspection", *, site: "Site | None"
) -> "BaselineCheck":
    """Simulate the log, and compare the waits."""
    from pred_aware.execution.simulate import simulate
    from pred_aware.recorded_queue import check_baseline

    run = simulate(log, baseline, site=site)
    return replace(check_baseline(run), guessed=inspection.load.guessed)


register = adding(inspect, page="how-to/inspect.md")
