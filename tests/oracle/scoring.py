"""Who has how many points, from which parts, and who has won (R-SCO, C.4..C.6)."""

from tests.oracle.box import BUILDINGS, TILES, switch
from tests.oracle.position import forests, is_occupied, num_citizens, num_units

CLOISTER = (0, 1, 3, 6, 10)


def score_parts(position: dict, seat: int) -> dict[str, int]:
    """The points of a seat: VP, printed VP of buildings, and each large building's bonus."""
    player, rules = position["players"][seat], position["rules"]
    bonuses = dict.fromkeys(BONUSES, 0)
    bonuses |= {
        name: count(player, rules) for name, count in BONUSES.items() if works(player, name)
    }
    return {
        "vp": player["vp"],
        "buildings": sum(BUILDINGS[name].vp for name in player["city"]),
        "citizens": num_citizens(player),
        **bonuses,
    }


def works(player: dict, building: str) -> bool:
    """A large building counts only with somebody in it (R-SCO-2)."""
    return is_occupied(player, building)


def guild_hall(player: dict) -> int:
    """1 for each small and 2 for each large production building, occupied or not (R-GUI-1)."""
    worth = {"small production": 1, "large production": 2}
    return sum(worth.get(BUILDINGS[name].sort, 0) for name in player["city"])


def residence(player: dict, for_an_empty_island: int) -> int:
    """4 up to 9 filled island spaces, then 5, 6 and 7 (R-RES-1)."""
    tiles = sum(counts[0] for counts in player["island"].values())
    if tiles == 0:
        return for_an_empty_island
    return max(4, tiles - 5)


def city_hall(player: dict) -> int:
    """1 for each commercial building, itself included (R-CTY-1)."""
    return sum(1 for name in player["city"] if BUILDINGS[name].is_commercial)


def cloister(player: dict) -> int:
    """By sets of three tiles of one type; forests are a type (R-CLO-1, R-CLO-2)."""
    sets = sum(player["island"][tile][0] // 3 for tile in TILES) + forests(player) // 3
    return CLOISTER[sets]


BONUSES = {
    "guild_hall": lambda player, rules: guild_hall(player),
    "residence": lambda player, rules: residence(player, switch(rules, "residence_zero_tiles_vp")),
    "fortress": lambda player, rules: num_units(player) // 3,
    "customs_house": lambda player, rules: player["vp"] // 4,
    "city_hall": lambda player, rules: city_hall(player),
    "cloister": lambda player, rules: cloister(player),
    "royal_garden": lambda player, rules: num_citizens(player),
}
"""What each large building is worth beside its printed VP; the statue is worth no more."""


def scores(position: dict) -> list[int]:
    """One number a seat, as if the game ended now."""
    seats = range(position["rules"]["players"])
    return [sum(score_parts(position, seat).values()) for seat in seats]


def ranking(position: dict) -> list[int]:
    """One place a seat, 1 the best: by score, then by coins and barrels; ties share (R-SCO-4)."""
    standing = [
        (score, player["coins"] + sum(player["goods"].values()))
        for score, player in zip(scores(position), position["players"], strict=True)
    ]
    return [1 + sum(other > own for other in standing) for own in standing]
