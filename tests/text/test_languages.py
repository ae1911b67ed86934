"""A language is one file of messages, found by looking in their folder."""

import contextvars
import importlib
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import prico_agents
import prico_env
import prico_training
from prico_env import Game, RuleSet, catalog
from prico_env.actions import IDS, NUM_ACTIONS, block_of
from prico_env.catalog import editions
from prico_env.errors import PricoError, UnknownNameError
from prico_env.render import render_svg, render_text
from prico_env.text import (
    describe_action,
    localization,
    messages,
    parse_action,
    phase_state,
    rules_text,
    terms as words_of_editions,
)
from prico_env.text.localization import codes, edition_words, load, override
from prico_env.vocabulary import BUILDINGS, DecisionPoint
from tests.text.added_files import MARKED_LANGUAGE, added_files, forget, unmarked

ENGLISH = load("en")
SETTLER = IDS["role:settler"]

ESPERANTO = '''
"""A language that marks each of its sentences, so that one of another would be seen."""
from prico_env.text.localization import Decision, EditionWords, Language
from prico_env.text.messages.en import MESSAGES as ENGLISH

def marked(sentences):
    return {key: said and f"~{said}~" for key, said in sentences.items()}

CLASSIC = EditionWords.printed_in("classic")

MESSAGES = Language(
    name="~Esperanto~",
    editions={
        "classic": EditionWords(
            goods=marked(CLASSIC.goods),
            roles=marked(EditionWords.printed_in("1897-en").roles),
            buildings=marked(CLASSIC.buildings),
            phases=marked(CLASSIC.phases),
            terms=marked(CLASSIC.terms),
        )
    },
    page=marked(ENGLISH.page),
    terminal=marked(ENGLISH.terminal),
    actions=marked(ENGLISH.actions),
    decisions={
        point: Decision(**marked(said._asdict())) for point, said in ENGLISH.decisions.items()
    },
    heads=marked(ENGLISH.heads),
    labels=marked(ENGLISH.labels),
    cards=marked(ENGLISH.cards),
    guide=marked(ENGLISH.guide),
    rules=marked(ENGLISH.rules),
    reasons=marked(ENGLISH.reasons),
    errors=marked(ENGLISH.errors),
    buildings={"hospice": "~helps {workers}~"},
    explanations=marked(ENGLISH.explanations),
    inside=str.upper,
)
'''
EDITION = """
from dataclasses import replace
from prico_env.catalog.editions.classic import EDITION as CLASSIC
EDITION = replace(CLASSIC, key="esperanto", number=9, title="Esperanto", language="eo")
"""


@pytest.fixture
def add(tmp_path):
    """Adds a file to a package, which finds its files by looking in its folder."""
    with added_files(tmp_path) as add_file:
        yield add_file


@pytest.mark.parametrize("code", codes())
def test_every_language_says_what_english_says_and_shows_the_same_figures(code):
    spoken = load(code)
    assert spoken.actions.keys() == ENGLISH.actions.keys()
    assert spoken.decisions.keys() == ENGLISH.decisions.keys()
    assert spoken.labels.keys() == ENGLISH.labels.keys()
    assert spoken.heads.keys() == ENGLISH.heads.keys()
    assert list(localization._faults(spoken, ENGLISH)) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"labels": {key: said for key, said in ENGLISH.labels.items() if key != "round"}},
            "labels.round is missing",
        ),
        (
            {"actions": {key: said for key, said in ENGLISH.actions.items() if key != "load"}},
            "actions.load is missing",
        ),
        (
            {"decisions": {**ENGLISH.decisions, "sell": localization.Decision("sell")}},
            "decisions.sell.passing is missing",
        ),
        (
            {"heads": {**ENGLISH.heads, "darft": "Draft"}},
            "heads.darft is asked for by nobody",
        ),
        (
            {"actions": {**ENGLISH.actions, "load": "load {word}"}},
            "actions.load shows {word} where English shows {ship}, {word}",
        ),
        (
            {"actions": {**ENGLISH.actions, "draw": "draw a {plantatoin}"}},
            "actions.draw shows {plantatoin} where English shows nothing",
        ),
        (
            {"buildings": {"hospise": "helps"}},
            "buildings.hospise is no building; did you mean 'hospice'?",
        ),
        (
            {"buildings": {"hospice": "helps {wrokers}"}},
            "buildings.hospice shows {wrokers}, which is no word of an edition",
        ),
        (
            {"explanations": {"goes_on": "On."}},
            "explanations.better is missing",
        ),
        (
            {"page": {key: said for key, said in ENGLISH.page.items() if key != "cancel"}},
            "page.cancel is missing",
        ),
        (
            {"terminal": {"round": "round"}},
            "terminal.round shows nothing where English shows {round}",
        ),
        (
            {"rules": {"aim": ENGLISH.rules["aim"]}},
            "rules.captain is missing",
        ),
    ],
)  # fmt: skip
def test_a_sentence_that_is_missing_or_wrong_is_named(changes, fault):
    assert fault in list(localization._faults(replace(ENGLISH, **changes), ENGLISH))


def test_a_kind_of_action_without_a_sentence_is_named_even_in_english(monkeypatch):
    block = localization.BLOCKS[0]._replace(kind="burn", verb="burn", message="burn")
    monkeypatch.setattr(localization, "BLOCKS", (*localization.BLOCKS, block))
    assert list(localization._faults(ENGLISH, ENGLISH)) == ["actions.burn is missing"]


def test_a_language_that_does_not_load_says_which_and_why(add):
    add(messages, "eo", f"{ESPERANTO}\nMESSAGES.labels.clear()\n")
    with pytest.raises(ValueError, match=r"the language 'eo': labels\.action is missing; labels"):
        load("eo")


def test_a_language_that_lacks_a_whole_section_says_which(add):
    add(messages, "eo", ESPERANTO.replace("heads=marked(ENGLISH.heads),", ""))
    with pytest.raises(PricoError, match=r"the language 'eo' cannot be loaded: .*'heads'"):
        load("eo")


def test_a_language_that_does_not_exist_says_how_to_make_it():
    with pytest.raises(KeyError, match=r"no language is called 'eo'.*de, en, fr.*eo\.py"):
        load("eo")


def test_an_edition_in_a_new_language_is_played_described_and_drawn_in_it(add):
    add(messages, "eo", ESPERANTO)
    add(editions, "esperanto", EDITION)
    rules = RuleSet(players=3, edition="esperanto")
    game, chance = Game(rules, seed=4), random.Random(4)
    while not game.over:
        text = game.text()
        assert "~round~ " in text
        assert "~player~ 0" in text
        assert "round" not in text.replace("~round~", "")
        action = chance.choice(game.legal_actions())
        assert game.describe(action).partition(": ")[2].startswith("~")
        game.step(action)
    for action in range(NUM_ACTIONS):
        assert describe_action(rules, action).count("~") >= 2
    load_corn = rules.actions.ids["load:corn:1"]
    assert describe_action(rules, load_corn) == "Captain~: ~~load CORN on ship 1 (4)~"
    assert parse_action(rules, "Captain~: ~~load corn on ship 1~") == load_corn
    assert rules_text(rules).startswith("~Puerto Rico for 3 players.")
    assert "- Hospice (4, 2, 2, 1)~: ~~helps colonists~\n" in rules_text(rules)
    said = words_of_editions.explanation("esperanto", "part_barrels")
    assert said == "~barrels in store~"
    assert "~round~" in render_svg(game)
    assert "~round~" in render_text(game)


def test_no_code_asks_which_language_is_spoken():
    for package in (prico_env, prico_agents, prico_training):
        for path in Path(package.__file__).parent.rglob("*.py"):
            assert not re.search(r"language (?:==|!=|in \()", path.read_text()), path


@pytest.mark.parametrize("code", codes())
def test_a_language_has_a_text_for_every_building_unless_the_catalog_is_written_in_it(code):
    assert not load(code).buildings or set(load(code).buildings) == set(BUILDINGS)


def test_the_rules_in_short_and_what_agents_explain_are_said_in_the_language():
    said = words_of_editions.explanation("1897-de", "part_barrels")
    assert said == "Warensteine im Lager"
    assert rules_text(RuleSet(3, "1897-de")).startswith("Puerto Rico für 3 Spieler.")
    with override("fr"):
        told = rules_text(RuleSet(3, "classic", expansions=("citizens",)))
    assert told.startswith("Puerto Rico pour 3 joueurs.")
    fortress = "Forteresse (10, 4, 4, 1)\u00a0: À la fin\u00a0: 1 PV pour trois colons et nobles"
    assert fortress in told
    assert "Mayor" not in told


def test_numbers_are_written_as_the_language_does():
    figures = {"move": "x", "here": 0.336, "there": 0.328, "other": "y"}
    for code, written in (("en", "33.6%"), ("de", "33,6\u00a0%"), ("fr", "33,6\u00a0%")):
        with override(code):
            assert written in words_of_editions.explanation("classic", "better", **figures)


def test_an_edition_in_an_unknown_language_says_what_is_missing(add):
    add(editions, "esperanto", EDITION)
    with pytest.raises(KeyError, match=r"no language is called 'eo'"):
        describe_action(RuleSet(players=3, edition="esperanto"), 0)


# -- a language other than the edition's own -------------------------------------------------------


def test_inside_override_everything_is_said_in_that_language_and_afterwards_as_it_is_printed():
    game = Game(RuleSet(players=3, edition="1897-en"), seed=4)
    printed = game.text(), render_svg(game), render_text(game)
    with override("de"):
        german = game.text()
        assert game.describe(SETTLER) == "Rollenwahl: Pflanzer nehmen"
        assert "Runde 1" in german
        assert "Arbeitsregister" in german
        assert "Runde 1" in render_svg(game)
        assert "Pflanzer" in render_text(game)
        with override("fr"):
            assert game.describe(SETTLER) == "Choix du rôle\u00a0: prendre la carte planteur"
        assert game.text() == german
    assert (game.text(), render_svg(game), render_text(game)) == printed


def test_the_words_of_an_edition_in_its_own_language_are_those_that_it_prints():
    for edition in catalog.names():
        own = catalog.load(edition)
        with override(own.language):
            assert edition_words(edition) is own


def test_the_original_game_has_the_names_of_its_german_and_french_boxes():
    names = {}
    for code in ("de", "fr"):
        with override(code):
            words = edition_words("classic")
        names[code] = [
            *(words.role_names[role] for role in ("settler", "craftsman", "prospector_1")),
            *(words.building_names[one] for one in ("small_indigo_plant", "customs_house")),
            *(words.terms[term] for term in ("worker", "quarry", "coins")),
        ]
    assert names == {
        "de": [
            *("Siedler", "Aufseher", "Goldsucher", "kleine Indigoküperei", "Zollstation"),
            *("Kolonist", "Steinbruch", "Dublonen"),
        ],
        "fr": [
            *("paysan", "contremaître", "chercheur d'or", "petite indigoterie", "douane"),
            *("colon", "carrière", "doublons"),
        ],
    }


@pytest.mark.parametrize("edition", catalog.names())
@pytest.mark.parametrize("code", codes())
def test_an_edition_in_any_language_reads_back_the_sentences_that_it_writes(edition, code):
    rules = RuleSet(players=5, edition=edition, expansions=catalog.load(edition).expansions)
    with override(code):
        for action in range(0, NUM_ACTIONS, 3):
            if rules.lacks(block_of(action)) is None:
                assert parse_action(rules, describe_action(rules, action)) == action


def test_words_of_a_language_that_no_edition_prints_are_understood_when_it_is_spoken_and_else():
    rules = RuleSet(players=3, edition="1897-en")
    quarry = rules.actions.ids["take:quarry"]
    assert parse_action(rules, "take:carrière") == quarry
    with override("fr"):
        assert parse_action(rules, "take:carriere") == quarry
        assert parse_action(rules, "take:Steinbruch") == quarry


def test_a_sentence_puts_its_articles_right_in_every_language():
    rules = RuleSet(players=3, edition="classic")
    sell_indigo = rules.actions.ids["sell:indigo"]
    with override("fr"):
        assert describe_action(rules, sell_indigo) == "Marchand\u00a0: vendre de l'indigo"
        assert (
            describe_action(RuleSet(3, "1897-de"), sell_indigo)
            == "Marchand\u00a0: vendre des fruits"
        )
    with override("de"):
        said = phase_state.describe_decision(rules, DecisionPoint.MAYOR_PRIVILEGE, 1)
    assert said == "einen weiteren Kolonisten nehmen (1 genommen)"


def test_french_leaves_a_space_that_never_breaks_before_its_colons_and_the_like():
    rules = RuleSet(players=3, edition="1897-en", expansions=["buildings", "festival"])
    with override("fr"):
        game = Game(rules, seed=2)
        texts = [game.text(), rules_text(rules), *map(game.describe, game.legal_actions())]
        take_settler = describe_action(rules, SETTLER)
        assert parse_action(rules, take_settler.replace("\u00a0", " ")) == SETTLER
    language = load("fr")
    for section in ("labels", "cards", "guide", "page", "terminal", "reasons", "errors"):
        texts += getattr(language, section).values()
    assert "\u00a0: " in take_settler
    assert [
        text for text in texts if re.search(r"[^\s\u00a0][:;?!»](\s|$)|[^\u00a0\W] [:;»]", text)
    ] == []


def test_an_unknown_language_is_refused_with_the_list_of_those_that_there_are():
    with pytest.raises(UnknownNameError, match=r"no language is called 'tlh'; .* de, en, fr"):
        with override("tlh"):
            pass
    assert localization.spoken("1897-de") == "de"


def test_a_thread_speaks_the_language_of_the_context_that_it_was_given():
    with override("fr"), ThreadPoolExecutor() as threads:
        context = contextvars.copy_context()
        with_context = threads.submit(context.run, localization.spoken, "1897-de").result()
        without = threads.submit(localization.spoken, "1897-de").result()
    assert (with_context, without) == ("fr", "de")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (replace(load("fr").editions["classic"], goods={}), "editions.classic.goods.corn is"),
        (None, "editions.classic is missing"),
    ],
)
def test_a_language_without_a_word_for_something_in_an_edition_says_which(words, fault):
    editions = {} if words is None else {"classic": words}
    faults = localization._word_faults("fr", replace(load("fr"), editions=editions))
    assert any(fault in one for one in faults)


def test_words_for_an_edition_that_does_not_exist_are_named():
    french = load("fr")
    misspelt = replace(french, editions={**french.editions, "clasic": french.editions["classic"]})
    assert list(localization._word_faults("fr", misspelt)) == [
        "editions.clasic is no edition; did you mean 'classic'?"
    ]


def test_a_language_is_added_by_one_file_and_no_word_of_another_is_in_what_it_says(add):
    add(messages, "xx", MARKED_LANGUAGE)
    for edition in catalog.names():
        known = [edition, "Puerto Rico"]
        modules = catalog.load(edition).expansions
        game, chance = Game(RuleSet(3, edition, modules), seed=4), random.Random(4)
        with override("xx"):
            assert unmarked(rules_text(game.rules), known) == []
            for _ in range(80):
                said = [*game.text(0).splitlines(), *map(game.describe, game.legal_actions())]
                assert [word for line in said for word in unmarked(line, known)] == []
                assert unmarked(render_text(game, 0, False), known) == []
                game.step(chance.choice(game.legal_actions()))


def test_a_language_of_ones_own_lies_in_a_folder_that_the_environment_names(tmp_path, monkeypatch):
    (tmp_path / "xx.py").write_text(MARKED_LANGUAGE)
    monkeypatch.setenv("PRICO_LANGUAGES", str(tmp_path))
    try:
        importlib.reload(messages)
        assert codes() == ("de", "en", "fr", "xx")
        with override("xx"):
            assert Game(seed=1).describe(SETTLER).endswith("‹take the ‹Planter› card›")
        monkeypatch.setenv("PRICO_LANGUAGES", str(tmp_path / "none"))
        with pytest.raises(PricoError, match=r"PRICO_LANGUAGES names .*none, which is no folder"):
            importlib.reload(messages)
    finally:
        monkeypatch.delenv("PRICO_LANGUAGES")
        importlib.reload(messages)
        sys.modules.pop(f"{messages.__name__}.xx", None)
        forget()
    assert "xx" not in codes()


def test_a_language_is_named_by_its_code():
    with pytest.raises(PricoError, match="a language"), override(7):
        pass
