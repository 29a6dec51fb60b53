"""What the tests share."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from predictors import compiled
from tests.pred_aware.command import Command, Ended

# no test asserts a time: a busy machine is no fault
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# nothing of what is imported and collected is garbage
gc.disable()

# some hundred processes are started, and each would compile all modules again where the
# environment keeps Python from leaving them compiled in __pycache__
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if compiled.form() == "compiled" and compiled.stale():
    # else the tests would try what the core was before
    pytest.exit(
        f"older than their sources: {', '.join(compiled.stale())}; pip install --no-deps -e ."
    )

SHARED = Path(__file__).resolve().parents[2] / "shared"


ONLY_WHEN_ASKED_FOR = ("slow", "large", "browser", "cluster")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that are slow or need more than Python, unless they are requested."""
    for mark in ONLY_WHEN_ASKED_FOR:
        if mark not in config.option.markexpr:
            items[:] = [item for item in items if item.get_closest_marker(mark) is None]


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through all modules and tests again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()
    # libraries that are imported later are large, too
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real runs and logs that stand beside the checkout of the project's developers.

    Elsewhere the tests that need them skip; with PRED_AWARE_REQUIRE_SHARED they fail instead.
    """
    if SHARED.is_dir():
        return SHARED
    reason = "needs the reference runs and logs in ../shared, which are not published"
    if os.environ.get("PRED_AWARE_REQUIRE_SHARED"):
        pytest.fail(reason)
    return pytest.skip(reason)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run `pred-aware` with arguments, as a user types them, in this process."""
    from pred_aware.cli import main

    # the command has one of its own
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["pred-aware", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code is None or isinstance(end.value.code, int)
        return Ended(end.value.code or 0, *capfd.readouterr())

    return run


@pytest.fixture
def own_modules(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a folder whose modules and entry points Python finds until the test ends."""
    from predictors.registry import forget_installed
    from workload_tools.formats import formats

    monkeypatch.syspath_prepend(str(here))
    monkeypatch.setenv("PYTHONPATH", str(here))
    forgets = (forget_installed, formats.cache_clear)
    for forget in forgets:
        forget()
    yield here
    for forget in forgets:
        forget()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(f"{here}{os.sep}"):
            del sys.modules[name]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
