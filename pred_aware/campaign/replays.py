"""Replays of a campaign's predictors on its logs, with stored results."""

from collections.abc import Callable, Iterator
from pathlib import Path

from pred_aware.campaign.cache import keep, kept_file, read_kept
from pred_aware.campaign.specification import LogOfCampaign, PolicyOfCampaign, Specification
from pred_aware.campaign.store import Store
from pred_aware.errors import USER_ERRORS
from pred_aware.prediction.replay_summary import ReplaySummary
from pred_aware.prediction.tables import determination
from pred_aware.report.table import Table, duration, number, percent

_FORMAT = 4
"""Version of stored replays; increased when their content changes."""

ShowLine = Callable[[str], None]


class Replays:
    """The replays of a campaign.

    Parameters
    ----------
    specification
        The campaign.

    Attributes
    ----------
    failures : dict
        Logs that cannot be read or replayed, by name, with the reason.
    """

    def __init__(self, specification: Specification) -> None:
        self._logs = specification.logs
        self._predictors = specification.predictors
        self._store = Store(specification.store)
        self.failures: dict[str, str] = {}

    @property
    def _folder(self) -> Path:
        return self._store.folder / "replays"

    def make(self, show_line: ShowLine | None) -> None:
        """Make the missing replays in this process: each log once, for all predictors.

        Parameters
        ----------
        show_line
            Called before each replay with its log and predictors.

        Raises
        ------
        StoreError
            The store cannot be written.
        """
        if not self._predictors:
            return
        self.failures.clear()
        self._store.begin()
        for log in self._logs:
            try:
                self._replay(log, show_line)
            except USER_ERRORS as error:
                self.failures[log.name] = str(error)

    def _replay(self, log: LogOfCampaign, show_line: ShowLine | None) -> None:
        files = {name: self._file(log, name) for name in self._predictors}
        missing = {
            name: self._predictors[name] for name, file in files.items() if not file.is_file()
        }
        if not missing:
            return
        from pred_aware.log.job_log import read_log
        from pred_aware.prediction.predict import predict
        from pred_aware.prediction.replay_summary import summarised

        if show_line is not None:
            show_line(f"{log.name}: {', '.join(missing)}")
        read = read_log(
            log.file,
            format=log.format,
            clean=log.clean,
            load=log.load,
            missing_walltime=log.missing_walltime,  # type: ignore[arg-type] # checked by the reader
            **log.options,
        )
        measured = predict(read, missing)
        for place, name in enumerate(missing):
            keep(files[name], summarised(measured, place))

    def found(self) -> Iterator[tuple[str, str, ReplaySummary]]:
        """Yield each finished replay: log, predictor and summary."""
        for log in self._logs:
            for name in self._predictors:
                try:
                    file = self._file(log, name)
                except USER_ERRORS as error:
                    self.failures[log.name] = str(error)
                    break
                if file.is_file():
                    yield log.name, name, read_kept(file, ReplaySummary)

    def _file(self, log: LogOfCampaign, name: str) -> Path:
        # the digest of a policy with this predictor covers the predictor's options and versions
        policy = PolicyOfCampaign(name, "easy", {"predictor": self._predictors[name]})
        return kept_file(self._folder, _FORMAT, log, policy)

    def tables(self) -> list[Table]:
        """Return a table of the finished replays, with a row for each log and predictor."""
        rows = [
            (
                f"{log}: {name}",
                duration(one.figures["mae"]),
                determination(one.figures["r2"]),
                percent(one.figures["underestimated"]),
                number(one.figures["deviation_ratio"], 1),
                percent(one.figures["users_better"]),
            )
            for log, name, one in self.found()
        ]
        columns = ("", "MAE", "R2", "underestimated", "deviation ratio", "users better")
        note = "Users better: share of users whose predictions have smaller errors than walltimes."
        return [Table("Replays of predictors", columns, tuple(rows), note=note)] if rows else []
