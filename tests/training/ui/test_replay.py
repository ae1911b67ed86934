"""The page of a recorded game: what it tells, what it keeps, and how it is used in a browser."""

import base64
import gzip
import hashlib
import json
import random
import re

import pytest

from prico_agents import AgentError
from prico_agents.analysis import Analysis, Candidate
from prico_env import Game, RecordError, RuleSet
from prico_env.errors import UnknownNameError
from prico_env.reference.pages import FOLDER, GAME_FILE
from prico_env.render import render_svg
from prico_env.text.localization import codes
from prico_training import cli
from prico_training.errors import ConfigError
from prico_training.ui import replay
from prico_training.ui.game_review import USUAL_REVIEWER
from prico_training.ui.replay import replay_html, write_replay
from prico_training.ui.transcripts import read_recorded, recorded_text
from tests.training.ui.browsers import resize

_CLOSE = 238
"""A decision of the game that comes along where two choices are as good as equal."""
NAMES = ["ann", "corn", "</script><b>Zoë"]


def random_game(rules: RuleSet, seed: int = 5) -> Game:
    chance = random.Random(seed)
    game = Game(rules, seed)
    while not game.over:
        game.step(chance.choice(game.legal_actions()))
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    return random_game(RuleSet(3, max_rounds=2))


@pytest.fixture(scope="module")
def record(game) -> str:
    """Its record, with an analysis of the first decision that had chosen otherwise."""
    others = Game(game.rules, game.seed).legal_actions()
    others.remove(game.history[0].action)
    candidates = (
        Candidate(others[0], 0.6, (0.5, 0.25, 0.25)),
        Candidate(game.history[0].action, 0.4, ()),
    )
    analysis = Analysis(0, others[0], candidates, (0.4, 0.35, 0.25), ("It brings <b>coins</b>.",))
    return recorded_text(game, NAMES, {0: analysis})


@pytest.fixture(scope="module")
def page(record) -> str:
    return replay_html(record)


def data_of(page: str) -> dict:
    """What a page tells."""
    packed = re.search(r'<script type="application/json" id="data">([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


# -- what it tells ---------------------------------------------------------------------------------


def test_every_decision_is_told_in_the_words_of_the_edition(page, game):
    data = data_of(page)
    assert [bool(move[3]) for move in data["moves"]] == [move.forced for move in game.history]
    assert [move[0] for move in data["moves"]] == [move.seat for move in game.history]
    first = Game(game.rules, game.seed).describe(game.history[0].action)
    assert data["moves"][0] == [0, 1, first, 0, 1]
    assert data["moves"][-1][1] == 2


def test_a_game_from_a_position_is_told_from_there_on(game):
    """Its first board is that position, and an agent thinks about what followed."""
    later = Game(game.rules, game.seed)
    for move in [move for move in game.history if not move.forced][:6]:
        later.step(move.action)
    begun = Game.from_dict(later.to_dict())
    for _ in range(5):
        begun.step(begun.legal_actions()[-1])
    data = data_of(replay_html(begun, think="corn"))
    assert data["title"].endswith("from a position")
    assert len(data["moves"]) == len(begun.history)
    shown = data["boards"]["tablet"]
    first = "".join(shown["pieces"][piece] for piece in shown["frames"][0])
    assert first == render_svg(Game.from_dict(later.to_dict()), layout="tablet")
    assert len(data["judgements"]) == 5


def test_the_board_is_kept_as_it_was_drawn_in_a_fraction_of_the_room(page, game):
    every_step = Game(RuleSet.from_dict(game.rules.to_dict() | {"skip_forced": False}), game.seed)
    boards, drawn = data_of(page)["boards"], 0
    for layout, shown in boards.items():
        assert len(shown["frames"]) == len(game.history) + 1
        for frame in shown["frames"]:
            drawn += len("".join(shown["pieces"][piece] for piece in frame))
        first = "".join(shown["pieces"][piece] for piece in shown["frames"][0])
        assert first == render_svg(every_step, layout=layout, names=NAMES)
    assert len(page) < drawn / 10


def test_the_curves_end_where_the_game_ended(page, game):
    curves = data_of(page)["curves"]
    assert [row[-1] for row in curves["score"]] == game.scores()
    assert [row[0] for row in curves["buildings"]] == [0, 0, 0]
    state = game.state[0]
    assert [row[-1] for row in curves["coins"]] == state["coins"][:3].tolist()
    assert {len(row) for rows in curves.values() for row in rows} == {len(game.history) + 1}


def test_who_looks_from_a_seat_learns_no_hidden_vp():
    game = random_game(RuleSet(3, "classic", max_rounds=1))
    curves = data_of(replay_html(game, seat=1))["curves"]
    assert all(row[-2] is None for row in (curves["vp"][0], curves["score"][2]))
    assert None not in curves["vp"][1]
    assert [row[-1] for row in curves["score"]] == game.scores()
    assert None not in data_of(replay_html(game))["curves"]["vp"][0]
    begun = Game(RuleSet(3, "classic"), 5)
    begun.step("role:mayor")
    for seat, shown in ((1, [None, 0, None]), (None, [0, 0, 0])):
        assert data_of(replay_html(begun, seat=seat, layouts=()))["score"]["total"] == shown


def test_an_opinion_is_told_beside_what_was_played(page):
    (place, analysis), *more = data_of(page)["notes"].items()
    assert (place, more, analysis["agrees"]) == ("0", [], False)
    assert [each["played"] for each in analysis["candidates"]] == [False, True]
    assert [each["chance"] for each in analysis["candidates"]] == [0.5, None]
    assert analysis["chances"] == [0.4, 0.35, 0.25]
    assert analysis["choice"] == analysis["candidates"][0]["words"]


def test_a_game_that_is_not_over_has_a_page():
    game = Game(RuleSet(3), seed=5)
    assert data_of(replay_html(game))["moves"] == []
    game.step("role:mayor")
    data = data_of(replay_html(game, layouts=["wide"]))
    assert (data["over"], data["places"], list(data["boards"])) == (False, None, ["wide"])


# -- what it keeps to itself -----------------------------------------------------------------------


def test_a_page_fetches_nothing_and_runs_no_script_but_its_own(page):
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert not re.search(r"<link|<img|@import|\bfetch\(|XMLHttpRequest", page)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert "default-src 'none'" in policy
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_no_name_gets_out_of_the_story(page):
    assert data_of(page)["players"] == NAMES
    assert "Zoë" not in page
    assert page.count("<script") == 2


# -- asking an agent -------------------------------------------------------------------------------


def test_an_agent_is_asked_about_every_decision_that_was_one(game):
    short = RuleSet(3, max_rounds=1)
    game = random_game(short)
    data = data_of(replay_html(game, think="planner"))
    free = [place for place, move in enumerate(game.history) if not move.forced]
    assert [int(place) for place in data["judgements"]] == free
    assert data["reviewer"] == "planner"


def test_a_quick_search_is_asked_where_nobody_is_named_so_that_every_page_has_curves(page, game):
    data = data_of(page)
    assert data["reviewer"] == USUAL_REVIEWER
    free = [place for place, move in enumerate(game.history) if not move.forced]
    assert [int(place) for place in data["judgements"]] == free
    for judgement in data["judgements"].values():
        assert sum(judgement["chances"]) == pytest.approx(1, abs=0.001)


def test_the_marked_choice_is_the_likeliest_one_and_stands_first():
    """The planner counts points beside the chance to win, and so may choose the less likely one."""
    recorded = read_recorded(FOLDER / GAME_FILE)
    game = Game.begin(recorded.rules, recorded.start)
    for action, forced in recorded.actions[:_CLOSE]:
        if not forced:
            game.step(action)
    game = Game.from_dict(game.to_dict())
    game.step(recorded.actions[_CLOSE].action)
    judgement = data_of(replay_html(game, think="planner", layouts=()))["judgements"]["0"]
    first, second, *_ = judgement["candidates"]
    assert first["chance"] == max(each["chance"] for each in judgement["candidates"])
    assert (first["chosen"], second["chosen"]) == (True, False)
    assert judgement["choice"] == first["words"]
    assert "less than with Take the Builder card (25.5%)" in judgement["reasons"][0]


# -- what there is to learn ------------------------------------------------------------------------


def test_the_score_comes_item_by_item_with_what_breaks_ties(page, game):
    score = data_of(page)["score"]
    assert score["total"] == game.scores()
    columns = zip(*(points for _, points in score["items"]), strict=True)
    assert [sum(column) for column in columns] == score["total"]
    state = game.state[0]
    held = [int(state["coins"][seat] + state["goods"][seat].sum()) for seat in range(3)]
    assert score["tieBreak"] == held
    assert score["tieBreakTitle"] == "Tie-break: coins and barrels"


def test_a_game_up_to_any_decision_is_the_first_lines_of_the_record_in_the_page(page, game):
    lines = data_of(page)["record"]
    for place, move in enumerate(game.history):
        if not move.forced:
            again = Game.from_record("\n".join(lines[: place + 1]))
            assert again.history == game.history[:place]
    assert read_recorded("\n".join(lines)).players == tuple(NAMES)


@pytest.mark.parametrize("language", codes())
def test_the_page_speaks_every_language(record, language):
    data = data_of(page := replay_html(record, layouts=(), language=language))
    assert f'<html lang="{language}">' in page
    assert data["language"] == language
    scripts = "".join(replay._file(name) for name in replay._SCRIPTS)
    asked = set(re.findall(r'\bt\(\s*"(\w+)"', scripts))
    asked |= set(re.findall(r'data-(?:t|t-label|keys)="(\w+)"', replay._file("replay.html")))
    assert asked
    assert {f"replay_{key}" for key in asked} <= set(data["messages"])
    with pytest.raises(UnknownNameError, match="the languages are de, en, fr"):
        replay_html(record, language="la")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("plannr", "did you mean 'planner'"),
        ("random", "has no analyses"),
        ("planner\udcff", "cannot be written as UTF-8"),
    ],
)
def test_an_agent_that_cannot_say_anything_is_refused(game, name, reason):
    with pytest.raises(AgentError, match=reason):
        replay_html(game, think=name)


# -- files -----------------------------------------------------------------------------------------


@pytest.fixture
def file(record, tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(record, encoding="utf-8")
    return path


def test_the_command_writes_the_page_beside_the_record(file, page, capsys):
    assert cli.main(["replay", str(file)]) == 0
    assert file.with_suffix(".html").read_text(encoding="utf-8") == page
    assert "game.html" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("game.jsonl", "would replace the game record"),
        ("nowhere/game.html", "no folder"),
        (".", "is a folder"),
    ],
)
def test_a_page_that_has_no_place_is_refused_before_anything_happens(file, record, place, reason):
    with pytest.raises(ConfigError, match=reason):
        write_replay(file, file.parent / place)
    assert [each.name for each in file.parent.iterdir()] == [file.name]
    assert file.read_text(encoding="utf-8") == record


def test_a_damaged_record_leaves_an_older_page_whole(file, tmp_path):
    older = tmp_path / "game.html"
    older.write_text("older")
    file.write_text(file.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    with pytest.raises(RecordError, match="line"):
        write_replay(file, older)
    assert older.read_text() == "older"


def test_a_record_that_does_not_replay_is_refused(record):
    lines = record.splitlines()
    lines[1] = lines[1].replace('"seat": 0', '"seat": 1')
    with pytest.raises(RecordError, match="line 2"):
        replay_html("\n".join(lines))


def test_ctrl_c_while_an_agent_thinks_leaves_nothing_behind(file, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "review_game", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_replay(file, file.with_suffix(".html"), think="planner")
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_a_seat_that_nobody_has_cannot_be_looked_from(record):
    with pytest.raises(ConfigError, match="no seat 3"):
        replay_html(record, seat=3)


# -- in a browser ----------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_person_steps_through_a_game(chromium, page, tmp_path):
    from playwright.sync_api import expect

    file = tmp_path / "game.html"
    file.write_text(page, encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 1280, "height": 800})
    asked, wrong = [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(file.as_uri())
    tab.wait_for_selector("#board svg")
    words = [move[2] for move in data_of(page)["moves"]]
    selected, status = tab.locator("#log [aria-selected=true] .words"), tab.locator("#status")

    before = tab.inner_html("#board")
    tab.keyboard.press("ArrowRight")
    assert selected.inner_text() == words[0]
    assert words[0] in status.inner_text()
    assert tab.inner_html("#board") != before
    assert "It brings <b>coins</b>." in tab.inner_text("#analysis")
    assert "ann" in tab.get_attribute("#slider", "aria-valuetext")

    tab.locator("#log .entry .words", has_text=words[4]).first.click()
    assert selected.inner_text() == words[4]
    tab.keyboard.press("End")
    assert f"{len(words)} of {len(words)}" in status.inner_text()
    assert tab.locator("#log [aria-selected=true]").bounding_box()["y"] < 800
    tab.keyboard.press("PageUp")
    assert "Round 1" in status.inner_text() or "Round 2" in status.inner_text()
    tab.keyboard.press("Home")
    assert tab.inner_html("#board") == before

    tab.select_option("#speed", "120")
    tab.locator("#play").click()
    expect(status).to_contain_text(f"2 of {len(words)}")
    tab.keyboard.press("Space")
    assert tab.get_attribute("#play", "aria-label") == "Play"

    resize(tab, 390, 844)
    wide = tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    assert tab.inner_html("#board") != before
    resize(tab, 1280, 800)

    data = data_of(page)
    place = data["costliest"][0]
    costly = tab.locator("#costly .jump").first
    assert data["moves"][place][2] in costly.inner_text()
    line = tab.locator("#costly .line").first.locator("li").all_inner_texts()
    assert line == [f"P{seat} {told}" for seat, told in data["judgements"][str(place)]["line"]]
    costly.click()
    assert selected.inner_text() == words[place]
    total = tab.locator("#score tfoot tr").first.locator("td").all_inner_texts()
    assert sorted(map(int, total)) == sorted(data["score"]["total"])
    assert tab.locator("#accuracy tbody tr").count() == 3
    assert tab.locator(".chart.large path.curve").count() == 6

    tab.locator("#play-on").click()
    with tab.expect_download() as saving:
        tab.locator("#play-on-file").click()
    begun = Game.from_record(saving.value.path().read_text(encoding="utf-8"))
    free = [at for at in range(place + 1, len(words)) if not data["moves"][at][3]]
    assert len(begun.history) == (free or [len(words)])[0]
    assert saving.value.suggested_filename in tab.inner_text("#play-on-command")
    assert (asked, wrong) == ([file.as_uri()], [])
    tab.close()
