"""The priority order of a queue is named from its record, stated, written and simulated."""

import csv
from pathlib import Path

import pytest

from pred_aware import Site, infer_site, read_log, simulate
from pred_aware.site_inference.queue_order import SUBMISSION, TERMS, stated_order
from pred_aware.site_inference.report import file_of
from schedulers.errors import OptionError, UnknownNameError
from schedulers.site.reader import read_site
from tests.pred_aware.site_inference.planted import log_of, stream

SHARED = Path(__file__).parents[4] / "shared" / "planted"


@pytest.mark.parametrize("name", ["larger first", "fair share of users"])
def test_an_injected_order_is_named_written_and_simulated(name: str, tmp_path: Path) -> None:
    found = infer_site(log_of(name))
    assert found.order.name == name
    assert (found.site.limits, found.site.windows) == ((), ())
    assert found.fitted[1].correlation > found.counted[1].correlation
    file = tmp_path / "site.toml"
    file.write_text(file_of(found))
    assert f"# priority order: {name}" in file.read_text()
    site = read_site(file)
    assert site.order == found.order.order
    stated = infer_site(log_of(name), site=site)
    assert (stated.order.name, stated.fitted[1]) == ("stated", found.fitted[1])


def test_a_queue_of_easy_is_in_the_order_of_submission() -> None:
    order = infer_site(log_of("no rule")).order
    assert (order.name, order.order) == (SUBMISSION, None)
    assert "started first in 100 %" in order.evidence


def test_a_sites_order_applies_to_schedulers_without_an_order() -> None:
    waits = {
        key: simulate(stream(), policy, site=site, **parts).ran["waiting_time"].tolist()
        for key, policy, site, parts in (
            ("stated", "easy", Site(order="sjf"), {}),
            ("given", "easy", Site(), {"order": "sjf"}),
            ("own", "easy", Site(order="sjf"), {"order": "fcfs"}),
            ("none", "easy", Site(), {}),
        )
    }
    assert waits["stated"] == waits["given"] != waits["none"] == waits["own"]


def test_an_order_is_given_by_a_word_a_name_json_or_a_formula() -> None:
    assert stated_order("submission") == "fcfs"
    assert stated_order('{"name": "lxf", "head_start": 60}') == {"name": "lxf", "head_start": 60}
    assert stated_order("-walltime")["openpbs"]["job_sort_formula"] == "-walltime"
    assert all(stated_order(name)["name"] == "pbs" for name in TERMS)
    for wrong in ("larger", '{"name": "larger"}', "{"):
        with pytest.raises((OptionError, UnknownNameError)):
            stated_order(wrong)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="the planted sites are not here")
def test_orders_in_queues_of_another_simulator_are_named_only_if_present() -> None:
    words = {"fair share": "fair share of users", "larger": "larger first",
             "smaller": "smaller first"}  # fmt: skip
    named: dict[str, list[bool]] = {"order": [], "none": []}
    with (SHARED / "truth.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            name = infer_site(read_log(SHARED / f"{row['site']}.swf.gz")).order.name
            if row["kind"] == "order":
                truth = next(name for word, name in words.items() if word in row["rule"])
                named["order"].append(name == truth)
            else:
                named["none"].append(name not in TERMS)
    assert sum(named["order"]) >= 0.8 * len(named["order"])
    assert sum(named["none"]) >= 0.95 * len(named["none"])
