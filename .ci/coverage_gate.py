"""Fails when the tests reach too few lines or too few branches of the rules.

The total of a coverage report mixes lines and branches; here each has to pass by itself.
Usage: ``python .ci/coverage_gate.py coverage.json 95`` (percent).
"""

import json
import sys
from pathlib import Path


def main(report_path: str, percent: str) -> int:
    """Print each file and the totals; return 1 if a total is below the gate."""
    report = json.loads(Path(report_path).read_text(encoding="utf-8"))
    gate = float(percent)
    print(f"{'file':<44} {'lines':>7} {'branches':>9}")
    for name, file in sorted(report["files"].items()):
        print(f"{name:<44} {_percent(file['summary'])}")
    totals = report["totals"]
    print(f"{'all rules':<44} {_percent(totals)}   (gate {gate:g} %)")
    if totals["num_statements"] == 0:
        print("no line of the rules was measured")
        return 1
    lines, branches = _share(totals, "lines"), _share(totals, "branches")
    return 0 if min(lines, branches) >= gate else 1


def _share(summary: dict[str, int], what: str) -> float:
    total = summary["num_statements" if what == "lines" else "num_branches"]
    return 100.0 * summary[f"covered_{what}"] / total if total else 100.0


def _percent(summary: dict[str, int]) -> str:
    return f"{_share(summary, 'lines'):6.1f}% {_share(summary, 'branches'):8.1f}%"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
