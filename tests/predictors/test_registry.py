from importlib import metadata

import pytest

from predictors import registry
from predictors.errors import UnknownNameError


def test_packages_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_installation_without_entry_points_must_be_repeated() -> None:
    later = registry.Registry("pred_aware.made_up_later", "machine")
    with pytest.raises(UnknownNameError) as told:
        later.load("counting")
    assert "unknown machine 'counting': this installation has none" in str(told.value)
    assert "install pred-aware again, for example with `pip install -e .`" in str(told.value)
