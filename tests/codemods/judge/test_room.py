"""The judge asks the engine and texts; what today's checks know stands in few of its modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from distify.codemods import judge
from distify.codemods.judge import obligations

MODULES = sorted(Path(judge.__path__[0]).glob("*.py"))
PAGES = MODULES[0].parents[1] / "pages"
# They ask where the program trains, or wrap a check of today: fewer of them, never more.
ASK_FACTS = {
    "case",
    "disagreements",
    "own_sources",
    "known",
    "population",
    "set_rates",
    "settled",
    "size",
    "training_steps",
}
ASK_FACTS |= {
    "counts",
    "exponents",
    "paces",
    "steps",
}  # the units of numbers, a domain of the engine


def asks_facts(path: Path) -> bool:
    """Whether a module imports from `facts` while it runs."""
    return any(
        isinstance(node, ast.ImportFrom) and (node.module or "").startswith("facts")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def test_no_more_modules_ask_facts() -> None:
    assert {path.stem for path in MODULES if asks_facts(path)} <= ASK_FACTS


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_old_resolver_is_asked_by_none(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "facts.index" not in text
    assert "facts.names" not in text
    assert "facts.values" not in text


@pytest.mark.parametrize("each", obligations.OBLIGATIONS, ids=lambda each: each.name)
def test_an_obligation_has_a_module_that_says_its_sentence_and_a_page(
    each: obligations.Obligation,
) -> None:
    path = MODULES[0].parent / f"{each.name}.py"
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")), clean=True).startswith(  # type: ignore[union-attr]
        f"**{each.name}**: "
    )
    assert callable(each.prove)
    assert (PAGES / f"{each.code}.md").exists()
