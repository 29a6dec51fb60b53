"""Who gains and who loses."""

from collections.abc import Iterator

from pred_aware.effects.gain_bars import GainBars
from pred_aware.report.page.content import PageBlock
from pred_aware.report.sentence import remarks
from pred_aware.study.campaign import OF_PROCESSORS
from pred_aware.study.consequences import whose
from pred_aware.study.studied import Studied

TITLES = {"size": "Change of the mean wait, by processors", "length": "By run time"}
NO_GROUP = "No group of jobs, by processors or by run time, waits significantly more or less."
AREA_WEIGHTED = OF_PROCESSORS[0]


def who_gains(study: Studied) -> Iterator[PageBlock]:
    """Yield the groups as bars, and who gains and loses in sentences."""
    told = {by: study.gains[by] for by in TITLES if study.gains.get(by)}
    if told and not any(one.surely for groups in told.values() for one in groups):
        yield remarks([NO_GROUP])
    else:
        yield from (GainBars(TITLES[by], groups) for by, groups in told.items())
    yield remarks((*whose(study), *by_work(study)))


def by_work(study: Studied) -> Iterator[str]:
    """Say what becomes of the wait where work counts, and not jobs."""
    one = study.recommended[AREA_WEIGHTED]
    if one.surely:
        word = "shorter" if one.surely < 0 else "longer"
        yield (
            "Where each job counts by its work (processors x run time), the mean wait is "
            f"{100 * abs(one.change.value or 0.0):.0f} % {word}."
        )
