"""Attributes and settings of OpenPBS that sites cannot express, and their effects."""

from collections.abc import Mapping

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
"""Names, states and logging, and settings that a site contains elsewhere."""

NOT_MODELLED: Mapping[str, str] = {
    "acl_group_enable": "only members of some Unix groups may use it",
    "acl_user_enable": "only some users may use it",
    "resources_min": "smaller jobs are refused",
    "resources_available": "jobs wait for the server's or queue's total",
    "resources_default": "jobs that do not request it get it",
    "default_chunk": "jobs that do not request it get it in each chunk",
    "max_queued_res": "jobs are refused if waiting and running ones request more",
    "max_run_soft": "jobs above it come after others, or may be preempted",
    "max_run_res_soft": "jobs above it come after others, or may be preempted",
    "max_user_run_soft": "jobs above it come after others, or may be preempted",
    "max_group_run_soft": "jobs above it come after others, or may be preempted",
    "max_user_res": "jobs are held while their user has more",
    "max_group_res": "jobs are held while their group has more",
    "max_user_res_soft": "jobs above it come after others",
    "max_group_res_soft": "jobs above it come after others",
    "node_group_enable": "jobs run on nodes of one group",
    "node_group_key": "jobs run on nodes of one group",
    "queued_jobs_threshold": "jobs are refused if this many wait",
    "queued_jobs_threshold_res": "jobs are refused if waiting ones request more",
    "partition": "another scheduler handles it",
    "restrict_res_to_release_on_suspend": "suspended jobs keep some resources",
    "require_cred_enable": "only some users may use it",
    "acl_resv_enable": "only some hosts may reserve",
}
"""Attributes of server and queues, by the part before the dot."""

SCHED_CONFIG: Mapping[str, str] = {
    "allow_aoe_calendar": "",
    "backfill": "",
    "backfill_prime": "jobs do not run across the limits of prime time",
    "cpus_per_ssinode": "",
    "dedicated_prefix": "",
    "do_not_span_psets": "jobs do not use nodes of several sets",
    "half_life": "",
    "load_balancing": "nodes are chosen by their load",
    "load_balancing_rr": "nodes are chosen in turn",
    "log_filter": "",
    "mem_per_ssinode": "",
    "node_sort_key": "nodes are chosen in another order",
    "nonprimetime_prefix": "",
    "only_explicit_psets": "",
    "peer_queue": "jobs are taken from other servers",
    "peer_translation": "",
    "preempt_order": "",
    "preempt_prio": "",
    "preempt_queue_prio": "",
    "preempt_sort": "",
    "preemptive_sched": "jobs take resources from running ones",
    "prime_exempt_anytime_queues": "",
    "prime_spill": "jobs may run this far across the limits of prime time",
    "primetime_prefix": "",
    "provision_policy": "",
    "resource_unset_infinite": "",
    "resources": "",
    "server_dyn_res": "a script determines the amount",
    "mom_resources": "",
    "smp_cluster_dist": "nodes are chosen in another way",
    "sort_priority": "",
    "sync_time": "",
    "unknown_shares": "",
    "key": "",
}
"""Keys of ``sched_config`` with their effects that sites cannot express; empty for none."""

EXPRESS = 150.0
"""Priority of a queue from which its jobs preempt others by default."""

OFF = frozenset(("", "false", "0", "pack", "0:00:00", "00:00:00"))
"""Values that switch a key off, in lower case."""
