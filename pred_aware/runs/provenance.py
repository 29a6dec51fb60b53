"""The provenance of a run, as written to ``PREFIX_run.json``."""

import ast
import hashlib
import inspect
import platform as machine
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pred_aware.log.workload import Workload
from pred_aware.runs.unpacked import read_unpacked
from pred_aware.version import __version__
from predictors import compiled
from predictors.errors import OURS
from schedulers.specification import UNSTATED, Part, SchedulerSpecification, specify
from workload_tools.platform.platform import Platform

FORMAT = 1
"""Version of the file's format, increased when a field changes its meaning."""

_DOES_NOT_COMPUTE = frozenset({"msgspec", "procset"})
_STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Attributes that contain nested statements, where imports can be."""
_DISTRIBUTIONS = {"sklearn": "scikit-learn"}

Provenance = dict[str, Any]


def scheduler_provenance(name: Any, options: Mapping[str, Any]) -> Provenance:  # noqa: ANN401 - a name or a class
    """Return the provenance of a scheduler: name, options, the user's own parts, libraries.

    Parameters
    ----------
    name, options
        Valid arguments of `schedulers.make_policy`.
    """
    specification = specify(name, options)
    return {
        "scheduler": {"name": specification.name, "options": specification.options},
        "own_parts": [
            _own(part) for part in specification.parts if _package(part.factory) not in OURS
        ],
        "libraries": libraries_of(part.factory for part in specification.parts),
        "seed": _seed(specification),
        **_digest("history", specification.options.get("history")),
        **_digest("machine", specification.options.get("machine")),
    }


def command_provenance(command: str | None, *, endpoint: str | None = None) -> Provenance:
    """Return the provenance of an external decision process: its command or address."""
    address = {} if endpoint is None else {"endpoint": endpoint}
    return {"scheduler": None, "decision_process": {"command": command, **address}}


def run_json(  # noqa: PLR0913 - the inputs of a run
    decision_process: Provenance,
    *,
    workloads: Iterable[Provenance],
    platform: Provenance,
    delays: str | None,
    transport: str,
    jobs_sha256: str,
    core: str | None = None,
    rejected: Mapping[str, int] = MappingProxyType({}),
    simulator: Mapping[str, str] | None = None,
    files: Mapping[str, str] = MappingProxyType({}),
    date: datetime | None = None,
) -> str:
    """Return the content of ``PREFIX_run.json``.

    Parameters
    ----------
    decision_process
        From `scheduler_provenance` or `command_provenance`.
    workloads, platform
        From `of_workload` and `of_platform`, or `of_file`.
    delays, transport
        As in `pred_aware.simulate`; None for the real Batsim, which has its own delays.
    jobs_sha256
        Digest of the jobs file, which shows that this JSON belongs to the jobs file.
    core
        Form of the core: ``compiled`` or ``python``; both give the same results.
    rejected
        Numbers of rejected jobs by reason, if known.
    simulator
        Name and version of an external simulator.
    files
        Paths of workload and platform, relative to the folder of the run's files.
    date
        Date of the run; by default now.
    """
    recorded_workloads = list(workloads)
    content = {
        "format": FORMAT,
        "pred_aware": __version__,
        "python": machine.python_version(),
        **decision_process,
        "workload": recorded_workloads[0] if len(recorded_workloads) == 1 else recorded_workloads,
        "platform": platform,
        "delays": delays,
        "transport": transport,
        **({} if core is None else {"core": core}),
        "simulator": simulator or {"name": "pred-aware", "version": __version__},
        "rejected": dict(sorted(rejected.items())),
        "jobs_sha256": jobs_sha256,
        "files": dict(files),
        "date": (date or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
    }
    return (msgspec.json.format(msgspec.json.encode(content)) + b"\n").decode()


def of_workload(workload: Workload) -> Provenance:
    """Return the provenance of a workload: name, digest of the content, and changes made to it."""
    identity = {"name": workload.name, "sha256": workload.sha256, "jobs": len(workload)}
    return {**identity, **workload.provenance}


def of_platform(platform: Platform) -> Provenance:
    """Return the provenance of a platform: its size, and the digest of its content."""
    return {"sha256": digest_of(platform), "processors": platform.processors}


def of_file(path: Path, **more: Any) -> Provenance:  # noqa: ANN401 - numbers
    """Return the provenance of a file of another program: its name and unpacked digest."""
    return {"name": path.name, "sha256": hashlib.sha256(read_unpacked(path)).hexdigest(), **more}


def digest_of(platform: Platform) -> str:
    """Return the SHA-256 of a platform's XML, or of its data if there is no XML."""
    if platform.sha256:
        return platform.sha256
    known = [
        platform.hosts, platform.master, platform.master_way, platform.host_ways, platform.speeds,
        {host: dict(values) for host, values in platform.properties.items()},
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(known, order="sorted")).hexdigest()


def in_a_line(provenance: Mapping[str, Any]) -> str:
    """Return in one line which scheduler and simulator made a run, and when."""
    scheduler = provenance.get("scheduler")
    if scheduler is None:
        decided = (provenance.get("decision_process") or {}).get("command") or "another program"
    else:
        decided = scheduler["name"]
        chosen = _chosen(scheduler["options"])
        decided += f" ({chosen})" if chosen else ""
    simulator = provenance["simulator"]
    by = f"{simulator['name']} {simulator['version']}"
    delays = f", delays {provenance['delays']}" if provenance["delays"] else ""
    return f"{decided}{delays}, by {by}, {provenance['date'][:10]}"


def _chosen(options: Mapping[str, Any]) -> str:
    """Return the names of a scheduler's parts."""
    parts = [options.get(kind) for kind in ("order", "backfilling", "correction")]
    words = [str(part.get("name")) for part in parts if isinstance(part, Mapping)]
    estimates = options.get("estimates")
    sources_by_role = estimates.values() if isinstance(estimates, Mapping) else ()
    sources = list(dict.fromkeys(str(one["name"]) for one in sources_by_role if "name" in one))
    if sources:
        words.insert(2, f"estimates {'/'.join(sources)}")
    return ", ".join(words)


def _seed(specification: SchedulerSpecification) -> int | None:
    seeds = {part.options["seed"] for part in specification.parts if "seed" in part.options}
    return seeds.pop() if len(seeds) == 1 else None


def _digest(option: str, spec: Any) -> Provenance:  # noqa: ANN401 - from JSON
    """Return the digest of the file or folder in an option, if it has one."""
    file = spec.get("file") if isinstance(spec, Mapping) else spec
    if not isinstance(file, str) or file == UNSTATED:
        return {}
    path = Path(file)
    files = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return {f"{option}_sha256": digest.hexdigest()}


def _package(factory: Callable[..., Any]) -> str:
    return factory.__module__.partition(".")[0]


def _own(part: Part) -> Provenance:
    return {
        "kind": part.kind,
        "module": part.factory.__module__,
        "class": part.factory.__qualname__,
        "options": part.options,
        "source_sha256": source_digest(part.factory),
    }


def source_digest(factory: Callable[..., Any]) -> str | None:
    """Return the digest of the file that defines a class, or of the class itself in a notebook."""
    try:
        file = inspect.getsourcefile(factory)
        if file is not None and Path(file).is_file():
            return hashlib.sha256(Path(file).read_bytes()).hexdigest()
        return hashlib.sha256(inspect.getsource(factory).encode()).hexdigest()
    except (OSError, TypeError):
        return None


def libraries_of(classes: Iterable[Callable[..., Any]]) -> dict[str, str]:
    """Return the versions of the libraries that classes use, by the distribution's name.

    These are the libraries that the classes' modules import: directly, through modules of the same
    package, or within a function.

    Examples
    --------
    >>> from predictors.rules.past_runs import LastTwo
    >>> libraries_of([LastTwo])
    {}
    """
    found: set[str] = set()
    for factory in classes:
        for parent in inspect.getmro(factory) if isinstance(factory, type) else (factory,):
            found |= _imported_from(parent.__module__)
    return dict(sorted(_versions(found - OURS - _DOES_NOT_COMPUTE)))


def _versions(names: Iterable[str]) -> Iterable[tuple[str, str]]:
    for name in names:
        distribution = _DISTRIBUTIONS.get(name, name)
        try:
            yield distribution, version(distribution)
        except PackageNotFoundError:
            for other in packages_distributions().get(name, ()):
                yield other, version(other)


@cache
def _imported_from(module: str) -> frozenset[str]:
    """Return the external packages that a module imports, also through its own package."""
    package = module.partition(".")[0]
    todo, seen, found = [module], {module}, set()
    while todo:
        for name in _imports(todo.pop()):
            top = name.partition(".")[0]
            if top == package and name not in seen:
                seen.add(name)
                todo.append(name)
            elif top != package and top not in sys.stdlib_module_names:
                found.add(top)
    return frozenset(found)


@cache
def _imports(module: str) -> frozenset[str]:
    try:
        loaded = sys.modules.get(module)
        file = getattr(loaded, "__file__", None) or getattr(find_spec(module), "origin", None)
        source = Path(file or "")
        if source.suffix == ".so":
            # the source of a compiled module is beside it
            source = source.with_name(f"{source.name.partition('.')[0]}.py")
        tree = ast.parse(source.read_bytes())
    except (OSError, ValueError, ImportError, SyntaxError):
        # the module has no source file: it is built in, compiled, or part of a notebook
        return frozenset()
    found = set()
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
        for inside in _STATEMENTS:
            todo += getattr(node, inside, ())
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class RunRecipe:
    """The inputs of a run except its workload, as arguments of `pred_aware.simulate`."""

    policy: Any
    options: Mapping[str, Any]
    """The options of the scheduler; `policy` is its name, its class or a policy."""
    platform: Platform
    """The machine."""
    delays: Any
    """``none`` or ``batsim``."""
    jobs_sha256: str = ""
    """Digest of the jobs file, which a repetition of the run must reproduce.

    Empty if nothing was read from files, because the repetition is then certainly the same.
    """


@dataclass(frozen=True, kw_only=True, eq=False)
class SimulationProvenance:
    """The content of ``PREFIX_run.json`` of a simulation in this process, created when it is read.

    The digests of the workload and the jobs take time, because they need both files as text.
    """

    decision_process: Provenance = field(kw_only=False)
    """From `scheduler_provenance`."""
    workload: Workload
    platform: Platform
    delays: str
    transport: str
    rejected: Mapping[str, int]
    """Numbers of rejected jobs by reason."""
    files: Mapping[str, str]
    """Paths of workload and platform, relative to the folder of the run's files."""
    jobs_sha256: Callable[[], str]
    date: datetime = field(default_factory=partial(datetime.now, UTC))

    def text(self) -> Iterator[str]:
        """Yield the JSON."""
        yield run_json(
            self.decision_process,
            workloads=[of_workload(self.workload)],
            platform=of_platform(self.platform),
            delays=self.delays,
            transport=self.transport,
            jobs_sha256=self.jobs_sha256(),
            core=compiled.form(),
            rejected=self.rejected,
            files=self.files,
            date=self.date,
        )
