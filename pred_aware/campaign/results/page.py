"""A campaign as a page, made of the parts that a study's is made of."""

from collections.abc import Iterator
from dataclasses import replace

from pred_aware.campaign.campaign import Campaign
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.answer import answer
from pred_aware.campaign.results.differences import result_sentences
from pred_aware.campaign.results.frames import NoGroupsError
from pred_aware.campaign.results.groups import gains, title_of
from pred_aware.effects.groups import GAINS_BY, gains_table
from pred_aware.effects.page import unmarked
from pred_aware.metrics import MEASURES
from pred_aware.report.page import Content, Definitions, Section
from pred_aware.report.page.content import PageBlock
from pred_aware.report.plural import counted
from pred_aware.report.remark import Remark, remarks
from pred_aware.report.table import Table

MOST = 12
"""Of so many policies on logs it is shown who gains and who loses."""


def content_of(campaign: Campaign, *, made: str, names: bool = False) -> Content:
    """Return the page of a campaign, with what is there of it.

    Parameters
    ----------
    campaign
        The campaign.
    made
        The command.
    names
        Whether users are called by their names, and not numbered.
    """
    inventory = campaign.inventory
    spec, agenda = inventory.specification, inventory.agenda()
    baselines = inventory.baselines()
    trust = [Remark(unmarked(one)) for one in result_sentences(agenda)]
    trust += [Remark(f"{log}: {told}") for log, told in baselines.items()]
    trust += [Remark(told, odd=True) for told in inventory.left_out()]
    failed = list(inventory.failures(agenda))
    others = len(spec.policies) - 1
    sections = (
        Section(f"The policies against {spec.baseline}", tuple(campaign.tables())),
        Section("Who gains, who loses", tuple(_gains(inventory, names=names))),
        Section("What failed", (remarks(f"{name}: {why}" for name, why in failed),)),
        Section("What the words mean", (_definitions(inventory),)),
        Section("How this was made", (_made(inventory, made),)),
    )
    return Content(
        title=f"Campaign {spec.name}",
        under=f"{counted(others, 'policy', 'policies')} against {spec.baseline} on "
        f"{counted(len(spec.logs), 'log')}, {counted(len(agenda.figures), 'run')}",
        answer=answer(agenda, trust),
        sections=tuple(one for one in sections if any(one.blocks)),
        made=made,
    )


def _gains(inventory: Inventory, *, names: bool) -> Iterator[PageBlock]:
    spec = inventory.specification
    pairs = (len(spec.policies) - 1) * len(spec.logs)
    if pairs > MOST:
        told = f"These are {pairs} policies on logs; pred-aware campaign table --by shows each."
        yield (Remark(told),)
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


def _definitions(inventory: Inventory) -> Definitions:
    spec = inventory.specification
    terms = [
        (MEASURES[name].label, f"{MEASURES[name].definition}. Hides: {MEASURES[name].hides}.")
        for name in spec.measures
    ]
    shakes = (
        "Copies of the log with each session of a user moved by some minutes: what differs "
        "between them is chance."
    )
    return Definitions((*terms, ("shakes", shakes)))


def _made(inventory: Inventory, made: str) -> Table:
    spec = inventory.specification
    rows = [("repeat it with", made), ("store", spec.store.name), ("delays", spec.delays)]
    for log in spec.logs:
        done = [*log.clean, *([f"load {log.load:g}"] if log.load else [])]
        rows.append((f"log {log.name}", ", ".join([log.file.name, *done])))
    for policy in spec.policies:
        options = ", ".join(f"{name} {value}" for name, value in policy.options.items())
        rows.append((f"policy {policy.name}", f"{policy.scheduler} {options}".rstrip()))
    return Table("How this was made", ("", ""), tuple(rows), words=True)
