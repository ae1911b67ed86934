"""Where the trained policies are that come along."""

from pathlib import Path
from typing import Final

POLICIES: Final = Path(__file__).parent / "policies"
"""One folder for each, by its name."""


def policy_names() -> list[str]:
    """Names of the trained policies that come along; they play the rule sets they learnt."""
    return sorted(page.parent.name for page in POLICIES.glob("*/policy.json"))
