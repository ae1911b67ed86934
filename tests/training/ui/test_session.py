"""One game with people and agents at the table."""

import random

import pytest

from prico_agents import AgentError
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.errors import IllegalActionError, RecordError
from prico_training.ui.session import Session, SessionError
from tests.builders import board
from tests.training.ui.players import Witness

PLAYERS = "tests.training.ui.players"
THREE = RuleSet(players=3)


def play(session, decisions, seed=1):
    """Play on for some decisions, people choosing at random."""
    chance = random.Random(seed)
    for _ in range(decisions):
        if session.game.over:
            break
        if session.waits_for_person:
            session.choose(chance.choice(session.game.legal_actions()))
        else:
            session.advance()
    return session


def stand(session):
    """Everything that tells where a session stands."""
    return session.game.to_bytes(), session.log, session.changes


@pytest.mark.parametrize(
    "rules", [THREE, RuleSet(5, expansions=ALL_EXPANSIONS)], ids=["base", "all"]
)
def test_a_game_of_a_person_and_agents_goes_to_its_end(rules):
    session = play(Session(rules, ["human", *["random"] * (rules.players - 1)], seed=5), 2000)
    assert session.game.over
    assert session.seat_to_act == -1
    assert [(entry.action, entry.forced, entry.seat) for entry in session.log] == [
        tuple(move) for move in session.game.history
    ]
    assert [entry.number for entry in session.log] == list(range(len(session.log)))


def test_the_log_speaks_of_each_decision_as_it_stood_before_it():
    """A forced decision is told like any other: here what a barrel fetched before it was sold."""
    session = play(Session(THREE, ["human"] * 3, seed=2), 60)
    narrator = Game(RuleSet(players=3, skip_forced=False), seed=2)
    for entry in session.log:
        assert (entry.round, entry.words) == (narrator.round, narrator.describe(entry.action))
        narrator.step(entry.action)
    assert any(entry.forced for entry in session.log)


def test_the_same_deal_and_the_same_choices_give_the_same_game():
    games = [play(Session(THREE, ["human", "planner", "random"], seed=4), 40) for _ in range(2)]
    assert games[0].log == games[1].log
    assert Session(THREE, ["corn"] * 3).seed != Session(THREE, ["corn"] * 3).seed


def test_undo_goes_back_to_the_last_decision_of_a_person_through_those_of_agents():
    session = play(Session(THREE, ["human", "corn", "planner"], seed=3), 30)
    while not session.waits_for_person:
        session.advance()
    before = session.game.to_bytes(), list(session.log)
    session.choose(session.game.legal_actions()[-1])
    while not session.waits_for_person:
        session.advance()
    assert session.game.to_bytes() != before[0]
    session.undo()
    assert (session.game.to_bytes(), session.log) == before
    assert session.waits_for_person


def test_everything_can_be_taken_back_to_the_deal():
    session = play(Session(THREE, ["human", "corn", "human"], seed=3), 50)
    while session.can_undo:
        session.undo()
    assert session.game.to_bytes() == Game(THREE, 3).to_bytes()
    assert session.log == []


@pytest.mark.parametrize("agent", ["planner", "mcts:10"])
def test_agents_play_on_soundly_after_an_undo(agent):
    session = play(Session(THREE, ["human", agent, "random"], seed=6), 25)
    session.undo()
    play(session, 25)
    replayed = Game.from_record(session.to_record())
    assert replayed.to_bytes() == session.game.to_bytes()


def test_what_an_agent_is_asked_stays_as_it_was_whatever_happens_meanwhile():
    session = play(Session(THREE, ["human", "mcts:20", "mcts:20"], seed=3), 9)
    while session.waits_for_person:
        play(session, 1)
    question = session.ask_turn()
    before = question.game.to_bytes()
    assert before == session.game.to_bytes()
    session.undo()
    assert question.game.to_bytes() == before != session.game.to_bytes()
    assert question.decide() in question.game.legal_actions()
    agents = [session._agents[seat] for seat in (1, 2)]
    assert question.seated() not in agents  # another one has sat down in its place


def test_an_agent_that_is_asked_apart_from_the_game_decides_as_in_it():
    sessions = [Session(THREE, ["mcts:20"] * 3, seed=3) for _ in range(2)]
    for _ in range(8):
        sessions[0].advance()
        question = sessions[1].ask_turn()
        sessions[1].carry_out(question, question.decide())
    assert sessions[0].log == sessions[1].log


def test_agents_leave_when_the_game_is_over_and_come_back_when_it_goes_on():
    session = play(Session(THREE, ["human", "corn", "mcts:4"], seed=9), 2000)
    assert session.game.over
    assert session._agents == {}
    session.undo()
    assert sorted(session._agents) == [1, 2]
    assert play(session, 2000).game.over


def test_the_table_is_shown_in_the_view_of_the_person_who_decided_last():
    session = Session(THREE, ["corn", "human", "human"], seed=1)
    assert session.viewer == 1  # nobody has decided yet
    while session.seat_to_act != 2:
        play(session, 1)
    assert session.viewer == 2
    play(session, 1)
    assert session.viewer in (1, 2)
    assert Session(THREE, ["corn"] * 3).viewer is None


# -- several decisions as one ----------------------------------------------------------------------


def run_of(session, decisions):
    """So many decisions of the seat to act, as they would be made one by one; on a copy."""
    game, actions = session.game.clone(), []
    while len(actions) < decisions and game.turn == session.seat_to_act:
        actions.append(game.legal_actions()[-1])
        game.step(actions[-1])
    return actions, game


def staffing(seed=7):
    """A table of people at which somebody puts several workers down."""
    session = Session(THREE, ["human"] * 3, seed=seed)
    chance = random.Random(seed)
    while True:
        actions, _ = run_of(session, 3)
        if session.game.phase == "mayor" and len(actions) == 3:
            return session
        session.choose(chance.choice(session.game.legal_actions()))


def test_several_decisions_are_made_as_one_and_taken_back_as_one():
    session = staffing()
    actions, wanted = run_of(session, 3)
    before, changes = (session.game.to_bytes(), list(session.log)), session.changes
    entries = session.choose_all(actions)
    assert [entry.action for entry in entries if not entry.forced] == actions
    assert {entry.group for entry in entries if not entry.forced} == {len(before[1])}
    assert session.game.to_bytes() == wanted.to_bytes()
    assert session.changes == changes + 1
    session.undo()
    assert (session.game.to_bytes(), session.log) == before
    for action in actions:
        session.choose(action)
    assert session.game.to_bytes() == wanted.to_bytes()
    assert session.log[-1].group is None


def test_a_sequence_that_cannot_be_made_to_its_end_is_not_begun():
    session = staffing()
    actions, _ = run_of(session, 2)
    before = stand(session)
    for wrong, error, words in [
        ([*actions, "sell:corn"], IllegalActionError, r"decision 3 .* player \d may not"),
        ([*actions, None], IllegalActionError, "decision 3 of 3 cannot"),
        ([], SessionError, "no decision was named"),
    ]:
        with pytest.raises(error, match=words):
            session.choose_all(wrong)
        assert stand(session) == before


def test_nobody_learns_what_would_be_drawn_by_a_sequence_that_is_refused():
    game = board("settler", players=3, seats={0: {"city": {"hacienda": 1}}})
    session = Session(game.rules, ["human"] * 3, game.start)
    before = stand(session)
    with pytest.raises(IllegalActionError, match=r"decision 2 of 2 .* drawn at random before it"):
        session.choose_all(["draw", "take:corn"])
    assert stand(session) == before


def test_what_was_taken_back_is_done_again_until_something_else_is_decided():
    session = play(Session(THREE, ["human", "corn", "planner"], seed=3), 30)
    while not session.waits_for_person:
        session.advance()
    session.hint()
    play(session, 4)
    stands = [(session.game.to_bytes(), list(session.log), dict(session.analyses))]
    for _ in range(3):
        session.undo()
        stands.append((session.game.to_bytes(), list(session.log), dict(session.analyses)))
    for wanted in reversed(stands[:-1]):
        assert session.can_redo
        session.redo()
        assert (session.game.to_bytes(), session.log, session.analyses) == wanted
    assert not session.can_redo
    session.undo()
    play(session, 1)
    with pytest.raises(SessionError, match="something else has been decided since"):
        session.redo()
    assert Game.from_record(session.to_record()).to_bytes() == session.game.to_bytes()


# -- hints -----------------------------------------------------------------------------------------


def test_a_hint_says_what_to_do_and_why():
    session = Session(THREE, ["human", "corn", "corn"], seed=1)
    analysis = session.hint()
    assert analysis.seat == 0
    assert analysis.action in session.game.legal_actions()
    assert analysis.reasons
    assert session.hint() == analysis
    assert session.analyses == {0: analysis}


def test_a_hint_sees_no_more_than_the_person_does():
    session = Session(THREE, ["human", "corn", "corn"], seed=1)
    before = stand(session)
    Witness.seen.clear()
    session.hint(f"{PLAYERS}:Witness")
    (view,) = Witness.seen
    assert view.seat == 0
    assert (view.observation == session.game.observation(0)).all()
    assert view.game.to_bytes() != session.game.to_bytes()  # the deck is another one
    assert stand(session) == before


def test_hints_are_for_decisions_of_people():
    session = Session(THREE, ["corn", "human", "corn"], seed=1)
    with pytest.raises(SessionError, match="it is the turn of corn at seat 0"):
        session.hint()
    assert Session(THREE, ["corn"] * 3, seed=1).hint().seat == 0  # who watches may ask


def test_an_agent_that_cannot_play_these_rules_says_so_as_player_and_as_adviser():
    rules = RuleSet(players=3, edition="classic", expansions=["citizens"])
    with pytest.raises(AgentError, match="cannot play"):
        Session(rules, ["human", "governor", "corn"])
    with pytest.raises(AgentError, match="cannot play"):
        Session(rules, ["human", "corn", "corn"]).hint("governor")


def test_an_opinion_about_what_was_taken_back_goes_with_it():
    session = play(Session(THREE, ["human"] * 3, seed=1), 3)
    first = session.hint()
    place = len(session.log)
    play(session, 1)
    session.hint()
    session.undo()
    assert session.analyses == {place: first}


def test_an_agent_that_explains_itself_plays_the_same():
    plain, explained = (Session(THREE, ["planner"] * 3, seed=1) for _ in range(2))
    for _ in range(6):
        plain.advance()
        explained.advance(explain=True)
    assert plain.log == explained.log
    chosen = {entry.number: entry.action for entry in plain.log if not entry.forced}
    assert {place: each.action for place, each in explained.analyses.items()} == chosen


# -- records ---------------------------------------------------------------------------------------


def test_a_saved_game_goes_on_where_it_was_with_the_same_players_and_hints():
    session = play(Session(THREE, ["human", "corn", "random"], seed=9), 20)
    while not session.waits_for_person:
        session.advance()
    session.hint()
    play(session, 1)
    loaded = Session.from_record(session.to_record())
    assert loaded.players == session.players
    assert (loaded.log, loaded.analyses) == (session.log, session.analyses)
    loaded.undo()
    session.undo()
    assert loaded.game.to_bytes() == session.game.to_bytes()
    assert play(loaded, 2000).game.over


def test_a_finished_game_is_loaded_as_finished():
    session = play(Session(THREE, ["random"] * 3, seed=9), 2000)
    loaded = Session.from_record(session.to_record())
    assert loaded.game.over
    with pytest.raises(SessionError, match="the game is over"):
        loaded.advance()


def test_a_record_without_names_is_played_on_by_people_or_by_whom_one_says():
    record = play(Session(THREE, ["random"] * 3, seed=9), 10).game.to_record()
    assert Session.from_record(record).players == ("human",) * 3
    assert Session.from_record(record, ["corn", "human", "corn"]).people == (1,)


def test_a_record_that_does_not_replay_is_refused():
    record = Session(THREE, ["human"] * 3, seed=9)
    record.choose("role:builder")
    lines = record.to_record().replace("role:builder", "sell:corn", 1)
    with pytest.raises(RecordError, match="decision 1 does not replay: player 0 may not"):
        Session.from_record(lines)


def from_the_middle() -> Game:
    """A game of three that goes on from a position in another one, four decisions long so far."""
    game = Game.from_dict(play(Session(THREE, ["random"] * 3, seed=9), 30).game.to_dict())
    for _ in range(4):
        game.step(game.legal_actions()[-1])
    return game


def test_a_game_from_a_position_goes_on_with_everything_that_a_dealt_one_has():
    game = from_the_middle()
    session = Session.from_record(game.to_record(), ["human", "corn", "random"])
    assert session.game.to_bytes() == game.to_bytes()
    assert session.seed is None
    assert [entry.action for entry in session.log] == [move.action for move in game.history]
    while not session.waits_for_person:
        session.advance()
    session.hint()
    play(session, 30)
    loaded = Session.from_record(session.to_record())
    assert (loaded.log, loaded.analyses) == (session.log, session.analyses)
    loaded.undo()
    session.undo()
    assert loaded.game.to_bytes() == session.game.to_bytes()
    assert play(loaded, 2000).game.over


def test_a_position_that_waits_at_a_forced_decision_is_logged_as_it_went():
    """Carried out by itself, or named by whoever was asked."""
    position = {"rules": {"players": 3}, "phase": "trader", "actor": 0, "turn": 0}
    settled, asked = Game.from_dict(position), Game.from_dict(position)
    settled.settle()
    asked.step("pass")
    for game in (settled, asked):
        session = Session.from_record(game.to_record())
        assert [(entry.action, entry.forced) for entry in session.log] == [
            (move.action, move.forced) for move in game.history
        ]
        assert session.game.to_bytes() == game.to_bytes()


# -- what does not go ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "error", "words"),
    [
        (lambda s: s.choose("sell:corn"), IllegalActionError, "it belongs to the trader phase"),
        (lambda s: s.choose(10**9), IllegalActionError, "there is no action"),
        (lambda s: s.choose("nonsense"), IllegalActionError, "no action is called 'nonsense'"),
        (lambda s: s.advance(), SessionError, "seat 0 is a person's"),
        (lambda s: s.undo(), SessionError, "nothing to take back"),
        (lambda s: s.redo(), SessionError, "nothing to do again"),
        (lambda s: s.hint("nobody"), AgentError, "no agent is called 'nobody'"),
        (lambda s: s.hint("human"), SessionError, "name an agent"),
    ],
)
def test_what_does_not_go_says_why_and_changes_nothing(do, error, words):
    session = Session(THREE, ["human", "corn", "random"], seed=1)
    before = stand(session)
    with pytest.raises(error, match=words):
        do(session)
    assert stand(session) == before


def test_nobody_decides_for_an_agent():
    session = Session(THREE, ["corn", "human", "human"], seed=1)
    with pytest.raises(SessionError, match="it is the turn of corn at seat 0"):
        session.choose("role:mayor")


def test_an_agent_that_chooses_wrongly_is_named():
    session = Session(THREE, [f"{PLAYERS}:Cheat"] * 3, seed=1)
    session.advance()
    with pytest.raises(
        SessionError, match=r"players:Cheat 2 at seat 1 chose wrongly: players:Cheat 2 may not"
    ):
        session.advance()


def test_every_seat_needs_a_player():
    with pytest.raises(SessionError, match="2 players were named for a table of 3: human, corn"):
        Session(THREE, ["human", "corn"])


def test_the_final_score_speaks_the_words_of_the_edition():
    session = Session(RuleSet(2, "1897-de"), ["corn", "planner"], seed=3)
    while not session.game.over:
        session.advance()
    *items, total = session.score_items().items()
    assert {"SP", "Zollhaus"} <= {title for title, _ in items}
    assert total == ("gesamt", session.game.scores())
    assert [sum(points[seat] for _, points in items) for seat in range(2)] == total[1]
