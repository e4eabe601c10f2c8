"""How tidy the house is: sizes, complexity, names, circles, and where names of APIs stand.

Everything is read from the source of `codemods` and `assistant`; nothing is imported or run. What
it counts has bars: `make bench-house` says which of them are kept.
"""

from __future__ import annotations

import ast
import builtins
import collections
import pathlib
import re
import subprocess
import sys
import typing
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("codemods", "assistant")
LIBRARY = "codemods.library"
# What says nothing of the thing that it names; a noun that only looks like one of them is none.
IRREGULAR = re.compile(
    "told|made|given|held|kept|lent|taken|left|gone|done|seen|said|known|drawn|grown|meant|met"
    "|spent|sent|caught|fed|begun|shown|written|chosen"
)
NOUNS = re.compile("seed|speed|feed|need|embed")
LIBRARIES = (
    *("tensorflow", "keras", "tf_keras", "numpy", "pandas", "horovod", "sklearn", "jax", "torch"),
    *("tensorflow_datasets", "tensorflow_addons", "matplotlib", "scipy", "cv2", "wandb", "mlflow"),
)
_DOTTED = re.compile(rf"(?:{'|'.join(LIBRARIES)})(?:\.\w+)+")
_IN_PATTERN = re.compile(rf"(?:^|[^\w.])(?:{'|'.join(LIBRARIES)})\\\.")
_NAMES = re.compile(r"\s*(?:(?:[A-Z]\w*|\w+(?:\.\w+)+)(?:\s+|$))+")
_ROW = re.compile(r"([\w.]+): (\w+(?:[ \n]+\w+(?!:|\.))*)")  # of a table: `module: its names`
_CLASS = re.compile(r"(?:[A-Z][a-z0-9]+){2,}\w*")


# Where names stand for a reason: what rules write into programs, by the layer
# that it takes the place of; how patterns of training are told to people.
NAMED_THERE = (
    "codemods.rewrites._keras_3_forms",
    "codemods.rewrites._same_again",
    "codemods.facts.training.pattern",
)


class Module(NamedTuple):
    """A module of the house: its dotted name, whether it is a package, and its source."""

    name: str
    is_package: bool
    text: str
    tree: ast.Module


def modules() -> dict[str, Module]:
    """Every module of `codemods` and `assistant` by its dotted name."""
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            text = path.read_text(encoding="utf-8")
            found[name] = Module(name, is_package, text, ast.parse(text))
    return found


class House:
    """What is asked of all modules together."""

    def __init__(self, every: dict[str, Module]) -> None:
        self.modules = every

    @cached_property
    def imports(self) -> dict[str, frozenset[str]]:
        """The modules of the house that each imports, wherever in it and for whatever reason."""
        return {name: frozenset(self._imported(each)) - {name} for name, each in self._all()}

    def _all(self) -> Iterator[tuple[str, Module]]:
        yield from self.modules.items()

    def _imported(self, module: Module) -> Iterator[str]:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Import):
                yield from (n for a in node.names if (n := house_name(a.name)) in self.modules)
            elif isinstance(node, ast.ImportFrom):
                base = origin(module, node)
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    if (name := inner if inner in self.modules else base) in self.modules:
                        yield name

    @cached_property
    def circles(self) -> list[list[str]]:
        """The groups of modules that import one another, those for types alone included."""
        return circles(self.imports)

    @cached_property
    def with_one_importer(self) -> list[str]:
        """The modules that only one other imports; a package speaks for what lies in it."""
        importers = Counter(name for targets in self.imports.values() for name in targets)
        return [n for n, each in self._all() if importers[n] == 1 and not each.is_package]

    @cached_property
    def base_names_twice(self) -> list[str]:
        """The file names that two modules of one room have, a leading underscore left out."""
        names = Counter(
            (name.partition(".")[0], name.rpartition(".")[2].lstrip("_"))
            for name, each in self._all()
            if not each.is_package
        )
        return sorted(f"{room}: {base}" for (room, base), times in names.items() if times > 1)

    @cached_property
    def participles(self) -> list[str]:
        """The modules, functions and classes whose whole name is a participle."""
        found = []
        for name, each in self._all():
            if is_participle(name.rpartition(".")[2]):
                found.append(name)
            found += [f"{name}.{d.name}" for d in definitions(each.tree) if is_participle(d.name)]
        return found

    @cached_property
    def complex_functions(self) -> list[str]:
        """The functions over 10 as radon counts: branches, loops and boolean operators."""
        return [
            f"{name}.{function.name} ({paths})"
            for name, each in self._all()
            for function in definitions(each.tree)
            if not isinstance(function, ast.ClassDef) and (paths := complexity(function)) > 10
        ]

    @cached_property
    def api_names(self) -> list[str]:
        """The names of APIs that stand as texts of the program outside of the library."""
        classes = {
            word
            for name, each in self._all()
            if is_of_library(name)
            for text in texts(each.tree)
            for word in _CLASS.findall(text)
            if not is_of_python(word)
        }
        return [
            f"{name}: {api}"
            for name, each in self._all()
            if name.startswith("codemods.") and not is_of_library(name)
            if name not in NAMED_THERE
            for text in texts(each.tree)
            for api in apis(text, classes)
        ]


def house_name(name: str) -> str:
    """A module's name in the repository, of the one it is installed under."""
    return name.removeprefix("distify.")


def origin(module: Module, node: ast.ImportFrom) -> str:
    """The full name of what an import takes its names from."""
    if node.level == 0:
        return house_name(node.module or "")
    parts = module.name.split(".")
    base = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


def reached(graph: dict[str, frozenset[str]], start: str) -> set[str]:
    """All that can be reached from a start, which is one of them if a way leads back to it."""
    found: set[str] = set()
    open_ends = [start]
    while open_ends:
        fresh = graph[open_ends.pop()] - found
        found |= fresh
        open_ends += fresh
    return found


def circles(graph: dict[str, frozenset[str]]) -> list[list[str]]:
    """The groups of a graph in which each leads to every other."""
    reach = {name: reached(graph, name) for name in graph}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in graph
        if name in reach[name]
    }
    return sorted(map(list, groups))


def definitions(
    tree: ast.Module,
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """The functions and classes of a module, however deep."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node


def is_participle(name: str) -> bool:
    """Whether a name, a leading underscore left out, is one bare participle."""
    word = name.lstrip("_")
    is_regular = word.isalpha() and word.islower() and word.endswith("ed")
    return (is_regular and not NOUNS.fullmatch(word)) or IRREGULAR.fullmatch(word) is not None


def complexity(function: ast.AST) -> int:
    """The number of paths, as radon counts them: functions in it count for themselves."""
    paths, inside = 1, list(ast.iter_child_nodes(function))
    while inside:
        node = inside.pop()
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            paths += branches(node)
            inside += ast.iter_child_nodes(node)
    return paths


def branches(node: ast.AST) -> int:
    """By how many paths a node adds to those there are."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.Try):
        return bool(node.orelse) + len(node.handlers)
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        return bool(node.orelse) + 1
    return isinstance(node, (ast.If, ast.IfExp, ast.Assert, ast.match_case))


def is_of_library(name: str) -> bool:
    """Whether a module is one of the tables of APIs."""
    return name.startswith(LIBRARY)


def texts(tree: ast.Module) -> Iterator[str]:
    """The texts of a module that are neither a docstring nor told to a person."""
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.value


def apis(text: str, classes: set[str]) -> Iterator[str]:
    """The names of APIs in a text that holds names alone, or is a pattern of them."""
    if _IN_PATTERN.search(text):
        yield text
    elif _ROW.match(text.strip()) and not _ROW.sub("", text).strip():
        rows = [row.groups() for row in _ROW.finditer(text) if is_module(row[1])]
        yield from (f"{module}.{name}" for module, names in rows for name in names.split())
    elif _NAMES.fullmatch(text):
        words = text.split()
        yield from (word for word in words if _DOTTED.fullmatch(word) or word in classes)


def is_module(name: str) -> bool:
    """Whether a name begins with that of a library or of a module of Python's: prose may not."""
    return name.partition(".")[0] in {*LIBRARIES, *sys.stdlib_module_names}


def is_of_python(name: str) -> bool:
    """Whether a class is one of Python itself, which is nobody's API."""
    return any(hasattr(module, name) for module in (builtins, collections, pathlib, typing))


def over_ten_by_ruff() -> int:
    """How many functions ruff finds too complex."""
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select=C901"]
    done = subprocess.run(
        [*ruff, "--config=lint.mccabe.max-complexity=10", "--output-format=concise", *ROOMS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return sum("C901" in line for line in done.stdout.splitlines())


class Figure(NamedTuple):
    """One figure of the house: how it is called, what it is, and what it may be at most."""

    name: str
    value: int
    bar: int | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the bar, if there is one, is kept."""
        return self.bar is None or self.value <= self.bar


def sizes(every: dict[str, Module]) -> Iterator[Figure]:
    """How many modules and lines each part has."""
    for part in ("codemods", "codemods.facts", "assistant"):
        inside = [m for name, m in every.items() if f"{name}.".startswith(f"{part}.")]
        yield Figure(f"modules of {part}", len(inside))
        yield Figure(f"lines of {part}", sum(m.text.count("\n") for m in inside))


def figures(house: House) -> list[Figure]:
    """All figures, and the bars of those that have one."""
    return [
        *sizes(house.modules),
        Figure("functions over 10 by ruff", over_ten_by_ruff(), 0),
        Figure("functions over 10 as radon counts", len(house.complex_functions), 40),
        Figure("names that are a bare participle", len(house.participles), 0),
        Figure("base names used twice", len(house.base_names_twice), 5),
        Figure("circles", len(house.circles), 0),
        Figure("modules with one importer", len(house.with_one_importer)),
        Figure("API names outside of the library", len(house.api_names), 0),
    ]


LISTS = {
    "complex": "complex_functions",
    "participles": "participles",
    "twice": "base_names_twice",
    "circles": "circles",
    "lone": "with_one_importer",
    "apis": "api_names",
}


def main() -> None:
    """Print the figures, or with the name of one what it counts."""
    house = House(modules())
    for name in sys.argv[1:]:
        for each in getattr(house, LISTS[name]):
            print(each if isinstance(each, str) else "  ".join(each))
    if len(sys.argv) == 1:
        for figure in figures(house):
            bar = "" if figure.bar is None else f"  (at most {figure.bar})"
            print(f"{figure.value:7,}  {figure.name}{bar}{'' if figure.is_kept else '  !'}")


if __name__ == "__main__":
    main()
