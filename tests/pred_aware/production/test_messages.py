import pytest

from pred_aware.production.messages import MessageError, read_request


@pytest.mark.parametrize("walltime", [b"-1", b"0", b"-0.5"])
def test_a_walltime_that_is_no_length_of_time_is_refused(walltime: bytes) -> None:
    with pytest.raises(MessageError, match=r"`float` > 0.0 - at `\$.job.walltime`"):
        read_request(b'{"ask": "estimate", "job": {"walltime": %s}}' % walltime)
