"""The command `batsim`: stands in for the real Batsim, for any decision process."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pred_aware.commands.options.groups import add, flag, has, option
from pred_aware.commands.options.output import Told
from pred_aware.commands.options.parts import (
    ANSWER_TIMEOUT,
    CONNECT_TIMEOUT,
    RunOptions,
    TimeoutOption,
)
from pred_aware.report.lines import say

HELP = """Stand in for the real Batsim, for any decision process.

Connects to it over ZeroMQ and simulates. The options are Batsim's own, but for `--delays`,
`--transcript`, `--timeout`, `--json` and `--quiet`.

Examples, in two terminals:

    pred-aware batsim -p machine.xml -w workload.json -e out/run

    pybatsim easy_bf

or with another decision process and address:

    pred-aware batsim -p machine.xml -w workload.json -e out/run -s tcp://localhost:28001

    batsched -v easy_bf -s tcp://*:28001
"""


def batsim(  # noqa: PLR0913 - one parameter an option
    *,
    to: Annotated[
        RunOptions,
        has(
            "prefix",
            workloads="Batsim workload, gzip or not. Several are called w0, w1 and so on.",
        ),
    ],
    endpoint: Annotated[
        str, option("ADDRESS", "Where the decision process listens.", "-s", "--socket-endpoint")
    ] = "tcp://localhost:28000",
    master: Annotated[
        str, option("NAME", "The host that computes no jobs.", "-m", "--master-host")
    ] = "master_host",
    delays: Annotated[
        Literal["none", "batsim"],
        option("", "Time that messages take: none, or what they take in the real Batsim."),
    ] = "none",
    forward_profiles: Annotated[
        bool, flag("Send each job's profile with the job.", "--forward-profiles-on-submission")
    ] = False,
    enable_dynamic_jobs: Annotated[bool, flag("Let the decision process register jobs.")] = False,
    acknowledge_dynamic_jobs: Annotated[
        bool, flag("Tell it of each of those that it is submitted.")
    ] = False,
    disable_schedule_tracing: Annotated[  # noqa: ARG001 - for those who write Batsim's own options
        bool, flag("Changes nothing: no Pajé trace is written here.")
    ] = False,
    sched_cfg: Annotated[str, option("", "A text handed to the decision process.")] = "",
    transcript: Annotated[
        Path | None, option("FILE", "Write every message, a JSON object a line.")
    ] = None,
    timeout: TimeoutOption = None,
    output: Told,
) -> None:
    """Stand in for the real Batsim."""
    from contextlib import nullcontext

    from pred_aware.log.workload import Workload
    from pred_aware.metrics.figures import with_figures
    from pred_aware.runs.provenance import command_provenance, of_platform, of_workload, run_json
    from pred_aware.runs.report import RunReport
    from pred_aware.simulator.outputs import RunFiles
    from pred_aware.simulator.peer import SocketPeer
    from pred_aware.simulator.simulation import simulate_jobs
    from schedulers.pybatsim.addresses import WARNING, stays_here
    from workload_tools.files import written_whole
    from workload_tools.platform.reader import read_platform

    if not stays_here(endpoint):
        warning = WARNING.format(endpoint=endpoint, instead="-s tcp://localhost:28000")
        say(f"pred-aware: warning: {warning}", error=True)
    machine = read_platform(to.platform, master=master)
    jobs = [Workload.read(workload) for workload in to.workloads]
    total = sum(map(len, jobs))
    with (
        nullcontext() if transcript is None else written_whole(transcript) as messages,
        output.progress() as progress,
        SocketPeer(
            endpoint,
            connect_timeout=timeout or CONNECT_TIMEOUT,
            answer_timeout=timeout or ANSWER_TIMEOUT,
            forward_profiles=forward_profiles,
            scheduler_configuration=sched_cfg,
            transcript=messages,
        ) as peer,
        RunFiles(to.prefix) as outputs,
    ):
        result = simulate_jobs(
            machine,
            [workload.raw for workload in jobs],
            peer,
            outputs=outputs,
            delays=delays,
            progress=None if progress is None else lambda ended: progress(ended, total),
            dynamic_jobs=enable_dynamic_jobs,
            acknowledged=acknowledge_dynamic_jobs,
        )
        outputs.open("run").write(
            run_json(
                command_provenance(None, endpoint=endpoint),
                workloads=map(of_workload, jobs),
                platform=of_platform(machine),
                delays=delays,
                transport="zmq",
                jobs_sha256=outputs.digest("jobs")(),
            )
        )
    summary = with_figures(result.summary, result.past)
    output.deliver(RunReport(summary, to.prefix))


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, batsim, page="how-to/batsim.md", help=HELP)
