"""What arrives in a request, checked, and how it is answered."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from prico_env.errors import PricoError
from prico_env.render.layout import LAYOUTS
from prico_training.ui.choices import shown

MOST_BYTES: Final = 2_000_000
"""Longest body of a request; a record of a whole game has a twentieth of it."""
BODY_SECONDS: Final = 30.0
"""How long a request may take to arrive."""
NOBODY_WAITS: Final = 499
"""The status of an answer that nobody reads."""
GONE: Final = "the browser has gone away meanwhile"
_SHOWN_LETTERS: Final = 80

Kind = type | tuple[type, ...]
Optional = Mapping[str, tuple[Kind, Any]]


def answer(content: Mapping[str, Any], status: int = HTTPStatus.OK) -> Response:
    """Answer in JSON."""
    # Escaped, so that whatever a request named can be named back.
    return Response(json.dumps(content), status, media_type="application/json")


def layout_of(request: Request) -> str:
    """The layout in which a request wants boards drawn.

    Raises:
        PricoError: There is none such.
    """
    layout = request.query_params.get("layout", LAYOUTS[0])
    if layout not in LAYOUTS:
        raise PricoError(f"a board is drawn {' or '.join(LAYOUTS)}, not {shown(layout)}")
    return layout


def words_of(values: Sequence[Any]) -> list[str]:
    """Agents that a request names.

    Raises:
        PricoError: One of them is no text.
    """
    if not all(isinstance(value, str) for value in values):
        raise PricoError(f"players are named by words, not as {shown(values)}")
    return list(values)


def seat_of(number: int, seats: int) -> int:
    """A seat that a request names.

    Raises:
        PricoError: The table has none such.
    """
    if not 0 <= number < seats:
        raise PricoError(f"there is no seat {shown(number)}; the seats are 0 to {seats - 1}")
    return number


async def body_of(
    request: Request, needed: Mapping[str, Kind], optional: Optional = MappingProxyType({})
) -> dict[str, Any]:
    """Read the JSON object that came with a request.

    Args:
        request: The request.
        needed: The kind of each value that must be there.
        optional: The kind of each value that may be there, and what it is if it is not.

    Raises:
        HTTPException: It is too long, or no JSON.
        PricoError: Something is missing, unknown, or of another kind.
    """
    try:
        asked = json.loads(await _data(request))
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise PricoError("what is sent here must be a JSON object")
    kinds = {**needed, **{name: kind for name, (kind, _) in optional.items()}}
    if strange := sorted(set(asked) - set(kinds)):
        raise PricoError(
            f"{shown(strange[0])} is unknown here; "
            + (f"there are {', '.join(kinds)}" if kinds else "nothing more can be said")
        )
    if missing := [name for name in needed if name not in asked]:
        raise PricoError(f"{missing[0]!r} is missing")
    values = {name: usual for name, (_, usual) in optional.items()} | asked
    for name, value in asked.items():
        may_be_none = name in optional and optional[name][1] is None
        if not (_is_a(value, kinds[name]) or (value is None and may_be_none)):
            raise PricoError(f"{name!r} cannot be {_as_json(value)}")
    return values


async def _data(request: Request) -> bytes:
    """Read the body of a request that says that it is JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "what is sent here must be JSON, Content-Type included",
        )
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                data += chunk
                if len(data) > MOST_BYTES:
                    raise HTTPException(
                        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                        f"a request may have {MOST_BYTES:,} bytes at most",
                    )
    except ClientDisconnect:
        raise HTTPException(NOBODY_WAITS, GONE) from None
    except TimeoutError:
        raise HTTPException(
            HTTPStatus.REQUEST_TIMEOUT,
            f"a request may take {BODY_SECONDS:.0f} seconds to arrive",
        ) from None
    return bytes(data)


def _as_json(value: object) -> str:
    """A value as it was sent, short enough for a line."""
    simple = value is None or isinstance(value, bool | int | float | str)
    return json.dumps(value)[:_SHOWN_LETTERS] if simple else shown(value)


def _is_a(value: object, kind: Kind) -> bool:
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)
