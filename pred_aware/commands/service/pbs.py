"""The commands for a PBS server: installation files, checks, and updates of waiting jobs."""

import sys
import time
from pathlib import Path
from typing import Annotated, Literal

from pred_aware.commands.options.groups import adding, argument, flag, option
from pred_aware.commands.options.output import PrintOptions, QuietOption
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say
from pred_aware.report.plural import counted


def pbs_hook(
    *,
    output: Annotated[Path, option("FILE.py", "The file to write.", "-o", "--output")],
    printing: QuietOption,
) -> None:
    """Write the PBS hook that requests soft walltimes from the service.

    The hook is one file for Python 3.6 and later, without dependencies. Read it before you install
    it. `service files` writes the hook with all other files, and prints the next commands.

    For example:

        pred-aware service pbs-hook -o pred_aware_hook.py
    """
    from pred_aware.production import pbs_hook as hook
    from workload_tools.files import written_whole

    printing.check({}, output=output)
    with written_whole(output) as file:
        file.write(Path(hook.__file__).read_bytes())
    printing.print_lines([f"the hook is in {output}"])


def pbs_check(
    *,
    hook: Annotated[str, option("NAME", "Name of the hook.")] = "pred_aware",
    user: Annotated[str, option("NAME", "User of the service.")] = "pred-aware",
    output: PrintOptions,
) -> None:
    """Check, as root on a PBS server, whether its jobs get soft walltimes.

    Checks the hook (present, enabled, events, alarm, version, settings), the service, the service
    user's access to the accounting files, and the scheduler's configuration. Shows the command that
    repairs each problem. Changes nothing.

    The exit code is 0 if every check succeeds, else 1.

    For example:

        pred-aware service pbs-check

        pred-aware service pbs-check --hook soft --json
    """
    import os

    from pred_aware.errors import PredAwareError
    from pred_aware.production.pbs_check import check_pbs
    from pred_aware.production.pbs_paths import CONFIGURATION, pbs_paths

    places = pbs_paths()
    if places is None:
        raise PredAwareError(f"there is no {CONFIGURATION}: run this on the PBS server")
    if os.geteuid() != 0:
        raise PredAwareError("only root can read hooks: run this command as root")
    if not hook.replace("_", "").replace("-", "").isalnum():
        raise PredAwareError(f"--hook {hook} is not a valid hook name")
    output.print_findings(check_pbs(places, hook=hook, user=user), well="Every check succeeded.")


def pbs_waiting(
    socket: Annotated[Path, argument("SOCKET", "The service's socket.")],
    *,
    every: Annotated[float, option("SECONDS", "Seconds between two rounds.", min=30.0)] = 60.0,
    except_queue: Annotated[
        list[str] | None, option("NAME", "Do not change this queue's jobs. Repeatable.")
    ] = None,
    except_user: Annotated[
        list[str] | None, option("NAME", "Do not change this user's jobs. Repeatable.")
    ] = None,
    dry_run: Annotated[bool, flag("Only list what would be changed.")] = False,
    once: Annotated[bool, flag("End after one round.")] = False,
    printing: QuietOption,
) -> None:
    """Update the predictions of waiting jobs on a PBS server.

    Every minute, the command requests an estimate of each waiting job from the service at SOCKET. A
    job whose estimate changed by a tenth or more gets a new soft walltime. The command runs at most
    four `qalter` per round, each for many jobs. Run the command as a manager of PBS, until you stop
    it. The command does not change jobs whose soft walltime another program changed, jobs that the
    hook ignores, and running jobs.

    For example:

        pred-aware service pbs-waiting /run/pred-aware/socket --dry-run --once

        pred-aware service pbs-waiting /run/pred-aware/socket --except-queue debug
    """
    from pred_aware.production.pbs_waiting import WaitingJobs

    waiting = WaitingJobs(
        socket, except_queues=except_queue or (), except_users=except_user or (), dry=dry_run
    )
    while True:
        try:
            changed = waiting.round()
        except PredAwareError as error:
            if once:
                raise
                # the next round may succeed
            say(f"pred-aware: {error}", error=True)
            changed = {}
        what = "would set" if dry_run else "set"
        printing.print_lines(
            f"{what} soft_walltime={soft} for {counted(len(jobs), 'job')}: {' '.join(jobs)}"
            for soft, jobs in changed.items()
        )
        if once:
            return
        time.sleep(every)


def service_files(
    folder: Annotated[Path, argument("DIR", "The new folder.")],
    *,
    pbs_home: Annotated[
        Path | None,
        option("FOLDER", "PBS_HOME, if it is neither the one of /etc/pbs.conf nor /var/spool/pbs."),
    ] = None,
    system: Annotated[
        Literal["pbs", "slurm"] | None,
        option("pbs|slurm", "The batch system.", shown="slurm if there is a slurm.conf but no PBS"),
    ] = None,
    printing: QuietOption,
) -> None:
    """Write the files for installing the service with PBS or Slurm.

    The files define the systemd unit with commented settings, and the service's user. For PBS,
    further files give access to the accounting files and contain the hook with dry-run settings.
    The command overwrites and installs nothing. It prints the next commands.

    For example:

        pred-aware service files pred-aware-files
    """
    import os

    from pred_aware.production.installing import (
        HIDDEN,
        PbsHost,
        SlurmHost,
        next_steps,
        slurm_host,
        write_service_files,
    )
    from pred_aware.production.pbs_paths import PbsPaths, pbs_paths

    program = Path(sys.prefix) / "bin" / "pred-aware"
    pbs, slurm = pbs_paths(), slurm_host(os.environ)
    if system == "slurm" and slurm is None:
        raise PredAwareError("--system slurm: no slurm.conf was found; set SLURM_CONF to its path")
    host: PbsHost | SlurmHost = PbsHost(pbs_home or (pbs or PbsPaths()).home)
    if slurm is not None and (system == "slurm" or not (system or pbs_home or pbs)):
        host = slurm
    names = write_service_files(folder, host, program=program)
    printing.print_lines([f"{folder} has {', '.join(names)}."])
    if program.as_posix().startswith(HIDDEN):
        hidden = f"The unit hides {program} from the service (ProtectHome)"
        printing.print_lines([f"{hidden}: install pred-aware in /opt."])
    printing.print_lines(
        [
            "Read and adapt them. Then run as root on the server:",
            "",
            *(f"    {line}" for line in next_steps(folder, host, program)),
        ]
    )


register = adding(
    files=service_files,
    pbs_hook=pbs_hook,
    pbs_check=pbs_check,
    pbs_waiting=pbs_waiting,
    page="how-to/production.md",
)
