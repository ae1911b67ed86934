"""A game at the table as the page draws it: everything a person may see, as JSON."""

from typing import Any

from prico_agents import Analysis
from prico_env import catalog
from prico_env.render import anchor_of, render_svg
from prico_env.text.terms import page_words
from prico_training.ui.session import Session
from prico_training.ui.thinking import Progress, Thought


def game_view(session: Session, layout: str) -> dict[str, Any]:
    """Everything the page needs to draw a game, as the person at the table may see it."""
    game, rules = session.game, session.game.rules
    edition = catalog.load(rules.edition)
    return {
        "edition": rules.edition,
        "title": edition.title,
        "language": edition.language,
        "expansions": list(rules.expansions),
        "seed": session.seed,
        "players": list(session.players),
        "names": list(session.names),
        "sits_in_for": [session.sits_in_for.get(seat, "") for seat in range(rules.players)],
        "viewer": session.viewer,
        "round": game.round,
        "phase": edition.phase_names[game.phase],
        "turn": session.seat_to_act,
        "over": game.over,
        "waits_for_person": session.waits_for_person,
        "can_undo": session.can_undo,
        "can_redo": session.can_redo,
        "board": render_svg(game, session.viewer, layout=layout, names=session.names),
        "log": [vars(entry) for entry in session.log],
        "legal": _legal(session) if session.waits_for_person else [],
        "result": _result(session) if game.over else None,
    }


def analysis_view(session: Session, agent: str, thought: Thought[Analysis]) -> dict[str, Any]:
    """What an agent thinks of the decision that waits, in words."""
    edition, analysis = session.game.rules.edition, thought.result
    return {
        **analysis.to_dict(),
        "agent": agent,
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


def _legal(session: Session) -> list[dict[str, Any]]:
    game, seat = session.game, session.seat_to_act
    return [
        {
            "action": action,
            "name": game.name(action),
            "words": game.describe(action),
            "anchor": anchor_of(game, action, seat),
        }
        for action in game.legal_actions()
    ]


def _result(session: Session) -> dict[str, Any]:
    """The final score by its items, without those that gave nobody anything."""
    return {
        "places": session.game.ranking(),
        "items": [
            {"title": title, "points": points} for title, points in session.score_items().items()
        ],
    }
