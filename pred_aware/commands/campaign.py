"""The commands under `campaign`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pred_aware.commands.outputs import JsonOption, QuietOption, TablesOption, check_outputs
from pred_aware.commands.panels import see
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from pred_aware.campaign.campaign import Campaign
    from pred_aware.campaign.running import Progress

app = typer.Typer(
    no_args_is_help=True,
    help="Simulate many policies on many logs, and on shakes of them, until differences are known.",
    epilog=see("campaigns.md"),
)

FileArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE.toml", help="The campaign's file.", show_default=False)
]


def register(to: typer.Typer) -> None:
    """Add the commands to the command line."""
    to.add_typer(app, name="campaign")


@app.command("run")
def run(
    file: FileArgument,
    *,
    workers: Annotated[
        int | None,
        typer.Option(
            "-j", "--workers", metavar="N", min=1, help="Processes.", show_default="one a core"
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make the runs that are not there; stopped at any moment, it goes on from there."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.running import run_campaign
    from pred_aware.campaign.showing import progress_shown

    campaign = read_campaign(file)
    with progress_shown(shown=not quiet) as told:
        done = run_campaign(campaign, workers=workers, told=told)
    if as_json:
        print_json(done.to_dict())
    elif not quiet:
        _tell(campaign, done, file)
    if done.failed:
        raise PredAwareError(_failures(done, file))


@app.command("status")
def status(file: FileArgument, *, as_json: JsonOption = False) -> None:
    """Say which runs are there, which failed and why, and which are to be made."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.tables import status_table
    from pred_aware.report.terminal import console, show

    campaign = read_campaign(file)
    agenda = campaign.agenda()
    failed = list(campaign.failures(agenda))
    table = status_table(agenda)
    if as_json:
        print_json(
            {
                "store": str(campaign.store.folder),
                "there": len(agenda.figures),
                "to_do": agenda.to_do,
                "failed": [{"run": run, "reason": reason} for run, reason in failed],
                "table": table.to_dict(),
            }
        )
        return
    to = console()
    show([table], to)
    for name, reason in failed:
        to.print(f"failed: {name}: {reason}", markup=False)


@app.command("table")
def table(file: FileArgument, *, as_json: JsonOption = False, tables: TablesOption = None) -> None:
    """Compare the policies with the baseline: differences with their intervals."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.tables import compared, result_tables
    from pred_aware.report.table import write_tables
    from pred_aware.report.terminal import console, show

    check_outputs({"the campaign": file}, tables=tables)
    campaign = read_campaign(file)
    agenda = campaign.agenda()
    shown = list(result_tables(agenda))
    if tables is not None:
        write_tables(shown, tables)
    if as_json:
        base, told = campaign.specification.baseline, campaign.bases()
        print_json({"baseline": base, "bases": told, "compared": compared(agenda)})
        return
    to = console()
    show(shown, to)
    for log, said in campaign.bases().items():
        to.print(f"{log}: {said}", markup=False)


def print_json(content: Any) -> None:  # noqa: ANN401 - whatever JSON has
    """Print a JSON object on one line."""
    import msgspec

    sys.stdout.write(msgspec.json.encode(content).decode() + "\n")


def _tell(campaign: "Campaign", done: "Progress", file: Path) -> None:
    from pred_aware.report.counted import counted
    from pred_aware.report.durations import spoken
    from pred_aware.report.lines import say

    say(
        f"{counted(done.made, 'run')} made in {spoken(done.seconds)} "
        f"({spoken(done.cpu_seconds)} of CPU), {done.there:,} were there; "
        f"all are in {campaign.store.folder}"
    )
    say(f"see `pred-aware campaign table {file}`")


def _failures(done: "Progress", file: Path) -> str:
    name, reason = done.failed[0]
    number = len(done.failed)
    many = "1 failed" if number == 1 else f"{number:,} failed, the first"
    return (
        f"{many}: {name}: {reason}; the others are made. `pred-aware campaign status {file}` lists "
        f"what failed, and `pred-aware campaign retry {file}` tries it again"
    )
