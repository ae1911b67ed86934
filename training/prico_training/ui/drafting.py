"""The endpoints of drafts: how an arrangement would look, and what an agent would suggest.

They change nothing: the page keeps the draft, and sends its decisions as one when it is done.
"""

from starlette.requests import Request
from starlette.responses import Response

from prico_agents.registry import display_name
from prico_training.ui.draft_views import arrangement_view
from prico_training.ui.drafts import Draft, draft_of
from prico_training.ui.requests import answer, body_of, layout_of
from prico_training.ui.service import ask_adviser, browser_of, service_of, table_of
from prico_training.ui.session import USUAL_ADVISER, SessionError
from prico_training.ui.tables import Table


async def arrange(request: Request) -> Response:
    """Show an arrangement that somebody has in mind, with what is missing filled in if asked."""
    layout = layout_of(request)
    asked = await body_of(request, {"version": int, "counts": dict}, {"fill": (bool, False)})
    service, table = service_of(request), await table_of(request)
    async with table.lock:
        table.check(asked["version"])
        draft = _draft_at(table, browser_of(request))
        shown = await service.run(
            _arranged, table, draft, browser_of(request), layout, asked["counts"], asked["fill"]
        )
        return answer({"version": table.version, "draft": shown})


def _arranged(
    table: Table, draft: Draft, browser: str, layout: str, counts: dict[str, int], fill: bool
) -> dict[str, object]:
    counts = draft.filled(counts) if fill else counts
    names = table.session.names
    return arrangement_view(draft, counts, table.viewer(browser), layout, names)


async def suggest(request: Request) -> Response:
    """Ask an agent for the whole run of decisions; a search may take a while."""
    layout = layout_of(request)
    asked = await body_of(request, {"version": int}, {"agent": (str, USUAL_ADVISER)})
    agent, service, browser = asked["agent"], service_of(request), browser_of(request)
    service.choices.check(agent)
    table = await table_of(request)
    async with table.lock:
        table.check(asked["version"])
        draft = _draft_at(table, browser)
        question, edition = table.session.ask_hint(agent), table.session.game.rules.edition
        table.hinted.add(browser)
    thought = await ask_adviser(request, agent, edition, question.draft)
    async with table.lock:
        table.check(asked["version"])
        shown = await service.run(
            _arranged, table, draft, browser, layout, thought.result.counts, False
        )
        name = display_name(agent, edition)
        note = draft.say("cut") if thought.was_cut else ""
        return answer({"version": table.version, "draft": shown, "agent": name, "note": note})


def _draft_at(table: Table, browser: str) -> Draft:
    """The draft of the decision that a browser has to make.

    Raises:
        SessionError: There is none here.
    """
    table.must_decide(browser)
    session = table.session
    draft = draft_of(session.game) if session.waits_for_person else None
    if draft is None:
        raise SessionError("the decision that waits is not one of those that are drafted")
    return draft
