"""The endpoints of the game: what stands on the table, decisions, agents, hints, records."""

import time
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from prico_env.errors import PricoError
from prico_env.text.terms import error_words
from prico_training.ui.choices import Choices
from prico_training.ui.requests import Kind, answer, body_of, layout_of
from prico_training.ui.service import (
    Service,
    ask_adviser,
    browser_of,
    cancel_searches,
    known_table_of,
    remembered,
    service_of,
    state_answer,
    table_of,
    while_connected,
)
from prico_training.ui.session import USUAL_ADVISER, Question, Session, SessionError
from prico_training.ui.tables import NotYoursError, Table
from prico_training.ui.views import analysis_view, progress_view

MOST_HINTS: Final = 200
"""Hints of a game that are kept for its record; the oldest goes first."""
DECISIONS: Final[Mapping[str, tuple[Kind, Any]]] = {
    "action": ((int, str), None),
    "actions": (list, None),
}
"""One decision, or several that are made as one."""
ADVANCE_SECONDS: Final = 0.4
"""How long agents play on in one request, before the page is shown what happened."""


async def choices(request: Request) -> Response:
    """What may be chosen for a new game."""
    return answer(service_of(request).choices.choices())


async def game(request: Request) -> Response:
    """What stands on a table."""
    layout, table = layout_of(request), await known_table_of(request)
    if table is None:
        return answer({"version": 0, "game": None})
    browser = browser_of(request)
    if "table" in request.query_params and table.sits(browser):
        await service_of(request).tables.visit(browser, table)
    return remembered(request, await state_answer(request, table, layout))


def act(table: Table, browser: str, asked: Mapping[str, Any]) -> None:
    """Make a decision of one of the browser's seats, or several as one."""
    action, actions = asked["action"], asked["actions"]
    if action is not None and actions is not None:
        raise PricoError("there is one 'action' or there are 'actions', not both")
    if action is None and actions is None:
        raise PricoError("'action' is missing; or 'actions', for several as one")
    table.must_decide(browser)
    if actions is not None:
        table.session.choose_all(actions)
    else:
        table.session.choose(action)


def undo(table: Table, browser: str, asked: Mapping[str, Any]) -> None:
    """Take a decision of one of the browser's seats back, or ask those who have decided since."""
    table.must_sit(browser)
    table.undo(browser)


def redo(table: Table, browser: str, asked: Mapping[str, Any]) -> None:
    """Decide again what was taken back; where others play, they would have to be asked again."""
    if not table.is_alone(browser):
        raise NotYoursError(error_words("redo_when_alone"))
    table.session.redo()


async def advance(request: Request) -> Response:
    """Let agents play on: one decision, or many for as long as a page may wait for news."""
    layout = layout_of(request)
    asked = await body_of(request, {"version": int}, {"all": (bool, False)})
    service, table = service_of(request), await table_of(request)
    browser = browser_of(request)
    table.must_sit(browser)
    until = time.monotonic() + (ADVANCE_SECONDS if asked["all"] else 0)
    work = _play_on(service, table, browser, asked["version"], until)
    await while_connected(request, work)
    return await state_answer(request, table, layout)


async def _play_on(
    service: Service, table: Table, browser: str, version: int, until: float
) -> None:
    """Let agents make a decision, and more until the time is over or a person has to decide."""
    goes_on, session = True, table.session
    while goes_on:
        async with table.lock:
            table.check(version)
            _check_goes_on(table)
            question = await service.run(_play_at_once, session, service.choices, until)
            if table.version != version:
                cancel_searches(service, table)  # hints about what stood here before
                await service.tables.save(table)
            version = table.version
        if question is None:
            return
        agent = session.names[question.seat]
        thinking = service.searches.think(table.id, agent, question.decide)
        if service.searches.progress(table.id) is None:
            table.advancing = browser
        thought = await thinking
        async with table.lock:
            table.check(version)
            _check_goes_on(table)
            await service.run(session.carry_out, question, thought.result)
            cancel_searches(service, table)
            await service.tables.save(table)
            version = table.version
            goes_on = _may_play_on(session, until)


def _check_goes_on(table: Table) -> None:
    """Refuse to let agents play on while people have stopped the game."""
    if table.is_paused:
        raise SessionError(error_words("paused"))
    if table.pending_undo() is not None:
        raise SessionError(error_words("undo_pending"))


def _play_at_once(session: Session, offered: Choices, until: float) -> Question | None:
    """Let agents play on that decide at once; return the turn of the first one that does not."""
    goes_on = True
    while goes_on:
        if not offered.decides_at_once(session.players[session.seat_to_act]):
            return session.ask_turn()
        session.advance()
        goes_on = _may_play_on(session, until)
    return None


def _may_play_on(session: Session, until: float) -> bool:
    """Whether it is an agent's turn and there is time left."""
    return not (time.monotonic() >= until or session.game.over or session.waits_for_person)


async def hint(request: Request) -> Response:
    """Ask an agent what it would do at the seat of the browser that has to decide."""
    layout_of(request)
    agent = request.query_params.get("agent", USUAL_ADVISER)
    service, browser = service_of(request), browser_of(request)
    service.choices.check(agent)
    table = await table_of(request)
    async with table.lock:
        session, version = table.session, table.version
        _check_may_ask(table, browser)
        question = session.ask_hint(agent)
        table.hinted.add(browser)
    thought = await ask_adviser(request, agent, session.game.rules.edition, question.analyse)
    async with table.lock:
        table.check(version)
        session.analyses[question.place] = thought.result
        while len(session.analyses) > MOST_HINTS:
            del session.analyses[min(session.analyses)]
        await service.tables.save(table, is_news=False)
        shown = await service.run(analysis_view, session, agent, thought)
        return answer({"version": version, "hint": shown})


def _check_may_ask(table: Table, browser: str) -> None:
    """Refuse a hint at the decision of somebody else: it tells what they alone may see."""
    session = table.session
    if session.waits_for_person and session.seat_to_act not in table.seats_of(browser):
        raise NotYoursError(error_words("hint_not_yours", name=session.names[session.seat_to_act]))
    if not session.people:
        table.must_be_host(browser)


async def thinking(request: Request) -> Response:
    """How far the search is that a browser waits for: its hint, or the turn of an agent."""
    table, searches = await table_of(request), service_of(request).searches
    browser = browser_of(request)
    progress = searches.progress(browser) or searches.progress(table.id)
    return answer({"thinking": progress and progress_view(table.session, progress)})


async def cancel(request: Request) -> Response:
    """Call off the hint of a browser, and the turn of an agent that it let play on."""
    await body_of(request, {})
    table, searches, browser = (
        await table_of(request),
        service_of(request).searches,
        browser_of(request),
    )
    is_off = searches.cancel(browser)
    if browser in (table.host, table.advancing):
        is_off = searches.cancel(table.id) or is_off
    return answer({"cancelled": is_off})


async def record(request: Request) -> Response:
    """The game as a file, for those who may know what it was dealt from."""
    table, service = await table_of(request), service_of(request)
    async with table.lock:
        if not table.may_know_the_deal(browser_of(request)):
            raise NotYoursError(error_words("no_record_yet"))
        session = table.session
        text = await service.run(session.to_record)
    rules = session.game.rules
    began = "position" if session.seed is None else f"seed{session.seed}"
    name = f"prico-{rules.edition}-{rules.players}p-{began}.jsonl"
    return Response(
        text,
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
