"""An engine's game with the slow game beside it, compared at every decision."""

import random
from collections import Counter
from typing import NamedTuple

from prico_env import Game, RuleSet
from prico_env.actions import NAMES, block_of
from prico_env.core.calls import GAME
from tests.oracle import scoring
from tests.oracle.box import GOODS
from tests.oracle.position import read
from tests.oracle.slow_game import SlowGame

MANY_OUTCOMES = 40
"""So many ways to store are not all tried in the middle of a game."""


def differences(found, expected, where: str = "") -> list[str]:
    """Where two positions differ, a line for each place."""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = [*found, *(key for key in expected if key not in found)]
        pairs = [(f"{where}.{key}", found.get(key), expected.get(key)) for key in keys]
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        both = enumerate(zip(found, expected, strict=True))
        pairs = [(f"{where}[{place}]", one, other) for place, (one, other) in both]
    else:
        same = found == expected
        return [] if same else [f"{where[1:]}: {found!r}, by the slow rules {expected!r}"]
    return [line for place, one, other in pairs for line in differences(one, other, place)]


def legal_names(game) -> set[str]:
    """What the engine allows now, by name."""
    return {NAMES[action] for action in game.legal_actions()}


def follow(game, is_inside, outcome) -> Counter:
    """Play every sequence of actions while `is_inside` holds, and count the outcomes."""
    if not is_inside(game):
        return Counter([outcome(game)])
    found: Counter = Counter()
    for action in game.legal_actions():
        branch = game.clone()
        branch.step(action)
        found += follow(branch, is_inside, outcome)
    return found


def ways_to_store(game) -> Counter:
    """What the seat to store may keep, by kind, and how many sequences of actions lead there."""
    inside, kept = is_storing(game.turn), holding_after(game)
    return follow(game, inside, kept)


def holding_after(game):
    """Ask a later moment of this game what the seat that now stores has kept, by its actions.

    Its barrels would not do: the rest of the round may be played before anybody decides again.
    """
    seat, before = game.turn, len(game.history)
    forced = len(_stores_of(seat, game.history[::-1]))
    goods = dict(zip(GOODS, game.state["goods"][0, seat].tolist(), strict=True))

    def kept(after) -> tuple[int, ...]:
        left = dict.fromkeys(GOODS, 0)
        for verb, good in _stores_of(seat, after.history[before - forced :]):
            if good:
                left[good] += goods[good] if verb == "store" else 1
        return tuple(left.values())

    return kept


def _stores_of(seat: int, moves) -> list[tuple[str, str]]:
    """What a seat stores in the first of these moves."""
    stores = []
    for move in moves:
        verb, _, good = NAMES[move.action].partition(":")
        if move.seat != seat or verb not in {"store", "keep", "pass"}:
            break
        stores.append((verb, good))
    return stores


def curious(seed: int, eagerness: float = 0.8):
    """Pick among kinds of actions first, then within one, so that rare kinds are tried too.

    Args:
        seed: Of Python's own generator.
        eagerness: How often to refuse to pass where something else is legal.
    """
    chance = random.Random(seed)

    def choose(actions) -> int:
        kinds: dict[str, list[int]] = {}
        for action in actions:
            kinds.setdefault(block_of(action).kind, []).append(action)
        if "pass" in kinds and len(kinds) > 1 and chance.random() < eagerness:
            kinds.pop("pass")
        return chance.choice(kinds[chance.choice(list(kinds))])

    return choose


class Shuffle(NamedTuple):
    """A single decision of the engine, forced ones included, in which it used chance."""

    before: dict
    after: dict
    drawn: int

    def tile_for(self, seat: int) -> str:
        """The tile that a seat drew: it lies on its island, or is still to be placed."""
        before, after = (p["players"][seat] for p in (self.before, self.after))
        gained = [g for g in GOODS if after["island"][g][0] > before["island"][g][0]]
        return gained[0] if gained else GOODS[self.drawn]


class EngineChance:
    """Chance as the engine beside us had it: what it drew, then what is left of its deck.

    The engine has made the step already. To see what it did on the way, the step is made once more
    on a copy that stops at forced decisions.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.steps: list[tuple[Game, int]] = []
        self._seen = 0
        self._shuffles: list[Shuffle] = []

    def begin(self) -> None:
        """Forget the decision before."""
        self.steps, self._seen, self._shuffles = [], 0, []

    def step(self, action: int) -> None:
        """Make a step of the engine's game, and remember where it began."""
        self.steps.append((self.game.clone(), action))
        self.game.step(action)

    def deck(self, tiles: Counter, seat: int | None) -> list:
        """The order of a deck made of these tiles."""
        if tiles.total() == 1:  # takes no chance
            return list(tiles)
        if self._seen == 0:
            self._shuffles = [s for game, action in self.steps for s in _shuffles(game, action)]
        if not self._shuffles:
            raise AssertionError(f"the engine shuffled nothing; the slow rules shuffle {tiles}")
        # Two shuffles in one decision: the first deck was used up, or was shuffled once more.
        shuffle = self._shuffles[min(self._seen, len(self._shuffles) - 1)]
        self._seen += 1
        first = [] if seat is None else [shuffle.tile_for(seat)]
        rest, left = tiles - Counter(first), shuffle.after["deck"]
        if Counter(left) - rest:
            return first + sorted(rest.elements())
        return first + sorted((rest - Counter(left)).elements()) + left

    def deal(self, position: dict) -> dict:
        """What the engine drew as the draft ended."""
        now = read(self.game)
        return {**now, "building": now.get("festival", {"building": None})["building"]}


def _shuffles(game: Game, action: int):
    """Every decision of a step that changed the generator."""
    twin = game.clone()
    twin._buffer.view(GAME)["rules"]["skip_forced"] = 0
    actions = [action]
    while len(actions) == 1:
        before, number = read(twin), twin.state["rng"].tolist()
        twin.step(actions[0])
        if twin.state["rng"].tolist() != number:
            yield Shuffle(before, read(twin), int(twin.state["drawn"][0]))
        actions = twin.legal_actions()


class Shadow:
    """Plays both games with the same choices.

    Args:
        game: The engine's game, at a role choice or at the beginning of the draft.
        switches: The switches its rule set was made with.
    """

    def __init__(self, game: Game, **switches) -> None:
        self.game = game
        position = {**read(game), "phase": game.phase}
        position["rules"].update(switches)
        self.chance = EngineChance(game)
        self.slow = SlowGame(position, self.chance)

    @classmethod
    def of(cls, players: int, edition: str, seed: int, expansions=(), **switches) -> "Shadow":
        """A new game of a rule set."""
        rules = RuleSet(players=players, edition=edition, expansions=expansions, **switches)
        switches.pop("board", None)
        return cls(Game(rules, seed), **switches)

    def check(self) -> None:
        """Both games wait for the same seat, in the same position, with the same options."""
        ask, game = self.slow.ask, self.game
        self._check_position()
        self._agree("who decides", (game.turn, game.phase), (ask.seat, ask.phase))
        if ask.options:
            self._agree("options", sorted(legal_names(game)), sorted(ask.options))
        elif len(ask.outcomes) <= MANY_OUTCOMES:
            self._agree("stores", ways_to_store(game), Counter(ask.outcomes))

    def check_end(self) -> None:
        """Both games are over, with the same points and places."""
        self._agree("ends", self.game.over, self.slow.over)
        self._agree("truncations", self.game.truncated, self.slow.truncated)
        self._check_position()
        self._agree("places", self.game.ranking(), scoring.ranking(self.slow.position))

    def _check_position(self) -> None:
        found, expected = read(self.game), dict(self.slow.position)
        expected["rules"] = found["rules"]
        expected.pop("phase")
        expected["house"] = sorted(expected["house"], key=GOODS.index)
        if self.slow.phase == "draft":  # the deck is not shuffled yet
            found["deck"], expected["deck"] = (sorted(p["deck"]) for p in (found, expected))
        if self.slow.over or self.slow.phase == "end":
            # Cards and governor after the last round are of no consequence (R-SCO-5), nor whether
            # the last guests move before coins are laid on the cards or after it.
            names = ("roles", "governor", "round", "smuggler")
            for name in names if self.slow.over else (*names, "bank"):
                found.pop(name, None)
                expected.pop(name, None)
        self._agree("position", found, expected)
        self._agree("scores", self.game.scores(), scoring.scores(self.slow.position))

    def _agree(self, what: str, found, expected) -> None:
        if found != expected:
            lines = [f"{what} differ in {self.game!r}", *differences(found, expected)]
            lines += [f"{move.seat} {NAMES[move.action]}" for move in self.game.history[-8:]]
            raise AssertionError("\n".join(lines))

    def step(self, choose) -> None:
        """Make the next decision in both games: `choose` picks from the engine's legal actions."""
        game, ask = self.game, self.slow.ask
        self.chance.begin()
        if ask.options:
            action = choose(game.legal_actions())
            self.chance.step(action)
            self.slow.choose(NAMES[action])
            return
        inside, kept = is_storing(game.turn), holding_after(game)
        while inside(game):
            self.chance.step(choose(game.legal_actions()))
        self.slow.choose(kept(game))

    def play(self, choose, max_decisions: int | None = None) -> int:
        """Play on, comparing at every decision; return how many there were."""
        decisions = 0
        while not (self.game.over or self.slow.over):
            self.check()
            if decisions == max_decisions:
                return decisions
            self.step(choose)
            decisions += 1
        self.check_end()
        return decisions


def is_storing(seat: int):
    """Whether a game still waits for this seat's choice of barrels to keep."""
    return lambda game: not game.over and game.phase == "storage" and game.turn == seat
