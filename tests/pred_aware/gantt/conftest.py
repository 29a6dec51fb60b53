"""What the tests of pages share."""

import base64
import re
import subprocess
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

import pred_aware as pa
from pred_aware.gantt.charts import Schedules
from tests.pred_aware.api.synthetic_log import write_log


def unpacked(text: str) -> NDArray[np.int64]:
    """Do what `schedules.js` does with a packed column."""
    content = zlib.decompress(base64.b64decode(text), -zlib.MAX_WBITS)
    ranks = np.frombuffer(content, np.uint8).reshape(4, -1).T
    return np.ascontiguousarray(ranks).view("<i4")[:, 0].astype(np.int64)


def data_of(page: str) -> dict[str, Any]:
    """Return what a page's script reads, its columns unpacked."""
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    data: dict[str, Any] = msgspec.json.decode(text)
    for some in (data, *data["schedules"]):
        some["columns"] = {name: unpacked(column) for name, column in some["columns"].items()}
    return data


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[pa.Run, pa.Run]:
    """Two runs of the same 120 jobs on 8 processors."""
    log = pa.read_log(write_log(tmp_path_factory.mktemp("page") / "made.swf"))
    return pa.simulate(log, "easy"), pa.simulate(log, "easy_plus_plus")


@pytest.fixture
def schedules(runs: tuple[pa.Run, pa.Run]) -> Schedules:
    """Their schedules."""
    return Schedules(*runs)


@dataclass(frozen=True)
class Seen:
    """What came of a page in a browser."""

    result: Any
    requests: list[str]
    said: list[str]


PACKAGES = ("playwright-core@1.65.1", "axe-core@4.14.1")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Seen]:
    """Open a page in Chromium and run a script there, as the body of an `async` function.

    It has `page`, as Playwright has it, and `axe`, which gives the source of axe-core.
    """
    node, npm = which("node"), which("npm")
    chromium = which("chromium") or which("chromium-browser") or which("google-chrome")
    if not (node and npm and chromium):
        pytest.skip("needs node, npm and chromium: apt-get install chromium nodejs npm")
    modules = tmp_path_factory.mktemp("node")
    install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(modules), *PACKAGES]
    installed = subprocess.run(install, capture_output=True, check=False, text=True)  # noqa: S603
    if installed.returncode:
        pytest.skip(f"npm cannot install {' '.join(PACKAGES)}: {installed.stderr[-200:]}")
    program = Path(__file__).with_name("browser.mjs")

    def see(page: Path, script: str, **asked: object) -> Seen:
        defaults = {"width": 1440, "dark": False, "scripts": True, "ready": True, "before": ""}
        given = msgspec.json.encode({"page": str(page), "script": script, **defaults, **asked})
        command = [node, str(program), str(modules), chromium]
        ended = subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603
        assert ended.returncode == 0, ended.stderr.decode()
        return Seen(**msgspec.json.decode(ended.stdout))

    return see
