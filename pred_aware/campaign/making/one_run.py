"""A single run of a campaign: found by name or digest, and shown."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.specification import RunKey
from pred_aware.campaign.store import MEASURED
from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Resample
from pred_aware.metrics import MEASURES
from pred_aware.report.table import Cell, Table, figure
from predictors.registry import nearest

RESAMPLE = "resample-"
FEWEST = 4
"""A user must give at least this number of a digest's first digits."""


def found(inventory: Inventory, name: str) -> str:
    """Return the digest of a run in the store.

    Parameters
    ----------
    inventory
        The campaign.
    name
        ``LOG:POLICY``, ``LOG:POLICY:COPY``, ``LOG:POLICY:resample-SEED``, or the start of the
        digest.

    Raises
    ------
    PredAwareError
        No run, or more than one, has this name or start of the digest.
    """
    if ":" in name:
        digest = inventory.finished(_place(inventory, name))
        if digest is None:
            raise PredAwareError(
                f"{name} does not exist yet; `pred-aware campaign run` makes all missing runs"
            )
        return digest
    alike = [one for one in inventory.store.digests() if one.startswith(name)]
    if len(name) < FEWEST or len(alike) != 1:
        why = f"{len(alike) or 'no'} digests begin with it"
        raise PredAwareError(
            f"'{name}': {why if len(name) >= FEWEST else f'give at least {FEWEST} digits'}; give "
            "the start of the run's digest, or LOG:POLICY:COPY, such as kth:easy:3"
        )
    return alike[0]


def _place(inventory: Inventory, name: str) -> RunKey:
    spec = inventory.specification
    log, _, rest = name.partition(":")
    names = [one.name for one in spec.policies]
    policy, shake = rest, ""
    if rest not in names and ":" in rest:
        policy, _, shake = rest.rpartition(":")
    for what, one, known in (
        ("log", log, [each.name for each in spec.logs]),
        ("policy", policy, names),
    ):
        if one not in known:
            raise PredAwareError(f"'{name}': the campaign has no {what} '{one}': "
                                 f"{nearest(one, known)}")  # fmt: skip
    number = shake.removeprefix(RESAMPLE)
    if shake and not (number.isascii() and number.isdigit() and int(number)):
        raise PredAwareError(
            f"'{name}': a perturbed copy is a number from 1 on, not '{shake}'; a resample is "
            f"{RESAMPLE} with a number, such as {RESAMPLE}1"
        )
    where = [each.name for each in spec.logs].index(log), names.index(policy)
    if not shake:
        return RunKey(*where)
    copy = spec.logs[where[0]].shake(int(number)) if number == shake else Resample(int(number))
    return RunKey(*where, copy)


def run_data(inventory: Inventory, digest: str) -> dict[str, Any]:
    """Return the data of a run in the store, with the names of its files."""
    store = inventory.store
    record = store.read(digest)
    return {
        **record,
        "log": store.part(record["log"]),
        "policy": store.part(record["policy"]),
        "measured": store.read(digest, MEASURED),
        "files": sorted(one.name for one in store.place(digest).iterdir()),
    }


def run_tables(inventory: Inventory, digest: str) -> Iterator[Table]:
    """Yield tables of a run: its inputs, its costs, and its measures."""
    run = run_data(inventory, digest)
    determines = {
        "digest": digest,
        **_copy(run),
        **{f"log's {name}": _text(value) for name, value in run["log"].items() if value},
        **{f"policy's {name}": _text(value) for name, value in run["policy"].items() if value},
    }
    yield Table("Inputs", ("", "value"), tuple(determines.items()), words=True)
    took = {name: _text(value) for name, value in run["measured"].items()}
    yield Table("Costs", ("", "value"), tuple(took.items()), words=True)
    rows = []
    for name, value in run["figures"].items():
        measure = MEASURES.get(name)
        unit = "" if measure is None else measure.unit
        rows.append((name, figure(value) if value is not None else Cell("-", None), unit))
    yield Table("Measures", ("", "value", "unit"), tuple(rows))


def _copy(run: Mapping[str, Any]) -> dict[str, str]:
    if "resample" in run:
        return {"resample": str(run["resample"])}
    return {"perturbed copy": "none" if run["seed"] is None else str(run["seed"])}


def _text(value: Any) -> str:  # noqa: ANN401 - from a record
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
