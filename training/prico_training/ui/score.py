"""The score of a game, item by item in the words of the edition, and what breaks ties."""

from prico_env import Game
from prico_env.text.localization import edition_words, language_of


def score_items(game: Game) -> dict[str, list[int]]:
    """Return the points of every seat by item, in the edition's words, and their total.

    Items that gave nobody anything are left out.
    """
    table, key = game.score_table(), game.rules.edition
    edition, labels = edition_words(key), language_of(key).labels
    ours = {"buildings": labels["score_buildings"], "total": labels["score_total"]}
    printed = {**edition.terms, **edition.building_names, **ours}
    items = [item for item in table[0] if item == "total" or any(row[item] for row in table)]
    return {printed.get(item, item): [row[item] for row in table] for item in items}


def tie_break(game: Game) -> list[int]:
    """Return what decides between seats of equal score: coins and barrels together (R-SCO-4)."""
    state, players = game.state[0], game.rules.players
    held: list[int] = (state["coins"] + state["goods"].sum(axis=1))[:players].tolist()
    return held
