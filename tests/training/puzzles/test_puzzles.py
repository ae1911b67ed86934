"""Puzzles: each can be, was reached and is sure; who finds the answers; what is refused."""

import dataclasses
import json
from collections import Counter
from pathlib import Path

import pytest

from prico_agents import View, load_agent
from prico_env import Game, PricoError, RuleSet
from prico_training import cli
from prico_training.puzzles import (
    PuzzleError,
    ask_agent,
    make_puzzles,
    puzzles_command,
    read_puzzles,
)
from prico_training.puzzles.agreement import (
    Agreement,
    by_kind,
    read_agreements,
    to_json,
    usual_agents,
)
from prico_training.puzzles.agreement_page import page, tables
from prico_training.puzzles.make_puzzles import (
    LEAST_CHOICES,
    LEAST_LEAD,
    LEAST_SHARE,
    MOST_BEHIND,
    MOST_OF_KIND,
    NETWORK_SEARCH,
    RULE_SETS,
    SEARCHES,
    draw_positions,
    find_puzzle,
    judge,
)
from prico_training.reference import AGREEMENTS, HOME

PUZZLES = read_puzzles()
DRAWN = [puzzle for puzzle in PUZZLES.values() if puzzle.source == "self-play"]
SET_UP = [puzzle for puzzle in PUZZLES.values() if puzzle.source == "notebook"]
RULES = RuleSet(3)
COIN = PUZZLES["a coin on the trader"]


ANSWERS = {
    (puzzle.position["turn"], puzzle.game().text(puzzle.position["turn"])): puzzle.game().parse(
        puzzle.answers[0]
    )
    for puzzle in PUZZLES.values()
}


class Knowing:
    """Knows the answers."""

    def reset(self, seat, rules, seed) -> None:
        """Nothing to remember."""

    def act(self, view: View) -> int:
        return ANSWERS[view.seat, view.game.text(view.seat)]


class Failing:
    def reset(self, seat, rules, seed) -> None:
        """Nothing to remember."""

    def act(self, view: View) -> int:
        raise ZeroDivisionError("no idea")


class Cheating:
    def reset(self, seat, rules, seed) -> None:
        """Nothing to remember."""

    def act(self, view: View) -> int:
        return int((~view.legal).argmax())


# -- the puzzles that come along -------------------------------------------------------------------


def test_fifty_puzzles_of_self_play_and_six_of_the_notebook_come_along() -> None:
    assert (len(DRAWN), len(SET_UP), len(PUZZLES)) == (50, 6, 56)
    assert [puzzle.game().rules for puzzle in DRAWN] == list(RULE_SETS)
    assert Counter(RULE_SETS)[RuleSet(4)] == 30


def test_no_kind_of_decision_has_more_than_its_share() -> None:
    for kind, count in Counter(puzzle.kind for puzzle in DRAWN).items():
        assert count <= MOST_OF_KIND[kind] <= 12, kind
    assert len({puzzle.kind for puzzle in DRAWN}) == len(MOST_OF_KIND)


def test_every_puzzle_of_self_play_was_reached_by_playing_a_game_of_its_own() -> None:
    for puzzle in DRAWN:
        game = Game(puzzle.game().rules, seed=puzzle.played["seed"])
        for action in puzzle.played["actions"]:
            game.step(action)
        assert game.to_dict() == puzzle.position, puzzle.name
    assert len({puzzle.played["seed"] for puzzle in DRAWN}) == len(DRAWN)


def test_every_puzzle_is_a_position_that_can_be_and_leaves_choices_three_in_self_play() -> None:
    for puzzle in PUZZLES.values():
        game = puzzle.game()
        game.check()
        assert puzzle in SET_UP or len(game.legal_actions()) >= LEAST_CHOICES, puzzle.name
        assert 0 < len(puzzle.answers) < len(game.legal_actions()), puzzle.name


def test_every_search_named_the_answer_four_by_a_clear_margin_and_rollouts_do_not_object() -> None:
    for puzzle in DRAWN:
        assert [each["agent"] for each in puzzle.searches] == [*SEARCHES, NETWORK_SEARCH]
        assert {each["action"] for each in puzzle.searches} == set(puzzle.answers)
        sure = puzzle.searches[: len(SEARCHES)]
        assert len({each["seed"] for each in sure}) == len(SEARCHES)
        assert min(each["share"] for each in sure) >= LEAST_SHARE
        assert min(each["lead"] for each in sure) >= LEAST_LEAD
        assert puzzle.rollouts["lead"] >= -MOST_BEHIND


# -- who finds the answers -------------------------------------------------------------------------


def test_whoever_knows_the_answers_agrees_everywhere() -> None:
    agreement = ask_agent(f"knowing={__name__}:Knowing")
    share = agreement.share(PUZZLES.values())
    assert (agreement.name, share.mean, share.count) == ("knowing", 1, 56)
    assert share.low == pytest.approx(0.9358, abs=1e-3)  # Wilson's, of 56 of 56
    assert share.high == 1


def test_the_notebook_puzzle_is_no_trap_for_who_sees_the_end() -> None:
    assert ask_agent("mcts:400", {COIN.name: COIN}).choices == {COIN.name: "role:mayor"}


def test_an_agent_that_draws_has_chance_of_its_own_in_each_puzzle() -> None:
    first, again, other = (ask_agent("random", seed=seed).choices for seed in (3, 3, 4))
    assert first == again != other
    twins = {name: dataclasses.replace(COIN, name=name) for name in "abcdefgh"}
    assert len(set(ask_agent("random", twins).choices.values())) > 1


def test_an_agent_is_asked_only_where_it_knows_the_rule_set() -> None:
    agreement = ask_agent("governor")
    unknown = {name for name, choice in agreement.choices.items() if choice is None}
    assert unknown == {puzzle.name for puzzle in PUZZLES.values() if puzzle.game().rules.expansions}
    assert agreement.share(PUZZLES.values()).count == len(PUZZLES) - len(unknown)
    assert f" of {50 - len(unknown)}: " in tables([agreement], PUZZLES)


def test_the_usual_agents_are_all_that_play_by_themselves_and_searches_with_the_networks() -> None:
    names = usual_agents()
    assert {"random", "planner", "governor", "mcts:200", "mcts:200,network=governor"} <= set(names)
    assert len(set(names)) == len(names)
    for name in names:
        load_agent(name)


def test_the_tables_count_by_source_and_by_kind_and_tell_who_missed_what() -> None:
    agreement = ask_agent("corn")
    text = page([agreement], PUZZLES)
    assert "| agent | self-play, 50 puzzles | notebook, 6 puzzles |" in text
    for kind, some in by_kind(PUZZLES).items():
        assert f"`{kind}`" in text
        assert f" of {len(some)} |" in text
    for puzzle in PUZZLES.values():
        missed = agreement.choices[puzzle.name] not in puzzle.answers
        row = next(line for line in text.splitlines() if line.startswith(f"| {puzzle.name} |"))
        assert row.endswith("| `corn` |" if missed else "| nobody |")
    with pytest.raises(PuzzleError, match="was asked other puzzles"):
        page([ask_agent("corn", {COIN.name: COIN})], PUZZLES)


def test_agreements_are_read_as_they_were_written() -> None:
    agreements = [ask_agent("corn"), Agreement("x", "governor", 5, dict.fromkeys(PUZZLES))]
    text = to_json(agreements, PUZZLES)
    assert read_agreements(text) == agreements
    assert json.loads(text)[0]["sources"]["self-play"]["count"] == 50
    for damaged in ("", "{", "[1]", '[{"name": "x"}]', "3"):
        with pytest.raises(PuzzleError, match="no agreement"):
            read_agreements(damaged)


def test_the_page_tells_what_agents_choose_today() -> None:
    told = {each.agent: each for each in read_agreements((HOME / AGREEMENTS).read_text())}
    assert list(told) == usual_agents()
    for name in ("random", "corn"):
        assert told[name] == ask_agent(name, seed=told[name].seed)


# -- the command -----------------------------------------------------------------------------------


def test_the_command_prints_the_tables_and_writes_every_choice(tmp_path: Path, capsys) -> None:
    assert cli.main(["puzzles", "corn", "mine=trader", "--json", str(tmp_path / "all.json")]) == 0
    agreements = read_agreements((tmp_path / "all.json").read_text())
    assert [(each.name, each.agent) for each in agreements] == [
        ("corn", "corn"), ("mine", "trader"),
    ]  # fmt: skip
    assert capsys.readouterr().out == tables(agreements, PUZZLES)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nobody"], "no agent is called 'nobody'"),
        (["human"], "'human' asks you"),
        ([f"{__name__}:Failing"], "ZeroDivisionError: no idea"),
        ([f"{__name__}:Cheating"], "not allowed there"),
        (["corn", "corn"], "two agents are called 'corn'"),
        (["corn", "--puzzles", "missing"], "missing cannot be read"),
        (["corn", "--make", "x"], "--make asks nobody"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_in_one_line(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["puzzles", *words, "--json", "out.json"]) == cli.USER_MISTAKE
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_who_does_not_exist_is_refused_before_anybody_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(puzzles_command, "ask_agent", lambda name, *_: asked.append(name))
    assert cli.main(["puzzles", "corn", "nobody"]) == cli.USER_MISTAKE
    assert not asked
    assert "no agent is called 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"answers": ["role:pope"]}, "'role:pope' is not one of"),
        ({"answers": []}, "nothing to find out"),
        ({"source": "hearsay"}, "a source self-play or notebook"),
        ({"name": 3}, "a name is text"),
        ({"position": {"players": 3}}, "is no puzzle"),
        ({"more": 1}, "unexpected keyword"),
        ({"searches": 3}, "is no puzzle"),
    ],
)
def test_a_file_of_puzzles_that_is_damaged_is_refused_with_its_line(
    change: dict, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.jsonl"
    fields = json.loads(COIN.to_line())
    file.write_text(f"{COIN.to_line()}\n{json.dumps(fields | {'name': 'other'} | change)}\n")
    with pytest.raises(PuzzleError, match="line 2.*" + says):
        read_puzzles(file)


def test_two_puzzles_of_one_name_and_none_at_all_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"{COIN.to_line()}\n" * 2)
    with pytest.raises(PuzzleError, match="there are two puzzles 'a coin on the trader'"):
        read_puzzles(file)
    file.write_text("")
    with pytest.raises(PuzzleError, match="holds no puzzles"):
        read_puzzles(file)


# -- how puzzles are made --------------------------------------------------------------------------


@pytest.fixture
def quick_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges that think little and are soon content."""
    monkeypatch.setattr(make_puzzles, "SEARCHES", ("mcts:60", "mcts:80"))
    monkeypatch.setattr(make_puzzles, "NETWORK_SEARCH", "mcts:20,network=governor")
    monkeypatch.setattr(make_puzzles, "LEAST_SHARE", 0.3)
    monkeypatch.setattr(make_puzzles, "LEAST_LEAD", -1.0)
    monkeypatch.setattr(make_puzzles, "VARIANTS", 2)
    monkeypatch.setattr(make_puzzles, "DEALS", 2)
    monkeypatch.setattr(make_puzzles, "PLAYERS", ("corn",))


def test_a_puzzle_is_looked_for_in_game_after_game_and_full_kinds_are_left_out(
    quick_judges: None,
) -> None:
    puzzle = find_puzzle("first", RULES, seed=5)
    assert puzzle == find_puzzle("first", RULES, seed=5)
    assert puzzle.source == "self-play"
    assert [each["action"] for each in puzzle.searches] == list(puzzle.answers) * 3
    puzzle.check()
    full = Counter({kind: most for kind, most in MOST_OF_KIND.items() if kind != puzzle.kind})
    assert find_puzzle("second", RULES, 5, full).kind == puzzle.kind
    full = Counter({puzzle.kind: MOST_OF_KIND[puzzle.kind]})
    assert find_puzzle("third", RULES, 5, full).kind != puzzle.kind


def test_a_position_is_no_puzzle_where_a_search_is_unsure_or_rollouts_object(
    quick_judges: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = draw_positions(RULES, seed=5)
    assert any(judge("x", position, 5) for position in positions.values())
    monkeypatch.setattr(make_puzzles, "MOST_BEHIND", -2.0)  # nothing leads by so much
    assert not any(judge("x", position, 5) for position in positions.values())
    monkeypatch.setattr(make_puzzles, "MOST_BEHIND", 2.0)
    monkeypatch.setattr(make_puzzles, "LEAST_LEAD", 2.0)
    assert not any(judge("x", position, 5) for position in positions.values())


def test_positions_are_drawn_where_three_actions_are_allowed_and_say_how_they_came(
    quick_judges: None,
) -> None:
    for kind, position in draw_positions(RULES, seed=6).items():
        assert int(position.game.state["decision_point"][0]) == kind
        assert len(position.game.legal_actions()) >= LEAST_CHOICES
        game = Game(RULES, seed=position.played["seed"])
        for action in position.played["actions"]:
            game.step(action)
        assert game.to_dict() == position.game.to_dict()


def test_making_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    looked: list[str] = []

    def find(name, rules, seed, of_kind):
        looked.append(name)
        assert sum(of_kind.values()) == len(set(looked)) - 1
        if name.endswith("03") and looked.count(name) == 1:
            raise KeyboardInterrupt
        return dataclasses.replace(DRAWN[int(name[-2:]) - 1], name=name)

    monkeypatch.setattr(make_puzzles, "find_puzzle", find)
    monkeypatch.setattr(make_puzzles, "RULE_SETS", RULE_SETS[:4])
    file = tmp_path / "mine.jsonl"
    assert cli.main(["puzzles", "--make", str(file), "--seed", "2"]) == cli.INTERRUPTED
    assert list(read_puzzles(file)) == [
        *(puzzle.name for puzzle in SET_UP), "self-play 01", "self-play 02",
    ]  # fmt: skip
    assert cli.main(["puzzles", "--make", str(file), "--seed", "2"]) == 0
    assert looked == [f"self-play {1 + number:02}" for number in (0, 1, 2, 2, 3)]
    assert list(read_puzzles(file).values()) == [*SET_UP, *DRAWN[:4]]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]
    assert "ask agents with --puzzles" in capsys.readouterr().out


def test_a_file_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("dear diary")
    with pytest.raises(PricoError, match="line 1 is no puzzle"):
        list(make_puzzles.make_puzzles(file, seed=1))
    assert file.read_text() == "dear diary"
