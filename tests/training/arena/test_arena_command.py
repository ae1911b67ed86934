"""`prico arena`, as a person uses it: plays, stops, goes on, reports, and explains mistakes."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest
import yaml
from rich.console import Console

from prico_env import RuleSet
from prico_training import cli
from prico_training.arena.results import (
    GAMES_FILE,
    SETTINGS_FILE,
    GamesFile,
    read_games,
    write_lines,
)
from prico_training.arena.sequential import Sprt
from prico_training.arena.settings import Entry, tournament_from
from prico_training.arena.tournament import StopRule, play_tournament, read_tournament
from prico_training.errors import ConfigError
from prico_training.progress import GamesProgress
from prico_training.sections import find_settings, read_fields
from tests.training.arena.made_games import game

HOME = "tests.training.arena.players"
FIELD = [f"patient={HOME}:Patient", f"last={HOME}:Last", f"dice={HOME}:DiceTogether"]
WORDS = ["arena", *FIELD, "--players", "2", "--deals", "3", "--processes", "1"]


def start(words, folder, patience=0.0):
    surroundings = dict(
        os.environ,
        PYTHONPATH=os.pathsep.join(sys.path),
        PATIENCE=str(patience),
        COLUMNS="200",
    )
    return subprocess.Popen(
        [sys.executable, "-m", "prico_training", *words],
        cwd=folder,
        env=surroundings,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_games(process, file, number):
    """Wait until so many games have been written, or the process has ended."""
    while process.poll() is None:
        if file.exists() and file.read_bytes().count(b"\n") >= number:
            return
        time.sleep(0.02)
    raise AssertionError(process.communicate())


def table(folder):
    """The games of a folder, without the times."""
    games = sorted(read_games(folder), key=lambda game: (game["line_up"], game["deal"]))
    return [{name: value for name, value in game.items() if name != "seconds"} for game in games]


# -- playing, stopping, going on -------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tournament that nobody disturbs, in two processes."""
    folder = tmp_path_factory.mktemp("whole")
    settings = {
        "agents": [{"name": word.split("=")[0], "agent": word.split("=")[1]} for word in FIELD],
        "game": {"players": 2},
        "deals": 3,
        "processes": 2,
    }
    play_tournament(tournament_from(settings), folder)
    return folder


@pytest.mark.training
def test_a_tournament_that_was_stopped_and_killed_ends_as_one_that_was_not(whole, tmp_path):
    output = tmp_path / "mine"
    file = output / GAMES_FILE
    process = start([*WORDS, "--output", str(output)], tmp_path, patience=0.01)
    try:
        wait_for_games(process, file, 1)
        process.send_signal(signal.SIGINT)
        said, wrong = process.communicate(timeout=120)
        assert process.returncode == 130, wrong
        assert f"prico arena --resume {output}" in said
        stopped = len(list(read_games(output)))
        assert stopped < 18

        process = start(["arena", "--resume", str(output)], tmp_path, patience=0.01)
        wait_for_games(process, file, stopped + 1)
    finally:
        process.kill()
        process.communicate()
    killed = len(list(read_games(output)))
    assert stopped < killed < 18
    with file.open("ab") as torn:
        torn.write(b'{"line_up":3,"table":["last","pa')

    assert cli.main([*WORDS, "--output", str(output)]) == 0
    assert table(output) == table(whole)
    assert len(file.read_bytes().splitlines()) == 18
    assert (output / "report.md").exists()


@pytest.mark.training
def test_every_seating_of_a_deal_is_the_same_deal(whole):
    games = table(whole)
    assert len(games) == 3 * 2 * 3
    for one in games:
        assert one["seed"] == 1 + one["deal"]
    seats = {(one["deal"], *one["table"]) for one in games}
    assert {(deal, second, first) for deal, first, second in seats} == seats


@pytest.mark.training
def test_the_folder_says_what_was_played_and_with_what(whole):
    tournament = read_tournament(whole)
    assert tournament.names == ("patient", "last", "dice")
    assert tournament.game == RuleSet(players=2)
    versions = yaml.safe_load((whole / SETTINGS_FILE).read_text())["versions"]
    assert {"python", "numpy", "numba", "prico"} <= versions.keys()


@pytest.mark.training
def test_what_has_been_played_is_not_played_again(whole, capsys):
    before = (whole / GAMES_FILE).read_bytes()
    assert cli.main(["arena", "--resume", str(whole)]) == 0
    assert (whole / GAMES_FILE).read_bytes() == before
    assert "One against copies" in capsys.readouterr().out


@pytest.mark.training
def test_a_report_can_be_had_again(whole, capsys):
    (whole / "report.md").unlink(missing_ok=True)
    assert cli.main(["arena", "--report", str(whole)]) == 0
    assert (whole / "report.md").exists()
    assert "patient" in capsys.readouterr().out


@pytest.mark.training
def test_another_tournament_does_not_go_into_the_same_folder(whole, capsys):
    for changes, says in (
        (["--seed", "2"], "seed = 1, not 2"),
        (["--players", "3"], "'players': 2"),
        (["--deals", "1"], "3 deals, which cannot become 1"),
        (["--move-seconds", "5"], "move_seconds = 60.0, not 5.0"),
    ):
        assert cli.main(["arena", "--resume", str(whole), *changes]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert says in error
    assert cli.main(["arena", *FIELD[:2], "--players", "2", "--output", str(whole)]) == 2
    assert "agents = " in capsys.readouterr().err


@pytest.mark.training
def test_games_of_another_tournament_are_noticed(whole, tmp_path):
    tournament = read_tournament(whole)
    with GamesFile(tmp_path) as file:
        file.append(write_lines([game(["last", "nobody"], [1, 2])]))
    with pytest.raises(ValueError, match="not in this tournament"):
        play_tournament(tournament, tmp_path)


@pytest.mark.training
@pytest.mark.slow
def test_two_candidates_are_compared_in_each_others_place(tmp_path, capsys):
    words = ["arena", "compare", *FIELD[:2], "--against", f"c={HOME}:Dice", "--players", "3"]
    more = ["--deals", "2", "--output", str(tmp_path / "duel"), "--processes", "1"]
    assert cli.main([*words, *more]) == 0
    assert "patient" in capsys.readouterr().out.splitlines()[-1]
    games = table(tmp_path / "duel")
    assert len(games) == 2 * 3 * 2
    assert all(one["table"].count("c") == 2 for one in games)


@pytest.mark.training
def test_an_agent_that_does_not_exist_stops_everything_before_it_begins(tmp_path, capsys):
    output = tmp_path / "none"
    words = ["arena", "random", "randon", "--output", str(output), "--processes", "1"]
    assert cli.main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "no agent is called 'randon'" in error
    assert not output.exists()


# -- settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["baseline", "search", "smoke"])
def test_the_files_of_settings_can_be_read(name):
    tournament = tournament_from(read_fields(find_settings(f"configs/tournaments/{name}.yaml")))
    assert len(tournament.agents) >= 2
    assert tournament_from(tournament.to_dict()) == tournament


def test_agents_may_join_those_of_a_file(capsys):
    words = ["arena", "configs/tournaments/smoke.yaml", f"mine={HOME}:Dice", "--plan"]
    assert cli.main(words) == 0
    said = capsys.readouterr().out
    assert "42 games of 2 deals" in said  # 3 x 2 x 3 against copies, 3 rotations of one table
    assert "copies" in said
    assert "mixed" in said


def test_a_plan_says_how_many_deals_a_question_takes(capsys):
    words = ["arena", "a=random", "b=random", "--players", "2", "--plan", "--interval", "0.02"]
    assert cli.main(words) == 0
    assert "1,201" in capsys.readouterr().out  # 2,401 games, two of a deal


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["random"], "at least two agents, not 1"),
        (["random", "random"], "'random' is named twice"),
        (["random", "corn\udcff"], r"'corn\udcff' cannot be written as UTF-8"),
        (["random", "human"], "a person cannot take part"),
        (["random", "corn", "--deals", "0"], "at least one deal"),
        (["random", "corn", "--deals", "many"], "deals must be a whole number, not 'many'"),
        (["random", "corn", "--seed", "-3"], "seed runs from 0"),
        (["random", "corn", "--move-seconds", "0"], "move_seconds must be above 0"),
        (["random", "corn", "--move-seconds", ".nan"], "move_seconds must be above 0"),
        (["random", "corn", "--move-seconds", ".inf"], "at most 1,000,000"),
        (["random", "corn", "--deals", "900000000"], "100,000,000 games"),
        (["random", "corn", "--processes", "-1"], "processes must lie from 0 to 1,024, not -1"),
        (["random", "corn", "--formats", "mixd"], "did you mean 'mixed'"),
        (["random", "corn", "--formats", ","], "formats must name some of"),
        (["random", "corn", "--seatings", "some"], "rotations or all, not 'some'"),
        (["random", "corn", "--players", "7"], "number of players"),
        (["random", "corn", "--edition", "1879"], "no edition is called"),
        (["random", "corn", "--stop-when", "nobody"], "names 'nobody', who is not"),
        (["random", "corn", "--bounds", "0,1"], "name the agent there"),
        (["random", "corn", "--stop-when", "corn", "--bounds", "x"], "0.25,0.30, not 'x'"),
        (["random", "corn", "--stop-when", "corn", "--bounds", "0.3,0.2"], "must be the smaller"),
        (["random", "corn", "--plan", "--interval", "2"], "between 0 and 1, not '2'"),
        (["compare", "random", "corn"], "compare A B --against C"),
        (["compare", "random", "--against", "corn"], "compare A B --against C"),
        (["nowhere.yaml", "random"], "nowhere.yaml cannot be read"),
        (["configs/tournaments/smoke.yaml", "configs/tournaments/search.yaml"], "one settings"),
        (["--resume", "nowhere"], "nowhere holds no tournament"),
        (["--report", "nowhere"], "nowhere holds no tournament"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_2(words, says, capsys):
    assert cli.main(["arena", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("prico: ")
    assert error.count("\n") == 1
    assert says in error


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"agents": "random"}, "agents must be a list"),
        ({"agents": ["random", 3]}, r"agents\[1\] must name an agent"),
        ({"agents": ["random", {"name": "x"}]}, r"agents\[1\] must name an agent"),
        ({"agents": ["random", {"agent": "mcts", "settings": 4}]}, "settings must hold named"),
        ({"agents": ["random", "corn"], "against": ["x"]}, "against may be random or corn"),
        ({"agents": ["random", "corn"], "deal": 4}, "did you mean 'deals'"),
    ],
)
def test_a_wrong_file_of_settings_is_explained(fields, says):
    with pytest.raises(ConfigError, match=says):
        tournament_from(fields)


def test_a_name_before_an_agent_is_not_mistaken_for_its_settings():
    assert Entry.of("mcts:simulations=400").name == "mcts:simulations=400"
    assert Entry.of("big=mcts:simulations=400") == Entry("mcts:simulations=400", "big")


@pytest.mark.parametrize(
    ("against", "names"),
    [
        (["corn,planner"], ["corn", "planner"]),
        (["corn", "planner, trader"], ["corn", "planner", "trader"]),
        (
            ["mcts:200,network=governor,big=mcts:400,corn"],
            ["mcts:200,network=governor,big=mcts:400", "corn"],
        ),
        (["big=mcts:400,leaf=static,corn"], ["big", "corn"]),
        (["planner,easy=corn"], ["planner", "easy"]),
    ],
)
def test_several_opponents_are_named_with_commas_between(against, names, capsys):
    words = ["arena", "random", "--formats", "copies", "--deals", "1", "--plan"]
    entries = [entry for text in against for entry in Entry.several(text)]
    assert [entry.name for entry in entries] == names
    if "mcts" not in "".join(against):
        assert cli.main([*words, *(part for one in against for part in ("--against", one))]) == 0
        assert f"{4 * len(names)} games of 1 deals" in capsys.readouterr().out


# -- stopping rules and progress -------------------------------------------------------------------


def test_a_stopping_rule_looks_at_an_agent_or_at_a_difference():
    games = [
        game(table, scores, deal=deal, line_up=line_up)
        for deal in range(40)
        for line_up, (table, scores) in enumerate(
            [(["a", "c"], [9, deal % 3]), (["c", "a"], [3, 9]), (["b", "c"], [1, 5])]
        )
    ]
    verdict = StopRule(Sprt(0.5, 0.6), "a").verdict(games)
    assert verdict.is_final
    assert verdict.mean == 1
    assert StopRule(Sprt.of_difference(0.0, 0.05), "a", "b").verdict(games).mean == 1


def test_a_log_gets_a_line_when_a_tournament_ends():
    screen = io.StringIO()
    with GamesProgress(0, 2000, Console(file=screen, width=200), "arena") as progress:
        progress.show(1000, [("ann", 0.6), ("bob", 0.4)])
        progress.show(2000, [("ann", 0.55), ("bob", 0.45)])
    (line,) = screen.getvalue().splitlines()
    assert line.startswith("2,000 of 2,000 games")
    assert line.endswith("0 s left: ann 55%, bob 45%")
