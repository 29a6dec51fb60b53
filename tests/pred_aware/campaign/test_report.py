"""A campaign as a page."""

from pathlib import Path

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.results.page import answer, content_of
from pred_aware.report.page import Content
from pred_aware.report.table import Table
from tests.pred_aware.campaign.conftest import MakeCampaign, WriteCampaign
from tests.pred_aware.command import Command


def test_the_page_begins_with_the_printed_answer(
    command: Command, made: MakeCampaign, tmp_path: Path
) -> None:
    ended = command("campaign", "report", made(), "-o", tmp_path / "page.html")
    assert (ended.code, ended.err) == (0, "")
    sentence, told = ended.out.splitlines()
    assert told == f"Page: {tmp_path / 'page.html'}"
    page = (tmp_path / "page.html").read_text()
    assert f'id="answer">{sentence}</p>' in page
    assert "<code>pred-aware campaign report small.toml</code>" in page
    assert str(tmp_path) not in page
    assert "easy_sjbf" in sentence or sentence.startswith("No policy is significantly better")


def test_users_have_numbers_unless_names_are_requested(made: MakeCampaign) -> None:
    campaign = read_campaign(made())
    assert users_in(content_of(campaign, command="", names=False)) == ["1", "2", "3", "4"]
    names = campaign.gains("user")["group"].tolist()
    assert users_in(content_of(campaign, command="", names=True)) == names


def users_in(content: Content) -> list[str]:
    """The users in the table of gains and losses."""
    blocks = [block for section in content.sections for block in section.blocks]
    (users,) = (one for one in blocks if isinstance(one, Table) and " by user, " in one.title)
    return [row[0] for row in users.rows]


def test_a_campaign_without_runs_says_that_there_is_nothing_yet(campaign: WriteCampaign) -> None:
    agenda = read_campaign(campaign()).inventory.agenda()
    assert answer(agenda, ()).sentence.startswith("There is nothing to compare yet")


def test_a_campaign_of_its_baseline_alone_says_so(campaign: WriteCampaign) -> None:
    agenda = read_campaign(campaign("[policies.easy]\n")).inventory.agenda()
    said = answer(agenda, ()).sentence
    assert said == "There is nothing to compare: easy is the only policy."


def test_the_significantly_better_policy_is_named(made: MakeCampaign) -> None:
    agenda = read_campaign(made()).inventory.agenda()
    for place, figures in agenda.figures.items():
        wait = 100.0 + (place.shake or 0)
        agenda.figures[place] = {**figures, "mean_waiting_time": wait * (1 - 0.3 * place.policy)}
    found = answer(agenda, ())
    begin = "easy_sjbf is significantly better than easy in mean waiting time on its log: -30 %."
    assert found.sentence == begin
    assert (found.figures[0].value, found.figures[0].verdict) == ("-30.0 %", "better")
