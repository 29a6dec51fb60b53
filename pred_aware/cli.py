"""The command line: one command a module, one error a line."""

import signal
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer

from pred_aware import __version__
from pred_aware.commands import (
    batsim,
    compare,
    convert,
    demo,
    doctor,
    fetch,
    infer,
    inspect,
    model,
    paper001,
    platform,
    predict,
    run,
    sacct_command,
    schedulers,
)
from pred_aware.errors import PredAwareError
from pred_aware.simulator.errors import SimulationError
from predictors.errors import PredictorError
from schedulers.errors import SchedulerError
from schedulers.pybatsim.one_line import on_one_line
from workload_tools.errors import InputError

USER_ERRORS = (PredAwareError, SimulationError, PredictorError, SchedulerError, InputError)

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

TERMINATED = 143
"""The exit code after SIGTERM, as batch systems and `kill` send it."""


class _Terminated(BaseException):
    """Somebody wants us to end; what is unfinished is cleared away on the way out."""


app = typer.Typer(
    name="pred-aware",
    help="Find out, on your own job log, what run time prediction would change.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:  # noqa: FBT001 - typer calls it so
    if value:
        typer.echo(f"pred-aware {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    *,
    _version_: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Find out, on your own job log, what run time prediction would change."""


for _command in (
    fetch,
    convert,
    sacct_command,
    inspect,
    infer,
    model,
    platform,
    run,
    batsim,
    compare,
    predict,
    paper001,
    demo,
    schedulers,
    doctor,
):
    _command.register(app)


def main() -> None:
    """Run the command line; an error that the user can mend is one line and exit code 2."""
    signal.signal(signal.SIGTERM, _terminate)
    # a process that was started in the background may have been told to ignore Ctrl-C
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)
    sys.exit(_run(sys.argv[1:] or ["--help"]))


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    _be_deaf()
    raise _Terminated


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    _be_deaf()
    raise KeyboardInterrupt


def _be_deaf() -> None:
    """Let nobody who presses Ctrl-C twice keep us from clearing away, which takes seconds."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _run(arguments: list[str]) -> int:
    try:
        code = app(arguments, standalone_mode=False) or 0
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "pred-aware"
        message = " ".join(error.format_message().split()) or "arguments are missing"
        return _fail(f"{message.rstrip('.')}; see `{path} --help`")
    except USER_ERRORS as error:
        return _fail(str(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _fail(f"{name}{error.strerror or error}")
    except KeyboardInterrupt:
        code = INTERRUPTED
    except _Terminated:
        code = TERMINATED
    # typer makes the code of Ctrl-C
    if code in (INTERRUPTED, TERMINATED):
        sys.stderr.write("pred-aware: stopped\n")
    return code


def _fail(message: str) -> int:
    sys.stderr.write(f"pred-aware: error: {on_one_line(message)}\n")
    return 2
