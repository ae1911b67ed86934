"""What an observation goes on to say with expansions, feature by feature."""

import numpy as np
import pytest

from prico_env import Game, Games, RuleSet
from prico_env.core.state import FIELDS
from prico_env.observation_layout import EXTRA_SEAT_BLOCKS, EXTRA_TABLE_BLOCKS, layout_for
from prico_env.vocabulary import (
    BUILDINGS,
    EXPANSIONS,
    GOODS,
    ROLES,
    SPOTS,
    DecisionPoint,
    Phase,
    UsedOnce,
)
from tests.builders import ALICE, BOB, CAROL, CLASSIC, EDITIONS, ENGLISH, GERMAN, X1, X2, X3, X4

MODULES = {CLASSIC: EXPANSIONS[:2], ENGLISH: EXPANSIONS, GERMAN: EXPANSIONS}


def full_game(players=3, edition=ENGLISH, seed=1):
    """A game with every expansion of its edition, at its first choice of roles."""
    return Game(RuleSet(players, edition, MODULES[edition], board="random"), seed=seed)


def decoded(game, seat=ALICE):
    """What a seat sees, by block and label."""
    return game.rules.observation.decode(game.observation(seat))


# -- the shape -------------------------------------------------------------------------------------


def test_the_part_of_the_expansions_comes_behind_the_base_game(players):
    base, full = layout_for(players), layout_for(players, True)
    count = len(base.blocks)
    assert full.blocks[:count] == base.blocks
    owners = [block.name.split(".")[0] for block in full.blocks[count:]]
    table, seats = len(EXTRA_TABLE_BLOCKS), len(EXTRA_SEAT_BLOCKS)
    assert owners[:table] == ["table"] * table
    assert owners[table : table + seats] == ["self"] * seats
    assert owners[-seats:] == [f"left_{players - 1}"] * seats
    assert len({block.name for block in full.blocks}) == len(full.blocks)
    assert full.num_features == full.blocks[-1].stop == len(full.high)


def test_every_longer_vector_is_longer_than_every_base_vector():
    """The writer tells by the length alone whether there is a part of the expansions."""
    assert layout_for(2, True).num_features > layout_for(5).num_features


@pytest.mark.parametrize("module", EXPANSIONS)
def test_every_combination_of_expansions_has_the_same_layout(module, players):
    assert RuleSet(players, ENGLISH, (module,)).observation is layout_for(players, True)
    assert RuleSet(players, ENGLISH, EXPANSIONS).observation is layout_for(players, True)
    assert RuleSet(players, ENGLISH).observation is layout_for(players, False)


def test_a_mixed_batch_has_room_for_the_most_seats_and_for_expansions():
    rule_sets = [RuleSet(5, CLASSIC), RuleSet(2, ENGLISH, (X3,)), RuleSet(3, GERMAN)]
    games = Games(rule_sets, n=3, seed=7)
    assert games.layout is layout_for(5, True)
    alone = Game(rule_sets[1], seed=8)
    seen = games.layout.decode(games.observations[1])
    for name, value in decoded(alone, alone.turn).items():
        assert seen[name] == value, name
    assert not any(seen["left_2.roles_taken"].values())
    assert Games([RuleSet(3), RuleSet(2)], n=2).layout is layout_for(3, False)


# -- what it says of a seat ------------------------------------------------------------------------

GUESTS, GARDENERS = SPOTS.index("guest_house"), SPOTS.index("royal_garden")
SEATS = {
    "forests": ("own_forests", (), 3, "forests", None, 3),
    "citizens on the portrait": ("portrait_citizens", (), 2, "portrait_citizens", None, 2),
    "small wharf": ("small_wharf_used", (), 1, "small_wharf_used", None, 1),
    "land office": ("used_once", (), UsedOnce.LAND, "once", "land", 1),
    "sale": ("used_once", (), UsedOnce.SOLD, "once", "sold", 1),
    "villa": ("used_once", (), UsedOnce.VILLA, "once", "villa", 1),
    "forest from the row": ("forest_kinds", 3, 2, "forest_kinds", "tobacco", 2),
    "first new building": ("owned", 29, 1, "new_buildings", "aqueduct", 1),
    "last new building": ("owned", GARDENERS, 1, "new_buildings", "royal_garden", 1),
    "guests": ("workers", GUESTS, 2, "new_building_workers", "guest_house", 2),
    "gardeners": ("workers", GARDENERS, 1, "new_building_workers", "royal_garden", 1),
    "citizens on tiles": ("citizens", 5, 4, "tile_citizens", "quarry", 4),
    "citizens in the first building": (
        "citizens", 6, 1, "building_citizens", "small_indigo_plant", 1,
    ),
    "citizens in the last building": (
        "citizens", GARDENERS, 1, "building_citizens", "royal_garden", 1,
    ),
}  # fmt: skip
"""Field, place in a seat's row, its value; block, label, what is shown."""


@pytest.mark.parametrize("what", SEATS)
@pytest.mark.parametrize("owner", [ALICE, BOB, CAROL])
def test_a_board_is_shown_to_every_seat(what, owner):
    game = full_game()
    field, place, value, block, label, shown = SEATS[what]
    before = [decoded(game, seat) for seat in range(3)]
    game.state[field][(0, owner, place) if place != () else (0, owner)] = value
    for seat in range(3):
        name = ("self", "left_1", "left_2")[(owner - seat) % 3]
        after = decoded(game, seat)
        feature = after[f"{name}.{block}"]
        assert (feature if label is None else feature[label]) == shown
        assert {one for one in after if after[one] != before[seat][one]} == {f"{name}.{block}"}


def test_a_blind_forest_is_shown_to_its_owner_by_kind_and_to_others_as_one_more():
    game = full_game()
    game.state["own_forests"][0, BOB] = 2
    game.state["forest_kinds"][0, BOB, :2] = 1
    game.state["forest_blind"][0, BOB, 1] = 1
    own, other = decoded(game, BOB), decoded(game, ALICE)
    for seen, name in ((own, "self"), (other, "left_1")):
        assert seen[f"{name}.forests"] == 2
        assert seen[f"{name}.forest_kinds"] == dict.fromkeys(GOODS, 0) | {"corn": 1}
    assert own["self.forest_blind"] == dict.fromkeys(GOODS, 0) | {"indigo": 1}
    assert not any(other["left_1.forest_blind"].values())
    unseen = {good: other["table.unseen"][good] - own["table.unseen"][good] for good in GOODS}
    assert unseen == dict.fromkeys(GOODS, 0) | {"indigo": 1}


def test_who_took_and_who_captured_each_card_is_shown():
    game = full_game()
    game.state["role_owner"][0, ROLES.index("mayor")] = BOB
    game.state["role_owner"][0, ROLES.index("smuggler")] = CAROL
    game.state["role_captor"][0, ROLES.index("trader")] = CAROL
    game.state["smuggler_tile"] = CAROL
    seen = decoded(game, BOB)
    assert [role for role, taken in seen["self.roles_taken"].items() if taken] == ["mayor"]
    assert [role for role, taken in seen["left_1.roles_taken"].items() if taken] == ["smuggler"]
    assert [role for role, taken in seen["left_1.roles_captured"].items() if taken] == ["trader"]
    assert seen["left_1.smuggler_tile"] == 1
    assert seen["self.smuggler_tile"] == seen["left_2.smuggler_tile"] == 0
    assert seen["table.smuggler_free"] == 0
    assert decoded(full_game())["table.smuggler_free"] == 1


# -- what it says of the table ---------------------------------------------------------------------

HARBOR, GARDEN = BUILDINGS.index("harbor"), BUILDINGS.index("royal_garden")
AQUEDUCT = BUILDINGS.index("aqueduct")
TABLE = {
    "what is decided": ("decision_point", (), DecisionPoint.SMUGGLE, "extra_point", "smuggle", 1),
    "the last decision": (
        "decision_point",
        (),
        DecisionPoint.GAIN_UNITS,
        "extra_point",
        "gain_units",
        1,
    ),
    "amount": ("value", (), 40, "amount", None, 40),
    "captured role": ("captured", (), 1, "captured", None, 1),
    "citizens in the supply": ("citizen_supply", (), 7, "citizen_supply", None, 7),
    "citizens on the register": ("register_citizens", (), 2, "register_citizens", None, 2),
    "forests": ("forests", (), 11, "forests", None, 11),
    "workers in hand": ("hand_workers", (), 3, "hand", "workers", 3),
    "citizens in hand": ("hand_citizens", (), 2, "hand", "citizens", 2),
    "cursor": ("cursor", (), 99, "unit_cursor", None, 99),
    "forest drawn": ("drawn", (), 6, "laid_forest", "drawn", 1),
    "forest taken": ("taken", (), 6, "laid_forest", "taken", 1),
    "festival goods": ("festival_goods", 4, 3, "festival_goods", "coffee", 3),
    "privilege goods": ("privilege_goods", 1, 2, "privilege_goods", "indigo", 2),
    "bought": ("bought", (), GARDEN, "bought", "royal_garden", 1),
    "supply of the first": ("building_supply", AQUEDUCT, 1, "new_building_supply", "aqueduct", 1),
    "supply of the last": ("building_supply", GARDEN, 2, "new_building_supply", "royal_garden", 2),
    "recalled workers": ("recalled", SPOTS.index("villa"), 1, "recalled_new", "villa", 1),
    "recalled citizens": ("recalled", 0, 2, "recalled_citizens", "corn", 1),
    "recalled from the last": ("recalled", 50, 2, "recalled_citizens", "royal_garden", 1),
}


@pytest.mark.parametrize("what", TABLE)
def test_the_table_is_shown(what):
    game = full_game()
    field, place, value, block, label, shown = TABLE[what]
    game.state["building_supply"][0, AQUEDUCT:] = 0
    game.state["festival_goods"] = 0
    game.state[field][(0, place) if place != () else 0] = value
    seen = decoded(game)[f"table.{block}"]
    assert (seen if label is None else seen[label]) == shown
    if label is not None:
        assert not any(number for name, number in seen.items() if name != label)


def test_the_goals_of_the_festival_are_shown_until_they_are_met():
    game = full_game()
    game.state["festival_estate"], game.state["festival_building"] = 2, HARBOR
    seen = decoded(game)
    assert [good for good, asked in seen["table.festival_estate"].items() if asked] == ["sugar"]
    assert [name for name, asked in seen["table.festival_building"].items() if asked] == ["harbor"]
    game.state["festival_estate"] = game.state["festival_building"] = -1
    game.state["festival_goods"] = 0
    seen = decoded(game)
    for block in ("festival_estate", "festival_building", "festival_goods"):
        assert not any(seen[f"table.{block}"].values())


def test_the_board_and_the_open_slots_of_the_draft_are_shown():
    """R-X1-3, R-X1-4."""
    game = Game(RuleSet(3, CLASSIC, (X1,)), seed=1)
    first = decoded(game, game.turn)
    assert first["table.phase"]["draft"] == first["table.extra_point"]["draft"] == 1
    expected = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
    assert first["table.draft_slots"] == {f"cost {cost}": n for cost, n in expected.items()}
    assert not any(first["table.board"].values())
    for building in ("statue", "small_market"):
        game.step(f"board:{building}")
    seen = decoded(game, game.turn)
    chosen = [name for name, is_there in seen["table.board"].items() if is_there]
    assert chosen == ["small_market", "statue"]
    assert (seen["table.draft_slots"]["cost 1"], seen["table.draft_slots"]["cost 10"]) == (0, 4)
    assert seen["table.new_building_supply"]["statue"] == 1
    while game.phase == "draft":
        game.step(game.legal_actions()[-1])
    seen = decoded(game, game.turn)
    assert sum(seen["table.board"].values()) == 17
    assert not any(seen["table.draft_slots"].values())


def test_decisions_that_wait_are_shown_with_whose_they_are():
    game = full_game()
    game.state["depth"] = 1
    game.state["stack_point"][0, :2] = DecisionPoint.LOAD, DecisionPoint.SELL
    game.state["stack_turn"][0, :2] = CAROL, BOB
    game.state["stack_value"][0, :2] = 5, 7
    seen = decoded(game, BOB)
    assert seen["table.waiting_point"]["1"] == DecisionPoint.LOAD + 1
    assert seen["table.waiting_seat"]["1"] == 2
    assert seen["table.waiting_amount"]["1"] == 5
    for block in ("waiting_point", "waiting_seat", "waiting_amount"):
        assert seen[f"table.{block}"]["2"] == 0


def test_the_seat_to_decide_sees_what_it_produced_itself():
    game = full_game()
    game.state["produced"][0, BOB, 1], game.state["turn"] = 4, BOB
    assert decoded(game, BOB)["table.own_made"]["indigo"] == 4
    game.state["turn"] = CAROL
    assert decoded(game, CAROL)["table.own_made"]["indigo"] == 0


def test_the_phase_is_shown_where_a_window_interrupts_it():
    game = full_game()
    for phase in (Phase.SETTLER, Phase.CAPTAIN, Phase.END):
        game.state["phase"], game.state["decision_point"] = phase, DecisionPoint.OPEN_WINDOW
        seen = decoded(game)
        assert [name for name, on in seen["table.phase"].items() if on] == [phase.name.lower()]
        assert seen["table.extra_point"]["open_window"] == 1


# -- bounds ----------------------------------------------------------------------------------------


def test_whatever_expansions_bring_beyond_the_base_game_is_cut_to_its_bounds(players):
    game = full_game(players)
    game.state["value"], game.state["turns"], game.state["cursor"] = 300, 25, 101
    game.state["row"], game.state["recalled"], game.state["hand_workers"] = 9, 3, 40
    game.state["drawn"] = game.state["taken"] = 6
    for seat in range(players):
        assert (game.observation(seat) <= game.rules.observation.high).all()
    seen = decoded(game)
    assert seen["table.offer"] == 10
    assert seen["table.turns"] == 5
    assert seen["table.cursor"] == 50
    assert set(seen["table.row"].values()) == {6}
    assert set(seen["table.recalled"].values()) == {1}
    assert not any(seen["table.drawn"].values())
    game.state["value"] = game.state["cursor"] = -1
    seen = decoded(game)
    assert seen["table.offer"] == seen["table.amount"] == seen["table.unit_cursor"] == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_played_game_stays_inside_its_bounds(edition, players):
    chance = np.random.default_rng(players)
    rules = RuleSet(players, edition, MODULES[edition], optional_gains="ask")
    game = Game(rules, seed=players)
    for _ in range(120):
        if game.over:
            break
        for seat in range(players):
            assert (game.observation(seat) <= rules.observation.high).all()
        game.step(int(chance.choice(game.legal_actions())))


def test_a_vector_is_written_whole_whatever_it_held_before(players):
    """No span of a row leaves a trace, and no feature is left out."""
    rules = [RuleSet(players, ENGLISH, modules) for modules in (EXPANSIONS, (X2, X4))]
    games = Games(rules, n=2, seed=3)
    for _ in range(40):
        games.step(games.sample())
        ones = games.observe(games.turn, np.full_like(games.observations, 255))
        zeros = games.observe(games.turn)
        assert ones.tolist() == zeros.tolist() == games.observations.tolist()


# -- nothing is forgotten --------------------------------------------------------------------------

UNSEEN = {
    "rng": "hidden",
    "deck": "hidden, but for how many of each kind there are",
    "rules": "no part of the game's course",
    "outcome": "the mask of a game that is over is empty",
    "turn": "the seat that looks is the seat to act",
    "role": "the phase says it",
    "bank": "what the coins in sight leave",
    "deck_size": "the sum of what is unseen and not laid aside",
    "powers": "they follow from units and buildings",
    "reserved": "no meaning",
}
"""Fields that need no feature, and why."""


@pytest.mark.parametrize("field", [name for name, *_ in FIELDS if name not in UNSEEN])
def test_a_change_of_any_field_changes_what_the_seat_to_decide_sees(field):
    """Together with the mask the vector is all that the future depends on."""
    game = full_game(players=5)
    game.state["depth"] = game.state["stack_point"].size
    game.state["turn"], game.state["actor"] = BOB, CAROL
    before = game.observation(BOB).tobytes()
    numbers = game.state[field].reshape(-1)
    for place, index in enumerate(np.ndindex(game.state[field].shape[1:])):
        old = numbers[place]
        for value in {0, 1} - {int(old)} if plays_a_part(field, index) else ():
            numbers[place] = value
            assert game.observation(BOB).tobytes() != before, (index, value)
        numbers[place] = old


def plays_a_part(field, index):
    """Whether an element of a field can matter to the seat to decide."""
    if field == "produced":
        return index[0] in (BOB, CAROL)  # who decides, and whose role it is
    if field == "board":
        return index[0] >= BUILDINGS.index("small_market")  # all games have the others
    if field in ("role_captor", "role_coins"):
        return ROLES[index[0]] != "smuggler"
    return True
