"""The page for everybody: keys, focus, screen readers, small and dark windows, telephones."""

import functools
import random
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from prico_env import ALL_EXPANSIONS, RuleSet
from prico_env.text.localization import codes
from prico_training.ui.replay import replay_html, write_replay
from prico_training.ui.session import PERSON, Session
from tests.training.ui.axe import violations
from tests.training.ui.browsers import resize
from tests.training.ui.playing import OVER, TURN

pytestmark = pytest.mark.browser

WINDOWS = ((1024, 768), (1280, 800), (1440, 900))
TELEPHONE = {"width": 390, "height": 844}
SMALLEST_TEXT, SMALLEST_TARGET = 11, 24
LARGEST_SHIFT = 0.05

SCRIPTS = Path(__file__).parent
MEASURE = (SCRIPTS / "measure.js").read_text(encoding="utf-8")
PLAY = (SCRIPTS / "play_whole_game.js").read_text(encoding="utf-8")


@pytest.fixture
def sit(address):
    """Opens the page in a browser, with a game that was played so far; console errors fail."""
    contexts, complaints = [], []

    def open_page(browser, *, record=None, one_by_one="", **looks):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | looks)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for key, value in (("prico-pace", "instant"), ("prico-one-by-one", one_by_one)):
            page.add_init_script(f"localStorage.setItem('{key}', '{value}')")
        if record is not None:
            loaded = context.request.post(f"{address}/api/load", data={"record": record})
            assert loaded.ok, loaded.text()
        page.goto(address)
        page.wait_for_selector("dialog[open]" if record is None else f"{TURN}, {OVER}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@functools.cache
def game(players, expansions=(), decisions=60, seed=3, agents="builder", people=1):
    """The record of a game that is at the turn of its first person after some decisions."""
    rules = RuleSet(players, "1897-en", expansions, board="draft" if expansions else "standard")
    names = [PERSON] * people + [agents] * (players - people)
    session = Session(rules, [PERSON] * players, seed)
    chance = random.Random(seed)
    while not session.game.over and not (decisions <= 0 and session.seat_to_act == 0):
        session.choose(chance.choice(session.game.legal_actions()))
        decisions -= 1
    return Session.from_record(session.to_record(), names).to_record()


# -- sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "expansions", "decisions"),
    [(2, (), 80), (4, (), 120), (5, ALL_EXPANSIONS, 8), (5, ALL_EXPANSIONS, 300)],
)
def test_all_can_be_read_and_hit_and_nothing_scrolls_in_a_window(
    any_browser, sit, players, expansions, decisions
):
    page = sit(any_browser, record=game(players, expansions, decisions))
    for width, height in WINDOWS:
        resize(page, width, height)
        layout = "desk" if width >= 1180 else "tablet"
        page.wait_for_selector(f'#board svg[viewBox="0 0 {VIEWS[layout]}"]')
        found = page.evaluate(MEASURE)
        assert found["text"][0] >= SMALLEST_TEXT, found
        assert found["target"][0] >= SMALLEST_TARGET - 0.01, found
        assert max(found["scrolls"]) <= 0, found


@pytest.mark.parametrize(
    ("players", "expansions", "decisions"), [(2, (), 80), (5, ALL_EXPANSIONS, 300)]
)
def test_all_of_a_replay_can_be_read_and_hit_and_its_board_fits_in_a_window(
    any_browser, sit, tmp_path, players, expansions, decisions
):
    file = tmp_path / "game.html"
    record = game(players, expansions, decisions)
    file.write_text(replay_html(record, "corn", layouts=["tablet"]), encoding="utf-8")
    page = sit(any_browser)
    page.goto(file.as_uri())
    page.keyboard.press("End")
    for width, height in WINDOWS:
        resize(page, width, height)
        found = page.evaluate(MEASURE)
        assert found["text"][0] >= SMALLEST_TEXT, found
        assert found["target"][0] >= SMALLEST_TARGET - 0.01, found
        assert found["scrolls"][0] <= 0, found
        board = page.locator("#board").bounding_box()
        assert board["y"] + board["height"] <= height
        assert page.locator("#play-on").bounding_box()["y"] < height


def test_a_board_that_is_enlarged_in_a_replay_stays_so_from_one_decision_to_the_next(
    any_browser, sit, tmp_path
):
    file = tmp_path / "game.html"
    file.write_text(replay_html(game(5, (), 40), "corn", layouts=["tablet"]), encoding="utf-8")
    page = sit(any_browser)
    page.goto(file.as_uri())
    compact, status = page.locator('[data-compact="2"]'), page.locator("#status")
    whole = page.locator('[data-whole="2"]')
    assert whole.is_hidden()
    compact.focus()
    page.keyboard.press("Space")
    assert whole.is_visible()
    assert page.locator("body.playing").count() == 0
    page.keyboard.press("ArrowRight")
    assert " 1 of " in status.inner_text()
    assert whole.is_visible()
    assert compact.evaluate("(one) => one === document.activeElement")
    assert compact.get_attribute("aria-label") == "The whole board of builder 2"
    page.keyboard.press("Escape")
    assert whole.is_hidden()
    compact.click()
    assert whole.is_visible()


def test_the_head_of_the_page_fits_in_every_language(chromium, sit):
    page = sit(chromium, record=game(4, (), 120))
    for language in codes():
        with page.expect_response("**/api/game*"):
            page.select_option("#language", language)
        page.wait_for_selector(f"html[lang={language}] {TURN}")
        for width, height in (*WINDOWS, (1180, 800)):
            resize(page, width, height)
            page.evaluate(SHOW_HEAD)
            assert page.evaluate("document.querySelector('header').scrollWidth") <= width, language


SHOW_HEAD = "for (const one of document.querySelectorAll('header [hidden]')) one.hidden = false"
VIEWS = {"desk": "1056 795", "tablet": "826 764"}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_head_of_the_page_has_room_in_each_language(any_browser, sit, language):
    page = sit(any_browser, record=game(2, (), 80), locale=language)
    for width, height in WINDOWS:
        resize(page, width, height)
        head = "(head) => head.scrollWidth - head.clientWidth"
        assert page.locator("header").evaluate(head) <= 0, width


def test_a_telephone_shows_moves_and_ones_own_board_at_once(any_browser, sit):
    page = sit(any_browser, record=game(4, (), 120), viewport=TELEPHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]
    assert page.evaluate("scrollY") == 0
    assert page.locator("#moves button[data-action]:visible").first.bounding_box()["height"] >= 44
    own = page.locator('[data-anchor="city-0"]').bounding_box()
    moves = page.locator("#moves").bounding_box()
    assert moves["y"] >= 0
    assert own["y"] + own["height"] <= TELEPHONE["height"]
    assert moves["y"] + moves["height"] <= TELEPHONE["height"]


def test_a_telephone_says_who_is_who_above_the_score(any_browser, sit):
    page = sit(any_browser, record=game(3, (), 5000), viewport=TELEPHONE)
    names, score = page.locator("#seats").bounding_box(), page.locator("#result").bounding_box()
    assert names["y"] + names["height"] <= score["y"]
    assert score["y"] < TELEPHONE["height"] / 2


def test_boards_of_others_are_enlarged_by_a_click_and_closed_by_escape(any_browser, sit):
    page = sit(any_browser, record=game(5, ALL_EXPANSIONS, 300))
    first = page.locator("[data-compact]").first
    seat = first.get_attribute("data-compact")
    whole = page.locator(f'[data-whole="{seat}"]')
    assert whole.is_hidden()
    first.click()
    assert whole.is_visible()
    assert first.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert whole.is_hidden()
    first.focus()
    page.keyboard.press("Enter")
    assert whole.is_visible()


# -- a whole game ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "players", "expansions", "decisions"),
    [((1280, 800), 2, (), 0), ((1024, 768), 3, ALL_EXPANSIONS, 120), ((390, 844), 3, (), 100)],
)
def test_nothing_jumps_and_each_turn_is_told_once_until_the_end(
    chromium, sit, window, players, expansions, decisions
):
    width, height = window
    begun = game(players, expansions, decisions, agents="corn")
    page = sit(chromium, record=begun, viewport={"width": width, "height": height})
    told = page.evaluate(PLAY)
    assert told["decisions"] > 5
    assert told["shifted"] < LARGEST_SHIFT
    assert len(told["spoken"]) <= told["decisions"] + 1
    assert any("Corn" in words and "your turn" in words for words in told["spoken"])
    assert "The game is over" in told["spoken"][-1]
    assert "Place 1: " in told["spoken"][-1]


def test_the_log_stays_where_somebody_reads_and_opens_what_is_folded(chromium, sit):
    page = sit(chromium, record=game(3, (), 150))
    log = page.locator("#log")
    end = "(log) => log.scrollHeight - log.clientHeight - log.scrollTop"
    assert log.evaluate(end) < 2
    page.locator("#moves button[data-action]:visible").first.click()
    page.wait_for_selector(TURN)
    assert log.evaluate(end) < 2
    fold = page.locator("#log details").first
    assert "without a choice" in fold.inner_text()
    assert fold.locator(".entry").first.is_hidden()
    fold.locator("summary").click()
    assert fold.locator(".entry").first.is_visible()
    log.evaluate("(log) => { log.scrollTop = 40; }")
    page.wait_for_timeout(50)
    before = log.inner_text()
    page.locator("#moves button[data-action]:visible").first.click()
    page.wait_for_function("(old) => document.querySelector('#log').innerText !== old", arg=before)
    page.wait_for_selector(TURN)
    assert log.evaluate("(log) => log.scrollTop") == 40
    assert fold.locator(".entry").first.is_visible()


# -- keys ------------------------------------------------------------------------------------------


def focused(page):
    """What has the focus: its id, or what it is."""
    return page.evaluate(
        """() => {
            const one = document.activeElement;
            const spot = one.closest("[data-spot]")?.dataset.spot;
            return one.id || spot || one.dataset.name || one.tagName;
        }"""
    )


def test_a_game_goes_by_keys_alone(any_browser, sit):
    page = sit(any_browser, record=game(3, (), 0))
    log = page.locator("#log")
    second = (
        page.locator("#moves button[data-action]:visible")
        .nth(1)
        .inner_text()
        .removeprefix("2")
        .strip()
    )
    page.keyboard.press("2")
    page.wait_for_selector(f"{TURN}:has(#undo:enabled)")
    after = log.inner_text()
    assert second.lower() in after.lower()
    page.keyboard.press("u")
    page.wait_for_selector(f"{TURN}:has(#undo:disabled)")
    page.keyboard.press("Control+Shift+Z")
    page.wait_for_selector(f"{TURN}:has(#undo:enabled)")
    assert log.inner_text() == after
    page.keyboard.press("Control+z")
    page.wait_for_selector(f"{TURN}:has(#undo:disabled)")
    page.keyboard.press("Control+y")
    page.wait_for_selector(f"{TURN}:has(#undo:enabled)")
    page.keyboard.press("h")
    page.wait_for_selector("#advice li")
    page.keyboard.press("k")
    assert "Ctrl + Z" in page.locator("#keys").inner_text()
    page.keyboard.press("2")  # nothing, while a dialog is open
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()
    assert log.inner_text() == after


def test_arrows_go_among_moves_and_among_places_and_keys_rest_while_one_types(any_browser, sit):
    page = sit(any_browser, record=game(3, (), 0))
    moves = page.locator("#moves button[data-action]:visible")
    page.keyboard.press("ArrowDown")
    assert moves.nth(0).evaluate("(one) => one === document.activeElement")
    page.keyboard.press("ArrowDown")
    assert moves.nth(1).evaluate("(one) => one === document.activeElement")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert moves.last.evaluate("(one) => one === document.activeElement")
    page.locator('#board [data-spot="role-settler"]').focus()
    page.keyboard.press("ArrowRight")
    assert focused(page) == "role-mayor"
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "role-settler"
    before = page.locator("#log").inner_text()
    page.click("#open-new")
    page.focus("input[name=seed]")
    page.keyboard.type("12u")
    assert page.input_value("input[name=seed]") == "12u"
    assert page.locator("#log").inner_text() == before


def test_the_focus_is_never_lost_and_never_falls_on_a_pass(any_browser, sit):
    page = sit(any_browser, record=game(2, (), 0, seed=5), one_by_one="yes")
    for number in range(20):
        moves = page.locator("#moves button[data-action]:visible")
        moves.nth(number % moves.count()).focus()
        with page.expect_response(lambda answer: "/api/act" in answer.url):
            page.keyboard.press("Enter")
        page.wait_for_selector(f"{TURN}, {OVER}")
        assert focused(page) not in ("BODY", "HTML", "pass"), number
    spot = page.locator("#board .legal").first
    if spot.count():
        spot.focus()
        with page.expect_response(lambda answer: "/api/undo" in answer.url):
            page.keyboard.press("u")
        page.wait_for_selector(TURN)
        assert focused(page) not in ("BODY", "HTML", "pass")


# -- for people with disabilities ------------------------------------------------------------------


def assert_axe_finds_nothing(page):
    """Neither on a light page nor on a dark one."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_axe_finds_no_fault_with_the_table(any_browser, sit):
    page = sit(any_browser)
    assert_axe_finds_nothing(page)
    page = sit(any_browser, record=game(5, ALL_EXPANSIONS, 300))
    page.click("#ask-hint")
    page.wait_for_selector("#advice p")
    page.click("#open-seats")
    page.click("#lobby [data-seat='1'][data-player=open]")
    page.wait_for_selector("#lobby .code")
    assert_axe_finds_nothing(page)
    page.keyboard.press("k")
    assert_axe_finds_nothing(page)
    page.keyboard.press("Escape")
    page.click("#open-games")
    page.wait_for_selector("#games[open] li")
    assert_axe_finds_nothing(page)
    guest = sit(any_browser)
    guest.goto(page.input_value("#lobby .chair:nth-of-type(2) input[readonly]"))
    guest.wait_for_selector("#join[open]")
    assert_axe_finds_nothing(guest)


@pytest.mark.parametrize("path", ["/how-to-play", "/puzzle"])
def test_axe_finds_no_fault_with_pages_beside_the_table(any_browser, sit, address, path):
    page = sit(any_browser)
    page.goto(address + path)
    page.wait_for_selector("h2")
    assert_axe_finds_nothing(page)


def test_axe_finds_no_fault_with_the_end_of_a_game_and_its_replay(any_browser, sit, tmp_path):
    page = sit(any_browser, record=game(3, (), 5000))
    assert_axe_finds_nothing(page)
    (tmp_path / "game.jsonl").write_text(game(2, (), 12), encoding="utf-8")
    write_replay(tmp_path / "game.jsonl", tmp_path / "game.html")
    page.goto((tmp_path / "game.html").as_uri())
    page.wait_for_selector("svg")
    assert_axe_finds_nothing(page)
