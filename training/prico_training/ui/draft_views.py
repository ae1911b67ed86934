"""A draft as the page shows it: its places, and how the board would look, as JSON."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from prico_env.render import render_svg
from prico_training.ui.drafts import Draft, draft_of
from prico_training.ui.session import Session


def draft_view(session: Session) -> dict[str, Any] | None:
    """What the person to decide can prepare as a draft; None where there is nothing of the kind."""
    draft = draft_of(session.game)
    if draft is None:
        return None
    own = takewhile(
        lambda entry: entry.seat == draft.seat and draft.belongs(entry.action),
        reversed(session.log),
    )
    actions, problem = draft.way_to(draft.counts)
    return {
        "kind": draft.kind,
        "title": draft.say(f"draft_{draft.kind}"),
        "rule": draft.rule,
        "is_single": draft.is_single,
        "is_all": all(draft.belongs(action) for action in session.game.legal_actions()),
        "places": [
            {
                **place._asdict(),
                "pool": draft.pool_of(place),
                "title": draft.title(place),
                "anchor": draft.anchor(place),
            }
            for place in draft.places
        ],
        "pools": [{**pool._asdict(), "title": draft.pool_title(pool)} for pool in draft.pools],
        "units": {
            unit: draft.term(unit) for unit in dict.fromkeys(place.unit for place in draft.places)
        },
        "rooms": draft.rooms,
        "counts": draft.counts,
        "problem": problem,
        "actions": actions,
        "moves": draft.describe(actions),
        "before": draft.before([entry.action for entry in own]),
        "cleared": draft.cleared(),
    }


def arrangement_view(
    draft: Draft, counts: Mapping[str, Any], viewer: int | None, layout: str, names: tuple[str, ...]
) -> dict[str, Any]:
    """How the board would look with an arrangement, and which decisions lead to it."""
    wanted = draft.checked(counts)
    actions, problem = draft.way_to(wanted)
    return {
        "counts": wanted,
        "problem": problem,
        "actions": actions,
        "moves": draft.describe(actions),
        "board": render_svg(draft.sketch(wanted), viewer, layout=layout, names=names),
    }
