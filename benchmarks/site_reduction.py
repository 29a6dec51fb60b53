"""Whether a site that is nothing but processors gives the schedules of the counted machine.

Usage: python benchmarks/site_reduction.py FOLDER [FOLDER ...] [--policy NAME ...] [--jobs N]
           [--delays none batsim] [--transport process]

Each FOLDER has `platform.xml` and workloads (`*.json.gz`) beside it, which are simulated with each
policy and timing on the counted machine, and on the sites below. Compared are all output files byte
for byte, but for `_run.json` and the two measured columns. With `--transport zmq` the sites' runs
are made over ZeroMQ, and compared with those of the counted machine in one process.

Exit code 1: something differs.
"""

import argparse
import csv
import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from compare_with_batsim import MEASURED

from pred_aware import Workload, read_workload, simulate
from pred_aware.execution.simulate import Transport
from pred_aware.simulator.simulation import Delays
from predictors.errors import OptionError
from schedulers import COMBINATIONS, SchedulerError
from workload_tools.platform.reader import read_platform

Output: TypeAlias = dict[str, bytes | list[dict[str, str]]]
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "easy last_two tsafrir": ("easy", {"predictor": "last_two", "correction": "tsafrir"}),
    "easy lxf": ("easy", {"order": "lxf"}),
    "easy saf": ("easy", {"order": "saf"}),
    "easy sjf": ("easy", {"order": "sjf"}),
    "easy wfp": ("easy", {"order": "wfp"}),
    "easy 3 reservations": ("easy", {"reservations": 3}),
    "easy max_wait": ("easy", {"order": "sjf", "max_wait": 36000.0}),
    "easy_plus_plus doubling": ("easy_plus_plus", {"correction": "doubling"}),
    "easy_sjbf actual": ("easy_sjbf", {"predictor": "actual"}),
    "openpbs": ("policy", {"backfilling": "openpbs"}),
}
POLICIES = {**{name: (name, {}) for name in COMBINATIONS}, **VARIANTS}
FEW = 512
"""On larger machines no node has a single processor: they would be too many."""

WITH_PLACES = frozenset(
    {"conservative", "easy 3 reservations", "openpbs", "soft_conservative", "recommended"}
)
"""What plans jobs on the same processors throughout where there are nodes, and so otherwise than on
a counted machine."""


def sites_of(processors: int, policy: str) -> dict[str, dict[str, Any]]:
    """Return sites that are nothing but so many processors."""
    cores = next(cores for cores in (16, 8, 4, 3, 2, 1) if processors % cores == 0)
    one = {"name": "n", "count": processors // cores, "cores": cores}
    sites: dict[str, dict[str, Any]] = {
        "processors": {"processors": processors},
        "a class": {"nodes": [one]},
        "a partition": {
            "nodes": [one],
            "partitions": [{"name": "all", "default": True, "nodes": ["n"]}],
        },
        "a limit that is never met": {"limits": [{"of": "jobs", "per": "user", "most": 1e9}]},
    }
    if processors <= FEW and policy not in WITH_PLACES:
        # where nodes may fail they are not counted, but jobs are placed on them
        sites["nodes of one processor"] = {
            "nodes": [{"name": "n", "count": processors, "cores": 1}],
            "outages": [{"nodes": ["n1"], "begin": 1e12, "end": 2e12}],
        }
    return sites


def output(prefix: Path) -> Output:
    """Return the content of a run's files, but for what is measured or of the day."""
    found: Output = {}
    for path in sorted(prefix.parent.glob(f"{prefix.name}_*")):
        kind = path.name.removeprefix(prefix.name)
        if kind == "_schedule.csv":
            rows = csv.DictReader(path.read_text().splitlines())
            found[kind] = [{k: v for k, v in row.items() if k not in MEASURED} for row in rows]
        elif kind != "_run.json":
            found[kind] = path.read_bytes()
    return found


def differing(
    workload: Workload, platform: Path, policy: str, *, delays: Delays, transport: Transport
) -> Iterator[tuple[str, list[str]]]:
    """Yield the sites, and the files in which they differ from the counted machine."""
    scheduler, options = POLICIES[policy]
    sites = sites_of(read_platform(platform).processors, policy)
    with tempfile.TemporaryDirectory(prefix="reduction-") as folder:

        def ran(name: str, over: Transport, **site: object) -> Output:
            simulate(
                workload, scheduler, platform=platform, options={**options, **site},
                write_to=Path(folder) / name, delays=delays, transport=over,
            )  # fmt: skip
            return output(Path(folder) / name)

        counted = ran("counted", "process")
        for place, (name, site) in enumerate(sites.items()):
            found = ran(f"site{place}", transport, site=site)
            kinds = sorted({*counted, *found} - {"_stops.csv"})
            yield name, [kind for kind in kinds if counted.get(kind) != found.get(kind)]


def first_of(file: Path, jobs: int | None) -> Workload:
    """Read the first so many jobs of a workload, or all of them."""
    if jobs is None:
        return read_workload(file)
    content = json.loads(gzip.decompress(file.read_bytes()))
    return Workload.of({**content, "jobs": content["jobs"][:jobs]}, file.name)


def main() -> None:
    """Compare what is asked for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--policy", nargs="+", choices=POLICIES, default=list(POLICIES))
    parser.add_argument("--jobs", type=int, help="only the first so many of each workload")
    parser.add_argument("--delays", nargs="+", default=["none", "batsim"])
    parser.add_argument("--transport", choices=["process", "zmq"], default="process")
    asked = parser.parse_args()
    same = different = 0
    for file in [file for folder in asked.folders for file in sorted(folder.glob("*.json.gz"))]:
        workload = first_of(file, asked.jobs)
        for policy in asked.policy:
            for delays in asked.delays:
                told = f"{file.parent.name}/{file.name}: {policy}, delays {delays}"
                try:
                    for site, kinds in differing(
                        workload, file.with_name("platform.xml"), policy,
                        delays=delays, transport=asked.transport,
                    ):  # fmt: skip
                        same, different = same + (not kinds), different + bool(kinds)
                        if kinds:
                            print(f"{told}: {site}: {', '.join(kinds)} differ", flush=True)
                except (OptionError, SchedulerError) as error:
                    print(f"{told}: not run: {str(error).partition(';')[0]}", flush=True)
        print(f"{file.parent.name}/{file.name}: {same} the same, {different} differ so far")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
