import pytest

import workload_tools
from tests.suites import each_case


@each_case("name", workload_tools.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(workload_tools, name).__doc__


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'read_pbs'"):
        workload_tools.read_pbs  # noqa: B018 - looking it up is the test
