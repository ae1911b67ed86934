"""Who has how many points, from which parts, and who has won (R-SCO, C.4)."""

from tests.reference.box import BUILDINGS, switch
from tests.reference.position import is_occupied, num_units


def score_parts(position: dict, seat: int) -> dict[str, int]:
    """The points of a seat: VP, printed VP of buildings, and each large building's bonus."""
    player = position["players"][seat]
    bonuses = {
        "guild_hall": guild_hall(player),
        "residence": residence(player, switch(position["rules"], "residence_zero_tiles_vp")),
        "fortress": num_units(player) // 3,
        "customs_house": player["vp"] // 4,
        "city_hall": sum(1 for name in player["city"] if BUILDINGS[name].is_commercial),
    }
    return {
        "vp": player["vp"],
        "buildings": sum(BUILDINGS[name].vp for name in player["city"]),
        **{name: bonus if is_occupied(player, name) else 0 for name, bonus in bonuses.items()},
    }


def guild_hall(player: dict) -> int:
    """1 for each small and 2 for each large production building, occupied or not (R-GUI-1)."""
    worth = {"small production": 1, "large production": 2}
    return sum(worth.get(BUILDINGS[name].sort, 0) for name in player["city"])


def residence(player: dict, for_an_empty_island: int) -> int:
    """4 up to 9 filled island spaces, then 5, 6 and 7 (R-RES-1)."""
    tiles = sum(count for count, _ in player["island"].values())
    if tiles == 0:
        return for_an_empty_island
    return max(4, tiles - 5)


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
