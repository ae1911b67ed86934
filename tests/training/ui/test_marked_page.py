"""A page whose every word comes from the messages of one language: each stands between marks."""

import calendar
import random

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from prico_env import ALL_EXPANSIONS, Game, RuleSet, catalog
from prico_env.text import messages, override
from prico_env.text.localization import codes, load
from prico_training.ui.replay import replay_html
from tests.text.added_files import MARKED_LANGUAGE, added_files, unmarked
from tests.training.ui.playing import OVER, TURN, play_by_requests, state_of
from tests.training.ui.serving import served
from tests.training.ui.test_browser import LAPTOP, begin, decide

pytestmark = pytest.mark.browser

TEXTS = """() => {
  const shown = (element) => element.checkVisibility?.() ?? true;
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: home, data } = walker.currentNode;
    if (shown(home) && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(home.tagName)) texts.push(data);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "placeholder", "alt", "data-hint"]) {
      if (element.hasAttribute(name)) texts.push(...element.getAttribute(name).split("\\n"));
    }
  }
  return texts;
}"""

KEYS_AND_DATES = ("Ctrl", "Shift", "Esc", "Enter", *calendar.month_abbr[1:], "AM", "PM")


@pytest.fixture
def marked(tmp_path):
    with added_files(tmp_path) as add:
        add(messages, "xx", MARKED_LANGUAGE)
        yield


def stray_words(page, known):
    """What a page shows that stands between no marks."""
    found = {text: unmarked(text, known) for text in page.evaluate(TEXTS)}
    return {text: words for text, words in found.items() if words}


@pytest.fixture
def marked_page(chromium, marked):
    browser = chromium.new_context(viewport=LAPTOP)
    page = browser.new_page()
    page.add_init_script(
        "localStorage.setItem('prico-pace', 'instant');localStorage.setItem('prico-language', 'xx')"
    )
    yield page
    browser.close()


def test_no_word_of_a_whole_game_on_the_page_comes_from_anywhere_but_the_messages(marked_page):
    page = marked_page
    with served() as address:
        page.goto(address)
        page.wait_for_selector("dialog[open]")
        agents = page.locator("#chairs select").first.locator("option")
        known = [
            *("Puerto Rico", "XX", *catalog.names()),
            *agents.evaluate_all("all => all.map(one => one.value)"),
            *(load(code).name for code in codes()),
        ]
        assert stray_words(page, known) == {}
        begin(page, ["human", "random"], seed=3, expansions=ALL_EXPANSIONS)
        assert stray_words(page, known) == {}
        page.click("#ask-hint")
        page.wait_for_selector("#advice p")
        for name in ("keys", "games"):
            page.click(f"#open-{name}")
            page.wait_for_selector(f"#{name}[open]")
            assert stray_words(page, [*known, *KEYS_AND_DATES]) == {}
            page.keyboard.press("Escape")
        chance = random.Random(3)
        while decide(page, 1):
            assert stray_words(page, known) == {}
            then = len(state_of(page, address)["game"]["log"]) + 40
            play_by_requests(
                [page],
                address,
                lambda game, then=then: game["over"] or len(game["log"]) >= then,
                chance.choice,
            )
            page.wait_for_selector(f"{TURN}, {OVER}")
        assert stray_words(page, known) == {}
        for place in ("how-to-play?edition=1897-en&players=3&language=xx", "puzzle"):
            page.goto(f"{address}/{place}")
            page.wait_for_load_state("networkidle")
            assert stray_words(page, known) == {}


def test_no_word_of_a_replay_comes_from_anywhere_but_the_messages(marked_page):
    game = Game(RuleSet(2, "1897-en", ALL_EXPANSIONS), seed=3)
    for _ in range(40):
        game.step(game.legal_actions()[-1])
    with override("xx"):
        marked_page.set_content(replay_html(game, "corn", layouts=["wide"], language="xx"))
    marked_page.wait_for_selector("#replay:not([hidden])")
    for key in ("Home", "End"):
        marked_page.keyboard.press(key)
        assert stray_words(marked_page, ["Puerto Rico", "1897-en", "corn", "prico", "serve"]) == {}
