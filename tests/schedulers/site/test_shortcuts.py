"""What is not looked at again, since it is known, would have come to the same."""

from typing import Any

import pytest

from schedulers import parts_on_site
from schedulers.site.gate import Gate
from schedulers.site.kinds import Kinds
from tests.schedulers.site.random_runs import POLICIES, run_of, site_and_jobs
from tests.suites import each_case


class _Everybody(dict[Any, None]):
    """A set that contains every key, so that all jobs are checked."""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, key: object) -> bool:
        return True


class _Doubtful(Gate):
    """A gate that does not remember what stops a job."""

    def __init__(self, *args: Any) -> None:  # noqa: ANN401 - as the gate has them
        super().__init__(*args)
        self.unsure = _Everybody()


def _files(seed: int) -> list[bytes | None]:
    found: list[bytes | None] = []
    for place, nodes in enumerate((False, True, True)):
        site, jobs = site_and_jobs(seed, nodes=nodes)
        run = run_of(site, jobs, POLICIES[(3 * seed + place) % len(POLICIES)])
        found += [run.content(kind) for kind in ("jobs", "estimates", "stops")]
    return found


@each_case("first", [0, 10, 20])
def test_checking_each_job_again_gives_the_same_schedule(
    monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    seeds = range(first, first + 10)
    before = [_files(seed) for seed in seeds]
    monkeypatch.setattr(parts_on_site, "Gate", _Doubtful)
    monkeypatch.setattr(Kinds, "of", Kinds._new)  # noqa: SLF001 - what it looks up is what this one makes
    assert [_files(seed) for seed in seeds] == before
