"""The command `doctor`: what works on this machine, and what to do about what does not."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.outputs import JsonOption, QuietOption, print_json
from pred_aware.commands.panels import see
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.health.finding import Finding

HELP = """Look whether everything that is needed is there and works.

Looks at Python and the packages, folders, sockets and the port; at Batsim and batsched, which are
not needed; and at a run of ten jobs with each side that is there. Says what to do about what does
not work. Takes some seconds.

The exit code is 0 when all that is needed works, and 1 otherwise. A program that is named with
`--batsim` or `--batsched` is needed; one that is merely found on the PATH is not.

Examples:

    pred-aware doctor

    pred-aware doctor --batsim /opt/batsim/bin/batsim --folder results

    pred-aware doctor --json
"""

MUST_BE_MENDED = 1
"""The exit code when something that is needed does not work."""


def doctor(
    *,
    batsim: Annotated[
        Path | None,
        typer.Option(metavar="PROGRAM", help="Batsim, in place of `batsim` on the PATH."),
    ] = None,
    batsched: Annotated[
        Path | None,
        typer.Option(metavar="PROGRAM", help="batsched, in place of `batsched` on the PATH."),
    ] = None,
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where output is to be written.")
    ] = Path(),
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Where decision processes listen.")
    ] = 28000,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds that each side of a run may be silent.")
    ] = 30.0,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Look whether everything works."""
    from pred_aware.health.examination import examine_all

    findings = []
    for finding in examine_all(
        batsim=batsim, batsched=batsched, folder=folder, port=port, timeout=timeout
    ):
        findings.append(finding)
        if not (as_json or quiet):
            _show(finding)
    broken = [finding for finding in findings if finding.must_be_mended]
    if as_json:
        import msgspec

        told = {
            "works": not broken,
            "findings": [
                {**msgspec.to_builtins(finding), "needed": finding.needed} for finding in findings
            ],
        }
        print_json(told)
    elif quiet:
        pass
    elif broken:
        names = ", ".join(finding.subject for finding in broken)
        say()
        say(f"To be mended: {names}.")
    else:
        others = [finding.subject for finding in findings if finding.state == "wrong"]
        rest = f" Not needed, and not as it should be: {', '.join(others)}." if others else ""
        say()
        say(f"All that is needed works.{rest}")
    if broken:
        raise typer.Exit(MUST_BE_MENDED)


def _show(finding: "Finding") -> None:
    say(f"{finding.state:7} {finding.subject}: {finding.found}")
    if finding.advice:
        say(f"{'':7} -> {finding.advice}")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("doctor", help=HELP, epilog=see("batsim.md"))(doctor)
