"""Positions as dicts, and actions as words, both ways."""

import json
import random

import pytest

from prico_env import (
    Game,
    IllegalActionError,
    PositionError,
    PricoError,
    RuleSet,
)
from prico_env.actions import NAMES, NUM_ACTIONS, block_of
from prico_env.catalog import load
from prico_env.serialization import broken_invariants, position_from_dict, position_to_dict
from prico_env.text import action_name, describe_action, parse_action, position_text
from prico_env.vocabulary import DECISION_POINTS, PHASES
from tests.builders import ALICE, BOB, CAROL, DAVE, EDITIONS, board, play
from tests.properties.random_play import playable

EVERY_GAME = [(players, edition) for players in (2, 3, 4, 5) for edition in EDITIONS]


def games_at_random(rules: RuleSet, seed: int, every: int):
    """Play a random game, yielding it now and then, and at its end."""
    chance = random.Random(seed)
    game = Game(rules, seed=seed)
    decisions = 0
    while not game.over:
        if decisions % every == 0:
            yield game
        game.step(chance.choice(game.legal_actions()))
        decisions += 1
    yield game


def whole_game(edition: str, players: int, **fields) -> RuleSet:
    """A game with every expansion that the edition has."""
    return RuleSet(players, edition, load(edition).expansions, **fields)


def in_the_game(rules: RuleSet) -> tuple[str, ...]:
    """The modules that a game is made of."""
    return ("base", *rules.expansions)


def refusal(position: dict, **options) -> str:
    """The message with which a position is refused."""
    with pytest.raises(PositionError) as caught:
        position_from_dict(position, **options)
    return str(caught.value)


# -- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "edition"), playable(EVERY_GAME))
@pytest.mark.parametrize("gains", ["auto", "ask"])
def test_a_position_written_and_read_is_the_same_record_byte_for_byte(players, edition, gains):
    rules = RuleSet(players=players, edition=edition, optional_gains=gains)
    for game in games_at_random(rules, seed=players, every=20):
        text = json.dumps(game.to_dict())
        read, states = position_from_dict(json.loads(text))
        assert read == rules
        assert states.tobytes() == game.state.tobytes()


@pytest.mark.parametrize(("players", "edition"), EVERY_GAME)
def test_an_empty_position_is_the_game_that_the_seed_deals(players, edition):
    rules = RuleSet(players=players, edition=edition)
    _, states = position_from_dict({"rules": rules.to_dict()}, seed=11)
    assert states.tobytes() == Game(rules, seed=11).state.tobytes()


@pytest.mark.parametrize(("players", "edition"), EVERY_GAME)
def test_real_positions_break_no_invariant(players, edition):
    for game in games_at_random(RuleSet(players=players, edition=edition), seed=5, every=5):
        assert broken_invariants(game.rules, game.state[0]) == []


def test_a_position_goes_on_as_the_game_it_was_taken_from():
    game = Game(RuleSet(players=3), seed=4)
    other = Game.from_dict(game.to_dict())
    chance = random.Random(1)
    while not game.over:
        action = chance.choice(game.legal_actions())
        game.step(action)
        other.step(action)
    assert other.to_bytes() == game.to_bytes()


def test_the_deck_is_listed_in_drawing_order():
    game = Game(seed=3)
    record = game.state[0]
    top = int(record["deck"][record["deck_size"] - 1])
    assert game.to_dict()["deck"][0] == ("corn", "indigo", "sugar", "tobacco", "coffee")[top]


def test_a_deck_given_as_counts_is_shuffled_from_the_seed():
    position = Game(seed=3).to_dict()
    del position["rng"]
    position["deck"] = {name: position["deck"].count(name) for name in set(position["deck"])}
    first, again, other = (
        position_from_dict(position, seed=seed)[1]["deck"].tobytes() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_plantations_that_are_named_nowhere_are_in_the_deck():
    _, states = position_from_dict(
        {"players": [{"island": {"coffee": [3, 0]}}], "row": {"corn": 5}, "discard": {"sugar": 2}}
    )
    state = states[0]
    deck = state["deck"][: state["deck_size"]].tolist()
    assert [deck.count(kind) for kind in range(5)] == [3, 11, 9, 9, 5]


def test_a_row_that_is_left_out_is_dealt():
    _, states = position_from_dict({"players": [{"island": {"coffee": [3, 0]}}]}, seed=2)
    assert states["row"][0].sum() == 5


def test_coins_that_nobody_has_are_in_the_bank():
    _, states = position_from_dict({"players": [{"coins": 10}], "roles": {"mayor": {"coins": 2}}})
    assert int(states["bank"][0]) == 83 - 10 - 9 - 2


@pytest.mark.parametrize(
    ("phase", "point"),
    [
        ("role", "choose_role"),
        ("settler", "draw_tile"),
        ("mayor", "recall"),
        ("builder", "buy"),
        ("craftsman", "produce"),
        ("trader", "sell"),
        ("captain", "load"),
        ("storage", "store"),
    ],
)
def test_a_position_without_phase_state_stands_at_the_start_of_a_turn(phase, point):
    position = {"phase": phase, "turn": CAROL}
    if phase != "role":
        position["actor"] = BOB
    _, states = position_from_dict(position)
    record = states[0]
    assert PHASES[record["phase"]] == phase
    assert DECISION_POINTS[record["decision_point"]] == point
    assert record["turn"] == CAROL
    assert record["turns"] == (0 if phase == "role" else 1)
    assert record["first_circuit"] == (phase == "captain")


def test_a_craftsman_phase_without_phase_state_has_production_still_before_it():
    position = {
        "phase": "craftsman",
        "actor": BOB,
        "players": [{}, {"island": {"corn": [2, 2]}}, {"island": {"corn": [1, 1]}}],
    }
    game = Game.from_dict(position, check=False)
    assert game.to_dict()["players"][BOB]["goods"]["corn"] == 0
    game.settle()
    goods = [player["goods"]["corn"] for player in game.to_dict()["players"]]
    assert goods == [0, 3, 1, 0]  # the third barrel is the privilege, for want of another kind


def test_what_follows_from_the_rest_of_a_position_is_not_written():
    game = Game(seed=1)
    assert not {"point", "turns", "actor", "role", "picks"} & game.to_dict()["pending"].keys()
    game.step("role:builder")
    position = game.to_dict()
    assert "point" not in position["pending"]
    position["turn"] = DAVE
    other = Game.from_dict(position)
    assert (other.turn, other.phase) == (DAVE, "builder")
    assert other.state["turns"][0] == 3


def test_the_next_pick_follows_from_the_roles_taken():
    position = {
        "governor": BOB,
        "roles": {"mayor": {"taken_by": BOB}, "builder": {"taken_by": CAROL}},
    }
    _, states = position_from_dict(position)
    assert int(states["turn"][0]) == 3


def test_a_phase_takes_its_role_card():
    rules, states = position_from_dict({"phase": "captain", "actor": CAROL})
    written = position_to_dict(rules, states[0])
    assert written["roles"]["captain"]["taken_by"] == CAROL
    assert written["turn"] == CAROL


def test_the_reasons_of_the_last_round_follow_from_the_board():
    full = ["residence", "fortress", "city_hall", "guild_hall", "customs_house", "office", "wharf"]
    position = {"players": [{"city": dict.fromkeys(full, 0)}]}
    _, states = position_from_dict(position, check=False)
    assert int(states["end_reasons"][0]) == 2
    _, states = position_from_dict({"vp": 0}, check=False)
    assert int(states["end_reasons"][0]) == 4
    _, states = position_from_dict({"end_triggered": True})
    assert int(states["end_reasons"][0]) == 1


def test_powers_and_spaces_follow_from_the_board():
    island = {"corn": [4, 1], "quarry": [2, 0]}
    city = {"large_warehouse": 1, "small_warehouse": 1, "harbor": 0, "residence": 1}
    _, states = position_from_dict({"players": [{"island": island, "city": city}]}, check=False)
    record = states[0]
    assert (int(record["island_used"][0]), int(record["city_used"][0])) == (6, 5)
    assert record["powers"][0].tolist().count(0) == len(record["powers"][0]) - 2
    assert int(record["powers"][0, 3]) == 3


# -- positions that cannot be --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"goods": {"corn": 11}}, ["goods.corn", "I-01", "1 too many"]),
        ({"workers": {"supply": 70}}, ["workers", "I-02", "5 missing"]),
        ({"citizens": {"supply": 1}}, ["citizens", "I-03", "1 too many"]),
        ({"players": [{"island": {"coffee": [9, 0]}}]}, ["deck.coffee", "I-04", "1 too many"]),
        ({"quarries": 6}, ["quarries", "I-05", "2 missing"]),
        ({"vp": 101}, ["vp", "I-08", "1 too many"]),
        ({"buildings": {"office": 1}}, ["buildings.office", "I-09", "1 missing"]),
        ({"players": [{"coins": -1}]}, ["players[0].coins", "I-10", "-1"]),
        (
            {"players": [{"island": {"corn": [8, 0], "sugar": [5, 0]}}]},
            ["players[0].island", "I-11"],
        ),
        ({"players": [{"island": {"corn": [1, 2]}}]}, ["players[0].island.corn", "I-12", "1 too"]),
        ({"players": [{"city": {"office": 2}}]}, ["players[0].city.office", "I-12", "1 too many"]),
        (
            {"ships": [{"size": 5, "good": "corn", "barrels": 6}]},
            ["ships[0]", "I-13", "1 too many"],
        ),
        ({"ships": [{"size": 5, "good": "corn", "barrels": 0}]}, ["ships[0]", "I-13"]),
        (
            {"ships": [{"good": "corn", "barrels": 1}, {"good": "corn", "barrels": 1}]},
            ["ships[1]", "I-13", "corn"],
        ),
        ({"house": ["corn"] * 5}, ["house", "I-14", "1 more"]),
        ({"house": ["corn", "corn"]}, ["house", "I-14", "office"]),
        ({"row": {"corn": 7}}, ["row", "I-15", "2 more"]),
        ({"roles": {"mayor": {"coins": -2}}}, ["roles.mayor.coins", "I-16"]),
        (
            {"roles": {"mayor": {"taken_by": 0}, "builder": {"taken_by": 0}}},
            ["roles", "I-17", "seat 0"],
        ),
        ({"vp": 0, "end_triggered": False}, ["end_triggered", "I-28"]),
        (
            {"phase": "captain", "actor": 0, "roles": {"captain": {"taken_by": 1}}},
            ["actor", "I-17"],
        ),
    ],
)
def test_a_position_that_breaks_an_invariant_says_which_and_by_how_much(change, parts):
    message = refusal(change)
    assert all(part in message for part in parts), message
    position_from_dict(change, check=False)


def test_the_bank_may_owe_coins_unless_it_is_limited():
    rich = {"players": [{"coins": 80}]}
    position_from_dict(rich)
    message = refusal({**rich, "rules": {"bank_limited": True}})
    assert "I-07" in message
    assert "6 coins" in message


@pytest.mark.parametrize(
    ("position", "parts"),
    [
        ({"quarrys": 3}, ["quarrys", "did you mean 'quarries'?"]),
        ({"players": [{"coin": 3}]}, ["players[0].coin", "did you mean 'coins'?"]),
        ({"goods": {"rum": 3}}, ["goods.rum", "'rum'"]),
        ({"goods": {"sugr": 3}}, ["did you mean 'sugar'?"]),
        ({"roles": {"captian": {}}}, ["did you mean 'captain'?"]),
        ({"roles": {"prospector_2": {}}}, ["roles.prospector_2"]),
        ({"buildings": {"hospise": 1}}, ["did you mean 'hospice'?"]),
        ({"buildings": {"aqueduct": 1}}, ["aqueduct"]),
        ({"players": [{"city": {"statue": 0}}]}, ["players[0].city.statue"]),
        ({"players": [{"island": {"forest": [1, 0]}}]}, ["players[0].island.forest"]),
        ({"players": [{"island": {"corn": 1}}]}, ["players[0].island.corn", "list"]),
        ({"players": [{"island": {"corn": [1]}}]}, ["players[0].island.corn", "2 numbers"]),
        ({"players": [{}] * 5}, ["players", "5 players"]),
        ({"players": {}}, ["players", "list"]),
        ({"phase": "shipping"}, ["phase", "shipping"]),
        ({"phase": "draft"}, ["phase", "draft"]),
        ({"phase": "captain"}, ["actor", "captain"]),
        ({"turn": 4}, ["turn", "seat 4"]),
        ({"governor": -1}, ["governor", "seat -1"]),
        ({"quarries": 1.5}, ["quarries", "whole number"]),
        ({"quarries": True}, ["quarries", "whole number"]),
        ({"quarries": 300}, ["quarries", "out of range"]),
        ({"end_triggered": 1}, ["end_triggered", "true or false"]),
        ({"ships": [{"size": 9}]}, ["ships[0].size", "5, 6, 7"]),
        ({"ships": [{}] * 4}, ["ships", "4 ships"]),
        ({"house": "corn"}, ["house", "list"]),
        ({"house": ["corn", "tea"]}, ["house[1]", "tea"]),
        ({"deck": ["corn"] * 51}, ["deck", "1 more"]),
        ({"deck": {"corn": -1}}, ["deck.corn", "out of range"]),
        ({"rng": [1, 2, 3]}, ["rng", "4 numbers"]),
        ({"rng": [1, 2, 3, 2**32]}, ["rng[3]", "out of range"]),
        ({"pending": {"pint": "load"}}, ["pending.pint", "did you mean 'point'?"]),
        ({"pending": {"point": "lod"}}, ["pending.point", "did you mean 'load'?"]),
        ({"pending": {"made": [{}]}}, ["pending.made", "4 players"]),
        ({"pending": {"waiting": [{}] * 7}}, ["pending.waiting"]),
        ({"pending": {"passed": [0, 0, 0, 0]}}, ["pending.passed[0]"]),
        ({"pending": {"end_reasons": ["vp"]}, "end_triggered": False}, ["contradicts"]),
        (["not", "a", "dict"], ["position"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("check", [True, False])
def test_a_field_that_cannot_be_read_is_named(position, parts, check):
    message = refusal(position, check=check)
    assert all(part in message for part in parts), message


def test_a_rule_set_that_does_not_exist_is_refused():
    with pytest.raises(PricoError, match="1897-fr"):
        position_from_dict({"rules": {"edition": "1897-fr"}})


# -- actions as words ----------------------------------------------------------------------------


def test_every_name_is_unique_and_parses_to_its_number():
    assert len(set(NAMES)) == NUM_ACTIONS
    rules = RuleSet()
    for action in range(rules.num_actions):
        assert parse_action(rules, action_name(action)) == action


@pytest.mark.parametrize(("players", "edition"), EVERY_GAME)
def test_every_sentence_is_unique_and_parses_to_its_number(players, edition):
    rules = RuleSet(players=players, edition=edition)
    in_play = [
        action
        for action in range(rules.num_actions)
        if not action_name(action).startswith("role:prospector") or players != 3
    ]
    sentences = {describe_action(rules, action): action for action in in_play}
    assert len(sentences) == len(in_play)
    for sentence, action in sentences.items():
        if players == 5 or action_name(action) != "role:prospector_2":
            assert parse_action(rules, sentence) == action


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_sentence_of_the_expansions_is_unique_and_parses_to_its_number(edition):
    rules = whole_game(edition, players=5)
    in_play = [
        action for action in range(NUM_ACTIONS) if block_of(action).module in in_the_game(rules)
    ]
    sentences = {describe_action(rules, action): action for action in in_play}
    assert len(sentences) == len(in_play)
    for sentence, action in sentences.items():
        assert parse_action(rules, sentence) == action, sentence


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_printed_word_is_understood_in_its_edition(edition):
    """Also where another edition prints the same word on something else."""
    rules = whole_game(edition, players=4)
    for building, word in load(edition).building_names.items():
        assert action_name(parse_action(rules, f"build:{word}")) == f"build:{building}"
        assert action_name(parse_action(rules, f"build:{building}")) == f"build:{building}"
    for good, word in load(edition).good_names.items():
        assert action_name(parse_action(rules, f"post:{word}")) == f"post:{good}"


def test_sentences_in_a_game_parse_too():
    for game in games_at_random(RuleSet(players=5, edition="1897-de"), seed=1, every=3):
        for action in game.legal_actions():
            sentence = game.describe(action)
            if action_name(action) not in ("pass", "gain"):
                assert game.parse(sentence) == action


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SELL:Sugar", "sell:sugar"),
        ("sell:fruit", "sell:indigo"),
        ("sell:Früchte", "sell:indigo"),
        ("role:Planter", "role:settler"),
        ("role:pflanzer", "role:settler"),
        ("role:recruiter", "role:mayor"),
        ("role:adventurer", "role:prospector_1"),
        ("role:Prospector", "role:prospector_1"),
        ("build:Hospital", "build:hospice"),
        ("build:Krankenhaus", "build:hospice"),
        ("build:small market", "build:small_market"),
        ("build:kl. Markthalle", "build:small_market"),
        ("place:Builders Yard", "place:construction_hut"),
        ("take:Steinbruch", "take:quarry"),
        ("load:Mais:2", "load:corn:2"),
        ("Trader: sell sugar", "sell:sugar"),
        ("Händler: Zucker verkaufen", "sell:sugar"),
    ],
)
def test_words_of_every_edition_are_understood(text, name):
    assert action_name(parse_action(RuleSet(), text)) == name


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("sel:sugar", ["did you mean 'sell:sugar'?"]),
        ("build:hospise", ["did you mean 'build:hospice'?"]),
        ("", ["''"]),
        ("build:aqueduct", ["'buildings' expansion"]),
        ("role:smuggler", ["'smuggler' expansion"]),
        ("build:zoning office", ["build:land_office", "'citizens' expansion"]),
    ],
)
def test_a_word_that_is_not_understood_says_what_would_be(text, parts):
    with pytest.raises(IllegalActionError) as caught:
        parse_action(RuleSet(), text)
    assert all(part in str(caught.value) for part in parts), caught.value


@pytest.mark.parametrize(
    ("edition", "name"), [("classic", "build:notary"), ("1897-en", "build:land_office")]
)
def test_a_name_on_two_buildings_means_what_it_means_in_the_edition_in_play(edition, name):
    """D-69."""
    rules = RuleSet(edition=edition, expansions=["citizens"])
    assert action_name(parse_action(rules, "build:zoning office")) == name
    sentence = "Builder: build Zoning Office"
    assert action_name(parse_action(rules, sentence)) == name


def test_a_name_on_two_buildings_is_refused_where_it_is_on_neither():
    """D-69: the German names are Katasteramt and Notariat."""
    rules = RuleSet(edition="1897-de", expansions=["citizens"])
    with pytest.raises(IllegalActionError, match=r"may mean .*land_office.* or .*notary"):
        parse_action(rules, "build:zoning office")


def test_only_the_actions_of_the_expansions_in_play_are_understood():
    """The numbers of an expansion left out may lie between those of others."""
    citizens = RuleSet(expansions=["citizens"])
    for text, module in (("build:aqueduct", "buildings"), ("plunder", "smuggler")):
        with pytest.raises(IllegalActionError, match=f"'{module}' expansion"):
            parse_action(citizens, text)
    assert action_name(parse_action(citizens, "deal:Bürger")) == "deal:citizen"


def test_one_name_for_two_prospectors_is_refused_with_five_players():
    with pytest.raises(IllegalActionError, match="say which"):
        parse_action(RuleSet(players=5), "role:adventurer")
    assert action_name(parse_action(RuleSet(players=5), "role:adventurer 2")) == "role:prospector_2"


@pytest.mark.parametrize("number", [-1, NUM_ACTIONS])
def test_a_number_out_of_range_has_no_name(number):
    with pytest.raises(IllegalActionError, match=f"no action {number}"):
        action_name(number)
    with pytest.raises(IllegalActionError, match=f"no action {number}"):
        describe_action(RuleSet(), number)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("gains", ["auto", "ask"])
def test_sentences_in_a_game_with_every_expansion_parse_too(edition, gains):
    rules = whole_game(edition, 4, board="random", optional_gains=gains, max_rounds=8)
    for game in games_at_random(rules, seed=6, every=4):
        for action in game.legal_actions():
            sentence = game.describe(action)
            assert "{" not in sentence
            if action_name(action) not in ("pass", "gain"):
                assert game.parse(sentence) == action


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("forest:fruit", "forest:indigo"),
        ("use:Wald", "use:forest"),
        ("use:estate", "use:plantation"),
        ("place:Bürger:Kanal", "place:citizen:aqueduct"),
        ("recall:noble:Fruit", "recall:citizen:indigo"),
        ("guest:Publishing House", "guest:library"),
        ("guest:citizen:Steinbruch", "guest:citizen:quarry"),
        ("pay:colonist:San Juan", "pay:worker:portrait"),
        ("pay:Bürger:Porträt", "pay:citizen:portrait"),
        ("pay:Früchte", "pay:indigo"),
        ("deal:Arbeiter", "deal:worker"),
        ("supply:Mais", "supply:corn"),
        ("land:sell:Forest", "land:sell:forest"),
        ("lodge:Früchte", "lodge:indigo"),
        ("role:Schmuggler", "role:smuggler"),
        ("capture:Händler", "capture:trader"),
        ("capture:Adventurer", "capture:prospector_1"),
        ("board:Destille", "board:specialty_factory"),
        ("small_wharf:Zucker", "small_wharf:sugar"),
    ],
)
def test_words_of_the_expansions_are_understood_in_every_edition(text, name):
    assert action_name(parse_action(whole_game("1897-en", 4), text)) == name


def test_every_action_of_every_expansion_has_a_sentence():
    for edition in EDITIONS:
        rules = RuleSet(edition=edition)
        for action in range(NUM_ACTIONS):
            sentence = describe_action(rules, action)
            assert "{" not in sentence
            assert sentence[0].isupper(), sentence


def test_sentences_say_how_much():
    game = Game.from_dict(
        {
            "rules": {"edition": "classic"},
            "phase": "captain",
            "actor": ALICE,
            "players": [{"goods": {"sugar": 6}}],
        },
        check=False,
    )
    assert game.describe(game.parse("load:sugar:1")) == (
        "Captain: load sugar on ship 1 (5) (5 barrels)"
    )
    assert game.describe(0) == "Captain: load nothing"


def test_what_is_offered_is_said_in_words():
    rules = {"optional_gains": "ask", "edition": "1897-en"}
    players = [{"island": {"corn": [1, 1]}, "goods": {"corn": 2}, "city": {"harbor": 1}}]
    position = {"rules": rules, "actor": ALICE, "players": players}
    sentences = {}
    for phase in ("craftsman", "captain"):
        game = Game.from_dict({**position, "phase": phase}, check=False)
        if phase == "captain":
            game.step("load:corn:1")
        sentences[phase] = [game.describe(action) for action in game.legal_actions()]
    assert sentences["craftsman"] == ["Craftsman: produce nothing", "Craftsman: produce"]
    assert sentences["captain"] == [
        "Captain: decline the VP (1 VP)",
        "Captain: take the VP (1 VP)",
    ]


# -- sentences that say how much, with the expansions --------------------------------------------


def said(game: Game) -> set[str]:
    """What the seat to act may do, in the words of the edition."""
    return {game.describe(action) for action in game.legal_actions()}


def test_a_purchase_through_the_black_market_says_so():
    """R-BLK-3: the price, and how much is missing."""
    game = board(
        "builder",
        edition="1897-en",
        expansions=("buildings",),
        actor=BOB,
        turn=ALICE,
        seats={
            ALICE: {
                "coins": 2,
                "goods": {"corn": 1},
                "city": {"black_market": 1, "small_market": 0},
                "portrait": 1,
            }
        },
    )
    sentences = said(game)
    assert "Builder: build Small Warehouse (3 coins, 1 of them by the Black Market)" in sentences
    assert "Builder: build Hacienda (2 coins)" in sentences
    game.step("build:small_warehouse")
    assert said(game) == {
        "Builder: pay with a worker not placed",
        "Builder: pay with a barrel of corn",
    }


def test_a_sale_says_its_income_with_markets_and_library():
    """R-TRA-4, R-TPO-2, R-LIB-1: markets count in the trading house only."""
    city = {"library": 1, "trading_post": 1, "small_market": 1}
    game = board(
        "trader",
        edition="1897-de",
        expansions=("buildings",),
        seats={ALICE: {"goods": {"sugar": 1}, "city": city}},
    )
    assert said(game) == {
        "Händler: nichts verkaufen",
        "Händler: Zucker verkaufen (5 Münzen)",
        "Händler: Zucker an den Handelsposten verkaufen (4 Münzen)",
    }


def test_the_small_wharf_says_what_has_been_shipped():
    """R-SWF-1."""
    game = board(
        "captain",
        edition="1897-en",
        expansions=("buildings",),
        seats={ALICE: {"goods": {"corn": 4}, "city": {"small_wharf": 1}}},
    )
    play(game, "alice small_wharf corn\nalice small_wharf corn\nalice small_wharf corn")
    assert said(game) == {
        "Captain: ship no more by the Small Wharf (3 barrels, 1 VP)",
        "Captain: ship a barrel of corn by the Small Wharf",
    }


def test_the_smuggler_says_what_there_is_to_get():
    """R-SMG-4..7."""
    game = board(
        "smuggler",
        edition="1897-en",
        expansions=("smuggler",),
        house=["corn", "sugar"],
        ships=[{"size": 5, "good": "coffee", "barrels": 2}, {"size": 6}, {"size": 7}],
        roles={"smuggler": {"taken_by": ALICE}, "mayor": {"coins": 2}},
        workers={"supply": 73, "register": 6},
    )
    assert said(game) >= {
        "Smuggler: do nothing",
        "Smuggler: empty ship 1 (5) (2 barrels)",
        "Smuggler: empty the trading house (2 VP)",
        "Smuggler: take workers from the work register (2 workers)",
        "Smuggler: capture the Recruiter card (2 coins)",
        "Smuggler: capture the Trader card",
    }
    game.step("poach")
    assert "Smuggler: put nobody more down; the rest return to the supply" in said(game)


def test_guests_and_their_windows_are_said_in_the_phase_they_belong_to():
    """R-GST-3."""
    seats = {BOB: {"island": {"corn": [1, 0]}, "city": {"guest_house": 1}}}
    game = board(edition="1897-de", expansions=("buildings",), seats=seats)
    game.step("role:trader")
    assert (game.turn, said(game)) == (
        BOB,
        {
            "Händler: niemanden vom Bohio umsetzen",
            "Händler: Arbeiter vom Bohio umsetzen (Plantage Mais)",
        },
    )


def test_passing_before_production_is_producing():
    """R-GST-3: W-B comes right before it, and under "auto" nobody declines to produce."""
    seats = {ALICE: {"island": {"corn": [2, 1]}, "city": {"guest_house": 1}}}
    for gains, sentence in (("auto", "produce"), ("ask", "produce nothing")):
        game = board(
            "craftsman",
            edition="classic",
            expansions=("buildings",),
            seats=seats,
            switches={"optional_gains": gains},
        )
        assert game.describe(0) == f"Craftsman: {sentence}"


def test_land_is_traded_in_words():
    """R-LND-2, R-LND-3: and after a sale the turn is ended."""
    game = board(
        "trader",
        edition="classic",
        expansions=("citizens",),
        seats={ALICE: {"goods": {"corn": 1}, "city": {"land_office": [1, 0]}}},
    )
    assert "Trader: buy a tile (land office) (1 doubloon)" in said(game)
    game.step("sell:corn")
    assert "Trader: end the turn" in said(game)


def test_a_worker_of_the_university_is_placed_in_the_builder_phase():
    """R-UNI-1: the sentence names the phase that asks."""
    game = board(
        "builder",
        edition="classic",
        switches={"optional_gains": "ask"},
        seats={ALICE: {"coins": 5, "city": {"university": 1}}},
    )
    game.step("build:hacienda")
    assert said(game) == {"Builder: put no colonist there", "Builder: put a colonist on hacienda"}
    assert game.parse("Builder: put a colonist on hacienda") == game.legal_actions()[1]


# -- positions as text ---------------------------------------------------------------------------


def test_text_hides_the_order_of_the_deck_and_hidden_vp():
    rules = RuleSet(players=3, edition="classic")
    game = Game(rules, seed=2)
    chance = random.Random(3)
    while game.state["vp"][0].max() < 3:
        game.step(chance.choice(game.legal_actions()))
    texts = {position_text(rules, game.determinize(BOB, seed).state[0], BOB) for seed in range(5)}
    assert len(texts) == 1
    text = texts.pop()
    assert text.count("hidden VP") == 2
    assert f"{game.state['vp'][0, BOB]} VP" in text


def test_text_speaks_the_words_of_the_edition():
    assert "Arbeitsregister 4" in Game(RuleSet(edition="1897-de")).text()
    assert "Work Register 4" in Game(RuleSet(edition="1897-en")).text()
    assert "colonist ship 4" in Game(RuleSet(edition="classic")).text()
