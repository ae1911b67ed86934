"""The file format of a trained policy: weights, and a page of JSON that says what they are for.

A policy is a folder of two files. ``policy.safetensors`` holds arrays and nothing else, and
``policy.json`` is text, so loading a policy never runs code from it. The page names every feature
and every action that the network was trained with: later versions may add some and move them.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from prico_agents.input_files import read_bytes, read_json, read_text
from prico_agents.neural.entity_inputs import Axes, axes_of, entity_shapes
from prico_agents.neural.layout import (
    NetworkLayout,
    missing_names,
    network_layout,
    rearranged,
)
from prico_agents.neural.network import (
    FACTOR,
    INPUT,
    OFFSET,
    SCALED_INPUT,
    UNKNOWN_ACTION,
    VALUE,
)
from prico_env import RuleSet
from prico_env.errors import PricoError, quoted

FORMAT: Final = 2
"""Version of this file format; the first one named blocks of features only."""
ENTITY_FORMAT: Final = 3
"""That of an entity network, which also names the axes of its arrays."""
POLICIES: Final = Path(__file__).parent / "policies"
"""The trained policies that come along: one folder for each, by its name."""
WEIGHTS_FILE: Final = "policy.safetensors"
ABOUT_FILE: Final = "policy.json"
LATEST_FILE: Final = "latest"
"""In a run folder: names the newest checkpoint."""


class CheckpointError(PricoError):
    """A checkpoint is damaged, or was trained for other action or observation numbers."""


@dataclass(frozen=True)
class SavedPolicy:
    """What a policy file holds.

    Attributes:
        rules: The rule set it was trained on, with the most players.
        weights: Layers as `PolicyValueNetwork` or `EntityNetwork` wants them, float32.
        about: Settings, seed, decisions learnt from and what else its trainer noted.
        players: Numbers of players at the tables it was trained at; none: that of the rule set.
        trained_on: The features and actions of its weights; none: those of this version.
        axes: Of an entity network, the names along the axes of its arrays; None for a dense one.
    """

    rules: RuleSet
    weights: dict[str, np.ndarray]
    about: dict[str, Any]
    players: tuple[int, ...] = ()
    trained_on: NetworkLayout | None = None
    axes: Axes | None = None

    @property
    def layout(self) -> NetworkLayout:
        """What the inputs and outputs of its weights mean."""
        return self.trained_on or network_layout(self.rules)

    def describe(self) -> str:
        """What it plays, in a line."""
        *most, last = map(str, sorted(self.players or (self.rules.players,)))
        counts = f"{', '.join(most)} or {last}" if most else last
        added = " with " + ", ".join(self.rules.expansions) if self.rules.expansions else ""
        return f"{self.rules.edition}{added}, {counts} players"

    def plays(self, players: int) -> bool:
        """Whether it has learnt to play at a table of so many players."""
        return players in (self.players or (self.rules.players,))

    def renumbered(self) -> "SavedPolicy":
        """The same with weights in the numbering of this version, for a network that learns on.

        New features weigh nothing, new actions have the logit `UNKNOWN_ACTION`. An entity network
        finds everything by its name as it is.
        """
        if self.axes is not None:
            return self
        (features, actions), ours = self.layout, network_layout(self.rules)
        weights, last = dict(self.weights), f"layer_{num_layers(self.weights) - 1}"
        for name, names, among, axis, fill in (
            ("layer_0.weight", features, ours.features, 1, 0.0),
            (f"{last}.weight", actions, ours.actions, 0, 0.0),
            (f"{last}.bias", actions, ours.actions, 0, float(UNKNOWN_ACTION)),
        ):
            weights[name] = rearranged(weights[name], names, among, axis, fill)
        for name in (FACTOR, OFFSET):
            if name in weights:
                weights[name] = rearranged(weights[name], features, ours.features, 0)
        return replace(self, weights=weights, trained_on=None)


def save_policy(folder: Path, policy: SavedPolicy, *, half: bool = False) -> None:
    """Write a policy into an existing folder.

    Args:
        folder: Where to.
        policy: What to write; what its trainer notes about it is plain values only.
        half: Whether weights are kept with 16 bits, in half the space.

    Raises:
        CheckpointError: Some of its weights are not finite, or would not be with 16 bits.
    """
    kind, rules = np.float16 if half else np.float32, policy.rules
    with np.errstate(over="ignore"):
        weights = {name: np.ascontiguousarray(a, kind) for name, a in policy.weights.items()}
    refuse_not_finite(folder / WEIGHTS_FILE, weights)
    blob = save(weights)
    page = {
        "format": FORMAT if policy.axes is None else ENTITY_FORMAT,
        "rules": rules.to_dict(),
        "players": list(policy.players or (rules.players,)),
        "actions": list(policy.layout.actions),
        "features": list(policy.layout.features),
        "observation_version": rules.observation.version,
        "input": SCALED_INPUT if FACTOR in weights else INPUT,
        "weights_sha256": hashlib.sha256(blob).hexdigest(),
        "about": dict(policy.about),
    }
    if policy.axes is not None:
        page["axes"] = {axis: list(names) for axis, names in policy.axes.items()}
    (folder / WEIGHTS_FILE).write_bytes(blob)
    (folder / ABOUT_FILE).write_text(json.dumps(page, indent=1), encoding="utf-8")


def load_policy(place: str | Path) -> SavedPolicy:
    """Read a policy from its folder, or the newest one of a training run.

    Raises:
        CheckpointError: It is damaged, or its numbers mean something else than ours.
    """
    folder = find_policy(Path(place))
    page = _read_page(folder / ABOUT_FILE)
    try:
        rules = RuleSet.from_dict(page["rules"])
        layout = _read_layout(folder, page, rules)
        _check_layout(folder, layout, network_layout(rules))
        weights = _read_weights(folder / WEIGHTS_FILE, page["weights_sha256"])
        _check_versions(folder, page, rules, SCALED_INPUT if FACTOR in weights else INPUT)
        players = tuple(int(each) for each in page.get("players", ()))
        axes = _read_axes(folder, page, rules)
        policy = SavedPolicy(rules, weights, dict(page["about"]), players, layout, axes)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{folder / ABOUT_FILE} is damaged: {error!r}") from None
    _check_shapes(folder, policy)
    return policy


def policy_names() -> list[str]:
    """Names of the trained policies that come along; they play the rule sets they learnt."""
    return sorted(page.parent.name for page in POLICIES.glob(f"*/{ABOUT_FILE}"))


def num_layers(weights: Mapping[str, Any]) -> int:
    """How many layers lead from the features to the actions."""
    return sum(name.startswith("layer_") for name in weights) // 2


def find_policy(place: Path) -> Path:
    """The folder that holds the policy: the place itself, or the newest checkpoint of a run.

    A policy that comes along is found by its name alone.
    """
    if not os.path.exists(place) and len(place.parts) == 1 and place.name in policy_names():
        place = POLICIES / place
    if os.path.isfile(place / LATEST_FILE):
        place = newest(place)
    if not os.path.isfile(place / ABOUT_FILE):
        raise CheckpointError(f"{place} holds no checkpoint: {ABOUT_FILE} is missing")
    return place


def newest(run: Path) -> Path:
    """The folder that the file ``latest`` of a run names.

    Raises:
        CheckpointError: The file names none.
    """
    name = read_text(run / LATEST_FILE, CheckpointError).strip()
    if not name.isprintable() or not os.path.isdir(run / name):
        raise CheckpointError(
            f"{run / LATEST_FILE} must name a checkpoint of its run, not {quoted(name)}"
        )
    return run / name


def refuse_not_finite(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Refuse numbers that nothing can be computed with.

    Raises:
        CheckpointError: An array holds some that are infinite or not a number.
    """
    for name, array in arrays.items():
        if array.dtype.kind == "f" and (count := int((~np.isfinite(array)).sum())):
            raise CheckpointError(
                f"{path} is refused: {count:,} of the {array.size:,} numbers of {name} are "
                "infinite or not a number; take an earlier checkpoint, or train anew with a lower "
                "learning rate"
            )


def _read_page(path: Path) -> dict[str, Any]:
    page: dict[str, Any] = read_json(path, CheckpointError)
    if not isinstance(page, dict):
        raise CheckpointError(f"{path} is damaged: it must hold named values, not {quoted(page)}")
    version = page.get("format")
    if version not in (1, FORMAT, ENTITY_FORMAT):
        raise CheckpointError(
            f"{path} has format {version!r}; this version reads formats 1 to {ENTITY_FORMAT}"
        )
    return page


def _read_weights(path: Path, digest: str) -> dict[str, np.ndarray]:
    blob = read_bytes(path, CheckpointError)
    if hashlib.sha256(blob).hexdigest() != digest:
        raise CheckpointError(f"{path} is damaged: its bytes are not those that were saved")
    try:
        weights = {name: array.astype(np.float32) for name, array in load(blob).items()}
    except SafetensorError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from None
    refuse_not_finite(path, weights)
    return weights


def _read_layout(folder: Path, page: dict[str, Any], rules: RuleSet) -> NetworkLayout:
    if page["format"] != 1:
        return NetworkLayout(tuple(page["features"]), tuple(page["actions"]))
    features: list[str] = []
    ours = {block.name: block for block in rules.observation.blocks}
    for name, start, stop, _ in page["observation"]:
        labels = ours[name].labels if name in ours else ()
        if name in ours and max(1, len(labels)) != stop - start:
            raise CheckpointError(
                f"{folder} does not name the features of {name}: it had {stop - start} of them and "
                f"has {max(1, len(labels))} now; export it with the version that trained it or "
                "any later one that reads it"
            )
        features += [f"{name}[{label}]" for label in labels] or [name]
    return NetworkLayout(tuple(features), tuple(name for _, name in page["actions"]))


def _read_axes(folder: Path, page: dict[str, Any], rules: RuleSet) -> Axes | None:
    """Read the names of the axes of an entity network, and refuse those that are not ours."""
    if page["format"] != ENTITY_FORMAT:
        return None
    axes, ours = {axis: tuple(names) for axis, names in page["axes"].items()}, axes_of(rules)
    if unnamed := {axis for axis in ours if "." not in axis} - axes.keys():
        raise CheckpointError(f"{folder} is damaged: it names nothing along {min(unnamed)}")
    for axis, names in axes.items():
        if len(set(names)) < len(names):
            raise CheckpointError(f"{folder} is damaged: it has a name twice in {axis}")
        if gone := [name for name in names if name not in ours.get(axis, ())]:
            raise CheckpointError(
                f"{folder} was trained for other entities: of {axis} it needs {', '.join(gone)}, "
                "which this version does not have; train it anew, or use the version of prico "
                "that trained it"
            )
    return axes


def _check_layout(folder: Path, saved: NetworkLayout, ours: NetworkLayout) -> None:
    """Refuse a policy that needs what is no longer there, and name it."""
    for kind, names, among in zip(("observation", "action"), saved, ours, strict=True):
        if len(set(names)) < len(names):
            raise CheckpointError(f"{folder} is damaged: it has an {kind} twice")
        if gone := missing_names(names, among):
            raise CheckpointError(
                f"{folder} was trained for another {kind} layout: it needs {', '.join(gone)}, "
                "which this version does not have; train it anew, or use the version of prico "
                "that trained it"
            )


def _check_versions(folder: Path, page: dict[str, Any], rules: RuleSet, entered: str) -> None:
    """Refuse a policy whose features have our names but not our meaning."""
    version = page["observation_version"]
    if version != rules.observation.version or page["input"] != entered:
        raise CheckpointError(
            f"{folder} was trained for version {version!r} of the observation layout, entered as "
            f"{page['input']!r}; this version of prico has version {rules.observation.version}, "
            f"entered as {entered!r}; train it anew, or use the version of prico that trained it"
        )


def _check_shapes(folder: Path, policy: SavedPolicy) -> None:
    """Refuse weights that do not lead from the features to the actions of the rule set."""
    if policy.axes is not None:
        _check_entities(folder, policy.weights, policy.axes)
        return
    features, actions = policy.layout
    widths = [len(features)]
    for name in (FACTOR, OFFSET) if FACTOR in policy.weights else ():
        if name not in policy.weights or policy.weights[name].shape != (len(features),):
            raise CheckpointError(f"{folder} is damaged: {name} is not one number a feature")
    depth = num_layers(policy.weights)
    for number in range(depth):
        widths.append(_width_behind(folder, policy, f"layer_{number}", widths[-1]))
    if depth == 0 or widths[-1] != len(actions):
        raise CheckpointError(
            f"{folder} is damaged: it chooses among {widths[-1]} actions and names {len(actions)}"
        )
    if any(name.startswith(VALUE) for name in policy.weights):
        values = _width_behind(folder, policy, VALUE, widths[-2])
        if values not in (1, policy.rules.players):
            raise CheckpointError(
                f"{folder} is damaged: it judges {values} seats, neither its own nor all "
                f"{policy.rules.players}"
            )


def _check_entities(folder: Path, weights: Mapping[str, np.ndarray], axes: Axes) -> None:
    """Refuse weights of an entity network that do not fit each other, or the names of its axes."""
    shapes = entity_shapes(weights, axes)
    for name, shape in shapes.items():
        if name not in weights or weights[name].shape != shape:
            raise CheckpointError(f"{folder} is damaged: {name} does not have the shape {shape}")
    if odd := weights.keys() - shapes.keys():
        raise CheckpointError(f"{folder} is damaged: an entity network has no {min(odd)}")


def _width_behind(folder: Path, policy: SavedPolicy, layer: str, width: int) -> int:
    """How many numbers a layer makes of as many as the one before it makes."""
    weight, bias = (policy.weights.get(f"{layer}.{part}") for part in ("weight", "bias"))
    if weight is None or bias is None or weight.shape != (bias.size, width):
        raise CheckpointError(f"{folder} is damaged: {layer} does not fit the layer before")
    return bias.size
