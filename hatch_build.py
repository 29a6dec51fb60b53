"""Compile what has a .pxd file beside it, where there is a C compiler; else all stays Python."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DIRECTIVES = {"language_level": "3", "annotation_typing": False, "nonecheck": True}
PACKAGES = ("predictors", "schedulers")
COMPILED = (".so", ".pyd")
FLAGS = ["-O2", "-g0", "-ffp-contract=off"]


class CompiledCore(BuildHookInterface):
    """Compiles the core for a wheel and for an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in place; one line says why, where it can't be done."""
        del version
        root = Path(self.root)
        types = [one for package in PACKAGES for one in sorted(root.glob(f"{package}/**/*.pxd"))]
        modules = [source_of(one) for one in types]
        remove_compiled(root)
        if os.environ.get("PRED_AWARE_PURE") == "1":
            return
        try:
            compile_in_place(root, modules)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a compiler does
            why = " ".join(str(error).split())[:200]
            sys.stderr.write(f"pred-aware stays in plain Python, which is slower: {why}\n")
            remove_compiled(root)
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] = [
            f"{package}/**/*{one}" for package in PACKAGES for one in COMPILED
        ]


def source_of(types: Path) -> Path:
    """Return what is compiled: the Python file, or the one file with a text of its own in C."""
    own = types.with_suffix(".pyx")
    return own if own.is_file() else types.with_suffix(".py")


def remove_compiled(root: Path) -> None:
    """Remove what was compiled before."""
    for package in PACKAGES:
        for suffix in COMPILED:
            for old in root.glob(f"{package}/**/*{suffix}"):
                old.unlink()


def compile_in_place(root: Path, modules: list[Path]) -> None:
    """Compile modules; each gets its shared object beside it."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    files = [one.relative_to(root) for one in modules]
    extensions = [
        Extension(".".join(one.with_suffix("").parts), [str(one)], extra_compile_args=FLAGS)
        for one in files
    ]
    before = Path.cwd()
    os.chdir(root)
    try:
        made = cythonize(
            extensions, build_dir="build/cython", compiler_directives=DIRECTIVES, quiet=True
        )
        command = build_ext(Distribution({"ext_modules": made}))
        command.inplace = True
        command.build_temp = "build/objects"
        command.parallel = os.cpu_count() or 1
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
