"""The game in numbers: what is counted, and the page that is written from it."""

import json
from pathlib import Path

import numpy as np
import pytest

from prico_agents import load_agent
from prico_agents.compiled import play_games
from prico_env import ALL_EXPANSIONS, Game, PricoError, RuleSet
from prico_training import cli
from prico_training.arena import game_numbers
from prico_training.arena.game_numbers import (
    PLAYERS,
    count_games,
    knows,
    log10_positions,
    survey,
    survey_rules,
)
from prico_training.arena.game_numbers_page import page, read_lines
from prico_training.reference import HOME, NUMBERS

RULES = RuleSet(3)


@pytest.fixture(scope="module")
def numbers() -> dict:
    """Of games among corn, who plays alike whatever its chance is in the base game."""
    return count_games(RULES, "corn", games=12, seed=5)


def test_games_are_counted_as_they_are_played_one_by_one(numbers) -> None:
    line_up = [load_agent("corn")] * 3
    played = play_games(RULES, line_up, 5 + np.arange(12), np.zeros((12, 3), np.int64))
    assert numbers["decisions"]["mean"] == pytest.approx(
        played.decisions.sum(axis=1).mean(), rel=1e-3
    )
    assert numbers["kinds"]["role"] == pytest.approx(played.roles.sum() / 12, rel=1e-3)
    scores = played.games.scores()
    assert numbers["scores"] == pytest.approx(scores.mean(axis=0).tolist(), rel=1e-3)
    assert numbers["winner"]["mean"] == pytest.approx(scores.max(axis=1).mean(), rel=1e-3)
    assert numbers["rounds"]["mean"] == pytest.approx(played.games.state["round"].mean(), rel=1e-3)


def test_choices_and_actions_are_those_of_the_games(numbers) -> None:
    game, agent = Game(RULES, seed=5), load_agent("corn")
    agent.reset(0, RULES, 0)
    kinds, actions = numbers["kinds"], numbers["actions"]
    assert sum(kinds.values()) == pytest.approx(numbers["decisions"]["mean"], rel=1e-2)
    assert sum(taken for taken, _ in actions.values()) == pytest.approx(sum(kinds.values()), 1e-2)
    assert all(0 <= share <= 1 for _, share in actions.values())
    assert set(actions) <= set(RULES.actions.names)
    assert len(game.legal_actions()) <= numbers["choices"]["most"]
    mean = numbers["choices"]["mean"]
    assert 1 < 10 ** (numbers["log10_sequences"] / numbers["decisions"]["mean"]) <= mean


def test_victories_of_all_seats_make_one(numbers) -> None:
    assert sum(mean for mean, _, _ in numbers["wins"]) == pytest.approx(1.0, abs=1e-3)
    assert all(low <= mean <= high for mean, low, high in numbers["wins"])


def test_buildings_and_purchases_are_told_where_there_are_enough(monkeypatch) -> None:
    monkeypatch.setattr(game_numbers, "_LEAST_OWNERS", 3)
    found = count_games(RULES, "corn", games=12, seed=5, purchases=12)
    some = [one for one in found["buildings"].values() if "wins" in one]
    assert some
    for one in some:
        mean, low, high = one["lead"]
        assert low < mean < high
        assert 0 < one["owned"] < 1
    assert found["purchases"]
    written = page([found])
    assert "What a purchase brings" in written
    assert "purchases" not in count_games(RULES, "random", games=2, seed=5, purchases=2)


def test_the_survey_asks_whoever_knows_a_rule_set_and_tells_what_the_page_shows(
    monkeypatch,
) -> None:
    rules = [RuleSet(2), RuleSet(4), RuleSet(4, expansions=("festival",))]
    monkeypatch.setattr(game_numbers, "survey_rules", lambda: rules)
    monkeypatch.setattr(game_numbers, "PLAYERS", ("random", "governor"))
    found = list(survey(games=2, purchases=0, seed=1))
    assert [(one["rules"]["players"], one["players"]) for one in found] == [
        (2, "random"), (2, "governor"), (4, "random"), (4, "governor"), (4, "random"),
    ]  # fmt: skip
    assert ["buildings" in one for one in found] == [False, False, True, True, True]
    assert ["actions" in one for one in found] == [False, False, True, True, False]


def test_the_survey_covers_all_tables_editions_and_expansions() -> None:
    rules = survey_rules()
    assert {(one.players, one.edition) for one in rules if not one.expansions} == {
        (players, edition)
        for players in (2, 3, 4, 5)
        for edition in ("1897-en", "1897-de", "classic")
    }
    assert {module for one in rules for module in one.expansions} == set(ALL_EXPANSIONS)


def test_only_compiled_agents_and_networks_play_games_to_be_counted() -> None:
    assert knows("governor", RULES)
    assert not knows("governor", RuleSet(3, expansions=("citizens",)))
    with pytest.raises(PricoError, match="'mcts' is neither"):
        knows("mcts", RULES)


def test_the_bound_of_positions_grows_with_the_table_and_is_of_the_base_game() -> None:
    bounds = [log10_positions(RuleSet(players)) for players in (2, 3, 4, 5)]
    assert bounds == sorted(bounds)
    assert bounds[0] > 50
    assert log10_positions(RuleSet(4, expansions=("festival",))) is None


def test_numbers_that_are_damaged_are_refused_in_words(numbers) -> None:
    with pytest.raises(PricoError, match="no numbers of games"):
        read_lines("{")
    for changed in ({"wins": None}, {"rules": {"players": 9}}, {"rounds": {}}, {"ends": []}):
        with pytest.raises(PricoError):
            page([numbers | changed])


def test_the_page_is_written_from_the_numbers_of_its_command() -> None:
    """`make reference` writes it; that it is up to date another test of stale pages says."""
    lines = read_lines((HOME / NUMBERS).read_text(encoding="utf-8"))
    told = {(RuleSet.from_dict(one["rules"]), one["players"]) for one in lines}
    asked = {(rules, name) for rules in survey_rules() for name in PLAYERS if knows(name, rules)}
    assert told == asked


def test_the_command_prints_tables_or_writes_the_numbers(tmp_path: Path, capsys) -> None:
    words = ["numbers", "corn", "--players", "2", "--games", "3"]
    cli.main(words)
    printed = capsys.readouterr().out
    assert "| 1897-en, 2 players | `corn` |" in printed
    file = tmp_path / "numbers.jsonl"
    cli.main([*words, "--output", str(file)])
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["players"] for line in lines] == ["corn"]
    assert page(read_lines("\n".join(lines))) == printed


def test_the_command_says_which_agent_cannot_play(capsys) -> None:
    assert cli.main(["numbers", "governor", "--expansions", "citizens", "--games", "2"]) == 2
    assert "'governor' cannot play" in capsys.readouterr().err
