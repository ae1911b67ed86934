"""The page as a person meets it, in a real browser."""

import itertools
import json
import random
import re

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from prico_env import ALL_EXPANSIONS
from prico_training.ui.limits import Limits
from tests.builders import board
from tests.training.ui.playing import OVER, TURN
from tests.training.ui.serving import served

pytestmark = pytest.mark.browser

LONG = "mcts:500000"
LAPTOP = {"width": 1280, "height": 800}
TELEPHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def address():
    with served(limits=Limits(simulations=500_000)) as address:
        yield address


@pytest.fixture
def sit_down(chromium, address):
    """Opens the page in a browser of its own; nothing may be wrong in its console."""
    browsers, complaints = [], []

    def open_page(size=LAPTOP):
        browser = chromium.new_context(viewport=size, accept_downloads=True)
        browsers.append(browser)
        page = browser.new_page()
        page.set_default_timeout(120_000)  # where nothing is compiled yet
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and complaints.append(line.text))
        page.add_init_script("localStorage.setItem('prico-pace', 'instant')")
        page.goto(address)
        page.wait_for_selector("dialog[open]")
        return page

    yield open_page
    for browser in browsers:
        browser.close()
    # What the server refuses is in the console, too, and wanted here.
    assert [line for line in complaints if "responded with a status of 4" not in line] == []


def begin(page, players, seed=7, expansions=()):
    """Fill in the panel for a new game, and wait for one's turn."""
    page.select_option("select[name=players]", str(len(players)))
    for name in expansions:
        page.check(f"input[value={name}]")
    for seat, name in enumerate(players):
        page.locator("#chairs select").nth(seat).select_option(name)
    page.fill("input[name=seed]", str(seed))
    page.click("button[value=play]")
    page.wait_for_selector(f"{TURN}, {OVER}")


def decide(page, number):
    """Make one decision: on the board and in the list by turns; false when the game is over."""
    if page.locator(OVER).count():
        return False
    if page.locator("#moves.drafting").count():
        finish_draft(page, "fill")
        return True
    spots = page.locator("#board .legal")
    if number % 2 and spots.count():
        spots.nth(number % spots.count()).dispatch_event("click")
        menu = page.locator("#menu button:visible")
        if menu.count():
            menu.first.click()
    else:
        moves = page.locator("#moves [data-action]")
        moves.nth(number % moves.count()).click()
    page.wait_for_selector(f"{TURN}, {OVER}")
    return True


def finish_draft(page, *steps):
    """Prepare a run of decisions with buttons of the panel, and send it."""
    for step in steps:
        page.click(f"[data-draft={step}]")
        page.wait_for_selector("#draft[aria-busy=false]")
    page.wait_for_selector("#draft[aria-busy=false]")
    page.click("[data-draft=done]")
    page.wait_for_selector(f"{TURN}, {OVER}")


def state(page):
    """What the server says of the game of this browser."""
    return page.context.request.get(page.url + "api/game").json()


def shown(page):
    """What the page shows of it."""
    return page.inner_html("#board"), page.inner_text("#log"), page.inner_text("#moves")


def test_a_person_plays_a_whole_game_on_the_board_and_in_the_list(sit_down):
    page = sit_down()
    begin(page, ["human", "builder"], seed=10)
    for number in itertools.count():
        if number == 15:
            before = shown(page)
            page.reload()
            page.wait_for_selector(TURN)
            assert shown(page) == before
        if not decide(page, number):
            break
    assert number > 30
    score = page.inner_text("#result")
    assert "Total" in score
    assert "you" in score
    assert page.inner_text("#status").startswith("The game is over")


def test_two_people_at_two_browsers_do_not_mix(sit_down):
    one, other = sit_down(), sit_down()
    begin(one, ["human", "corn", "random"], seed=1)
    begin(other, ["human", "human"], seed=2)
    before = shown(other)
    for number in range(4):
        decide(one, number)
    other.reload()
    other.wait_for_selector(TURN)
    assert shown(other) == before
    assert "seed 1" in one.inner_text("#what")
    assert "seed 2" in other.inner_text("#what")


def test_a_move_that_is_not_allowed_changes_nothing_and_says_why(sit_down):
    page = sit_down()
    begin(page, ["human", "corn"])
    before = state(page)
    refusal = page.evaluate(
        """(version) => fetch("/api/act", {
            method: "POST",
            headers: {"Content-Type": "application/json"},
            body: JSON.stringify({version, action: "sell:corn"}),
        }).then((answer) => answer.json())""",
        before["version"],
    )
    assert "you may not take action" in refusal["error"]
    assert state(page) == before


def test_what_is_done_in_one_tab_is_shown_in_another_at_once(sit_down):
    page = sit_down()
    begin(page, ["human", "human"])
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector(TURN)
    before = page.inner_text("#log")
    decide(second, 0)
    page.wait_for_function("(log) => document.querySelector('#log').innerText !== log", arg=before)
    assert shown(page) == shown(second)
    assert page.is_hidden("#error")
    decide(page, 0)


def test_five_people_and_agents_play_with_everything(sit_down):
    page = sit_down()
    players = ["human", "corn", "human", "random", "human"]
    begin(page, players, seed=3, expansions=ALL_EXPANSIONS)
    assert "Put" in page.inner_text("#moves")  # the draft
    for number in range(20):
        assert decide(page, number)
    assert state(page)["game"]["round"] >= 1
    assert "(player " in page.inner_text("#status")


def test_a_hint_is_shown_on_the_board_and_in_the_list(sit_down):
    page = sit_down()
    begin(page, ["human", "corn", "random"])
    page.click("#ask-hint")
    page.wait_for_selector("#advice li")
    assert page.locator("#moves .hinted-move").count() == 1
    assert page.locator("#board .hinted").count() == 1
    assert "%" in page.inner_text("#advice")
    decide(page, 0)
    assert page.locator("#advice *").count() == 0


def test_a_decision_is_taken_back_with_what_agents_made_of_it(sit_down):
    page = sit_down()
    begin(page, ["human", "corn", "random"])
    before = shown(page)
    decide(page, 1)
    assert shown(page) != before
    page.click("#undo")
    page.wait_for_selector(TURN)
    page.wait_for_selector("#undo:disabled")
    assert shown(page) == before


def drafting(page, players, seed, expansions=()):
    """Play a game of people at random up to workers that are put down, and show it."""
    chance, table = random.Random(seed), page.context.request
    asked = {"edition": "1897-en", "players": players, "seed": seed, "expansions": expansions}
    shown = table.post(page.url + "api/new", data=asked).json()
    while not (draft := shown["game"]["draft"]) or draft["kind"] != "staffing":
        action = chance.choice(shown["game"]["legal"])["action"]
        body = {"version": shown["version"], "action": action}
        shown = table.post(page.url + "api/act", data=body).json()
    page.reload()
    page.wait_for_selector("#moves.drafting")
    return draft


def test_workers_are_put_down_by_taps_and_sent_and_taken_back_as_one(sit_down):
    page = sit_down(TELEPHONE)
    draft = drafting(page, ["human", "human"], seed=3)
    before, drawn = state(page), page.inner_html("#board svg")
    hand = draft["pools"][0]["size"] - sum(draft["counts"].values())
    assert page.inner_text("#draft .hand") == f"Workers in hand: {hand}"
    assert page.is_disabled("[data-draft=done]")
    assert "nobody stays on the portrait" in page.inner_text("#draft .problem")
    page.click("[data-draft=clear]")
    while page.locator("#board .legal.add").count():
        page.locator("#board .legal.add").last.dispatch_event("click")
        page.wait_for_selector("#draft[aria-busy=false]")
    assert page.inner_text("#draft .problem") == ""
    assert page.inner_text("#draft .hand") == "Workers in hand: 0"
    assert page.inner_html("#board svg") != drawn
    assert state(page) == before  # nothing has been decided yet
    page.keyboard.press("Control+z")
    assert page.inner_text("#draft .hand") == "Workers in hand: 1"
    page.keyboard.press("Control+Shift+z")
    finish_draft(page)
    page.wait_for_selector("#undo:enabled")
    after = state(page)["game"]
    groups = {entry["group"] for entry in after["log"][len(before["game"]["log"]) :]}
    assert page.locator("#log .group").count() == 1
    assert page.locator("#log .group .entry").first.is_hidden()
    assert len(after["log"]) > len(before["game"]["log"])
    assert groups - {None} <= {len(before["game"]["log"])}
    page.click("#undo")
    page.wait_for_selector("#moves.drafting")
    assert state(page)["game"]["log"] == before["game"]["log"]
    page.click("#redo")
    page.wait_for_selector("#redo", state="hidden")
    assert state(page)["game"] == after


def test_a_draft_is_suggested_by_keyboard_and_can_be_made_one_by_one(sit_down):
    page = sit_down()
    drafting(page, ["human"] * 3, seed=5, expansions=list(ALL_EXPANSIONS))
    page.locator("[data-draft=suggest]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#draft .problem:has-text('planner')")
    assert page.inner_text("#draft .problem") == "As planner would do it."
    targets = page.locator("#draft button").evaluate_all(
        "(buttons) => buttons.map((one) => one.getBoundingClientRect())"
        ".map(({width, height}) => Math.min(width, height))"
    )
    assert min(targets) >= 24
    page.click("[data-draft=list]")
    assert page.locator("#moves [data-action]").count() == len(state(page)["game"]["legal"])
    page.click("[data-draft=open]")
    page.wait_for_selector("#moves.drafting")
    page.click("[data-draft=suggest]")
    page.wait_for_selector("#draft .problem:has-text('planner')")
    before = len(state(page)["game"]["log"])
    finish_draft(page)
    page.wait_for_selector("#undo:enabled")
    assert len(state(page)["game"]["log"]) > before


def test_where_one_barrel_is_all_that_is_kept_a_tap_decides(sit_down):
    page = sit_down()
    goods = {"corn": 2, "sugar": 2, "coffee": 1}
    record = board("storage", players=2, seats={0: {"goods": goods}}).to_record()
    asked = {"record": record, "players": ["human", "human"]}
    assert page.context.request.post(page.url + "api/load", data=asked).ok
    page.reload()
    page.wait_for_selector("#moves.drafting")
    assert page.inner_text("#draft .hand") == "Kept: 0 of 5"
    page.locator("#board .legal").last.click()
    page.wait_for_selector("#undo:enabled")
    kept = state(page)["game"]["log"][0]["words"]
    assert "keep" in kept
    assert "coffee" in kept
    page.click("#undo")
    page.wait_for_selector("#moves.drafting")
    assert state(page)["game"]["log"] == []


def test_a_game_is_saved_and_loaded(sit_down, tmp_path):
    page = sit_down()
    begin(page, ["human", "corn"], seed=5)
    for number in range(5):
        decide(page, number)
    before = shown(page)
    with page.expect_download() as download:
        page.click("#save")
    record = tmp_path / download.value.suggested_filename
    download.value.save_as(record)
    assert json.loads(record.read_text().splitlines()[0])["players"] == ["human", "corn"]
    other = sit_down()
    other.click("button[value=cancel]")
    other.set_input_files("#load", record)
    other.wait_for_selector(TURN)
    assert shown(other) == before
    other.set_input_files("#load", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"no"})
    other.wait_for_selector("#error:visible")
    assert "record" in other.inner_text("#error")
    assert shown(other) == before


def test_agents_are_watched_and_stopped(sit_down):
    page = sit_down()
    page.click("button[value=cancel]")
    page.select_option("#pace", "slow")
    page.click("#open-new")
    page.select_option("select[name=players]", "2")
    page.click("button[value=watch]")
    page.wait_for_selector('body[data-turn="agent"]')
    page.click("#pause")
    before = shown(page)
    assert page.inner_text("#pause") == "Go on"
    page.select_option("#pace", "instant")
    assert shown(page) == before
    page.click("#pause")
    page.wait_for_selector(OVER)
    assert "won" in page.inner_text("#status")


def test_everything_goes_by_keyboard_and_fits_a_telephone(sit_down):
    page = sit_down(TELEPHONE)
    begin(page, ["human", "corn"])
    spot = page.locator("#board .legal").first
    assert spot.get_attribute("aria-label").startswith("Choice of role")
    before = page.inner_text("#log")
    spot.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{TURN}:has(#undo:enabled)")
    assert page.inner_text("#log") != before
    page.click("#ask-hint")
    page.wait_for_selector("#advice li")
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]


def test_a_hint_that_takes_long_is_cancelled_and_the_game_goes_on(sit_down):
    page = sit_down()
    begin(page, ["human", "corn", "random"])
    add_adviser(page, LONG)
    page.click("#ask-hint")
    page.wait_for_selector("#thinking:visible")
    assert re.match(rf"{LONG} (thinks: \d+ s|waits: )", page.inner_text("#thinking span"))
    page.click("#cancel")
    page.wait_for_selector("#thinking", state="hidden")
    assert page.is_hidden("#error")
    assert page.locator("#advice *").count() == 0
    assert decide(page, 0)


def test_who_moves_while_a_hint_is_thought_about_does_not_wait_for_it(sit_down):
    page = sit_down()
    begin(page, ["human", "corn", "random"])
    add_adviser(page, LONG)
    page.click("#ask-hint")
    page.wait_for_selector("#thinking:visible")
    assert decide(page, 0)
    page.wait_for_selector("#thinking", state="hidden")
    assert page.is_hidden("#error")
    page.wait_for_selector("#undo:enabled")


def test_an_agent_that_thinks_long_is_stopped_by_taking_back(sit_down):
    page = sit_down()
    page.evaluate(
        """async (players) => fetch("/api/new", {
            method: "POST",
            headers: {"Content-Type": "application/json"},
            body: JSON.stringify({edition: "1897-en", players, seed: 7}),
        })""",
        ["human", LONG],
    )
    page.reload()
    page.wait_for_selector(TURN)
    while page.is_hidden("#thinking"):
        before = shown(page)
        page.locator("#moves [data-action]").first.click()
        page.wait_for_selector(f"{TURN}, #thinking:visible")
    page.click("#undo")
    page.wait_for_selector(TURN)
    page.wait_for_selector("#thinking", state="hidden")
    assert page.is_hidden("#error")
    assert shown(page) == before


def add_adviser(page, name):
    """Choose an adviser that the page may name, but does not list."""
    page.evaluate("(name) => document.querySelector('#adviser').add(new Option(name))", name)
    page.select_option("#adviser", name)
