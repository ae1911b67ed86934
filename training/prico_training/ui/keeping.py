"""Where the record of a game in the terminal is kept: it outlives whatever ends the game."""

import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from prico_training.errors import StorageError
from prico_training.files import write_text, writing
from prico_training.ui.session import Session
from prico_training.ui.store import data_folder

_MOST_OF_A_SECOND: Final = 1000
"""Games that may begin in one second; each has a file of its own."""


def games_folder() -> Path | None:
    """Return where games are kept that nobody has named a file for; None without a home."""
    folder = data_folder()
    return None if folder is None else folder / "games"


class Keeper:
    """Keeps the record of one game.

    Attributes:
        path: The file; None while there is none.
        problem: Why nothing is kept, if somebody should know.
    """

    def __init__(self, path: Path | None = None, folder: Path | None = None) -> None:
        """Keep a game in a file, or in a new one of a folder, or nowhere.

        Args:
            path: The file that somebody named.
            folder: Where a file is made if none was named, as soon as a person has decided.
        """
        self.path = path
        self.problem = ""
        self._folder = folder if path is None else None

    def keep(self, session: Session) -> None:
        """Write the record.

        Raises:
            StorageError: It cannot be written into the file that was named.
        """
        if self.path is None and self._folder is not None and session.can_undo:
            self._make_file(self._folder)
        if self.path is not None:
            write_text(self.path, session.to_record())

    def _make_file(self, folder: Path) -> None:
        """Find a name for a new file; it is tried, and nothing is kept where that fails."""
        self._folder = None
        moment = time.strftime("%Y-%m-%d-%H%M%S")
        names = [moment, *(f"{moment}-{number}" for number in range(2, _MOST_OF_A_SECOND))]
        try:
            with writing(folder):
                folder.mkdir(0o700, parents=True, exist_ok=True)
            path = next(path for name in names if not (path := folder / f"{name}.jsonl").exists())
            write_text(path, "")
        except StorageError as error:
            self.problem = str(error)
        else:
            self.path = path


def command_line(*words: str | Path) -> str:
    """Return a command as it is typed into a shell of this system."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if sys.platform == "win32" else shlex.join(texts)
