"""The web page's server: what it answers, to whom, and what it refuses."""

import gc
import json
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
import weakref

import pytest

pytest.importorskip("httpx")
pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

import httpx

from prico_env import ALL_EXPANSIONS, Game
from prico_training.errors import ConfigError
from prico_training.ui import playing, requests
from prico_training.ui.admission import MOST_HEADER_BYTES
from prico_training.ui.limits import Limits
from prico_training.ui.requests import MOST_BYTES
from prico_training.ui.server import PAGE, listen, make_app
from tests.training.ui.players import Sleeper
from tests.training.ui.serving import run_apart, served

PLAYERS = "tests.training.ui.players"
LONG = "mcts:900000"
SLEEPER = f"{PLAYERS}:Sleeper"
NEW = {"edition": "1897-en", "players": ["human", "corn", "random"], "seed": 7}


@pytest.fixture
def browser(visit):
    return visit()


def begin(browser, **asked):
    """What a browser is shown of a new game."""
    answer = browser.post("/api/new", json=NEW | asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def go_on(browser, state, action=None):
    """One decision more; people take the first allowed action or the one that is named."""
    body = {"version": state["version"]}
    if state["game"]["waits_for_person"]:
        body["action"] = state["game"]["legal"][0]["action"] if action is None else action
        answer = browser.post("/api/act", json=body)
    else:
        answer = browser.post("/api/advance", json=body | {"all": True})
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- a game ----------------------------------------------------------------------------------------


def test_the_page_and_every_file_it_names_are_there(browser):
    page = browser.get("/")
    assert page.status_code == 200
    assert page.headers["content-security-policy"].startswith("default-src 'self'")
    modules = "".join(module.read_text(encoding="utf-8") for module in PAGE.glob("*.js"))
    files = re.findall(r'"/(static/[^"]+)"', page.text)
    files += [f"static/{name}" for name in re.findall(r'from "\./([^"]+)"', modules)]
    assert len(files) >= 5
    assert all(browser.get(f"/{file}").status_code == 200 for file in files)
    assert "<style" not in page.text
    assert re.findall(r"<script(?![^>]*src=)", page.text) == []


def test_a_person_plays_to_the_end(browser):
    state = begin(browser, players=["human", "corn"])
    assert state["game"]["legal"][0]["words"].startswith("Choice of role: take the")
    for _ in range(500):
        if state["game"]["over"]:
            break
        state = go_on(browser, state)
    result = state["game"]["result"]
    assert sorted(result["places"])[0] == 1
    *items, total = result["items"]
    for seat in range(2):
        assert total["points"][seat] == sum(item["points"][seat] for item in items)
    assert state["game"]["legal"] == []
    assert browser.get("/api/game").json() == state


def test_any_game_that_can_be_chosen_can_be_begun(browser):
    for edition in browser.get("/api/choices").json()["editions"]:
        expansions = [one["name"] for one in edition["expansions"]]
        for board in ("draft", "random"):
            state = begin(
                browser,
                edition=edition["name"],
                expansions=expansions,
                board=board,
                players=["human"] * 5,
            )
            assert state["game"]["expansions"] == expansions
            assert (state["game"]["legal"][0]["name"].startswith("board:")) == (board == "draft")


def test_the_board_is_drawn_as_the_person_may_see_it_in_the_shape_that_is_asked_for(browser):
    state = begin(browser)
    wide, tall = (
        browser.get("/api/game", params={"layout": layout}).json()["game"]["board"]
        for layout in ("wide", "tall")
    )
    assert state["game"]["board"] == wide != tall
    assert browser.get("/api/game", params={"layout": "round"}).status_code == 400


def test_anchors_of_legal_moves_are_in_the_drawing(browser):
    state = begin(browser, expansions=list(ALL_EXPANSIONS), players=["human"] * 3)
    chance = random.Random(1)
    for _ in range(40):
        for move in state["game"]["legal"]:
            anchor = move["anchor"]
            assert anchor == "" or f'data-anchor="{anchor}"' in state["game"]["board"], move
        state = go_on(browser, state, chance.choice(state["game"]["legal"])["action"])


def test_undo_redo_and_hint(browser):
    first = begin(browser)
    hint = browser.get("/api/hint", params={"agent": "planner"}).json()
    assert hint["version"] == first["version"]
    assert hint["hint"]["action"] in [move["action"] for move in first["game"]["legal"]]
    assert hint["hint"]["reasons"]
    assert hint["hint"]["candidates"][0]["words"]
    second = go_on(browser, first)
    third = browser.post("/api/undo", json={"version": second["version"]}).json()
    assert third["version"] > second["version"]
    assert third["game"] == first["game"] | {"can_redo": True}
    fourth = browser.post("/api/redo", json={"version": third["version"]}).json()
    assert fourth["version"] > third["version"]
    assert fourth["game"] == second["game"]


def test_a_draft_is_looked_at_suggested_sent_and_taken_back_as_one(browser):
    state = begin(browser, players=["human", "human"], seed=3)
    chance = random.Random(3)
    while not state["game"]["draft"] or not state["game"]["draft"]["rooms"]:
        state = go_on(browser, state, chance.choice(state["game"]["legal"])["action"])
    version, draft = state["version"], state["game"]["draft"]
    body = {"version": version, "counts": draft["cleared"]}
    cleared = browser.post("/api/draft", json=body).json()["draft"]
    assert "in hand" in cleared["problem"]
    assert cleared["actions"] == []
    assert cleared["board"] != state["game"]["board"]
    filled = browser.post("/api/draft", json=body | {"fill": True}).json()["draft"]
    assert filled["problem"] == ""
    assert len(filled["moves"]) == len(filled["actions"]) > 0
    suggested = browser.post("/api/suggest", json={"version": version}).json()["draft"]
    assert suggested["problem"] == ""
    refused = browser.post("/api/draft", json=body | {"counts": {"worker:moon": 1}})
    assert (refused.status_code, "no place 'worker:moon'" in refused.text) == (400, True)
    assert browser.get("/api/game").json() == state
    made = {"version": version, "actions": suggested["actions"]}
    after = browser.post("/api/act", json=made).json()
    assert after["version"] == version + 1
    back = browser.post("/api/undo", json={"version": after["version"]}).json()
    assert back["game"] == state["game"] | {"can_redo": True}


def test_nobody_drafts_what_another_is_to_decide(browser):
    state = begin(browser)
    for path, more in (("draft", {"counts": {}}), ("suggest", {})):
        answer = browser.post(f"/api/{path}", json={"version": state["version"], **more})
        assert answer.status_code == 409
        assert "not one of those that are drafted" in answer.json()["error"]


def test_a_saved_game_is_loaded_by_another_browser(browser, visit):
    state = begin(browser)
    for _ in range(12):
        state = go_on(browser, state)
    saved = browser.get("/api/record")
    assert "prico-1897-en-3p-seed7.jsonl" in saved.headers["content-disposition"]
    loaded = visit().post("/api/load", json={"record": saved.text}).json()
    assert loaded["game"] == state["game"]


@pytest.mark.parametrize(("place", "line"), [("players", 0), ("reasons", 1)])
def test_half_of_a_pair_in_a_record_is_refused_and_any_end_of_a_line_is_kept(browser, place, line):
    state = begin(browser)
    browser.get("/api/hint", params={"agent": "planner"})
    go_on(browser, state)
    lines = browser.get("/api/record").text.split("\n")
    before, begun, after = lines[line].partition(f'"{place}": ["')
    assert begun
    for letter, status in (("\u2028", 200), ("\x85", 200), ("\\ud800", 400)):
        lines[line] = before + begun + letter + after
        answer = browser.post("/api/load", json={"record": "\n".join(lines)})
        assert answer.status_code == status
        assert browser.get("/api/record").status_code == 200
    assert answer.json()["error"].startswith(f"line {line + 1} of the game record")


def test_a_game_from_a_position_is_loaded_played_and_saved(browser):
    position = {"rules": {"players": 3}, "phase": "settler", "actor": 0, "row": {"coffee": 4}}
    begun = Game.from_dict(position)
    begun.step("take:coffee")
    asked = {"record": begun.to_record(), "players": ["human"] * 3}
    state = browser.post("/api/load", json=asked).json()
    assert state["game"]["seed"] is None
    assert state["game"]["log"][0]["words"].startswith("Planter: take a coffee")
    go_on(browser, state)
    saved = browser.get("/api/record")
    assert "prico-1897-en-3p-position.jsonl" in saved.headers["content-disposition"]
    assert Game.from_record(saved.text).start == begun.start


def test_agents_of_a_record_that_are_not_offered_are_replaced(browser):
    begin(browser)
    text = browser.get("/api/record").text.replace('"corn"', '"os:abort"')
    loaded = browser.post("/api/load", json={"record": text}).json()
    assert loaded["game"]["players"] == ["human", "planner", "random"]


def test_two_browsers_play_two_games(visit):
    one, other = visit(), visit()
    state = begin(one)
    begin(other, seed=8)
    before = other.get("/api/game").json()
    go_on(one, state)
    assert other.get("/api/game").json() == before
    assert before["game"]["seed"] == 8


def test_the_browser_that_was_away_longest_loses_its_game(visit):
    with served(limits=Limits(sessions=2, away_minutes=0)) as other:
        first, second, third = visit(other), visit(other), visit(other)
        begin(first)
        begin(second)
        first.get("/api/game")
        begin(third)
        games = [browser.get("/api/game").json()["game"] for browser in (first, second, third)]
        assert [game is not None for game in games] == [True, False, True]
        assert second.get("/api/hint").status_code == 404


def test_others_are_answered_while_an_agent_thinks(visit):
    Sleeper.asked.clear()
    Sleeper.woken.clear()
    with served([f"{PLAYERS}:Sleeper"]) as other:
        browser, answers = visit(other), []
        state = begin(browser, players=[f"{PLAYERS}:Sleeper", "human"])
        thinking = threading.Thread(target=lambda: answers.append(go_on(browser, state)))
        thinking.start()
        assert Sleeper.asked.wait(60)
        assert visit(other).get("/api/choices").status_code == 200
        assert answers == []
        Sleeper.woken.set()
        thinking.join(60)
    assert answers[0]["game"]["log"]


# -- agents that think long ------------------------------------------------------------------------


@pytest.fixture
def slow_table(visit):
    """A table with an agent that thinks until it is woken, and one core for searches."""
    Sleeper.asked.clear()
    Sleeper.woken.clear()
    with served([SLEEPER], Limits(searches=1, queue=1, simulations=900_000)) as other:
        yield lambda: visit(other)
        Sleeper.woken.set()


def ask(browser, path, **parameters):
    """Ask meanwhile; gives the answers as they come."""
    answers = []
    asking = threading.Thread(target=lambda: answers.append(browser.get(path, params=parameters)))
    asking.start()
    return asking, answers


def until_thinking(browser):
    """What is said of the search, as soon as it is one."""
    while (progress := browser.get("/api/thinking").json()["thinking"]) is None:
        time.sleep(0.01)
    return progress


def test_who_waits_for_a_search_is_told_how_many_come_first_and_may_cancel(slow_table):
    one, other, third = slow_table(), slow_table(), slow_table()
    for browser, edition in ((one, "1897-en"), (other, "1897-de"), (third, "classic")):
        begin(browser, edition=edition)
        assert browser.get("/api/thinking").json() == {"thinking": None}
    first, _ = ask(one, "/api/hint", agent=SLEEPER)
    assert Sleeper.asked.wait(60)
    assert until_thinking(one)["words"].startswith("players:Sleeper thinks: ")
    second, answers = ask(other, "/api/hint", agent="mcts:400")
    progress = until_thinking(other)
    assert progress["before"] == 1
    assert progress["words"] == "mcts:400 wartet: 1 Suche vor dieser"
    assert progress["cancel"] == "Abbrechen"
    full = third.get("/api/hint", params={"agent": "mcts:400"})
    assert full.status_code == 503
    assert "1 searches wait already" in full.json()["error"]
    assert third.get("/api/hint").status_code == 200  # the planner decides at once
    assert other.post("/api/cancel", json={}).json() == {"cancelled": True}
    assert other.post("/api/cancel", json={}).json() == {"cancelled": False}
    second.join(60)
    assert answers[0].status_code == 409
    assert answers[0].json()["called_off"]
    Sleeper.woken.set()
    first.join(60)


@pytest.mark.parametrize("path", ["/api/act", "/api/new"])
def test_a_hint_about_a_table_that_has_changed_is_called_off(slow_table, path):
    browser, same = slow_table(), slow_table()
    state = begin(browser)
    same.cookies = browser.cookies
    asking, answers = ask(same, "/api/hint", agent=LONG)
    until_thinking(browser)
    move = {"version": state["version"], "action": state["game"]["legal"][0]["action"]}
    after = browser.post(path, json=move if path == "/api/act" else NEW)
    assert after.status_code == 200
    asking.join(60)
    assert answers[0].status_code == 409
    assert browser.get("/api/thinking").json() == {"thinking": None}
    assert browser.get("/api/game").json() == after.json()


def test_an_agent_that_thinks_long_at_its_turn_can_be_stopped_and_asked_again(slow_table):
    browser, same = slow_table(), slow_table()
    state = begin(browser, players=[LONG, "human"])
    same.cookies = browser.cookies
    turn, answers = {"version": state["version"], "all": True}, []
    for _ in range(2):
        asking = threading.Thread(
            target=lambda: answers.append(same.post("/api/advance", json=turn))
        )
        asking.start()
        assert until_thinking(browser)["agent"] == LONG
        busy = browser.post("/api/advance", json=turn)
        assert busy.status_code == 409
        assert "is thinking already" in busy.json()["error"]
        assert browser.post("/api/cancel", json={}).json() == {"cancelled": True}
        asking.join(60)
    assert [answer.json()["called_off"] for answer in answers] == [True, True]
    assert browser.get("/api/game").json() == state


def test_a_browser_that_goes_away_calls_its_search_off(slow_table):
    browser, other = slow_table(), slow_table()
    begin(browser)
    begin(other)
    with pytest.raises(httpx.ReadTimeout):
        browser.get("/api/hint", params={"agent": LONG}, timeout=0.5)
    assert other.get("/api/hint", params={"agent": "mcts:1"}).status_code == 200
    assert browser.get("/api/thinking").json() == {"thinking": None}


def test_a_search_is_stopped_at_the_time_limit_and_says_so(visit):
    with served(limits=Limits(seconds=0.01, simulations=900_000)) as other:
        browser = visit(other)
        begin(browser)
        hint = browser.get("/api/hint", params={"agent": LONG}).json()["hint"]
        assert "time for a search at this table was over" in hint["note"]
        assert hint["candidates"]
        assert browser.get("/api/hint").json()["hint"]["note"] == ""


def test_agents_of_a_table_search_no_more_together_than_one_may(browser):
    answer = browser.post("/api/new", json=NEW | {"players": ["mcts:12000", "mcts:8001"]})
    assert answer.status_code == 400
    assert "search with 20,001 simulations together, and may with 20,000" in answer.json()["error"]
    begin(browser, players=["mcts:12000", "mcts:8000"])
    text = browser.get("/api/record").text.replace("mcts:8000", "mcts:8001")
    loaded = browser.post("/api/load", json={"record": text}).json()
    assert loaded["game"]["players"] == ["mcts:12000", "planner"]


# -- how many games there are ----------------------------------------------------------------------


def test_a_game_in_which_somebody_plays_is_not_taken_away_for_a_new_one(visit):
    with served(limits=Limits(sessions=1)) as other:
        first, second = visit(other), visit(other)
        state = begin(first)
        refused = second.post("/api/new", json=NEW)
        assert refused.status_code == 503
        assert "1 games are going on here" in refused.json()["error"]
        assert first.get("/api/game").json() == state
        begin(first, seed=8)  # another one in its place


def test_a_game_that_nobody_asks_for_is_forgotten_and_its_memory_freed(visit):
    app = make_app(limits=Limits(idle_minutes=3 / 60, searches=1))
    with served(app=app) as other:
        browsers = [visit(other) for _ in range(3)]
        for browser in browsers:
            begin(browser, players=["human", "mcts:100"])
        tables = app.state.service.tables
        sessions = [weakref.ref(each.session) for each in tables._open.values()]
        assert len(sessions) == 3
        while len(tables):
            time.sleep(0.05)
        while gc.collect() or any(session() for session in sessions):
            time.sleep(0.05)
        assert browsers[0].get("/api/game").json() == {"version": 0, "game": None}
        begin(browsers[0])
        while len(tables):
            time.sleep(0.05)


def test_hints_of_a_game_are_kept_up_to_a_number(browser, monkeypatch):
    monkeypatch.setattr(playing, "MOST_HINTS", 2)
    state = begin(browser)
    for _ in range(4):
        while not state["game"]["waits_for_person"]:
            state = go_on(browser, state)
        browser.get("/api/hint")
        state = go_on(browser, state)
    assert browser.get("/api/record").text.count('"opinion"') == 2


# -- what does not go ------------------------------------------------------------------------------


def test_what_was_asked_while_looking_at_an_old_table_is_not_done(browser):
    state = begin(browser)
    body = {"version": state["version"], "action": state["game"]["legal"][0]["action"]}
    after = browser.post("/api/act", json=body).json()
    again = browser.post("/api/act", json=body)
    assert again.status_code == 409
    assert "has changed since" in again.json()["error"]
    assert {key: again.json()[key] for key in after} == after
    fresh = begin(browser)
    assert fresh["version"] not in (state["version"], after["version"])


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/act", {"action": "sell:corn"}, 409, "it belongs to the trader phase"),
        ("/api/act", {"action": 10**30}, 409, "there is no action"),
        ("/api/act", {"action": "\ud800"}, 409, "no action is called"),
        ("/api/act", {"action": True}, 400, "'action' cannot be true"),
        ("/api/act", {}, 400, "'action' is missing"),
        ("/api/act", {"action": 1, "seat": 2}, 400, "'seat' is unknown here"),
        ("/api/advance", {}, 409, "seat 0 is a person's"),
        ("/api/act", {"actions": []}, 409, "no decision was named"),
        ("/api/act", {"actions": [True]}, 409, "decision 1 of 1 cannot be made"),
        ("/api/act", {"actions": ["role:mayor", "role:mayor"]}, 409, "decision 2 of 2 cannot"),
        ("/api/act", {"actions": "pass"}, 400, "'actions' cannot be"),
        ("/api/act", {"action": 1, "actions": [1]}, 400, "not both"),
        ("/api/undo", {}, 409, "nothing to take back"),
        ("/api/redo", {}, 409, "nothing to do again"),
    ],
)
def test_a_move_that_does_not_go_says_why_and_changes_nothing(browser, path, body, status, words):
    state = begin(browser)
    answer = browser.post(
        path,
        content=json.dumps({"version": state["version"], **body}),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert browser.get("/api/game").json() == state


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"edition": "1897-fr"}, "'1897-fr'"),
        ({"edition": "classic", "expansions": ["festival"]}, "festival"),
        ({"expansions": [1]}, "expansions are named by words"),
        ({"expansions": None}, "'expansions' cannot be null"),
        ({"players": ["human"]}, "players"),
        ({"players": ["human"] * 500}, "players"),
        ({"players": ["human", 3]}, "players are named by words"),
        ({"players": ["human", "korn"]}, "did you mean 'corn'?"),
        ({"players": ["human", "this:Poem"]}, "no agent 'this:Poem' is offered"),
        ({"players": ["human", "mcts:20001"]}, "mcts:N with N up to 20000"),
        ({"players": ["human", "mcts:400,network=/etc"]}, "is offered"),
        ({"players": ["human", "/etc/passwd"]}, "is offered"),
        ({"expansions": ["buildings"], "board": "chess"}, "chess"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"seed": 2**70}, "a seed is a whole number"),
        ({"players": ["human", "governor"], "expansions": ["smuggler"]}, "cannot play"),
    ],
)
def test_a_game_that_cannot_be_played_is_not_begun(browser, change, words):
    state = begin(browser)
    answer = browser.post("/api/new", json=NEW | change)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert "this" not in sys.modules
    assert browser.get("/api/game").json() == state


def test_only_a_record_can_be_loaded(browser):
    state = begin(browser)
    for text in ("", "{}", "\0", "[" * 10_000, browser.get("/api/record").text[:-40]):
        answer = browser.post("/api/load", json={"record": text})
        assert answer.status_code == 400
        assert "record" in answer.json()["error"]
    assert browser.get("/api/game").json() == state


def test_nonsense_is_answered_with_an_error_and_changes_nothing(browser):
    state = begin(browser)
    chance = random.Random(1)
    atoms = [None, True, -1, 10**40, 1.5, "", "human", "\u0000", [], {}, [[[]]], state["version"]]
    keys = [
        "version",
        "action",
        "actions",
        "counts",
        "fill",
        "agent",
        "record",
        "edition",
        "players",
        "expansions",
        "board",
        "seed",
        "all",
    ]
    paths = ["/api/new", "/api/act", "/api/advance", "/api/undo", "/api/redo", "/api/load"]
    paths += ["/api/draft", "/api/suggest"]
    bodies = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"version": NaN}',
        b"1" * 9999,
    ]
    for _ in range(80):
        body = {chance.choice(keys): chance.choice(atoms) for _ in range(chance.randrange(6))}
        bodies.append(json.dumps(body).encode())
    for body in bodies:
        answer = browser.post(
            chance.choice(paths), content=body, headers={"content-type": "application/json"}
        )
        assert 400 <= answer.status_code < 500, (body, answer.text)
        assert "Traceback" not in answer.json()["error"]
    assert browser.get("/api/game").json() == state


def test_any_request_at_any_place_is_answered_or_refused_in_a_line():
    """Drawn from what hostile and broken clients send; no server error is among the answers."""
    chance = random.Random(SEED)
    app = make_app(limits=Limits(simulations=50, sessions=5, away_minutes=0))

    async def test():
        transport = httpx.ASGITransport(app, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
            begun = await browser.post("/api/new", json=NEW)
            for _ in range(DRAWN):
                method, path, headers, body = drawn_request(chance, begun.json()["version"])
                if chance.random() < 0.3:
                    headers["cookie"] = drawn_text(chance).encode("ascii", "replace")
                answer = await browser.request(method, path, headers=headers, content=body)
                said = (method, path, headers, (body or b"")[:300], answer.status_code, answer.text)
                assert answer.status_code < 500 or "games are going on" in answer.text, said
                if answer.status_code >= 400 and method != "HEAD":
                    error = answer.json()["error"]
                    assert error, said
                    assert "\n" not in error, said
                    assert len(error) < 1000, said
        app.state.service.close()

    run_apart(test())


SEED, DRAWN = 3, 250
PATHS = [
    "/",
    "/nowhere",
    "/static/play.js",
    "/static/",
    "/static/%00",
    "/static/%ff",
    "//",
    "/api/",
]
PATHS += [f"/static/{'x' * 3000}", "/static/..%2f..%2fserver.py", "/api/%F0%9F%92%A9"]
PATHS += [f"/api/{name}" for name in ("choices", "game", "new", "act", "advance", "undo")]
PATHS += [f"/api/{name}" for name in ("join", "seat", "name", "pause", "consent", "leave")]
PATHS += ["/api/tables", "/api/invitation", "/api/ready", "/join/x", "/table/x"]
PATHS += [f"/api/{name}" for name in ("hint", "thinking", "cancel", "record", "load")]
WORDS = ["human", "corn", "mcts:5", "mcts:0", "mcts:99999999", "governor", "1897-en", "classic"]
WORDS += [
    "draft",
    "festival",
    "buildings",
    "role:mayor",
    "wide",
    "",
    "\0",
    "\ud800",
    "\u2028",
    "ß" * 900,
]
KEYS = ["version", "action", "record", "edition", "players", "expansions", "board", "seed", "all"]
KEYS += [
    "names",
    "open",
    "code",
    "take_over",
    "seat",
    "player",
    "paused",
    "accept",
    "table",
    "name",
]
HEADERS = [
    "content-type",
    "range",
    "if-none-match",
    "if-modified-since",
    "origin",
    "host",
    "accept",
]
HEADERS += ["content-length", "transfer-encoding", "x-forwarded-for", "cookie", "expect"]


def drawn_text(chance):
    """A word, a word that was bent, or noise."""
    word = chance.choice(WORDS)
    if chance.random() < 0.3:
        word = word * chance.randrange(5) + chr(chance.randrange(0xD700, 0xDA00))
    return word


def drawn_value(chance, version, depth=0):
    """Any JSON value."""
    kinds = [None, True, False, -1, 0, version, 10**40, -(2**63), 1.5, float("nan"), float("inf")]
    kinds += [drawn_text(chance)] * 12
    if depth < 4:
        kinds += [[drawn_value(chance, version, depth + 1) for _ in range(chance.randrange(6))]] * 6
        kinds += [{drawn_text(chance): drawn_value(chance, version, depth + 1)}]
    return chance.choice(kinds)


def drawn_body(chance, version):
    """A body that is nearly right, JSON of any kind, or no JSON."""
    if chance.random() < 0.2:
        deep = chance.choice([50, 990, 1010, 100_000])
        bodies = [b"", b"{", b"\xff\xfe", b"null", b"[" * deep, b'{"a":' * deep, b"9" * 9999]
        bodies += [b'{"players":' + b"[" * deep + b"]" * deep + b',"edition":"classic"}']
        bodies += [b'{"version":' + b"[" * deep + b"]" * deep + b"}", b" " * (MOST_BYTES + 1)]
        return chance.choice(bodies)
    keys = chance.sample(KEYS, chance.randrange(len(KEYS)))
    usual = [("edition", "classic"), ("players", ["human", "corn"]), ("version", version)]
    asked = {key: drawn_value(chance, version) for key in keys}
    asked |= dict(usual[: chance.randrange(4)]) if chance.random() < 0.7 else {}
    if chance.random() < 0.1:
        asked[drawn_text(chance)] = 1
    return json.dumps(asked).encode()


def drawn_request(chance, version):
    """Method, path, headers and body of a request."""
    path = chance.choice(PATHS)
    if chance.random() < 0.3:
        value = urllib.parse.quote(drawn_text(chance), errors="surrogatepass")
        path += f"?{chance.choice(['layout', 'agent', 'table', 'code', 'x'])}={value}"
    headers = {"content-type": "application/json"}
    for name in chance.sample(HEADERS, chance.choice([0, 0, 0, 1, 2])):
        headers[name] = drawn_text(chance).encode("utf-8", "surrogatepass")
    method = chance.choice(["GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"])
    return method, path, headers, drawn_body(chance, version)


@pytest.mark.parametrize("value", ["[" * 900 + "]" * 900, '"' + "x" * 1_000_000 + '"', "1" * 4000])
def test_a_refusal_does_not_repeat_all_that_was_sent(browser, value):
    begin(browser)
    for body in (f'{{"version": {value}}}', f"{{{value if value[0] == chr(34) else 1}: 1}}"):
        answer = browser.post(
            "/api/undo", content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code in (400, 409)
        assert len(answer.json()["error"]) < 500


def test_a_head_that_is_too_long_is_refused(browser):
    answer = browser.get("/api/game", headers={"cookie": "a=" + "b" * MOST_HEADER_BYTES})
    assert answer.status_code == 431
    assert "may have 16,384 bytes at most" in answer.json()["error"]


def test_who_goes_away_in_the_midst_of_a_request_is_no_error_of_the_server(address, caplog):
    begun = b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection(address.removeprefix("http://").split(":")) as gone:
        gone.sendall(begun + b"Content-Length: 99\r\n\r\n{")
        gone.shutdown(socket.SHUT_WR)
        gone.recv(1000)
    assert caplog.records == []


def test_a_body_that_does_not_come_is_not_waited_for(browser, monkeypatch):
    monkeypatch.setattr(requests, "BODY_SECONDS", 0.2)

    def halting():
        yield b'{"version":'
        time.sleep(1)
        yield b"1}"

    answer = browser.post(
        "/api/undo", content=halting(), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 408


def test_a_request_that_is_too_long_or_no_json_is_refused(browser):
    begin(browser)
    long = json.dumps({"record": "x" * MOST_BYTES})
    answer = browser.post("/api/load", content=long, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert browser.post("/api/undo", content='{"version": 1}').status_code == 415


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/static/../server.py", 404),
        ("GET", "/static/%2e%2e/server.py", 404),
        ("GET", "/static/nothing.js", 404),
        ("GET", "/api/act", 405),
        ("DELETE", "/api/game", 405),
        ("POST", "/", 405),
        ("GET", "/api/record", 404),
        ("GET", "/api/hint?agent=os:abort", 400),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(browser, method, path, status):
    answer = browser.request(method, path)
    assert answer.status_code == status
    assert answer.json()["error"][0].islower() or answer.json()["error"].startswith(method)


def test_a_mistake_of_an_agent_is_owned_up_to_and_the_game_stays(visit):
    with served([f"{PLAYERS}:Clumsy"]) as other:
        browser = visit(other)
        state = begin(browser, players=[f"{PLAYERS}:Clumsy", "human"])
        answer = browser.post("/api/advance", json={"version": state["version"]})
        assert answer.status_code == 500
        assert "ZeroDivisionError" in answer.json()["error"]
        assert browser.get("/api/game").json() == state


# -- who may ask -----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example"])
def test_who_calls_the_table_by_another_name_is_not_answered(browser, host):
    assert browser.get("/api/choices", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.7:80"])
def test_the_table_is_called_by_its_address(browser, host):
    assert browser.get("/api/choices", headers={"host": host}).status_code == 200


def test_no_other_website_may_ask(browser, address):
    state = begin(browser)
    for origin in ("http://evil.example", "http://127.0.0.1:9", "http://[", "null"):
        answer = browser.post("/api/new", json=NEW | {"seed": 1}, headers={"origin": origin})
        assert answer.status_code == 403
    assert browser.get("/api/game").json() == state
    assert browser.post("/api/new", json=NEW, headers={"origin": address}).status_code == 200


def test_the_cookie_is_for_this_site_and_not_for_scripts(browser):
    cookie = browser.post("/api/new", json=NEW).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


# -- where it listens ------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_named():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"port {port} .*address already in use.*--port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("no such host", 0, "--host no such host: there is no such address"),
        ("203.0.113.1", 0, "port 0 of 203.0.113.1 cannot be used"),
        ("127.0.0.1", 70_000, "ports run from 0 to 65535"),
    ],
)
def test_where_it_cannot_listen_is_said(host, port, words):
    with pytest.raises(ConfigError, match=words):
        listen(host, port)


@pytest.mark.parametrize("is_thinking", [False, True])
def test_ctrl_c_closes_the_table_whoever_thinks(is_thinking):
    code = f"from prico_training.ui.server import serve; serve(port=0, agents=[{LONG!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as table:
        address = re.search(r"http://\S+", table.stdout.readline())[0]
        with urllib.request.urlopen(address) as page:
            assert b"Puerto Rico" in page.read()
        with httpx.Client(base_url=address, timeout=60) as browser:
            if is_thinking:
                begin(browser)
                asking, answers = ask(browser, "/api/hint", agent=LONG)
                until_thinking(browser)
            table.send_signal(signal.SIGINT)
            said, wrong = table.communicate(timeout=60)
            if is_thinking:
                asking.join(60)
                assert answers[0].status_code == 409
    assert (table.returncode, said, wrong) == (0, "The table is closed.\n", "")
