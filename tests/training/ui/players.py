"""Players for tests of the table: some that watch how they are asked, and some that misbehave."""

import threading
from typing import ClassVar


class First:
    """Plays the first allowed action."""

    def reset(self, seat, rules, seed):
        self.seat = seat

    def act(self, view):
        return view.choices[0]


class Witness(First):
    """Remembers what it was shown."""

    seen: ClassVar = []

    def act(self, view):
        self.seen.append(view)
        return super().act(view)


class Cheat(First):
    """Takes the mayor, whatever is asked."""

    def act(self, view):
        return 2


class Clumsy(First):
    """Breaks down."""

    def act(self, view):
        raise ZeroDivisionError


class Sleeper(First):
    """Thinks until it is woken."""

    asked = threading.Event()
    woken = threading.Event()

    def act(self, view):
        self.asked.set()
        assert self.woken.wait(60)
        return super().act(view)
