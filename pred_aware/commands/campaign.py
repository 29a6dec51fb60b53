"""The commands under `campaign` that run simulations and show their results."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeAlias

from pred_aware.commands import campaign_store
from pred_aware.commands.campaign_store import FileArgument
from pred_aware.commands.options.groups import OUTPUT, adding, adding_group, flag, has, option, see
from pred_aware.commands.options.output import JsonOption, OutputOptions, PrintOptions, QuietOption
from pred_aware.commands.options.typed import typed
from pred_aware.errors import PredAwareError

WorkersOption: TypeAlias = Annotated[
    int | None,
    option(
        "",
        "Worker processes, by default one per core. With dask-slurm or dask-pbs: the "
        "number of batch jobs, by default 10.",
        "-j",
        "--workers",
        min=1,
    ),
]


_PANEL = "Where the runs are simulated"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereOptions:
    """Where the runs are simulated."""

    PANEL: ClassVar = _PANEL
    on: Annotated[
        str,
        option(
            "WHERE",
            "local (this machine), dask:ADDRESS (workers of a Dask scheduler), or dask-slurm or "
            "dask-pbs (Dask workers as batch jobs). Except for local, the store must be in "
            "a shared folder.",
        ),
    ] = "local"
    walltime: Annotated[
        str | None, option("TIME", "Walltime per batch job, e.g. '2 h'; 1 h by default.")
    ] = None
    memory: Annotated[
        str | None,
        option("SIZE", "Memory per batch job, e.g. '4 GB'. Runs that need more are stopped."),
    ] = None
    cores: Annotated[int, option("", "Cores per batch job; one run uses one core.", min=1)] = 1
    partition: Annotated[str | None, option("NAME", "Partition of Slurm or queue of PBS.")] = None
    account: Annotated[str | None, option("NAME", "Account to charge.")] = None
    python: Annotated[
        str | None,
        option("PATH", "Path of Python on the cluster, by default the path of this Python."),
    ] = None
    options: Annotated[
        list[str] | None,
        option(
            "OPTION",
            "Another option of the batch system, such as --qos=low. Repeatable.",
            "--batch-option",
        ),
    ] = None
    before: Annotated[
        list[str] | None,
        option("LINE", "A shell command that each batch job runs first. Repeatable."),
    ] = None

    @property
    def jobs(self) -> dict[str, Any]:
        """Return the resources of each batch job, as arguments of `Jobs`."""
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in asdict(self).items()
            if name != "on"
        }


def plan(
    file: FileArgument,
    *,
    pilot: Annotated[
        bool,
        flag(
            "Measure the cost with one run for each log and each table of policies in the file, "
            "unless such a run exists. The campaign uses these runs later.",
            "--pilot/--no-pilot",
        ),
    ] = True,
    workers: WorkersOption = None,
    output: JsonOption,
) -> None:
    """Estimate the number of runs, their CPU time, memory and disk space."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.planning import make_plan, plan_tables
    from pred_aware.campaign.results.showing import progress_shown

    campaign = read_campaign(file)
    with progress_shown(shown=not output.as_json) as on_progress:
        found = make_plan(campaign.inventory, pilot=pilot, workers=workers, on_progress=on_progress)
    output.print_blocks(found.to_dict(), plan_tables(found))
    _complain_of(list(found.unreadable.items()), file)


def run(
    file: FileArgument,
    *,
    retry: Annotated[bool, flag("Also repeat the runs that failed.")] = False,
    workers: WorkersOption = None,
    where: WhereOptions,
    output: PrintOptions,
) -> None:
    """Simulate the missing runs. You can stop the command at any time; the next call continues."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.showing import closing_lines, progress_shown
    from pred_aware.report.lines import say

    campaign = read_campaign(file)
    if retry:
        campaign.forget_failures()

    def replayed(what: str) -> None:
        if not output.quiet:
            say(f"replays {what}", error=True)

    jobs: dict[str, Any] = where.jobs
    with progress_shown(shown=not output.quiet) as show_progress:
        done = campaign.run(
            workers=workers, progress=show_progress, on=where.on, replays=replayed, **jobs
        )
    lines = list(closing_lines(done, campaign.store, file))
    if not campaign.policies:
        lines = [f"all replays are in {campaign.store}", f"see `pred-aware campaign table {file}`"]
    output.print_result(done.to_dict(), lines)
    _complain_of(done.failed, file)


def status(file: FileArgument, *, output: JsonOption) -> None:
    """Show finished, failed and missing runs, with the reasons of failures."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.showing import status_table, statuses
    from pred_aware.report.sentence import remarks

    inventory = read_campaign(file).inventory
    agenda = inventory.agenda()
    failed = list(inventory.failures(agenda))
    content = {
        "store": str(inventory.store.folder),
        "there": len(agenda.figures),
        "to_do": agenda.to_do,
        "failed": [{"run": run, "reason": reason} for run, reason in failed],
        "policies": statuses(agenda),
    }
    lines = remarks(f"failed: {name}: {reason}" for name, reason in failed)
    output.print_blocks(content, [status_table(agenda), lines])


def table(
    file: FileArgument,
    *,
    by: Annotated[
        str | None,
        option(
            "GROUPS",
            "Show gains and losses by user, size, length, queue or weekday instead of the "
            "differences.",
        ),
    ] = None,
    with_bounds: Annotated[
        bool,
        flag(
            "Show lower bounds that hold for any schedule, and each policy's results with exact "
            "run times. The command first simulates missing runs.",
            "--bounds",
        ),
    ] = False,
    output: Annotated[OutputOptions, has("tables", "as_json", "quiet")],
) -> None:
    """Compare the policies with the baseline: differences and confidence intervals."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.report import CampaignReport, ReplaysReport

    output.check({"the campaign": file})
    campaign = read_campaign(file)
    if not campaign.policies:
        output.deliver(ReplaysReport(campaign))
    else:
        output.deliver(CampaignReport(campaign, by=by, bounds=with_bounds))


def report(
    file: FileArgument,
    *,
    output: Annotated[
        Path | None,
        option(
            "FILE.html",
            "The page to write.",
            "-o",
            "--output",
            shown="the campaign file's name",
            panel=OUTPUT,
        ),
    ] = None,
    names: Annotated[bool, flag("Keep the names of users on the page.", panel=OUTPUT)] = False,
    printing: QuietOption,
) -> None:
    """Write a page with the answer, the differences, gains and losses."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.page import content_of
    from pred_aware.report.page import write

    page = output or file.with_suffix(".html")
    printing.check({"the campaign": file}, output=page)
    content = content_of(read_campaign(file), command=typed(printing.context), names=names)
    write(page, content)
    assert content.answer is not None
    printing.print_lines([content.answer.sentence, f"Page: {page}"])


def _complain_of(failed: list[tuple[str, str]], file: Path) -> None:
    """Raise a `PredAwareError` that lists the failures, if there are any."""
    if not failed:
        return
    name, reason = failed[0]
    number = len(failed)
    many = "1 failed" if number == 1 else f"{number:,} failed; the first one is"
    raise PredAwareError(
        f"{many}: {name}: {reason}. The others finished. `pred-aware campaign status {file}` lists "
        f"the failures, and `pred-aware campaign run {file} --retry` repeats them"
    )


register = adding_group(
    "campaign",
    "Simulate many policies on many logs and on perturbed copies of the logs, until the "
    "intervals are as narrow as requested. docs/how-to/campaigns.md describes the file.",
    adding(plan, run, status, table, report),
    campaign_store.register,
    epilog=see("how-to/campaigns.md"),
)
