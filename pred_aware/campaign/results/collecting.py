"""Finding what nobody needs in a store: leftovers of the killed, runs of a policy, unknown ones."""

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
"""Seconds after which what another machine has begun is taken for left."""


def leftovers(inventory: Inventory) -> list[Path]:
    """Return what was begun by processes that are gone; of other machines, a day ago.

    And logs of jobs that nobody has written to for a day.
    """
    begun = [path for path in inventory.store.leftovers() if _is_left(path)]
    return begun + [path for path in inventory.store.job_logs() if _is_old(path)]


def runs_of(inventory: Inventory, policies: Sequence[str]) -> list[str]:
    """Return the digests of the runs that are there of some policies of a campaign.

    Raises
    ------
    PredAwareError
        The campaign has no such policy.
    """
    names = [policy.name for policy in inventory.specification.policies]
    for name in policies:
        if name not in names:
            raise PredAwareError(f"the campaign has no policy '{name}': {nearest(name, names)}")
    wanted = {number for number, name in enumerate(names) if name in policies}
    return sorted(_known(inventory, wanted) & inventory.store.digests())


def unknown(inventories: Iterable[Inventory]) -> list[str]:
    """Return the digests of the runs in a store that none of some campaigns has.

    Raises
    ------
    PredAwareError
        They have several stores, or a log can't be read, so that nobody knows its runs.
    """
    campaigns = list(inventories)
    stores = {one.store.folder.resolve() for one in campaigns}
    if len(stores) > 1:
        raise PredAwareError(f"these campaigns have {len(stores)} stores; clear one at a time")
    known = set()
    for one in campaigns:
        known |= _known(one, set(range(len(one.specification.policies))))
        exact = exact_campaign(one.specification)
        if exact is not None:
            # `campaign table --bounds` made these
            known |= _known(Inventory(exact), set(range(len(exact.policies))))
        if one.unreadable:
            name, reason = next(iter(one.unreadable.items()))
            raise PredAwareError(
                f"{name} can't be read, so nobody knows which runs are its: {reason}"
            )
    return sorted(campaigns[0].store.digests() - known)


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove what was begun, files and folders."""
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _known(inventory: Inventory, policies: set[int]) -> set[str]:
    """Return the digests of all runs that a campaign may ever want of some policies."""
    return {
        digest
        for log, one in enumerate(inventory.specification.logs)
        for policy in policies
        for copy in one.copies
        if (digest := inventory.digest(RunKey(log, policy, copy))) is not None
    }


def _is_left(path: Path) -> bool:
    """Say whether who began something is gone: names end in host, process and chance."""
    *_, host, process, _, _ = ("", "", *path.name.split("."))
    if host == socket.gethostname().replace(".", "-") and process.isdigit():
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            # somebody else's
            return False
        return False
    return _is_old(path)


def _is_old(path: Path) -> bool:
    try:
        newest = max(one.stat().st_mtime for one in (path, *path.glob("*")))
    except FileNotFoundError:
        return False
    return time.time() - newest > DAY
