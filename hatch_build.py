"""The compiled build: ``HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip wheel --no-deps .``.

mypyc compiles the modules that ``pyproject.toml`` lists, and what it makes is put beside their
sources in a wheel for this Python and platform. It is made in a temporary folder, so that a clone
stays as it is and goes on running its sources.
"""

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# before mypyc, which takes what is loaded
from setuptools import Distribution  # isort: skip
from mypyc.build import mypycify  # isort: skip

LIBRARY = "pred_aware"
"""All modules are in one shared library, ``pred_aware__mypyc``, and call each other directly."""


class CompiledBuild(BuildHookInterface[Any]):
    """Compiles the modules under ``modules``; on only where the environment asks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what is to be in the wheel."""
        self._folder = TemporaryDirectory(prefix="pred-aware-compiled-")
        if version == "editable":
            # of a clone the sources are run, which change
            return
        made = Path(self._folder.name)
        with chdir(self.root):
            compile_into(made / "library", self.config["modules"], scratch=made)
        for path in sorted((made / "library").rglob("*.so")):
            build_data["force_include"][str(path)] = str(path.relative_to(made / "library"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made on the way."""
        self._folder.cleanup()


def compile_into(library: Path, modules: list[str], *, scratch: Path) -> None:
    """Compile modules of this folder into the folders of a library."""
    extensions = mypycify(
        [
            # types are checked by `mypy` alone, strictly and where all libraries are there
            "--config-file=",
            "--follow-imports=silent",
            "--ignore-missing-imports",
            f"--cache-dir={scratch / 'cache'}",
            *modules,
        ],
        group_name=LIBRARY,
        target_dir=str(scratch / "c"),
        debug_level="0",
    )
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib = str(library)
    command.build_temp = str(scratch / "objects")
    command.ensure_finalized()
    command.run()
