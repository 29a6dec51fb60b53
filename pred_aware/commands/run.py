"""The command `run`: simulate a scheduler on a workload."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pred_aware.commands.options.groups import adding, option
from pred_aware.commands.options.output import PrintOptions
from pred_aware.commands.options.parts import (
    ANSWER_TIMEOUT,
    CONNECT_TIMEOUT,
    OPTIONS_HELP,
    MoreOptions,
    Planning,
    RunOptions,
    TimeoutOption,
    parse_policy_options,
    read_value,
    scheduler_names,
)
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.log.workload import Workload
    from pred_aware.runs.run import Run

WHERE = "Simulator and decision process"

HELP = f"""Run a scheduler on a workload.

Writes PREFIX_jobs.csv, PREFIX_schedule.csv, PREFIX_machine_states.csv and PREFIX_run.json (options
and versions of the run). All schedulers except easy_bf and conservative_bf also write
PREFIX_estimates.csv (the estimates and plans of each job). `pred-aware schedulers` and `pred-aware
predictors` list the schedulers and predictors.

With `--batsim` the real Batsim simulates. With `--decision-process` another program makes the
scheduling decisions. The command starts, watches and stops these programs. Their output is in
PREFIX_batsim.log and PREFIX_decision_process.log.

`-O NAME=VALUE` sets another option of the scheduler:

{OPTIONS_HELP}

For example:

    pred-aware run -p machine.xml -w workload.json -s easy_bf -e out/easy_bf

    pred-aware run -p machine.xml -w workload.json -s pred_aware --predictor last_two -e out/sjf

    pred-aware run -p machine.xml -w workload.json -s pred_aware --history last_year.swf.gz -e out/p

    pred-aware run -p machine.xml -w workload.json -s easy --predictor '{{"name": "knn", "k": 3}}'

    pred-aware run -p machine.xml -w workload.json -s easy --batsim batsim -e out/real

    pred-aware run -p machine.xml -w workload.json --decision-process 'batsched -v easy_bf' -e out/b
"""


def run(  # noqa: PLR0913 - one parameter per option
    *,
    to: RunOptions,
    scheduler: Annotated[
        str | None,
        option(
            "NAME",
            "Name of the scheduler; `pred-aware schedulers` lists them.",
            "-s",
            "--scheduler",
            autocompletion=scheduler_names,
        ),
    ] = None,
    planning: Planning,
    options: MoreOptions = None,
    delays: Annotated[
        Literal["none", "batsim"],
        option("", "Delay of messages: none, or the delays of the real Batsim.", panel=WHERE),
    ] = "none",
    transport: Annotated[
        Literal["process", "zmq"],
        option(
            "",
            "Run the scheduler in this process, or in pybatsim over ZeroMQ; same output.",
            panel=WHERE,
        ),
    ] = "process",
    batsim: Annotated[
        Path | None,
        option(
            "PROGRAM", "Simulate with this Batsim instead of the built-in simulator.", panel=WHERE
        ),
    ] = None,
    decision_process: Annotated[
        str | None,
        option(
            "COMMAND",
            "Let this program make the decisions, such as 'batsched -v easy_bf'. The command "
            "appends -s ADDRESS, or replaces {endpoint} with the address.",
            panel=WHERE,
        ),
    ] = None,
    protocol: Annotated[
        Literal["4", "5"],
        option(
            "",
            "Version of Batsim's protocol between the built-in simulator and the decision "
            "process. Version 5 runs the decision process separately. A real Batsim (--batsim) "
            "uses its own version.",
            panel=WHERE,
        ),
    ] = "4",
    timeout: TimeoutOption = None,
    output: PrintOptions,
) -> None:
    """Run a scheduler on a workload."""
    from pred_aware.execution.simulate import simulate
    from pred_aware.log.workload import read_workload
    from pred_aware.runs.report import RunReport, tell_rejections

    if len(to.workloads) > 1:
        raise PredAwareError(
            f"-w is given {len(to.workloads)} times, but `pred-aware run` simulates one workload. "
            "`pred-aware batsim` takes several, with a decision process such as `pybatsim easy`"
        )
    (workload,) = to.workloads
    if to.prefix.endswith("/"):
        raise PredAwareError(f"'{to.prefix}' is a folder; give a prefix in it: {to.prefix}run")
    prefix = Path(to.prefix)
    given = {
        **parse_policy_options(options),
        **{name: read_value(name, value) for name, value in planning.items() if value is not None},
    }
    if (scheduler is None) == (decision_process is None):
        raise PredAwareError(
            "give either a scheduler with -s, such as -s easy_bf, or another program with "
            "--decision-process; `pred-aware schedulers` lists the schedulers"
        )
    if decision_process is not None and given:
        raise PredAwareError(
            f"--{next(iter(given))} is for schedulers; put the options of a --decision-process "
            "into its command"
        )
    if batsim is not None and delays != "none":
        raise PredAwareError("--delays applies only to the built-in simulator, not to --batsim")
    with output.progress() as progress:
        if batsim is None and scheduler is not None and protocol == "4":
            read = read_workload(workload)
            result = simulate(
                read,
                scheduler,
                platform=to.platform,
                options=given,
                delays=delays,
                transport=transport,
                write_to=prefix,
                progress=progress,
            )
            if not output.quiet:
                _tell_size(read, result, platform=to.platform)
        else:
            from pred_aware.execution.decider import Decider
            from pred_aware.execution.supervised import supervise
            from pred_aware.log.site_on_log import site_of_workload

            if given.get("site") is not None:
                # a scheduler in its own process cannot read the workload file
                given["site"] = site_of_workload(given["site"], read_workload(workload))
            result = supervise(
                Decider.of(scheduler, given, decision_process),
                batsim=batsim,
                platform=to.platform,
                workload=workload,
                prefix=prefix,
                delays=delays,
                protocol=int(protocol),
                connect_timeout=timeout or CONNECT_TIMEOUT,
                answer_timeout=timeout or ANSWER_TIMEOUT,
                progress=progress,
            )
    output.deliver(RunReport(result.summary, prefix))
    if not output.quiet:
        tell_rejections(result.rejections)


def _tell_size(workload: "Workload", run: "Run", *, platform: Path) -> None:
    """Warn if the platform is larger than the machine of the workload."""
    if run.processors > (workload.processors or run.processors):
        say(
            f"pred-aware: note: {platform} has {run.processors:,} processors, but {workload.name} "
            f"comes from a machine with {workload.processors:,}, so its jobs wait less here",
            error=True,
        )


register = adding(run, page="reference/schedulers.md", options={"help": HELP})
