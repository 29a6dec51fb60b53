"""The command that a page tells says the same as what was typed."""

import html
import re
import shlex
from pathlib import Path
from typing import Any

from pred_aware.cli import command_line
from pred_aware.commands.options.groups import OUTPUT
from pred_aware.commands.options.typed import typed
from tests.pred_aware.command import Command

HEAD = "; MaxProcs: 8\n; UnixStartTime: 1072894200\n"
ARGUMENTS = {
    "inspect": (
        "log.swf", "--baseline", "easy", "--time-zone", "Europe/Prague", "--processors", "9",
        "--clean", "submit<2004-01-01", "--clean", "run>7d", "--reader", '{"strict": true}',
    ),
    "predict": (
        "log.swf", "--predictor", 'near={"name": "knn", "k": 3}', "--predictor", "last_two",
        "--split", "random", "--test-share", "0.3", "--seed", "4", "--missing-walltime", "900",
    ),
    "service shadow": (
        "log.swf", "--predictor", "last_two", "--shakes", "0", "--start", "2004-01-01",
        "--time-zone", "Europe/Prague", "--processors", "9", "--backfill-depth", "3", "-j", "1",
        "-O", "order=sjf", "-O", 'backfilling={"name": "easy"}',
    ),
    "study": (
        "log.swf", "--shakes", "2", "--time-zone", "Europe/Prague", "--processors", "9", "-j", "1",
        "--clean", "run>7d", "--no-infer-site", "-o", "out",
    ),
    "compare": (
        "a b=easy_jobs.csv", "own=own_jobs.csv", "--workload", "made.json", "--platform", "p.xml",
        "--own-parts", "--anyway", "--shakes", "2", "--by", "size", "--names", "--tau", "60",
        "--measures", "mean_waiting_time,p95_waiting_time", "--html", "page.html",
    ),
    "campaign report": ("small.toml", "--names", "-o", "page.html"),
}  # fmt: skip


def parsed(words: list[str]) -> Any:  # noqa: ANN401 - a context of typer's
    """Return the context of a command line."""
    command, context = command_line(), None
    while hasattr(command, "commands"):
        name, *words = words
        command = command.commands[name]
        path = name if context is None else f"{context}{name}"
        context = f"{path} "
    assert context is not None
    return command.make_context(f"pred-aware {context.strip()}", words)  # type: ignore[attr-defined]


def test_the_command_on_a_page_is_the_typed_command() -> None:
    for name, arguments in ARGUMENTS.items():
        first = parsed([*name.split(), *arguments])
        again = parsed(shlex.split(typed(first))[1:])
        panels = {one.name: getattr(one, "rich_help_panel", None) for one in first.command.params}
        decides = [one for one in first.params if panels[one] != OUTPUT or one == "names"]
        assert len(decides) > 1
        for one in decides:
            same = first.params[one] == again.params[one]
            assert same or one == "workers", f"{name}: {one}"


def test_files_stand_without_their_folders(here: Path, command: Command) -> None:
    line = "{0} {1} 5 {2} 4 -1 -1 4 900 -1 1 {3} 1 -1 1 -1 -1 -1"
    jobs = [line.format(n, 200 * n, 60 + n % 7 * 90, n % 3 + 1) for n in range(1, 41)]
    (here / "ann").mkdir()
    (here / "ann" / "log.swf").write_text(HEAD + "\n".join(jobs) + "\n")
    (here / "ann" / "reader.json").write_text('{"strict": true}')
    history = '{"file": "ann/log.swf"}'
    command(
        "predict", here / "ann" / "log.swf", "--predictor", "last_two", "--history", history,
        "--reader", f"@{here}/ann/reader.json", "--time-zone", "Europe/Prague", "--html", "p.html",
    )  # fmt: skip
    (told,) = re.findall("<code>(pred-aware .*?)</code>", Path("p.html").read_text())
    assert html.unescape(told) == (
        'pred-aware predict log.swf --predictor last_two --history \'{"file": "log.swf"}\' '
        "--reader @reader.json --time-zone Europe/Prague --html FILE"
    )
