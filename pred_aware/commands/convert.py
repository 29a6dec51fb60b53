"""The command `convert`, which detects the format, and a command for each format."""

import inspect
from copy import copy
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from typer.core import TyperGroup

from pred_aware.commands.options.converting import Changes, WorkloadOptions, convert_log
from pred_aware.commands.options.groups import HELP_OPTIONS, add, arranged, docs, grouped, has, see
from pred_aware.commands.options.reading import (
    WORKLOAD_WALLTIME,
    LogArgument,
    ReadingOptions,
    read_options,
)

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

EXAMPLES = {
    "m100": (
        "job_table.parquet -o day.json --paper001 --processors 512",
        "job_table.parquet -o train.json --paper001 --window-part before",
        "job_table.parquet -o all.json --state COMPLETED --state TIMEOUT",
    ),
    "pbs": (
        "/var/spool/torque/server_priv/accounting -o site.json",
        "20171001.gz -o day.json --processors 576 --submit-time etime",
    ),
    "slurm": (
        "sacct.txt -o jobs.json --time-zone Europe/Paris --processors 4096",
        "sacct.txt -o jobs.json --unit cores --slurm-conf slurm.conf",
        "jobs.txt -o jobs.json --format JobIDRaw,State,Submit,Start,ElapsedRaw,AllocCPUS,User",
    ),
    "swf": (
        "KTH-SP2-1996-2.1-cln.swf.gz -o kth.json --platform kth.xml",
        "CEA-Curie-2011-2.1-cln.swf.gz -o curie.json --clean paper000-curie",
        "LOG.swf -o LOG.json --missing-walltime 86400 --report LOG.report.json",
    ),
    "table": (
        "jobs.csv -o jobs.json --map mine.toml --platform machine.xml",
        "'jobs-2024-*.parquet' -o jobs.json --size cores --processors 4096",
    ),
}
"""Example arguments of `pred-aware convert FORMAT`."""

ANY = "any"
"""The command that detects the format; `convert LOG` runs it, too."""


class Formats(TyperGroup):
    """`convert LOG`, and `convert FORMAT LOG` for every format that is installed."""

    def list_commands(self, ctx: "Context") -> list[str]:
        """Return the names of the formats and of the commands that read no log."""
        from workload_tools.formats import formats

        return [*sorted(formats()), *self.commands.keys() - formats().keys() - {ANY}]

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Return a command. The command of a format is made at its first use."""
        from workload_tools.formats import formats

        if cmd_name not in self.commands and cmd_name in formats():
            self.commands[cmd_name] = format_command(cmd_name)
        return self.commands.get(cmd_name)

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Treat a first argument that is not a format as a log."""
        names = [*self.list_commands(ctx), ANY]
        if args and args[0] not in (*names, *HELP_OPTIONS):
            meant = get_close_matches(args[0], names, n=1, cutoff=0.6)
            if meant and not Path(args[0]).exists():
                ctx.fail(f"'{args[0]}' is neither a file nor a format. Did you mean '{meant[0]}'?")
            args = [ANY, *args]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: "Context") -> list[str]:
        """Return the usage text that follows the command's name."""
        return ["[FORMAT]", "LOG", "[OPTIONS]"]

    def format_help(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Show the options of `convert LOG`, and the formats."""
        shown = copy(self)
        shown.params = self.commands[ANY].params
        TyperGroup.format_help(shown, ctx, formatter)


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    page = "start/tutorial.md"
    convert = typer.Typer(
        name="convert",
        cls=Formats,
        help=convert_any.__doc__,
        epilog=see(page),
        rich_markup_mode="markdown",
    )
    add(convert, convert_any, ANY, page=page, hidden=True)
    panel = "Recipes for --clean"
    add(convert, recipes, page="how-to/cleaning.md", rich_help_panel=panel)
    app.add_typer(convert)


def convert_any(
    log: LogArgument,
    *,
    reading: Annotated[
        ReadingOptions,
        has("reader", "processors", "time_zone", missing_walltime=WORKLOAD_WALLTIME),
    ],
    changes: Changes,
    to: WorkloadOptions,
) -> None:
    """Convert a job log to a Batsim workload, or to an SWF.

    The command detects the format from the first lines of the log. `convert FORMAT LOG` has more
    options. The output is a workload for `run`, `batsim` and the real Batsim, or a log if the
    output's name ends in .swf or .parquet. Each job keeps its user, queue, executable and all other
    known fields. Time 0 is the first submission. The command counts kept and dropped records. If
    the machine's size is unknown, the workload's machine is as large as the largest job.

    For example:

        pred-aware convert KTH-SP2-1996-2.1-cln.swf.gz -o kth.json --platform kth.xml

        pred-aware convert slurm sacct.txt -o jobs.json --time-zone Europe/Paris --unit cores

        pred-aware convert LOG.swf -o cleaned.swf --clean 'user=2 and job<=5000' --clean 'run>7d'

        pred-aware convert jobs.json.gz -o public.swf.gz --anonymise key.json --shift-dates
    """
    from workload_tools.log import files_of

    opened = reading.open(log, output=to.output)
    convert_log(log, opened, to=to, changes=changes, read_too=files_of(opened))


def recipes() -> None:
    """List the named recipes of `--clean`, with their steps and sources."""
    from workload_tools.changes.cleaning import RECIPES

    for name, recipe in RECIPES.items():
        typer.echo(f"{name}: {recipe.source}")
        for step in recipe.steps:
            typer.echo(f"    {step}")


def format_command(name: str) -> "Command":
    """Make the command of a format, with its reader's options and the options of all formats.

    Parameters
    ----------
    name
        The format's name. If its reader cannot be loaded, the command's help says why.
    """
    from pred_aware.commands.options.reader_command import described, options_of
    from workload_tools.errors import LogError
    from workload_tools.formats import formats, reader_of

    command = grouped(convert_any)
    common = dict(inspect.signature(command).parameters)
    log, reader_options = common.pop("log"), {}
    try:
        reader = reader_of(Path(name), formats()[name])
        about, texts = described(reader)
        reader_options = options_of(reader, common)
        common = {key: _with_own_help(one, texts) for key, one in common.items()}
    except LogError as error:
        about = str(error)

    def convert(log: Path, **given: Any) -> None:  # noqa: ANN401 - as the signature below has them
        # --reader gives, as JSON, the reader's options that a command line cannot express
        options = {**read_options(given.pop("reader")), "name": name}
        for called, (option, parameter) in reader_options.items():
            value = given.pop(called)
            if value is not None and value != parameter.default:
                options[option] = str(value) if isinstance(value, Path) else value
        command(log=log, reader=_json(options), **given)

    parameters = (log, *(parameter for _, parameter in reader_options.values()), *common.values())
    convert.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # a function has it
    maker = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    page = f"how-to/logs-{name}.md"
    maker.command(
        name,
        help=f"{about}\n\nFor example:\n\n{_examples(name)}",
        epilog=see(page if (docs() / page).is_file() else "start/tutorial.md"),
        rich_help_panel="Formats, each with its own options",
    )(convert)
    return arranged(typer.main.get_command(maker))


def _with_own_help(parameter: inspect.Parameter, texts: dict[str, str]) -> inspect.Parameter:
    """Return an option, with the reader's own help text for machine size and time zone."""
    said = texts.get({"processors": "machine_processors"}.get(parameter.name, parameter.name))
    if said is None:
        return parameter
    kind, info = get_args(parameter.annotation)
    info = copy(info)
    info.help = said
    info.show_default = False
    return parameter.replace(annotation=Annotated[kind, info])


def _examples(name: str) -> str:
    given = EXAMPLES.get(name, ("LOG -o jobs.json --platform machine.xml",))
    return "\n\n".join(f"    pred-aware convert {name} {one}" for one in given)


def _json(options: dict[str, Any]) -> str:
    import msgspec

    return msgspec.json.encode(options).decode()
