"""Pages in a real browser: what they ask for, say, show and do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import pred_aware as pa
from pred_aware.gantt.charts import Schedules
from pred_aware.gantt.numbering import Numbering
from pred_aware.metrics.gains import gains
from pred_aware.metrics.timelines import in_use
from pred_aware.report.durations import timespan
from pred_aware.report.page import Answer, Content, Definitions, Large, Section, write
from pred_aware.report.page.content import BETTER
from pred_aware.report.picture import Panel, Picture
from pred_aware.report.sentence import Remark
from pred_aware.report.table import Table, duration
from tests.pred_aware.gantt.conftest import Seen, data_of
from workload_tools.batsim.intervals import parse_intervals

pytestmark = pytest.mark.browser

See = Callable[..., Seen]


def line(figure: Any) -> None:  # noqa: ANN401 - Figure
    figure.subplots().plot([1, 2, 4])


def content(schedules: Schedules) -> Content:
    runs = (schedules.baseline, schedules.other)
    waits = tuple(duration(run.figures["mean_waiting_time"]) for run in runs)
    table = Table("Figures", ("", *(run.name for run in runs)), (("mean wait", *waits),))
    picture = Picture("A line", "It rises.", (Panel(7, 3, line), Panel(5, 3, line)), (table,))
    words = Definitions((("mean wait", "Start less submission, over the jobs that ran."),))
    return Content(
        "Made log",
        "120 jobs",
        Answer(
            "Worth it.",
            more=("Small jobs gain.",),
            figures=(Large("mean wait", "-12 %", "-14 to -10 %, 20 shakes", BETTER),),
            trust=(Remark("One log only.", "Take another.", odd=True),),
        ),
        (
            Section("Evidence", (table, picture, schedules)),
            Section("What the words mean", (words,)),
            Section("How it was made", ((Remark("By hand."),),)),
        ),
        "pred-aware x",
    )


@pytest.fixture
def file(schedules: Schedules, tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    write(path, content(schedules))
    return path


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_loads_nothing_has_no_error_and_passes_axe(
    browser: See, file: Path, *, width: int, dark: bool
) -> None:
    script = """
        await page.evaluate(axe());
        const found = await page.evaluate(() => axe.run());
        return found.violations.map((one) => [one.impact, one.id, one.nodes[0].html]);
    """
    seen = browser(file, script, width=width, dark=dark)
    assert seen.requests == [f"file://{file}"]
    assert seen.said == []
    assert [one for one in seen.result if one[0] in {"serious", "critical"}] == []


def test_every_action_works_with_the_keyboard(browser: See, file: Path) -> None:
    script = """
        const active = () => page.evaluate(() => document.activeElement.outerHTML.slice(0, 60));
        const read = async (what) => { await drawn(); return page.locator(what).innerText(); };
        const told = () => read(".told"), axis = () => read(".axis");
        const keys = async (...some) => { for (const key of some) await page.keyboard.press(key); };
        const answers = {};
        await keys("Tab");
        answers.first = await active();
        for (let i = 0; i < 40 && !(await active()).startsWith("<canvas"); i++) await keys("Tab");
        answers.canvas = await active();
        await keys("n");
        answers.listed = await told();
        answers.found = await axis();
        await keys("0", "+", "+", "ArrowRight", "PageUp", "ArrowDown");
        answers.zoomed = await axis();
        await keys("n", ".", "Escape");
        answers.none = await told();
        for (let i = 0; i < 40 && !(await active()).includes("job "); i++) await keys("Tab");
        await keys("Enter");
        answers.button = await told();
        return answers;
    """
    told = browser(file, script).result
    assert 'href="#content"' in told["first"]
    assert told["canvas"].startswith("<canvas")
    assert told["listed"].startswith("Job ")
    assert told["listed"] == told["button"]
    assert told["found"] != told["zoomed"]
    assert told["none"] == "No job is selected."


def test_details_of_a_job_equal_those_of_the_runs(
    browser: See, file: Path, schedules: Schedules
) -> None:
    script = """
        const all = [];
        for (const button of await page.locator("tr[data-job] button").all()) {
            await button.click();
            all.push([await button.innerText(), await page.evaluate(() => Object.fromEntries(
                [...document.querySelectorAll(".told tbody tr")].map((row) =>
                    [row.cells[0].innerText, [row.cells[1].innerText, row.cells[2].innerText]])))]);
        }
        return all;
    """
    names = Numbering(schedules).jobs.index
    told = browser(file, script).result
    assert len(told) == schedules.changed
    for named, rows in told:
        job = names[int(named.removeprefix("job ")) - 1]
        of_both = [run.jobs.loc[job] for run in (schedules.baseline, schedules.other)]
        for one, cell in zip(of_both, rows["waited"], strict=True):
            assert cell == timespan(one["waiting_time"]).replace(".0 s", " s")
        for run, cell in zip(
            (schedules.baseline, schedules.other), rows["overtaken by"], strict=True
        ):
            own, jobs = run.jobs.loc[job], run.jobs
            later = jobs["submission_time"] > own["submission_time"]
            overtook = int((later & (jobs["starting_time"] < own["starting_time"])).sum())
            assert (cell == "none") if not overtook else cell.startswith(f"{overtook} job")


def test_the_legend_and_the_cursor_count_what_the_runs_hold(
    browser: See, file: Path, schedules: Schedules
) -> None:
    script = """
        const canvas = page.locator("canvas").first(), { width } = await canvas.boundingBox();
        await canvas.hover({ position: { x: width / 2, y: 5 } });
        return [await page.locator(".legend output").allInnerTexts(),
            await page.locator(".at span").allInnerTexts(),
            await page.locator(".whose span").allInnerTexts()];
    """
    legend, cursor, scales = browser(file, script).result
    assert scales == [": processors 0 (top) to 7 (bottom)"] * 2
    difference = gains(schedules.baseline, schedules.other)["difference"]
    counts = (int((difference < -60).sum()), int((difference > 60).sum()))
    assert [legend[0].strip(), legend[2].strip()] == [f"({count} jobs)" for count in counts]
    jobs = schedules.baseline.jobs
    first = jobs["submission_time"].min()
    runs = (schedules.baseline, schedules.other)
    half = first + (max(run.jobs["finish_time"].max() for run in runs) - first) / 2
    for run, said in zip(runs, cursor[1:], strict=False):
        columns = ("starting_time", "finish_time", "requested_number_of_resources")
        dates, used = in_use(*(run.jobs[column].to_numpy(float) for column in columns))
        in_use_then = int(used[dates <= half + 1][-1])
        assert f": {in_use_then} of 8 processors in use" in said


def test_a_click_on_a_bar_shows_its_job(browser: See, file: Path, schedules: Schedules) -> None:
    jobs = schedules.other.jobs.loc[Numbering(schedules).jobs.index]
    number = int(jobs["execution_time"].to_numpy().argmax())
    job = jobs.iloc[number]
    low, high = parse_intervals(job["allocated_resources"])[0]
    first = jobs["submission_time"].min()
    both = (schedules.baseline.jobs, schedules.other.jobs)
    end = max(one["finish_time"].max() for one in both) - first
    x = ((job["starting_time"] + job["finish_time"]) / 2 - first) / end
    y = (low + high + 1) / 2 / schedules.other.processors
    script = f"""
        const canvas = page.locator("canvas").nth(1);
        const {{ width, height }} = await canvas.boundingBox();
        await canvas.click({{ position: {{ x: {x} * width, y: {y} * height }} }});
        return await page.locator(".told h4").innerText();
    """
    assert browser(file, script).result.startswith(f"Job {number + 1},")


def runs_of_days(folder: Path) -> tuple[pa.Run, pa.Run]:
    """Runs of jobs of hours, submitted over five days."""
    hours = [1 + 5 * place % 7 for place in range(60)]
    jobs = [
        {"id": str(place), "subtime": 7200 * place, "walltime": 3600 * long, "res": 1 + place % 3,
         "profile": f"p{long}"}
        for place, long in enumerate(hours)
    ]  # fmt: skip
    profiles = {f"p{long}": {"type": "delay", "delay": 3600 * long - 60} for long in set(hours)}
    path = folder / "workload.json"
    path.write_bytes(msgspec.json.encode({"nb_res": 4, "jobs": jobs, "profiles": profiles}))
    workload = pa.read_workload(path)
    return pa.simulate(workload, "easy"), pa.simulate(workload, "easy", order="sjf")


def test_the_charts_open_on_the_day_that_changed_most_and_on_a_job_of_the_table(
    browser: See, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    write(path, content(Schedules(*runs_of_days(tmp_path))))
    script = """
        const charts = () => page.evaluate(() => {
            const { view, picked, jobs } = document.querySelector(".schedules").charts;
            return { ...view, submitted: jobs.submit[picked] };
        });
        const opened = await charts();
        await page.locator("tr[data-job] button").nth(3).click();
        return [opened, await charts()];
    """
    opened, picked = browser(path, script).result
    begins = data_of(path.read_text(encoding="utf-8"))["opens"]
    assert begins is not None
    assert (opened["from"], opened["to"]) == (begins, begins + 86400)
    assert picked["from"] <= picked["submitted"] <= picked["to"]
    assert picked["to"] - picked["from"] != 86400


def test_wheel_drag_and_buttons_move_both_charts_to_the_same_dates(
    browser: See, file: Path
) -> None:
    script = """
        const views = [];
        await page.evaluate(() => {
            window.views = [];
            document.querySelector(".schedules").addEventListener("drawn",
                (event) => window.views.push(event.detail.view));
        });
        const view = async () => {
            await page.waitForFunction(() => window.views.length);
            await page.waitForTimeout(100);
            return await page.evaluate(() => window.views.splice(0).pop());
        };
        const canvas = page.locator("canvas").first();
        await canvas.scrollIntoViewIfNeeded();
        const box = await canvas.boundingBox();
        const middle = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(...middle);
        await page.mouse.wheel(0, -300);
        views.push(await page.evaluate(() => window.views.length));
        await canvas.focus();
        await canvas.hover();
        await page.mouse.wheel(0, -300);
        views.push(await view());
        await page.mouse.down();
        await page.mouse.move(middle[0] - 200, middle[1], { steps: 5 });
        await page.mouse.up();
        views.push(await view());
        await page.getByRole("button", { name: "Show all" }).click();
        views.push(await view());
        return views;
    """
    unfocused, zoomed, dragged, whole = browser(file, script).result
    assert unfocused == 0
    assert zoomed["to"] - zoomed["from"] < 0.5 * whole["to"]
    assert dragged["from"] > zoomed["from"]
    assert dragged["to"] - dragged["from"] == pytest.approx(zoomed["to"] - zoomed["from"])
    assert whole["from"] == 0


HOSTILE = (
    "</script><script>window.ran = 1</script>",
    '"><img src=x onerror="window.ran = 1">',
    "a\u202eb'\u2066c`${1}",
    "x" * 10_000,
)


def hostile_runs(folder: Path) -> tuple[pa.Run, pa.Run]:
    """Runs whose jobs, users and own names are hostile; no id of a job can have a quote."""
    ids = [name.replace('"', "'") for name in HOSTILE]
    jobs = [
        {"id": f"{place}{ids[place % 4]}", "subtime": place, "walltime": 80 - place, "res": 2,
         "profile": f"p{place}", "user": HOSTILE[place % 4]}
        for place in range(12)
    ]  # fmt: skip
    profiles = {f"p{place}": {"type": "delay", "delay": 51 - place} for place in range(12)}
    path = folder / "workload.json"
    path.write_bytes(msgspec.json.encode({"nb_res": 4, "jobs": jobs, "profiles": profiles}))
    workload = pa.read_workload(path)
    baseline, other = pa.simulate(workload, "easy"), pa.simulate(workload, "easy", order="sjf")
    baseline.name, other.name = HOSTILE[:2]
    return baseline, other


def test_hostile_names_are_shown_as_text_and_run_nothing(browser: See, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write(path, content(Schedules(*hostile_runs(tmp_path), names=True)))
    script = """
        await page.waitForTimeout(200);
        const told = [];
        for (const button of await page.locator("tr[data-job] button").all()) {
            await button.click();
            told.push(await page.locator(".told h4").innerText());
        }
        return { told, ran: await page.evaluate(() => typeof window.ran),
            text: await page.locator("body").innerText(),
            width: await page.evaluate(() => document.documentElement.scrollWidth) };
    """
    seen = browser(path, script, width=390)
    assert seen.result["ran"] == "undefined"
    assert seen.said == []
    assert seen.result["width"] <= 390
    for shown in (*HOSTILE[:2], "a\\u202eb'\\u2066c`${1}", "x" * 10_000):
        assert any(f"user {shown}" in text for text in seen.result["told"])
    for shown in HOSTILE[:2]:
        assert shown in seen.result["text"]


def test_a_foreign_script_does_not_run(browser: See, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    added = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'></body>"
    file.write_text(text.replace("</body>", added), encoding="utf-8")
    seen = browser(file, "return await page.evaluate(() => typeof window.ran)")
    assert seen.result == "undefined"
    assert any("Content Security Policy" in one for one in seen.said)


@pytest.mark.parametrize(
    "given", [{"scripts": False}, {"before": "delete window.DecompressionStream"}]
)
def test_a_browser_that_is_too_old_says_so_in_a_sentence(
    browser: See, file: Path, given: dict[str, object]
) -> None:
    script = """
        return [await page.locator(".needs").innerText(), await page.locator(".charts").isVisible(),
            await page.locator("tr[data-job]").count()];
    """
    sentence, charts, rows = browser(file, script, ready=False, **given).result
    assert "a browser of 2023 or later" in sentence
    assert not charts
    assert rows == 20


def test_the_page_fits_on_paper_and_on_a_telephone(browser: See, file: Path) -> None:
    script = """
        const narrow = await page.evaluate(() => document.documentElement.scrollWidth);
        await page.emulateMedia({ media: "print" });
        await page.setViewportSize({ width: 680, height: 1000 });  // A4 within its margins
        await page.waitForTimeout(200);
        const cut = await page.evaluate(() => [...document.querySelectorAll("main *")]
            .filter((one) => one.getBoundingClientRect().right > 681)
            .map((one) => one.outerHTML.slice(0, 80)));
        return { narrow, cut, pdf: (await page.pdf({ preferCSSPageSize: true })).length };
    """
    found = browser(file, script, width=390).result
    assert found["narrow"] <= 390
    assert found["cut"] == []
    assert found["pdf"] > 10_000
