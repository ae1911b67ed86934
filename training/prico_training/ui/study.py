"""The endpoints of study: the replay of a game that is over, playing on from it, and puzzles."""

from collections import OrderedDict
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from prico_env.cards import card
from prico_env.render import render_svg
from prico_env.text.localization import spoken
from prico_env.text.seats import seat_name
from prico_env.text.terms import page_words, printed_words
from prico_training.puzzles.puzzle import Puzzle
from prico_training.puzzles.quiz import EXPLAINER, KINDS, judge_answer, puzzle_key, quiz_puzzles
from prico_training.ui.game_review import USUAL_REVIEWER
from prico_training.ui.puzzle_terminal import all_puzzles, puzzle_about
from prico_training.ui.replay import replay_html
from prico_training.ui.requests import answer, body_of, layout_of, words_of
from prico_training.ui.seating import begin, open_seats_of
from prico_training.ui.service import (
    Endpoint,
    browser_of,
    service_of,
    table_of,
    while_connected,
)
from prico_training.ui.session import Session, SessionError
from prico_training.ui.tables import NotYoursError, Table
from prico_training.ui.transcripts import read_recorded, record_until
from prico_training.ui.views import legal_view

_PUZZLE_PAGE: Final = Path(__file__).parent / "page" / "puzzle.html"
_PAGES: Final = 8
"""Pages of replays that are kept; each has a quarter of a megabyte."""
_POLICY: Final = "frame-ancestors 'none'; object-src 'none'; base-uri 'none'"
"""What the policy in the page of a replay cannot say; the page has its script in itself."""


class Study:
    """What the endpoints of study share: replays made before, and the puzzles by their kind."""

    def __init__(self) -> None:
        self.pages: OrderedDict[tuple[str, int, str], str] = OrderedDict()
        self.puzzles: dict[str | None, list[Puzzle]] = {}

    def keep(self, key: tuple[str, int, str], page: str) -> None:
        """Keep a page, and forget the one that was asked for longest ago."""
        self.pages[key] = page
        while len(self.pages) > _PAGES:
            self.pages.popitem(last=False)


def study_routes(when_ready: Any) -> list[Route]:
    """Return what the server answers for study.

    Args:
        when_ready: Makes an endpoint wait for what has to be compiled.
    """
    endpoints: dict[str, tuple[Endpoint, str]] = {
        "/replay": (replay, "GET"),
        "/api/play_on": (play_on, "POST"),
        "/api/puzzle": (puzzle, "GET"),
        "/api/puzzle_answer": (puzzle_answer, "POST"),
        "/api/puzzle_card": (puzzle_card, "GET"),
    }
    return [
        Route("/puzzle", _puzzle_page),
        *(
            Route(path, when_ready(endpoint), methods=[method])
            for path, (endpoint, method) in endpoints.items()
        ),
    ]


# -- replays ---------------------------------------------------------------------------------------


async def replay(request: Request) -> Response:
    """The game of a table as a page to study; it is made in the queue of searches."""
    service, study, table = service_of(request), _study(request), await table_of(request)
    async with table.lock:
        _must_be_over(table)
        record, version = await service.run(table.session.to_record), table.version
    language = spoken(table.session.game.rules.edition)
    key, play_on = (table.id, version, language), f"/table/{table.id}?play-on="
    if key not in study.pages:

        def make() -> str:
            return replay_html(record, language=language, play_on=play_on)

        owner = browser_of(request)
        search = service.searches.think(owner, USUAL_REVIEWER, make, is_replaceable=True)
        thought = await while_connected(request, search)
        study.keep(key, thought.result)
    study.pages.move_to_end(key)
    return HTMLResponse(study.pages[key], headers={"Content-Security-Policy": _POLICY})


async def play_on(request: Request) -> Response:
    """Begin a game from a decision of one that is over; who asks is the host of its table."""
    asked = await body_of(
        request,
        {"decision": int, "players": list},
        {"names": (list, None), "open": (list, [])},
    )
    service, table = service_of(request), await table_of(request)
    players = service.choices.check_players(words_of(asked["players"]))
    open_seats = open_seats_of(asked["open"], players)
    async with table.lock:
        if not table.may_know_the_deal(browser_of(request)):
            raise NotYoursError(
                "others still play here, and who plays on knows every tile to come; wait until "
                "the game is over"
            )
        record = await service.run(table.session.to_record)

    def make() -> Session:
        begun = record_until(read_recorded(record), asked["decision"])
        return Session.from_record(begun, players, asked["names"])

    return await begin(request, make, open_seats, deal_is_chosen=True)


def _must_be_over(table: Table) -> None:
    if not table.session.game.over:
        raise SessionError("this game goes on; it can be replayed when it is over")


# -- puzzles ---------------------------------------------------------------------------------------


async def _puzzle_page(request: Request) -> Response:
    return FileResponse(_PUZZLE_PAGE)


async def puzzle(request: Request) -> Response:
    """A puzzle, without its answer."""
    layout = layout_of(request)
    puzzles, number = await _puzzle_of(request, request.query_params.get("number", "0"))
    return answer(await service_of(request).run(_puzzle_view, puzzles, number, layout))


async def puzzle_answer(request: Request) -> Response:
    """What is said to an answer; the search that explains it waits for its turn."""
    asked = await body_of(request, {"number": int, "action": (int, str)})
    puzzles, number = await _puzzle_of(request, str(asked["number"]))
    one, service = puzzles[number], service_of(request)
    action = asked["action"]
    action = one.game().parse(action) if isinstance(action, str) else action
    owner = f"puzzle {browser_of(request)}"  # a hint at a table goes on meanwhile
    search = service.searches.think(
        owner, EXPLAINER, lambda: judge_answer(one, action), is_replaceable=True
    )
    verdict = (await while_connected(request, search)).result
    return answer(
        {
            "right": verdict.is_right,
            "best": verdict.best,
            "headline": verdict.headline,
            "reasons": list(verdict.reasons),
        }
    )


async def puzzle_card(request: Request) -> Response:
    """The card of a place of the board of a puzzle, as the seat to decide reads it."""
    asked = request.query_params
    puzzles, number = await _puzzle_of(request, asked.get("number", "0"))

    def written() -> dict[str, Any]:
        game = puzzles[number].game()
        return card(game, asked.get("anchor", ""), game.turn).to_dict()

    return answer({"card": await service_of(request).run(written)})


async def _puzzle_of(request: Request, number: str) -> tuple[list[Puzzle], int]:
    """The puzzles of the kind that a request names, and the number of one of them."""
    study, kind = _study(request), request.query_params.get("kind")
    if kind not in study.puzzles:
        found = await service_of(request).run(lambda: quiz_puzzles(all_puzzles(), kind))
        study.puzzles[kind] = found
    puzzles = study.puzzles[kind]
    if not number.isascii() or not number.isdecimal() or int(number[:9]) >= len(puzzles):
        raise HTTPException(
            HTTPStatus.NOT_FOUND,
            f"there is no puzzle of this number; they are counted from 0 to {len(puzzles) - 1}",
        )
    return puzzles, int(number)


def _puzzle_view(puzzles: list[Puzzle], number: int, layout: str) -> dict[str, Any]:
    one = puzzles[number]
    game = one.game()
    edition = game.rules.edition
    return {
        "number": number,
        "keys": [puzzle_key(each) for each in puzzles],
        "kinds": [{"name": name, "words": page_words(None, f"puzzle_{name}")} for name in KINDS],
        "about": puzzle_about(one),
        "language": spoken(edition),
        "seat": game.turn,
        "names": [seat_name(edition, seat) for seat in range(game.rules.players)],
        "tiles": printed_words(edition)["tile"],
        "board": render_svg(game, game.turn, layout=layout),
        "legal": legal_view(game),
    }


def _study(request: Request) -> Study:
    study: Study = request.app.state.study
    return study
