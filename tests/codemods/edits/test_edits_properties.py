"""Whatever a program looks like, an edit changes what it is asked to change and nothing else."""

from __future__ import annotations

import ast
import io
import tokenize
from typing import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from distify.codemods.edits import Guard, Insert, Remove, modifiers
from distify.codemods.syntax import LN, Source, parse, resolve

SMALL = st.sampled_from(
    [
        "a = 1",
        "f(a,\n{more}b)",
        "f(  # c1\n{more}a,\n\n{more}b,  # c2\n)",
        's = """one\n  two # no comment\n"""',
        "x = f'''{a}\n b'''",
        "y = a + \\\n{more}b",
        "pass",
        "'text'",
        "del a",
        "g = lambda: a",
    ]
)
COMMENT = st.sampled_from(["", "", "  # k1", " # k2 'x'", "# k3"])
GAP = st.sampled_from(["", "", "", "\n", "\n\n", "# k4\n", "\n# k5\n\n", "\f\n", "        # k6\n"])
HEADER = st.sampled_from(
    ["if a:", "for i in b:", "while a:", "with a as b:", "def f(x):", "class A:", "@d\ndef f(x):"]
)
UNIT = st.sampled_from(["    ", "  ", "\t", " "])


@st.composite
def blocks(draw: st.DrawFn, unit: str, indent: str, depth: int) -> str:
    """The lines of one block."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        gap = draw(GAP)
        lines.append(gap if gap.strip(" \n\f") == "" else _indented(gap, indent))
        if depth and draw(st.booleans()):
            lines.append(draw(compounds(unit, indent, depth)))
        else:
            some = draw(st.lists(SMALL, min_size=1, max_size=3))
            text = draw(st.sampled_from(["; ", ";"])).join(some)
            lines.append(indent + text.format(more=indent + "   ", a="{a}") + draw(COMMENT) + "\n")
    return "".join(lines)


def _indented(gap: str, indent: str) -> str:
    lines = gap.splitlines(keepends=True)
    return "".join(indent + line if line[0] == "#" else line for line in lines)


@st.composite
def compounds(draw: st.DrawFn, unit: str, indent: str, depth: int) -> str:
    """A compound statement, on one line or not, sometimes with comments after its block."""
    header = draw(HEADER).replace("\n", "\n" + indent)
    if draw(st.booleans()):
        some = draw(st.lists(st.sampled_from(["a = 1", "f(a)", "pass"]), min_size=1, max_size=3))
        text = f"{indent}{header} {'; '.join(some)}{draw(COMMENT)}\n"
    else:
        body = draw(blocks(unit, indent + unit, depth - 1))
        text = f"{indent}{header}{draw(COMMENT)}\n{body}"
        text += draw(st.sampled_from(["", f"{indent}{unit}# k7\n", f"{indent}# k8\n"]))
    if header.startswith("if") and draw(st.booleans()):
        text += f"{indent}else: a = 1; b = 2{draw(COMMENT)}\n"
    return text


@st.composite
def programs(draw: st.DrawFn) -> str:
    text = draw(blocks(draw(UNIT), "", 2))
    text = draw(st.sampled_from(["", "# -*- coding: utf-8 -*-\n", "#!/bin/x\n"])) + text
    if draw(st.booleans()):
        text = text.rstrip("\n")
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def comments(text: str) -> list[str]:
    """All comments in order, as Python's own tokenizer sees them."""
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    return [token.string.strip() for token in tokens if token.type == tokenize.COMMENT]


def statements(module: ast.Module) -> list[ast.stmt]:
    return [node for node in ast.walk(module) if isinstance(node, ast.stmt)]


def edited(text: str, number: int, edit: Callable[[LN], None]) -> tuple[str, ast.stmt, ast.Module]:
    """The text after an edit of one statement, that statement, and the original's tree."""
    source = Source(text)
    tree = parse(text, source.module)
    chosen = statements(source.module)
    place = chosen[number % len(chosen)]
    edit(resolve(tree, source, [place])[place])
    return str(tree), place, source.module


def replaced(module: ast.Module, old: ast.stmt, new: list[ast.stmt]) -> str:
    """What the tree means with one statement replaced, or removed from its block."""
    for node in ast.walk(module):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and old in block:
                position = block.index(old)
                block[position : position + 1] = new
                if not block and field == "body" and not isinstance(node, ast.Module):
                    block.append(ast.Pass())
    return ast.dump(module)


def guarded(module: ast.Module, places: list[ast.stmt], test: ast.expr) -> str:
    """What the tree means with neighbours under a condition; an `if` of nothing else gets it."""
    for node in ast.walk(module):
        if isinstance(node, ast.If) and node.body == places and not node.orelse:
            node.test = ast.BoolOp(op=ast.And(), values=[node.test, test])
            return ast.dump(module)
    for place in places[1:]:
        replaced_by_nothing(module, place)
    return replaced(module, places[0], [ast.If(test=test, body=places, orelse=[])])


def replaced_by_nothing(module: ast.Module, old: ast.stmt) -> None:
    for node in ast.walk(module):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and old in block:
                block.remove(old)


def check_layout(before: str, after: str) -> None:
    """Comments stay in order, line ends and the final newline stay, nothing trails."""
    assert comments(after) == comments(before)
    assert after.endswith("\n") == before.endswith("\n")
    assert ("\r" in after) == ("\r" in before) or "\n" not in before
    assert "\n" not in after.replace("\r\n", "") or "\r\n" not in before
    strays = {line for line in after.splitlines() if line != line.rstrip(" \t")}
    assert strays <= {line for line in before.splitlines() if line != line.rstrip(" \t")}


NEW = "if q:\n    new(\n        1\n    )\nnew = 2\n"
slow = settings(deadline=None, max_examples=40)


@slow
@given(programs(), st.integers(0, 30))
def test_insert_before(text: str, number: int) -> None:
    after, place, module = edited(text, number, lambda node: modifiers.insert(node, Insert(NEW)))
    assert ast.dump(ast.parse(after)) == replaced(module, place, [*ast.parse(NEW).body, place])
    check_layout(text, after)


@slow
@given(programs(), st.integers(0, 30))
def test_insert_a_paragraph(text: str, number: int) -> None:
    paragraph = f"\n{NEW}\n"
    after, place, module = edited(
        text, number, lambda node: modifiers.insert(node, Insert(paragraph))
    )
    assert ast.dump(ast.parse(after)) == replaced(module, place, [*ast.parse(NEW).body, place])
    check_layout(text, after)


@slow
@given(programs(), st.integers(0, 30), st.sampled_from(["", "\n"]), st.sampled_from(["", "\n"]))
def test_insert_after(text: str, number: int, above: str, below: str) -> None:
    lines = above + NEW + below
    after, place, module = edited(
        text, number, lambda node: modifiers.insert(node, Insert(after=lines))
    )
    assert ast.dump(ast.parse(after)) == replaced(module, place, [place, *ast.parse(NEW).body])
    check_layout(text, after)


@slow
@given(programs(), st.integers(0, 30))
def test_guard(text: str, number: int) -> None:
    after, place, module = edited(
        text, number, lambda node: modifiers.guard(node, Guard("a.b() == 0"))
    )
    test = ast.parse("a.b() == 0", mode="eval").body
    assert ast.dump(ast.parse(after)) == guarded(module, [place], test)
    check_layout(text, after)


@slow
@given(programs(), st.integers(0, 30))
def test_remove(text: str, number: int) -> None:
    source = Source(text)
    chosen = [node for node in statements(source.module) if not hasattr(node, "body")]
    if not chosen:
        return
    tree = parse(text, source.module)
    place = chosen[number % len(chosen)]
    kept = [c for c in comments(text) if c not in ("# c1", "# c2")]  # those within an expression go
    modifiers.remove(resolve(tree, source, [place])[place], Remove())
    after = str(tree)
    assert ast.dump(ast.parse(after)) == replaced(source.module, place, [])
    assert [c for c in comments(after) if c not in ("# c1", "# c2")] == kept


@slow
@given(programs(), st.integers(0, 30), st.integers(2, 4))
def test_guard_neighbours(text: str, number: int, count: int) -> None:
    source = Source(text)
    tree = parse(text, source.module)
    nodes = [node for node in ast.walk(source.module) if isinstance(getattr(node, "body", 0), list)]
    owner = nodes[number % len(nodes)]
    body: list[ast.stmt] = owner.body  # type: ignore[attr-defined]
    places = body[:count]
    found = resolve(tree, source, places)
    first, *along = (found[place] for place in places)
    modifiers.guard(first, Guard("a.b() == 0"), *along)
    test = ast.parse("a.b() == 0", mode="eval").body
    assert ast.dump(ast.parse(str(tree))) == guarded(source.module, list(places), test)
    check_layout(text, str(tree))
