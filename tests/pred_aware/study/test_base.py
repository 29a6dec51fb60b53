"""What a study tells by how far its simulated queue is the recorded one."""

from pathlib import Path
from typing import Any

import pytest

from pred_aware import Site, check_baseline, simulate
from pred_aware.execution.deadline import TimeIsUp
from pred_aware.recorded_queue.trust import ERROR_BAR
from pred_aware.site_inference.inferred_site import InferredSite
from pred_aware.study.base import similarity_of, with_inferred_site
from pred_aware.study.reading import ReadLog, read
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.study import study
from tests.pred_aware.site_inference.planted import swf_of


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log whose waits show a rule."""
    path = tmp_path_factory.mktemp("log") / "made.swf"
    path.write_text(swf_of("three each"))
    return path


@pytest.fixture(scope="module")
def log(path: Path) -> ReadLog:
    return read(Reading(paths=(path,)))


def test_inferred_rules_become_the_studys_site(log: ReadLog) -> None:
    rules: list[str] = []
    found, inferred = with_inferred_site(log, on_progress=rules.append)
    assert isinstance(inferred, InferredSite)
    assert found.site is not None
    assert [one.most for one in found.site.limits] == [3.0]
    assert any("the rules that were found" in one for one in rules)
    base = similarity_of(check_baseline(simulate(found.log, "easy", site=found.site)), inferred)
    assert base is not None
    assert base.to_dict()["error"] == ERROR_BAR / 100.0


def test_rules_are_inferred_only_without_a_site(path: Path, tmp_path: Path) -> None:
    def looks_for_rules(**asked: Any) -> bool:  # noqa: ANN401 - as a study takes it
        lines: list[str] = []

        def tell(line: str) -> None:
            lines.append(line)
            if not line.startswith(("Reading ", "Measuring ")):
                raise KeyboardInterrupt

        reading, effort = Reading(paths=(path,), **asked), StudyEffort(shakes=0, workers=1)
        with pytest.raises(KeyboardInterrupt):
            study(reading, tmp_path / "out", effort=effort, on_progress=tell)
        return lines[-1].startswith("Inferring the site's rules: ")

    options: tuple[dict[str, Any], ...] = ({}, {"infer_site": False}, {"site": Site(processors=8)})
    assert [looks_for_rules(**asked) for asked in options] == [True, False, False]


def test_rules_are_not_inferred_without_remaining_time(log: ReadLog) -> None:
    same, inferred = with_inferred_site(log, on_progress=lambda _: None, until=0.0)
    assert isinstance(inferred, TimeIsUp)
    assert same is log
    base = similarity_of(check_baseline(simulate(log.log, "easy")), inferred)
    assert base is not None
    assert base.unfinished


def test_a_baseline_without_the_rules_is_refused(log: ReadLog) -> None:
    # a site of nothing but a size has no rules
    run = simulate(log.log, "easy", site=Site(processors=log.size.processors))
    base = similarity_of(check_baseline(run), None)
    assert base is not None
    assert base.verdict == "none"
    assert base.to_dict()["error"] is None
    assert base.held is not None
    assert base.held > 0.8
