"""The sentences of a page in the browser, which the page puts its figures into itself."""

from prico_env.text.localization import EDITION_WORDS, language_of
from prico_env.text.terms import Words


def page_messages(prefix: str, edition: str) -> dict[str, str]:
    """Return the sentences whose keys begin so, with the words of an edition and open figures.

    >>> page_messages("replay_whe", "classic")["replay_where"]
    'Round {round} · {now} of {last}'
    >>> page_messages("replay_curve_co", "classic")
    {'replay_curve_coins': 'doubloons'}
    """
    language = language_of(edition)
    return {
        key: language.finish(said.format_map(_OpenWords(edition)))
        for key, said in language.page.items()
        if key.startswith(prefix)
    }


class _OpenWords(Words):
    """The words of an edition; what is no word of it stays as it is, in braces."""

    def __missing__(self, key: str) -> str:
        return super().__missing__(key) if key in EDITION_WORDS else f"{{{key}}}"
