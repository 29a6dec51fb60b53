"""Options for reading a log of any format, and for changing its jobs."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import msgspec

from pred_aware.commands.options.groups import CHANGES, READING, argument, option
from pred_aware.errors import PredAwareError
from workload_tools.expected import in_words

if TYPE_CHECKING:
    from pred_aware.log.job_log import JobLog
    from pred_aware.site_configuration import ConfiguredSite
    from schedulers.site.site import Site
    from workload_tools.log import Log
    from workload_tools.missing_walltime import MissingWalltime
    from workload_tools.report import Report

LogArgument: TypeAlias = Annotated[Path, argument("LOG", "The job log, of any format.")]
LogsArgument: TypeAlias = Annotated[
    list[Path],
    argument("LOG...", "The job log, of any format: a file or folder, or several exports."),
]
CleanOption: TypeAlias = Annotated[
    list[str] | None,
    option(
        "RECIPE",
        "Remove jobs by a condition such as 'user=2 and run>7d', mark the first jobs as "
        "warm-up ('warm-up=1%'), or apply a named recipe ('paper000-curie'). "
        "Repeatable.",
        panel=CHANGES,
    ),
]
DROPPED = "drop; an error if most jobs lack a walltime"


def missing_walltime_option(default: str, *, metavar: str = "drop|keep|SECONDS") -> Any:  # noqa: ANN401 - as typer's
    """Return the option for jobs without a walltime."""
    kept = "drop it, keep it" if "keep" in metavar else "drop it"
    text = f"What happens to a job without a walltime: {kept}, or give it this walltime."
    return option(metavar, text, shown=default, panel=CHANGES)


WORKLOAD_WALLTIME = missing_walltime_option(f"{DROPPED}; for SWF output: keep")
"""The option of commands that convert a log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """Options for reading a log."""

    PANEL: ClassVar = READING
    reader: Annotated[
        str | None,
        option(
            "NAME|JSON",
            "The log's format, or JSON with the format's name and options, such as "
            '\'{"name": "slurm", "unit": "cores"}\'; @FILE reads the JSON from a file. '
            "`pred-aware convert FORMAT --help` lists the options.",
            shown="detected from the log",
        ),
    ] = None
    processors: Annotated[
        int | None,
        option("N", "Number of processors of the machine.", shown="from the log", min=1),
    ] = None
    time_zone: Annotated[
        str | None,
        option(
            "ZONE",
            "The machine's time zone, such as Europe/Paris.",
            shown="from the log, or UTC",
        ),
    ] = None
    site: Annotated[
        Path | None,
        option(
            "FILE",
            "Site file or snapshot folder. Simulations apply the site's nodes and rules.",
        ),
    ] = None
    order: Annotated[
        str | None,
        option(
            "NAME|JSON|FORMULA",
            "The priority order of the site's queue: submission, 'shorter first', 'smaller first', "
            "'larger first', 'fair share of users', an order's name or JSON, or a PBS formula "
            "such as 'eligible_time / 86400 + log2(ncpus)'.",
        ),
    ] = None
    missing_walltime: Annotated[str | None, missing_walltime_option(DROPPED)] = None
    clean: CleanOption = None

    @property
    def files(self) -> dict[str, Path]:
        """Return the files that the options name, by option."""
        at, _, file = (self.reader or "").partition("@")
        reader = {"--reader": Path(file)} if file and not at else {}
        return reader if self.site is None else {**reader, "--site": self.site}

    @property
    def open_options(self) -> dict[str, Any]:
        """Return format, size and time zone as arguments of `workload_tools.formats.open_log`."""
        site = self.read_site()
        processors = self.processors or (None if site is None else site.size)
        return {
            "format": self._format_and_options[0],
            "processors": processors,
            "time_zone": self.time_zone,
        }

    @property
    def options(self) -> dict[str, Any]:
        """The options of the format's reader."""
        return self._format_and_options[1]

    @property
    def _format_and_options(self) -> tuple[str | None, dict[str, Any]]:
        text = self.reader
        if text is not None and not text.startswith(("{", "@")):
            return text, {}
        options = read_options(text)
        return options.pop("name", None), options

    def read_site(self) -> "Site | None":
        """Read the site's file and put the order from --order into it."""
        if self.site is None and self.order is None:
            return None
        from pred_aware.site_configuration import read_site
        from pred_aware.site_inference.queue_order import stated_order
        from schedulers.site.site import Site

        site = Site() if self.site is None else read_site(self.site)
        if self.order is None:
            return site
        return msgspec.structs.replace(site, order=stated_order(self.order))

    def read_configured(self) -> "ConfiguredSite | None":
        """Return the site of the folder of a snapshot, or ``None`` if --site is not a folder."""
        if self.site is None or not self.site.is_dir():
            return None
        from pred_aware.site_configuration import configured_site

        return configured_site(self.site)

    def of_reader(self, *, output: Path | None = None) -> dict[str, Any]:
        """Return the reader's options; --missing-walltime overrides the option in --reader."""
        missing = missing_walltime_of(self.missing_walltime, output=output)
        given = {} if self.missing_walltime is None else {"missing_walltime": missing}
        return {"missing_walltime": missing, **self.options, **given}

    def open(self, log: Path, *, output: Path | None = None) -> "Log":
        """Open a log for simulation, prediction or conversion, without reading jobs yet.

        Raises
        ------
        PredAwareError, InputError
            An option is invalid, or the log cannot be opened.
        """
        from workload_tools.formats import open_log

        return open_log(log, options=self.of_reader(output=output), **self.open_options)

    def read(self, log: Path) -> "JobLog":
        """Read a whole log, with cleaning applied.

        Raises
        ------
        PredAwareError, InputError
            As for :meth:`open`, or if no job is left.
        """
        from tempfile import TemporaryDirectory

        from pred_aware.log.job_log import JobLog
        from workload_tools.log import gather

        opened = self.open(log)
        with TemporaryDirectory(prefix="pred-aware-") as folder:
            jobs = gather(cleaned(opened, self.clean, folder=Path(folder)))
        if not jobs.jobs:
            raise no_jobs(log, opened.report)
        return JobLog(log.name, jobs, opened.report)


def cleaned(log: "Log", recipes: list[str] | None, *, folder: Path) -> "Log":
    """Return the log after the cleaning recipes; `folder` is for temporary files."""
    from workload_tools.changes.cleaning import Cleaned, WarmUp, recipe

    wanted = recipe(*(recipes or ()))
    if wanted.removals:
        log = Cleaned(log, wanted.removals)
    return log if wanted.warm_up is None else WarmUp(log, wanted.warm_up, folder=folder)


def no_jobs(log: Path, counts: "Report") -> Exception:
    """Return the error that no job of a log is left, with the reasons."""
    from workload_tools.errors import LogError

    reasons = ", ".join(f"{reason}: {count}" for reason, count in counts.dropped.items())
    return LogError(log, f"none of its {counts.read} jobs can be simulated ({reasons})")


def read_options(text: str | None) -> dict[str, Any]:
    """Read options from a JSON object, or from a file given as ``@FILE``.

    Raises
    ------
    PredAwareError
        The file cannot be read, or the text is not a JSON object.
    """
    if text is None:
        return {}
    try:
        content = Path(text[1:]).read_bytes() if text.startswith("@") else text.encode()
        options = msgspec.json.decode(content)
    except OSError as error:
        raise PredAwareError(f"options {text}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise PredAwareError(f"options {text!r} are not JSON: {in_words(error)}") from error
    if not isinstance(options, dict):
        raise PredAwareError(
            f'options must be a JSON object such as \'{{"order": "sjf"}}\', not {text!r}'
        )
    return options


def missing_walltime_of(
    text: str | None, *, output: Path | None = None, keep: bool = True
) -> "MissingWalltime | None":
    """Return the value of --missing-walltime, with seconds as a number.

    Parameters
    ----------
    text
        The option's text.
    output
        The output file. By default, jobs without a walltime are kept in SWF and Parquet output,
        because the user can decide when converting that log to a workload.
    keep
        Whether ``keep`` is allowed.

    Raises
    ------
    PredAwareError
        The text is none of the allowed values.
    """
    if text is None:
        from pred_aware.log.conversion import is_parquet, is_swf

        again = output is not None and (is_swf(output) or is_parquet(output))
        return "keep" if again else None
    if text == "keep":
        return "keep"
    if text == "drop":
        return "drop"
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        known = "keep, drop" if keep else "drop"
        raise PredAwareError(
            f"--missing-walltime is '{text}'. Give {known} or a number of seconds above 0"
        )
    return seconds
