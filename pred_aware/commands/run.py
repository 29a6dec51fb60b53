"""The command `run`: a scheduler on a workload."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pred_aware.commands.shown import progress_bar, read_options, show_run

EXAMPLES = """
Run a scheduler on a workload, and write PREFIX_jobs.csv, PREFIX_schedule.csv,
PREFIX_machine_states.csv and, but for easy_bf, PREFIX_estimates.csv: how each job was planned.

Examples:

* `pred-aware run -p machine.xml -w workload.json -s easy_bf -e out/easy_bf`
* `pred-aware run -p machine.xml -w workload.json -s pred_aware --predictor last_two -e out/sjf`
* `pred-aware run -p machine.xml -w workload.json -s pred_aware --history last_year.swf.gz -e out/p`
* `pred-aware run -p machine.xml -w workload.json -s policy --order sjf --backfilling easy
  --predictor '{"name": "decision_tree", "window": 5000}' -e out/mine --json`

`pred-aware schedulers` lists the schedulers and what they are made of.
"""


def run(  # noqa: PLR0913 - one parameter an option
    *,
    platform: Annotated[
        Path, typer.Option("-p", "--platform", help="Platform XML.", show_default=False)
    ],
    workload: Annotated[
        Path,
        typer.Option("-w", "--workload", help="Batsim workload, gzip or not.", show_default=False),
    ],
    scheduler: Annotated[
        str, typer.Option("-s", "--scheduler", help="Name of the scheduler.", show_default=False)
    ],
    prefix: Annotated[
        Path, typer.Option("-e", "--export", help="What the output files' names begin with.")
    ] = Path("out"),
    predictor: Annotated[
        str | None,
        typer.Option(
            help="Source of estimates: walltime, actual, a predictor's name, module:Class, or "
            "JSON with name and options."
        ),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(help="Past jobs to learn first: CSV, SWF or a workload, gzip or not."),
    ] = None,
    correction: Annotated[
        str | None, typer.Option(help="What becomes of an estimate that ran out.")
    ] = None,
    order: Annotated[str | None, typer.Option(help="Order of the queue, such as sjf.")] = None,
    backfilling: Annotated[
        str | None, typer.Option(help="Which jobs may overtake (policy).")
    ] = None,
    candidates: Annotated[
        str | None,
        typer.Option(help="In which order they are tried: queue, shortest, smallest, best_fit."),
    ] = None,
    reservations: Annotated[
        int | None, typer.Option(help="How many jobs at the head of the queue reserve (EASY).")
    ] = None,
    allocation: Annotated[
        str | None, typer.Option(help="Which processors: lowest, contiguous, best_fit.")
    ] = None,
    bound: Annotated[
        str | None,
        typer.Option(
            help="Seconds after which a waiting job gets a reservation that nobody pushes back, or "
            'JSON: {"wait": seconds, "overtaken": processor seconds}.'
        ),
    ] = None,
    options: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--options",
            help="More options as JSON, or @FILE; those of their own above win.",
        ),
    ] = None,
    delays: Annotated[
        Literal["none", "batsim"],
        typer.Option(help="Time that messages take: none, or what they take in the real Batsim."),
    ] = "none",
    transport: Annotated[
        Literal["process", "zmq"],
        typer.Option(help="Decide in this process, or in pybatsim over ZeroMQ: same output."),
    ] = "process",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the figures as one JSON object.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Run a scheduler on a workload."""
    from pred_aware.simulation import simulate  # noqa: PLC0415 - the help needs none of it

    given: dict[str, Any] = read_options(options)
    for name, value in (
        ("predictor", predictor),
        ("correction", correction),
        ("order", order),
        ("backfilling", backfilling),
        ("candidates", candidates),
        ("reservations", reservations),
        ("allocation", allocation),
        ("bound", None if bound is None else _number(bound)),
    ):
        if isinstance(value, str) and value.startswith("{"):
            given[name] = read_options(value)
        elif value is not None:
            given[name] = value
    if history is not None:
        given["history"] = str(history)
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as progress:
        result = simulate(
            platform=platform,
            workload=workload,
            scheduler=scheduler,
            prefix=prefix,
            options=given,
            delays=delays,
            transport=transport,
            progress=progress,
        )
    show_run(result.summary, result.rejections, prefix, as_json=as_json, quiet=quiet)


def _number(text: str) -> float | str:
    """Read a number; what is none is left to the scheduler's own checks."""
    try:
        return float(text)
    except ValueError:
        return text


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("run", help=EXAMPLES)(run)
