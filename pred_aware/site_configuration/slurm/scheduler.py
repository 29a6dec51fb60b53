"""The table ``[slurm]`` of a site: settings of Slurm's scheduler and priorities."""

from collections.abc import Callable
from typing import Any, TypeVar, get_args

import msgspec

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import decimal, integer
from pred_aware.site_configuration.slurm.keys import (
    NOT_MODELLED,
    NOTHING,
    READ,
    SCHEDULER,
    config_settings,
    count_of,
    has_no_effect,
    is_off,
    seconds_of,
)
from schedulers.site.batch_system import Slurm
from schedulers.site.site import SiteError
from workload_tools.slurm.conf import Line, SlurmConfFile, read_conf_file

T = TypeVar("T")


class Settings:
    """The settings of Slurm.

    The controller's values (``scontrol show config``) take precedence over slurm.conf. If the
    values differ, slurm.conf was changed after the controller had read it.

    Parameters
    ----------
    folder
        The folder with ``config.txt`` or ``slurm.conf``, or both.
    """

    def __init__(self, folder: Folder) -> None:
        self.findings = folder.findings
        self._config_file, config = folder.text("config.txt")
        _, conf = folder.text("slurm.conf")
        path = folder.path / "slurm.conf"
        self.conf = read_conf_file(path) if conf else SlurmConfFile(path)
        if not config and not conf:
            folder.text(
                "config.txt",
                lacking="the scheduler's settings are unknown: Slurm's defaults are used",
            )
        self._running = config_settings(config)
        self._said: dict[str, tuple[str, str, str]] = {}
        for line in self.conf.settings:
            self._take(line, folder.findings)
        for line, name in self.conf.not_read:
            folder.findings.add(
                "not read", line.where, f"Include {name}",
                "the included file is not in slurm.conf's folder: its settings are unknown",
            )  # fmt: skip
        self._tell(folder.findings)

    def _take(self, line: Line, findings: Findings) -> None:
        if not line.settings:
            findings.add("unknown", line.where, line.text, "not a setting of Slurm")
        for key, value in line.settings.items():
            self._said[key] = line.names[key], value, line.where

    def _tell(self, findings: Findings) -> None:
        """Report all settings that the site does not contain."""
        for key in {**self._said, **self._running}:
            name, value = self._both(key)
            if key in READ:
                continue
            off, effect = NOT_MODELLED.get(key, ((), ""))
            if effect and effect != "-":
                if is_off(value, off):
                    findings.without_effect += 1
                else:
                    findings.add("not modelled", self.where(name), f"{name}={value}", effect)
            elif (
                effect == "-"
                or has_no_effect(key)
                or value in NOTHING
                or value.lower() in ("no", "0")
            ):
                findings.without_effect += 1
            else:
                findings.add(
                    "unknown", self.where(name), f"{name}={value}", "unknown to pred-aware"
                )

    def _both(self, key: str) -> tuple[str, str]:
        if key in self._running:
            return self._running[key]
        name, value, _ = self._said.get(key, (key, "", ""))
        return name, value

    def where(self, name: str) -> str:
        """Return where a setting is: the file, with its line if known."""
        key = name.lower()
        if key in self._running or key not in self._said:
            return self._config_file
        return self._said[key][2]

    def get(self, name: str) -> str:
        """Return the value of a setting; empty if it is not set."""
        value = self._both(name.lower())[1]
        return "" if value in ("(null)", "N/A") else value

    def value(self, name: str, read: Callable[[str], T]) -> T | None:
        """Return the converted value of a setting; ``None`` if it is not set or cannot be read."""
        return self.findings.read(self.where(name), (name, self.get(name)), read)

    def report_changes(self, findings: Findings) -> None:
        """Report settings of slurm.conf that differ from those of the running controller."""
        for key in READ & self._said.keys() & self._running.keys():
            name, said, where = self._said[key]
            runs = self._running[key][1]
            if _same(said) != _same(runs):
                findings.add(
                    "assumed", where, f"{name}={said}",
                    f"the running controller has {runs or 'nothing'}, which is used",
                )  # fmt: skip


def _same(text: str) -> object:
    """Return a value in a form in which different notations of the same value are equal."""
    value = text.strip().lower()
    value = {"yes": "all"}.get(value, value)
    # the controller prints times with a unit
    value = value.removesuffix(" sec").removesuffix(" min")
    try:
        return seconds_of(value) if value[:1].isdigit() else _sorted(value)
    except ValueError:
        return _sorted(value)


def _sorted(text: str) -> tuple[str, ...]:
    nothing = {one.lower() for one in NOTHING} | {"no", "0"}
    return tuple(sorted(part for part in text.replace("|", ",").split(",") if part not in nothing))


_FIELDS = {field.name: field for field in msgspec.structs.fields(Slurm)}
_WEIGHTS = ("Age", "FairShare", "JobSize", "Partition", "QOS")
_OF_SCHEDULER = frozenset(
    name
    for name in _FIELDS
    if name.startswith(("bf_", "sched_")) or name in ("default_queue_depth", "partition_job_depth",
    "batch_sched_delay", "defer")
)  # fmt: skip
_FLAGS = frozenset(get_args(get_args(_FIELDS["priority_flags"].type)[0]))
_ENFORCED = frozenset(get_args(get_args(_FIELDS["accounting_storage_enforce"].type)[0]))
_ALL_ENFORCED = ("associations", "limits", "qos", "safe", "wckeys")
_BASIC_UNTIL = (22, 5)
"""Up to this version, Slurm uses priority/basic if PriorityType is not set."""


def scheduler_of(settings: Settings, findings: Findings) -> Slurm:
    """Return the scheduler's settings; report settings that the site cannot take over.

    Raises
    ------
    SiteError
        A setting has an invalid value.
    """
    found: dict[str, Any] = {}
    version = settings.get("SLURM_VERSION")
    if version not in NOTHING:
        found["version"] = version
    kind = settings.get("SchedulerType")
    if kind == "sched/builtin":
        found["backfill"] = False
    elif kind not in ("", "sched/backfill"):
        findings.add(
            "not modelled", settings.where("SchedulerType"), f"SchedulerType={kind}",
            "another program schedules the jobs; here backfill is simulated",
        )  # fmt: skip
    found |= _parameters(settings, findings)
    over = settings.get("OverTimeLimit")
    if over.upper() == "UNLIMITED":
        findings.add(
            "not modelled", settings.where("OverTimeLimit"), "OverTimeLimit=UNLIMITED",
            "jobs may run past their limits without end; here they end at their limits",
        )  # fmt: skip
    elif over:
        found["over_time_limit"] = round((settings.value("OverTimeLimit", seconds_of) or 0.0) / 60)
    # a plain number is in seconds here, but in minutes for other times
    kill_wait = settings.value("KillWait", lambda text: integer(text.removesuffix(" sec")))
    if kill_wait is not None:
        found["kill_wait"] = kill_wait
    found |= _enforced(settings, findings)
    found |= _priority(settings, findings, version)
    scheduler = findings.convert(found, Slurm, "the scheduler's configuration")
    _tell_unfollowed(scheduler, settings, findings)
    return scheduler


def _tell_unfollowed(scheduler: Slurm, settings: Settings, findings: Findings) -> None:
    """Report settings that the site contains, but the simulated scheduler does not use."""
    unfollowed = (
        ("OverTimeLimit", f"={scheduler.over_time_limit} min", scheduler.over_time_limit > 0,
         "jobs may run this long past their limits; here they end at their limits"),
        ("SchedulerParameters", f"=bf_min_prio_reserve={scheduler.bf_min_prio_reserve}",
         scheduler.bf_min_prio_reserve > 0,
         "jobs of a lower priority get no reservation; here all jobs may get a reservation"),
        ("PriorityFlags", "=INCR_ONLY", "incr_only" in scheduler.priority_flags,
         "priorities never decrease; here they decrease as usage grows"),
    )  # fmt: skip
    for key, value, is_set, effect in unfollowed:
        if is_set:
            findings.add("not modelled", settings.where(key), f"{key}{value}", effect)
    if scheduler.backfill and not scheduler.bf_continue:
        findings.add(
            "assumed", settings.where("SchedulerParameters"), "bf_continue is not set",
            "a long backfill pass ends early if the system changes; here each pass takes no "
            "time and considers all allowed jobs",
        )  # fmt: skip


def _enforced(settings: Settings, findings: Findings) -> dict[str, Any]:
    """Return which limits of associations are enforced, if set."""
    setting = settings.get("AccountingStorageEnforce").lower()
    if not setting:
        return {}
    parts = {"all": _ALL_ENFORCED, "none": (), "0": ()}.get(setting, tuple(setting.split(",")))
    for part in parts:
        if part not in _ENFORCED:
            findings.add(
                "unknown", settings.where("AccountingStorageEnforce"),
                f"AccountingStorageEnforce={part}", "unknown to pred-aware",
            )  # fmt: skip
    return {"accounting_storage_enforce": tuple(part for part in parts if part in _ENFORCED)}


def _parameters(settings: Settings, findings: Findings) -> dict[str, Any]:
    """Return the settings in ``SchedulerParameters``."""
    found: dict[str, Any] = {}
    where = settings.where("SchedulerParameters")
    for part in settings.get("SchedulerParameters").split(","):
        name, _, value = (text.strip() for text in part.partition("="))
        key = name.lower()
        if name in NOTHING:
            continue
        if key == "bf_interval" and value == "-1":
            found["backfill"] = False
        elif key in _OF_SCHEDULER and _FIELDS[key].type is bool:
            found[key] = True
        elif key in (*_OF_SCHEDULER, "max_job_bf"):
            with findings.unless_unreadable(where, part, "treated as not set"):
                found["bf_max_job_test" if key == "max_job_bf" else key] = integer(value)
        elif key not in SCHEDULER:
            findings.add("unknown", where, f"SchedulerParameters={part}", "unknown to pred-aware")
        elif SCHEDULER[key]:
            findings.add("not modelled", where, f"SchedulerParameters={part}", SCHEDULER[key])
        else:
            findings.without_effect += 1
    return found


def _priority(settings: Settings, findings: Findings, version: str) -> dict[str, Any]:
    kind = settings.get("PriorityType").removeprefix("priority/")
    if kind not in ("basic", "multifactor"):
        numbers = [int(part) for part in version.split(".")[:2] if part.isdecimal()]
        old = bool(numbers) and tuple(numbers) <= _BASIC_UNTIL
        taken = "basic" if old else "multifactor"
        findings.add(
            "assumed" if not kind else "not modelled", settings.where("PriorityType"),
            f"PriorityType={kind or '(not set)'}", f"treated as priority/{taken}",
        )  # fmt: skip
        kind = taken
    found: dict[str, Any] = {"priority_type": kind}
    if kind == "basic":
        return found
    for name in _WEIGHTS:
        weight = settings.value(f"PriorityWeight{name}", count_of)
        field = {"FairShare": "fairshare", "JobSize": "job_size"}.get(name, name.lower())
        if weight:
            found[f"priority_weight_{field}"] = float(weight)
    weights = settings.value("PriorityWeightTRES", weights_of)
    if weights:
        found["priority_weight_tres"] = weights
    times = {
        "PriorityMaxAge": "priority_max_age",
        "PriorityDecayHalfLife": "priority_decay_half_life",
        "PriorityCalcPeriod": "priority_calc_period",
    }
    for name, field in times.items():
        seconds = settings.value(name, lambda text: seconds_of(text) or 0.0)
        if seconds is not None:
            found[field] = seconds
    factor = settings.value("FairShareDampeningFactor", count_of)
    if factor:
        found["fair_share_dampening_factor"] = factor
    found["priority_favor_small"] = settings.get("PriorityFavorSmall").lower() in ("yes", "1")
    return found | _flags(settings, findings)


def _flags(settings: Settings, findings: Findings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    flags = []
    for flag in settings.get("PriorityFlags").replace("|", ",").split(","):
        name = flag.strip().lower()
        if name in _FLAGS:
            flags.append(name)
        elif name == "fair_tree":
            findings.without_effect += 1
        elif flag.strip() not in NOTHING:
            findings.add(
                "unknown", settings.where("PriorityFlags"), f"PriorityFlags={flag}",
                "unknown to pred-aware",
            )  # fmt: skip
    if flags:
        found["priority_flags"] = tuple(flags)
    period = settings.get("PriorityUsageResetPeriod").lower()
    if period == "now":
        findings.add(
            "not modelled", settings.where("PriorityUsageResetPeriod"),
            "PriorityUsageResetPeriod=NOW", "the controller set usage to 0 when it started",
        )  # fmt: skip
    elif period not in ("", "none", "(null)"):
        found["priority_usage_reset_period"] = period
    return found


def weights_of(text: str, *, per_mib: float = 1.0) -> dict[str, float]:
    """Return weights of resources, by their names in lower case.

    Parameters
    ----------
    text
        A text such as ``CPU=1.0,Mem=0.25G,GRES/gpu=2.0``.
    per_mib
        Factor for a weight of memory without a unit; 1024 converts a weight per MiB into a weight
        per GiB.

    Examples
    --------
    >>> weights_of("CPU=1.0,Mem=0.25G,GRES/gpu=2", per_mib=1024.0)
    {'cpu': 1.0, 'mem': 0.25, 'gres/gpu': 2.0}
    """
    units = {"K": 2.0**20, "M": 2.0**10, "G": 1.0, "T": 2.0**-10, "P": 2.0**-20}
    found: dict[str, float] = {}
    for part in text.split(",") if text not in NOTHING else ():
        name, _, value = part.strip().partition("=")
        key, unit = name.lower(), value[-1:].upper()
        try:
            number = decimal(value[:-1] if unit in units else value)
        except ValueError:
            raise SiteError(f"the weight '{part}' of a resource is not a number") from None
        if key == "mem":
            number *= units.get(unit, per_mib)
        found[key] = max(0.0, number)
    return found
