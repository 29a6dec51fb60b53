"""Parsing of OpenPBS texts: ``qstat -f`` attributes, ``qmgr`` directives, ``sched_config``."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from workload_tools.pbs.quantities import count, gibibytes, seconds

_NAME = re.compile(r"^(Server|Queue): (\S+)$")
_ATTRIBUTE = re.compile(r"^    ([\w.]+)\s*= ?(.*)$")
_DIRECTIVE = re.compile(r"^set (server|queue) (?:(\S+) )?([\w.]+) (\+?=) (.*)$")
_QUOTE = re.compile(r'(?<!\\)"')
_AFTER_TEXT = re.compile(r'\s*(?:$|[:}\]]|,\s*["{\[])')
_ODD_NUMBER = re.compile(r"([:,\[]\s*)(-?0[0-9][\w.]*)")
Attributes = dict[str, str]


def of_qstat(text: str) -> dict[str, Attributes]:
    r"""Return the attributes of servers or queues from the output of ``qstat -Bf`` or ``-Qf``.

    Examples
    --------
    >>> of_qstat("Queue: workq\n    enabled = True\n    acl_users = ann,\n\tbob\n\n")
    {'workq': {'enabled': 'True', 'acl_users': 'ann,bob'}}
    """
    found: dict[str, Attributes] = {}
    last = ""
    attributes: Attributes = {}
    for line in text.split("\n"):
        name, attribute = _NAME.match(line), _ATTRIBUTE.match(line)
        if name is not None:
            attributes, last = found.setdefault(name[2], {}), ""
        elif attribute is not None:
            last = attribute[1]
            attributes[last] = attribute[2].strip()
        elif line.startswith("\t") and last in attributes:
            attributes[last] += line.strip()
    return found


def of_qmgr(text: str) -> tuple[Attributes, dict[str, Attributes]]:
    r"""Return the attributes of server and queues from the output of ``qmgr -c 'print server'``.

    Examples
    --------
    >>> of_qmgr("set queue q priority = 5\nset server max_run = [u:PBS_GENERIC=2]\n")
    ({'max_run': '[u:PBS_GENERIC=2]'}, {'q': {'priority': '5'}})
    """
    server: Attributes = {}
    queues: dict[str, Attributes] = {}
    for line in text.split("\n"):
        created = re.match(r"^create queue (\S+)$", line.strip())
        if created is not None:
            queues.setdefault(created[1], {})
        match = _DIRECTIVE.match(line.strip())
        if match is None:
            continue
        of, name, key, how, value = match.groups()
        attributes = server if of == "server" else queues.setdefault(name or "", {})
        text_of_value = value.strip().strip('"')
        attributes[key] = (
            f"{attributes[key]},{text_of_value}"
            if how == "+=" and key in attributes
            else text_of_value
        )
    return server, queues


def of_sched_config(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield each setting of ``sched_config``: line number, key, value and when the value applies.

    The last part is ``prime``, ``non_prime`` or ``all``.
    """
    for number, line in enumerate(text.split("\n"), 1):
        setting = line.partition("#")[0].strip()
        if ":" not in setting:
            continue
        key, _, rest = setting.partition(":")
        quoted = re.match(r'\s*"([^"]*)"\s*(\S*)', rest)
        value, when = quoted.groups() if quoted else (*rest.split(), "", "")[:2]
        yield number, key.strip(), value, when.lower() or "all"


def seconds_of(text: str) -> float:
    """Convert a duration such as ``24:00:00``, ``7:00:00:00`` or ``86400`` into seconds.

    Raises
    ------
    ValueError
        The text is not a duration.
    """
    found = seconds(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is not a duration")
    return found


def gib_of(text: str) -> float:
    """Convert an amount of memory into GiB; an amount without a unit is in bytes.

    Raises
    ------
    ValueError
        The text is not an amount of memory.

    Examples
    --------
    >>> gib_of("16gb"), gib_of("1048576kb")
    (16.0, 1.0)
    """
    found = gibibytes(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is not an amount of memory")
    return found


def count_of(text: str) -> int:
    """Convert a text into a count.

    Raises
    ------
    ValueError
        The text is not a count.
    """
    found = count(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is not a count")
    return found


def of_pbsnodes(text: str) -> dict[str, dict[str, Any]]:
    r"""Return the nodes in the output of ``pbsnodes -av``, as text or as JSON (``-F json``).

    PBS up to version 20 writes JSON with unescaped quotes inside texts and numbers with leading
    zeros; this function accepts such JSON.

    Raises
    ------
    ValueError
        The text is neither the text nor the JSON of ``pbsnodes -av``.

    Examples
    --------
    >>> of_pbsnodes("n1\n     state = free\n     resources_available.ncpus = 8\n")
    {'n1': {'resources_available': {'ncpus': '8'}, 'state': 'free'}}
    """
    if text.lstrip().startswith("{"):
        return _of_json(text)
    found: dict[str, dict[str, Any]] = {}
    node: dict[str, Any] | None = None
    for line in text.split("\n"):
        key, equals, value = line.partition(" = ")
        if line[:1].strip() and not equals:
            node = found.setdefault(line.strip(), {})
        elif equals and node is not None:
            place, _, name = key.strip().partition(".")
            node.setdefault("resources_available", {})
            if place == "resources_available":
                node[place][name] = value.strip()
            elif not name:
                node[place] = value.strip()
    if not any(found.values()):
        raise ValueError("is neither the text nor the JSON of `pbsnodes -av`")
    return found


def _of_json(text: str) -> dict[str, dict[str, Any]]:
    try:
        content = msgspec.json.decode(text)
    except msgspec.DecodeError:
        content = msgspec.json.decode(_repaired(text))
    nodes = content.get("nodes") if isinstance(content, dict) else None
    if not isinstance(nodes, dict):
        raise ValueError("has no nodes by name")  # noqa: TRY004 - the file is wrong, not an argument
    found = {}
    for name, node in nodes.items():
        resources = node.get("resources_available", {}) if isinstance(node, dict) else None
        readable = isinstance(resources, dict)
        found[name] = {**node, "resources_available": resources} if readable else {}
    return found


def _repaired(text: str) -> str:
    """Return PBS's JSON as valid JSON: inner quotes escaped, invalid numbers put into quotes."""
    parts: list[str] = []
    start = inside = 0
    for match in _QUOTE.finditer(text):
        at = match.start()
        if not inside:
            parts += _ODD_NUMBER.sub(r'\1"\2"', text[start:at]), '"'
            start, inside = at + 1, 1
        elif _AFTER_TEXT.match(text, at + 1):
            parts += text[start:at].replace('"', '\\"'), '"'
            start, inside = at + 1, 0
    rest = text[start:]
    return "".join((*parts, rest if inside else _ODD_NUMBER.sub(r'\1"\2"', rest)))


_NO_EFFECT_WORDS = """
server_state server_host scheduling total_jobs state_count acl_roots managers operators
default_queue log_events mailer mail_from mail_uid query_other_jobs resources_assigned flatuid
node_fail_requeue max_array_size pbs_license_info pbs_license_min pbs_license_max
pbs_license_linger_time license_count pbs_version eligible_time_enable scheduler_iteration
job_sort_formula backfill_depth max_concurrent_provision max_job_sequence_id job_history_enable
job_history_duration resv_enable resv_post_processing_time reserve_retry_time reserve_retry_init
power_provisioning python_restart_max_hooks python_restart_max_objects
python_restart_min_interval python_gc_min_interval python_sync_mom_hookfiles_timeout
est_start_time_freq comment rpp_retry rpp_highwater rpp_max_pkt_check jobscript_max_size
default_qsub_arguments default_qdel_arguments default_queue FLicenses rerunnable_on_failure
acl_host_enable acl_hosts acl_host_moms_enable job_requeue_timeout webapi_enable
sync_mom_hookfiles_timeout queue_type enabled started hasnodes Priority priority checkpoint_min
kill_delay alt_router from_route_only route_destinations route_held_jobs route_waiting_jobs
route_lifetime route_retry_time resources_default.ncpus default_chunk.ncpus
default_chunk.mpiprocs log_level has_nodes resend_term_delay clear_topjob_estimates_enable
"""
NO_EFFECT = frozenset(_NO_EFFECT_WORDS.split())
"""Attributes without an effect on scheduling, or that other parts of a site contain."""

NOT_MODELLED: Mapping[str, str] = {
    "acl_group_enable": "only members of some Unix groups may submit jobs",
    "acl_user_enable": "only some users may submit jobs",
    "resources_min": "jobs that request less than this are refused",
    "resources_available": "jobs wait if the server's or queue's jobs would use more than this",
    "resources_default": "jobs that do not request this resource get this amount",
    "default_chunk": "jobs that do not request this resource get this amount in each chunk",
    "max_queued_res": "jobs are refused if waiting and running jobs request more than this",
    "max_run_soft": "jobs above this limit come after other jobs, or may be preempted",
    "max_run_res_soft": "jobs above this limit come after other jobs, or may be preempted",
    "max_user_run_soft": "jobs above this limit come after other jobs, or may be preempted",
    "max_group_run_soft": "jobs above this limit come after other jobs, or may be preempted",
    "max_user_res": "jobs are held while the running jobs of their user use more than this",
    "max_group_res": "jobs are held while the running jobs of their group use more than this",
    "max_user_res_soft": "jobs above this limit come after other jobs",
    "max_group_res_soft": "jobs above this limit come after other jobs",
    "node_group_enable": "the nodes of a job belong to one group",
    "node_group_key": "the nodes of a job belong to one group",
    "queued_jobs_threshold": "jobs are refused if this many jobs wait",
    "queued_jobs_threshold_res": "jobs are refused if waiting jobs request more than this",
    "partition": "another scheduler handles the queue",
    "restrict_res_to_release_on_suspend": "suspended jobs keep some resources",
    "require_cred_enable": "only users with some credentials may submit jobs",
    "acl_resv_enable": "only some hosts may make reservations",
}
"""Effects that a site cannot express of the attributes of server and queues, by the part of the
attribute's name before the dot.
"""

SCHED_CONFIG: Mapping[str, str] = {
    "allow_aoe_calendar": "",
    "backfill": "",
    "backfill_prime": "jobs do not run across the start or end of prime time",
    "cpus_per_ssinode": "",
    "dedicated_prefix": "",
    "do_not_span_psets": "the nodes of a job belong to one placement set",
    "half_life": "",
    "load_balancing": "nodes are chosen by their load",
    "load_balancing_rr": "nodes are chosen in turn",
    "log_filter": "",
    "mem_per_ssinode": "",
    "node_sort_key": "nodes are chosen in another order",
    "nonprimetime_prefix": "",
    "only_explicit_psets": "",
    "peer_queue": "jobs of other servers also run here",
    "peer_translation": "",
    "preempt_order": "",
    "preempt_prio": "",
    "preempt_queue_prio": "",
    "preempt_sort": "",
    "preemptive_sched": "jobs may preempt running jobs",
    "prime_exempt_anytime_queues": "",
    "prime_spill": "jobs may run this long past the start or end of prime time",
    "primetime_prefix": "",
    "provision_policy": "",
    "resource_unset_infinite": "",
    "resources": "",
    "server_dyn_res": "a script determines the available amount of a resource",
    "mom_resources": "",
    "smp_cluster_dist": "nodes are chosen in another way",
    "sort_priority": "",
    "sync_time": "",
    "unknown_shares": "",
    "key": "",
}
"""Effects of keys of ``sched_config`` that a site cannot express; empty for keys without an
effect."""

EXPRESS = 150.0
"""Jobs of a queue with at least this priority preempt other jobs by default."""

OFF = frozenset(("", "false", "0", "pack", "0:00:00", "00:00:00"))
"""Values, in lower case, that switch a key of ``sched_config`` off."""
