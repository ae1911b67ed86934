"""What every test may ask for: an edition, a number of players, or each pair of them."""

import signal

import pytest

from tests.builders import EDITIONS

# A shell starts what runs in its background deaf to Ctrl-C, and so would be what tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=EDITIONS)
def edition(request: pytest.FixtureRequest) -> str:
    """Each edition in turn."""
    return request.param


@pytest.fixture(params=(2, 3, 4, 5), ids="{}p".format)
def players(request: pytest.FixtureRequest) -> int:
    """Each number of players in turn."""
    return request.param


@pytest.fixture(params=(3, 4, 5), ids="{}p".format)
def table(request: pytest.FixtureRequest) -> int:
    """The numbers of players that take one role a round each."""
    return request.param
