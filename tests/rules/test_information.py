"""What a seat can see: everything but the order of the deck, VP where they are hidden, and forests
that others laid face down after a blind draw.
"""

import random
from types import SimpleNamespace

import numpy as np
import pytest

import prico_env
from prico_env import Game
from prico_env.render import render_svg, render_text
from prico_env.vocabulary import GOODS
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    DAVE,
    EDITIONS,
    X1,
    X2,
    X3,
    X4,
    board,
    deck_size,
    finish_phase,
    new_game,
    options,
    play,
    position,
    rules,
)

MODULES = {edition: (X1, X2) if edition == CLASSIC else (X1, X2, X3, X4) for edition in EDITIONS}


def seen(game, seat=ALICE):
    """What a seat sees, as bytes."""
    return game.observation(seat).tobytes()


def look(game, seat):
    """Everything that is shown to a seat: numbers, words, both boards, and what it may do."""
    return (
        seen(game, seat),
        game.text(seat),
        render_text(game, seat),
        drawn(game, seat),
        options(game) if seat == game.turn else None,
    )


def drawn(game, seat):
    """The drawing of a position; what happened last is no part of it."""
    shown = SimpleNamespace(rules=game.rules, state=game.state, scores=game.scores)
    return render_svg(shown, seat)


def cannot_tell(seat, one, other):
    """Whether a seat cannot tell two games apart."""
    return look(one, seat) == look(other, seat)


def with_block(edition, **blocks):
    """A board that differs in one block of the position."""
    return board(edition=edition, check=False, **blocks)


# -- hidden ----------------------------------------------------------------------------------------


def test_the_order_of_the_deck_is_hidden(edition, players):
    """R-INF-2, G152: neither the observation nor the text nor the mask tells it."""
    first = position(players=players, edition=edition)
    order = [kind for kind in GOODS for _ in range(first["deck"][kind])]
    games = [Game.from_dict(first | {"deck": deck}, seed=4) for deck in (order, order[::-1])]
    assert games[0].to_bytes() != games[1].to_bytes()
    for seat in range(players):
        assert seen(games[0], seat) == seen(games[1], seat)
        assert games[0].text(seat) == games[1].text(seat)
    assert games[0].legal_actions() == games[1].legal_actions()


def test_the_state_of_the_generator_is_hidden(edition):
    """R-INF-2, G152: a seed that would rebuild the deck is not shown."""
    place = position(edition=edition)
    place["deck"] = [kind for kind in GOODS for _ in range(place["deck"][kind])]
    first, second = Game.from_dict(place, seed=1), Game.from_dict(place, seed=2)
    assert first.to_bytes() != second.to_bytes()
    assert seen(first) == seen(second)
    assert first.text(ALICE) == second.text(ALICE)


@pytest.mark.parametrize("hidden", [True, False])
def test_vp_of_others_are_hidden_or_not_as_the_table_agreed(edition, hidden):
    """R-INF-2, D-25, Q-11, G152: Alice sees her own in either case."""
    switches = {"vp_hidden": hidden}
    first = board(
        edition=edition,
        seats={ALICE: {"vp": 2}, BOB: {"vp": 5}, CAROL: {"vp": 1}},
        switches=switches,
    )
    second = board(
        edition=edition,
        seats={ALICE: {"vp": 2}, BOB: {"vp": 1}, CAROL: {"vp": 5}},
        switches=switches,
    )
    assert (seen(first) == seen(second)) is hidden
    assert (first.text(ALICE) == second.text(ALICE)) is hidden
    for seat in (BOB, CAROL):
        assert seen(first, seat) != seen(second, seat)


@pytest.mark.parametrize("edition", EDITIONS)
def test_vp_are_hidden_by_default_in_classic_only(edition):
    """D-25, Q-11."""
    assert rules(4, edition).vp_hidden is (edition == CLASSIC)


# -- public ----------------------------------------------------------------------------------------


PUBLIC = {
    "coins": {"seats": {DAVE: {"coins": 9}}},
    "goods": {"seats": {DAVE: {"goods": {"coffee": 1}}}},
    "island": {"seats": {DAVE: {"island": {"corn": [1, 0], "quarry": [1, 0]}}}},
    "workers on the island": {"seats": {DAVE: {"island": {"corn": [1, 1]}}}},
    "city": {"seats": {DAVE: {"city": {"hospice": 0}}}},
    "workers in the city": {"seats": {DAVE: {"city": {"hospice": 1}}}},
    "portrait": {"seats": {DAVE: {"portrait": 3}}},
    "row": {"row": {"corn": 5}},
    "quarries": {"quarries": 3},
    "ships": {"ships": [{"size": 5, "good": "corn", "barrels": 2}]},
    "house": {"house": ["coffee"]},
    "register": {"workers": {"supply": 75, "register": 9}},
    "worker supply": {"workers": {"supply": 20, "register": 4}},
    "goods supply": {"goods": dict.fromkeys(GOODS, 3)},
    "coins on roles, so that the bank can be counted": {
        "roles": {"mayor": {"coins": 2, "taken_by": None}}
    },
    "roles taken": {"roles": {"mayor": {"coins": 0, "taken_by": DAVE}}},
    "governor": {"governor": BOB},
    "VP pool": {"vp": 12},
    "building supply": {"buildings": {"harbor": 1}},
    "end triggered": {"end_triggered": True},
}


@pytest.mark.parametrize("what", PUBLIC)
def test_everything_else_is_seen_by_everybody(edition, what):
    """R-INF-1, R-INF-2: section I.3 adds the pool, the building supply, the coming end and, with
    all coins seen, the bank."""
    plain = with_block(edition)
    changed = with_block(edition, **PUBLIC[what])
    for seat in range(4):
        assert seen(plain, seat) != seen(changed, seat)


def test_what_is_left_in_deck_and_discard_together_is_known(edition):
    """R-INF-1: the discard is open, so the kinds of the hidden tiles can be counted."""
    first = with_block(edition, deck={"corn": 9, "coffee": 2})
    second = with_block(edition, deck={"corn": 2, "coffee": 9})
    assert seen(first) != seen(second)


ONE_CORN = {"island": {"corn": [1, 0]}}


def test_every_seat_sees_itself_first(edition):
    """R-INF-1: two seats that are alike see the same when it is their turn."""
    first = board(edition=edition, seats=dict.fromkeys(range(4), ONE_CORN))
    second = board(
        edition=edition,
        actor=BOB,
        seats=dict.fromkeys(range(4), ONE_CORN),
    )
    assert first.observation(ALICE).tobytes() == second.observation(BOB).tobytes()


def test_an_observation_stays_inside_its_bounds_in_an_extreme_position(edition, players):
    """G148, G101: paper VP, a crowded portrait, many coins, full ships."""
    seats = {
        ALICE: {"vp": 250, "coins": 200, "portrait": 99, "goods": {"corn": 8}},
        BOB: {"vp": 3, "goods": {"indigo": 9, "sugar": 9}},
    }
    place = position(players=players, edition=edition, seats=seats, workers={"supply": 0})
    game = Game.from_dict(place | {"vp": -188, "round": 199}, check=False)
    for seat in range(players):
        features = game.observation(seat)
        assert features.dtype == np.uint8
        assert (features <= game.rules.observation.high).all()


# -- chance ----------------------------------------------------------------------------------------


def test_nothing_but_the_deck_is_left_to_chance(edition):
    """R-INF-3: with the deck in a known order, two seeds play one game."""
    place = position(edition=edition)
    place["deck"] = [kind for kind in GOODS for _ in range(place["deck"][kind])]
    games = [Game.from_dict(place, seed=seed) for seed in (1, 2)]
    for role in ("settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector_1"):
        for game in games:
            if f"role:{role}" in {game.name(action) for action in game.legal_actions()}:
                game.step(f"role:{role}")
                finish_phase(game)
    one, other = games
    for field in one.state.dtype.names:
        if field != "rng":
            assert one.state[field].tolist() == other.state[field].tolist()


def test_the_discard_is_shuffled_by_the_seed(edition):
    """R-INF-3, R-STL-14: the same seed gives the same shuffle, other seeds give others."""
    rest = {"sugar": 4, "tobacco": 4, "coffee": 4}

    def deck_after_shuffle(seed):
        game = board("settler", seed=seed, edition=edition, turn=DAVE, deck={}, discard=rest)
        play(game, "dave pass")
        return game.state["deck"][0, : deck_size(game)].tolist()

    assert deck_after_shuffle(1) == deck_after_shuffle(1)
    assert len({tuple(deck_after_shuffle(seed)) for seed in range(6)}) > 1


# -- search ----------------------------------------------------------------------------------------


def test_a_determinized_game_differs_only_in_what_the_seat_cannot_see(edition, players):
    """R-INF-2, R-INF-3, G152: the deck is dealt anew, the generator seeded anew."""
    game = new_game(players, edition)
    game.step("role:craftsman")
    for seat in range(players):
        other = game.determinize(seat, seed=11)
        assert seen(other, seat) == seen(game, seat)
        assert other.legal_actions() == game.legal_actions()
        size = deck_size(game)
        assert other.state["deck"][0, :size].tolist() != game.state["deck"][0, :size].tolist()
        for field in game.state.dtype.names:
            if field not in ("deck", "rng"):
                assert other.state[field].tolist() == game.state[field].tolist()
        deck, dealt = game.state["deck"][0, :size], other.state["deck"][0, :size]
        assert np.sort(dealt).tolist() == np.sort(deck).tolist()


def test_what_a_search_sees_does_not_depend_on_the_true_deck(edition):
    """R-INF-2, G152: two true decks, one seed for the search, one and the same future."""
    place = position(edition=edition)
    order = [kind for kind in GOODS for _ in range(place["deck"][kind])]
    games = [Game.from_dict(place | {"deck": deck}, seed=5) for deck in (order, order[::-1])]
    first, second = (game.determinize(ALICE, seed=9) for game in games)
    assert first.to_bytes() == second.to_bytes()


# -- forests that nobody else has seen -------------------------------------------------------------


def forester(edition, public="corn", blind="coffee"):
    """Bob has a forest from the row and one that he drew; the rest of the box lies in the deck."""
    return board(
        edition=edition,
        expansions=(X1,),
        seats={
            BOB: {
                "island": {"forest": [2, 0]},
                "forest_kinds": {public: 1, blind: 1} if public != blind else {blind: 2},
                "forest_blind": {blind: 1},
                "city": {"forest_house": 1},
            }
        },
    )


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_from_a_blind_draw_is_known_to_its_owner_alone(edition):
    """R-INF-2, Q-31: its kind might as well lie in the deck."""
    coffee, sugar = forester(edition), forester(edition, blind="sugar")
    assert coffee.state["deck_tiles"].tolist() != sugar.state["deck_tiles"].tolist()
    for seat in (ALICE, CAROL, DAVE):
        assert cannot_tell(seat, coffee, sugar)
    for game, kind in ((coffee, "coffee"), (sugar, "sugar")):
        own = game.rules.observation.decode(game.observation(BOB))
        assert own["self.forest_blind"] == dict.fromkeys(GOODS, 0) | {kind: 1}
    assert coffee.text(BOB) != sugar.text(BOB)
    assert render_text(coffee, BOB) != render_text(sugar, BOB)
    assert render_svg(coffee, BOB) != render_svg(sugar, BOB)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_nobody_in_particular_sees_no_blind_forest(edition):
    """R-INF-2, Q-31: a board drawn for the room hides what any player does not know."""
    coffee, sugar = forester(edition), forester(edition, blind="sugar")
    assert render_text(coffee) == render_text(sugar)
    assert render_svg(coffee) == render_svg(sugar)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_that_lay_in_the_row_is_known_to_all(edition):
    """R-INF-2, Q-31."""
    corn, sugar = forester(edition), forester(edition, public="sugar")
    for seat in range(4):
        assert seen(corn, seat) != seen(sugar, seat)
        assert corn.text(seat) != sugar.text(seat)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_two_blind_forests_of_different_seats_may_be_swapped(edition):
    """R-INF-2, Q-31: Carol and Dave do not know whose is which; Alice and Bob do."""
    games = []
    for mine, yours in (("coffee", "sugar"), ("sugar", "coffee")):
        one = {"island": {"forest": [1, 0]}}
        games.append(
            board(
                edition=edition,
                expansions=(X1,),
                seats={
                    ALICE: {**one, "forest_kinds": {mine: 1}, "forest_blind": {mine: 1}},
                    BOB: {**one, "forest_kinds": {yours: 1}, "forest_blind": {yours: 1}},
                },
            )
        )
    for seat in (CAROL, DAVE):
        assert cannot_tell(seat, *games)
    for seat in (ALICE, BOB):
        assert seen(games[0], seat) != seen(games[1], seat)


def drawing(edition, tiles):
    """Bob draws with his hacienda while his forest house works; Alice has taken the settler."""
    game = board(
        "settler",
        edition=edition,
        expansions=(X1,),
        turn=BOB,
        on_top=tiles,
        seats={BOB: {"city": {"hacienda": 1, "forest_house": 1}}},
    )
    return play(game, "bob draw")


def test_a_tile_just_drawn_is_known_to_who_drew_it(edition):
    """R-FOH-3, R-INF-2: until it is laid the others know only that it was drawn."""
    games = [drawing(edition, tiles) for tiles in (("coffee", "sugar"), ("sugar", "coffee"))]
    assert options(games[0]) == {"use:plantation", "use:forest"}
    for seat in (ALICE, CAROL, DAVE):
        assert cannot_tell(seat, *games)
    assert seen(games[0], BOB) != seen(games[1], BOB)
    assert games[0].text(BOB) != games[1].text(BOB)
    assert render_text(games[0], BOB) != render_text(games[1], BOB)
    assert render_svg(games[0], BOB) != render_svg(games[1], BOB)


def test_the_tile_stays_hidden_as_a_forest_and_shows_as_a_plantation(edition):
    """R-FOH-3, R-INF-2, Q-24, Q-31; in classic it went back into the deck unseen."""
    for use in ("forest", "plantation"):
        games = [drawing(edition, tiles) for tiles in (("coffee", "sugar"), ("sugar", "coffee"))]
        for game in games:
            play(game, f"bob use {use}")
        for seat in (ALICE, CAROL, DAVE):
            assert cannot_tell(seat, *games) == (use == "forest")
        bob_can_tell = seen(games[0], BOB) != seen(games[1], BOB)
        assert bob_can_tell == (use == "plantation" or edition != CLASSIC)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_tile_bought_at_the_land_office_is_hidden_in_the_same_way(edition):
    """R-LND-6, R-INF-2, Q-31."""
    games = [
        board(
            "trader",
            edition=edition,
            expansions=(X1, X2),
            on_top=tiles,
            seats={ALICE: {"coins": 2, "city": {"land_office": [1, 0], "forest_house": [1, 0]}}},
        )
        for tiles in (("coffee", "sugar"), ("sugar", "coffee"))
    ]
    for script in ("alice land buy", "alice use forest"):
        for game in games:
            play(game, script)
        for seat in (BOB, CAROL, DAVE):
            assert cannot_tell(seat, *games)
        assert seen(games[0], ALICE) != seen(games[1], ALICE)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_an_environment_tells_no_more_than_the_game(edition):
    """R-INF-2: what agents observe, and their `infos`, say nothing of a blind draw."""
    shown = []
    for tiles in (("coffee", "sugar"), ("sugar", "coffee")):
        table = prico_env.env(drawing(edition, tiles).rules)
        table.reset(seed=1, options={"position": drawing(edition, tiles).to_dict()})
        shown.append(
            {agent: repr((table.observe(agent), table.infos[agent])) for agent in table.agents}
        )
    assert {agent for agent in shown[0] if shown[0][agent] != shown[1][agent]} <= {"player_1"}


# -- a search with forests -------------------------------------------------------------------------


def hidden_tiles(game, seat):
    """The kinds of all plantations that a seat cannot see, sorted."""
    state = game.state[0]
    counts = state["deck_tiles"].astype(int)
    counts += sum(state["forest_blind"][other] for other in range(4) if other != seat)
    return counts.tolist()


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_determinized_game_deals_the_blind_forests_of_others_anew(edition):
    """R-INF-2, Q-31, G152: any hidden tile may be the forest; one's own stays what it is."""
    game = forester(edition)
    dealt = [game.determinize(ALICE, seed) for seed in range(40)]
    for other in dealt:
        assert cannot_tell(ALICE, game, other)
        assert hidden_tiles(other, ALICE) == hidden_tiles(game, ALICE)
        assert other.state["forest_kinds"][0, BOB].sum() == 2
    assert len({other.state["forest_blind"][0, BOB].tobytes() for other in dealt}) >= 4
    own = [game.determinize(BOB, seed) for seed in range(10)]
    assert {other.state["forest_blind"][0, BOB].tobytes() for other in own} == {
        game.state["forest_blind"][0, BOB].tobytes()
    }
    assert all(cannot_tell(BOB, game, other) for other in own)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_blind_forest_is_dealt_by_how_many_of_its_kind_are_hidden(edition):
    """R-INF-2: nine of ten hidden tiles are corn, so it mostly is."""
    game = board(
        edition=edition,
        expansions=(X1,),
        deck={"corn": 9},
        discard={},
        check=False,
        seats={
            BOB: {
                "island": {"forest": [1, 0]},
                "forest_kinds": {"coffee": 1},
                "forest_blind": {"coffee": 1},
            }
        },
    )
    blind = [game.determinize(ALICE, seed).state["forest_blind"][0, BOB] for seed in range(200)]
    coffees = sum(int(kinds[GOODS.index("coffee")]) for kinds in blind)
    assert 5 <= coffees <= 40
    assert sum(int(kinds[GOODS.index("corn")]) for kinds in blind) == 200 - coffees


def test_a_determinized_game_deals_a_tile_just_drawn_anew(edition):
    """R-FOH-3, R-INF-2, G152: for all but who drew it."""
    game = drawing(edition, ("coffee", "sugar"))
    others = [game.determinize(ALICE, seed) for seed in range(30)]
    assert len({int(other.state["drawn"][0]) for other in others}) >= 3
    assert all(cannot_tell(ALICE, game, other) for other in others)
    own = [game.determinize(BOB, seed) for seed in range(10)]
    assert {int(other.state["drawn"][0]) for other in own} == {GOODS.index("coffee")}
    assert all(cannot_tell(BOB, game, other) for other in own)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_what_a_search_sees_does_not_depend_on_the_true_forests(edition):
    """R-INF-2, Q-31, G152: two true games, one seed for the search, one and the same future."""
    first, second = forester(edition), forester(edition, blind="sugar")
    ones = [game.determinize(ALICE, seed=9) for game in (first, second)]
    assert ones[0].to_bytes() == ones[1].to_bytes()


@pytest.mark.parametrize("edition", EDITIONS)
def test_at_no_decision_with_all_expansions_does_a_seat_see_what_is_hidden(edition):
    """R-INF-2, G152: the deck, blind forests and drawn tiles are dealt anew, and nobody notices."""
    chance = random.Random(5)
    game = new_game(3, edition, seed=5, expansions=MODULES[edition], board="random")
    for _ in range(150):
        if game.over:
            break
        for seat in range(3):
            other = game.determinize(seat, seed=chance.randrange(99))
            assert seen(other, seat) == seen(game, seat)
            assert other.text(seat) == game.text(seat)
            assert other.legal_actions() == game.legal_actions()
        wanted = [name for name in sorted(options(game)) if name in ("draw", "use:forest")]
        game.step(wanted[0] if wanted else chance.choice(game.legal_actions()))
