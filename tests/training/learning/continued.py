"""A trainer that is stopped and goes on, beside one that does not stop."""

from prico_training.config import Config
from prico_training.learning.factory import make_trainer


def continue_exactly(config: Config, before: list[float], after: list[float]) -> set[str]:
    """Check that a trainer goes on exactly from the state of another.

    Args:
        config: What is trained.
        before: Shares of the budget at which the first learns alone.
        after: Shares at which both learn, the second from the state of the first.

    Returns:
        Names of the arrays of that state.
    """
    one, two = make_trainer(config), make_trainer(config)
    for spent in before:
        one.learn(spent)
    weights = one.weights()
    one.remember("decisions_1", weights)
    two.remember("decisions_1", weights)
    arrays, values = one.state()
    two.restore({name: array.copy() for name, array in arrays.items()}, values)
    for spent in after:
        assert one.learn(spent) == two.learn(spent)
    assert all((two.weights()[name] == each).all() for name, each in one.weights().items())
    one.close()
    two.close()
    return set(arrays)
