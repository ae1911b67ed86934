"""A game at the table as the page draws it: everything a person may see, as JSON."""

from typing import Any

from prico_agents import Analysis
from prico_agents.registry import display_name
from prico_env import Game
from prico_env.actions import TARGET, block_of
from prico_env.render import anchor_of, render_svg
from prico_env.text.localization import edition_words, spoken
from prico_env.text.rules_summary import building_effect
from prico_env.text.terms import Words, count_of, page_words, printed_words
from prico_training.ui.choices import said
from prico_training.ui.draft_views import draft_view
from prico_training.ui.session import PERSON, Session
from prico_training.ui.tables import Table
from prico_training.ui.thinking import Progress, Thought


def game_view(table: Table, browser: str, layout: str) -> dict[str, Any]:
    """Everything the page needs to draw a game, as a browser may see it."""
    session, yours = table.session, table.seats_of(browser)
    game, rules = session.game, session.game.rules
    edition = edition_words(rules.edition)
    names = session.names if table.sits(browser) else session.names_for_watchers()
    return {
        "edition": rules.edition,
        "title": said(f"edition_{rules.edition}", edition.title),
        "language": spoken(rules.edition),
        "expansions": list(rules.expansions),
        "seed": session.seed if (knows := table.may_know_the_deal(browser)) else None,
        "deal_is_hidden": not knows,
        "players": list(session.players),
        "names": list(names),
        "sits_in_for": [session.sits_in_for.get(seat, "") for seat in range(rules.players)],
        "yours": yours,
        "tiles": printed_words(rules.edition)["tile"],
        "viewer": table.viewer(browser),
        "round": game.round,
        "phase": edition.phase_names[game.phase],
        "turn": session.seat_to_act,
        "over": game.over,
        "waits_for_person": session.waits_for_person,
        "waits_for_you": session.seat_to_act in yours,
        "can_undo": session.last_decision(yours) is not None,
        "can_redo": session.can_redo and table.is_alone(browser),
        "board": render_svg(game, table.viewer(browser), layout=layout, names=names),
        "log": [
            vars(entry) | {"words": words}
            for entry, words in zip(session.log, session.log_words(), strict=True)
        ],
        "legal": legal_view(game) if session.seat_to_act in yours else [],
        "draft": draft_view(session) if session.seat_to_act in yours else None,
        "result": _result(session) if game.over else None,
    }


def table_view(table: Table, browser: str, address: str | None) -> dict[str, Any]:
    """Who sits at a table, and what a browser may do there."""
    return {
        "id": table.id,
        "address": address,
        "is_host": browser == table.host,
        "sits": table.sits(browser),
        "is_alone": table.is_alone(browser),
        "is_paused": table.is_paused,
        "deal_is_chosen": table.deal_is_chosen,
        "revision": table.revision,
        "seats": [_seat_view(table, browser, seat) for seat in range(len(table.chairs))],
        "undo": _undo_view(table, browser),
    }


def _seat_view(table: Table, browser: str, seat: int) -> dict[str, Any]:
    """A seat; its code is for who sits there, and for the host as long as nobody does."""
    chair, is_person = table.chairs[seat], table.session.players[seat] == PERSON
    is_own, is_free = chair.holder == browser, chair.holder is None and is_person
    return {
        "is_yours": is_own,
        "is_free": is_free,
        "is_away": chair.holder is not None and not is_person,
        "is_person": is_person,
        "code": chair.code if is_own or (is_free and browser == table.host) else None,
    }


def _undo_view(table: Table, browser: str) -> dict[str, Any] | None:
    request = table.pending_undo()
    if request is None:
        return None
    return {
        "seat": request.seat,
        "is_yours": request.browser == browser,
        "asks_you": bool(request.waiting & set(table.seats_of(browser))),
        "waiting": sorted(request.waiting),
    }


def analysis_view(session: Session, agent: str, thought: Thought[Analysis]) -> dict[str, Any]:
    """What an agent thinks of the decision that waits, in words."""
    edition, analysis = session.game.rules.edition, thought.result
    return {
        **analysis.to_dict(),
        "agent": display_name(agent, edition),
        "words": analysis.words,
        "anchor": anchor_of(session.game, analysis.action, analysis.seat),
        "candidates": [vars(candidate) for candidate in analysis.candidates],
        "note": page_words(edition, "cut") if thought.was_cut else "",
    }


def progress_view(session: Session, progress: Progress) -> dict[str, Any]:
    """How far a search is: in words, and the share of it that is done, if it is known."""
    key = "waits" if progress.before > 1 else "waits_for_one" if progress.before else "thinks"
    edition = session.game.rules.edition
    return {
        **progress._asdict(),
        "words": page_words(edition, key, **progress._asdict()),
        "cancel": page_words(edition, "cancel"),
    }


def legal_view(game: Game) -> list[dict[str, Any]]:
    """What the seat to decide may do: by number, by name, in words, and where on the board.

    What it brings into the game is told about, for who has never seen it.
    """
    return [
        {
            "action": action,
            "name": game.name(action),
            "words": game.describe(action),
            "anchor": anchor_of(game, action, game.turn),
            "about": _about(game, action),
        }
        for action in game.legal_actions()
    ]


def _about(game: Game, action: int) -> str:
    """What a building does that may be put into the game; nothing of other moves."""
    if block_of(action).verb != "board":
        return ""
    building = int(TARGET[action])
    words = Words(game.rules.edition)
    cost = count_of(words, "coin", int(game.rules.table[0]["cost"][building]))
    return f"{cost}. {building_effect(game.rules, building)}"


def _result(session: Session) -> dict[str, Any]:
    """The final score by its items, without those that gave nobody anything."""
    return {
        "places": session.game.ranking(),
        "items": [
            {"title": title, "points": points} for title, points in session.score_items().items()
        ],
    }
