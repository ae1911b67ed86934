"""The command `prico`, as a person starts it."""

import importlib.metadata
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import prico_env
from prico_agents import load_agent
from prico_agents.registry import known_names
from prico_env import ALL_EXPANSIONS, Game
from prico_training import cli
from prico_training.config import load_config
from prico_training.learning.metrics import columns_of, metrics_of, read_metrics
from tests.rule_sets import BOARD

HOME = Path(cli.__file__).parents[2]
TINY = ["self_play.num_envs=8", "evaluation.curve_deals=1", "evaluation.deals=1", "threads=1"]


def command(words, folder):
    """How a person would start it, from another folder."""
    surroundings = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), COLUMNS="200")
    return {
        "args": [sys.executable, "-m", "prico_training", *words],
        "cwd": folder,
        "env": surroundings,
        "text": True,
    }


def prico(words, folder):
    return subprocess.run(**command(words, folder), capture_output=True, timeout=300, check=False)


def only_run(folder):
    (run,) = (folder / "runs").iterdir()
    return run


# -- training --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run of the smoke settings through the real command."""
    folder = tmp_path_factory.mktemp("trained")
    done = prico(
        ["train", "configs/experiments/smoke.yaml", *TINY, "budget.decisions=2500"], folder
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


@pytest.mark.training
def test_a_run_leaves_everything_a_person_looks_for(trained):
    folder, said = trained
    run = only_run(folder)
    for file in (
        "config.yaml",
        "metrics.csv",
        "report.md",
        "results.json",
        "arena/report.md",
        "arena/games.jsonl",
        "latest",
        "best/latest",
    ):
        assert (run / file).stat().st_size > 0
    for picture in ("curve.png", "reliability.png"):
        assert (run / picture).read_bytes().startswith(b"\x89PNG")
        assert f"]({picture})" in (run / "report.md").read_text()
    assert "One against copies" in said
    assert str(run.name) in said
    results = json.loads((run / "results.json").read_text())
    assert set(results["ranking"]["agents"]) == {"trained", "random"}
    assert results["counts"]["decisions"] >= 2500
    assert results["reliability"]["policy"] == "trained"


@pytest.mark.training
def test_an_agent_can_be_trained_and_ranked_with_expansions(tmp_path, capsys):
    """The file of settings says which; the trained policy then plays the same rules by itself."""
    game = "game=configs/games/1897_en_4_players_expansions.yaml"
    settings = ["configs/experiments/smoke.yaml", *TINY, "budget.decisions=2500"]
    done = prico(["train", *settings, game], tmp_path)
    assert done.returncode == 0, done.stderr
    run = str(only_run(tmp_path))
    words = ["arena", "random", run, "--expansions", "all", "--board", "random", "--deals", "1"]
    assert cli.main([*words, "--processes", "1", "--output", str(tmp_path / "more")]) == 0
    assert "random" in capsys.readouterr().out


@pytest.mark.training
def test_the_report_explains_every_column_of_the_metrics(trained):
    run = only_run(trained[0])
    report = (run / "report.md").read_text()
    config = load_config(run / "config.yaml")
    assert all(f"`{metric.name}`" in report for metric in metrics_of(config))
    rows = read_metrics(run / "metrics.csv", 1e9)
    assert len(rows) >= 2
    header = (run / "metrics.csv").read_text().splitlines()[0]
    assert tuple(header.split(",")) == columns_of(config)


@pytest.mark.training
def test_a_run_goes_on_from_its_checkpoint(trained, capsys):
    folder, _ = trained
    run = only_run(folder)
    before = json.loads((run / "results.json").read_text())["counts"]
    assert cli.main(["train", "--resume", str(run)]) == 2
    assert "used its budget" in capsys.readouterr().err
    done = prico(
        ["train", "--resume", str(run), "budget.decisions=3000", "evaluation.deals=0"], folder
    )
    assert done.returncode == 0, done.stderr
    after = json.loads((run / "results.json").read_text())["counts"]
    assert after["decisions"] >= 3000 > before["decisions"]
    assert after["games"] >= before["games"]
    assert after["seconds"] > before["seconds"]
    assert after["parts"] == 2
    decisions = [row["decisions"] for row in read_metrics(run / "metrics.csv", 1e9)]
    assert decisions == sorted(decisions)
    assert decisions[0] == 0


@pytest.mark.training
def test_the_trained_agent_can_be_ranked_and_watched(trained, tmp_path, capsys):
    run, output = str(only_run(trained[0])), tmp_path / "arena"
    words = [
        "arena",
        f"best={run}/best",
        f"drawn={run}:sampled",
        "--deals",
        "1",
        "--formats",
        "copies",
    ]
    assert cli.main([*words, "--processes", "1", "--output", str(output)]) == 0
    games = [json.loads(line) for line in (output / "games.jsonl").read_text().splitlines()]
    assert len(games) == 2 * 4
    assert not any(game["faults"] for game in games)
    assert cli.main(["play", run, "random", f"{run}:sampled", "random", "--seed", "7"]) == 0
    assert "Final score" in capsys.readouterr().out


def interrupted(words, folder, number):
    """How a run ends that gets a signal while it learns."""
    process = subprocess.Popen(
        **command(words, folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert "wins among" in process.stdout.readline()  # the first point of the curve
        time.sleep(1)
        process.send_signal(number)
        said, wrong = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, wrong
    assert "Stopped early" in said
    return json.loads((only_run(folder) / "results.json").read_text())["counts"]


@pytest.mark.training
def test_an_interrupted_run_keeps_what_it_learnt_and_goes_on(tmp_path):
    words = ["train", "configs/experiments/smoke.yaml", *TINY, "budget.decisions=0"]
    first = interrupted(words, tmp_path, signal.SIGINT)
    assert first["decisions"] > 0
    words = ["train", "--resume", str(only_run(tmp_path)), "evaluation.deals=0"]
    second = interrupted(words, tmp_path, signal.SIGTERM)
    assert second["decisions"] > first["decisions"]


@pytest.mark.training
def test_a_run_does_not_change_its_network_or_its_rules(trained, capsys):
    folder, _ = trained
    run = str(only_run(folder))
    config = (only_run(folder) / "config.yaml").read_bytes()
    for setting in ("network.hidden=[16]", "game.players=3", "opponents.agents=[corn]"):
        assert cli.main(["train", "--resume", run, "budget.decisions=9000", setting]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert (only_run(folder) / "config.yaml").read_bytes() == config


# -- mistakes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["train", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["train", "a.yaml", "b.yaml"], "one settings file"),
        (["train", "ppo.update_epoch=3"], "did you mean 'update_epochs'"),
        (["train", "opponents.agents=[mcts]"], "must name compiled players"),
        (["train", "opponents.agents=[style:16]"], "train with styles such as 'style:0'"),
        (["train", "behaviour_cloning.teacher=nobody"], "no agent is called 'nobody'"),
        (["train", "evaluation.curve=[nobody]"], "no agent is called 'nobody'"),
        (["train", "--resume", "nowhere"], "not a training run"),
        (["play", "random", "nobody"], "no agent is called 'nobody'"),
        (["play", "random"], "number of players"),
        (["play", "random", "random", "--edition", "1879"], "no edition is called '1879'"),
        (["play", "random", "random", "--expansions", "festivall"], "did you mean 'festival'"),
        (["play", "random", "random", "--edition", "x", "--expansions", "all"], "no edition"),
        (["play", "random", "random", "--board", "random"], "not in this rule set"),
        (["play", "--load", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["play", "--load", "game.jsonl", "--seed", "3"], "its own deal and rules"),
        (["play", "random", "random", "--save", "nowhere/game.jsonl"], "cannot be written"),
        (
            ["arena", "random", "planner", "--edition", "classic", "--expansions", "smuggler"],
            "does not exist in classic",
        ),
        (
            ["arena", "random", "planner", "--expansions", "buildings", "--board", "wharf,warf"],
            "did you mean 'wharf'",
        ),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_2(words, says, capsys):
    assert cli.main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("prico: ")
    assert error.count("\n") == 1
    assert says in error


def test_a_strange_word_is_refused_with_the_usage(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["trian"])
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert "Usage: prico" in error
    assert "Did you mean 'train'?" in error


def test_a_look_up_without_its_word_says_its_own_usage(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["building"])
    assert stopped.value.code == 2
    assert "Usage: prico building [OPTIONS] WORD" in capsys.readouterr().err


@pytest.mark.parametrize("verb", sorted(cli.prico.commands))
def test_every_verb_explains_itself(verb, capsys):
    assert cli.main([verb, "-h"]) == 0
    said = capsys.readouterr().out
    assert f"Usage: prico {verb}" in said
    assert cli.main(["--help"]) == 0
    listed = capsys.readouterr().out
    assert f"  {verb} " in listed
    assert "..." not in listed.partition("Commands:")[2]


def test_two_folders_of_a_tournament_do_not_go_together(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["arena", "--resume", "a", "--report", "b"])
    assert stopped.value.code == 2
    assert "--resume and --report do not go together" in capsys.readouterr().err


def test_a_shell_completes_verbs_options_and_agents(monkeypatch, capsys):
    for line, expected in (
        ("prico tr", "train"),
        ("prico building --ed", "--edition"),
        ("prico play plan", "planner"),
    ):
        monkeypatch.setenv("_PRICO_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        with pytest.raises(SystemExit) as stopped:
            cli.main([])
        assert stopped.value.code == 0
        assert f",{expected}" in capsys.readouterr().out


def test_help_and_version_wait_for_no_numerical_library():
    script = (
        "import sys; from prico_training import cli; code = cli.main([sys.argv[1]]); "
        "assert code == 0 and not {'numpy', 'gymnasium', 'prico_env'} & set(sys.modules)"
    )
    for option in ("--help", "-h", "--version"):
        done = subprocess.run(
            [sys.executable, "-c", script, option],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "prico" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    process = subprocess.Popen(
        **command(["rule", "R-CAP"], tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    with process.stderr as complaints:
        assert complaints.read() == ""
    assert process.wait(timeout=60) == 0


def test_ctrl_c_ends_a_verb_with_its_own_exit_code(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("prico_training.precompile.precompile", interrupted)
    assert cli.main(["warm"]) == 130
    assert capsys.readouterr().err == "prico: stopped\n"


# -- the other verbs -------------------------------------------------------------------------------


def test_a_game_can_be_watched_and_recorded(capsys, tmp_path):
    record = tmp_path / "game.jsonl"
    words = ["play", "random", "planner", "--seed", "3", "--edition", "classic"]
    assert cli.main([*words, "--save", str(record)]) == 0
    said = capsys.readouterr().out
    assert "round 1" in said
    assert "Final score" in said
    assert Game.from_record(record.read_text()).over


def test_a_game_from_a_position_is_shown_thought_about_and_played_on(capsys, tmp_path):
    record, later = tmp_path / "game.jsonl", tmp_path / "later.jsonl"
    game = Game.from_dict({"rules": {"players": 2}, "governor": 1})
    game.step("role:builder")
    record.write_text(game.to_record(), encoding="utf-8")
    assert cli.main(["replay", str(record), "--think", "planner"]) == 0
    assert "from a position" in (tmp_path / "game.html").read_text(encoding="utf-8")
    assert cli.main(["play", "random", "random", "--load", str(record), "--save", str(later)]) == 0
    assert "2 players, from a position" in capsys.readouterr().out
    assert Game.from_record(later.read_text(encoding="utf-8")).over


@pytest.mark.parametrize(
    ("words", "expansions", "board", "said"),
    [
        (
            ["--expansions", "citizens, festival"],
            ("citizens", "festival"),
            "standard",
            ("II Citizens (nobles), IV Festival", "Final score"),
        ),
        (
            ["--expansions", "all", "--edition", "1897-de"],
            ALL_EXPANSIONS,
            "draft",
            ("I Neue Gebäude, II Bürger (Adel), III Schmuggler, IV Fest", "Endstand"),
        ),
        (
            ["--expansions", "all", "--edition", "classic", "--board", "random"],
            ("buildings", "citizens"),
            "random",
            ("I New buildings, II Citizens (nobles)", "Final score"),
        ),
        (
            ["--expansions", "buildings", "--board", ",".join(BOARD)],
            ("buildings",),
            BOARD,
            ("I New buildings", "Final score"),
        ),
    ],
)
def test_a_game_with_expansions_can_be_watched(words, expansions, board, said, capsys, tmp_path):
    record = tmp_path / "game.jsonl"
    seats = ["play", "random", "random", "--seed", "3"]
    assert cli.main([*seats, *words, "--save", str(record)]) == 0
    shown = capsys.readouterr().out
    assert all(text in shown for text in said)
    rules = Game.from_record(record.read_text()).rules
    assert (rules.expansions, rules.board) == (expansions, board)


def test_a_person_can_leave_a_game(capsys, monkeypatch):
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("role:settler\nquit\n"))
    assert cli.main(["play", "human", "random", "--seed", "3"]) == 0
    assert "You left the game." in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["action", "117"], ["feature", "42"], ["building", "hospice"], ["rule", "R-CAP-3"]],
)
def test_the_help_desk_answers(words, capsys):
    assert cli.main(words) == 0
    assert capsys.readouterr().out.strip()


def test_the_agents_are_listed_with_what_they_do(capsys):
    assert cli.main(["agents"]) == 0
    said = capsys.readouterr().out
    assert "random      Plays any allowed action" in said
    assert "mcts        Searches a tree" in said
    assert "            simulations=" in said
    assert "RUN         Plays what a trained network likes best." in said


def test_lists_errors_and_completion_know_the_same_agents(capsys, monkeypatch):
    assert cli.main(["agents"]) == 0
    listed = re.findall(r"^(\S+) {2,}\S", capsys.readouterr().out, re.MULTILINE)
    assert cli.main(["play", "random", "nobody"]) == 2
    named = re.search(r"there are: (.*)\)", capsys.readouterr().err)[1].split(", ")
    monkeypatch.setenv("_PRICO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "prico play ")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit):
        cli.main([])
    completed = [line.partition(",")[2] for line in capsys.readouterr().out.splitlines()]
    assert listed == [*named, "RUN"]
    assert completed == named
    assert {"governor", "heuristic", "planner"} <= set(named)


def test_every_agent_that_is_listed_can_be_asked_for(capsys):
    for name in known_names():
        assert load_agent(name)


def test_the_version_is_that_of_the_package(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"prico, version {prico_env.__version__}\n"


def test_the_command_is_the_one_that_packages_install():
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="prico")
    assert script.load() is cli.main


@pytest.mark.slow
def test_the_bench_prints_its_table_and_its_numbers(tmp_path, capsys, monkeypatch):
    from prico_training.bench import environments, playouts, suite

    monkeypatch.setattr(suite, "QUICK", suite.Effort(1, 0.02))
    monkeypatch.setattr(suite, "BATCHES", (64, 256))
    monkeypatch.setattr(suite, "WHOLE_GAMES", 100)
    monkeypatch.setattr(suite, "GAMES_OF_EACH", 1)
    monkeypatch.setattr(environments, "GAMES", 64)
    monkeypatch.setattr(playouts, "GAMES", 64)
    numbers = tmp_path / "bench.json"
    assert cli.main(["bench", "--quick", "--json", str(numbers)]) == 0
    assert "vector" in capsys.readouterr().out
    page = json.loads(numbers.read_text())
    names = " ".join(figure["name"] for figure in page["figures"])
    for words in ("vector step", "all expansions", "all 144 rule sets"):
        assert words in names
    assert all(figure["value"] > 0 for figure in page["figures"])
    assert page["machine"]["numpy"]


def test_idle_threads_sleep_before_any_numerical_library_is_loaded():
    script = (
        "import sys, os, prico_training; assert 'numpy' not in sys.modules; "
        "print(os.environ['OMP_WAIT_POLICY'], os.environ['OPENBLAS_NUM_THREADS'])"
    )
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if name not in ("OMP_WAIT_POLICY", "OPENBLAS_NUM_THREADS")
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=surroundings | {"PYTHONPATH": str(HOME)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["PASSIVE", "1"]
