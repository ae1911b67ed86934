"""What is allowed now, as a list to choose from: numbered, grouped by place, in words."""

from collections.abc import Iterator
from typing import Final

from rich.table import Table
from rich.text import Text

from prico_env import Game
from prico_env.errors import IllegalActionError
from prico_env.render import anchor_of
from prico_env.render.terminal_colours import CROPS
from prico_env.text.actions import describe_action
from prico_env.text.localization import edition_words, language_of
from prico_env.text.parsing import read_answer
from prico_env.text.terms import capital, terminal_words

FLAT: Final = "#"
"""What stands before the number that an action has in every game."""
_GROUPS: Final = {
    "role": ("label", "roles"), "row": ("term", "row"), "deck": ("term", "deck"),
    "quarries": ("term", "quarries"), "forests": ("term", "forests"), "shop": ("label", "shop"),
    "ship": ("label", "ships"), "house": ("label", "house"), "goods": ("term", "goods"),
    "island": ("term", "island"), "city": ("term", "city"), "portrait": ("term", "portrait"),
    "register": ("term", "register"), "drawn": ("label", "drawn"),
}  # fmt: skip
"""What the places of the table are called: a label of ours, or a term of the edition."""
_GAP: Final = 3
"""Columns between two moves that stand side by side."""


class ChoiceList:
    """What is allowed in a game now.

    Attributes:
        actions: The action numbers, in the order they are shown.
        groups: The same, by the place on the table that they are about; that may be nowhere.
    """

    def __init__(self, game: Game, seat: int, is_counted: bool = True) -> None:
        """List what is allowed.

        Args:
            game: The game.
            seat: Who decides.
            is_counted: Whether a plain number counts within the list. Otherwise it is an action
                number, as programs that write into a pipe have it.
        """
        self.game, self.is_counted = game, is_counted
        groups: dict[str, list[int]] = {}
        for action in game.legal_actions():
            groups.setdefault(_group(game, action, seat), []).append(action)
        without = groups.pop("", [])
        self.groups = [*groups.items(), ("", without)] if without else [*groups.items()]
        self.actions = [action for _, group in self.groups for action in group]

    # -- what was typed ----------------------------------------------------------------------------

    def read(self, text: str) -> int:
        """Return the action that somebody typed.

        Args:
            text: A number of the list; an action number behind ``#``; or words, see `read_answer`.

        Raises:
            IllegalActionError: It means no action, one that is not allowed, or several.
        """
        number = text.strip()
        if number.startswith(FLAT) and number[1:].strip().isdecimal():
            return read_answer(self.game, number[1:], self.words)
        if number.isdecimal() and self.is_counted:
            return self._counted(number)
        return read_answer(self.game, text, self.words)

    def _counted(self, number: str) -> int:
        place = int(number) if len(number) <= len(str(len(self.actions))) else 0
        if not 1 <= place <= len(self.actions):
            raise IllegalActionError(
                terminal_words(
                    self.game.rules.edition,
                    "no_such_number",
                    count=len(self.actions),
                    number=number[:9],
                )
            )
        return self.actions[place - 1]

    def phrases(self, has_names: bool = False) -> Iterator[str]:
        """What can be typed for the actions: their words, and names of the engine if wanted."""
        yield from map(self.words, self.actions)
        if has_names:
            yield from map(self.game.name, self.actions)

    # -- how it is shown ---------------------------------------------------------------------------

    def words(self, action: int) -> str:
        """What an action does, in the edition's words, without the phase that asks for it."""
        is_allowed = action in self.actions  # else what it moves now says nothing
        game = self.game
        words = game.describe(action) if is_allowed else describe_action(game.rules, action)
        return capital(words.partition(": ")[2] or words)

    def label(self, action: int) -> str:
        """What can be typed for an action in few signs."""
        return str(self.actions.index(action) + 1) if self.is_counted else f"{FLAT}{action}"

    def table(self, has_names: bool = False) -> Table:
        """The list, a line for each action below the place that it is about."""
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(justify="right", no_wrap=True)
        if has_names:
            table.add_column(overflow="fold", style=CROPS)
        table.add_column(overflow="fold")
        for group, actions in self.groups:
            if group and len(self.groups) > 1:
                table.add_row("", *[""] * has_names, Text(group, "bold"))
            for action in actions:
                name = [self.game.name(action)] * has_names
                table.add_row(self.label(action), *name, Text(self.words(action)))
        return table

    def columns(self, width: int) -> Text:
        """The list in as few lines as it takes: several actions side by side, read downwards."""
        room = max(len(self.label(action)) for action in self.actions)
        cells = [f"{self.label(action):>{room}}  {self.words(action)}" for action in self.actions]
        for rows in range(1, len(cells) + 1):
            columns = [cells[first : first + rows] for first in range(0, len(cells), rows)]
            widths = [max(map(len, column)) for column in columns]
            if sum(widths) + _GAP * (len(widths) - 1) <= width:
                break
        lines = [
            (" " * _GAP)
            .join(
                f"{column[row]:<{wide}}"
                for column, wide in zip(columns, widths, strict=True)
                if row < len(column)
            )
            .rstrip()
            for row in range(rows)
        ]
        return Text("\n".join(lines))


def _group(game: Game, action: int, seat: int) -> str:
    """What the place of an action is called; empty for one without a place."""
    place = anchor_of(game, action, seat).partition("-")[0]
    kind, key = _GROUPS.get(place, ("", ""))
    edition = game.rules.edition
    words = language_of(edition).labels if kind == "label" else edition_words(edition).terms
    return capital(words[key]) if kind else ""
