"""A recorded game as one page to look at: the board, the log and the curves, with nothing to fetch.

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
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console

from prico_agents import AgentError, View, load_agent
from prico_agents.input_files import check_file
from prico_env import Game
from prico_env.arguments import instance_or_none, items, numbered, one_of, words
from prico_env.catalog import load
from prico_env.errors import RecordError
from prico_env.render import render_svg
from prico_env.render.layout import LAYOUTS
from prico_env.serialization import unwritable
from prico_env.text.position import can_see_vp
from prico_env.vocabulary import NUM_TILES
from prico_training.arena.schedule import agent_seed
from prico_training.errors import ConfigError
from prico_training.files import write_text
from prico_training.progress import new_bar
from prico_training.ui.transcripts import (
    Recorded,
    agents_seed,
    read_recorded,
    recorded_text,
    start_in_words,
    unforced_game,
)

if TYPE_CHECKING:
    from prico_agents.analysis import Analysis, Candidate

PAGE_LAYOUTS: Final = ("wide", "tall")
"""The drawings that a page has for large windows and for phones."""
_CANDIDATES: Final = 8
"""Candidates of an analysis that a page lists, beside the one that was played."""
_STYLES: Final = ("base.css", "replay.css")
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_SHARE_DIGITS: Final = 4


# -- what is asked for -----------------------------------------------------------------------------


def write_replay(
    record: Path, page: Path | None = None, think: str | None = None, seat: int | None = None
) -> Path:
    """Write the page of a recorded game; returns where it is.

    Args:
        record: The file with the record.
        page: The file to write; its folder must exist. One that is there is replaced. By default it
            has the name of the record, with ``.html``.
        think: An agent to ask about every decision; None keeps the analyses in the record.
        seat: The seat whose view of the board is shown; None for what everybody may see.

    Raises:
        RecordError: The record cannot be read, is damaged, or does not replay.
        ConfigError: The page has no place there, or there is no such seat.
        StorageError: The page cannot be written.
        AgentError: There is no such agent, it cannot play this game, or it has no analyses.
    """
    check_file(record, RecordError)
    page = page or record.with_suffix(".html")
    _check_place(record, page)
    text = replay_html(read_recorded(record).text, think, seat, Console(stderr=True))
    write_text(page, text)
    return page


def replay_html(
    source: str | Game,
    think: str | None = None,
    seat: int | None = None,
    console: Console | None = None,
    *,
    layouts: Iterable[str] = PAGE_LAYOUTS,
) -> str:
    """Return the page of a game, which a notebook can show in a frame of its own.

    Args:
        source: The text of a record, or a game.
        think: An agent to ask about every decision; None keeps the analyses in the record.
        seat: The seat whose view of the board is shown; None for what everybody may see.
        console: Where progress is shown while the agent thinks; None for nowhere.
        layouts: Which drawings of the board it has; with one it is made in half the time.

    Raises:
        RecordError: The record is damaged or does not replay, or the game has none because it
            began from a position that breaks the rules.
        ConfigError: There is no such seat.
        AgentError: There is no such agent, it cannot play this game, or it has no analyses.
    """
    recorded = read_recorded(recorded_text(source) if isinstance(source, Game) else source)
    if seat is not None:
        seat = numbered(seat, "seat", recorded.rules.players, ConfigError)
    shown = [one_of(layout, LAYOUTS, "layout") for layout in items(layouts, "layouts")]
    instance_or_none(console, Console, "where progress is shown is a Console")
    game = recorded.game()
    if think is not None:
        recorded = replace(recorded, analyses=ask(recorded, think, console))
    data = _ReplayData(recorded, seat, shown)
    return _page(_title(recorded), data.to_dict() | _outcome(game, think))


def ask(recorded: Recorded, name: str, console: Console | None = None) -> "dict[int, Analysis]":
    """Ask an agent about every decision of a game that was not forced.

    Each seat has an agent of its own, which sees what the seat may see.

    Args:
        recorded: The game.
        name: The agent's name.
        console: Where progress is shown; None for nowhere.

    Returns:
        Its analyses, by the place of the decision in the history.

    Raises:
        AgentError: There is no such agent, it cannot play this game, or it has no analyses.
    """
    from prico_agents.analysis import analysis_of

    if problem := unwritable(words(name, "the name of an agent")):
        raise AgentError(f"the agent {problem}")
    agents = [load_agent(name) for _ in range(recorded.rules.players)]
    for seat, agent in enumerate(agents):
        agent.reset(seat, recorded.rules, agent_seed(agents_seed(recorded.start), seat))
    game, analyses = Game.begin(recorded.rules, recorded.start), {}
    with new_bar(console or Console(quiet=True)) as bar:
        task = bar.add_task(f"{name} thinks", total=len(recorded.actions), note="")
        for place, (action, forced) in enumerate(recorded.actions):
            if not forced:
                analysis = analysis_of(agents[game.turn], View.of(game))
                if analysis is not None:
                    analyses[place] = analysis
                game.step(action)
            elif place == 0:
                game.settle()
            bar.update(task, completed=place + 1)
    if not analyses:
        raise AgentError(
            f"{name!r} has no analyses of decisions that could be shown; planner, mcts:400, "
            f"governor and trained networks have"
        )
    return analyses


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
        seat: The seat whose view it is, None for everybody's.
    """

    def __init__(self, recorded: Recorded, seat: int | None, layouts: Sequence[str]) -> None:
        self.recorded = recorded
        self.seat = seat
        self.game = unforced_game(recorded.rules, recorded.start)
        self._boards = {layout: _Drawings() for layout in layouts}
        self._curves: dict[str, list[list[int | None]]] = {name: [] for name in _CURVES}

    def to_dict(self) -> dict[str, Any]:
        """Return what the page shows, JSON-ready."""
        self._look()
        moves, analyses = [], {}
        for place, (action, forced) in enumerate(self.recorded.actions):
            is_role = self.game.name(action).startswith("role:")
            words = self.game.describe(action)
            moves.append([self.game.turn, self.game.round, words, int(forced), int(is_role)])
            if place in self.recorded.analyses:
                analyses[place] = self._analysis(self.recorded.analyses[place], action)
            self._play(action)
            self._look()
        rules = self.recorded.rules
        return {
            "title": _title(self.recorded),
            "language": load(rules.edition).language,
            "players": self.recorded.players or [""] * rules.players,
            "seat": self.seat,
            "moves": moves,
            "analyses": analyses,
            "curves": {name: _turned(rows) for name, rows in self._curves.items()},
            "boards": {layout: drawings.to_dict() for layout, drawings in self._boards.items()},
        }

    def _play(self, action: int) -> None:
        """Go on, and forget what went before: a drawing marks what happened last."""
        self.game.restore(self.game.snapshot()._replace(history=None))
        self.game.step(action)

    def _look(self) -> None:
        """Keep the board and the figures as they are now."""
        for layout, drawings in self._boards.items():
            drawings.add(render_svg(self.game, self.seat, layout=layout))
        for name, read in _CURVES.items():
            values: list[int | None] = list(read(self.game))
            if name in _SECRET and self.seat is not None:
                values = [self._if_known(other, value) for other, value in enumerate(values)]
            self._curves[name].append(values)

    def _if_known(self, other: int, value: int | None) -> int | None:
        """The value, if it hangs on no VP that are hidden from the seat whose view is drawn."""
        state = self.game.state[0]
        return value if can_see_vp(self.recorded.rules, state, self.seat, other) else None

    def _analysis(self, analysis: "Analysis", played: int) -> dict[str, Any]:
        """What was thought of the next decision, in words."""
        shown = list(analysis.candidates[:_CANDIDATES])
        wanted = (analysis.action, played)
        shown += [each for each in analysis.candidates[_CANDIDATES:] if each.action in wanted]
        return {
            "choice": self.game.describe(analysis.action),
            "agrees": analysis.action == played,
            "candidates": [self._candidate(each, analysis, played) for each in shown],
            "others": len(analysis.candidates) - len(shown),
            "chances": [_share(chance) for chance in analysis.chances],
            "reasons": list(analysis.reasons),
        }

    def _candidate(
        self, candidate: "Candidate", analysis: "Analysis", played: int
    ) -> dict[str, Any]:
        return {
            "words": self.game.describe(candidate.action),
            "share": _share(candidate.share),
            "chance": _share(candidate.chances[analysis.seat]) if candidate.chances else None,
            "chosen": candidate.action == analysis.action,
            "played": candidate.action == played,
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


def _outcome(game: Game, think: str | None) -> dict[str, Any]:
    ended = game.over and not game.truncated
    return {"places": game.ranking() if ended else None, "over": game.over, "thinker": think}


def _title(recorded: Recorded) -> str:
    rules = recorded.rules
    began = start_in_words(recorded.start)
    return " · ".join((f"{rules.players} players", rules.edition, *rules.expansions, began))


# -- the page itself -------------------------------------------------------------------------------


def _page(title: str, data: Mapping[str, Any]) -> str:
    """Put style, script and data into the frame of the page."""
    script = _file("replay.js")
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    digest = hashlib.sha256(script.encode()).digest()
    slots = {
        "title": html.escape(title),
        "style": "\n".join(_file(name) for name in _STYLES),
        "script": script,
        "script_hash": base64.b64encode(digest).decode(),
        "data": base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], _file("replay.html"))


def _file(name: str) -> str:
    return resources.files("prico_training.ui").joinpath("page", name).read_text(encoding="utf-8")
