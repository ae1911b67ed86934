"""The endpoints that explain: the card of a place of the board, and how the game is played."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from prico_env import RuleSet
from prico_env.cards import Card, card
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.errors import PricoError
from prico_env.game import Game
from prico_env.text.localization import override
from prico_env.text.seats import named_seats
from prico_training.ui.choices import shown
from prico_training.ui.how_to_play_page import how_to_play_html
from prico_training.ui.languages import preferred_language
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


async def how_to_play_page(request: Request) -> Response:
    """The page that explains how an edition is played."""
    asked, usual = request.query_params, RuleSet()
    players = asked.get("players", str(usual.players))
    if players not in map(str, PLAYER_COUNTS):
        raise PricoError(f"2 to 5 players play, not {shown(players)}")
    rules = RuleSet(int(players), asked.get("edition", usual.edition))
    with override(asked.get("language") or preferred_language(request)):
        page = await service_of(request).run(how_to_play_html, rules)
    return HTMLResponse(page)


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
