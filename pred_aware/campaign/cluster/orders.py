"""Orders for makers of runs elsewhere: a file in the store, which all of them see.

It says which campaign it is and by which version of pred-aware. That it can be read proves that the
store stands on a folder that is shared.
"""

import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.campaign.specification import (
    Limits,
    LogOfCampaign,
    PolicyOfCampaign,
    Specification,
)
from pred_aware.errors import PredAwareError
from pred_aware.version import __version__

NAME = "order.msgpack"


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """What is to be made, and by whom."""

    campaign: Specification
    path: list[str]
    """Where modules of somebody's own are found."""
    cores: int = 1
    """How many runs are made at once."""
    shares: list[int] | None = None
    """Where each element's share begins in the file of all of them, in bytes."""

    def write(self, folder: Path) -> None:
        """Write it into a folder.

        Raises
        ------
        OSError
            It can't be written.
        """
        told = {"pred_aware": __version__, "python": _python(), "order": self}
        content = msgspec.msgpack.encode(told, enc_hook=_as_text)
        (folder / NAME).write_bytes(content)


def order_for(campaign: Specification, *, cores: int, memory: float | None) -> WorkOrder:
    """Return what is told of a campaign to those who make its runs elsewhere.

    Parameters
    ----------
    campaign
        The campaign.
    cores
        How many runs are made at once.
    memory
        Bytes that each may take, if the campaign does not say; ``None`` for the machine's.
    """
    limits = campaign.limits
    given = [one for one in (limits.memory, memory) if one is not None]
    limits = Limits(min(given, default=None), limits.seconds)
    logs = tuple(map(_log_from_anywhere, campaign.logs))
    policies = tuple(map(_policy_from_anywhere, campaign.policies))
    store = campaign.store.absolute()
    told = replace(campaign, store=store, logs=logs, policies=policies, limits=limits)
    return WorkOrder(told, _own_path(), cores)


def read_order(folder: Path) -> WorkOrder:
    """Read what is told to those who make runs.

    Raises
    ------
    PredAwareError
        It is not there, or of another version of pred-aware or of Python.
    """
    file = folder / NAME
    here = socket.gethostname()
    try:
        told = msgspec.msgpack.decode(file.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise PredAwareError(
            f"{file}: can't be read on {here}: {why}; the store must stand on a folder that all "
            "machines share under one name"
        ) from error
    theirs = told.get("pred_aware"), told.get("python")
    ours = __version__, _python()
    if theirs != ours:
        raise PredAwareError(
            f"{here} has pred-aware {ours[0]} under Python {ours[1]} ({sys.executable}), and the "
            f"campaign was begun with {theirs[0]} under {theirs[1]}; name one environment for all"
        )
    return msgspec.convert(told["order"], WorkOrder, dec_hook=_from_text)


def _log_from_anywhere(log: LogOfCampaign) -> LogOfCampaign:
    platform = None if log.platform is None else log.platform.absolute()
    return replace(log, file=log.file.absolute(), platform=platform)


def _policy_from_anywhere(policy: PolicyOfCampaign) -> PolicyOfCampaign:
    """Name the files of a policy so that they are found from any folder."""
    options = dict(policy.options)
    for option in ("history", "machine"):
        given = options.get(option)
        if isinstance(given, str):
            options[option] = _absolute(given)
        elif isinstance(given, Mapping) and isinstance(given.get("file"), str):
            options[option] = {**given, "file": _absolute(given["file"])}
    return replace(policy, options=options)


def _absolute(name: str) -> str:
    """Return the whole path of what is a file here; of a part's name the name."""
    path = Path(name)
    return str(path.absolute()) if path.exists() else name


def _own_path() -> list[str]:
    """Return where modules are looked for, but for what an environment of Python brings."""
    brought = {Path(one).resolve() for one in (sys.prefix, sys.base_prefix)}
    found = []
    for entry in sys.path:
        path = Path(entry).resolve()
        if path.is_dir() and not brought & {path, *path.parents}:
            found.append(str(path))
    return found


def add_to_path(order: WorkOrder) -> None:
    """Let modules of somebody's own be found; those of this environment come first."""
    sys.path += [one for one in order.path if one not in sys.path]


def _python() -> str:
    return ".".join(map(str, sys.version_info[:2]))


def _as_text(value: Any) -> Any:  # noqa: ANN401 - what MessagePack does not have
    if isinstance(value, os.PathLike):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError


def _from_text(kind: type, value: Any) -> Any:  # noqa: ANN401 - what MessagePack does not have
    if issubclass(kind, Path):
        return Path(value)
    raise NotImplementedError
