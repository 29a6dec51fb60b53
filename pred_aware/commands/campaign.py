"""The commands under `campaign` that make runs, and show what they found."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pred_aware.commands import campaign_store
from pred_aware.commands.campaign_store import FileArgument
from pred_aware.commands.options.campaign_on import WhereOptions
from pred_aware.commands.options.groups import OUTPUT, add, flag, has, option, see
from pred_aware.commands.options.output import AsJson, OutputOptions, Quietly, Told, print_json
from pred_aware.commands.options.typed import typed
from pred_aware.errors import PredAwareError
from pred_aware.report.result import Result

if TYPE_CHECKING:
    from pred_aware.campaign.campaign import Campaign
    from pred_aware.report.table import Table

app = typer.Typer(
    no_args_is_help=True,
    help="Simulate many policies on many logs, and on shakes of them until the differences are "
    "known; docs/campaigns.md has the file.",
    epilog=see("campaigns.md"),
)

WorkersOption: TypeAlias = Annotated[
    int | None,
    option(
        "",
        "Processes, by default one per core; of an array the elements at most (100), of Dask "
        "the jobs (10).",
        "-j",
        "--workers",
        min=1,
    ),
]


def register(to: typer.Typer) -> None:
    """Add the commands to the command line."""
    add(app, plan)
    add(app, run)
    add(app, run, "retry", help="Try again what failed, and go on as `run` does.")
    for command in (status, table, report):
        add(app, command)
    campaign_store.register(app)
    to.add_typer(app, name="campaign")


def plan(
    file: FileArgument,
    *,
    pilot: Annotated[
        bool,
        flag(
            "Simulate each log as it is, once for each table of policies, if that is not there; "
            "these runs stay.",
            "--pilot/--no-pilot",
        ),
    ] = True,
    workers: WorkersOption = None,
    output: AsJson,
) -> None:
    """Say how many runs there will be, their CPU seconds, memory and disk."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.planning import make_plan
    from pred_aware.campaign.results.plan_tables import plan_tables
    from pred_aware.campaign.results.showing import progress_shown
    from pred_aware.report.terminal import console, show

    campaign = read_campaign(file)
    with progress_shown(shown=not output.as_json) as told:
        found = make_plan(campaign.inventory, pilot=pilot, workers=workers, told=told)
    output.tell(found.to_dict(), lambda: show(list(plan_tables(found)), console()))
    _complain_of(list(found.unreadable.items()), file)


def run(
    file: FileArgument,
    *,
    workers: WorkersOption = None,
    where: WhereOptions,
    output: Told,
) -> None:
    """Make the runs that are not there; stopped at any moment, it goes on from there."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.cluster.where import ARRAYS
    from pred_aware.campaign.results.showing import (
        made_in_words,
        progress_shown,
        submitted_in_words,
    )
    from pred_aware.report.lines import say

    campaign = read_campaign(file)
    if output.context.info_name == "retry":
        campaign.forget_failures()
    if where.on in ARRAYS:
        submitted = campaign.submit(on=where.on, workers=workers, **where.jobs)
        output.say(submitted_in_words(submitted, file, wait=where.wait))
        if not where.wait:
            output.tell(submitted.to_dict(), ())
            _complain_of(submitted.failed, file)
            return

    def replayed(what: str) -> None:
        if not output.quiet:
            say(f"replays {what}", error=True)

    jobs: dict[str, Any] = where.jobs
    with progress_shown(shown=not output.quiet) as told:
        done = campaign.run(workers=workers, progress=told, on=where.on, replays=replayed, **jobs)
    lines = list(made_in_words(done, campaign.store, file))
    if not campaign.policies:
        lines = [f"all replays are in {campaign.store}", f"see `pred-aware campaign table {file}`"]
    output.tell(done.to_dict(), lines)
    _complain_of(done.failed, file)


def status(file: FileArgument, *, output: AsJson) -> None:
    """Say which runs are done, which failed and why, and which are to be made."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.status import status_table, statuses
    from pred_aware.report.terminal import console, show

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

    def told() -> None:
        to = console()
        show([status_table(agenda)], to)
        for name, reason in failed:
            to.print(f"failed: {name}: {reason}", markup=False)

    output.tell(content, told)


def table(
    file: FileArgument,
    *,
    by: Annotated[
        str | None,
        option(
            "GROUPS",
            "Show who gains and who loses instead, by user, size, length, queue or weekday.",
        ),
    ] = None,
    with_bounds: Annotated[
        bool,
        flag(
            "Tell what no schedule of each log goes below, and what each policy gives with run "
            "times known exactly; what is missing of it is made first.",
            "--bounds",
        ),
    ] = False,
    output: Annotated[OutputOptions, has("tables", "as_json", "quiet")],
) -> None:
    """Compare the policies with the baseline: differences with their intervals."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.against import against_baseline
    from pred_aware.campaign.results.best import choices, not_worse
    from pred_aware.campaign.results.bounds import policy_bounds
    from pred_aware.campaign.results.differences import compared, result_sentences
    from pred_aware.campaign.results.groups import gains, gains_tables
    from pred_aware.campaign.results.resamples import asked_for, resampled
    from pred_aware.campaign.results.weeks import in_weeks
    from pred_aware.effects.bounds import by_measure
    from pred_aware.report.remark import Remark
    from pred_aware.report.table import write_tables
    from pred_aware.report.terminal import console, show

    output.check({"the campaign": file})
    campaign = read_campaign(file)
    if not campaign.policies:
        output.deliver(_Replayed(campaign))
        return
    inventory = campaign.inventory
    agenda = inventory.agenda()
    shown = campaign.tables() if by is None else list(gains_tables(inventory, by))
    best = policy_bounds(inventory) if with_bounds else []
    shown += by_measure(best)
    if output.tables is not None:
        write_tables(shown, output.tables)
    said = [*inventory.left_out(), *result_sentences(agenda)]
    if output.as_json:
        found: dict[str, Any] = {
            "baseline": inventory.specification.baseline,
            "baselines": inventory.baselines(),
            "said": said,
            "compared": [row.to_dict() for row in compared(agenda)],
            "against_baseline": [row.to_dict() for row in against_baseline(inventory, agenda)],
        }
        if asked_for(inventory.specification):
            found["resampled"] = [row.to_dict() for row in resampled(agenda)]
        if inventory.specification.weeks:
            found["weeks"] = [row.to_dict() for row in in_weeks(inventory, agenda)]
        found["not_worse"] = [asdict(one) for one in not_worse(inventory, agenda)]
        found["choices"] = [one.to_dict() for one in choices(agenda)]
        if with_bounds:
            found["bounds"] = [one.to_dict() for one in best]
        if campaign.predictors:
            found["replays"] = campaign.replays().to_dict("records")
        if by is not None:
            found["gains"] = [one.to_dict() for one in gains(inventory, by)]
        print_json(found)
    if output.silent:
        return
    said += [f"{log}: {one}" for log, one in inventory.baselines().items()]
    show([*shown, tuple(Remark(one) for one in said)], console())


class _Replayed(Result):
    """What was replayed, of a campaign of predictors alone."""

    def __init__(self, campaign: "Campaign") -> None:
        self._campaign = campaign

    def to_dict(self) -> dict[str, Any]:
        """Return a row for each log and predictor."""
        return {"replays": self._campaign.replays().to_dict("records")}

    def tables(self) -> "list[Table]":
        """Return the one table."""
        return self._campaign.tables()

    def show(self) -> None:
        """Print it."""
        from pred_aware.report.terminal import console, show

        show(self.tables(), console())


def report(
    file: FileArgument,
    *,
    output: Annotated[
        Path | None,
        option(
            "FILE.html",
            "The page.",
            "-o",
            "--output",
            shown="named after the campaign, beside it",
            panel=OUTPUT,
        ),
    ] = None,
    names: Annotated[bool, flag("Keep the names of users.", panel=OUTPUT)] = False,
    told: Quietly,
) -> None:
    """Write a page of what was found: the answer, differences, who gains and who loses."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.page import content_of
    from pred_aware.report.page import write

    page = output or file.with_suffix(".html")
    told.check({"the campaign": file}, output=page)
    content = content_of(read_campaign(file), made=typed(told.context), names=names)
    write(page, content)
    assert content.answer is not None
    told.say([content.answer.sentence, f"Page: {page}"])


def _complain_of(failed: list[tuple[str, str]], file: Path) -> None:
    """End with an error that tells what failed, if anything did.

    Raises
    ------
    PredAwareError
        Something did.
    """
    if not failed:
        return
    name, reason = failed[0]
    number = len(failed)
    many = "1 failed" if number == 1 else f"{number:,} failed, the first"
    raise PredAwareError(
        f"{many}: {name}: {reason}; the others are made. `pred-aware campaign status {file}` lists "
        f"what failed, and `pred-aware campaign retry {file}` tries it again"
    )
