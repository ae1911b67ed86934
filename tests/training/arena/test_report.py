"""What a tournament leaves: the same numbers in words, in tables and in pictures."""

import csv
import io
import itertools
import json

import numpy as np
import pytest
from rich.console import Console

from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import NUM_ROLES, Role
from prico_training.arena.findings import headline
from prico_training.arena.game_table import LATER_FIELDS, GameTable
from prico_training.arena.plots import label
from prico_training.arena.report import report_tables, write_report
from prico_training.arena.report_tables import all_tables, escape
from prico_training.arena.results import ResultsError
from prico_training.arena.summary import summarise
from tests.training.arena.made_games import game, plackett_luce, tables_of

STRENGTH = {"ann": 0.8, "bob": 0.0, "run|7": -0.6}
FILES = {"report.md", "report.json", "agents.csv", "ratings.csv", "seats.csv"}
PICTURES = {"matrix.png", "ratings.png", "seats.png", "scores.png", "lengths.png", "points.png"}
GIVEN = {"games.jsonl", "settings.yaml"}


def write_tournament(folder, games):
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in games)
    (folder / "games.jsonl").write_text(text, encoding="utf-8")
    (folder / "settings.yaml").write_text("seed: 5\ngame:\n  players: 3\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    tables = tables_of(STRENGTH, 3)
    games = plackett_luce(STRENGTH, tables, 12, np.random.default_rng(1), (0.2, -0.2, 0.0))
    folder = write_tournament(tmp_path_factory.mktemp("arena") / "cup", games)
    return folder, write_report(folder), games


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# -- files -----------------------------------------------------------------------------------------


def test_a_report_leaves_its_files_and_nothing_else(tournament):
    folder, _, _ = tournament
    assert {path.name for path in folder.iterdir()} == FILES | PICTURES | GIVEN
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in PICTURES)


def test_the_page_begins_with_the_story(tournament):
    page = (tournament[0] / "report.md").read_text(encoding="utf-8")
    story, _, tables = page.partition("\n## ")
    assert "ann" in story
    assert "order is ann, bob, run\\|7" in story
    assert tables.startswith("One against copies")
    assert "![matrix](matrix.png)" in tables
    assert "    seed: 5" in tables


def test_every_row_of_a_table_has_as_many_cells_as_its_head(tournament):
    page = (tournament[0] / "report.md").read_text(encoding="utf-8")
    tables = [
        list(lines)
        for is_row, lines in itertools.groupby(page.splitlines(), lambda line: line[:1] == "|")
        if is_row
    ]
    assert len(tables) > 10
    for table in tables:
        assert len({line.replace("\\|", "").count("|") for line in table}) == 1


def test_the_table_of_seats_has_a_flat_row_for_each_game_and_seat(tournament):
    folder, _, games = tournament
    rows = read_csv(folder / "seats.csv")
    assert len(rows) == 3 * len(games)
    first = next(one for one in games if one["line_up"] == 0 and one["deal"] == 0)
    for seat, row in enumerate(rows[:3]):
        assert row["agent"] == first["table"][seat]
        assert int(row["score"]) == first["scores"][seat] == int(row["from_vp"])
        assert float(row["win"]) == first["wins"][seat]
        assert (row["deal"], row["seat"], row["format"]) == ("0", str(seat), "copies")
        assert (row["built"], row["end"], row["fault"]) == ("small_market", "city", "")
        assert row["role_mayor"] == "1"


def test_the_table_of_agents_says_what_the_page_says(tournament):
    folder, summary, _ = tournament
    rows = read_csv(folder / "agents.csv")
    assert len(rows) == 3 + 6 + 3
    row = next(one for one in rows if (one["agent"], one["opponent"]) == ("ann", "run|7"))
    win = summary.matrix["ann", "run|7"].win_rate
    assert float(row["win_rate"]) == pytest.approx(win.mean, abs=1e-5)
    assert float(row["win_rate_low"]) == pytest.approx(win.low, abs=1e-5)


def test_the_table_of_ratings_has_agents_and_seats(tournament):
    rows = read_csv(tournament[0] / "ratings.csv")
    names = [(row["kind"], row["name"]) for row in rows]
    assert names[:3] == [("agent", "ann"), ("agent", "bob"), ("agent", "run|7")]
    assert names[3:] == [("seat", "0"), ("seat", "1"), ("seat", "2")]


def test_the_numbers_are_plain_json(tournament):
    folder, summary, _ = tournament
    numbers = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert numbers["agents"] == ["ann", "bob", "run|7"]
    assert len(numbers["matrix"]) == 6
    assert numbers["ratings"]["agents"][0]["elo"]["mean"] == summary.ratings.agents[0].elo.mean


def test_the_terminal_shows_the_same_figures(tournament):
    _, summary, _ = tournament
    console = Console(width=200, record=True, file=io.StringIO())
    for table in report_tables(summary):
        console.print(table)
    shown = console.export_text()
    win = summary.matrix["ann", "bob"].win_rate
    assert f"{win.mean:.1%} [{win.low:.1%}, {win.high:.1%}]" in shown
    assert "among run|7" in shown


def test_the_order_of_the_lines_does_not_matter(tournament):
    _, summary, games = tournament
    assert summarise(GameTable.of(games[::-1])).to_dict() == summary.to_dict()


def test_a_folder_without_a_tournament_is_refused(tmp_path):
    with pytest.raises(ResultsError, match="holds no tournament"):
        write_report(tmp_path)


# -- figures, by hand ------------------------------------------------------------------------------


def small_summary():
    """Two finished games, one cut off, and one that Bob broke."""
    table = ["ann", "bob", "bob"]
    roles = [[0] * NUM_ROLES for _ in table]
    roles[0][Role.MAYOR] = 3
    parts = {part: [0, 0, 0] for part in SCORE_PARTS} | {"vp": [10, 8, 6], "buildings": [9, 7, 5]}
    fault = {"seat": 1, "agent": "bob", "kind": "error", "decision": 4}
    return summarise(
        GameTable.of(
            [
                game(
                    table,
                    [19, 15, 11],
                    deal=0,
                    parts=parts,
                    roles=roles,
                    built=[["wharf", "harbor"], [], []],
                    rounds=14,
                    end=["city", "vp"],
                    seconds=[0.5, 0.1, 0.1],
                ),
                game(table, [12, 30, 15], deal=1, rounds=17, end=["vp"], seconds=[0.7, 0.1, 0.1]),
                game(table, [1, 2, 3], deal=2, outcome="truncated", wins=[0, 0, 0], end=[]),
                game(
                    table,
                    [5, 9, 4],
                    deal=3,
                    outcome="broken",
                    wins=[1, 0, 0],
                    places=[1, 3, 2],
                    end=["city"],
                    faults=[fault | {"text": "Traceback\n  somewhere\nKeyError: 'corn'\n"}],
                ),
            ]
        )
    )


def test_how_games_ended():
    ends = small_summary().endings
    assert {name: one.mean for name, one in ends.outcomes.items()} == {
        "finished": 0.5,
        "truncated": 0.25,
        "broken": 0.25,
    }
    # Of the two finished games both ran out of chips, and one filled a city.
    assert {name: one.mean for name, one in ends.reasons.items()} == {
        "city": 0.5,
        "vp": 1,
        "workers": 0,
    }
    assert ends.combinations == {"city + vp": 0.5, "vp": 0.5}


def test_lengths_and_winners_are_those_of_finished_games():
    summary = small_summary()
    assert (summary.rounds.mean.mean, summary.rounds.counts) == (15.5, {14: 1, 17: 1})
    assert summary.winning_scores.counts == {19: 1, 30: 1}


def test_habits_are_those_of_the_one_alone():
    (ann,) = small_summary().behaviour
    assert ann.agent == "ann"
    # 10 and 12 chips; 9 points of buildings in one of two games.
    assert (ann.points["vp"], ann.points["buildings"]) == (11, 4.5)
    # 3 times mayor and once; a wharf in one of two games, a small market in the other.
    assert ann.roles["mayor"] == 2
    assert ann.buildings == {"small_market": 0.5, "harbor": 0.5, "wharf": 0.5}


def endgame(coins, goods, bought, unstaffed, deal=0, **fields):
    """A game of which the first seat, which is alone, leaves so much; the others leave nothing."""
    nothing = {"bought": [bought, {}, {}], "unstaffed": [unstaffed, [], []]}
    built = [list(bought), [], []]
    left = {"coins": [coins, 0, 0], "goods": [goods, 0, 0], "built": built} | nothing
    return game(["ann", "bob", "bob"], [19, 15, 11], deal, **left | fields)


ENDGAMES = (
    endgame(9, 4, {"wharf": 5, "residence": 14, "hospice": 13, "fortress": 6}, ["residence"]),
    endgame(1, 0, {"harbor": 13, "guild_hall": 10}, ["harbor", "guild_hall"], 1, rounds=17),
)


def test_what_an_agent_leaves_unused_at_the_end_is_told_with_intervals():
    (ann,) = summarise(GameTable.of(ENDGAMES)).behaviour
    left = ann.left
    assert (left.coins.mean, left.barrels.mean, left.coins_and_barrels.mean) == (5, 2, 7)
    # A residence in one game, a guild hall in the other; a harbor is no large building.
    assert left.large_unstaffed.mean == 1
    # Of rounds 14 and 15 the residence alone, which nobody works in; in the other game nothing.
    assert (left.late.mean, left.late_unstaffed.mean) == (0.5, 0.5)
    assert left.rounds.mean == 16
    assert all(one.has_interval and one.contains(one.mean) for one in vars(left).values())


def test_the_shares_of_the_roles_an_agent_takes_sum_to_one():
    roles = [[0] * NUM_ROLES for _ in range(3)]
    roles[0][Role.MAYOR], roles[0][Role.CRAFTSMAN] = 3, 1
    games = [endgame(0, 0, {}, [], deal, roles=roles) for deal in range(2)]
    summary = summarise(GameTable.of(games))
    shares = summary.behaviour[0].role_shares
    assert shares["mayor"].mean == 0.75
    assert sum(share.mean for share in shares.values()) == pytest.approx(1)
    (row,) = next(table for table in all_tables(summary) if table.title == "Roles").rows
    assert row[:3] == ("ann", "3.00; 75.0% [75.0%, 75.0%]", "1.00; 25.0% [25.0%, 25.0%]")


def test_games_of_earlier_versions_leave_staffing_open_and_tell_the_rest(tmp_path):
    old = [{name: line[name] for name in line if name not in LATER_FIELDS} for line in ENDGAMES]
    summary = write_report(write_tournament(tmp_path / "old", old))
    left = summary.behaviour[0].left
    assert left.coins.mean == 5
    assert (left.large_unstaffed.count, left.late.count) == (0, 0)
    table = next(one for one in all_tables(summary) if one.title == "Left at the end")
    assert table.rows[0][4:7] == ("-", "-", "-")
    assert read_csv(tmp_path / "old" / "seats.csv")[0]["large_unstaffed"] == ""


def test_the_table_of_seats_tells_late_purchases_and_empty_large_buildings(tmp_path):
    write_report(write_tournament(tmp_path / "new", list(ENDGAMES)))
    rows = read_csv(tmp_path / "new" / "seats.csv")
    names = ("coins", "barrels", "large_unstaffed", "late", "late_unstaffed")
    assert [rows[0][name] for name in names] == ["9", "4", "1", "1", "1"]
    assert [rows[3][name] for name in names] == ["1", "0", "1", "0", "0"]


def test_thinking_time_is_that_of_decisions():
    pace = {one.agent: one for one in small_summary().timing}
    # 0.5 + 0.7 + 0.01 + 0.01 seconds for four times ten decisions.
    assert pace["ann"].milliseconds.mean == pytest.approx(1220 / 40)
    assert (pace["ann"].seats, pace["bob"].seats, pace["bob"].decisions) == (4, 8, 10)


def test_faults_are_counted_told_and_lost():
    summary = small_summary()
    pace = {one.agent: one for one in summary.timing}
    assert pace["bob"].faults == {"error": 1}
    assert pace["ann"].faults == {}
    story = "\n".join(headline(summary))
    assert "bob broke 1 game (1 error), which it lost" in story
    assert "KeyError: 'corn'" in story
    assert "25.0% of the games were cut off" in story


def test_victories_of_a_seat_are_those_of_everybody_there():
    # Seat 0 wins the first and the broken game, seat 1 the second, nobody the one cut off.
    lines = small_summary().seat_results
    assert [line.win_rate.mean for line in lines] == [0.5, 0.25, 0]
    # Scores of the two finished games: 19 and 12, 15 and 30, 11 and 15.
    assert [line.score.mean for line in lines] == [15.5, 22.5, 13]


def test_people_are_shown_where_four_play():
    four = [game(["ann", "bob", "bob", "bob"], [30, 20, 10, 5], deal) for deal in range(3)]
    tables = {table.title: table for table in all_tables(summarise(GameTable.of(four)))}
    assert "346 tournament games" in tables["Seats"].note
    assert tables["Seats"].rows[1][-1] == "17%"
    assert "people" not in str(all_tables(small_summary()))


# -- whatever is played ----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("deals", [1, 2])
def test_a_handful_of_games_of_any_size_has_a_report(seats, deals):
    tables = tables_of(["ann", "bob"], seats)
    games = plackett_luce({"ann": 1, "bob": 0}, tables, deals, np.random.default_rng(seats))
    summary = summarise(GameTable.of(games))
    story = " ".join(headline(summary))
    pages = [line for table in all_tables(summary) for line in table.markdown()]
    assert "nan" not in "\n".join([story, *pages]).lower()
    assert "too few deals for an interval" in story
    assert ("There is one deal only" in story) == (deals == 1)
    json.dumps(summary.to_dict(), allow_nan=False)


def test_games_that_all_broke_have_a_report(tmp_path):
    fault = {"seat": 0, "agent": "ann", "kind": "crash", "decision": 0, "text": ""}
    broken = {"outcome": "broken", "end": [], "faults": [fault], "wins": [0, 1], "places": [2, 1]}
    games = [game(["ann", "bob"], [0, 0], deal, **broken) for deal in range(2)]
    summary = write_report(write_tournament(tmp_path / "sad", games))
    assert summary.behaviour == ()
    assert summary.rounds is None
    assert summary.ratings.of("ann").bound == "at most"
    assert not (tmp_path / "sad" / "lengths.png").exists()


def test_games_that_were_all_cut_off_rank_nobody():
    cut = {"outcome": "truncated", "end": [], "wins": [0, 0, 0]}
    games = [game(["ann", "bob", "cid"], [3, 2, 1], deal, **cut) for deal in range(2)]
    summary = summarise(GameTable.of(games))
    assert summary.ratings is None
    assert "Nobody is ranked" in headline(summary)[0]
    json.dumps(summary.to_dict(), allow_nan=False)


def test_names_of_any_kind_are_shown_as_they_are(tmp_path):
    names = ["runs/a|b_c", "[x](http://y)", "*$bold_$*", "_hidden_", "<b>", "x" * 60]
    tables = [(one, other) for one in names for other in names if one != other]
    games = plackett_luce(dict.fromkeys(names, 0), tables, 2, np.random.default_rng(1))
    folder = write_tournament(tmp_path / "names", games)
    summary = write_report(folder)
    page = (folder / "report.md").read_text(encoding="utf-8")
    for shown in ("runs/a\\|b_c", "\\[x\\](http://y)", "\\*$bold\\_$\\*", "\\_hidden\\_", "\\<b>"):
        assert f"| {shown} |" in page
    assert {row["agent"] for row in read_csv(folder / "seats.csv")} == set(names)
    console = Console(width=600, record=True, file=io.StringIO())
    console.print(report_tables(summary)[0])
    assert "[x](http://y)" in console.export_text()


def test_markdown_reads_no_meaning_into_a_cell():
    assert escape("a\nb|c") == "a b\\|c"
    assert escape("30.1% [28.0%, 32.2%]") == "30.1% [28.0%, 32.2%]"
    assert escape("# one") == "\\# one"
    assert escape("+3.1") == "+3.1"


def test_pictures_shorten_names_and_write_no_formulas():
    assert label("planner") == "planner"
    assert label("$x$") == r"\$x\$"
    assert len(label("y" * 90)) == 28
