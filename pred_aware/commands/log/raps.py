"""The command `log raps`."""

from pathlib import Path
from typing import Annotated

from pred_aware.commands.options.groups import adding, argument, option
from pred_aware.commands.options.output import QuietOption
from pred_aware.errors import PredAwareError


def raps(
    run: Annotated[Path, argument("RUN", "Prefix of the run's files.")],
    *,
    workload: Annotated[Path, option("FILE", "The simulated workload.", "-w", "--workload")],
    output: Annotated[Path, option("LOG.swf", "The log to write.", "-o", "--output")],
    system: Annotated[str, option("", "The machine's name, without spaces.")] = "frontier",
    node_processors: Annotated[int, option("N", "Processors per node of the workload.", min=1)] = 1,
    printing: QuietOption,
) -> None:
    """Write a simulated schedule as input of the digital twin ExaDigiT/RAPS.

    The output contains the jobs of a workload with the starts and run times of a simulated
    schedule. The format is SWF with Frontier's 21 fields, for RAPS's loader `frontier_swf`. RAPS
    replays the schedule and simulates power and cooling. The command leaves out and counts jobs
    that did not run.

    For example:

        pred-aware log raps out/easy -w frontier.json -o easy.swf

        raps run --dataloader raps.dataloaders.frontier_swf --system frontier --replay easy.swf
    """
    from pred_aware.log.conversion import check_names
    from pred_aware.runs.jobs_table import read_table
    from pred_aware.runs.unpacked import read_unpacked
    from workload_tools.batsim.log import BatsimLog
    from workload_tools.errors import LogError
    from workload_tools.files import written_whole
    from workload_tools.log import gather
    from workload_tools.swf.writer import scheduled, write_frontier_to

    if not system or any(sign.isspace() or sign == ":" for sign in system):
        raise PredAwareError(f"--system is '{system}'. Give a name without spaces and ':'")
    path = Path(f"{run}_jobs.csv")
    check_names(workload, [output], read_too=[path])
    table = read_table(read_unpacked(path), path)
    if table["job_id"].duplicated().any():
        raise PredAwareError(
            f"{path}: has jobs of several workloads, but RAPS needs the jobs of one workload"
        )
    ran = table[table["starting_time"] >= 0.0]
    starts, times = ran["starting_time"].tolist(), ran["execution_time"].tolist()
    found = dict(zip(ran["job_id"], zip(starts, times, strict=True), strict=True))
    jobs = gather(BatsimLog(workload))
    unknown = sorted(set(found) - {job.id for job in jobs.jobs})
    if unknown:
        raise PredAwareError(
            f"{path}: job '{unknown[0]}' is not in {workload}. Give the run's workload with -w"
        )
    whole, left_out = scheduled(jobs, found)
    with written_whole(output, LogError) as file:
        write_frontier_to(file, whole, output, system=system, processors_a_node=node_processors)
    left = f"left out {left_out} that did not run"
    printing.print_lines([f"wrote {output}: {len(whole.jobs)} jobs, {left}"])


register = adding(raps, page="how-to/logs-swf.md")
