"""The digest that identifies a run, and what determines it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pred_aware.campaign.specification import LogOfCampaign, PolicyOfCampaign
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import options_for
from pred_aware.log.workload import Copy, Shake
from pred_aware.runs.provenance import digest_of, libraries_of, scheduler_provenance, source_digest
from pred_aware.simulator.simulation import Delays
from predictors.errors import OURS
from predictors.registry import PREDICTORS
from schedulers.around_backfilling import wait_limits
from schedulers.options import NEUTRAL, neutral_of
from schedulers.specification import specify
from workload_tools.formats import formats, open_log, recognised
from workload_tools.platform.platform import Platform

WHOLE: Mapping[str, int] = MappingProxyType(
    {"logs": 1, "measures": 3, "policy": 1, "shakes": 1, "simulator": 1}
)
"""Versions of the parts that all runs use: log readers, measures, policy engine, simulator.

The policy engine includes everything that has no entry in `PARTS`.
"""

RESAMPLES = 1
"""Version of resampling, for runs on resamples only."""

SITES = 4
"""Version of a site's nodes and rules, for runs on a site only."""

PARTS: Mapping[str, int] = MappingProxyType(
    {
        "backfilling SlurmBackfilling": 4,
        "max_wait ahead": 2,
        "max_wait backlog": 4,
        "max_wait overtaken": 2,
        "max_wait wait": 2,
        "machine Blocks": 2,
        "predictor LogBoosting": 2,
        "predictor PbsReleased": 2,
    }
)
"""Versions of parts, by kind and class (``predictor Knn``), or of limits (``max_wait backlog``).

A part whose results never changed has version 1.
"""

NEUTRAL_OF_PARTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "geometric_mean": {"weights": None},
        "lxf": {"head_start": 0.0, "exponent": 1.0, "ageing": 0.0},
        "openpbs": {"help_starving_jobs": None, "scheduler_iteration": 0, "strict_ordering": True},
        "safe": {"by": None},
    }
)
"""Options that were added to parts later, by the part's name, with the value of the old behaviour.

An option with this value is left out of a run's digest, so that a new option does not change the
digests of old runs. `schedulers.options.NEUTRAL` lists such options of whole schedulers.
"""


def versions_of(parts: Iterable[str]) -> dict[str, int]:
    """Return the versions of everything that a run with these parts depends on.

    Parameters
    ----------
    parts
        Kind and class of each part.

    Examples
    --------
    >>> versions_of(["predictor LastTwo"])["simulator"]
    1
    """
    return {**WHOLE, **{part: PARTS[part] for part in sorted(parts) if part in PARTS}}


FORMAT = 2
"""Version of the text that is hashed; increased when it changes."""

_PIECE = 1 << 20

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Identity:
    """The inputs of a run that come from its log, or those that come from its policy."""

    inputs: JsonObject
    """These inputs by name, as JSON values."""

    @cached_property
    def content(self) -> bytes:
        """The inputs as JSON with sorted names."""
        return msgspec.json.encode(self.inputs, order="sorted") + b"\n"

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of `content`, in hexadecimal digits."""
        return _sha256(self.content)


def of_log(log: LogOfCampaign) -> Identity:
    """Return the identity of a log: its content, and all changes to it.

    Raises
    ------
    PredAwareError
        The log cannot be read.
    """
    # report errors of the format or its options before reading the file
    open_log(log.file, format=log.format, options=log.options)
    (name,) = (log.format,) if log.format else recognised(log.file)
    values: JsonObject = {
        "sha256": digest_of_file(log.file),
        "format": name,
        "options": dict(log.options),
        "clean": list(log.clean),
        "load": log.load,
        "missing_walltime": log.missing_walltime,
        "processors": log.processors,
        "platform": None if log.platform is None else digest_of(Platform.read(log.platform)),
    }
    if log.site is not None:
        values["site"] = {"version": SITES, **log.site}
    point = formats().get(name)
    if point is not None and point.module.partition(".")[0] not in OURS:
        values["reader_sha256"] = source_digest(point.load())
    return Identity(values)


def of_policy(policy: PolicyOfCampaign, *, delays: Delays) -> Identity:
    """Return the identity of a policy: all options, including defaults, and versions of its parts.

    Raises
    ------
    PredictorError, SchedulerError
        The policy cannot be created.
    """
    options = options_for(policy.scheduler, policy.options, delays=delays)
    parts = specify(policy.scheduler, options).parts
    provenance = scheduler_provenance(policy.scheduler, options)
    chosen = _determining(provenance["scheduler"]["options"])
    scheduler = {"name": policy.scheduler, "options": chosen}
    kept = {
        key: provenance[key]
        for key in ("own_parts", "history_sha256", "machine_sha256")
        if provenance.get(key)
    }
    computing = libraries_of(part.factory for part in parts if part.kind == PREDICTORS.kind)
    names = [f"{part.kind} {part.factory.__qualname__}" for part in parts]
    max_wait = chosen.get("max_wait")
    if max_wait is not None:
        names += [f"max_wait {limit}" for limit in wait_limits(max_wait)]
    return Identity(
        {
            "scheduler": scheduler,
            "delays": delays,
            **kept,
            "libraries": computing,
            "versions": versions_of(names),
        }
    )


def digest_of_run(
    log: Identity,
    policy: Identity,
    *,
    copy: Copy | None,
    tau: float,
) -> str:
    """Return the digest that identifies a run.

    It combines the digests of log and policy, so that 100,000 digests take less than a second.

    Parameters
    ----------
    log, policy
        The identities of log and policy.
    copy
        The perturbed copy or resample; ``None`` for the unperturbed log.
    tau
        Shortest run time in bounded slowdowns, in seconds.
    """
    copy_text = "as it is"
    if isinstance(copy, Shake):
        copy_text = f"{copy.seed} {copy.max_shift!r}"
    elif copy is not None:
        copy_text = f"{copy} {RESAMPLES}"
    return _sha256(f"{FORMAT}\n{log.digest}\n{policy.digest}\n{copy_text}\n{tau!r}\n".encode())


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files in a folder.

    Raises
    ------
    PredAwareError
        A file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for file in _files(path):
            if file != path:
                digest.update(f"{file.relative_to(path)}\0".encode())
            with file.open("rb") as opened:
                while piece := opened.read(_PIECE):
                    digest.update(piece)
    except OSError as error:
        raise PredAwareError(f"{path}: cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in sorted(path.rglob("*")) if file.is_file())
    else:
        yield path


def _determining(options: Mapping[str, Any]) -> JsonObject:
    """Return the options without neutral values, and without paths that digests replace."""
    determining = {
        name: _without_neutral(value, name)
        for name, value in options.items()
        if NEUTRAL.get(name, _NONE) != value
    }
    for option in ("history", "machine"):
        given = determining.get(option)
        if isinstance(given, Mapping):
            determining[option] = {
                key: value
                for key, value in given.items()
                if key != "file" or not isinstance(value, str)
            }
        elif given is not None:
            determining[option] = {}
    return determining


def _without_neutral(options: Any, of: str = "") -> Any:  # noqa: ANN401 - JSON
    """Return a part's options, also of inner parts, without neutral values."""
    if isinstance(options, list):
        return [_without_neutral(one) for one in options]
    if not isinstance(options, Mapping):
        return options
    neutral = {
        **NEUTRAL_OF_PARTS.get(str(options.get("name")), {}),
        **(neutral_of(of) if of else {}),
    }
    return {
        name: _without_neutral(value)
        for name, value in options.items()
        if neutral.get(name, _NONE) != value
    }


_NONE = object()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
