"""What must be true wherever a game stands: choices, copies, words, scores and what a seat sees."""

from collections import Counter

import numpy as np
import pytest

from prico_env import Game, IllegalActionError, PricoError, RuleSet
from prico_env.vocabulary import DecisionPoint
from tests.oracle import scoring
from tests.oracle.position import read
from tests.properties.random_play import MIXED_RULE_SETS, chooser, num_games
from tests.rule_sets import rule_set_id


def states_of_random_games(rules, usual_games=1, every=1, **switches):
    """Yield a game at its decisions, every so many, until it is over; then at its end.

    Games with expansions have three times the decisions, and are looked at a third as often.
    """
    rules = RuleSet.from_dict({**rules.to_dict(), **switches})
    every *= 3 if rules.expansions else 1
    for seed in range(num_games(usual_games)):
        game, choose = Game(rules, seed), chooser(seed, 0.5)
        decision = 0
        while not game.over:
            if decision % every == seed % every:
                yield game
            game.step(choose(game.legal_actions()))
            decision += 1
        yield game


pytestmark = pytest.mark.parametrize("rules", MIXED_RULE_SETS, ids=rule_set_id)


# -- choices ---------------------------------------------------------------------------------------


def test_mask_and_list_name_the_same_actions(rules):
    """Section 4 of the design; with `skip_forced` a seat always has a real choice."""
    for game in states_of_random_games(rules, 2):
        mask, legal = game.mask(), game.legal_actions()
        assert (mask.shape, mask.dtype) == ((game.num_actions,), np.bool_)
        assert np.flatnonzero(mask).tolist() == legal
        assert (legal == []) if game.over else (len(legal) >= 2)
        assert (game.turn == -1) if game.over else (0 <= game.turn < rules.players)


def test_every_legal_action_is_accepted_and_clone_and_step_is_step(rules):
    """A clone goes the same way, and leaves the game where it was."""
    for game in states_of_random_games(rules, 1, every=4):
        before, legal = game.to_bytes(), game.legal_actions()
        futures = {}
        for action in legal:
            branch = game.clone()
            branch.step(action)
            futures[action] = branch.to_bytes()
            assert game.to_bytes() == before
            assert game.legal_actions() == legal
            assert branch.history[: len(game.history)] == game.history
        again = Game.from_bytes(before)
        for action in legal[-1:]:
            again.step(action)
            assert again.to_bytes() == futures[action]


def test_no_two_legal_actions_lead_to_the_same_position(rules):
    """Choices are canonical: what makes no difference is not asked twice.

    Loads are left out: two last loads lead alike in either order, and the rules know both.
    """
    for game in states_of_random_games(rules, 1, every=3):
        if game.phase == "captain":
            continue
        futures = []
        for action in game.legal_actions():
            branch = game.clone()
            branch.step(action)
            futures.append(branch.state.tobytes())
        assert len(set(futures)) == len(futures)


def test_every_illegal_action_is_refused_and_changes_nothing(rules):
    """The error says what was asked; the bytes stay equal."""
    for game in states_of_random_games(rules, 1, every=40):
        before, legal = game.to_bytes(), game.legal_actions()
        wrong = [action for action in range(game.num_actions) if action not in legal]
        for action in [*wrong, -1, -game.num_actions, game.num_actions, 10**6]:
            with pytest.raises(IllegalActionError, match=str(action)):
                game.step(action)
        assert game.to_bytes() == before
        assert game.legal_actions() == legal


def test_words_that_name_no_action_are_refused_and_change_nothing(rules):
    """Names that do not exist, and names of actions that are not legal now."""
    for game in states_of_random_games(rules, 1, every=60):
        before, legal = game.to_bytes(), game.legal_actions()
        illegal = next(action for action in range(game.num_actions) if action not in legal)
        for words in ("", "role", "role:pirate", "load:corn:4", "take:rum", game.name(illegal)):
            with pytest.raises(PricoError):
                game.step(words)
        assert game.to_bytes() == before


# -- words -----------------------------------------------------------------------------------------


def test_actions_have_names_of_their_own_that_parse_and_a_description(rules):
    """`parse` is the way back from `name`; `describe` is for a reader."""
    for game in states_of_random_games(rules, 1, every=5):
        legal = game.legal_actions()
        names = [game.name(action) for action in legal]
        assert len(set(names)) == len(names)
        assert [game.parse(name) for name in names] == legal
        descriptions = [game.describe(action) for action in legal]
        assert all(text == text.strip() != "" for text in descriptions)
        assert len(set(descriptions)) == len(descriptions)


def test_a_step_by_name_is_a_step_by_number(rules):
    """`game.step("load:sugar:2")`."""
    for game in states_of_random_games(rules, 1, every=10):
        for action in game.legal_actions():
            by_number, by_name = game.clone(), game.clone()
            by_number.step(action)
            by_name.step(game.name(action))
            assert by_number.to_bytes() == by_name.to_bytes()


# -- points ----------------------------------------------------------------------------------------


def test_scores_are_the_sums_of_their_parts(rules):
    """I-30, R-SCO-1..3: every part is at least 0, and is what the slow rules say."""
    for game in states_of_random_games(rules, 1, every=4):
        position = read(game)
        scores, rows = game.scores(), game.score_table()
        assert scores == [row["total"] for row in rows] == scoring.scores(position)
        for seat, row in enumerate(rows):
            parts = {name: points for name, points in row.items() if name != "total"}
            assert sum(parts.values()) == row["total"]
            assert min(parts.values()) >= 0
            slow = scoring.score_parts(position, seat)
            assert {name: points for name, points in parts.items() if points} == {
                name: points for name, points in slow.items() if points
            }


def test_places_follow_scores_and_the_tie_break(rules):
    """R-SCO-4: 1 is the best, equals share a place."""
    for game in states_of_random_games(rules, 3, every=7):
        places = game.ranking()
        assert places == scoring.ranking(read(game))
        assert min(places) == 1
        scores = game.scores()
        for one in range(rules.players):
            for other in range(rules.players):
                if scores[one] > scores[other]:
                    assert places[one] < places[other]


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_rewards_come_at_the_end_and_follow_the_places(rules, scheme):
    """Zero-sum over the seats under `win`; zero for a truncated game."""
    for max_rounds in (200, 3):
        for game in states_of_random_games(rules, 2, every=50, max_rounds=max_rounds):
            rewards = game.rewards(scheme)
            assert rewards.shape == (rules.players,)
            if not game.over or game.truncated:
                assert (rewards == 0).all()
                continue
            if scheme != "margin":
                assert abs(rewards.sum()) < 1e-9
            best = np.array(game.ranking()) == 1
            assert rewards[best].min() >= rewards.max() - 1e-9
            if scheme == "win":
                expected = best / best.sum() - 1 / rules.players
                assert np.allclose(rewards, expected)


# -- what a seat sees ------------------------------------------------------------------------------


def test_observations_stay_inside_their_space(rules):
    """`rules.observation.high` bounds every feature, for every seat, at every decision."""
    for game in states_of_random_games(rules, 2):
        layout = game.rules.observation
        for seat in range(rules.players):
            seen = game.observation(seat)
            assert (seen.shape, seen.dtype) == ((layout.num_features,), np.uint8)
            outside = np.flatnonzero(seen > layout.high)
            assert outside.size == 0, (game, seat, outside, seen[outside])


def test_a_dealt_anew_game_looks_the_same_to_its_seat(rules):
    """R-INF-2, Q-31: the order of the deck and the generator differ, and what lies face down.

    Nobody sees the deck, and only its owner has seen a tile that was drawn and is a forest now, or
    that is still in hand.
    """
    hidden = {"deck", "rng"}
    if "buildings" in rules.expansions:
        hidden |= {"deck_tiles", "forest_kinds", "forest_blind", "drawn"}
    for game in states_of_random_games(rules, 1, every=8):
        before = game.to_bytes()
        for seat in range(rules.players):
            other = game.determinize(seat, seed=7)
            assert (other.observation(seat) == game.observation(seat)).all()
            assert (other.mask() == game.mask()).all()
            assert other.text(seat) == game.text(seat)
            changed = {
                name
                for name in game.state.dtype.names
                if (other.state[name] != game.state[name]).any()
            }
            assert changed <= hidden
            assert face_down(other) == face_down(game)
            for name in ("forest_kinds", "forest_blind"):
                assert (other.state[name][0, seat] == game.state[name][0, seat]).all()
        assert game.to_bytes() == before


def face_down(game):
    """All plantations that somebody does not see, by kind."""
    state = game.state[0]
    kinds = state["deck_tiles"].astype(int) + state["forest_blind"].sum(axis=0)
    if state["decision_point"] == DecisionPoint.USE_TILE and state["drawn"] >= 0:
        kinds[state["drawn"]] += 1
    return kinds.tolist()


def test_dealing_anew_is_fixed_by_its_seed_and_varies_with_it(rules):
    """Many seeds give many decks, one seed always the same one."""
    game = Game(rules, 3)
    decks = {game.determinize(0, seed).state["deck"].tobytes() for seed in range(50)}
    assert len(decks) == 50
    assert game.determinize(0, 5).to_bytes() == game.determinize(0, 5).to_bytes()
    tops = Counter(read(game.determinize(0, seed))["deck"][0] for seed in range(300))
    assert len(tops) == 5


def test_what_is_hidden_is_not_in_words_or_numbers(rules):
    """R-INF-2: opponents' VP where they are hidden, and the order of the deck always."""
    for hidden in (True, False):
        states = states_of_random_games(rules, 1, every=25, vp_hidden=hidden)
        for game in states:
            if game.over:
                continue
            richer = Game.from_dict(game.to_dict())
            richer.state["vp"][0, 1] += 1
            richer.state["vp"][0, 2 % rules.players] -= 1
            for seat in range(rules.players):
                same = (richer.observation(seat) == game.observation(seat)).all()
                blind = hidden and (
                    seat not in {1, 2 % rules.players}
                    or (rules.players == 2 and seat not in {0, 1})
                )
                assert bool(same) == blind
