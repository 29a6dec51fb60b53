"""Where a campaign's runs are made, and what jobs there are asked for."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

_PANEL = "Where runs are made"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereOptions:
    """Where runs are made."""

    on: Annotated[
        str,
        typer.Option(
            "--on",
            metavar="WHERE",
            help="local; slurm-array or pbs-array: submit a job array; dask:ADDRESS: a Dask "
            "scheduler; dask-slurm or dask-pbs: Dask workers as jobs. The store must be on a "
            "shared folder.",
            rich_help_panel=_PANEL,
        ),
    ] = "local"
    wait: Annotated[
        bool,
        typer.Option(
            "--wait",
            help="With an array: wait for the jobs, and submit again until all is there.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    walltime: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Of each job, such as '2 h'; 1 h by default.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Of each job, such as '4 GB'; runs that take more are ended.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    cores: Annotated[
        int,
        typer.Option(min=1, help="Of each job: so many runs at once.", rich_help_panel=_PANEL),
    ] = 1
    partition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Slurm's partition, PBS's queue.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    account: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who pays.", show_default=False, rich_help_panel=_PANEL),
    ] = None
    python: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="The Python of the environment there; this one by default.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--batch-option",
            metavar="OPTION",
            help="One more for the batch system, such as --qos=low. Repeatable.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    before: Annotated[
        list[str] | None,
        typer.Option(
            "--before",
            metavar="LINE",
            help="A line of the shell that each job runs first. Repeatable.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None

    @property
    def jobs(self) -> dict[str, Any]:
        """What each job is asked for, as `pred_aware.campaign.cluster.jobs.jobs_of` takes it."""
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in asdict(self).items()
            if name not in {"on", "wait"}
        }
