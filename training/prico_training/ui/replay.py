"""A recorded game as one page to look at: the board, the log and the curves, with nothing to fetch.

An agent, the adviser, has looked at every decision; see `game_review`. The page tells what each
one cost, and what the adviser would have chosen. It also holds the record, to play on from there.

The page holds the drawing of the board at every decision. Two drawings that follow each other share
nearly all of their elements, so each element is stored once, and a drawing is a list of numbers.
What the page shows lies in it as compressed JSON, so no word of a record is ever read as HTML.
"""

import base64
import gzip
import hashlib
import html
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console

from prico_agents.input_files import check_file
from prico_agents.registry import display_name
from prico_env import Game
from prico_env.arguments import instance_or_none, items, numbered, one_of, words
from prico_env.errors import RecordError
from prico_env.render import render_svg
from prico_env.render.layout import LAYOUTS
from prico_env.serialization import unwritable
from prico_env.serialization.transcript import transcript_lines
from prico_env.text.localization import language_of, override, spoken
from prico_env.text.position import can_see_vp
from prico_env.text.terms import expansion_titles, page_words
from prico_env.vocabulary import NUM_TILES
from prico_training.errors import ConfigError
from prico_training.files import write_text
from prico_training.ui.game_review import (
    LEAST_LOSS,
    USUAL_REVIEWER,
    Accuracy,
    Judgement,
    Review,
    review_game,
)
from prico_training.ui.page_messages import page_messages
from prico_training.ui.score import score_items, tie_break
from prico_training.ui.seat_names import seat_names, shown_name
from prico_training.ui.session import PERSON
from prico_training.ui.transcripts import Recorded, read_recorded, recorded_text, unforced_game

if TYPE_CHECKING:
    from prico_agents.analysis import Analysis

PAGE_LAYOUTS: Final = ("tablet", "tall")
"""The drawings that a page has for a stage beside the log, and for phones."""
_CANDIDATES: Final = 8
"""Candidates of an analysis that a page lists, beside the one that was played."""
_STYLES: Final = ("base.css", "board.css", "replay.css")
_SCRIPTS: Final = ("replay_parts.js", "whole_boards.js", "replay_study.js", "replay.js")
"""Files that become one script, in this order."""
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)
"""What a module says that lies in the page of the table, too, and one script may not say."""
_MESSAGES: Final = "replay_"
"""What the keys of the sentences of this page begin with."""
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_STATIC: Final = ("needs_scripts", "old_browser", "damaged")
"""Sentences that the page must be able to say without its data."""
_SHARE_DIGITS: Final = 4


# -- what is asked for -----------------------------------------------------------------------------


def write_replay(
    record: Path,
    page: Path | None = None,
    think: str | None = None,
    seat: int | None = None,
    language: str | None = None,
) -> Path:
    """Write the page of a recorded game; returns where it is.

    Args:
        record: The file with the record.
        page: The file to write; its folder must exist. One that is there is replaced. By default it
            has the name of the record, with ``.html``.
        think: The agent that reviews the game; None for a quick search.
        seat: The seat whose view of the board is shown; None for what everybody may see.
        language: The code of the language of the page; None for that of the edition.

    Raises:
        RecordError: The record cannot be read, is damaged, or does not replay.
        ConfigError: The page has no place there, or there is no such seat.
        StorageError: The page cannot be written.
        AgentError: There is no such agent, it cannot play this game, or it has no analyses.
        UnknownNameError: There is no such language.
    """
    check_file(record, RecordError)
    page = page or record.with_suffix(".html")
    _check_place(record, page)
    source = read_recorded(record).text
    text = replay_html(source, think, seat, Console(stderr=True), language=language)
    write_text(page, text)
    return page


def replay_html(
    source: str | Game,
    think: str | None = None,
    seat: int | None = None,
    console: Console | None = None,
    *,
    layouts: Iterable[str] = PAGE_LAYOUTS,
    language: str | None = None,
    play_on: str = "",
) -> str:
    """Return the page of a game, which a notebook can show in a frame of its own.

    Args:
        source: The text of a record, or a game.
        think: The agent that reviews the game; None for a quick search.
        seat: The seat whose view of the board is shown; None for what everybody may see.
        console: Where progress is shown while the agent thinks; None for nowhere.
        layouts: Which drawings of the board it has; with one it is made in half the time.
        language: The code of the language of the page; None for that of the edition.
        play_on: The address where a server goes on with the game, to which the page adds the number
            of the decision; without one the page offers the record up to there.

    Raises:
        RecordError: The record is damaged or does not replay, or the game has none because it
            began from a position that breaks the rules.
        ConfigError: There is no such seat, or no page can hold the address.
        AgentError: There is no such agent, it cannot play this game, or it has no analyses.
        UnknownNameError: There is no such language.
    """
    recorded = read_recorded(recorded_text(source) if isinstance(source, Game) else source)
    if seat is not None:
        seat = numbered(seat, "seat", recorded.rules.players, ConfigError)
    shown = [one_of(layout, LAYOUTS, "layout") for layout in items(layouts, "layouts")]
    instance_or_none(console, Console, "where progress is shown is a Console")
    if problem := unwritable(words(play_on, "the address where a game goes on")):
        raise ConfigError(f"the address where a game goes on: {problem}")
    code = spoken(recorded.rules.edition) if language is None else words(language, "a language")
    with override(code):
        game = recorded.game()
        review = review_game(recorded, USUAL_REVIEWER if think is None else think, console)
        data = _ReplayData(recorded, review, seat, shown).to_dict()
        return _page(recorded, data | _outcome(game, seat) | {"playOn": play_on})


def _check_place(record: Path, page: Path) -> None:
    """Refuse a page that could not be written, before any time is spent on it."""
    if page.exists() and record.exists() and page.samefile(record):
        raise ConfigError(f"the page would replace the game record {record}; name another file")
    if page.is_dir():
        raise ConfigError(f"{page} is a folder; name a file, such as {page / 'game.html'}")
    if not page.parent.is_dir():
        raise ConfigError(f"there is no folder {page.parent} to write {page.name} to")
    if not os.access(page.parent, os.W_OK):
        raise ConfigError(f"nothing may be written to the folder {page.parent}")


# -- what the page tells ---------------------------------------------------------------------------


class _ReplayData:
    """A game told decision by decision.

    Attributes:
        recorded: The game.
        review: What the adviser says of it.
        seat: The seat whose view it is, None for everybody's.
    """

    def __init__(
        self, recorded: Recorded, review: Review, seat: int | None, layouts: Sequence[str]
    ) -> None:
        self.recorded = recorded
        self.review = review
        self.seat = seat
        self.game = unforced_game(recorded.rules, recorded.start)
        self._names = _names(recorded)
        self._drawn_names = self._names if any(self._names) else None
        self._boards = {layout: _Drawings() for layout in layouts}
        self._curves: dict[str, list[list[int | None]]] = {name: [] for name in _CURVES}

    def to_dict(self) -> dict[str, Any]:
        """Return what the page shows, JSON-ready."""
        self._look()
        moves, judgements, notes = [], {}, {}
        for place, (action, forced) in enumerate(self.recorded.actions):
            is_role = self.game.name(action).startswith("role:")
            words = self.game.describe(action)
            moves.append([self.game.turn, self.game.round, words, int(forced), int(is_role)])
            if place in self.review.judgements:
                judgements[place] = self._judgement(self.review.judgements[place], action)
            if place in self.recorded.analyses:
                analysis = self.recorded.analyses[place]
                notes[place] = self._analysis(analysis, analysis.action, action)
            self._play(action)
            self._look()
        rules = self.recorded.rules
        return {
            "title": _title(self.recorded),
            "language": spoken(rules.edition),
            "messages": {
                **page_messages(_MESSAGES, rules.edition),
                f"{_MESSAGES}colon": language_of(rules.edition).labels["colon"],
            },
            "players": self.recorded.players or [""] * rules.players,
            "names": self._names,
            "seat": self.seat,
            "moves": moves,
            "reviewer": display_name(self.review.reviewer, rules.edition),
            "judgements": judgements,
            "notes": notes,
            "costliest": list(self.review.costliest),
            "accuracies": [each and _accuracy(each) for each in self.review.accuracies],
            "curves": {name: _turned(rows) for name, rows in self._curves.items()},
            "boards": {layout: drawings.to_dict() for layout, drawings in self._boards.items()},
            "record": _bare_record(self.recorded),
        }

    def _play(self, action: int) -> None:
        """Go on, and forget what went before: a drawing marks what happened last."""
        self.game.restore(self.game.snapshot()._replace(history=None))
        self.game.step(action)

    def _look(self) -> None:
        """Keep the board and the figures as they are now."""
        for layout, drawings in self._boards.items():
            drawing = render_svg(self.game, self.seat, layout=layout, names=self._drawn_names)
            drawings.add(drawing)
        for name, read in _CURVES.items():
            values: list[int | None] = list(read(self.game))
            if name in _SECRET and self.seat is not None:
                values = [self._if_known(other, value) for other, value in enumerate(values)]
            self._curves[name].append(values)

    def _if_known(self, other: int, value: int | None) -> int | None:
        """The value, if it hangs on no VP that are hidden from the seat whose view is drawn."""
        state = self.game.state[0]
        return value if can_see_vp(self.recorded.rules, state, self.seat, other) else None

    def _judgement(self, judgement: Judgement, played: int) -> dict[str, Any]:
        """What the adviser says of the next decision, in words."""
        line = [[step.seat, step.words] for step in judgement.line]
        return {
            **self._analysis(judgement.analysis, judgement.best, played),
            "agrees": played == judgement.best or (judgement.loss or 0.0) < LEAST_LOSS,
            "loss": _share(judgement.loss),
            "line": line,
        }

    def _analysis(self, analysis: "Analysis", chosen: int, played: int) -> dict[str, Any]:
        """What was thought of the next decision, in words."""
        wanted = (chosen, played)
        shown = list(analysis.candidates[:_CANDIDATES])
        shown += [each for each in analysis.candidates[_CANDIDATES:] if each.action in wanted]
        shown.sort(key=lambda each: each.action != chosen)
        return {
            "choice": self.game.describe(chosen),
            "agrees": chosen == played,
            "candidates": [
                {
                    "words": self.game.describe(each.action),
                    "share": _share(each.share),
                    "chance": _share(each.chances[analysis.seat]) if each.chances else None,
                    "chosen": each.action == chosen,
                    "played": each.action == played,
                }
                for each in shown
            ],
            "others": len(analysis.candidates) - len(shown),
            "chances": [_share(chance) for chance in analysis.chances],
            "reasons": list(analysis.reasons),
        }


class _Drawings:
    """Drawings that share most of their elements, stored in little room."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}
        self._frames: list[list[int]] = []

    def add(self, svg: str) -> None:
        """Add the next drawing."""
        pieces, lines = self._pieces, svg.splitlines(keepends=True)  # an element is a line
        self._frames.append([pieces.setdefault(line, len(pieces)) for line in lines])

    def to_dict(self) -> dict[str, Any]:
        """Return the pieces, and for each drawing the numbers of its own, in order."""
        return {"pieces": list(self._pieces), "frames": self._frames}


def _scores(game: Game) -> Iterable[int]:
    return game.scores()


def _of_seats(read: Callable[[Any], Any]) -> Callable[[Game], Iterable[int]]:
    """A figure of the record, one for each seat at the table."""

    def figures(game: Game) -> Iterable[int]:
        values: list[int] = read(game.state[0])[: game.rules.players].tolist()
        return values

    return figures


def _units(state: Any) -> Any:
    placed = state["workers"].sum(axis=1) + state["citizens"].sum(axis=1)
    return placed + state["portrait_workers"] + state["portrait_citizens"]


_CURVES: Final[Mapping[str, Callable[[Game], Iterable[int]]]] = {
    "score": _scores,
    "vp": _of_seats(lambda state: state["vp"]),
    "coins": _of_seats(lambda state: state["coins"]),
    "goods": _of_seats(lambda state: state["goods"].sum(axis=1)),
    "workers": _of_seats(_units),
    "tiles": _of_seats(lambda state: state["island_used"]),
    "buildings": _of_seats(lambda state: (state["owned"][:, NUM_TILES:] > 0).sum(axis=1)),
}
"""What is drawn over the game, one curve for each seat."""
_SECRET: Final = ("score", "vp")
"""Curves that tell how many VP a seat has."""


def _turned(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """One list a decision made into one list a seat."""
    return [list(column) for column in zip(*rows, strict=True)]


def _share(value: float | None) -> float | None:
    """A number from 0 to 1 in few digits; nothing for what is no number."""
    if value is None or not math.isfinite(value):
        return None
    return round(min(1.0, max(0.0, value)), _SHARE_DIGITS)


def _names(recorded: Recorded) -> Sequence[str]:
    """What the seats are called; nothing where the record says nothing of them."""
    players, seats = recorded.players, recorded.rules.players
    if recorded.names or not players:
        return [*map(shown_name, recorded.names)] or [""] * seats
    people = [seat for seat, player in enumerate(players) if player == PERSON]
    return seat_names(players, people, [None] * seats, recorded.rules.edition)


def _accuracy(accuracy: Accuracy) -> dict[str, Any]:
    return {
        "decisions": accuracy.decisions,
        "agreed": accuracy.agreed,
        "loss": round(accuracy.mean_loss, _SHARE_DIGITS),
        "accuracy": round(accuracy.accuracy, 1),
    }


def _bare_record(recorded: Recorded) -> list[str]:
    """The lines of the record without what was thought, and without the number of decisions.

    So a game up to any decision is its first lines.
    """
    history = recorded.game().history
    rules, start, players = recorded.rules, recorded.start, recorded.players
    header, *decisions = transcript_lines(rules, start, history, players, None, recorded.names)
    fields = json.loads(header)
    del fields["decisions"]
    return [json.dumps(fields, ensure_ascii=False), *decisions]


def _outcome(game: Game, seat: int | None) -> dict[str, Any]:
    """How the game ended, and the score; as if it ended now where it has not."""
    seats = range(game.rules.players)
    is_known = [
        seat is None or can_see_vp(game.rules, game.state[0], seat, other) for other in seats
    ]

    def known(values: Sequence[int]) -> list[int | None]:
        return [value if is_known[other] else None for other, value in enumerate(values)]

    *items, (_, totals) = score_items(game).items()
    return {
        "places": game.ranking() if game.over and not game.truncated else None,
        "over": game.over,
        "score": {
            "items": [[title, known(points)] for title, points in items],
            "total": known(totals),
            "tieBreak": tie_break(game),
            "tieBreakTitle": page_words(game.rules.edition, "replay_tie_break"),
        },
    }


def _title(recorded: Recorded) -> str:
    rules, start = recorded.rules, recorded.start
    players = page_words(rules.edition, "replay_players", count=rules.players)
    if isinstance(start, int):
        began = page_words(rules.edition, "replay_seed", seed=start)
    else:
        began = page_words(rules.edition, "replay_position")
    return " · ".join((players, rules.edition, *expansion_titles(rules), began))


# -- the page itself -------------------------------------------------------------------------------


def _page(recorded: Recorded, data: Mapping[str, Any]) -> str:
    """Put style, script and data into the frame of the page."""
    script, edition = _EXPORT.sub("", "\n".join(map(_file, _SCRIPTS))), recorded.rules.edition
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    digest = hashlib.sha256(script.encode()).digest()
    slots = {
        "title": html.escape(_title(recorded)),
        "language": data["language"],
        **{name: html.escape(page_words(edition, f"replay_{name}")) for name in _STATIC},
        "style": "\n".join(_file(name) for name in _STYLES),
        "script": script,
        "script_hash": base64.b64encode(digest).decode(),
        "data": base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], _file("replay.html"))


def _file(name: str) -> str:
    return resources.files("prico_training.ui").joinpath("page", name).read_text(encoding="utf-8")
