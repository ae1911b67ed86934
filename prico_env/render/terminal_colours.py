"""The colours of a terminal, each from the 256 that terminals agree on.

Terminals are dark or light, and a program cannot know which. So each of these has a contrast of at
least 3.8 to black and to white; what should stand out is bold, what should not is dim.
"""

from typing import Final

SEATS: Final = ("color(32)", "color(166)", "color(29)", "color(162)", "color(100)")
"""Who sits where: the hues of the board, as far as they can be read."""
MONEY: Final = "color(100)"
CROPS: Final = "color(31)"
"""Buildings that make goods, and names of the engine."""
TRADE: Final = "color(133)"
"""All other buildings, and what is captured."""
TURN: Final = "bold color(28)"
FOREST: Final = "bold color(28)"
WARNING: Final = "color(130)"
"""What was typed and cannot be done."""
ENDING: Final = "bold color(160)"
GOODS: Final = {
    "corn": "bold color(100)",
    "indigo": "bold color(27)",
    "sugar": "bold",
    "tobacco": "bold color(130)",
    "coffee": "bold color(95)",
    "quarry": "bold color(243)",
}
