"""An error repeats what was asked, says why it was refused, and names what would have worked."""

import json

import pytest

from prico_env import (
    Game,
    IllegalActionError,
    PositionError,
    PricoError,
    RecordError,
    RuleSet,
    RuleSetError,
)
from prico_env.actions import IDS
from prico_env.vocabulary import EXPANSIONS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    CLASSIC,
    EDITIONS,
    GERMAN,
    board,
    city_of,
    new_game,
    options,
    play,
    position,
)
from tests.rule_sets import BOARD, X1, X1_AND_X2


def refusal(call, kind=PricoError):
    """The message of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def test_all_errors_are_one_family():
    """One ``except`` catches them all, also one that knows nothing of prico."""
    for kind in (IllegalActionError, PositionError, RecordError, RuleSetError):
        assert issubclass(kind, PricoError)
    assert issubclass(PricoError, ValueError)


# -- actions ---------------------------------------------------------------------------------------


def test_an_illegal_action_says_which_why_and_what_is_legal(edition):
    """R-CAP-2, G058: Bob wants to pass although he can load."""
    game = board(edition=edition, seats={BOB: {"goods": {"corn": 1, "sugar": 1}}})
    play(game, "alice role captain")
    message = refusal(lambda: game.step("pass"), IllegalActionError)
    assert "seat 1" in message
    assert "pass" in message
    assert "captain" in message.replace("role:captain", "")
    for name in options(game):
        assert name in message


@pytest.mark.parametrize("action", ["pass", "take:corn", "load:corn:1", 3.0, 76, 139])
def test_an_illegal_action_changes_nothing(edition, action):
    """G034: the bytes are the same before and after, and so is what is legal."""
    game = new_game(4, edition)
    before, legal = game.to_bytes(), game.legal_actions()
    with pytest.raises((IllegalActionError, TypeError)):
        game.step(action)
    assert game.to_bytes() == before
    assert game.legal_actions() == legal
    assert game.history == []


@pytest.mark.parametrize(
    ("phase", "action"),
    [
        ("settler", "take:coffee"),
        ("builder", "build:city_hall"),
        ("trader", "sell:corn"),
        ("captain", "load:corn:1"),
        ("storage", "keep:corn"),
        ("mayor", "recall:corn"),
    ],
)
def test_an_illegal_action_in_a_loaded_position_changes_nothing(edition, phase, action):
    """G034, G154: also where forced decisions are waiting behind the position."""
    game = board(phase, edition=edition, row={"corn": 5})
    before = game.to_bytes()
    refusal(lambda: game.step(action), IllegalActionError)
    assert game.to_bytes() == before
    assert game.history == []


@pytest.mark.parametrize("action", [140, 999, -1, -2, 10**30])
def test_an_action_out_of_range_names_the_range(edition, action):
    """The numbers of the base game end at 139."""
    message = refusal(lambda: new_game(4, edition).step(action), IllegalActionError)
    assert str(action) in message
    assert "139" in message


def test_an_action_of_an_expansion_is_out_of_range_in_the_base_game(edition):
    """R-SET-1: known, but not in this game."""
    game = new_game(4, edition)
    before = game.to_bytes()
    refusal(lambda: game.step("role:smuggler"), IllegalActionError)
    refusal(lambda: game.step("build:statue"), IllegalActionError)
    assert game.to_bytes() == before


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("role:setler", "role:settler"),
        ("build:hospise", "build:hospice"),
        ("load:suger:2", "load:sugar:2"),
        ("take:quary", "take:quarry"),
    ],
)
def test_a_word_that_is_misspelt_is_answered_with_the_nearest(edition, wrong, right):
    """An unknown role, building, good or tile."""
    message = refusal(lambda: new_game(4, edition).step(wrong), IllegalActionError)
    assert wrong in message
    assert right in message


def test_acting_after_the_end_says_that_the_game_is_over(edition):
    """R-END-5."""
    game = board(edition=edition, players=3, end_triggered=True)
    play(game, "alice role trader\nbob role craftsman\ncarol role captain")
    assert "over" in refusal(lambda: game.step("role:settler"), IllegalActionError)


def test_a_seat_that_is_not_there_is_named(edition):
    """Three players are seats 0, 1 and 2."""
    game = new_game(3, edition)
    for call in (
        lambda: game.observation(3),
        lambda: game.text(-1),
        lambda: game.determinize(7, 1),
    ):
        assert "seat" in refusal(call)


@pytest.mark.parametrize("seed", [-1, 2**63, "seven", 1.5])
def test_a_seed_that_does_not_go_is_named(seed):
    """A seed is a whole number that fits the generator."""
    assert str(seed) in refusal(lambda: Game(seed=seed))


def test_a_reward_scheme_that_is_misspelt_is_answered_with_the_nearest(edition):
    """G163."""
    message = refusal(lambda: new_game(4, edition).rewards("margn"))
    assert "'margin'" in message


# -- rule sets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"edition": "1987-en"}, ["1987-en", "1897-en"]),
        ({"edition": "clasic"}, ["clasic", "classic"]),
        ({"players": 6}, ["6", "2, 3, 4 or 5"]),
        ({"players": 1}, ["1", "2, 3, 4 or 5"]),
        ({"players": "four"}, ["four"]),
        ({"hospice_scop": "normal_tile"}, ["hospice_scop", "hospice_scope"]),
        ({"hospice_scope": "any"}, ["any", "normal_tile", "either_tile_once"]),
        ({"optional_gains": "maybe"}, ["maybe", "auto", "ask"]),
        ({"skip_forced": 1}, ["skip_forced"]),
        ({"max_rounds": 0}, ["max_rounds", "0"]),
        ({"vp_pool": -5}, ["vp_pool", "-5"]),
        ({"expansions": ["cities"]}, ["cities", "citizens"]),
        ({"board": "draft"}, ["draft", "buildings"]),
        ({"expansions": X1, "board": "randum"}, ["randum", "random"]),
        ({"expansions": X1, "board": [*BOARD[1:], "hacenda"]}, ["hacenda", "hacienda"]),
        ({"expansions": X1, "board": BOARD[1:]}, ["cost 2", "forest_house", "black_market"]),
        ({"expansions": X1, "board": [*BOARD, "sugar_mill"]}, ["sugar_mill", "always in the game"]),
        ({"expansions": X1, "board": [*BOARD, "wharf"]}, ["wharf", "twice"]),
    ],
)
def test_a_rule_set_that_does_not_exist_says_what_does(fields, words):
    """R-SET-1: unknown edition, table size, switch, value or expansion, or no such board."""
    message = refusal(lambda: RuleSet(**fields), RuleSetError)
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"coin_total_value": 3}, ["coin_total_value=3", "12"]),
        ({"corn_start_penalty": 9}, ["corn_start_penalty=9", "3"]),
        ({"forest_source": "own_stack_12"}, ["forest_source", "buildings"]),
        ({"villa_mode": "replace_first_take"}, ["villa_mode", "citizens"]),
        ({"two_player_setup": "own"}, ["two_player_setup", "2"]),
        (
            {"expansions": ["citizens"], "villa_mode": "replace_first_take"},
            ["villa_timing", "first_turn", "extra"],
        ),
        (
            {"expansions": X1_AND_X2, "forest_source": "own_stack_12"},
            ["land_office_forest_buy", "take_from_forest_stack"],
        ),
        (
            {"edition": "classic", "festival_building_pool": "all_vp3"},
            ["festival_building_pool", "classic"],
        ),
    ],
)
def test_a_rule_set_that_contradicts_itself_says_where(fields, words):
    """R-SET-1, D-62, D-68, D-70."""
    message = refusal(lambda: RuleSet(**fields), RuleSetError)
    for word in words:
        assert word in message


@pytest.mark.parametrize("expansion", ["smuggler", "festival"])
def test_smuggler_and_festival_do_not_exist_in_classic(expansion):
    """D-70, R-SET-1."""
    message = refusal(lambda: RuleSet(edition="classic", expansions=[expansion]), RuleSetError)
    assert expansion in message
    assert "classic" in message


def test_presets_follow_the_documents():
    """R-SET-1: section 0.6; doc001 and doc003 play alike."""
    assert RuleSet.preset("doc001") == RuleSet.preset("doc003") == RuleSet(edition="classic")
    assert RuleSet.preset("doc000", players=3) == RuleSet(players=3, edition="1897-en")
    assert RuleSet.preset("doc002").edition == GERMAN
    full = RuleSet.preset("doc000", expansions=EXPANSIONS)
    assert full == RuleSet(edition="1897-en", expansions=EXPANSIONS)
    assert RuleSet.preset("doc004", expansions=X1_AND_X2).edition == "classic"
    assert "doc001" in refusal(lambda: RuleSet.preset("doc01"), RuleSetError)
    assert "classic" in refusal(lambda: RuleSet.preset("doc001", edition=GERMAN), RuleSetError)
    refusal(lambda: RuleSet.preset("doc001", expansions=["buildings"]), RuleSetError)


# -- positions -------------------------------------------------------------------------------------


def broken(edition="1897-en", **change):
    """The message about a position that differs from a good one."""
    place = position(edition=edition)
    return refusal(lambda: Game.from_dict(place | change), PositionError)


def seats(**first):
    """Four players; the first with changes."""
    return [first, {}, {}, {}]


GOODS_IN_SUPPLY = {"corn": 10, "indigo": 11, "sugar": 11, "tobacco": 9, "coffee": 9}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"goods": GOODS_IN_SUPPLY | {"corn": 8}}, ["corn", "2 missing", "I-01"]),
        ({"goods": GOODS_IN_SUPPLY | {"coffee": 12}}, ["coffee", "3 too many", "I-01"]),
        ({"workers": {"supply": 70, "register": 4}}, ["workers", "5 missing", "I-02"]),
        ({"deck": {}}, ["deck.corn", "missing", "I-04"]),
        ({"quarries": 9}, ["quarries", "1 too many", "I-05"]),
        ({"vp": 97}, ["vp", "3 missing", "I-08"]),
        ({"buildings": {"harbor": 3}}, ["harbor", "1 too many", "I-09"]),
        ({"players": seats(coins=-2)}, ["players[0].coins", "-2", "I-10"]),
        ({"players": seats(island={"corn": [13, 0]})}, ["players[0].island", "1 more", "I-11"]),
        (
            {"players": seats(city=city_of(12) | {"wharf": 0})},
            ["players[0].city", "1 more", "I-11"],
        ),
        ({"players": seats(island={"corn": [1, 3]})}, ["island.corn", "2 too many", "I-12"]),
        ({"players": seats(city={"harbor": 2})}, ["city.harbor", "1 too many", "I-12"]),
        (
            {"ships": [{"size": 5, "good": "corn", "barrels": 7}]},
            ["ships[0]", "2 too many", "I-13"],
        ),
        (
            {
                "ships": [
                    {"size": 5, "good": "corn", "barrels": 1},
                    {"size": 6, "good": "corn", "barrels": 1},
                ]
            },
            ["corn", "I-13"],
        ),
        ({"ships": [{"size": 5, "good": "corn", "barrels": 0}]}, ["ships[0]", "I-13"]),
        ({"house": ["corn"] * 5}, ["house", "1 more", "I-14"]),
        ({"house": ["sugar", "sugar"]}, ["sugar", "I-14"]),
        ({"row": {"corn": 4, "sugar": 2}}, ["row", "1 more", "I-15"]),
        ({"roles": {"mayor": {"coins": -1, "taken_by": None}}}, ["mayor", "-1", "I-16"]),
        (
            {
                "roles": {
                    "mayor": {"coins": 0, "taken_by": 0},
                    "settler": {"coins": 0, "taken_by": 0},
                }
            },
            ["seat 0", "1 too many", "I-17"],
        ),
    ],
)
def test_a_position_that_breaks_an_invariant_says_which_and_by_how_much(change, words):
    """I-01, I-02, I-04, I-05, I-08, I-09, I-10, I-11, I-12, I-13, I-14, I-15, I-16, I-17."""
    message = broken(**change)
    for word in words:
        assert word in message


def test_the_base_game_has_no_citizens():
    """I-03."""
    assert "I-03" in broken(citizens={"supply": 20, "register": 0})


def test_a_limited_bank_cannot_owe_coins():
    """I-07, Q-06: without the limit it can."""
    rich = {"players": seats(coins=99)}
    limited = {"rules": {"players": 4, "edition": "1897-en", "bank_limited": True}}
    assert "I-07" in broken(**rich, **limited)
    Game.from_dict(position() | rich)


def test_a_hand_made_position_may_skip_the_checks():
    """G154: ``check=False``, for instance for four barrels that nobody has lost."""
    place = position() | {"goods": {"corn": 6}}
    game = Game.from_dict(place, check=False)
    assert game.state["goods_supply"][0].tolist() == [6, 0, 0, 0, 0]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"phas": "role"}, ["phas", "phase"]),
        ({"phase": "captin"}, ["captin", "captain"]),
        ({"roles": {"setler": {}}}, ["setler", "settler"]),
        ({"buildings": {"small_markt": 1}}, ["small_markt", "small_market"]),
        ({"goods": {"toba": 1}}, ["toba", "tobacco"]),
        ({"players": seats(island={"quary": [1, 0]})}, ["quary", "quarry"]),
        ({"players": seats(city={"warf": 1})}, ["warf", "wharf"]),
        ({"players": seats(coin=3)}, ["coin", "coins"]),
        ({"players": [{}] * 5}, ["5 players", "4"]),
        ({"players": seats(coins="three")}, ["players[0].coins", "three"]),
        ({"turn": 7}, ["turn", "7"]),
        ({"governor": -2}, ["governor", "-2"]),
        ({"ships": [{"size": 4}]}, ["size", "4", "5, 6, 7"]),
        ({"phase": "captain"}, ["actor", "captain"]),
        ({"end_triggered": "yes"}, ["end_triggered", "yes"]),
        ({"house": "corn"}, ["house"]),
        ({"deck": ["rum"]}, ["deck", "rum"]),
    ],
)
def test_a_position_names_the_field_that_is_wrong(edition, change, words):
    """With the nearest name where there is one."""
    message = broken(edition, **change)
    for word in words:
        assert word in message


def test_a_position_of_another_rule_set_is_refused():
    """R-SET-1: the rules of a position are checked like any."""
    message = refusal(lambda: Game.from_dict({"rules": {"players": 4, "edition": "1987-en"}}))
    assert "1897-en" in message


# -- saved games -----------------------------------------------------------------------------------


def saved(edition):
    """A game in the middle, as bytes."""
    game = new_game(3, edition, seed=4)
    for step in range(30):
        legal = game.legal_actions()
        game.step(legal[step % len(legal)])
    return game.to_bytes()


@pytest.mark.parametrize("cut", [0, 1, 5, 40, -1, -4])
def test_bytes_that_are_cut_off_are_refused(edition, cut):
    """G154: wherever the end is missing."""
    refusal(lambda: Game.from_bytes(saved(edition)[:cut]), RecordError)


@pytest.mark.parametrize("place", [0, 7, 60, 200, 700, -2])
def test_bytes_that_are_damaged_are_refused(edition, place):
    """G154: one wrong bit anywhere."""
    damaged = bytearray(saved(edition))
    damaged[place] ^= 4
    refusal(lambda: Game.from_bytes(bytes(damaged)), RecordError)


def test_bytes_that_go_on_are_refused(edition):
    """G154."""
    refusal(lambda: Game.from_bytes(saved(edition) + b"x"), RecordError)


@pytest.mark.parametrize("check", [True, False])
def test_as_many_barrels_as_a_byte_counts_are_not_none(check):
    """I-01: the count of a list is not taken around to zero."""
    for block in ({"house": ["corn"] * 256}, {"festival": {"goods": ["corn"] * 256}}):
        rules = {"players": 3, "expansions": ["festival"]}
        message = refusal(
            lambda block=block, rules=rules: Game.from_dict({"rules": rules, **block}, check=check),
            PositionError,
        )
        assert "256" in message


def test_something_that_is_no_saved_game_is_refused():
    """G154."""
    for other in (b"", b"hello", b"\x89PNG\r\n" * 400, "text"):
        refusal(lambda other=other: Game.from_bytes(other), RecordError)


def record(edition):
    """A short game, as lines of JSON."""
    game = new_game(3, edition, seed=4)
    for step in range(30):
        legal = game.legal_actions()
        game.step(legal[step % len(legal)])
    return game.to_record().splitlines()


def replay(lines):
    """Read a record given as lines."""
    return Game.from_record("\n".join(lines) + "\n")


def test_a_record_that_is_cut_off_is_refused(edition):
    """G154: between two lines, and inside one."""
    lines = record(edition)
    replay(lines)
    refusal(lambda: replay(lines[:-1]), RecordError)
    refusal(lambda: replay([*lines[:-1], lines[-1][:-3]]), RecordError)
    refusal(lambda: replay([]), RecordError)


def test_a_damaged_line_of_a_record_is_named(edition):
    """G154."""
    lines = record(edition)
    assert "line 3" in refusal(lambda: replay([*lines[:2], "{]", *lines[3:]]), RecordError)


def changed(line, **fields):
    """A line of a record with other values."""
    return json.dumps(json.loads(line) | fields)


@pytest.mark.parametrize("version", ["format_version", "rules_version", "actions_version"])
def test_a_record_of_another_version_is_refused(edition, version):
    """G154: it says which version it has and which one is played."""
    lines = record(edition)
    message = refusal(lambda: replay([changed(lines[0], **{version: 77}), *lines[1:]]), RecordError)
    assert "77" in message
    assert version in message


def test_a_record_that_does_not_replay_is_refused(edition):
    """G154: an action that was not legal, one that does not exist, and a rule set that does not."""
    lines = record(edition)
    illegal = [lines[0], changed(lines[1], action="pass"), *lines[2:]]
    assert "pass" in refusal(lambda: replay(illegal), RecordError)
    unknown = [lines[0], changed(lines[1], action="role:setler"), *lines[2:]]
    assert "role:settler" in refusal(lambda: replay(unknown), RecordError)
    rules = {"players": 9, "edition": edition}
    refusal(lambda: replay([changed(lines[0], rules=rules), *lines[1:]]), RecordError)


def test_a_record_whose_forced_decisions_differ_is_refused(edition):
    """G154: section I.5, they are on record and they are compared."""
    game = new_game(4, edition)
    game.step("role:trader")
    lines = game.to_record().splitlines()
    assert json.loads(lines[2])["forced"] is True
    refusal(lambda: replay([*lines[:2], changed(lines[2], forced=False), *lines[3:]]), RecordError)


def test_a_record_whose_seats_differ_is_refused(edition):
    """G154: the seat of a line is the one that decided."""
    game = new_game(4, edition)
    game.step("role:trader")
    lines = game.to_record().splitlines()
    refusal(lambda: replay([*lines[:2], changed(lines[2], seat=3), *lines[3:]]), RecordError)


def test_an_observation_of_a_broken_seat_does_not_change_the_game(edition):
    """G152, G154."""
    game = new_game(4, edition)
    before = game.to_bytes()
    refusal(lambda: game.observation(9))
    assert game.to_bytes() == before
    assert game.turn == ALICE


# -- actions of the expansions ---------------------------------------------------------------------

X1, X2, X3, X4 = ("buildings",), ("citizens",), ("smuggler",), ("festival",)


def why_not(action, phase="role", before="", **words):
    """Why an action is refused in a position, after a script; nothing changes by asking."""
    game = play(board(phase, **words), before)
    bytes_before = game.to_bytes()
    message = refusal(lambda: game.step(action), IllegalActionError)
    assert game.to_bytes() == bytes_before
    assert action in message
    for name in options(game):
        assert name in message or "more" in message
    return message


@pytest.mark.parametrize(
    ("action", "modules", "seat", "words"),
    [
        ("forest:corn", X1, {}, ["no occupied forest_house", "R-FOH-1"]),
        ("forest", X1, {"city": {"forest_house": 1}}, ["row becomes the forest", "R-FOH-2"]),
        ("lodge:corn", X2, {"city": {"hunting_lodge": [1, 0]}}, ["R-STL-8"]),
        ("use:forest", X1, {"city": {"forest_house": 1}}, ["R-STL-8"]),
    ],
)
def test_a_settler_with_expansions_is_told_what_stands_against_it(action, modules, seat, words):
    """R-FOH-1, R-FOH-2, R-STL-8."""
    message = why_not(action, "settler", "alice pass", expansions=modules, seats={BOB: seat})
    for word in words:
        assert word in message


def test_a_classic_forest_comes_from_the_stack():
    """R-FOH-1, D-36."""
    seats = {BOB: {"city": {"forest_house": 1}}}
    words = {"edition": CLASSIC, "expansions": X1, "seats": seats}
    assert "take 'forest'" in why_not("forest:corn", "settler", "alice take corn", **words)
    words |= {"forests": 0, "check": False}
    empty = why_not("forest", "settler", "alice take corn", **words)
    assert "no forest is left in the stack (R-FOH-1)" in empty


def test_a_drawn_tile_is_laid_before_anything_else():
    """R-HAC-2, R-FOH-3."""
    seats = {ALICE: {"city": {"forest_house": 1, "hacienda": 1}}}
    for action, word in (("pass", "R-HAC-2"), ("take:corn", "R-FOH-3")):
        assert word in why_not(action, "settler", "alice draw", expansions=X1, seats=seats)


@pytest.mark.parametrize(
    ("action", "seat", "words"),
    [
        ("build:aqueduct", {}, ["aqueduct is not on the board of this game", "R-X1-4"]),
        ("build:city_hall", {"coins": 1}, ["costs 9", "1 coins", "R-BLD-4"]),
        (
            "build:city_hall",
            {"coins": 7, "city": {"black_market": 1}, "vp": 1},
            ["costs 9", "7 coins", "makes up for 1 more at most", "R-BLK-3"],
        ),
        ("pay:vp", {"vp": 1, "city": {"black_market": 1}}, ["being paid for", "R-BLK-1"]),
    ],
)
def test_a_buyer_with_expansions_is_told_what_stands_against_it(action, seat, words):
    """R-X1-4, R-BLD-4, R-BLK-1, R-BLK-3."""
    message = why_not(action, "builder", expansions=X1, seats={ALICE: {"coins": 5} | seat})
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("pass", ["still missing", "R-BLK-3"]),
        ("build:hacienda", ["paid for first", "R-BLK-3"]),
        ("pay:worker:black_market", ["black market itself", "R-BLK-5"]),
        ("pay:worker:corn", ["no worker there", "R-BLK-5"]),
        ("pay:sugar", ["seat 0 has no sugar"]),
        ("pay:vp", ["would not make up", "R-BLK-3"]),
        ("guest:corn", ["no worker on a guest_house", "R-GST-2"]),
    ],
)
def test_who_pays_through_the_black_market_is_told_what_stands_against_it(action, words):
    """R-BLK-2, R-BLK-3, R-BLK-5: two coins are missing, and there are three things to return."""
    seat = {
        "coins": 7,
        "vp": 1,
        "goods": {"corn": 1},
        "portrait": 1,
        "city": {"black_market": 1, "office": 0},
    }
    message = why_not(
        action, "builder", "alice build city_hall", expansions=X1, seats={ALICE: seat}
    )
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "seat", "words"),
    [
        ("post:corn", {"goods": {"corn": 1}}, ["no occupied trading_post", "R-TPO-1"]),
        ("post:sugar", {"city": {"trading_post": 1}}, ["has no sugar"]),
        ("land:buy", {}, ["no worker on a land_office", "R-LND-2"]),
        ("land:buy", {"city": {"land_office": [0, 1]}}, ["no worker on a land_office"]),
        ("land:buy", {"coins": 0, "city": {"land_office": [1, 0]}}, ["costs 1 coin"]),
        ("land:sell:corn", {"city": {"land_office": [1, 0]}}, ["no citizen on a land_office"]),
        ("land:sell:coffee", {"city": {"land_office": [0, 1]}}, ["no coffee on its island"]),
        ("land:sell:forest", {"city": {"land_office": [0, 1]}}, ["forests are not sold"]),
    ],
)
def test_a_trader_with_expansions_is_told_what_stands_against_it(action, seat, words):
    """R-TPO-1, R-LND-2, R-LND-3."""
    message = why_not(action, "trader", expansions=(*X1, *X2), seats={ALICE: seat})
    for word in words:
        assert word in message


def test_what_was_done_once_in_a_turn_is_said():
    """R-TRA-1, R-LND-1."""
    seat = {"goods": {"corn": 1, "sugar": 1}, "city": {"land_office": [1, 0], "trading_post": 1}}
    words = {"expansions": (*X1, *X2), "seats": {ALICE: seat}}
    assert "R-TRA-1" in why_not("sell:sugar", "trader", "alice sell corn", **words)
    assert "R-TRA-1" in why_not("post:sugar", "trader", "alice sell corn", **words)
    assert "R-LND-1" in why_not("land:buy", "trader", "alice land buy", **words)


@pytest.mark.parametrize(
    ("action", "before", "seat", "words"),
    [
        ("small_wharf:corn", "", {"goods": {"corn": 2}}, ["no occupied small_wharf", "R-SWF-1"]),
        (
            "small_wharf:corn",
            "alice small_wharf sugar",
            {"goods": {"corn": 2, "sugar": 2}, "city": {"small_wharf": 1}},
            ["ascending", "corn"],
        ),
        (
            "load:corn:1",
            "alice small_wharf corn",
            {"goods": {"corn": 2}, "city": {"small_wharf": 1}},
            ["small wharf's barrels", "R-SWF-1"],
        ),
    ],
)
def test_a_captain_with_new_buildings_is_told_what_stands_against_it(action, before, seat, words):
    """R-SWF-1."""
    message = why_not(action, "captain", before, expansions=X1, seats={ALICE: seat})
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "before", "words"),
    [
        ("load:corn:1", "", ["royal supplier comes before loading", "R-RSP-1"]),
        ("supply:coffee", "", ["no coffee"]),
        ("supply:corn", "alice supply sugar", ["ascending", "R-RSP-1"]),
        ("supply:sugar", "alice pass", ["once, before the loading", "R-RSP-1"]),
    ],
)
def test_the_royal_supplier_says_what_stands_against_it(action, before, words):
    """R-RSP-1: two citizens, and barrels of three kinds."""
    seat = {
        "goods": {"corn": 2, "sugar": 1, "tobacco": 1},
        "city": {"royal_supplier": [0, 1]},
        "portrait": [0, 1],
    }
    message = why_not(action, "captain", before, edition=GERMAN, expansions=X2, seats={ALICE: seat})
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("raid:2", ["ship 2 is empty", "R-SMG-4"]),
        ("plunder", ["trading house is empty", "R-SMG-5"]),
        ("poach", ["4 units stay", "it has 4", "R-SMG-6"]),
        ("capture:mayor", ["seat 1 has taken mayor", "R-SMG-7"]),
        ("capture:prospector_2", ["prospector_2 is not in play"]),
        ("gain", ["nothing is offered here"]),
    ],
)
def test_the_smuggler_is_told_what_stands_against_it(action, words):
    """R-SMG-4..7."""
    roles = {"smuggler": {"taken_by": ALICE}, "mayor": {"taken_by": BOB}}
    message = why_not(action, "smuggler", edition=GERMAN, expansions=X3, roles=roles)
    for word in words:
        assert word in message


def test_cards_that_a_seat_may_not_take_say_why():
    """R-SMG-3, R-SMG-12."""
    words = {"players": 2, "edition": GERMAN, "expansions": X3}
    tile = why_not("role:smuggler", **words, smuggler={"tile": ALICE, "captured": {}})
    assert "smuggler tile" in tile
    assert "R-SMG-3" in tile
    captured = {"tile": ALICE, "captured": {"mayor": ALICE}}
    roles = {"smuggler": {"taken_by": ALICE}, "trader": {"taken_by": BOB}}
    assert "R-SMG-12" in why_not("role:mayor", **words, smuggler=captured, roles=roles)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("pass", ["nobody passes", "R-X1-4"]),
        ("board:library", ["library has been chosen already", "R-X1-4"]),
        ("board:storehouse", ["no place left", "costs 3", "R-X1-3"]),
        ("role:mayor", ["role phase"]),
    ],
)
def test_a_draft_says_what_stands_against_a_choice(action, words):
    """R-X1-3, R-X1-4."""
    chosen = ["small_warehouse", "library"]
    message = why_not(action, "draft", expansions=X1, board=chosen, turn=CAROL)
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("guest:corn", ["no empty circle on corn", "R-GST-2"]),
        ("guest:guest_house", ["another building or tile", "R-GST-2"]),
        ("guest:citizen:hacienda", ["no citizen on a guest_house", "R-GST-2"]),
        ("sell:corn", ["only guests move as a phase opens", "R-GST-3"]),
    ],
)
def test_a_window_says_what_stands_against_a_move(action, words):
    """R-GST-2, R-GST-3: W-A of the trader phase."""
    seat = {
        "island": {"corn": [1, 1, 0]},
        "city": {"guest_house": [1, 0], "hacienda": 0},
        "goods": {"corn": 1},
    }
    message = why_not(
        action, "role", "alice role trader", expansions=(*X1, *X2), seats={ALICE: seat}
    )
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "before", "words"),
    [
        ("pass", "alice role mayor", ["a unit must be taken", "R-MAY-3"]),
        ("place:corn", "alice role mayor", ["dealt first", "R-MAY-4"]),
        ("villa", "alice role mayor", ["no occupied villa", "R-VIL-1"]),
    ],
)
def test_dealing_says_what_stands_against_a_choice(action, before, words):
    """R-X2-6, R-MAY-3, R-VIL-1."""
    message = why_not(action, "role", before, edition=CLASSIC, expansions=X2)
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("recall:citizen:corn", ["no citizen on corn", "R-MAY-5"]),
        ("place:corn", ["pass first", "R-MAY-5"]),
        ("deal:worker", ["pass first", "R-MAY-5"]),
    ],
)
def test_staffing_with_citizens_says_what_stands_against_a_step(action, words):
    """R-MAY-5, R-X2-8."""
    seat = {"island": {"corn": [3, 1, 0], "sugar": [2, 0, 1]}, "city": {"villa": [0, 0]}}
    message = why_not(action, "mayor", expansions=X2, seats={ALICE: seat})
    for word in words:
        assert word in message


def test_a_loaded_position_speaks_of_the_decision_it_leads_to():
    """R-UNH-3: behind a union hall that nobody has comes the load."""
    words = {"edition": CLASSIC, "expansions": (*X1, *X2), "turn": ALICE}
    seats = {ALICE: {"goods": {"corn": 2}, "city": {"wharf": 1}}}
    message = why_not("load:sugar:1", "captain", **words, seats=seats)
    assert "seat 0 has no sugar" in message
    full = [{"size": size, "good": good, "barrels": 1} for size, good in SUGAR_AND_MORE]
    game = board("captain", **words, seats=seats, ships=full)
    assert game.describe(0) == "Captain: load nothing"


SUGAR_AND_MORE = ((5, "indigo"), (6, "sugar"), (7, "coffee"))


@pytest.mark.parametrize("action", ["board:small_market", "build:library", "deal:citizen"])
def test_an_action_of_an_expansion_left_out_says_which_one_it_belongs_to(action):
    """R-SET-1: also where the numbers of other expansions lie behind it."""
    game = new_game(3, GERMAN, expansions=["smuggler"])
    for asked in (action, IDS[action]):
        message = refusal(lambda asked=asked: game.step(asked), IllegalActionError)
        assert "expansion, which is not in this game" in message
