"""The command `run`: a scheduler on a workload."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pred_aware.commands.options.names import predictor_names, scheduler_names
from pred_aware.commands.options.outputs import JsonOption, QuietOption
from pred_aware.commands.options.panels import see
from pred_aware.commands.options.run_output import (
    HISTORY_HELP,
    progress_bar,
    read_options,
    show_run,
)
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.log.workload import Workload
    from pred_aware.runs.run import Run

PLANNING = "How jobs are planned"
WHERE = "Who simulates and who decides"

HELP = """Run a scheduler on a workload.

Writes PREFIX_jobs.csv, PREFIX_schedule.csv, PREFIX_machine_states.csv, PREFIX_run.json (how the run
was made) and, but for easy_bf and conservative_bf, PREFIX_estimates.csv: how each job was planned.
`pred-aware schedulers` lists the schedulers and what they are made of, `pred-aware predictors` the
predictors.

With `--batsim` the real Batsim simulates, and with `--decision-process` somebody else's program
decides; either is started, watched and stopped, and what it prints is kept in PREFIX_batsim.log and
PREFIX_decision_process.log.

Examples:

    pred-aware run -p machine.xml -w workload.json -s easy_bf -e out/easy_bf

    pred-aware run -p machine.xml -w workload.json -s pred_aware --predictor last_two -e out/sjf

    pred-aware run -p machine.xml -w workload.json -s pred_aware --history last_year.swf.gz -e out/p

    pred-aware run -p machine.xml -w workload.json -s easy --predictor '{"name": "knn", "k": 3}'

    pred-aware run -p machine.xml -w workload.json -s easy --batsim batsim -e out/real

    pred-aware run -p machine.xml -w workload.json --decision-process 'batsched -v easy_bf' -e out/b
"""


def run(  # noqa: PLR0913 - one parameter an option
    *,
    platform: Annotated[
        Path,
        typer.Option("-p", "--platform", metavar="FILE", help="Platform XML.", show_default=False),
    ],
    workloads: Annotated[
        list[Path],
        typer.Option(
            "-w",
            "--workload",
            metavar="FILE",
            help="Batsim workload, gzip or not.",
            show_default=False,
        ),
    ],
    scheduler: Annotated[
        str | None,
        typer.Option(
            "-s",
            "--scheduler",
            metavar="NAME",
            help="Name of the scheduler.",
            show_default=False,
            autocompletion=scheduler_names,
        ),
    ] = None,
    prefix: Annotated[
        Path,
        typer.Option(
            "-e", "--export", metavar="PREFIX", help="What the output files' names begin with."
        ),
    ] = Path("out"),
    predictor: Annotated[
        str | None,
        typer.Option(
            metavar="PREDICTOR",
            help="Source of estimates: walltime, actual, a predictor's name, module:Class, or "
            "JSON with name and options.",
            autocompletion=predictor_names,
            rich_help_panel=PLANNING,
        ),
    ] = None,
    history: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|JSON",
            help=HISTORY_HELP,
            show_default=False,
            rich_help_panel=PLANNING,
        ),
    ] = None,
    correction: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|JSON",
            help="What becomes of an estimate that ran out.",
            rich_help_panel=PLANNING,
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|JSON", help="Order of the queue, such as sjf.", rich_help_panel=PLANNING
        ),
    ] = None,
    backfilling: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|JSON", help="Which jobs may overtake (policy).", rich_help_panel=PLANNING
        ),
    ] = None,
    candidates: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="In which order they are tried: queue, shortest, smallest, best_fit.",
            rich_help_panel=PLANNING,
        ),
    ] = None,
    reservations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many jobs at the head of the queue reserve (EASY).",
            rich_help_panel=PLANNING,
        ),
    ] = None,
    allocation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which processors: lowest, contiguous, best_fit.",
            rich_help_panel=PLANNING,
        ),
    ] = None,
    machine: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|NAME|JSON",
            help="Which jobs have room beside each other: counting, a machine's file such as "
            "intrepid.json, or module:Class.",
        ),
    ] = None,
    bound: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS|JSON",
            help="Seconds after which a waiting job gets a reservation that nobody pushes back, or "
            'JSON: {"wait": seconds, "overtaken": processor seconds, "backlog": share, "ahead": '
            "share}.",
            rich_help_panel=PLANNING,
        ),
    ] = None,
    trust: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="The concordance with run times from which estimates are gone by, such as 0.55; "
            "below it jobs are scheduled as by EASY.",
            rich_help_panel=PLANNING,
        ),
    ] = None,
    options: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--options",
            metavar="JSON|@FILE",
            rich_help_panel=PLANNING,
            help="More options as JSON, or @FILE; those of their own above win.",
        ),
    ] = None,
    delays: Annotated[
        Literal["none", "batsim"],
        typer.Option(
            help="Time that messages take: none, or what they take in the real Batsim.",
            rich_help_panel=WHERE,
        ),
    ] = "none",
    transport: Annotated[
        Literal["process", "zmq"],
        typer.Option(
            help="Decide in this process, or in pybatsim over ZeroMQ: same output.",
            rich_help_panel=WHERE,
        ),
    ] = "process",
    batsim: Annotated[
        Path | None,
        typer.Option(
            metavar="PROGRAM",
            help="Run this Batsim in place of the simulator that is built in.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    decision_process: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Let this decide in place of a scheduler, such as 'batsched -v easy_bf'; "
            "-s ADDRESS is appended, or {endpoint} replaced by the address.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    connect_timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            help="With one of the last two: how long to wait until the other side is there.",
            rich_help_panel=WHERE,
        ),
    ] = 30.0,
    answer_timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            help="With one of them: how long an answer may take.",
            rich_help_panel=WHERE,
        ),
    ] = 600.0,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run a scheduler on a workload."""
    from pred_aware.execution.simulate import simulate
    from pred_aware.log.workload import read_workload

    if len(workloads) > 1:
        raise PredAwareError(
            f"-w is given {len(workloads)} times, and `pred-aware run` simulates one workload; "
            "`pred-aware batsim` takes several, with a decision process such as `pybatsim easy`"
        )
    (workload,) = workloads
    given: dict[str, Any] = read_options(options)
    for name, value in (
        ("predictor", predictor),
        ("correction", correction),
        ("order", order),
        ("backfilling", backfilling),
        ("candidates", candidates),
        ("reservations", reservations),
        ("allocation", allocation),
        ("machine", machine),
        ("bound", None if bound is None else _number(bound)),
        ("trust", trust),
        ("history", history),
    ):
        if isinstance(value, str) and value.startswith("{"):
            given[name] = read_options(value)
        elif value is not None:
            given[name] = value
    if (scheduler is None) == (decision_process is None):
        raise PredAwareError(
            "give a scheduler with -s, such as -s easy_bf, or somebody else's with "
            "--decision-process, and not both; `pred-aware schedulers` lists the schedulers"
        )
    if decision_process is not None and given:
        raise PredAwareError(
            f"--{next(iter(given))} is for schedulers; give the options of a --decision-process "
            "within its command"
        )
    if batsim is not None and delays != "none":
        raise PredAwareError("--delays is for the simulator that is built in, not for --batsim")
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as progress:
        if batsim is None and scheduler is not None:
            read = read_workload(workload)
            result = simulate(
                read,
                scheduler,
                platform=platform,
                options=given,
                delays=delays,
                transport=transport,
                write_to=prefix,
                progress=progress,
            )
            _tell_size(read, result, platform=platform, quiet=quiet)
        else:
            from pred_aware.execution.decider import Decider
            from pred_aware.execution.supervised import supervise

            result = supervise(
                Decider.of(scheduler, given, decision_process),
                batsim=batsim,
                platform=platform,
                workload=workload,
                prefix=prefix,
                delays=delays,
                connect_timeout=connect_timeout,
                answer_timeout=answer_timeout,
                progress=progress,
            )
    show_run(result.summary, Counter(result.rejections), prefix, as_json=as_json, quiet=quiet)


def _tell_size(workload: "Workload", run: "Run", *, platform: Path, quiet: bool) -> None:
    """Say that the machine is a larger one than the workload's, which nothing else shows."""
    if not quiet and run.processors > (workload.processors or run.processors):
        say(
            f"pred-aware: note: {platform} has {run.processors:,} processors, and {workload.name} "
            f"is of a machine of {workload.processors:,}: its jobs wait less than there",
            error=True,
        )


def _number(text: str) -> float | str:
    """Read a number; what is none is left to the scheduler's own checks."""
    try:
        return float(text)
    except ValueError:
        return text


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = see("schedulers.md")
    app.command("run", help=HELP, epilog=epilog, no_args_is_help=True)(run)
