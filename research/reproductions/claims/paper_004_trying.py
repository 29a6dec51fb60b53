"""Policies, measures and classes of jobs of paper 004's claims, and their checks."""

from dataclasses import replace
from itertools import pairwise

from reproductions.checks.claim import Check
from reproductions.checks.of_simulations import GainOfClass, JobClass, LeastAmong, PolicyDifference
from reproductions.checks.statement import About, Size, Statement, above

ON_BLOCKS = " on blocks"
ACCURACIES = (0.25, 0.5, 0.75, 1.0)
MEASURES = ("mean_waiting_time", "mean_unitless_wait", "mean_slowdown")
BELOW = tuple(name.replace("mean_", "mean_below_p99_") for name in MEASURES)
STARTS = ("started_as_head", "started_as_queue", "started_as_backfilled")
ROLES = ("S001", "S010", "S100", "S110")
SCHEMES = ("user-based", "project-based", "combined", "selective")
JULY, BEFORE = "Intrepid, July", "Intrepid, January to June"
LOGS = ("Intrepid", JULY, "Mira")
WAIT, UWAIT, SLOWDOWN = ((name,) for name in MEASURES)
HEAD, BACKFILLED = STARTS[:1], STARTS[2:]
WFP = ("WFP", *(f"WFP a={a:g}" for a in ACCURACIES))
FCFS = ("FCFS", *(f"FCFS a={a:g}" for a in ACCURACIES))
EXACT = WFP[-1]
SIZES = tuple(
    JobClass("size", place, label)
    for place, label in enumerate(
        (
            "up to 512 nodes",
            "up to 2,048 nodes",
            "up to 8,192 nodes",
            "up to 16,384 nodes",
            "more than 16,384 nodes",
        )
    )
)
LENGTHS = tuple(
    JobClass("length", place, label)
    for place, label in enumerate(("up to 10 min", "up to 1 h", "up to 4 h", "more than 4 h"))
)


def by_july(figure: str) -> str:
    """Return what decides about what a figure or table shows: their jobs of July."""
    return (
        f"{figure} decides, of the 10,479 jobs that they counted in July, where the archive's "
        "release has 8,258"
    )


def by_projects(figure: str) -> str:
    """Return what decides about combined estimates: their projects."""
    return (
        f"{figure} decides, by estimates from users and projects; the archive's log of Intrepid "
        "tells no projects, so that there users alone stand for both"
    )


def counted_and_blocked(*statements: Statement) -> tuple[Check, ...]:
    """Return statements of policies where processors are counted, and the same on blocks."""
    return tuple(made for one in statements for made in (one, _blocked(one)))


def _blocked(statement: Statement) -> Statement:
    quantity = statement.quantity
    if isinstance(quantity, LeastAmong):
        among = tuple(f"{name}{ON_BLOCKS}" for name in quantity.among)
        quantity = replace(quantity, policy=f"{quantity.policy}{ON_BLOCKS}", among=among)
    else:
        assert isinstance(quantity, PolicyDifference | GainOfClass)
        policy, than = (f"{name}{ON_BLOCKS}" for name in (quantity.policy, quantity.than))
        quantity = replace(quantity, policy=policy, than=than)
    return replace(statement, quantity=quantity)


def less(
    policy: str,
    than: str,
    measures: tuple[str, ...] = MEASURES,
    *,
    logs: tuple[str, ...] = LOGS,
    sizes: tuple[Size | float, ...] = (),
) -> tuple[Check, ...]:
    """Return checks of whether a policy has less of some measures than another, and of sizes.

    Sizes are the paper's, as shares of the other's: of each measure, or of all where there is one.
    """
    told: list[Size | None] = [Size(one) if isinstance(one, float) else one for one in sizes]
    sized = (told or [None]) * (len(measures) if len(told) <= 1 else 1)
    checks = (
        Statement(PolicyDifference(policy, than, measure), log=log, size=size)
        for log in logs
        for measure, size in zip(measures, sized, strict=True)
    )
    return counted_and_blocked(*checks)


def alike(
    policy: str,
    than: str,
    measure: str,
    *,
    logs: tuple[str, ...] = LOGS,
    within: float = 0.05,
) -> tuple[Check, ...]:
    """Return checks of whether two policies have about the same of a measure."""
    return counted_and_blocked(
        *(
            Statement(PolicyDifference(policy, than, measure), About(within), log=log)
            for log in logs
        )
    )


def combined(log: str) -> str:
    """Return what stands for the combined scheme; without projects it is that by user."""
    return "combined" if log == "Mira" else "user-based"


def of_schemes(
    measures: tuple[str, ...],
    *,
    better: str = "",
    than: str = "",
) -> tuple[Check, ...]:
    """Return checks of one scheme against another; the combined one where neither is named."""
    checks = (
        Statement(
            PolicyDifference(better or combined(log), than or combined(log), measure), log=log
        )
        for log in LOGS
        for measure in measures
    )
    return counted_and_blocked(*checks)


def in_classes(
    classes: tuple[JobClass, ...],
    *,
    better: str = "",
    than: str = "",
) -> tuple[Check, ...]:
    """Return checks of whether a scheme waits less in classes of jobs; as `of_schemes`."""
    checks = (
        Statement(
            PolicyDifference(
                better or combined(log), than or combined(log), jobs=jobs, others=jobs
            ),
            log=log,
        )
        for log in LOGS
        for jobs in classes
    )
    return counted_and_blocked(*checks)


def by_class(
    classes: tuple[JobClass, ...], measure: str, *, rising: bool = True
) -> tuple[Check, ...]:
    """Return checks of whether the next class has more of a measure under walltimes."""
    pairs = pairwise(classes if rising else classes[::-1])
    checks = [
        Statement(PolicyDifference("WFP", "WFP", measure, jobs=low, others=high), log=log)
        for low, high in pairs
        for log in LOGS
    ]
    return counted_and_blocked(*checks)


def first_gains_more(classes: tuple[JobClass, ...], measures: tuple[str, ...]) -> tuple[Check, ...]:
    """Return checks of whether the smallest or shortest jobs gain more than the others' last."""
    checks = (
        Statement(GainOfClass(scheme, "WFP", classes[0], classes[-1], measure), above(0.0), log=log)
        for log in LOGS
        for scheme in (combined(log), "selective")
        for measure in measures
    )
    return counted_and_blocked(*checks)
