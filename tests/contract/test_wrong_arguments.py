"""Whatever kind of value is handed in, it is taken for what it says or refused in words.

An error of our own says in one line what was given; nothing has changed, and nothing is compiled
anew for a type that no kernel has met.
"""

import pickle
import sys
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from prico_agents import load_agent
from prico_agents.analysis import Analysis, Candidate
from prico_env import Game, Games, IllegalActionError, PricoError, RuleSet, RuleSetError
from prico_env.envs import PuertoRicoEnv, PuertoRicoVectorEnv, SingleSeatEnv
from tests.contract.entry_points import ODD, RULES, EntryPoint, entry_points, fits

ENDLESS = {("random_play", "decisions"), ("check_player", "games")}
"""Parameters that are asked for so much work: large numbers are right, and take for ever."""
ENOUGH = 2

ENTRY_POINTS = list(entry_points())


def signatures() -> dict[int, int]:
    """For how many signatures each kernel that was called has been compiled."""
    kernels = {
        id(kernel): kernel
        for name, module in list(sys.modules.items())
        if name.startswith("prico_")
        for kernel in vars(module).values()
        if isinstance(kernel, Dispatcher)
    }
    return {key: len(kernel.signatures) for key, kernel in kernels.items() if kernel.signatures}


def has_grown(before: dict[int, int]) -> bool:
    """Whether a kernel that had been compiled before was compiled for one more signature."""
    now = signatures()
    return any(now[key] > count for key, count in before.items())


def odd_values(entry: EntryPoint, parameter: str, hint: Any) -> dict[str, Any]:
    """The values to try for a parameter; what a callable does when it is called is its affair."""
    is_endless = (entry.name, parameter) in ENDLESS
    is_called = any(typing.get_origin(one) is Callable for one in (hint, *typing.get_args(hint)))
    return {
        label: value
        for label, value in ODD.items()
        if not (is_endless and isinstance(value, int) and value > ENOUGH)
        and not (is_called and callable(value))
    }


def refusal(entry: EntryPoint, subject: Any, changes: dict[str, Any]) -> PricoError | None:
    """The error that a call was refused with, or None; another error fails the test."""
    try:
        entry.call(subject, changes)
    except PricoError as error:
        return error
    return None


@pytest.mark.filterwarnings("ignore")  # of illegal actions, and of rendering without a mode
@pytest.mark.parametrize("entry", ENTRY_POINTS, ids=lambda entry: entry.name)
def test_values_of_any_kind_are_accepted_or_refused_in_words(entry: EntryPoint) -> None:
    assert refusal(entry, entry.make() if entry.make else None, {}) is None
    compiled = signatures()
    for parameter, hint in entry.parameters().items():
        subject = entry.make() if entry.make else None
        for label, value in odd_values(entry, parameter, hint).items():
            before, case = pickle.dumps(subject), f"{entry.name}({parameter} = {label})"
            error = refusal(entry, subject, {parameter: value})
            if error is None:
                assert fits(hint, value), case
                subject = entry.make() if entry.make else None
            else:
                assert str(error).isprintable(), case
                assert len(str(error)) < 3000, case
                assert pickle.dumps(subject) == before, f"{case} was refused, and changed it"
    assert not has_grown(compiled), f"{entry.name} was compiled anew"


def test_integers_of_numpy_are_integers() -> None:
    kinds = (np.int8, np.uint8, np.int16, np.uint64, np.int64, np.array)
    compiled = {}
    for kind in (int, *kinds):
        game = Game(RuleSet(players=kind(3)), seed=kind(7))
        game.step(kind(2))
        assert game.to_bytes() == _after_mayor().to_bytes()
        assert (game.observation(kind(1)) == _after_mayor().observation(1)).all()
        assert game.determinize(kind(1), kind(2)).seed is None
        assert game.text(kind(1)) == game.text(1)
        assert game.name(kind(2)) == "role:mayor"
        games = Games(game.rules, kind(2), kind(7))
        games.step(np.array([2, 2], dtype=np.array(kind(2)).dtype))
        assert games[kind(0)].to_bytes() == game.to_bytes()
        _play_environments(game.rules, kind)
        compiled = compiled or signatures()
    assert not has_grown(compiled)


def _after_mayor() -> Game:
    game = Game(RuleSet(players=3), seed=7)
    game.step(2)
    return game


def _play_environments(rules: RuleSet, kind: Any) -> None:
    """Deal the same game everywhere with a seed of a kind, and take the mayor."""
    table, single = PuertoRicoEnv(rules), SingleSeatEnv(rules, seat=kind(0))
    several = PuertoRicoVectorEnv(kind(2), rules)
    for env in (table, single, several):
        env.reset(seed=kind(7))
    table.step(kind(2))
    single.step(kind(2))
    several.step([kind(2), kind(2)])
    assert table.game.to_bytes() == _after_mayor().to_bytes()
    assert several.games[0].to_bytes() == _after_mayor().to_bytes()
    assert next(move.action for move in single.game.history if move.seat == 0) == 2


@pytest.mark.parametrize("action", [True, np.True_, 1.0, None, "mayor", [2], b"2", np.array([2])])
def test_what_is_no_whole_number_is_no_action(action: Any) -> None:
    game = Game(RULES, seed=7)
    table, single = PuertoRicoEnv(RULES), SingleSeatEnv(RULES)
    several = PuertoRicoVectorEnv(2, RULES)
    for env in (table, single, several):
        env.reset(seed=7)
    for step in (game.step, table.step, single.step):
        with pytest.raises(IllegalActionError):
            step(action)
    if not isinstance(action, bool | np.bool_):
        with pytest.raises(PricoError):
            several.step([action, action])
    assert not game.history
    assert not table.game.history


@pytest.mark.parametrize(
    ("rules", "meant"),
    [
        (4, r"RuleSet\(players=4\), not 4"),
        ("classic", r"RuleSet\(edition='classic'\), not 'classic'"),
        ("doc001", r"RuleSet.preset\('doc001'\)"),
        ("", "rules are a rule set"),
        ({"players": 3}, r"RuleSet.from_dict"),
        (RuleSet, "rules are a rule set"),
    ],
)
def test_what_is_no_rule_set_is_told_how_to_make_one(rules: Any, meant: str) -> None:
    for make in (Game, Games):
        with pytest.raises(RuleSetError, match=meant):
            make(rules)


def test_a_number_that_is_no_action_is_ignored_in_a_game_that_is_over() -> None:
    rules = RuleSet(players=2, max_rounds=1)
    games = Games(rules, 2, seed=7)
    while not games.over.any():
        games.step(games.sample())
    over = games.over.copy()
    before = games.state[over].tobytes()
    for number in (-2, -3, 10_000):
        if not games.over.all():
            with pytest.raises(IllegalActionError):
                games.step(np.full(2, number))
        games.step(np.where(games.over, number, games.sample()))
        assert games.over[over].all()
        assert not games.ended[over].any()
        assert games.state[over].tobytes() == before


def test_arrays_that_no_kernel_has_met_are_copied_and_not_compiled_for() -> None:
    games = Games(RULES, 2, seed=7)
    games.step(games.sample())
    games.observe([0, 1])
    compiled = signatures()
    frozen = games.sample().copy()
    frozen.setflags(write=False)
    games.step(frozen)
    games.step(np.repeat(games.sample(), 2)[::2])
    games.step(games.sample().astype(">i4"))
    games.step(games.sample().tolist())
    games.observe(np.array([0, 1], np.int8))
    for out in (np.zeros((2, 3), np.uint8), np.zeros(games.observations.shape), None, "x", [0]):
        if out is not None:
            with pytest.raises(PricoError, match="out is a writable array"):
                games.observe([0, 1], out)
    with pytest.raises(PricoError, match="64 bits"):
        games.step(np.array([2**64 - 1, 2], np.uint64))
    assert not has_grown(compiled)


def test_every_public_name_is_tried() -> None:
    """Thousands of inputs: each parameter of each entry point with a value of every kind."""
    tried = sum(
        len(odd_values(entry, name, hint))
        for entry in ENTRY_POINTS
        for name, hint in entry.parameters().items()
    )
    assert tried > 5_000
    named = {entry.name.partition(".")[0] for entry in ENTRY_POINTS}
    assert {"Game", "Games", "RuleSet", "env", "parallel_env", "SingleSeatEnv"} <= named


def message(call: Callable[[], Any]) -> str:
    """What a call was refused with; nothing if it went."""
    try:
        call()
    except PricoError as error:
        return str(error)
    return ""


def test_parameters_of_openspiel_of_any_kind_are_accepted_or_refused_in_words() -> None:
    pytest.importorskip("pyspiel")
    from prico_env.envs.openspiel import PuertoRicoGame

    for name in ("players", "edition", "expansions", "board", "max_rounds", "outcomes"):
        for label, value in ODD.items():
            said = message(lambda name=name, value=value: PuertoRicoGame({name: value}))
            assert said.isprintable(), f"{name} = {label}"
    for value in ODD.values():
        if not isinstance(value, dict | None):
            with pytest.raises(PricoError, match="parameters of the game are a dict"):
                PuertoRicoGame(value)


def test_a_policy_says_how_wide_the_observations_and_masks_are_that_it_decides_on() -> None:
    policy, game = load_agent("governor"), Game(RULES, seed=7)
    policy.reset(0, RULES, 1)
    seen, legal = game.observation()[None], game.mask()[None]
    assert legal[0, policy.act_batch(seen, legal)[0]]
    for wrong in ((seen[:, 1:], legal), (np.hstack([seen, seen]), legal), (seen, legal[:, 1:])):
        with pytest.raises(PricoError, match=rf"\(games, {seen.size}\).*\(games, {legal.size}\)"):
            policy.act_batch(*wrong)


def test_parts_of_an_analysis_of_any_kind_are_accepted_or_refused_in_words() -> None:
    move = {"action": 2, "share": 0.5, "chances": (0.5, 0.5), "words": "Wait"}
    whole = {"seat": 0, "action": 2, "candidates": (Candidate(2),), "chances": (), "reasons": ()}
    for kind, proper in ((Candidate, move), (Analysis, whole)):
        for name in proper:
            for label, value in ODD.items():
                said = message(lambda kind=kind, given=proper | {name: value}: kind(**given))
                assert said.isprintable(), f"{kind.__name__}: {name} = {label}"


@pytest.mark.parametrize("name", ["mcts", "planner", "governor", "random"])
def test_settings_of_an_agent_of_any_kind_are_accepted_or_refused_in_words(name: str) -> None:
    settings = {"simulations", "seconds", "temperature", "leaf", "reuse_tree", "choice", "margin"}
    for setting in settings:
        for label, value in ODD.items():
            if isinstance(value, int) and value > ENOUGH:
                continue  # so many simulations take their memory
            said = message(lambda changes={setting: value}: load_agent(name, **changes))
            assert said.isprintable(), f"{name}: {setting} = {label}"
    assert load_agent("mcts", simulations=np.int64(4)).simulations == 4
