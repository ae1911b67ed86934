"""Figures of how the packages are built, to hold one state of the repository against another.

``python .ci/structure.py`` prints a column for each package of this checkout; ``python
.ci/structure.py OLD NEW`` prints a column for each of the named checkouts. A function counts from
its `def` to its last line. Import levels are the modules on the longest chain of imports. Circles
also count imports inside functions, but not those for type checkers only.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOMES = (".", "agents", "training")
"""Where a checkout may have packages, one level down."""
NOT_OURS = {"tests", "build", "docs"}
Graph = dict[str, set[str]]


@dataclasses.dataclass(frozen=True)
class Module:
    """One file: its dotted name, and what stands in it."""

    name: str
    path: Path
    lines: int
    tree: ast.Module

    def walk(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """Every node of these kinds."""
        return (node for node in ast.walk(self.tree) if isinstance(node, kinds))


def read_packages(root: Path) -> dict[str, list[Module]]:
    """The modules of every package of a checkout."""
    found = {}
    for home in HOMES:
        if (root / home / "__init__.py").exists():
            continue  # in an older checkout these were packages themselves
        for start in sorted((root / home).glob("*/__init__.py")):
            package = start.parent
            if package.name not in NOT_OURS:
                found[package.name] = [
                    read_module(path, package.parent) for path in sorted(package.rglob("*.py"))
                ]
    return found


def read_module(path: Path, home: Path) -> Module:
    """Parse one file; `home` is the folder that its dotted name starts from."""
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(home).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name, path.relative_to(home), text.count("\n"), ast.parse(text))


# -- imports ---------------------------------------------------------------------------------------


def imported(node: ast.AST, module: Module, known: set[str]) -> Iterator[str]:
    """The modules that an import statement names, of those that are known."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    elif isinstance(node, ast.ImportFrom):
        source = node.module or ""
        if node.level:
            package = module.name.split(".")
            climb = node.level - (module.path.name == "__init__.py")
            above = package[: len(package) - climb]
            source = ".".join([*above, *([source] if source else [])])
        for alias in node.names:
            inner = f"{source}.{alias.name}"
            if inner in known:
                yield inner
            elif source in known:
                yield source


def statements(nodes: Iterable[ast.stmt], inside_functions: bool) -> Iterator[ast.AST]:
    """Every statement that runs, without the blocks for type checkers only."""
    for node in nodes:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from statements(node.orelse, inside_functions)
            continue
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not inside_functions:
            continue
        for field in ("body", "orelse", "finalbody", "handlers"):
            yield from statements(getattr(node, field, ()), inside_functions)


def import_graph(modules: list[Module], inside_functions: bool) -> Graph:
    """Which module imports which."""
    known = {module.name for module in modules}
    return {
        module.name: {
            name
            for node in statements(module.tree.body, inside_functions)
            for name in imported(node, module, known)
        }
        - {module.name}
        for module in modules
    }


def circles(graph: Graph) -> list[list[str]]:
    """Groups of modules that import each other, directly or by way of others."""
    reach = {name: reachable(graph, name) for name in graph}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach[other])) for name in graph
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def reachable(graph: Graph, start: str) -> set[str]:
    """What `start` imports, and what that imports, and so on."""
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(graph[name])
    return seen


def levels(graph: Graph) -> int:
    """The modules on the longest chain of imports; a circle counts as one."""
    home = {name: name for name in graph}
    for group in circles(graph):
        home.update(dict.fromkeys(group, group[0]))
    joined: Graph = {group: set() for group in home.values()}
    for name, targets in graph.items():
        joined[home[name]] |= {home[target] for target in targets} - {home[name]}

    @functools.cache
    def height(name: str) -> int:
        return 1 + max(map(height, joined[name]), default=0)

    return max(map(height, joined), default=0)


# -- functions and names ---------------------------------------------------------------------------


def function_lengths(modules: list[Module]) -> list[int]:
    """The lines of every function, from its `def` to its end, shortest first."""
    return sorted(
        node.end_lineno - node.lineno + 1
        for module in modules
        for node in module.walk(ast.FunctionDef, ast.AsyncFunctionDef)
    )


def annotated_share(modules: list[Module]) -> float:
    """Percent of the arguments with a type, but for `self` and `cls`."""
    arguments = [
        argument
        for module in modules
        for node in module.walk(ast.FunctionDef, ast.AsyncFunctionDef)
        for argument in (
            *node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs,
            *filter(None, (node.args.vararg, node.args.kwarg)),
        )
        if argument.arg not in ("self", "cls")
    ]  # fmt: skip
    typed = sum(argument.annotation is not None for argument in arguments)
    return 100.0 * typed / len(arguments) if arguments else 100.0


def doubles(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Of pairs of a name and a place: the names that stand in several places."""
    places = defaultdict(list)
    for name, place in named:
        places[name].append(place)
    return {name: where for name, where in sorted(places.items()) if len(where) > 1}


def double_files(modules: list[Module]) -> dict[str, list[str]]:
    """File names that occur twice, but for those that Python gives a meaning."""
    return doubles(
        (module.path.name, str(module.path))
        for module in modules
        if not module.path.name.startswith("__")
    )


def double_classes(modules: list[Module]) -> dict[str, list[str]]:
    """Class names that occur twice."""
    return doubles(
        (node.name, module.name) for module in modules for node in module.walk(ast.ClassDef)
    )


# -- the table -------------------------------------------------------------------------------------


def measure(modules: list[Module]) -> dict[str, str]:
    """One column: every figure of these modules, as it is printed."""
    lengths = function_lengths(modules)
    longest = max(modules, key=lambda module: module.lines)
    return {
        "files": f"{len(modules):,}",
        "lines": f"{sum(module.lines for module in modules):,}",
        "longest file": f"{longest.lines:,} ({longest.path.name})",
        "functions": f"{len(lengths):,}",
        "median length": f"{statistics.median(lengths or [0]):g}",
        "90th percentile": str(lengths[int(0.9 * len(lengths))] if lengths else 0),
        "longest function": str(max(lengths, default=0)),
        "annotated arguments": f"{annotated_share(modules):.1f} %",
        "import levels": str(levels(import_graph(modules, inside_functions=False))),
        "import circles": str(len(circles(import_graph(modules, inside_functions=True)))),
        "file names that occur twice": str(len(double_files(modules))),
        "class names that occur twice": str(len(double_classes(modules))),
    }


def show_table(columns: dict[str, dict[str, str]]) -> None:
    """Print figures side by side, as a Markdown table."""
    rows = [["", *columns]]
    rows += [[what, *(column[what] for column in columns.values())] for what in measure_names()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("| " + " | ".join(cells) + " |")


def measure_names() -> list[str]:
    """What `measure` measures, in order."""
    nothing = Module("nothing", Path("nothing.py"), 0, ast.parse("def nothing(): pass"))
    return list(measure([nothing]))


def show_names(modules: list[Module]) -> None:
    """Print what stands behind the last figures of the table: circles and double names."""
    for circle in circles(import_graph(modules, inside_functions=True)):
        print(f"circle: {', '.join(circle)}")
    for what, found in (("file", double_files(modules)), ("class", double_classes(modules))):
        for name, places in found.items():
            print(f"{what} {name}: {', '.join(places)}")


def main(*roots: str) -> int:
    """Print the table of one checkout or of several."""
    columns: dict[str, list[Module]] = {}
    for root in roots or (str(ROOT),):
        packages = read_packages(Path(root))
        if not packages:
            print(f"there is no package in {root}, nor in its folders agents and training")
            return 1
        everything = [module for modules in packages.values() for module in modules]
        columns |= {root: everything} if len(roots) > 1 else packages | {"all": everything}
    show_table({name: measure(modules) for name, modules in columns.items()})
    if len(roots) <= 1:
        print()
        show_names(columns["all"])
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
