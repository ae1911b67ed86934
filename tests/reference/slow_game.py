"""The whole base game as one straight story: each phase reads from top to bottom.

A phase is a generator. Where a seat has to decide it yields an `Ask` and gets the choice back, so
there is no state machine here to make the same mistake as the engine's. What a phase has to
remember is a local variable.
"""

from collections.abc import Callable, Generator
from copy import deepcopy
from typing import Any, NamedTuple

from tests.reference import building, loading, producing, register, settling, staffing, trading
from tests.reference.box import BUILDINGS, GOODS, HOUSE_SLOTS, SETUPS, switch
from tests.reference.position import (
    all_circles,
    arrangement,
    city_left,
    clockwise,
    is_occupied,
    move_units,
)
from tests.reference.storage import storage_outcomes


class Ask(NamedTuple):
    """A seat has to decide. `outcomes` stands in for `options` where barrels are stored."""

    seat: int
    phase: str
    options: frozenset = frozenset()
    outcomes: frozenset = frozenset()


Phase = Generator[Ask, Any, None]
Reshuffle = Callable[[dict, int | None], list]
"""Puts the discard into an order: given its counts, and the seat a hacienda draws for."""


class SlowGame:
    """A game that is played by rules.md, from the first role choice on.

    Args:
        position: The position after set-up; it is copied.
        reshuffle: Where the order of a new deck comes from.
    """

    def __init__(self, position: dict, reshuffle: Reshuffle) -> None:
        self.position = deepcopy(position)
        self.reshuffle = reshuffle
        self.rules = position["rules"]
        self.players = self.position["players"]
        self.over = self.truncated = False
        self.ask: Ask | None = None
        self._story = self._rounds()
        self._go_on(None)

    def choose(self, choice) -> None:
        """Carry out a choice, and everything that needs none, up to the next real decision."""
        self._go_on(choice)

    def _go_on(self, choice) -> None:
        try:
            self.ask = self._story.send(choice)
            while len(only := self.ask.options or self.ask.outcomes) == 1:
                self.ask = self._story.send(next(iter(only)))
        except StopIteration:
            self.ask, self.over = None, True

    # -- the round (R-RND, R-ROL, R-EOR, R-END) ----------------------------------------------------

    def _rounds(self) -> Phase:
        while True:
            yield from self._round()
            self._end_of_round()
            if self.position["end_triggered"]:
                return
            if self.position["round"] >= switch(self.rules, "max_rounds"):
                self.truncated = True
                return
            self.position["round"] += 1
            self.position["governor"] = clockwise(self.position, self.position["governor"])[1]

    def _round(self) -> Phase:
        order = clockwise(self.position, self.position["governor"])
        for pick in range(SETUPS[self.rules["players"]].picks):
            seat = order[pick % len(order)]
            free = {n: card for n, card in self._roles().items() if card["taken_by"] is None}
            choice = yield Ask(seat, "role", frozenset(f"role:{name}" for name in free))
            name = choice.removeprefix("role:")
            card = self._roles()[name]
            card["taken_by"] = seat
            self.players[seat]["coins"] += card["coins"]
            card["coins"] = 0
            yield from getattr(self, f"_{name.split('_')[0]}")(seat)

    def _end_of_round(self) -> None:
        for card in self._roles().values():
            if card["taken_by"] is None:
                card["coins"] += self._from_bank(1)
        for card in self._roles().values():
            card["taken_by"] = None

    def _roles(self) -> dict:
        return self.position["roles"]

    # -- pieces change hands -----------------------------------------------------------------------

    def _from_bank(self, amount: int) -> int:
        if switch(self.rules, "bank_limited"):
            amount = min(amount, max(0, self.position["bank"]))
        self.position["bank"] -= amount
        return amount

    def _income(self, seat: int, amount: int) -> None:
        self.players[seat]["coins"] += self._from_bank(amount)

    def _award_vp(self, seat: int, amount: int) -> None:
        self.players[seat]["vp"] += amount
        self.position["vp"] -= amount
        if amount and self.position["vp"] <= 0:
            self.position["end_triggered"] = True

    def _to_supply(self, seat: int, good: str, amount: int) -> None:
        self.players[seat]["goods"][good] -= amount
        self.position["goods"][good] += amount

    def _take_worker(self) -> bool:
        """A worker from the supply, else from the register (R-HOS-2, R-UNI-2)."""
        workers = self.position["workers"]
        for source in ("supply", "register"):
            if workers[source] > 0:
                workers[source] -= 1
                return True
        return False

    def _draw_tile(self, seat: int | None = None) -> str | None:
        """The top of the deck; the discard becomes the deck when that is empty (R-STL-13)."""
        deck, discard = self.position["deck"], self.position["discard"]
        if not deck and any(discard.values()):
            deck.extend(self.reshuffle(dict(discard), seat))
            discard.update(dict.fromkeys(GOODS, 0))
        return deck.pop(0) if deck else None

    # -- settler (B.2) -----------------------------------------------------------------------------

    def _settler(self, actor: int) -> Phase:
        for seat in clockwise(self.position, actor):
            yield from self._settle(seat, is_actor=seat == actor)
        row, discard = self.position["row"], self.position["discard"]
        for good in GOODS:
            discard[good] += row[good]
            row[good] = 0
        for _ in range(self.rules["players"] + 1):
            tile = self._draw_tile()
            if tile is not None:
                row[tile] += 1

    def _settle(self, seat: int, *, is_actor: bool) -> Phase:
        island = self.players[seat]["island"]
        drawn = taken = None
        if settling.may_draw(self.position, seat):
            choice = yield Ask(seat, "settler", frozenset({"draw", "pass"}))
            if choice == "draw":
                drawn = self._draw_tile(seat)
                island[drawn][0] += 1
        options = settling.take_options(self.position, seat, is_actor=is_actor)
        choice = yield Ask(seat, "settler", frozenset(options))
        if choice != "pass":
            taken = choice.removeprefix("take:")
            island[taken][0] += 1
            if taken == "quarry":
                self.position["quarries"] -= 1
            else:
                self.position["row"][taken] -= 1
        tiles = settling.hospice_tiles(self.position, seat, drawn, taken)
        if tiles:
            choice = yield Ask(seat, "settler", frozenset(f"hospice:{tile}" for tile in tiles))
            tile = {"hospice:drawn": drawn, "hospice:taken": taken}[choice]
            self._take_worker()
            island[tile][1] += 1

    # -- mayor (B.3) -------------------------------------------------------------------------------

    def _mayor(self, actor: int) -> Phase:
        workers = self.position["workers"]
        if workers["supply"] > 0:
            workers["supply"] -= 1
            self.players[actor]["portrait"] += 1
        for seat, received in register.dealt_workers(self.position, actor).items():
            self.players[seat]["portrait"] += received
        workers["register"] = 0
        for seat in clockwise(self.position, actor):
            yield from self._staff(seat)
        new = register.refill(self.position)
        workers["supply"] -= new.workers
        workers["register"] = new.workers
        self.position["end_triggered"] |= new.ends_the_game

    def _staff(self, seat: int) -> Phase:
        player = self.players[seat]
        edit = staffing.Edit(arrangement(player), player["portrait"], all_circles(player))
        while options := edit.options():
            choice = yield Ask(seat, "mayor", frozenset(options))
            edit.act(choice)
            if choice != "pass":
                change = -1 if choice.startswith("recall") else 1
                move_units(player, choice.partition(":")[2], change)
                player["portrait"] -= change

    # -- builder (B.4) -----------------------------------------------------------------------------

    def _builder(self, actor: int) -> Phase:
        for seat in clockwise(self.position, actor):
            is_actor = seat == actor
            options = building.build_options(self.position, seat, is_actor=is_actor)
            choice = yield Ask(seat, "builder", frozenset(options))
            if choice != "pass":
                self._buy(seat, choice.removeprefix("build:"), is_actor=is_actor)

    def _buy(self, seat: int, name: str, *, is_actor: bool) -> None:
        player = self.players[seat]
        coins = building.price(self.position, seat, name, is_actor=is_actor)
        player["coins"] -= coins
        self.position["bank"] += coins
        has_university = is_occupied(player, "university")
        self.position["buildings"][name] -= 1
        player["city"][name] = 0
        if has_university and BUILDINGS[name].circles > 0 and self._take_worker():
            player["city"][name] = 1
        if city_left(player) == 0:
            self.position["end_triggered"] = True

    # -- craftsman (B.5) ---------------------------------------------------------------------------

    def _craftsman(self, actor: int) -> Phase:
        made = {}
        for seat in clockwise(self.position, actor):
            made[seat] = producing.production(self.position, seat)
            for good, barrels in made[seat].items():
                self._to_supply(seat, good, -barrels)
            self._income(seat, producing.factory_income(self.players[seat], made[seat]))
        kinds = producing.privilege_kinds(self.position, actor, made[actor])
        if kinds:
            choice = yield Ask(actor, "craftsman", frozenset(f"privilege:{k}" for k in kinds))
            self._to_supply(actor, choice.removeprefix("privilege:"), -1)

    # -- trader (B.6) ------------------------------------------------------------------------------

    def _trader(self, actor: int) -> Phase:
        house = self.position["house"]
        for seat in clockwise(self.position, actor):
            player = self.players[seat]
            choice = yield Ask(seat, "trader", frozenset(trading.sell_options(self.position, seat)))
            if choice != "pass":
                good = choice.removeprefix("sell:")
                player["goods"][good] -= 1
                house.append(good)
                self._income(seat, trading.sale_income(player, good, is_actor=seat == actor))
        if len(house) == HOUSE_SLOTS:
            for good in house:
                self.position["goods"][good] += 1
            house.clear()

    # -- captain (B.7) -----------------------------------------------------------------------------

    def _captain(self, actor: int) -> Phase:
        wharf_used, has_loaded = set(), set()
        somebody_loaded = True
        while somebody_loaded:
            somebody_loaded = False
            for seat in clockwise(self.position, actor):
                used = seat in wharf_used
                options = loading.load_options(self.position, seat, wharf_used=used)
                if not options:
                    continue
                choice = yield Ask(seat, "captain", frozenset(options))
                if choice == "pass":
                    continue
                somebody_loaded = True
                barrels = self._ship(seat, choice)
                if choice.startswith("wharf"):
                    wharf_used.add(seat)
                privilege = seat == actor and seat not in has_loaded
                has_loaded.add(seat)
                harbor = is_occupied(self.players[seat], "harbor")
                self._award_vp(seat, barrels + privilege + harbor)
        for seat in clockwise(self.position, actor):
            yield from self._store(seat)
        for ship in self.position["ships"]:
            if ship["barrels"] == ship["size"]:
                self.position["goods"][ship["good"]] += ship["barrels"]
                ship.update(good=None, barrels=0)

    def _ship(self, seat: int, choice: str) -> int:
        """Move the barrels of a load, and return how many they were."""
        verb, good, *ship_number = choice.split(":")
        if verb == "wharf":
            barrels = self.players[seat]["goods"][good]
            self._to_supply(seat, good, barrels)
            return barrels
        number = int(ship_number[0]) - 1
        barrels = loading.legal_cargo(self.position, seat)[good, number]
        self.players[seat]["goods"][good] -= barrels
        ship = self.position["ships"][number]
        ship.update(good=good, barrels=ship["barrels"] + barrels)
        return barrels

    def _store(self, seat: int) -> Phase:
        player = self.players[seat]
        may_discard = switch(self.rules, "voluntary_discard")
        outcomes = storage_outcomes(player, voluntary_discard=may_discard)
        kept = yield Ask(seat, "storage", outcomes=frozenset(outcomes))
        for good, barrels in zip(GOODS, kept, strict=True):
            self._to_supply(seat, good, player["goods"][good] - barrels)

    # -- prospector (B.8) --------------------------------------------------------------------------

    def _prospector(self, actor: int) -> Phase:
        self._income(actor, 1)
        yield from ()
