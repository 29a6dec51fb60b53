from importlib import metadata

import pytest

from predictors import registry


def test_the_packages_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def found(*, group: str) -> metadata.EntryPoints:
        asked.append(group)
        return metadata.entry_points(group=group)

    monkeypatch.setattr(registry, "entry_points", found)
    registry.installed.cache_clear()
    assert registry.PREDICTORS.names() == registry.PREDICTORS.names()
    registry.PREDICTORS.load("last_two")
    assert asked == ["pred_aware.predictors"]
