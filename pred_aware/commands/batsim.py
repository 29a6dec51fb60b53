"""The command `batsim`: simulate in place of the real Batsim, with any decision process."""

from pathlib import Path
from typing import Annotated, Literal

from pred_aware.commands.options.groups import adding, flag, has, option
from pred_aware.commands.options.output import PrintOptions
from pred_aware.commands.options.parts import (
    ANSWER_TIMEOUT,
    CONNECT_TIMEOUT,
    RunOptions,
    TimeoutOption,
)
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say


def batsim(  # noqa: PLR0913 - one parameter per option
    *,
    to: Annotated[
        RunOptions,
        has(
            "prefix",
            workloads="Batsim workload (JSON), plain or gzip. Repeatable; the workloads get the "
            "names w0, w1 and so on.",
        ),
    ],
    endpoint: Annotated[
        str,
        option("ADDRESS", "Address where the decision process listens.", "-s", "--socket-endpoint"),
    ] = "tcp://localhost:28000",
    master: Annotated[
        str, option("NAME", "Name of the master host, which runs no jobs.", "-m", "--master-host")
    ] = "master_host",
    delays: Annotated[
        Literal["none", "batsim"],
        option("", "Delay of messages: none, or the delays of the real Batsim."),
    ] = "none",
    forward_profiles: Annotated[
        bool, flag("Send each job's profile with the job.", "--forward-profiles-on-submission")
    ] = False,
    enable_dynamic_jobs: Annotated[bool, flag("Let the decision process register jobs.")] = False,
    acknowledge_dynamic_jobs: Annotated[
        bool, flag("Acknowledge each registered job to the decision process.")
    ] = False,
    disable_schedule_tracing: Annotated[  # noqa: ARG001 - accepted because Batsim has it
        bool, flag("Accepted without effect, because pred-aware writes no Pajé trace.")
    ] = False,
    sched_cfg: Annotated[str, option("", "Text to send to the decision process.")] = "",
    protocol: Annotated[
        Literal["4", "5"],
        option("", "Version of Batsim's protocol and output files."),
    ] = "4",
    trace_machine_state: Annotated[
        bool, flag("With --protocol 5: also write the states of the machines.")
    ] = False,
    transcript: Annotated[
        Path | None, option("FILE", "Write every message to this file, one JSON object per line.")
    ] = None,
    timeout: TimeoutOption = None,
    output: PrintOptions,
) -> None:
    """Simulate in place of the real Batsim, with any decision process.

    The command connects to the decision process over ZeroMQ. Its options are those of Batsim 4, and
    also `--delays`, `--protocol`, `--transcript`, `--timeout`, `--json` and `--quiet`.

    Examples, in two terminals:

        pred-aware batsim -p machine.xml -w workload.json -e out/run

        pybatsim easy_bf

    Or with another decision process and address:

        pred-aware batsim -p machine.xml -w workload.json -e out/run -s tcp://localhost:28001

        batsched -v easy_bf -s tcp://*:28001

    Or like Batsim 5, which writes PREFIX/jobs.csv and PREFIX/schedule.json:

        pred-aware batsim -p machine.xml -w workload.json -e out --protocol 5

        pybatsim fcfs -t -1 -s tcp://127.0.0.1:28000
    """
    from contextlib import nullcontext

    from pred_aware.log.workload import Workload
    from pred_aware.metrics.figures import with_figures
    from pred_aware.runs.provenance import command_provenance, of_platform, of_workload, run_json
    from pred_aware.runs.report import RunReport
    from pred_aware.simulator.outputs import SUFFIXES, SUFFIXES_5, RunFiles
    from pred_aware.simulator.peer import SocketPeer
    from pred_aware.simulator.simulation import simulate_jobs
    from schedulers.pybatsim.addresses import WARNING, stays_here
    from workload_tools.files import written_whole
    from workload_tools.platform.reader import read_platform

    if not stays_here(endpoint):
        warning = WARNING.format(endpoint=endpoint, instead="-s tcp://localhost:28000")
        say(f"pred-aware: warning: {warning}", error=True)
    version = int(protocol)
    if version == 5 and (forward_profiles or enable_dynamic_jobs or acknowledge_dynamic_jobs):  # noqa: PLR2004
        raise PredAwareError(
            "with --protocol 5 the decision process itself requests profiles and dynamic jobs, so "
            "leave out the options for profiles and dynamic jobs"
        )
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
            protocol=version,
        ) as peer,
        RunFiles(to.prefix, SUFFIXES if version == 4 else SUFFIXES_5) as outputs,  # noqa: PLR2004
    ):
        features = peer.features
        if features is not None:
            enable_dynamic_jobs = features.dynamic_registration
            acknowledge_dynamic_jobs = features.acknowledge_dynamic_jobs
        result = simulate_jobs(
            machine,
            [workload.raw for workload in jobs],
            peer,
            outputs=outputs,
            delays=delays,
            progress=None if progress is None else lambda ended: progress(ended, total),
            dynamic_jobs=enable_dynamic_jobs,
            acknowledged=acknowledge_dynamic_jobs,
            version=version,
            files=version,
            states=features is None or trace_machine_state,
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
    output.deliver(RunReport(summary, Path(to.prefix), version=version))


register = adding(batsim, page="how-to/batsim.md")
