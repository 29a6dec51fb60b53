"""The command line. It imports a command's module on first use, and prints errors as one line."""

import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from pred_aware.commands.options.groups import HELP_OPTIONS, arranged, see
from pred_aware.errors import USER_ERRORS
from pred_aware.report.lines import say
from pred_aware.signals import INTERRUPTED, Terminated, install_signal_handlers
from pred_aware.version import __version__
from predictors.errors import in_words, place
from predictors.registry import installed
from workload_tools.printable import on_one_line

if TYPE_CHECKING:
    from typer._click import Command

ENTRY_POINTS = "pred_aware.commands"
"""Group of entry points for commands of other packages.

Each entry point names a module. The module has `register`, as in this package, and `PANEL`: the
group of the help that shows its commands.
"""


def added_commands() -> dict[str, list[ModuleType]]:
    """Return the command modules of other packages, by group of the help.

    A module that cannot be loaded is reported in one line and left out.
    """
    panels: dict[str, list[ModuleType]] = {}
    for name, point in sorted(installed(ENTRY_POINTS).items()):
        # importing another package's module can raise anything
        try:
            module = point.load()
            panel, _ = str(module.PANEL), module.register
            panels.setdefault(panel, []).append(module)
        except Exception as error:  # noqa: BLE001
            say(
                f"pred-aware: warning: the commands of '{name}' cannot be loaded: "
                f"{in_words(error)}",
                error=True,
            )
    return panels


DEBUG = "--debug"


COMMANDS = {
    "All in one": ("study", "demo"),
    "Job logs": ("inspect", "convert", "log"),
    "Prediction": ("predict", "predictors"),
    "Simulation": (
        "platform",
        "site",
        "run",
        "batsim",
        "compare",
        "explain",
        "campaign",
        "schedulers",
    ),
    "Production": ("service",),
    "This installation": ("doctor",),
}
"""The commands of this package, in the groups and order of the help.

Each command is a module with `register`. The help shows commands of other packages before the last
group.
"""

RENAMED = {
    "fetch": "log fetch",
    "sacct-command": "log sacct-command",
    "map": "log map",
    "infer": "log infer",
    "model": "log model",
    "raps": "log raps",
    "machine": "site machine",
    "snapshot": "site snapshot",
    "shadow": "service shadow",
    "store": "service store",
    "serve": "service serve",
    "health": "service health",
    "service-files": "service files",
    "pbs-hook": "service pbs-hook",
    "pbs-check": "service pbs-check",
    "pbs-waiting": "service pbs-waiting",
    "campaign retry": "campaign run --retry",
}
"""New names of commands, by the names before 0.3; an old name gives an error with the new name."""
RESUMED = ("study", "campaign run")
"""Commands that continue a stopped run."""
CONTINUES = "; repeat the command to continue"
OF_RESEARCH = ("paper001", "reproduce")
"""Commands that moved to another distribution in 0.3."""


_SCHEDULER_OPTIONS = {
    f"--{name}": f"-O {name.replace('-', '_')}=..."
    for name in (
        "allocation",
        "backfilling",
        "candidates",
        "correction",
        "max-wait",
        "min-concordance",
        "order",
        "reservations",
    )
}
_READING = {"--log-format": "--reader NAME"}
_QUANTITIES = (
    "speed",
    "bandwidth",
    "latency",
    "cluster_bandwidth",
    "cluster_latency",
    "backbone_bandwidth",
    "backbone_latency",
    "prefix",
    "master",
)
_TIMEOUTS = {"--connect-timeout": "--timeout", "--answer-timeout": "--timeout"}

RENAMED_OPTIONS = {
    "study": {"--base": "--baseline", **_READING},
    "inspect": {"--base": "--infer-site", **_READING},
    "convert": _READING,
    "predict": _READING,
    "run": {
        "-o": "-O",
        "--bound": "-O max_wait=...",
        "--trust": "-O min_concordance=...",
        **_SCHEDULER_OPTIONS,
        **_TIMEOUTS,
    },
    "batsim": _TIMEOUTS,
    "compare": {"--at-best": "--bounds", "--gains": "--csv"},
    "campaign table": {"--at-best": "--bounds"},
    "campaign export": {"--groups": "--by"},
    "platform": {f"--{name.replace('_', '-')}": f"-O {name}=..." for name in _QUANTITIES},
    "log infer": {"--from": "--training", **_READING},
    "log model twin": _READING,
    "log model scale": {"--by": "--what", **_READING},
    "log raps": {"-e": "an argument", "--export": "an argument"},
    "site check": {"--log": "inspect LOG --site FILE"},
    "site infer": _READING,
    "service shadow": {"-o": "-O", "--from": "--start", "--to": "--end", **_READING},
    "service store add": _READING,
}
"""By command: the old names of options, and what replaces them."""


def _version(value: bool) -> None:  # noqa: FBT001 - typer calls it so
    if value:
        typer.echo(f"pred-aware {__version__}")
        raise typer.Exit


def _main(
    *,
    _version_: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Print version and build.",
        ),
    ] = False,
    _debug_: Annotated[
        bool,
        typer.Option(
            DEBUG,
            help="Also print the traceback of an error. Give it before or after the command.",
        ),
    ] = False,
) -> None:
    """Show, on your own job log, what run time prediction would change."""


class _Commands(Mapping[str, "Command"]):
    """The commands by name. The module of a command is imported on first use."""

    def __init__(self) -> None:
        self._own = {name: panel for panel, names in COMMANDS.items() for name in names}
        self._loaded: dict[str, Command] = {}

    @cached_property
    def _added(self) -> dict[str, "Command"]:
        """Return the commands of other packages, by importing their modules."""
        commands: dict[str, Command] = {}
        for panel, modules in added_commands().items():
            commands |= _commands_of(modules, panel)
        return commands

    def __getitem__(self, name: str) -> "Command":
        if name not in self._own:
            return self._added[name]
        if name not in self._loaded:
            module = import_module(f"pred_aware.commands.{name}")
            self._loaded |= _commands_of([module], self._own[name])
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        *panels, last = COMMANDS
        for panel in panels:
            yield from COMMANDS[panel]
        yield from (name for name in self._added if name not in self._own)
        yield from COMMANDS[last]

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _commands_of(modules: Iterable[ModuleType], panel: str) -> dict[str, "Command"]:
    """Return the commands of some modules, in a group of the help."""
    some = typer.Typer(epilog=see("start/tutorial.md"), rich_markup_mode="markdown")
    for module in modules:
        module.register(some)
    for command in some.registered_commands:
        command.rich_help_panel = panel
    for group in some.registered_groups:
        group.rich_help_panel = panel
    command_group = typer.main.get_group(some)
    arranged(command_group)
    return dict(command_group.commands)


@cache
def command_line() -> TyperGroup:
    """Return the command line."""
    line = typer.Typer(
        name="pred-aware",
        help=_main.__doc__,
        epilog=see("start/tutorial.md"),
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP_OPTIONS},
    )
    line.callback()(_main)
    group = typer.main.get_command(line)
    assert isinstance(group, TyperGroup)
    arranged(group)
    group.commands = _Commands()  # type: ignore[assignment] # no command is added later
    return group


def main() -> None:
    """Run the command line. An error that the user can repair is one line, with exit code 2."""
    install_signal_handlers()
    if not sys.warnoptions:
        warnings.showwarning = _warn
    arguments = sys.argv[1:]
    debug = DEBUG in arguments
    for number, one in enumerate(arguments, 1):
        if any("\ud800" <= sign <= "\udfff" for sign in one):
            # text that is not UTF-8 cannot be written to a run's record, a page or a message
            sys.exit(_fail(f"argument {number} ({one[:100]}) is not UTF-8", debug=debug))
    sys.exit(_run([one for one in arguments if one != DEBUG] or ["--help"], debug=debug))


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Print a library's warning in one line, without its file and line number."""
    say(f"pred-aware: warning: {' '.join(str(message).split())}", error=True)


def _run(arguments: list[str], *, debug: bool) -> int:
    stopped = False
    if said := _moved(*[one for one in arguments if not one.startswith("-")][:2]):
        return _fail(said, debug=debug)
    try:
        code = command_line()(arguments, prog_name="pred-aware", standalone_mode=False) or 0
        # typer returns this code after Ctrl-C
        stopped = code == INTERRUPTED
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "pred-aware"
        message = _renamed(error) or " ".join(error.format_message().split())
        # the library that converts values begins its messages with "Value error, "
        message = message.replace(": Value error, ", ": ") or "arguments are missing"
        return _fail(f"{message.rstrip('.')}; see `{path} --help`", debug=debug)
    except USER_ERRORS as error:
        return _fail(_with_place(error), debug=debug)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _fail(f"{name}{error.strerror or error}", debug=debug)
    except KeyboardInterrupt:
        stopped, code = True, INTERRUPTED
    except Terminated as signalled:
        stopped, code = True, signalled.code
    except Exception as error:
        # a defect of pred-aware shows a traceback; an error in the user's own code shows its line
        if not place(error):
            raise
        return _fail(in_words(error), debug=debug)
    if stopped:
        # standard error may be closed
        with suppress(OSError):
            after = CONTINUES if " ".join(arguments[:2]).startswith(RESUMED) else ""
            sys.stderr.write(f"pred-aware: stopped{after}\n")
    return code


def _moved(command: str = "", inner: str = "") -> str:
    """Return where a renamed command is now, or ""."""
    for old in (command, f"{command} {inner}"):
        if new := RENAMED.get(old):
            return f"'{old}' is now '{new}'; see `pred-aware {new.partition(' --')[0]} --help`"
    if command in OF_RESEARCH and "papers" not in installed(ENTRY_POINTS):
        return f"'{command}' is in pred-aware-research: in a clone, run `pip install ./research`"
    return ""


def _renamed(error: typer.TyperException) -> str:
    """Return the new name of a renamed option, or ""."""
    old, context = getattr(error, "option_name", ""), getattr(error, "ctx", None)
    path = "" if context is None else context.command_path.removeprefix("pred-aware ")
    # the command of a format has the options of `convert`
    path = "convert" if path.startswith("convert ") else path
    new = RENAMED_OPTIONS.get(path, {}).get(old)
    return "" if new is None else f"'{old}' is now '{new}'"


def _with_place(error: Exception) -> str:
    """Return an error's message, with the line in the user's own code that caused it, if any."""
    message = str(error)
    where = "" if error.__cause__ is None else place(error.__cause__)
    return message if where in message else f"{message}{where}"


def _fail(message: str, *, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    sys.stderr.write(f"pred-aware: error: {on_one_line(message)}\n")
    return 2
