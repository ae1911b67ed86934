"""How a seat may set its workers, and the one sequence that leads to each way (R-MAY-5..9).

Staffing is an edit. First workers are recalled, one a step, spots ascending; `pass` ends that; then
what is in hand is placed, ascending; a spot that was recalled from takes nobody back.
"""

from itertools import product

from tests.reference.box import SPOTS

Arrangement = tuple[int, ...]
"""Units by spot, in the order of the spots."""


def legal_arrangements(units: int, circles: Arrangement) -> set[Arrangement]:
    """Every way to fill exactly `min(units, circles)` circles (R-MAY-7, R-MAY-8). Brute force."""
    filled = min(units, sum(circles))
    ways = product(*(range(count + 1) for count in circles))
    return {way for way in ways if sum(way) == filled}


def edit_sequence(now: Arrangement, then: Arrangement) -> tuple[str, ...]:
    """The one sequence of actions that turns an arrangement into another."""
    recalls, places = [], []
    for spot, before, after in zip(SPOTS, now, then, strict=True):
        recalls += [f"recall:{spot}"] * max(0, before - after)
        places += [f"place:{spot}"] * max(0, after - before)
    return (*recalls, "pass", *places)


def next_actions(sequences: set[tuple[str, ...]], done: tuple[str, ...]) -> set[str]:
    """What may follow `done`, if exactly these sequences are allowed."""
    length = len(done)
    return {s[length] for s in sequences if s[:length] == done and len(s) > length}


class Edit:
    """One seat's staffing, a step at a time, by the rule of thumb that players would use.

    An action is allowed while what is then in hand still fits on the circles that stay open to it.
    """

    def __init__(self, now: Arrangement, hand: int, circles: Arrangement) -> None:
        self.units = list(now)
        self.hand = hand
        self.circles = circles
        self.recalled: set[int] = set()
        self.cursor = 0
        self.placing = False

    def _open(self, start: int, closed: set[int]) -> int:
        """Empty circles on the spots from `start` on, without the closed spots."""
        return sum(
            self.circles[spot] - self.units[spot]
            for spot in range(start, len(SPOTS))
            if spot not in closed
        )

    def options(self) -> set[str]:
        """What the seat may do now; empty when it is done."""
        if self.placing:
            return self._places()
        may_recall = (
            f"recall:{SPOTS[spot]}"
            for spot in range(self.cursor, len(SPOTS))
            if self.units[spot] > 0 and self.hand + 1 <= self._open(0, self.recalled | {spot})
        )
        return {"pass", *may_recall}

    def _places(self) -> set[str]:
        to_place = min(self.hand, self._open(self.cursor, self.recalled))
        if to_place == 0:
            return set()
        return {
            f"place:{SPOTS[spot]}"
            for spot in range(self.cursor, len(SPOTS))
            if spot not in self.recalled
            and self.units[spot] < self.circles[spot]
            and to_place <= self._open(spot, self.recalled)
        }

    def act(self, action: str) -> None:
        """Carry out one of the options."""
        verb, _, name = action.partition(":")
        if verb == "pass":
            self.placing, self.cursor = True, 0
            return
        spot = SPOTS.index(name)
        change = -1 if verb == "recall" else 1
        self.units[spot] += change
        self.hand -= change
        self.cursor = spot
        if verb == "recall":
            self.recalled.add(spot)
