"""An engine's game with the slow game beside it, compared at every decision."""

from collections import Counter

from prico_env import Game, RuleSet
from prico_env.actions import NAMES
from tests.reference import scoring
from tests.reference.box import GOODS
from tests.reference.position import read
from tests.reference.slow_game import SlowGame


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


def barrels_of(game, seat: int) -> tuple[int, ...]:
    """Barrels of a seat by kind."""
    return tuple(game.state["goods"][0, seat].tolist())


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


class Shadow:
    """Plays both games with the same choices.

    Args:
        game: The engine's game, at a role choice.
        switches: The switches its rule set was made with.
    """

    def __init__(self, game: Game, **switches) -> None:
        self.game = game
        position = read(game)
        position["rules"].update(switches)
        self.slow = SlowGame(position, self._reshuffle)

    @classmethod
    def of(cls, players: int, edition: str, seed: int, **switches) -> "Shadow":
        """A new game of a rule set."""
        return cls(Game(RuleSet(players=players, edition=edition, **switches), seed), **switches)

    def check(self) -> None:
        """Both games wait for the same seat, in the same position, with the same options."""
        ask, game = self.slow.ask, self.game
        self._check_position()
        self._agree("who decides", (game.turn, game.phase), (ask.seat, ask.phase))
        if ask.options:
            self._agree("options", sorted(legal_names(game)), sorted(ask.options))
            return
        seat = game.turn
        found = follow(game, is_storing(seat), lambda after: barrels_of(after, seat))
        self._agree("stores", found, Counter(ask.outcomes))

    def check_end(self) -> None:
        """Both games are over, with the same points and places."""
        self._agree("ends", self.game.over, self.slow.over)
        self._agree("truncations", self.game.truncated, self.slow.truncated)
        self._check_position()
        self._agree("places", self.game.ranking(), scoring.ranking(self.slow.position))

    def _check_position(self) -> None:
        found, expected = read(self.game), dict(self.slow.position)
        expected["rules"] = found["rules"]
        expected["house"] = sorted(expected["house"], key=GOODS.index)
        if self.slow.over:
            # Cards and governor after the last round are of no consequence (R-SCO-5).
            for name in ("roles", "governor", "round"):
                found.pop(name)
                expected.pop(name)
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
        if ask.options:
            action = choose(game.legal_actions())
            game.step(action)
            self.slow.choose(NAMES[action])
            return
        inside, seat = is_storing(game.turn), game.turn
        while inside(game):
            game.step(choose(game.legal_actions()))
        self.slow.choose(barrels_of(game, seat))

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

    def _reshuffle(self, discard: dict, seat: int | None) -> list:
        """Read the order of the new deck from the engine: what it drew, then what is left.

        The engine has made the step already. Tiles for the row have no order among themselves; the
        tile of a hacienda comes first, and is the one that its owner's island has gained.
        """
        now = read(self.game)
        first = [] if seat is None else [self._tile_gained(seat, now)]
        rest = Counter(discard) - Counter(first)
        row_size = self.slow.rules["players"] + 1
        if first and self.game.phase != "settler" and rest.total() < row_size:
            return first + sorted(rest.elements())  # the row took them all, and more
        drawn = rest - Counter(now["deck"])
        if rest - drawn != Counter(now["deck"]):
            raise AssertionError(f"deck {now['deck']} out of a discard of {discard}")
        return first + sorted(drawn.elements()) + now["deck"]

    def _tile_gained(self, seat: int, now: dict) -> str:
        """The plantation that a seat's island has now and had not in the slow game."""
        before, after = (p["players"][seat]["island"] for p in (self.slow.position, now))
        (gained,) = [good for good in GOODS if after[good][0] > before[good][0]]
        return gained


def is_storing(seat: int):
    """Whether a game still waits for this seat's choice of barrels to keep."""
    return lambda game: not game.over and game.phase == "storage" and game.turn == seat
