"""Output of a command: its files are checked before anything is computed."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import typer

from pred_aware.commands.options.groups import OUTPUT, flag, has, option
from pred_aware.commands.options.typed import typed
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.report.finding import Finding
    from pred_aware.report.result import Result
    from pred_aware.report.sentence import Block

MUST_BE_MENDED = 1
"""The exit code if something that is required does not work."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """Options for the output of a command."""

    PANEL: ClassVar = OUTPUT
    context: typer.Context
    html: Annotated[
        Path | None,
        option("FILE", "Write an HTML page with tables and pictures. The page works offline."),
    ] = None
    names: Annotated[
        bool,
        flag(
            "Show the names of users and jobs on the page. By default numbers replace the names.",
        ),
    ] = False
    picture: Annotated[
        Path | None,
        option("FILE", "Write the pictures to a .png, .svg or .pdf file."),
    ] = None
    tables: Annotated[
        Path | None,
        option("FILE", "Write the tables to a .csv or .json file, with all digits."),
    ] = None
    csv: Annotated[Path | None, option("FILE", "Write one row for each job.")] = None
    as_json: Annotated[bool, flag("Print only JSON.", "--json")] = False
    quiet: Annotated[bool, flag("Print only errors.", "-q", "--quiet")] = False

    @property
    def files(self) -> dict[str, Path | None]:
        """Return the files to write, by option name."""
        return {
            "csv": self.csv, "html": self.html, "picture": self.picture, "tables": self.tables,
        }  # fmt: skip

    @property
    def silent(self) -> bool:
        """Return True if the command prints no text lines."""
        return self.as_json or self.quiet

    def check(self, read: Mapping[str, Path], **others: Path | None) -> None:
        """Check the output files, also those of the command's own options; see `check_outputs`."""
        check_outputs(read, **self.files, **others)

    def progress(
        self, what: str = "jobs", *, shown: bool = True
    ) -> "AbstractContextManager[Progress | None]":
        """Show a progress bar during the block, if standard error is a terminal."""
        return progress_bar(shown=shown and not self.quiet and sys.stderr.isatty(), what=what)

    def deliver(self, result: "Result", *, readable: bool = False, **written: Path | None) -> None:
        """Write the requested files, and print JSON, text or nothing.

        Parameters
        ----------
        result
            The result of the command.
        readable
            True to print indented JSON.
        written
            Files that the command has already written, by their content. They are listed, too.
        """
        if self.tables is not None:
            from pred_aware.report.table import write_tables

            write_tables(result.tables(), self.tables)
        if self.picture is not None:
            from pred_aware.report.picture import figure_of, save

            title, pictures = result.pictures()
            save(figure_of(pictures, title), self.picture)
        if self.html is not None:
            from pred_aware.report.page import write

            command = typed(self.context, more=("--html", "FILE"))
            write(self.html, result.page(command=command, names=self.names))
        if self.csv is not None:
            result.write_rows(self.csv)
        if self.as_json:
            print_json(result.to_dict(), readable=readable)
        elif not self.quiet:
            result.show()
            files = {"Picture": self.picture, "Page": self.html, result.ROWS: self.csv, **written}
            for what, path in files.items():
                if path is not None:
                    say(f"{what}: {path}")

    def print_result(
        self,
        content: Any,  # noqa: ANN401 - any JSON value
        lines: Iterable[object] | Callable[[], object],
        *,
        readable: bool = False,
    ) -> None:
        """Print JSON, or text lines, or nothing; `lines` may also be a function that prints."""
        if self.as_json:
            print_json(content, readable=readable)
        elif not callable(lines):
            self.print_lines(lines)
        elif not self.quiet:
            lines()

    def print_blocks(
        self,
        content: Any,  # noqa: ANN401 - any JSON value
        blocks: "Iterable[Block]",
        *,
        readable: bool = False,
    ) -> None:
        """Print JSON, or tables and remarks, or nothing."""
        from pred_aware.report.terminal import console, show

        self.print_result(content, lambda: show([*blocks], console()), readable=readable)

    def print_lines(self, lines: Iterable[object]) -> None:
        """Print text lines, unless the output is JSON or quiet."""
        if not self.silent:
            for line in lines:
                say(line)

    def print_findings(self, found: "Iterable[Finding]", *, well: str) -> None:
        """Print findings as they arrive, then a summary.

        If something that is required does not work, the exit code is 1. Otherwise the summary
        begins with `well`.
        """
        findings = []
        for finding in found:
            findings.append(finding)
            self.print_lines([f"{finding.state:7} {finding.subject}: {finding.found}"])
            self.print_lines([f"{'':7} -> {finding.advice}"] if finding.advice else [])
        broken = [finding for finding in findings if finding.must_be_mended]
        self.print_result(_as_json(findings, broken), ["", _summed_up(findings, broken, well)])
        if broken:
            raise typer.Exit(MUST_BE_MENDED)


PAGE = ("html", "picture", "tables", "as_json", "quiet")
"""Output options of commands that can write a page."""

PrintOptions: TypeAlias = Annotated[OutputOptions, has("as_json", "quiet")]
"""Output options of commands that print JSON or text lines."""
JsonOption: TypeAlias = Annotated[OutputOptions, has("as_json")]
QuietOption: TypeAlias = Annotated[OutputOptions, has("quiet")]


def _as_json(findings: "list[Finding]", broken: "list[Finding]") -> dict[str, Any]:
    import msgspec

    values = [{**msgspec.to_builtins(finding), "needed": finding.needed} for finding in findings]
    return {"works": not broken, "findings": values}


def _summed_up(findings: "list[Finding]", broken: "list[Finding]", well: str) -> str:
    if broken:
        return f"Needs repair: {', '.join(finding.subject for finding in broken)}."
    others = [finding.subject for finding in findings if finding.state == "wrong"]
    rest = f" Optional, with problems: {', '.join(others)}." if others else ""
    return f"{well}{rest}"


@contextmanager
def progress_bar(*, shown: bool, what: str = "jobs") -> Iterator[Progress | None]:
    """Show a progress bar on standard error while the block runs."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        what,
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda ended, total: bar.update(task, completed=ended, total=total)


def check_outputs(read: Mapping[str, Path], **outputs: Path | None) -> None:
    """Check the output paths before anything is computed.

    Parameters
    ----------
    read
        Input files and folders, by a name for messages.
    outputs
        The files to write, by option name.

    Raises
    ------
    PredAwareError
        An output is also an input or another output, is inside an input folder, or is a folder; its
        folder does not exist; or the file type of a picture or table is unknown.
    """
    taken = {path.resolve(): what for what, path in read.items()}
    for called, path in outputs.items():
        if path is None:
            continue
        resolved = path.resolve()
        name = taken.setdefault(resolved, f"--{called}")
        if name != f"--{called}":
            raise PredAwareError(f"--{called} {path} is also {name}; each file needs its own name")
        for what, source in read.items():
            if source.is_dir() and resolved.is_relative_to(source.resolve()):
                raise PredAwareError(
                    f"--{called} {path} is inside the input folder of {what}; give a path elsewhere"
                )
        if not path.absolute().parent.is_dir():
            raise PredAwareError(f"cannot write {path}: the folder {path.parent} does not exist")
        if path.is_dir():
            raise PredAwareError(f"cannot write {path}: it is a folder; give a file name")
        if called == "tables":
            from pred_aware.report.table import check_tables_path

            check_tables_path(path)
        if called == "picture":
            from pred_aware.report.picture import check_picture_path

            check_picture_path(path)


def print_json(content: Any, *, readable: bool = False) -> None:  # noqa: ANN401 - any JSON value
    """Print a JSON object on one line, or on many if `readable`."""
    import msgspec

    encoded = msgspec.json.encode(content)
    # JSON is UTF-8, whatever the terminal's encoding
    sys.stdout.buffer.write((msgspec.json.format(encoded) if readable else encoded) + b"\n")
