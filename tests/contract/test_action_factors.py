"""Every action is a kind, an object and a place, and the numbers of all three never move."""

import hashlib

import pytest

from prico_env import RuleSet
from prico_env.actions import NAMES
from prico_env.feature_scaling import feature_statistics
from prico_env.vocabulary import ALL_EXPANSIONS, BUILDINGS, GOODS, ROLES, TILES

EVERYTHING = RuleSet(4, expansions=ALL_EXPANSIONS)
BASE = RuleSet(4)
STAFFING = ("recall", "place", "guest")
"""Verbs that move a unit; the last word is a spot."""


def parts(rules, action):
    kind, what, where = rules.actions.factors[action].tolist()
    return rules.actions.kinds[kind], rules.actions.objects[what], rules.actions.objects[where]


def parsed(name):
    """What a name says, read word by word, by another way than the table's."""
    verb, *words = name.split(":")
    if verb == "land":
        return (f"land:{words[0]}", f"tile:{words[1]}" if words[1:] else "none", "none")
    if verb in STAFFING or (verb == "pay" and len(words) > 1):
        return verb, "unit:citizen" if "citizen" in words[:-1] else "unit:worker", spot(words[-1])
    if verb == "load":
        return verb, f"good:{words[0]}", f"ship:{words[1]}"
    if not words:
        return verb, "none", "none"
    (word,) = words
    if verb == "raid":
        return verb, f"ship:{word}", "none"
    if word in (*TILES, "forest") and verb in ("take", "forest", "lodge", "use"):
        return verb, f"tile:{word}", "none"
    for kind, members in (("good", GOODS), ("role", ROLES), ("building", BUILDINGS)):
        if word in members:
            return verb, f"{kind}:{word}", "none"
    return verb, f"unit:{word}" if word in ("worker", "citizen") else word, "none"


def spot(word):
    if word in TILES:
        return f"tile:{word}"
    return f"building:{word}" if word in BUILDINGS else word


def test_the_parts_of_an_action_are_what_its_name_says():
    for action, name in enumerate(NAMES):
        assert parts(EVERYTHING, action) == parsed(name), name


def test_no_two_actions_have_the_same_parts():
    assert len({tuple(row) for row in EVERYTHING.actions.factors.tolist()}) == len(NAMES)


def test_loading_sugar_on_the_second_ship_is_about_sugar_and_a_ship():
    action = BASE.actions.ids["load:sugar:2"]
    assert parts(BASE, action) == ("load", "good:sugar", "ship:2")


def test_a_plantation_and_the_barrels_of_its_kind_are_two_objects():
    take, sell = (BASE.actions.ids[name] for name in ("take:corn", "sell:corn"))
    assert parts(BASE, take)[1] == "tile:corn"
    assert parts(BASE, sell)[1] == "good:corn"


def test_staffing_is_about_a_kind_of_unit_at_a_spot():
    action = EVERYTHING.actions.ids["place:citizen:chapel"]
    assert parts(EVERYTHING, action) == ("place", "unit:citizen", "building:chapel")


def test_the_base_game_numbers_kinds_and_objects_first():
    base, everything = BASE.actions, EVERYTHING.actions
    assert everything.kinds[: len(base.kinds)] == base.kinds
    assert everything.objects[: len(base.objects)] == base.objects
    assert (everything.factors[: len(base)] == base.factors).all()
    assert (len(base.kinds), len(base.objects)) == (15, 49)
    assert base.objects[0] == everything.objects[0] == "none"


def test_numbers_of_kinds_and_objects_never_move():
    names = "\n".join((*EVERYTHING.actions.kinds[:33], *EVERYTHING.actions.objects[:78]))
    assert hashlib.sha256(names.encode()).hexdigest()[:16] == "967988a6f4fe7b72"


def test_the_parts_of_actions_cannot_be_changed_by_accident():
    with pytest.raises(ValueError, match="read-only"):
        BASE.actions.factors[0] = 1


def test_actions_are_a_table_with_a_row_each():
    frame = BASE.actions.to_frame()
    assert frame.index.name == "action"
    assert tuple(frame["name"]) == BASE.actions.names
    row = frame.loc[BASE.actions.ids["load:sugar:2"]]
    assert (row["kind"], row["object"], row["place"]) == ("load", "good:sugar", "ship:2")
    assert (row["block"], row["module"]) == ("load", "base")


def test_features_are_a_table_with_a_row_each():
    layout = EVERYTHING.observation
    frame = layout.to_frame()
    assert frame.index.name == "feature"
    assert tuple(frame["name"]) == layout.names == layout.feature_names
    row = frame[frame["name"] == "left_2.goods[corn]"].iloc[0]
    assert (row["block"], row["label"], row["high"]) == ("left_2.goods", "corn", 11)
    assert row["meaning"] == "Barrels."
    published = feature_statistics().moments["others.goods[corn]"]
    assert (row["mean"], row["deviation"]) == published
