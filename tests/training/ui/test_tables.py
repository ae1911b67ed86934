"""Several people at one table, at browsers of their own: who sees what, and who may do what."""

import contextlib
import json
import random
import sqlite3
import threading
import time

import pytest

pytest.importorskip("httpx")
pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")


from prico_env.vocabulary import DecisionPoint
from prico_training.errors import ConfigError, InUseError, StorageError
from prico_training.ui import events, server, store, tables
from prico_training.ui.admission import RateLimit
from prico_training.ui.limits import Limits
from prico_training.ui.server import make_app
from prico_training.ui.store import FILE, Store
from prico_training.ui.tables import read_code
from tests.training.ui.serving import served

NEW = {"edition": "1897-en", "players": ["human", "human", "corn"], "seed": 7}
FRIENDS = NEW | {"open": [1], "names": ["Ann", None, None]}


@pytest.fixture(scope="module")
def app():
    return make_app()


@pytest.fixture(scope="module")
def address(app):
    with served(app=app) as address:
        yield address


def post(browser, path, status=200, at=None, **body):
    answer = browser.post(f"/api/{path}", json=body, params={"table": at} if at else {})
    assert answer.status_code == status, answer.text
    return answer.json()


def look(browser, table=None):
    return browser.get("/api/game", params={"table": table} if table else {}).json()


def friends(visit, other=None, **asked):
    """Ann, who is the host, Bob, who has opened the link of his seat, and what both see."""
    ann, bob = visit(other), visit(other)
    code = post(ann, "new", **FRIENDS | asked)["table"]["seats"][1]["code"]
    shown = post(bob, "join", code=code, name="Bob")
    return ann, bob, look(ann), shown


def decide(browser, state, action=None):
    """Make a decision: the first that is allowed, or one that is named."""
    action = state["game"]["legal"][0]["action"] if action is None else action
    return post(browser, "act", version=state["version"], action=action)


def go_on(browsers, until):
    """Let people take the first that is allowed, and agents play, until something is so."""
    state = look(browsers[0])
    for _ in range(600):
        if until(state["game"]):
            return state
        for browser in browsers:
            state = look(browser)
            if state["game"]["legal"]:
                state = decide(browser, state)
                break
        else:
            state = post(browsers[0], "advance", version=state["version"], all=True)
    raise AssertionError("it never came to that")


def test_nobody_drafts_the_decisions_of_another(visit):
    chance = random.Random(3)
    ann, bob, state, _ = friends(visit, players=["human", "human"], names=["Ann", None], seed=3)
    while not state["game"]["draft"]:
        browser = ann if state["game"]["turn"] == 0 else bob
        decide(browser, state, chance.choice(look(browser)["game"]["legal"])["action"])
        state = look(ann)
    seen = look(bob)
    assert seen["game"]["draft"] is None
    for path, more in (("draft", {"counts": {}}), ("suggest", {}), ("act", {"actions": [0]})):
        answer = post(bob, path, 403, version=seen["version"], **more)
        assert "not for you" in answer["error"]
    assert look(ann) == state


def news(browser, table, stop):
    """What a page is told, as a list that grows, until it is to stop."""
    told, opened = [], threading.Event()

    def listen():
        with browser.stream("GET", "/api/events", params={"table": table}) as lines:
            opened.set()
            for line in lines.iter_lines():
                if line.startswith(("data", "event")):
                    told.append(line)
                if stop.is_set():
                    return

    thread = threading.Thread(target=listen)
    thread.start()
    assert opened.wait(30)
    return told, thread


def until(condition):
    """Wait for something that happens by itself."""
    for _ in range(2000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


# -- sitting down ----------------------------------------------------------------------------------


def test_who_opens_the_link_of_a_seat_sits_down_there_under_their_name(visit):
    ann, bob, hosts, shown = friends(visit)
    assert shown["game"]["names"] == ["Ann", "Bob", "corn"] == hosts["game"]["names"]
    assert hosts["game"]["yours"] == [0]
    assert shown["game"]["yours"] == [1]
    assert hosts["table"]["is_host"]
    assert not shown["table"]["is_host"]
    assert look(bob)["table"]["id"] == hosts["table"]["id"]
    assert hosts["game"]["legal"]
    assert shown["game"]["legal"] == []
    go_on([ann, bob], lambda game: game["turn"] == 1)
    assert look(bob)["game"]["legal"]
    assert look(ann)["game"]["legal"] == []


def test_a_code_is_read_as_people_type_it():
    assert read_code(" abcd-efgh jk ") == "ABCDEFGHJK"
    assert len(tables.new_code()) == tables.CODE_LENGTH


def test_an_invitation_says_who_is_there_and_a_seat_that_is_taken_is_not_given_twice(visit):
    ann, carl = visit(), visit()
    seats = post(ann, "new", **FRIENDS)["table"]["seats"]
    asked = carl.get("/api/invitation", params={"code": seats[1]["code"].lower()}).json()
    assert asked["names"][0] == "Ann"
    assert (asked["seat"], asked["is_taken"]) == (1, False)
    bob = visit()
    post(bob, "join", code=seats[1]["code"], name="Bob")
    assert carl.get("/api/invitation", params={"code": seats[1]["code"]}).json()["is_taken"]
    refused = post(carl, "join", 409, code=seats[1]["code"], name="Carl")
    assert "Bob sits at this seat already" in refused["error"]
    assert "game" not in refused
    telephone = visit()
    there = post(telephone, "join", code=seats[1]["code"], take_over=True)
    assert there["game"]["yours"] == [1]
    assert there["game"]["names"][1] == "Bob"
    assert look(bob, there["table"]["id"])["game"]["yours"] == []


def test_a_table_that_is_not_there_is_said_to_be_missing(visit):
    browser = visit()
    for name in ("", "\0", "x", "x" * 5000, "../etc", "é"):
        assert browser.get("/api/game", params={"table": name}).status_code == 404
        assert browser.get("/api/events", params={"table": name}).status_code == 404
    body = {"content": '{"table": "\\ud800"}', "headers": {"content-type": "application/json"}}
    assert browser.post("/api/leave", **body).status_code == 404


@pytest.mark.parametrize("name", ["", "x" * 25, "a\x00b", "Ann", "\u202eevil"])
def test_a_name_that_nobody_can_have_is_refused_and_nobody_sits_down(visit, name):
    ann, bob = visit(), visit()
    state = post(ann, "new", **FRIENDS)
    post(bob, "join", 400, code=state["table"]["seats"][1]["code"], name=name)
    assert look(ann) == state


def test_somebody_leaves_an_agent_plays_on_and_they_take_the_seat_back(visit):
    ann, bob, state, _ = friends(visit)
    table = state["table"]["id"]
    left = post(bob, "seat", seat=1, player="corn", at=table)
    assert left["game"]["players"] == ["human", "corn", "corn"]
    assert left["game"]["yours"] == []
    assert left["table"]["seats"][1]["is_away"]
    back = post(bob, "seat", seat=1, player="human", at=table)
    assert back["game"]["names"] == ["Ann", "Bob", "corn"]
    assert back["game"]["yours"] == [1]
    post(ann, "seat", seat=1, player="planner")
    assert look(bob)["game"]["yours"] == []
    assert post(bob, "seat", seat=1, player="human")["game"]["yours"] == [1]


def test_a_seat_that_is_offered_anew_is_closed_to_who_sat_there(visit):
    ann, bob, _, shown = friends(visit)
    offered = post(ann, "seat", seat=1, player="open")
    code = offered["table"]["seats"][1]["code"]
    assert code != shown["table"]["seats"][1]["code"]
    assert look(bob)["game"]["yours"] == []
    post(bob, "join", 404, code=shown["table"]["seats"][1]["code"])
    post(bob, "seat", 409, seat=1, player="human")
    assert post(visit(), "join", code=code, name="Carl")["game"]["yours"] == [1]


def test_several_people_share_a_browser_and_others_join(visit):
    ann, carl = visit(), visit()
    asked = {"players": ["human"] * 3, "names": ["Ann", "Bob", None], "open": [2]}
    state = post(ann, "new", **NEW | asked)
    assert state["game"]["yours"] == [0, 1]
    shown = post(carl, "join", code=state["table"]["seats"][2]["code"], name="Carl")
    assert shown["game"]["names"] == ["Ann", "Bob", "Carl"]
    assert post(ann, "name", seat=1, name="Bea")["game"]["names"][1] == "Bea"


def test_a_seat_of_an_agent_can_be_given_away_and_taken_by_the_host(visit):
    ann = visit()
    post(ann, "new", **NEW | {"players": ["human", "corn", "corn"]})
    assert post(ann, "seat", seat=1, player="open")["table"]["seats"][1]["is_free"]
    assert post(ann, "seat", seat=2, player="human")["game"]["yours"] == [0, 2]


def test_the_list_keeps_games_that_were_left_for_new_ones(visit):
    ann = visit()
    first = post(ann, "new", **NEW | {"names": ["Ann", "Bob", None]})
    second = post(ann, "new", **NEW | {"seed": 8})
    listed = ann.get("/api/tables").json()["tables"]
    assert [one["id"] for one in listed] == [second["table"]["id"], first["table"]["id"]]
    assert listed[1]["names"] == ["Ann", "Bob", "corn"]
    assert (listed[1]["round"], listed[1]["turn"], listed[1]["over"]) == (1, 0, False)
    assert look(ann, first["table"]["id"]) == first
    assert look(ann) == first  # what was opened last
    post(ann, "leave", table=first["table"]["id"])
    assert [one["id"] for one in ann.get("/api/tables").json()["tables"]] == [second["table"]["id"]]
    assert ann.get("/api/game", params={"table": first["table"]["id"]}).status_code == 404


def test_when_the_host_leaves_for_good_somebody_else_is_host_and_an_agent_plays_on(visit):
    ann, bob, state, _ = friends(visit)
    post(ann, "leave", table=state["table"]["id"], agent="corn")
    left = look(bob)
    assert left["table"]["is_host"]
    assert left["game"]["players"] == ["corn", "human", "corn"]
    assert ann.get("/api/tables").json()["tables"] == []


# -- what others do --------------------------------------------------------------------------------


def test_what_others_do_arrives_by_itself_and_agents_play_once(visit):
    ann, bob, state, _ = friends(visit)
    table, stop = state["table"]["id"], threading.Event()
    of_ann, one = news(ann, table, stop)
    of_bob, other = news(bob, table, stop)
    until(lambda: any('"here": [0, 1]' in line for line in of_ann))
    assert json.loads(of_ann[-1][6:])["drives"]
    assert not json.loads(of_bob[-1][6:])["drives"]
    state = decide(ann, state)
    until(lambda: f'"version": {state["version"]}' in of_bob[-1])
    go_on([ann, bob], lambda game: game["turn"] == 2)
    state = look(ann)
    turn = {"version": state["version"]}
    answers = [browser.post("/api/advance", json=turn) for browser in (ann, bob)]
    assert [answer.status_code for answer in answers] == [200, 409]
    assert answers[0].json()["game"]["log"] == answers[1].json()["game"]["log"]
    stop.set()
    post(ann, "pause", paused=True)  # one line more ends the listening
    one.join(30)
    other.join(30)


def test_when_the_host_closes_the_page_another_one_lets_agents_play(visit):
    ann, bob, state, _ = friends(visit)
    table, ends, stop = state["table"]["id"], threading.Event(), threading.Event()
    _, of_ann = news(ann, table, ends)
    told, of_bob = news(bob, table, stop)
    until(lambda: told)
    assert not json.loads(told[-1][6:])["drives"]
    ends.set()
    decide(ann, state)
    of_ann.join(30)
    until(lambda: json.loads(told[-1][6:])["drives"])
    stop.set()
    post(ann, "pause", paused=True)
    of_bob.join(30)


def test_a_silent_stream_says_that_it_is_alive_and_ends_with_the_server(visit, monkeypatch):
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.05)
    lines = []

    def listen(browser, table):
        with browser.stream("GET", "/api/events", params={"table": table}) as told:
            lines.extend(told.iter_lines())

    with served() as other:
        ann = visit(other)
        table = post(ann, "new", **NEW)["table"]["id"]
        listening = threading.Thread(target=listen, args=(ann, table))
        listening.start()
        time.sleep(0.4)
    listening.join(30)
    assert lines.count(":") > 1
    assert "event: closed" in lines


# -- the host, and taking back ---------------------------------------------------------------------


def test_the_host_stops_the_game_and_lets_it_go_on(visit):
    ann, bob, state, _ = friends(visit)
    assert "only the host" in post(bob, "pause", 403, paused=True)["error"]
    assert post(ann, "pause", paused=True)["table"]["is_paused"]
    body = {"version": state["version"], "action": state["game"]["legal"][0]["action"]}
    assert "has paused" in post(ann, "act", 409, **body)["error"]
    post(ann, "pause", paused=False)
    post(ann, "act", **body)


def test_taking_back_is_immediate_where_nobody_else_has_decided_since(visit):
    ann, _, state, _ = friends(visit)
    after = decide(ann, state)
    back = post(ann, "undo", version=after["version"])
    assert back["table"]["undo"] is None
    assert back["game"]["legal"] == state["game"]["legal"]


@pytest.fixture
def asked(visit):
    """Ann has decided, Bob has decided after her, and Ann asks to take hers back."""
    ann, bob, state, _ = friends(visit)
    decide(ann, state)
    go_on([ann, bob], lambda game: game["turn"] == 1)
    before = look(bob)
    decide(bob, before)
    go_on([ann, bob], lambda game: game["turn"] != 2)
    request = post(ann, "undo", version=look(ann)["version"])
    return ann, bob, request


def test_taking_back_past_others_needs_their_consent(asked):
    ann, bob, request = asked
    assert request["table"]["undo"] == {
        "seat": 0,
        "is_yours": True,
        "asks_you": False,
        "waiting": [1],
    }
    seen = look(bob)
    assert seen["table"]["undo"]["asks_you"]
    assert (
        "others are asked"
        in post(ann, "consent", 409, version=seen["version"], accept=True)["error"]
    )
    after = post(bob, "consent", version=seen["version"], accept=True)
    assert after["table"]["undo"] is None
    assert after["game"]["turn"] == 0
    assert len(after["game"]["log"]) < len(seen["game"]["log"])


def test_taking_back_is_declined_withdrawn_and_void_when_the_game_goes_on(asked, monkeypatch):
    ann, bob, request = asked
    version, log = request["version"], request["game"]["log"]
    declined = post(bob, "consent", version=version, accept=False)
    assert (declined["table"]["undo"], declined["game"]["log"]) == (None, log)
    assert post(ann, "undo", version=version)["table"]["undo"]
    assert post(ann, "consent", version=version, accept=False)["table"]["undo"] is None
    monkeypatch.setattr(tables, "CONSENT_SECONDS", 0)
    post(ann, "undo", version=version)
    assert look(bob)["table"]["undo"] is None
    monkeypatch.undo()
    post(ann, "undo", version=version)
    state = next(state for state in map(look, (ann, bob)) if state["game"]["legal"])
    mover = ann if state["game"]["yours"] == [0] else bob
    assert decide(mover, state)["table"]["undo"] is None
    post(bob, "consent", 409, version=look(bob)["version"], accept=True)


# -- hostile browsers ------------------------------------------------------------------------------


def test_nobody_decides_for_another_seat(visit):
    ann, bob, state, _ = friends(visit)
    carl, table = visit(), state["table"]["id"]
    move = {"version": state["version"], "action": state["game"]["legal"][0]["action"]}
    for stranger in (bob, carl):
        refused = post(stranger, "act", 403, at=table, **move)
        assert "it is for Ann at seat 0 to decide" in refused["error"]
        post(stranger, "act", 403, at=table, version=move["version"], actions=[move["action"]])
        at = {"table": table}
        assert stranger.get("/api/hint", params=at).status_code == 403
        assert (
            stranger.get("/api/card", params=at | {"anchor": "deck", "seat": 0}).status_code == 403
        )
        assert stranger.get("/replay", params=at).status_code >= 400
        drafted = {"version": state["version"], "counts": {}}
        for path, body in (("draft", drafted), ("suggest", {"version": state["version"]})):
            post(stranger, path, 403, at=table, **body)
    assert look(ann) == state


def test_a_sequence_of_decisions_ends_where_it_is_for_somebody_else_to_decide(visit):
    ann, _, state, _ = friends(visit, players=["human", "human"], names=["Ann", None])
    first = state["game"]["legal"][0]["name"]
    refused = post(ann, "act", 409, version=state["version"], actions=[first, *["pass"] * 5])
    assert "decision" in refused["error"]
    assert look(ann)["game"] == state["game"]


def test_who_only_watches_sees_what_all_may_see_and_does_nothing(visit):
    ann, _, state, _ = friends(visit)
    carl, table, version = visit(), state["table"]["id"], state["version"]
    shown = look(carl, table)
    assert shown["game"]["yours"] == shown["game"]["legal"] == []
    assert shown["game"]["viewer"] is None
    for path, body in (
        ("undo", {"version": version}),
        ("redo", {"version": version}),
        ("advance", {"version": version}),
        ("pause", {"paused": True}),
        ("consent", {"version": version, "accept": True}),
        ("seat", {"seat": 1, "player": "corn"}),
        ("seat", {"seat": 1, "player": "open"}),
    ):
        post(carl, path, 403, at=table, **body)
    for body in ({"seat": 0, "player": "human"}, {"seat": 9, "player": "corn"}):
        assert carl.post("/api/seat", params={"table": table}, json=body).status_code in (400, 409)
    post(carl, "name", 409, at=table, seat=0, name="Mallory")
    post(carl, "leave", table=table)
    assert look(ann) == state


def test_nobody_but_the_host_replaces_others_or_offers_their_seats(visit):
    ann, bob, state, _ = friends(visit)
    for player in ("corn", "open"):
        post(bob, "seat", 403, seat=0, player=player)
    post(bob, "seat", 403, seat=1, player="open")
    post(ann, "seat", 409, seat=1, player="human")  # not even the host sits on somebody's lap
    assert look(ann) == state


def test_codes_are_shown_to_who_sits_there_and_to_the_host_only_while_a_seat_is_free(visit):
    _ann, _bob, hosts, shown = friends(visit)
    assert [seat["code"] is not None for seat in hosts["table"]["seats"]] == [True, False, False]
    assert [seat["code"] is not None for seat in shown["table"]["seats"]] == [False, True, False]
    watched = look(visit(), hosts["table"]["id"])["table"]["seats"]
    assert [seat["code"] for seat in watched] == [None] * 3


def test_the_deal_is_nobodys_to_know_before_the_end(visit):
    ann, bob, state, _shown = friends(
        visit, seed=None, players=["human", "human"], names=["Ann", None]
    )
    table = state["table"]["id"]
    assert state["game"]["seed"] is None
    assert state["game"]["deal_is_hidden"]
    assert not state["table"]["deal_is_chosen"]
    for browser in (ann, bob, visit()):
        assert browser.get("/api/record", params={"table": table}).status_code == 403
    go_on([ann, bob], lambda game: game["over"])
    assert look(bob)["game"]["seed"] == look(ann)["game"]["seed"] is not None
    assert bob.get("/api/record").status_code == 200


def test_who_sends_everybody_away_does_not_learn_the_deal_unless_others_are_told(visit):
    ann, bob, _state, _ = friends(visit, seed=None)
    post(ann, "seat", seat=1, player="corn")
    away = look(ann)
    assert away["game"]["deal_is_hidden"]
    assert ann.get("/api/record").status_code == 403
    post(bob, "seat", seat=1, player="human")
    post(ann, "seat", seat=1, player="open")
    known = post(ann, "seat", seat=1, player="corn")
    assert not known["table"]["deal_is_chosen"]
    assert known["game"]["seed"] is not None
    offered = post(ann, "seat", seat=1, player="open")
    assert offered["table"]["deal_is_chosen"]
    assert offered["game"]["seed"] is None


def test_a_deal_that_the_host_chose_is_said_to_be_chosen(visit):
    _, _, _, shown = friends(visit)
    assert shown["table"]["deal_is_chosen"]
    assert shown["game"]["seed"] is None


def test_hidden_tiles_and_points_are_seen_by_their_owner_alone(app, visit):
    ann, bob, state, _ = friends(visit, vp_hidden=True, expansions=["buildings"], board="random")
    table = state["table"]["id"]
    record = app.state.service.tables._open[table].session.game.state
    record["decision_point"], record["drawn"], record["vp"][:2] = DecisionPoint.USE_TILE, 4, 777
    boards = [look(browser, table)["game"]["board"] for browser in (ann, bob, visit())]
    drawn = [board.partition('data-anchor="drawn"')[2].partition("</g>")[0] for board in boards]
    assert all(drawn)
    assert ["?" in part for part in drawn] == [False, True, True]
    assert [">777" in board for board in boards] == [True, True, False]


def test_codes_cannot_be_tried_one_after_the_other(visit, monkeypatch):
    with served() as other:
        ann, mallory = visit(other), visit(other)
        state = post(ann, "new", **FRIENDS)
        for _ in range(10):
            post(mallory, "join", 404, code="AAAAAAAAAA")
        refused = post(mallory, "join", 429, code=state["table"]["seats"][1]["code"])
        assert "wrong codes" in refused["error"]
        assert mallory.get("/api/invitation", params={"code": "B"}).status_code == 429


def test_a_flood_from_one_address_is_stopped_and_others_are_answered(monkeypatch):
    limit = RateLimit(burst=3, per_second=1000)
    assert [limit.take("1.2.3.4") for _ in range(4)] == [True, True, True, False]
    assert limit.take("5.6.7.8")
    time.sleep(0.01)
    assert limit.take("1.2.3.4")
    for number in range(20_000):
        limit.take(str(number))
    assert len(limit._buckets) <= 10_000


def test_requests_and_tables_of_another_machine_are_counted(visit, monkeypatch):
    app = make_app(limits=Limits(requests=0.5, stored=5))
    app.state.service.new_tables = RateLimit(2, 0.001)
    with served(app=app) as other:
        ann = visit(other)
        monkeypatch.setattr(server.seating, "is_of_this_machine", lambda address: False)
        post(ann, "new", **NEW)
        post(ann, "new", **NEW)
        assert "many games were begun" in post(ann, "new", 429, **NEW)["error"]
        monkeypatch.setattr("prico_training.ui.admission.is_of_this_machine", lambda address: False)
        statuses = [ann.get("/api/choices").status_code for _ in range(12)]
        assert statuses[:9].count(200) == 9
        assert 429 in statuses


def test_streams_are_bounded_and_those_who_watch_keep_nobody_out(visit, monkeypatch):
    monkeypatch.setattr(events, "OF_WATCHERS", 2)
    with served(limits=Limits(streams=4)) as other, contextlib.ExitStack() as stack:
        ann, bob, state, _ = friends(visit, other)
        table = {"table": state["table"]["id"]}

        def opened(browser):
            stream = stack.enter_context(browser.stream("GET", "/api/events", params=table))
            return stream.status_code

        assert [opened(visit(other)) for _ in range(3)] == [200, 200, 503]
        assert [opened(each) for each in (ann, bob)] == [200, 200]
        assert opened(visit(other)) == 503
        assert look(ann)["game"] == state["game"]


def test_a_browser_with_many_tabs_is_told_in_the_newest(visit):
    stop = threading.Event()
    ann = visit()
    table = post(ann, "new", **NEW)["table"]["id"]
    told, oldest = news(ann, table, stop)
    with contextlib.ExitStack() as stack:
        for _ in range(events.OF_A_BROWSER):
            stack.enter_context(ann.stream("GET", "/api/events", params={"table": table}))
        oldest.join(30)
        assert told[-2:] == ["event: replaced", "data: {}"]


def test_a_browser_has_so_many_tables_and_the_oldest_goes(visit):
    with served(limits=Limits(tables=2)) as other:
        ann = visit(other)
        begun = [post(ann, "new", **NEW | {"seed": seed})["table"]["id"] for seed in range(3)]
        listed = [one["id"] for one in ann.get("/api/tables").json()["tables"]]
        assert listed == begun[:0:-1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"open": [2]}, "'open' lists seats of people"),
        ({"open": [True]}, "'open' lists seats of people"),
        ({"open": [-1]}, "'open' lists seats of people"),
        ({"open": ["1"]}, "'open' lists seats of people"),
        ({"names": ["Ann", "ann", None]}, "two seats cannot both be called"),
        ({"names": ["Ann"]}, "a name for each seat"),
        ({"vp_hidden": 1}, "'vp_hidden' cannot be 1"),
    ],
)
def test_a_table_that_cannot_be_is_not_begun(visit, change, words):
    assert words in post(visit(), "new", 400, **NEW | change)["error"]


# -- when the server starts again ------------------------------------------------------------------


def test_games_go_on_when_the_server_starts_again(visit, tmp_path):
    with served(app=make_app(data=tmp_path)) as other:
        ann, bob, state, _ = friends(visit, other)
        ann.get("/api/hint")
        state = decide(ann, state)
        go_on([ann, bob], lambda game: len(game["log"]) > 12)
        post(ann, "pause", paused=True)
        before = look(ann), look(bob), ann.get("/api/tables").json()
    with served(app=make_app(data=tmp_path)) as again:
        for browser in (ann, bob):
            browser.base_url = again
        assert (look(ann), look(bob), ann.get("/api/tables").json()) == before
        post(ann, "pause", paused=False)
        go_on([ann, bob], lambda game: len(game["log"]) > 20)
        post(ann, "leave", table=state["table"]["id"])
        post(bob, "leave", table=state["table"]["id"])
    database = sqlite3.connect(tmp_path / FILE)
    assert database.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    assert database.execute("SELECT count(*) FROM decisions").fetchone() == (0,)
    database.close()


def test_what_is_taken_back_is_not_stored(visit, tmp_path):
    with served(app=make_app(data=tmp_path)) as other:
        ann = visit(other)
        first = post(ann, "new", **NEW | {"players": ["human", "corn"]})
        after = decide(ann, first)
        back = post(ann, "undo", version=after["version"])
        decide(ann, back, back["game"]["legal"][-1]["action"])
        before = look(ann)
    with served(app=make_app(data=tmp_path)) as again:
        ann.base_url = again
        assert look(ann) == before


def test_a_decision_that_cannot_be_stored_is_not_made(app, visit, monkeypatch):
    ann, _bob, state, _ = friends(visit)
    monkeypatch.setattr(app.state.service.store, "save", Store.save.__get__(Broken()))
    move = {"version": state["version"], "action": state["game"]["legal"][0]["action"]}
    assert "nothing was done" in post(ann, "act", 500, **move)["error"]
    monkeypatch.undo()
    assert look(ann)["game"] == state["game"]
    post(ann, "act", **move)


class Broken(Store):
    """A store whose disk is full."""

    def __init__(self):
        super().__init__(None)
        self._database.close()


@pytest.mark.parametrize("content", [b"not a database at all" * 99, None, "other", "damaged"])
def test_a_file_that_cannot_be_read_is_left_alone(tmp_path, content):
    path = tmp_path / FILE
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "other":
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE recipes (name)")
    else:
        Store(tmp_path).close()
        if content is None:
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA user_version = 99")
        else:
            data = bytearray(path.read_bytes())
            data[4096:] = b"\xff" * (len(data) - 4096)
            path.write_bytes(data)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=r"tables.sqlite .*left as it is.*--no-data"):
        Store(tmp_path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_two_servers_do_not_share_a_folder(tmp_path):
    first = Store(tmp_path)
    with pytest.raises(InUseError, match=r"in use by another process.*--data.*--no-data"):
        Store(tmp_path)
    first.close()
    Store(tmp_path).close()


def test_tables_where_nothing_was_decided_for_long_are_deleted(visit, tmp_path):
    with served(app=make_app(data=tmp_path)) as other:
        ann = visit(other)
        ids = [post(ann, "new", **NEW | {"seed": seed})["table"]["id"] for seed in range(4)]
    kept = Store(tmp_path)
    kept._database.execute("UPDATE tables SET decided = 0 WHERE id = ?", (ids[0],))
    kept.forget(days=30, most=10, kept=())
    assert kept.load(ids[0]) is None
    kept.forget(days=30, most=1, kept=(ids[1],))
    assert [kept.load(each) is not None for each in ids] == [False, True, False, True]
    kept.close()


# -- by which names it is called -------------------------------------------------------------------


def test_the_server_is_called_by_names_that_it_was_given(visit):
    with served(app=make_app(names=["Games.example.org"])) as other:
        browser = visit(other)
        ask = lambda host: browser.get("/api/choices", headers={"host": host}).status_code  # noqa: E731
        assert [ask("games.example.org"), ask("games.example.org:443")] == [200, 200]
        assert ask("evil.example") == 403
        headers = {"host": "games.example.org", "origin": "https://games.example.org"}
        assert browser.post("/api/new", json=NEW, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "names", "proxy", "address"),
    [
        ("127.0.0.1", [], None, None),
        ("0.0.0.0", ["games.lan"], None, "http://games.lan:80"),
        ("127.0.0.1", ["games.example.org"], "127.0.0.1", "https://games.example.org"),
        ("192.168.1.7", [], None, "http://192.168.1.7:80"),
    ],
)
def test_links_of_seats_have_the_address_by_which_others_reach_the_server(
    host, names, proxy, address
):
    assert server._address_for_others(host, 80, names, proxy) == address


# -- where tables are stored, and the first start --------------------------------------------------


@pytest.mark.parametrize(
    ("system", "surroundings", "folder"),
    [
        ("linux", {}, ".local/share/prico"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/prico"),
        ("darwin", {}, "Library/Application Support/prico"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/prico"),
    ],
)
def test_tables_are_in_the_data_folder_of_the_user(
    monkeypatch, tmp_path, system, surroundings, folder
):
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(store.sys, "platform", system)
    monkeypatch.setattr(store.Path, "home", lambda: tmp_path)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert store.data_folder() == tmp_path / folder


def test_where_nothing_can_be_stored_it_says_so_and_plays(monkeypatch, tmp_path, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(store.sys, "platform", "linux")
    assert server.usual_data_folder() is None
    assert "tables end with this program" in capsys.readouterr().err
    with pytest.raises(StorageError, match="--data"):
        server.named_data_folder(tmp_path / "file" / "deeper")


def test_games_are_answered_when_what_they_need_is_compiled_and_until_then_it_is_said(visit):
    app = make_app(is_prepared=False)
    preparation = app.state.service.preparation
    with served(app=app) as other:
        browser, answers = visit(other), []
        told = browser.get("/api/ready").json()
        assert (told["ready"], told["step"]) == (False, "rules")
        assert 0 <= told["share"] < 1
        assert browser.get("/").status_code == 200
        asking = threading.Thread(target=lambda: answers.append(post(visit(other), "new", **NEW)))
        asking.start()
        time.sleep(0.2)
        assert answers == []
        preparation.run()
        asking.join(30)
        assert answers[0]["game"]["legal"]
        assert browser.get("/api/ready").json()["ready"]
