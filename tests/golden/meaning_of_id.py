"""What a program gets that names the id of the environments and nothing else."""

import hashlib
import inspect
from typing import Any, Final

from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.actions import NAMES
from prico_env.core.scoring import REWARDS
from prico_env.envs import PuertoRicoEnv, SingleSeatEnv
from prico_env.feature_scaling import feature_statistics
from prico_env.observation_layout import LAYOUT_VERSION, layout_for
from prico_env.registration import ENV_ID
from prico_env.serialization.transcript import ACTIONS_VERSION, RULES_VERSION
from prico_env.vocabulary import MAX_PLAYERS
from tests.golden.careless_player import CarelessPlayer

_ARGUMENTS: Final = ("seat", "opponents", "reward", "shaping", "illegal", "flat", "max_steps")
_MOST_EXPANSIONS: Final = {
    "1897-en": ALL_EXPANSIONS,
    "1897-de": ALL_EXPANSIONS,
    "classic": ("buildings", "citizens"),
}
_RULES: Final = [
    RuleSet(players, edition, expansions)
    for edition, most in _MOST_EXPANSIONS.items()
    for expansions in ((), most)
    for players in range(2, MAX_PLAYERS + 1)
]


def meaning_of_id() -> str:
    """Write what a program gets that names the id and nothing else: the promise of its version."""
    default = _defaults(SingleSeatEnv) | _defaults(PuertoRicoEnv)
    lines = [
        f"# {ENV_ID}: what its version promises, see docs/versions.md",
        f"rules: version {RULES_VERSION}; by default {_words(RuleSet().to_dict())}",
        *(f"  {_went(rules)}" for rules in _RULES),
        f"actions: version {ACTIONS_VERSION}",
        f"  {len(NAMES)} numbers, names {_digest(*NAMES)}",
        f"observations: layout version {LAYOUT_VERSION}, scaling {default['scaling']}, "
        f"statistics version {feature_statistics().version}",
        *(
            f"  {_features(seats, with_expansions)}"
            for with_expansions in (False, True)
            for seats in range(2, MAX_PLAYERS + 1)
        ),
        "rewards",
        *(f"  {_paid(seats)}" for seats in range(2, MAX_PLAYERS + 1)),
        f"arguments: {_words({name: default[name] for name in _ARGUMENTS})}",
    ]
    return "\n".join(lines) + "\n"


def _digest(*parts: str | bytes) -> str:
    """Return the first digits of a hash of texts and bytes."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _words(fields: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in fields.items())


def _defaults(kind: type) -> dict[str, Any]:
    parameters = inspect.signature(kind).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}


def _played(rules: RuleSet) -> Game:
    """Play one and the same game by a rule set."""
    game, player = Game(rules, seed=7), CarelessPlayer(7)
    while not game.over:
        game.step(player.choose(game))
    return game


def _went(rules: RuleSet) -> str:
    """Say how a game went, by numbers alone, so that the words of editions may change."""
    game = _played(rules)
    moves = " ".join(f"{move.seat}:{move.action}" for move in game.history)
    scores = " ".join(str(score) for score in game.scores())
    with_all = " expanded" if rules.expansions else ""
    return f"{rules.edition} {rules.players}{with_all}: {_digest(moves)}, scores {scores}"


def _features(seats: int, with_expansions: bool) -> str:
    layout = layout_for(seats, with_expansions)
    scaling = layout.scaling(_defaults(SingleSeatEnv)["scaling"])
    return (
        f"{seats} seats{' expanded' if with_expansions else ''}: {layout.num_features} features, "
        f"names {_digest(*layout.names)}, largest values {_digest(layout.high.tobytes())}, "
        f"scaling {_digest(scaling.factor.tobytes(), scaling.offset.tobytes())}"
    )


def _paid(seats: int) -> str:
    """What each scheme pays for one and the same end."""
    game = _played(RuleSet(seats))
    pays = [
        f"{scheme} {' '.join(f'{reward:.3g}' for reward in game.rewards(scheme))}"
        for scheme in REWARDS
    ]
    return f"{seats} seats, scores {' '.join(map(str, game.scores()))}: {'; '.join(pays)}"
