"""German: what `en` says, with the words of the German boxes."""

import re
from typing import Final

from prico_env.text.localization import Decision, EditionWords, Language

_NOBODY_MOVES: Final = "niemanden vom {guest_house} umsetzen"
_WEAK_NOUN: Final = re.compile(r"\b(einen|keinen|weiteren|einem|den|dem) Kolonist\b")

_DECIMAL: Final = re.compile(r"(?<=\d)\.(?=\d)")
_PERCENT: Final = re.compile(r"(?<=\d)%")


def _with_weak_nouns(sentence: str) -> str:
    """Write "einen Kolonisten": a weak noun has an ending after an article."""
    return _with_numbers(_WEAK_NOUN.sub(r"\1 Kolonisten", sentence))


def _with_numbers(sentence: str) -> str:
    """Write "33,6 %", as German does."""
    return _PERCENT.sub("\u00a0%", _DECIMAL.sub(",", sentence))


_CLASSIC: Final = EditionWords(
    goods={
        "corn": "Mais",
        "indigo": "Indigo",
        "sugar": "Zucker",
        "tobacco": "Tabak",
        "coffee": "Kaffee",
    },
    roles={
        "settler": "Siedler",
        "mayor": "Bürgermeister",
        "builder": "Baumeister",
        "craftsman": "Aufseher",
        "trader": "Händler",
        "captain": "Kapitän",
        "prospector_1": "Goldsucher",
        "prospector_2": "Goldsucher",
        "smuggler": "Schmuggler",
    },
    buildings={
        "small_indigo_plant": "kleine Indigoküperei",
        "small_sugar_mill": "kleine Zuckermühle",
        "indigo_plant": "Indigoküperei",
        "sugar_mill": "Zuckermühle",
        "tobacco_storage": "Tabakspeicher",
        "coffee_roaster": "Kaffeerösterei",
        "small_market": "kleine Markthalle",
        "hacienda": "Hacienda",
        "construction_hut": "Bauhütte",
        "small_warehouse": "kleines Lagerhaus",
        "hospice": "Hospiz",
        "office": "Kontor",
        "large_market": "große Markthalle",
        "large_warehouse": "großes Lagerhaus",
        "factory": "Manufaktur",
        "university": "Universität",
        "harbor": "Hafen",
        "wharf": "Werft",
        "guild_hall": "Zunfthalle",
        "residence": "Residenz",
        "fortress": "Festung",
        "customs_house": "Zollstation",
        "city_hall": "Rathaus",
        "aqueduct": "Aquädukt",
        "forest_house": "Forsthaus",
        "black_market": "Schwarzmarkt",
        "storehouse": "Lagerschuppen",
        "guest_house": "Gasthaus",
        "trading_post": "Handelsposten",
        "church": "Kirche",
        "small_wharf": "kleine Werft",
        "lighthouse": "Leuchtturm",
        "specialty_factory": "Spezialitätenmanufaktur",
        "library": "Bibliothek",
        "union_hall": "Gewerkschaftshaus",
        "cloister": "Kloster",
        "statue": "Statue",
        "land_office": "Landamt",
        "chapel": "Kapelle",
        "hunting_lodge": "Jagdhütte",
        "notary": "Bauamt",
        "royal_supplier": "Hoflieferant",
        "villa": "Villa",
        "jeweler": "Juwelier",
        "royal_garden": "Königlicher Garten",
    },
    phases={
        "draft": "Wahl der Gebäude",
        "role": "Wahl der Rollen",
        "settler": "Siedlerphase",
        "mayor": "Bürgermeisterphase",
        "builder": "Baumeisterphase",
        "craftsman": "Aufseherphase",
        "trader": "Händlerphase",
        "captain": "Kapitänsphase",
        "storage": "Lagern der Waren",
        "prospector": "Goldsucherphase",
        "smuggler": "Schmuggler",
        "end": "Spielende",
        "over": "Spiel beendet",
    },
    terms={
        "worker": "Kolonist",
        "workers": "Kolonisten",
        "citizen": "Edelmann",
        "citizens": "Edelleute",
        "register": "Kolonistenschiff",
        "worker_supply": "Kolonistenvorrat",
        "portrait": "San Juan",
        "player_board": "Spielertafel",
        "island": "Insel",
        "city": "Stadt",
        "plantation": "Plantage",
        "plantations": "Plantagen",
        "island_tile": "Inselplättchen",
        "quarry": "Steinbruch",
        "quarries": "Steinbrüche",
        "forest": "Wald",
        "forests": "Wälder",
        "row": "offene Plantagen",
        "deck": "verdeckter Stapel",
        "discard": "Ablagestapel",
        "circle": "Kreis",
        "circles": "Kreise",
        "column": "Spalte",
        "commercial_building": "violettes Gebäude",
        "privilege": "Privileg",
        "coin": "Dublone",
        "coins": "Dublonen",
        "good": "Ware",
        "goods": "Waren",
        "barrel": "Warenstein",
        "barrels": "Warensteine",
        "cargo_ship": "Frachtschiff",
        "private_ship": "Werftschiff",
        "trading_house": "Handelshaus",
        "governor": "Gouverneur",
        "vp": "SP",
    },
)

_MAKES: Final = (
    "Jeder {{worker}} hier macht aus einer besetzten {{plantation}} ({{{0}}}) einen {{barrel}} "
    "{{{0}}}."
)

MESSAGES: Final = Language(
    name="Deutsch",
    editions={"classic": _CLASSIC, "1897-en": EditionWords.printed_in("1897-de")},
    actions={
        "pass": "passen",
        "role": "{word} nehmen",
        "take": "{plantation} nehmen ({word})",
        "take:quarry": "{word} nehmen",
        "draw": "zuerst eine verdeckte {plantation} ziehen ({hacienda})",
        "hospice:drawn": "{worker} auf das gezogene Plättchen setzen ({hospice})",
        "hospice:taken": "{worker} auf das genommene Plättchen setzen ({hospice})",
        "recall": "{unit} zurücknehmen ({word})",
        "place": "{unit} einsetzen ({word})",
        "build": "{word} bauen",
        "privilege": "ein weiteres Mal {word} nehmen",
        "sell": "{word} verkaufen",
        "load": "{word} auf Schiff {ship} laden",
        "wharf": "{word} über die {wharf} liefern",
        "store": "{word} ganz einlagern",
        "keep": "einmal {word} behalten",
        "gain": "das Angebotene nehmen",
        "forest_row": "{plantation} als {forest} nehmen ({word})",
        "forest": "{forest} nehmen",
        "board": "{word} ins Spiel bringen",
        "post": "{word} an den {trading_post} verkaufen",
        "small_wharf": "{word} über die {small_wharf} liefern",
        "pay": "mit {unit} bezahlen ({word})",
        "pay:portrait": "mit {unit} bezahlen ({portrait})",
        "pay_good": "mit {word} bezahlen",
        "pay_vp": "mit einem {vp} bezahlen",
        "guest": "{unit} vom {guest_house} umsetzen ({word})",
        "use:plantation": "das gezogene Plättchen als {plantation} legen",
        "use:forest": "das gezogene Plättchen als {forest} legen",
        "deal": "{word} nehmen",
        "villa": "Figur der {villa} aus dem Vorrat nehmen",
        "supply": "{word} zurückgeben ({royal_supplier})",
        "land_buy": "Plättchen kaufen ({land_office})",
        "land_sell": "Plättchen verkaufen ({word}, {land_office})",
        "lodge": "Plättchen entfernen ({word}, {hunting_lodge})",
        "remove:empty": "ein leeres Plättchen entfernen",
        "remove:worker": "ein Plättchen mit {worker} entfernen",
        "remove:citizen": "ein Plättchen mit {citizen} entfernen",
        "raid": "Schiff {ship} leeren",
        "plunder": "{trading_house} leeren",
        "poach": "{workers} abwerben ({register})",
        "capture": "{word} abfangen",
    },
    decisions={
        "choose_role": Decision("eine Rolle wählen"),
        "draw_tile": Decision("zuerst ein Plättchen ziehen?", "kein Plättchen ziehen"),
        "take_tile": Decision("ein Plättchen nehmen", "kein Plättchen nehmen"),
        "staff_tile": Decision(
            "{worker} auf ein neues Plättchen setzen", "keinen {worker} einsetzen"
        ),
        "mayor_privilege": Decision(
            "einen weiteren {worker} nehmen ({value} genommen)",
            "keinen weiteren {worker} nehmen",
            "einen weiteren {worker} nehmen",
        ),
        "recall": Decision("{workers} zurücknehmen", "keine {workers} mehr zurücknehmen"),
        "place": Decision("{workers} einsetzen", "keine {workers} mehr einsetzen"),
        "buy": Decision("bauen", "nichts bauen"),
        "staff_building": Decision(
            "{worker} auf das neue Gebäude setzen", "keinen {worker} einsetzen"
        ),
        "produce": Decision("produzieren", "nichts produzieren", "produzieren"),
        "craftsman_privilege": Decision("einmal mehr nehmen", "nichts dazunehmen"),
        "sell": Decision("verkaufen", "nichts verkaufen"),
        "load": Decision("laden", "nichts laden"),
        "store": Decision("lagern", "nichts mehr behalten"),
        "gain_coins": Decision(
            "{value} {coins} nehmen", "auf die {coins} verzichten", "die {coins} nehmen"
        ),
        "gain_vp": Decision("{value} {vp} nehmen", "auf die {vp} verzichten", "die {vp} nehmen"),
        "phase_begin": Decision("die Phase beginnt"),
        "phase_end": Decision("die Phase endet"),
        "draft": Decision("ein Gebäude für das Spiel wählen"),
        "open_window": Decision("zu Beginn der Phase umsetzen ({guest_house})", _NOBODY_MOVES),
        "turn_window": Decision("vor dem ersten Zug umsetzen ({guest_house})", _NOBODY_MOVES),
        "close_window": Decision("am Ende der Phase umsetzen ({guest_house})", _NOBODY_MOVES),
        "use_tile": Decision("das gezogene Plättchen legen"),
        "take_again": Decision("ein zweites Plättchen nehmen", "kein zweites Plättchen nehmen"),
        "hunt": Decision("{hunting_lodge} nutzen", "kein Plättchen entfernen"),
        "remove_tile": Decision("wählen, welches Plättchen geht ({spot})"),
        "opening": Decision("beginnen"),
        "deal": Decision("vom {register} nehmen", "niemanden nehmen"),
        "hire": Decision("wählen, wer kommt ({spot})"),
        "pay": Decision("{value} {coins} ersetzen"),
        "small_ship": Decision(
            "{small_wharf} nutzen ({value} geliefert)",
            "nichts mehr über die {small_wharf} liefern",
        ),
        "supply": Decision(
            "{royal_supplier} nutzen ({value} zurückgegeben)", "nichts mehr zurückgeben"
        ),
        "smuggle": Decision("schmuggeln", "nichts tun"),
        "raid": Decision(
            "Schiff leeren ({value} genommen)",
            "keine {barrels} mehr nehmen",
            "noch einen {barrel} nehmen",
        ),
        "gather": Decision("wählen, wer kommt (noch {value})"),
        "place_units": Decision(
            "einsetzen, wer auf der Hand ist (höchstens {value})",
            "niemanden mehr einsetzen; der Rest kommt auf das {portrait}",
        ),
        "gain_units": Decision(
            "{value} aus dem Vorrat nehmen",
            "auf Figuren aus dem Vorrat verzichten",
            "Figuren aus dem Vorrat nehmen",
        ),
        "built": Decision("den Bau beenden"),
        "phase_close": Decision("die Phase schließt"),
    },
    heads={
        "role": "Rollenwahl",
        "storage": "Lagern",
        "draft": "Auswahl",
    },
    labels={
        "colon": ": ",
        "semicolon": "; ",
        "action": "Aktion",
        "round": "Runde",
        "player": "Spieler",
        "players": "Spieler",
        "to_act": "am Zug",
        "roles": "Rollen",
        "supply": "Vorrat",
        "ships": "Schiffe",
        "house": "Handelshaus",
        "buildings": "Gebäude im Vorrat",
        "shop": "zu kaufen",
        "empty": "leer",
        "hidden": "verdeckt",
        "unseen": "nach Sorten",
        "you": "du",
        "last_round": "letzte Runde",
        "nothing": "nichts",
        "board": "Gebäude im Spiel",
        "draft": "zu wählen",
        "cost": "Kosten",
        "smuggler": "Schmuggler-Plättchen",
        "tile": "Plättchen",
        "captured": "abgefangen von",
        "festival": "Fest",
        "nobody": "niemand",
        "hand": "auf der Hand",
        "drawn": "gezogen",
        "bank": "Bank",
        "score_now": "Wertung jetzt",
        "truncated": "abgebrochen",
        "order": "es folgen",
        "in_phase": "in dieser Phase",
        "in_round": "bei der Rollenwahl",
        "waiting": "es wartet",
        "so_far": "bisher in dieser Phase",
        "tile_drawn": "Plättchen gezogen",
        "tile_taken": "Plättchen genommen",
        "bought": "gebaut",
        "recalled": "zurückgenommen von",
        "from_on": "nur noch ab {value}",
        "ship": "Schiff",
        "produced": "produziert",
        "privilege": "durch das Privileg",
        "first_circuit": "erster Umlauf",
        "circuit_loads": "{value} Ladungen in diesem Umlauf",
        "idle_turns": "{value} Züge ohne Ladung seit der letzten",
        "captain_loaded": "die SP des Kapitäns sind vergeben",
        "used": "{word} genutzt",
        "passed": "lud zuletzt nicht",
        "stored": "ganz eingelagert",
        "kept": "einzeln behalten",
        "sold": "verkauft",
        "role_captured": "eine abgefangene Rolle",
        "end_workers": "{workers} aufgebraucht",
        "end_city": "{city} voll",
        "end_vp": "{vp} aufgebraucht",
        "score": "Wertung",
        "last": "zuletzt",
        "won": "hat gewonnen",
        "winner": "Sieger",
        "end_turn": "den Zug beenden",
        "rest_returns": "niemanden mehr einsetzen; der Rest kehrt in den Vorrat zurück",
        "by_market": "{gap} davon über den {black_market}",
        "seat_has": "{seat} hat",
        "you_have": "du hast",
        "or": " oder ",
        "score_buildings": "Gebäude",
        "score_total": "gesamt",
        "tile_of_good": "{plantation} {word}",
    },
    # -- explain
    cards={
        "sort_role": "Rollenkarte",
        "sort_shop": "Gebäude zu kaufen",
        "sort_draft": "Gebäude zur Auswahl",
        "sort_built": "Gebäude ({name})",
        "sort_city": "{name}",
        "sort_row": "{plantation}, offen ausliegend",
        "sort_stack": "Plättchen im Vorrat",
        "sort_deck": "{plantations}",
        "sort_drawn": "gezogenes Plättchen",
        "sort_tile": "{name}",
        "sort_island": "{name}",
        "sort_ship": "Frachtschiff",
        "sort_house": "hier werden {goods} verkauft",
        "sort_supply": "{barrels} im Vorrat",
        "sort_units": "Vorrat",
        "sort_register": "wer als Nächstes kommt",
        "sort_pool": "noch zu gewinnen",
        "sort_goods": "im Lager ({name})",
        "sort_coins": "{name}",
        "sort_vp": "{name}",
        "sort_score": "{name}",
        "sort_portrait": "{name}",
        "sort_smuggler": "Erweiterung",
        "sort_festival": "Ziel für alle",
        "sort_hand": "jetzt einzusetzen",
        "sort_phase": "was gerade gespielt wird",
        "fact_on_card": "auf der Karte",
        "fact_taken": "genommen von",
        "fact_production": "Produktion jetzt ({name})",
        "fact_list_price": "aufgedruckter Preis",
        "fact_price": "dein Preis jetzt",
        "fact_as_actor": "mit dem {privilege} der Rolle {role}",
        "fact_quarries_save": "so viel sparen deine {quarries}",
        "fact_barter": "dein {black_market} ersetzt bis zu",
        "fact_worth": "am Ende wert",
        "fact_column": "{quarries}, die höchstens zählen",
        "fact_takes_spaces": "belegte Bauplätze",
        "fact_slots": "noch zu wählende Gebäude für {cost}",
        "fact_chosen": "schon in diesem Spiel",
        "fact_excludes": "schließt aus",
        "fact_left": "übrig",
        "fact_if_building": "könntest du es bauen",
        "fact_staffed": "besetzt",
        "fact_scores": "bringt jetzt",
        "fact_in_row": "in der Auslage",
        "fact_unseen": "noch nicht gesehen",
        "fact_yours": "du hast",
        "fact_there": "vorhanden",
        "fact_known": "darunter aufgedruckt",
        "fact_free": "freie Plätze",
        "fact_loaded": "geladen",
        "fact_sells": "{word} bringt jetzt beim Verkauf",
        "fact_loads": "{word} laden brächte jetzt",
        "fact_arrivals": "so viele {workers} bekämst du",
        "fact_could_build": "du könntest bauen",
        "fact_sold_for": "{trading_house} zahlt",
        "fact_storage": "Lagern würde jetzt mindestens kosten",
        "fact_held": "liegt bei",
        "fact_goal": "verlangt",
        "fact_prize": "Belohnung",
        "fact_decides": "entscheidet",
        "fact_decision": "Entscheidung",
        "yes": "ja",
        "works": "es arbeitet",
        "idle": "es arbeitet nicht",
        "printed_vp": "auf Gebäude gedruckt",
        "in_score": "{change} in der Schlusswertung",
        "chance": "Welches Plättchen gezogen wird, ist Zufall.",
        "will_lose": "Beim Lagern geht dann mindestens verloren: {things}.",
        "would_lose": "Käme gleich danach das Lagern, ginge mindestens verloren: {things}.",
        "not_your_turn": "du bist nicht am Zug: {name} entscheidet gerade",
        "tile_corn": (
            "Mit einem {worker} besetzt liefert sie bei jeder Produktion einen {barrel} {corn}; "
            "ein Gebäude ist dafür nicht nötig."
        ),
        "tile_good": (
            "Mit einem {worker} besetzt liefert sie bei jeder Produktion einen {barrel} {word}, "
            "wenn dazu ein {circle} eines passenden Gebäudes besetzt ist: {plants}."
        ),
        "tile_quarry": (
            "Mit einem {worker} besetzt macht er jedes Gebäude um 1 {coin} billiger; bei einem "
            "Gebäude zählen höchstens so viele {quarries}, wie die Nummer seiner {column} sagt."
        ),
        "tile_forest": (
            "Je zwei {forests} machen jedes Gebäude um 1 {coin} billiger; besetzt werden sie nicht."
        ),
        "deck": (
            "Verdeckte {plantations}; sind keine mehr da, werden die abgelegten neu gemischt."
        ),
        "discard": (
            "Abgelegte {plantations}; sie kommen wieder, wenn keine verdeckten mehr da sind."
        ),
        "drawn": (
            "Es wird offen gelegt oder verdeckt als {forest}; nur wer es gezogen hat, kennt es."
        ),
        "ship": (
            "Es fasst bis zu {size} {barrels}, alle von einer Sorte, die dann kein anderes Schiff "
            "lädt. Ein volles Schiff wird nach der Phase geleert."
        ),
        "supply": (
            "Wer {word} produziert, nimmt es von hier; ist nichts mehr da, bekommt niemand mehr "
            "davon."
        ),
        "units": "Noch hat sie niemand. Von hier kommen sie ins {register}.",
        "goods": (
            "{barrels} werden im {trading_house} für {coins} verkauft oder für {vp} verschifft. "
            "Was danach nicht gelagert werden kann, geht in den Vorrat zurück."
        ),
        "coins": (
            "Damit werden Gebäude bezahlt. Bei gleicher Wertung gewinnt, wer mehr {coins} und "
            "{barrels} zusammen hat."
        ),
        "vp": "Erworben durch verschiffte {goods} und durch das, was manche Gebäude tun.",
        "portrait": (
            "Hier warten sie, bis sie auf {circles} eingesetzt werden; nur dort arbeiten sie."
        ),
        "hand": (
            "Sie werden jetzt eingesetzt; wer übrig bleibt, geht zurück oder wartet hier: "
            "{portrait}."
        ),
    },
    guide={
        "title": "So wird gespielt",
        "aim": "Worum es geht",
        "setup": "Zu Beginn",
        "setup_text": (
            "Alle haben einen Plan mit zwei Hälften, {island} und {city}; wer beginnt, ist "
            "{governor}. Was sonst "
            "bereitliegt, hängt von der Zahl der Spieler ab."
        ),
        "setup_players": "Spieler",
        "setup_coins": "{coins} für jeden",
        "setup_tiles": "erste {plantations}, vom {governor} an",
        "setup_vp": "{vp} zu gewinnen",
        "setup_workers": "{workers} im Vorrat",
        "setup_register": "{workers} für den Anfang ({register})",
        "setup_row": "offene Plättchen",
        "setup_ships": "Plätze der Schiffe",
        "setup_prospectors": "Karten: {prospector_1}",
        "setup_picks": "genommene Rollenkarten je Runde",
        "round": "Eine Runde",
        "roles": "Die Rollen",
        "roles_text": (
            "Wer eine Karte nimmt, beginnt und hat allein das {privilege}; dann folgen die anderen "
            "im Uhrzeigersinn."
        ),
        "goods": "Die Waren",
        "goods_text": (
            "Eine {plantation} liefert einen {barrel}; für alles außer {corn} braucht es dazu ein "
            "Gebäude. Teure Waren bringen beim Verkauf mehr; auf dem Schiff sind alle gleich viel "
            "wert."
        ),
        "goods_name": "Ware",
        "goods_price": "Verkaufspreis",
        "goods_tiles": "{plantations}",
        "goods_barrels": "{barrels}",
        "buildings": "Die Gebäude",
        "buildings_text": (
            "Ein Gebäude arbeitet, solange jemand darauf steht. So viele {quarries} können es "
            "billiger machen, wie seine {column} sagt. Gebäude der {column} 4 sind groß: Sie "
            "belegen zwei Plätze, und die meisten bringen am Ende {vp}."
        ),
        "building_name": "Gebäude",
        "building_cost": "Preis",
        "building_vp": "{vp}",
        "building_column": "{column}",
        "building_circles": "{circles}",
        "building_copies": "Anzahl",
        "building_does": "was es tut",
        "end": "Das Ende, und wer gewonnen hat",
        "expansions": "Erweiterungen",
        "draft_slots": "Von jedem Preis werden so viele gewählt: {slots}.",
        "expansions_text": "Jede kann allein oder mit anderen dazukommen.",
        "edition": "Ausgabe",
        "players": "Spieler",
        "contents": "Inhalt",
        "help": (
            "Am Tisch erklärt sich jede Stelle des Bretts selbst: mit der Maus darauf bleiben, "
            "sie antippen oder ? drücken, wenn sie den Fokus hat."
        ),
    },
    page={
        # -- who is who
        "name_governor": "Basisnetz",
        "name_generalist": "Netz",
        "sits_in_for": "vertritt {whom}",
        # -- drafts
        "draft_in_hand": "{units} auf der Hand: {count}",
        "draft_to_pay": "Noch zu zahlen: {count}",
        "draft_kept": "Behalten: {kept} von {held}",
        "draft_more": "{place}: {unit} dazu",
        "draft_fewer": "{place}: {unit} weg",
        "draft_review": "Was getan wird: {count}",
        "draft_by": "So würde es {agent} machen.",
        "draft_done": "Fertig",
        "draft_fill": "Auffüllen",
        "draft_suggest": "Vorschlag",
        "draft_before": "Wie vorher",
        "draft_clear": "Leeren",
        "draft_single": "Einzeln",
        "draft_together": "Alles auf einmal",
        "draft_close": "Jetzt nicht",
        "made_as_one": "{count} Entscheidungen auf einmal",
        "draft_staffing": "{workers} einsetzen",
        "draft_storage": "{barrels} behalten",
        "draft_payment": "Fehlende {coins} bezahlen",
        "draft_handout": "Einsetzen, wer auf der Hand ist",
        "draft_guests": "Gäste umsetzen",
        "draft_storage_rule": "Ganze Sorten: {kinds}. Einzelne {barrels} dazu: {singles}.",
        "draft_storage_singles": "Einzelne {barrels}: {singles}.",
        "draft_payment_rule": (
            "Abgegeben werden dürfen höchstens eine Figur, ein {barrel} und ein {vp}; "
            "jedes zahlt 1."
        ),
        "draft_handout_rule": "Höchstens {count} dürfen eingesetzt werden.",
        "draft_full": "{place}: Platz ist für {count}.",
        "draft_short": "Es gibt nur {there}.",
        "draft_stays": "{place}: Wer dort eingesetzt wurde, bleibt dort.",
        "draft_not_back": (
            "{place}: Wer dort weggenommen wurde, kommt in dieser Phase nicht zurück."
        ),
        "draft_held_back": (
            "{hand} auf der Hand und {free} frei: Niemand bleibt auf dem {portrait}, "
            "solange noch Platz ist."
        ),
        "draft_choose": "Noch zu wählen: {count}.",
        "draft_units": "Figuren",
        "draft_goes_back": "geht zurück",
        "draft_storage_many": "So viel darf nicht behalten werden. {rule}",
        "draft_storage_few": "Es wird behalten, so viel erlaubt ist. {rule}",
        "draft_pay_more": "Noch zu zahlen: {count}.",
        "draft_pay_less": "Das ist {count} zu viel.",
        "draft_chance": "„{move}“ deckt etwas Zufälliges auf: erst diesen Zug allein machen.",
        "draft_unreachable": "Dahin führen keine erlaubten Züge.",
        # -- explain
        "card_close": "Schließen",
        "card_more": "? zeigt die Regeln",
        "card_rules": "Die Regeln dazu",
        "card_rules_language": "Der Regeltext ist auf Englisch.",
        "how_to_play": "Regeln",
        # -- thinking
        "thinks": "{agent} denkt nach: {seconds:.0f} s",
        "waits": "{agent} wartet: {before} Suchen vor dieser",
        "waits_for_one": "{agent} wartet: 1 Suche vor dieser",
        "cut": "Die Zeit für eine Suche an diesem Tisch war um; so weit war sie bis dahin.",
        "cancel": "Abbrechen",
        # -- study
        "replay_players": "{count} Spieler",
        "replay_seed": "Startwert {seed}",
        "replay_position": "ab einer Stellung",
        "replay_needs_scripts": "Diese Seite spielt eine Partie nach und braucht dafür Skripte.",
        "replay_old_browser": "Diese Seite braucht einen Browser von 2023 oder später.",
        "replay_damaged": "Diese Seite ist beschädigt:",
        "replay_board": "Spielbrett",
        "replay_enlarge": "Der ganze Plan von {name}",
        "replay_decision": "Entscheidung",
        "replay_steps": "Schritte",
        "replay_first": "Anfang",
        "replay_round_back": "Vorige Runde",
        "replay_back": "Vorige Entscheidung",
        "replay_play": "Abspielen",
        "replay_pause": "Pause",
        "replay_forward": "Nächste Entscheidung",
        "replay_round_on": "Nächste Runde",
        "replay_last": "Ende",
        "replay_key_home": "Pos1",
        "replay_key_end": "Ende",
        "replay_key_page_up": "Bild ↑",
        "replay_key_page_down": "Bild ↓",
        "replay_key_space": "Leertaste",
        "replay_speed": "Tempo",
        "replay_slow": "langsam",
        "replay_normal": "normal",
        "replay_fast": "schnell",
        "replay_very_fast": "sehr schnell",
        "replay_keys": "← → Entscheidung · Bild ↑ ↓ Runde · Leertaste spielt ab",
        "replay_decisions": "Entscheidungen",
        "replay_forced_too": "auch erzwungene",
        "replay_forced": "erzwungen",
        "replay_over_game": "Im Verlauf der Partie",
        "replay_dealt": "Das Spiel ist aufgebaut",
        "replay_round": "Runde {round}",
        "replay_where": "Runde {round} · {now} von {last}",
        "replay_where_spoken": "Entscheidung {now} von {last}, Runde {round}, {what}",
        "replay_won": "Sieg für {names}",
        "replay_tie": "Gleichstand zwischen {names}",
        "replay_and": " und ",
        "replay_cut": "abgebrochen, weil die Zahl der Runden begrenzt war",
        "replay_unfinished": "nicht zu Ende gespielt",
        "replay_view": "(aus deren Sicht)",
        "replay_rather": "{name} würde lieber: {choice}",
        "replay_reviewer": "Was {name} dazu meint",
        "replay_hint_for": "Ein Tipp für {name}",
        "replay_thought": "Was {name} dachte",
        "replay_nothing_yet": "Noch ist nichts entschieden.",
        "replay_nothing_else": "Etwas anderes war nicht möglich.",
        "replay_no_analysis": "Zu dieser Entscheidung gibt es keine Analyse.",
        "replay_chance_before": "Gewinnchance vor dieser Entscheidung",
        "replay_chance_last": "Gewinnchance, wie zuletzt gesehen",
        "replay_cost": "Sie hat die Gewinnchance um {loss} gesenkt.",
        "replay_would_choose": "Würde wählen: {choice}",
        "replay_played_instead": "Gespielt: {choice}",
        "replay_choices": "Möglichkeiten",
        "replay_choices_of": "{what}: Möglichkeiten",
        "replay_weight": "Gewicht",
        "replay_wins": "gewinnt",
        "replay_more": "und {count} weitere",
        "replay_best": "seine Wahl",
        "replay_played": "gespielt",
        "replay_why": "Warum",
        "replay_curve_score": "Punkte",
        "replay_curve_chances": "Gewinnchance",
        "replay_curve_coins": "{coins}",
        "replay_curve_vp": "{vp}",
        "replay_curve_goods": "{barrels}",
        "replay_curve_workers": "{workers}",
        "replay_curve_tiles": "{island}",
        "replay_curve_buildings": "Gebäude",
        "replay_about_score": "als endete die Partie jetzt",
        "replay_about_chances": "wie {name} sie sieht, für jeden Platz",
        "replay_curve_label": "{title}, eine Kurve für jeden Spieler über die Partie",
        "replay_score": "Endstand",
        "replay_score_so_far": "Stand am Ende der Aufzeichnung",
        "replay_total": "Summe",
        "replay_tie_break": "Bei Gleichstand: {coins} und {barrels}",
        "replay_place": "Rang",
        "replay_costly": "Die teuersten Entscheidungen",
        "replay_costly_about": (
            "Wie {name} es sieht: um wie viel die Gewinnchance dessen, der entschied, kleiner "
            "ist als nach der Wahl von {name}, und wie es gespielt hätte."
        ),
        "replay_costly_none": (
            "Wie {name} es sieht, hat keine Entscheidung auch nur ein Zehntelprozent "
            "Gewinnchance gekostet."
        ),
        "replay_line": "{name} hätte gespielt:",
        "replay_accuracy": "Genauigkeit",
        "replay_accuracy_agreed": "So gut wie seine Wahl",
        "replay_accuracy_loss": "Verlorene Chance je Entscheidung",
        "replay_accuracy_decisions": "Entscheidungen",
        "replay_accuracy_about": (
            "Nach {name}. Eine Entscheidung ist so gut wie seine Wahl, wenn sie weniger als 0,1"
            " Prozentpunkte Gewinnchance verliert. Die Genauigkeit ist das Mittel von 103,1668 "
            "· exp(−0,04354 · verlorene Prozentpunkte) − 3,1669 über die Entscheidungen, die "
            "Formel von lichess.org für einen Zug im Schach: Ihre Zahlen sind an Schach "
            "angepasst, darum vergleicht sie Spieler einer Partie, nicht Partien. Nacheinander "
            "eingesetzte Figuren zählen als eine Entscheidung."
        ),
        "replay_play_on": "Von hier weiterspielen",
        "replay_play_on_about": (
            "Diese Datei ist die Partie bis zu der Entscheidung, die die Seite zeigt. Sie lässt"
            " sich weiterspielen, mit beliebigen Agenten und Menschen an den Plätzen."
        ),
        "replay_download": "Die Partie bis hier herunterladen",
        "replay_play_on_terminal": "Im Terminal:",
        "replay_play_on_page": "Oder auf der Seite laden, die prico serve öffnet.",
        "replay_close": "Schließen",
        "puzzle_right": "Richtig: {best}.",
        "puzzle_wrong": "Nicht das Beste: {chosen}. Das Beste ist: {best}.",
        "puzzle_sure": (
            "{count} tiefe Suchen sind sich einig: Die Gewinnchance ist danach um mindestens "
            "{lead:.1%} höher als nach jeder anderen Wahl."
        ),
        "puzzle_chances": "{move}: {here:.1%} Gewinnchance; {other}: {there:.1%}.",
        "puzzle_misled": "Diese Spieler hätten sich hier geirrt: {names}.",
        "puzzle_misled_one": "Ein Spieler hätte sich hier geirrt: {names}.",
        "puzzle_title": "Aufgabe {number} von {count}",
        "puzzle_about": "{rules}. Runde {round}, {phase}: Was ist die beste Wahl für {who}?",
        "puzzle_next": "Die Eingabetaste zeigt die nächste, q hört auf",
        "puzzle_score": "Richtig: {right} von {asked}.",
        "puzzle_others": (
            "Der planner findet davon {planner}, die anderen Heuristiken im Mittel {others:.1f}."
        ),
        "puzzle_skipped": "Nicht beantwortet. Das Beste ist: {best}.",
        "puzzle_all_solved": (
            "Alle diese Aufgaben sind beantwortet; sie werden noch einmal gestellt."
        ),
        "puzzle_skip_help": "zeigt die Antwort und geht zur nächsten Aufgabe",
        "puzzle_page": "Aufgaben",
        "puzzle_moves": "Deine Möglichkeiten",
        "puzzle_forward": "Nächste Aufgabe",
        "puzzle_back": "Vorige Aufgabe",
        "puzzle_table": "Zurück zum Tisch",
        "puzzle_why": "Warum",
        "puzzle_kind": "Art",
        "puzzle_every_kind": "alle Arten",
        "puzzle_choose_role": "welche Rolle",
        "puzzle_buy": "was zu bauen ist",
        "puzzle_take_tile": "welches Plättchen",
        "puzzle_load": "was zu laden ist",
        "puzzle_place": "wo eingesetzt wird",
        "puzzle_sell": "was zu verkaufen ist",
        "puzzle_craftsman_privilege": "welche zusätzliche Ware",
        "puzzle_store": "was zu behalten ist",
        "replay_open": "Nachspielen und lernen",
        "replay_opening": "Die Seite wird erstellt…",
        "replay_seats": "Wer sitzt wo",
        "replay_seat": "Platz {seat}",
        "replay_go_on": "Weiterspielen",
        "replay_go_on_from": "Ein neues Spiel beginnt bei Entscheidung {decision} von diesem.",
        "replay_cancel": "Abbrechen",
        "puzzle_best": "beste Wahl",
        "puzzle_help": (
            "In jeder Stellung ist eine Wahl klar die beste, und wer nach dem Anschein geht, "
            "verfehlt sie."
        ),
        # -- places without words
        "place_island": "Insel von {name}",
        "place_city": "Stadt von {name}",
        "place_goods": "Lager von {name}",
        "place_row": "offenes Plättchen",
        "place_other": "Stelle auf dem Tisch",
        "place_festival": "Fest",
        # -- table
        "language": "Sprache",
        "new_game": "Neues Spiel",
        "undo": "Zurücknehmen",
        "save": "Speichern",
        "load": "Laden",
        "record_to_load": "Partie zum Laden",
        "pace": "Agenten spielen",
        "pace_slow": "langsam",
        "pace_fast": "schnell",
        "pace_instant": "sofort",
        "pause": "Pause",
        "go_on": "Weiter",
        "dismiss": "Diese Meldung schließen",
        "board": "Spielbrett",
        "who_plays": "Wer spielt",
        "final_score": "Endwertung",
        "place": "Platz",
        "your_moves": "Deine Züge",
        "moves_here": "Züge hier",
        "search_share": "Wie weit die Suche ist",
        "hint": "Tipp",
        "hinted": "Tipp",
        "ask": "Fragen",
        "adviser": "Wer den Tipp gibt",
        "what_happened": "Verlauf",
        "round": "Runde {round}",
        "before_first_round": "Vor der ersten Runde",
        "forced": "erzwungen",
        "nothing_else": "Nichts anderes war möglich",
        "you": "du",
        "your_turn": "du bist am Zug",
        "your_turn_of": "du bist am Zug ({name})",
        "to_decide": "{name} entscheidet",
        "no_game_yet": "Noch kein Spiel",
        "no_game_notice": "Auf dem Tisch ist kein Spiel. Beginne ein neues, oder lade eins.",
        "has_won": "Das Spiel ist aus: gewonnen hat {names}",
        "tied": "Das Spiel ist aus: gewonnen haben {names}",
        "and": " und ",
        "from_position": "ab einer Stellung",
        "seed_of": "Startwert {seed}",
        "count_players": "{count} Spieler",
        "no_answer": "Der Tisch antwortet nicht. Läuft `prico serve` noch?",
        "strange_answer": "Der Tisch antwortet {status}.",
        "too_large": "{file} ist zu groß für eine gespeicherte Partie.",
        # -- several people
        "games": "Partien",
        "seats": "Plätze",
        "seats_title": "Wer wo sitzt: Platz per Link anbieten, Agenten spielen lassen, umbenennen",
        "games_title": "Deine Partien",
        "no_games": "Du hast hier noch keine Partien.",
        "open_game": "Öffnen",
        "leave_game": "{title} verlassen",
        "leave_short": "Verlassen",
        "leave_warning": (
            "Diese Partie endgültig verlassen? Wo andere spielen, übernimmt ein Agent deinen "
            "Platz; sonst wird sie gelöscht."
        ),
        "game_over": "beendet",
        "this_game": "diese Partie",
        "seat_code": "Code eines Platzes",
        "join": "Platz nehmen",
        "join_title": "An einem Tisch Platz nehmen",
        "join_where": "Platz {seat} bei „{title}“, mit {names}",
        "join_taken": (
            "Dort sitzt schon {name}. Wenn du das bist, übernimm den Platz in diesem Browser."
        ),
        "take_over": "Platz übernehmen",
        "your_name": "Dein Name",
        "name_of_seat": "Name an Platz {seat}",
        "somebody_by_link": "jemand per Link",
        "person_here": "eine Person hier",
        "hidden_points": "Punkte der anderen",
        "points_usual": "wie in der Ausgabe",
        "points_hidden": "verdeckt",
        "points_open": "offen",
        "lobby": "Tisch",
        "lobby_free": "Tisch: Plätze frei",
        "link_of_seat": "Link zu Platz {seat}",
        "code_is": "Code {code}",
        "copy": "Link kopieren",
        "copied": "Kopiert",
        "link_warning": (
            "Wer den Link eines Platzes hat, hat den Platz: Schicke jeden nur einer Person."
        ),
        "watch_link": "Zuschauen kann man unter {address}",
        "seat_is_free": "noch niemand",
        "waits_for_seat": "wartet auf jemanden an Platz {seat}",
        "is_away": "ein Agent spielt für {name}",
        "is_here": "gerade da",
        "is_not_here": "gerade nicht da",
        "you_watch": "Du siehst dieser Partie zu.",
        "watching": "Zuschauer: {count}",
        "let_agent_play": "Einen Agenten spielen lassen",
        "agent_for_seat": "An Platz {seat} einen Agenten spielen lassen",
        "take_back_seat": "Meinen Platz wieder einnehmen",
        "take_seat": "Hier sitzen",
        "offer_seat": "Platz per Link anbieten",
        "rename": "Umbenennen",
        "my_link": "Dein Weg zurück, für einen anderen Browser",
        "host_paused": "Die Partie ist angehalten",
        "deal_was_chosen": "Wer den Tisch eröffnet hat, kennt die Verteilung.",
        "deal_hidden": "Verteilung bis zum Ende verdeckt",
        "undo_asked": "{name} möchte eine Entscheidung zurücknehmen.",
        "undo_waits": "Du möchtest eine Entscheidung zurücknehmen; es fehlt noch {names}.",
        "undo_others": "{name} fragt {names}, ob eine Entscheidung zurückgenommen werden darf.",
        "accept": "Annehmen",
        "decline": "Ablehnen",
        "withdraw": "Zurückziehen",
        "connection_lost": "Die Verbindung zum Tisch ist weg; neuer Versuch läuft.",
        "preparing": (
            "Der Tisch wird vorbereitet: Das geschieht einmal und dauert etwa eine Minute."
        ),
        "preparing_rules": "Die Regeln werden übersetzt",
        "preparing_board": "Der erste Plan wird gezeichnet",
        "preparing_agents": "Die Agenten werden übersetzt",
        "preparing_search": "Die Suche wird übersetzt",
        "preparing_figures": "{share} %, {seconds} s",
        # -- hint
        "chance_now": "Gewinnchance jetzt",
        "best_first": "Züge, der beste zuerst",
        "favours": "Wie gern es jeden Zug spielen würde",
        "chance_after": "Gewinnchance nach jedem Zug",
        "and_chance_after": "und die Gewinnchance danach",
        "and_more": "und {count} weitere",
        # -- care
        "keys": "Tasten",
        "close": "Schließen",
        "or": " oder ",
        "redo": "Wiederholen",
        "key_move": "Den Zug mit dieser Nummer wählen",
        "key_arrows": "Zwischen den Zügen oder zwischen Stellen des Plans wechseln",
        "key_enter": "Den Zug oder die Stelle des Plans wählen, die den Fokus hat",
        "key_hint": "Um einen Tipp bitten",
        "key_undo": "Die letzte Entscheidung zurücknehmen",
        "key_redo": "Zurückgenommenes noch einmal entscheiden",
        "key_explain": "Erklären, was den Fokus hat",
        "key_list": "Diese Tasten zeigen",
        "key_close": "Schließen, was offen ist",
        "enlarge": "Der ganze Plan von {name}",
        "happened_before": "davor {count} weitere",
        "place_of": "Platz {place}: {name}, {points} SP",
        "forced_one": "1 ohne Wahl",
        "forced_many": "{count} ohne Wahl",
        # -- new game
        "edition": "Ausgabe",
        "expansions": "Erweiterungen",
        "for_sale": "Gebäude zum Kauf",
        "board_draft": "die Spieler wählen sie zuerst",
        "board_random": "zufällig gezogen",
        "players": "Spieler",
        "who_sits_where": "Wer wo sitzt",
        "seat": "Platz {seat}",
        "seat_of_governor": "Platz {seat}, Gouverneur",
        "seed": "Startwert",
        "new_deal": "neu gemischt",
        "seed_title": "Eine ganze Zahl; dieselbe mischt dasselbe Spiel",
        "play": "Spielen",
        "watch": "Nur Agenten zusehen",
        "load_instead": "Spiel laden",
        "edition_classic": "das Originalspiel (2002) und seine Erweiterungen (2004)",
        "edition_1897-en": "die Ausgabe 1897, auf Englisch",
        "edition_1897-de": "die Ausgabe 1897, auf Deutsch",
        "expansion_buildings": "I Neue Gebäude",
        "expansion_citizens": "II Bürger (Adel)",
        "expansion_smuggler": "III Schmuggler",
        "expansion_festival": "IV Fest",
        "about_planner": (
            "Probiert jede Entscheidung, spielt auf kurze Sicht weiter und vergleicht die "
            "Gewinnchancen aller Plätze."
        ),
        "about_builder": (
            "Spart mit Steinbrüchen und kauft große Gebäude, um zuerst die Stadt zu füllen."
        ),
        "about_corn": "Liefert früh und oft billige Waren, mit Werft und Hafen.",
        "about_style": "Spielt einen Stil, den ein Generator gezogen hat, etwa style:12.",
        "about_trader": "Baut Kaffee und Tabak an und lebt vom Handelshaus.",
        "about_random": "Spielt irgendeinen erlaubten Zug, jeden mit gleicher Chance.",
        "about_mcts:400": (
            "Sucht voraus, mit 400 Simulationen je Entscheidung: stark und schnell genug."
        ),
        "about_mcts:1600": (
            "Sucht voraus, mit 1600 Simulationen je Entscheidung: stärker, lässt sich Zeit."
        ),
        "about_network": "Spielt, was ein Netz gelernt hat, in den Spielen, die es gelernt hat.",
        "about_allowed": "Beim Öffnen des Tisches erlaubt.",
    },
    terminal={
        # -- the game in the terminal
        "percent": "{share:.1%}",
        "how_to_answer": (
            "Tippe eine Nummer der Liste, oder was dort steht, oder dessen Anfang; Tab ergänzt "
            "ihn. 'hilfe' nennt, was sonst noch geht."
        ),
        "how_to_answer_in_a_pipe": (
            "Tippe eine Aktion: ihre Nummer, ihren Namen, ihre Worte oder einen Anfang, den "
            "nur eine hat. 'hilfe' nennt, was sonst noch geht."
        ),
        "your_seat": "Du hast Platz {seat}.",
        "list_shows": "'liste' zeigt, was erlaubt ist",
        "no_such_number": (
            "die Liste geht von 1 bis {count} und hat keine {number}; Aktion {number} aller "
            "Spiele wird als '#{number}' getippt"
        ),
        "earlier": "({count} Zeilen davor: 'verlauf' zeigt sie)",
        "enter_shows_list": "-- Enter: deine Züge -- ",
        "enter_shows_more": "-- Enter: weiter; q: genug -- ",
        "names_on": "Züge werden mit den Namen gezeigt, die Programme benutzen.",
        "names_off": "Züge werden nur in Worten gezeigt.",
        "word_action": "aktion",
        "word_board": "tisch",
        "word_list": "liste",
        "word_names": "namen",
        "word_hint": "tipp",
        "word_why": "warum",
        "word_building": "gebäude",
        "word_rule": "regel",
        "word_explain": "erkläre",
        "word_undo": "zurück",
        "word_redo": "wieder",
        "word_log": "verlauf",
        "word_save": "sichere",
        "word_help": "hilfe",
        "word_quit": "ende",
        "help_action": (
            "spielt die Aktion, die in allen Spielen diese Nummer hat: aktion 117, oder #117"
        ),
        "help_board": "zeigt den ganzen Tisch",
        "help_list": "zeigt, was erlaubt ist",
        "help_names": "zeigt die Namen, die Programme benutzen, wie load:sugar:2, oder nicht mehr",
        "help_hint": "fragt einen Agenten, was er täte: tipp planner, tipp mcts:400 ({agent})",
        "help_explain": "zeigt von jetzt an, warum Agenten so spielen, oder nicht mehr",
        "help_undo": "nimmt deine letzte Entscheidung zurück",
        "help_redo": "trifft die zurückgenommene Entscheidung noch einmal",
        "help_log": "zeigt die letzten zwei Runden; verlauf all: alles",
        "help_save": "schreibt das Spiel in eine Datei: sichere DATEI",
        "help_help": "zeigt dies",
        "help_quit": "verlässt das Spiel, das erhalten bleibt",
        "title": "{game}, {count} Spieler, {began}",
        "began_seed": "Startwert {seed}",
        "began_position": "aus einer Stellung",
        "forced": "(nichts anderes möglich)",
        "forced_more": "(und {count} ohne Wahl)",
        "thinks": "{agent} denkt nach",
        "hint_called_off": "Der Tipp wurde abgebrochen.",
        "would_play": "{agent} würde spielen:",
        "head_move": "Zug",
        "head_share": "Anteil",
        "head_wins": "gewinnt danach",
        "chances": "Aussicht auf den Sieg jetzt:",
        "reasons_on": "Gründe werden von jetzt an gezeigt.",
        "reasons_off": "Gründe werden von jetzt an weggelassen.",
        "no_reasons": "kein Agent hat seit deiner letzten Entscheidung gesagt, warum er so spielte",
        "back": "Zurück bei deiner letzten Entscheidung.",
        "again": "Noch einmal entschieden.",
        "say_where": "sag, wohin: sichere spiel.jsonl",
        "saved": "Das Spiel bis hierher ist in {path}",
        "left": "Du hast das Spiel verlassen.",
        "record": "Die Aufzeichnung ist in {path}",
        "go_on": "Weiter geht es mit: {command}",
        "look_back": "Rückblick mit: {command}",
        "not_kept": (
            "Das Spiel wird nicht von selbst gesichert ({reason}); 'sichere DATEI' sichert es."
        ),
        "sits_in": "{agent} vertritt {whom}; wer so heißt, lässt sich hier nicht laden.",
        "others": "Andere wählst du mit: {command}",
        "score": "Endstand",
        "place": "Rang",
        # -- explain
        "allowed": "Erlaubt. {words}",
        "not_allowed": "{words} – nicht erlaubt: {reason}",
        "say_building": "sag, welches Gebäude: gebäude Hospiz",
        "say_rule": "sag, welche Regel: regel R-CAP-3, oder regel R-CAP für alle dieser Gruppe",
        "help_building": "erklärt ein Gebäude und seinen Preis jetzt: gebäude Hospiz",
        "help_rule": "zeigt den Text einer Regel: regel R-CAP-3",
        "help_why": (
            "sagt, warum die letzten Agenten so spielten; warum AKTION: was sie bringt, oder warum "
            "sie nicht geht"
        ),
        "round": "Runde {round}",
    },
    rules={
        "aim": (
            "Puerto Rico für {players} Spieler. Wer am Ende die meisten {vp} hat, gewinnt; bei "
            "Gleichstand, wer mehr {coins} und {barrels} zusammen hat."
        ),
        "spaces": (
            "Jeder hat {island_spaces} Felder für {plantations} und {quarries} ({island}) und "
            "{city_spaces} für Gebäude ({city}). Alles arbeitet nur, solange {workers} auf den "
            "Feldern dafür stehen ({circles}): 0/1 ist ein {circle}, auf dem niemand steht. "
            "{workers}, die nicht eingesetzt sind, warten: {portrait}."
        ),
        "round": (
            "Eine Runde: Vom {governor} an werden im Uhrzeigersinn {picks} Rollen genommen, eine "
            "nach der anderen; wer eine nimmt, bekommt die {coins} darauf. Sofort handeln alle "
            "in der Phase dieser Rolle, zuerst, wer sie genommen hat und allein das {privilege} "
            "hat. Am Ende der Runde kommt auf jede übrige Rolle 1 {coin}, alle Rollen kommen "
            "zurück, und der nächste Spieler ist {governor}."
        ),
        "settler": (
            "Jeder nimmt ein offenes Plättchen; der Rest wird abgelegt, und {row_size} neue werden "
            "aufgedeckt. {privilege}: stattdessen ein {quarry}."
        ),
        "mayor": (
            "Reihum wird verteilt, wer bereitsteht ({register}); dann setzt jeder alle eigenen "
            "{workers} neu ein; kein {circle} bleibt leer, solange noch jemand wartet "
            "({portrait}). Danach kommt für jeden leeren {circle} in Gebäuden jemand nach, "
            "mindestens {players}. {privilege}: 1 {worker} aus dem Vorrat."
        ),
        "builder": (
            "Jeder darf ein Gebäude kaufen, jede Art nur einmal. Jeder besetzte {quarry} macht es "
            "1 {coin} billiger, höchstens so viele, wie die Nummer seiner {column} sagt. "
            "{privilege}: 1 {coin} billiger."
        ),
        "craftsman": (
            "Jeder produziert: 1 {barrel} für jede besetzte {plantation}, zu der ein besetzter "
            "{circle} eines passenden Gebäudes gehört; {corn} braucht kein Gebäude. {privilege}: "
            "noch 1 {barrel} einer produzierten Sorte."
        ),
        "trader": (
            "Jeder darf 1 {barrel} verkaufen ({trading_house}: {house_slots} Plätze, jede Sorte "
            "einmal, nach der Phase geleert, wenn es voll ist): {prices}. {privilege}: 1 {coin} "
            "mehr."
        ),
        "captain": (
            "Reihum, immer wieder, muss jeder, der kann, alle {barrels} einer Sorte laden, die auf "
            "ein Schiff passen, für je 1 {vp}; ein Schiff nimmt eine Sorte, und keine Sorte ist "
            "auf zwei Schiffen. Es endet, wenn niemand mehr laden kann. Dann behält jeder 1 "
            "{barrel} und was seine Lager fassen; volle Schiffe werden geleert. {privilege}: 1 "
            "{vp} mehr beim ersten Laden."
        ),
        "prospector_1": "Niemand handelt. {privilege}: 1 {coin}.",
        "smuggler": (
            "Nur wer sie genommen hat, handelt: Er leert ein Schiff (behält bis zu 3 {barrels}) "
            "oder das {trading_house} (1 {vp} je {barrel}), nimmt bis zu 3 {workers}, die über "
            "{players} hinaus bereitstehen ({register}), oder fängt eine freie Rolle mit ihren "
            "{coins} ab, die er am Ende der Runde ausführt; nimmt sie vorher jemand anders, 3 "
            "{coins}. Wer das Plättchen hat, kann die Rolle nicht noch einmal nehmen."
        ),
        "end": (
            "Das Spiel endet mit der Runde, in der {shortage}das letzte der {pool} {vp} vergeben "
            "wird oder jemand alle {city_spaces} Felder für Gebäude füllt."
        ),
        "score": (
            "Die Wertung: gewonnene {vp}, aufgedruckte {vp} aller Gebäude, was besetzte große "
            "Gebäude bringen{citizens_score}.{hidden}"
        ),
        "citizens": (
            "{citizens} zählen wie {workers} und stehen auf jedem {circle}; manche Gebäude tun "
            "für sie etwas anderes. Am Ende ist jeder 1 {vp} wert; jedes Mal steht einer von "
            "ihnen mit bereit ({register})."
        ),
        "festival": (
            "Das Fest: Wer zuerst drei {plantations} der gezeigten Sorte hat, bekommt bis zu 3 "
            "{workers}, wer die gezeigten {barrels} in einer Phase produziert, 3 {coins}, wer das "
            "gezeigte Gebäude kauft, 3 {vp}."
        ),
        "buildings": "Gebäude (Kosten, {vp}, {column}, {circles}):",
        "draft": "Vor der ersten Runde wählen die Spieler, welche dieser Gebäude zu kaufen sind.",
        "hidden": " Die {vp} der anderen sind verdeckt.",
        "shortage": "nicht mehr genug {workers} nachkommen, ",
        "citizens_score": ", 1 für jeden {citizen}",
        "and_citizens": " und {citizens}",
    },
    buildings={
        **dict.fromkeys(("small_indigo_plant", "indigo_plant"), _MAKES.format("indigo")),
        **dict.fromkeys(("small_sugar_mill", "sugar_mill"), _MAKES.format("sugar")),
        "tobacco_storage": _MAKES.format("tobacco"),
        "coffee_roaster": _MAKES.format("coffee"),
        "small_market": "Dein Verkauf ({trading_house}) bringt 1 {coin} mehr.",
        "hacienda": (
            "In deinem Zug ({settler phase}) darfst du vor dem normalen Plättchen eine verdeckte "
            "{plantation} ziehen."
        ),
        "construction_hut": (
            "In deinem Zug ({settler phase}) darfst du statt einer {plantation} einen {quarry} "
            "nehmen."
        ),
        "small_warehouse": (
            "Nach dem Laden behältst du alle {barrels} einer Sorte, neben dem einzelnen {barrel}."
        ),
        "hospice": (
            "In deinem Zug ({settler phase}) darfst du einen {worker} auf das genommene Plättchen "
            "setzen."
        ),
        "office": "Du darfst auch eine Sorte verkaufen, die schon daliegt ({trading_house}).",
        "large_market": "Dein Verkauf ({trading_house}) bringt 2 {coins} mehr.",
        "large_warehouse": (
            "Nach dem Laden behältst du alle {barrels} zweier Sorten, neben dem einzelnen {barrel}."
        ),
        "factory": (
            "Wenn du 2, 3, 4 oder 5 Sorten produzierst, bekommst du 1, 2, 3 oder 5 {coins}."
        ),
        "university": (
            "In deinem Zug ({builder phase}) darfst du einen {worker} auf das gekaufte Gebäude "
            "setzen."
        ),
        "harbor": "Jedes Mal, wenn du {goods} lädst, bekommst du 1 {vp} mehr.",
        "wharf": (
            "Einmal je Phase ({captain phase}) darfst du alle {barrels} einer Sorte auf einem "
            "eigenen Schiff liefern."
        ),
        "guild_hall": (
            "Am Ende: 1 {vp} für jedes kleine und 2 {vp} für jedes große eigene Produktionsgebäude."
        ),
        "residence": (
            "Am Ende: 4 {vp} für bis zu 9 belegte Felder ({island}), 5 für 10, 6 für 11, 7 für 12."
        ),
        "fortress": "Am Ende: 1 {vp} für je drei eigene {workers}{and_citizens}.",
        "customs_house": "Am Ende: 1 {vp} für je vier {vp}, die du im Spiel gewonnen hast.",
        "city_hall": (
            "Am Ende: 1 {vp} für jedes eigene Gebäude dieser Art ({commercial_building}), auch "
            "für dieses."
        ),
        "aqueduct": (
            "Die großen Gebäude für {indigo} und {sugar} machen, wenn sie besetzt sind und "
            "produzieren, je 1 {barrel} mehr."
        ),
        "forest_house": (
            "In deinem Zug ({settler phase}) darfst du einen {forest} nehmen; je zwei {forests} "
            "machen das Bauen 1 {coin} billiger."
        ),
        "black_market": (
            "Beim Kaufen dürfen eine Figur, ein {barrel} und ein {vp} je 1 fehlende {coin} "
            "ersetzen."
        ),
        "storehouse": (
            "Nach dem Laden behältst du 3 beliebige {barrels}, neben dem einzelnen {barrel}."
        ),
        "guest_house": (
            "Seine beiden Gäste dürfen in jeder Phase auf freie {circles} ziehen und arbeiten "
            "dort sofort."
        ),
        "trading_post": (
            "Du darfst jede Sorte hier verkaufen ({trading_house} nicht nötig), aber ohne deine "
            "Markthallen."
        ),
        "church": (
            "Bauen in der zweiten oder dritten {column} bringt 1 {vp}, in der vierten 2 {vp}."
        ),
        "small_wharf": (
            "Einmal je Phase ({captain phase}) darfst du beliebige {barrels} liefern, für 1 {vp} "
            "je zwei."
        ),
        "lighthouse": (
            "Jedes Mal, wenn du {goods} lädst, bekommst du 1 {coin}, und noch 1, wenn du die "
            "Rolle hast ({captain})."
        ),
        "specialty_factory": (
            "Die Sorte, von der du am meisten produzierst, außer {corn}, bringt für jeden "
            "{barrel} außer dem ersten 1 {coin}."
        ),
        "library": "Das {privilege} einer Rolle, die du wählst, zählt doppelt.",
        "union_hall": "Vor dem Laden bekommst du 1 {vp} für je zwei {barrels} einer Sorte.",
        "cloister": (
            "Am Ende: 1, 3, 6 oder 10 {vp} für 1, 2, 3 oder 4 Sätze aus drei gleichen Plättchen "
            "({island})."
        ),
        "statue": "Es tut nichts und braucht niemanden, aber es ist 8 {vp} wert.",
        "land_office": (
            "In deinem Zug ({trader phase}) kauft hier ein {worker} für 1 {coin} ein verdecktes "
            "Plättchen, ein {citizen} verkauft eine {plantation} für 1 {coin}."
        ),
        "chapel": "Beim Produzieren bringt hier ein {worker} 1 {coin}, ein {citizen} 1 {vp}.",
        "hunting_lodge": (
            "Am Ende der Phase ({settler phase}) darf hier ein {worker} eine {plantation} oder "
            "einen {forest} entfernen; ein {citizen} bringt 2 {vp}, wenn bei dir die wenigsten "
            "Felder belegt sind ({island})."
        ),
        "notary": (
            "Ein {worker} hier macht kleine Gebäude 1 {coin} billiger, ein {citizen} große 2 "
            "{coins}."
        ),
        "royal_supplier": (
            "Vor dem Laden darfst du für jeden deiner {citizens} einen {barrel} einer Sorte "
            "zurückgeben, für je 1 {vp}."
        ),
        "villa": "In deinem Zug ({mayor phase}) nimmst du einen {citizen} aus dem Vorrat.",
        "jeweler": "Beim Produzieren bekommst du 1 {coin} für jeden deiner {citizens}.",
        "royal_garden": (
            "Am Ende: 1 {vp} für jeden deiner {citizens}, zusätzlich zu dem, was sie ohnehin "
            "bringen."
        ),
    },
    reasons={
        "lacks": (
            "das gibt es hier nicht: Es gehört zu einer Erweiterung, mit der nicht gespielt wird"
        ),
        "phase": "das gehört in eine andere Phase ({phases})",
        "not_asked": "danach wird hier nicht gefragt; jetzt geht es um: {point}",
        "first_pay": "zuerst wird das gekaufte Gebäude bezahlt ({black_market})",
        "first_use_tile": "zuerst wird entschieden, wie das gezogene Plättchen gelegt wird",
        "first_hire": "zuerst wird entschieden, welche Art Figur genommen wird",
        "first_gather": "zuerst wird entschieden, welche Arten von Figuren genommen werden",
        "first_place_units": "zuerst werden die Figuren auf der Hand eingesetzt",
        "first_small_ship": (
            "zuerst werden die {barrels} gewählt, die geliefert werden ({small_wharf}); dann passen"
        ),
        "first_supply": "das kommt vor dem Laden: {royal_supplier}; danach passen",
        "first_raid": "zuerst werden die {barrels} vom geleerten Schiff gewählt",
        "first_hunt": "in dieser Phase fehlt nur noch: {hunting_lodge}",
        "first_remove_tile": "zuerst wird gewählt, welches der Plättchen geht",
        "first_take_again": "zuerst wird das zweite Plättchen gewählt ({library})",
        "first_open_window": "zu Beginn einer Phase ziehen nur Gäste um",
        "first_turn_window": "vor dem ersten Zug ziehen nur Gäste um",
        "first_close_window": "am Ende einer Phase ziehen nur Gäste um",
        "first_offer": "zuerst wird ein Angebot genommen oder abgelehnt",
        "first_deal": "zuerst wird verteilt, wer bereitsteht ({register})",
        "first_draw_tile": "zuerst wird ein Plättchen gezogen oder darauf verzichtet",
        "first_take_tile": "zuerst wird ein Plättchen genommen oder darauf verzichtet",
        "first_staff_tile": "es bleibt nur noch, den {worker} zu setzen ({hospice})",
        "first_staff_building": "es bleibt nur noch, den {worker} zu setzen ({university})",
        "first_recall": (
            "erst passen: Figuren werden zurückgenommen, bevor welche eingesetzt werden"
        ),
        "first_place": (
            "die Figuren auf der Hand werden jetzt eingesetzt, und niemand wird mehr zurückgenommen"
        ),
        "not_now_pay": "zurückgegeben wird nur, während ein Gebäude bezahlt wird",
        "not_now_use": "es ist gerade kein Plättchen gezogen worden",
        "not_now_supply": "das geht einmal, vor dem Laden: {royal_supplier}",
        "not_now_deal": "hier wird niemand verteilt",
        "not_now_place": "hier ist niemand auf der Hand",
        "not_now_lodge": "das geschieht am Ende der Phase: {hunting_lodge}",
        "not_now_draw": "gezogen wird einmal, vor dem normalen Plättchen",
        "not_now_villa": "das geht, während verteilt wird, wer bereitsteht: {villa}",
        "not_now_remove": "es wird gerade kein Plättchen verkauft oder entfernt",
        "not_now_privilege": "das {privilege} kommt, wenn alle produziert haben",
        "no_pass": "hier muss gewählt werden",
        "no_pass_choose_role": "es muss eine Rolle genommen werden",
        "no_pass_load": "{goods}, die auf ein Schiff passen, müssen geladen werden",
        "no_pass_place": "niemand wird zurückgehalten, solange ein {circle} leer ist",
        "no_pass_recall": "am Ende müssen so viele {circles} besetzt sein, wie Figuren da sind",
        "no_pass_draft": "jeder wählt ein Gebäude; niemand passt",
        "no_pass_pay": "der Rest des Preises fehlt noch",
        "no_pass_use_tile": "das gezogene Plättchen muss so oder so gelegt werden",
        "no_pass_deal": "jemand muss genommen werden; nur die Art ist zu wählen",
        "no_pass_mayor_privilege": "ein {worker} oder ein {citizen} wird genommen ({villa})",
        "no_pass_remove_tile": "eines der Plättchen geht; nur welches, ist zu wählen",
        "no_pass_hire": "jemand wird genommen; nur die Art ist zu wählen",
        "no_pass_gather": "die Figuren werden genommen; nur ihre Art ist zu wählen",
        "no_pass_supply": "genau ein {barrel} wird für jeden {citizen} zurückgegeben",
        "no_pass_store": "so viel behalten werden darf, muss behalten werden",
        "has_none": "{seat_has} nichts davon: {word}",
        "island_full": "alle zwölf Felder sind belegt ({island})",
        "has_sold": "{seat_has} schon einen {barrel} verkauft",
        "has_traded_land": "das geht einmal je Phase: {land_office}",
        "needs": "{seat_has} das nicht, oder es ist nicht besetzt: {building}",
        "needs_unit": "{seat_has} keinen {unit} darauf: {building}",
        "role_not_in_play": "{word} ist bei so vielen Spielern nicht dabei",
        "role_taken": "{owner_has} die Rolle schon genommen: {word}",
        "ascending_spots": "es geht der Reihe nach, und diese Stelle ist schon vorbei: {spot}",
        "no_circle_left": "nicht alle auf der Hand fänden noch einen {circle}",
        "price": "{word} kostet {price}, und {seat_has} {held}",
        "price_barter": (
            "{word} kostet {price}, {seat_has} {held}, und höchstens {barter} mehr lassen sich "
            "ersetzen ({black_market})"
        ),
        "room": "{word} braucht {spaces} Felder, und {free} sind frei ({city})",
        "carries": "Schiff {ship} hat {cargo} geladen",
        "not_next_unit": (
            "höchstens eine Figur wird zurückgegeben, und zuerst: Der Rest würde die fehlenden "
            "{coins} nicht ersetzen, oder es ist zu spät dafür"
        ),
        "not_next_good": (
            "höchstens ein {barrel} wird zurückgegeben, nach der Figur: Der Rest würde die "
            "fehlenden {coins} nicht ersetzen, oder es ist zu spät dafür"
        ),
        "not_next_vp": "das würde die fehlenden {coins} nicht ersetzen, oder es ist zu spät dafür",
        "ships": "es gibt nur {ships} Schiffe",
        "unit_gather": "es sind nicht genug da, wo sie herkommen: {units}",
        "unit_register": "hier steht keiner bereit: {word} ({register})",
        "unit_supply": (
            "keiner darf aus dem Vorrat genommen werden oder danach von hier: {word} ({register})"
        ),
        "keeps_on": (
            "mehr davon darf nicht behalten werden, oder die Reihe ist daran vorbei: {word}"
        ),
        "has_smuggler_tile": "{seat_has} das Schmuggler-Plättchen, bis jemand es nimmt",
        "has_captured": (
            "{seat_has} diese Rolle abgefangen; sie kommt am Ende der Runde, wenn sie sonst "
            "niemand nimmt: {word}"
        ),
        "not_drafted": "das ist in jedem Spiel und wird nicht gewählt: {word}",
        "chosen_already": "das ist schon gewählt: {word}",
        "no_slot": "für ein Gebäude, das {cost} kostet, ist kein Platz mehr",
        "excludes": (
            "das schließt ein Gebäude in diesem Spiel aus, oder eines, das noch gebraucht wird: "
            "{word}"
        ),
        "not_in_row": "das liegt nicht offen aus: {word}",
        "no_quarry": "es ist kein {quarry} mehr da",
        "quarry_second": (
            "das zweite Plättchen ist nur damit ein {quarry}, und nur wenn es besetzt ist: "
            "{construction_hut}"
        ),
        "quarry_right": (
            "einen {quarry} nimmt nur, wer die Rolle hat, oder wer dies besetzt hat: "
            "{construction_hut}"
        ),
        "no_draw": "es ist keine {plantation} mehr zu ziehen",
        "no_unit_left": "im Vorrat und hier ist niemand mehr: {register}",
        "hospice_taken_only": "in diesem Spiel geht es nur für das genommene Plättchen: {hospice}",
        "no_tile_taken": "in diesem Zug wurde kein Plättchen genommen",
        "no_tile_drawn": "in diesem Zug wurde kein Plättchen gezogen",
        "hospice_same": (
            "das ist dasselbe wie beim genommenen Plättchen, denn beide sind von einer Sorte"
        ),
        "tile_has_unit": "auf dem Plättchen steht schon jemand",
        "forest_own_stack": "in diesem Spiel liegen {forests} auf einem eigenen Stapel",
        "forest_from_row": "in diesem Spiel wird ein offenes Plättchen zum {forest}",
        "no_forest": "es ist kein {forest} mehr im Stapel",
        "none_on_island": "{seat_has} kein solches Plättchen: {word} ({island})",
        "no_such_tile": "{seat_has} kein solches Plättchen der Sorte, die geht",
        "no_unit_on": "{seat_has} dort keinen {unit}: {word}",
        "university_spot": "der {worker} geht auf das gerade gekaufte Gebäude ({university})",
        "no_unit_in_hand": "kein {unit} ist auf der Hand",
        "has_no_unit_in_hand": "{seat_has} keinen {unit} auf der Hand",
        "no_empty_circle": "{seat_has} dort keinen leeren {circle}: {word}",
        "taken_back_there": (
            "dorthin kehrt kein {unit} zurück, von dort wurde in dieser Phase einer weggenommen: "
            "{word}"
        ),
        "citizens_first": "zuerst werden {citizens} genommen, dann {workers}",
        "villa_extra": "in diesem Spiel kommt die Figur von selbst dazu: {villa}",
        "villa_other_moment": (
            "in diesem Spiel geht das zu einem anderen Zeitpunkt der Phase: {villa}"
        ),
        "supply_empty": "im Vorrat ist niemand mehr",
        "villa_once": "das geht einmal, im ersten eigenen Zug oder für einen {citizen}: {villa}",
        "no_guests": "in diesem Spiel gibt es keine Gäste",
        "guest_elsewhere": "ein Gast zieht auf ein anderes Gebäude oder Plättchen",
        "guests_not_here": "in dieser Phase ziehen keine Gäste um",
        "guests_when": (
            "Gäste ziehen um, wenn eine Phase beginnt oder endet, und bei eigenen Entscheidungen"
        ),
        "has_building": "{seat_has} das schon: {word}",
        "not_on_board": "das gibt es in diesem Spiel nicht zu kaufen: {word}",
        "none_to_buy": "davon ist keines mehr zu kaufen: {word}",
        "no_unit_there": "{seat_has} dort keinen {unit}: {word}",
        "black_market_unit": (
            "wer selbst darauf steht, kann nicht zurückgegeben werden: {black_market}"
        ),
        "no_vp": "{seat_has} keine {vp}",
        "nothing_offered": "hier wird nichts angeboten",
        "no_warehouse": "{seat_has} kein besetztes Lagerhaus",
        "library_kind": "der zweite {barrel} ist von einer anderen Sorte als {word} ({library})",
        "not_produced": "das wurde nicht produziert, oder es ist nichts mehr im Vorrat: {word}",
        "house_full": "das {trading_house} ist voll",
        "house_holds": "das liegt dort schon: {word} ({trading_house})",
        "post_closed": (
            "in diesem Spiel schließt das, wenn das {trading_house} voll ist: {trading_post}"
        ),
        "land_price": "ein Plättchen kostet 1 {coin}, und {seat_has} keine",
        "forests_not_sold": "in diesem Spiel werden {forests} nicht verkauft",
        "ship_full": "Schiff {word} ist voll",
        "ship_takes_more": "ein anderes leeres Schiff fasst mehr davon: {cargo}",
        "wharf_once": "das geht einmal je Phase: {wharf}",
        "small_wharf_once": "das geht einmal je Phase: {small_wharf}",
        "ascending_kinds": "die Sorten kommen der Reihe nach, und diese ist vorbei: {word}",
        "barrel_each_citizen": (
            "ein {barrel} wird für jeden {citizen} zurückgegeben, und {seat_has} {held}"
        ),
        "ascending_barrels": (
            "die {barrels} sind von verschiedenen Sorten, die der Reihe nach kommen, und diese "
            "ist vorbei: {word}"
        ),
        "as_many_as_citizens": "es müssen genau so viele {barrels} sein wie {citizens}",
        "ship_empty": "Schiff {word} ist leer",
        "house_empty": "das {trading_house} ist leer",
        "register_stays": (
            "{stay} Figuren bleiben stehen, und es sind {there} da: Keine kann genommen werden "
            "({register})"
        ),
    },
    errors={
        "game_over": "das Spiel ist aus; niemand hat mehr etwas zu entscheiden",
        "nothing_to_take_back": (
            "es ist nichts zurückzunehmen: noch hat kein Mensch etwas entschieden"
        ),
        "nothing_of_yours": "es ist nichts zurückzunehmen: du hast noch nichts entschieden",
        "nothing_to_do_again": (
            "es ist nichts zu wiederholen: nichts wurde zurückgenommen, oder seither wurde "
            "anderes entschieden"
        ),
        "agents_turn": "jetzt ist {name} am Zug und entscheidet selbst",
        "hint_not_now": "Tipps sind für Entscheidungen von Menschen, und jetzt ist {name} am Zug",
        "hint_from_agent": "ein Tipp kommt von einem Agenten; nenne einen, etwa mcts:400",
        "busy": "{name} denkt schon nach; warte darauf, oder brich das zuerst ab",
        "queue_full": (
            "{count} Suchen warten schon, mehr lässt dieser Tisch nicht warten; frag später noch "
            "einmal, oder einen Agenten, der sofort entscheidet"
        ),
        "called_off": "{name} sollte nicht weiter nachdenken",
        "table_changed": (
            "der Tisch hat sich inzwischen verändert, vielleicht in einem anderen Fenster; "
            "nichts ist geschehen, sieh noch einmal hin"
        ),
        "watching": (
            "du siehst hier zu; das darf nur, wer hier sitzt, und den Link zu einem Platz gibt "
            "der Gastgeber"
        ),
        "host_only": "das darf nur der Gastgeber dieses Tisches",
        "paused": "der Gastgeber hat das Spiel angehalten",
        "not_yours_to_decide": "zu entscheiden hat {name} auf Platz {seat}, nicht du",
        "undo_pending": (
            "das Spiel wartet: Jemand fragt, ob eine Entscheidung zurückgenommen werden darf"
        ),
        "nobody_asks": "niemand will mehr etwas zurücknehmen",
        "not_asked": "gefragt sind andere, ob das zurückgenommen werden darf, nicht du",
        "redo_when_alone": "wiederholt wird nur, wo niemand sonst spielt; entscheide neu",
        "hint_not_yours": "jetzt darf nur {name} um einen Tipp bitten",
        "no_record_yet": (
            "die gespeicherte Partie verriete, was vor dem Ende einer Partie mit mehreren Leuten "
            "niemand wissen darf; speichern geht, wenn sie aus ist"
        ),
        "no_room": (
            "hier laufen {count} Spiele, für mehr ist kein Platz; versuch es später noch einmal"
        ),
        "too_many_games": (
            "dieser Browser hat schon {count} Spiele, mehr darf er nicht haben; verlass eines davon"
        ),
        "too_many_new": (
            "von dieser Adresse wurden viele Spiele begonnen; beginne das nächste später"
        ),
        "too_many_codes": (
            "von dieser Adresse kamen viele falsche Codes; versuch es in einer Minute noch einmal"
        ),
        "no_such_code": (
            "kein Platz hat den Code {code}; bitte den Gastgeber um den Link zu einem freien Platz"
        ),
        "seat_taken": (
            "auf diesem Platz sitzt schon {name}; bist du das, dann sag, dass du ihn übernimmst"
        ),
        "seat_not_yours": "Platz {seat} ist nicht für dich; öffne den Link zu dem Platz",
        "name_not_yours": "Platz {seat} ist nicht deiner; jeder nennt nur sich selbst",
        "name_unseen": (
            "der Name {name} hat unsichtbare Zeichen; nimm Buchstaben, Ziffern und sichtbare "
            "Zeichen"
        ),
        "name_empty": (
            "ein Name hat mindestens einen Buchstaben; lass ihn weg, um einen zu bekommen"
        ),
        "name_long": "der Name {name} hat {count} Zeichen, und mehr als {most} sind nicht erlaubt",
        "name_twice": (
            "zwei Plätze können nicht beide {name} heißen: {one} und {other}; gib einem einen "
            "anderen Namen"
        ),
        "no_action": "es gibt keinen Zug {text}{meant}",
        "may_mean": "{text} kann {actions} heißen; sag, was",
        "not_allowed_now": "{text} ist jetzt nicht erlaubt: {reason}",
    },
    explanations={
        "only_choice": "{move}: Etwas anderes ist nicht erlaubt.",
        "better": (
            "{move}: {here:.1%} Gewinnchance, gegen {there:.1%} beim nächstbesten Zug ({other})."
        ),
        "for_points": (
            "{move}: {here:.1%} Gewinnchance, weniger als bei {other} ({there:.1%}); den Ausschlag "
            "geben die {vp}, die außerdem zu erwarten sind."
        ),
        "as_good": "{move}: {here:.1%} Gewinnchance, wie beim nächstbesten Zug ({other}).",
        "no_difference": "Zwischen beiden sieht es keinen Unterschied.",
        "game_over": "Bis dahin ist das Spiel zu Ende, mit {result} {vp}.",
        "versus": " zu ",
        "goes_on": "Der nächstbeste Zug ließe es weitergehen.",
        "other_ends": "Bis dahin hätte der nächstbeste Zug das Spiel beendet.",
        "expects": (
            "{Seat}: am Ende zu erwarten {score:.1f} {vp}, {gap:+.1f} gegenüber dem nächstbesten "
            "Zug ({parts})."
        ),
        "part": "{gap:+.1f} durch {part}",
        "part_vp": "{vp} bisher",
        "part_coins": "{coins}",
        "part_barrels": "{barrels} im Lager",
        "part_workers": "{workers}",
        "part_tiles": "{plantations} und {quarries}",
        "part_buildings": "Gebäude",
        "more": "mehr: {things}",
        "less": "weniger: {things}",
        "more_and_less": "{more}; {less}",
        "and_others": "{things} und {count} weitere",
        "barrels_of": "{things} {word}",
        "plantations_of": "{count} {things} ({word})",
        "ahead": "Vorausgesehen, verglichen mit dem nächstbesten Zug, für {seat}: {changes}.",
        "costs": ("Am meisten kostet es {seat}: {here:.1%} Gewinnchance statt {there:.1%}."),
        "greedy_role": (
            "{move}: ohne vorauszuschauen die Rolle, die jetzt am meisten bringt, abzüglich des "
            "Gewinns der anderen: {value:.2f} {vp}{against}."
        ),
        "greedy": (
            "{move}: ohne vorauszuschauen der Zug, nach dem am meisten bleibt, eine Endwertung "
            "von {value:.2f} {vp}{against}."
        ),
        "greedy_against": ", gegen {value:.2f} beim nächstbesten Zug ({other})",
        "greedy_recall": (
            "{move}: ohne vorauszuschauen gehen {workers} dorthin, wo sie am meisten nützen."
        ),
        "greedy_place": (
            "{move}: ohne vorauszuschauen gehen {workers} dorthin, wo sie am meisten nützen."
        ),
        "greedy_store": (
            "{move}: ohne vorauszuschauen werden die meisten {barrels} behalten, und die "
            "teuersten der übrigen."
        ),
        "greedy_draw_tile": (
            "{move}: ohne vorauszuschauen wird ein Plättchen gezogen, solange noch Platz für ein "
            "gewähltes bleibt."
        ),
        "tried": "{move}: in {here:.1%} der Simulationen versucht, {other} in {there:.1%}.",
        "variation": "Nach {move} wird erwartet: {steps}.",
        "step": "{seat}, {move}",
        "drawn": (
            "{move}: gezogen, wie in {here:.1%} der Fälle; der Favorit, mit {there:.1%}, ist "
            "{other}."
        ),
        "sure": "{move}: Das Netz ist sich sicher.",
        "likes": (
            "{move}: Das Netz mag diesen Zug am liebsten, mit {here:.1%}; dann kommt {other}, mit "
            "{there:.1%}."
        ),
        "leads": "Vorn liegt: {leader}, mit {there:.1%} Gewinnchance.",
        "leads_you": ("Vorn liegt: {leader}, mit {there:.1%} Gewinnchance; {seat}: {here:.1%}."),
    },
    finish=_with_weak_nouns,
)
