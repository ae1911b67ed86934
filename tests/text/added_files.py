"""Files of one's own in packages that find their files by looking, and a language in which every
message is marked, so that a word which comes from nowhere else is seen."""

import contextlib
import importlib
import re
import sys

from prico_env import catalog
from prico_env.catalog import editions
from prico_env.text import localization, messages, parsing, terms

MARKED_LANGUAGE = '''
"""A language in which every message stands between marks."""
from dataclasses import replace

from prico_env import catalog
from prico_env.text.localization import _PLAIN, Decision, EditionWords
from prico_env.text.messages.en import MESSAGES as ENGLISH

def marked(sentences):
    return {key: said and f"‹{said}›" for key, said in sentences.items()}

def words(edition):
    one = EditionWords.printed_in(edition)
    roles = {"smuggler": "smuggler", **one.roles}
    return EditionWords(*map(marked, (one.goods, roles, one.buildings, one.phases, one.terms)))

MESSAGES = replace(
    ENGLISH,
    **{section: marked(getattr(ENGLISH, section)) for section in _PLAIN},
    name="‹Marked›",
    editions={edition: words(edition) for edition in catalog.names()},
    decisions={
        point: Decision(**marked(said._asdict())) for point, said in ENGLISH.decisions.items()
    },
    buildings=marked({row.id: row.text for row in catalog.buildings()}),
    inside=lambda word: word,
    finish=lambda sentence: sentence,
)
'''


def forget():
    """Forget what has been read from folders."""
    catalog._editions.cache_clear()
    for cached in (
        localization.load,
        localization._worded,
        terms._printed_words,
        terms._engine_words,
        parsing._marked,
        parsing._sentences,
        parsing._kinds_behind,
    ):
        cached.cache_clear()


@contextlib.contextmanager
def added_files(folder):
    """Gives what adds a file to a package; afterwards it is as it was."""
    known, paths = set(sys.modules), {}

    def add(package, name, text):
        home = folder / name
        home.mkdir()
        (home / f"{name}.py").write_text(text)
        paths.setdefault(package, list(package.__path__))
        package.__path__ = [*package.__path__, str(home)]
        importlib.invalidate_caches()
        forget()

    try:
        yield add
    finally:
        for package, path in paths.items():
            package.__path__ = path
        for name in set(sys.modules) - known:
            if name.startswith((messages.__name__, editions.__name__)):
                del sys.modules[name]
        forget()


_MARKED = re.compile("‹[^‹›]*›")
_CUT = re.compile("‹[^‹›]*$|^[^‹›]*›")
"""A line of a name on two, or one that was cut because there was no room."""


def unmarked(text, known=()):
    """The words of a text that stand between no marks, but for those that are known."""
    while (rest := _MARKED.sub("", text)) != text:
        text = rest
    text = _CUT.sub("", text.strip())
    for word in sorted(known, key=len, reverse=True):
        text = re.sub(re.escape(word), "", text, flags=re.IGNORECASE)
    return re.findall(r"[^\W\d_]{2,}", text)
