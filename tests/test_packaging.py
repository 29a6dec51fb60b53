"""What pip reads: dependencies, extras and locks."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from packaging.requirements import Requirement

import pred_aware
from pred_aware.execution.pybatsim import ADD_PYBATSIM
from pred_aware.health.installation import EXTRAS

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
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


VERSIONED = {
    "CITATION.cff": "version: {}\n",
    "CHANGELOG.md": "\n## [{}] - ",
    "packaging/conda-forge/recipe.yaml": '  version: "{}"\n',
    "packaging/spack/package.py": '    version("{}", sha256=',
    "packaging/easybuild/pred-aware-{}-foss-2025b.eb": "\nversion = '{}'\n",
    "packaging/guix/pred-aware.scm": '(version "{}")\n',
    "packaging/apptainer/pred-aware.def": "    Version {}\n",
}
"""What tells a version, and how; files that carry it in their name, too."""


@pytest.mark.parametrize("name", [*VERSIONED])
def test_the_version_is_the_same_wherever_it_is_told(name: str) -> None:
    version = pred_aware.__version__
    text = (ROOT / name.format(version)).read_text(encoding="utf-8")
    assert VERSIONED[name].format(version) in text


def targets(markdown: str) -> list[str]:
    tokens = chain(*(block.children or [] for block in MarkdownIt().parse(markdown)))
    told = chain(*([token.attrGet("href"), token.attrGet("src")] for token in tokens))
    return [str(target) for target in told if target]


def test_the_readme_of_the_index_links_to_nothing_that_is_not_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    elsewhere = [target for target in targets(readme) if target.startswith("https://")]
    assert len(elsewhere) < len(targets(readme))
    for rule in PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        readme = re.sub(rule["pattern"], rule["replacement"], readme)
    assert targets(readme) == elsewhere
    assert "](" not in re.sub(r"\]\(https://", "", readme)


def recipe(name: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9-]+", (ROOT / "packaging" / name).read_text().lower()))


@pytest.mark.parametrize(
    "name",
    ["conda-forge/recipe.yaml", "spack/package.py", "guix/pred-aware.scm"],
)
def test_a_recipe_asks_for_what_the_wheel_asks_for(name: str) -> None:
    wanted = {Requirement(one).name for one in PROJECT["dependencies"]}
    build = {Requirement(one).name for one in PYPROJECT["build-system"]["requires"]}
    known = {word.removeprefix("py-").removeprefix("python-") for word in recipe(name)}
    assert wanted | build <= known | {"matplotlib"} | ({"matplotlib"} & known)
