"""Pages of studies in a real browser: on a screen, on a telephone and on paper."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from pred_aware.report.page import write
from pred_aware.study.content import content_of
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.sheet import TITLES
from pred_aware.study.study import study
from tests.pred_aware.gantt.conftest import Seen, browser

__all__ = ["browser"]

pytestmark = pytest.mark.browser

See = Callable[..., Seen]
JOBS = 600
KTH, MIRA = "traces/KTH-SP2-1996-2.1-cln.swf.gz", "mira/mira.swf.gz"


def begin_of(log: Path, folder: Path, change: Callable[[list[str]], list[str]]) -> list[Path]:
    """Write the first jobs of a log in SWF, each changed."""
    lines: list[str] = []
    with gzip.open(log, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            job = bool(line.strip()) and not line.startswith(";")
            lines.append(" ".join(change(line.split())) if job else line.rstrip())
            if sum(not one.startswith(";") for one in lines) > JOBS:
                break
    path = folder / log.name.removesuffix(".gz")
    path.write_text("\n".join(lines) + "\n")
    return [path]


def as_it_is(fields: list[str]) -> list[str]:
    return fields


def without_wait(fields: list[str]) -> list[str]:
    return [*fields[:2], "-1", *fields[3:]]


def submitted_at_start(fields: list[str]) -> list[str]:
    start = int(fields[1]) + max(0, int(fields[2]))
    return [fields[0], str(start), "0", *fields[3:]]


KINDS = ("kth", "mira", "pbs", "no waits", "starts")


@pytest.fixture(scope="module", params=KINDS)
def page(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Write the page of a study over two shakes."""
    folder = tmp_path_factory.mktemp("page")
    paths = {
        "kth": lambda: begin_of(shared / KTH, folder, as_it_is),
        "mira": lambda: begin_of(shared / MIRA, folder, as_it_is),
        "pbs": lambda: sorted((shared / "pbs").glob("2017100*.gz")),
        "no waits": lambda: begin_of(shared / KTH, folder, without_wait),
        "starts": lambda: begin_of(shared / KTH, folder, submitted_at_start),
    }[request.param]()
    found = study(
        Reading(paths=tuple(paths)),
        folder / "out",
        effort=StudyEffort(shakes=2, workers=1),
        on_progress=lambda _: None,
    )
    write(folder / "study.html", content_of(found, command="pred-aware study log"))
    return folder / "study.html"


def has_charts(page: Path) -> bool:
    return 'class="schedules"' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_the_page_passes_axe_folded_and_unfolded(
    browser: See, page: Path, width: int, *, dark: bool
) -> None:
    script = """
        await page.evaluate(axe());
        const found = [];
        for (const open of [false, true]) {
            await page.evaluate((open) => document.querySelectorAll("details.fold")
                .forEach((one) => { one.open = open; }), open);
            await drawn();
            found.push(...(await page.evaluate(() => axe.run())).violations);
        }
        return [found.map((one) => [one.impact, one.id, one.nodes[0].html]),
            await page.evaluate(() => document.documentElement.scrollWidth)];
    """
    seen = browser(page, script, width=width, dark=dark, ready=has_charts(page))
    found, wide = seen.result
    assert [one for one in found if one[0] in {"serious", "critical"}] == []
    assert wide <= width
    assert (seen.requests, seen.said) == ([f"file://{page}"], [])


def test_the_summary_prints_on_one_page_and_open_evidence_on_others(
    browser: See, page: Path
) -> None:
    script = """
        const sheets = async () => (await page.pdf({ preferCSSPageSize: true })).toString("latin1")
            .match(/\\/Type\\s*\\/Page\\b/g).length;
        const folded = await sheets();
        await page.evaluate(() => { document.querySelector("details.fold").open = true; });
        await page.emulateMedia({ media: "print" });
        await page.setViewportSize({ width: 703, height: 1000 });  // A4 within its margins
        const cut = await page.evaluate(() => [...document.querySelectorAll("main *")]
            .filter((one) => one.getBoundingClientRect().right > 704)
            .map((one) => one.outerHTML.slice(0, 80)));
        return [folded, await sheets(), cut];
    """
    folded, opened, cut = browser(page, script, ready=has_charts(page)).result
    assert folded == 1
    assert opened > 1
    assert cut == []


def test_each_answer_is_visible_and_a_link_opens_folded_sections(browser: See, page: Path) -> None:
    script = f"""
        const seen = [];
        for (const anchor of {[one for one in TITLES if one != "who"]}) {{
            seen.push(await page.locator(`h2#${{anchor}}`).isVisible());
        }}
        const link = page.locator('a[href="#d0"]').first(), term = page.locator("dt#d0");
        const before = await term.isVisible();
        await page.evaluate(() => {{ document.querySelector("details.fold").open = true; }});
        await link.click();
        return [seen, before, await term.isVisible()];
    """
    seen, before, after = browser(page, script, ready=has_charts(page)).result
    assert all(seen)
    assert (before, after) == (False, True)
