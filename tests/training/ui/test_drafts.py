"""Drafts: every arrangement that single decisions reach, and no other, in one go."""

import random
from collections import Counter

import pytest

from prico_agents import load_agent
from prico_agents.base import View
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.errors import PricoError
from prico_env.text.localization import override
from prico_training.ui.draft_views import draft_view
from prico_training.ui.drafts import DraftError, draft_of
from prico_training.ui.sequences import draws_at_random, make_sequence
from prico_training.ui.session import Session
from tests.builders import X1, board
from tests.rule_sets import BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

RULE_SETS = (*BASE_RULE_SETS[::5], *EXPANDED_RULE_SETS)
EVERYTHING = RuleSet(5, expansions=ALL_EXPANSIONS)


def drafted(rules, seed, most=40, but_of=()):
    """Games at a decision that is drafted, on the way of a game played at random."""
    chance, game = random.Random(seed), Game(rules, seed)
    while not game.over and most:
        draft = draft_of(game)
        if draft is not None and draft.kind not in but_of:
            most -= 1
            yield game.clone(), chance
        game.step(chance.choice(game.legal_actions()))


def wander(draft, game, chance):
    """Make decisions of a draft at random, one by one, to its end; None behind a random draw."""
    game, actions = game.clone(), []
    while legal := [action for action in game.legal_actions() if draft.belongs(action)]:
        if actions and draws_at_random(draft.game, game):
            return None
        if actions and not draft.ends_by_pass and draft.kind == "guests" and chance.random() < 0.5:
            break
        actions.append(chance.choice(legal))
        game.step(actions[-1])
        if draft.is_ended(game, actions[-1]):
            break
    return game, actions


def check_reaches(game, chance):
    """A draft leads to where single decisions have led, to the last byte."""
    draft = draft_of(game)
    if (way := wander(draft, game, chance)) is None:
        return
    wanted = draft.counts_after(way[1])
    made = game.clone()
    make_sequence(made, draft.actions_to(wanted))
    assert made.to_bytes() == way[0].to_bytes()
    assert draft.problem(wanted) == ""


@pytest.mark.parametrize("rules", RULE_SETS, ids=rule_set_id)
def test_a_draft_reaches_every_arrangement_that_single_decisions_reach(rules):
    for game, chance in drafted(rules, seed=3):
        check_reaches(game, chance)


def test_so_does_a_draft_of_what_is_rarely_decided():
    kinds = Counter()
    for rules in EXPANDED_RULE_SETS:
        for game, chance in drafted(rules, seed=6, most=1000, but_of=("staffing",)):
            kinds[draft_of(game).kind] += 1
            check_reaches(game, chance)
            draft = draft_of(game)
            assert draft.problem(draft.filled(draft.counts)) == ""
    assert min(kinds[kind] for kind in ("storage", "payment", "handout", "guests")) >= 5, kinds


@pytest.mark.parametrize("rules", RULE_SETS, ids=rule_set_id)
def test_what_is_filled_in_can_be_done_and_any_numbers_are_reached_or_refused(rules):
    for game, chance in drafted(rules, seed=4, most=25):
        draft, before = draft_of(game), game.to_bytes()
        is_fresh = not game.state[0]["recalled"].any()
        if is_fresh:
            assert draft.problem(draft.filled(draft.counts)) == ""
            assert draft.problem(draft.filled(draft.cleared())) == ""
        drawn = {place.key: chance.randint(0, place.most) for place in draft.places}
        if problem := draft.problem(drawn):
            with pytest.raises(DraftError) as refusal:
                draft.actions_to(drawn)
            assert str(refusal.value) == problem
        else:
            assert draft.counts_after(draft.actions_to(drawn)) == drawn
        draft.sketch(drawn)
        assert game.to_bytes() == draft.game.to_bytes() == before


def test_a_suggestion_is_what_the_planner_would_do_alone():
    for rules in (RuleSet(3), EVERYTHING):
        for game, _ in drafted(rules, seed=5, most=12):
            draft = draft_of(game)
            agents = [load_agent("planner") for _ in range(2)]
            for agent in agents:
                agent.reset(game.turn, rules, 1)
            suggestion = draft.suggested_by(agents[0])
            alone = game.clone()
            for action in suggestion.actions:
                assert agents[1].act(View.of(alone)) == action
                alone.step(action)
            if not suggestion.actions:
                assert not draft.belongs(agents[1].act(View.of(game)))
                continue
            made = game.clone()
            make_sequence(made, draft.actions_to(suggestion.counts))
            assert made.to_bytes() == alone.to_bytes()


# -- why something does not go ---------------------------------------------------------------------


def staffing(**seat):
    return draft_of(board("mayor", players=3, seats={0: seat}))


def test_nobody_stays_on_the_portrait_while_a_circle_is_free():
    draft = staffing(island={"corn": [2, 0], "sugar": [1, 1]}, portrait=1)
    assert draft.in_hand(draft.counts) == {"worker": 1}
    words = "1 in hand, and 2 semicircles free: nobody stays on the portrait while there is room."
    assert draft.problem(draft.counts) == words
    assert draft.problem({"worker:corn": 3}) == "Corn: there is room for 2."
    assert draft.problem({"worker:corn": 2}) == "There are only 2 workers."
    assert draft.problem({"worker:corn": 2, "worker:sugar": 0}) == ""


def test_who_was_taken_back_does_not_return_in_the_same_phase():
    tiles = {"corn": [3, 1], "indigo": [1, 0], "sugar": [2, 1]}
    game = staffing(island=tiles, portrait=1).game
    game.step("recall:sugar")
    draft = draft_of(game)
    before = draft.before([move.action for move in game.history])
    assert before == {"worker:corn": 1, "worker:indigo": 0, "worker:sugar": 1}
    returned = {"worker:corn": 2, "worker:sugar": 1}
    assert "Sugar: who was taken back does not return there" in draft.problem(returned)
    assert draft.problem(before) == "Corn: who was put there stays there."
    assert draft.problem({"worker:corn": 3, "worker:sugar": 0}) == ""


def test_as_many_barrels_are_kept_as_may_be():
    goods = {"corn": 3, "sugar": 2, "coffee": 1}
    draft = draft_of(board("storage", seats={0: {"goods": goods, "city": {"small_warehouse": 1}}}))
    assert draft.rule == "Kinds kept whole: 1. Single barrels besides: 1."
    assert draft.filled(draft.cleared()) == {"corn": 3, "sugar": 0, "coffee": 1}
    assert draft.problem({"corn": 3, "sugar": 2}).startswith("That is more than you may keep.")
    assert draft.problem({"corn": 3}).startswith("Keep as much as you may.")
    names = [draft.game.name(action) for action in draft.actions_to({"corn": 1, "sugar": 2})]
    assert names == ["store:sugar", "keep:corn"]


def test_one_unit_one_barrel_and_one_vp_are_returned_at_most():
    seat = {"coins": 0, "vp": 2, "goods": {"corn": 2, "sugar": 1}, "city": {"black_market": 1}}
    game = board(
        "builder", expansions=(X1,), seats={0: seat | {"portrait": 1}}, for_sale=("aqueduct",)
    )
    game.step("build:small_sugar_mill")
    draft = draft_of(game)
    assert draft.kind == "payment"
    size = draft.pools[0].size
    assert draft.problem(draft.counts) == f"Still to pay: {size}."
    assert "one barrel" in draft.problem({"corn": 1, "sugar": 1})
    assert "too much" in draft.problem({"corn": 1, "worker:portrait": 1, "vp": 1})
    assert draft.filled(draft.counts)["corn"] == 1


def test_a_place_that_is_not_there_and_a_number_that_is_none_are_named():
    draft = staffing(island={"corn": [2, 1]}, portrait=0)
    with pytest.raises(PricoError, match="no place 'worker:korn' here; did you mean 'worker:corn'"):
        draft.actions_to({"worker:korn": 1})
    for nonsense in (-1, 1.5, "2", None, True, [1], 2**40):
        with pytest.raises(PricoError, match="'worker:corn' is a number of pieces"):
            draft.actions_to({"worker:corn": nonsense})


def test_a_draft_speaks_the_language_of_who_reads_it():
    session = Session(RuleSet(3), ["human"] * 3, seed=7)
    chance = random.Random(3)
    while draft_of(session.game) is None:
        session.choose(chance.choice(session.game.legal_actions()))
    titles = []
    for code in ("en", "de", "fr"):
        with override(code):
            titles.append(draft_view(session)["title"])
    assert titles[0] == "Put your workers to work"
    assert len(set(titles)) == 3


def test_a_run_of_decisions_is_one_decision_of_the_session_and_one_undo():
    session = Session(EVERYTHING, ["human"] * 5, seed=2)
    chance, seen = random.Random(2), 0
    while seen < 6:
        draft = draft_of(session.game)
        counts = draft and draft.filled(draft.cleared())
        if draft and not draft.problem(counts) and draft.actions_to(counts):
            before, log = session.game.to_bytes(), len(session.log)
            session.choose_all(draft.actions_to(counts))
            after = session.game.to_bytes()
            session.undo()
            assert (session.game.to_bytes(), len(session.log)) == (before, log)
            session.redo()
            assert session.game.to_bytes() == after
            seen += 1
        else:
            session.choose(chance.choice(session.game.legal_actions()))


# -- what it saves ---------------------------------------------------------------------------------


def effort(rules, seed):
    """What a planner's game takes at seat 0: decisions, small ones among them, sends, clicks.

    A run is prepared by taps on circles, or by one click where what is filled in or suggested is
    wanted, and sent by one more; where one piece is all there is to choose a tap sends it.
    """
    agents = [load_agent("planner") for _ in range(rules.players)]
    for seat, agent in enumerate(agents):
        agent.reset(seat, rules, seed)
    game, decisions, small, sends, clicks = Game(rules, seed), 0, 0, 0, 0
    while not game.over:
        seat, draft = game.turn, draft_of(game)
        run = draft.suggested_by(agents[0]) if seat == 0 and draft else None
        actions = run.actions if run else []
        if actions:
            taps = sum(abs(run.counts[key] - draft.counts[key]) for key in run.counts)
            small += len(actions)
            clicks += 1 if draft.is_single else 1 + min(taps, 1)
        else:
            actions = [agents[seat].act(View.of(game))]
            clicks += seat == 0
        decisions += len(actions) if seat == 0 else 0
        sends += seat == 0
        for action in actions:
            game.step(action)
    return decisions, small, sends, clicks


@pytest.mark.parametrize(
    ("rules", "seed"),
    [(RuleSet(4), 4), (RuleSet(2, expansions=ALL_EXPANSIONS), 2)],
    ids=["base", "all"],
)
def test_a_whole_game_takes_fewer_decisions_and_fewer_clicks(rules, seed):
    decisions, small, sends, clicks = effort(rules, seed)
    said = f"{decisions} decisions, {small} of them small, are sent as {sends} by {clicks} clicks"
    assert sends <= 0.85 * decisions, said
    assert clicks <= 0.95 * decisions, said
