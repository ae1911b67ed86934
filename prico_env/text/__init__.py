"""All that is said in words: actions, positions, rules and refusals, as each edition prints it.

`override` speaks another language than the edition's own.
"""

from prico_env.text.actions import action_name, describe_action
from prico_env.text.illegality import why_not
from prico_env.text.localization import override
from prico_env.text.parsing import parse_action
from prico_env.text.position import position_text
from prico_env.text.rules_summary import rules_text

__all__ = [
    "action_name",
    "describe_action",
    "override",
    "parse_action",
    "position_text",
    "rules_text",
    "why_not",
]
