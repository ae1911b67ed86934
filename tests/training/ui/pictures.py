"""Takes the README's pictures of the pages, with a real browser; `make pictures` runs it."""

import tempfile
from pathlib import Path
from typing import Any, Final

from prico_env.reference.pages import FOLDER, GAME_FILE
from prico_training.ui.replay import write_replay
from prico_training.ui.session import PERSON, Session
from prico_training.ui.transcripts import read_recorded
from tests.training.ui.browsers import drive_browsers, open_browser
from tests.training.ui.playing import TURN
from tests.training.ui.serving import served

_SIZE: Final = {"width": 1280, "height": 800}
_AFTER: Final = 0.62
"""How far into the game that comes along the pictures are taken."""
_NAME: Final = "Ann"
_EXPLAINED: Final = "shop-small_warehouse"
"""The place of the board that the mouse rests on."""


def main() -> None:
    """Write both pictures beside the reference pages."""
    with drive_browsers() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = open_browser(playwright)
        if browser is None:
            raise SystemExit("there is no Chromium here to take pictures with")
        page = browser.new_page(viewport=_SIZE)
        _table(page, Path(folder) / "begun.jsonl", FOLDER / "serve.png")
        page = browser.new_page(viewport=_SIZE)
        _replay(page, Path(folder) / "game.html", FOLDER / "replay.png")


def _table(page: Any, record: Path, picture: Path) -> None:
    """A person's turn with a hint, and the card of a building."""
    record.write_text(_begun().to_record(), encoding="utf-8")
    with served() as address:
        page.add_init_script("localStorage.setItem('prico-pace', 'instant')")
        page.goto(address)
        page.click("dialog button[value=cancel]")
        page.set_input_files("#load", str(record))
        page.wait_for_selector(TURN)
        page.click("#ask-hint")
        page.wait_for_selector("#advice .bars")
        page.hover(f'[data-anchor="{_EXPLAINED}"]')
        page.wait_for_selector("#card:popover-open")
        page.screenshot(path=picture)


def _begun() -> Session:
    """The game that comes along, with a person in the first seat, at that person's turn."""
    recorded = read_recorded(FOLDER / GAME_FILE)
    players = (PERSON, *recorded.players[1:])
    names = (_NAME, *[None] * (len(players) - 1))
    session = Session(recorded.rules, [PERSON] * len(players), recorded.seed, names)
    chosen = [move.action for move in recorded.game().history if not move.forced]
    for number, action in enumerate(chosen):
        is_late = number >= _AFTER * len(chosen)
        if is_late and session.seat_to_act == 0 and session.game.phase == "role":
            break
        session.choose(action)
    return Session.from_record(session.to_record(), players)


def _replay(page: Any, written: Path, picture: Path) -> None:
    """The middle of a game, with what a search thinks of it."""
    write_replay(FOLDER / GAME_FILE, written)
    page.goto(written.as_uri())
    page.wait_for_selector("svg")
    page.locator("input[type=range]").evaluate(
        "(slider, part) => { slider.value = Math.round(slider.max * part);"
        " slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        _AFTER,
    )
    page.screenshot(path=picture)


if __name__ == "__main__":
    main()
