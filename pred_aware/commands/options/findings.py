"""What commands print that look whether things work: a finding a line, and what to do below it."""

from typing import TYPE_CHECKING

import typer

from pred_aware.commands.options.outputs import print_json
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pred_aware.report.finding import Finding

MUST_BE_MENDED = 1
"""The exit code when something that is needed does not work."""


def tell_findings(found: "Iterable[Finding]", *, well: str, as_json: bool, quiet: bool) -> None:
    """Print findings as they are made, and end the command with `MUST_BE_MENDED` if one says so.

    Parameters
    ----------
    found
        The findings.
    well
        What is said when all that is needed works.
    as_json
        Whether they are printed as JSON, when they are all there.
    quiet
        Whether nothing is printed.
    """
    findings = []
    for finding in found:
        findings.append(finding)
        if not (as_json or quiet):
            say(f"{finding.state:7} {finding.subject}: {finding.found}")
            if finding.advice:
                say(f"{'':7} -> {finding.advice}")
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
    elif not quiet:
        say()
        if broken:
            say(f"To be mended: {', '.join(finding.subject for finding in broken)}.")
        else:
            others = [finding.subject for finding in findings if finding.state == "wrong"]
            rest = f" Not needed, and not as it should be: {', '.join(others)}." if others else ""
            say(f"{well}{rest}")
    if broken:
        raise typer.Exit(MUST_BE_MENDED)
