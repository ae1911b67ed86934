"""A line typed at a terminal, with editing, history and completion where the platform has them.

On Linux and macOS that is readline, on Windows the console itself edits lines and recalls them.
"""

import contextlib
import functools
import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

_BOLD: Final = ("\x1b[1m", "\x1b[0m")


def read_line(
    prompt: str, phrases: Callable[[], Iterable[str]] = tuple, is_styled: bool = False
) -> str:
    """Read a line from the terminal.

    Args:
        prompt: What stands before it.
        phrases: What the line may become when Tab is pressed; called then.
        is_styled: Whether the terminal shows a prompt in bold letters.

    Raises:
        EOFError: There is no more to read.
    """
    editor = _editor()
    if editor is None:
        return input(_bold(prompt, "", "") if is_styled else prompt)
    if is_styled and not _is_libedit(editor):  # which would count the codes as columns
        prompt = _bold(prompt, "\x01", "\x02")
    with _completing(editor, phrases):
        return input(prompt)


def completions(typed: str, phrases: Iterable[str]) -> list[str]:
    """Return the phrases that begin with what was typed, whatever its case; each once.

    >>> completions("take the c", ["Take the Captain card", "Take the Craftsman card", "pass"])
    ['Take the Captain card', 'Take the Craftsman card']
    """
    begun = typed.casefold()
    return [each for each in dict.fromkeys(phrases) if each.casefold().startswith(begun)]


@functools.cache
def _editor() -> Any:
    """The module that edits lines; None where there is none."""
    try:
        return importlib.import_module("readline")
    except ImportError:
        return None


def _is_libedit(editor: Any) -> bool:
    return "libedit" in (editor.__doc__ or "")


def _bold(prompt: str, begin: str, end: str) -> str:
    """A prompt in bold letters; the marks tell readline that the codes take no room."""
    on, off = _BOLD
    return f"{begin}{on}{end}{prompt}{begin}{off}{end}"


@contextlib.contextmanager
def _completing(editor: Any, phrases: Callable[[], Iterable[str]]) -> Iterator[None]:
    """Complete whole lines meanwhile; a Python prompt around this has its own way back."""
    found: list[str] = []

    def complete(typed: str, place: int) -> str | None:
        if place == 0:
            found[:] = completions(typed, phrases())
        return found[place] if place < len(found) else None

    before = editor.get_completer(), editor.get_completer_delims()
    editor.set_completer(complete)
    editor.set_completer_delims("")
    editor.parse_and_bind("bind ^I rl_complete" if _is_libedit(editor) else "tab: complete")
    try:
        yield
    finally:
        editor.set_completer(before[0])
        editor.set_completer_delims(before[1])
