"""The analysis of a decision: the moves compared, every seat's win probability, and why.

Players that analyse have one more method than others, `Analyst.analyse`. What it returns reads the
same in a terminal, a notebook and a file, whichever player made it.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from prico_agents.base import Agent, AgentError, View, check_view
from prico_env.arguments import instance, items, number, whole, words
from prico_env.errors import PricoError, did_you_mean, quoted
from prico_env.serialization import unwritable
from prico_env.text.terms import capital, explanation

if TYPE_CHECKING:
    from rich.table import Table

_PLACES: Final = 4
"""Places that chances and shares are kept to: more than any player knows."""
_SHOWN: Final = 12
"""Moves that a page shows; the others are worse."""


class AnalysisError(PricoError):
    """An analysis that is damaged, or that no file can hold."""


@dataclass(frozen=True)
class Candidate:
    """One move of an analysis.

    Attributes:
        action: Its number.
        share: Its probability in the player's policy, or its share of the simulations; over all
            moves they sum to 1. None for players that have neither.
        chances: The win probability of every seat after it; empty where the player has none.
        words: What it does, in the words of the edition.
    """

    action: int
    share: float | None = None
    chances: tuple[float, ...] = ()
    words: str = ""

    def __post_init__(self) -> None:
        """Refuse what no file can hold."""
        object.__setattr__(self, "action", whole(self.action, "action", error=AnalysisError))
        if self.share is not None:
            object.__setattr__(self, "share", _rounded(self.share, "share"))
        object.__setattr__(self, "chances", _all_rounded(self.chances))
        _check_text(self.words, "words")

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
    """How a player sees a decision.

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
        candidates: The moves it compares, the best first; one alone where it compares none.
        chances: The win probability of every seat now; empty where the player has none.
        reasons: Why this move and not the next best, in sentences.
    """

    seat: int
    action: int
    candidates: tuple[Candidate, ...]
    chances: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no file can hold."""
        for name in ("seat", "action"):
            object.__setattr__(self, name, whole(getattr(self, name), name, error=AnalysisError))
        for name in ("candidates", "reasons"):
            object.__setattr__(self, name, tuple(items(getattr(self, name), name, AnalysisError)))
        for each in self.candidates:
            instance(each, Candidate, "what is compared is a Candidate", AnalysisError)
        object.__setattr__(self, "chances", _all_rounded(self.chances))
        for place, reason in enumerate(self.reasons):
            _check_text(reason, f"reasons[{place}]")

    @property
    def words(self) -> str:
        """What the player would do, in the words of the edition."""
        return next(each.words for each in self.candidates if each.action == self.action)

    def likeliest(self) -> Candidate:
        """The candidate of the largest share; where none has a share, of the best win probability.

        What the player would do may be another one: the planner counts points beside the chance to
        win, and a player may draw its move. Of equal ones it is what the player would do. Where
        nothing is compared by figures it is always that.

        >>> likely = Candidate(5, chances=(0.3, 0.7)), Candidate(6, chances=(0.4, 0.6))
        >>> Analysis(0, 5, likely).likeliest().action
        6
        """
        shares = [each.share for each in self.candidates]
        chances = [each.chances[self.seat] if each.chances else None for each in self.candidates]
        figures = shares if any(share is not None for share in shares) else chances
        ranked = [
            (-1.0 if figure is None else figure, each.action == self.action)
            for figure, each in zip(figures, self.candidates, strict=True)
        ]
        return self.candidates[ranked.index(max(ranked))]

    # -- to be kept --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The analysis as a JSON-ready dict, for `from_dict`."""
        return {
            "seat": self.seat,
            "action": self.action,
            "candidates": [each.to_dict() for each in self.candidates],
            "chances": list(self.chances),
            "reasons": list(self.reasons),
        }

    @staticmethod
    def from_dict(page: Mapping[str, Any]) -> "Analysis":
        """Read an analysis from `to_dict`.

        Raises:
            AnalysisError: It is damaged; says where.
        """
        return _read_analysis(page)

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
        for column, head in enumerate(heads):
            table.add_column(head, justify="left" if column == 0 else "right")
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
    """A player that explains its decisions."""

    def analyse(self, view: View) -> Analysis:
        """Analyse a decision; what the player plays and its generator stay as they are."""


def analysis_of(agent: Agent, view: View) -> Analysis | None:
    """The analysis of a decision by a player; None of players that give none.

    Args:
        agent: A player that sits where ``view`` looks from.
        view: What it sees when it has to decide.

    Raises:
        AgentError: There is nothing to decide.
    """
    if not check_view(view).legal.any():
        raise AgentError("there is nothing to think about: the game is over")
    if not isinstance(agent, Agent):
        raise AgentError(f"a player has the methods reset and act, unlike {quoted(agent)}")
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


def _all_rounded(chances: Sequence[float]) -> tuple[float, ...]:
    given = items(chances, "chances", AnalysisError)
    return tuple(_rounded(chance, f"chances[{seat}]") for seat, chance in enumerate(given))


def _rounded(chance: float, where: str) -> float:
    """Round a probability, refusing what is none: a file that says so could not be read again."""
    with contextlib.suppress(PricoError):
        chance = round(number(chance, where), _PLACES)
    return float(_checked(chance, where, "a number from 0 to 1"))


def _check_text(text: str, where: str) -> None:
    if problem := unwritable(words(text, where, AnalysisError)):
        raise AnalysisError(f"{where}: {problem}")


# -- reading one that was kept ---------------------------------------------------------------------

_ANALYSIS: Final = ("seat", "action", "candidates", "chances", "reasons")
_CANDIDATE: Final = ("action", "words", "share", "chances")
_CHECKS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "a dict": lambda value: isinstance(value, Mapping),
    "a list": lambda value: isinstance(value, list | tuple),
    "text": lambda value: isinstance(value, str),
    "a whole number from 0 on": lambda value: _is_number(value, int) and value >= 0,
    "a number from 0 to 1": lambda value: _is_number(value, (int, float)) and 0 <= value <= 1,
}
"""What a value should be, and whether it is."""


def _is_number(value: Any, kinds: Any) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)


def _read_analysis(page: Any) -> Analysis:
    _check_fields(page, "analysis", _ANALYSIS, _ANALYSIS)
    seat = _checked(page["seat"], "seat", "a whole number from 0 on")
    action = _checked(page["action"], "action", "a whole number from 0 on")
    candidates = tuple(
        _read_candidate(each, f"candidates[{place}]")
        for place, each in enumerate(_checked(page["candidates"], "candidates", "a list"))
    )
    if action not in [each.action for each in candidates]:
        raise AnalysisError(f"action: {action} should be one of the candidates")
    chances = _items(page["chances"], "chances", "a number from 0 to 1")
    for each in (chances, *(each.chances for each in candidates)):
        if each and (seat >= len(each) or len(each) != len(chances or each)):
            raise AnalysisError(
                f"chances: {quoted(each)} should have one for each seat, {seat} included"
            )
    reasons = _items(page["reasons"], "reasons", "text")
    return Analysis(seat, action, candidates, chances, reasons)


def _read_candidate(page: Any, where: str) -> Candidate:
    _check_fields(page, where, _CANDIDATE, ("action", "words"))
    share = page.get("share")
    if share is not None:
        _checked(share, f"{where}.share", "a number from 0 to 1")
    return Candidate(
        _checked(page["action"], f"{where}.action", "a whole number from 0 on"),
        share,
        _items(page.get("chances", ()), f"{where}.chances", "a number from 0 to 1"),
        _checked(page["words"], f"{where}.words", "text"),
    )


def _check_fields(page: Any, where: str, known: Sequence[str], needed: Sequence[str]) -> None:
    for name in _checked(page, where, "a dict"):
        if name not in known:
            raise AnalysisError(
                f"{where}: there is no field {quoted(name)}{did_you_mean(name, known)}"
            )
    for name in needed:
        if name not in page:
            raise AnalysisError(f"{where}: the field {name!r} is missing")


def _checked(value: Any, where: str, kind: str) -> Any:
    """Return a value, refusing one of another kind."""
    if not _CHECKS[kind](value):
        raise AnalysisError(f"{where}: {quoted(value)} should be {kind}")
    return value


def _items(values: Any, where: str, kind: str) -> tuple[Any, ...]:
    """Return the items of a list, refusing one of another kind."""
    items = enumerate(_checked(values, where, "a list"))
    return tuple(_checked(value, f"{where}[{place}]", kind) for place, value in items)
