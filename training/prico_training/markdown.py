"""Tables of Markdown, as reports and pages have them."""

from collections.abc import Iterable, Sequence


def markdown_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], left: int | None = 1
) -> str:
    r"""Write a table of Markdown, without a line end behind the last line.

    >>> markdown_table(["agent", "wins"], [["corn", "3"]])
    '| agent | wins |\n| --- | ---: |\n| corn | 3 |'

    Args:
        heads: What stands above the columns.
        rows: The cells below.
        left: How many of the first columns are aligned to the left, and not to the right; None for
            all.
    """
    left = len(heads) if left is None else left
    rule = ["---" if column < left else "---:" for column in range(len(heads))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *rows))
