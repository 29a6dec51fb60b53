"""What the command line imports, and how it converts what is typed."""

import importlib
import pkgutil
from pathlib import Path

import pytest
import typer

from pred_aware import commands
from pred_aware.cli import COMMANDS
from tests.pred_aware.command import Command, python

MODULES = {name for names in COMMANDS.values() for name in names}
TOLD = """
import sys
from pred_aware.cli import main
sys.argv = "pred-aware {}".split()
try:
    main()
finally:
    print(*sys.modules, sep="\\n")
"""
"""Runs a command, and tells what has been imported then."""
THREE_JOBS = TOLD.format("run -s easy -w w.json -p p.xml -e out -q")
PARTS_OF_OTHER_RUNS = {
    "predictors.regression",
    "pred_aware.log.job_log",
    "pred_aware.metrics.groups",
    "pred_aware.report.bar_chart",
    "pred_aware.simulator.batsim_time",
    "pred_aware.site_configuration",
    "schedulers.core.bounded",
    "schedulers.batsched",
    "schedulers.machine.block_file",
    "schedulers.orders.multifactor",
    "schedulers.site",
    "tomllib",
}
"""What a run without a site, a log, a bound, a predictor that fits and delays does not pay for."""


def test_a_command_is_in_the_module_of_its_name() -> None:
    for module in MODULES:
        app = typer.Typer()
        app.callback()(lambda: None)
        importlib.import_module(f"pred_aware.commands.{module}").register(app)
        assert [*typer.main.get_group(app).commands] == [module]


def test_every_module_of_commands_is_registered() -> None:
    found = {module.name for module in pkgutil.iter_modules(commands.__path__)}
    parts_of_others = {"campaign_store", "options"}
    assert found - parts_of_others == MODULES


def test_a_small_run_imports_no_other_command_and_no_heavy_library(
    command: Command, here: Path
) -> None:
    assert command("platform", "-n", 4, "-o", "p.xml").code == 0
    (here / "w.json").write_text(
        '{"nb_res": 4, "jobs": [{"id": 1, "subtime": 0, "res": 1, "walltime": 9, "profile": "D"}],'
        ' "profiles": {"D": {"type": "delay", "delay": 5}}}'
    )
    ended = python("-c", THREE_JOBS)
    assert (ended.code, ended.err) == (0, "")
    loaded = set(ended.out.split())
    heavy = {"pandas", "pydantic", "sklearn", "matplotlib", "rich"}
    assert not loaded & heavy
    modules = {name for name in loaded if name.startswith("pred_aware.commands.")}
    assert {name.split(".")[2] for name in modules} == {"run", "options"}
    assert not loaded & PARTS_OF_OTHER_RUNS


def test_the_version_is_printed_without_importing_parts() -> None:
    ended = python("-c", TOLD.format("--version"))
    loaded = set(ended.out.split())
    assert "pred_aware.cli" in loaded
    assert not loaded & (PARTS_OF_OTHER_RUNS | {"numpy", "schedulers.factory", "rich"})


def test_a_mistyped_command_gives_the_nearest_names(command: Command) -> None:
    command("rnu").assert_refused("No such command 'rnu'", "Did you mean 'run'?")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("predict", "LOG", "--time-zone"), "requires an argument"),
        (("run", "--delays", "some", "-s", "easy"), "'some' is not one of 'none', 'batsim'"),
        (("run", "--timeout", "soon"), "--timeout"),
        (("run", "--timeout", "0"), "greater than or equal to 0.1"),
    ],
)
def test_typer_converts_or_refuses_all_other_values(
    command: Command, typed: tuple[str, ...], told: str
) -> None:
    command(*typed).assert_refused(told)


def test_a_missing_log_is_reported_before_the_command_runs(command: Command) -> None:
    command("inspect", "nowhere.swf").assert_refused("nowhere.swf")
