"""What plays jobs on a machine whose every start is chosen by a plain definition."""

from typing import Generic, TypeVar

from tests.schedulers.model import Spec

Where = TypeVar("Where")


class Definition(Generic[Where]):
    """Plays jobs; `one_pass` chooses those that start, and where."""

    def __init__(self) -> None:
        self.starts: dict[str, float] = {}
        self.where: dict[str, Where] = {}
        self.places: dict[str, tuple[float, Where]] = {}
        self.queue: list[Spec] = []
        self.running: list[Spec] = []

    def play(self, specs: list[Spec]) -> dict[str, float]:
        coming = list(specs)
        while coming or self.running:
            ends = {spec.id: self.starts[spec.id] + spec.duration for spec in self.running}
            now = min([*ends.values(), *(spec.submit for spec in coming)])
            ended = [spec for spec in self.running if ends[spec.id] == now]
            self.running = [spec for spec in self.running if spec not in ended]
            new = [spec for spec in coming if spec.submit == now]
            coming = coming[len(new) :]
            self.queue += new
            self.one_pass(now, new, ended=bool(ended))
        assert self.queue == []
        return self.starts

    def one_pass(self, now: float, new: list[Spec], *, ended: bool) -> None:
        raise NotImplementedError

    def start(self, spec: Spec, where: Where, now: float) -> None:
        self.queue.remove(spec)
        self.running.append(spec)
        self.starts[spec.id], self.where[spec.id] = now, where


def length(spec: Spec) -> float:
    assert spec.walltime is not None
    return spec.walltime
