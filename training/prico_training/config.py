"""Settings of a training run: one section for each part of a YAML file.

A file of `configs/experiments/` names only what differs from the defaults here. `default.yaml` and
the page of settings are written from these fields: ``python -m prico_training.reference``.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from prico_env import RuleSet, arguments, catalog
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.errors import quoted
from prico_training.errors import ConfigError
from prico_training.rule_sets import expand_mix
from prico_training.sections import (
    Count,
    Flag,
    NameOrNames,
    Names,
    NotNegative,
    Number,
    Positive,
    RuleMix,
    Rules,
    Several,
    Share,
    SomeShare,
    Stages,
    Whole,
    find_settings,
    from_dict,
    merged,
    read_fields,
    read_overrides,
    section,
    to_plain,
)

DEFAULT: Final = "configs/experiments/default.yaml"
"""What `prico train` runs when it is not told what."""
_MOST_KEPT: Final = 2**22
"""Decisions of a rollout that are kept at once; they take some gigabytes."""
_MOST_SIMULATIONS: Final = 2**26
"""Simulations of all searches side by side, of which each keeps a kilobyte and a half."""
STAGE: Final = "stage:"
"""What the name of an earlier stage begins with, where settings name who plays."""
_MOST_SEEDS: Final = 1_000_000_000
_STAGE_STRIDE: Final = 40_000_003
"""Keeps the deals of one stage apart from those of the next."""
_NAME: Final = re.compile(r"\w([\w .+-]{0,98}[\w+-])?")
"""What is a name for a folder on any system."""
Width = Annotated[int, Field(strict=True, ge=1, le=4_096)]
Batch = Annotated[int, Field(strict=True, ge=2, le=1_048_576)]
PlayerCount = Annotated[int, Field(strict=True, ge=PLAYER_COUNTS[0], le=PLAYER_COUNTS[-1])]
RENAMED: Final = {
    "trainer=search": "expert_iteration",
    "self_play.games": "self_play.num_envs",
    "self_play.steps": "self_play.num_steps",
    "imitation": "behaviour_cloning",
    "imitation.slips": "behaviour_cloning.epsilon",
    "imitation.minibatch": "behaviour_cloning.batch_size",
    "imitation.value_loss": "behaviour_cloning.vf_coef",
    "ppo.minibatch": "ppo.batch_size",
    "ppo.epochs": "ppo.update_epochs",
    "ppo.decay": "ppo.gae_lambda",
    "ppo.clip": "ppo.clip_range",
    "ppo.entropy": "ppo.ent_coef",
    "ppo.value_loss": "ppo.vf_coef",
    "ppo.margin": "ppo.margin_coef",
    "ppo.shaping": "ppo.shaping_coef",
    "ppo.max_gradient": "ppo.max_grad_norm",
    "search": "expert_iteration",
    "search.elsewhere": "expert_iteration.default_policy",
    "expert_iteration.default_policy=habit": "greedy",
    "search.noise": "expert_iteration.root_noise",
    "search.sharpness": "expert_iteration.value_scale",
    "search.opening": "expert_iteration.sampled_rounds",
    "search.window": "expert_iteration.buffer_size",
    "search.reuse": "expert_iteration.replay_ratio",
    "search.minibatch": "expert_iteration.batch_size",
    "search.value_loss": "expert_iteration.vf_coef",
    "workers": "actors",
}
"""Settings, sections and values (``setting=value``) by the names that they had, and have now."""


@section("self_play")
class SelfPlay:
    """The games that are learnt from."""

    num_envs: Annotated[Count, Field(le=65_536)] = 128
    """Games played side by side."""
    players: tuple[PlayerCount, ...] = ()
    """Numbers of players at the tables, as `4, 4, 3`: one share of the games for each; none: all
    have those of `game`."""
    num_steps: Annotated[Count, Field(le=16_384)] = 256
    """Decisions of each game in a rollout, before the network learns: about those of a game, so
    that early ones are judged by what came of them."""


@section("opponents")
class Opponents:
    """Who else plays while learning: the league."""

    agents: Names = ("planner", "corn", "builder", "trader")
    """Compiled agents and folders of trained policies who are met; none leaves the learner to
    itself and its past selves."""
    share: Share = 1.0
    """Share of the games in which an opponent takes some of the seats; in the others all are the
    learner's."""
    focus: NotNegative = 2.0
    """Exponent of prioritised self-play: how much more often those are met who win; 0 meets all
    alike."""
    main_agent: str = ""
    """The one of `agents` that is met in a fixed share of those games, however it fares; none: all
    are met as `focus` has it."""
    main_share: Share = 0.0
    """Share of the games with opponents that are with `main_agent`; how many of the seats are its
    own is drawn by `focus`."""
    pool_size: Annotated[Whole, Field(le=1_000)] = 0
    """Past selves kept as opponents; the oldest leaves when another joins. 0 keeps none."""
    snapshot_every: Count = 500_000
    """Decisions after which the learner's present self joins them."""


@section("network")
class NetworkShape:
    """The shape of the network."""

    kind: Literal["dense", "entities"] = "dense"
    """How it is built: `dense` layers over the whole observation; or `entities`, which shares
    weights over boards and objects, scores actions by what they are made of, and plays at every
    table with every expansion."""
    hidden: Annotated[tuple[Width, ...], Field(min_length=1, max_length=16)] = (256, 256)
    """Width of each layer that policy and value share."""
    seat_width: Width = 64
    """Of `entities`: width of what a board is encoded as."""
    object_width: Width = 16
    """Of `entities`: width of what an object is encoded as."""
    values: Literal["all", "own"] = "all"
    """Seats whose win probability the value head gives: `all`, or its `own`."""
    half: Flag = True
    """Whether layers are computed with 16 bits (bf16), where the processor is made for that."""
    start: NameOrNames = ()
    """Folder of a policy or run whose weights it starts with, or several: the mean of their
    weights, which plays well where all have learnt on from the same ones (Wortsman et al. 2022).
    None: fresh weights."""


@section("behaviour_cloning")
class BehaviourCloning:
    """The warm start: supervised learning of what a teacher does."""

    share: Share = 0.7
    """Share of the budget that it takes; 0 leaves it out."""
    teacher: str = "planner"
    """The compiled agent that is imitated."""
    dataset: str = ""
    """Folder of a data set that `prico dataset` wrote: its games are learnt from, and the decisions
    of `teacher` in them are imitated; none: the teacher plays."""
    others: Names = ("corn", "builder", "trader")
    """Compiled agents that sit beside the teacher, drawn at random; none seats the teacher
    everywhere."""
    games: Annotated[Count, Field(le=65_536)] = 256
    """Games of one batch of demonstrations."""
    epsilon: Share = 0.05
    """Probability that a random action is played instead (epsilon-greedy)."""
    batch_size: Batch = 1024
    """Decisions of one gradient step."""
    learning_rate: Positive = 2.0e-3
    """Learning rate at the start; it falls to a tenth of that by the end of the warm start."""
    vf_coef: Number = 1.0
    """Weight of the value loss beside the policy loss."""


@section("ppo")
class Ppo:
    """Proximal policy optimisation with action masks, on its own games."""

    batch_size: Batch = 4096
    """Decisions of one gradient step."""
    update_epochs: Annotated[Count, Field(le=1_000)] = 2
    """Passes over each rollout."""
    learning_rate: Positive = 6.0e-4
    """Learning rate at the start; it falls to a tenth of that by the end of the budget."""
    gae_lambda: Share = 0.98
    """Lambda of generalised advantage estimation: 0 trusts the next value, 1 the outcome alone."""
    clip_range: Positive = 0.2
    """How far one update may move the probability ratio of an action from 1."""
    ent_coef: Number = 0.01
    """Weight of the entropy bonus at the start; it falls to a tenth."""
    vf_coef: Number = 1.0
    """Weight of the value loss beside the policy loss."""
    reference: Names = ()
    """Trained policies that the learner is kept near: an even mixture of them, with a tenth spread
    over all legal actions. None: it is kept near nothing."""
    reference_coef: NotNegative = 0.0
    """Weight of the KL divergence from its policy to that mixture (Jacob et al. 2022)."""
    margin_coef: Number = 0.3
    """What 20 VP of margin count beside a victory."""
    shaping_coef: NotNegative = 0.0
    """Weight of potential-based reward shaping at the start: what a rise of the evaluated win
    probability from 0 to 1 counts beside a victory. 0 gives none."""
    shaping_share: SomeShare = 0.5
    """Share of the budget over which shaping fades away."""
    max_grad_norm: Positive = 0.5
    """Gradients of a larger norm are scaled down to it."""


@section("expert_iteration")
class ExpertIteration:
    """Learning from what a tree search finds, with trainer `expert_iteration`."""

    simulations: Annotated[Several, Field(le=100_000)] = 100
    """Positions that the network evaluates for one decision."""
    leaves: Annotated[Count, Field(le=1_024)] = 4
    """How many of them it evaluates together, for each game."""
    share: SomeShare = 0.25
    """Share of the decisions that are searched and learnt from; others are sampled from the
    policy."""
    branch: Literal["roles", "main", "all"] = "roles"
    """Where the tree branches below the decision: at `roles`, at the `main` decisions, or at
    `all`."""
    default_policy: Literal["greedy", "network"] = "greedy"
    """Who decides in the tree where it does not branch: the planner's `greedy` policy, or the
    likeliest action of the `network`."""
    opponents: Literal["mixture", "alike"] = "mixture"
    """How other seats choose in the tree: as a `mixture` of flattened priors with what the planner
    does, or `alike`, to maximise their own value as the seat that searches."""
    exploration: NotNegative = 0.1
    """Exploration constant of PUCT."""
    root_noise: Share = 0.0
    """Fraction of the prior that is Dirichlet noise at the root. Every move there is tried once
    anyway while untried ones count as much as their position."""
    target: Literal["values", "visits"] = "values"
    """Policy target: the prior improved by the action `values` of the search (as in Gumbel
    MuZero), or its `visits` (as in AlphaZero)."""
    value_scale: NotNegative = 150.0
    """With `values`: the target is the prior times the exponential of so many advantages."""
    sampled_rounds: Annotated[Whole, Field(le=1_000)] = 4
    """Rounds of a game in which moves are sampled from the target; after that the best one is
    played."""
    buffer_size: Annotated[Count, Field(le=2_000_000)] = 60_000
    """Decisions in the replay buffer."""
    replay_ratio: Positive = 4.0
    """How often each of them is learnt from, on the mean."""
    batch_size: Batch = 4096
    """Decisions of one gradient step."""
    learning_rate: Positive = 1.0e-4
    """Learning rate at the start; it falls to a tenth of that by the end of the budget."""
    vf_coef: Number = 1.0
    """Weight of the value loss beside the policy loss."""


@section("actors")
class Actors:
    """Ray actors that play while this process learns: rollouts, and the learning curve."""

    count: Annotated[Whole, Field(le=1_024)] = 0
    """Actors, each of which plays as many games as `self_play` says; 0: this process plays."""
    address: str = ""
    """Cluster of Ray to join, such as `auto` or `10.0.0.1:6379`; none: one on this machine."""
    cpus: Annotated[Positive, Field(le=1_024)] = 1.0
    """Cores that one actor takes."""


@section("budget")
class Budget:
    """When to stop; whichever comes first. 0 sets no limit."""

    minutes: NotNegative = 0.0
    """Minutes of learning, without the learning curve and the ranking. With them alone a busy
    machine ends with a worse player: set `decisions` to 0 then."""
    decisions: Whole = 12_000_000
    """Decisions learnt from, teachers' and its own. How long they will take is measured and told at
    the start."""

    @property
    def doubled(self) -> str:
        """The settings of twice the budget, as words of a command."""
        parts = []
        if self.decisions > 0:
            parts.append(f"budget.decisions={self.decisions * 2}")
        if self.minutes > 0:
            parts.append(f"budget.minutes={max(1.0, self.minutes * 2):g}")
        return " ".join(parts)


@section("evaluation")
class Evaluation:
    """How play is measured."""

    every_seconds: Positive = 30.0
    """Seconds of learning between two points of the learning curve."""
    curve: Annotated[Names, Field(min_length=1)] = ("planner", "corn", "builder", "trader")
    """Agents whom the learner meets alone, among copies of each, for one point of the curve."""
    curve_deals: Annotated[Count, Field(le=100_000)] = 16
    """Deals of one point, in each rule set; each is played once from every seat."""
    curve_games: Annotated[Count, Field(le=1_000)] = 1
    """Rule sets of one point: `game`, and others from all parts of `games`. Each counts the same,
    and is told apart, too."""
    opponents: Names = ("planner", "corn", "builder", "trader", "random")
    """Whom the trained agent is ranked against at the end."""
    deals: Annotated[Whole, Field(le=1_000_000)] = 50
    """Deals of the ranking; each is played once from every seat. 0 leaves the ranking out, and with
    it the reliability of the value head."""


class GameBatch(NamedTuple):
    """Games that are played side by side, whose features have one layout.

    Attributes:
        name: Tells it from the other batches of a run.
        rules: The rule set of each game.
    """

    name: str
    rules: tuple[RuleSet, ...]

    @property
    def players(self) -> int:
        """How many play each game."""
        return self.rules[0].players

    @property
    def rule_sets(self) -> tuple[RuleSet, ...]:
        """The rule sets, each once."""
        return tuple(dict.fromkeys(self.rules))


@section(renamed=RENAMED)
class Config:
    """A whole training run."""

    name: str = "default"
    """Names the run folder."""
    seed: Annotated[Whole, Field(le=_MOST_SEEDS)] = 7
    """Decides deals, opponents and the network's first weights."""
    runs: str = "runs"
    """Folder that holds the run folders."""
    threads: Annotated[Count, Field(le=1_024)] = 2
    """Threads of the network; more than there are idle cores makes it slower."""
    device: Literal["cpu", "cuda", "auto"] = "auto"
    """Where the network learns: `cpu`, `cuda` for a GPU of NVIDIA, or `auto`, whatever is there."""
    checkpoint_seconds: Positive = 60.0
    """Seconds between two checkpoints; one is always written at the end."""
    tensorboard: Flag = False
    """Whether to write the metrics for TensorBoard as well, which must be installed then."""
    trainer: Literal["ppo", "maskable_sb3", "expert_iteration"] = "ppo"
    """What learns: `ppo`, `expert_iteration` (it learns from a tree search), or `maskable_sb3` for
    MaskablePPO of sb3-contrib."""
    game: Rules = field(default_factory=RuleSet)
    """The rule set: players, edition and options; or a file of `configs/games/`."""
    games: RuleMix = ()
    """Rule sets that one network of kind `entities` learns together, one share of the games for
    each: a list of rule sets, of files of `configs/games/`, and of mixes, `every`,
    `every-but-held-out` (of the suite `generalist-v1`) or `with-a-suite` (of its own); who is named
    twice has two, as with `{of: with-a-suite, shares: 2}`. `game`, in which it is ranked, must be
    one of them. None: `game` alone."""
    self_play: SelfPlay = SelfPlay()
    """The games that are learnt from."""
    opponents: Opponents = Opponents()
    """Who else plays while learning: the league."""
    network: NetworkShape = NetworkShape()
    """The shape of the network."""
    behaviour_cloning: BehaviourCloning = BehaviourCloning()
    """The warm start: supervised learning of what a teacher does."""
    ppo: Ppo = Ppo()
    """Proximal policy optimisation with action masks, on its own games."""
    expert_iteration: ExpertIteration = ExpertIteration()
    """Learning from what a tree search finds, with trainer `expert_iteration`."""
    actors: Actors = Actors()
    """Ray actors that play while this process learns."""
    budget: Budget = Budget()
    """When to stop; whichever comes first. 0 sets no limit."""
    evaluation: Evaluation = Evaluation()
    """How play is measured."""
    stages: Stages = ()
    """Runs one after the other, each with a `name` and the settings in which it differs from the
    others here. Each has a folder of its own in that of the run, and begins with the weights that
    the one before came to, unless it has a `network.start` of its own. `stage:NAME` is what an
    earlier stage has learnt, to start with or as an opponent. None: there is one run alone."""

    def __post_init__(self) -> None:
        """Refuse settings that do not go together, before any time is spent."""
        if not _NAME.fullmatch(self.name):
            raise ConfigError(
                f"name must be a word for a folder, such as my_run-2, not {quoted(self.name)}"
            )
        for what, size, most in (
            ("num_steps", self.self_play.num_steps, _MOST_KEPT),
            ("expert_iteration.simulations", self._simulations, _MOST_SIMULATIONS),
        ):
            if self.self_play.num_envs * size > most:
                raise ConfigError(
                    f"self_play.num_envs times {what} may be {most:,} at most, which is memory for "
                    f"one process; {self.self_play.num_envs:,} times {size:,} is more"
                )
        if self.self_play.players and self.game.players not in self.self_play.players:
            raise ConfigError(
                f"self_play.players must name game.players, which is {self.game.players}, too"
            )
        if self.games:
            self._check_games()
        main, agents = self.opponents.main_agent, self.opponents.agents
        if main and main not in agents:
            raise ConfigError(
                "opponents.main_agent must be one of opponents.agents, which are "
                f"{', '.join(agents) or 'none'}; not {quoted(main)}"
            )
        if bool(self.opponents.main_share) != bool(main):
            raise ConfigError(
                "opponents.main_agent and opponents.main_share above 0 go together; leave out "
                "both, or give both, such as planner and 0.4"
            )
        if bool(self.ppo.reference) != bool(self.ppo.reference_coef):
            raise ConfigError(
                "ppo.reference and ppo.reference_coef above 0 go together; leave out both, or give "
                "both, such as [generalist] and 0.05"
            )
        if self.budget.minutes == self.budget.decisions == 0:
            raise ConfigError(
                "budget needs minutes or decisions above 0, or training would never end"
            )
        if self.actors.count and self.trainer != "ppo":
            raise ConfigError("actors.count needs trainer=ppo")
        self.stage_configs()

    def stage_configs(self) -> tuple["Config", ...]:
        """The settings of each stage, in which earlier ones are called ``stage:NAME``.

        Raises:
            ConfigError: Those of one cannot be used.
        """
        found: list[Config] = []
        shared = {name: value for name, value in to_plain(self).items() if name != "stages"}
        for number, stage in enumerate(self.stages):
            earlier = [one.name for one in found]
            own: dict[str, Any] = {"seed": (self.seed + number * _STAGE_STRIDE) % _MOST_SEEDS}
            if earlier:
                own["network"] = {"start": [f"{STAGE}{earlier[-1]}"]}
            fields = merged(shared, merged(own, stage))
            try:
                _check_stages_in(fields, earlier)
                found.append(from_dict(fields, Config))
            except ConfigError as error:
                raise ConfigError(f"stages: {stage['name']}: {error}") from None
        return tuple(found)

    @property
    def _simulations(self) -> int:
        """How many each game's search makes, where there is one."""
        is_searched = self.trainer == "expert_iteration"
        return self.expert_iteration.simulations if is_searched else 0

    def _check_games(self) -> None:
        """Refuse rule sets that cannot be learnt together, or not in this way."""
        if self.self_play.players:
            raise ConfigError(
                "self_play.players says at which tables game is learnt; leave it out with games, "
                "which name theirs"
            )
        if self.network.kind != "entities":
            raise ConfigError("games of several rule sets need network.kind=entities")
        if self.game not in self._mixed:
            raise ConfigError(f"games must name game, which is {self.game}, too")

    @property
    def _mixed(self) -> tuple[RuleSet, ...]:
        """The rule sets of `games`."""
        return expand_mix(self.games)

    def tables(self) -> list[tuple[RuleSet, int]]:
        """All rule sets that are learnt, each once, and in how many games, `game` first."""
        shares = self._mixed or [
            at_table(self.game, players)
            for players in self.self_play.players or (self.game.players,)
        ]
        counts = Counter(shares)
        one = self.self_play.num_envs / len(shares)
        return [
            (rules, max(1, round(one * counts[rules])))
            for rules in dict.fromkeys((self.game, *shares))
        ]

    @property
    def rule_sets(self) -> tuple[RuleSet, ...]:
        """All rule sets that are learnt, each once, `game` first."""
        return tuple(rules for rules, _ in self.tables())

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players at the tables, each once, that of `game` first."""
        return tuple(dict.fromkeys(rules.players for rules in self.rule_sets))

    def batches(self) -> list[GameBatch]:
        """The games that are played side by side, those with features of one layout together."""
        by_layout: dict[int, list[RuleSet]] = {}
        evenly = sorted(  # so that any part of them has a share of each
            ((2 * number + 1) / games, place, rules)
            for place, (rules, games) in enumerate(self.tables())
            for number in range(games)
        )
        for _, _, rules in evenly:
            by_layout.setdefault(rules.observation.num_features, []).append(rules)
        return [GameBatch(self._name_of(rules[0]), tuple(rules)) for rules in by_layout.values()]

    def _name_of(self, rules: RuleSet) -> str:
        """The name of the batch of a rule set: the number of players, and how it differs else."""
        if bool(rules.expansions) == bool(self.game.expansions):
            return str(rules.players)
        return f"{rules.players}_{'expansions' if rules.expansions else 'base'}"

    @property
    def curve_rule_sets(self) -> tuple[RuleSet, ...]:
        """What a point of the learning curve is played in: `game`, and others of all sorts.

        They are a systematic sample of the others in the order of players, number of expansions
        and edition, so that each part has its share.
        """
        first, *others = self.rule_sets
        others.sort(key=lambda one: (one.players, len(one.expansions), one.edition, repr(one)))
        more = min(len(others), self.evaluation.curve_games - 1)
        places = [(2 * number + 1) * len(others) // (2 * more) for number in range(more)]
        return first, *(others[place] for place in places)

    @property
    def largest(self) -> RuleSet:
        """A rule set whose features and actions are those of all that are learnt."""
        most, sets = max(self.players), self.rule_sets
        expansions = {name for rules in sets for name in rules.expansions}
        whole = next((rules for rules in sets if set(rules.expansions) == expansions), None)
        if whole is not None:
            return at_table(whole, most)
        edition = next(rules.edition for rules in sets if expansions <= _expansions_of(rules))
        return RuleSet(most, edition, expansions)

    @property
    def value_seats(self) -> int:
        """For how many seats the value head has an output."""
        return self.largest.players if self.network.values == "all" else 1


def with_stages(value: Any, change: Callable[[str], str]) -> Any:
    """Plain settings in which what is called ``stage:NAME`` has another name.

    Args:
        value: Settings, nested by section, or a part of them.
        change: Takes the name of a stage, and returns what stands for it.
    """
    if isinstance(value, dict):
        return {name: with_stages(part, change) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [with_stages(part, change) for part in value]
    if isinstance(value, str) and value.startswith(STAGE):
        stage, *options = value.removeprefix(STAGE).split(":", 1)
        return ":".join([change(stage), *options])
    return value


def _check_stages_in(fields: Mapping[str, Any], earlier: Sequence[str]) -> None:
    """Refuse settings that name a stage which does not come before."""

    def check(name: str) -> str:
        if name not in earlier:
            raise ConfigError(
                f"{STAGE}{name} is none of the stages before, which are "
                f"{', '.join(f'{STAGE}{one}' for one in earlier) or 'none'}"
            )
        return name

    with_stages(fields, check)


def _expansions_of(rules: RuleSet) -> set[str]:
    """The expansions that there are for the edition of a rule set."""
    return set(catalog.load(rules.edition).expansions)


def at_table(rules: RuleSet, players: int) -> RuleSet:
    """The same rules for another number of players.

    Raises:
        RuleSetError: One of its options does not go with that number.
    """
    return RuleSet.from_dict(rules.to_dict() | {"players": players})


def load_config(path: str | os.PathLike[str] | None, overrides: Iterable[str] = ()) -> Config:
    """Read a settings file and change single settings of it.

    Args:
        path: A YAML file; None takes the defaults.
        overrides: ``"ppo.update_epochs=4"`` and the like, read as YAML.

    Raises:
        ConfigError: The file or a setting cannot be used.
    """
    place = None if path is None else arguments.path(path, "a settings file", ConfigError)
    fields = {} if place is None else read_fields(place)
    if isinstance(fields.get("game"), str):  # so that single options of it can be changed
        fields["game"] = read_fields(find_settings(fields["game"]))
    return from_dict(read_overrides(overrides, fields), Config)
