"""Fills the rules record: an edition, a number of players and switches as kernels read them."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from prico_env import catalog
from prico_env.catalog.draft import candidates, drafts_citizens, priced_buildings, slots
from prico_env.catalog.model import Building, Setup
from prico_env.catalog.options import SWITCHES
from prico_env.core.rules import RULES, Draft
from prico_env.core.start import start_of
from prico_env.ruleset_checks import DRAFT_BOARD, FESTIVAL_NAMED
from prico_env.vocabulary import (
    BUILDINGS,
    NOBODY,
    NUM_TILES,
    TWO_SIDED,
    Expansion,
    Good,
    Role,
    Side,
)

if TYPE_CHECKING:
    from prico_env.ruleset import RuleSet

ALL_WORKERS: Final = 100
"""With citizens all workers are used at every number of players (R-X2-2)."""
NUM_CITIZENS: Final = 20
NUM_FORESTS: Final = 12
"""Forest tiles in the stack of the classic edition (R-X1-10)."""
FESTIVAL_VP: Final = 3
"""The festival asks for a building worth so many VP (R-FES-4)."""


def rules_record(rules: "RuleSet") -> np.ndarray:
    """Return a rule set as kernels read it: a read-only array of `RULES`, shape ``(1,)``."""
    records = np.zeros(1, dtype=RULES)
    box, row = catalog.load(rules.edition), records[0]
    row["num_players"] = rules.players
    row["edition"] = box.number
    row["expansions"] = sum(Expansion[name.upper()] for name in rules.expansions)
    row["num_actions"] = rules.num_actions
    row["num_buildings"] = 1 + max(building.number for building in rules.buildings)
    row["num_spots"] = NUM_TILES + row["num_buildings"]
    _fill_setup(row, rules, box.setups[rules.players])
    _fill_buildings(row, rules, priced_buildings(box, rules.switches))
    row["good_price"] = box.good_price
    row["kind_income"] = box.kind_income
    row["island_score"] = box.island_score
    row["island_score"][0] = rules.residence_zero_tiles_vp
    _fill_switches(row, rules)
    row["start"] = start_of(row)[0]
    records.flags.writeable = False
    return records


def _fill_setup(row: Any, rules: "RuleSet", setup: Setup) -> None:
    """Write the figures of A.2."""
    row["picks_per_round"] = setup.picks_per_round
    row["row_size"] = setup.row_size
    row["starting_tile"] = NOBODY
    for seat, good in enumerate(setup.starting_tiles):
        row["starting_tile"][seat] = good
        penalty = rules.corn_start_penalty if good == Good.CORN else 0
        row["starting_coins"][seat] = setup.coins - penalty
    row["role_in_play"][: Role.PROSPECTOR_1 + setup.prospectors] = 1
    row["role_in_play"][Role.SMUGGLER] = "smuggler" in rules.expansions
    row["worker_supply"] = setup.worker_supply
    row["register_workers"] = setup.register_workers
    if "citizens" in rules.expansions:
        row["citizens"] = NUM_CITIZENS
        row["worker_supply"] = ALL_WORKERS - setup.register_workers
    row["quarries"] = setup.quarries
    row["goods"] = setup.goods
    row["plantations"] = setup.plantations
    row["num_ships"] = len(setup.ships)
    row["ship_size"][: len(setup.ships)] = setup.ships


def _fill_buildings(row: Any, rules: "RuleSet", buildings: tuple[Building, ...]) -> None:
    """Write the table of A.4. Every type has its figures; only types in the game have copies."""
    row["circles"][:NUM_TILES] = 1
    in_play = {building.number for building in rules.buildings}
    for field in ("power_spot", "power", "crop"):
        row[field] = NOBODY
    for building in buildings:
        number = building.number
        row["cost"][number] = building.cost
        row["vp"][number] = building.vp
        row["column"][number] = building.column
        row["spaces"][number] = building.spaces
        if number in in_play:
            row["copies"][number] = building.copies_for(rules.players)
            row["spare_copies"][number] = building.copies - building.copies_for(rules.players)
        row["building_class"][number] = building.building_class
        row["crop"][number] = NOBODY if building.crop is None else building.crop
        row["power"][number] = NOBODY if building.power is None else building.power
        row["power_amount"][number] = building.power_amount
        row["citizen_amount"][number] = building.power_amount
        if building.power in TWO_SIDED:
            row["citizen_amount"][number] = Side.CITIZEN
        if building.power is not None and row["power_spot"][building.power] == NOBODY:
            row["power_spot"][building.power] = NUM_TILES + number
        row["circles"][NUM_TILES + number] = building.circles
    row["start_supply"] = row["copies"]
    if "buildings" in rules.expansions:
        _fill_draft(row, rules, buildings)
    if "festival" in rules.expansions:
        _fill_festival(row, rules, buildings)


def _fill_draft(row: Any, rules: "RuleSet", buildings: tuple[Building, ...]) -> None:
    """Write what the draft chooses among, or what has been chosen (R-X1-1..6, R-X2-10)."""
    extra = drafts_citizens(rules.expansions, rules.switches)
    chosen = rules.board if isinstance(rules.board, tuple) else ()
    for cost, types in candidates(buildings, extra).items():
        row["draft_slots"][cost] = slots(extra)[cost]
        for building in types:
            row["draft_pool"][building.number] = 1
            if building.id in chosen:
                row["board"][building.number] = 1
            else:
                row["start_supply"][building.number] = 0
    pairs = rules.exclusive_buildings or ()
    row["num_pairs"] = len(pairs)
    for number, pair in enumerate(pairs):
        row["pairs"][number] = [BUILDINGS.index(name) for name in pair]
    if not chosen:
        row["draft"] = Draft.BY_PLAYERS if rules.board == DRAFT_BOARD else Draft.AT_RANDOM


def _fill_festival(row: Any, rules: "RuleSet", buildings: tuple[Building, ...]) -> None:
    """Write which buildings the festival may ask for (R-FES-4, Q-148)."""
    row["festival"] = 1
    named = rules.festival_building_pool == "four_named"
    for building in buildings:
        asked = building.id in FESTIVAL_NAMED if named else building.vp == FESTIVAL_VP
        row["festival_pool"][building.number] = asked and row["copies"][building.number] > 0


def _fill_switches(row: Any, rules: "RuleSet") -> None:
    """Write the switches that kernels ask for; those of an expansion left out are 0."""
    for name, switch in SWITCHES.items():
        if switch.field and set(switch.needs) <= set(rules.expansions):
            row[switch.field] = switch.number(rules.switches[name])
    row["forests"] = NUM_FORESTS if row["forest_source_is_own_stack_12"] else 0
