"""French: what `en` says, with French words for the editions, none of which is printed in it."""

import re
from typing import Final

from prico_env.text.localization import Decision, EditionWords, Language

_ELIDED: Final = re.compile(r"\b([dlnDLN]|[qQ]u)[ea] (?=[aeiouhâàéèêîôûAEIOUHÂÀÉÈÊÎÔÛ])")
_PARTITIVE: Final = re.compile(r"\bdu (?=[aeiouhâàéèêîôûAEIOUHÂÀÉÈÊÎÔÛ])")
_CONTRACTED: Final = re.compile(r"\b(de|à) (les?)\b")
_DECIMAL: Final = re.compile(r"(?<=\d)\.(?=\d)")
_PERCENT: Final = re.compile(r"(?<=\d)%")
_CONTRACTIONS: Final = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}


def _with_elisions(sentence: str) -> str:
    """Write "l'indigo" and "du café", where the words put in call for it."""
    sentence = _PARTITIVE.sub("de l'", sentence).replace("du fruits", "des fruits")
    sentence = _CONTRACTED.sub(lambda found: _CONTRACTIONS[found[0]], sentence)
    sentence = _ELIDED.sub(r"\1'", sentence)
    return _PERCENT.sub("\u00a0%", _DECIMAL.sub(",", sentence))


_NOBODY_MOVES: Final = "ne déplacer personne ({guest_house})"

_GOODS: Final = {
    "corn": "maïs",
    "indigo": "indigo",
    "sugar": "sucre",
    "tobacco": "tabac",
    "coffee": "café",
}
_PHASES: Final = {
    "draft": "choix des bâtiments",
    "role": "choix des rôles",
    "builder": "phase de construction",
    "craftsman": "phase de production",
    "trader": "phase de commerce",
    "captain": "phase d'expédition",
    "storage": "stockage des marchandises",
    "smuggler": "contrebandier",
    "end": "fin de la partie",
    "over": "partie terminée",
}
_TERMS: Final = {
    "city": "ville",
    "plantation": "plantation",
    "plantations": "plantations",
    "island_tile": "tuile d'île",
    "quarry": "carrière",
    "quarries": "carrières",
    "forest": "forêt",
    "forests": "forêts",
    "row": "plantations visibles",
    "discard": "défausse",
    "privilege": "privilège",
    "good": "marchandise",
    "goods": "marchandises",
    "barrel": "tonneau",
    "barrels": "tonneaux",
    "cargo_ship": "cargo",
    "trading_house": "comptoir commercial",
    "governor": "gouverneur",
    "vp": "PV",
}

_CLASSIC: Final = EditionWords(
    goods=_GOODS,
    roles={
        "settler": "paysan",
        "mayor": "maire",
        "builder": "bâtisseur",
        "craftsman": "contremaître",
        "trader": "marchand",
        "captain": "capitaine",
        "prospector_1": "chercheur d'or",
        "prospector_2": "chercheur d'or",
        "smuggler": "contrebandier",
    },
    buildings={
        "small_indigo_plant": "petite indigoterie",
        "small_sugar_mill": "petite raffinerie de sucre",
        "indigo_plant": "indigoterie",
        "sugar_mill": "raffinerie de sucre",
        "tobacco_storage": "séchoir à tabac",
        "coffee_roaster": "brûlerie de café",
        "small_market": "petit marché",
        "hacienda": "hacienda",
        "construction_hut": "cabane de chantier",
        "small_warehouse": "petit entrepôt",
        "hospice": "hospice",
        "office": "comptoir",
        "large_market": "grand marché",
        "large_warehouse": "grand entrepôt",
        "factory": "manufacture",
        "university": "université",
        "harbor": "port",
        "wharf": "quai",
        "guild_hall": "maison des corporations",
        "residence": "résidence",
        "fortress": "forteresse",
        "customs_house": "douane",
        "city_hall": "hôtel de ville",
        "aqueduct": "aqueduc",
        "forest_house": "maison forestière",
        "black_market": "marché noir",
        "storehouse": "magasin",
        "guest_house": "maison d'hôtes",
        "trading_post": "poste de traite",
        "church": "église",
        "small_wharf": "petit quai",
        "lighthouse": "phare",
        "specialty_factory": "fabrique de spécialités",
        "library": "bibliothèque",
        "union_hall": "maison des syndicats",
        "cloister": "cloître",
        "statue": "statue",
        "land_office": "bureau des terres",
        "chapel": "chapelle",
        "hunting_lodge": "pavillon de chasse",
        "notary": "bureau d'urbanisme",
        "royal_supplier": "fournisseur royal",
        "villa": "villa",
        "jeweler": "joaillerie",
        "royal_garden": "jardin royal",
    },
    phases={
        **_PHASES,
        "settler": "phase du paysan",
        "mayor": "phase du maire",
        "prospector": "phase du chercheur d'or",
    },
    terms={
        **_TERMS,
        "worker": "colon",
        "workers": "colons",
        "citizen": "noble",
        "citizens": "nobles",
        "register": "navire des colons",
        "worker_supply": "réserve de colons",
        "portrait": "San Juan",
        "player_board": "plateau de joueur",
        "island": "île",
        "deck": "pile cachée",
        "circle": "cercle",
        "circles": "cercles",
        "column": "colonne",
        "commercial_building": "bâtiment violet",
        "coin": "doublon",
        "coins": "doublons",
        "private_ship": "navire du quai",
    },
)
_OF_1897: Final = EditionWords(
    goods={**_GOODS, "indigo": "fruits"},
    roles={
        "settler": "planteur",
        "mayor": "recruteur",
        "builder": "bâtisseur",
        "craftsman": "producteur",
        "trader": "marchand",
        "captain": "capitaine",
        "prospector_1": "aventurier",
        "prospector_2": "aventurier",
        "smuggler": "contrebandier",
    },
    buildings={
        **_CLASSIC.buildings,
        "small_indigo_plant": "petit entrepôt de fruits",
        "small_sugar_mill": "petit moulin à sucre",
        "indigo_plant": "grand entrepôt de fruits",
        "sugar_mill": "grand moulin à sucre",
        "tobacco_storage": "entrepôt de tabac",
        "coffee_roaster": "torréfacteur",
        "construction_hut": "chantier",
        "hospice": "hôpital",
        "office": "bureau",
        "factory": "usine",
        "university": "école",
        "wharf": "chantier naval",
        "guild_hall": "caserne de pompiers",
        "city_hall": "palais du gouverneur",
        "aqueduct": "canal",
        "forest_house": "dépôt de bois",
        "guest_house": "bohío",
        "small_wharf": "petit chantier naval",
        "specialty_factory": "distillerie",
        "library": "maison d'édition",
        "union_hall": "salle des assemblées",
        "cloister": "cathédrale",
        "statue": "monument",
        "land_office": "cadastre",
        "hunting_lodge": "administration des parcs",
        "notary": "notaire",
        "royal_supplier": "bureau des pensions",
        "jeweler": "atelier de couture",
        "royal_garden": "grand-place",
    },
    phases={
        **_PHASES,
        "settler": "phase de plantation",
        "mayor": "phase de recrutement",
        "prospector": "aventurier",
    },
    terms={
        **_TERMS,
        "worker": "ouvrier",
        "workers": "ouvriers",
        "citizen": "citoyen",
        "citizens": "citoyens",
        "register": "registre du travail",
        "worker_supply": "réserve d'ouvriers",
        "portrait": "portrait",
        "player_board": "plateau d'île",
        "island": "campagne",
        "deck": "piles cachées",
        "circle": "demi-cercle",
        "circles": "demi-cercles",
        "column": "section",
        "commercial_building": "bâtiment commercial",
        "coin": "pièce",
        "coins": "pièces",
        "private_ship": "navire affrété",
    },
)

_MAKES: Final = (
    "Chaque {{worker}} fait ici un {{barrel}} de {{{0}}} à partir d'une {{plantation}} de {{{0}}} "
    "occupée."
)

MESSAGES: Final = Language(
    name="Français",
    editions={"classic": _CLASSIC, "1897-en": _OF_1897, "1897-de": _OF_1897},
    actions={
        "pass": "passer",
        "role": "prendre la carte {word}",
        "take": "prendre une {plantation} ({word})",
        "take:quarry": "prendre une {word}",
        "draw": "piocher d'abord une {plantation} de plus ({hacienda})",
        "hospice:drawn": "placer un {worker} sur la tuile piochée ({hospice})",
        "hospice:taken": "placer un {worker} sur la tuile prise ({hospice})",
        "recall": "reprendre un {unit} ({word})",
        "place": "placer un {unit} ({word})",
        "build": "construire « {word} »",
        "privilege": "prendre un {barrel} de {word} de plus",
        "sell": "vendre du {word}",
        "load": "charger du {word} sur le navire {ship}",
        "wharf": "expédier du {word} par son propre navire ({wharf})",
        "store": "stocker tous les {barrels} de {word}",
        "keep": "garder un {barrel} de {word}",
        "gain": "prendre ce qui est offert",
        "forest_row": "prendre une {plantation} comme {forest} ({word})",
        "forest": "prendre une {forest}",
        "board": "mettre en jeu « {word} »",
        "post": "vendre du {word} à part ({trading_post})",
        "small_wharf": "expédier un {barrel} de {word} ({small_wharf})",
        "pay": "payer avec un {unit} ({word})",
        "pay:portrait": "payer avec un {unit} non placé",
        "pay_good": "payer avec un {barrel} de {word}",
        "pay_vp": "payer avec un {vp}",
        "guest": "déplacer un {unit} vers « {word} » ({guest_house})",
        "use:plantation": "poser la tuile piochée comme {plantation}",
        "use:forest": "poser la tuile piochée comme {forest}",
        "deal": "prendre un {word}",
        "villa": "prendre le pion offert dans la réserve ({villa})",
        "supply": "rendre un {barrel} de {word} ({royal_supplier})",
        "land_buy": "acheter une tuile ({land_office})",
        "land_sell": "vendre une tuile ({word}, {land_office})",
        "lodge": "retirer une tuile ({word}, {hunting_lodge})",
        "remove:empty": "retirer une tuile vide",
        "remove:worker": "retirer une tuile avec un {worker}",
        "remove:citizen": "retirer une tuile avec un {citizen}",
        "raid": "vider le navire {ship}",
        "plunder": "vider le {trading_house}",
        "poach": "débaucher des {workers} ({register})",
        "capture": "intercepter la carte {word}",
    },
    decisions={
        "choose_role": Decision("choisir un rôle"),
        "draw_tile": Decision("piocher d'abord une tuile, ou non", "ne piocher aucune tuile"),
        "take_tile": Decision("prendre une tuile", "ne prendre aucune tuile"),
        "staff_tile": Decision(
            "placer un {worker} sur une nouvelle tuile", "ne placer aucun {worker}"
        ),
        "mayor_privilege": Decision(
            "prendre un {worker} de plus ({value} pris)",
            "ne pas prendre de {worker} de plus",
            "prendre un {worker} de plus",
        ),
        "recall": Decision("reprendre des {workers}", "ne plus reprendre de {workers}"),
        "place": Decision("placer des {workers}", "ne plus placer de {workers}"),
        "buy": Decision("construire", "ne rien construire"),
        "staff_building": Decision(
            "placer un {worker} sur le nouveau bâtiment", "ne placer aucun {worker}"
        ),
        "produce": Decision("produire", "ne rien produire", "produire"),
        "craftsman_privilege": Decision(
            "prendre un {barrel} de plus", "ne prendre aucun {barrel} de plus"
        ),
        "sell": Decision("vendre", "ne rien vendre"),
        "load": Decision("charger", "ne rien charger"),
        "store": Decision("stocker", "ne plus rien garder"),
        "gain_coins": Decision(
            "prendre {value} {coins}", "renoncer aux {coins}", "prendre les {coins}"
        ),
        "gain_vp": Decision("prendre {value} {vp}", "renoncer aux {vp}", "prendre les {vp}"),
        "phase_begin": Decision("la phase commence"),
        "phase_end": Decision("la phase se termine"),
        "draft": Decision("choisir un bâtiment pour la partie"),
        "open_window": Decision(
            "déplacer des hôtes à l'ouverture de la phase ({guest_house})", _NOBODY_MOVES
        ),
        "turn_window": Decision(
            "déplacer des hôtes avant le premier tour ({guest_house})", _NOBODY_MOVES
        ),
        "close_window": Decision(
            "déplacer des hôtes à la clôture de la phase ({guest_house})", _NOBODY_MOVES
        ),
        "use_tile": Decision("poser la tuile piochée"),
        "take_again": Decision("prendre une deuxième tuile", "ne pas prendre de deuxième tuile"),
        "hunt": Decision("utiliser le bâtiment ({hunting_lodge})", "ne retirer aucune tuile"),
        "remove_tile": Decision("choisir la tuile qui part ({spot})"),
        "opening": Decision("commencer"),
        "deal": Decision("prendre au {register}", "ne prendre personne"),
        "hire": Decision("choisir qui arrive ({spot})"),
        "pay": Decision("compenser {value} {coins}"),
        "small_ship": Decision(
            "utiliser le bâtiment ({small_wharf}, {value} expédiés)",
            "ne plus rien expédier ({small_wharf})",
        ),
        "supply": Decision(
            "utiliser le bâtiment ({royal_supplier}, {value} rendus)",
            "ne plus rendre de {barrels}",
        ),
        "smuggle": Decision("faire de la contrebande", "ne rien faire"),
        "raid": Decision(
            "vider un navire ({value} pris)",
            "ne plus prendre de {barrels}",
            "prendre un {barrel} de plus",
        ),
        "gather": Decision("choisir qui arrive (encore {value})"),
        "place_units": Decision(
            "placer les pions en main ({value} au plus)",
            "ne plus placer personne ; les autres attendent ({portrait})",
        ),
        "gain_units": Decision(
            "prendre {value} pions de la réserve",
            "renoncer aux pions de la réserve",
            "prendre les pions de la réserve",
        ),
        "built": Decision("terminer la construction"),
        "phase_close": Decision("la phase se clôt"),
    },
    heads={
        "role": "Choix du rôle",
        "storage": "Stockage",
        "draft": "Sélection",
    },
    labels={
        "colon": " : ",
        "semicolon": " ; ",
        "action": "action",
        "round": "manche",
        "player": "joueur",
        "players": "joueurs",
        "to_act": "à jouer",
        "roles": "rôles",
        "supply": "réserve",
        "ships": "navires",
        "house": "commerce",
        "buildings": "bâtiments restants",
        "shop": "à acheter",
        "empty": "vide",
        "hidden": "caché",
        "unseen": "par sorte",
        "you": "vous",
        "last_round": "dernière manche",
        "nothing": "rien",
        "board": "bâtiments en jeu",
        "draft": "à choisir",
        "cost": "prix",
        "smuggler": "tuile du contrebandier",
        "tile": "tuile",
        "captured": "intercepté par",
        "festival": "fête",
        "nobody": "personne",
        "hand": "en main",
        "drawn": "piochée",
        "bank": "banque",
        "score_now": "score actuel",
        "truncated": "interrompue",
        "order": "à venir",
        "in_phase": "dans cette phase",
        "in_round": "au choix des rôles",
        "waiting": "en attente",
        "so_far": "jusqu'ici dans cette phase",
        "tile_drawn": "tuile piochée",
        "tile_taken": "tuile prise",
        "bought": "construit",
        "recalled": "repris de",
        "from_on": "seulement à partir de {value}",
        "ship": "navire",
        "produced": "produit",
        "privilege": "par le privilège",
        "first_circuit": "premier tour de table",
        "circuit_loads": "{value} chargements dans ce tour de table",
        "idle_turns": "{value} tours sans chargement depuis le dernier",
        "captain_loaded": "les PV du capitaine sont attribués",
        "used": "{word} utilisé",
        "passed": "n'a pas chargé la dernière fois",
        "stored": "stocké en entier",
        "kept": "gardé à l'unité",
        "sold": "vendu",
        "role_captured": "un rôle intercepté",
        "end_workers": "plus de {workers}",
        "end_city": "{city} pleine",
        "end_vp": "plus de {vp}",
        "score": "score",
        "last": "dernier coup",
        "won": "a gagné",
        "winner": "vainqueur",
        "end_turn": "finir son tour",
        "rest_returns": "ne plus placer personne ; les autres retournent à la réserve",
        "by_market": "dont {gap} par le marché noir ({black_market})",
        "seat_has": "{seat} a",
        "you_have": "vous avez",
        "or": " ou ",
        "score_buildings": "bâtiments",
        "score_total": "total",
        "tile_of_good": "{plantation} de {word}",
    },
    # -- explain
    cards={
        "sort_role": "carte de rôle",
        "sort_shop": "bâtiment à vendre",
        "sort_draft": "bâtiment à choisir",
        "sort_built": "bâtiment ({name})",
        "sort_city": "{name}",
        "sort_row": "{plantation}, face visible",
        "sort_stack": "tuiles restantes",
        "sort_deck": "{plantations}",
        "sort_drawn": "tuile piochée",
        "sort_tile": "{name}",
        "sort_island": "{name}",
        "sort_ship": "cargo",
        "sort_house": "ici se vendent les {goods}",
        "sort_supply": "{barrels} de la réserve",
        "sort_units": "réserve",
        "sort_register": "les prochains arrivants",
        "sort_pool": "encore à gagner",
        "sort_goods": "en entrepôt ({name})",
        "sort_coins": "{name}",
        "sort_vp": "{name}",
        "sort_score": "{name}",
        "sort_portrait": "{name}",
        "sort_smuggler": "extension",
        "sort_festival": "objectif pour tous",
        "sort_hand": "à placer maintenant",
        "sort_phase": "ce qui se joue maintenant",
        "fact_on_card": "sur la carte",
        "fact_taken": "pris par",
        "fact_production": "production maintenant ({name})",
        "fact_list_price": "prix imprimé",
        "fact_price": "votre prix maintenant",
        "fact_as_actor": "avec le {privilege} du rôle {role}",
        "fact_quarries_save": "réduction par vos {quarries}",
        "fact_barter": "{black_market} : remplace jusqu’à",
        "fact_worth": "vaut à la fin",
        "fact_column": "{quarries} comptées au plus",
        "fact_takes_spaces": "cases occupées",
        "fact_slots": "bâtiments encore à choisir pour {cost}",
        "fact_chosen": "déjà dans cette partie",
        "fact_excludes": "exclut de la partie",
        "fact_left": "reste",
        "fact_if_building": "pourriez-vous le construire à votre tour",
        "fact_staffed": "occupé",
        "fact_scores": "rapporte maintenant",
        "fact_in_row": "dans la rangée",
        "fact_unseen": "pas encore vus",
        "fact_yours": "vous avez",
        "fact_there": "présent",
        "fact_known": "imprimé dessous",
        "fact_free": "cases libres",
        "fact_loaded": "chargé",
        "fact_sells": "{word} se vend maintenant",
        "fact_loads": "charger : {word} rapporterait",
        "fact_arrivals": "vous recevriez tant de {workers}",
        "fact_could_build": "vous pourriez construire",
        "fact_sold_for": "{trading_house} : paie",
        "fact_storage": "le stockage prendrait maintenant au moins",
        "fact_held": "détenue par",
        "fact_goal": "demandé",
        "fact_prize": "récompense",
        "fact_decides": "décide",
        "fact_decision": "décision",
        "yes": "oui",
        "works": "il fonctionne",
        "idle": "il ne fonctionne pas",
        "printed_vp": "imprimés sur les bâtiments",
        "in_score": "{change} au décompte final",
        "chance": "La tuile piochée dépend du hasard.",
        "will_lose": "Le stockage prend alors au moins : {things}.",
        "would_lose": "Si le stockage venait juste après, il prendrait au moins : {things}.",
        "not_your_turn": "ce n’est pas votre tour : {name} décide maintenant",
        "tile_corn": (
            "Occupée par un {worker}, elle donne un {barrel} de {corn} à chaque production ; "
            "aucun bâtiment n’est nécessaire."
        ),
        "tile_good": (
            "Occupée par un {worker}, elle donne un {barrel} de {word} à chaque production, si un "
            "{circle} correspondant est occupé dans {plants}."
        ),
        "tile_quarry": (
            "Occupée par un {worker}, elle rend chaque bâtiment moins cher de 1 {coin} ; pour un "
            "bâtiment comptent au plus autant de {quarries} que le numéro de sa {column}."
        ),
        "tile_forest": (
            "Deux {forests} rendent chaque bâtiment moins cher de 1 {coin} ; on ne les occupe pas."
        ),
        "deck": (
            "{plantations} face cachée ; quand il n’y en a plus, on mélange celles de la défausse."
        ),
        "discard": "{plantations} défaussées ; elles reviennent quand la pioche est vide.",
        "drawn": (
            "Elle est posée telle quelle, ou face cachée comme {forest} ; seul celui qui l’a "
            "piochée la connaît."
        ),
        "ship": (
            "Il prend jusqu’à {size} {barrels}, tous d’une sorte qu’aucun autre navire ne prend "
            "alors. Un navire plein est vidé après la phase."
        ),
        "supply": (
            "Qui produit du {word} le prend ici ; quand il n’y en a plus, personne n’en reçoit."
        ),
        "units": "Personne ne les a encore. D’ici ils viennent sur {register}.",
        "goods": (
            "Les {barrels} se vendent au {trading_house} contre des {coins}, ou s’expédient contre "
            "des {vp}. Ce qui ne peut être stocké ensuite retourne à la réserve."
        ),
        "coins": (
            "Elles paient les bâtiments. À score égal gagne celui qui a le plus de {coins} et de "
            "{barrels} ensemble."
        ),
        "vp": "Gagnés en expédiant des {goods} et par l’effet de certains bâtiments.",
        "portrait": (
            "Ils attendent ici d’être placés sur des {circles} ; là seulement ils travaillent."
        ),
        "hand": (
            "Ils sont placés maintenant ; le reste retourne à la réserve ou attend : {portrait}."
        ),
    },
    guide={
        "title": "Comment jouer",
        "aim": "De quoi il s’agit",
        "setup": "Au début",
        "setup_text": (
            "Chacun a un plateau en deux moitiés, {island} et {city} ; le premier joueur est "
            "{governor}. Le "
            "reste dépend du nombre de joueurs."
        ),
        "setup_players": "joueurs",
        "setup_coins": "{coins} pour chacun",
        "setup_tiles": "premières {plantations}, à partir du {governor}",
        "setup_vp": "{vp} à gagner",
        "setup_workers": "{workers} dans la réserve",
        "setup_register": "{workers} au départ ({register})",
        "setup_row": "tuiles visibles",
        "setup_ships": "places des navires",
        "setup_prospectors": "cartes : {prospector_1}",
        "setup_picks": "cartes de rôle prises par manche",
        "round": "Une manche",
        "roles": "Les rôles",
        "roles_text": (
            "Qui prend une carte commence, et a seul le {privilege} ; puis les autres suivent dans "
            "le sens horaire."
        ),
        "goods": "Les marchandises",
        "goods_text": (
            "Une {plantation} donne un {barrel} ; pour tout sauf {corn}, il faut aussi un bâtiment."
            " Une marchandise chère se vend mieux ; sur un navire toutes valent autant."
        ),
        "goods_name": "marchandise",
        "goods_price": "prix de vente",
        "goods_tiles": "{plantations}",
        "goods_barrels": "{barrels}",
        "buildings": "Les bâtiments",
        "buildings_text": (
            "Un bâtiment fonctionne tant que quelqu’un l’occupe. Autant de {quarries} peuvent le "
            "rendre moins cher que le dit sa {column}. Ceux de la {column} 4 sont grands : ils "
            "prennent deux cases, et la plupart donnent des {vp} à la fin."
        ),
        "building_name": "bâtiment",
        "building_cost": "prix",
        "building_vp": "{vp}",
        "building_column": "{column}",
        "building_circles": "{circles}",
        "building_copies": "nombre",
        "building_does": "effet",
        "end": "La fin, et qui a gagné",
        "expansions": "Extensions",
        "draft_slots": "De chaque prix, on en choisit tant : {slots}.",
        "expansions_text": "Chacune peut s’ajouter seule ou avec d’autres.",
        "edition": "Édition",
        "players": "Joueurs",
        "contents": "Sommaire",
        "help": (
            "À la table, chaque endroit du plateau s’explique lui-même : laissez-y la souris, "
            "touchez-le, ou appuyez sur ? quand il a le focus."
        ),
    },
    page={
        # -- who is who
        "name_governor": "réseau étalon",
        "name_generalist": "réseau",
        "sits_in_for": "remplace {whom}",
        # -- drafts
        "draft_in_hand": "{units} en main : {count}",
        "draft_to_pay": "Encore à payer : {count}",
        "draft_kept": "Gardés : {kept} sur {held}",
        "draft_more": "{place} : un {unit} de plus",
        "draft_fewer": "{place} : un {unit} de moins",
        "draft_review": "Ce qui sera fait : {count}",
        "draft_by": "Comme le ferait {agent}.",
        "draft_done": "Terminé",
        "draft_fill": "Compléter",
        "draft_suggest": "Suggérer",
        "draft_before": "Comme avant",
        "draft_clear": "Vider",
        "draft_single": "Un par un",
        "draft_together": "Tout d’un coup",
        "draft_close": "Pas maintenant",
        "made_as_one": "{count} décisions prises d’un coup",
        "draft_staffing": "Affecter les {workers}",
        "draft_storage": "Garder des {barrels}",
        "draft_payment": "Payer les {coins} qui manquent",
        "draft_handout": "Placer les pions en main",
        "draft_guests": "Déplacer les hôtes",
        "draft_storage_rule": (
            "Sortes gardées en entier : {kinds}. {barrels} isolés en plus : {singles}."
        ),
        "draft_storage_singles": "{barrels} isolés gardés : {singles}.",
        "draft_payment_rule": "On rend au plus un pion, un {barrel} et un {vp} ; chacun paie 1.",
        "draft_handout_rule": "On peut en placer {count} au plus.",
        "draft_full": "{place} : il y a de la place pour {count}.",
        "draft_short": "Il n’y a que {there}.",
        "draft_stays": "{place} : qui y a été placé y reste.",
        "draft_not_back": "{place} : qui en a été retiré n’y revient pas pendant cette phase.",
        "draft_held_back": (
            "{hand} en main, et encore de la place ({free}) : personne ne reste "
            "sur le {portrait} tant qu’il y a de la place."
        ),
        "draft_choose": "Encore à choisir : {count}.",
        "draft_units": "pions",
        "draft_goes_back": "repart",
        "draft_storage_many": "C’est plus qu’on ne peut garder. {rule}",
        "draft_storage_few": "Il faut garder autant que permis. {rule}",
        "draft_pay_more": "Encore à payer : {count}.",
        "draft_pay_less": "C’est {count} de trop.",
        "draft_chance": "« {move} » fait tirer au hasard : jouez d’abord ce coup seul.",
        "draft_unreachable": "Aucun coup permis n’y mène.",
        # -- explain
        "card_close": "Fermer",
        "card_more": "? montre les règles",
        "card_rules": "Les règles à ce sujet",
        "card_rules_language": "Le texte des règles est en anglais.",
        "how_to_play": "Règles",
        # -- thinking
        "thinks": "{agent} réfléchit : {seconds:.0f} s",
        "waits": "{agent} attend : {before} recherches avant la vôtre",
        "waits_for_one": "{agent} attend : 1 recherche avant la vôtre",
        "cut": "Le temps d'une recherche était écoulé ; voici ce qu'elle avait trouvé.",
        "cancel": "Annuler",
        # -- study
        "replay_players": "{count} joueurs",
        "replay_seed": "graine {seed}",
        "replay_position": "depuis une position",
        "replay_needs_scripts": "Cette page rejoue une partie et a besoin de scripts pour cela.",
        "replay_old_browser": "Cette page a besoin d'un navigateur de 2023 ou plus récent.",
        "replay_damaged": "Cette page est endommagée :",
        "replay_board": "Plateau",
        "replay_enlarge": "Le plateau entier de {name}",
        "replay_decision": "Décision",
        "replay_steps": "Étapes",
        "replay_first": "Début",
        "replay_round_back": "Manche précédente",
        "replay_back": "Décision précédente",
        "replay_play": "Lecture",
        "replay_pause": "Pause",
        "replay_forward": "Décision suivante",
        "replay_round_on": "Manche suivante",
        "replay_last": "Fin",
        "replay_key_home": "Origine",
        "replay_key_end": "Fin",
        "replay_key_page_up": "Page préc.",
        "replay_key_page_down": "Page suiv.",
        "replay_key_space": "Espace",
        "replay_speed": "Vitesse",
        "replay_slow": "lente",
        "replay_normal": "normale",
        "replay_fast": "rapide",
        "replay_very_fast": "très rapide",
        "replay_keys": "← → décision · Page ↑ ↓ manche · Espace : lecture",
        "replay_decisions": "Décisions",
        "replay_forced_too": "forcées aussi",
        "replay_forced": "forcée",
        "replay_over_game": "Au fil de la partie",
        "replay_dealt": "La partie est mise en place",
        "replay_round": "Manche {round}",
        "replay_where": "Manche {round} · {now} sur {last}",
        "replay_where_spoken": "Décision {now} sur {last}, manche {round}, {what}",
        "replay_won": "Victoire de {names}",
        "replay_tie": "Égalité entre {names}",
        "replay_and": " et ",
        "replay_cut": "arrêtée par la limite de manches",
        "replay_unfinished": "non terminée",
        "replay_view": "(dont c'est la vue)",
        "replay_rather": "{name} ferait plutôt : {choice}",
        "replay_reviewer": "Ce qu'en pense {name}",
        "replay_hint_for": "Un conseil pour {name}",
        "replay_thought": "Ce que pensait {name}",
        "replay_nothing_yet": "Rien n'est encore décidé.",
        "replay_nothing_else": "Rien d'autre n'était possible.",
        "replay_no_analysis": "Il n'y a pas d'analyse de cette décision.",
        "replay_chance_before": "Chance de gagner avant cette décision",
        "replay_chance_last": "Chance de gagner, vue en dernier",
        "replay_cost": "Elle a abaissé la chance de gagner de {loss}.",
        "replay_would_choose": "Choisirait : {choice}",
        "replay_played_instead": "Joué : {choice}",
        "replay_choices": "Choix",
        "replay_choices_of": "{what} : choix",
        "replay_weight": "poids",
        "replay_wins": "gagne",
        "replay_more": "et {count} de plus",
        "replay_best": "son choix",
        "replay_played": "joué",
        "replay_why": "Pourquoi",
        "replay_curve_score": "Score",
        "replay_curve_chances": "Chance de gagner",
        "replay_curve_coins": "{coins}",
        "replay_curve_vp": "{vp}",
        "replay_curve_goods": "{barrels}",
        "replay_curve_workers": "{workers}",
        "replay_curve_tiles": "{island}",
        "replay_curve_buildings": "Bâtiments",
        "replay_about_score": "comme si la partie s'arrêtait là",
        "replay_about_chances": "selon {name}, pour chaque place",
        "replay_curve_label": "{title}, une courbe par joueur au fil de la partie",
        "replay_score": "Score final",
        "replay_score_so_far": "Score à la fin de l'enregistrement",
        "replay_total": "Total",
        "replay_tie_break": "En cas d'égalité : {coins} et {barrels}",
        "replay_place": "Rang",
        "replay_costly": "Les décisions les plus coûteuses",
        "replay_costly_about": (
            "Selon {name} : de combien la chance de gagner de qui a décidé est plus faible "
            "qu'après le choix de {name}, et la suite qu'il aurait jouée."
        ),
        "replay_costly_none": (
            "Selon {name}, aucune décision n'a coûté un dixième de pour cent de chance de gagner."
        ),
        "replay_line": "{name} aurait joué :",
        "replay_accuracy": "Précision",
        "replay_accuracy_agreed": "Aussi bon que son choix",
        "replay_accuracy_loss": "Chance perdue par décision",
        "replay_accuracy_decisions": "Décisions",
        "replay_accuracy_about": (
            "Selon {name}. Une décision est aussi bonne que son choix si elle perd moins de 0,1"
            " point de chance de gagner. La précision est la moyenne de 103,1668 · exp(−0,04354"
            " · points perdus) − 3,1669 sur les décisions, la formule de lichess.org pour un "
            "coup d'échecs : ses chiffres sont ajustés aux échecs, elle compare donc les "
            "joueurs d'une partie, pas les parties. Des pions placés l'un après l'autre "
            "comptent pour une décision."
        ),
        "replay_play_on": "Continuer à partir d'ici",
        "replay_play_on_about": (
            "Ce fichier est la partie jusqu'à la décision que montre la page. On peut la "
            "continuer, avec n'importe quels agents et personnes aux places."
        ),
        "replay_download": "Télécharger la partie jusqu'ici",
        "replay_play_on_terminal": "Dans le terminal :",
        "replay_play_on_page": "Ou chargez-le sur la page qu'ouvre prico serve.",
        "replay_close": "Fermer",
        "puzzle_right": "Juste : {best}.",
        "puzzle_wrong": "Pas le meilleur : {chosen}. Le meilleur est : {best}.",
        "puzzle_sure": (
            "{count} recherches profondes sont d'accord : la chance de gagner est ensuite d'au "
            "moins {lead:.1%} plus élevée qu'après tout autre choix."
        ),
        "puzzle_chances": "{move} : {here:.1%} de chance de gagner ; {other} : {there:.1%}.",
        "puzzle_misled": "Ces joueurs se seraient trompés ici : {names}.",
        "puzzle_misled_one": "Un joueur se serait trompé ici : {names}.",
        "puzzle_title": "Problème {number} sur {count}",
        "puzzle_about": (
            "{rules}. Manche {round}, {phase} : quel est le meilleur choix pour {who} ?"
        ),
        "puzzle_next": "Entrée montre le suivant, q arrête",
        "puzzle_score": "Justes : {right} sur {asked}.",
        "puzzle_others": (
            "Le planner en trouve {planner}, les autres heuristiques en moyenne {others:.1f}."
        ),
        "puzzle_skipped": "Sans réponse. Le meilleur est : {best}.",
        "puzzle_all_solved": "Tous ces problèmes ont une réponse ; ils sont posés à nouveau.",
        "puzzle_skip_help": "montre la réponse et passe au problème suivant",
        "puzzle_page": "Problèmes",
        "puzzle_moves": "Vos choix",
        "puzzle_forward": "Problème suivant",
        "puzzle_back": "Problème précédent",
        "puzzle_table": "Retour à la table",
        "puzzle_why": "Pourquoi",
        "puzzle_kind": "Genre",
        "puzzle_every_kind": "tous les genres",
        "puzzle_choose_role": "quel rôle",
        "puzzle_buy": "que construire",
        "puzzle_take_tile": "quelle tuile",
        "puzzle_load": "que charger",
        "puzzle_place": "où vont les pions",
        "puzzle_sell": "que vendre",
        "puzzle_craftsman_privilege": "quelle marchandise en plus",
        "puzzle_store": "que garder",
        "replay_open": "Rejouer et étudier",
        "replay_opening": "La page se prépare…",
        "replay_seats": "Qui est assis où",
        "replay_seat": "Place {seat}",
        "replay_go_on": "Continuer",
        "replay_go_on_from": "Une nouvelle partie commence à la décision {decision} de celle-ci.",
        "replay_cancel": "Annuler",
        "puzzle_best": "meilleur",
        "puzzle_help": (
            "Dans chaque position, un choix est nettement le meilleur, et qui se fie aux "
            "apparences le manque."
        ),
        # -- places without words
        "place_island": "île de {name}",
        "place_city": "ville de {name}",
        "place_goods": "stock de {name}",
        "place_row": "tuile visible",
        "place_other": "place sur la table",
        "place_festival": "fête",
        # -- table
        "language": "Langue",
        "new_game": "Nouvelle partie",
        "undo": "Reprendre",
        "save": "Enregistrer",
        "load": "Charger",
        "record_to_load": "Partie à charger",
        "pace": "Les agents jouent",
        "pace_slow": "lentement",
        "pace_fast": "vite",
        "pace_instant": "d'un coup",
        "pause": "Pause",
        "go_on": "Continuer",
        "dismiss": "Fermer ce message",
        "board": "Plateau",
        "who_plays": "Qui joue",
        "final_score": "Score final",
        "place": "Place",
        "your_moves": "Vos coups",
        "moves_here": "Coups possibles ici",
        "search_share": "Avancement de la recherche",
        "hint": "Conseil",
        "hinted": "conseil",
        "ask": "Demander",
        "adviser": "Qui donne le conseil",
        "what_happened": "Déroulement",
        "round": "Manche {round}",
        "before_first_round": "Avant la première manche",
        "forced": "forcé",
        "nothing_else": "Rien d'autre n'était possible",
        "you": "vous",
        "your_turn": "à vous de jouer",
        "your_turn_of": "à vous de jouer ({name})",
        "to_decide": "{name} décide",
        "no_game_yet": "Pas encore de partie",
        "no_game_notice": (
            "Aucune partie n'est en cours. Commencez-en une nouvelle, ou chargez-en une."
        ),
        "has_won": "La partie est terminée : victoire de {names}",
        "tied": "La partie est terminée : victoire partagée de {names}",
        "and": " et ",
        "from_position": "depuis une position",
        "seed_of": "graine {seed}",
        "count_players": "{count} joueurs",
        "no_answer": "La table ne répond pas. `prico serve` tourne-t-il encore ?",
        "strange_answer": "La table répond {status}.",
        "too_large": "{file} est trop grand pour une partie enregistrée.",
        # -- several people
        "games": "Parties",
        "seats": "Places",
        "seats_title": "Qui joue où : offrir une place, laisser jouer un agent, renommer",
        "games_title": "Vos parties",
        "no_games": "Vous n'avez pas encore de partie ici.",
        "open_game": "Ouvrir",
        "leave_game": "Quitter {title}",
        "leave_short": "Quitter",
        "leave_warning": (
            "Quitter cette partie pour de bon ? Si d'autres y jouent, un agent prend votre "
            "place ; sinon elle est supprimée."
        ),
        "game_over": "terminée",
        "this_game": "cette partie",
        "seat_code": "Code d'une place",
        "join": "S'asseoir",
        "join_title": "S'asseoir à une table",
        "join_where": "Place {seat} de « {title} », avec {names}",
        "join_taken": "{name} y est déjà. Si c'est vous, reprenez la place dans ce navigateur.",
        "take_over": "Reprendre la place",
        "your_name": "Votre nom",
        "name_of_seat": "Nom à la place {seat}",
        "somebody_by_link": "quelqu'un par un lien",
        "person_here": "une personne ici",
        "hidden_points": "Points des autres",
        "points_usual": "comme dans l'édition",
        "points_hidden": "cachés",
        "points_open": "visibles",
        "lobby": "Table",
        "lobby_free": "Table : places libres",
        "link_of_seat": "Lien de la place {seat}",
        "code_is": "code {code}",
        "copy": "Copier le lien",
        "copied": "Copié",
        "link_warning": (
            "Qui a le lien d'une place a la place : envoyez chacun à une seule personne."
        ),
        "watch_link": "On peut regarder à {address}",
        "seat_is_free": "encore personne",
        "waits_for_seat": "en attente de quelqu'un à la place {seat}",
        "is_away": "un agent joue pour {name}",
        "is_here": "présent",
        "is_not_here": "absent",
        "you_watch": "Vous regardez cette partie.",
        "watching": "spectateurs : {count}",
        "let_agent_play": "Laisser jouer un agent",
        "agent_for_seat": "Laisser jouer un agent à la place {seat}",
        "take_back_seat": "Reprendre ma place",
        "take_seat": "M'asseoir ici",
        "offer_seat": "Offrir la place par un lien",
        "rename": "Renommer",
        "my_link": "Votre retour, depuis un autre navigateur",
        "host_paused": "L'hôte a mis la partie en pause",
        "deal_was_chosen": "L'hôte connaît la donne.",
        "deal_hidden": "donne cachée jusqu'à la fin",
        "undo_asked": "{name} demande à reprendre une décision.",
        "undo_waits": "Vous demandez à reprendre une décision ; en attente de {names}.",
        "undo_others": "{name} demande l'accord de {names} pour reprendre une décision.",
        "accept": "Accepter",
        "decline": "Refuser",
        "withdraw": "Retirer",
        "connection_lost": "La connexion à la table est perdue ; nouvel essai.",
        "preparing": (
            "La table se prépare : cela ne se fait qu'une fois et prend environ une minute."
        ),
        "preparing_rules": "Compilation des règles",
        "preparing_board": "Dessin du premier plateau",
        "preparing_agents": "Compilation des agents",
        "preparing_search": "Compilation de la recherche",
        "preparing_figures": "{share} %, {seconds} s",
        # -- hint
        "chance_now": "Chances de gagner maintenant",
        "best_first": "Coups, le meilleur d'abord",
        "favours": "Préférence pour chaque coup",
        "chance_after": "Chances de gagner après chaque coup",
        "and_chance_after": "et les chances de gagner ensuite",
        "and_more": "et {count} de plus",
        # -- care
        "keys": "Touches",
        "close": "Fermer",
        "or": " ou ",
        "redo": "Rétablir",
        "key_move": "Choisir le coup qui porte ce numéro",
        "key_arrows": "Passer d'un coup à l'autre, ou d'un lieu du plateau à l'autre",
        "key_enter": "Choisir le coup, ou le lieu du plateau, qui a le focus",
        "key_hint": "Demander un conseil",
        "key_undo": "Reprendre la dernière décision",
        "key_redo": "Refaire ce qui a été repris",
        "key_explain": "Expliquer ce qui a le focus",
        "key_list": "Montrer ces touches",
        "key_close": "Fermer ce qui est ouvert",
        "enlarge": "Le plateau entier de {name}",
        "happened_before": "{count} autres avant",
        "place_of": "Place {place} : {name}, {points} PV",
        "forced_one": "1 sans choix",
        "forced_many": "{count} sans choix",
        # -- new game
        "edition": "Édition",
        "expansions": "Extensions",
        "for_sale": "Bâtiments en vente",
        "board_draft": "les joueurs les choisissent d'abord",
        "board_random": "tirés au sort",
        "players": "Joueurs",
        "who_sits_where": "Qui est assis où",
        "seat": "Place {seat}",
        "seat_of_governor": "Place {seat}, gouverneur",
        "seed": "Graine",
        "new_deal": "nouvelle donne",
        "seed_title": "Un nombre entier ; le même donne la même partie",
        "play": "Jouer",
        "watch": "Regarder les agents",
        "load_instead": "Charger une partie",
        "edition_classic": "le jeu original (2002) et ses extensions (2004)",
        "edition_1897-en": "l'édition 1897, en anglais",
        "edition_1897-de": "l'édition 1897, en allemand",
        "expansion_buildings": "I Nouveaux bâtiments",
        "expansion_citizens": "II Citoyens (nobles)",
        "expansion_smuggler": "III Contrebandier",
        "expansion_festival": "IV Fête",
        "about_planner": (
            "Essaie chaque décision, joue la suite au plus simple et compare les chances de chacun."
        ),
        "about_builder": (
            "Économise grâce aux carrières et achète de grands bâtiments, pour remplir sa "
            "ville d'abord."
        ),
        "about_corn": (
            "Expédie tôt et souvent des marchandises bon marché, avec son propre navire et le port."
        ),
        "about_style": "Joue un style tiré par un générateur, comme style:12.",
        "about_trader": "Cultive café et tabac et vit du commerce.",
        "about_random": "Joue n'importe quel coup permis, chacun avec la même chance.",
        "about_mcts:400": (
            "Calcule à l'avance, 400 simulations par décision : fort, et assez rapide."
        ),
        "about_mcts:1600": (
            "Calcule à l'avance, 1600 simulations par décision : plus fort, prend son temps."
        ),
        "about_network": "Joue ce qu'un réseau a appris, dans les parties qu'il a apprises.",
        "about_allowed": "Autorisé à l'ouverture de la table.",
    },
    terminal={
        # -- the game in the terminal
        "percent": "{share:.1%}",
        "how_to_answer": (
            "Tapez un numéro de la liste, ou ce qui y est écrit, ou son début ; Tab le "
            "complète. 'aide' dit ce qu'on peut taper d'autre."
        ),
        "how_to_answer_in_a_pipe": (
            "Tapez une action : son numéro, son nom, ses mots, ou un début qu'une seule action "
            "possède. 'aide' dit ce qu'on peut taper d'autre."
        ),
        "your_seat": "Vous avez la place {seat}.",
        "list_shows": "'liste' montre ce qui est permis",
        "no_such_number": (
            "la liste va de 1 à {count} et n'a pas de {number} ; l'action {number} de toutes "
            "les parties se tape '#{number}'"
        ),
        "earlier": "({count} lignes avant : 'journal' les montre)",
        "enter_shows_list": "-- Entrée : vos coups -- ",
        "enter_shows_more": "-- Entrée : la suite ; q : assez -- ",
        "names_on": "Les coups sont montrés avec les noms que les programmes utilisent.",
        "names_off": "Les coups sont montrés en mots seulement.",
        "word_action": "action",
        "word_board": "table",
        "word_list": "liste",
        "word_names": "noms",
        "word_hint": "conseil",
        "word_why": "pourquoi",
        "word_building": "bâtiment",
        "word_rule": "règle",
        "word_explain": "explique",
        "word_undo": "annule",
        "word_redo": "rétablis",
        "word_log": "journal",
        "word_save": "enregistre",
        "word_help": "aide",
        "word_quit": "fin",
        "help_action": (
            "joue l'action qui a ce numéro dans toutes les parties : action 117, ou #117"
        ),
        "help_board": "montre toute la table",
        "help_list": "montre ce qui est permis",
        "help_names": (
            "montre les noms que les programmes utilisent, comme load:sugar:2, ou ne les "
            "montre plus"
        ),
        "help_hint": (
            "demande à un agent ce qu'il ferait : conseil planner, conseil mcts:400 ({agent})"
        ),
        "help_explain": "montre désormais pourquoi les agents jouent ainsi, ou ne le montre plus",
        "help_undo": "reprend votre dernière décision",
        "help_redo": "refait la décision reprise",
        "help_log": "montre les deux dernières manches ; journal all : tout",
        "help_save": "écrit la partie dans un fichier : enregistre FICHIER",
        "help_help": "montre ceci",
        "help_quit": "quitte la partie, qui est conservée",
        "title": "{game}, {count} joueurs, {began}",
        "began_seed": "graine {seed}",
        "began_position": "depuis une position",
        "forced": "(rien d'autre n'est possible)",
        "forced_more": "(et {count} sans choix)",
        "thinks": "{agent} réfléchit",
        "hint_called_off": "Le conseil a été interrompu.",
        "would_play": "{agent} jouerait :",
        "head_move": "coup",
        "head_share": "part",
        "head_wins": "gagne ensuite",
        "chances": "Chances de gagner maintenant :",
        "reasons_on": "Les raisons sont montrées désormais.",
        "reasons_off": "Les raisons sont omises désormais.",
        "no_reasons": "aucun agent n'a dit pourquoi il a joué ainsi depuis votre dernière décision",
        "back": "Retour à votre dernière décision.",
        "again": "Décision refaite.",
        "say_where": "dites où : enregistre partie.jsonl",
        "saved": "La partie jusqu'ici est dans {path}",
        "left": "Vous avez quitté la partie.",
        "record": "L'enregistrement est dans {path}",
        "go_on": "Pour continuer : {command}",
        "look_back": "Pour revoir la partie : {command}",
        "not_kept": (
            "La partie n'est pas conservée d'elle-même ({reason}) ; 'enregistre FICHIER' la "
            "conserve."
        ),
        "sits_in": "{agent} remplace {whom}, qu'on ne peut pas charger ici.",
        "others": "Pour en choisir d'autres : {command}",
        "score": "Score final",
        "place": "rang",
        # -- explain
        "allowed": "Permis. {words}",
        "not_allowed": "{words} – interdit : {reason}",
        "say_building": "dites quel bâtiment : bâtiment hospice",
        "say_rule": "dites quelle règle : règle R-CAP-3, ou règle R-CAP pour toute une famille",
        "help_building": "explique un bâtiment et son prix maintenant : bâtiment hospice",
        "help_rule": "donne le texte d’une règle : règle R-CAP-3",
        "help_why": (
            "dit pourquoi les derniers agents ont joué ainsi ; pourquoi ACTION : ce qu’elle "
            "rapporte, ou pourquoi elle est interdite"
        ),
        "round": "manche {round}",
    },
    rules={
        "aim": (
            "Puerto Rico pour {players} joueurs. Qui a le plus de {vp} à la fin gagne ; à "
            "égalité, qui a le plus de {coins} et de {barrels} ensemble."
        ),
        "spaces": (
            "Chacun a {island_spaces} cases pour les {plantations} et les {quarries} ({island}) et "
            "{city_spaces} pour les bâtiments ({city}). Tout cela ne travaille que si des "
            "{workers} sont sur les {circles} : 0/1 est un {circle} où il n'y a personne. Les "
            "{workers} non placés attendent ({portrait})."
        ),
        "round": (
            "Une manche : à partir du {governor}, dans le sens des aiguilles d'une montre, "
            "{picks} cartes de rôle sont prises, une à la fois ; qui en prend une reçoit les "
            "{coins} qui s'y trouvent. Aussitôt chacun agit dans la phase de ce rôle, d'abord "
            "celui qui l'a pris, qui seul a le {privilege}. À la fin de la manche chaque carte "
            "restante reçoit 1 {coin}, toutes les cartes reviennent, et le joueur suivant est "
            "{governor}."
        ),
        "settler": (
            "chacun prend une tuile visible ; le reste est défaussé et {row_size} nouvelles sont "
            "retournées. {privilege} : une {quarry} à la place."
        ),
        "mayor": (
            "les {workers} disponibles ({register}) sont distribués un par un ; puis chacun "
            "replace tous ses {workers} ; aucun {circle} ne reste vide tant que quelqu'un attend "
            "({portrait}). Ensuite il en arrive un pour chaque {circle} vide des bâtiments, "
            "{players} au moins. {privilege} : 1 {worker} de la réserve."
        ),
        "builder": (
            "chacun peut acheter un bâtiment, chaque sorte une seule fois. Chaque {quarry} "
            "occupée le rend moins cher de 1 {coin}, autant au plus que le numéro de sa {column}. "
            "{privilege} : 1 {coin} de moins."
        ),
        "craftsman": (
            "chacun produit : 1 {barrel} pour chaque {plantation} occupée, si un {circle} occupé "
            "d'un bâtiment pour cette marchandise lui répond ; le {corn} n'a pas besoin de "
            "bâtiment. {privilege} : 1 {barrel} de plus d'une sorte produite."
        ),
        "trader": (
            "chacun peut vendre 1 {barrel} ({trading_house} : {house_slots} places, chaque sorte "
            "une fois, vidé après la phase s'il est plein) : {prices}. {privilege} : 1 {coin} de "
            "plus."
        ),
        "captain": (
            "tour après tour, qui le peut doit charger tous les {barrels} d'une sorte qui tiennent "
            "sur un navire, pour 1 {vp} chacun ; un navire prend une sorte, et aucune sorte n'est "
            "sur deux navires. Cela finit quand personne ne peut plus charger. Puis chacun garde "
            "1 {barrel} et ce que gardent ses entrepôts ; les navires pleins sont vidés. "
            "{privilege} : 1 {vp} de plus au premier chargement."
        ),
        "prospector_1": "personne n'agit. {privilege} : 1 {coin}.",
        "smuggler": (
            "seul celui qui l'a pris agit : il vide un navire (et garde jusqu'à 3 {barrels}) ou le "
            "{trading_house} (1 {vp} par {barrel}), prend jusqu'à 3 {workers} au-delà de {players} "
            "({register}), ou intercepte une carte de rôle libre avec ses {coins}, pour la jouer à "
            "la fin de la manche ; si un autre la prend avant, 3 {coins}. Qui détient la tuile ne "
            "peut pas reprendre la carte."
        ),
        "end": (
            "La partie finit avec la manche où {shortage}le dernier des {pool} {vp} est gagné ou "
            "quelqu'un remplit ses {city_spaces} cases pour les bâtiments."
        ),
        "score": (
            "Le score : les {vp} gagnés, les {vp} imprimés de tous les bâtiments, ce que "
            "rapportent les grands bâtiments occupés{citizens_score}.{hidden}"
        ),
        "citizens": (
            "Les {citizens} comptent comme des {workers} et se placent sur n'importe quel "
            "{circle} ; certains bâtiments font autre chose pour eux. Chacun vaut 1 {vp} à la "
            "fin ; chaque fois il en arrive un ({register})."
        ),
        "festival": (
            "La fête : qui a le premier trois {plantations} de la sorte indiquée reçoit jusqu'à 3 "
            "{workers}, qui produit les {barrels} indiqués en une phase 3 {coins}, qui achète le "
            "bâtiment indiqué 3 {vp}."
        ),
        "buildings": "Bâtiments (prix, {vp}, {column}, {circles}) :",
        "draft": (
            "Avant la première manche les joueurs choisissent lesquels de ces bâtiments sont en "
            "vente."
        ),
        "hidden": " Les {vp} des autres sont cachés.",
        "shortage": "les {workers} viennent à manquer, ",
        "citizens_score": ", 1 pour chacun des {citizens}",
        "and_citizens": " et {citizens}",
    },
    buildings={
        **dict.fromkeys(("small_indigo_plant", "indigo_plant"), _MAKES.format("indigo")),
        **dict.fromkeys(("small_sugar_mill", "sugar_mill"), _MAKES.format("sugar")),
        "tobacco_storage": _MAKES.format("tobacco"),
        "coffee_roaster": _MAKES.format("coffee"),
        "small_market": "Votre vente ({trading_house}) rapporte 1 {coin} de plus.",
        "hacienda": (
            "À votre tour ({settler phase}), vous pouvez piocher une {plantation} cachée avant de "
            "prendre votre tuile."
        ),
        "construction_hut": (
            "À votre tour ({settler phase}), vous pouvez prendre une {quarry} au lieu d'une "
            "{plantation}."
        ),
        "small_warehouse": (
            "Après le chargement vous gardez tous les {barrels} d'une sorte, en plus du {barrel} "
            "isolé."
        ),
        "hospice": (
            "À votre tour ({settler phase}), vous pouvez placer un {worker} sur la tuile prise."
        ),
        "office": "Vous pouvez vendre une sorte déjà présente ({trading_house}).",
        "large_market": "Votre vente ({trading_house}) rapporte 2 {coins} de plus.",
        "large_warehouse": (
            "Après le chargement vous gardez tous les {barrels} de deux sortes, en plus du "
            "{barrel} isolé."
        ),
        "factory": "Produire 2, 3, 4 ou 5 sortes rapporte 1, 2, 3 ou 5 {coins}.",
        "university": (
            "À votre tour ({builder phase}), vous pouvez placer un {worker} sur le bâtiment acheté."
        ),
        "harbor": "Chaque fois que vous chargez des {goods}, vous gagnez 1 {vp} de plus.",
        "wharf": (
            "Une fois par phase ({captain phase}), vous pouvez expédier tous vos {barrels} d'une "
            "sorte sur un navire à vous."
        ),
        "guild_hall": (
            "À la fin : 1 {vp} pour chaque petit et 2 {vp} pour chaque grand bâtiment de "
            "production que vous avez."
        ),
        "residence": (
            "À la fin : 4 {vp} jusqu'à 9 cases remplies ({island}), 5 pour 10, 6 pour 11, 7 pour "
            "12."
        ),
        "fortress": "À la fin : 1 {vp} pour trois {workers}{and_citizens} à vous.",
        "customs_house": "À la fin : 1 {vp} pour quatre {vp} gagnés pendant la partie.",
        "city_hall": (
            "À la fin : 1 {vp} pour chaque {commercial_building} que vous avez, celui-ci compris."
        ),
        "aqueduct": (
            "Les grands bâtiments pour {indigo} et {sugar}, s'ils sont occupés et produisent, "
            "donnent chacun 1 {barrel} de plus."
        ),
        "forest_house": (
            "À votre tour ({settler phase}), vous pouvez prendre une {forest} ; deux {forests} "
            "rendent la construction moins chère de 1 {coin}."
        ),
        "black_market": (
            "À l'achat, un pion, un {barrel} et un {vp} peuvent chacun remplacer 1 {coin}."
        ),
        "storehouse": (
            "Après le chargement vous gardez 3 {barrels} de toutes sortes, en plus du {barrel} "
            "isolé."
        ),
        "guest_house": (
            "Ses deux hôtes peuvent aller sur des {circles} vides dans toute phase et y "
            "travaillent aussitôt."
        ),
        "trading_post": (
            "Vous pouvez vendre ici toute sorte, sans passer par le {trading_house}, mais sans vos "
            "marchés."
        ),
        "church": (
            "Construire dans la deuxième ou la troisième {column} rapporte 1 {vp}, dans la "
            "quatrième 2 {vp}."
        ),
        "small_wharf": (
            "Une fois par phase ({captain phase}), vous pouvez expédier des {barrels} de toutes "
            "sortes pour 1 {vp} les deux."
        ),
        "lighthouse": (
            "Chaque fois que vous chargez des {goods}, vous gagnez 1 {coin}, et 1 de plus si vous "
            "avez le rôle ({captain})."
        ),
        "specialty_factory": (
            "La sorte dont vous produisez le plus, hors {corn}, rapporte 1 {coin} par {barrel} "
            "sauf le premier."
        ),
        "library": "Le {privilege} d'un rôle que vous choisissez compte double.",
        "union_hall": (
            "Avant de charger, vous gagnez 1 {vp} pour deux {barrels} d'une même sorte."
        ),
        "cloister": (
            "À la fin : 1, 3, 6 ou 10 {vp} pour 1, 2, 3 ou 4 séries de trois tuiles égales "
            "({island})."
        ),
        "statue": "Ne fait rien et n'a besoin de personne, mais vaut 8 {vp}.",
        "land_office": (
            "À votre tour ({trader phase}), un {worker} achète ici une tuile cachée pour 1 "
            "{coin}, un {citizen} vend une {plantation} pour 1 {coin}."
        ),
        "chapel": "À la production, un {worker} rapporte ici 1 {coin}, un {citizen} 1 {vp}.",
        "hunting_lodge": (
            "À la fin de la phase ({settler phase}), un {worker} peut retirer une {plantation} ou "
            "une {forest}, un {citizen} rapporte 2 {vp} si vos cases sont les moins remplies "
            "({island})."
        ),
        "notary": (
            "Un {worker} rend ici les petits bâtiments moins chers de 1 {coin}, un {citizen} les "
            "grands de 2 {coins}."
        ),
        "royal_supplier": (
            "Avant de charger, vous pouvez rendre un {barrel} d'une sorte pour chacun de vos "
            "{citizens}, pour 1 {vp} chacun."
        ),
        "villa": "À votre tour ({mayor phase}), vous prenez un {citizen} dans la réserve.",
        "jeweler": "À la production, vous gagnez 1 {coin} pour chacun de vos {citizens}.",
        "royal_garden": (
            "À la fin : 1 {vp} pour chacun de vos {citizens}, en plus de ce qu'ils valent déjà."
        ),
    },
    reasons={
        "lacks": "cela n'existe pas ici : c'est d'une extension qui n'est pas jouée",
        "phase": "cela appartient à une autre phase ({phases})",
        "not_asked": "ce n'est pas demandé ici ; il s'agit maintenant de : {point}",
        "first_pay": "le bâtiment acheté est payé d'abord ({black_market})",
        "first_use_tile": "on décide d'abord comment poser la tuile piochée",
        "first_hire": "on décide d'abord quelle sorte de pion est prise",
        "first_gather": "on décide d'abord quelles sortes de pions sont prises",
        "first_place_units": "les pions en main sont placés d'abord",
        "first_small_ship": (
            "les {barrels} à expédier sont choisis d'abord ({small_wharf}) ; puis passer"
        ),
        "first_supply": "ceci vient avant le chargement : {royal_supplier} ; puis passer",
        "first_raid": "les {barrels} du navire vidé sont choisis d'abord",
        "first_hunt": "il ne reste dans cette phase que : {hunting_lodge}",
        "first_remove_tile": "on choisit d'abord laquelle des tuiles part",
        "first_take_again": "la deuxième tuile est choisie d'abord ({library})",
        "first_open_window": "à l'ouverture d'une phase seuls les hôtes se déplacent",
        "first_turn_window": "avant le premier tour seuls les hôtes se déplacent",
        "first_close_window": "à la clôture d'une phase seuls les hôtes se déplacent",
        "first_offer": "une offre est d'abord prise ou refusée",
        "first_deal": "on distribue d'abord les pions disponibles ({register})",
        "first_draw_tile": "une tuile est d'abord piochée ou refusée",
        "first_take_tile": "une tuile est d'abord prise ou refusée",
        "first_staff_tile": "il ne reste qu'à placer le {worker} ({hospice})",
        "first_staff_building": "il ne reste qu'à placer le {worker} ({university})",
        "first_recall": "passer d'abord : on reprend des pions avant d'en placer",
        "first_place": "les pions en main sont placés maintenant, et personne n'est plus repris",
        "not_now_pay": "on ne rend des ressources que pour payer un bâtiment",
        "not_now_use": "aucune tuile ne vient d'être piochée",
        "not_now_supply": "cela se fait une fois, avant le chargement : {royal_supplier}",
        "not_now_deal": "aucun pion n'est distribué ici",
        "not_now_place": "aucun pion n'est en main ici",
        "not_now_lodge": "cela se fait à la fin de la phase : {hunting_lodge}",
        "not_now_draw": "on pioche une fois, avant l'action normale",
        "not_now_villa": "cela se fait pendant la distribution : {villa}",
        "not_now_remove": "aucune tuile n'est vendue ou retirée",
        "not_now_privilege": "le {privilege} vient quand tous ont produit",
        "no_pass": "ce choix est obligatoire",
        "no_pass_choose_role": "il faut prendre un rôle",
        "no_pass_load": "les {goods} qu'un navire peut prendre doivent être chargées",
        "no_pass_place": "personne n'est gardé tant qu'un {circle} est vide",
        "no_pass_recall": "à la fin il faut occuper autant de {circles} qu'il y a de pions",
        "no_pass_draft": "chacun choisit un bâtiment ; personne ne passe",
        "no_pass_pay": "le reste du prix manque encore",
        "no_pass_use_tile": "la tuile piochée doit être posée d'une façon ou d'une autre",
        "no_pass_deal": "il faut prendre un pion ; seule la sorte est au choix",
        "no_pass_mayor_privilege": "on prend un {worker} ou un {citizen} ({villa})",
        "no_pass_remove_tile": "une des tuiles part ; on choisit seulement laquelle",
        "no_pass_hire": "un pion est pris ; seule la sorte est au choix",
        "no_pass_gather": "les pions sont pris ; seules les sortes sont au choix",
        "no_pass_supply": "on rend exactement un {barrel} pour chaque {citizen}",
        "no_pass_store": "il faut garder autant qu'on peut garder",
        "has_none": "pas de {word} pour {seat}",
        "island_full": "les douze cases sont remplies ({island})",
        "has_sold": "un {barrel} est déjà vendu par {seat}",
        "has_traded_land": "une fois par phase : {land_office}",
        "needs": "rien d'occupé pour {seat} : {building}",
        "needs_unit": "aucun {unit} de {seat} n'y est : {building}",
        "role_not_in_play": "{word} : pas en jeu avec tant de joueurs",
        "role_taken": "déjà pris dans cette manche par {owner} : {word}",
        "ascending_spots": "on va dans l'ordre, et cette place est passée : {spot}",
        "no_circle_left": "les pions en main ne trouveraient pas tous un {circle}",
        "price": "{word} : {price} à payer, et {held} pour {seat}",
        "price_barter": (
            "{word} : {price} à payer, {held} pour {seat}, et au plus {barter} à compenser "
            "({black_market})"
        ),
        "room": "{word} : {spaces} cases à prendre, et {free} sont libres ({city})",
        "carries": "le navire {ship} porte du {cargo}",
        "not_next_unit": (
            "on rend un pion au plus, et d'abord : le reste ne compenserait pas les {coins} qui "
            "manquent, ou c'est trop tard"
        ),
        "not_next_good": (
            "on rend un {barrel} au plus, après le pion : le reste ne compenserait pas les "
            "{coins} qui manquent, ou c'est trop tard"
        ),
        "not_next_vp": "cela ne compenserait pas les {coins} qui manquent, ou c'est trop tard",
        "ships": "il n'y a que {ships} navires",
        "unit_gather": "il n'y en a pas assez là où on les prend : {units}",
        "unit_register": "aucun {word} n'est disponible ({register})",
        "unit_supply": (
            "aucun {word} ne peut être pris dans la réserve, ni ensuite ici ({register})"
        ),
        "keeps_on": "on ne peut pas garder plus de {word}, ou son tour est passé",
        "has_smuggler_tile": (
            "la tuile du contrebandier reste à {seat} jusqu'à ce qu'un autre la prenne"
        ),
        "has_captured": (
            "rôle intercepté par {seat}, à jouer à la fin de la manche si personne d'autre ne le "
            "prend : {word}"
        ),
        "not_drafted": "c'est dans toute partie et ne se choisit pas : {word}",
        "chosen_already": "c'est déjà choisi : {word}",
        "no_slot": "il n'y a plus de place pour un bâtiment qui coûte {cost}",
        "excludes": (
            "cela exclut un bâtiment de cette partie, ou un qui est encore nécessaire : {word}"
        ),
        "not_in_row": "rien de tel parmi les tuiles visibles : {word}",
        "no_quarry": "il ne reste pas de {quarry}",
        "quarry_second": (
            "la deuxième tuile n'est une {quarry} qu'avec ceci, occupé : {construction_hut}"
        ),
        "quarry_right": (
            "une {quarry} n'est que pour qui a le rôle, ou qui a ceci, occupé : {construction_hut}"
        ),
        "no_draw": "il ne reste pas de {plantation} à piocher",
        "no_unit_left": "il ne reste personne dans la réserve ni ici : {register}",
        "hospice_taken_only": "dans cette partie cela ne sert que pour la tuile prise : {hospice}",
        "no_tile_taken": "aucune tuile n'a été prise à ce tour",
        "no_tile_drawn": "aucune tuile n'a été piochée à ce tour",
        "hospice_same": (
            "c'est la même chose que pour la tuile prise, car les deux sont d'une sorte"
        ),
        "tile_has_unit": "il y a déjà quelqu'un sur la tuile",
        "forest_own_stack": "dans cette partie les {forests} ont leur propre pile",
        "forest_from_row": "dans cette partie une tuile visible devient la {forest}",
        "no_forest": "il ne reste pas de {forest} dans la pile",
        "none_on_island": "aucune tuile de cette sorte chez {seat} : {word} ({island})",
        "no_such_tile": "aucune tuile de la sorte qui part chez {seat}",
        "no_unit_on": "aucun {unit} de {seat} n'est là : {word}",
        "university_spot": "le {worker} va sur le bâtiment qui vient d'être acheté ({university})",
        "no_unit_in_hand": "aucun {unit} n'est en main",
        "has_no_unit_in_hand": "aucun {unit} en main pour {seat}",
        "no_empty_circle": "aucun {circle} vide pour {seat} : {word}",
        "taken_back_there": (
            "aucun {unit} ne retourne là où l'on en a repris un dans cette phase : {word}"
        ),
        "citizens_first": "on prend les {citizens} avant les {workers}",
        "villa_extra": "dans cette partie le pion vient en plus, sans choix : {villa}",
        "villa_other_moment": (
            "dans cette partie cela se fait à un autre moment de la phase : {villa}"
        ),
        "supply_empty": "il ne reste personne dans la réserve",
        "villa_once": "cela se fait une fois, à son premier tour ou pour un {citizen} : {villa}",
        "no_guests": "il n'y a pas d'hôtes dans cette partie",
        "guest_elsewhere": "un hôte va sur un autre bâtiment ou une autre tuile",
        "guests_not_here": "les hôtes ne se déplacent pas dans cette phase",
        "guests_when": (
            "les hôtes se déplacent quand une phase s'ouvre ou se clôt, et à ses propres décisions"
        ),
        "has_building": "déjà construit par {seat} : {word}",
        "not_on_board": "ce n'est pas en vente dans cette partie : {word}",
        "none_to_buy": "il n'en reste plus à acheter : {word}",
        "no_unit_there": "aucun {unit} de {seat} n'est là : {word}",
        "black_market_unit": "qui s'y trouve ne peut pas être rendu : {black_market}",
        "no_vp": "aucun {vp} pour {seat}",
        "nothing_offered": "rien n'est offert ici",
        "no_warehouse": "aucun entrepôt occupé pour {seat}",
        "library_kind": "le deuxième {barrel} est d'une autre sorte que {word} ({library})",
        "not_produced": "rien de produit, ou rien dans la réserve : {word}",
        "house_full": "le {trading_house} est plein",
        "house_holds": "il y en a déjà : {word} ({trading_house})",
        "post_closed": (
            "dans cette partie cela ferme quand le {trading_house} est plein : {trading_post}"
        ),
        "land_price": "une tuile coûte 1 {coin} ; il n'y en a pas chez {seat}",
        "forests_not_sold": "dans cette partie on ne vend pas les {forests}",
        "ship_full": "le navire {word} est plein",
        "ship_takes_more": "un autre navire vide prend plus de {cargo}",
        "wharf_once": "une fois par phase : {wharf}",
        "small_wharf_once": "une fois par phase : {small_wharf}",
        "ascending_kinds": "les sortes viennent dans l'ordre, et celle-ci est passée : {word}",
        "barrel_each_citizen": (
            "on rend un {barrel} pour chaque {citizen}, et il y en a {held} pour {seat}"
        ),
        "ascending_barrels": (
            "les {barrels} sont de sortes différentes, prises dans l'ordre, et celle-ci est "
            "passée : {word}"
        ),
        "as_many_as_citizens": "il faut exactement autant de {barrels} que de {citizens}",
        "ship_empty": "le navire {word} est vide",
        "house_empty": "le {trading_house} est vide",
        "register_stays": (
            "{stay} pions restent là, et il y en a {there} : aucun ne peut être pris ({register})"
        ),
    },
    errors={
        "game_over": "la partie est terminée ; personne n'a plus rien à décider",
        "nothing_to_take_back": "il n'y a rien à reprendre : personne n'a encore rien décidé",
        "nothing_of_yours": "il n'y a rien à reprendre : vous n'avez encore rien décidé",
        "nothing_to_do_again": (
            "il n'y a rien à refaire : rien n'a été repris, ou autre chose a été décidé depuis"
        ),
        "agents_turn": "c'est au tour de {name}, qui décide tout seul",
        "hint_not_now": (
            "les conseils sont pour les décisions de personnes, et c'est au tour de {name}"
        ),
        "hint_from_agent": "un conseil vient d'un agent ; nommez-en un, comme mcts:400",
        "busy": "{name} réfléchit déjà ; attendez, ou annulez d'abord",
        "queue_full": (
            "{count} recherches attendent déjà, c'est tout ce que cette table permet ; "
            "redemandez plus tard, ou un agent qui décide aussitôt"
        ),
        "called_off": "on a dit à {name} de cesser de réfléchir",
        "table_changed": (
            "la table a changé entre-temps, peut-être dans un autre onglet ; rien n'a été fait, "
            "regardez de nouveau"
        ),
        "watching": (
            "vous regardez cette table ; seuls ceux qui y sont assis le peuvent, et c'est l'hôte "
            "qui donne le lien d'une place"
        ),
        "host_only": "seul l'hôte de cette table le peut",
        "paused": "l'hôte a mis la partie en pause",
        "not_yours_to_decide": "c'est à {name}, place {seat}, de décider, pas à vous",
        "undo_pending": "la partie attend : quelqu'un demande à reprendre une décision",
        "nobody_asks": "plus personne ne demande à reprendre un coup",
        "not_asked": "c'est à d'autres que l'on demande leur accord, pas à vous",
        "redo_when_alone": (
            "on ne refait un coup que là où personne d'autre ne joue ; décidez de nouveau"
        ),
        "hint_not_yours": "c'est à {name} de demander un conseil maintenant",
        "no_record_yet": (
            "l'enregistrement révélerait ce que nul ne doit savoir avant la fin d'une partie à "
            "plusieurs ; on peut l'enregistrer quand elle est terminée"
        ),
        "no_room": (
            "{count} parties sont en cours ici, c'est tout ce qui tient ; réessayez plus tard"
        ),
        "too_many_games": "ce navigateur a déjà {count} parties, le maximum ; quittez-en une",
        "too_many_new": (
            "beaucoup de parties ont été commencées depuis cette adresse ; attendez un peu"
        ),
        "too_many_codes": (
            "beaucoup de codes faux sont venus de cette adresse ; réessayez dans une minute"
        ),
        "no_such_code": (
            "aucune place n'a le code {code} ; demandez à l'hôte le lien d'une place libre"
        ),
        "seat_taken": "{name} est déjà à cette place ; si c'est vous, dites que vous la reprenez",
        "seat_not_yours": "la place {seat} n'est pas pour vous ; ouvrez le lien de la place",
        "name_not_yours": "la place {seat} n'est pas la vôtre ; chacun ne nomme que la sienne",
        "name_unseen": (
            "le nom {name} a des caractères invisibles ; utilisez des lettres, des chiffres et "
            "des signes"
        ),
        "name_empty": "un nom a au moins une lettre ; laissez vide pour en recevoir un",
        "name_long": "le nom {name} a {count} caractères, et {most} sont le maximum",
        "name_twice": (
            "deux places ne peuvent s'appeler {name} toutes les deux : {one} et {other} ; donnez "
            "un autre nom à l'une"
        ),
        "no_action": "il n'y a pas de coup {text}{meant}",
        "may_mean": "{text} peut vouloir dire {actions} ; précisez",
        "not_allowed_now": "{text} n'est pas permis maintenant : {reason}",
    },
    explanations={
        "only_choice": "{move} : rien d'autre n'est permis.",
        "better": (
            "{move} : {here:.1%} de chances de gagner, contre {there:.1%} avec le deuxième choix "
            "({other})."
        ),
        "for_points": (
            "{move} : {here:.1%} de chances de gagner, moins qu'avec {other} ({there:.1%}) ; ce "
            "qui décide, ce sont les {vp} attendus en outre."
        ),
        "as_good": (
            "{move} : {here:.1%} de chances de gagner, comme avec le deuxième choix ({other})."
        ),
        "no_difference": "Aucune différence n'est vue entre les deux.",
        "game_over": "D'ici là la partie est terminée, avec {result} {vp}.",
        "versus": " à ",
        "goes_on": "Le deuxième choix la laisserait continuer.",
        "other_ends": "D'ici là le deuxième choix aurait terminé la partie.",
        "expects": (
            "{Seat} : {score:.1f} {vp} attendus à la fin, {gap:+.1f} par rapport au deuxième choix "
            "({parts})."
        ),
        "part": "{gap:+.1f} par {part}",
        "part_vp": "{vp} déjà gagnés",
        "part_coins": "{coins}",
        "part_barrels": "{barrels} en stock",
        "part_workers": "{workers}",
        "part_tiles": "{plantations} et {quarries}",
        "part_buildings": "bâtiments",
        "more": "en plus : {things}",
        "less": "en moins : {things}",
        "more_and_less": "{more} ; {less}",
        "and_others": "{things} et {count} autres",
        "barrels_of": "{things} de {word}",
        "plantations_of": "{count} {things} de {word}",
        "ahead": "En regardant plus loin, par rapport au deuxième choix, pour {seat} : {changes}.",
        "costs": (
            "Cela coûte le plus à {seat} : {here:.1%} de chances de gagner au lieu de {there:.1%}."
        ),
        "greedy_role": (
            "{move} : sans regarder plus loin, le rôle qui rapporte le plus maintenant, moins ce "
            "qu'y gagnent les autres : {value:.2f} {vp}{against}."
        ),
        "greedy": (
            "{move} : sans regarder plus loin, le coup qui laisse le plus, un score final de "
            "{value:.2f} {vp}{against}."
        ),
        "greedy_against": ", contre {value:.2f} avec le deuxième choix ({other})",
        "greedy_recall": (
            "{move} : sans regarder plus loin, les {workers} vont où ils sont le plus utiles."
        ),
        "greedy_place": (
            "{move} : sans regarder plus loin, les {workers} vont où ils sont le plus utiles."
        ),
        "greedy_store": (
            "{move} : sans regarder plus loin, on garde le plus de {barrels}, et les plus chers "
            "de ceux qui restent."
        ),
        "greedy_draw_tile": (
            "{move} : sans regarder plus loin, on pioche une tuile tant qu'il reste de la place "
            "pour une tuile choisie."
        ),
        "tried": "{move} : essayé dans {here:.1%} des simulations, {other} dans {there:.1%}.",
        "variation": "Après {move}, la suite attendue : {steps}.",
        "step": "{seat}, {move}",
        "drawn": (
            "{move} : tiré au sort, comme dans {here:.1%} des cas ; le favori, avec {there:.1%}, "
            "est {other}."
        ),
        "sure": "{move} : le réseau en est sûr.",
        "likes": (
            "{move} : le réseau le préfère, avec {here:.1%} ; ensuite vient {other}, avec "
            "{there:.1%}."
        ),
        "leads": "En tête : {leader}, avec {there:.1%} de chances de gagner.",
        "leads_you": (
            "En tête : {leader}, avec {there:.1%} de chances de gagner ; {seat} : {here:.1%}."
        ),
    },
    finish=_with_elisions,
)
