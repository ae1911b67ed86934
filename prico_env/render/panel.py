"""A panel on which what lies between the players is drawn."""

from typing import Final

from prico_env.render import colours
from prico_env.render.common_area import CommonArea
from prico_env.render.scene import Scene
from prico_env.render.svg import Box, Sheet

PAD: Final = 12


class Panel:
    """A panel that grows with what is drawn on it.

    Attributes:
        end: Where it ends.
    """

    def __init__(self, scene: Scene, box: Box) -> None:
        self._box, self._sheet = box, Sheet(scene.mark)
        self._table = CommonArea(scene, self._sheet, box.x + PAD, box.width - 2 * PAD)
        self.end: float = box.y + PAD

    def table(self) -> None:
        """Draw what lies between the players, without the buildings."""
        self.end = self._table.draw(self.end) + PAD

    def shop(self, *, in_columns: bool = True) -> None:
        """Draw the buildings left."""
        self.end = self._table.shop(self.end, in_columns=in_columns) + PAD

    def end_with_shop(self, *, in_columns: bool = True) -> float:
        """Where it would end with the buildings left."""
        return self.end + self._table.shop_height(in_columns=in_columns) + PAD

    def end_with_hand(self) -> float:
        """Where it ends when something is in hand, as it may be at any time."""
        return self.end + self._table.room_for_hand()

    def drawn(self) -> Sheet:
        """Return it with everything on it."""
        panel = Sheet()
        panel.rect(
            self._box._replace(height=self.end - self._box.y),
            colours.PANEL,
            edge=colours.LINE,
            radius=8,
        )
        panel.add(self._sheet)
        return panel
