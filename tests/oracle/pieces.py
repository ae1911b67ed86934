"""What all phases of the slow game share: how pieces change hands, guests, tiles, the festival.

Where a seat has to decide a story yields an `Ask` and gets the choice back.
"""

from collections import Counter
from collections.abc import Callable, Generator
from copy import deepcopy
from typing import Any, NamedTuple, Protocol

from tests.oracle import settling, smuggling
from tests.oracle.box import GOODS, has, switch
from tests.oracle.guests import guest_moves, unit_and_spot
from tests.oracle.position import (
    clockwise,
    has_forest_stack,
    is_occupied,
    move_units,
)

FESTIVAL_REWARD = 3
TILES_FOR_THE_ESTATE = 3


class Ask(NamedTuple):
    """A seat has to decide. `outcomes` stands in for `options` where barrels are stored."""

    seat: int
    phase: str
    options: frozenset = frozenset()
    outcomes: frozenset = frozenset()


Story = Generator[Ask, Any, Any]


class Chance(Protocol):
    """Where chance comes from: a generator of random numbers, or the engine beside us."""

    def deck(self, tiles: Counter, seat: int | None) -> list:
        """An order for these tiles; the first is for the seat alone, if one draws."""

    def deal(self, position: dict) -> dict:
        """After the draft: `building` of the festival or None, `deck` and `row`."""


class Pieces:
    """A game's position, and everything that happens to it in more than one phase.

    Args:
        position: The position after set-up; it is copied.
        chance: Where the order of a deck comes from.
    """

    def __init__(self, position: dict, chance: Chance) -> None:
        self.position = deepcopy(position)
        self.chance = chance
        self.rules = position["rules"]
        self.players = self.position["players"]
        self.phase = position.get("phase", "role")
        self.actor = self.position["governor"]
        self.order = clockwise(self.position, self.actor)
        self.is_captured = False
        self.hand = {"worker": 0, "citizen": 0}
        self.had_last_window: set[int] = set()

    def _ask(self, seat: int, options) -> Ask:
        return Ask(seat, self.phase, frozenset(options))

    def _roles(self) -> dict:
        return self.position["roles"]

    def _captured(self) -> dict:
        return self.position.get("smuggler", {"captured": {}})["captured"]

    def _privilege(self, seat: int) -> int:
        """How often the privilege counts: not at all, once, or twice with a library (R-LIB-1)."""
        if seat != self.actor:
            return 0
        was_picked = not self.is_captured
        if switch(self.rules, "smuggler_affected_by_buildings"):
            was_picked = True
        return 2 if was_picked and is_occupied(self.players[seat], "library") else 1

    # -- pieces change hands -----------------------------------------------------------------------

    def _from_bank(self, amount: int) -> int:
        if switch(self.rules, "bank_limited"):
            amount = min(amount, max(0, self.position["bank"]))
        self.position["bank"] -= amount
        return amount

    def _income(self, seat: int, amount: int) -> None:
        self.players[seat]["coins"] += self._from_bank(amount)

    def _pay(self, seat: int, amount: int) -> None:
        self.players[seat]["coins"] -= amount
        self.position["bank"] += amount

    def _award_vp(self, seat: int, amount: int) -> None:
        self.players[seat]["vp"] += amount
        self.position["vp"] -= amount
        if amount and self.position["vp"] <= 0:
            self.position["end_triggered"] = True

    def _to_supply(self, seat: int, good: str, amount: int) -> None:
        self.players[seat]["goods"][good] -= amount
        self.position["goods"][good] += amount

    def _store_of(self, unit: str) -> dict:
        """The block that counts a kind of unit: `supply` and `register`."""
        return self.position["workers" if unit == "worker" else "citizens"]

    def _units_at(self, source: str) -> dict[str, int]:
        units = {"worker": self.position["workers"][source]}
        if has(self.rules, "citizens"):
            units["citizen"] = self.position["citizens"][source]
        return {unit: number for unit, number in units.items() if number > 0}

    def _worker_supply(self) -> dict[str, int]:
        """What effects that give a worker may take from the supply (R-X2-7)."""
        units = self._units_at("supply")
        if not switch(self.rules, "citizens_from_supply_by_worker_effects"):
            units.pop("citizen", None)
        return units

    def _take_worker(self, seat: int) -> Story:
        """A worker from the supply, else either kind from the register (R-HOS-2, R-X2-7)."""
        source, units = "supply", self._worker_supply()
        if not units:
            source, units = "register", self._units_at("register")
        if not units:
            return None
        choice = yield self._ask(seat, (f"deal:{unit}" for unit in units))
        unit = choice.removeprefix("deal:")
        self._store_of(unit)[source] -= 1
        return unit

    def _draw_tile(self, seat: int | None = None) -> str | None:
        """The top of the deck; the discard becomes the deck when that is empty (R-STL-13)."""
        deck, discard = self.position["deck"], self.position["discard"]
        if not deck and any(discard.values()):
            tiles = +Counter(discard)
            discard.update(dict.fromkeys(GOODS, 0))
            deck.extend(self.chance.deck(tiles, seat))
        return deck.pop(0) if deck else None

    def _shuffle_in(self, tile: str) -> None:
        """A tile goes back among those face down."""
        deck = self.position["deck"]
        deck[:] = self.chance.deck(Counter(deck) + Counter([tile]), None)

    # -- gains that nobody need take (R-ROL-9) -----------------------------------------------------

    def _accepts(self, seat: int, *, offered: bool = True) -> Story:
        if not offered or switch(self.rules, "optional_gains") == "auto":
            return offered
        choice = yield self._ask(seat, {"gain", "pass"})
        return choice == "gain"

    def _gain_coins(self, seat: int, amount: int) -> Story:
        if (yield from self._accepts(seat, offered=amount > 0)):
            self._income(seat, amount)

    def _gain_vp(self, seat: int, amount: int) -> Story:
        if (yield from self._accepts(seat, offered=amount > 0)):
            self._award_vp(seat, amount)

    # -- guests (R-GST) ----------------------------------------------------------------------------

    def _window(self, seats) -> Story:
        for seat in seats:
            while moves := guest_moves(self.players[seat]):
                choice = yield self._ask(seat, {*moves, "pass"})
                if choice == "pass":
                    break
                self._move_guest(seat, choice)

    def _open_phase(self) -> Story:
        if switch(self.rules, "guest_windows") == "full":
            yield from self._window(self.order)

    def _close_phase(self) -> Story:
        yield from self._window(self.order)

    def _move_guest(self, seat: int, choice: str) -> None:
        unit, spot = unit_and_spot(choice)
        move_units(self.players[seat], "guest_house", -1, unit)
        move_units(self.players[seat], spot, 1, unit)

    def _turn(self, seat: int, options: Callable[[], set]) -> Story:
        """A decision of one's own turn, with guests free to move before it."""
        while True:
            choice = yield self._ask(seat, options() | guest_moves(self.players[seat]))
            if not choice.startswith("guest"):
                return choice
            self._move_guest(seat, choice)

    # -- the festival (D.4) ------------------------------------------------------------------------

    def _place_plantation(self, seat: int, tile: str) -> Story:
        """A plantation goes face up on an island, and may be what the festival waits for."""
        island, festival = self.players[seat]["island"], self.position.get("festival")
        island[tile][0] += 1
        if not festival or festival["estate"] != tile or island[tile][0] < TILES_FOR_THE_ESTATE:
            return
        festival["estate"] = None
        if switch(self.rules, "festival_estate_returns_to") == "face_up_row":
            self.position["row"][tile] += 1
        else:
            self._shuffle_in(tile)
        units = min(FESTIVAL_REWARD, sum(self._worker_supply().values()))
        if (yield from self._accepts(seat, offered=units > 0)):
            yield from self._gather(seat, "supply", units, self._worker_supply)
            yield from self._place_hand(seat, units)
            for unit, number in self.hand.items():
                if number:
                    move_units(self.players[seat], "portrait", number, unit)
                self.hand[unit] = 0

    def _gather(self, seat: int, source: str, number: int, units: Callable[[], dict]) -> Story:
        """Units are taken in hand, one by one, citizens first."""
        taken: list[str] = []
        while len(taken) < number:
            kinds = smuggling.gathered(units(), taken, number)
            choice = yield self._ask(seat, {f"deal:{unit}" for unit in kinds})
            taken.append(choice.removeprefix("deal:"))
            self._store_of(taken[-1])[source] -= 1
            self.hand[taken[-1]] += 1

    def _place_hand(self, seat: int, most: int) -> Story:
        """Units in hand go on empty circles, one by one, while the seat likes."""
        last = None
        for _ in range(most):
            places = smuggling.places_for(self.players[seat], self.hand, last)
            choice = yield self._ask(seat, {*places, "pass"})
            if choice == "pass":
                return
            last = unit, spot = unit_and_spot(choice)
            self.hand[unit] -= 1
            move_units(self.players[seat], spot, 1, unit)

    def _coins_of_the_festival(self, made: Counter) -> int:
        """What these goods earn; once they are made the goal is gone (R-FES-8)."""
        festival = self.position.get("festival")
        if not festival or not festival["goods"] or Counter(festival["goods"]) - made:
            return 0
        for good in festival["goods"]:
            self.position["goods"][good] += 1
        festival["goods"] = None
        return FESTIVAL_REWARD

    def _vp_of_the_festival(self, name: str) -> int:
        """What this purchase earns; once it is made the goal is gone (R-FES-9)."""
        festival = self.position.get("festival")
        if not festival or festival["building"] != name:
            return 0
        self.position["buildings"][name] += 1
        festival["building"] = None
        return FESTIVAL_REWARD

    # -- tiles ------------------------------------------------------------------------------------

    def _take_tile(self, seat: int, choice: str) -> Story:
        """Carry out `take:…` or `forest…`, and return what lies on the island now."""
        verb, _, tile = choice.partition(":")
        if choice == "take:quarry":
            self.position["quarries"] -= 1
            self.players[seat]["island"]["quarry"][0] += 1
            return "quarry"
        if choice == "forest":
            self._forest_from_stack(seat)
            return "forest"
        self.position["row"][tile] -= 1
        if verb == "forest":
            self._lay_forest(seat, tile, is_blind=False)
            return "forest"
        yield from self._place_plantation(seat, tile)
        return tile

    def _place_drawn(self, seat: int, tile: str) -> Story:
        """What becomes of a tile from the deck (R-FOH-3)."""
        use = yield self._ask(seat, settling.drawn_tile_uses(self.position, seat))
        if use == "use:plantation":
            yield from self._place_plantation(seat, tile)
            return tile
        if has_forest_stack(self.rules):
            self._shuffle_in(tile)
            self._forest_from_stack(seat)
        else:
            self._lay_forest(seat, tile, is_blind=True)
        return "forest"

    def _forest_from_stack(self, seat: int) -> None:
        self.position["forests"] -= 1
        self.players[seat]["island"]["forest"][0] += 1

    def _lay_forest(self, seat: int, tile: str, *, is_blind: bool) -> None:
        """A plantation goes face down; what is printed on it stays known (Q-31)."""
        player = self.players[seat]
        player["island"]["forest"][0] += 1
        player["forest_kinds"][tile] += 1
        player["forest_blind"][tile] += is_blind

    def _remove_tile(self, seat: int, tile: str, to: str) -> Story:
        """A tile leaves an island for the discard or the row; who stood on it goes home."""
        player = self.players[seat]
        choices = {f"remove:{what}" for what in settling.what_stands_on(player, tile)}
        choice = (yield self._ask(seat, choices)) if len(choices) > 1 else next(iter(choices))
        unit = choice.removeprefix("remove:")
        if unit != "empty":
            move_units(player, tile, -1, unit)
            move_units(player, "portrait", 1, unit)
        player["island"][tile][0] -= 1
        if tile != "forest":
            self.position[to][tile] += 1
        elif has_forest_stack(self.rules):
            self.position["forests"] += 1
        else:
            self.position[to][self._forget_forest(player)] += 1

    def _forget_forest(self, player: dict) -> str:
        """The printed kind of the forest that goes: one everybody has seen, the cheapest kind."""
        kinds, blind = player["forest_kinds"], player["forest_blind"]
        for good in GOODS:
            if kinds[good] > blind[good]:
                kinds[good] -= 1
                return good
        good = next(good for good in GOODS if blind[good] > 0)
        kinds[good] -= 1
        blind[good] -= 1
        return good
