"""The board as a drawing: a head, what lies between the players, and the players' boards.

All layouts have the same parts. The wide one has everything side by side for a picture, the tall
one everything below one another for a phone, and those for a desk fit the window of a page: one's
own board is large there, and the others are as large as there is room.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from prico_env.arguments import one_of
from prico_env.render import colours
from prico_env.render.desk import LAPTOP, TABLET, draw_desk
from prico_env.render.drawable import Drawable, check_names, check_view
from prico_env.render.panel import Panel
from prico_env.render.player_board import TALL, WIDE, PlayerBoard
from prico_env.render.scene import Scene
from prico_env.render.svg import Box, Sheet
from prico_env.render.text_metrics import Font
from prico_env.text.seats import named_seats

LAYOUTS: Final = ("wide", "tall", "desk", "tablet")
"""For a picture, a phone, a page in the window of a laptop, and one in a smaller window."""

_MARGIN: Final = 12
_TALL_MARGIN: Final = 8
_TABLE_WIDTH: Final = 404
_PHASE: Final = Font(20, bold=True)
_TURN: Final = Font(15, bold=True)
_NOTE: Final = Font(13)
_BADGE: Final = 29
_WORTH_MOVING: Final = 0.87
"""The buildings left go below the players where the whole becomes so much lower."""
_MOST_STRETCHED: Final = 66
"""How high a space becomes at most where there is room."""


def render_svg(
    game: Drawable,
    seat: int | None = None,
    *,
    layout: str = "wide",
    names: Sequence[str] | None = None,
) -> str:
    """Draw the board as an SVG.

    Args:
        game: The game.
        seat: The seat whose view is drawn; everybody's when left out. It decides which
            hidden things are shown, and whose board comes first.
        layout: ``"wide"`` for a picture, about 1280 by 860, ``"tall"`` for a phone, 420 wide,
            or ``"desk"`` and ``"tablet"`` for a page that fits into a window: 1056 by 795 and
            826 by 764, with the boards of the others in a few lines where there are many. Such a
            board has a ``data-compact`` with its seat, and the whole board a ``data-whole``, which
            is hidden until a page shows it.
        names: Who sits at each seat; seats are numbered when left out.

    Returns:
        The text of an SVG file. What actions belong to has a ``data-anchor``, see `anchor_of`.

    Raises:
        PricoError: There is no such seat or layout, or not a name for each seat.
    """
    one_of(layout, LAYOUTS, "layout")
    with named_seats(check_names(game, names)):
        return _drawing(game, seat, layout)


def _drawing(game: Drawable, seat: int | None, layout: str) -> str:
    scene = Scene(game, check_view(game, seat))
    sheet = Sheet(scene.mark)
    wide, high = _DRAW[layout](scene, sheet)
    title = scene.title()
    board = Sheet()
    board.rect(Box(0, 0, wide, high), colours.PAPER, radius=0)
    board.add(sheet)
    return board.svg(wide, high, f"prico · {title}", scene.last or title)


def _draw_wide(scene: Scene, sheet: Sheet) -> tuple[float, float]:
    """Draw a column of what lies between the players, and beside it the players."""
    wide = 3 * _MARGIN + _TABLE_WIDTH + WIDE.width
    top = _MARGIN + _head_wide(scene, sheet, wide) + _MARGIN
    left, right = _MARGIN, 2 * _MARGIN + _TABLE_WIDTH
    players = scene.rules.players
    boards = top + players * (WIDE.height + _MARGIN)
    table = Panel(scene, Box(left, top, _TABLE_WIDTH, 0))
    shop = Panel(scene, Box(right, boards, WIDE.width, 0))
    table.table()
    frame, end = WIDE, max(table.end_with_shop(), boards - _MARGIN)
    if max(table.end, shop.end_with_shop()) < _WORTH_MOVING * end:
        shop.shop()
        end = max(table.end, shop.end)
        sheet.add(shop.drawn())
    else:
        table.shop()
        frame = WIDE.stretched((end + _MARGIN - top) / players - _MARGIN, _MOST_STRETCHED)
    sheet.add(table.drawn())
    for place, seat in enumerate(scene.order()):
        PlayerBoard(scene, sheet, seat, frame).draw(right, top + place * (frame.height + _MARGIN))
    return wide, end + _MARGIN


def _draw_tall(scene: Scene, sheet: Sheet) -> tuple[float, float]:
    """Draw everything below one another, the board of the seat that looks on first."""
    left, wide = _TALL_MARGIN, 2 * _TALL_MARGIN + TALL.width
    y = left + _head_tall(scene, sheet, wide) + left
    own, others = scene.order()[:1] if scene.seat is not None else [], scene.order()
    for seat in own:
        y = _draw_player(scene, sheet, seat, left, y)
    table = Panel(scene, Box(left, y, TALL.width, 0))
    table.table()
    table.shop()
    sheet.add(table.drawn())
    y = table.end + left
    for seat in others[len(own) :]:
        y = _draw_player(scene, sheet, seat, left, y)
    return wide, y


def _draw_player(scene: Scene, sheet: Sheet, seat: int, x: float, y: float) -> float:
    """Draw the board of a player for a phone; returns where the next thing begins."""
    PlayerBoard(scene, sheet, seat, TALL).draw(x, y)
    return y + TALL.height + _TALL_MARGIN


# -- the head --------------------------------------------------------------------------------------


def _head_wide(scene: Scene, sheet: Sheet, wide: float) -> float:
    """Draw phase, turn and what happened last on a line; returns how high that is."""
    x, right = _MARGIN + 4.0, wide - _MARGIN - 4
    y = _MARGIN
    wide_phase = _PHASE.width(scene.phase())
    with sheet.anchor("phase", Box(x - 4, y, wide_phase + 8, _BADGE), colours.PAPER):
        sheet.text(x, y + 21, scene.phase(), _PHASE)
    x += wide_phase + 14
    x = _badges(scene, sheet, x, y) + 4
    x += sheet.text(x, y + 19.5, _round(scene), _NOTE, fill=colours.MUTED) + 14
    if scene.last:
        words = f"{scene.label('last')}{scene.plain('colon')}{scene.last}"
        length = min(right - x - 24, _NOTE.width(words))
        ring = Box(right - length - 20, y + 9, 11, 11)
        sheet.rect(ring, "none", edge=colours.MARK, line=3, radius=3)
        sheet.text(right, y + 19.5, words, _NOTE, align="end", room=length)
    return _BADGE


def _head_tall(scene: Scene, sheet: Sheet, wide: float) -> float:
    """Draw phase, turn and what happened last below one another; returns how high that is."""
    x, right = 2 * _TALL_MARGIN, wide - 2 * _TALL_MARGIN
    y: float = _TALL_MARGIN
    with sheet.anchor("phase", Box(x - 4, y, right - x + 8, _BADGE), colours.PAPER):
        sheet.text(x, y + 22, scene.phase(), _PHASE, room=right - x)
    _badges(scene, sheet, x, y + 34)
    y += 34 + _BADGE + 19
    sheet.text(x, y, _round(scene), fill=colours.MUTED, room=right - x)
    if scene.last:
        y += 20
        sheet.rect(Box(x + 1, y - 10, 10, 10), "none", edge=colours.MARK, line=3, radius=3)
        sheet.text(x + 18, y, scene.last, room=right - x - 18)
    return y + 4 - _TALL_MARGIN


_DRAW: Final[dict[str, Callable[[Scene, Sheet], tuple[float, float]]]] = {
    "wide": _draw_wide,
    "tall": _draw_tall,
    "desk": partial(draw_desk, LAPTOP),
    "tablet": partial(draw_desk, TABLET),
}


def _badges(scene: Scene, sheet: Sheet, x: float, y: float) -> float:
    """Draw whose turn it is, who has won, whether the end is near; returns where they end."""
    seat = scene["turn"]
    badges = (
        [(f"{scene.name(seat)} {scene.plain('to_act')}", colours.SEATS[seat])] if seat >= 0 else []
    )
    badges += [
        (f"{scene.name(one)} {scene.plain('won')}", colours.SEATS[one])
        for one in scene.order()
        if scene.has_won(one)
    ]
    if scene["end_reasons"] and seat >= 0:
        badges.append((scene.label("last_round"), colours.WARNING))
    for words, fill in badges:
        wide = _TURN.width(words) + 24
        sheet.rect(Box(x, y, wide, _BADGE), fill, radius=_BADGE / 2)
        sheet.text(x + 12, y + 20, words, _TURN, fill=colours.WHITE)
        x += wide + 10
    return x


def _round(scene: Scene) -> str:
    return (
        f"{scene.label('round')} {scene['round']} · {scene.catalog.key} · "
        f"{scene.rules.players} {scene.plain('players')}"
    )
