"""Consequences of a study: gains and losses, the cost, the next step, in sentences."""

from collections.abc import Iterator

from pred_aware.effects.effect import Effect
from pred_aware.report.durations import spoken
from pred_aware.report.interval_format import TOO_FEW_SHAKES, duration_within
from pred_aware.study.contenders import EASY
from pred_aware.study.first_sentence import LONGEST, TAIL, Kind, instead, queue_answer
from pred_aware.study.studied import Studied

_SNAPSHOTS = {"slurm": "Slurm", "pbs": "PBS"}
"""Formats of logs whose batch system `pred-aware site snapshot` can ask."""

UNTRUSTED = "started_without_trust"
HARDLY_TRUSTED = 0.1
"""From this share of the jobs on it is told that they started without trust in predictions."""


def trust(study: Studied) -> Iterator[str]:
    """Say where the predictions were not used."""
    share = study.runs[1].measures([UNTRUSTED])[UNTRUSTED]
    if share > HARDLY_TRUSTED:
        yield (
            f"On the log as it is, {100 * share:.0f} % of the jobs started as by EASY, since the "
            "predictions had not shown yet, or did not show any more, that they tell short jobs "
            "from long ones."
        )


def queue(study: Studied) -> Iterator[str]:
    """Say what the simulated waits are to the site's."""
    check = study.check
    if check.recorded is None or check.simulated is None:
        return
    real, simulated = spoken(check.recorded.mean), spoken(check.simulated.mean)
    why = {
        "shorter": f"the difference has other causes ({_causes(study)}), "
        "which no prediction of run times removes",
        "longer": "the site has more room than was simulated or a better order than "
        f"{study.baseline.spoken}, and so less to gain",
        "others": "as long, but other jobs wait",
    }.get(check.answer)
    if why is None:
        return
    yield (
        f"In the log a job waited {real} on average, simulated under {study.baseline.spoken} "
        f"{simulated}: {why}."
    )


def _causes(study: Studied) -> str:
    """Say what jobs may wait for that is not simulated."""
    if study.log.site is None:
        return "limits for users, partitions, priorities"
    return "rules that are not simulated, priorities"


def users_affected(study: Studied) -> Iterator[str]:
    """Say which jobs and users gain and lose, and which kinds of jobs most."""
    yield from jobs_affected(study)
    yield from kinds(study)


def jobs_affected(study: Studied) -> Iterator[str]:
    """Say of how many jobs and users the waits are shorter and longer."""
    assert study.compared is not None
    (against,) = study.compared.against_baseline
    if against.jobs:
        earlier, later = (
            number / against.jobs for number in (against.shorter_by_1_h, against.longer_by_1_h)
        )
        yield (
            f"On the log as it is, {_share(earlier)} of the jobs start at least an hour earlier "
            f"than under {study.baseline.spoken}, and {_share(later)} at least an hour later."
        )
    users = study.gains.get("user", [])
    if len(users) > 1:
        # with all users looked at together, for of hundreds some differ by chance
        sure = [one for one in users if one.significant_sign]
        less = sum((one.change.value or 0.0) < 0.0 for one in sure)
        more = len(sure) - less
        longer = f"{more:,}" if more else "none"
        others = len(users) - less - more
        rest = f"; for the other {others:,} the difference is not significant" if others else ""
        yield (
            f"Of {len(users):,} users, {less:,} wait significantly less on average and {longer} "
            f"significantly longer{rest}."
        )


def kinds(study: Studied) -> Iterator[str]:
    """Say which jobs gain most and lose most, by length and by size."""
    for by, what in (("length", "jobs that run {}"), ("size", "jobs on {} processors")):
        groups = [one for one in study.gains.get(by, []) if one.significant_sign]
        if len(groups) < 2:  # noqa: PLR2004 - it takes two to differ
            continue
        best = min(groups, key=lambda one: one.total)
        worst = max(groups, key=lambda one: one.total)
        said = [
            f"{what.format(one.group)} {word} most ({spoken(abs(one.absolute))} "
            f"{'less' if one.absolute < 0.0 else 'more'} a job)"
            for one, word in ((best, "gain"), (worst, "lose"))
            if (one.total < 0.0) == (word == "gain")
        ]
        if said:
            joined = "; ".join(said)
            yield f"By {by}, {joined}."


def costs(study: Studied) -> Iterator[str]:
    """Say what becomes of the longest waits."""
    tail, longest = (study.recommended[name] for name in (TAIL, LONGEST))
    told = (("the longest wait", longest), ("the wait that 1 % of the jobs exceed", tail))
    if all(one.change.significant is not None and not one.significant_sign for _, one in told):
        (first, one), (second, other) = told
        yield (
            f"Neither {first} ({duration_within(one.baseline)} under {study.baseline.spoken}) nor "
            f"{second} ({duration_within(other.baseline)}) changes significantly."
        )
        return
    text = " and ".join(f"{what} is {_apart(one, study.baseline.spoken)}" for what, one in told)
    yield f"{text[0].upper()}{text[1:]}."


def _apart(one: Effect, baseline: str) -> str:
    if one.change.significant is not None and not one.significant_sign:
        return f"not significantly different ({duration_within(one.baseline)} under {baseline})"
    told = instead(one, duration=True)
    few = one.change.low is None and one.change.shakes > 1
    return f"{told.removesuffix(')')}; {TOO_FEW_SHAKES})" if few else told


def _share(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or not share else f"{100 * share:.2g} %"  # noqa: PLR2004 - two digits


def what_next(study: Studied, kind: Kind) -> Iterator[str]:
    """Say what to do next."""
    if kind == "no time":
        yield (
            "Call it again with the same -o and more --minutes (as it ran for "
            f"{spoken(study.seconds)}, twice that or more), or study a part of the log "
            "(--clean 'submit<DATE')."
        )
    if study.log.size.others:
        yield (
            f"Find out the machine's size at the time of the log ({study.log.size.options}), or "
            "whether its dates are right: it shows more processors than it is said to have."
        )
    if study.log.size.guessed:
        yield (
            f"Give the machine's size ({study.log.size.options}): it is guessed, and everything "
            "depends on it."
        )
    if kind == "no time":
        return
    if study.log.walltimes.most_missing:
        asks = (
            "" if study.log.format == "pbs" else " (`pred-aware log sacct-command` asks for them)"
        )
        yield f"Collect the jobs' time limits{asks}, or give the usual one with --missing-walltime."
    if kind == "nobody waits":
        yield (
            "If users complain of waits, look at limits, partitions and priorities: "
            "`pred-aware inspect LOG --baseline easy` shows what the dates tell."
        )
        return
    if study.check.is_our_queue is False and queue_answer(study) != "fitted":
        yield (
            f"Find out what jobs wait for besides processors ({_causes(study)}); what the log "
            "shows of it is below, under the recorded queue and the simulated one."
        )
        if study.log.format in _SNAPSHOTS and study.baseline.name == EASY:
            yield (
                f"Keep what {_SNAPSHOTS[study.log.format]} says of its configuration, by read-only "
                f"commands on the cluster (`pred-aware site snapshot {study.log.format} -o here`), "
                "and study the log with it (--site here)."
            )
    if kind in {"one run", "not significant", "size"} or study.rounds.why == "time is up":
        yield "For narrower intervals call it again with the same -o: it goes on from its runs."
    if kind in {"better", "mixed"}:
        yield (
            "Try other bounds and orders in the folder's campaign.toml (`pred-aware campaign "
            "run`), and let predictions run beside the batch system (`pred-aware service serve`) "
            "before they decide anything."
        )
