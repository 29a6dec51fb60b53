from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.suites import each_case
from workload_tools.errors import PlatformError
from workload_tools.platform.reader import Route, read_platform, write_platform
from workload_tools.platform.writer import platform_text

# writes a platform of four hosts in which these texts are replaced
Changed = Callable[..., Path]

PLATFORMS = Path(__file__).parents[3] / "platforms"


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    def write_changed(*changes: tuple[str, str]) -> Path:
        text = platform_text(hosts=4)
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "platform.xml"
        path.write_text(text)
        return path

    return write_changed


def test_hosts_are_sorted_by_name_as_text(tmp_path: Path) -> None:
    write_platform(tmp_path / "p.xml", hosts=12)
    platform = read_platform(tmp_path / "p.xml")
    assert platform.hosts == (
        "a0", "a1", "a10", "a11", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9",
    )  # fmt: skip
    assert platform.master == "master_host0"


def test_latencies_are_summed_in_the_order_of_the_route(tmp_path: Path) -> None:
    latencies = {"latency": "70us", "cluster_latency": "0.3ms", "backbone_latency": "1.1ms"}
    write_platform(tmp_path / "p.xml", hosts=2, **latencies)
    platform = read_platform(tmp_path / "p.xml")
    link, cluster, backbone = 70 * 1e-6, 0.3 * 1e-3, 1.1 * 1e-3
    assert platform.master_way.latency == link + cluster + link
    assert platform.host_ways[0].latency == backbone + link + cluster + cluster + link


@each_case("narrow", ["bandwidth", "cluster_bandwidth", "backbone_bandwidth"])
def test_bandwidth_is_the_smallest_on_the_route(tmp_path: Path, narrow: str) -> None:
    write_platform(tmp_path / "p.xml", hosts=2, **{narrow: "8Mbps"})
    platform = read_platform(tmp_path / "p.xml")
    assert platform.host_ways[0].bandwidth == 1e6
    own = 125e6 if narrow == "backbone_bandwidth" else 1e6
    assert platform.master_way.bandwidth == own


@each_case(
    ("radical", "hosts"), [("0-2", "a0 a1 a2"), ("0-1,10-11,7", "a0 a1 a10 a11 a7"), ("5", "a5")]
)
def test_radicals_name_the_hosts(changed: Changed, radical: str, hosts: str) -> None:
    assert read_platform(changed(('"0-3"', f'"{radical}"'))).hosts == tuple(hosts.split())


def test_a_cluster_without_a_network_of_its_own_has_two_links(changed: Changed) -> None:
    path = changed(('bb_bw="2.25GBps" bb_lat="500us"', ""))
    assert read_platform(path).master_way.latency == 50 * 1e-6 + 50 * 1e-6


def test_the_master_can_be_identified_by_its_name(changed: Changed) -> None:
    path = changed(('<prop id="role" value="master"/>', ""))
    assert read_platform(path, master="master_host0").master == "master_host0"


def test_properties_include_the_role(changed: Changed) -> None:
    path = changed(('bb_lat="500us"/>', 'bb_lat="500us"><prop id="watt" value="90"/></cluster>'))
    assert read_platform(path).properties["a3"] == {"role": "", "watt": "90"}


def test_storage_hosts_compute_nothing(changed: Changed) -> None:
    storage = (
        '<cluster id="disks" prefix="d" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us">'
        '<prop id="role" value="storage"/></cluster><link id="backbone"'
    )
    found = read_platform(changed(('<link id="backbone"', storage))).hosts
    assert found == ("a0", "a1", "a2", "a3")


@each_case(
    ("old", "new", "message"),
    [
        ('radical="0-0"', 'radical="0-1"', "must have one master host"),
        ('radical="0-3"', 'radical="3-0"', 'radical="3-0" must list host numbers'),
        ('radical="0-3"', 'radical="0-99999999"', "of at most 10000000 hosts"),
        ('radical="0-3"', 'radical="0,0"', "has more than one host 'a0'"),
        ('prefix="a"', 'prefix="a" state_file="f"', "'state_file' is not supported"),
        ('lat="50us"', 'lat="50parsec"', "lat: '50parsec' has the unknown unit 'parsec'"),
        ('bw="125MBps"', 'bw="fast"', "bw: 'fast' is not a number"),
        ('bw="125MBps"', 'bw="0MBps"', "bw must be above 0"),
        ('bw="125MBps" ', "", "<cluster> lacks the attribute 'bw'"),
        ('<link_ctn id="backbone"/>', '<link_ctn id="bone"/>', "names no <link>"),
        ('version="4.1"', 'version="3"', "has version 3, not 4"),
        ('<link id="backbone"', '<storage id="x"/><link id="backbone"', "<storage> is not"),
        ("</zone>", "", "not XML: mismatched tag"),
        ("platform version", "html version", "not XML"),
    ],
)
def test_unknown_elements_are_an_error(changed: Changed, old: str, new: str, message: str) -> None:
    path = changed((old, new))
    with pytest.raises(PlatformError) as error:
        read_platform(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_a_platform_with_only_the_master_has_no_hosts(changed: Changed) -> None:
    text = platform_text(hosts=1)
    begin, end = text.index('<cluster id="compute"'), text.index("<!-- the host of")
    with pytest.raises(PlatformError, match="has no compute hosts"):
        read_platform(changed((text[begin:end].replace("0-0", "0-3"), "")))


def test_hosts_may_be_at_different_distances_and_of_different_speeds(changed: Changed) -> None:
    far = (
        '<cluster id="far" prefix="f" suffix="" radical="0" speed="8Gf" bw="1GBps" lat="1s"/>'
        '<link id="backbone"'
    )
    route = '<zoneRoute src="far" dst="master"><link_ctn id="backbone"/></zoneRoute></zone>'
    platform = read_platform(changed(('<link id="backbone"', far), ("</zone>", route)))
    assert platform.hosts == ("a0", "a1", "a2", "a3", "f0")
    assert platform.host_ways[4].latency == pytest.approx(1.00105)
    assert platform.host_ways[0] is platform.host_ways[3] != platform.host_ways[4]
    assert platform.speeds[4] == 8e9 > platform.speeds[0] > 0


def test_a_route_back_can_be_given_separately(changed: Changed) -> None:
    swapped = changed(('src="compute" dst="master"', 'src="master" dst="compute"'))
    assert read_platform(swapped).host_ways[0].latency == pytest.approx(0.0016)
    one_way = changed(('src="compute" dst="master"', 'src="master" dst="compute" symmetrical="NO"'))
    assert "no <zoneRoute> from 'compute' to the master's" in read_platform(one_way).no_ways


def test_xml_entities_are_refused_also_in_utf_16(tmp_path: Path) -> None:
    text = '<!DOCTYPE platform [<!ENTITY a "aaaa">]><platform version="4.1">&a;</platform>'
    for encoding in ("utf-8", "utf-16"):
        path = tmp_path / encoding
        path.write_bytes(text.encode(encoding))
        with pytest.raises(PlatformError, match="declares an entity"):
            read_platform(path)


def test_a_missing_platform_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match=r"nowhere\.xml: cannot be read: No such file"):
        read_platform(tmp_path / "nowhere.xml")


@each_case(
    ("parameters", "message"),
    [
        ({"hosts": 0}, "needs between 1 and"),
        ({"hosts": 4, "latency": "-1us"}, "latency: '-1us' is not a number"),
        ({"hosts": 4, "speed": "0Gf"}, "speed must be above 0"),
        ({"hosts": 4, "prefix": "master_host"}, "cannot have the name of the master host"),
    ],
)
def test_an_impossible_platform_is_not_written(
    tmp_path: Path, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(PlatformError, match=message):
        write_platform(tmp_path / "p.xml", **parameters)
    assert list(tmp_path.iterdir()) == []


def test_names_are_escaped(tmp_path: Path) -> None:
    write_platform(tmp_path / "p.xml", hosts=1, prefix='<"--&')
    assert read_platform(tmp_path / "p.xml").hosts == ('<"--&0',)


@each_case(("name", "hosts"), [("cluster512.xml", 512), ("clusterMarconi.xml", 15680)])
def test_platforms_in_the_repository_equal_those_of_the_writer(name: str, hosts: int) -> None:
    assert (PLATFORMS / name).read_text() == platform_text(hosts=hosts)


@each_case(("trace", "hosts"), [("kth", 100), ("curie20k", 93312), ("m100-15680", 15680)])
def test_platforms_of_the_real_runs_equal_those_of_the_writer(
    shared: Path, tmp_path: Path, trace: str, hosts: int
) -> None:
    write_platform(tmp_path / "p.xml", hosts=hosts)
    platform = read_platform(shared / "golden" / trace / "platform.xml")
    assert platform == read_platform(tmp_path / "p.xml")
    assert len(platform.hosts) == hosts


def test_batsims_small_platform_is_read_host_by_host(shared: Path) -> None:
    platform = read_platform(shared / "golden" / "transcripts" / "small_platform.xml")
    assert platform.hosts == ("Bourassa", "Fafard", "Ginette", "Jupiter")
    assert platform.master_way == Route(15 * 1e-6, 498 * 1e6)
    assert platform.host_ways[3] == Route(1.461517 * 1e-3, 7.20975 * 1e6)
    assert platform.host_ways[2].latency == pytest.approx(278.066e-6 + 514.433e-6 + 479.78e-6)
    assert platform.speeds == (48.492e6, 76.296e6, 48.492e6, 76.296e6)


HOSTS = """<platform version="4.1"><zone id="z" routing="Full">
<host id="master_host" speed="1Gf"/><host id="h" speed="2Gf,1Gf"/>
<link id="own" bandwidth="1GBps" latency="1us"/><link id="l" bandwidth="2MBps" latency="3us"/>
<route src="master_host" dst="master_host"><link_ctn id="own"/></route>
<route src="master_host" dst="h"><link_ctn id="l"/></route>
</zone></platform>"""


@each_case(
    ("old", "new", "message"),
    [
        ('id="master_host" speed', 'id="other" speed', "has no master host"),
        ('id="h" speed', 'id="master_host" speed', "more than one host 'master_host'"),
        ('<host id="h" speed="2Gf,1Gf"/>', "", "has no compute hosts"),
        ('speed="2Gf,1Gf"', 'speed="fast"', "speed: 'fast' is not a number"),
        ('speed="2Gf,1Gf"', 'speed="1Gf" state_file="f"', "<host>: the attribute 'state_file'"),
        ("</zone>", '<cluster id="c"/></zone>', "<cluster> lacks the attribute 'radical'"),
    ],
)
def test_unknown_forms_of_hosts_and_routes_are_errors(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "hosts.xml"
    path.write_text(HOSTS)
    assert read_platform(path).speeds == (2e9,)
    assert old in HOSTS
    path.write_text(HOSTS.replace(old, new))
    with pytest.raises(PlatformError, match=message):
        read_platform(path)


CLUSTER = '<cluster id="c" prefix="c" suffix=".x" radical="0-1" speed="4Gf" bw="1GBps" lat="1us"/>'


@each_case(
    ("old", "new", "hosts", "reason"),
    [
        ('routing="Full"', 'routing="Floyd"', "h", "computed with routing 'Floyd'"),
        ('dst="master_host"', 'dst="h"', "h", "no <route> from 'master_host' to 'master_host'"),
        ('src="master_host" dst="h"', 'src="h" dst="h"', "h", "from 'h' to 'master_host'"),
        ("</zone>", f"{CLUSTER}</zone>", "c0.x c1.x h", "computed with <cluster>"),
        ("</zone>", '<zone id="y"><host id="g" speed="1f"/></zone></zone>', "g h", "<zone>"),
        ("</zone>", '<cabinet id="r" prefix="r" radical="7" speed="1f"/></zone>', "h r7", "<cabin"),
        ("<zone", '\n<config><prop id="a" value="b"/></config><zone', "h", ""),
        ("<platform", "\n\n<?xml version='1.0'?><platform", "h", ""),
    ],
)
def test_hosts_are_read_on_any_network_but_some_routes_are_unknown(
    tmp_path: Path, old: str, new: str, hosts: str, reason: str
) -> None:
    path = tmp_path / "hosts.xml"
    path.write_text(HOSTS.replace(old, new, 1))
    platform = read_platform(path)
    assert platform.hosts == tuple(hosts.split())
    assert platform.speeds[platform.hosts.index("h")] == 2e9
    assert reason in platform.no_ways
    assert bool(platform.no_ways) == bool(reason) == (not platform.host_ways)


@each_case("attribute", ['limiter_link="1GBps"', 'topology="TORUS"', 'loopback_lat="1s"'])
def test_a_cluster_with_another_network_has_hosts_but_no_routes(
    changed: Changed, attribute: str
) -> None:
    platform = read_platform(changed(('prefix="a"', f'prefix="a" {attribute}')))
    assert len(platform.hosts) == 4
    assert "message delays cannot be computed with" in platform.no_ways


def test_line_numbers_count_from_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "hosts.xml"
    path.write_text("\n\n" + HOSTS.replace('speed="1Gf"', 'speed="fast"'))
    with pytest.raises(PlatformError, match=r"hosts\.xml:4: speed"):
        read_platform(path)
