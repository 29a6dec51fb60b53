"""The agenda of a campaign: which runs it needs, given the measures of finished runs."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pred_aware.campaign.messages import Figures
from pred_aware.campaign.specification import RunKey, Specification
from pred_aware.effects.effect import EffectLabels
from pred_aware.log.workload import Copy, Resample, Shake
from pred_aware.statistics import Difference, paired_difference, shakes_wanted

Values = list[float | None]


@dataclass
class Pair:
    """The comparison of a policy with the baseline on a log."""

    wanted: int
    """Number of perturbed copies that are needed; it may grow when their results are known."""
    differences: dict[str, Difference] = field(default_factory=dict)
    """By measure with a requested precision: the difference over the `wanted` copies.

    Empty until all these copies have been simulated.
    """
    over: bool = False
    """True if no more copies are needed: the precision is reached, or cannot be reached."""


class Agenda:
    """The finished and the needed runs of a campaign.

    The measures of finished runs determine which further runs are needed. Perturbed copies are
    added in whole rounds with fixed seeds, so all machines make the same runs, in any order.

    Parameters
    ----------
    campaign
        The campaign.
    find
        Returns a run's measures, ``False`` if it failed, or ``None`` if it was not made yet.

    Attributes
    ----------
    figures
        Measures of the finished runs.
    failed
        The runs that failed.
    open
        The runs that still need a worker, by log and copy.
    pairs
        The `Pair` of each log and policy.
    """

    def __init__(
        self, campaign: Specification, find: Callable[[RunKey], Figures | bool | None]
    ) -> None:
        self.campaign = campaign
        self.figures: dict[RunKey, Figures] = {}
        self.failed: set[RunKey] = set()
        self.open: dict[tuple[int, Copy | None], list[RunKey]] = defaultdict(list)
        self.pairs: dict[tuple[int, int], Pair] = {}
        self._find = find
        self._copies_needed: dict[tuple[int, int], int] = {}
        names = [policy.name for policy in campaign.policies]
        self.baseline = names.index(campaign.baseline)
        for log, one in enumerate(campaign.logs):
            for policy in range(len(names)):
                self._ask(RunKey(log, policy))
                self._ask_for_shakes(log, policy, one.shakes.at_least)
                for seed in range(1, one.resamples + 1):
                    self._ask(RunKey(log, policy, Resample(seed)))
                if policy != self.baseline:
                    self.pairs[log, policy] = Pair(one.shakes.at_least)
        for log, policy in self.pairs:
            self._advance(log, policy)

    def note(self, place: RunKey, figures: Figures) -> None:
        """Add a finished run, after which more runs may be needed."""
        self.figures[place] = figures
        others = range(len(self.campaign.policies))
        for policy in others if place.policy == self.baseline else (place.policy,):
            if policy != self.baseline:
                self._advance(place.log, policy)

    def fail(self, place: RunKey) -> None:
        """Add a failed run. Comparisons that need this run get no further copies."""
        self.failed.add(place)

    @property
    def to_do(self) -> int:
        """Number of runs still to do, as known so far."""
        return sum(map(len, self.open.values()))

    def take(self, log: int, copy: Copy | None) -> RunKey:
        """Remove the next open run on a copy of a log from the open runs, and return it."""
        places = self.open[log, copy]
        place = places.pop(0)
        if not places:
            del self.open[log, copy]
        return place

    def drop(self, log: int) -> None:
        """Remove all open runs on a log."""
        for key in [key for key in self.open if key[0] == log]:
            del self.open[key]

    def copies_needed(self, log: int, policy: int) -> int:
        """Return how many perturbed copies of a policy are needed, as known so far."""
        return self._copies_needed.get((log, policy), 0)

    def values(self, log: int, policy: int, measure: str) -> dict[int, float | None]:
        """Return by seed the values of a measure in the finished perturbed copies."""
        return {
            copy.seed: self.figures[place].get(measure)
            for copy in self._shakes(log, self.copies_needed(log, policy))
            if (place := RunKey(log, policy, copy)) in self.figures
        }

    def both(self, log: int, policy: int, measure: str) -> tuple[Values, Values]:
        """Return a measure of the baseline and of a policy, on the copies run for both."""
        copies = self._shakes(log, self.copies_needed(log, policy))
        return self._on_copies(log, policy, measure, copies)

    def in_resamples(self, log: int, policy: int, measure: str) -> tuple[Values, Values]:
        """Return a measure of the baseline and of a policy, on the resamples run for both."""
        copies = map(Resample, range(1, self.campaign.logs[log].resamples + 1))
        return self._on_copies(log, policy, measure, copies)

    def _on_copies(
        self, log: int, policy: int, measure: str, copies: Iterable[Copy]
    ) -> tuple[Values, Values]:
        old, new = [], []
        for copy in copies:
            pair = RunKey(log, self.baseline, copy), RunKey(log, policy, copy)
            if self.figures.keys() >= {*pair}:
                old.append(self.figures[pair[0]].get(measure))
                new.append(self.figures[pair[1]].get(measure))
        return old, new

    def _shakes(self, log: int, number: int) -> Iterator[Shake]:
        return map(self.campaign.logs[log].shake, range(1, number + 1))

    def names(self, log: int, policy: int, measure: str) -> EffectLabels:
        """Return the names that identify an effect of a policy on a log."""
        spec = self.campaign
        name = spec.policies[policy].name
        return {"log": spec.logs[log].name, "policy": name, "measure": measure}

    def difference(self, log: int, policy: int, measure: str) -> Difference:
        """Return the difference of a policy from the baseline, over the copies run for both."""
        return paired_difference(*self.both(log, policy, measure))

    def _advance(self, log: int, policy: int) -> None:
        """Check whether a pair needs more copies, once all its needed runs are finished."""
        pair, shakes = self.pairs[log, policy], self.campaign.logs[log].shakes
        while not pair.over and all(
            RunKey(log, one, copy) in self.figures
            for copy in self._shakes(log, pair.wanted)
            for one in (policy, self.baseline)
        ):
            precision = self.campaign.precision
            pair.differences = {
                measure: self.difference(log, policy, measure) for measure in precision
            }
            more = max(
                shakes_wanted(
                    [found], precision=precision[measure], most=shakes.at_most,
                    least=shakes.at_least,
                )
                for measure, found in pair.differences.items()
            )  # fmt: skip
            pair.over = more <= pair.wanted
            pair.wanted = max(more, pair.wanted)
            for one in (self.baseline, policy):
                self._ask_for_shakes(log, one, pair.wanted)

    def _ask_for_shakes(self, log: int, policy: int, number: int) -> None:
        """Request perturbed copies of a policy up to this number."""
        for seed in range(self.copies_needed(log, policy) + 1, number + 1):
            self._ask(RunKey(log, policy, self.campaign.logs[log].shake(seed)))
            self._copies_needed[log, policy] = seed

    def _ask(self, place: RunKey) -> None:
        known = self._find(place)
        if known is None:
            self.open[place.log, place.copy].append(place)
        elif isinstance(known, bool):
            self.failed.add(place)
        else:
            self.figures[place] = known
