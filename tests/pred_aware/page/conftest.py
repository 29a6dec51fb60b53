"""What the tests of pages share."""

import base64
import re
import zlib
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

import pred_aware as pa
from pred_aware.page import Schedules
from tests.pred_aware.api.made_log import write_log


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
