"""The Nix files, as far as they can be tried without a network: with stubs for what is fetched."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STUBS = Path(__file__).with_name("kapack.nix")
FILES = sorted((ROOT / "nix").glob("*.nix"))
PAGES = [ROOT / "nix" / "README.md", ROOT / "README.md", ROOT / "docs" / "evidence" / "fidelity.md"]
NAMED = {name for page in PAGES for name in re.findall(r"nix-shell nix -A (\w+)", page.read_text())}

pytestmark = pytest.mark.skipif(
    shutil.which("nix-instantiate") is None,
    reason="needs nix-instantiate (Debian: apt-get install nix-bin)",
)

Nix = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def nix(tmp_path: Path) -> Nix:
    """Run a command of Nix in a store of its own, with the stubs for NUR-Kapack."""
    programs = tmp_path / "programs"
    (programs / "python312" / "bin").mkdir(parents=True)
    (programs / "python312" / "bin" / "python3").symlink_to(sys.executable)
    for name in ("batsim", "batsched"):
        (programs / name).write_text(f"#!/bin/sh\necho this is {name}\n")
        (programs / name).chmod(0o755)
    store = {f"NIX_{name.upper()}_DIR": str(tmp_path / name) for name in ("store", "state", "log")}
    settings = {
        "NIX_CONFIG": "build-users-group =\nsandbox = false\nsubstituters =",
        "NIX_BUILD_SHELL": shutil.which("bash") or "",
        # a test must not run pip: an existing installation is enough
        "PIP_NO_INDEX": "1",
    }
    stubs = f'import {STUBS} {{ programs = "{programs}"; }}'
    kapack = ["--arg", "kapack", stubs, "--arg", "batsim5", f"({stubs}).batsim"]

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own commands
            [*command, *kapack], env=os.environ | store | settings, cwd=ROOT, check=False,
            capture_output=True, text=True,
        )  # fmt: skip

    return run


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """An environment as made by environment.sh, with programs that print their name."""
    folder = tmp_path / "environment"
    (folder / "bin").mkdir(parents=True)
    for name in ("pred-aware", "pybatsim", "python"):
        program = folder / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $1, libraries: $LD_LIBRARY_PATH"\n')
        program.chmod(0o755)
    made_from = (ROOT / name for name in ("requirements.lock", "pyproject.toml"))
    texts = [f"{Path(sys.executable).resolve()}\n", *(path.read_text() for path in made_from)]
    (folder / "installed-from").write_text("".join(texts))
    return folder


def test_every_file_parses_and_documented_attributes_are_derivations(nix: Nix) -> None:
    for path in FILES:
        parsed = nix("nix-instantiate", "--parse", str(path))
        assert (parsed.returncode, parsed.stderr) == (0, ""), path.name
    assert {"batsim_terminal", "batsim5_terminal", "scheduler_terminal"} <= NAMED
    for name in ("", *sorted(NAMED)):
        made = nix("nix-instantiate", "nix", *(["-A", name] if name else []))
        assert made.returncode == 0, f"{name}: {made.stderr}"
        assert re.fullmatch(r"/.*\.drv\n", made.stdout), name


def test_each_shell_has_its_programs(nix: Nix, environment: Path) -> None:
    shells = {
        "": {"batsim", "batsched"},
        "batsim_terminal": {"batsim"},
        "scheduler_terminal": {"batsched"},
    }
    wanted = "for name in batsim batsched; do command -v $name >/dev/null && $name; done; true"
    for attribute, there in shells.items():
        chosen = ["-A", attribute] if attribute else []
        shell = nix(
            "nix-shell", "nix", *chosen, "--argstr", "environment", str(environment),
            "--run", wanted,
        )  # fmt: skip
        assert shell.returncode == 0, f"{attribute}: {shell.stderr}"
        assert set(shell.stdout.splitlines()) == {f"this is {name}" for name in there}, attribute


def test_the_environments_commands_are_there_with_the_libraries_that_they_need(
    nix: Nix, environment: Path
) -> None:
    names = ("pred-aware", "pybatsim", "python")
    shell = nix(
        "nix-shell", "nix", "-A", "scheduler_terminal", "--argstr", "environment",
        str(environment), "--run", "; ".join(f"{name} 'an argument'" for name in names),
    )  # fmt: skip
    assert shell.returncode == 0, shell.stderr
    expected = [f"{name} an argument, libraries: /gcc:/zlib" for name in names]
    assert shell.stdout.splitlines() == expected


@pytest.mark.slow
def test_the_shell_ends_if_the_environment_cannot_be_made(nix: Nix, tmp_path: Path) -> None:
    shell = nix(
        "nix-shell", "nix", "--argstr", "environment", str(tmp_path / "new"), "--run", "echo hello"
    )
    assert (shell.returncode, shell.stdout) == (1, ""), shell.stderr
    assert "No matching distribution" in shell.stderr
    assert not (tmp_path / "new" / "installed-from").exists()
