"""A campaign as an HTML page: a summary first, then tables."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.campaign import Campaign
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.bases import across_baselines, baseline_remarks, baselines_table
from pred_aware.campaign.results.differences import compared, gains, result_sentences, title_of
from pred_aware.campaign.results.frames import NoGroupsError
from pred_aware.effects.effect import Effect, better_sign
from pred_aware.effects.groups import GAINS_BY, gains_table
from pred_aware.effects.words import large_figure, unmarked
from pred_aware.metrics import MEASURES
from pred_aware.report.interval_format import percent_change
from pred_aware.report.page import Answer, Content, Definitions, Large, Section
from pred_aware.report.page.content import BETTER, WORSE, PageBlock
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark, remarks
from pred_aware.report.table import Table

MOST_FIGURES = 3


@dataclass(frozen=True, slots=True)
class JudgedPolicy:
    """The comparison of a policy with the baseline in a measure, on all logs."""

    policy: str
    measure: str
    """Names of the policy and the measure."""
    rows: tuple[Effect, ...]
    """The comparisons, one for each log on which the policy can be compared."""

    @property
    def better(self) -> int:
        """Number of logs on which the policy is significantly better than the baseline.

        Significance is corrected for the number of comparisons.
        """
        return sum(row.gain > 0 for row in self.rows)

    @property
    def worse(self) -> int:
        """Number of logs on which the policy is significantly worse than the baseline."""
        return sum(row.gain < 0 for row in self.rows)

    @property
    def change(self) -> float:
        """Geometric mean of the ratios to the baseline's means, minus 1."""
        ratios = [max(1.0 + (row.change.value or 0.0), 1e-9) for row in self.rows]
        return math.exp(sum(map(math.log, ratios)) / len(ratios)) - 1.0


def answer(agenda: Agenda, said: Iterable[Remark]) -> Answer:
    """Return a summary: the best policy against the baseline, if any is better.

    The best policy is significantly better on the most logs in the campaign's first measure. If
    several policies are, the best geometric mean of ratios to the baseline decides.

    Parameters
    ----------
    agenda
        The finished and the needed runs.
    said
        Remarks on how reliable the results are.
    """
    campaign = agenda.campaign
    judged = _judged(compared(agenda))
    mine = [one for one in judged if one.measure in campaign.of_a_run[:1]]
    if not mine:
        sentence = "There is nothing to compare yet: no runs of this campaign are finished."
        if len(campaign.policies) == 1:
            sentence = f"There is nothing to compare: {campaign.baseline} is the only policy."
        return Answer(sentence, trust=tuple(said))
    best = min(
        mine, key=lambda policy: (-policy.better, better_sign(policy.measure) * policy.change)
    )
    mine = [one for one in judged if one.policy == best.policy]
    figures = [_large(one, campaign.baseline) for one in mine[:MOST_FIGURES]]
    return Answer(_sentence(best, campaign.baseline), figures=tuple(figures), trust=tuple(said))


def _judged(rows: Iterable[Effect]) -> list[JudgedPolicy]:
    together: dict[tuple[str, str], list[Effect]] = defaultdict(list)
    for row in rows:
        if row.change.value is not None:
            together[row.policy, row.measure].append(row)
    return [JudgedPolicy(*key, tuple(several)) for key, several in together.items()]


def _sentence(best: JudgedPolicy, baseline: str) -> str:
    label, logs = MEASURES[best.measure].label, len(best.rows)
    if not any(row.change.low is not None for row in best.rows):
        return "No answer yet: without perturbed copies, differences may be chance."
    if not best.better:
        return f"No policy is significantly better than {baseline} in {label}."
    where = "its log" if logs == 1 else f"all {logs} logs"
    if best.better < logs:
        where = f"{best.better} of {logs} logs"
    changes = sorted(row.change.value or 0.0 for row in best.rows)
    size = percent_change(changes[0])
    if logs > 1:
        ends = f"{size.removesuffix(' %')} to {percent_change(changes[-1])}"
        size = f"{percent_change(best.change)} on the geometric mean, {ends}"
    worse = f", and worse on {counted(best.worse, 'log')}" if best.worse else ""
    better = f"{best.policy} is significantly better than {baseline} in {label}"
    return f"{better} on {where}{worse}: {size}."


def _large(judged: JudgedPolicy, baseline: str) -> Large:
    label, logs = f"{MEASURES[judged.measure].label}, {judged.policy}", len(judged.rows)
    if logs == 1:
        return large_figure(label, judged.rows[0], baseline=baseline)
    verdict = BETTER if judged.better == logs else WORSE if judged.worse == logs else ""
    note = (
        f"geometric mean; significantly better on {judged.better} of {logs} logs, "
        f"worse on {judged.worse}"
    )
    return Large(label, percent_change(judged.change), note, verdict)


MOST = 12
"""The page shows gains and losses of at most this number of pairs of policy and log."""


def content_of(campaign: Campaign, *, command: str, names: bool = False) -> Content:
    """Return a campaign's page, with the results so far.

    Parameters
    ----------
    campaign
        The campaign.
    command
        The command, for the section on how the page was made.
    names
        True to show users' names, False to number them.
    """
    inventory = campaign.inventory
    spec, agenda = inventory.specification, inventory.agenda()
    baselines = inventory.baselines()
    trust = [Remark(unmarked(one)) for one in result_sentences(agenda)]
    trust += [Remark(f"{log}: {sentence}") for log, sentence in baselines.items()]
    trust += map(Remark, inventory.sites())
    on_bases = across_baselines(inventory, agenda)
    trust += baseline_remarks(on_bases)
    trust += [Remark(sentence, odd=True) for sentence in inventory.left_out()]
    failed = list(inventory.failures(agenda))
    others = len(spec.policies) - 1
    terms = (
        (MEASURES[name].label, f"{MEASURES[name].definition}. Hides: {MEASURES[name].hides}.")
        for name in spec.measures
    )
    shakes = (
        "Copies of the log with each user session moved by some minutes; differences "
        "between them are chance."
    )
    sections = (
        Section(f"The policies against {spec.baseline}", tuple(campaign.tables())),
        Section("Several baselines of one log", tuple(baselines_table(on_bases))),
        Section("Who gains, who loses", tuple(_gains(inventory, names=names))),
        Section("Failed runs", (remarks(f"{name}: {why}" for name, why in failed),)),
        Section("Definitions", (Definitions((*terms, ("copies", shakes))),)),
        Section("How this was made", (_provenance_table(inventory, command),)),
    )
    return Content(
        title=f"Campaign {spec.name}",
        under=f"{counted(others, 'policy', 'policies')} against {spec.baseline} on "
        f"{counted(len(spec.logs), 'log')}, {counted(len(agenda.figures), 'run')}",
        answer=answer(agenda, trust),
        sections=tuple(one for one in sections if any(one.blocks)),
        command=command,
    )


def _gains(inventory: Inventory, *, names: bool) -> Iterator[PageBlock]:
    spec = inventory.specification
    pairs = (len(spec.policies) - 1) * len(spec.logs)
    if pairs > MOST:
        sentence = (
            f"This page omits gains and losses, because there are {pairs} pairs of policy and log. "
            "`pred-aware campaign table --by` shows them."
        )
        yield (Remark(sentence),)
        return
    for by in GAINS_BY:
        try:
            found = gains(inventory, by)
        except NoGroupsError:
            continue
        numbers: dict[tuple[str, str], int] = {}
        for log, policy in dict.fromkeys((one.log, one.policy) for one in found):
            every = [one for one in found if (one.log, one.policy) == (log, policy)]
            if by == "user" and not names:
                every = [
                    replace(one, group=str(numbers.setdefault((log, one.group), len(numbers) + 1)))
                    for one in every
                ]
            title = title_of(log, policy, by=by, baseline=spec.baseline)
            yield gains_table(title, every, by=by, baseline=spec.baseline, policy=policy)


def _provenance_table(inventory: Inventory, command: str) -> Table:
    spec = inventory.specification
    rows = [("repeat this page with", command), ("store", spec.store.name), ("delays", spec.delays)]
    for log in spec.logs:
        done = [*log.clean, *([f"load {log.load:g}"] if log.load else [])]
        rows.append((f"log {log.name}", ", ".join([log.file.name, *done])))
    for policy in spec.policies:
        options = ", ".join(f"{name} {value}" for name, value in policy.options.items())
        rows.append((f"policy {policy.name}", f"{policy.scheduler} {options}".rstrip()))
    return Table("How this was made", ("", ""), tuple(rows), words=True)
