"""What documents and notebooks show may be called with anything, and says what is wrong with it."""

import contextlib
import inspect
import warnings
from pathlib import Path

import pytest

from prico_env.errors import PricoError
from prico_training.arena import tournament
from tests.contract.documented_calls import (
    NOT_TO_GO_ON,
    documented_calls,
    documented_names,
)
from tests.contract.entry_points import EntryPoint, entry_points, fits
from tests.contract.test_wrong_arguments import odd_values

CALLS = list(documented_calls())


def refusal(call: EntryPoint, changes: dict[str, object]) -> PricoError | None:
    """The error that a call was refused with, or None; another error fails the test."""
    try:
        result = call.call(None, changes)
        if isinstance(result, contextlib.AbstractContextManager) and not isinstance(result, Path):
            with result:
                pass
    except PricoError as error:
        return error
    return None


@pytest.fixture
def idle_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder of its own, with an arena that begins no game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tournament, "_play", lambda *_: None)


@pytest.mark.usefixtures("idle_arena")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_documented_calls_take_values_of_any_kind_or_refuse_them_in_words(call: EntryPoint) -> None:
    assert call.name in NOT_TO_GO_ON or refusal(call, {}) is None
    for parameter, hint in call.parameters().items():
        for label, value in odd_values(call, parameter, hint).items():
            if call.name in NOT_TO_GO_ON and fits(hint, value):
                continue
            case = f"{call.name}({parameter} = {label})"
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                error = refusal(call, {parameter: value})
            if error is None:
                assert fits(hint, value), case
            else:
                assert str(error).isprintable(), case
                assert "not installed" not in str(error), case


def test_every_documented_call_is_tried() -> None:
    tried = {point.name.rpartition(".")[2] for point in (*CALLS, *entry_points())}
    tried |= {point.name.partition(".")[0] for point in (*CALLS, *entry_points())}
    for module, name in documented_names():
        thing = getattr(__import__(module, fromlist=[name]), name)
        if inspect.isfunction(thing) or (inspect.isclass(thing) and "Error" not in name):
            assert name in tried or name == "DecisionPoint", f"{module}.{name}"
    assert sum(len(odd_values(c, n, h)) for c in CALLS for n, h in c.parameters().items()) > 3_000
