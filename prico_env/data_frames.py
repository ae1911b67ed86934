"""Tables for people who explore: the meaning of numbers as frames of pandas."""

from collections.abc import Mapping
from typing import Any

from prico_env.errors import from_extra


def data_frame(columns: Mapping[str, Any], index: str) -> Any:
    """Return columns as a `pandas.DataFrame` whose rows are counted from 0.

    Args:
        columns: The columns by name, sequences of one length.
        index: What a row's number is the number of.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    with from_extra("frames", "to_frame()"):
        import pandas as pd
    return pd.DataFrame(dict(columns)).rename_axis(index)
