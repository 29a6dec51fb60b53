"""How large a page with two schedules is, and how fast a browser draws them.

Each drawing is timed beside a plain canvas that fills as many rectangles as there are bars in view,
of the same places and colours, in the same run; both until the pixels can be read. Needs node, npm
and Chromium.

    python benchmarks/page.py hpc2n-easy_jobs.csv hpc2n-easy_plus_plus_jobs.csv
"""

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pred_aware as pa
from pred_aware.gantt.charts import Schedules
from pred_aware.report.page import Content, Section, write

PACKAGES = ("playwright-core@1.65.1",)
BROWSER = Path(__file__).parents[1] / "tests" / "pred_aware" / "page" / "browser.mjs"
SCRIPT = """
return await page.evaluate(async () => {
  const block = document.querySelector(".schedules"), charts = block.charts, end = charts.all.to;
  const marks = Object.fromEntries(
    performance.getEntriesByType("mark").map((one) => [one.name, one.startTime]));
  const median = (some) => some.sort((one, other) => one - other)[some.length >> 1];
  const read = (contexts) => contexts.forEach((context) => context.getImageData(0, 0, 1, 1));

  const ours = (view) => new Promise((done) => {
    block.addEventListener("drawn", (event) => {
      const began = performance.now();
      read(charts.contexts);
      done([event.detail.milliseconds + performance.now() - began, event.detail.bars]);
    }, { once: true });
    charts.look(view);
  });

  const canvases = charts.canvases.map((one) => {
    const canvas = document.createElement("canvas");
    canvas.width = one.width; canvas.height = one.height;
    return canvas.getContext("2d");
  });
  const colours = ["#0072b2", "#9a9a9a", "#d55e00"];
  const plain = (view) => {
    const { width, height } = canvases[0].canvas;
    const across = width / (view.to - view.from), up = height / (view.high - view.low);
    const inView = charts.schedules.map(({ bars }) => bars.groups.map((group) => {
      const some = [];
      for (let i = group.first; i < group.after; i++) {
        if (bars.end[i] > view.from && bars.start[i] < view.to) some.push(i);
      }
      return [colours[group.kind], some];
    }));
    const began = performance.now();
    charts.schedules.forEach(({ bars }, chart) => {
      const context = canvases[chart];
      context.clearRect(0, 0, width, height);
      for (const [colour, some] of inView[chart]) {
        context.fillStyle = colour;
        for (const i of some) {
          context.fillRect((bars.start[i] - view.from) * across, (bars.low[i] - view.low) * up,
            Math.max(1, (bars.end[i] - bars.start[i]) * across), (bars.high[i] - bars.low[i]) * up);
        }
      }
    });
    read(canvases);
    return performance.now() - began;
  };

  const steps = 15, rows = [];
  const measure = async (what, views) => {
    const both = [[], [], []];
    for (const view of views) {
      const [drawn, bars] = await ours(view);
      both[0].push(drawn);
      both[1].push(plain(view));
      both[2].push(bars);
    }
    rows.push([what, ...both.map(median)]);
  };
  const views = (make) => Array.from({ length: steps },
    (_, step) => ({ ...charts.all, ...make(step) }));
  await measure("all, again", views(() => ({})));
  for (const share of [.5, .1, .01, .001]) {
    await measure(`moved, ${100 * share} % in view`, views((step) => {
      const from = (.3 + .01 * share * step) * end;
      return { from, to: from + share * end };
    }));
  }
  await measure("zoomed from all to 0.1 %", views((step) => {
    const wide = end * Math.pow(.001, step / (steps - 1));
    return { from: .4 * (end - wide), to: .4 * (end - wide) + wide };
  }));
  return { marks, rows };
});
"""


def main() -> None:
    """Write the page, open it and print what it takes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("baseline", type=Path, help="PREFIX_jobs.csv")
    parser.add_argument("other", type=Path, help="PREFIX_jobs.csv of the same jobs")
    parser.add_argument("--width", type=int, default=1440, help="of the window, in pixels")
    arguments = parser.parse_args()
    baseline, other = pa.read_run(arguments.baseline), pa.read_run(arguments.other)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        began = time.process_time()
        sections = (Section("", (Schedules(baseline, other, explain=False),)),)
        write(page, Content("Schedules", "", None, sections, "benchmarks/page.py"))
        seconds = time.process_time() - began
        print(
            f"{len(baseline.jobs):,} jobs in two schedules: {page.stat().st_size / 1e6:.2f} MB of "
            f"HTML"
        )
        print(f"written in {seconds:.1f} CPU seconds, reading the runs included")
        found = in_browser(page, Path(folder), arguments.width)
    marks, rows = found["marks"], found["rows"]
    begin, read, drawn = (marks[f"schedules: {name}"] for name in ("begin", "read", "drawn"))
    print(f"until its script begins {begin:.0f} ms, decoded {read - begin:.0f} ms later,")
    print(f"first picture {drawn - read:.0f} ms after that; milliseconds a frame of both charts:")
    print(f"{'':28}{'bars in view':>14}{'page':>8}{'plain':>8}{'page / plain':>14}")
    for what, page_ms, plain_ms, bars in rows:
        ratio = page_ms / max(plain_ms, 0.1)
        print(f"{what:28}{bars:14,}{page_ms:8.1f}{plain_ms:8.1f}{ratio:14.2f}")


def in_browser(page: Path, folder: Path, width: int) -> dict[str, object]:
    """Open the page in Chromium and run the script there."""
    npm, node = shutil.which("npm"), shutil.which("node")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if npm is None or node is None or chromium is None:
        raise SystemExit("needs node, npm and chromium: apt-get install chromium nodejs npm")
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *PACKAGES]
    subprocess.run(install, check=True)  # noqa: S603
    asked = {"page": str(page), "script": SCRIPT, "width": width, "scripts": True, "ready": True}
    command = [node, str(BROWSER), str(folder), chromium]
    ended = subprocess.run(  # noqa: S603
        command, input=json.dumps(asked).encode(), stdout=subprocess.PIPE, check=True
    )
    found: dict[str, object] = json.loads(ended.stdout)["result"]
    return found


if __name__ == "__main__":
    main()
