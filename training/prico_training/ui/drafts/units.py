"""Drafts of units: staffing, units in hand that are placed at once, and guests that move."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from prico_env import Game
from prico_env.actions import (
    DEAL_CITIZEN,
    DEAL_WORKER,
    GUEST_ACTION,
    PASS,
    PLACE_ACTION,
    RECALL_ACTION,
    TARGET,
    block_of,
)
from prico_env.core.bank import supply_of
from prico_env.core.phases.unit_handout import MOST_POACHED
from prico_env.text.localization import edition_words
from prico_env.text.terms import count_of
from prico_env.vocabulary import (
    NUM_CROP_BUILDINGS,
    NUM_SPOTS,
    NUM_TILES,
    QUARRY,
    SPOTS,
    DecisionPoint,
    Phase,
    Power,
    Unit,
)
from prico_training.ui.drafts.draft import Counts, Draft, Place, Pool

_WORDS: Final = {Unit.WORKER: "worker", Unit.CITIZEN: "citizen"}
_STANDING: Final = {Unit.WORKER: "workers", Unit.CITIZEN: "citizens"}
_REST: Final = "rest"
_WINDOWS: Final = (
    DecisionPoint.OPEN_WINDOW,
    DecisionPoint.TURN_WINDOW,
    DecisionPoint.CLOSE_WINDOW,
)


class _Units(Draft):
    """Numbers of units on an own board; a number is how many stand there in the end."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The kinds of units in the game."""
        return tuple(Unit) if self.rules.table[0]["citizens"] else (Unit.WORKER,)

    def _spots(self) -> Iterator[tuple[int, int]]:
        """The spots that units may come to, each with its circles."""
        circles = self.rules.table[0]["circles"]
        for spot in range(NUM_SPOTS):
            room = int(self.state["owned"][self.seat, spot]) * int(circles[spot])
            if room and self._is_place(spot):
                yield spot, room

    def _is_place(self, spot: int) -> bool:
        return True

    def _rooms(self) -> dict[str, int]:
        return {SPOTS[spot]: room for spot, room in self._spots()}

    def _places(self) -> Iterable[Place]:
        for spot, room in self._spots():
            for unit in self.units:
                least, most = self._limits(spot, unit, room, self._stand(self.game, spot, unit))
                yield Place(_key(unit, spot), _WORDS[unit], SPOTS[spot], least, most)

    def _limits(self, spot: int, unit: Unit, room: int, stand: int) -> tuple[int, int]:
        """The fewest and the most units of a kind that may stand on a spot in the end."""
        others = sum(self._stand(self.game, spot, other) for other in self.units if other != unit)
        return stand, room - others

    def _stand(self, game: Game, spot: int, unit: Unit) -> int:
        return int(game.state[0][_STANDING[unit]][self.seat, spot])

    def _counts_in(self, game: Game) -> Counts:
        return {
            _key(unit, spot): self._stand(game, spot, unit)
            for spot, _ in self._spots()
            for unit in self.units
        }

    def _result(self, game: Game) -> Counts:
        # By the moves themselves: what is forced after them is no part of the draft.
        counts = dict(self.counts)
        for action in self._made(game):
            if (unit := block_of(action).unit) is not None:
                counts[_key(unit, int(TARGET[action]))] += 1
        return counts

    def _pools(self) -> Iterable[Pool]:
        for unit in self.units:
            stand = sum(self.counts[_key(unit, spot)] for spot, _ in self._spots())
            yield Pool(_WORDS[unit], stand + self._hand(unit))

    def _hand(self, unit: Unit) -> int:
        """Units of a kind in hand as the draft begins."""
        raise NotImplementedError

    def _problem(self, counts: Counts) -> str:
        for spot, room in self._spots():
            if sum(counts[_key(unit, spot)] for unit in self.units) > room:
                place = next(place for place in self.places if place.spot == SPOTS[spot])
                return self.say("draft_full", place=self.title(place), count=room)
        for pool in self.pools:
            if self.in_hand(counts)[pool.name] < 0:
                there = count_of(self._terms, pool.name, pool.size)
                return self.say("draft_short", there=there)
        return ""

    @property
    def _terms(self) -> Mapping[str, str]:
        return edition_words(self.rules.edition).terms

    def _missing(self, game: Game, counts: Counts) -> Iterator[tuple[Unit, int]]:
        """The kinds and spots where units are still to be put, in the order of the steps."""
        for unit in self.units:
            for spot, _ in self._spots():
                if self._stand(game, spot, unit) < counts[_key(unit, spot)]:
                    yield unit, spot

    def _free(self, counts: Mapping[str, int]) -> int:
        """How many circles are free."""
        return sum(
            room - sum(counts[_key(unit, spot)] for unit in self.units)
            for spot, room in self._spots()
        )

    def filled(self, counts: Mapping[str, int]) -> Counts:
        """Put who is in hand where they do most good: goods first, then buildings, then quarries.

        A plantation comes with a circle of a building that processes what it grows, as long as
        there are two units for them.
        """
        filled = dict[str, int]()
        for units in (self.units, self.units[::-1]):  # the one or the other may find no room
            filled = self._filled_with(units, self.checked(counts))
            if not self.problem(filled):
                break
        return filled

    def _filled_with(self, units: Sequence[Unit], counts: Counts) -> Counts:
        """Fill circles with units in hand, the first kind of them if there is a choice."""
        while step := self._best_places(units, counts):
            for key in step:
                counts[key] += 1
        return counts

    def _best_places(self, units: Sequence[Unit], counts: Counts) -> tuple[str, ...]:
        """The places that are filled next."""
        left = self.in_hand(counts)
        in_hand = sum(max(0, count) for count in left.values())
        for spots in self._ranked(counts):
            if len(spots) <= in_hand and (keys := self._keys_for(units, spots, counts, left)):
                return keys
        return ()

    def _keys_for(
        self,
        units: Sequence[Unit],
        spots: Sequence[int],
        counts: Counts,
        left: Mapping[str, int],
    ) -> tuple[str, ...]:
        """A place for a unit in hand at each of the spots; none if one of them takes no unit."""
        counts, left, keys = dict(counts), dict(left), list[str]()
        limits = {place.key: place.most for place in self.places}
        for spot in spots:
            on_spot = sum(counts[_key(unit, spot)] for unit in self.units)
            fits = (
                unit
                for unit in units
                if left[self._pool_of_unit(unit)] > 0
                and counts[_key(unit, spot)] < limits[_key(unit, spot)]
                and on_spot < self.rooms[SPOTS[spot]]
            )
            unit = next(fits, None)
            if unit is None:
                return ()
            keys.append(_key(unit, spot))
            counts[keys[-1]] += 1
            left[self._pool_of_unit(unit)] -= 1
        return tuple(keys)

    def _pool_of_unit(self, unit: Unit) -> str:
        return _WORDS[unit]

    def _ranked(self, counts: Counts) -> Iterator[tuple[int, ...]]:
        """Spots to fill, the most useful first; two together that are of use only so."""
        rules = self.rules.table[0]
        spots = {spot for spot, _ in self._spots()}
        on = {spot: sum(counts[_key(unit, spot)] for unit in self.units) for spot in spots}
        plants: dict[int, list[int]] = {}
        for spot in range(NUM_TILES, NUM_TILES + NUM_CROP_BUILDINGS):
            plants.setdefault(int(rules["crop"][spot - NUM_TILES]), []).append(spot)
        pairs, halves = list[tuple[int, ...]](), list[tuple[int, ...]]()
        for good in sorted(range(QUARRY), key=lambda good: -int(rules["good_price"][good])):
            own = [spot for spot in plants.get(good, []) if spot in spots]
            free = next((spot for spot in own if on[spot] < self.rooms[SPOTS[spot]]), None)
            tiles, works = on.get(good, 0), sum(on[spot] for spot in own)
            if good not in plants:
                pairs.append((good,))
            elif tiles < works:
                pairs.append((good,))
            elif tiles > works and free is not None:
                pairs.append((free,))
            elif good in spots and free is not None:
                pairs.append((good, free))
            halves += [(good,), *((spot,) for spot in own)]
        cost = rules["cost"]
        others = sorted(
            (spot for spot in spots if spot >= NUM_TILES + NUM_CROP_BUILDINGS),
            key=lambda spot: (on[spot] > 0, -int(cost[spot - NUM_TILES])),
        )
        for ranked in (*pairs, *((spot,) for spot in others), (QUARRY,), *halves):
            if spots.issuperset(ranked):
                yield ranked

    def _sketch(self, state: Any, counts: Counts) -> None:
        for spot, _ in self._spots():
            for unit in self.units:
                state[_STANDING[unit]][self.seat, spot] = counts[_key(unit, spot)]


class Staffing(_Units):
    """Who works where, in the mayor phase (R-MAY-5 to R-MAY-9)."""

    kind = "staffing"
    verbs = frozenset({"recall", "place"})

    def _result(self, game: Game) -> Counts:
        return self._counts_in(game)  # circles that all have to be filled are filled unasked

    def _is_point(self, game: Game) -> bool:
        return int(game.state[0]["decision_point"]) in (DecisionPoint.RECALL, DecisionPoint.PLACE)

    def _is_last(self, game: Game, action: int) -> bool:
        return False  # a pass goes on from taking back to putting down

    def _hand(self, unit: Unit) -> int:
        return int(self.state[f"portrait_{_STANDING[unit]}"][self.seat])

    def _limits(self, spot: int, unit: Unit, room: int, stand: int) -> tuple[int, int]:
        was_recalled = bool(int(self.state["recalled"][spot]) & (1 << unit))
        is_passed = spot + unit * NUM_SPOTS < int(self.state["cursor"])
        if self.point == DecisionPoint.RECALL:
            return stand if is_passed else 0, stand if was_recalled else room
        return stand, stand if was_recalled or is_passed else room

    def _above(self, place: Place, count: int) -> str:
        if place.most < self.rooms[place.spot]:
            return self.say("draft_not_back", place=self.title(place))
        return super()._above(place, count)

    def _problem(self, counts: Counts) -> str:
        if problem := super()._problem(counts):
            return problem
        hand, free = sum(self.in_hand(counts).values()), self._free(counts)
        if hand and free:
            return self.say(
                "draft_held_back",
                hand=hand,
                free=count_of(self._terms, "circle", free),
            )
        return ""

    @property
    def is_single(self) -> bool:
        """Never: others may be taken back as well."""
        return False

    def before(self, actions: Sequence[int]) -> Counts:
        """How units stood before some were taken back and put down, one at a time."""
        counts = dict(self.counts)
        for action in actions:
            if action != PASS:
                unit = block_of(action).unit or Unit.WORKER
                counts[_key(unit, int(TARGET[action]))] += 1 if action in RECALL_ACTION else -1
        return counts

    def _next_action(self, game: Game, counts: Counts) -> int | None:
        if int(game.state[0]["decision_point"]) == DecisionPoint.RECALL:
            for unit in self.units:
                for spot, _ in self._spots():
                    if self._stand(game, spot, unit) > counts[_key(unit, spot)]:
                        return int(RECALL_ACTION[unit, spot])
            return PASS
        unit_and_spot = next(self._missing(game, counts), None)
        return PASS if unit_and_spot is None else int(PLACE_ACTION[unit_and_spot])

    def _sketch(self, state: Any, counts: Counts) -> None:
        super()._sketch(state, counts)
        for unit in self.units:
            left = max(0, self.in_hand(counts)[_WORDS[unit]])
            state[f"portrait_{_STANDING[unit]}"][self.seat] = left


class Handout(_Units):
    """Units in hand that are placed at once: poached, or the reward of a festival (R-SMG-6).

    Where the kinds are still to be chosen, those that stay in hand are named, too.
    """

    kind = "handout"
    verbs = frozenset({"deal", "place"})

    @property
    def _gathers(self) -> bool:
        return self.point == DecisionPoint.GATHER

    @property
    def _is_poach(self) -> bool:
        return int(self.state["phase"]) == Phase.SMUGGLER

    @property
    def rule(self) -> str:
        """How many may be placed, where there may be more."""
        return self.say("draft_handout_rule", count=self._to_place) if self._is_poach else ""

    def _is_point(self, game: Game) -> bool:
        points = (DecisionPoint.GATHER, DecisionPoint.PLACE_UNITS)
        return int(game.state[0]["decision_point"]) in points

    def _is_last(self, game: Game, action: int) -> bool:
        placed = sum(block_of(action).verb == "place" for action in self._made(game))
        return action == PASS or placed == self._to_place

    def _places(self) -> Iterable[Place]:
        yield from super()._places()
        if self._gathers:
            for unit in self.units:
                key = f"{_WORDS[unit]}:{_REST}"
                yield Place(key, _WORDS[unit], _REST, 0, self._may_gather(unit))

    def _limits(self, spot: int, unit: Unit, room: int, stand: int) -> tuple[int, int]:
        least, most = super()._limits(spot, unit, room, stand)
        if spot + unit * NUM_SPOTS < int(self.state["cursor"]):
            return stand, stand
        return least, most

    def title(self, place: Place) -> str:
        """What a place is called; units that are not placed go back, or join the portrait."""
        if place.spot != _REST:
            return super().title(place)
        return self.say("draft_goes_back") if self._is_poach else self.term("portrait")

    def anchor(self, place: Place) -> str:
        """Which part of the drawing a place belongs to."""
        return f"portrait-{self.seat}" if place.spot == _REST else super().anchor(place)

    def pool_of(self, place: Place) -> str:
        """Where kinds are still to be chosen, all units are one pool."""
        return "unit" if self._gathers else place.unit

    def pool_title(self, pool: Pool) -> str:
        """What is in a pool, as a general word."""
        return self.say("draft_units") if self._gathers else super().pool_title(pool)

    def _pool_of_unit(self, unit: Unit) -> str:
        return "unit" if self._gathers else super()._pool_of_unit(unit)

    def _hand(self, unit: Unit) -> int:
        return int(self.state[f"hand_{_STANDING[unit]}"])

    def _may_gather(self, unit: Unit) -> int:
        return self._hand(unit) + min(self._source(unit), int(self.state["value"]))

    def _pools(self) -> Iterable[Pool]:
        if not self._gathers:
            yield from super()._pools()
            return
        yield Pool("unit", sum(self.counts.values()) + int(self.state["value"]))

    def _counts_in(self, game: Game) -> Counts:
        counts = super()._counts_in(game)
        if self._gathers:
            counts |= {f"{_WORDS[unit]}:{_REST}": self._hand(unit) for unit in self.units}
        return counts

    def _placed(self, counts: Mapping[str, int], unit: Unit) -> int:
        """How many units of a kind are placed that are in hand now, or will be."""
        return sum(
            counts[_key(unit, spot)] - self.counts[_key(unit, spot)] for spot, _ in self._spots()
        )

    def _made(self, game: Game) -> list[int]:
        made, to_place = list[int](), self._to_place
        for action in super()._made(game):
            made.append(action)
            to_place -= block_of(action).verb == "place"
            if action == PASS or to_place == 0:
                break
        return made

    @property
    def _to_place(self) -> int:
        """How many units may be placed in all."""
        in_hand = sum(self._hand(unit) for unit in self.units)
        if not self._gathers:
            return int(self.state["value"])
        in_hand += int(self.state["value"])
        return min(in_hand, MOST_POACHED) if self._is_poach else in_hand

    def _result(self, game: Game) -> Counts:
        counts = super()._result(game)
        if self._gathers:
            for unit, gathered in self._gathered(self._made(game)).items():
                counts[f"{_WORDS[unit]}:{_REST}"] = gathered - self._placed(counts, unit)
        return counts

    def _gathered(self, made: Iterable[int]) -> dict[Unit, int]:
        """How many units of each kind are in hand by these choices, and where there was none."""
        hand = {unit: self._hand(unit) for unit in Unit}
        left = {unit: self._source(unit) for unit in Unit}
        deals = iter([action for action in made if action in (DEAL_WORKER, DEAL_CITIZEN)])
        for more in range(int(self.state["value"]), 0, -1):
            unit = Unit.WORKER if left[Unit.WORKER] >= more else Unit.CITIZEN
            if unit == Unit.WORKER and left[Unit.CITIZEN] > 0 and hand[Unit.WORKER] == 0:
                chosen = next(deals, DEAL_WORKER)
                unit = Unit.CITIZEN if chosen == DEAL_CITIZEN else Unit.WORKER
            hand[unit] += 1
            left[unit] -= 1
        return {unit: hand[unit] for unit in self.units}

    def _source(self, unit: Unit) -> int:
        """Units of a kind where those in hand are taken from."""
        if self._is_poach:
            return int(self.state[f"register_{_STANDING[unit]}"])
        return int(supply_of(self.rules.table[0], self.state, unit))

    def _problem(self, counts: Counts) -> str:
        if problem := super()._problem(counts):
            return problem
        placed = sum(self._placed(counts, unit) for unit in self.units)
        if placed > self._to_place:
            return self.rule
        if not self._gathers:
            return ""
        if more := self.in_hand(counts)["unit"]:
            return self.say("draft_choose", count=more)
        for unit in self.units:
            if self._taken(counts, unit) > self._may_gather(unit):
                there = count_of(self._terms, _WORDS[unit], self._may_gather(unit))
                return self.say("draft_short", there=there)
        return ""

    def _taken(self, counts: Mapping[str, int], unit: Unit) -> int:
        """How many units of a kind are in hand before any is placed."""
        return self._placed(counts, unit) + counts[f"{_WORDS[unit]}:{_REST}"]

    def _next_action(self, game: Game, counts: Counts) -> int | None:
        if int(game.state[0]["decision_point"]) == DecisionPoint.GATHER:
            citizens = self._taken(counts, Unit.CITIZEN)
            return DEAL_CITIZEN if int(game.state[0]["hand_citizens"]) < citizens else DEAL_WORKER
        unit_and_spot = next(self._missing(game, counts), None)
        return PASS if unit_and_spot is None else int(PLACE_ACTION[unit_and_spot])

    def filled(self, counts: Mapping[str, int]) -> Counts:
        """Put who is in hand where they do most good; the rest are workers."""
        filled = self.checked(counts)
        left = self._to_place - sum(self._placed(filled, unit) for unit in self.units)
        while left > 0 and (step := self._best_places(self.units, filled)):
            step = step[:left]
            for key in step:
                filled[key] += 1
            left -= len(step)
        if self._gathers:
            key = f"{_WORDS[Unit.WORKER]}:{_REST}"
            filled[key] += max(0, self.in_hand(filled)["unit"])
        return filled

    def _sketch(self, state: Any, counts: Counts) -> None:
        super()._sketch(state, counts)
        if not self._gathers:
            for unit in self.units:
                state[f"hand_{_STANDING[unit]}"] = max(0, self.in_hand(counts)[_WORDS[unit]])


class Guests(_Units):
    """Units that leave the guest house for other circles (R-GST-2, R-GST-3)."""

    kind = "guests"
    verbs = frozenset({"guest"})

    def __init__(self, game: Game) -> None:
        self.house = int(game.rules.table[0]["power_spot"][Power.GUESTS])
        super().__init__(game)

    @property
    def ends_by_pass(self) -> bool:  # type: ignore[override]
        """Whether it is a time for guests alone, which a pass ends."""
        return self.point in _WINDOWS

    def _is_place(self, spot: int) -> bool:
        return spot != self.house

    def _hand(self, unit: Unit) -> int:
        return self._stand(self.game, self.house, unit)

    def _next_action(self, game: Game, counts: Counts) -> int | None:
        unit_and_spot = next(self._missing(game, counts), None)
        if unit_and_spot is not None:
            return int(GUEST_ACTION[unit_and_spot])
        return PASS if self.ends_by_pass else None

    def _sketch(self, state: Any, counts: Counts) -> None:
        super()._sketch(state, counts)
        for unit in self.units:
            left = max(0, self.in_hand(counts)[_WORDS[unit]])
            state[_STANDING[unit]][self.seat, self.house] = left


def _key(unit: Unit, spot: int) -> str:
    return f"{_WORDS[unit]}:{SPOTS[spot]}"
