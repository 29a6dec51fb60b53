"""Run one version's commands, and read their outputs as texts that `same_bytes.py` compares."""

import base64
import gzip
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import tempfile
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from same_bytes_inputs import write_inputs

HERE = Path(__file__).parent
VOLATILE = (
    (r"\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "<now>"),
    # times that other processes measured, and a service's uptime
    (r'"(up|cpu_seconds)":\s*[\d.e-]+', r'"\1":#'),
    (r'("cpu_seconds":#,\s*"seconds":)\s*[\d.e-]+', r"\1#"),
    (r'"measured":\s*\{[^{}]*\}', '"measured":#'),
    (r"(?m)^│ (\w*seconds|memory_bytes|disk_bytes|process) +│.*$", r"│ \1 │ # │"),
    (r" ran \([\d.]+ s\)", " ran (#)"),
    (r"(uptime_seconds|up for) [\d.]+", r"\1 #"),
)
"""Patterns of texts that differ from run to run (measured times, dates), and replacements."""

MEASURED = ("index.cache", "measured.json")
"""Files that are not compared: measured values, and a cache of values in other files."""

MEASURED_COLUMNS = ("scheduling_time", "simulation_time")
"""CSV columns with measured times."""

PACKED = re.compile(r'(?<=")[A-Za-z0-9+/]{60,}={0,2}(?=")')


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The source of an output: the command's section and number, the category and the file."""

    section: str
    number: int
    category: str
    file: str


Outputs: TypeAlias = dict[Place, str]


@dataclass(frozen=True, slots=True)
class Side:
    """A version, and the folder in which its commands run."""

    checkout: Path
    folder: Path
    days: list[str] = field(default_factory=list)
    """The dates on which the commands ran, in ISO format."""

    def run(
        self,
        sections: dict[str, list[str]],
        texts: dict[str, str],
        *,
        copies: dict[str, str],
        jobs: int,
    ) -> None:
        """Run all commands, unless the folder has their outputs of the same unchanged commit."""
        scripts = [HERE / f"same_bytes_{name}.py" for name in ("inputs", "side")]
        made = {
            "texts": texts,
            "copies": copies,
            "commit": commit_of(self.checkout),
            "scripts": [script.read_text() for script in scripts],
        }
        known = self.folder / "made.json"
        if made["commit"] and known.exists():
            there = json.loads(known.read_text())
            same = all(there.get(key) == value for key, value in made.items())
            if same and sections.items() <= there["sections"].items():
                return
        if self.folder.exists():
            shutil.rmtree(self.folder)
        days = [today()]
        for name in sections:
            write_inputs(self.folder / name, texts, copies if name == "papers" else {})
        environment = {
            **os.environ,
            "COLUMNS": "160",
            "HOME": str(self.folder / "home"),
            "LC_ALL": "C.UTF-8",
            "MPLCONFIGDIR": str(self.folder.parent / "matplotlib"),
            "NO_COLOR": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": ".",
            "TERM": "dumb",
            "TZ": "UTC",
            "XDG_CACHE_HOME": str(self.folder / "home"),
        }
        python = self.checkout / ".venv" / "bin" / "python"
        subprocess.run(  # noqa: S603 - our own
            [python, "-P", HERE / "same_bytes_side.py", self.checkout, self.folder, str(jobs)],
            cwd=self.folder,
            input=json.dumps(sections), text=True, check=True, env=environment,
        )  # fmt: skip
        known.write_text(
            json.dumps({**made, "sections": sections, "days": sorted({*days, today()})})
        )

    def outputs(self, sections: dict[str, list[str]]) -> Outputs:
        """Return all outputs as texts, by their sources."""
        found: Outputs = {}
        self.days[:] = json.loads((self.folder / "made.json").read_text())["days"]
        helps = json.loads((self.folder / "report" / "helps.json").read_text())
        for command, text in helps.items():
            found[Place("help", 0, "help", command)] = self._settled(text.encode(), ".txt")
        for section in sections:
            steps = json.loads((self.folder / "report" / f"section-{section}.json").read_text())
            for step in steps:
                found |= self._of_step(
                    section, step, shlex.split(sections[section][step["number"]])
                )
        return found

    def _of_step(self, section: str, step: dict[str, Any], words: list[str]) -> Outputs:
        number = step["number"]
        found = {Place(section, number, "exit", ""): str(step["code"])}
        for stream in ("stdout", "stderr"):
            told = (self.folder / "outputs" / section / f"{number}.{stream}").read_bytes()
            ending = ".json" if "--json" in words and stream == "stdout" else ".txt"
            found[Place(section, number, stream, "")] = self._settled(told, ending)
        for name in step["wrote"]:
            path = self.folder / section / name
            if path.name not in MEASURED and path.exists():
                ending = Path(name.removesuffix(".gz")).suffix
                text = self._settled(path.read_bytes(), ending)
                found[Place(section, number, "files", name)] = text
        return found

    def _settled(self, content: bytes, ending: str) -> str:
        """Return an output as the text that is compared: unpacked, without times and folders."""
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        if content[:15] == b"SQLite format 3":
            with tempfile.NamedTemporaryFile(suffix=".db") as file:
                file.write(content)
                file.flush()
                content = "\n".join(sqlite3.connect(file.name).iterdump()).encode()
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content.decode("latin-1")
        if ending == ".html":
            text = PACKED.sub(_unpacked, text)
        for path, word in ((self.folder, "<folder>"), (self.checkout, "<checkout>")):
            text = text.replace(str(path), word)
        if ending == ".csv":
            text = _without_times(text)
        for pattern, replacement in VOLATILE:
            text = re.sub(pattern, replacement, text)
        for day in self.days:
            text = text.replace(day, "<today>")
        return text


def today() -> str:
    """Return today's date in UTC, in ISO format."""
    return datetime.now(UTC).date().isoformat()


def commit_of(checkout: Path) -> str:
    """Return the commit of a checkout, or an empty text if the checkout has changes."""
    git = ["git", "-C", str(checkout)]
    changed, commit = (
        subprocess.run([*git, *words], capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - our own
        for words in (("status", "--porcelain"), ("rev-parse", "HEAD"))
    )
    return "" if changed else commit


def _without_times(text: str) -> str:
    """Return a CSV with `#` in place of the values of `MEASURED_COLUMNS`."""
    head, _, rows = text.partition("\n")
    measured = [place for place, name in enumerate(head.split(",")) if name in MEASURED_COLUMNS]
    if not measured:
        return text
    cells = [row.split(",") for row in rows.splitlines()]
    for row in cells:
        for place in measured:
            row[place] = "#"
    return "\n".join([head, *(",".join(row) for row in cells)])


def _unpacked(found: re.Match[str]) -> str:
    """Return the unpacked text of a match; if unpacking fails, the match unchanged."""
    try:
        return zlib.decompress(base64.b64decode(found[0]), -zlib.MAX_WBITS).decode()
    except (ValueError, zlib.error):
        return found[0]
