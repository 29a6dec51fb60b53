"""The agenda of a campaign: which runs it needs, given the measures of finished runs."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pred_aware.campaign.messages import Figures
from pred_aware.campaign.specification import RunKey, Specification
from pred_aware.effects.effect import EffectLabels
from pred_aware.log.workload import Copy, Resample
from pred_aware.statistics import Difference, paired_difference, shakes_wanted

Values = list[float | None]


class OpenRuns:
    """The runs that still need a worker.

    Attributes
    ----------
    places
        The runs by log and copy.
    """

    def __init__(self, places: Iterable[RunKey] = ()) -> None:
        self.places: dict[tuple[int, Copy | None], list[RunKey]] = defaultdict(list)
        for place in places:
            self.add(place)

    def add(self, place: RunKey) -> None:
        """Add a run."""
        self.places[place.log, place.copy].append(place)

    def take(self, place: RunKey) -> None:
        """Remove a run that a worker takes."""
        key = place.log, place.copy
        self.places[key].remove(place)
        if not self.places[key]:
            del self.places[key]

    def drop(self, log: int) -> None:
        """Remove all runs on a log."""
        for key in [key for key in self.places if key[0] == log]:
            del self.places[key]

    def over(self, log: int) -> bool:
        """Return True if a log has no run left to start."""
        return not any(key[0] == log for key in self.places)

    def __len__(self) -> int:
        """Return the number of runs known so far."""
        return sum(map(len, self.places.values()))

    def __iter__(self) -> Iterator[RunKey]:
        """Yield all runs."""
        for several in self.places.values():
            yield from several


@dataclass
class Pair:
    """A policy and the baseline on a log."""

    wanted: int
    """Number of perturbed copies needed, as known so far."""
    differences: dict[str, Difference] = field(default_factory=dict)
    """Differences by measure with a precision, over all these copies; empty until they exist."""
    over: bool = False
    """True if no more copies are needed: the precision is reached, or cannot be reached."""


class Agenda:
    """What is done and what is still to do.

    The needed runs only depend on the measures of earlier runs, in whole rounds of fixed seeds. The
    same runs are made on any machine and in any order.

    Parameters
    ----------
    campaign
        The campaign.
    find
        Returns a run's measures, ``False`` if it failed, or ``None`` if it is unknown.

    Attributes
    ----------
    figures
        Measures of the finished runs.
    failed
        The runs that failed.
    open
        The runs still to do.
    pairs
        Pairs by log and policy.
    """

    def __init__(
        self, campaign: Specification, find: Callable[[RunKey], Figures | bool | None]
    ) -> None:
        self.campaign = campaign
        self.figures: dict[RunKey, Figures] = {}
        self.failed: set[RunKey] = set()
        self.open = OpenRuns()
        self.pairs: dict[tuple[int, int], Pair] = {}
        self._find = find
        self._copies_needed: dict[tuple[int, int], int] = {}
        names = [policy.name for policy in campaign.policies]
        self.baseline = names.index(campaign.baseline)
        for log, one in enumerate(campaign.logs):
            for policy in range(len(names)):
                self._ask(RunKey(log, policy))
                self._shakes(log, policy, one.shakes.at_least)
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
        """Add a failed run; its pair gets no more runs."""
        self.failed.add(place)

    @property
    def to_do(self) -> int:
        """Number of runs still to do, as known so far."""
        return len(self.open)

    def copies_needed(self, log: int, policy: int) -> int:
        """Return how many perturbed copies of a policy are needed, as known so far."""
        return self._copies_needed.get((log, policy), 0)

    def values(self, log: int, policy: int, measure: str) -> list[tuple[int, float | None]]:
        """Return seeds and values of a measure in the finished perturbed copies."""
        shake = self.campaign.logs[log].shake
        places = {seed: RunKey(log, policy, shake(seed)) for seed in self._seeds(log, policy)}
        return [
            (seed, self.figures[place].get(measure))
            for seed, place in places.items()
            if place in self.figures
        ]

    def both(self, log: int, policy: int, measure: str) -> tuple[Values, Values]:
        """Return a measure of the baseline and of a policy, over the copies that both have."""
        baseline = dict(self.values(log, self.baseline, measure))
        pairs = [
            (baseline[seed], value)
            for seed, value in self.values(log, policy, measure)
            if seed in baseline
        ]
        return [old for old, _ in pairs], [new for _, new in pairs]

    def names(self, log: int, policy: int, measure: str) -> EffectLabels:
        """Return the names that identify an effect of a policy on a log."""
        spec = self.campaign
        name = spec.policies[policy].name
        return {"log": spec.logs[log].name, "policy": name, "measure": measure}

    def difference(self, log: int, policy: int, measure: str) -> Difference:
        """Return the difference of a policy from the baseline, over the copies that both have."""
        return paired_difference(*self.both(log, policy, measure))

    def in_resamples(self, log: int, policy: int, measure: str) -> tuple[Values, Values]:
        """Return a measure of the baseline and of a policy, over the resamples that both have."""
        found = []
        for seed in range(1, self.campaign.logs[log].resamples + 1):
            old, new = (
                self.figures.get(RunKey(log, one, Resample(seed)))
                for one in (self.baseline, policy)
            )
            if old is not None and new is not None:
                found.append((old.get(measure), new.get(measure)))
        return [old for old, _ in found], [new for _, new in found]

    def _seeds(self, log: int, policy: int) -> range:
        return range(1, self.copies_needed(log, policy) + 1)

    def _advance(self, log: int, policy: int) -> None:
        """Check whether a pair needs more copies, once all needed ones exist."""
        pair, shakes = self.pairs[log, policy], self.campaign.logs[log].shakes
        while not pair.over and self._complete(log, policy, pair.wanted):
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
                self._shakes(log, one, pair.wanted)

    def _complete(self, log: int, policy: int, shakes: int) -> bool:
        shake = self.campaign.logs[log].shake
        return all(
            RunKey(log, one, shake(seed)) in self.figures
            for one in (policy, self.baseline)
            for seed in range(1, shakes + 1)
        )

    def _shakes(self, log: int, policy: int, number: int) -> None:
        """Request perturbed copies of a policy up to this number."""
        for seed in range(self.copies_needed(log, policy) + 1, number + 1):
            self._ask(RunKey(log, policy, self.campaign.logs[log].shake(seed)))
            self._copies_needed[log, policy] = seed

    def _ask(self, place: RunKey) -> None:
        known = self._find(place)
        if known is None:
            self.open.add(place)
        elif isinstance(known, bool):
            self.failed.add(place)
        else:
            self.figures[place] = known
