"""What pip reads: dependencies, extras and locks."""

import re
import sys
import tomllib
from hashlib import sha256
from itertools import chain
from pathlib import Path
from shutil import copytree
from subprocess import run

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
    extras = set(PROJECT["optional-dependencies"]) - {"dev", "docs"}
    assert extras == set(EXTRAS)
    assert {path.name for path in ROOT.glob("*.lock")} == {
        "requirements.lock", "requirements-dev.lock", "requirements-release.lock",
        "requirements-docs.lock",
        *(f"requirements-{extra}.lock" for extra in extras),
    }  # fmt: skip


def test_the_lock_of_an_extra_adds_its_packages_and_changes_no_version() -> None:
    base, everything = locked("requirements.lock"), locked("requirements-dev.lock")
    for extra in EXTRAS:
        wanted = {Requirement(one).name for one in PROJECT["optional-dependencies"][extra]}
        more = locked(f"requirements-{extra}.lock")
        assert base < more <= everything, extra
        assert wanted <= names(more - base), extra


def test_the_locks_have_pybatsim_and_pip_can_resolve_the_wheel() -> None:
    assert "pybatsim" in names(locked("requirements.lock"))
    asked = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    assert "pybatsim" not in {Requirement(one).name for one in asked}


def test_the_packages_for_pybatsim_are_locked_and_on_the_installation_page() -> None:
    packages = ADD_PYBATSIM.removeprefix("pip install --no-deps ").split()
    pins = locked("requirements.lock")
    assert packages[0] in pins
    assert set(packages[1:]) <= names(pins)
    page = ROOT / "docs" / "start" / "install.md"
    assert f"    {ADD_PYBATSIM}\n" in page.read_text(encoding="utf-8")


VERSIONED = {
    "CITATION.cff": "\nversion: {}\n",
    "CHANGELOG.md": "\n## [{}] - ",
    "packaging/conda-forge/recipe.yaml": '\n  version: "{}"\n',
    "packaging/spack/packages/py_pred_aware/package.py": 'version("{}", sha256=',
    "packaging/easybuild/pred-aware-{}-gfbf-2025b.eb": "\nversion = '{}'\n",
    "packaging/guix/pred-aware.scm": '(name "pred-aware")\n    (version "{}")\n',
    "packaging/apptainer/pred-aware.def": "    Version {}\n",
}
"""What tells a version, and how; a file may carry it in its name, too."""


def test_every_place_states_the_same_version() -> None:
    version = pred_aware.__version__
    for name, told in VERSIONED.items():
        text = (ROOT / name.format(version)).read_text(encoding="utf-8")
        assert told.format(version) in text, name


def targets(markdown: str) -> list[str]:
    tokens = chain(*(block.children or [] for block in MarkdownIt().parse(markdown)))
    told = chain(*([token.attrGet("href"), token.attrGet("src")] for token in tokens))
    return [str(target) for target in told if target]


def test_the_readme_on_the_index_has_no_broken_link() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    elsewhere = [target for target in targets(readme) if target.startswith("https://")]
    assert len(elsewhere) < len(targets(readme))
    for rule in PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"][
        "substitutions"
    ]:
        readme = re.sub(rule["pattern"], rule["replacement"], readme)
    assert targets(readme) == elsewhere
    assert "](" not in re.sub(r"\]\(https://", "", readme)


def asked_by(recipe: Path) -> set[str]:
    """Return all names of a recipe, as the index has them."""
    words = set(re.findall(r"[\w-]+", recipe.read_text(encoding="utf-8").lower().replace("_", "-")))
    return {re.sub(r"^(py|python)-|-base$", "", word) for word in words}


def test_a_recipe_has_every_requirement_of_the_wheel() -> None:
    needed = [*PROJECT["dependencies"], *PYPROJECT["build-system"]["requires"]]
    for name in (
        "conda-forge/recipe.yaml", "spack/packages/py_pred_aware/package.py", "guix/pred-aware.scm",
    ):  # fmt: skip
        missing = {Requirement(one).name for one in needed} - asked_by(ROOT / "packaging" / name)
        assert not missing, name


def test_a_release_puts_its_version_and_hash_into_every_recipe(tmp_path: Path) -> None:
    recipes = Path(copytree(ROOT / "packaging", tmp_path / "packaging"))
    sdist = tmp_path / "pred_aware-9.8.7.tar.gz"
    sdist.write_bytes(b"released")
    run([sys.executable, recipes / "set_release.py", sdist], check=True)  # noqa: S603 - ours
    digest = sha256(b"released").hexdigest()
    others = "10921a4fe902822b6d4c94691abbf1965a29bc81157215f1a9092305e21fc146"
    for name, told in VERSIONED.items():
        if name.startswith("packaging/"):
            text = (tmp_path / name.format("9.8.7")).read_text(encoding="utf-8")
            assert told.format("9.8.7") in text
            assert pred_aware.__version__ not in text
            if not name.endswith((".scm", ".def")):
                assert text.count(digest) == 1
                assert "000000000000" not in text
    assert others in (recipes / "easybuild/pred-aware-9.8.7-gfbf-2025b.eb").read_text(
        encoding="utf-8"
    )
    # as nix-hash --to-base32 writes it
    guix = (recipes / "guix/pred-aware.scm").read_text(encoding="utf-8")
    assert "1l2wr9fqwagmw0klaar3kxpv8gjiqc85sx32mxyj95n3f89sx7nj" in guix
