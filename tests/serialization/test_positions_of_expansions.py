"""Positions with what the expansions bring: written, read, filled in, and refused when wrong."""

import itertools
import json
import random

import pytest

from prico_env import Game, PositionError, RuleSet
from prico_env.serialization import broken_invariants, position_from_dict, position_to_dict
from prico_env.vocabulary import DECISION_POINTS, SPOTS, Power, Side
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    DAVE,
    EDITIONS,
    ENGLISH,
    GERMAN,
    X1,
    X2,
    X3,
    X4,
    board,
    options,
    play,
    position,
)
from tests.properties.random_play import playable

MODULES = {CLASSIC: (X1, X2), ENGLISH: (X1, X2, X3, X4), GERMAN: (X1, X2, X3, X4)}
EVERY_COMBINATION = [
    (edition, modules)
    for edition, available in MODULES.items()
    for size in range(1, len(available) + 1)
    for modules in itertools.combinations(available, size)
]
ALL = list(MODULES.items())


def states_of(rules: RuleSet, seed: int, decisions: int, every: int = 1):
    """A random game that likes to act, looked at now and then."""
    chance = random.Random(seed)
    game = Game(rules, seed=seed)
    for step in range(decisions):
        if game.over:
            break
        if step % every == 0:
            yield game
        legal = game.legal_actions()
        acting = [action for action in legal if action != 0] or legal
        game.step(chance.choice(acting if chance.random() < 0.8 else legal))
    yield game


def read(place, **options_of_reading):
    """The record of a position."""
    return position_from_dict(place, **options_of_reading)[1][0]


def refusal(place, **options_of_reading) -> str:
    """The message with which a position is refused."""
    with pytest.raises(PositionError) as caught:
        position_from_dict(place, **options_of_reading)
    return str(caught.value)


def point_of(game: Game) -> str:
    """Where a game waits, by name."""
    return DECISION_POINTS[game.state["decision_point"][0]]


# -- written and read ------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "modules"), playable(EVERY_COMBINATION))
def test_the_states_of_a_game_survive_being_written_and_read(edition, modules):
    """G154: every block of every expansion, byte for byte, and no invariant broken."""
    players = 2 + len(modules) % 4
    for gains, chosen in (("auto", "draft"), ("ask", "random")):
        how = {"board": chosen} if X1 in modules else {}
        rules = RuleSet(players, edition, modules, optional_gains=gains, max_rounds=9, **how)
        for game in states_of(rules, seed=players, decisions=130, every=15):
            text = json.dumps(position_to_dict(rules, game.state[0]))
            again, states = position_from_dict(json.loads(text))
            assert again == rules
            assert states.tobytes() == game.state.tobytes()
            assert broken_invariants(rules, game.state[0]) == []


CROWDED = {
    ALICE: {"forest_house": 1, "guest_house": 2, "library": 1, "hunting_lodge": [1, 0]},
    BOB: {"black_market": 1, "small_wharf": 1, "land_office": [1, 0], "royal_supplier": [0, 1]},
    CAROL: {"guest_house": [1, 1], "villa": 1, "union_hall": 1, "forest_house": 1},
    DAVE: {"trading_post": 1, "land_office": [0, 1], "chapel": [0, 1], "university": 1},
}
"""Buildings that a draft of every edition may choose."""


@pytest.mark.parametrize("gains", ["auto", "ask"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_states_behind_a_crowded_board_survive_being_written_and_read(edition, gains):
    """G154: windows, payments, small wharves, land, forests, lodges, kinds of units."""
    island = {"corn": [1, 1, 0], "indigo": [1, 0, 0], "sugar": [1, 0, 1], "forest": [1, 0]}
    seats = {
        seat: {
            "island": island,
            "city": city,
            "coins": 6,
            "goods": {"corn": 1, "coffee": 2},
            "vp": 1,
        }
        for seat, city in CROWDED.items()
    }
    game = board(
        edition=edition,
        expansions=MODULES[edition],
        seats=seats,
        switches={"optional_gains": gains, "citizens_from_supply_by_worker_effects": True},
    )
    chance = random.Random(1)
    seen = set()
    for step in range(260):
        if step % 3 == 0 or point_of(game) not in seen:
            text = json.dumps(game.to_dict())
            assert Game.from_dict(json.loads(text)).to_bytes() == game.to_bytes()
        seen.add(point_of(game))
        if game.over:
            break
        legal = game.legal_actions()
        game.step(chance.choice([action for action in legal if action != 0] or legal))
    assert len(seen) > 12, seen


@pytest.mark.parametrize(("edition", "modules"), ALL)
def test_a_position_goes_on_as_the_game_it_was_taken_from(edition, modules):
    """G154: in the middle of a draft, and in the middle of a game."""
    rules = RuleSet(3, edition, modules, optional_gains="ask")
    for cut in (5, 17, 40, 130):
        *_, game = states_of(rules, seed=cut, decisions=cut, every=1000)
        other, chance = Game.from_dict(game.to_dict()), random.Random(cut)
        for _ in range(60):
            if game.over:
                break
            action = chance.choice(game.legal_actions())
            game.step(action)
            other.step(action)
        assert other.to_bytes() == game.to_bytes()


@pytest.mark.parametrize("edition", EDITIONS)
def test_blocks_of_an_expansion_appear_only_with_it(edition):
    """design.md 4: a base game writes what it always wrote."""
    blocks = {"board", "forests", "smuggler", "festival"}
    in_pending = {"small_wharf_used", "once", "captured", "hand"}
    base = Game(RuleSet(edition=edition)).to_dict()
    assert not blocks & base.keys()
    assert not in_pending & base["pending"].keys()
    assert not {"forest_kinds", "forest_blind"} & base["players"][0].keys()
    assert base["players"][0]["portrait"] == 0
    assert base["players"][0]["island"]["indigo"] == [1, 0]
    whole = Game(RuleSet(edition=edition, expansions=MODULES[edition])).to_dict()
    assert blocks & whole.keys() == (
        {"board", "forests"} if edition == CLASSIC else {"board", "smuggler", "festival"}
    )
    assert ("forest_kinds" in whole["players"][0]) == (edition != CLASSIC)
    assert whole["players"][0]["island"]["indigo"] == [1, 0, 0]
    assert whole["players"][0]["portrait"] == [0, 0]


@pytest.mark.parametrize(("edition", "modules"), [(one, (X2,)) for one in EDITIONS])
def test_a_game_with_citizens_is_dealt_as_an_empty_position_reads(edition, modules):
    """R-X2-2, R-X2-4: what is left out has its value at set-up."""
    rules = RuleSet(3, edition, modules)
    assert read({"rules": rules.to_dict()}, seed=5).tobytes() == Game(rules, seed=5).state.tobytes()


# -- new buildings ---------------------------------------------------------------------------------


def test_a_board_that_is_left_out_has_what_the_position_mentions_and_then_the_first_types():
    """R-X1-3: two of cost 2, one of cost 8 already there."""
    place = {
        "rules": {"edition": CLASSIC, "expansions": [X1]},
        "players": [{"city": {"library": 0, "black_market": 1}}],
        "buildings": {"church": 2},
    }
    types = position_to_dict(*_read_whole(place))["board"]
    assert {"library", "black_market", "church"} <= set(types)
    assert {"hacienda", "university", "office", "small_market"} <= set(types)
    assert not {"construction_hut", "harbor", "large_market", "aqueduct"} & set(types)
    assert len(types) == 17


def _read_whole(place):
    rules, states = position_from_dict(place, check=False)
    return rules, states[0]


def test_the_english_board_with_citizens_has_25_types():
    """R-X2-10, D-58."""
    place = {"rules": {"edition": ENGLISH, "expansions": [X1, X2]}}
    rules, state = _read_whole(place)
    assert len(position_to_dict(rules, state)["board"]) == 25
    place["rules"]["edition"] = GERMAN
    rules, state = _read_whole(place)
    assert len(position_to_dict(rules, state)["board"]) == 17
    assert "villa" in position_to_dict(rules, state)["buildings"]


def test_the_board_of_the_rule_set_is_the_board_of_its_positions():
    """R-X1-3: and one that says otherwise contradicts it."""
    types = position(edition=CLASSIC, expansions=(X1,), for_sale=("church", "library"))["board"]
    rules = {"edition": CLASSIC, "expansions": [X1], "board": types}
    rule_set, state = _read_whole({"rules": rules})
    assert position_to_dict(rule_set, state)["board"] == types
    other = position(edition=CLASSIC, expansions=(X1,))["board"]
    assert "board of the rule set" in refusal({"rules": rules, "board": other}, check=False)


def test_only_types_on_the_board_are_for_sale_and_owned():
    """I-09: in whatever place the position names one that is not there."""
    rules = {"edition": CLASSIC, "expansions": [X1]}
    types = position(edition=CLASSIC, expansions=(X1,), for_sale=("aqueduct",))["board"]
    for change in (
        {"buildings": {"small_market": 1}},
        {"players": [{"city": {"small_market": 0}}]},
    ):
        message = refusal({"rules": rules, "board": types, **change}, check=False)
        assert "small_market is not on the board of this game" in message


@pytest.mark.parametrize(
    ("types", "words"),
    [
        (["aqueduct"], ["board", "0 types that cost 2", "2 places", "R-X1-3"]),
        (["aqueduct", "aqueduct"], ["board[1]", "aqueduct is there twice"]),
        (["aquaduct"], ["board[0]", "did you mean 'aqueduct'?"]),
        (["sugar_mill"], ["board[0]", "sugar_mill"]),
        ("aqueduct", ["board", "list"]),
    ],
)
def test_a_board_that_cannot_be_is_refused(types, words):
    """R-X1-3, R-X1-4."""
    message = refusal({"rules": {"edition": CLASSIC, "expansions": [X1]}, "board": types})
    assert all(word in message for word in words), message


def test_a_draft_starts_with_nothing_chosen_and_goes_on_from_the_board():
    """R-X1-4: seat 0 first, clockwise; the deck is not shuffled yet and the row is empty."""
    rules = {"players": 3, "edition": CLASSIC, "expansions": [X1]}
    game = Game.from_dict({"rules": rules, "phase": "draft"})
    assert (game.phase, game.turn) == ("draft", ALICE)
    assert game.state["row"][0].sum() == 0
    play(game, "alice board library\nbob board church")
    other = Game.from_dict({"rules": rules, "phase": "draft", "board": ["church", "library"]})
    assert other.turn == CAROL
    assert options(other) == options(game)
    assert "board:university" in options(game)
    assert game.to_dict()["buildings"]["library"] == 2
    assert "university" not in game.to_dict()["buildings"]
    other = Game.from_dict({"rules": rules, "phase": "draft", "buildings": {"library": 2}})
    assert (other.turn, other.to_dict()["board"]) == (BOB, ["library"])


def test_there_is_a_draft_only_where_players_choose():
    """R-X1-4."""
    message = "there is no draft phase in this game"
    assert message in refusal({"phase": "draft"})
    rules = {"edition": CLASSIC, "expansions": [X1], "board": "random"}
    assert message in refusal({"rules": rules, "phase": "draft"})


def test_classic_forests_lie_on_islands_and_in_their_stack():
    """I-06, R-X1-10."""
    game = board(edition=CLASSIC, expansions=(X1,), seats={BOB: {"island": {"forest": [3, 0]}}})
    assert game.to_dict()["forests"] == 9
    assert game.to_dict()["players"][BOB]["island"] == {"forest": [3, 0]}
    assert game.state["island_used"][0, BOB] == 3
    place = position(edition=CLASSIC, expansions=(X1,), forests=8)
    assert "forests: 8 forests in all, but the game has 12, so 4 missing (I-06)" in refusal(place)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_of_1897_keeps_its_printed_kind(edition):
    """I-04, R-INF-2: and who alone has seen it."""
    forests = {"forest_kinds": {"corn": 2, "sugar": 1}, "forest_blind": {"sugar": 1}}
    game = board(
        edition=edition,
        expansions=(X1,),
        seats={BOB: {"island": {"forest": [3, 0], "quarry": [1, 0]}, **forests}},
    )
    written = game.to_dict()["players"][BOB]
    assert written["forest_kinds"] == {
        "corn": 2, "indigo": 0, "sugar": 1, "tobacco": 0, "coffee": 0,
    }  # fmt: skip
    assert written["forest_blind"]["sugar"] == 1
    assert game.state["island_used"][0, BOB] == 4
    assert not broken_invariants(game.rules, game.state[0])


@pytest.mark.parametrize("edition", BOTH_1897)
def test_forests_that_do_not_say_their_kind_are_of_kinds_that_lie_nowhere_else(edition):
    """I-04: what row, discard and deck leave over; without them, what there is most of."""
    named = {"row": {}, "discard": {}, "deck": {"indigo": 11, "sugar": 9, "tobacco": 9}}
    named["deck"] |= {"corn": 9, "coffee": 8}
    place = {
        "rules": {"edition": edition, "expansions": [X1]},
        "players": [{"island": {"forest": [2, 0], "corn": [1, 0]}}, *[{"island": {}}] * 3],
    }
    kinds = read(place | named, check=False)["forest_kinds"][0].tolist()
    assert kinds == [0, 1, 1, 0, 0]
    assert read(place, check=False)["forest_kinds"][0].tolist() == [0, 2, 0, 0, 0]
    position_from_dict(place)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("edition", "player", "words"),
    [
        (ENGLISH, {"island": {"forest": [2, 0]}, "forest_kinds": {"corn": 1}}, ["1 kinds for 2"]),
        (ENGLISH, {"forest_kinds": {"corn": 1}}, ["players[0].forest_kinds", "1 kinds for 0"]),
        (
            ENGLISH,
            {
                "island": {"forest": [1, 0]},
                "forest_kinds": {"corn": 1},
                "forest_blind": {"sugar": 1},
            },
            ["players[0].forest_blind", "more than forest_kinds has"],
        ),
        (ENGLISH, {"forest_kinds": {"corn": -1}}, ["players[0].forest_kinds", "below zero"]),
        (ENGLISH, {"forest_blind": {"corn": 1}}, ["players[0].forest_blind"]),
        (ENGLISH, {"island": {"forest": [1, 1]}}, ["players[0].island.forest", "no circle"]),
        (CLASSIC, {"island": {"forest": [1, 1]}}, ["players[0].island.forest", "no circle"]),
        (CLASSIC, {"city": {"statue": 1}}, ["players[0].city.statue", "no circle", "I-12"]),
    ],
)
def test_forests_and_statues_that_cannot_be_are_refused(edition, player, words, check):
    """I-04, I-12: also in positions made by hand."""
    place = {"rules": {"edition": edition, "expansions": [X1]}, "players": [player]}
    message = refusal(place, check=check)
    assert all(word in message for word in words), message


def test_a_stack_of_forests_is_a_thing_of_the_classic_edition():
    """D-36."""
    place = {"rules": {"edition": ENGLISH, "expansions": [X1]}, "forests": 3}
    assert "forests" in refusal(place, check=False)


# -- citizens --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_units_are_read_with_and_without_citizens(edition):
    """R-X2-5: the short forms count workers only."""
    seats = {
        ALICE: {"island": {"corn": [2, 1]}, "city": {"chapel": 1, "notary": 0}, "portrait": 2},
        BOB: {
            "island": {"corn": [2, 1, 1]},
            "city": {"chapel": [0, 1], "notary": [1, 0]},
            "portrait": [1, 3],
        },
    }
    game = board(edition=edition, expansions=(X2,), seats=seats)
    written = game.to_dict()["players"]
    assert written[ALICE]["island"] == {"corn": [2, 1, 0]}
    assert written[ALICE]["city"] == {"chapel": [1, 0], "notary": [0, 0]}
    assert written[ALICE]["portrait"] == [2, 0]
    for key in ("island", "city", "portrait"):
        assert written[BOB][key] == seats[BOB][key]
    powers = game.state["powers"][0]
    assert powers[ALICE, Power.CHAPEL] == Side.WORKER
    assert powers[BOB, Power.CHAPEL] == Side.CITIZEN
    assert powers[BOB, Power.NOTARY] == Side.WORKER


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"citizens": {"supply": 17}}, ["citizens", "18 citizens", "2 missing", "I-03"]),
        ({"workers": {"supply": 90}}, ["workers", "I-02"]),
        ({"players": [{"portrait": [0, 1]}]}, ["1 too many", "I-03"]),
        ({"players": [{"island": {"corn": [1, 1, 1]}}]}, ["2 units on 1 circles", "I-12"]),
        ({"players": [{"city": {"villa": [1, 1]}}]}, ["2 units on 1 circles", "I-12"]),
        ({"players": [{"portrait": [0, -1]}]}, ["players[0].portrait", "below zero", "I-10"]),
        ({"players": [{"city": {"villa": [0, -1]}}]}, ["players[0].city.villa", "I-10"]),
    ],
)
def test_a_position_with_citizens_that_breaks_an_invariant_says_which(change, words):
    """I-02, I-03, I-10, I-12."""
    place = {"rules": {"players": 4, "edition": CLASSIC, "expansions": [X2]}} | change
    message = refusal(place)
    assert all(word in message for word in words), message
    position_from_dict(place, check=False)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("kind", ["corn", "quarry", "forest"])
def test_fewer_than_no_tiles_are_refused_by_the_name_of_their_field(kind, check):
    """I-10: no board can be laid out from them, checked or not."""
    rules = {"players": 5, "edition": CLASSIC, "expansions": [X1]}
    place = {"rules": rules, "players": [{}, {}, {}, {"island": {kind: [-1, 0]}}]}
    message = refusal(place, check=check)
    assert message.startswith(f"players[3].island.{kind}: -1")
    assert "below zero" in message


@pytest.mark.parametrize("island", [{"corn": [0, 1]}, {"corn": [1, -1]}, {"quarry": [0, -1]}])
def test_units_without_a_tile_are_written_and_read_again(island):
    """A position made by hand may break the rules, and is the same after a round trip."""
    place = {"rules": {"players": 2}, "players": [{"island": island}]}
    rules, states = position_from_dict(place, check=False)
    _, same = position_from_dict(position_to_dict(rules, states[0]), check=False)
    assert same.tobytes() == states.tobytes()


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("modules", "player", "words"),
    [
        ([], {"portrait": [0, 1]}, ["players[0].portrait", "whole number"]),
        ([], {"city": {"office": [0, 1]}}, ["players[0].city.office", "whole number"]),
        ([], {"island": {"corn": [1, 0, 1]}}, ["players[0].island.corn", "2 numbers"]),
        ([X2], {"island": {"corn": [1, 0, 1, 0]}}, ["players[0].island.corn", "2 numbers"]),
        ([X2], {"island": {"corn": 1}}, ["players[0].island.corn", "list"]),
        ([X2], {"portrait": [1]}, ["players[0].portrait", "2 numbers"]),
        ([X2], {"portrait": "none"}, ["players[0].portrait", "none"]),
        ([X2], {"city": {"villa": [0, 1.5]}}, ["players[0].city.villa[1]", "whole number"]),
    ],
)
def test_units_that_cannot_be_read_are_named(modules, player, words, check):
    """The field, and what it should be."""
    place = {"rules": {"edition": CLASSIC, "expansions": modules}, "players": [player]}
    message = refusal(place, check=check)
    assert all(word in message for word in words), message


def test_the_first_register_with_citizens_holds_one():
    """R-X2-4, R-SET-11."""
    written = Game(RuleSet(3, CLASSIC, [X2])).to_dict()
    assert written["citizens"] == {"supply": 19, "register": 1}
    assert written["workers"] == {"supply": 98, "register": 2}


# -- smuggler --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
def test_who_takes_the_smuggler_has_the_tile(edition):
    """R-SMG-2, I-19."""
    rules = {"players": 4, "edition": edition, "expansions": [X3]}
    game = Game.from_dict({"rules": rules, "phase": "smuggler", "actor": CAROL})
    assert game.to_dict()["smuggler"] == {"tile": CAROL, "captured": {}}
    assert point_of(game) == "smuggle"
    assert {"capture:mayor", "pass"} <= options(game)
    held = {"rules": rules, "smuggler": {"tile": BOB}}
    assert Game.from_dict(held).to_dict()["smuggler"]["tile"] == BOB
    taken = {"roles": {"smuggler": {"taken_by": ALICE}}}
    assert "I-19" in refusal(held | taken)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_captured_role_that_is_being_played_is_no_pick(edition):
    """R-SMG-14: whose captor and owner are one is played after the last pick."""
    roles = {
        name: {"coins": 0, "taken_by": seat}
        for seat, name in enumerate(("smuggler", "mayor", "builder", "settler"))
    }
    game = board(
        "trader",
        edition=edition,
        expansions=(X3,),
        roles=roles | {"trader": {"coins": 0, "taken_by": ALICE}},
        smuggler={"tile": ALICE, "captured": {"trader": ALICE}},
        seats={ALICE: {"goods": {"corn": 1}}},
    )
    assert (int(game.state["captured"][0]), int(game.state["picks"][0])) == (1, 4)
    assert "captured" not in game.to_dict()["pending"]
    assert not broken_invariants(game.rules, game.state[0])
    early = board(
        "trader",
        edition=edition,
        expansions=(X3,),
        roles={name: roles[name] for name in ("smuggler",)},
        smuggler={"tile": ALICE, "captured": {"trader": ALICE}},
        check=False,
    )
    assert any("R-SMG-14" in line for line in broken_invariants(early.rules, early.state[0]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"smuggler": {"captured": {"mayor": BOB}}}, ["smuggler.captured.mayor", "R-SMG-7"]),
        (
            {
                "roles": {"smuggler": {"taken_by": BOB}},
                "smuggler": {"captured": {"mayor": BOB, "trader": BOB}},
            },
            ["smuggler.captured", "1 too many", "R-SMG-7"],
        ),
        (
            {
                "roles": {"smuggler": {"taken_by": BOB}, "mayor": {"coins": 2}},
                "smuggler": {"captured": {"mayor": BOB}},
            },
            ["roles.mayor.coins", "R-SMG-13"],
        ),
        ({"roles": {"smuggler": {"coins": 1}}}, ["roles.smuggler.coins", "I-16"]),
        (
            {"roles": {"smuggler": {"taken_by": BOB}, "mayor": {"taken_by": BOB}}},
            ["seat 1 has taken 2 cards", "I-17"],
        ),
        ({"pending": {"hand": [2, 0]}}, ["pending.hand", "2 units in hand"]),
        ({"pending": {"captured": True}}, ["pending.captured", "R-SMG-14"]),
    ],
)
def test_a_smuggler_who_breaks_an_invariant_is_named(change, words):
    """I-16, I-17, I-19, R-SMG-7, R-SMG-13, R-SMG-14."""
    place = {"rules": {"players": 4, "edition": GERMAN, "expansions": [X3]}} | change
    message = refusal(place)
    assert all(word in message for word in words), message
    position_from_dict(place, check=False)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"smuggler": {"tile": 4}}, ["smuggler.tile", "seat 4"]),
        ({"smuggler": {"tiles": 1}}, ["smuggler.tiles", "did you mean 'tile'?"]),
        ({"smuggler": {"captured": {"smuggler": 0}}}, ["smuggler.captured.smuggler"]),
        ({"smuggler": {"captured": {"prospector_2": 0}}}, ["smuggler.captured.prospector_2"]),
        ({"smuggler": {"captured": {"maior": 0}}}, ["did you mean 'mayor'?"]),
        ({"smuggler": {"captured": {"mayor": 9}}}, ["smuggler.captured.mayor", "seat 9"]),
        ({"smuggler": {"captured": ["mayor"]}}, ["smuggler.captured", "dict"]),
        ({"pending": {"hand": [1]}}, ["pending.hand", "2 numbers"]),
        ({"pending": {"hand": [-1, 0]}}, ["pending.hand", "-1"]),
        ({"pending": {"hand": [0, 1]}}, ["pending.hand[1]", "I-03"]),
        ({"pending": {"captured": 1}}, ["pending.captured", "true or false"]),
    ],
)
def test_a_smuggler_block_that_cannot_be_read_is_named(change, words, check):
    """The field, and the nearest name."""
    place = {"rules": {"players": 4, "edition": GERMAN, "expansions": [X3]}} | change
    message = refusal(place, check=check)
    assert all(word in message for word in words), message


# -- festival --------------------------------------------------------------------------------------

GOALS = {"estate": "sugar", "goods": ["corn", "corn", "sugar"], "building": "harbor"}


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize("players", [2, 4])
def test_the_goals_of_a_festival_are_set_aside(edition, players):
    """I-01, I-04, I-09, R-FES-6: with two players the building's copy is replaced."""
    game = board(players=players, edition=edition, expansions=(X4,), festival=GOALS)
    written = game.to_dict()
    assert written["festival"] == GOALS
    assert written["buildings"]["harbor"] == 1
    bare = {"rules": {"players": players, "edition": edition, "expansions": [X4]}}
    state = read({**bare, "festival": GOALS}, seed=3)
    assert state["goods_supply"][0] == (8 if players == 4 else 6)
    assert state["building_supply"][16] == 1


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_position_made_by_hand_has_no_goals_unless_it_names_them(edition):
    """R-FES-1: null is a goal that is won, or that there never was."""
    state = read({"rules": {"edition": edition, "expansions": [X4]}}, seed=2)
    assert (state["festival_estate"], state["festival_building"]) == (-1, -1)
    assert state["festival_goods"].sum() == 0
    one = {"rules": {"edition": edition, "expansions": [X4]}, "festival": {"estate": "corn"}}
    state = read(one)
    assert (state["festival_estate"], state["festival_building"]) == (0, -1)
    assert state["deck_size"] + state["row"].sum() == 45


@pytest.mark.parametrize("edition", BOTH_1897)
def test_estate_and_goods_of_a_festival_are_there_in_the_draft_already(edition):
    """R-FES-11: the building is drawn when the board is known."""
    rules = {"players": 3, "edition": edition, "expansions": [X1, X4]}
    dealt = Game(RuleSet(3, edition, [X1, X4]), seed=4).to_dict()
    written = Game.from_dict({"rules": rules, "phase": "draft"}, seed=4).to_dict()
    assert written["festival"] == dealt["festival"]
    assert dealt["festival"]["estate"] is not None
    assert dealt["festival"]["building"] is None


@pytest.mark.parametrize(
    ("festival", "words"),
    [
        ({"goods": ["corn", "corn"]}, ["festival.goods", "2 barrels", "R-FES-3"]),
        ({"building": "office"}, ["festival.building", "office", "R-FES-4"]),
        ({"estate": "coffee", "building": "coffee_roaster"}, ["festival.building", "R-FES-5"]),
    ],
)
def test_goals_that_cannot_be_drawn_are_refused(festival, words):
    """R-FES-3, R-FES-4, R-FES-5."""
    place = {"rules": {"edition": GERMAN, "expansions": [X4]}, "festival": festival}
    message = refusal(place)
    assert all(word in message for word in words), message
    position_from_dict(place, check=False)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("festival", "words"),
    [
        ({"estate": "quarry"}, ["festival.estate", "quarry"]),
        ({"goods": "corn"}, ["festival.goods", "list"]),
        ({"goods": ["cornn"]}, ["festival.goods[0]", "did you mean 'corn'?"]),
        ({"building": "habor"}, ["festival.building", "did you mean 'harbor'?"]),
        ({"building": "library"}, ["festival.building", "library is not in this game"]),
        ({"good": []}, ["festival.good", "did you mean 'goods'?"]),
        ([], ["festival", "dict"]),
    ],
)
def test_a_festival_that_cannot_be_read_is_named(festival, words, check):
    """The field, and the nearest name."""
    place = {"rules": {"edition": GERMAN, "expansions": [X4]}, "festival": festival}
    message = refusal(place, check=check)
    assert all(word in message for word in words), message


def test_a_building_that_was_won_with_two_players_has_a_copy_more():
    """R-FES-6, R-FES-9, I-09: one type at most, and only with two players."""
    rules = {"players": 2, "edition": GERMAN, "expansions": [X4]}
    position_from_dict({"rules": rules, "buildings": {"harbor": 2}})
    assert "I-09" in refusal({"rules": rules, "buildings": {"harbor": 2, "wharf": 2}})
    assert "I-09" in refusal({"rules": rules, "buildings": {"office": 2}})
    assert "I-09" in refusal({"rules": rules | {"players": 3}, "buildings": {"harbor": 3}})


def test_the_row_overflows_only_where_tiles_come_back_to_it():
    """I-15, D-60, D-78, D-85."""
    row = {"row": {"corn": 3, "sugar": 3}}
    for modules, overflows in (([], False), ([X1], False), ([X2], True), ([X4], True)):
        place = {"rules": {"edition": ENGLISH, "expansions": modules}} | row
        if overflows:
            position_from_dict(place)
        else:
            assert "I-15" in refusal(place)
        assert "I-15" in refusal(place | {"rules": {"edition": GERMAN, "expansions": modules}})


# -- what the phase remembers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "modules", "point"),
    [
        (CLASSIC, [], "load"),
        (CLASSIC, [X1], "supply"),
        (CLASSIC, [X2], "supply"),
        (GERMAN, [X1, X2], "supply"),
        (GERMAN, [X3, X4], "load"),
        (ENGLISH, [X1, X2], "load"),
    ],
)
def test_a_captain_turn_starts_with_what_comes_on_first_turns(edition, modules, point):
    """R-UNH-3, R-RSP-4: by edition before the first load, or as the phase opened."""
    place = {"rules": {"edition": edition, "expansions": modules}, "phase": "captain", "actor": BOB}
    assert DECISION_POINTS[read(place)["decision_point"]] == point


@pytest.mark.parametrize(
    ("phase", "point"),
    [
        ("settler", "draw_tile"),
        ("mayor", "recall"),
        ("builder", "buy"),
        ("craftsman", "produce"),
        ("trader", "sell"),
        ("storage", "store"),
        ("smuggler", "smuggle"),
        ("prospector", "close_window"),
    ],
)
def test_a_position_without_memories_stands_behind_the_opening_of_its_phase(phase, point):
    """R-GST-3: no window W-A, no effects of the phase's start."""
    rules = {"edition": ENGLISH, "expansions": [X1, X2, X3, X4]}
    state = read({"rules": rules, "phase": phase, "actor": BOB, "turn": DAVE}, check=False)
    assert DECISION_POINTS[state["decision_point"]] == point
    assert (state["turn"], state["turns"]) == (DAVE, 2)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("modules", "pending", "words"),
    [
        ([X1], {"small_wharf_used": [True]}, ["pending.small_wharf_used", "4 players"]),
        ([], {"small_wharf_used": [False] * 4}, ["small_wharf_used", "'buildings' expansion"]),
        ([], {"once": [[]] * 4}, ["pending.once", "'citizens' expansion"]),
        ([], {"hand": [0, 0]}, ["pending.hand", "'smuggler' expansion"]),
        ([X2], {"once": [["lnd"], [], [], []]}, ["pending.once[0][0]", "did you mean 'land'?"]),
        ([X2], {"once": [["land"]]}, ["pending.once", "4 players"]),
        ([], {"recalled": {"corn": 2}}, ["pending.recalled", "between 0 and 1"]),
        ([X2], {"recalled": {"corn": 4}}, ["pending.recalled", "between 0 and 3"]),
        ([X2], {"cursor": 2 * len(SPOTS)}, ["pending.cursor", "between 0 and 101"]),
        ([X1], {"cursor": len(SPOTS)}, ["pending.cursor", "between 0 and 42"]),
        ([], {"drawn": "forest"}, ["pending.drawn", "forest"]),
        ([X2], {"taken": "forrest"}, ["pending.taken", "forrest"]),
        ([X1], {"taken": "forrest"}, ["pending.taken", "did you mean 'forest'?"]),
        ([], {"point": "draft"}, ["pending.point", "'buildings' expansion"]),
        ([X1], {"point": "smuggle"}, ["pending.point", "'smuggler' expansion"]),
        ([X1], {"waiting": [{"point": "deal"}]}, ["pending.waiting[0].point", "'citizens'"]),
        ([X2], {"value": -1}, ["pending.value", "-1"]),
        ([X2], {"point": "hire", "value": 1}, ["pending.point", "needs a decision waiting below"]),
        (
            [X2],
            {"point": "hire", "value": 60, "waiting": [{"point": "draw_tile", "turn": 0}]},
            ["pending.value", "spot 60"],
        ),
        ([X1], {"waiting": [{"point": "sell", "turn": 0}]}, ["waits for nothing below it"]),
        (
            [X1],
            {"point": "gain_vp", "waiting": [{"point": "sell", "turn": 7}]},
            ["pending.waiting[0].turn", "seat 7"],
        ),
        ([X1], {"point": "pay", "value": 1}, ["pending.bought", "'pay'"]),
        ([X1], {"point": "use_tile"}, ["pending.drawn", "'use_tile'"]),
        ([X3], {"point": "raid", "cursor": 4}, ["pending.cursor", "no ship 4"]),
        ([X3], {"point": "raid", "cursor": 1}, ["ships[1]", "no barrels"]),
        ([], {"point": "sell"}, ["pending.point", "point of phase 'trader', not of 'role'"]),
        (
            [X2],
            {"point": "gain_vp", "waiting": [{"point": "opening", "turn": 0}]},
            ["pending.waiting[0].point", "phase 'mayor' or 'craftsman'"],
        ),
    ],
)  # fmt: skip
def test_what_no_phase_remembers_is_refused(modules, pending, words, check):
    """G154: numbers that become places are looked at however a position is read."""
    rules = {"players": 4, "edition": ENGLISH, "expansions": modules}
    message = refusal({"rules": rules, "pending": pending}, check=check)
    assert all(word in message for word in words), message


@pytest.mark.parametrize("modules", [[], [X1], [X2]])
def test_more_workers_in_hand_than_open_circles_are_never_put_down_one_by_one(modules):
    """R-MAY-7: then there is nothing to choose; and the game would look for circles for ever."""
    place = {
        "rules": {"players": 3, "edition": CLASSIC, "expansions": modules},
        "phase": "mayor",
        "actor": ALICE,
        "players": [{"island": {"corn": [2, 0]}, "portrait": 3}],
        "pending": {"point": "place"},
    }
    assert "players[0].portrait: 3 workers in hand, but 2 open" in refusal(place, check=False)
    place["players"][0]["portrait"] = 0
    assert "players[0].portrait: nobody is in hand" in refusal(place, check=False)
    place["players"][0]["portrait"] = 1
    assert options(Game.from_dict(place, check=False)) == {"place:corn"}


@pytest.mark.parametrize("key", ["board", "forests", "smuggler", "festival"])
def test_a_block_of_an_expansion_that_is_not_played_says_which_one_it_needs(key):
    """design.md 4: blocks that belong to an expansion appear only with it."""
    message = refusal({key: {}}, check=False)
    assert message.startswith(f"{key}: this belongs to the")
    assert "expansion, which is not in this game" in message


def test_a_tile_that_has_been_drawn_and_not_laid_is_in_a_hand():
    """I-04, R-FOH-3: the position in between has lost nothing, and goes on."""
    for edition in EDITIONS:
        game = board(
            "settler",
            edition=edition,
            expansions=(X1,),
            seats={ALICE: {"city": {"hacienda": 1, "forest_house": 1}}},
            on_top=("coffee",),
        )
        play(game, "alice draw")
        assert point_of(game) == "use_tile"
        assert game.to_dict()["pending"]["drawn"] == "coffee"
        assert not broken_invariants(game.rules, game.state[0])
        again = Game.from_dict(game.to_dict())
        for one in (game, again):
            play(one, "alice use forest")
        assert again.to_bytes() == game.to_bytes()
        assert again.to_dict()["players"][ALICE]["island"]["forest"] == [1, 0]


def test_a_tile_in_a_hand_is_not_in_a_deck_that_is_left_out():
    """I-04: the plantations named nowhere are in the deck, but this one is."""
    place = {
        "rules": {"edition": ENGLISH, "expansions": [X1, X2]},
        "phase": "settler",
        "actor": ALICE,
        "players": [{"city": {"hacienda": 1, "forest_house": 1}}],
        "pending": {"point": "use_tile", "drawn": "coffee"},
    }
    game = Game.from_dict(place, check=False)
    assert game.state["deck_tiles"][0, 4] + game.state["row"][0, 4] == 7
    assert options(game) == {"use:plantation", "use:forest"}


def test_a_land_office_may_draw_nothing_yet():
    """Q-122: classic, with a forest house: which stack it is comes before the draw."""
    game = board(
        "trader",
        edition=CLASSIC,
        expansions=(X1, X2),
        seats={ALICE: {"city": {"land_office": [1, 0], "forest_house": 1}}},
    )
    play(game, "alice land buy")
    assert (point_of(game), game.to_dict()["pending"]["drawn"]) == ("use_tile", None)
    assert Game.from_dict(game.to_dict()).to_bytes() == game.to_bytes()


def test_units_in_hand_are_neither_lost_nor_on_the_portrait():
    """I-02, I-03, R-SMG-6: in the middle of a poach."""
    game = board(
        "smuggler",
        edition=ENGLISH,
        expansions=(X2, X3),
        workers={"supply": 91, "register": 7},
        citizens={"supply": 18, "register": 2},
        seats={ALICE: {"island": {"corn": [3, 0, 0]}}},
        check=False,
    )
    play(game, "alice poach\nalice deal citizen\nalice deal worker")
    written = game.to_dict()
    assert point_of(game) == "place_units"
    assert written["pending"]["hand"] == [4, 1]
    assert Game.from_dict(written, check=False).to_bytes() == game.to_bytes()


def test_more_plantations_than_a_deck_can_hold_are_refused():
    """I-04: the festival's tile comes back to it, and so does one just drawn."""
    deck = {"deck": ["corn"] * 50, "row": {}, "discard": {}}
    place = {"rules": {"edition": GERMAN, "expansions": [X4]}, "festival": {"estate": "corn"}}
    assert "1 more than the game has" in refusal(place | deck, check=False)
    place = {"rules": {"edition": GERMAN, "expansions": [X2]}} | deck
    assert "row, deck, discard and islands" in refusal(place, check=False)


def test_a_board_made_by_hand_with_too_many_of_a_kind_leaves_fewer_in_the_deck():
    """I-04: with citizens tiles come back from islands, and the deck has room for 50."""
    place = {
        "rules": {"players": 3, "edition": GERMAN, "expansions": [X2]},
        "players": [{"island": {"corn": [12, 0]}}, {"island": {"corn": [12, 0]}}, {"island": {}}],
    }
    state = read(place, check=False)
    assert state["deck_size"] + state["row"].sum() == 50 - 24
    assert "I-04" in refusal(place)
