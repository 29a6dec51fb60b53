"""Papers reproduced, for scripts and the command: tried, as frames, and written."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.campaign import make_folder
from pred_aware.errors import PredAwareError
from pred_aware.report import BarChart
from reproductions.evidence import QUICK, Effort
from reproductions.reproducing import Reproduced, papers_named, try_claims
from reproductions.results import rows_of, write_csv, write_figures, write_json

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Papers' claims, tried on the logs that are at hand; made by `reproduce`."""

    papers: tuple[Reproduced, ...]
    """What was found of each paper."""
    folder: Path
    """Where all that was simulated and replayed is kept."""
    made: str
    """The command that makes the same."""

    @property
    def summary(self) -> str:
        """What came out, in two sentences."""
        from reproductions.report import summary

        return " ".join(summary(self.papers))

    def claims(self) -> "pd.DataFrame":
        """Return a row for each claim and log, and for each policy and measure where it has many.

        `paper`, `claim`, its `text`, `place` in the paper, `figure` there and `kind`; what became
        of it on the `source` of this trial in all (`verdict_there`); `log`, `ours` in words,
        `verdict`, and as numbers `value`, `low`, `high`, the number of `runs` and the `p_value`;
        whether it is of the paper's `size`, and `true_by_construction`.
        """
        import pandas as pd

        rows = [
            {
                "paper": one.paper.number,
                "claim": judged.claim.name,
                "text": judged.claim.text,
                "place": judged.claim.place,
                "figure": judged.claim.figure,
                "kind": judged.claim.kind,
                "verdict_there": judged.standings[found.source].verdict,
                **asdict(found),
            }
            for one in self.papers
            for judged in one.judged
            for found in judged.found
        ]
        return pd.DataFrame(rows)

    def figures(self) -> "pd.DataFrame":
        """Return a row for each bar of the papers' figures, with its interval.

        `paper`, `place`, `title`, `axis` and `unit` (``share`` or ``s``) of the figure, the `part`
        (log and machine), `category`, `series`, `value`, `low`, `high`; of boxes these three are
        the quartiles.
        """
        import pandas as pd

        columns, *rows = rows_of(self._drawn())
        return pd.DataFrame(rows, columns=pd.Index(columns))

    def write(self, folder: str | Path | None = None) -> None:
        """Write ``claims.html``, ``claims.csv``, ``claims.json`` and ``figures.csv``.

        Parameters
        ----------
        folder
            Where to; beside what is kept by default.

        Raises
        ------
        PredAwareError, InputError
            They cannot be written.
        """
        from reproductions.report import write_report

        into = self.folder if folder is None else Path(folder)
        make_folder(into)
        write_json(self.papers, into / "claims.json")
        write_csv(self.papers, into / "claims.csv")
        write_figures(self._drawn(), into / "figures.csv")
        write_report(self.papers, into / "claims.html", made=self.made)

    def _drawn(self) -> list[tuple[str, list[BarChart]]]:
        return [
            (one.paper.number, [each for each in one.figures if isinstance(each, BarChart)])
            for one in self.papers
        ]


def reproduce(  # noqa: PLR0913 - the options of the command
    papers: str | Iterable[str] = "all",
    *,
    logs: Iterable[str | Path] = (),
    folder: str | Path = "reproduced",
    quick: bool = False,
    shakes: int | None = None,
    workers: int | None = None,
    told: Callable[[str], None] | None = None,
    progress: Callable[[], AbstractContextManager[Any]] | None = None,
    made: str = "pred_aware.reproduce",
) -> Reproduction:
    """Try papers' claims, one by one, on the logs that are at hand (research/docs/papers.md).

    Nothing is fetched: what is not at hand is not tried, and the claims say how to get it. What
    is in the folder already is not made again, so that a call that was stopped goes on.

    Parameters
    ----------
    papers
        Their numbers, ``000`` to ``004``, or ``all``.
    logs
        Where logs are: folders and files. The cache of ``pred-aware log fetch`` is looked through
        after them.
    folder
        Where runs and replays are kept.
    quick
        Whether to take fewer logs, and five shakes of each.
    shakes
        How many shakes of each log are simulated; by default as many as the precision needs, 5 to
        20, and 5 if `quick`.
    workers
        How many processes simulate; one per core by default.
    told
        Told what is replayed.
    progress
        Makes what shows how far the simulations are.
    made
        What the page says that it was made by.

    Returns
    -------
    Reproduction
        Claims and figures; `Reproduction.write` makes the page.

    Raises
    ------
    PredAwareError
        There is no such paper, `shakes` is below 2, a log is not there, or the folder cannot be
        written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = reproduce("003", folder=folder, quick=True)
    >>> set(found.claims()["verdict"])
    {'not tried'}
    """
    from workload_tools import cache_folder

    wanted = papers_named([papers] if isinstance(papers, str) else list(papers))
    places = [Path(one).expanduser() for one in logs]
    for place in places:
        if not place.exists():
            raise PredAwareError(f"{place}: there is no such folder or file; logs are looked for "
                                 "in it")  # fmt: skip
    if shakes is not None and shakes < FEWEST:
        raise PredAwareError(f"shakes is {shakes}: an interval needs at least {FEWEST}")
    effort = QUICK if quick else Effort()
    if shakes is not None:
        effort = Effort(at_least=shakes, at_most=shakes, quick=quick)
    cache = cache_folder()
    into = Path(folder)
    make_folder(into)
    found = []
    for paper in wanted:
        with progress() if progress is not None else nullcontext() as shown:
            found.append(
                try_claims(
                    paper,
                    [*places, *([cache] if cache.is_dir() else [])],
                    folder=into,
                    effort=effort,
                    workers=workers,
                    told=told or _nothing,
                    progress=shown,
                )
            )
    return Reproduction(tuple(found), into, made)


FEWEST = 2
"""Below so many shakes there is no interval."""


def _nothing(_: str) -> None:
    pass
