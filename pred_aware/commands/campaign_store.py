"""The commands under `campaign` for its store: `show`, `export` and `gc`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pred_aware.commands.options.groups import adding, argument, flag, option
from pred_aware.commands.options.output import JsonOption, QuietOption, check_outputs, print_json
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from pred_aware.campaign.inventory import Inventory

FileArgument = Annotated[Path, argument("FILE.toml", "The campaign's file.")]


def show_run(
    file: FileArgument,
    run: Annotated[
        str,
        argument(
            "RUN",
            "The beginning of the run's digest, or LOG:POLICY:COPY. COPY is the number of a "
            "perturbed copy; LOG:POLICY is the run on the unperturbed log.",
        ),
    ],
    *,
    output: JsonOption,
) -> None:
    """Show a run: its definition, measures, cost and files."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.making.one_run import found, run_data, run_tables
    from pred_aware.report.terminal import console, show

    inventory = read_campaign(file).inventory
    digest = found(inventory, run)
    if output.as_json:
        print_json(run_data(inventory, digest))
        return
    to = console()
    show(list(run_tables(inventory, digest)), to)
    to.print(f"files: {inventory.store.place(digest)}", markup=False, soft_wrap=True)


def export(
    file: FileArgument,
    output: Annotated[
        Path,
        option("ROWS", "The file to write: .csv, .csv.gz or .parquet.", "-o", "--output"),
    ],
    *,
    jobs: Annotated[
        bool, flag("Write one row for each job of each run, instead of one row per run.")
    ] = False,
    by: Annotated[
        str | None,
        option(
            "GROUPS",
            "Write one row for each group of jobs of each run: by user, size, length, queue or "
            "weekday.",
        ),
    ] = None,
    cost: Annotated[bool, flag("Add the cost, machine and date of each run.")] = False,
    printing: QuietOption,
) -> None:
    """Write all finished runs into one file, with all measures."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.frames import (
        check_rows_path,
        groups_frame,
        jobs_frames,
        runs_frame,
        write_rows,
    )

    check_outputs({"the campaign": file}, output=output)
    check_rows_path(output)
    inventory = read_campaign(file).inventory
    if jobs + cost + (by is not None) > 1:
        raise PredAwareError("--jobs, --by and --cost exclude each other: give only one of them")
    if by is not None:
        frames = iter([groups_frame(inventory, by)])
    else:
        frames = jobs_frames(inventory) if jobs else iter([runs_frame(inventory, cost=cost)])
    rows = write_rows(frames, output)
    left = "the jobs of perturbed runs are missing, because keep_jobs = true is not set"
    rest = [left] if jobs and not inventory.specification.keep_jobs else []
    printing.print_lines([f"{rows:,} rows in {output}", *inventory.left_out(), *rest])


def collect(
    files: Annotated[list[Path], argument("FILE.toml...", "Campaign files of one store.")],
    *,
    policy: Annotated[
        list[str] | None, option("NAME", "Also remove the runs of this policy. Repeatable.")
    ] = None,
    unknown: Annotated[
        bool,
        flag(
            "Also remove the runs that belong to none of these campaigns, such as runs of "
            "policies that you have edited since."
        ),
    ] = False,
    dry_run: Annotated[bool, flag("Only list what would be removed.")] = False,
    printing: QuietOption,
) -> None:
    """Remove the leftovers of killed campaigns, and the runs that you choose, from the store."""
    from pred_aware.campaign.campaign import read_campaign
    from pred_aware.campaign.results.collecting import leftovers, remove_leftovers, runs_of
    from pred_aware.campaign.results.collecting import unknown as unknown_runs
    from pred_aware.report.plural import counted

    campaigns: list[Inventory] = [read_campaign(file).inventory for file in files]
    first = campaigns[0]
    first.store.check()
    runs = set() if policy is None else set(runs_of(first, policy))
    if unknown:
        runs |= set(unknown_runs(campaigns))
    left = leftovers(first)
    if not dry_run:
        for digest in sorted(runs):
            first.store.remove(digest)
        remove_leftovers(left)
    done = "would be removed" if dry_run else "removed"
    printing.print_lines([f"{done}: {counted(len(runs), 'run')}, {counted(len(left), 'leftover')}"])


register = adding(show=show_run, export=export, gc=collect)
