"""The keys of a position that are a field of the record each: one row for all done with it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from prico_env.core.state import State
from prico_env.ruleset import RuleSet
from prico_env.serialization.fields import BARRELS, NUMBER, Kind, Reader
from prico_env.vocabulary import DecisionPoint, Phase


class Key(NamedTuple):
    """One row of a table of what a block says, for writing, reading and checking it.

    Attributes:
        name: The key.
        kind: What kind of value it has.
        field: The field of the record; that of the key's name where left out.
        modules: The expansions that bring it; none for the base game.
        phases: The phases that remember it; none where any may.
        points: The decision points that need it, at which the game or a decision below waits; none
            where any of its phases may.
        follows: Whether it follows from the rest of a position: then it is written only where it is
            otherwise.
    """

    name: str
    kind: Kind
    field: str = ""
    modules: tuple[str, ...] = ()
    phases: tuple[Phase, ...] = ()
    points: tuple[DecisionPoint, ...] = ()
    follows: bool = False


def keys(*rows: Key) -> tuple[Key, ...]:
    """Return the rows of a table of keys; a field that is left out has the key's name."""
    return tuple(row._replace(field=row.field or row.name) for row in rows)


def written(
    rules: RuleSet, state: State, table: Sequence[Key], seat: int | None = None
) -> dict[str, Any]:
    """Return what a record says of the keys of a table, of one seat where they are a seat's."""
    holder = {key.field: state[key.field] for key in table}
    if seat is not None:
        holder = {field: held[seat] for field, held in holder.items()}
    return {key.name: key.kind.write(rules, holder[key.field]) for key in table}


def read_keys(
    reader: Reader,
    table: Sequence[Key],
    block: Mapping[str, Any],
    where: str,
    seat: int | None = None,
) -> None:
    """Write what a block has of a table of keys, of one seat where they are a seat's."""
    state = reader.state
    for key in table:
        if key.name in block:
            held = state[key.field] if seat is None else state[key.field][seat]
            found = key.kind.read(reader, held, block[key.name], f"{where}{key.name}")
            if seat is None:
                state[key.field] = found
            else:
                state[key.field][seat] = found


TABLE_KEYS: Final = keys(
    Key("round", NUMBER),
    Key("goods", BARRELS, "goods_supply"),
    Key("vp", NUMBER, "vp_pool"),
    Key("quarries", NUMBER),
)
FOREST_KEYS: Final = keys(Key("forests", NUMBER))
PILE_KEYS: Final = keys(Key("row", BARRELS), Key("discard", BARRELS))
UNIT_KEYS: Final = {
    "workers": keys(
        Key("supply", NUMBER, "worker_supply"), Key("register", NUMBER, "register_workers")
    ),
    "citizens": keys(
        Key("supply", NUMBER, "citizen_supply"), Key("register", NUMBER, "register_citizens")
    ),
}
SEAT_KEYS: Final = keys(Key("coins", NUMBER), Key("vp", NUMBER), Key("goods", BARRELS))
SEAT_FOREST_KEYS: Final = keys(Key("forest_kinds", BARRELS), Key("forest_blind", BARRELS))
