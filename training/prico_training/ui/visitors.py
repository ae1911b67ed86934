"""Who plays at the page's server: one game for each browser, kept until it is long idle."""

import asyncio
import secrets
import time
from collections import OrderedDict
from typing import Final

from prico_env.errors import PricoError
from prico_training.ui.limits import Limits
from prico_training.ui.session import Session, SessionError
from prico_training.ui.thinking import SearchQueue

_MINUTE: Final = 60.0
_SOON: Final = 0.05


class NoRoomError(PricoError):
    """There are as many games as the server has room for."""


class StaleError(SessionError):
    """The request was made looking at a table that has changed since."""


class Visitor:
    """A browser, and the game it plays.

    Attributes:
        session: Its game.
        lock: Held while something is done with the game, one thing at a time.
        seen: When it last asked for anything, by the monotonic clock.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lock = asyncio.Lock()
        self.seen = time.monotonic()
        self._earlier = 0

    @property
    def version(self) -> int:
        """A number that is another one whenever the table has changed."""
        return self._earlier + self.session.changes

    def begin(self, session: Session) -> None:
        """Play another game."""
        self._earlier = self.version + 1
        self.session = session

    def check(self, version: int) -> None:
        """Refuse what was asked while looking at an older state of the table."""
        if version != self.version:
            raise StaleError(
                "the table has changed since this was asked, perhaps in another tab; "
                "nothing was done, look again"
            )


class Visitors:
    """All browsers that play, by the secret their cookie holds, the one away longest first."""

    def __init__(self, limits: Limits, searches: SearchQueue) -> None:
        """Begin with nobody.

        Args:
            limits: How many may play, and for how long they may be away.
            searches: Where their searches are; who waits for one is not away.
        """
        self._limits = limits
        self._searches = searches
        self._visitors: OrderedDict[str, Visitor] = OrderedDict()
        self._is_watched = False

    def __len__(self) -> int:
        return len(self._visitors)

    def find(self, key: str) -> Visitor | None:
        """Whose secret this is, if they have a game here."""
        return self._see(key) if key in self._visitors else None

    def add(self, session: Session) -> tuple[str, Visitor]:
        """Greet a browser that has no game yet; return its secret, too.

        Raises:
            NoRoomError: There are too many, and nobody is away.
        """
        if len(self) >= self._limits.sessions:
            self._forget(_MINUTE * self._limits.away_minutes, 1 + len(self) - self._limits.sessions)
        if len(self) >= self._limits.sessions:
            raise NoRoomError(
                f"{len(self)} games are going on here, which is all this table has room for; "
                "try again in a while",
            )
        key, visitor = secrets.token_urlsafe(), Visitor(session)
        self._visitors[key] = visitor
        if not self._is_watched:
            self._forget_idle()
        return key, visitor

    def _see(self, key: str) -> Visitor:
        """Take note that a visitor is here."""
        visitor = self._visitors[key]
        visitor.seen = time.monotonic()
        self._visitors.move_to_end(key)
        return visitor

    def _forget(self, seconds: float, most: int) -> None:
        """Forget up to so many games that nobody has asked for so long."""
        before = time.monotonic() - seconds
        for key, visitor in list(self._visitors.items()):
            if visitor.seen > before or most == 0:
                break
            if self._searches.progress(visitor) is None:
                del self._visitors[key]
                most -= 1
            else:
                self._see(key)

    def _forget_idle(self) -> None:
        """Forget idle games now, and again when the next one may be idle."""
        idle = _MINUTE * self._limits.idle_minutes
        self._forget(idle, len(self))
        self._is_watched = bool(self._visitors)
        if self._is_watched:
            oldest = next(iter(self._visitors.values()))
            wait = max(_SOON, oldest.seen + idle - time.monotonic())
            asyncio.get_running_loop().call_later(wait, self._forget_idle)
