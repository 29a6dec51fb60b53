"""Options of `campaign run` that say where runs are made, and what jobs there are asked for."""

from typing import Annotated, TypeAlias

import typer

_PANEL = "Where runs are made"

OnOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="WHERE",
        help="local; slurm-array or pbs-array: submit a job array; dask:ADDRESS: a Dask scheduler; "
        "dask-slurm or dask-pbs: Dask workers as jobs. The store must be on a shared folder.",
        rich_help_panel=_PANEL,
    ),
]
WaitOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--wait",
        help="With an array: wait for the jobs, and submit again until all is there.",
        rich_help_panel=_PANEL,
    ),
]
WalltimeOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Of each job, such as '2 h'; 1 h by default.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
MemoryOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Of each job, such as '4 GB'; runs that take more are ended.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
CoresOption: TypeAlias = Annotated[
    int,
    typer.Option(min=1, help="Of each job: so many runs at once.", rich_help_panel=_PANEL),
]
PartitionOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Slurm's partition, PBS's queue.", show_default=False,
        rich_help_panel=_PANEL,
    ),
]  # fmt: skip
AccountOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who pays.", show_default=False, rich_help_panel=_PANEL),
]
PythonOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="The Python of the environment there; this one by default.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
BatchOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--batch-option",
        metavar="OPTION",
        help="One more for the batch system, such as --qos=low. Repeatable.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
BeforeOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--before",
        metavar="LINE",
        help="A line of the shell that each job runs first. Repeatable.",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
