"""The command `compare`."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, argument, flag, has, option
from pred_aware.commands.options.measures import MeasureOptions, measures_named
from pred_aware.commands.options.output import PAGE, OutputOptions
from pred_aware.commands.options.parts import RerunOptions
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

HELP = """Compare simulated runs of the same workload: figures, waiting times, who gains and loses.

The files are those of `pred-aware run`, `pred-aware demo` or the real Batsim. Figures such as the
scheduling time and the machine's size are taken from the PREFIX_schedule.csv beside them. Runs in
which not the same jobs ran, with the same submissions and sizes, are refused. Users, queues and
dates are told by the workload: where `--workload` does not give it, the one that the base's
PREFIX_run.json names is looked for beside the run and here.

A difference of two runs may be chance, and has no interval. `--shakes 20` simulates them again on
20 shakes of the workload: sessions of users up to ten minutes earlier or later, the same for all
runs. What made them is taken from the PREFIX_run.json beside them. `--resamples 30` rearranges
users' weeks instead: would another year agree? `--weeks` looks at the weeks of the runs as they
are. Each kind answers another question (docs/intervals.md) and has tables of its own.

Examples:

    pred-aware compare out/easy_jobs.csv out/easy_plus_plus_jobs.csv --shakes 20

    pred-aware compare easy=out/easy_jobs.csv predicted=out/pred_aware_jobs.csv

    pred-aware compare out/easy_bf_jobs.csv out/pred_aware_jobs.csv --picture waits.svg

    pred-aware compare easy=e_jobs.csv predicted=p_jobs.csv --workload curie.json

    pred-aware compare easy=e_jobs.csv predicted=p_jobs.csv --by user --gains gains.csv

    pred-aware compare e_jobs.csv p_jobs.csv --measures p99_waiting_time,lost_capacity

    pred-aware compare a=a_jobs.csv.gz b=b_jobs.csv.gz c=c_jobs.csv.gz --json > comparison.json
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, compare, page="metrics.md", help=HELP, no_args_is_help=True)


def compare(  # noqa: PLR0913 - each is an option of the command
    runs: Annotated[
        list[str],
        argument(
            "NAME=FILE",
            "Jobs files (PREFIX_jobs.csv, also gzip) with what to call them; the first is the "
            "base. A bare FILE is called by its PREFIX.",
        ),
    ],
    *,
    rerun: Annotated[
        RerunOptions,
        has(
            workload="The workload that was simulated: it tells users and queues, and jobs that it "
            "marks as warm-up are left out.",
            platform="With --shakes or --resamples: the platform's XML, if it is not where it was.",
            own_parts="With --shakes or --resamples: import parts of your own that PREFIX_run.json "
            "calls module:Class.",
        ),
    ],
    shakes: Annotated[
        int,
        option(
            "N",
            "Simulate each run again on N shakes of the workload, which gives each difference "
            "an interval; 20 is a good number.",
            shown="one run each, no interval",
            min=0,
        ),
    ] = 0,
    resamples: Annotated[
        int,
        option(
            "N",
            "Simulate each run again on N resamples of the workload, in which users' weeks are "
            "rearranged: would another year agree? 30 is a good number.",
            shown="none",
            min=0,
        ),
    ] = 0,
    weeks: Annotated[
        bool, flag("Tell changes over the weeks of the runs as they are, with intervals.")
    ] = False,
    at_best: Annotated[
        bool,
        flag(
            "Tell what no schedule of the workload goes below, and what each scheduler gives "
            "with run times known exactly."
        ),
    ] = False,
    workers: Annotated[
        int | None,
        option("N", "With --shakes or --resamples: processes.", shown="one a core", min=1),
    ] = None,
    anyway: Annotated[bool, flag("Compare also runs that did not run the same jobs.")] = False,
    measured: MeasureOptions,
    output: Annotated[OutputOptions, has(*PAGE, "names")],
) -> None:
    """Compare simulated runs of the same workload."""
    from pred_aware.comparison.comparing import compare as compare_runs
    from pred_aware.comparison.one_run_each import check_names
    from pred_aware.comparison.report import ComparisonReport
    from pred_aware.runs.reading import read_run

    named = [_named(argument) for argument in runs]
    check_names([name for name, _ in named])
    output.check({path.name: path for _, path in named}, gains=measured.gains)
    measured.check()
    again = shakes or resamples or at_best
    simulated = measured.simulated(rerun.workload, named[0][1], marks_count=bool(again))
    # copies are simulated with the workload's marks in any case
    warm_up = None if again else simulated.warm_up
    read = [
        read_run(path, name, workload=simulated.workload, warm_up=warm_up) for name, path in named
    ]
    with output.progress("simulations", shown=bool(shakes or resamples)) as progress:
        result = compare_runs(
            read, anyway=anyway, measures=measures_named(measured.measures), tau=measured.tau,
            by=measured.groups, shakes=shakes, resamples=resamples, weeks=weeks, at_best=at_best,
            platform=rerun.platform, own_parts=rerun.own_parts, workers=workers, progress=progress,
        )  # fmt: skip
    measured.write_gains(result)
    report = ComparisonReport(result, simulated.remarks)
    output.deliver(report, readable=True, Gains=measured.gains)
    for remark in simulated.remarks if output.as_json and not output.quiet else ():
        say(remark, error=True)


def _named(argument: str) -> tuple[str, Path]:
    """Take NAME=FILE apart; a file that exists by the whole argument's name is bare."""
    name, equals, file = argument.partition("=")
    if not equals or Path(argument).is_file():
        name = Path(argument).name.removesuffix(".gz").removesuffix(".csv")
        return name.removesuffix("_jobs"), Path(argument)
    if not name or not file:
        raise PredAwareError(f"'{argument}': give NAME=FILE, such as easy=out/easy_jobs.csv")
    return name, Path(file)
