"""How a seat may set its units, and the one sequence that leads to each way (R-MAY-5..9, R-X2-8).

Staffing is an edit. First units are recalled, one a step, spots ascending, workers before citizens;
`pass` ends that; then what is in hand is placed, ascending likewise. A spot that a kind was
recalled from takes nobody of that kind back.
"""

from itertools import product

from tests.oracle.box import SPOTS
from tests.oracle.position import UNITS

Arrangement = tuple[int, ...]
"""Units by spot, in the order of the spots."""
Pair = tuple[Arrangement, Arrangement]
"""Workers by spot, and citizens by spot."""

NOBODY: Arrangement = (0,) * len(SPOTS)
_SUFFIX = {"worker": "", "citizen": "citizen:"}


def legal_arrangements(units: int, circles: Arrangement) -> set[Arrangement]:
    """Every way to fill exactly `min(units, circles)` circles (R-MAY-7, R-MAY-8). Brute force."""
    filled = min(units, sum(circles))
    ways = product(*(range(count + 1) for count in circles))
    return {way for way in ways if sum(way) == filled}


def legal_pairs(workers: int, citizens: int, circles: Arrangement) -> set[Pair]:
    """The same with two kinds of units: every way, whoever stays on the portrait. Brute force."""
    filled = min(workers + citizens, sum(circles))
    each_spot = (
        [(w, c) for w in range(count + 1) for c in range(count + 1 - w)] for count in circles
    )
    ways = {tuple(zip(*way, strict=True)) for way in product(*each_spot)}
    return {
        (set_workers, set_citizens)
        for set_workers, set_citizens in ways
        if sum(set_workers) + sum(set_citizens) == filled
        and sum(set_workers) <= workers
        and sum(set_citizens) <= citizens
    }


def edit_sequence(
    now: Arrangement,
    then: Arrangement,
    citizens_now: Arrangement = NOBODY,
    citizens_then: Arrangement = NOBODY,
) -> tuple[str, ...]:
    """The one sequence of actions that turns an arrangement into another."""
    recalls, places = [], []
    kinds = (("worker", now, then), ("citizen", citizens_now, citizens_then))
    for unit, before_all, after_all in kinds:
        for spot, before, after in zip(SPOTS, before_all, after_all, strict=True):
            recalls += [f"recall:{_SUFFIX[unit]}{spot}"] * max(0, before - after)
            places += [f"place:{_SUFFIX[unit]}{spot}"] * max(0, after - before)
    return (*recalls, "pass", *places)


def next_actions(sequences: set[tuple[str, ...]], done: tuple[str, ...]) -> set[str]:
    """What may follow `done`, if exactly these sequences are allowed."""
    length = len(done)
    return {s[length] for s in sequences if s[:length] == done and len(s) > length}


class Edit:
    """One seat's staffing, a step at a time.

    An action is allowed while some legal arrangement can still be reached: one in which exactly as
    many circles are filled as can be, with the units there are. For that it is enough to know for
    each spot how few and how many units of each kind it may end with.

    Args:
        circles: By spot.
        workers: Workers by spot.
        hand: Workers not placed.
        citizens: Citizens by spot.
        citizen_hand: Citizens not placed.
    """

    def __init__(
        self,
        workers: Arrangement,
        hand: int,
        circles: Arrangement,
        citizens: Arrangement = NOBODY,
        citizen_hand: int = 0,
    ) -> None:
        self.circles = circles
        self.units = {"worker": list(workers), "citizen": list(citizens)}
        self.total = {"worker": hand + sum(workers), "citizen": citizen_hand + sum(citizens)}
        self.recalled: set[tuple[str, int]] = set()
        self.cursor = (0, 0)
        self.placing = False
        self._in_use = [spot for spot in range(len(SPOTS)) if circles[spot] > 0]

    def hand(self, unit: str) -> int:
        """Units of a kind that are not placed."""
        return self.total[unit] - sum(self.units[unit])

    def options(self) -> set[str]:
        """What the seat may do now; empty when it is done."""
        names = set() if self.placing else {"pass"}
        verb = "place" if self.placing else "recall"
        for kind, unit in enumerate(UNITS):
            names |= {
                f"{verb}:{_SUFFIX[unit]}{SPOTS[spot]}"
                for spot in self._in_use
                if (kind, spot) >= self.cursor and self._is_possible(unit, spot)
            }
        return {name for name in names if self._after(name)._can_finish()}

    def _is_possible(self, unit: str, spot: int) -> bool:
        if not self.placing:
            return self.units[unit][spot] > 0
        filled = sum(self.units[kind][spot] for kind in UNITS)
        may_stand = (unit, spot) not in self.recalled
        return may_stand and filled < self.circles[spot] and self.hand(unit) > 0

    def _after(self, action: str) -> "Edit":
        after = Edit.__new__(Edit)
        after.__dict__.update(self.__dict__)
        after.units = {unit: list(counts) for unit, counts in self.units.items()}
        after.recalled = set(self.recalled)
        after.act(action)
        return after

    def _bounds(self, unit: str, spot: int) -> tuple[int, int]:
        """How few and how many units of a kind a spot may end with."""
        now = self.units[unit][spot]
        place = (UNITS.index(unit), spot)
        was_recalled = (unit, spot) in self.recalled
        if self.placing:
            is_open = place >= self.cursor and not was_recalled
            return now, self.circles[spot] if is_open else now
        fewest = 0 if place >= self.cursor else now
        return fewest, now if was_recalled else self.circles[spot]

    def _can_finish(self) -> bool:
        fewest, most = dict.fromkeys(UNITS, 0), dict.fromkeys(UNITS, 0)
        most_of_both = 0
        for spot in self._in_use:
            bounds = {unit: self._bounds(unit, spot) for unit in UNITS}
            room = {
                unit: min(bounds[unit][1], self.circles[spot] - bounds[other][0])
                for unit, other in zip(UNITS, UNITS[::-1], strict=True)
            }
            for unit in UNITS:
                fewest[unit] += bounds[unit][0]
                most[unit] += room[unit]
            most_of_both += min(self.circles[spot], sum(room.values()))
        most = {unit: min(most[unit], self.total[unit]) for unit in UNITS}
        filled = min(sum(self.total.values()), sum(self.circles))
        enough = all(fewest[unit] <= most[unit] for unit in UNITS)
        return enough and sum(fewest.values()) <= filled <= min(most_of_both, sum(most.values()))

    def act(self, action: str) -> None:
        """Carry out one of the options."""
        verb, _, rest = action.partition(":")
        if verb == "pass":
            self.placing, self.cursor = True, (0, 0)
            return
        unit = "citizen" if rest.startswith("citizen:") else "worker"
        spot = SPOTS.index(rest.removeprefix("citizen:"))
        self.units[unit][spot] += -1 if verb == "recall" else 1
        self.cursor = (UNITS.index(unit), spot)
        if verb == "recall":
            self.recalled.add((unit, spot))
