"""A real Slurm of this machine alone: munge, a controller and two nodes, all of them as root.

It needs Debian's packages slurmctld, slurmd, slurm-client and munge; no systemd, no cgroups and no
database. Everything it writes is in a folder of its own, it listens on free ports of the loopback
address, and when its context ends nothing of it is left, jobs neither.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
NODES = 2
CPUS = 4
PATIENCE = 60.0
_SBIN = "/usr/sbin"

CONF = """\
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge,cred_expire=10
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmdSpoolDir={folder}/spool/%n
StateSaveLocation={folder}/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
KillWait=2
MinJobAge=300
SlurmctldTimeout=30
SlurmdTimeout=60
"""


def why_not() -> str | None:
    """Say why it cannot be had here; ``None`` where it can."""
    if os.geteuid():
        return "a Slurm of one machine needs root"
    missing = [name for name in PROGRAMS if _program(name) is None]
    if missing:
        packages = "slurmctld slurmd slurm-client munge"
        return f"{', '.join(missing)} not there: apt-get install --no-install-recommends {packages}"
    return None


class SlurmHere:
    """The Slurm, a context; its commands find it by the variable that `environment` has.

    Parameters
    ----------
    job_submit
        The script of the controller's job_submit/lua plugin.

    Attributes
    ----------
    environment : dict of str
        What processes need that call its commands.
    """

    def __init__(self, job_submit: str | None = None) -> None:
        self._job_submit = job_submit
        self._second = int(time.time())
        self._ended = ExitStack()
        self._daemons: dict[str, int] = {}

    def __enter__(self) -> Self:
        """Start it; it answers and its nodes are idle."""
        with ExitStack() as failed:
            failed.callback(self.__exit__)
            # names of sockets are short
            self._folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))
            self._ended.callback(shutil.rmtree, self._folder, ignore_errors=True)
            self.environment = {"SLURM_CONF": str(self._folder / "slurm.conf")}
            self._write()
            self._ended.callback(self._end_daemons)
            self._start_munge()
            self.start_controller()
            for number in range(NODES):
                self._daemon("slurmd", "-N", f"n{number}", pid=f"n{number}.pid")
            self._until(lambda: self._idle() == NODES, "nodes are idle")
            self._ended.callback(self._end_jobs)
            failed.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End all that was started, and remove all that was written."""
        self._ended.close()

    def run(self, *command: str) -> str:
        """Run a command of Slurm's, and return what it prints."""
        done = self._try(*command)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout.strip()

    def write_job_submit(self, text: str) -> None:
        """Write the controller's job_submit.lua, which it reads at the next job."""
        script = self._folder / "job_submit.lua"
        script.write_text(text)
        # the controller reads a script again if the second of its date differs
        self._second += 1
        os.utime(script, (self._second, self._second))

    def log(self) -> str:
        """Return the controller's log."""
        return (self._folder / "slurmctld.log").read_text()

    def start_controller(self) -> None:
        """Start the controller, after it was stopped, too; it answers."""
        self._daemon("slurmctld", pid="slurmctld.pid")
        self._until(lambda: "UP" in self._try("scontrol", "ping").stdout, "slurmctld answers")

    def stop_controller(self) -> None:
        """Stop the controller, as for maintenance: it saves what it knows of jobs."""
        file = self._folder / "slurmctld.pid"
        _end(self._daemons.pop(file.name), signal.SIGTERM)
        file.unlink(missing_ok=True)

    def _write(self) -> None:
        for name in ("state", *(f"spool/n{number}" for number in range(NODES))):
            (self._folder / name).mkdir(parents=True)
        host = socket.gethostname().partition(".")[0]
        told = CONF.format(host=host, folder=self._folder, port=_free_port())
        for number in range(NODES):
            told += (
                f"NodeName=n{number} NodeAddr=127.0.0.1 NodeHostname={host} Port={_free_port()} "
                f"CPUs={CPUS} RealMemory=100000 State=UNKNOWN\n"
            )
        told += f"PartitionName=batch Nodes=n[0-{NODES - 1}] Default=YES MaxTime=60 State=UP\n"
        if self._job_submit is not None:
            told += "JobSubmitPlugins=lua\n"
            self.write_job_submit(self._job_submit)
        (self._folder / "slurm.conf").write_text(told)
        # read by versions that know it; 22.05 has no such plugin
        (self._folder / "cgroup.conf").write_text(
            "" if "22.05" in _said("slurmctld", "-V") else "CgroupPlugin=disabled\n"
        )

    def _start_munge(self) -> None:
        key = self._folder / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        names = {"key-file": "key", "socket": "munge", "pid-file": "munge.pid",
                 "log-file": "munge.log", "seed-file": "seed"}  # fmt: skip
        options = [f"--{option}={self._folder / name}" for option, name in names.items()]
        self._folder.chmod(0o755)
        self._daemon("munged", *options, pid="munge.pid")

    def _daemon(self, name: str, *options: str, pid: str) -> None:
        """Start one that goes into the background, and see to it that it is ended."""
        program = _program(name)
        assert program is not None
        done = subprocess.run(  # noqa: S603 - of Debian's packages
            [program, *options], env=os.environ | self.environment, text=True, check=False,
            capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, (name, done.stderr)
        file = self._folder / pid
        self._until(lambda: file.exists() and file.read_text().strip().isdigit(), f"{name} is up")
        self._daemons[pid] = int(file.read_text())

    def _idle(self) -> int:
        return int(self._try("sinfo", "-h", "-t", "idle", "-o", "%D").stdout.strip() or 0)

    def _end_jobs(self) -> None:
        self._try("scancel", "--user=root")
        with suppress(AssertionError):
            self._until(lambda: not self._try("squeue", "-h").stdout.strip(), "no job is left")

    def _end_daemons(self) -> None:
        for process in reversed(self._daemons.values()):
            _end(process, signal.SIGTERM)
        self._end_steps()

    def _end_steps(self) -> None:
        """End what outlives the nodes' daemons: processes that know this Slurm."""
        told = f"SLURM_CONF={self._folder / 'slurm.conf'}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                ours = told in (process / "environ").read_bytes().split(b"\0")
                if ours and int(process.name) != os.getpid():
                    os.kill(int(process.name), signal.SIGKILL)

    def _try(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - of Debian's packages
            command, env=os.environ | self.environment, text=True, check=False,
            capture_output=True, timeout=PATIENCE,
        )  # fmt: skip

    def _until(self, true: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + PATIENCE
        while not true():
            log = self._folder / "slurmctld.log"
            assert time.monotonic() < until, (what, log.exists() and log.read_text()[-2000:])
            time.sleep(0.1)


def _program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=_SBIN)


def _said(*command: str) -> str:
    program = _program(command[0])
    assert program is not None
    whole = [program, *command[1:]]
    return subprocess.run(whole, capture_output=True, text=True, check=True).stdout  # noqa: S603


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _end(process: int, how: signal.Signals) -> None:
    """End a process, at once if it does not end by itself, and wait for it."""
    for number in (how, signal.SIGKILL):
        until = time.monotonic() + PATIENCE / 6
        with suppress(ProcessLookupError):
            os.kill(process, number)
        while _is_there(process) and time.monotonic() < until:
            time.sleep(0.05)


def _is_there(process: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
