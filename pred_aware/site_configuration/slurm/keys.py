"""Slurm's settings: which are read, which have no effect on scheduling, and which sites lack."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from workload_tools.slurm.amounts import NO_LIMIT, read_count

NOTHING = frozenset(("", "(null)", "N/A", "n/a", "NONE", "None", "none", "(null type)"))
_PAIR = re.compile(r'(?<!\w)([A-Za-z_][\w]*(?:\[\d+\])?)=("[^"]*"|\S*)')
_UNIT = re.compile(r"([0-9]{1,15}) (sec|min|usec|hours?|days?)")
_SECONDS = {"sec": 1.0, "min": 60.0, "usec": 1e-6, "hour": 3600.0, "day": 86400.0}
_CLOCK = re.compile(r"(?:([0-9]{1,9})-)?([0-9]{1,12})(?::([0-9]{1,12}))?(?::([0-9]{1,12}))?")
UNLIMITED = NO_LIMIT | {"INFINITE", "NONE", "N/A", "(null)", "4294967295"}


def config_settings(text: str) -> dict[str, tuple[str, str]]:
    """Return the settings in ``scontrol show config``: name and value, by the lower-case name."""
    found: dict[str, tuple[str, str]] = {}
    for line in text.split("\n"):
        match = re.match(r"(\w+(?:\[\d+\])?)\s*= ?(.*)", line)
        if match is not None:
            found[match[1].lower()] = match[1], match[2].strip()
    return found


def records(text: str, first: str) -> list[dict[str, str]]:
    r"""Return the records of ``scontrol show``, which begin with the key `first`.

    Examples
    --------
    >>> records("NodeName=a\n   State=IDLE Weight=1\n\nNodeName=b\n", "NodeName")
    [{'NodeName': 'a', 'State': 'IDLE', 'Weight': '1'}, {'NodeName': 'b'}]
    """
    parts = re.split(rf"(?:^|\n)(?={first}=)", text)
    return [dict(_PAIR.findall(part)) for part in parts if part.startswith(f"{first}=")]


def tables(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield the tables of ``sacctmgr -P`` in a text; the first line of each has the column names.

    A line without columns, such as a heading or an empty line, ends a table.
    """
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if "|" in line and not line.startswith("#"):
            rows.append(line.rstrip("\r").split("|"))
        elif rows:
            head, *rest = rows
            yield [dict(zip(head, row, strict=False)) for row in rest]
            rows = []


def seconds_of(text: str) -> float | None:
    """Convert a time of Slurm into seconds; ``None`` means no limit, a plain number is in minutes.

    Examples
    --------
    >>> seconds_of("5"), seconds_of("0-01:00"), seconds_of("00:05:00"), seconds_of("30 sec")
    (300.0, 3600.0, 300.0, 30.0)
    >>> seconds_of("2:30"), seconds_of("1-0"), seconds_of("UNLIMITED")
    (150.0, 86400.0, None)

    Raises
    ------
    ValueError
        The text is not a time.
    """
    if text.upper() in UNLIMITED:
        return None
    unit = _UNIT.fullmatch(text)
    if unit is not None:
        return float(unit[1]) * _SECONDS[unit[2].rstrip("s")]
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a time")
    days, *rest = match.groups()
    first, second, third = (None if part is None else int(part) for part in rest)
    assert first is not None
    if days is not None:
        return 86400.0 * int(days) + 3600.0 * first + 60.0 * (second or 0) + (third or 0)
    if third is not None:
        return 3600.0 * first + 60.0 * (second or 0) + third
    return 60.0 * first + (second or 0)


def count_of(text: str) -> int | None:
    """Convert a text into a count; ``None`` means no limit.

    Raises
    ------
    ValueError
        The text is not a count.
    """
    return None if text.upper() in UNLIMITED else read_count(text, "a count")


def listed(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list; for an empty value or ALL, an empty tuple."""
    if text in NOTHING or text.upper() == "ALL":
        return ()
    return tuple(filter(None, (part.strip() for part in text.split(","))))


Off: TypeAlias = tuple[str, ...]
"""Values, in lower case, that switch a setting off."""

_READ_WORDS = """
clustername enforcepartlimits accountingstorageenforce fairsharedampeningfactor defmempercpu
defmempernode licenses
killwait overtimelimit prioritycalcperiod prioritydecayhalflife priorityfavorsmall priorityflags
prioritymaxage prioritytype priorityusageresetperiod priorityweightage priorityweightfairshare
priorityweightjobsize priorityweightpartition priorityweightqos priorityweighttres
schedulerparameters schedulertype selecttype selecttypeparameters slurm_version nodename
partitionname privatedata
"""
READ = frozenset(_READ_WORDS.split())
"""Settings from which the site is made."""

_NO_EFFECT_WORDS = """
authalttypes authaltparameters authinfo authtype batchstarttimeout bcastexclude bcastparameters
boot_time clifilterplugins communicationparameters controladdr controlmachine backupaddr
backupcontroller corespecplugin cpufreqdef cpufreqgovernors credtype debugflags eiotimeout
epilog epilogmsgtime epilogslurmctld extsensorstype extsensorsfreq firstjobid getenvtimeout
gpufreqdef groupupdateforce groupupdatetime hash_val healthcheckinterval healthchecknodestate
healthcheckprogram inactivelimit interactivestepoptions jobfileappend jobcontainertype
jobcredentialprivatekey jobcredentialpubliccertificate killonbadexit launchparameters
launchtype logtimeformat maildomain mailprog maxdbdmsgs maxjobid maxnodecount maxstepcount
maxtaskspernode mcsparameters messagetimeout minjobage mpidefault mpiparams multiple_slurmd
next_job_id plugindir plugstackconfig prepparameters prepplugins proctracktype prolog
prologepilogtimeout prologflags prologslurmctld propagateprioprocess propagateresourcelimits
propagateresourcelimitsexcept rebootprogram reconfigflags requeueexit requeueexithold
resumefailprogram resvepilog resvprolog returntoservice routeplugin scronparameters slurm_conf
slurmuser srunepilog srunportrange srunprolog statesavelocation switchparameters switchtype
taskepilog taskplugin taskpluginparam taskprolog tcptimeout tmpfs topologyparam treewidth usepam
unkillablestepprogram unkillablesteptimeout vsizefactor waittime x11parameters slurmctldaddr
slurmctldparameters cryptotype federationparameters fedparameters dependencyparameters
disablerootjobs hashplugin certmgrtype certgentype certgenparameters certmgrparameters tlstype
tlsparameters namespacetype datadebug urlparserplugin extractiontime metricstype
metricsparameters hashval schedulertimeslice schedulerport schedulerrootfilter cachegroups
checkpointtype jobcheckpointdir salloccmd sallocdefaultcommand sluctldmaxrpc mailserver
prioritysitefactorparameters powerparameters stepmgr include slurmctldplugstack nodesetname
maxarraysize maxjobcount
"""
NO_EFFECT = frozenset(_NO_EFFECT_WORDS.split())
"""Settings of ports, paths, logs, programs and time-outs, which do not affect the order or start of
jobs."""

NO_EFFECT_BEGINS = (
    "accountingstorage", "accountingstoreflags", "acctgather", "jobacctgather", "jobcomp",
    "slurmctld", "slurmd", "slurmsched", "suspend", "resume", "burstbufferparam",
)  # fmt: skip
"""Settings with these prefixes do not affect the order or start of jobs either, except those in
`NOT_MODELLED`.
"""

_NOTHING: Off = ("no", "0", "none", "n/a", "unlimited")

NOT_MODELLED: Mapping[str, tuple[Off, str]] = {
    "allowspecresourcesusage": (_NOTHING, "jobs may use cores reserved for the system"),
    "burstbuffertype": (_NOTHING, "jobs wait for space in burst buffers"),
    "completewait": (
        (*_NOTHING, "0 sec"),
        "jobs wait up to this long while another job is completing",
    ),
    "defcpupergpu": (_NOTHING, "jobs that request only GPUs get this many CPUs for each GPU"),
    "defmempergpu": (_NOTHING, "jobs that request GPUs get this much memory for each GPU"),
    "jobdefaults": (_NOTHING, "jobs that request GPUs get CPUs or memory for each GPU"),
    "jobrequeue": ((), "-"),
    "jobsubmitplugins": (
        _NOTHING,
        "a script may change or refuse jobs; a log has the changed, not the original request",
    ),
    "maxmempercpu": (
        _NOTHING,
        "jobs that request more memory per CPU get more CPUs or are refused",
    ),
    "maxmempernode": (_NOTHING, "jobs that request more memory per node are refused"),
    "mcsplugin": (("mcs/none",), "nodes are not shared between groups of users"),
    "nodefeaturesplugins": (_NOTHING, "nodes may restart to change their features for a job"),
    "powerplugin": (_NOTHING, "power limits may delay jobs"),
    "preemptmode": (("off",), "preempted jobs are cancelled, requeued or suspended"),
    "preempttype": (
        ("preempt/none",),
        "jobs may preempt running jobs",
    ),
    "preemptexempttime": (
        (*_NOTHING, "00:00:00"),
        "jobs run at least this long before they are preempted",
    ),
    "priorityparameters": (_NOTHING, "priorities may differ"),
    "prioritysitefactorplugin": (_NOTHING, "a plugin adds to priorities"),
    "priorityweightassoc": (_NOTHING, "associations add to priorities"),
    "resvoverrun": ((*_NOTHING, "0 min"), "jobs may run beyond the end of their reservation"),
    "suspendtime": (
        ("infinite", "none", "-1"),
        "idle nodes are switched off, and jobs wait until the nodes are up again",
    ),
    "suspendprogram": ((), "-"),
    "topologyplugin": (
        ("topology/none", "topology/default", "topology/flat"),
        "jobs run on neighbouring nodes, and may wait for such nodes",
    ),
    "trackwckey": (("no", ""), "-"),
    "downnodes": ((), "some nodes are down when the controller starts; here they are available"),
    "nodeset": ((), "-"),
    "frontendname": ((), "front-end nodes start the jobs"),
    "grestypes": ((), "-"),
    "accountingstoragetres": ((), "-"),
}
"""For each setting, the values that switch the setting off, and its effect with other values; ``-``
means no effect.
"""

SCHEDULER: Mapping[str, str] = {
    "allow_zero_lic": "",
    "assoc_limit_stop": "a job that a limit of its association stops also stops the jobs after it "
    "in its partition; here it stops no other job",
    "bb_array_stage_cnt": "",
    "bf_allow_magnetic_resv": "backfill also starts jobs in magnetic reservations",
    "bf_busy_nodes": "backfill prefers nodes that have jobs",
    "bf_hetjob_immediate": "heterogeneous jobs start as soon as all their parts can start",
    "bf_hetjob_prio": "heterogeneous jobs have another priority",
    "bf_ignore_newly_avail_nodes": "backfill ignores nodes that became free during its pass",
    "bf_job_part_count_reserve": "backfill reserves for at most this many jobs of each partition",
    "bf_max_job_array_resv": "",
    "bf_max_job_user_part": "backfill considers at most this many jobs per user and partition",
    "bf_max_time": "",
    "bf_one_resv_per_job": "a job of several partitions gets a reservation in only one of them",
    "bf_topopt_enable": "backfill delays starts for better nodes",
    "bf_topopt_iterations": "",
    "bf_window_linear": "the time steps of the plan become longer for later dates",
    "bf_yield_interval": "",
    "bf_yield_rpc_cnt": "",
    "bf_yield_sleep": "",
    "build_queue_timeout": "",
    "correspond_after_task_cnt": "",
    "default_gbytes": "",
    "defer_batch": "batch jobs are not considered at their submission",
    "delay_boot": "jobs wait for nodes with the right features before nodes are restarted",
    "disable_hetjob_steps": "",
    "disable_job_shrink": "",
    "disable_user_top": "",
    "enable_hetjob_steps": "",
    "enable_user_top": "users may reorder their own jobs (scontrol top)",
    "extra_constraints": "jobs request nodes by properties that the nodes report",
    "ignore_constraint_validation": "",
    "ignore_numa": "",
    "ignore_prefer_validation": "",
    "kill_invalid_depend": "jobs whose dependency cannot be fulfilled are cancelled",
    "max_array_tasks": "job arrays with more tasks are refused",
    "max_depend_depth": "",
    "max_rpc_cnt": "the scheduler pauses while the controller handles this many requests",
    "max_sched_time": "a pass of the main scheduler ends after this many seconds",
    "max_script_size": "",
    "max_submit_line_size": "",
    "max_switch_wait": "jobs wait at most this long for nodes on few switches",
    "no_backup_scheduling": "",
    "no_env_cache": "",
    "nohold_on_prolog_fail": "",
    "pack_serial_at_end": "jobs of one CPU use the last nodes of the list",
    "preempt_reorder_count": "",
    "preempt_send_user_signal": "",
    "preempt_strict_order": "",
    "preempt_youngest_first": "",
    "prioritize_preempt_topo": "",
    "reduce_completing_frag": "",
    "requeue_delay": "",
    "requeue_setup_env_fail": "",
    "salloc_wait_nodes": "",
    "sbatch_wait_nodes": "",
    "sched_max_job_start": "the main scheduler starts at most this many jobs in a pass",
    "sched_min_interval": "",
    "spec_cores_first": "",
    "step_retry_count": "",
    "step_retry_time": "",
    "time_min_as_soft_limit": "backfill plans with --time-min, and kills jobs at --time; here a "
    "prediction replaces --time-min",
    "whole_hetjob": "",
    "whole_pack": "",
    "ui_latency": "",
}
"""Effects of ``SchedulerParameters`` that sites cannot express; empty if there is no effect."""

NODE: Mapping[str, tuple[Off, str]] = {
    "tmpdisk": ((), "-"),
    "corespeccount": (
        _NOTHING,
        "some cores are for the system; left out only if CPUEfctv is known",
    ),
    "cpuspeclist": (_NOTHING, "some cores are for the system; left out only if CPUEfctv is known"),
    "cpubind": ((), "-"),
    "owner": (_NOTHING, "the node has jobs of only one user"),
    "mcs_label": (_NOTHING, "the node has jobs of only one group"),
    "reason": ((), "-"),
    "reservationname": ((), "-"),
}
"""Settings of nodes, in the form of `NOT_MODELLED`."""

PARTITION: Mapping[str, tuple[Off, str]] = {
    "allowgroups": (("all", ""), "only members of some Unix groups may use the partition"),
    "allocnodes": (("all", ""), "users can submit jobs only from some hosts"),
    "alternate": (_NOTHING, "jobs use another partition while this partition is down"),
    "disablerootjobs": ((), "-"),
    "hidden": ((), "-"),
    "gracetime": ((*_NOTHING, "00:00:00"), "preempted jobs continue to run for this long"),
    "cpubind": ((), "-"),
    "exclusiveuser": (("no", ""), "nodes have jobs of one user at a time"),
    "exclusivetopo": (("no", ""), "blocks of nodes have one job at a time"),
    "exclusive": (("no", "none", ""), "jobs do not share nodes"),
    "lln": (("no", ""), "jobs use the nodes with the most idle CPUs"),
    "maxcpuspernode": (_NOTHING, "all its jobs together use at most this many CPUs of a node"),
    "maxcpuspersocket": (_NOTHING, "all its jobs together use at most this many CPUs of a socket"),
    "minnodes": (("0", "1", "unlimited", ""), "smaller jobs get this many nodes"),
    "rootonly": (("no", ""), "only root's jobs may use the partition"),
    "reqresv": (("no", ""), "only jobs of a reservation may use the partition"),
    "overtimelimit": (("none", "", "0"), "its jobs may run this many minutes beyond their limits"),
    "preemptmode": (("off", "", "none"), "its running jobs may be preempted"),
    "selecttypeparameters": (("none",), "its CPUs are shared in another way"),
    "jobdefaults": (_NOTHING, "jobs that request GPUs get CPUs or memory for each GPU"),
    "defcpupergpu": (_NOTHING, "jobs that request GPUs get this many CPUs for each GPU"),
    "defmempergpu": (_NOTHING, "jobs that request GPUs get this much memory for each GPU"),
    "maxmempercpu": (
        _NOTHING,
        "jobs that request more memory per CPU get more CPUs or are refused",
    ),
    "maxmempernode": (_NOTHING, "jobs that request more memory per node are refused"),
    "resumetimeout": ((), "-"),
    "suspendtime": (("infinite", "none", "", "-1"), "its idle nodes are switched off"),
    "suspendtimeout": ((), "-"),
    "powerdownonidle": (("no", ""), "its idle nodes are switched off"),
    "nodesets": ((), "-"),
    "topology": (_NOTHING, "its jobs run on neighbouring nodes"),
    "totalcpus": ((), "-"),
    "totalnodes": ((), "-"),
    "tres": ((), "-"),
    "priority": ((), "-"),
}
"""Settings of partitions, in the form of `NOT_MODELLED`."""


def is_off(value: str, off: Off) -> bool:
    """Return True if a value switches a setting off, or is Slurm's text for no value."""
    return value.lower() in off or (bool(off) and value in NOTHING)


def has_no_effect(name: str) -> bool:
    """Return True if a setting, in lower case, does not affect scheduling."""
    name = name.partition("[")[0]
    return name in NO_EFFECT or name.startswith(NO_EFFECT_BEGINS)
