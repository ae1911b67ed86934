"""Cards on the page: whoever looks at a place is told about it, and nothing that is hidden."""

import html

import pytest

pytest.importorskip("httpx")
pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")


from prico_env import RuleSet, catalog
from prico_env.text.how_to_play import how_to_play
from prico_env.text.localization import override
from tests.training.ui.axe import violations
from tests.training.ui.browsers import resize
from tests.training.ui.playing import TURN

NEW = {"edition": "classic", "players": ["human", "corn", "human"], "seed": 7}


def card_of(browser, anchor, **more):
    answer = browser.get("/api/card", params={"anchor": anchor, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["card"]


def facts_of(card):
    return {fact["label"]: fact["value"] for fact in card["facts"]}


def test_a_place_is_explained_to_who_sits_there(visit):
    browser = visit()
    state = browser.post("/api/new", json=NEW).json()
    answer = browser.get("/api/card", params={"anchor": "role-settler"}).json()
    assert answer["version"] == state["version"]
    assert answer["card"]["title"] == "Settler"
    assert answer["card"]["outcomes"][0]["words"] == "Choice of role: take the settler card"
    assert answer["card"]["rules"][0]["number"] == "R-STL-1"
    german = card_of(browser, "shop-hospice", language="de")
    assert german["title"] == "Hospiz"
    assert facts_of(german)["dein Preis jetzt"] == "4 Dublonen"


@pytest.mark.parametrize("anchor", ["", "nowhere", "ship-9", "x" * 3000])
def test_a_place_that_is_not_there_is_refused(visit, anchor):
    browser = visit()
    browser.post("/api/new", json=NEW)
    answer = browser.get("/api/card", params={"anchor": anchor})
    assert answer.status_code == 400
    assert "no place of this board" in answer.json()["error"]


def test_nobody_reads_the_cards_of_a_seat_that_is_not_theirs(visit):
    """Hidden VP are told to their owner alone, whoever knows the link of the table."""
    host, other = visit(), visit()
    table = host.post("/api/new", json=NEW).json()["table"]["id"]
    assert "?" not in facts_of(card_of(host, "vp-0", seat=0)).values()
    watched = facts_of(card_of(other, "vp-0", table=table))
    assert set(watched.values()) == {"?"}
    for seat in (0, 1, 2):
        refused = other.get("/api/card", params={"anchor": "vp-0", "seat": seat, "table": table})
        assert refused.status_code == 403
    for seat in ("7", "-1", "x"):
        refused = host.get("/api/card", params={"anchor": "vp-0", "seat": seat})
        assert refused.status_code == 400


def test_the_board_of_a_puzzle_is_explained_to_who_has_to_decide(visit):
    asked = {"number": 0, "anchor": "role-captain", "language": "en"}
    shown = visit().get("/api/puzzle_card", params=asked).json()["card"]
    assert shown["title"] == "Captain"
    refused = visit().get("/api/puzzle_card", params={"number": 10**6, "anchor": "house"})
    assert refused.status_code == 404


@pytest.mark.parametrize("code", ["en", "de", "fr"])
@pytest.mark.parametrize("edition", catalog.names())
def test_every_edition_tells_how_it_is_played_in_every_language(visit, edition, code):
    asked = {"edition": edition, "language": code, "players": "3"}
    page = visit().get("/how-to-play", params=asked)
    assert page.status_code == 200
    assert f'<html lang="{code}">' in page.text
    with override(code):
        parts = how_to_play(RuleSet(3, edition))
    told = html.unescape(page.text)
    for part in parts:
        assert f'id="{part.key}">{part.title}<' in told
        assert all(paragraph in told for paragraph in part.paragraphs)
        assert all(cell in told for row in (part.table.rows if part.table else ()) for cell in row)
    roles = [part.title for part in parts if part.key.startswith("role-")]
    assert len(roles) == 7
    buildings = next(part for part in parts if part.key == "buildings")
    assert len(buildings.table.rows) == 23


def test_how_to_play_is_refused_for_what_there_is_not(visit):
    for asked in ({"edition": "1066"}, {"players": "7"}, {"players": "x"}, {"language": "xx"}):
        refused = visit().get("/how-to-play", params=asked)
        assert refused.status_code == 400, asked
        assert refused.json()["error"]


@pytest.mark.browser
def test_a_card_shows_by_mouse_focus_key_and_tap_beside_its_place(chromium, address):
    page = chromium.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_default_timeout(20_000)
    page.goto(address)
    page.wait_for_selector("dialog[open]")
    page.fill("input[name=seed]", "7")
    page.click("button[value=play]")
    page.wait_for_selector(TURN)
    card, harbor = page.locator("#card"), page.locator('[data-anchor="shop-harbor"]')

    harbor.hover()
    card.wait_for(state="visible")
    assert card.locator("h3").inner_text().startswith("Harbor")
    assert "8 coins" in card.inner_text()
    assert card.get_attribute("role") == "tooltip"
    assert harbor.get_attribute("aria-describedby") == "card"
    assert are_apart(card.bounding_box(), harbor.bounding_box())
    page.mouse.move(640, 4)
    card.wait_for(state="hidden")

    settler = page.locator('[data-anchor="role-settler"] .legal')
    page.keyboard.press("Tab")  # from here on the focus is that of a keyboard
    settler.focus()
    card.wait_for(state="visible")
    assert "Planter" in card.inner_text()
    page.keyboard.press("?")
    page.wait_for_selector("#card[role=dialog]:focus")
    assert card.locator("details").count() == 1
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
    assert settler.evaluate("spot => spot === document.activeElement")

    trader = page.locator('[data-anchor="role-trader"] .legal')
    for step in ("pointerdown", "pointerup"):  # a finger that stays, where a tap would decide
        trader.dispatch_event(step, {"pointerType": "touch", "bubbles": True})
        if step == "pointerdown":
            page.wait_for_selector("#card[role=dialog]:focus")
    trader.dispatch_event("click")
    assert "Trader" in card.inner_text()
    page.keyboard.press("Escape")
    page.locator('[data-anchor="house"]').tap()
    page.wait_for_selector("#card[role=dialog]:focus")
    assert "Trading house" in card.inner_text()
    page.locator('[data-anchor="deck"]').click()
    page.locator("#card", has_text="Face-down").wait_for()
    card.locator("button").click()
    card.wait_for(state="hidden")

    page.locator('[data-anchor="deck"]').click()
    card.wait_for(state="visible")
    resize(page, 1200, 800)
    card.wait_for(state="hidden")
    assert page.locator(TURN).count() == 1  # nothing was decided
    assert wrong == []
    page.context.close()


@pytest.mark.browser
def test_who_never_saw_the_buildings_can_choose_among_them_by_keyboard(chromium, address):
    """The draft: what each choice does stands beside it, and its card has the rest."""
    page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(20_000)
    page.add_init_script("localStorage.setItem('prico-language', 'en')")
    page.goto(address)
    page.wait_for_selector("dialog[open]")
    page.check("input[value=buildings]")
    page.fill("input[name=seed]", "7")
    page.click("button[value=play]")
    page.wait_for_selector(TURN)
    office = page.locator('#moves button[data-name="board:office"]')
    assert (
        "5 coins. You may sell a kind that the Trading House already holds." in office.inner_text()
    )
    office.focus()
    page.keyboard.press("?")
    card = page.locator("#card[role=dialog]:focus")
    card.wait_for()
    assert "list price" in card.inner_text()
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert office.evaluate("button => button === document.activeElement")

    page.locator('[data-anchor="ship-1"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.anchor") == "ship-2"
    page.keyboard.press("Enter")
    page.locator("#card", has_text="Ship 2").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.dataset.anchor") == "ship-2"
    stops = page.locator('#board [data-anchor][tabindex="0"]').count()
    assert stops == 1  # the others are reached by arrow keys
    page.locator("#status").click()
    page.locator("#card", has_text="Choice of buildings").wait_for()
    page.context.close()


def are_apart(one, other):
    """Whether two boxes do not lie over each other."""
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )
