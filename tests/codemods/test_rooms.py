"""Which folder of codemods/ may know of which, and what stands in none of a room's modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from distify.codemods import repairs, rewrites
from distify.codemods.applying import discovery

FACTS = Path(__file__).resolve().parents[2] / "codemods" / "facts"
WINGS = sorted(folder.name for folder in FACTS.iterdir() if (folder / "__init__.py").exists())


def imported(tree: ast.Module) -> set[str]:
    """The first names behind `from ..`: of modules and folders one floor up."""
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level == 2]
    return {(n.module or n.names[0].name).partition(".")[0] for n in nodes}


def wings_of(folder: Path) -> set[str]:
    """The other wings that the modules of a wing import from."""
    trees = [ast.parse(file.read_text("utf-8")) for file in folder.glob("*.py")]
    return {name for tree in trees for name in imported(tree)} & set(WINGS)


def test_no_wing_of_the_facts_needs_one_that_needs_it() -> None:
    needs = {wing: wings_of(FACTS / wing) - {wing} for wing in WINGS}
    assert len(needs) > 5
    assert any(needs.values())
    order = list(TopologicalSorter(needs).static_order())
    assert order.index("training") < order.index("output")


def test_a_circle_would_be_found() -> None:
    needs = {"data": imported(ast.parse("from ..setup.x import y")), "setup": {"data"}}
    with pytest.raises(CycleError):
        TopologicalSorter(needs).prepare()


# -- facts hold no code ------------------------------------------------------------------------

MODULES = sorted(FACTS.rglob("*.py"))
ALIAS = re.compile(r"\bhvd\b")
WRITTEN = (ast.Call, ast.IfExp, ast.Lambda, ast.ListComp, ast.GeneratorExp)
STATEMENTS = (
    ast.Import,
    ast.ImportFrom,
    ast.Assign,
    ast.AugAssign,
    ast.If,
    ast.For,
    ast.FunctionDef,
)


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of a module but its docstrings, with `x` for what is filled in, and their lines."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body
        if isinstance(node.body[0], ast.Expr)
    }
    inside = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in ast.walk(n)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (str(v.value) if isinstance(v, ast.Constant) else "x" for v in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings and id(node) not in inside:
                yield node.lineno, node.value


def is_code(text: str) -> bool:
    """Whether a text is a statement, an expression that calls something, or one around a `_`."""
    if ALIAS.search(text):
        return True
    nodes = [node for tree in parsed(text) for node in ast.walk(tree)]
    has_hole = any(isinstance(node, ast.Name) and node.id == "_" for node in nodes)
    return has_hole or any(isinstance(node, (*WRITTEN, *STATEMENTS)) for node in nodes)


def parsed(text: str) -> Iterator[ast.Module]:
    """What a text means to Python, also as the head of a block."""
    code = re.sub(r"\{\w*\}", "x", text).strip()
    for whole in (code, f"{code}\n    pass"):
        try:
            yield ast.parse(whole)
        except (SyntaxError, ValueError):
            continue


def code_in(tree: ast.Module) -> list[str]:
    """The texts of code that a module holds, with their lines."""
    return [f"line {line}: {text!r}" for line, text in texts(tree) if is_code(text)]


def test_facts_say_what_is_there_and_write_nothing() -> None:
    written = {path: code_in(ast.parse(path.read_text("utf-8"))) for path in MODULES}
    assert len(written) > 100
    assert {path: code for path, code in written.items() if code} == {}


@pytest.mark.parametrize(
    "written",
    [
        'f"_ * {name}.size()"',
        'f"len({name})"',
        '"_ // {hvd}.size()"',
        '"import os"',
        '"tuple(array[{shard}] for array in _)"',
        'f"{name} = {value}"',
        'f"{name}.assign(False)"',
        'f"{path}.variables()"',
        '"_[{shard}]"',
        '"    hvd.init()"',
        '"if x:\\n"',
    ],
)
def test_text_of_code_would_be_found(written: str) -> None:
    assert len(code_in(ast.parse(f"a = {written}"))) == 1


@pytest.mark.parametrize(
    "said",
    [
        '"tensorflow.keras.optimizers."',
        'f"{OPTIMIZERS}.{cls}"',
        '"create it by its class: tf.keras.optimizers.Adam(…)"',
        '"0.001"',
        '"GPU"',
        'f"`{name}` has parameters of its own and no get_config"',
    ],
)
def test_names_and_sentences_are_no_code(said: str) -> None:
    assert code_in(ast.parse(f"a = {said}")) == []


# -- modules are small -------------------------------------------------------------------------

CODEMODS = FACTS.parent
ASSISTANT = CODEMODS.parent / "assistant"


@pytest.mark.parametrize("folder", [CODEMODS, ASSISTANT], ids=["codemods", "assistant"])
def test_a_module_answers_one_question(folder: Path) -> None:
    lengths = {p: len(p.read_text("utf-8").splitlines()) for p in folder.rglob("*.py")}
    assert len(lengths) > 100
    assert [path for path, length in lengths.items() if length >= 600] == []


@pytest.mark.parametrize("room", ["rewrites", "repairs"])
def test_a_modules_name_is_that_of_its_rule(room: str) -> None:
    """Reports take the names from there."""
    known = {
        "rewrites": {rule.code: rule.name for rule in rewrites.all()},
        "repairs": {repair.code: repair.rule.name for repair in repairs.all()},
    }
    assert discovery.names(room) == known[room]
