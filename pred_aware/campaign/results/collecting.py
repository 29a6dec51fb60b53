"""Search for unneeded files in a store: leftovers of killed processes, and runs to remove."""

import os
import shutil
import socket
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.bounds import exact_campaign
from pred_aware.campaign.specification import RunKey
from pred_aware.errors import PredAwareError
from predictors.registry import nearest

DAY = 86400.0
"""Age in seconds after which another machine's unfinished files count as leftovers."""


def leftovers(inventory: Inventory) -> list[Path]:
    """Return unfinished files of ended processes, and of other machines if older than a day.

    Also return logs of batch jobs that did not change for a day.
    """
    begun = [path for path in inventory.store.leftovers() if _is_left(path)]
    return begun + [path for path in inventory.store.job_logs() if _is_old(path)]


def runs_of(inventory: Inventory, policies: Sequence[str]) -> list[str]:
    """Return the digests of the finished runs of some policies of a campaign.

    Raises
    ------
    PredAwareError
        The campaign does not have one of these policies.
    """
    names = [policy.name for policy in inventory.specification.policies]
    for name in policies:
        if name not in names:
            raise PredAwareError(f"the campaign has no policy '{name}': {nearest(name, names)}")
    return sorted(_known(inventory, policies) & inventory.store.digests())


def unknown(inventories: Iterable[Inventory]) -> list[str]:
    """Return the digests of the runs in a store that belong to none of the given campaigns.

    Raises
    ------
    PredAwareError
        The campaigns have different stores, or a log cannot be read, so that its runs are unknown.
    """
    campaigns = list(inventories)
    stores = {one.store.folder.resolve() for one in campaigns}
    if len(stores) > 1:
        raise PredAwareError(
            f"these campaigns have {len(stores)} stores; give campaigns with the same store"
        )
    known = set()
    for one in campaigns:
        known |= _known(one)
        # `campaign table --bounds` makes the runs with exactly known run times
        if (exact := exact_campaign(one.specification)) is not None:
            known |= _known(Inventory(exact))
        if one.unreadable:
            name, reason = next(iter(one.unreadable.items()))
            raise PredAwareError(
                f"{name} cannot be read, so its runs cannot be identified: {reason}"
            )
    return sorted(campaigns[0].store.digests() - known)


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove files and folders."""
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _known(inventory: Inventory, policies: Sequence[str] | None = None) -> set[str]:
    """Return the digests of all runs that a campaign may ever need, of all or some policies."""
    spec = inventory.specification
    return {
        digest
        for log, one in enumerate(spec.logs)
        for number, policy in enumerate(spec.policies)
        if policies is None or policy.name in policies
        for copy in one.copies
        if (digest := inventory.digest(RunKey(log, number, copy))) is not None
    }


def _is_left(path: Path) -> bool:
    """Return True if the process that wrote a file has ended, according to the file's name."""
    *_, host, process, _, _ = ("", "", *path.name.split("."))
    if host == socket.gethostname().replace(".", "-") and process.isdigit():
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            # the process belongs to another user and still runs
            return False
        return False
    return _is_old(path)


def _is_old(path: Path) -> bool:
    try:
        newest = max(one.stat().st_mtime for one in (path, *path.glob("*")))
    except FileNotFoundError:
        return False
    return time.time() - newest > DAY
