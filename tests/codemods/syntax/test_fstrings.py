"""Fields of f-strings are places of edits, whatever stands around them."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.edits.argument_edits import add_argument
from distify.codemods.edits.expression_edits import replace_expression, wrap
from distify.codemods.syntax import Source, parse, resolve
from distify.codemods.syntax.strings import fields

TEXTS = {  # with the quotes that a string in the field gets
    'x = f"a {f(1)} b"\n': "'",
    "x = f'{f(1)}'\n": '"',
    'x = f"{ f(1) }"\n': "'",
    'x = f"{{}} {f(1)!r:>{width}} {{ {other}"\n': "'",
    "x = f'{a[\"}\"]} {f(1)[1:2]:.2f}%'\n": '"',
    'x = (\n    "plain {f(1)} "\n    f\'{a}\'  # one\n    rf"\\d {f(1) != 2}"\n)\n': "'",
    'print(f"""\n  {f(1) + 1:\n>4}\n""", end="")\n': "'",
    'print(f"{a:{b}} {f(1)}", g)\n': "'",
    'x = f"{{f(1)}} {f(1)}" + h\n': "'",
    'x = f"\\N{DIGIT ONE} {f(1)}"\n': "'",
}


def calls(text: str) -> tuple[Source, list[ast.Call]]:
    source = Source(text)
    found = [node for node in ast.walk(source.module) if isinstance(node, ast.Call)]
    return source, [call for call in found if getattr(call.func, "id", "") == "f"]


@pytest.mark.parametrize(("text", "quote"), TEXTS.items())
def test_a_call_in_a_field_is_edited_and_nothing_else(text: str, quote: str) -> None:
    source, (call,) = calls(text)
    tree = parse(text, source.module)
    node = resolve(tree, source, [call])[call]
    assert (str(tree), str(node).strip()) == (text, "f(1)")
    add_argument(node, "b", '"2"')
    assert str(tree) == f"f(1, b={quote}2{quote})".join(text.rsplit("f(1)", 1))


def test_several_fields_of_one_string_are_edited_with_what_is_around() -> None:
    text = 'print(f"{f(1)} and {g} and {f(2)}", f"{f(3)}")\n'
    source, found = calls(text)
    tree = parse(text, source.module)
    (outer,) = [n for n in ast.walk(source.module) if isinstance(n, ast.Call) and n not in found]
    nodes = resolve(tree, source, [*found, outer.args[0], outer])
    for call in found:
        wrap(nodes[call], "_ * 2")
    assert str(tree) == 'print(f"{f(1) * 2} and {g} and {f(2) * 2}", f"{f(3) * 2}")\n'
    replace_expression(nodes[outer.args[0]], "x")
    assert str(tree) == 'print(x, f"{f(3) * 2}")\n'


SPANS = {
    'f"a{b}c"': ["b"],
    'f"{ b }"': [" b"],
    'f"{{b}} {c}"': ["c"],
    'f"{a!r} {b:x} {c!s:y}"': ["a", "b", "c"],
    'f"{a != b} {a <= b} {a == b}"': ["a != b", "a <= b", "a == b"],
    'f"{a=} {b = } {c=!r} {d=:x}"': ["", "", "", ""],
    "f'{a[\"x:}\"]} {(b := 1)} {[c for c in d]}'": ['a["x:}"]', "(b := 1)", "[c for c in d]"],
    'f"{a:{b}} {c}"': ["a", "c"],
    '"{a}"': [],
    'rf"\\{a}"': ["a"],
}


@pytest.mark.parametrize(("text", "codes"), SPANS.items())
def test_the_code_of_each_field_is_found(text: str, codes: list[str]) -> None:
    assert [text[begin:end] for begin, end in fields(text)] == codes
