"""Entities are the numbers of the vector again, a row for each board and each object."""

import numpy as np
import pytest

from prico_env import Game, Games, PricoError, RuleSet
from prico_env.vocabulary import ALL_EXPANSIONS
from tests.rule_sets import ALL_RULE_SETS

EVERYTHING = RuleSet(5, expansions=ALL_EXPANSIONS)
BASE = RuleSet(4)


def vector_of(rules, seed=3, steps=90):
    """What a seat sees in the midst of a random game."""
    games = Games(rules, 1, seed)
    for _ in range(steps):
        games.step(games.sample())
    return games.observations[0].copy()


def row(rules, entities, name):
    """The row of an object, by column."""
    part = rules.entities.parts["objects"]
    numbers = entities["objects"][part.rows.index(name)].tolist()
    return dict(zip(part.columns, numbers, strict=True))


@pytest.mark.parametrize("rules", [BASE, RuleSet(2), EVERYTHING], ids=str)
def test_every_number_of_the_vector_is_on_a_board_or_on_the_table(rules):
    layout, numbers = rules.observation, vector_of(rules)
    entities, parts = rules.entities.gather(numbers), rules.entities.parts
    found = {}
    for owner, part, array in (
        ("self", parts["self"], entities["self"]),
        ("table", parts["table"], entities["table"]),
        *((seat, parts["others"], board) for seat, board in
          zip(parts["others"].rows, entities["others"], strict=True)),
    ):  # fmt: skip
        found |= {
            f"{owner}.{name}": value
            for name, value in zip(part.columns, array.tolist(), strict=True)
        }
    assert found == dict(zip(layout.names, numbers.tolist(), strict=True))


def test_the_part_of_the_expansions_stands_in_the_row_of_its_board():
    names = EVERYTHING.entities.names
    assert names["self"] == names["others"]
    assert {"coins", "portrait_citizens", "new_buildings[chapel]"} <= set(names["others"])


def test_others_stand_in_turn_order():
    assert EVERYTHING.entities.parts["others"].rows == ("left_1", "left_2", "left_3", "left_4")


def test_objects_stand_in_the_order_in_which_actions_number_them():
    for rules in (BASE, EVERYTHING):
        assert rules.entities.parts["objects"].rows == rules.actions.objects


def test_the_row_of_a_building_says_who_owns_it_how_many_are_left_and_what_it_costs():
    game = Game.from_dict({
        "rules": {"players": 3, "edition": "1897-en"}, "phase": "role", "turn": 0,
        "buildings": {"small_market": 0},
        "players": [{"city": {"small_market": 1}}, {}, {"city": {"small_market": 0}}],
    }, check=False)  # fmt: skip
    found = row(
        game.rules, game.rules.entities.gather(game.observation(0)), "building:small_market"
    )
    assert {name: found[name] for name in ("supply", "own", "left_1", "left_2", "workers")} == {
        "supply": 0, "own": 1, "left_1": 0, "left_2": 1, "workers": 1,
    }  # fmt: skip
    assert (found["cost"], found["vp"], found["column"], found["is_building"]) == (1, 1, 1, 1)


def test_the_row_of_a_ship_and_those_of_goods_say_what_it_carries():
    game = Game.from_dict({
        "rules": {"players": 3, "edition": "1897-en"}, "phase": "role", "turn": 0,
        "ships": [{"size": 4, "good": "sugar", "barrels": 3}, {"size": 5}, {"size": 6}],
    }, check=False)  # fmt: skip
    entities = game.rules.entities.gather(game.observation(0))
    ship, sugar = (row(game.rules, entities, name) for name in ("ship:1", "good:sugar"))
    assert (ship["size"], ship["load"], ship["cargo[sugar]"], ship["cargo[corn]"]) == (4, 3, 1, 0)
    assert (sugar["on_ship[1]"], sugar["on_ship[2]"], sugar["price"]) == (1, 0, 2)


def test_what_an_object_does_not_have_is_0_there():
    found = row(BASE, BASE.entities.gather(vector_of(BASE)), "none")
    assert set(found.values()) == {0}


def test_every_column_of_objects_says_something_in_every_rule_set():
    for rules in ALL_RULE_SETS:
        part = rules.entities.parts["objects"]
        told = ((part.places >= 0) | (part.constants > 0)).any(axis=0)
        assert told.all(), (rules, np.array(part.columns)[~told])


def test_a_batch_is_gathered_as_its_games_are():
    games = Games(EVERYTHING, 5, seed=2)
    for _ in range(40):
        games.step(games.sample())
    together = EVERYTHING.entities.gather(games.observations)
    for game, numbers in enumerate(games.observations):
        for name, array in EVERYTHING.entities.gather(numbers).items():
            assert (together[name][game] == array).all()


def test_scaled_numbers_stay_as_they_are_and_facts_are_divided_by_their_largest_value():
    numbers = vector_of(BASE)
    scaled = BASE.entities.gather(BASE.observation.scale(numbers))
    market = row(BASE, scaled, "building:large_market")
    assert scaled["table"].dtype == np.float32
    assert market["cost"] == pytest.approx(0.5)
    assert scaled["self"].tolist() == BASE.observation.scale(numbers)[:72].tolist()


def test_entities_can_be_written_to_memory_of_the_caller():
    numbers = vector_of(BASE)
    expected = BASE.entities.gather(numbers)
    out = {name: np.full_like(array, 77) for name, array in expected.items()}
    filled = BASE.entities.gather(numbers, out)
    assert all(filled[name] is out[name] for name in out)
    assert all((filled[name] == expected[name]).all() for name in out)


@pytest.mark.parametrize("wrong", [
    np.zeros(460, np.uint8), np.zeros(461, np.int64), "corn", None,
], ids=str)  # fmt: skip
def test_vectors_of_another_layout_are_refused_in_words(wrong):
    with pytest.raises(PricoError, match="uint8 or float32, 461 numbers in each row"):
        BASE.entities.gather(wrong)


def test_memory_that_does_not_fit_is_refused_in_words():
    numbers = vector_of(BASE)
    out = BASE.entities.gather(numbers)
    with pytest.raises(PricoError, match="out is a writable array"):
        BASE.entities.gather(numbers, out | {"table": np.zeros(3, np.uint8)})
    with pytest.raises(PricoError, match="out has the arrays self, others, table, objects"):
        BASE.entities.gather(numbers, {"self": out["self"]})


def test_the_columns_are_a_table_with_a_row_each():
    frame = BASE.entities.to_frame()
    assert len(frame) == sum(len(names) for names in BASE.entities.names.values())
    found = frame[(frame["part"] == "objects") & (frame["name"] == "cost")].iloc[0]
    assert found["meaning"] == "Price before discounts."
