"""A page whose every word comes from the messages of one language: each stands between marks."""

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from prico_env import ALL_EXPANSIONS
from prico_env.text import messages
from prico_env.text.localization import codes, load
from tests.text.added_files import MARKED_LANGUAGE, added_files, unmarked
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


@pytest.fixture
def marked(tmp_path):
    with added_files(tmp_path) as add:
        add(messages, "xx", MARKED_LANGUAGE)
        yield


def test_no_word_of_a_whole_game_on_the_page_comes_from_anywhere_but_the_messages(chromium, marked):
    with served() as address:
        browser = chromium.new_context(viewport=LAPTOP)
        page = browser.new_page()
        page.add_init_script(
            "localStorage.setItem('prico-pace', 'instant');"
            "localStorage.setItem('prico-language', 'xx')"
        )
        page.goto(address)
        page.wait_for_selector("dialog[open]")
        known = [
            *("Puerto Rico", "1897-en", "planner", "random", "XX"),
            *page.locator("#chairs select")
            .first.locator("option")
            .evaluate_all("all => all.map(one => one.value)"),
            *(load(code).name for code in codes()),
        ]

        def check(where):
            stray = {}
            for text in page.evaluate(TEXTS):
                if words := unmarked(text, known):
                    stray[text] = words
            assert not stray, f"{where}: {stray}"

        check("the panel for a new game")
        begin(page, ["human", "random"], seed=3, expansions=ALL_EXPANSIONS)
        check("the first board")
        page.click("#ask-hint")
        page.wait_for_selector("#advice p")
        check("a hint")
        number = 0
        while decide(page, number):
            number += 1
            if number % 25 == 1:
                check(f"decision {number}")
        check("the final score")
        browser.close()
