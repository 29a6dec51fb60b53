"""Programs that answer as a batch system's own do, of recorded outputs, or refuse as they do."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from pred_aware.site_configuration.snapshot import System, commands_of

Refusal = tuple[int, str]
"""An exit code, and what is said on standard error."""


def install(
    system: System,
    recorded: Path,
    folder: Path,
    *,
    refusing: Mapping[str, Refusal],
    environment: Mapping[str, str],
) -> None:
    """Write the programs into a folder; some of the files that they are to fill are refused."""
    cases: dict[str, list[str]] = {}
    for one in commands_of(system, environment):
        if one.copies:
            continue
        program, *arguments = one.command
        does = f"cat {shlex.quote(str(recorded / one.file))}"
        if one.file in refusing:
            code, said = refusing[one.file]
            does = f"echo {shlex.quote(said)} >&2; exit {code}"
        told = shlex.quote(" ".join(arguments))
        cases.setdefault(program, []).append(f'[ "$*" = {told} ] && {{ {does}; exit; }}')
    folder.mkdir()
    for program, lines in cases.items():
        path = folder / program
        path.write_text("\n".join(["#!/bin/sh", "PATH=/bin:/usr/bin", *lines, "exit 64", ""]))
        path.chmod(0o755)
