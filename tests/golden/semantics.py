"""What our own code makes of a made log, by the versions that stand for it in stores of runs.

``PRED_AWARE_RECORD=1 pytest -n 0 tests/golden/test_semantics.py`` records what is new. It refuses
to record other results under the same versions: then one of
``pred_aware/campaign/run_digest.py`` is to be raised.
"""

import gzip
import hashlib
import json
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pred_aware.campaign.kept_metrics import figures_of, groups_of
from pred_aware.campaign.run_digest import RESAMPLES, WHOLE, of_policy
from pred_aware.campaign.specification import PolicyOfCampaign
from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import JobLog, read_log
from pred_aware.log.workload import Workload
from predictors import PREDICTORS
from schedulers import COMBINATIONS
from schedulers.backfilling import BACKFILLINGS
from schedulers.corrections import CORRECTIONS
from schedulers.machine.block import Block, BlockList
from schedulers.machine.registry import ALLOCATIONS
from schedulers.orders import ORDERS

RECORD = "PRED_AWARE_RECORD=1 pytest -n 0 tests/golden/test_semantics.py"
RECORDED = Path(__file__).with_name("semantics.json")
JOBS = 300
PROCESSORS = 48
SLURM = {
    "priority_weight_age": 1000,
    "priority_weight_fairshare": 10000,
    "priority_weight_job_size": 500,
}
OPENPBS = {
    "fair_share": True,
    "job_sort_formula": "100 * fairshare_factor + ncpus // 8",
    "job_sort_key": ["walltime LOW"],
}
STRICT = {**OPENPBS, "strict_ordering": True, "backfill_depth": 3}
OPTIONS: dict[str, dict[str, Any]] = {
    "order multifactor": {"order": {"name": "multifactor", "slurm": SLURM}},
    "order pbs": {"order": {"name": "pbs", "openpbs": OPENPBS}},
    "order weighted": {"order": {"name": "weighted", "weights": {"sjf": 1.0, "wfp": 600.0}}},
}
"""Of parts that need some."""

Policy = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Result:
    """What came out, and what it is known by: versions of our code and of libraries."""

    versions: dict[str, int]
    libraries: dict[str, str]
    sha256: str

    def recorded(self) -> dict[str, Any]:
        """As it stands in the file."""
        return {"versions": self.versions, "libraries": self.libraries, "sha256": self.sha256}


def policies() -> dict[str, Policy]:
    """All schedulers, and all of their parts, each in a scheduler."""
    found: dict[str, Policy] = {f"scheduler {name}": (name, {}) for name in COMBINATIONS}
    found["max_wait"] = "easy", {"max_wait": 300}
    found["trust"] = "recommended", {"min_concordance": 0.55}
    found["delays"] = "easy_plus_plus", {}
    found["openpbs, strict"] = "openpbs", {"site": {"openpbs": STRICT}, "predictor": "last_two"}
    found["machine blocks"] = "wfp", {"machine": blocks_of_halves()}
    found["machine blocks, planned"] = "conservative", {"machine": blocks_of_halves()}
    for registry, option, scheduler in (
        (ORDERS, "order", "easy"),
        (BACKFILLINGS, "backfilling", "policy"),
        (CORRECTIONS, "correction", "easy_plus_plus"),
        (ALLOCATIONS, "allocation", "easy"),
        (PREDICTORS, "predictor", "easy_plus_plus"),
    ):
        for name in registry.names():
            case = f"{option} {name}"
            found[case] = scheduler, OPTIONS.get(case, {option: name})
    return found


def blocks_of_halves() -> BlockList:
    """The whole machine, its halves, theirs, and so on; pairs of the smallest share a wire."""
    blocks = [
        Block(f"{first}+{size}", ((first, first + size - 1),), (f"{first // 24}",) * (size == 6))
        for size in (48, 24, 12, 6, 3)
        for first in range(0, PROCESSORS, size)
    ]
    return BlockList("halves", PROCESSORS, tuple(blocks))


def made_log() -> JobLog:
    """The log that all are simulated on."""
    chance = random.Random(1)  # noqa: S311 - a made log
    lines, date = [f"; MaxProcs: {PROCESSORS}", "; UnixStartTime: 0"], 0
    for number in range(1, JOBS + 1):
        date += chance.choice((0, 5, 60, 300, 2000))
        user, kind = chance.randrange(1, 7), chance.randrange(1, 4)
        walltime = chance.choice((300, 900, 3600, 7200)) * kind
        run_time = round(walltime * chance.choice((0.02, 0.1, 0.1 * user, 0.9, 1.0)))
        size = min(PROCESSORS, chance.choice((1, 2, 3, 5, 8, 13, 24)) * kind)
        asked = -1 if number % 50 == 0 else walltime
        lines.append(
            f"{number} {date} {chance.randrange(900)} {run_time} {size} -1 -1 {size} {asked} -1 1 "
            f"{user} {user % 2 + 1} {kind} {user % 3 + 1} 1 -1 -1"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.swf"
        path.write_text("\n".join(lines) + "\n")
        return read_log(path, clean=["job>=290 and user=2", "warm-up=1%"], load=1.1)


def of_a_policy(log: JobLog, case: str, policy: Policy) -> Result:
    """Simulate a policy, and say what came out."""
    scheduler, options = policy
    delays = "batsim" if case == "delays" else "none"
    told = of_policy(PolicyOfCampaign(case, scheduler, options), delays=delays).inputs
    run = simulate(log, scheduler, options=options, delays=delays)
    content = (run.content("jobs") or b"") + (run.content("estimates") or b"")
    return Result(told["versions"], told["libraries"], _sha256(content))


def of_the_rest(log: JobLog) -> Iterator[tuple[str, Result]]:
    """Yield what reading, shaking, resampling and measuring give."""
    run = simulate(log, "easy")
    # the log is of two days, and weeks are rearranged
    content = re.sub(rb'"subtime":(\d+)', lambda date: b'"subtime":%d' % (20 * int(date[1])),
                     log.workload.raw.content)  # fmt: skip
    resampled = Workload.of(content).resampled(7).raw.content
    yield "resamples", Result({"resamples": RESAMPLES}, {}, _sha256(resampled))
    measured = json.dumps(figures_of(run, tau=10.0)).encode()
    for case, content in (
        ("logs", log.workload.raw.content),
        ("shakes", log.workload.shaken(7, max_shift=300.0).raw.content),
        ("measures", measured + b"".join(map(_unpacked, groups_of(run, tau=10.0).values()))),
    ):
        yield case, Result(dict(WHOLE), {}, _sha256(content))


def complaint(case: str, recorded: dict[str, Any] | None, result: Result) -> str | None:
    """Say what is wrong with a result; ``None`` if it is as it was recorded."""
    if recorded is None:
        return f"{case} is not recorded: {RECORD}"
    if recorded == result.recorded():
        return None
    ours = recorded["versions"] == result.versions
    if ours and recorded["sha256"] == result.sha256:
        # as another Python's numpy has it, too
        return None
    if ours and recorded["libraries"] == result.libraries:
        return (
            f"the results of '{case}' changed: raise a version in "
            "pred_aware/campaign/run_digest.py (that of the part in PARTS, or one of WHOLE), "
            f"so that stores of runs don't give the old ones for the new; then {RECORD}"
        )
    return f"{case} is of other versions: {RECORD}"


def read_recorded() -> dict[str, dict[str, Any]]:
    """Return what is recorded."""
    recorded: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text())
    return recorded


def record() -> None:
    """Record what is new.

    Raises
    ------
    ValueError
        Results changed, and no version was raised.
    """
    before = read_recorded() if RECORDED.exists() else {}
    log = made_log()
    results = dict(of_the_rest(log))
    results |= {case: of_a_policy(log, case, policy) for case, policy in policies().items()}
    for case, result in results.items():
        said = complaint(case, before.get(case), result)
        if said is not None and "raise a version" in said:
            raise ValueError(said)
    told = {case: results[case].recorded() for case in sorted(results)}
    RECORDED.write_text(json.dumps(told, indent=1) + "\n")


def _unpacked(content: bytes) -> bytes:
    """Return the unpacked content, because the packed bytes depend on the version of zlib."""
    return gzip.decompress(content)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
