"""The command `compare`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from pred_aware.commands.options.groups import OUTPUT, adding, argument, flag, has, option
from pred_aware.commands.options.output import PAGE, OutputOptions
from pred_aware.commands.options.parts import RerunOptions
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.comparison.simulated_workload import SimulatedRuns

MEASURED = "Measures"
TAU = 10.0
"""The value of `pred_aware.metrics.figures.TAU`, repeated here so that the help loads fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureOptions:
    """Options that choose the measures of a comparison."""

    PANEL: ClassVar = MEASURED
    measures: Annotated[
        str | None,
        option("NAME,...", "Measures to show, such as p99_waiting_time,lost_capacity, or all."),
    ] = None
    tau: Annotated[
        float,
        option("SECONDS", "In bounded slowdowns, shorter run times count as this run time."),
    ] = TAU
    by: Annotated[
        list[str] | None,
        option(
            "GROUP",
            "Also show the measures by size, length, user, queue or weekday. Repeatable.",
        ),
    ] = None

    def check(self) -> None:
        """Check the values before any file is read.

        Raises
        ------
        PredAwareError
            A measure or group does not exist, or `tau` is not a positive time.
        """
        from pred_aware.metrics.groups import BY

        if not 0.0 < self.tau < float("inf"):
            raise PredAwareError(
                f"--tau {self.tau:g}: give a positive number of seconds, such as 600"
            )
        for group in self.groups:
            if group not in BY:
                raise PredAwareError(f"--by {group}: jobs can be grouped by {', '.join(BY)}")
        measures_named(self.measures)

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the kinds of groups by which to show the measures, without duplicates."""
        return tuple(dict.fromkeys(self.by or ()))

    def simulated(
        self,
        workload: Path | None,
        baseline: Path,
        *,
        by_job: bool = False,
        marks_count: bool = False,
    ) -> "SimulatedRuns":
        """Return the given workload, or the workload that the baseline's files name.

        Parameters
        ----------
        workload
            The workload that the user gave.
        baseline
            The baseline's jobs file.
        by_job
            True if the user of every job is needed.
        marks_count
            True to leave out jobs marked as warm-up in any case, as perturbed copies require.

        Raises
        ------
        PredAwareError, WorkloadError
            The workload cannot be read, or it is needed and was not found.
        """
        from pred_aware.comparison.simulated_workload import find_runs, runs_of
        from pred_aware.metrics.groups import FROM_WORKLOAD

        if workload is not None:
            return runs_of(workload, baseline)
        needed = not FROM_WORKLOAD.isdisjoint(self.groups)
        named = measures_named(self.measures) or ()
        asked_for = by_job or "gini_of_users" in named
        found = find_runs(baseline, needed=needed)
        if marks_count and found.workload is not None:
            return replace(found, warm_up=found.workload.warm_up, remarks=())
        return found if asked_for or found.workload is not None else replace(found, remarks=())


def measures_named(text: str | None) -> tuple[str, ...] | None:
    """Return the names of measures in an option's text, or ``None`` if the option was not given.

    Raises
    ------
    PredAwareError
        A measure does not exist, or the text names none.

    Examples
    --------
    >>> measures_named("lost_capacity, mean_waiting_time")
    ('lost_capacity', 'mean_waiting_time')
    """
    if text is None:
        return None
    from pred_aware.metrics.table import MEASURES, chosen

    if text.strip() == "all":
        return tuple(MEASURES)
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise PredAwareError("--measures is empty: give names such as p99_waiting_time, or all")
    return chosen(names)


def compare(  # noqa: PLR0913 - each is an option of the command
    runs: Annotated[
        list[str],
        argument(
            "NAME=FILE",
            "Jobs files (PREFIX_jobs.csv, also gzip), each with an optional name. The first "
            "is the baseline. If NAME is missing, PREFIX is the name.",
        ),
    ],
    *,
    rerun: Annotated[
        RerunOptions,
        has(
            workload="The simulated workload, for users and queues. Jobs that the workload marks "
            "as warm-up are left out.",
            platform="With --shakes or --resamples: the platform file, if it was moved.",
            own_parts="With --shakes or --resamples: import your own Python classes that "
            "PREFIX_run.json names as module:Class.",
        ),
    ],
    shakes: Annotated[
        int,
        option(
            "N",
            "Repeat each run on N perturbed copies of the workload, for confidence "
            "intervals; 20 is a good number.",
            shown="one run each, no interval",
            min=0,
        ),
    ] = 0,
    resamples: Annotated[
        int,
        option(
            "N",
            "Repeat each run on N resamples of the workload, which move users' weeks, to test "
            "whether another year would give similar changes; 30 is a good number.",
            shown="none",
            min=0,
        ),
    ] = 0,
    weeks: Annotated[
        bool, flag("Compare the runs week by week, with intervals over the weeks.")
    ] = False,
    bounds: Annotated[
        bool,
        flag("Show lower bounds that hold for any schedule, and the results with exact run times."),
    ] = False,
    workers: Annotated[
        int | None,
        option(
            "N",
            "With --shakes or --resamples: worker processes.",
            "-j",
            "--workers",
            shown="one per core",
            min=1,
        ),
    ] = None,
    full: Annotated[
        bool, flag("Print all tables instead of at most 25 lines.", panel=OUTPUT)
    ] = False,
    anyway: Annotated[bool, flag("Also compare runs with different jobs.")] = False,
    measured: MeasureOptions,
    output: Annotated[
        OutputOptions,
        has(
            *PAGE,
            "names",
            csv="Write each job's wait in every run, and the difference from the baseline.",
        ),
    ],
) -> None:
    """Compare simulated runs of the same workload: measures, waits, gains and losses.

    The files come from `pred-aware run`, `pred-aware demo` or the real Batsim. The scheduling time
    and the machine's size come from PREFIX_schedule.csv in the same folder. All runs must have the
    same jobs, submissions and sizes. Users, queues and dates come from `--workload`, by default the
    workload that the baseline's PREFIX_run.json names.

    The difference of two single runs may be chance and has no confidence interval. `--shakes 20`
    repeats all runs, as PREFIX_run.json describes them, on 20 perturbed copies of the workload. In
    a copy, each session of a user moves by up to ten minutes. `--resamples 30` moves users' weeks
    instead, to test whether another year would give similar changes. `--weeks` compares the weeks
    of the given runs. docs/explanation/intervals.md says which question each method answers.

    For example:

        pred-aware compare out/easy_jobs.csv out/easy_plus_plus_jobs.csv --shakes 20

        pred-aware compare easy=out/easy_jobs.csv predicted=out/pred_aware_jobs.csv

        pred-aware compare out/easy_bf_jobs.csv out/pred_aware_jobs.csv --picture waits.svg

        pred-aware compare easy=e_jobs.csv predicted=p_jobs.csv --workload curie.json

        pred-aware compare easy=e_jobs.csv predicted=p_jobs.csv --by user --csv gains.csv

        pred-aware compare e_jobs.csv p_jobs.csv --measures p99_waiting_time,lost_capacity

        pred-aware compare a=a_jobs.csv.gz b=b_jobs.csv.gz c=c_jobs.csv.gz --json > comparison.json
    """
    from pred_aware.comparison.comparing import compare as compare_runs
    from pred_aware.comparison.comparison import ComparisonReport, check_gains
    from pred_aware.comparison.one_run_each import check_names
    from pred_aware.runs.reading import read_run

    named = [_named(argument) for argument in runs]
    check_names([name for name, _ in named])
    output.check({path.name: path for _, path in named})
    check_gains(output.csv)
    measured.check()
    again = shakes or resamples or bounds
    simulated = measured.simulated(
        rerun.workload, named[0][1], by_job=output.csv is not None, marks_count=bool(again)
    )
    # copies are always simulated with the workload's warm-up marks
    warm_up = None if again else simulated.warm_up
    read = [
        read_run(path, name, workload=simulated.workload, warm_up=warm_up) for name, path in named
    ]
    with output.progress("simulations", shown=bool(shakes or resamples)) as progress:
        result = compare_runs(
            read, anyway=anyway, measures=measures_named(measured.measures), tau=measured.tau,
            by=measured.groups, shakes=shakes, resamples=resamples, weeks=weeks, bounds=bounds,
            platform=rerun.platform, own_parts=rerun.own_parts, workers=workers, progress=progress,
        )  # fmt: skip
    report = ComparisonReport(result, simulated.remarks, full=full)
    output.deliver(report, readable=True)
    for remark in simulated.remarks if output.as_json and not output.quiet else ():
        say(remark, error=True)


def _named(argument: str) -> tuple[str, Path]:
    """Split NAME=FILE into name and path. If a file NAME=FILE exists, the path is NAME=FILE."""
    name, equals, file = argument.partition("=")
    if not equals or Path(argument).is_file():
        name = Path(argument).name.removesuffix(".gz").removesuffix(".csv")
        return name.removesuffix("_jobs"), Path(argument)
    if not name or not file:
        raise PredAwareError(f"'{argument}': give NAME=FILE, such as easy=out/easy_jobs.csv")
    return name, Path(file)


register = adding(compare, page="reference/metrics.md")
