"""No writer of JSON lets a number through that JSON does not have."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pred_aware.commands.options.output import print_json
from pred_aware.recorded_queue.waits import similarity
from pred_aware.study.folder import write_json


def strict(text: str) -> Any:  # noqa: ANN401 - whatever JSON has
    """Read JSON, and fail at NaN and Infinity."""
    return json.loads(text, parse_constant=pytest.fail)


def test_numbers_that_are_not_finite_are_null(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    nothing = asdict(similarity(np.zeros(2), np.ones(2)))
    content = {"ratio": nothing["ratio"], "odd": [float("inf"), -float("inf"), float("nan")]}
    write_json(content, tmp_path / "study.json")
    print_json(content)
    printed = capfdbinary.readouterr().out.decode()
    for text in ((tmp_path / "study.json").read_text(), printed):
        assert strict(text) == {"ratio": None, "odd": [None, None, None]}
