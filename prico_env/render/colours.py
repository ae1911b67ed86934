"""The colours of the board.

They can be told apart by people who see colours differently (after Okabe and Ito), and none says
anything alone: goods have an icon, seats a number, units a form of their own. Each has one purpose,
so that a page may exchange some of them on a dark ground (``board.css``).
"""

from typing import Final

PAPER: Final = "#f1eadd"
PANEL: Final = "#fffdf8"
LINE: Final = "#dcb"
SPACE: Final = "#f4eee2"
"""An empty space of an island or a city, and what is done with."""
INK: Final = "#222"
MUTED: Final = "#655"
WHITE: Final = "#fff"
"""White on every page: words on a strong colour, and circles without a unit."""
CARD: Final = "#fffefc"
"""A role card that can be taken."""
FREE: Final = "#fffefe"
"""A slot for a barrel that is free."""
ON_VP: Final = "#fefeff"
"""Figures on VP."""
ON_BRIGHT: Final = "#221"
"""Figures on a coin, and on the back of a tile."""
MARK: Final = "#d38"
"""The ring around what happened last."""
WARNING: Final = "#b22"
TAG: Final = "#eddfc0"
"""The ground of a word that says what somebody is."""

COIN: Final = "#fc3"
COIN_EDGE: Final = "#850"
VP: Final = "#357"
WORKER: Final = "#211"
CITIZEN: Final = "#926"
EDGE: Final = "#988"
"""Around a slot and a pile."""
CIRCLE_EDGE: Final = "#544"
"""Around an empty circle."""
WOOD: Final = "#cb8"
BACK: Final = "#a97"
"""The back of a plantation."""

SEATS: Final = ("#0079bd", "#c85000", "#008562", "#b8459c", "#867400")
"""The colour of each seat, on which white can be read."""

TILE_FILLS: Final = ("#fd4", "#37b", "#fff", "#d93", "#532", "#aaa")
"""The colour of each island tile, and so of each good."""
TILE_EDGES: Final = ("#b90", "#258", "#988", "#962", "#321", "#777")
ICONS: Final = ("#750", "#def", "#776", "#420", "#fdb", "#444")
"""The colour of the icon on it."""
FOREST_FILL: Final = "#175"
FOREST_EDGE: Final = "#053"

CROPS: Final = ("#fe9", "#d3e5f6", "#f0f0ec", "#f6dcb4", "#dfcbbb")
"""The ground of a building that processes a crop."""
COMMERCIAL: Final = "#f3e6ca"
LARGE: Final = "#e5d09c"
BUILDING_EDGE: Final = "#b9a67f"
