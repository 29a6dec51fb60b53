"""Sites written as files."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedulers.site.example import EXAMPLE
from schedulers.site.in_words import rules_in_words
from schedulers.site.reader import content_of, read_site, site_of
from schedulers.site.site import Limit, Site
from schedulers.site.writer import text_of


@pytest.mark.parametrize("comments", [False, True])
def test_a_written_site_is_read_as_the_same_site(tmp_path: Path, comments: bool) -> None:  # noqa: FBT001
    path = tmp_path / "site.toml"
    path.write_text(text_of(EXAMPLE, comments=comments), encoding="utf-8")
    assert read_site(path) == EXAMPLE == site_of(content_of(EXAMPLE))


@settings(max_examples=40)
@given(
    name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
    most=st.floats(0, allow_infinity=False),
    begin=st.none() | st.floats(-1e12, 1e12) | st.datetimes(timezones=st.none()),
)
def test_any_text_number_and_date_survives_writing_and_reading(
    name: str, most: float, begin: object
) -> None:
    limit = Limit(of="jobs", per="user", by={name: most}, only={"qos": (name,)}, begin=begin)
    if ":" not in name:
        assert site_of(tomllib.loads(text_of(Site(name=name, limits=(limit,))))).limits == (limit,)


def test_an_empty_site_lists_each_key_with_its_default() -> None:
    lines = text_of(Site(), comments=True).splitlines()
    assert all(not line or line.startswith("#") for line in lines)
    above = lines.index('# above = "waits"')
    assert lines[above - 1].endswith("One of alone, rejected, waits.")
    assert {"# [[nodes]]", "# [[limits]]", "# [[reservations]]", "# time_zone ="} <= {*lines}


def test_each_kind_of_table_is_described_once() -> None:
    limit = Limit(of="jobs", per="user", most=1.0)
    text = text_of(Site(limits=(limit, limit)), comments=True)
    assert (text.count("\n[[limits]]"), text.count("# The limit for each key")) == (2, 1)


def test_every_rule_of_the_example_has_a_text() -> None:
    assert rules_in_words(EXAMPLE, names=True) == (
        "10 jobs per user (40 for service)",
        "1024 processors of qos short per user and partition",
        "closed Mon-Fri 08:00-17:00 for jobs of more than 4 h",
        "no start from 2026-03-01 06:00 until 2026-03-01 18:00",
        "3,136 processors from 2026-06-01 00:00 on",
        "fat[3-4] down from 2026-02-02 09:00 until 2026-02-05 00:00",
        "thin[1-8] reserved for teaching (course) from 2026-04-01 08:00 until 2026-04-01 18:00",
        "the scheduler runs every 60 s",
    )


def test_people_are_named_only_on_request() -> None:
    content = {**content_of(EXAMPLE), "windows": []}
    content["limits"][1]["only"] = {"user": ["ann"], "qos": ["short"]}
    told = " ".join(rules_in_words(site_of(content)))
    assert not {"service", "ann", "teaching"} & {*told.replace(")", "").split()}
    assert "1024 processors of some users of qos short per user and partition" in told
