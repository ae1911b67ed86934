"""The colours of the board.

They can be told apart by people who see colours differently (after Okabe and Ito), and none says
anything alone: goods have an icon, seats a number, units a form of their own.
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
MARK: Final = "#d38"
"""The ring around what happened last."""
WARNING: Final = "#b22"
TAG: Final = "#eddfc0"
"""The ground of a word that says what somebody is."""

COIN: Final = "#fc3"
COIN_EDGE: Final = "#a80"
VP: Final = "#357"
WORKER: Final = INK
CITIZEN: Final = "#a37"
EDGE: Final = "#988"
"""Around an empty circle or slot."""
WOOD: Final = "#cb8"
BACK: Final = "#a97"
"""The back of a plantation."""

SEATS: Final = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#6b5b00")
"""The colour of each seat."""

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
