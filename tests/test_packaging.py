"""What pip reads: dependencies, extras and locks."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pred_aware.execution.pybatsim import ADD_PYBATSIM
from pred_aware.health.installation import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKED = re.compile(r"(?m)^(\S+==\S+) ")


def locked(name: str) -> set[str]:
    return set(LOCKED.findall((ROOT / name).read_text(encoding="utf-8")))


def names(pins: set[str]) -> set[str]:
    return {pin.partition("==")[0] for pin in pins}


def test_each_extra_of_users_has_a_lock_and_is_known_to_doctor() -> None:
    extras = set(PROJECT["optional-dependencies"]) - {"dev"}
    assert extras == set(EXTRAS)
    assert {path.name for path in ROOT.glob("*.lock")} == {
        "requirements.lock", "requirements-dev.lock", "requirements-build.lock",
        *(f"requirements-{extra}.lock" for extra in extras),
    }  # fmt: skip


@pytest.mark.parametrize("extra", [*EXTRAS])
def test_the_lock_of_an_extra_adds_what_it_asks_for_and_changes_no_version(extra: str) -> None:
    wanted = {Requirement(one).name for one in PROJECT["optional-dependencies"][extra]}
    base, more = locked("requirements.lock"), locked(f"requirements-{extra}.lock")
    assert base < more <= locked("requirements-dev.lock")
    assert wanted <= names(more - base)


def test_the_locks_have_pybatsim_and_the_wheel_asks_for_nothing_that_pip_cannot_resolve() -> None:
    assert "pybatsim" in names(locked("requirements.lock"))
    asked = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    assert "pybatsim" not in {Requirement(one).name for one in asked}


def test_what_adds_pybatsim_is_locked_and_stands_in_the_readme() -> None:
    packages = ADD_PYBATSIM.removeprefix("pip install --no-deps ").split()
    pins = locked("requirements.lock")
    assert packages[0] in pins
    assert set(packages[1:]) <= names(pins)
    assert f"    {ADD_PYBATSIM}\n" in (ROOT / "README.md").read_text(encoding="utf-8")
