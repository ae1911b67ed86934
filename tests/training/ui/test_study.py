"""Study at the table: the replay of a game that is over, playing on from it, and puzzles."""

import random
import re

import pytest

pytest.importorskip("httpx")
pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

import httpx

from prico_env import Game, RecordError, RuleSet
from prico_training.puzzles.quiz import quiz_puzzles
from prico_training.ui import puzzle_terminal
from prico_training.ui.transcripts import read_recorded, record_until, recorded_text
from tests.training.ui.serving import served
from tests.training.ui.test_replay import data_of

PLAYERS = ["human", "corn", "planner"]


def finished() -> str:
    """The record of a short game that is over."""
    chance, game = random.Random(3), Game(RuleSet(3, max_rounds=2), 3)
    while not game.over:
        game.step(chance.choice(game.legal_actions()))
    return recorded_text(game, PLAYERS)


RECORD = finished()
HISTORY = Game.from_record(RECORD).history


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, served() as address:
        patch.setattr(puzzle_terminal, "data_folder", lambda: tmp_path_factory.mktemp("data"))
        yield address


@pytest.fixture
def browser(address):
    with httpx.Client(base_url=address, timeout=60) as browser:
        yield browser


# -- replays ---------------------------------------------------------------------------------------


def test_a_game_that_is_over_can_be_replayed_from_the_table_in_the_language_asked_for(browser):
    browser.post("/api/load", json={"record": RECORD})
    page = browser.get("/replay?language=de")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"].startswith("frame-ancestors 'none'")
    assert "default-src 'none'; script-src 'sha256-" in page.text
    data = data_of(page.text)
    assert (data["language"], len(data["moves"])) == ("de", len(HISTORY))
    table = browser.get("/api/game").json()["table"]["id"]
    assert data["playOn"] == f"/table/{table}?play-on="
    assert browser.get(f"/replay?table={table}&language=de").text == page.text


def test_a_game_that_goes_on_shows_no_replay_which_would_tell_what_to_play(browser):
    browser.post("/api/new", json={"edition": "1897-en", "players": PLAYERS, "seed": 7})
    refused = browser.get("/replay")
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "this game goes on; it can be replayed when it is over",
    )


def test_a_game_is_played_on_from_any_of_its_decisions(browser):
    before = browser.post("/api/load", json={"record": RECORD}).json()
    free = [place for place, move in enumerate(HISTORY) if not move.forced]
    place = free[len(free) // 2]
    asked = {"decision": place, "players": ["human", "human", "corn"], "names": ["Ann", None, None]}
    table = before["table"]["id"]
    after = browser.post(f"/api/play_on?table={table}", json=asked).json()
    assert after["game"]["over"] is False
    assert after["table"]["id"] != table
    assert [entry["action"] for entry in after["game"]["log"]] == [
        move.action for move in HISTORY[:place]
    ]
    assert after["game"]["turn"] == HISTORY[place].seat
    assert (after["game"]["players"], after["game"]["names"][0]) == (asked["players"], "Ann")
    assert browser.get(f"/api/game?table={table}").json()["game"]["over"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"decision": -1}, "no decision -1"),
        ({"decision": 10_000}, "no decision 10000"),
        ({"decision": "x"}, "'decision' cannot be"),
        ({"players": ["human", "corn"]}, "2 players"),
        ({"players": ["human", "corn", "os:system"]}, "no agent 'os:system' is offered"),
        ({"more": 1}, "'more' is unknown here"),
    ],
)
def test_what_cannot_be_played_on_is_refused_and_changes_nothing(browser, change, says):
    before = browser.post("/api/load", json={"record": RECORD}).json()
    refused = browser.post("/api/play_on", json={"decision": 3, "players": PLAYERS} | change)
    assert refused.status_code in (400, 409)
    assert says in refused.json()["error"]
    assert browser.get("/api/game").json()["table"]["id"] == before["table"]["id"]


def test_nobody_plays_on_where_others_still_play(address, browser):
    asked = {"edition": "1897-en", "players": ["human", "human", "corn"], "open": [1]}
    table = browser.post("/api/new", json=asked).json()["table"]["id"]
    with httpx.Client(base_url=address) as other:
        asked = {"decision": 0, "players": PLAYERS}
        refused = other.post(f"/api/play_on?table={table}", json=asked)
    assert refused.status_code == 403
    assert "others still play here" in refused.json()["error"]


def test_a_record_up_to_a_decision_takes_the_forced_ones_there_along():
    recorded = read_recorded(RECORD)
    for place in range(len(HISTORY) + 1):
        begun = read_recorded(record_until(recorded, place))
        end = next((p for p in range(place, len(HISTORY)) if not HISTORY[p].forced), len(HISTORY))
        assert begun.game().history == HISTORY[:end]
        assert begun.players == tuple(PLAYERS)
    with pytest.raises(RecordError, match="no decision"):
        record_until(recorded, len(HISTORY) + 1)


# -- puzzles ---------------------------------------------------------------------------------------


def test_a_puzzle_is_asked_without_its_answer_and_judged(browser):
    first = quiz_puzzles()[0]
    game = first.game()
    asked = browser.get("/api/puzzle?number=0")
    view = asked.json()
    assert [move["name"] for move in view["legal"]] == [*map(game.name, game.legal_actions())]
    assert len(view["keys"]) == len(set(view["keys"])) == len(quiz_puzzles())
    assert view["board"].startswith("<svg")
    assert not {"answer", "answers", "best", "right"} & view.keys()
    wrong = next(each for each in view["legal"] if each["name"] not in first.answers)
    for name in (first.answers[0], wrong["name"]):
        action = name if name in first.answers else wrong["action"]
        said = browser.post("/api/puzzle_answer", json={"number": 0, "action": action}).json()
        assert said["right"] == (name in first.answers)
        assert game.name(said["best"]) in first.answers
        assert said["reasons"]


def test_puzzles_come_by_kind_and_in_the_language_asked_for(browser):
    view = browser.get("/api/puzzle?kind=load&number=1&language=fr").json()
    assert len(view["keys"]) == len(quiz_puzzles(kind="load"))
    assert view["about"].endswith("?")
    assert "joueurs" in view["about"]
    load = next(kind for kind in view["kinds"] if kind["name"] == "load")
    assert load["words"] == "que charger"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("?number=1000", 404), ("?number=-1", 404), ("?number=x", 404), ("?number=²", 404),
        ("?kind=ship", 400), ("?layout=round", 400),
    ],
)  # fmt: skip
def test_a_puzzle_that_there_is_not_is_refused(browser, path, status):
    assert browser.get(f"/api/puzzle{path}").status_code == status


def test_what_is_not_allowed_is_no_answer(browser):
    for action in ("role:pope", "role:mayor", -1, 10**9):
        asked = {"number": 0, "action": action}
        assert browser.post("/api/puzzle_answer", json=asked).status_code in (400, 409)


# -- in a browser ----------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_person_studies_a_game_plays_on_from_it_and_solves_a_puzzle(chromium, address, tmp_path):
    from playwright.sync_api import expect

    expect.set_options(timeout=20_000)
    file = tmp_path / "game.jsonl"
    file.write_text(RECORD, encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB")
    wrong = []
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(address)
    tab.click("dialog button[value=cancel]")
    tab.set_input_files("#load", str(file))
    tab.click("#replay")
    tab.wait_for_selector("#costly .jump")
    tab.locator("#costly .jump").first.click()
    number = int(re.search(r"#(\d+)$", tab.url)[1])
    tab.keyboard.press("ArrowLeft")
    tab.click("#play-on")
    tab.wait_for_selector("dialog#play-on[open]")
    tab.select_option("dialog#play-on select >> nth=1", "human")
    tab.click("dialog#play-on button[value=play]")
    expect(tab.locator("body")).to_have_attribute("data-turn", "person")
    state = tab.evaluate("fetch('/api/game').then((answer) => answer.json())")
    assert len(state["game"]["log"]) >= number - 1
    assert state["game"]["players"] == ["human", "human", "planner"]

    first = quiz_puzzles()[0]
    game = first.game()
    names = [game.name(action) for action in game.legal_actions()]
    mistake = next(name for name in names if name not in first.answers)
    tab.goto(f"{address}/puzzle")
    tab.click(f'#moves button[data-name="{mistake}"]')
    verdict = tab.locator("#verdict")
    expect(verdict).to_have_class("wrong")
    expect(verdict).to_contain_text("Not the best")
    assert tab.locator("#verdict li").count() >= 2
    expect(tab.locator(f'#moves button[data-name="{first.answers[0]}"]')).to_have_class(
        re.compile("hinted-move")
    )
    expect(tab.locator("#score")).to_have_text("Right: 0 of 1.")
    tab.keyboard.press("Enter")  # the focus is on the next puzzle
    expect(tab.locator("#title")).to_contain_text("Puzzle 2")
    expect(verdict).to_be_empty()
    second = quiz_puzzles()[1]
    tab.click(f'#moves button[data-name="{second.answers[0]}"]')
    expect(verdict).to_have_class("right")
    tab.reload()
    expect(tab.locator("#title")).to_contain_text("Puzzle 3")
    assert wrong == []
    tab.close()
