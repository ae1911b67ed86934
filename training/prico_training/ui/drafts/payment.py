"""The draft of a payment: what is returned for coins that are missing (R-BLK-1 to R-BLK-6)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from prico_env import Game
from prico_env.actions import PAY_ACTION, PAY_GOOD, PAY_VP
from prico_env.core.phases.builder import GOOD_STAGE, UNIT_STAGE, VP_STAGE
from prico_env.vocabulary import GOODS, NUM_GOODS, SPOTS, Unit
from prico_training.ui.drafts.draft import Counts, Draft, Place, Pool

_COINS: Final = "coin"
_PORTRAIT: Final = "portrait"
_AT_MOST_ONE: Final = (("worker", "citizen"), ("barrel",))
"""Kinds of pieces of which one is returned at most."""


class Payment(Draft):
    """What is returned through the black market: a unit, a barrel and a VP at most, a coin each."""

    kind = "payment"
    verbs = frozenset({"pay"})
    ends_by_pass = False

    @property
    def rule(self) -> str:
        """What may be returned."""
        return self.say("draft_payment_rule")

    def _places(self) -> Iterable[Place]:
        return (place for _, place in self._payments())

    def _payments(self) -> Iterator[tuple[int, Place]]:
        """What may be returned, each with its action; a stage that has passed is over."""
        cursor = int(self.state["cursor"])
        legal = self.game.legal_actions()
        if cursor <= UNIT_STAGE:
            for unit in Unit:
                word = unit.name.lower()
                for spot, name in enumerate((*SPOTS, _PORTRAIT)):
                    action = int(PAY_ACTION[unit, spot])
                    if action in legal:
                        yield action, Place(f"{word}:{name}", word, name, 0, 1)
        if cursor <= GOOD_STAGE:
            for good in range(NUM_GOODS):
                if self.state["goods"][self.seat, good] > 0:
                    yield PAY_GOOD + good, Place(GOODS[good], "barrel", GOODS[good], 0, 1)
        if cursor <= VP_STAGE and self.state["vp"][self.seat] > 0:
            yield PAY_VP, Place("vp", "vp", "vp", 0, 1)

    def _pools(self) -> Iterable[Pool]:
        yield Pool(_COINS, int(self.state["value"]))

    def pool_of(self, place: Place) -> str:
        """All that is returned pays for the same coins."""
        return _COINS

    def _counts_in(self, game: Game) -> Counts:
        return {place.key: 0 for place in self.places}

    def _result(self, game: Game) -> Counts:
        by_action = {action: place.key for action, place in self._payments()}
        counts = dict(self.counts)
        for action in self._made(game):
            counts[by_action[action]] += 1
        return counts

    def _problem(self, counts: Counts) -> str:
        if not self._kinds_fit(counts):
            return self.rule
        missing = self.in_hand(counts)[_COINS]
        if missing > 0:
            return self.say("draft_pay_more", count=missing)
        return self.say("draft_pay_less", count=-missing) if missing else ""

    def _next_action(self, game: Game, counts: Counts) -> int | None:
        paid = int(self.state["value"]) - int(game.state[0]["value"])
        wanted = [action for action, place in self._payments() if counts[place.key]]
        return wanted[paid] if paid < len(wanted) else None

    def _is_last(self, game: Game, action: int) -> bool:
        return int(game.state[0]["bought"]) != int(self.state["bought"])

    def filled(self, counts: Mapping[str, int]) -> Counts:
        """Return what is missed least: a cheap barrel, who is idle, any unit, a VP."""
        filled = self.checked(counts)
        price = self.rules.table[0]["good_price"]

        def worth(place: Place) -> tuple[int, int]:
            if place.unit == "barrel":
                return 0, int(price[GOODS.index(place.spot)])
            if place.unit == "vp":
                return 3, 0
            return (1, 0) if place.spot == _PORTRAIT else (2, 0)

        for place in sorted(self.places, key=worth):
            with_it = filled | {place.key: 1}
            if self.in_hand(filled)[_COINS] > 0 and self._kinds_fit(with_it):
                filled = with_it
        return filled

    def _kinds_fit(self, counts: Counts) -> bool:
        return all(
            sum(counts[place.key] for place in self.places if place.unit in units) <= 1
            for units in _AT_MOST_ONE
        )

    def _sketch(self, state: Any, counts: Counts) -> None:
        for place in self.places:
            if not counts[place.key]:
                continue
            if place.unit == "vp":
                state["vp"][self.seat] -= 1
            elif place.unit == "barrel":
                state["goods"][self.seat, GOODS.index(place.spot)] -= 1
            elif place.spot == _PORTRAIT:
                state[f"portrait_{place.unit}s"][self.seat] -= 1
            else:
                state[f"{place.unit}s"][self.seat, SPOTS.index(place.spot)] -= 1
