"""The suite that anybody runs on a policy of their own: what it says of those that cheat."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedulers import CallLater, Decision, Execute, Reject, Request, make_policy
from schedulers.contract import CHECKS, ContractError, check_policy
from schedulers.contract.__main__ import main
from schedulers.core.counting import Counting
from schedulers.journal import Journal
from tests.pred_aware.command import python
from tests.suites import each_case

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "own-parts.md"


class Honest:
    """Starts every job that fits."""

    needs_fields = False
    journal: Journal | None = None

    def __init__(self) -> None:
        self.machine = Counting()
        self.waiting: list[Any] = []
        self.running: dict[str, Any] = {}

    def begin(self, processors: int) -> None:
        self.machine.begin(processors)

    def decide(self, request: Request) -> list[Decision]:
        for job_id in request.ended:
            self.machine.give_back(self.running.pop(job_id))
        decisions: list[Decision] = []
        for job in request.submitted:
            reason = self.machine.refusal(job)
            if reason is None:
                self.waiting.append(job)
            else:
                decisions.append(Reject(request.now, job.id, reason))
        for job in list(self.waiting):
            if self.machine.take(job):
                self.waiting.remove(job)
                self.running[job.id] = job
                job.intervals = self.machine.allocate(job)
                decisions.append(Execute(request.now, job.id, job.intervals))
        return decisions


def cheat(change: Callable[[list[Any], Request], list[Any]]) -> type[Honest]:
    """Make one that answers what becomes of the honest one's answers."""

    class Cheating(Honest):
        def decide(self, request: Request) -> list[Decision]:
            return change(super().decide(request), request)

    return Cheating


def on(which: type, change: Callable[[Any], Decision]) -> type[Honest]:
    """Make one that changes each decision of a kind."""
    return cheat(lambda decisions, _: [change(d) if isinstance(d, which) else d for d in decisions])


_made = 0


class Restless(Honest):
    """Is another one each time."""

    def __init__(self) -> None:
        super().__init__()
        global _made  # noqa: PLW0603 - what a policy must not do
        _made += 1
        self.upside_down = _made % 2

    def decide(self, request: Request) -> list[Decision]:
        if self.upside_down:
            self.waiting.reverse()
        return super().decide(request)


class Forgetful(Honest):
    def __init__(self) -> None:
        super().__init__()
        self.journal = Journal()


CHEATS = {
    "two at once": (on(Execute, lambda d: Execute(d.date, d.job_id, ((0, len(d.processors) - 1),))),
        "in use by"),
    "too few": (
        on(Execute, lambda d: Execute(d.date, d.job_id, d.intervals[:1])), "; the job asks for "
    ),
    "beyond": (on(Execute, lambda d: Execute(d.date, d.job_id, ((16, 15 + len(d.processors)),))),
        "the machine has 16, numbered from 0"),
    "in the past": (
        on(Execute, lambda d: Execute(d.date - 1, d.job_id, d.intervals)), "with a decision of",
    ),
    "twice": (cheat(lambda decisions, _: decisions * 2), "on job 'w0!0', which runs"),
    "unknown": (cheat(lambda decisions, r: [*decisions, Reject(r.now, "w0!x", "no")]),
        "on job 'w0!x', which was never submitted"),
    "a word": (cheat(lambda decisions, _: [*decisions, "start"]), "answered 'start' at"),
    "nothing": (cheat(lambda *_: []), "never started job 'w0!0'"),
    "a call in the past": (
        cheat(lambda decisions, r: [*decisions, CallLater(r.now, r.now)]), " s a call at",
    ),
    "calls without end": (cheat(lambda decisions, r: [*decisions, CallLater(r.now, r.now + 1)]),
        "requested 10000 calls in a row"),
    "rejects what fits": (on(Execute, lambda d: Reject(d.date, d.job_id, "not today")),
        "rejected job 'w0!0', which fits: not today"),
    "no reason": (
        on(Reject, lambda d: Reject(d.date, d.job_id)), "did not reject job 'w0!large0' with a re",
    ),
    "chance": (Restless, "gave the same jobs two different schedules"),
    "an empty journal": (Forgetful, "recorded 0 jobs in its journal, but 150 jobs ran"),
}  # fmt: skip


def test_a_correct_policy_passes() -> None:
    check_policy(Honest)
    check_policy(Honest())


@each_case("name", CHEATS)
def test_each_violation_is_reported(name: str) -> None:
    policy, said = CHEATS[name]
    with pytest.raises(ContractError, match=re.escape(said)):
        check_policy(policy)


def test_every_check_detects_a_violation() -> None:
    caught = set()
    for policy, _ in CHEATS.values():
        for title, check in CHECKS.items():
            try:
                check(lambda policy=policy: make_policy(policy))
            except ContractError:
                caught.add(title)
    assert caught == set(CHECKS)


def write_examples() -> None:
    """Write the page's modules into the working folder."""
    text = PAGE.read_text(encoding="utf-8")
    for name, code in re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```", text, re.DOTALL):
        Path(name).write_text(code, encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("site_policy:LargestFirst",),
        ("policy", '{"order": "site_order:Aged", "correction": "site_correction:PartOfWalltime"}'),
    ],
)
@pytest.mark.usefixtures("own_modules")
def test_the_pages_examples_keep_the_contract(arguments: tuple[str, ...]) -> None:
    write_examples()
    done = python("-m", "schedulers.contract", *arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.count(": ok\n") == len(CHECKS)


@each_case(
    ("arguments", "said"),
    [
        (("site_policy:Missing",), "policy 'site_policy:Missing' cannot be loaded: "),
        (("site_policy:LargestFirst", "{"), "the options are not JSON"),
        (("easyy",), "unknown scheduler 'easyy': did you mean 'easy'"),
    ],
)
@pytest.mark.usefixtures("own_modules")
def test_a_policy_that_cannot_be_tested_gives_a_one_line_error(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    write_examples()
    assert main([*arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"schedulers\.contract: error: .+\n", err)
    assert said in err
