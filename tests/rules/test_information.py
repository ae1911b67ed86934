"""What a seat can see: everything but the order of the deck, and VP where they are hidden."""

import numpy as np
import pytest

from prico_env import Game
from prico_env.vocabulary import GOODS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    CLASSIC,
    DAVE,
    EDITIONS,
    board,
    deck_size,
    finish_phase,
    new_game,
    play,
    position,
    rules,
)


def seen(game, seat=ALICE):
    """What a seat sees, as bytes."""
    return game.observation(seat).tobytes()


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
