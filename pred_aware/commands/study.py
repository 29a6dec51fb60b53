"""The command `study`."""

import time
from functools import partial
from pathlib import Path
from typing import Annotated

from pred_aware.commands.options.groups import OUTPUT, READING, adding, flag, has, option
from pred_aware.commands.options.output import OutputOptions
from pred_aware.commands.options.reading import (
    LogsArgument,
    ReadingOptions,
    missing_walltime_of,
    missing_walltime_option,
)
from pred_aware.commands.options.typed import typed
from pred_aware.errors import PredAwareError

SUFFIX = ".study"


def study(  # noqa: PLR0913 - each is an option of the command
    logs: LogsArgument,
    *,
    minutes: Annotated[
        float | None,
        option("M", "Maximum minutes until the page is written.", shown="10", min=0.0),
    ] = None,
    precision: Annotated[
        float | None,
        option(
            "SHARE",
            "Stop earlier when the interval of each difference is at most ± this share of the "
            "baseline's mean.",
            shown="0.005",
        ),
    ] = None,
    shakes: Annotated[
        int | None,
        option(
            "N",
            "Simulate N perturbed copies of the log without a time limit. Then repeated studies "
            "give the same page.",
            shown="as many as the time allows",
            min=0,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        option("", "Worker processes, by default one per core.", "-j", "--workers", min=1),
    ] = None,
    reading: Annotated[
        ReadingOptions,
        has(
            "reader",
            "processors",
            "time_zone",
            "site",
            "order",
            "clean",
            missing_walltime=missing_walltime_option(
                "drop; if many jobs lack a walltime, give all of them one", metavar="drop|SECONDS"
            ),
        ),
    ],
    infer_site: Annotated[
        bool | None,
        flag(
            "Infer the site's rules from the log, in at most half of the time. If the rules make "
            "the simulated queue like the recorded queue, all simulations apply them. On "
            "by default without --site. `pred-aware site infer` shows more.",
            "--infer-site/--no-infer-site",
            panel=READING,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        option(
            "easy|slurm|openpbs",
            "The scheduler to simulate with and without predictions: EASY, or Slurm or OpenPBS "
            "with the configuration of --site.",
            shown="the site's scheduler, else easy",
        ),
    ] = None,
    slurm_conf: Annotated[
        Path | None,
        option("FILE", "The cluster's slurm.conf, for the machine's size.", panel=READING),
    ] = None,
    platform: Annotated[
        Path | None, option("FILE", "The machine's platform XML.", panel=READING)
    ] = None,
    folder: Annotated[
        Path | None,
        option(
            "FOLDER",
            "Folder for the page, the data and the runs.",
            "-o",
            "--output",
            shown="named after the log",
            panel=OUTPUT,
        ),
    ] = None,
    output: Annotated[OutputOptions, has("names", "as_json", "quiet")],
) -> None:
    """Show on your own job log whether run time prediction would shorten the waits.

    Reads one log or several parts of one log, in any format of `convert`. Simulates the site's
    scheduler and compares the simulated queue with the recorded queue. Then simulates the same
    scheduler with predicted run times, on the log and on perturbed copies of the log. Answers yes,
    no, cannot tell (and why) or need input (and which). Writes a page that you can share, and the
    page's data. A second call with the same -o continues from the finished runs.

    The site's scheduler is Slurm or OpenPBS if --site gives its configuration, else EASY
    backfilling.

    For example:

        pred-aware study sacct.txt --slurm-conf slurm.conf

        pred-aware study jobs-2026-01.txt jobs-2026-02.txt --processors 4096 --minutes 60 -o two-months

        pred-aware study /var/spool/pbs/server_priv/accounting --site site.toml -o site

        pred-aware study sacct.txt --site snapshot-of-slurm --baseline slurm

        pred-aware study KTH-SP2-1996-2.1-cln.swf.gz --shakes 20 --json
    """  # noqa: E501 - an example is one line
    from pred_aware.study.folder import JSON, PAGE
    from pred_aware.study.request import MINUTES, PRECISION, Reading, StudyEffort
    from pred_aware.study.showing import progress_shown, publish, show_study
    from pred_aware.study.study import study as make

    # the time limit includes the time for imports
    began = time.monotonic() - time.process_time()
    missing = missing_walltime_of(reading.missing_walltime, keep=False)
    if missing == "keep":
        raise PredAwareError(
            "--missing-walltime keep: EASY rejects jobs without a walltime, but other schedulers "
            "run them, so the results cannot be compared. Give drop or a number of seconds"
        )
    if shakes is not None and (minutes is not None or precision is not None):
        raise PredAwareError("give either --shakes, or --minutes and --precision, but not both")
    check_shakes(shakes)
    if precision is not None and not precision > 0.0:
        raise PredAwareError(f"--precision is {precision:g}. Give a number above 0, such as 0.01")
    configured = reading.read_configured()
    request = Reading(
        paths=tuple(logs),
        options=reading.options,
        platform=platform,
        site=reading.read_site(),
        configured=configured,
        infer_site=infer_site,
        base=baseline,
        slurm_conf=slurm_conf,
        clean=tuple(reading.clean or ()),
        missing_walltime=missing,
        names=output.names,
        **reading.open_options,
    )
    effort = StudyEffort(
        seconds=60.0 * (MINUTES if minutes is None else minutes),
        precision=precision or PRECISION,
        shakes=shakes,
        workers=workers,
    )
    folder = folder or Path(f"{name_of(request.paths[0])}{SUFFIX}")
    with progress_shown(shown=not output.quiet) as on_progress:
        found = make(request, folder, effort=effort, on_progress=on_progress, began=began)
        on_progress("Writing the page")
        # with the number of copies instead of a time limit, the command repeats the study exactly
        instead = {
            "minutes": None,
            "precision": None,
            "shakes": found.rounds.shakes,
            "clean": request.reported_clean or None,
        }
        publish(found, folder, command=typed(output.context, instead=instead))
    show = partial(show_study, found, page=folder / PAGE, data=folder / JSON)
    output.print_result(found.to_dict(), show)


def check_shakes(shakes: int | None) -> None:
    """Raise a `PredAwareError` if there is exactly one perturbed copy."""
    if shakes == 1:
        raise PredAwareError(
            "--shakes 1: a confidence interval needs at least 2; 0 means no perturbed copies"
        )


def name_of(log: Path) -> str:
    """Return a log's name without its folder and its file extensions.

    Examples
    --------
    >>> name_of(Path("logs/KTH-SP2-1996-2.1-cln.swf.gz")), name_of(Path("pbs/"))
    ('KTH-SP2-1996-2.1-cln', 'pbs')
    """
    name = log.resolve().name
    for suffix in (".gz", ".swf", ".txt", ".csv", ".json", ".parquet", ".tsv"):
        name = name.removesuffix(suffix)
    return name or "log"


register = adding(study, page="how-to/study.md")
