"""The commands `site snapshot`, `site slurm` and `site pbs`."""

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pred_aware.commands.options.groups import adding, argument, flag, option
from pred_aware.commands.options.output import PrintOptions
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pred_aware.report.sentence import Block
    from pred_aware.site_configuration.configured import ConfiguredSite
    from pred_aware.site_configuration.snapshot import CommandOutput

System: TypeAlias = Literal["slurm", "pbs"]
OutputFolder = Annotated[
    Path | None, option("FOLDER", "The new folder.", "-o", "--output", shown=False)
]
Printed = Annotated[bool, flag("Only print the commands, as a shell script.", "--print")]
Timeout = Annotated[
    float,
    option("SECONDS", "Time limit for each command and each file.", min=0.1, max=86_400.0),
]
SnapshotFolder = Annotated[Path, argument("FOLDER", "The snapshot folder.")]
SiteFile = Annotated[
    Path | None, option("FILE", "The site file to write.", "-o", "--output", shown=False)
]
PATIENCE = 30.0


def snapshot(
    system: Annotated[System, argument("slurm|pbs", "The batch system.")],
    *,
    output: OutputFolder = None,
    printed: Printed = False,
    timeout: Timeout = PATIENCE,
    printing: PrintOptions,
) -> None:
    """Save the configuration of Slurm or PBS in a folder: a snapshot.

    Runs read-only commands. For Slurm: scontrol show, sacctmgr show, sshare and squeue, and a copy
    of slurm.conf; root is not needed. For PBS: qstat, pbsnodes and qmgr, and a copy of three files
    in sched_priv; the files need root. Reports each refused command, and which information is then
    missing. Never writes into an existing folder. The new folder contains names of users, groups
    and accounts, so check its content before you share it.

    For example:

        pred-aware site snapshot slurm -o here

        pred-aware site snapshot pbs --print > take.sh
    """
    from pred_aware.site_configuration.snapshot import printed as lines_of
    from pred_aware.site_configuration.snapshot import take_snapshot

    if printed is (output is not None):
        raise PredAwareError("give either -o with a new folder, or --print")
    if output is None:
        lines = [*lines_of(system, os.environ)]
        printing.print_result({"commands": lines}, lines)
        return
    answers = take_snapshot(
        system, output, environment=os.environ, timeout=timeout,
        now=lambda: datetime.now().astimezone(),
        report=lambda answer: printing.print_lines(_in_words(answer)),
    )  # fmt: skip
    failed = [answer for answer in answers if answer.error]
    rest = f"; {len(failed)} of {len(answers)} commands failed" if failed else ""
    content = {"folder": str(output), "commands": [answer.to_dict() for answer in answers]}
    printing.print_result(content, ["", f"Snapshot: {output}{rest}"])


def _in_words(answer: "CommandOutput") -> list[str]:
    command = " ".join(answer.request.command)
    if answer.error is None:
        return [f"ok      {command}"]
    return [f"failed  {command}: {answer.error}", f"        -> unknown: {answer.request.tells}"]


def site_slurm(folder: SnapshotFolder, *, output: SiteFile = None, printing: PrintOptions) -> None:
    """Make a site file from a snapshot of Slurm.

    The site file contains nodes, partitions, limits of QOS and associations, shares, reservations,
    licences and the scheduler's settings. The command reports each setting that a site file cannot
    contain, with the setting's effect. The command only counts ports, paths and similar settings.
    Without -o, it writes no file.

    For example:

        pred-aware site slurm here -o site.toml

        pred-aware site slurm here --json
    """
    _make_site("slurm", folder, output, printing)


def site_pbs(folder: SnapshotFolder, *, output: SiteFile = None, printing: PrintOptions) -> None:
    """Make a site file from a snapshot of PBS.

    The site file contains nodes, queues, limits, shares and the scheduler's settings. The command
    reports each setting that a site file cannot contain, with the setting's effect. Without -o, it
    writes no file.

    For example:

        pred-aware site pbs here -o site.toml

        pred-aware site pbs here --json
    """
    _make_site("pbs", folder, output, printing)


def _make_site(system: "System", folder: Path, output: Path | None, printing: PrintOptions) -> None:
    from pred_aware.site_configuration import configured_site
    from schedulers.site.reader import content_of
    from schedulers.site.writer import text_of
    from workload_tools.files import written_whole

    printing.check({}, output=output)
    configured = configured_site(folder, system)
    if output is not None:
        with written_whole(output) as file:
            file.write(text_of(configured.site).encode())
    written = () if output is None else (f"Site: {output}",)
    content = {**configured.to_dict(), "content": content_of(configured.site)}
    printing.print_blocks(content, _blocks(configured, written), readable=True)


def _blocks(configured: "ConfiguredSite", written: tuple[str, ...]) -> "Iterator[Block]":
    from pred_aware.report.sentence import Remark, remarks

    yield (Remark(configured.sentence, strong=True),)
    if configured.findings:
        yield remarks(f"{one.kind}: {one}" for one in configured.findings)
    if written:
        yield remarks(written)


register = adding(snapshot, slurm=site_slurm, pbs=site_pbs, page="reference/site.md")
