"""The machine of blocks: paper 004's figure 1, and brute force on random lists of blocks."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from schedulers import make_policy
from schedulers.contract.playing import Played, Spec, play
from schedulers.core.job import Job
from schedulers.core.scheduler import Scheduler
from schedulers.errors import SchedulerError
from schedulers.journal import Journal
from schedulers.machine.block import Block, BlockList
from schedulers.machine.blocks import Blocks
from tests.schedulers.backfilling import test_bounded as bounded
from tests.schedulers.machine.blocks_model import OnBlocks, Watched, exclude, line, machines
from tests.schedulers.machine.definition import EACH, Rule, easy
from tests.schedulers.random_workloads import workloads
from tests.suites import each_case

RACKS = BlockList(
    "racks",
    8,
    (
        *(Block(f"R{1 + n // 2}M{1 + n % 2}", ((n, n),)) for n in range(8)),
        *(Block(f"R{1 + n}", ((2 * n, 2 * n + 1),)) for n in range(4)),
        Block("R1R2", ((0, 3),)),
        Block("R3R4", ((4, 7),)),
    ),
)
"""Four racks of two midplanes each, of one processor here."""


def played_on(
    machine: BlockList,
    specs: list[Spec],
    *,
    sizes: str = "smallest",
    watched: type[bounded.Watched] | None = None,
    **options: Any,  # noqa: ANN401
) -> tuple[Played, dict[str, Block], Any]:
    """Play jobs on blocks; say which block each had, and what was noted of them."""
    blocks = Watched(machine, sizes=sizes)
    # an object in the options is copied, and this one shall be looked at
    policy = make_policy("policy", {"machine": lambda: blocks, "call_margin": 0, **options})
    assert isinstance(policy, Scheduler)
    player = policy if watched is None else watched(policy, options["max_wait"])
    played = play(player, specs, machine.processors)
    return played, blocks.had, player


def notes(journal: Journal | None) -> dict[str, tuple[str, float | None]]:
    """Return how each job was started, and the start that it was first promised."""
    assert journal is not None
    return {row[0]: (row[4], float(row[5]) if row[5] else None) for row in journal.rows()}


def figure_1(*, a: int = 100, c: int = 150, g: int = 80) -> list[Spec]:
    """At 10 s "a" to "d" run, and one that has ended has left R1M2 empty; "e" to "h" come."""
    running = [("a", 1, a), ("b", 2, 60), ("c", 2, c), ("past", 1, 10), ("d", 1, 120)]
    waiting = [("e", 4, 50), ("f", 1, 500), ("g", 1, g), ("h", 1, 500)]
    return [
        *(Spec(name, 0, size, lasting, lasting) for name, size, lasting in running),
        *(Spec(name, 10, size, lasting, lasting) for name, size, lasting in waiting),
    ]


def test_figure_1_of_paper_004_f_starts_g_is_backfilled_and_e_drains_r1r2() -> None:
    played, had, policy = played_on(RACKS, figure_1())
    names = {job: block.name for job, block in had.items()}
    assert [names[job] for job in "abcd"] == ["R1M1", "R2", "R3", "R4M1"]
    assert (played.starts["f"], names["f"]) == (10, "R4M2")
    assert (played.starts["g"], names["g"]) == (10, "R1M2")
    assert (played.starts["e"], names["e"]) == (100, "R1R2")
    assert played.starts["h"] > 100
    told = notes(policy.journal)
    assert {job: told[job][0] for job in "efg"} == {
        "e": "head", "f": "queue", "g": "backfilled",
    }  # fmt: skip
    assert told["e"][1] == 100


def test_figure_1_g_is_not_backfilled_if_it_is_estimated_to_end_after_a() -> None:
    played, had, _ = played_on(RACKS, figure_1(g=95))
    assert played.starts["g"] > 100
    assert (played.starts["e"], had["e"].name) == (100, "R1R2")


def test_figure_1_e_drains_the_other_racks_if_a_is_estimated_to_run_longer_than_c() -> None:
    _, had, policy = played_on(RACKS, figure_1(a=200))
    assert notes(policy.journal)["e"] == ("head", 150)
    # R1M2 is outside of what is drained, and R4M2 inside of it
    assert (had["e"].name, had["f"].name, had["g"].name) == ("R3R4", "R1M2", "R4M2")


def cases(number: int) -> Iterator[tuple[BlockList, list[Spec]]]:
    """Make machines, and jobs for them."""
    for seed, (machine, specs) in enumerate(zip(machines(number), workloads(number), strict=True)):
        rng = random.Random(seed)  # noqa: S311 - a seeded choice
        sizes = [rng.randint(1, rng.choice((2, machine.processors))) for _ in specs]
        yield machine, [spec._replace(size=n) for spec, n in zip(specs, sizes, strict=True)]


@pytest.mark.parametrize("sizes", ["smallest", "any"])
@EACH
def test_every_start_and_block_follows_the_definition(
    backfilling: Any,  # noqa: ANN401 - as in options
    rule: Rule,
    sizes: str,
) -> None:
    waited = 0
    for place, (machine, specs) in enumerate(cases(120)):
        if sizes == "any" and place % 2:
            machine = line(machine.processors)  # noqa: PLW2901 - every size, anywhere
        played, had, _ = played_on(machine, specs, sizes=sizes, backfilling=backfilling)
        model = OnBlocks(rule, machine, sizes)
        assert played.starts == model.play(specs), (machine, specs)
        assert had == model.where, (machine, specs)
        waited += sum(played.starts[spec.id] > spec.submit for spec in specs)
    assert waited > 140


def first_free(
    able: list[Block], machine: BlockList, had: list[tuple[float, Block]]
) -> tuple[float, Block]:
    """Try every block, the smallest with the fewest exclusions first."""
    until = {
        block.name: max([0.0, *(end for end, other in had if exclude(block, other))])
        for block in machine.blocks
    }
    idle = [block for block in machine.blocks if not until[block.name]]
    least = {b.name: sum(exclude(b, other) for other in idle) for b in able}
    best = min(able, key=lambda block: (until[block.name], block.size, least[block.name]))
    return until[best.name], best


@pytest.mark.parametrize("sizes", ["smallest", "any"])
def test_of_the_blocks_free_first_the_one_with_fewest_exclusions_is_drained(sizes: str) -> None:
    for seed, listed in enumerate(machines(300)):
        rng = random.Random(seed)  # noqa: S311 - seeded ends, many of them at one date
        machine = Blocks(listed, sizes=sizes)
        machine.begin(listed.processors)
        jobs = [Job(f"w0!{n}", 0.0, rng.randint(1, 3), 9.0, number=n) for n in range(9)]
        running = [job for job in jobs if machine.take(job)]
        for job in running:
            job.planned_end = rng.randint(1, 3)
        running.sort(key=lambda job: (job.planned_end, job.number))
        size = rng.randint(2, listed.processors)
        drained = machine.reserve(Job("w0!9", 0.0, size, 9.0, number=9), running, 0.0)
        able = OnBlocks(easy, listed, sizes).able(Spec("w0!9", 0, size, 9))
        had = [(job.planned_end, machine.block_of(job)) for job in running]
        found = (drained.date, listed.blocks[drained.block])
        assert found == first_free(able, listed, had), (listed, had)


SHORTEST = {"name": "easy", "candidates": "shortest"}
BACKFILLINGS = (
    "none", "filler", "easy", SHORTEST, {"name": "easy", "reservations": 3}, "conservative",
    "openpbs",
)  # fmt: skip


def test_blocks_that_exclude_each_other_are_never_used_together() -> None:
    orders, corrections = ("fcfs", "wfp", "sjf"), ("walltime", "doubling", "tsafrir")
    made_of = itertools.cycle(itertools.product(BACKFILLINGS, orders, corrections))
    pairs = 0
    for (machine, specs), (backfilling, order, correction) in zip(
        cases(300), made_of, strict=False
    ):
        played, had, _ = played_on(
            machine, specs, order=order, backfilling=backfilling, correction=correction,
            predictor={"name": "constant", "seconds": 5},
        )  # fmt: skip
        assert played.ends.keys() == {spec.id for spec in specs}
        for one, other in itertools.combinations(had, 2):
            first = max(played.starts[one], played.starts[other])
            if first < min(played.ends[one], played.ends[other]):
                assert not exclude(had[one], had[other]), (machine, specs, one, other)
                pairs += 1
    assert pairs > 180


def test_with_upper_bounds_as_estimates_no_first_job_starts_after_its_planned_start() -> None:
    promised = 0
    made_of = itertools.product(("walltime", "actual"), ("easy", SHORTEST, "conservative"))
    for (machine, specs), (predictor, backfilling) in zip(
        cases(300), itertools.cycle(made_of), strict=False
    ):
        played, _, policy = played_on(machine, specs, predictor=predictor, backfilling=backfilling)
        first = {job: date for job, (_, date) in notes(policy.journal).items() if date is not None}
        late = {job for job, date in first.items() if played.starts[job] > date}
        assert late == set(), (predictor, backfilling, machine, specs)
        promised += len(first)
    assert promised > 250


@each_case("backfilling", BACKFILLINGS[:5])
def test_jobs_of_one_size_on_all_contiguous_blocks_start_as_with_counted_processors(
    backfilling: Any,  # noqa: ANN401 - as in options
) -> None:
    for seed, specs in enumerate(workloads(60)):
        rng = random.Random(seed)  # noqa: S311 - a seeded machine
        processors = rng.randint(2, 9)
        size = rng.randint(1, min(4, processors))
        sizes, order = ("smallest", "any")[seed % 2], ("fcfs", "wfp", "sjf")[seed % 3]
        alike = [spec._replace(size=size) for spec in specs]
        parts = {"backfilling": backfilling, "order": order}
        counted = play(make_policy("policy", parts), alike, processors)
        on_blocks, _, _ = played_on(line(processors), alike, sizes=sizes, **parts)
        assert on_blocks.starts == counted.starts, (processors, alike)


def test_the_bound_holds_and_protected_places_only_move_to_earlier_dates() -> None:
    protected = 0
    for (options, wait, _), (machine, specs) in zip(bounded.cases(), cases(250), strict=False):
        played, _, watched = played_on(machine, specs, watched=bounded.Watched, **options)
        for spec in specs:
            waited = played.starts[spec.id] - spec.submit
            assert waited <= bounded.longest_wait(spec, specs, played, wait), (options, spec, specs)
        protected += len(watched.first)
    assert protected > 120


def test_a_job_gets_the_fitting_block_with_fewest_exclusions() -> None:
    specs = [Spec("one", 0, 1, 9), Spec("two", 0, 2, 9), Spec("next", 0, 1, 9)]
    _, had, _ = played_on(RACKS, specs)
    # the second rack cannot be half of R1R2 any more, and neither the other half of the first
    assert [had[job].name for job in ("one", "two", "next")] == ["R1M1", "R2", "R1M2"]


@each_case(
    ("options", "names"),
    [
        ({}, ["R1", "R2", "R3", "R4"]),
        ({"choice": "first"}, ["R1", "R2", "R3", "R4"]),
        ({"sizes": "any"}, ["R1", "R2", "R3", "R4"]),
    ],
)
def test_a_job_of_odd_size_runs_on_the_next_larger_block(
    options: dict[str, str], names: list[str]
) -> None:
    machine = Blocks(BlockList("racks", 8, RACKS.blocks[8:]), **options)
    machine.begin(8)
    policy = make_policy("easy", {"machine": {"name": "blocks", "file": machine.file, **options}})
    played = play(policy, [Spec(f"w0!{n}", n, 1, 90) for n in range(4)], 8)
    assert [min(played.processors[f"w0!{n}"]) for n in range(4)] == [0, 2, 4, 6]
    assert [machine.machine.blocks[place].name for place in range(4)] == names


def test_with_any_size_a_job_can_get_a_larger_block() -> None:
    pair = BlockList("pair", 3, (Block("one", ((0, 0),)), Block("two", ((1, 2),))))
    specs = [Spec("w0!1", 0, 1, 10), Spec("w0!2", 0, 1, 10)]
    starts = {
        sizes: play(make_policy("easy", {"machine": Blocks(pair, sizes=sizes)}), specs, 3).starts[
            "w0!2"
        ]
        for sizes in ("smallest", "any")
    }
    assert starts == {"smallest": 10, "any": 0}


def test_the_first_block_in_the_list_can_be_preferred() -> None:
    policy = make_policy("easy", {"machine": Blocks(RACKS, choice="first")})
    specs = [Spec("w0!1", 0, 1, 50), Spec("w0!2", 0, 1, 90), Spec("w0!3", 60, 2, 90)]
    assert play(policy, specs, 8).processors["w0!3"] == {2, 3}


def test_a_job_larger_than_every_block_is_rejected() -> None:
    pair = BlockList("pair", 4, (Block("left", ((0, 1),)), Block("right", ((2, 3),))))
    played = play(make_policy("easy", {"machine": pair}), [Spec("w0!1", 0, 3, 10)], 4)
    assert played.refusals == {"w0!1": "asks for 3 processors; the largest block has 2"}


def test_a_platform_of_another_size_gives_one_clear_error() -> None:
    with pytest.raises(SchedulerError, match="'racks' of blocks has 8 processors; the platform h"):
        play(make_policy("easy", {"machine": RACKS}), [], 16)
