"""The configuration of a site's batch system: scheduler, priorities and shares."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from workload_tools.strict import Text

Count: TypeAlias = Annotated[int, Meta(ge=1)]
Number: TypeAlias = Annotated[int, Meta(ge=0)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0.0)]
Factor: TypeAlias = Annotated[float, Meta(ge=0.0)]


class SiteTable(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a site's file. An unknown key is an error."""


class Slurm(SiteTable, frozen=True, kw_only=True):
    """Slurm's own configuration, with the keys, defaults and units of ``slurm.conf``."""

    version: Text | None = None
    """The version of Slurm, such as ``22.05.8``. Versions schedule differently. Left out: 26.11."""
    backfill: bool = True
    """True if ``SchedulerType`` is ``sched/backfill``."""
    bf_interval: Count = 30
    """Seconds between two passes of backfill."""
    bf_resolution: Count = 60
    """The step of backfill's time grid, in seconds. The grid counts from 1970."""
    bf_window: Count = 1440
    """Minutes that backfill plans ahead."""
    bf_max_job_test: Count = 500
    """The most jobs that backfill tries in a pass."""
    bf_max_job_user: Number = 0
    """The most jobs of a user that backfill considers in a pass. 0 means no limit, here and in the
    next three keys."""
    bf_max_job_part: Number = 0
    bf_max_job_assoc: Number = 0
    bf_max_job_start: Number = 0
    """The most jobs that backfill starts in a pass."""
    bf_min_age_reserve: Number = 0
    """Seconds that a job must wait before backfill reserves nodes for it."""
    bf_min_prio_reserve: Number = 0
    """Backfill reserves nodes only for jobs with at least this priority."""
    bf_node_space_size: Count | None = None
    """The most entries in backfill's table of free nodes. Left out: as `bf_max_job_test`."""
    bf_running_job_reserve: bool = False
    bf_licenses: bool = False
    bf_continue: bool = False
    sched_interval: Count = 60
    """Seconds between two full passes of the main scheduler."""
    default_queue_depth: Count = 100
    """The most jobs that the main scheduler tries after a submission or the end of a job."""
    partition_job_depth: Number = 0
    batch_sched_delay: Number = 3
    """After a pass of the main scheduler, a submission causes another only after these seconds."""
    defer: bool = False
    """True if a submission causes no pass of the main scheduler."""
    over_time_limit: Number = 0
    """Minutes that jobs may run beyond their time limits."""
    kill_wait: Number = 30
    """Backfill assumes that a job beyond its time limit ends this many seconds after the limit."""
    priority_type: Literal["basic", "multifactor"] = "multifactor"
    """``basic`` sorts the queue by submission."""
    priority_weight_age: Factor = 0.0
    priority_weight_fairshare: Factor = 0.0
    priority_weight_job_size: Factor = 0.0
    priority_weight_partition: Factor = 0.0
    priority_weight_qos: Factor = 0.0
    priority_weight_tres: Mapping[str, Factor] = {}
    """Weights by resource, such as ``{cpu = 1000, "gres/gpu" = 3000}``."""
    accounting_storage_enforce: tuple[
        Literal["associations", "limits", "nojobs", "nosteps", "qos", "safe", "wckeys"], ...
    ] = ("limits",)
    """What Slurm enforces. Without ``limits`` or ``safe`` (which implies ``limits``), Slurm loses
    part of the usage of a job that ends: the usage since the last computation."""
    fair_share_dampening_factor: Count = 1
    """The classic fair share divides usage / shares by this factor."""
    priority_max_age: Seconds = 604800.0
    """The waiting time at which the age factor reaches 1, in seconds."""
    priority_favor_small: bool = False
    priority_decay_half_life: Factor = 604800.0
    """The half-life of usage, in seconds; 0 means that usage never decays."""
    priority_calc_period: Seconds = 300.0
    """Seconds between two computations of usage and priorities."""
    priority_usage_reset_period: Literal[
        "none", "daily", "weekly", "monthly", "quarterly", "yearly"
    ] = "none"
    priority_flags: tuple[
        Literal[
            "accrue_always", "calculate_running", "depth_oblivious", "no_fair_tree",
            "incr_only", "max_tres", "max_tres_gres", "no_normal_all", "no_normal_assoc",
            "no_normal_part", "no_normal_qos", "no_normal_tres", "small_relative_to_time",
        ],
        ...,
    ] = ()  # fmt: skip


class OpenPbs(SiteTable, frozen=True, kw_only=True):
    """OpenPBS's configuration, with the keys of its server and of its file ``sched_config``."""

    version: Text | None = None
    scheduler_iteration: Count = 600
    """Seconds between two cycles of the scheduler if no job is submitted or ends."""
    strict_ordering: bool = False
    backfill_depth: Number = 1
    """The number of jobs at the head of the queue that get a reservation."""
    opt_backfill_fuzzy: Literal["off", "low", "medium", "high"] = "low"
    by_queue: bool = True
    """True if the scheduler goes through the queues one after the other, by priority."""
    round_robin: bool = False
    sort_queues: bool = True
    job_sort_key: tuple[Text, ...] = ()
    """Sort keys, such as ``cput LOW``. The first key is the most important."""
    job_sort_formula: Text | None = None
    """The server's formula, such as ``queue_priority + 10 * eligible_time``. The job with the
    highest value comes first."""
    eligible_time_enable: bool = False
    fair_share: bool = False
    fairshare_entity: Literal["euser", "egroup", "egroup:euser", "Account_Name", "queue"] = "euser"
    fairshare_usage_res: Text = "cput"
    """The resource whose usage counts for fair share, or a formula, such as ``ncpus*walltime``."""
    fairshare_decay_time: Seconds = 86400.0
    """Seconds between two decays of usage."""
    fairshare_decay_factor: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.5
    fairshare_enforce_no_shares: bool = True
    unknown_shares: Number = 0
    """The shares of users that `associations` does not name."""
    help_starving_jobs: bool = False
    max_starve: Seconds = 86400.0
    """The waiting time after which a job counts as starving, in seconds."""


class Association(SiteTable, frozen=True, kw_only=True):
    """An entry in the tree of shares: an account, or a user in an account."""

    account: Text
    """The account, or the user's account. In PBS, a group in the file ``resource_group``."""
    user: Text | None = None
    """The user. Left out: the entry is for the account itself."""
    parent: Text = "root"
    """The account that contains this account."""
    shares: Number | Literal["parent"] = 1
    """The number of shares. ``parent`` gives a user the shares of the account (Slurm)."""


class Qos(SiteTable, frozen=True, kw_only=True):
    """A quality of service (QOS) of Slurm. Its limits are in the site's table ``limits``."""

    name: Text
    priority: Number = 0
    usage_factor: Factor = 1.0
    """The usage of jobs is multiplied by this factor in fair share."""
