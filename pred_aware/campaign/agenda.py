"""The agenda of a campaign: the runs that it wants, by the figures of those that were made."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pred_aware.campaign.messages import Figures
from pred_aware.campaign.specification import RunKey, Specification
from pred_aware.effects.effect import Of
from pred_aware.log.workload import Copy, Resample
from pred_aware.statistics import Difference, paired_difference, shakes_wanted

Values = list[float | None]


class OpenRuns:
    """The runs that are to be made and that nobody makes yet.

    Attributes
    ----------
    places
        They, by log and copy.
    """

    def __init__(self, places: Iterable[RunKey] = ()) -> None:
        self.places: dict[tuple[int, Copy | None], list[RunKey]] = defaultdict(list)
        for place in places:
            self.add(place)

    def add(self, place: RunKey) -> None:
        """Let a run be made."""
        self.places[place.log, place.copy].append(place)

    def take(self, place: RunKey) -> None:
        """Let a run be made by who asks."""
        key = place.log, place.copy
        self.places[key].remove(place)
        if not self.places[key]:
            del self.places[key]

    def drop(self, log: int) -> None:
        """Give up all that is to be done on a log."""
        for key in [key for key in self.places if key[0] == log]:
            del self.places[key]

    def over(self, log: int) -> bool:
        """Say whether a log has nothing to be given out any more."""
        return not any(key[0] == log for key in self.places)

    def __len__(self) -> int:
        """How many there are, as far as is known."""
        return sum(map(len, self.places.values()))

    def __iter__(self) -> Iterator[RunKey]:
        """Give all of them."""
        for several in self.places.values():
            yield from several


@dataclass
class Pair:
    """A policy beside the baseline, on a log."""

    wanted: int
    """How many shakes are wanted, as far as is known."""
    differences: dict[str, Difference] = field(default_factory=dict)
    """By measure of the precision, over all of these shakes; empty until they are there."""
    over: bool = False
    """Whether no more are wanted: the precision is reached, or cannot be."""


class Agenda:
    """What is done and what is to be done.

    Which runs are wanted follows from the figures of those before them alone, in whole rounds of
    fixed seeds: whoever makes them, in whatever order, the same are made.

    Parameters
    ----------
    campaign
        The campaign.
    find
        Says what is known of a run: its figures, ``False`` if it could not be made, or ``None``.

    Attributes
    ----------
    figures
        Of the runs that are there.
    failed
        The runs that could not be made.
    open
        Those that are to be made.
    pairs
        By log and policy.
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
        self._asked: dict[tuple[int, int], int] = {}
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
        """Take in a run that was made; more may be wanted then."""
        self.figures[place] = figures
        others = range(len(self.campaign.policies))
        for policy in others if place.policy == self.baseline else (place.policy,):
            if policy != self.baseline:
                self._advance(place.log, policy)

    def fail(self, place: RunKey) -> None:
        """Take in a run that could not be made; its pair gets no more."""
        self.failed.add(place)

    @property
    def to_do(self) -> int:
        """How many runs are to be made, as far as is known."""
        return len(self.open)

    def asked(self, log: int, policy: int) -> int:
        """Return how many shakes of a policy are wanted, as far as is known."""
        return self._asked.get((log, policy), 0)

    def values(self, log: int, policy: int, measure: str) -> list[tuple[int, float | None]]:
        """Return seeds and values of a measure in the shakes that were asked for and are there."""
        shake = self.campaign.logs[log].shake
        places = {seed: RunKey(log, policy, shake(seed)) for seed in self._seeds(log, policy)}
        return [
            (seed, self.figures[place].get(measure))
            for seed, place in places.items()
            if place in self.figures
        ]

    def both(self, log: int, policy: int, measure: str) -> tuple[Values, Values]:
        """Return a measure of the baseline and of a policy, over the shakes that both have."""
        baseline = dict(self.values(log, self.baseline, measure))
        pairs = [
            (baseline[seed], value)
            for seed, value in self.values(log, policy, measure)
            if seed in baseline
        ]
        return [old for old, _ in pairs], [new for _, new in pairs]

    def names(self, log: int, policy: int, measure: str) -> Of:
        """Return what an effect of a policy on a log is called."""
        spec = self.campaign
        name = spec.policies[policy].name
        return {"log": spec.logs[log].name, "policy": name, "measure": measure}

    def difference(self, log: int, policy: int, measure: str) -> Difference:
        """Return by how much a policy differs from the baseline, over the shakes of both."""
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
        return range(1, self.asked(log, policy) + 1)

    def _advance(self, log: int, policy: int) -> None:
        """Look whether a pair needs more shakes, if all that are wanted are there."""
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
        """Ask for so many shakes of a policy, if there are not as many."""
        for seed in range(self.asked(log, policy) + 1, number + 1):
            self._ask(RunKey(log, policy, self.campaign.logs[log].shake(seed)))
            self._asked[log, policy] = seed

    def _ask(self, place: RunKey) -> None:
        known = self._find(place)
        if known is None:
            self.open.add(place)
        elif isinstance(known, bool):
            self.failed.add(place)
        else:
            self.figures[place] = known
