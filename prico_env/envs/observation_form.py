"""The forms in which environments show what a seat sees: the vector, or entities; with its mask."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from gymnasium import spaces

from prico_env.arguments import flag, one_of
from prico_env.errors import PricoError
from prico_env.feature_scaling import ScalingKind
from prico_env.ruleset import RuleSet

ObservationKind: TypeAlias = Literal["flat", "entities"]
KINDS: Final = ("flat", "entities")
"""The vector of `ObservationLayout`, and its numbers as boards and objects, `EntityLayout`."""


class ObservationForm:
    """How an environment shows what a seat sees.

    Attributes:
        rules: The rule set.
        kind: ``"flat"`` or ``"entities"``.
        scaling: How features are scaled.
        with_mask: Whether the mask is a part of the observation.
    """

    def __init__(
        self, rules: RuleSet, kind: object, scaling: ScalingKind, *, with_mask: object = True
    ) -> None:
        """Choose the form.

        Args:
            rules: The rule set.
            kind: One of `KINDS`.
            scaling: How features are scaled.
            with_mask: Whether the mask is a part of the observation.

        Raises:
            PricoError: There is no such form.
        """
        self.rules, self.scaling = rules, scaling
        self.kind = one_of(kind, KINDS, "observation")
        self.with_mask = flag(with_mask, "with_mask")

    def show(
        self,
        features: np.ndarray,
        mask: np.ndarray,
        out: Mapping[str, np.ndarray] | None = None,
    ) -> Any:
        """Return what is seen.

        Args:
            features: Scaled features, shape ``(..., num_features)``; the vector is this array.
            mask: Legal actions, shape ``(..., num_actions)``; this array becomes a part.
            out: Arrays for the entities, as `EntityLayout.gather` takes them.
        """
        if self.kind == "flat":
            return {"observation": features, "action_mask": mask} if self.with_mask else features
        seen = self.rules.entities.gather(features, out)
        if self.with_mask:
            seen["action_mask"] = mask
        return seen

    def make_space(self) -> Any:
        """Return a space of one observation, with the bounds of each scaled number."""
        scaled = self.rules.observation.scaling(self.scaling)
        vector = spaces.Box(scaled.low, scaled.high, dtype=scaled.dtype.type)
        parts: dict[str, spaces.Space[Any]] = {"observation": vector}
        if self.kind == "entities":
            gather = self.rules.entities.gather
            low, high = gather(scaled.low), gather(scaled.high)
            for bounds, widest in ((low, np.min), (high, np.max)):  # one range for each column
                bounds["objects"][:] = widest(bounds["objects"], axis=0)
            parts = {
                name: spaces.Box(low[name], high[name], dtype=scaled.dtype.type) for name in low
            }
        elif not self.with_mask:
            return vector
        if self.with_mask:
            parts["action_mask"] = spaces.Box(0, 1, (self.rules.num_actions,), np.int8)
        return spaces.Dict(parts)


def form_of(
    rules: RuleSet, observation: object, scaling: ScalingKind, flat: object
) -> ObservationForm:
    """Return the form that an environment with a setting ``flat`` was asked for.

    Raises:
        PricoError: There is no such form, or the two contradict each other.
    """
    form = ObservationForm(rules, observation, scaling, with_mask=not flag(flat, "flat"))
    if flat and form.kind != "flat":
        raise PricoError(
            "flat=True is the bare vector, but observation='entities' is a dict; leave one out"
        )
    return form
