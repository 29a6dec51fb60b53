"""What `Blocks` should do, by definition: sets, and every date and block tried."""

import random
from collections.abc import Iterator

from schedulers.contract.playing import Spec
from schedulers.core.job import Job
from schedulers.machine.block import Block, BlockList
from schedulers.machine.blocks import Blocks
from tests.schedulers.machine.definition import Definition, Rule, length
from workload_tools.batsim.intervals import Intervals


class Watched(Blocks):
    """Remembers which block each job had."""

    def begin(self, processors: int) -> None:
        super().begin(processors)
        self.had: dict[str, Block] = {}

    def allocate(self, job: Job) -> Intervals:
        self.had[job.id] = self.block_of(job)
        return super().allocate(job)


def numbers(block: Block) -> set[int]:
    return {n for first, last in block.processors for n in range(first, last + 1)}


def exclude(one: Block, other: Block) -> bool:
    return (
        one is other
        or bool(numbers(one) & numbers(other))
        or bool(set(one.wires) & set(other.wires))
        or one.name in other.excludes
        or other.name in one.excludes
    )


def machines(number: int) -> Iterator[BlockList]:
    """Make machines of up to 7 processors with random blocks, wires and exclusions."""
    for seed in range(number):
        rng = random.Random(seed)  # noqa: S311 - a seeded machine
        processors = rng.randint(3, 7)
        found = {((n, n),) for n in range(processors)} | {((0, processors - 1),)}
        for _ in range(rng.randint(1, 8)):
            some = sorted(rng.sample(range(processors), rng.randint(2, processors - 1)))
            found.add(tuple((n, n) for n in some))
        blocks = [
            Block(f"b{n}", which, tuple(rng.sample("xyz", rng.choice((0, 0, 0, 1, 2)))))
            for n, which in enumerate(sorted(found))
        ]
        for _ in range(rng.choice((0, 1, 3))):
            one, other = rng.sample(range(len(blocks)), 2)
            excluded = (blocks[other].name,)
            blocks[one] = Block(f"b{one}", blocks[one].processors, blocks[one].wires, excluded)
        rng.shuffle(blocks)
        yield BlockList(f"m{seed}", processors, tuple(blocks))


def line(processors: int) -> BlockList:
    """Make a machine with a block of every size anywhere on a line."""
    return BlockList(
        "line",
        processors,
        tuple(
            Block(f"{first}-{last}", ((first, last),))
            for first in range(processors)
            for last in range(first, processors)
        ),
    )


class OnBlocks(Definition[Block]):
    """Plays jobs on blocks, of the smallest size that holds them or of any."""

    def __init__(self, rule: Rule, machine: BlockList, sizes: str = "smallest") -> None:
        super().__init__(rule)
        self.blocks, self.sizes = machine.blocks, sizes

    def able(self, spec: Spec) -> list[Block]:
        able = [block for block in self.blocks if block.size >= spec.size]
        smallest = min(block.size for block in able)
        return [block for block in able if self.sizes == "any" or block.size == smallest]

    def is_free(self, block: Block, start: float, end: float) -> bool:
        return not any(
            first < end and start < last and exclude(block, other)
            for first, last, _, other in self.taken()
        )

    def best(self, where: list[Block], date: float) -> Block:
        """Choose the smallest; of these the one that blocks least of what is idle; the first."""
        idle = [block for block in self.blocks if self.is_free(block, date, date + 1e-9)]
        return min(where, key=lambda b: (b.size, sum(exclude(b, other) for other in idle)))

    def idle(self, spec: Spec, now: float) -> list[Block]:
        return [block for block in self.able(spec) if self.is_free(block, now, now + 1e-9)]

    def free(self, spec: Spec, date: float) -> list[Block]:
        return [b for b in self.able(spec) if self.is_free(b, date, date + length(spec))]

    def backfill(self, now: float) -> None:
        """Let the head drain the block that is planned to be free first."""
        head, *others = self.queue
        date, drained = self.drained(head, now)
        for spec in others:
            idle = self.idle(spec, now)
            outside = [block for block in idle if not exclude(block, drained)]
            by_then = idle if now + length(spec) <= date else []
            self.start_in(outside or by_then, spec, now)

    def drained(self, head: Spec, now: float) -> tuple[float, Block]:
        free_from = {
            block.name: max(end for _, end, _, other in self.taken() if exclude(block, other))
            for block in self.able(head)
        }
        date = min(free_from.values())
        first = [block for block in self.able(head) if free_from[block.name] == date]
        return date, self.best(first, now)
