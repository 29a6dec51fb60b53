"""What a study tells by how far its simulated queue is the recorded one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pred_aware import Site, simulate
from pred_aware.recorded_queue.trust import ERROR_BAR, verdict_of
from pred_aware.study.answer import Verdict
from pred_aware.study.base import Base, base_of, with_inferred_site
from pred_aware.study.reading import ReadLog, read
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.rounds import Rounds
from pred_aware.study.study import Study, study
from tests.pred_aware.site_inference.planted import like, swf_of
from tests.pred_aware.study.test_answer import better


def on_base(ratio: float, correlation: float) -> Base:
    test = like(ratio, correlation)
    return Base(test=test, verdict=verdict_of(test), held=0.77)


def told(
    study: Study, ratio: float, correlation: float, change: float = -0.25, **others: Rounds
) -> Verdict:
    """Return the answer of a study on such a base, if the mean wait changes so."""
    check = replace(study.check, answer="shorter", recorded=study.check.simulated)
    base = on_base(ratio, correlation)
    return replace(better(study, change), base=base, check=check, **others).verdict


def test_a_change_is_told_within_the_error_of_the_base(with_shakes: Study) -> None:
    one_run = {"rounds": replace(with_shakes.rounds, shakes=0)}
    small = "The change is too small"
    table: list[tuple[tuple[float, ...], dict[str, Rounds], str, float | None]] = [
        ((0.8, 0.9, -0.25), {}, "Yes: ", ERROR_BAR),
        ((0.8, 0.9, -0.02), {}, small, None),
        ((1.1, 0.9, -0.01), one_run, small, None),
        ((1.1, 0.9, -0.6), one_run, "Not sure yet: ", None),
        ((1.1, 0.6, -0.6), {}, "No change can be claimed for this site: 77 %", None),
        ((0.2, 0.3, -0.25), {}, "No change can be claimed for this site: 77 %", None),
    ]
    for arguments, others, begin, points in table:
        answer = told(with_shakes, *arguments, **others)
        sentence = answer.sentence
        assert sentence.startswith(begin), arguments
        # the word for programs does not say more than the sentence
        limited = {small: "too small", "No change": "another queue"}
        kinds = [kind for words, kind in limited.items() if begin.startswith(words)]
        assert (answer.kind in limited.values()) == bool(kinds), arguments
        assert not kinds or answer.kind == kinds[0], arguments
        assert points is None or f"give or take {points:.0f} points" in sentence, arguments
    # of another queue than the site's no times are told
    assert not any(unit in sentence for unit in (" h ", " min ", " s "))


def test_more_time_is_not_waited_for_where_no_change_could_be_claimed(with_shakes: Study) -> None:
    baseline = with_shakes.baseline.name
    check = replace(with_shakes.check, answer="shorter", recorded=with_shakes.check.simulated)
    found = replace(
        with_shakes, base=on_base(0.2, 0.3), check=check,
        policies={baseline: with_shakes.policies[baseline]},
    )  # fmt: skip
    assert found.verdict.kind == "no time"
    assert found.verdict.sentence.startswith("No change can be claimed for this site: 77 %")


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
    assert inferred is not None
    assert found.site is not None
    assert [one.most for one in found.site.limits] == [3.0]
    assert any("3 jobs per user" in one for one in rules)
    base = base_of(simulate(found.log, "easy", site=found.site), found, inferred)
    assert base is not None
    assert base.to_dict()["error"] == ERROR_BAR / 100.0


def test_rules_are_looked_for_where_no_site_is_stated_and_only_then(
    path: Path, tmp_path: Path
) -> None:
    def looks_for_rules(**asked: Any) -> bool:  # noqa: ANN401 - as a study takes it
        lines: list[str] = []

        def tell(line: str) -> None:
            lines.append(line)
            # the second thing that a study does
            if not line.startswith("Reading "):
                raise KeyboardInterrupt

        reading, effort = Reading(paths=(path,), **asked), StudyEffort(shakes=0, workers=1)
        with pytest.raises(KeyboardInterrupt):
            study(reading, tmp_path / "out", effort=effort, on_progress=tell, draw=False)
        return lines[-1].startswith("Inferring the site's rules: ")

    options: tuple[dict[str, Any], ...] = ({}, {"infer_site": False}, {"site": Site(processors=8)})
    assert [looks_for_rules(**asked) for asked in options] == [True, False, False]


def test_rules_are_not_looked_for_when_the_time_is_up(log: ReadLog) -> None:
    same, inferred = with_inferred_site(log, on_progress=lambda _: None, until=0.0)
    assert inferred is None
    assert same is log


def test_a_baseline_without_the_rules_is_refused(log: ReadLog) -> None:
    # a site of nothing but a size has no rules
    run = simulate(log.log, "easy", site=Site(processors=log.size.processors))
    base = base_of(run, log, None)
    assert base is not None
    assert base.verdict == "none"
    assert base.to_dict()["error"] is None
    assert base.held is not None
    assert base.held > 0.8
