"""English: everything that is said about a game, whichever edition's words stand in it.

Edition words are in braces by their keys (`catalog.model.TERMS`, ids of buildings); so are the
figures that a sentence needs. The sections are those of `text.localization.Language`.
"""

import re
from typing import Final

from prico_env.text.localization import Decision, EditionWords, Language

_A_BEFORE_A_VOWEL: Final = re.compile(r"(?<=\ba)(?= [aeioAEIO])")


def _with_articles(sentence: str) -> str:
    """Write "an" where the article stands before a vowel."""
    return _A_BEFORE_A_VOWEL.sub("n", sentence)


_NOBODY_MOVES: Final = "leave everybody on the {guest_house}"

MESSAGES: Final = Language(
    name="English",
    editions={"1897-de": EditionWords.printed_in("1897-en")},
    actions={
        "pass": "pass",
        "role": "take the {word} card",
        "take": "take a {word} {plantation}",
        "take:quarry": "take a {word}",
        "draw": "draw a further {plantation} first ({hacienda})",
        "hospice:drawn": "put the {worker} of the {hospice} on the tile drawn",
        "hospice:taken": "put the {worker} of the {hospice} on the tile taken",
        "recall": "take a {unit} back from {word}",
        "place": "put a {unit} on {word}",
        "build": "build {word}",
        "privilege": "take a further {barrel} of {word}",
        "sell": "sell {word}",
        "load": "load {word} on ship {ship}",
        "wharf": "ship {word} by the {wharf}",
        "store": "store every {barrel} of {word}",
        "keep": "keep one {barrel} of {word}",
        "gain": "take what is offered",
        "forest_row": "take a {word} {plantation} as a {forest}",
        "forest": "take a {forest}",
        "board": "put {word} into the game",
        "post": "sell {word} to the {trading_post}",
        "small_wharf": "ship a {barrel} of {word} by the {small_wharf}",
        "pay": "pay with a {unit} from {word}",
        "pay:portrait": "pay with a {unit} not placed",
        "pay_good": "pay with a {barrel} of {word}",
        "pay_vp": "pay with a {vp}",
        "guest": "move a {unit} from the {guest_house} to {word}",
        "use:plantation": "lay the tile drawn as it is",
        "use:forest": "lay the tile drawn as a {forest}",
        "deal": "take a {word}",
        "villa": "take the unit of the {villa} from the supply",
        "supply": "return a {barrel} of {word} ({royal_supplier})",
        "land_buy": "buy a tile ({land_office})",
        "land_sell": "sell a {word} tile ({land_office})",
        "lodge": "remove a {word} tile ({hunting_lodge})",
        "remove:empty": "remove an empty tile",
        "remove:worker": "remove a tile with a {worker}",
        "remove:citizen": "remove a tile with a {citizen}",
        "raid": "empty ship {ship}",
        "plunder": "empty the {trading_house}",
        "poach": "take {workers} from the {register}",
        "capture": "capture the {word} card",
    },
    decisions={
        "choose_role": Decision("choose a role"),
        "draw_tile": Decision("draw a tile first, or not", "draw no tile"),
        "take_tile": Decision("take a tile", "take no tile"),
        "staff_tile": Decision("put a {worker} on a new tile", "put no {worker} there"),
        "mayor_privilege": Decision(
            "take a further {worker} ({value} taken)",
            "take no further {worker}",
            "take a further {worker}",
        ),
        "recall": Decision("take {workers} back", "take no more {workers} back"),
        "place": Decision("put {workers} down", "put no more {workers} down"),
        "buy": Decision("build", "build nothing"),
        "staff_building": Decision("put a {worker} on the new building", "put no {worker} there"),
        "produce": Decision("produce", "produce nothing", "produce"),
        "craftsman_privilege": Decision("take a further {barrel}", "take no further {barrel}"),
        "sell": Decision("sell", "sell nothing"),
        "load": Decision("load", "load nothing"),
        "store": Decision("store", "keep nothing more"),
        "gain_coins": Decision("take {value} {coins}", "decline the {coins}", "take the {coins}"),
        "gain_vp": Decision("take {value} {vp}", "decline the {vp}", "take the {vp}"),
        "phase_begin": Decision("the phase begins"),
        "phase_end": Decision("the phase ends"),
        "draft": Decision("choose a building for the game"),
        "open_window": Decision("move guests as the phase opens ({guest_house})", _NOBODY_MOVES),
        "turn_window": Decision("move guests before the first turn ({guest_house})", _NOBODY_MOVES),
        "close_window": Decision("move guests as the phase closes ({guest_house})", _NOBODY_MOVES),
        "use_tile": Decision("lay the tile drawn"),
        "take_again": Decision("take a second tile", "take no second tile"),
        "hunt": Decision("use the {hunting_lodge}", "remove no tile"),
        "remove_tile": Decision("choose which tile goes ({spot})"),
        "opening": Decision("begin"),
        "deal": Decision("take from the {register}", "take nobody"),
        "hire": Decision("choose who comes to {spot}"),
        "pay": Decision("make up for {value} {coins}"),
        "small_ship": Decision(
            "use the {small_wharf} ({value} shipped)", "ship no more by the {small_wharf}"
        ),
        "supply": Decision(
            "use the {royal_supplier} ({value} returned)", "return no more {barrels}"
        ),
        "smuggle": Decision("smuggle", "do nothing"),
        "raid": Decision(
            "raid ({value} taken)", "take no more {barrels}", "take one {barrel} more"
        ),
        "gather": Decision("choose who comes ({value} to come)"),
        "place_units": Decision(
            "place who is in hand ({value} at most)",
            "put nobody more down; the rest go to the {portrait}",
        ),
        "gain_units": Decision(
            "take {value} from the supply",
            "decline what the supply gives",
            "take what the supply gives",
        ),
        "built": Decision("finish building"),
        "phase_close": Decision("the phase closes"),
    },
    heads={
        "role": "Choice of role",
        "storage": "Storage",
        "draft": "Draft",
    },
    labels={
        "colon": ": ",
        "semicolon": "; ",
        "action": "action",
        "round": "round",
        "player": "player",
        "players": "players",
        "to_act": "to act",
        "roles": "roles",
        "supply": "supply",
        "ships": "ships",
        "house": "trading house",
        "buildings": "buildings left",
        "shop": "for sale",
        "empty": "empty",
        "hidden": "hidden",
        "unseen": "by kind",
        "you": "you",
        "last_round": "last round",
        "nothing": "nothing",
        "board": "buildings in the game",
        "draft": "to choose",
        "cost": "cost",
        "smuggler": "smuggler tile",
        "tile": "tile",
        "captured": "captured by",
        "festival": "festival",
        "nobody": "nobody",
        "hand": "in hand",
        "drawn": "drawn",
        "bank": "bank",
        "score_now": "score now",
        "truncated": "cut off",
        "order": "still to come",
        "in_phase": "in this phase",
        "in_round": "to choose a role",
        "waiting": "waiting",
        "so_far": "so far in this phase",
        "tile_drawn": "tile drawn",
        "tile_taken": "tile taken",
        "bought": "built",
        "recalled": "taken back from",
        "from_on": "only from {value} on",
        "ship": "ship",
        "produced": "produced",
        "privilege": "of the privilege",
        "first_circuit": "first circuit",
        "circuit_loads": "{value} loads in this circuit",
        "idle_turns": "{value} turns without a load since the last",
        "captain_loaded": "the captain's VP are given",
        "used": "{word} used",
        "passed": "did not load last",
        "stored": "stored whole",
        "kept": "single barrels kept",
        "sold": "sold",
        "role_captured": "a captured role",
        "end_workers": "{workers} used up",
        "end_city": "a {city} is full",
        "end_vp": "{vp} used up",
        "score": "score",
        "last": "last",
        "won": "has won",
        "winner": "winner",
        "end_turn": "end the turn",
        "rest_returns": "put nobody more down; the rest return to the supply",
        "by_market": "{gap} of them by the {black_market}",
        "seat_has": "{seat} has",
        "you_have": "you have",
        "or": " or ",
        "score_buildings": "buildings",
        "score_total": "total",
        "tile_of_good": "{word} {plantation}",
    },
    rules={
        "aim": (
            "Puerto Rico for {players} players. Who has most {vp} when the game ends has won; of "
            "equals who has more {coins} and {barrels} together."
        ),
        "spaces": (
            "Everybody has {island_spaces} spaces for {plantations} and {quarries} ({island}) and"
            " {city_spaces} for buildings ({city}). All of them work only while {workers} stand "
            "on their {circles}: 0/1 is one {circle} with nobody on it. {workers} not placed wait"
            " on the {portrait}."
        ),
        "round": (
            "A round: beginning with the {governor}, clockwise, {picks} role cards are taken, one"
            " at a time; who takes a card takes the {coins} on it. At once everybody acts in the "
            "phase of that role, first who took it, who alone has the {privilege}. At the end of "
            "the round every card left over gets 1 {coin}, all cards come back, and the next "
            "player is {governor}."
        ),
        "settler": (
            "everybody takes one face-up tile; the rest are laid aside and {row_size} new ones "
            "turned up. {privilege}: a {quarry} instead."
        ),
        "mayor": (
            "{workers} on the {register} are dealt out one at a time; then everybody rearranges "
            "all own {workers}; no {circle} stays empty while somebody is on the {portrait}. Then"
            " the {register} gets one for each empty {circle} in buildings, {players} at least. "
            "{privilege}: 1 {worker} from the supply."
        ),
        "builder": (
            "everybody may buy one building, each type once. Every occupied {quarry} makes it 1 "
            "{coin} cheaper, up to the building's {column}. {privilege}: 1 {coin} cheaper."
        ),
        "craftsman": (
            "everybody produces: a {barrel} for each occupied {plantation}, if an occupied "
            "{circle} of a building for that good matches it; {corn} needs no building. "
            "{privilege}: 1 more {barrel} of a kind produced."
        ),
        "trader": (
            "everybody may sell one {barrel} to the {trading_house} ({house_slots} spaces, every "
            "kind once, emptied after the phase if full) for {prices}. {privilege}: 1 {coin} "
            "more."
        ),
        "captain": (
            "round and round, everybody who can must load all {barrels} of one kind that fit on a"
            " ship, for 1 {vp} each; a ship takes one kind, and no kind is on two ships. Ends "
            "when nobody can load. Then everybody keeps 1 {barrel}, and what warehouses keep; "
            "full ships are emptied. {privilege}: 1 {vp} more with the first load."
        ),
        "prospector_1": "nobody acts. {privilege}: 1 {coin}.",
        "smuggler": (
            "only who took it acts: empties a ship (keeps up to 3 {barrels}) or the "
            "{trading_house} (1 {vp} a {barrel}), takes up to 3 {workers} that the {register} "
            "holds beyond {players}, or captures a free role card with its {coins}, to play it "
            "last in the round; if somebody else takes that card before, 3 {coins}. Who holds the"
            " tile cannot take the card again."
        ),
        "end": (
            "The game ends with the round in which {shortage}the last of the {pool} {vp} is "
            "gained or somebody fills all {city_spaces} spaces for buildings."
        ),
        "score": (
            "The score: {vp} gained, printed {vp} of all buildings, what occupied large buildings"
            " bring{citizens_score}.{hidden}"
        ),
        "citizens": (
            "{citizens} count as {workers} and stand on any {circle}; some buildings do other "
            "things for them. Each is 1 {vp} in the end; the {register} gets one of them every "
            "time."
        ),
        "festival": (
            "The festival: whoever first has three {plantations} of the kind shown gets up to 3 "
            "{workers}, whoever produces the {barrels} shown in one phase 3 {coins}, whoever buys"
            " the building shown 3 {vp}."
        ),
        "buildings": "Buildings (cost, {vp}, {column}, {circles}):",
        "draft": (
            "Before the first round the players choose which of these buildings are for sale."
        ),
        "hidden": " The {vp} of others are hidden.",
        "shortage": "the {register} cannot be filled, ",
        "citizens_score": ", 1 for each of the {citizens}",
        "and_citizens": " and {citizens}",
    },
    # -- explain
    cards={
        "sort_role": "role card",
        "sort_shop": "building for sale",
        "sort_draft": "building to choose",
        "sort_built": "building ({name})",
        "sort_city": "{name}",
        "sort_row": "{plantation}, face up",
        "sort_stack": "tiles left",
        "sort_deck": "{plantations}",
        "sort_drawn": "tile drawn",
        "sort_tile": "{name}",
        "sort_island": "{name}",
        "sort_ship": "cargo ship",
        "sort_house": "where {goods} are sold",
        "sort_supply": "{barrels} in the supply",
        "sort_units": "supply",
        "sort_register": "who comes next",
        "sort_pool": "still to be won",
        "sort_goods": "in store ({name})",
        "sort_coins": "{name}",
        "sort_vp": "{name}",
        "sort_score": "{name}",
        "sort_portrait": "{name}",
        "sort_smuggler": "expansion",
        "sort_festival": "goal for everybody",
        "sort_hand": "to be placed now",
        "sort_phase": "what is played now",
        "fact_on_card": "on the card",
        "fact_taken": "taken by",
        "fact_production": "{name} would produce now",
        "fact_list_price": "list price",
        "fact_price": "your price now",
        "fact_as_actor": "with the {privilege} of the {role}",
        "fact_quarries_save": "your {quarries} take off",
        "fact_barter": "your {black_market} makes up for up to",
        "fact_worth": "worth in the end",
        "fact_column": "{quarries} that count at most",
        "fact_takes_spaces": "spaces it takes",
        "fact_slots": "buildings still to choose for {cost}",
        "fact_chosen": "in this game already",
        "fact_excludes": "keeps out of the game",
        "fact_left": "left",
        "fact_if_building": "could you build it",
        "fact_staffed": "occupied",
        "fact_scores": "brings now",
        "fact_in_row": "in the row",
        "fact_unseen": "not seen yet",
        "fact_yours": "you have",
        "fact_there": "there",
        "fact_known": "printed below",
        "fact_free": "free spaces",
        "fact_loaded": "loaded",
        "fact_sells": "{word} sells now for",
        "fact_loads": "{word} could be loaded now for",
        "fact_arrivals": "you would get so many {workers}",
        "fact_could_build": "you could build",
        "fact_sold_for": "the {trading_house} pays",
        "fact_storage": "storage now would take at least",
        "fact_held": "held by",
        "fact_goal": "asked for",
        "fact_prize": "prize",
        "fact_decides": "decides",
        "fact_decision": "decision",
        "yes": "yes",
        "works": "it works",
        "idle": "it does not work",
        "printed_vp": "printed on buildings",
        "in_score": "{change} in the final score",
        "chance": "Which tile is drawn is chance.",
        "will_lose": "Storage then takes at least {things}.",
        "would_lose": "If storage came right after it, it would take at least {things}.",
        "not_your_turn": "it is not your turn: {name} decides now",
        "tile_corn": (
            "With a {worker} on it, it makes one {barrel} of {corn} whenever {goods} are "
            "produced; no building is needed."
        ),
        "tile_good": (
            "With a {worker} on it, it makes one {barrel} of {word} whenever {goods} are produced,"
            " if a {worker} stands on a matching {circle} of {plants}."
        ),
        "tile_quarry": (
            "With a {worker} on it, it makes every building 1 {coin} cheaper; for a building at "
            "most as many {quarries} count as the number of its {column}."
        ),
        "tile_forest": (
            "Every two {forests} make every building 1 {coin} cheaper; nobody stands on them."
        ),
        "deck": "{plantations} face down; when none is left, those laid aside are shuffled.",
        "discard": "{plantations} laid aside; they come back when none is left face down.",
        "drawn": "It is laid as it is, or face down as a {forest}; only who drew it knows it.",
        "ship": (
            "It takes up to {size} {barrels}, all of one kind, which no other ship takes then. "
            "A full ship is emptied after the phase."
        ),
        "supply": (
            "Who produces {word} takes it from here; when none is left, nobody gets any more of it."
        ),
        "units": "Nobody has them yet. From here they come to the {register}.",
        "goods": (
            "{barrels} are sold to the {trading_house} for {coins}, or shipped for {vp}. What "
            "cannot be stored after shipping goes back to the supply."
        ),
        "coins": (
            "They pay for buildings. Of players with equal scores, who has more {coins} and "
            "{barrels} together has won."
        ),
        "vp": "Gained by shipping {goods} and by what some buildings do.",
        "portrait": "They wait here until they are placed on {circles}; only there do they work.",
        "hand": "They are placed now; what stays in hand goes back, or waits on the {portrait}.",
    },
    guide={
        "title": "How to play",
        "aim": "What it is about",
        "setup": "At the beginning",
        "setup_text": (
            "Everybody has a board of two halves, {island} and {city}; the first player is "
            "{governor}. What else lies ready depends on the number of players."
        ),
        "setup_players": "players",
        "setup_coins": "{coins} for each",
        "setup_tiles": "first {plantations}, from the {governor} on",
        "setup_vp": "{vp} to be won",
        "setup_workers": "{workers} in the supply",
        "setup_register": "{workers} on the {register}",
        "setup_row": "tiles face up",
        "setup_ships": "spaces of the ships",
        "setup_prospectors": "{prospector_1} cards",
        "setup_picks": "role cards taken in a round",
        "round": "A round",
        "roles": "The roles",
        "roles_text": (
            "Whoever takes a card begins, and alone has its {privilege}; then the others follow, "
            "clockwise."
        ),
        "goods": "The goods",
        "goods_text": (
            "A {plantation} gives one {barrel}; all but {corn} need a building for it as well. The "
            "dearer a kind, the more it sells for; on a ship all kinds are worth the same."
        ),
        "goods_name": "kind",
        "goods_price": "sells for",
        "goods_tiles": "{plantations}",
        "goods_barrels": "{barrels}",
        "buildings": "The buildings",
        "buildings_text": (
            "A building works while somebody stands on it. As many {quarries} can make it cheaper "
            "as its {column} says. Buildings of the {column} 4 are large: they take two spaces, "
            "and most of them give {vp} in the end."
        ),
        "building_name": "building",
        "building_cost": "cost",
        "building_vp": "{vp}",
        "building_column": "{column}",
        "building_circles": "{circles}",
        "building_copies": "copies",
        "building_does": "what it does",
        "end": "The end, and who has won",
        "expansions": "Expansions",
        "draft_slots": "Of each cost so many types are chosen: {slots}.",
        "expansions_text": "Each can be added to the game by itself, or with others.",
        "edition": "Edition",
        "players": "Players",
        "contents": "Contents",
        "help": (
            "At the table every place of the board explains itself: rest the mouse on it, tap it, "
            "or press ? when it has the focus."
        ),
    },
    page={
        # -- who is who
        "name_governor": "base network",
        "name_generalist": "network",
        "sits_in_for": "sits in for {whom}",
        # -- drafts
        "draft_in_hand": "{units} in hand: {count}",
        "draft_to_pay": "Still to pay: {count}",
        "draft_kept": "Kept: {kept} of {held}",
        "draft_more": "{place}: one {unit} more",
        "draft_fewer": "{place}: one {unit} fewer",
        "draft_review": "What will be done: {count}",
        "draft_by": "As {agent} would do it.",
        "draft_done": "Done",
        "draft_fill": "Fill",
        "draft_suggest": "Suggest",
        "draft_before": "As before",
        "draft_clear": "Clear",
        "draft_single": "One by one",
        "draft_together": "All at once",
        "draft_close": "Not now",
        "made_as_one": "{count} decisions made as one",
        "draft_staffing": "Put your {workers} to work",
        "draft_storage": "Keep {barrels}",
        "draft_payment": "Pay the {coins} that you lack",
        "draft_handout": "Place who is in hand",
        "draft_guests": "Move your guests",
        "draft_storage_rule": "Kinds kept whole: {kinds}. Single {barrels} besides: {singles}.",
        "draft_storage_singles": "Single {barrels} kept: {singles}.",
        "draft_payment_rule": (
            "Return one unit, one {barrel} and one {vp} at most; each pays one {coin}."
        ),
        "draft_handout_rule": "No more than {count} may be placed.",
        "draft_full": "{place}: there is room for {count}.",
        "draft_short": "There are only {there}.",
        "draft_stays": "{place}: who was put there stays there.",
        "draft_not_back": "{place}: who was taken back does not return there in this phase.",
        "draft_held_back": (
            "{hand} in hand, and {free} free: nobody stays on the {portrait} while there is room."
        ),
        "draft_choose": "Still to be chosen: {count}.",
        "draft_units": "units",
        "draft_goes_back": "goes back",
        "draft_storage_many": "That is more than you may keep. {rule}",
        "draft_storage_few": "Keep as much as you may. {rule}",
        "draft_pay_more": "Still to pay: {count}.",
        "draft_pay_less": "That is {count} too much.",
        "draft_chance": "“{move}” draws at random: make that move by itself first.",
        "draft_unreachable": "No moves that are allowed lead to that.",
        # -- explain
        "card_close": "Close",
        "card_more": "? shows the rules",
        "card_rules": "The rules about it",
        "card_rules_language": "The text of the rules is in English.",
        "how_to_play": "How to play",
        # -- thinking
        "thinks": "{agent} thinks: {seconds:.0f} s",
        "waits": "{agent} waits: {before} searches before yours",
        "waits_for_one": "{agent} waits: 1 search before yours",
        "cut": "The time for a search at this table was over; this is what it had found by then.",
        "cancel": "Cancel",
        # -- study
        "replay_players": "{count} players",
        "replay_seed": "seed {seed}",
        "replay_position": "from a position",
        "replay_needs_scripts": "This page replays a game, and needs scripts for that.",
        "replay_old_browser": "This page needs a browser from 2023 or later.",
        "replay_damaged": "This page is damaged:",
        "replay_board": "Board",
        "replay_enlarge": "The whole board of {name}",
        "replay_decision": "Decision",
        "replay_steps": "Steps",
        "replay_first": "Start",
        "replay_round_back": "Previous round",
        "replay_back": "Previous decision",
        "replay_play": "Play",
        "replay_pause": "Pause",
        "replay_forward": "Next decision",
        "replay_round_on": "Next round",
        "replay_last": "End",
        "replay_key_home": "Home",
        "replay_key_end": "End",
        "replay_key_page_up": "Page Up",
        "replay_key_page_down": "Page Down",
        "replay_key_space": "Space",
        "replay_speed": "Speed",
        "replay_slow": "slow",
        "replay_normal": "normal",
        "replay_fast": "fast",
        "replay_very_fast": "very fast",
        "replay_keys": "← → decision · Page ↑ ↓ round · Space plays",
        "replay_decisions": "Decisions",
        "replay_forced_too": "forced ones too",
        "replay_forced": "forced",
        "replay_over_game": "Over the game",
        "replay_dealt": "The game is dealt",
        "replay_round": "Round {round}",
        "replay_where": "Round {round} · {now} of {last}",
        "replay_where_spoken": "Decision {now} of {last}, round {round}, {what}",
        "replay_won": "Won by {names}",
        "replay_tie": "A tie between {names}",
        "replay_and": " and ",
        "replay_cut": "cut off by the limit of rounds",
        "replay_unfinished": "not played to its end",
        "replay_view": "(whose view this is)",
        "replay_rather": "{name} would rather: {choice}",
        "replay_reviewer": "What {name} thinks",
        "replay_hint_for": "A hint for {name}",
        "replay_thought": "What {name} thought",
        "replay_nothing_yet": "Nothing is decided yet.",
        "replay_nothing_else": "Nothing else was possible.",
        "replay_no_analysis": "There is no analysis of this decision.",
        "replay_chance_before": "Chance to win before this decision",
        "replay_chance_last": "Chance to win, as last seen",
        "replay_cost": "It lowered the chance to win by {loss}.",
        "replay_would_choose": "Would choose: {choice}",
        "replay_played_instead": "Played: {choice}",
        "replay_choices": "Choices",
        "replay_choices_of": "{what}: choices",
        "replay_weight": "weight",
        "replay_wins": "wins",
        "replay_more": "and {count} more",
        "replay_best": "its choice",
        "replay_played": "played",
        "replay_why": "Why",
        "replay_curve_score": "Score",
        "replay_curve_chances": "Chance to win",
        "replay_curve_coins": "{coins}",
        "replay_curve_vp": "{vp}",
        "replay_curve_goods": "{barrels}",
        "replay_curve_workers": "{workers}",
        "replay_curve_tiles": "{island}",
        "replay_curve_buildings": "Buildings",
        "replay_about_score": "as if the game ended now",
        "replay_about_chances": "as {name} sees it, of every seat",
        "replay_curve_label": "{title}, a curve for each player over the game",
        "replay_score": "Final score",
        "replay_score_so_far": "Score where the record ends",
        "replay_total": "Total",
        "replay_tie_break": "Tie-break: {coins} and {barrels}",
        "replay_place": "Place",
        "replay_costly": "Decisions that cost most",
        "replay_costly_about": (
            "As {name} sees it: how much lower the chance to win is for who decided than after "
            "the choice of {name}, and the line it would have played."
        ),
        "replay_costly_none": (
            "As {name} sees it, no decision cost a tenth of a percent of the chance to win."
        ),
        "replay_line": "{name} would have played:",
        "replay_accuracy": "Accuracy",
        "replay_accuracy_agreed": "As good as its choice",
        "replay_accuracy_loss": "Chance lost per decision",
        "replay_accuracy_decisions": "Decisions",
        "replay_accuracy_about": (
            "By {name}. A decision is as good as its choice if it loses less than 0.1 points of"
            " the chance to win. Accuracy is the mean of 103.1668 · exp(−0.04354 · lost points)"
            " − 3.1669 over the decisions, the formula that lichess.org uses for a move of "
            "chess: its figures were fitted to chess, so compare players of one game with it, "
            "not games. Workers placed one after the other count as one decision."
        ),
        "replay_play_on": "Play on from here",
        "replay_play_on_about": (
            "This file is the game up to the decision that the page shows. It can be played on,"
            " with any agents and people at the seats."
        ),
        "replay_download": "Download the game up to here",
        "replay_play_on_terminal": "In the terminal:",
        "replay_play_on_page": "Or load it on the page that prico serve opens.",
        "replay_close": "Close",
        "puzzle_right": "Right: {best}.",
        "puzzle_wrong": "Not the best: {chosen}. The best is: {best}.",
        "puzzle_sure": (
            "{count} deep searches agree: it leaves a chance to win that is at least {lead:.1%}"
            " higher than after any other choice."
        ),
        "puzzle_chances": "{move}: {here:.1%} to win; {other}: {there:.1%}.",
        "puzzle_misled": "These players would have gone wrong here: {names}.",
        "puzzle_misled_one": "One player would have gone wrong here: {names}.",
        "puzzle_title": "Puzzle {number} of {count}",
        "puzzle_about": "{rules}. Round {round}, {phase}: what is the best choice for {who}?",
        "puzzle_next": "Enter shows the next one, q stops",
        "puzzle_score": "Right: {right} of {asked}.",
        "puzzle_others": (
            "The planner finds {planner} of these, the other heuristics on the mean {others:.1f}."
        ),
        "puzzle_skipped": "Not answered. The best is: {best}.",
        "puzzle_all_solved": "All of these puzzles are answered; they are asked again.",
        "puzzle_skip_help": "shows the answer, and goes on to the next puzzle",
        "puzzle_page": "Puzzles",
        "puzzle_moves": "Your choices",
        "puzzle_forward": "Next puzzle",
        "puzzle_back": "Previous puzzle",
        "puzzle_table": "Back to the table",
        "puzzle_why": "Why",
        "puzzle_kind": "Kind",
        "puzzle_every_kind": "all kinds",
        "puzzle_choose_role": "which role",
        "puzzle_buy": "what to build",
        "puzzle_take_tile": "which tile",
        "puzzle_load": "what to load",
        "puzzle_place": "where workers go",
        "puzzle_sell": "what to sell",
        "puzzle_craftsman_privilege": "which extra good",
        "puzzle_store": "what to keep",
        "replay_open": "Replay and study",
        "replay_opening": "The replay is being made…",
        "replay_seats": "Who sits where",
        "replay_seat": "Seat {seat}",
        "replay_go_on": "Play on",
        "replay_go_on_from": "A new game begins at decision {decision} of this one.",
        "replay_cancel": "Cancel",
        "puzzle_best": "best",
        "puzzle_help": (
            "In each position one choice is clearly the best, and players that go by what looks"
            " good miss it."
        ),
        # -- places without words
        "place_island": "island of {name}",
        "place_city": "city of {name}",
        "place_goods": "store of {name}",
        "place_row": "face-up tile",
        "place_other": "place on the table",
        "place_festival": "festival",
        # -- table
        "language": "Language",
        "new_game": "New game",
        "undo": "Undo",
        "save": "Save",
        "load": "Load",
        "record_to_load": "Record to load",
        "pace": "Agents play",
        "pace_slow": "slowly",
        "pace_fast": "fast",
        "pace_instant": "instantly",
        "pause": "Pause",
        "go_on": "Go on",
        "dismiss": "Dismiss this message",
        "board": "Board",
        "who_plays": "Who plays",
        "final_score": "Final score",
        "place": "Place",
        "your_moves": "Your moves",
        "moves_here": "Moves here",
        "search_share": "How much of the search is done",
        "hint": "Hint",
        "hinted": "hint",
        "ask": "Ask",
        "adviser": "Who gives the hint",
        "what_happened": "What happened",
        "round": "Round {round}",
        "before_first_round": "Before the first round",
        "forced": "forced",
        "nothing_else": "Nothing else was possible",
        "you": "you",
        "your_turn": "your turn",
        "your_turn_of": "your turn ({name})",
        "to_decide": "{name} to decide",
        "no_game_yet": "No game yet",
        "no_game_notice": "No game is on the table. Begin a new one, or load one.",
        "has_won": "The game is over: {names} won",
        "tied": "The game is over: {names} won",
        "and": " and ",
        "from_position": "from a position",
        "seed_of": "seed {seed}",
        "count_players": "{count} players",
        "no_answer": "The table does not answer. Is `prico serve` still running?",
        "strange_answer": "The table answers {status}.",
        "too_large": "{file} is too large to be the record of a game.",
        # -- several people
        "games": "Games",
        "seats": "Seats",
        "seats_title": "Who sits where: offer a seat by link, let an agent play, rename",
        "games_title": "Your games",
        "no_games": "You have no games here yet.",
        "open_game": "Open",
        "leave_game": "Leave {title}",
        "leave_short": "Leave",
        "leave_warning": (
            "Leave this game for good? Where others play, an agent takes your seat; otherwise "
            "it is deleted."
        ),
        "game_over": "over",
        "this_game": "this game",
        "seat_code": "Code of a seat",
        "join": "Sit down",
        "join_title": "Sit down at a table",
        "join_where": "Seat {seat} of {title}, with {names}",
        "join_taken": (
            "{name} sits there already. If that is you, take the seat over in this browser."
        ),
        "take_over": "Take the seat over",
        "your_name": "Your name",
        "name_of_seat": "Name at seat {seat}",
        "somebody_by_link": "somebody by link",
        "person_here": "a person here",
        "hidden_points": "Points of others",
        "points_usual": "as the edition has it",
        "points_hidden": "hidden",
        "points_open": "open",
        "lobby": "Table",
        "lobby_free": "Table: seats free",
        "link_of_seat": "Link of seat {seat}",
        "code_is": "code {code}",
        "copy": "Copy the link",
        "copied": "Copied",
        "link_warning": "Who has the link of a seat has the seat: send each to one person.",
        "watch_link": "Others may watch at {address}",
        "seat_is_free": "nobody yet",
        "waits_for_seat": "waiting for somebody at seat {seat}",
        "is_away": "an agent plays for {name}",
        "is_here": "here now",
        "is_not_here": "not here now",
        "you_watch": "You watch this game.",
        "watching": "{count} watching",
        "let_agent_play": "Let an agent play",
        "agent_for_seat": "Let an agent play at seat {seat}",
        "take_back_seat": "Take my seat back",
        "take_seat": "Sit here",
        "offer_seat": "Offer the seat by link",
        "rename": "Rename",
        "my_link": "Your way back, for another browser",
        "host_paused": "The host has paused the game",
        "deal_was_chosen": "The host knows the deal.",
        "deal_hidden": "deal hidden until the end",
        "undo_asked": "{name} asks to take a decision back.",
        "undo_waits": "You ask to take a decision back; waiting for {names}.",
        "undo_others": "{name} asks {names} to take a decision back.",
        "accept": "Accept",
        "decline": "Decline",
        "withdraw": "Withdraw",
        "connection_lost": "The connection to the table is lost; trying again.",
        "preparing": "The table gets ready: this is done once, and takes about a minute.",
        "preparing_rules": "Compiling the rules",
        "preparing_board": "Drawing the first board",
        "preparing_agents": "Compiling the agents",
        "preparing_search": "Compiling the search",
        "preparing_figures": "{share} %, {seconds} s",
        # -- hint
        "chance_now": "Chance to win now",
        "best_first": "Moves, the best first",
        "favours": "How much it favours each move",
        "chance_after": "Chance to win after each move",
        "and_chance_after": "and the chance to win after it",
        "and_more": "and {count} more",
        # -- care
        "keys": "Keys",
        "close": "Close",
        "or": " or ",
        "redo": "Redo",
        "key_move": "Choose the move with this number",
        "key_arrows": "Go among the moves, or among places of the board",
        "key_enter": "Choose the move, or the place of the board, that has the focus",
        "key_hint": "Ask for a hint",
        "key_undo": "Take the last decision back",
        "key_redo": "Decide again what was taken back",
        "key_explain": "Explain what has the focus",
        "key_list": "Show these keys",
        "key_close": "Close what is open",
        "enlarge": "The whole board of {name}",
        "happened_before": "{count} more before",
        "place_of": "Place {place}: {name}, {points} VP",
        "forced_one": "1 without a choice",
        "forced_many": "{count} without a choice",
        # -- new game
        "edition": "Edition",
        "expansions": "Expansions",
        "for_sale": "Buildings for sale",
        "board_draft": "the players choose them first",
        "board_random": "drawn at random",
        "players": "Players",
        "who_sits_where": "Who sits where",
        "seat": "Seat {seat}",
        "seat_of_governor": "Seat {seat}, governor",
        "seed": "Seed",
        "new_deal": "a new deal",
        "seed_title": "A whole number; the same one deals the same game",
        "play": "Play",
        "watch": "Watch agents only",
        "load_instead": "Load a game",
        "edition_classic": "the original game (2002) and its expansions (2004)",
        "edition_1897-en": "the 1897 edition, in English",
        "edition_1897-de": "the 1897 edition, in German",
        "expansion_buildings": "I New buildings",
        "expansion_citizens": "II Citizens (nobles)",
        "expansion_smuggler": "III Smuggler",
        "expansion_festival": "IV Festival",
        "about_planner": (
            "Tries every decision, plays a greedy rollout, and compares every seat's win "
            "probability."
        ),
        "about_builder": "Saves on quarries and spends on large buildings, to fill the city first.",
        "about_corn": "Ships cheap goods early and often, with wharf and harbor.",
        "about_style": (
            "Plays a style that a generator drew, such as style:12; a third of them are held out."
        ),
        "about_trader": "Grows coffee and tobacco and lives by the trading house.",
        "about_random": "Plays any allowed action, each with the same chance.",
        "about_mcts:400": (
            "Searches ahead with 400 simulations a decision: strong, and quick enough."
        ),
        "about_mcts:1600": (
            "Searches ahead with 1600 simulations a decision: stronger, takes its time."
        ),
        "about_network": "Plays what a network learnt, in the games it learnt.",
        "about_allowed": "Allowed when the table was opened.",
    },
    terminal={
        # -- the game in the terminal
        "percent": "{share:.1%}",
        "how_to_answer": (
            "Type a number of the list, or what it says there, or its beginning; Tab completes "
            "it. 'help' tells what else."
        ),
        "how_to_answer_in_a_pipe": (
            "Type an action: its number, its name, its words, or a beginning that only one "
            "action has. 'help' tells what else."
        ),
        "your_seat": "You have seat {seat}.",
        "list_shows": "'list' shows what is allowed",
        "no_such_number": (
            "the list goes from 1 to {count}, and has no {number}; action {number} of all "
            "games is typed as '#{number}'"
        ),
        "earlier": "({count} earlier lines: 'log' shows them)",
        "enter_shows_list": "-- Enter: your moves -- ",
        "enter_shows_more": "-- Enter: more; q: enough -- ",
        "names_on": "Moves are shown with the names that programs use.",
        "names_off": "Moves are shown in words alone.",
        "word_action": "action",
        "word_board": "board",
        "word_list": "list",
        "word_names": "names",
        "word_hint": "hint",
        "word_why": "why",
        "word_building": "building",
        "word_rule": "rule",
        "word_explain": "explain",
        "word_undo": "undo",
        "word_redo": "redo",
        "word_log": "log",
        "word_save": "save",
        "word_help": "help",
        "word_quit": "quit",
        "help_action": "plays the action that has this number in all games: action 117, or #117",
        "help_board": "shows the whole table",
        "help_list": "shows what is allowed",
        "help_names": "shows the names that programs use, such as load:sugar:2, or no longer",
        "help_hint": "asks an agent what it would do: hint planner, hint mcts:400 ({agent})",
        "help_explain": "shows from now on why agents play so, or no longer",
        "help_undo": "takes your last decision back",
        "help_redo": "makes the decision again that was taken back",
        "help_log": "shows the last two rounds; log all: everything",
        "help_save": "writes the game to a file: save FILE",
        "help_help": "shows this",
        "help_quit": "leaves the game, which is kept",
        "title": "{game}, {count} players, {began}",
        "began_seed": "seed {seed}",
        "began_position": "from a position",
        "forced": "(nothing else possible)",
        "forced_more": "(and {count} without a choice)",
        "thinks": "{agent} is thinking",
        "hint_called_off": "The hint was called off.",
        "would_play": "{agent} would play",
        "head_move": "move",
        "head_share": "share",
        "head_wins": "wins after it",
        "chances": "chances to win now:",
        "reasons_on": "Reasons are shown from now on.",
        "reasons_off": "Reasons are left out from now on.",
        "no_reasons": "no agent has said why it played so since your last decision",
        "back": "Back at your last decision.",
        "again": "Decided again.",
        "say_where": "say where to: save game.jsonl",
        "saved": "The game so far is in {path}",
        "left": "You left the game.",
        "record": "The record is in {path}",
        "go_on": "Go on with: {command}",
        "look_back": "Look back at it with: {command}",
        "not_kept": "The game is not kept by itself ({reason}); 'save FILE' keeps it.",
        "sits_in": "{agent} sits in for {whom}, who cannot be loaded here.",
        "others": "Choose others with: {command}",
        "score": "Final score",
        "place": "place",
        # -- explain
        "allowed": "Allowed. {words}",
        "not_allowed": "{words} – not allowed: {reason}",
        "say_building": "say which building: building hospice",
        "say_rule": "say which rule: rule R-CAP-3, or rule R-CAP for all of a family",
        "help_building": "explains a building, with its price now: building hospice",
        "help_rule": "gives the text of a rule: rule R-CAP-3",
        "help_why": "says why the last agents played so; why ACTION: what it brings, or why not",
        "round": "round {round}",
    },
    reasons={
        "lacks": "it {lacks}",
        "phase": "it belongs to the {phases}",
        "not_asked": "this is not asked here; the game waits at {point}",
        "first_pay": "the building bought is paid for first, through the {black_market}",
        "first_use_tile": "it is decided first how the tile drawn is laid",
        "first_hire": "it is decided first which kind of unit is taken",
        "first_gather": "it is decided first which kinds of units are taken",
        "first_place_units": "the units in hand are placed first",
        "first_small_ship": "the {small_wharf}'s barrels are chosen first; pass when they are",
        "first_supply": "the {royal_supplier} comes before loading; pass when it is done",
        "first_raid": "the barrels of the raid are chosen first",
        "first_hunt": "only the {hunting_lodge} is left in this phase",
        "first_remove_tile": "it is chosen first which of the tiles goes",
        "first_take_again": "the second tile of the {library} is chosen first",
        "first_open_window": "only guests move as a phase opens",
        "first_turn_window": "only guests move before the effects of a first turn",
        "first_close_window": "only guests move as a phase closes",
        "first_offer": "an offer is taken or declined first",
        "first_deal": "the units of the {register} are dealt first",
        "first_draw_tile": "a tile is drawn or declined first",
        "first_take_tile": "a tile is taken or declined first",
        "first_staff_tile": "only the {worker} of the {hospice} is left to be placed",
        "first_staff_building": "only the {worker} of the {university} is left to be placed",
        "first_recall": "pass first: units are taken back before any is put down",
        "first_place": "the units in hand are put down now, and nobody is taken back any more",
        "not_now_pay": "resources are returned only while a building is being paid for",
        "not_now_use": "no tile has just been drawn",
        "not_now_supply": "the {royal_supplier} works once, before the loading",
        "not_now_deal": "no unit is being dealt or handed out here",
        "not_now_place": "no unit is in hand here",
        "not_now_lodge": "the {hunting_lodge} works as the phase closes",
        "not_now_draw": "the draw comes once, before the normal action",
        "not_now_villa": "the {villa} works while the {register} is being dealt",
        "not_now_remove": "no tile is being sold or removed",
        "not_now_privilege": "the {privilege} comes when all have produced",
        "no_pass": "this choice is not optional",
        "no_pass_choose_role": "a role must be taken",
        "no_pass_load": "{goods} that a {cargo_ship} can take must be loaded",
        "no_pass_place": "no {worker} is held back while a {circle} is empty",
        "no_pass_recall": "as many {circles} as there are units for must be filled in the end",
        "no_pass_draft": "everybody chooses a building; nobody passes",
        "no_pass_pay": "the rest of the price is still missing",
        "no_pass_use_tile": "the tile drawn must be laid one way or the other",
        "no_pass_deal": "a unit must be taken, and only its kind can be chosen",
        "no_pass_mayor_privilege": "a {worker} or the {citizen} of the {villa} is taken",
        "no_pass_remove_tile": "one of the tiles goes, and only which can be chosen",
        "no_pass_hire": "a unit is being taken, and only its kind can be chosen",
        "no_pass_gather": "the units are being taken, and only their kinds can be chosen",
        "no_pass_supply": "exactly one {barrel} is returned for each {citizen}",
        "no_pass_store": "as much as may be kept must be kept",
        "has_none": "{seat_has} no {word}",
        "island_full": "all twelve {island} spaces are filled",
        "has_sold": "{seat_has} sold a {barrel} already",
        "has_traded_land": "the {land_office} trades once a phase",
        "needs": "{seat_has} no occupied {building}",
        "needs_unit": "{seat_has} no {unit} on a {building}",
        "role_not_in_play": "{word} is not in play with so many players",
        "role_taken": "{owner_has} taken {word} this round",
        "ascending_spots": (
            "spots are chosen in ascending order, and the place of {spot} has passed"
        ),
        "no_circle_left": "the units in hand would not all find a {circle}",
        "price": "{word} costs {price} and {seat_has} {held}",
        "price_barter": (
            "{word} costs {price} and {seat_has} {held}, and its {black_market} makes up for "
            "{barter} more at most"
        ),
        "room": "{word} takes {spaces} {city} spaces and {free} are free",
        "carries": "ship {ship} carries {cargo}",
        "not_next_unit": (
            "one unit at most is returned, and first of all: what is left to return would not "
            "make up for the missing {coins}, or its turn has passed"
        ),
        "not_next_good": (
            "one {barrel} at most is returned, after the unit: what is left to return would not "
            "make up for the missing {coins}, or its turn has passed"
        ),
        "not_next_vp": (
            "what is left to return would not make up for the missing {coins}, or its turn has "
            "passed"
        ),
        "ships": "there are only {ships} ships",
        "unit_gather": "there are not enough {units} where the units are taken from",
        "unit_register": "no {word} is on the {register}",
        "unit_supply": "no {word} may be taken from the supply, or from the {register} behind it",
        "keeps_on": "no more {word} may be kept, or its place in the ascending order has passed",
        "has_smuggler_tile": "{seat_has} the smuggler tile and waits until somebody takes it",
        "has_captured": (
            "{seat_has} captured {word} and plays it at the end of the round, unless somebody "
            "else takes it"
        ),
        "not_drafted": "{word} is in every game and is not drafted",
        "chosen_already": "{word} has been chosen already",
        "no_slot": "the board has no place left for a building that costs {cost}",
        "excludes": "{word} excludes a building of this board, or one that it still needs",
        "not_in_row": "no {word} lies in the row",
        "no_quarry": "no {quarry} is left",
        "quarry_second": "the second tile is a {quarry} only with an occupied {construction_hut}",
        "quarry_right": "only the actor or an occupied {construction_hut} may take a {quarry}",
        "no_draw": "no {plantation} is left to draw",
        "no_unit_left": "no unit is left in supply and {register}",
        "hospice_taken_only": "in this game the {hospice} serves the tile taken only",
        "no_tile_taken": "no tile was taken this turn",
        "no_tile_drawn": "no tile was drawn this turn",
        "hospice_same": "it is the same as hospice:taken, for both tiles are of one kind",
        "tile_has_unit": "the tile has a unit already",
        "forest_own_stack": "in this game {forests} come from a stack of their own: take 'forest'",
        "forest_from_row": "in this game a tile of the row becomes the {forest}: 'forest:corn' ...",
        "no_forest": "no {forest} is left in the stack",
        "none_on_island": "{seat_has} no {word} on its {island}",
        "no_such_tile": "{seat_has} no such tile of the kind that goes",
        "no_unit_on": "{seat_has} no {unit} on {word}",
        "university_spot": "the {worker} of the {university} goes on the building just bought",
        "no_unit_in_hand": "no {unit} is in hand",
        "has_no_unit_in_hand": "{seat_has} no {unit} in hand",
        "no_empty_circle": "{seat_has} no empty {circle} on {word}",
        "taken_back_there": "no {unit} returns to {word}, where one was taken back in this phase",
        "citizens_first": "{citizens} are taken before {workers}",
        "villa_extra": "in this game the unit of the {villa} comes on top, without a choice",
        "villa_other_moment": "in this game the {villa} works at another moment of the phase",
        "supply_empty": "no unit is left in the supply",
        "villa_once": "the {villa} works once, on its owner's first turn or for a {citizen}",
        "no_guests": "nobody can be a guest in this game",
        "guest_elsewhere": "a guest moves to another building or tile",
        "guests_not_here": "guests do not move in this phase",
        "guests_when": (
            "guests move as a phase opens or closes, and at the decisions of an own turn"
        ),
        "has_building": "{seat_has} a {word} already",
        "not_on_board": "{word} is not on the board of this game",
        "none_to_buy": "no {word} is left to buy",
        "no_unit_there": "{seat_has} no {unit} there: {word}",
        "black_market_unit": "the unit on the {black_market} itself cannot be returned",
        "no_vp": "{seat_has} no {vp}",
        "nothing_offered": "nothing is offered here",
        "no_warehouse": "{seat_has} no occupied warehouse",
        "library_kind": "the second {barrel} of the {library} is of another kind than {word}",
        "not_produced": "no {word} was produced, or none is left in the supply",
        "house_full": "the {trading_house} is full",
        "house_holds": "the {trading_house} holds {word} already",
        "post_closed": "in this game the {trading_post} closes with a full {trading_house}",
        "land_price": "a tile costs 1 {coin}, and {seat_has} none",
        "forests_not_sold": "in this game {forests} are not sold",
        "ship_full": "ship {word} is full",
        "ship_takes_more": "another empty ship takes more {cargo}",
        "wharf_once": "the {wharf} works once a phase",
        "small_wharf_once": "the {small_wharf} works once a phase",
        "ascending_kinds": (
            "kinds are chosen in ascending order, and the place of {word} has passed"
        ),
        "barrel_each_citizen": "one {barrel} is returned for each {citizen}, and {seat_has} {held}",
        "ascending_barrels": (
            "the {barrels} are of different kinds, chosen in ascending order, and the place of "
            "{word} has passed"
        ),
        "as_many_as_citizens": "the {barrels} must be exactly as many as the {citizens}",
        "ship_empty": "ship {word} is empty",
        "house_empty": "the {trading_house} is empty",
        "register_stays": (
            "{stay} units stay on the {register}, and it has {there}, so none can be taken"
        ),
    },
    errors={
        "game_over": "the game is over; nobody has to decide anything",
        "nothing_to_take_back": "there is nothing to take back: no person has decided anything yet",
        "nothing_of_yours": "there is nothing to take back: you have not decided anything yet",
        "nothing_to_do_again": (
            "there is nothing to do again: nothing was taken back, or something else has been "
            "decided since"
        ),
        "agents_turn": "it is the turn of {name}, which decides by itself",
        "hint_not_now": "hints are for decisions of people, and it is the turn of {name}",
        "hint_from_agent": "a hint comes from an agent; name an agent, as mcts:400",
        "busy": "{name} is thinking already; wait for it, or cancel that first",
        "queue_full": (
            "{count} searches wait already, which is all this table lets wait; ask again in a "
            "while, or an agent that decides at once"
        ),
        "called_off": "{name} was told to stop thinking",
        "table_changed": (
            "the table has changed since this was asked, perhaps in another tab; nothing was "
            "done, look again"
        ),
        "watching": (
            "you watch this table; only who has a seat here may do that, and the link of a seat "
            "comes from the host"
        ),
        "host_only": "only the host of this table may do that",
        "paused": "the host has paused the game",
        "not_yours_to_decide": "it is for {name} at seat {seat} to decide, not for you",
        "undo_pending": "the game waits: somebody asks whether a decision may be taken back",
        "nobody_asks": "nobody asks to take anything back any more",
        "not_asked": "others are asked whether that may be taken back, not you",
        "redo_when_alone": (
            "what was taken back is done again only where nobody else plays; decide it anew"
        ),
        "hint_not_yours": "it is for {name} to ask for a hint now",
        "no_record_yet": (
            "a record tells what nobody may know before the end of a game of several people; it "
            "can be saved when the game is over"
        ),
        "no_room": (
            "{count} games are going on here, which is all this table has room for; try again in "
            "a while"
        ),
        "too_many_games": (
            "this browser has {count} games already, which is all it may have; leave one of them"
        ),
        "too_many_new": "many games were begun from this address; begin another in a while",
        "too_many_codes": "many wrong codes came from this address; try again in a minute",
        "no_such_code": "no seat has the code {code}; ask the host for the link of a free seat",
        "seat_taken": "{name} sits at this seat already; if that is you, say that you take it over",
        "seat_not_yours": "seat {seat} is not yours to take; open the link of the seat",
        "name_not_yours": "seat {seat} is not yours; everybody names their own",
        "name_unseen": (
            "the name {name} has characters that cannot be seen, such as control characters; use "
            "letters, digits and signs"
        ),
        "name_empty": "a name has at least one letter; leave it out to be given one",
        "name_long": "the name {name} has {count} characters, and {most} are the most",
        "name_twice": (
            "two seats cannot both be called {name}: {one} and {other}; give one of them another "
            "name"
        ),
        "no_action": "there is no action {text}{meant}",
        "may_mean": "{text} may mean {actions}; say which",
        "not_allowed_now": "{text} is not allowed now: {reason}",
    },
    explanations={
        "only_choice": "{move}: nothing else is allowed.",
        "better": "{move}: {here:.1%} to win, against {there:.1%} with the next best ({other}).",
        "for_points": (
            "{move}: {here:.1%} to win, less than with {other} ({there:.1%}); what decides is the "
            "{vp} it may expect beside that."
        ),
        "as_good": "{move}: {here:.1%} to win, as with the next best ({other}).",
        "no_difference": "It sees no difference between the two.",
        "game_over": "By then the game is over, with {result} {vp}.",
        "versus": " to ",
        "goes_on": "The next best would let it go on.",
        "other_ends": "By then the next best would have ended the game.",
        "expects": (
            "{Seat} may then expect {score:.1f} {vp} in the end, {gap:+.1f} against the next "
            "best: {parts}."
        ),
        "part": "{gap:+.1f} from {part}",
        "part_vp": "{vp} so far",
        "part_coins": "{coins}",
        "part_barrels": "{barrels} in store",
        "part_workers": "{workers}",
        "part_tiles": "{plantations} and {quarries}",
        "part_buildings": "buildings",
        "more": "{things} more",
        "less": "{things} less",
        "more_and_less": "{more} and {less}",
        "and_others": "{things} and {count} more things",
        "barrels_of": "{things} of {word}",
        "plantations_of": "{count} {word} {things}",
        "ahead": "Looking ahead, this leaves {seat} with {changes} than after the next best.",
        "costs": "It costs {seat} the most: {here:.1%} to win instead of {there:.1%}.",
        "greedy_role": (
            "{move}: without looking ahead, the role that brings most now, less what others gain "
            "by it: {value:.2f} {vp}{against}."
        ),
        "greedy": (
            "{move}: without looking ahead, the move that leaves it with most, a final score of "
            "{value:.2f} {vp}{against}."
        ),
        "greedy_against": ", against {value:.2f} with the next best ({other})",
        "greedy_recall": "{move}: without looking ahead, {workers} go where they do most good.",
        "greedy_place": "{move}: without looking ahead, {workers} go where they do most good.",
        "greedy_store": (
            "{move}: without looking ahead, the most {barrels} are kept, and the dearest of those "
            "left over."
        ),
        "greedy_draw_tile": (
            "{move}: without looking ahead, a tile is drawn while space is left for one of its "
            "choice."
        ),
        "tried": "{move}: tried in {here:.1%} of the simulations, {other} in {there:.1%}.",
        "variation": "After {move} it expects: {steps}.",
        "step": "{seat}, {move}",
        "drawn": (
            "{move}: drawn, as in {here:.1%} of cases; the favourite, with {there:.1%}, is {other}."
        ),
        "sure": "{move}: the network is sure of it.",
        "likes": (
            "{move}: the network likes it best, with {here:.1%}; next comes {other}, with "
            "{there:.1%}."
        ),
        "leads": "It sees {leader} ahead with {there:.1%} to win.",
        "leads_you": ("It sees {leader} ahead with {there:.1%} to win, {seat} at {here:.1%}."),
    },
    inside=str.lower,
    finish=_with_articles,
)
