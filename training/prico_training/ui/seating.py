"""The endpoints of who sits where: new tables, links of seats, the host's controls, the list."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from prico_env.errors import PricoError
from prico_env.text.terms import error_words
from prico_training.ui.admission import TooOftenError, address_of, is_of_this_machine
from prico_training.ui.choices import rule_set, shown, title_of
from prico_training.ui.events import Stream
from prico_training.ui.requests import answer, body_of, layout_of, seat_of, words_of
from prico_training.ui.service import (
    browser_of,
    cancel_searches,
    remembered,
    service_of,
    state_answer,
    table_of,
)
from prico_training.ui.session import PERSON, USUAL_ADVISER, Session, SessionError
from prico_training.ui.tables import Chair, Table, presence, read_code
from prico_training.ui.transcripts import read_recorded

OPEN: Final = "open"
"""Stands in place of a player where a seat is offered by its link."""


async def new(request: Request) -> Response:
    """Begin a game; who asks is the host of its table."""
    asked = await body_of(
        request,
        {"edition": str, "players": list},
        {
            "expansions": (list, []),
            "board": (str, "draft"),
            "seed": (int, None),
            "names": (list, None),
            "open": (list, []),
            "vp_hidden": (bool, None),
        },
    )
    service = service_of(request)
    players = service.choices.check_players(words_of(asked["players"]))
    open_seats = open_seats_of(asked["open"], players)

    def make() -> Session:
        return Session(rule_set(asked), players, asked["seed"], asked["names"])

    return await begin(request, make, open_seats, deal_is_chosen=asked["seed"] is not None)


async def load(request: Request) -> Response:
    """Go on with a recorded game; who asks is the host of its table."""
    asked = await body_of(
        request, {"record": str}, {"players": (list, None), "names": (list, None)}
    )
    offered = service_of(request).choices

    def make() -> Session:
        recorded, players, names = read_recorded(asked["record"]), None, asked["names"]
        if asked["players"] is not None:
            players = offered.check_players(words_of(asked["players"]))
        elif not recorded.players:
            players = [PERSON, *[USUAL_ADVISER] * (recorded.rules.players - 1)]
        return Session.from_record(asked["record"], players, names, offered.players_of_record)

    return await begin(request, make, (), deal_is_chosen=True)


def open_seats_of(asked: Sequence[Any], players: Sequence[str]) -> list[int]:
    """The seats that are offered by their links."""
    for seat in asked:
        if type(seat) is not int or not 0 <= seat < len(players) or players[seat] != PERSON:
            raise PricoError(
                f"'open' lists seats of people by their numbers, and {shown(seat)} is none; "
                f"the players are {', '.join(players)}"
            )
    return list(asked)


async def begin(
    request: Request,
    make: Callable[[], Session],
    open_seats: Sequence[int],
    deal_is_chosen: bool,
) -> Response:
    """Answer with a game that has just begun."""
    layout, service, browser = layout_of(request), service_of(request), browser_of(request)
    address = address_of(request)
    if not is_of_this_machine(address) and not service.new_tables.take(address):
        raise TooOftenError(error_words("too_many_new"))
    session = await service.run(make)
    chairs = [
        Chair(holder=browser, name=session.given_names[seat])
        if player == PERSON and seat not in open_seats
        else Chair()
        for seat, player in enumerate(session.players)
    ]
    table = Table(session, browser, chairs, deal_is_chosen)
    await service.tables.add(table, browser)
    service.searches.cancel(browser)  # a hint about the game before
    return remembered(request, await state_answer(request, table, layout))


# -- sitting down and getting up -------------------------------------------------------------------


async def invitation(request: Request) -> Response:
    """Whose seat a code is for."""
    table, seat = await _seat_of_code(request, request.query_params.get("code", ""))
    session, chair, browser = table.session, table.chairs[seat], browser_of(request)
    shown_view = {
        "table": table.id,
        "seat": seat,
        "title": title_of(session.game.rules),
        "names": list(session.names),
        "name": chair.name or "",
        "is_yours": chair.holder == browser,
        "is_taken": chair.holder not in (None, browser),
    }
    return answer(shown_view)


async def join(request: Request) -> Response:
    """Sit down at the seat that a code is for."""
    layout = layout_of(request)
    asked = await body_of(request, {"code": str}, {"name": (str, None), "take_over": (bool, False)})
    service, browser = service_of(request), browser_of(request)
    table, seat = await _seat_of_code(request, asked["code"])
    async with table.lock:
        chair = table.chairs[seat]
        if chair.holder not in (None, browser) and not asked["take_over"]:
            raise SessionError(error_words("seat_taken", name=table.session.names[seat]))
        name = asked["name"] if asked["name"] is not None else chair.name
        await service.run(table.sit_down, seat, browser, name)
        cancel_searches(service, table)
        await service.tables.save(table)
        await service.tables.visit(browser, table)
    return remembered(request, await state_answer(request, table, layout))


async def _seat_of_code(request: Request, code: str) -> tuple[Table, int]:
    """The table and the seat that a code is for; who guesses has to wait."""
    service, address = service_of(request), address_of(request)
    if not service.wrong_codes.allows(address):
        raise TooOftenError(error_words("too_many_codes"))
    found = await service.tables.seat_of(read_code(code))
    if found is None:
        service.wrong_codes.take(address)
        raise HTTPException(
            HTTPStatus.NOT_FOUND,
            error_words("no_such_code", code=shown(code)),
        )
    return found


async def seat(request: Request) -> Response:
    """Let another one play at a seat: an agent, the person again, or whoever gets its link."""
    layout = layout_of(request)
    asked = await body_of(request, {"seat": int, "player": str})
    service, table, browser = service_of(request), await table_of(request), browser_of(request)
    number = seat_of(asked["seat"], len(table.chairs))
    async with table.lock:
        await service.run(_reseat, table, browser, number, asked["player"], service.choices)
        cancel_searches(service, table)
        await service.tables.save(table)
    return await state_answer(request, table, layout)


def _reseat(table: Table, browser: str, number: int, player: str, offered: Any) -> None:
    chair, players = table.chairs[number], list(table.session.players)
    is_own = chair.holder == browser
    if player == PERSON:
        if not is_own and not (browser == table.host and chair.holder is None):
            raise SessionError(error_words("seat_not_yours", seat=number))
        if not is_own or players[number] != PERSON:
            table.sit_down(number, browser, chair.name)
        return
    if not is_own:
        table.must_be_host(browser)
    if player == OPEN:
        table.must_be_host(browser)
        table.open_up(number)
        return
    players[number] = player
    offered.check_players(players)
    table.replace(number, player)


def rename(table: Table, browser: str, asked: Mapping[str, Any]) -> None:
    """Call a seat of the browser otherwise."""
    number = seat_of(asked["seat"], len(table.chairs))
    if number not in table.seats_of(browser):
        raise SessionError(error_words("name_not_yours", seat=number))
    table.session.rename(number, asked["name"])
    table.chairs[number].name = table.session.given_names[number]
    table.changed()


def pause(table: Table, browser: str, asked: Mapping[str, Any]) -> None:
    """Stop the game for now, or let it go on."""
    table.must_be_host(browser)
    table.is_paused = asked["paused"]
    table.changed()


def consent(table: Table, browser: str, asked: Mapping[str, Any]) -> None:
    """Accept or decline that somebody takes a decision back."""
    table.must_sit(browser)
    table.answer_undo(browser, asked["accept"])


# -- which tables there are ------------------------------------------------------------------------


async def tables(request: Request) -> Response:
    """The tables of a browser, the one that it opened last first."""
    listed = await service_of(request).tables.listed(browser_of(request))
    browser = browser_of(request)
    return answer(
        {
            "tables": [
                {
                    "id": one.id,
                    "title": title_of(read_recorded(one.start).rules),
                    "round": one.round,
                    "turn": one.turn,
                    "over": one.turn < 0,
                    "decided": one.decided,
                    "names": list(one.names),
                    "yours": [seat for seat, holder in enumerate(one.holders) if holder == browser],
                }
                for one in listed
            ]
        }
    )


async def leave(request: Request) -> Response:
    """Take a table off the list of a browser; without other people it is deleted."""
    asked = await body_of(request, {"table": str}, {"agent": (str, USUAL_ADVISER)})
    service, browser = service_of(request), browser_of(request)
    service.choices.check(asked["agent"])
    table = await service.tables.find(asked["table"])
    if table is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such table")
    async with table.lock:
        await service.tables.leave(table, browser, asked["agent"])
        cancel_searches(service, table)
    return answer({"left": True})


# -- news ------------------------------------------------------------------------------------------


async def events(request: Request) -> Response:
    """Tell a page whenever the table has changed."""
    service, table = service_of(request), await table_of(request)
    browser = browser_of(request)
    stream = Stream(table.id, browser, table.sits(browser), address_of(request))
    service.streams.add(stream)
    lines = service.streams.follow(stream, lambda: presence(table, service.streams, stream))
    return StreamingResponse(
        lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def ready(request: Request) -> Response:
    """How far the server is with what it has to compile before a game can be played."""
    return answer(service_of(request).preparation.progress())
