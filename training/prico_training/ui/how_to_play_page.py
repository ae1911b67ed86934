"""How to play as a page in the browser, which needs no script; for each edition and language."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final
from urllib.parse import urlencode

from prico_env import RuleSet, catalog
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.text.how_to_play import Part, TextTable, how_to_play
from prico_env.text.localization import codes, language_of, load, spoken
from prico_env.text.terms import capital

_DIGITS: Final = frozenset("0123456789")
_LONG: Final = 5
"""Tables with more columns than this are long."""


def how_to_play_html(rules: RuleSet) -> str:
    """Return the page for an edition and a number of players, in the language that is spoken.

    Args:
        rules: The edition and the number of players.
    """
    guide, code = language_of(rules.edition).guide, spoken(rules.edition)
    parts = how_to_play(rules)
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{code}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(guide['title'])} · Puerto Rico</title>",
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
        '<link rel="stylesheet" href="/static/base.css">',
        '<link rel="stylesheet" href="/static/how_to_play.css">',
        "</head>",
        "<body>",
        f"<header><h1>{escape(guide['title'])}</h1><p>{escape(_title(rules))}</p>",
        *_choices(rules),
        "</header>",
        f'<nav aria-label="{escape(guide["contents"])}"><ol>',
        *(
            f'<li><a href="#{part.key}">{escape(part.title)}</a></li>'
            for part in parts
            if part.level == 2  # noqa: PLR2004
        ),
        "</ol></nav>",
        f'<main><p class="help">{escape(guide["help"])}</p>',
        *(line for part in parts for line in _part(part)),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _title(rules: RuleSet) -> str:
    """What the edition is called."""
    said = language_of(rules.edition).page.get(f"edition_{rules.edition}")
    return capital(said or catalog.load(rules.edition).title)


def _choices(rules: RuleSet) -> Iterator[str]:
    """Links to the same page of other editions, numbers of players and languages."""
    guide, code = language_of(rules.edition).guide, spoken(rules.edition)
    here = {"edition": rules.edition, "players": str(rules.players), "language": code}
    editions = ((key, key) for key in catalog.names())
    counts = ((str(count), str(count)) for count in PLAYER_COUNTS)
    languages = ((each, load(each).name) for each in codes())
    yield "<dl>"
    for key, label, among in (
        ("edition", guide["edition"], editions),
        ("players", guide["players"], counts),
        ("language", language_of(rules.edition).page["language"], languages),
    ):
        yield f"<dt>{escape(label)}</dt><dd>{' '.join(_links(here, key, among))}</dd>"
    yield "</dl>"


def _links(here: Mapping[str, str], key: str, among: Iterable[tuple[str, str]]) -> Iterator[str]:
    for value, words in among:
        if here[key] == value:
            yield f'<strong aria-current="true">{escape(words)}</strong>'
        else:
            query = escape(urlencode({**here, key: value}))
            yield f'<a href="/how-to-play?{query}">{escape(words)}</a>'


def _part(part: Part) -> Iterator[str]:
    yield f'<h{part.level} id="{part.key}">{escape(part.title)}</h{part.level}>'
    for paragraph in part.paragraphs:
        yield f"<p>{escape(paragraph)}</p>"
    if part.table is not None:
        yield from _table(part.table)


def _table(table: TextTable) -> Iterator[str]:
    """A table; where there is little room its rows stand below one another, each cell labelled."""
    kind = "table long" if len(table.heads) > _LONG else "table"
    columns = list(zip(*table.rows, strict=True))
    classes = [' class="figure"' if set("".join(cells)) <= _DIGITS else "" for cells in columns]
    yield f'<div class="{kind}" tabindex="0" role="group"><table><thead><tr>'
    for head, style in zip(table.heads, classes, strict=True):
        yield f'<th scope="col"{style}>{escape(head)}</th>'
    yield "</tr></thead><tbody>"
    for name, *cells in table.rows:
        row = "".join(
            f'<td{style} data-label="{escape(head)}">{escape(cell)}</td>'
            for head, style, cell in zip(table.heads[1:], classes[1:], cells, strict=True)
        )
        yield f'<tr><th scope="row">{escape(name)}</th>{row}</tr>'
    yield "</tbody></table></div>"
