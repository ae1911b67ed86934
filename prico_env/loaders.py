"""Players that are given by name or as themselves: how the game finds those it never imports.

The package that the players are in registers a loader for each way they can play, such as one
decision at a time or whole games in compiled code.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from prico_env.errors import PricoError, quoted

Player = TypeVar("Player", bound=Callable[..., object])


class Loaders(Generic[Player]):
    """Finds what plays in one way.

    Attributes:
        loaders: Those that were registered, the last one first.
    """

    def __init__(self, article: str, noun: str, form: str, random: Player) -> None:
        """Begin with nothing but what is built in.

        Args:
            article: ``a`` or ``an``.
            noun: What is found, in one word.
            form: What it is called with, for errors.
            random: What ``"random"`` is: evenly chosen legal actions.
        """
        self.loaders: list[Callable[[str], Player]] = []
        self._article = article
        self._noun = noun
        self._form = form
        self._random = random

    def register(self, loader: Callable[[str], Player]) -> None:
        """Let ``loader`` find by name from now on; the last one registered is asked first.

        A loader raises ``LookupError`` for a name it does not know.
        """
        if not callable(loader):
            raise PricoError(f"a loader is a callable name -> {self._noun}, not {quoted(loader)}")
        self.loaders.insert(0, loader)

    def find(self, given: object) -> Player:
        """Return what was given by name or as itself.

        Raises:
            PricoError: It is neither callable nor a name that anybody knows.
        """
        if callable(given):
            player: Player = given  # type: ignore[assignment]
            return player
        if not isinstance(given, str):
            raise PricoError(
                f"{self._article} {self._noun} is a name or a callable {self._form}, "
                f"not {quoted(given)}"
            )
        if given == "random":
            return self._random
        for loader in self.loaders:
            try:
                return loader(given)
            except LookupError:
                continue
        reason = "no loader knows it" if self.loaders else "no other players are registered"
        raise PricoError(
            f"there is no {self._noun} {quoted(given)}: 'random' is built in, and {reason}; "
            f"import the package of players first, or pass a callable {self._form}"
        )
