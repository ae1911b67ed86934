"""The page in the language of who looks at it, whatever language the edition is printed in."""

import pytest

pytest.importorskip("httpx")
pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

import httpx

from prico_env.text.localization import codes, load, override
from prico_training.puzzles.puzzle import read_puzzles
from prico_training.ui.puzzle_terminal import puzzle_about

NEW = {"edition": "1897-en", "players": ["human", "human"], "seed": 7}


@pytest.fixture
def browser(address):
    with httpx.Client(base_url=address, timeout=60) as browser:
        yield browser


def test_the_words_of_the_page_come_in_the_language_asked_for_with_a_list_of_all(browser):
    answer = browser.get("/api/messages?language=de").json()
    assert answer["language"] == "de"
    assert {"code": "fr", "name": "Français"} in answer["languages"]
    assert [one["code"] for one in answer["languages"]] == list(codes())
    assert answer["messages"] == {**load("de").page, "colon": ": "}


@pytest.mark.parametrize(
    ("prefers", "spoken"),
    [("fr-CA,fr;q=0.9,en;q=0.8", "fr"), ("ja, de;q=0.5", "de"), ("ja", "en"), ("", "en")],
)
def test_a_browser_that_has_chosen_no_language_gets_the_first_it_prefers_that_we_have(
    browser, prefers, spoken
):
    answer = browser.get("/api/messages", headers={"Accept-Language": prefers})
    assert answer.json()["language"] == spoken


def test_a_game_is_told_to_each_person_in_their_own_language_from_its_first_decision_on(browser):
    state = browser.post("/api/new?language=de", json=NEW).json()
    asked = {"version": state["version"], "action": "role:settler"}
    german = browser.post("/api/act?language=de", json=asked).json()["game"]
    french = browser.get("/api/game?language=fr").json()["game"]
    printed = browser.get("/api/game").json()["game"]
    for game, language, first, phase in (
        (german, "de", "Rollenwahl: Pflanzer nehmen", "Pflanzphase"),
        (french, "fr", "Choix du rôle\u00a0: prendre la carte planteur", "phase de plantation"),
        (printed, "en", "Choice of role: take the Planter card", "Planting phase"),
    ):
        assert game["language"] == language
        assert game["log"][0]["words"] == first
        assert game["phase"] == phase
    assert "Runde 1" in german["board"]
    assert "Manche 1" in french["board"]
    version = browser.get("/api/game").json()["version"]
    browser.post("/api/undo", json={"version": version})
    asked = {"version": version + 1, "action": "role:builder"}
    assert browser.post("/api/act", json=asked).status_code == 200
    french = browser.get("/api/game?language=fr").json()["game"]
    assert [entry["words"] for entry in french["log"]] == [
        "Choix du rôle\u00a0: prendre la carte bâtisseur"
    ]


def test_what_there_is_to_choose_is_said_in_the_language_asked_for(browser):
    choices = browser.get("/api/choices?language=de").json()
    titles = [one["title"] for one in choices["editions"]]
    assert "die Ausgabe 1897, auf Deutsch" in titles
    assert choices["agents"][0]["about"].startswith("Probiert jede Entscheidung")


def test_games_and_puzzles_are_named_in_the_language_asked_for(browser):
    browser.post("/api/new", json={**NEW, "expansions": ["festival"]})
    listed = browser.get("/api/tables?language=de").json()["tables"]
    assert listed[0]["title"] == "Die Ausgabe 1897, auf Englisch, IV Fest"
    puzzle = next(one for one in read_puzzles().values() if one.source == "self-play")
    for code in codes():
        with override(code):
            title = load(code).page[f"edition_{puzzle.game().rules.edition}"]
            assert puzzle_about(puzzle).casefold().startswith(title.casefold())


def test_a_language_that_there_is_not_is_refused_with_the_list_and_nothing_is_done(browser):
    before = browser.post("/api/new", json=NEW).json()
    answer = browser.post("/api/undo?language=tlh", json={"version": before["version"]})
    assert answer.status_code == 400
    assert "no language is called 'tlh'; the languages are de, en, fr" in answer.json()["error"]
    assert browser.get("/api/game").json() == before
