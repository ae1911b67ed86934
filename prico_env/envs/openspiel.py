"""The OpenSpiel interface: the game for the algorithms of OpenSpiel, as ``python_puerto_rico``.

Importing this module registers the game, and ``pyspiel.load_game`` then makes it. Its parameters
are ``players``, ``edition``, ``expansions`` (names joined by ``+``, ``all`` or ``none``), ``board``
and ``max_rounds``, as of a rule set, ``outcomes``, and ``scaling``, that of observations:
``standard``, ``range`` or ``raw``.

>>> import pyspiel
>>> game = pyspiel.load_game("python_puerto_rico(players=3,expansions=buildings+citizens)")
>>> state = game.new_initial_state()
>>> state.is_chance_node()
True
>>> state.apply_action(7)
>>> [state.action_to_string(action) for action in state.legal_actions()][:3]
['board:small_market', 'board:hacienda', 'board:construction_hut']

Chance is explicit. The first node deals: its outcome 7 is ``Game(rules, 7)``. From then on, every
decision that turns up tiles waits at a chance node, each outcome of which shuffles what lies face
down in its own way; all ``outcomes`` of a node are as likely. So a state does not know what the
deck will bring. A search knows the ways of a node, not which of them it will be: more outcomes come
closer to the real game, which has more ways than could be listed, and take longer.

What a search sees: in the base game ``MCTSBot`` plays fair. With the new buildings there are tiles
that only their owner has seen, just drawn or, in 1897, laid face down as a forest; ``MCTSBot``
looks at these. ``ISMCTSBot`` of ``open_spiel.python`` does not: for it, ``resample_from_infostate``
deals anew what a seat cannot see. The VP of others, which the original game hides, can be counted
along, and both know them.

Forced decisions are carried out by the game and are no nodes. Returns are those of the reward
scheme ``"win"``, which sum to 0; a game that is cut off pays nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from prico_env import catalog
from prico_env.actions import NAMES
from prico_env.arguments import whole, words
from prico_env.core.bank import shuffle_deck, sort_deck
from prico_env.core.calls import scale_games
from prico_env.core.rng import MAX_SEED, next_number, seed_rng
from prico_env.core.state import STATE
from prico_env.errors import PricoError, RuleSetError, from_extra, quoted
from prico_env.feature_scaling import ScalingKind
from prico_env.game import Game, Snapshot
from prico_env.observation_layout import check_scaling
from prico_env.ruleset import RuleSet
from prico_env.ruleset_checks import checked_edition
from prico_env.vocabulary import MAX_PLAYERS, NOBODY

with from_extra("openspiel", "this interface for OpenSpiel"):
    import pyspiel

NAME: Final = "python_puerto_rico"
"""What OpenSpiel knows the game by."""
_DEFAULTS: Final = {
    "players": 4,
    "edition": "1897-en",
    "expansions": "none",
    "board": "standard",
    "max_rounds": 200,
    "outcomes": 100,
    "scaling": "standard",
}
"""Parameters of the game."""
_MOST_OUTCOMES: Final = 2**31 - 1
"""OpenSpiel counts them with 32 bits."""
_DECISIONS_A_ROUND: Final = 500
"""More than any round asks for."""
assert STATE.fields is not None
_HIDDEN: Final = tuple(
    slice(start, start + kind.itemsize)
    for kind, start, *_ in (STATE.fields[name] for name in ("rng", "deck_size", "deck"))
)
"""Bytes of a record of which some change whenever tiles are turned up or shuffled."""
_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
_GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Puerto Rico",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class PuertoRicoGame(pyspiel.Game):
    """What is played, for OpenSpiel.

    Attributes:
        rules: Its rule set.
        outcomes: How many outcomes a chance node has.
        scaling: How observations are scaled.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Make the game.

        Args:
            params: Parameters that differ from the defaults.

        Raises:
            PricoError: A parameter does not go.
        """
        if not isinstance(params, Mapping | None):
            raise PricoError(f"parameters of the game are a dict, not {quoted(params)}")
        given = {**_DEFAULTS, **(params or {})}
        self.rules = _rules_of(given)
        self.outcomes = whole(given["outcomes"], "the number of outcomes", 1, _MOST_OUTCOMES)
        self.scaling = check_scaling(given["scaling"])
        share = 1.0 / self.rules.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_actions,
            max_chance_outcomes=self.outcomes,
            num_players=self.rules.players,
            min_utility=-share,
            max_utility=1.0 - share,
            utility_sum=0.0,
            max_game_length=self.rules.max_rounds * _DECISIONS_A_ROUND,
        )
        super().__init__(_GAME_TYPE, info, given)

    def new_initial_state(self) -> "PuertoRicoState":
        """Return a game that is to be dealt."""
        return PuertoRicoState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many times chance may decide: at the deal, and once a decision."""
        return 1 + int(self.max_game_length())

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> "Observer":
        """Return what looks at states for a seat; see `Observer`."""
        return Observer(self.rules, iig_obs_type, params, self.scaling)


class PuertoRicoState(pyspiel.State):
    """Where a game stands, for OpenSpiel.

    Attributes:
        game: The :class:`prico_env.Game`, None before the deal. While chance is to decide, it
            stands before the decision that waits. Change it through `apply_action` only.
    """

    def __init__(self, spiel_game: PuertoRicoGame) -> None:
        """Wait for the deal; only `PuertoRicoGame.new_initial_state` calls this."""
        super().__init__(spiel_game)
        self.game: Game | None = None
        self._waiting: int | None = None
        self._player = _CHANCE

    # -- who decides, and what ---------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat to act, or whom OpenSpiel puts in its place."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self._player == _TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.game is None else self.game.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every outcome of a chance node with its probability."""
        outcomes = self.get_game().outcomes
        return [(outcome, 1.0 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        if self.game is None:
            self.game = Game(self.get_game().rules, action)
        elif self._waiting is None:
            before = self.game.snapshot()
            self.game.step(action)
            if _turned_up_tiles(before, self.game.snapshot()):
                self.game.restore(before)
                self._waiting = action
        else:
            _shuffle(self.game, action, self.get_game().outcomes)
            self.game.step(self._waiting)
            self._waiting = None
        turn = self.game.turn
        if self._waiting is not None:
            self._player = _CHANCE
        else:
            self._player = _TERMINAL if turn == NOBODY else turn

    def returns(self) -> list[float]:
        """Return what the game has paid each seat: nothing before it has ended."""
        if self.game is None:
            return [0.0] * self.num_players()
        return self.game.rewards("win").tolist()

    # -- what is hidden ----------------------------------------------------------------------------

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float]
    ) -> "PuertoRicoState":
        """Return this state with all that a seat cannot see dealt anew.

        Args:
            player: The seat.
            sampler: Draws a number from 0 to 1, which decides the deal.
        """
        state: PuertoRicoState = self.clone()
        if state.game is not None:
            state.game = state.game.determinize(player, int(sampler() * MAX_SEED))
        return state

    # -- words -------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        if player == _CHANCE:
            return f"{'deal' if self.game is None else 'shuffle'} {action}"
        return NAMES[action]

    def __str__(self) -> str:
        """Return the position in words, with the decision that waits for chance."""
        if self.game is None:
            return "to be dealt"
        waiting = "" if self._waiting is None else f"\nwaits for chance: {NAMES[self._waiting]}"
        return self.game.text() + waiting


class Observer:
    """Looks at states for a seat.

    As words it gives the position as the seat sees it, with perfect recall also all decisions so
    far. As numbers, without perfect recall, it gives the observation that all interfaces
    share. Before the deal there is nothing to see: no words, and zeros.

    Attributes:
        tensor: The observation, scaled, float32, shape ``(num_features,)``, rewritten by
            `set_from`; None with perfect recall.
        dict: The same array under its name.
    """

    def __init__(
        self,
        rules: RuleSet,
        kind: Any,
        params: Mapping[str, Any] | None,
        scaling: ScalingKind = "standard",
    ) -> None:
        """Make an observer.

        Args:
            rules: What is played.
            kind: A ``pyspiel.IIGObservationType``; None is one without perfect recall.
            params: Must be empty.
            scaling: How features are scaled; with ``"raw"`` they are the counts.

        Raises:
            PricoError: It is asked for more, or for less, than what one seat sees.
        """
        if params:
            raise PricoError(f"observers take no parameters, but were given {', '.join(params)}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise PricoError(
                "an observer shows what a single seat sees, all that is public and its own "
                "secrets; use IIGObservationType(public_info=True, "
                f"private_info=SINGLE_PLAYER), not {kind}"
            )
        self._scaling = rules.observation.scaling(scaling)
        self._features = np.zeros(rules.observation.num_features, np.uint8)
        self._recalls = kind.perfect_recall
        self.tensor = None if self._recalls else np.zeros(self._features.shape, np.float32)
        self.dict = {} if self._recalls else {"observation": self.tensor}

    def set_from(self, state: PuertoRicoState, player: int) -> None:
        """Write what a seat sees to `tensor`."""
        if self.tensor is None:
            return
        if state.game is None:
            self.tensor.fill(0.0)
        else:
            seen = state.game.observation(player, out=self._features)[None]
            scaled, scaling = self.tensor[None], self._scaling
            if scaling.kind == "raw":
                scaled[:] = seen
            else:
                scale_games(seen, scaling.factor, scaling.offset, scaled, 0, 1)

    def string_from(self, state: PuertoRicoState, player: int) -> str:
        """Return what a seat sees in words."""
        seen = "" if state.game is None else state.game.text(player)
        if not self._recalls:
            return seen
        decisions = [
            f"{step.player} {NAMES[step.action]}"
            for step in state.full_history()
            if step.player != _CHANCE
        ]
        return "\n".join([*decisions, seen])


def _rules_of(params: Mapping[str, Any]) -> RuleSet:
    """Return the rule set that parameters ask for.

    Raises:
        RuleSetError: There is no such rule set.
    """
    edition = checked_edition(params["edition"]).key
    modules = words(params["expansions"], "a list of expansions joined by +", RuleSetError)
    if modules == "all":
        expansions = catalog.load(edition).expansions
    else:
        expansions = () if modules == "none" else tuple(modules.split("+"))
    return RuleSet(
        params["players"],
        edition,
        expansions,
        params["board"],
        max_rounds=params["max_rounds"],
    )


def _turned_up_tiles(before: Snapshot, after: Snapshot) -> bool:
    """Whether a decision touched what lies face down, so that chance has a say in it."""
    return any(before.record[part] != after.record[part] for part in _HIDDEN)


def _shuffle(game: Game, outcome: int, outcomes: int) -> None:
    """Shuffle what lies face down, in one of so many ways; the same outcome gives the same way."""
    state = game.state[0]
    seed = next_number(state["rng"]) * outcomes + outcome
    seed_rng(state["rng"], seed & MAX_SEED)
    sort_deck(state)
    shuffle_deck(state)


pyspiel.register_game(_GAME_TYPE, PuertoRicoGame)
