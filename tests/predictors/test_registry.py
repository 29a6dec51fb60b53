from importlib import metadata

import pytest

from predictors import registry
from predictors.errors import UnknownNameError


def test_the_packages_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def found() -> metadata.EntryPoints:
        looked.append(1)
        return metadata.entry_points()

    monkeypatch.setattr(registry, "entry_points", found)
    registry.forget_installed()
    assert registry.PREDICTORS.names() == registry.PREDICTORS.names()
    registry.PREDICTORS.load("last_two")
    assert registry.installed("pred_aware.orders")
    assert looked == [1]


def test_an_installation_without_any_part_of_a_kind_is_to_be_made_again() -> None:
    later = registry.Registry("pred_aware.made_up_later", "machine")
    with pytest.raises(UnknownNameError) as told:
        later.load("counting")
    assert "unknown machine 'counting': this installation has none" in str(told.value)
    assert "install it again, such as by `pip install -e .`" in str(told.value)
