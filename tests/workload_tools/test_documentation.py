import pytest

import workload_tools
from tests.suites import each_case


@each_case("name", workload_tools.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    assert getattr(workload_tools, name).__doc__


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'read_pbs'"):
        workload_tools.read_pbs  # noqa: B018 - looking it up is the test
