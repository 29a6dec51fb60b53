"""Attributes and settings of OpenPBS that a site does not have, and what they do."""

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
"""Names, states, logs, and what stands elsewhere in a site."""

NOT_MODELLED: Mapping[str, str] = {
    "acl_group_enable": "only members of some Unix groups may use it",
    "acl_user_enable": "only some users may use it",
    "resources_min": "smaller jobs are refused",
    "resources_available": "jobs wait for what the server or queue has in all",
    "resources_default": "jobs that do not ask for it get it",
    "default_chunk": "jobs that do not ask for it get it in each chunk",
    "max_queued_res": "jobs are refused when those that wait and run ask for more",
    "max_run_soft": "jobs above it come after others, or may be preempted",
    "max_run_res_soft": "jobs above it come after others, or may be preempted",
    "max_user_run_soft": "jobs above it come after others, or may be preempted",
    "max_group_run_soft": "jobs above it come after others, or may be preempted",
    "max_user_res": "jobs are held while their user has more",
    "max_group_res": "jobs are held while their group has more",
    "max_user_res_soft": "jobs above it come after others",
    "max_group_res_soft": "jobs above it come after others",
    "node_group_enable": "jobs are put on nodes that are alike",
    "node_group_key": "jobs are put on nodes that are alike",
    "queued_jobs_threshold": "jobs are refused when so many wait",
    "queued_jobs_threshold_res": "jobs are refused when those that wait ask for more",
    "partition": "another scheduler has it",
    "restrict_res_to_release_on_suspend": "suspended jobs keep some resources",
    "require_cred_enable": "only some users may use it",
    "acl_resv_enable": "only some hosts may reserve",
}
"""Attributes of the server and of queues, by the part before a dot."""

SCHED_CONFIG: Mapping[str, str] = {
    "allow_aoe_calendar": "",
    "backfill": "",
    "backfill_prime": "jobs do not run over the bounds of prime time",
    "cpus_per_ssinode": "",
    "dedicated_prefix": "",
    "do_not_span_psets": "jobs are not put on nodes of several sets",
    "half_life": "",
    "load_balancing": "jobs go to nodes by their load",
    "load_balancing_rr": "jobs go to nodes in turn",
    "log_filter": "",
    "mem_per_ssinode": "",
    "node_sort_key": "nodes are taken in another order",
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
    "prime_spill": "jobs may run so far over the bounds of prime time",
    "primetime_prefix": "",
    "provision_policy": "",
    "resource_unset_infinite": "",
    "resources": "",
    "server_dyn_res": "a script says how much there is",
    "mom_resources": "",
    "smp_cluster_dist": "jobs are put on nodes in another way",
    "sort_priority": "",
    "sync_time": "",
    "unknown_shares": "",
    "key": "",
}
"""Keys of ``sched_config``: what they do that no site says; empty: nothing here."""

EXPRESS = 150.0
"""Jobs of a queue with this priority or more take resources from running ones, as installed."""

OFF = frozenset(("", "false", "0", "pack", "0:00:00", "00:00:00"))
"""Values by which they do nothing, in lower case."""
