"""White space, comments and line ends of every kind: all kept, each where it belongs."""

from __future__ import annotations

import ast

import pytest
from fissix.pgen2 import token
from hypothesis import given
from hypothesis import strategies as st

from distify.codemods.model import SyntaxProblem
from distify.codemods.syntax import Node, Source, parse

from .test_roundtrip import check_positions

PROGRAM = """\
# coding: latin-1
import os  # why

class A(B):
    '''doc
    more'''
    def f(self, *a):
        if a: return (1,
                      2)  # two
        # inner

    # mid
    x = [  # open
        1,

    ]
    # end

# outer
for i in x:
    while i: i -= 1; pass
    else: y = f'{i}' \\
        'z'
else:
    pass
# last
"""

ODD = {
    "empty": "",
    "blank lines only": "\n \n\t\n",
    "a comment only": "# a",
    "comments before and after": "# a\n\n# b\nx\n# c\n\n",
    "no final newline": "x = 1",
    "no final newline after a comment": "x = 1  # a",
    "no final newline in a block": "if x:\n    y",
    "a comment of the block at the end": "if x:\n    y\n    # a",
    "white space at the end": "if x:\n    y\n  ",
    "form feeds": "\fx\n\f\ny\f=\f1\n\f# a\n",
    "a form feed resets the indentation": "if x:\n    a\n  \f    b\n\fc\n",
    "tabs": "if x:\n\ta\n\tif b:\n\t\tc\nd\n",
    "a comment after a tab": "if x:\n\ta\n\t# b\n",
    "a backslash": "x = \\\n  1 + \\\n\t2\n",
    "a backslash before a comment line": "x = 1 \\\n  # a\n",
    "a backslash before a blank line": "x \\\n\ny\n",
    "a backslash alone": "x\n\\\ny\n",
    "a backslash in a comment": "x # \\\ny\n",
    "a backslash in a string": "'a\\\nb' 'c\\\r\nd' 'e\\\rf'\n",
    "carriage returns": "if x:\r    y\r# a\rz\r",
    "mixed line ends": "a\r\nb\rc\nd\r\r\n\n\re\n",
    "carriage returns in strings": "'''a\rb\r\nc'''\r\nd\n",
    "a vertical tab in a comment": "x # \v \x1c \x85 \u2028\ny\n",
    "semicolons": "a; b ;\nif x: c;d;\n",
    "a byte order mark": "\ufeffx = 1\nif x:\n    y\n",
    "a byte order mark and a comment": "\ufeff# a\nx\n",
    "a byte order mark only": "\ufeff",
    "names that are not \\w": "a\u00b7b = \u2118 = \u212e\n",
    "wide characters": "\U0001d41d = 'é' + ü  # ß\n",
    "brackets over lines": "f(\n\n# a\n  b, # c\n\\\n  c\n)\n",
    "deep comments": "if x:\n    if y:\n        z\n        # z\n      # ?\n    # y\n # !\nw\n",
    "a comment deeper than its block": "x\n    # deep\ny\n",
    "a comment before else": "if x:\n    a\n# else\nelse:\n    b\n",
    "one-line suites": "class A: x = 1; y = 2\nif a: pass\nelif b: pass\nelse: pass\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_layout_is_kept(text: str) -> None:
    source = Source(text)
    tree = parse(text, source.module)
    assert isinstance(tree, Node)
    assert str(tree) == text
    check_positions(tree, source, text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["plain", "BOM"])
@pytest.mark.parametrize("final", [True, False], ids=["final newline", "none"])
def test_every_kind_of_line_end_is_kept(end: str, bom: str, final: bool) -> None:
    text = bom + (PROGRAM if final else PROGRAM.rstrip("\n")).replace("\n", end)
    source = Source(text)
    tree = parse(text, source.module)
    assert str(tree) == text
    check_positions(tree, source, text)


PIECES = ["", " ", "\t", "\f", "\n", "\r\n", "\r", "# é", "\\\n", "\\\r\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.integers(0, len(PROGRAM)))
def test_layout_put_anywhere_is_kept_where_python_allows_it(parts: list[str], place: int) -> None:
    text = PROGRAM[:place] + "".join(parts) + PROGRAM[place:]
    try:
        source = Source(text)
    except SyntaxProblem:
        return
    tree = parse(text, source.module)
    assert str(tree) == text
    check_positions(tree, source, text)


def leaves(text: str) -> list[tuple[int, str, str]]:
    return [(leaf.type, leaf.prefix, leaf.value) for leaf in parse(text).leaves()]


def test_a_block_keeps_the_comments_indented_like_it() -> None:
    found = leaves("if x:\n    if y:\n        z\n        # z\n\n    # y\n\n# x\nw\n")
    kept = [prefix for kind, prefix, _value in found if kind == token.DEDENT]
    assert kept == ["        # z\n", "\n    # y\n"]
    assert (token.NAME, "\n# x\n", "w") in found


def test_indentation_and_comments_above_belong_to_the_statement() -> None:
    found = leaves("if x:\n    # a\n\n    y\n    z\n")
    assert (token.INDENT, "", "") in found
    assert (token.NAME, "    # a\n\n    ", "y") in found
    assert (token.NAME, "    ", "z") in found


def test_a_comment_behind_a_statement_belongs_to_its_newline() -> None:
    assert (token.NEWLINE, "  # a", "\r\n") in leaves("x  # a\r\ny")
    assert leaves("x")[1] == (token.NEWLINE, "", "")


def test_leaves_know_line_and_column_in_characters() -> None:
    text = "\ufeffé = 'ü'; b\r\n\fif x:\r  ñ = (\n ß)\n"
    places = {leaf.value: (leaf.lineno, leaf.column) for leaf in parse(text).leaves()}
    assert places["'ü'"] == (1, 4)
    assert places["b"] == (1, 9)
    assert places["ñ"] == (3, 2)
    assert places["ß"] == (4, 1)


def test_columns_and_lines_of_a_source() -> None:
    source = Source("\ufeffé = 'ü' + x\r\ny = '\u2028\f' + z\rw\n")
    assert source.lines == ["é = 'ü' + x\r\n", "y = '\u2028\f' + z\r", "w\n", ""]
    names = {node.id: source.span(node) for node in walk_names(source)}
    assert names["x"] == (1, 10, 1, 11)
    assert names["z"] == (2, 11, 2, 12)
    for name, span in names.items():
        assert source.lines[span.line - 1][span.column : span.end_column] == name


def walk_names(source: Source) -> list[ast.Name]:
    return [node for node in ast.walk(source.module) if isinstance(node, ast.Name)]
