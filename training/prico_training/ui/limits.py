"""What a table that serves many lets each of them use; `prico serve setting=value` changes it."""

from typing import Annotated, Final

from pydantic import Field

from prico_training.sections import section


@section()
class Limits:
    """The limits of `prico serve`."""

    searches: Annotated[int, Field(strict=True, ge=0, le=256)] = 0
    """Searches that run at once; 0 takes all cores."""
    queue: Annotated[int, Field(strict=True, ge=1, le=10_000)] = 100
    """Searches that may wait for a core, one for each browser; more are refused."""
    simulations: Annotated[int, Field(strict=True, ge=1, le=999_999)] = 20_000
    """Simulations that a hint may have, and all agents of one table together."""
    seconds: Annotated[float, Field(strict=True, gt=0, le=3600)] = 60.0
    """Longest time of a search; after it the search decides with what it has found."""
    sessions: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 200
    """Browsers whose games are kept; when there are more, one that is away has to leave."""
    away_minutes: Annotated[float, Field(strict=True, ge=0, le=100_000)] = 10.0
    """Minutes without a request after which a browser counts as away."""
    idle_minutes: Annotated[float, Field(strict=True, gt=0, le=100_000)] = 240.0
    """Minutes without a request after which a game is forgotten."""


USUAL: Final = Limits()
"""The limits where nobody says otherwise."""
