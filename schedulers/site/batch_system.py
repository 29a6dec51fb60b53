"""What a site's batch system is configured with: its scheduler, priorities and shares."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from workload_tools.strict import Text

Count: TypeAlias = Annotated[int, Meta(ge=1)]
Number: TypeAlias = Annotated[int, Meta(ge=0)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0.0)]
Factor: TypeAlias = Annotated[float, Meta(ge=0.0)]


class SiteTable(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a site's file: what it does not know is an error."""


class Slurm(SiteTable, frozen=True, kw_only=True):
    """Slurm's own configuration; keys, defaults and units are those of its ``slurm.conf``."""

    version: Text | None = None
    """Such as ``22.05.8``; its rules have changed from version to version. Left out: 26.11."""
    backfill: bool = True
    """Whether ``SchedulerType`` is ``sched/backfill``."""
    bf_interval: Count = 30
    """Seconds between backfill's passes."""
    bf_resolution: Count = 60
    """Seconds of the grid of its plan, which counts from 1970."""
    bf_window: Count = 1440
    """Minutes that it plans ahead."""
    bf_max_job_test: Count = 500
    """Jobs that it looks at in a pass."""
    bf_max_job_user: Number = 0
    """Of each user; 0: any number, as in those that follow."""
    bf_max_job_part: Number = 0
    bf_max_job_assoc: Number = 0
    bf_max_job_start: Number = 0
    """Jobs that it starts in a pass."""
    bf_min_age_reserve: Number = 0
    """Seconds that a job has to wait before it is planned."""
    bf_min_prio_reserve: Number = 0
    """Priority that it needs for that."""
    bf_node_space_size: Count | None = None
    """Entries of its table of plans; left out: as many as `bf_max_job_test`."""
    bf_running_job_reserve: bool = False
    bf_licenses: bool = False
    bf_continue: bool = False
    sched_interval: Count = 60
    """Seconds between the main scheduler's full passes."""
    default_queue_depth: Count = 100
    """Jobs that it looks at when a job was submitted or has ended."""
    partition_job_depth: Number = 0
    batch_sched_delay: Number = 3
    """Seconds that it may wait before it looks at a job that was submitted."""
    defer: bool = False
    """Whether it looks at no job when that is submitted."""
    over_time_limit: Number = 0
    """Minutes that jobs may run beyond their limits."""
    kill_wait: Number = 30
    """Seconds after its limit at which backfill takes a job to end that has outlived it."""
    priority_type: Literal["basic", "multifactor"] = "multifactor"
    """``basic``: by submission."""
    priority_weight_age: Factor = 0.0
    priority_weight_fairshare: Factor = 0.0
    priority_weight_job_size: Factor = 0.0
    priority_weight_partition: Factor = 0.0
    priority_weight_qos: Factor = 0.0
    priority_weight_tres: Mapping[str, Factor] = {}
    """By resource, such as ``{cpu = 1000, "gres/gpu" = 3000}``."""
    accounting_storage_enforce: tuple[
        Literal["associations", "limits", "nojobs", "nosteps", "qos", "safe", "wckeys"], ...
    ] = ("limits",)
    """Without ``limits`` or ``safe``, which brings them, what a job used since the last computation
    is forgotten at its end."""
    fair_share_dampening_factor: Count = 1
    """By which the classic fair share divides usage over shares."""
    priority_max_age: Seconds = 604800.0
    """Of the age factor 1, in seconds."""
    priority_favor_small: bool = False
    priority_decay_half_life: Factor = 604800.0
    """Of usage, in seconds; 0: it never decays."""
    priority_calc_period: Seconds = 300.0
    """Between two computations of usage and priorities, in seconds."""
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
    """OpenPBS's own configuration: of its server and of ``sched_config``, by their keys."""

    version: Text | None = None
    scheduler_iteration: Count = 600
    """Seconds between the scheduler's cycles when nothing happens."""
    strict_ordering: bool = False
    backfill_depth: Number = 1
    """Top jobs that are planned."""
    opt_backfill_fuzzy: Literal["off", "low", "medium", "high"] = "low"
    by_queue: bool = True
    """Whether queues are gone through one after the other, by their priorities."""
    round_robin: bool = False
    sort_queues: bool = True
    job_sort_key: tuple[Text, ...] = ()
    """Such as ``cput LOW``; the first tells most."""
    job_sort_formula: Text | None = None
    """Of the server, such as ``queue_priority + 10 * eligible_time``; the highest is first."""
    eligible_time_enable: bool = False
    fair_share: bool = False
    fairshare_entity: Literal["euser", "egroup", "egroup:euser", "Account_Name", "queue"] = "euser"
    fairshare_usage_res: Text = "cput"
    """What usage counts; may be a formula, such as ``ncpus*walltime``."""
    fairshare_decay_time: Seconds = 86400.0
    """In seconds."""
    fairshare_decay_factor: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.5
    fairshare_enforce_no_shares: bool = True
    unknown_shares: Number = 0
    """Of those that `associations` does not name."""
    help_starving_jobs: bool = False
    max_starve: Seconds = 86400.0
    """After which a waiting job starves, in seconds."""


class Association(SiteTable, frozen=True, kw_only=True):
    """A branch or leaf of the tree of shares: an account, or a user's part of one."""

    account: Text
    """The account, or that of the user; a group of PBS's ``resource_group``."""
    user: Text | None = None
    """Left out: the account itself."""
    parent: Text = "root"
    """Of an account, the one that it is a part of."""
    shares: Number | Literal["parent"] = 1
    """``parent``: as if the user had the account's (Slurm)."""


class Qos(SiteTable, frozen=True, kw_only=True):
    """A quality of service of Slurm; its limits are among those of the site."""

    name: Text
    priority: Number = 0
    usage_factor: Factor = 1.0
    """Of usage that counts for shares."""
