"""Check Python and the packages: their versions, and whether they can be imported."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from subprocess import TimeoutExpired
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from pred_aware.execution.pybatsim import ADD_PYBATSIM, PYBATSIM, PYBATSIM_5, protocol_of_pybatsim
from pred_aware.process_group import run_group
from pred_aware.report.finding import Finding
from pred_aware.version import __version__
from predictors import compiled
from workload_tools.errors import installs

if TYPE_CHECKING:
    from packaging.requirements import Requirement

OURS = "pred-aware"

MODULES = {
    "dask-jobqueue": "dask_jobqueue",
    "pyzmq": "zmq",
    "scikit-learn": "sklearn",
}
"""Module names that differ from the package names."""

INSTALL = (
    "in a clone of the repository: pip install --no-deps --require-hashes -r requirements.lock; "
    "without a clone: install the wheel again"
)

EXTRAS = MappingProxyType(
    {
        "cluster": "campaigns with Dask, on a cluster",
        "river": "the predictors hoeffding_tree and adaptive_forest",
        "service": "the store of ended jobs and the prediction service",
        "tables": "job logs in tables and parquet files",
    }
)
"""The package's extras, and their purposes."""

IMPORT_PATIENCE = 120.0
"""Time limit for importing all packages, in seconds."""

# a separate process, because importing a broken library can end the process
_IMPORTER = """
import importlib, json, sys
failed = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except (ImportError, OSError, AttributeError, TypeError, ValueError) as error:
        failed[name] = f"{type(error).__name__}: {error}"
print(json.dumps(failed))
"""


def check_python(found: Sequence[int | str] = tuple(sys.version_info)) -> Finding:
    """Compare Python's version with the required version."""
    from packaging.specifiers import SpecifierSet

    text = ".".join(str(part) for part in found[:3])
    wanted = metadata(OURS)["Requires-Python"]
    if SpecifierSet(wanted).contains(text):
        return Finding(state="ok", subject="Python", found=f"{text} ({sys.executable})")
    return Finding(
        state="wrong",
        subject="Python",
        found=f"{text}; it must be {wanted}",
        advice="create the virtual environment again with another Python",
    )


def check_version() -> Finding:
    """Return the version of pred-aware."""
    return Finding(state="ok", subject=OURS, found=__version__)


def check_core() -> Finding:
    """Report whether the core is compiled."""
    is_compiled = compiled.form() == "compiled"
    return Finding(
        state="ok",
        subject="core",
        found="compiled" if is_compiled else "plain Python, several times slower",
        advice=""
        if is_compiled
        else "nothing is necessary. For more speed, install a C compiler and Python's headers "
        "(Debian: apt-get install gcc python3-dev), then install pred-aware again",
    )


def check_packages(requirements: Sequence[str] | None = None) -> Iterator[Finding]:
    """Compare the versions of packages with the required versions, and import all packages.

    Parameters
    ----------
    requirements
        Requirements as in ``pyproject.toml``; by default the installed package's requirements.
    """
    from packaging.requirements import Requirement

    all_of_them = [
        *map(Requirement, requires(OURS) or () if requirements is None else requirements)
    ]
    there = []
    for requirement in _of_extra("", all_of_them):
        finding = _check_version(requirement)
        if finding is None:
            there.append(requirement.name)
        else:
            yield finding
    optional = [
        (requirement, wanted, installs(extra))
        for extra, wanted in EXTRAS.items()
        for requirement in _of_extra(extra, all_of_them)
    ]
    # the version for Batsim 5 is accepted too
    five = PYBATSIM_5 if protocol_of_pybatsim() == 5 else PYBATSIM  # noqa: PLR2004
    pybatsim = Requirement(f"pybatsim=={five}")
    for requirement, wanted, install in (*optional, (pybatsim, "pybatsim", ADD_PYBATSIM)):
        finding = _check_version(requirement)
        if finding is None:
            there.append(requirement.name)
        else:
            advice = f"nothing, unless you need {wanted}: {install}"
            yield msgspec.structs.replace(finding, advice=advice, needed=False)
    if there:
        yield Finding(
            state="ok",
            subject="packages",
            found=", ".join(f"{name} {version(name)}" for name in there),
        )
    yield from _check_loading(there)
    if {"pybatsim", "pyzmq"} <= set(there):
        yield _check_fit()


def _of_extra(extra: str, all_of_them: "Iterable[Requirement]") -> "list[Requirement]":
    """Return the requirements that an extra adds; for the extra "", the general requirements."""

    def is_wanted(requirement: "Requirement", name: str) -> bool:
        return requirement.marker is None or requirement.marker.evaluate({"extra": name})

    return [
        one for one in all_of_them if is_wanted(one, extra) and not (extra and is_wanted(one, ""))
    ]


def _check_version(requirement: "Requirement") -> Finding | None:
    name = requirement.name
    try:
        found = version(name)
    except PackageNotFoundError:
        return Finding(state="absent", subject=name, found="is not installed", advice=f"{INSTALL}")
    if requirement.specifier.contains(found, prereleases=True):
        return None
    return Finding(
        state="wrong",
        subject=name,
        found=f"{found}; it must be {requirement.specifier}",
        advice=INSTALL,
    )


def _check_loading(names: Sequence[str]) -> Iterator[Finding]:
    """Check that packages can be imported, which fails if a library is missing."""
    modules = {MODULES.get(name, name): name for name in names}
    try:
        done = run_group([sys.executable, "-c", _IMPORTER, *modules], timeout=IMPORT_PATIENCE)
        failed = msgspec.json.decode(done.stdout, type=dict[str, str])
    except TimeoutExpired:
        failed = dict.fromkeys(modules, f"took more than {IMPORT_PATIENCE:g} s")
    except msgspec.DecodeError:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else f"Python ended with exit code {done.returncode}"
        failed = dict.fromkeys(modules, f"one of the packages cannot be imported: {reason}")
    for module, reason in failed.items():
        yield Finding(
            state="wrong",
            subject=modules[module],
            found=f"cannot be imported: {reason}",
            advice=f"install the package again ({INSTALL}), or install the missing library",
        )


def _check_fit() -> Finding:
    """Compare the installed pyzmq with the version that pybatsim requires."""
    from packaging.requirements import Requirement

    pins = [
        pin for pin in map(Requirement, requires("pybatsim") or ()) if pin.name.lower() == "pyzmq"
    ]
    found = version("pyzmq")
    subject = "pybatsim with pyzmq"
    both = f"{version('pybatsim')} with {found}"
    if all(pin.specifier.contains(found) for pin in pins):
        return Finding(state="ok", subject=subject, found=both)
    pin = " ".join(str(pin.specifier) for pin in pins)
    return Finding(
        state="note",
        subject=subject,
        found=f"{both}; pybatsim requires pyzmq{pin}, which does not exist for this Python",
        advice="nothing: the run below shows that these versions work together; the warning of "
        "`pip check` is harmless",
    )
