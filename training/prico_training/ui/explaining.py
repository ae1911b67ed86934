"""The endpoints that explain: the card of a place of the board, and how the game is played."""

from starlette.requests import Request
from starlette.responses import Response

from prico_env.cards import Card, card
from prico_env.errors import PricoError
from prico_env.game import Game
from prico_env.text.seats import named_seats
from prico_training.ui.choices import shown
from prico_training.ui.requests import answer, seat_of
from prico_training.ui.service import browser_of, service_of, table_of
from prico_training.ui.tables import NotYoursError, Table


async def explained(request: Request) -> Response:
    """The card of a place of the board, as a seat of the browser may read it."""
    anchor = request.query_params.get("anchor", "")
    table = await table_of(request)
    async with table.lock:
        seat = _reader(request, table)
        version, game, names = table.version, table.session.game.clone(), table.session.names
    written = await service_of(request).run(_written, game, anchor, seat, names)
    return answer({"version": version, "card": written.to_dict()})


def _written(game: Game, anchor: str, seat: int | None, names: list[str]) -> Card:
    with named_seats(names):
        return card(game, anchor, seat)


def _reader(request: Request, table: Table) -> int | None:
    """The seat that reads: the one asked for, if it is the browser's, or the one it looks from."""
    asked, browser = request.query_params.get("seat"), browser_of(request)
    if asked is None:
        return table.viewer(browser)
    if not asked.isdecimal() or len(asked) > 1:
        raise PricoError(f"a seat is a number, not {shown(asked)}")
    seat = seat_of(int(asked), len(table.session.players))
    if seat not in table.seats_of(browser):
        raise NotYoursError(f"seat {seat} is not yours: its cards tell what only it may see")
    return seat
