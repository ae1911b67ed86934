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
    """Tables in memory; when there are more, one where nobody asked for long makes room."""
    away_minutes: Annotated[float, Field(strict=True, ge=0, le=100_000)] = 10.0
    """Minutes without a request after which a table may be taken out of memory for another."""
    idle_minutes: Annotated[float, Field(strict=True, gt=0, le=100_000)] = 240.0
    """Minutes without a request after which it is taken out, and lost where nothing is stored."""
    stored_days: Annotated[float, Field(strict=True, gt=0, le=100_000)] = 60.0
    """Days without a decision after which a table is deleted where tables are stored."""
    stored: Annotated[int, Field(strict=True, ge=1, le=10_000_000)] = 5_000
    """Tables that are stored; the one without a decision for longest goes first."""
    tables: Annotated[int, Field(strict=True, ge=1, le=10_000)] = 50
    """Tables of one browser; the one that it has left alone longest goes first."""
    streams: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 2_000
    """Pages that are told at once what others do; more have to ask by themselves."""
    requests: Annotated[float, Field(strict=True, gt=0, le=100_000)] = 50.0
    """Requests a second from one address of another machine, twenty times that at once."""


USUAL: Final = Limits()
"""The limits where nobody says otherwise."""
