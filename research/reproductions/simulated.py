"""Measures of a paper's simulations over shakes, of all jobs and of classes of them."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pred_aware.campaign import Campaign, NoGroupsError
from pred_aware.metrics import class_names
from pred_aware.statistics import Difference, Interval, mean_interval, paired_difference
from reproductions.paper import Paper

if TYPE_CHECKING:
    import pandas as pd

    from reproductions.checks.of_simulations import JobClass

    Frames = dict[tuple[str, str], pd.DataFrame]


class Simulated:
    """The runs of a paper's campaigns, as differences of policies.

    Parameters
    ----------
    paper
        The paper.
    campaigns
        Its simulations on the logs that are at hand.
    """

    def __init__(self, paper: Paper, campaigns: Sequence[Campaign]) -> None:
        self._paper = paper
        self._campaigns = campaigns
        self._of_kinds: dict[str, pd.DataFrame] = {}
        self._in_classes: dict[tuple[str, str], Frames] = {}

    @cached_property
    def _runs(self) -> "pd.DataFrame":
        import pandas as pd

        frames = [campaign.runs() for campaign in self._campaigns]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    @cached_property
    def _by_run(self) -> "Frames":
        return _shaken(self._runs)

    def _groups(self, by: str) -> "pd.DataFrame":
        """Return the groups of jobs of a kind, of all shaken runs."""
        import pandas as pd

        if by not in self._of_kinds:
            frames = [_groups(one, by) for one in self._campaigns]
            every = pd.concat(frames, ignore_index=True) if frames else _groups_of_none()
            self._of_kinds[by] = every[every["shake"].notna()]
        return self._of_kinds[by]

    def _in_class(self, by: str, name: str) -> "Frames":
        if (by, name) not in self._in_classes:
            every = self._groups(by)
            self._in_classes[by, name] = _shaken(every[every["group"] == name])
        return self._in_classes[by, name]

    def of_group(
        self, log: str, policy: str, names: tuple[str, ...], measure: str, *, by: str
    ) -> "pd.Series[float]":
        """Return a mean over the jobs of some groups on a log under a policy, by shake."""
        import pandas as pd

        rows = self._groups(by)
        if measure not in rows:
            return pd.Series(dtype=float)
        chosen = rows[(rows["log"] == log) & (rows["policy"] == policy) & rows["group"].isin(names)]
        sums = (chosen[measure] * chosen["jobs"]).groupby(chosen["shake"]).sum()
        counts = chosen["jobs"].groupby(chosen["shake"]).sum()
        return (sums / counts).astype(float)

    @cached_property
    def _classes(self) -> dict[str, dict[str, list[str]]]:
        """The names of the classes of jobs, by log and kind."""
        return {
            log: {by: class_names(by, edges) for by, edges in one.classes.items()}
            for one in self._paper.simulations
            for log in one.logs
        }

    def _values(
        self, log: str, policy: str, measure: str, jobs: "JobClass | None"
    ) -> "pd.Series[float]":
        import pandas as pd

        frames = self._by_run
        if jobs is not None:
            classes = self._classes[log][jobs.by]
            frames = self._in_class(jobs.by, classes[jobs.place])
        frame = frames.get((log, policy))
        return pd.Series(dtype=float) if frame is None else frame[measure].astype(float)

    def pairs(
        self,
        log: str,
        policy: str,
        than: str,
        measure: str,
        *,
        jobs: "JobClass | None" = None,
        others: "JobClass | None" = None,
    ) -> tuple[list[float], list[float]]:
        """Return a measure under `than` and under `policy`, over the shakes that both have.

        Parameters
        ----------
        log, policy, than, measure
            Their names.
        jobs, others
            The class of jobs that `policy` and `than` are looked at in; ``None`` for all jobs.
        """
        baseline, other = (
            self._values(log, than, measure, others),
            self._values(log, policy, measure, jobs),
        )
        both = sorted(set(baseline.index) & set(other.index))
        return baseline[both].tolist(), other[both].tolist()

    def difference(
        self,
        log: str,
        policy: str,
        than: str,
        measure: str,
        *,
        jobs: "JobClass | None" = None,
        others: "JobClass | None" = None,
    ) -> Difference:
        """Return what a policy changes against another in a measure; see `pairs`."""
        return paired_difference(*self.pairs(log, policy, than, measure, jobs=jobs, others=others))

    def mean(
        self, log: str, policy: str, measure: str, *, jobs: "JobClass | None" = None
    ) -> Interval:
        """Return the mean of a measure over the shakes of a log under a policy; see `pairs`."""
        return mean_interval(self._values(log, policy, measure, jobs).tolist())


def _shaken(frame: "pd.DataFrame") -> "Frames":
    """Return the shaken runs by log and policy, each with a row for each shake."""
    if frame.empty:
        return {}
    shaken = frame[frame["shake"].notna()]
    return {
        (str(log), str(policy)): some.set_index("shake")
        for (log, policy), some in shaken.groupby(["log", "policy"])
    }


def _groups(campaign: Campaign, by: str) -> "pd.DataFrame":
    try:
        return campaign.groups(by)
    except NoGroupsError:
        # nothing was simulated, which `failures` tells
        return _groups_of_none()


def _groups_of_none() -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(columns=["log", "policy", "shake", "group"])
