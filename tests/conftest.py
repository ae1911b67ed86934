"""What every test may ask for: an edition, a number of players, or each pair of them."""

import pytest

from tests.builders import EDITIONS


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
