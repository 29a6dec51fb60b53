"""The page of a study: verdict, cards, charts, JSON and evidence say the same, in few words."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pred_aware.report.page.blocks import BlockWriter
from pred_aware.report.page.writing import html
from pred_aware.study.base import similarity_of
from pred_aware.study.batch_system import System, recipe
from pred_aware.study.charts import HeatMaps, WaitBars
from pred_aware.study.content import content_of
from pred_aware.study.sheet import PREDICTED, RECORDED, UNPREDICTED, sheet
from pred_aware.study.study import Study
from pred_aware.study.verdict import MOST_WORDS
from schedulers.site.reader import site_of
from tests.pred_aware.study.conftest import Studied, recorded_log, write_log
from tests.pred_aware.study.test_verdict import changed, found, on_base
from tests.suites import each_case

ON_THE_SHEET, ON_THE_PAGE = 300, 2500
"""Words: before the folds, and in all."""


def words(text: str) -> int:
    """Count the words of HTML as a reader sees them."""
    body = re.sub(r"<(style|script|title)[^>]*>.*?</\1>", " ", text, flags=re.DOTALL)
    return len(re.sub(r"<[^>]+>", " ", body).split())


def impossible(study: Study) -> Study:
    """Return a study of a log whose dates cannot be right, though its queue looks like EASY's."""
    check = replace(study.check, answer="impossible", most_busy=12)
    return replace(study, check=check, base=similarity_of(check, None))


@pytest.fixture(scope="module")
def studies(with_shakes: Study, nobody_waits: Study) -> dict[str, Study]:
    """Return a study of each kind."""
    large = found(on_base(with_shakes), -0.25, large=(0.17, 0.05))
    log = with_shakes.log
    guessed = replace(log, size=replace(log.size, source="a guess"))
    return {
        "as it is": with_shakes,
        "yes": found(on_base(with_shakes), -0.25),
        "no": large,
        "small": found(on_base(with_shakes), -0.05),
        "hardly any waits": nobody_waits,
        "another queue": found(on_base(with_shakes, 0.2), -0.31),
        "impossible": impossible(with_shakes),
        "guess": on_base(replace(with_shakes, log=guessed), 0.2),
    }


def test_no_part_of_a_study_contradicts_another(studies: dict[str, Study]) -> None:
    kinds = set()
    for name, study in studies.items():
        verdict, told = study.verdict, study.to_dict()
        kinds.add(verdict.kind)
        text = html(content_of(study, command="pred-aware study log"))
        page = text.replace("&#x27;", "'").replace("&nbsp;", " ")
        head, _, folded = page.partition('<div class="evidence">')
        # the verdict, in the page, in JSON and to programs
        assert f'<p class="answer {verdict.kind}" id="answer">{verdict.headline}</p>' in head, name
        assert told["answer"]["kind"] == verdict.kind, name
        assert told["answer"]["headline"] == verdict.headline, name
        assert len(verdict.headline.split()) <= MOST_WORDS, name
        begins = {"yes": "Yes.", "no": "No.", "cannot_tell": "Cannot", "need_input": "Need"}
        assert verdict.headline.split()[0] == begins[verdict.kind], name
        # cards, charts with predictions and the price go with a change, and only then
        figures = verdict.has_figures and bool(study.rounds.shakes)
        assert ('<dl class="large">' in head) == figures, name
        assert ('id="who"' in head) == figures, name
        assert ('class="map"' in head) == figures, name
        assert (f">{PREDICTED}</th>" in head) == figures, name
        impossible = told["recorded_queue"]["answer"] == "impossible"
        for bar in (RECORDED, UNPREDICTED):
            assert (f">{bar}</th>" in head) != impossible, name
        assert ("Largest gains and losses" in folded) <= verdict.has_figures, name
        assert ("unknown.</li>" in head) != verdict.has_figures, name
        assert not re.search(r"</h2>\s*</section>", head), (name, "a title without text")
        assert bool(verdict.price) == figures, name
        doubts = "do not apply to this site|too uncertain for an answer"
        assert bool(re.search(doubts, folded)) == (not verdict.has_figures), name
        # the queue is called like the recorded one where a change is, or could be, told
        like = verdict.has_figures or verdict.reason in {"error", "few large jobs", "time"}
        base = told.get("base", {"verdict": None})
        waits = verdict.reason != "hardly any waits"
        is_like = waits and base["verdict"] == "fitted"
        assert ("is like the recorded one" in head) == is_like, name
        assert ("wait too little for a comparison" in folded) != waits, name
        assert (base["verdict"] == "fitted") <= like, name
        assert ("not hold for" in folded) <= (base["verdict"] != "fitted"), name
        assert impossible <= ("base" not in told), name
        # a change is told on a base with an error alone, and then with it
        points = told.get("base", {}).get("error")
        assert not figures or points is not None, name
        assert not figures or f"were at most {100 * points:.0f} percentage points" in head, name
        if not verdict.has_figures:
            assert verdict.seen in head, name
        if points is None:
            assert not re.search(r"\d %", verdict.headline + verdict.seen), name
        # few words, and none that a manager does not know
        assert words(head) <= ON_THE_SHEET, (name, words(head))
        for term in ("shake", "slowdown", "EASY", "held", "area-weighted"):
            assert term not in re.sub(r"<[^>]+>", " ", head), (name, term)
    assert kinds == {"yes", "no", "cannot_tell", "need_input"}


UNKNOWN = "which jobs would gain or lose, is unknown|cannot gain or lose"
TEN_QUESTIONS = {
    "is it worth it": 'id="answer">(Yes|No|Cannot tell|Need input)[.]',
    "how much": rf'id="answer">[^<]*\d+ %|would wait \d+ %|be the same|{UNKNOWN}',
    "who gains": f'class="map"|who gains|{UNKNOWN}',
    "who pays": f'id="who"|who pays|{UNKNOWN}',
    "how sure": 'id="sure"',
    "is this our queue": "is like the recorded one|not like this site's queue|in the simulation|"
    "no simulated queue can be compared|cannot gain or lose",
    "what do we change": "Run a trial|[Cc]hange nothing",
    "how do we go back": "go back|nothing to undo",
    "what does it cost": "costs an engineer|costs nothing",
    "what would make it surer": "reduce the uncertainty|state the site's rules|Give the size|"
    "Only a trial",
}


def test_the_sheet_answers_ten_questions(studies: dict[str, Study]) -> None:
    for name, study in studies.items():
        text = html(content_of(study, command="pred-aware study log")).replace("&#x27;", "'")
        head = text.partition('<div class="evidence">')[0]
        for question, answer in TEN_QUESTIONS.items():
            assert re.search(answer, head), (name, question)
        assert head.lower().count("change nothing") == (study.verdict.kind != "yes"), name


def test_a_log_without_waits_requests_them_on_the_whole_page(
    studied: Studied, tmp_path: Path
) -> None:
    study = studied(write_log(tmp_path, jobs=100))
    assert study.verdict.kind == json.loads(json.dumps(study.to_dict()))["answer"]["kind"]
    text = html(content_of(study, command="pred-aware study log"))
    head = text.partition('<div class="evidence">')[0]
    assert "Need input. Give a log with each job&#x27;s submission and start." in head
    assert '<dl class="large">' not in head
    assert words(head) <= ON_THE_SHEET


def test_a_whole_page_is_short(tmp_path: Path) -> None:
    from pred_aware.study.request import Reading, StudyEffort
    from pred_aware.study.study import study

    log = recorded_log(tmp_path, jobs=150)
    found = study(
        Reading(paths=(log,)), tmp_path / "out", effort=StudyEffort(shakes=2, workers=1),
        on_progress=lambda _: None,
    )  # fmt: skip
    files = " ".join(f"2017{number}.gz" for number in range(100, 160))
    text = html(content_of(found, command=f"pred-aware study {files}"))
    assert files not in text
    assert words(text) <= ON_THE_PAGE, words(text)


def test_the_evidence_does_not_repeat_that_the_queue_is_like_the_recorded_one(
    with_shakes: Study,
) -> None:
    assert with_shakes.base is not None
    assert with_shakes.base.inferred is not None
    assert with_shakes.base.inferred.verdict == "fitted"
    page = html(content_of(with_shakes, command="-"))
    assert page.count("is like the recorded one") == 1
    assert "similar enough to yours" not in page
    assert "The simulated queue compared with the recorded one" in page


def test_charts_show_the_waits_of_the_runs(with_shakes: Study) -> None:
    bars = WaitBars((("recorded", "Recorded", 7200.0), ("simulated", "Simulated", 18000.0)))
    text = " ".join(bars.html(BlockWriter({}), level=2))
    # an axis from 0 to 5 hours
    assert re.findall(r'rect width="([\d.]+)%"', text) == ["40.0", "100.0"]
    assert re.findall(r">(\d)</text>", text) == ["0", "1", "2", "3", "4", "5"]
    run = with_shakes.runs[0]
    maps = HeatMaps((("as it is", run),), (1, 2), (3600.0, "hours"))
    text = " ".join(maps.html(BlockWriter({}), level=2))
    jobs = run.ran
    largest = jobs["requested_number_of_resources"] > 2
    shortest = jobs["execution_time"] <= 60.0
    mean = jobs["waiting_time"][largest & shortest].mean() / 3600.0
    row = re.search(r'over 2</th><td class="h7">([\d.]+)<', text)
    assert row is not None
    assert float(row[1]) == pytest.approx(mean, abs=0.5)


def test_doubts_about_the_log_are_on_the_sheet(with_shakes: Study) -> None:
    assert "guess" not in str(sheet(with_shakes))
    log = with_shakes.log
    doubtful = replace(
        log,
        size=replace(log.size, source="a guess"),
        walltimes=replace(log.walltimes, missing=log.walltimes.jobs),
    )
    told = str(sheet(on_base(replace(with_shakes, log=doubtful))))
    assert "The machine's size is a guess." in told
    assert "Most jobs have no time limit." in told


def test_the_price_of_reordering_is_beside_its_gain(with_shakes: Study) -> None:
    study = on_base(with_shakes)
    measures = study.policies["recommended"]
    shorter = {**measures, "mean_waiting_time": changed(measures["mean_waiting_time"], -0.4)}
    study = replace(study, policies={**study.policies, "recommended": shorter})
    verdict = found(study, 0.2).verdict
    # another order is no reason for a yes
    assert verdict.kind == "no"
    assert verdict.reordering.startswith(
        "With a scheduler that also reorders the queue, jobs would wait 40 % (±7) less; "
    )
    assert "weighted by processor time" in verdict.reordering


def test_an_option_stays_on_one_line(with_shakes: Study) -> None:
    other = on_base(with_shakes, 0.2)
    head = html(content_of(other, command="-")).partition('<div class="evidence">')[0]
    for option in ("--site FILE", "--order"):
        assert f'(<code class="option">{option}</code>)' in head, option


SAFE = ("25.05.4", "25.11.0", "25.11", "26.05.1-2")
NOT_SAFE = ("22.05.8", "23.02.7", "23.11.10", "24.11.5", "25.05.3", "25.05", "20.11.0-1")


def advice(system: System, version: str) -> str:
    """Return all that is said of a batch system."""
    return " ".join(text for _, text in recipe(system, version))


def test_unsafe_versions_of_slurm_get_no_deployment_advice() -> None:
    for version in NOT_SAFE:
        told = advice("Slurm", version)
        assert "Change nothing in Slurm's configuration" in told, version
        for word in ("job_submit", "time_min_as_soft_limit", "PBS"):
            assert word not in told, f"{version}: {word}"
    for version in (*SAFE, ""):
        told = advice("Slurm", version)
        assert "Change nothing in Slurm's configuration" not in told or not version, version
        on = [told.index(one) for one in ("first SchedulerP", "then the service", "time_min. ")]
        off = [told.index(one) for one in ("1. Take the script", "2. scontrol", "3. When")]
        assert on == sorted(on), version
        assert off == sorted(off), version
        assert "overlaps a reservation" in told, version
    for version in (*SAFE, *NOT_SAFE, ""):
        for word in ("PrologSlurmctld", "OverTimeLimit"):
            assert word not in advice("", version), f"{version}: {word}"


def test_only_sites_with_pbs_get_advice_for_pbs() -> None:
    told = advice("PBS", "")
    assert "strict_ordering" in told
    assert "Slurm" not in told


@each_case(
    ("site", "kept"),
    [
        ({"order": "sjf"}, "the priority order"),
        ({"processors": 8}, None),
    ],
)
def test_a_site_without_rules_is_called_by_its_order(
    with_shakes: Study, site: dict[str, object], kept: str | None
) -> None:
    log = replace(with_shakes.log, site=site_of({"name": "Mine", **site}))
    text = html(content_of(replace(on_base(with_shakes), log=log), command="-"))
    assert "0 rules" not in text
    assert (f"Simulated with {kept} stated by the site." in text) == (kept is not None)
