"""The table of a scheduler's options: an option in it needs no other place."""

from typing import Any

import pytest

from schedulers import make_policy
from schedulers.core.backfilling import Easy
from schedulers.options import NEUTRAL, OPTIONS
from schedulers.specification import specify

OF_BACKFILLINGS = [name for name, one in OPTIONS.items() if one.part == "backfilling"]


@pytest.mark.parametrize("name", OF_BACKFILLINGS)
def test_an_option_of_a_backfilling_reaches_its_class_and_is_recorded(name: str) -> None:
    noted: dict[str, Any] = {}

    class Noting(Easy):
        def __init__(self, **given: object) -> None:
            super().__init__()
            noted.update(given)

    given = {"backfilling": Noting, name: "x"}
    make_policy("policy", given)
    assert noted == {name: "x"}
    assert specify("policy", given).options["backfilling"][name] == "x"


def test_newer_options_are_recorded_with_their_former_behaviour() -> None:
    told = specify("easy").options
    found = {name: told[name] for name in NEUTRAL}
    assert found == {"site": None, "ties": "submission", "min_concordance": None}
