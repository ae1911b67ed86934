"""What a player thinks of a decision: the moves it weighs, everybody's chance to win, and why.

Players that think have one more method than others, `Analyst.opinion`. What it returns reads the
same in a terminal, a notebook and a file, whoever thought it.
"""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from prico_agents.base import Agent, AgentError, View
from prico_env.errors import PricoError, did_you_mean
from prico_env.text.terms import capital, explanation

if TYPE_CHECKING:
    from rich.table import Table

_PLACES: Final = 4
"""Places that chances and shares are kept to: more than any player knows."""
_SHOWN: Final = 12
"""Moves that a page shows; the others are worse."""


class AnalysisError(PricoError):
    """An opinion that was saved is damaged."""


@dataclass(frozen=True)
class Candidate:
    """What a player thinks of one move.

    Attributes:
        action: Its number.
        share: How likely the player is to choose it, or how much of its thinking went into it;
            over all moves they sum to 1. None where it does not divide itself so.
        chances: The chance to win of every seat after it; empty where the player does not know.
        words: What it does, in the words of the edition.
    """

    action: int
    share: float | None = None
    chances: tuple[float, ...] = ()
    words: str = ""

    def __post_init__(self) -> None:
        if self.share is not None:
            object.__setattr__(self, "share", round(float(self.share), _PLACES))
        object.__setattr__(self, "chances", _rounded(self.chances))

    def to_dict(self) -> dict[str, Any]:
        """The candidate as a JSON-ready dict, without what it does not know."""
        page: dict[str, Any] = {"action": self.action, "words": self.words}
        if self.share is not None:
            page["share"] = self.share
        if self.chances:
            page["chances"] = list(self.chances)
        return page


@dataclass(frozen=True)
class Analysis:
    """What a player thinks of a decision.

    >>> take = Candidate(5, 0.75, (0.3, 0.7), "Role choice: trader")
    >>> wait = Candidate(6, 0.25, (0.25, 0.75), "Role choice: captain")
    >>> print(Analysis(0, 5, (take, wait), (0.29, 0.71), ("Because.",)))
    seat 0: Role choice: trader
    move                  share   wins  others win, by seat
    Role choice: trader   75.0%  30.0%                70.0%
    Role choice: captain  25.0%  25.0%                75.0%
    Because.

    Attributes:
        seat: Who decides.
        action: What the player would do.
        candidates: The moves it weighs, the best first; the only one where it does not weigh any.
        chances: The chance to win of every seat now, as this player sees it; empty where it has
            none.
        reasons: Why this move and not the next best, in sentences.
    """

    seat: int
    action: int
    candidates: tuple[Candidate, ...]
    chances: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", _rounded(self.chances))

    @property
    def words(self) -> str:
        """What the player would do, in the words of the edition."""
        return next(each.words for each in self.candidates if each.action == self.action)

    # -- to be kept --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The opinion as a JSON-ready dict, for `from_dict`."""
        return {
            "seat": self.seat,
            "action": self.action,
            "candidates": [each.to_dict() for each in self.candidates],
            "chances": list(self.chances),
            "reasons": list(self.reasons),
        }

    @staticmethod
    def from_dict(page: Mapping[str, Any]) -> "Analysis":
        """Read an opinion from `to_dict`.

        Raises:
            AnalysisError: It is damaged; says where.
        """
        return _read_opinion(page)

    # -- to be read --------------------------------------------------------------------------------

    def __str__(self) -> str:
        """The page as plain text."""
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        page = [
            "  ".join(
                cell.ljust(width) if number == 0 else cell.rjust(width)
                for number, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join((self._title(), *page, *self._foot()))

    def __rich__(self) -> "Table":
        """The page as a table for the terminal."""
        from rich.table import Table  # only who looks at it needs it
        from rich.text import Text

        table = Table(title=Text(self._title()), title_justify="left", caption_justify="left")
        table.caption = Text("\n".join(self._foot()))
        heads, *rows = self._rows()
        for number, head in enumerate(heads):
            table.add_column(head, justify="left" if number == 0 else "right")
        for row in rows:
            table.add_row(*map(Text, row))
        return table

    def _repr_mimebundle_(
        self, include: Sequence[str], exclude: Sequence[str], **options: Any
    ) -> dict[str, str]:
        """The same table for a notebook."""
        return self.__rich__()._repr_mimebundle_(include, exclude, **options)

    def _title(self) -> str:
        return f"seat {self.seat}: {self.words}"

    def _cells(self, candidate: Candidate) -> dict[str, str]:
        """What the page says about a move, by the head of the column."""
        share, chances = candidate.share, candidate.chances
        others = (f"{chance:.1%}" for seat, chance in enumerate(chances) if seat != self.seat)
        return {
            "move": candidate.words,
            "share": "" if share is None else f"{share:.1%}",
            "wins": f"{chances[self.seat]:.1%}" if chances else "",
            "others win, by seat": " ".join(others),
        }

    def _rows(self) -> list[list[str]]:
        """The heads and a row for each move, without columns in which nothing stands."""
        cells = [self._cells(each) for each in self.candidates[:_SHOWN]]
        heads = [head for head in cells[0] if any(row[head] for row in cells)]
        return [heads, *([row[head] for head in heads] for row in cells)]

    def _foot(self) -> list[str]:
        left = len(self.candidates) - _SHOWN
        return [*([f"and {left} more moves"] if left > 0 else []), *self.reasons]


@runtime_checkable
class Analyst(Agent, Protocol):
    """A player that says what it thinks."""

    def analyse(self, view: View) -> Analysis:
        """Say what it thinks of a decision; what it plays and its chance stay as they are."""


def analysis_of(agent: Agent, view: View) -> Analysis | None:
    """What a player thinks of a decision; None of players that keep their thoughts to themselves.

    Args:
        agent: A player that sits where ``view`` looks from.
        view: What it sees when it has to decide.

    Raises:
        AgentError: There is nothing to decide.
    """
    if not view.legal.any():
        raise AgentError("there is nothing to think about: the game is over")
    return agent.analyse(view) if isinstance(agent, Analyst) else None


def brief(words: str) -> str:
    """What a move does, without the phase that asks for it.

    >>> brief("Choice of role: take the Trader card")
    'Take the Trader card'
    """
    return capital(words.partition(": ")[2] or words)


def compare(edition: str, seat: int, best: Candidate, other: Candidate) -> str:
    """The sentence that sets the chance to win after a move beside that after the next best."""
    here, there = best.chances[seat], other.chances[seat]
    return explanation(
        edition,
        "as_good" if f"{here:.1%}" == f"{there:.1%}" else "better",
        move=brief(best.words),
        here=here,
        there=there,
        other=brief(other.words),
    )


def only_choice(edition: str, candidate: Candidate) -> str:
    """The sentence about the only move that is allowed."""
    return explanation(edition, "only_choice", move=brief(candidate.words))


def _rounded(chances: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(chance), _PLACES) for chance in chances)


# -- reading one that was kept ---------------------------------------------------------------------

_OPINION: Final = ("seat", "action", "candidates", "chances", "reasons")
_CANDIDATE: Final = ("action", "words", "share", "chances")


def _read_opinion(page: Any) -> Analysis:
    _check_fields(page, "opinion", _OPINION, _OPINION)
    seat = _whole(page["seat"], "seat")
    action = _whole(page["action"], "action")
    candidates = tuple(
        _read_candidate(each, f"candidates[{place}]")
        for place, each in enumerate(_list(page["candidates"], "candidates"))
    )
    if action not in [each.action for each in candidates]:
        raise AnalysisError(f"action: {action} should be one of the candidates")
    chances = _chances(page["chances"], "chances")
    for each in (chances, *(each.chances for each in candidates)):
        if each and (seat >= len(each) or len(each) != len(chances or each)):
            raise AnalysisError(f"chances: {each!r} should have one for each seat, {seat} included")
    reasons = _list(page["reasons"], "reasons")
    texts = tuple(_text(each, f"reasons[{place}]") for place, each in enumerate(reasons))
    return Analysis(seat, action, candidates, chances, texts)


def _read_candidate(page: Any, where: str) -> Candidate:
    _check_fields(page, where, _CANDIDATE, ("action", "words"))
    share = page.get("share")
    return Candidate(
        _whole(page["action"], f"{where}.action"),
        None if share is None else _part_of_one(share, f"{where}.share"),
        _chances(page.get("chances", ()), f"{where}.chances"),
        _text(page["words"], f"{where}.words"),
    )


def _check_fields(page: Any, where: str, known: Sequence[str], needed: Sequence[str]) -> None:
    if not isinstance(page, Mapping):
        raise AnalysisError(f"{where}: {reprlib.repr(page)} should be a dict")
    for name in page:
        if name not in known:
            raise AnalysisError(
                f"{where}: there is no field {reprlib.repr(name)}{did_you_mean(name, known)}"
            )
    for name in needed:
        if name not in page:
            raise AnalysisError(f"{where}: the field {name!r} is missing")


def _list(value: Any, where: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise AnalysisError(f"{where}: {reprlib.repr(value)} should be a list")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise AnalysisError(f"{where}: {reprlib.repr(value)} should be text")
    return value


def _whole(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise AnalysisError(f"{where}: {reprlib.repr(value)} should be a whole number from 0 on")
    return value


def _part_of_one(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise AnalysisError(f"{where}: {reprlib.repr(value)} should be a number from 0 to 1")
    return float(value)


def _chances(value: Any, where: str) -> tuple[float, ...]:
    return tuple(
        _part_of_one(each, f"{where}[{place}]") for place, each in enumerate(_list(value, where))
    )
