"""Edits look as if the author had made them: layout, comments and quotes of the file are kept."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.edits import Guard, Insert, Remove, SetArgument, Wrap, modifiers
from distify.codemods.edits.argument_edits import argument
from distify.codemods.edits.expression_edits import expression, match_quotes, replace_expression
from distify.codemods.syntax import LN, Node, Source, parse, resolve

RANK = "hvd.rank() == 0"


def at(text: str, *pieces: str) -> tuple[Node, list[LN]]:
    """The tree of a text and the nodes that have these source texts."""
    source = Source(text)
    tree = parse(text, source.module)
    nodes = [n for n in ast.walk(source.module) if isinstance(n, (ast.stmt, ast.expr))]
    found = [next(n for n in nodes if _text(source, n) == piece) for piece in pieces]
    resolved = resolve(tree, source, found)
    return tree, [resolved[node] for node in found]


def _text(source: Source, node: ast.AST) -> str:
    start, end = source.offsets(node)
    return source.text[start:end]


def inserted(where: str, text: str, piece: str, lines: str) -> str:
    tree, (node,) = at(text, piece)
    modifiers.insert(node, Insert(**{where: lines}))
    return checked(tree)


def checked(tree: Node) -> str:
    text = str(tree)
    ast.parse(text.lstrip("\ufeff"))
    return text


BEFORE = {
    "the file's indentation": (
        "if x:\n\tf()\n",
        "f()",
        "if y:\n    g(\n        1\n    )\n",
        "if x:\n\tif y:\n\t\tg(\n\t\t\t1\n\t\t)\n\tf()\n",
    ),
    "two spaces, known from elsewhere": (
        "f()\nif x:\n  g()\n",
        "f()",
        "if y:\n    h()\n",
        "if y:\n  h()\nf()\nif x:\n  g()\n",
    ),
    "below the comments that lead the statement": (
        "a\n\n# train\nfit()\n",
        "fit()",
        "n = 1\n",
        "a\n\n# train\nn = 1\nfit()\n",
    ),
    "a paragraph of its own goes above them": (
        "a\n\n# train\nfit()\n",
        "fit()",
        "n = 1\n\n",
        "a\n\nn = 1\n\n# train\nfit()\n",
    ),
    "but not above what must stay first": (
        "#!/usr/bin/python\n# coding: utf-8\nfit()\n",
        "fit()",
        "\nn = 1\n\n",
        "#!/usr/bin/python\n# coding: utf-8\n\nn = 1\n\nfit()\n",
    ),
    "no blank lines more than there are": (
        "a\n\n\nfit()\n",
        "fit()",
        "\nn = 1\n",
        "a\n\n\nn = 1\nfit()\n",
    ),
    "a one-line suite": (
        "if x: fit()  # go\nelse: pass\n",
        "fit()",
        "n = 1\n",
        "if x:\n    n = 1\n    fit()  # go\nelse: pass\n",
    ),
    "a one-line else": (
        "for x in y:\n  if x: f()\n  else: fit()  # go\n",
        "fit()",
        "n = 1\n",
        "for x in y:\n  if x: f()\n  else:\n    n = 1\n    fit()  # go\n",
    ),
    "a one-line elif": (
        "if x: f()\nelif y: fit()\n",
        "fit()",
        "n = 1\n",
        "if x: f()\nelif y:\n    n = 1\n    fit()\n",
    ),
    "a one-line class and method": (
        "class A:\n  def f(self): return fit()\n",
        "return fit()",
        "n = 1\n",
        "class A:\n  def f(self):\n    n = 1\n    return fit()\n",
    ),
    "a one-line case": (
        "match x:\n  case 1: fit()\n",
        "fit()",
        "n = 1\n",
        "match x:\n  case 1:\n    n = 1\n    fit()\n",
    ),
    "semicolons": (
        "if x:\n    a = 1; fit(); c = 2  # k\n",
        "fit()",
        "n = 1\n",
        "if x:\n    a = 1\n    n = 1\n    fit()\n    c = 2  # k\n",
    ),
    "semicolons in a one-line suite": (
        "while x: a = 1; fit();  # k\n",
        "fit()",
        "n = 1\n",
        "while x:\n    a = 1\n    n = 1\n    fit()  # k\n",
    ),
    "decorators": (
        "@d\n@e(1)\ndef f():\n    pass\n",
        "e(1)",
        "n = 1\n",
        "n = 1\n@d\n@e(1)\ndef f():\n    pass\n",
    ),
    "CRLF": ("if x:\r\n  fit()\r\n", "fit()", "a\nb\n", "if x:\r\n  a\r\n  b\r\n  fit()\r\n"),
    "CR": ("if x:\r  fit()\r", "fit()", "a\nb\n", "if x:\r  a\r  b\r  fit()\r"),
    "form feeds": ("a\n\f\nfit()\n", "fit()", "n = 1\n", "a\n\f\nn = 1\nfit()\n"),
    "the file's quotes": ("a = 'x'\nfit()\n", "fit()", 'n = "y"\n', "a = 'x'\nn = 'y'\nfit()\n"),
    "a docstring in the file's own layout": (
        "if x:\r\n\tfit()\r\n",
        "fit()",
        'def f():\n    """A.\n\n    B.\n        C.\n    """\n    s = """\n    """\n',
        'if x:\r\n\tdef f():\r\n\t\t"""A.\r\n\r\n\t\tB.\r\n\t\t\tC.\r\n\t\t"""\r\n'
        '\t\ts = """\n    """\r\n\tfit()\r\n',
    ),
    "no final newline": ("fit()", "fit()", "n = 1\n", "n = 1\nfit()"),
    "below the head of the file": (
        "#!/usr/bin/env python\n# Copyright\n\nx = 1\n",
        "x = 1",
        "import os\n",
        "#!/usr/bin/env python\n# Copyright\n\nimport os\nx = 1\n",
    ),
    "a byte order mark": ("\ufeffx = 1\n", "x = 1", "import os\n", "\ufeffimport os\nx = 1\n"),
    "a multi-line header": (
        "with a(\n    1\n) as b, \\\n    c as d:\n    e\n",
        "a(\n    1\n)",
        "n = 1\n",
        "n = 1\nwith a(\n    1\n) as b, \\\n    c as d:\n    e\n",
    ),
}


@pytest.mark.parametrize("case", BEFORE)
def test_insert_before(case: str) -> None:
    if "match" in BEFORE[case][0] and not hasattr(ast, "Match"):
        pytest.skip("this Python knows no match statement")
    text, piece, lines, expected = BEFORE[case]
    assert inserted("before", text, piece, lines) == expected


AFTER = {
    "a docstring": (
        '"""Doc."""\n\nx = 1\n',
        '"""Doc."""',
        "import os\n",
        '"""Doc."""\nimport os\n\nx = 1\n',
    ),
    "a trailing comment stays": ("f()  # c\ng()\n", "f()", "n = 1\n", "f()  # c\nn = 1\ng()\n"),
    "comments of the next statement stay with it": (
        "f()\n# next\ng()\n",
        "f()",
        "n = 1\n",
        "f()\nn = 1\n# next\ng()\n",
    ),
    "the last of a block with comments behind": (
        "if x:\n  f()\n  # inside\n# outside\ng()\n",
        "f()",
        "n = 1\n",
        "if x:\n  f()\n  n = 1\n  # inside\n# outside\ng()\n",
    ),
    "after a block, its last comments stay in it": (
        "if x:\n  f()\n  # inside\n# outside\ng()\n",
        "x",
        "n = 1\n",
        "if x:\n  f()\n  # inside\nn = 1\n# outside\ng()\n",
    ),
    "after nested blocks": (
        "if x:\n  if y:\n    f()\n  g()\n",
        "y",
        "n = 1\n",
        "if x:\n  if y:\n    f()\n  n = 1\n  g()\n",
    ),
    "no final newline": ("if x:\n  f()", "f()", "a\nb\n", "if x:\n  f()\n  a\n  b"),
    "no final newline after a block": ("if x:\n  f()", "x", "a\nb\n", "if x:\n  f()\na\nb"),
    "no final newline after a comment": (
        "if x:\n  f()\n  # c",
        "x",
        "a\n",
        "if x:\n  f()\n  # c\na",
    ),
    "a comment ends the file": ("f()\n# c", "f()", "a\n", "f()\na\n# c"),
    "blank lines around": ("f()\ng()\n", "f()", "\na\n\n", "f()\n\na\n\ng()\n"),
    "blank lines that are there already": (
        "f()\n\n\n# next\ng()\n",
        "f()",
        "\na\n\n",
        "f()\n\na\n\n\n# next\ng()\n",
    ),
    "blank lines at the end of a block": (
        "if x:\n    f()\ng()\n",
        "f()",
        "\na\n\n",
        "if x:\n    f()\n\n    a\ng()\n",
    ),
    "a one-line suite at the end": ("if x: f()", "f()", "a\n", "if x:\n    f()\n    a"),
    "a one-line suite in CRLF": (
        "if x: f()  # c\r\ng()\r\n",
        "f()",
        "a\n",
        "if x:\r\n    f()  # c\r\n    a\r\ng()\r\n",
    ),
    "semicolons": ("f(); g()  # c\n", "f()", "a\n", "f()\na\ng()  # c\n"),
    "a multi-line string": (
        's = """\n  x\n"""  # c\ng()\n',
        's = """\n  x\n"""',
        "a\n",
        's = """\n  x\n"""  # c\na\ng()\n',
    ),
    "a lambda is no suite": ("f = lambda: g()\n", "g()", "a\n", "f = lambda: g()\na\n"),
    "async": (
        "async def f():\n  async with g() as h:\n    pass\n",
        "g()",
        "await a\n",
        "async def f():\n  async with g() as h:\n    pass\n  await a\n",
    ),
}


@pytest.mark.parametrize("case", AFTER)
def test_insert_after(case: str) -> None:
    text, piece, lines, expected = AFTER[case]
    assert inserted("after", text, piece, lines) == expected


REMOVED = {
    "one of several": ("a\nb\nc\n", "b", "a\nc\n"),
    "blank lines are not added up": ("a\n\nb\n\nc\n", "b", "a\n\nc\n"),
    "the larger gap stays": ("a\n\n\nb\nc\n", "b", "a\n\n\nc\n"),
    "the last of a block": ("if x:\n  a\n\n  b\nc\n", "b", "if x:\n  a\nc\n"),
    "the only one of a block": ("if x:\n  b  # why\nc\n", "b", "if x:\n  pass  # why\nc\n"),
    "the only one of a one-line suite": ("if x: b\nelse: c\n", "b", "if x:\n    pass\nelse: c\n"),
    "comments stay": (
        "a\n# over\nb  # beside\n# next\nc\n",
        "b",
        "a\n# over\n# beside\n# next\nc\n",
    ),
    "between semicolons": ("if x:\n    a; b; c  # k\n", "b", "if x:\n    a\n    c  # k\n"),
    "the first": ("b\n\na\n", "b", "a\n"),
    "without a final newline": ("a\nb", "b", "a"),
    "a byte order mark stays": ("\ufeffb\na\n", "b", "\ufeffa\n"),
}


@pytest.mark.parametrize("case", REMOVED)
def test_remove_statement(case: str) -> None:
    text, piece, expected = REMOVED[case]
    tree, (node,) = at(text, piece)
    modifiers.remove(node, Remove())
    assert checked(tree) == expected


GUARDED = {
    "one statement": ("f()  # c\ng()\n", ["f()"], "if RANK:\n    f()  # c\ng()\n"),
    "several, with comments between": (
        "# over\nf()\n\n# between\ng()  # beside\n# next\nh()\n",
        ["f()", "g()"],
        "# over\nif RANK:\n    f()\n\n    # between\n    g()  # beside\n# next\nh()\n",
    ),
    "in a block": (
        "for x in y:\n  f()\n  g(1,\n    2)\nh()\n",
        ["f()", "g(1,\n    2)"],
        "for x in y:\n  if RANK:\n    f()\n    g(1,\n      2)\nh()\n",
    ),
    "tabs": (
        "while x:\n\tf(\n\t\t1)\n",
        ["f(\n\t\t1)"],
        "while x:\n\tif RANK:\n\t\tf(\n\t\t\t1)\n",
    ),
    "aligned with spaces below tabs": (
        "while x:\n\tf(1,\n\t  2)\n",
        ["f(1,\n\t  2)"],
        "while x:\n\tif RANK:\n\t\tf(1,\n\t\t  2)\n",
    ),
    "all that an if holds": (
        "if x or y:  # c\n    f()\n    # d\n    g()\n",
        ["f()", "g()"],
        "if (x or y) and RANK:  # c\n    f()\n    # d\n    g()\n",
    ),
    "not all that an if holds": (
        "if x:\n    f()\n    g()\n",
        ["f()"],
        "if x:\n    if RANK:\n        f()\n    g()\n",
    ),
    "an if with an else": (
        "if x:\n    f()\nelse:\n    g()\n",
        ["f()"],
        "if x:\n    if RANK:\n        f()\nelse:\n    g()\n",
    ),
    "nothing moves inside strings": (
        'f("""a\n  b\n""", 1,\n  2)\n',
        ['f("""a\n  b\n""", 1,\n  2)'],
        'if RANK:\n    f("""a\n  b\n""", 1,\n      2)\n',
    ),
    "nor inside f-strings": (
        "f(f'''{a}\n  b{c}\n''')\n",
        ["f(f'''{a}\n  b{c}\n''')"],
        "if RANK:\n    f(f'''{a}\n  b{c}\n''')\n",
    ),
    "nor after a backslash in one": (
        "f('a\\\n  b', \\\n  c)\n",
        ["f('a\\\n  b', \\\n  c)"],
        "if RANK:\n    f('a\\\n  b', \\\n      c)\n",
    ),
    "a whole block": (
        "if x:\n  for a in b:\n    f()\n\n    # end\n  g()\n",
        ["for a in b:\n    f()"],
        "if x:\n  if RANK:\n    for a in b:\n      f()\n\n      # end\n  g()\n",
    ),
    "comments in an argument list": (
        "f(  # c\n    1,\n\n    # d\n)\n",
        ["f(  # c\n    1,\n\n    # d\n)"],
        "if RANK:\n    f(  # c\n        1,\n\n        # d\n    )\n",
    ),
    "a one-line else": (
        "if x: f()\nelse: g()  # c\nh()\n",
        ["g()"],
        "if x: f()\nelif RANK:\n    g()  # c\nh()\n",
    ),
    "all of an else": (
        "if x:\n    f()\n# a\nelse:  # b\n    # c\n    g()\n    h()\n",
        ["g()", "h()"],
        "if x:\n    f()\n# a\nelif RANK:  # b\n    # c\n    g()\n    h()\n",
    ),
    "a part of an else": (
        "if x:\n    f()\nelse:\n    g()\n    h()\n",
        ["g()"],
        "if x:\n    f()\nelse:\n    if RANK:\n        g()\n    h()\n",
    ),
    "the else of a loop": (
        "for x in y:\n    f()\nelse:\n    g()\n",
        ["g()"],
        "for x in y:\n    f()\nelse:\n    if RANK:\n        g()\n",
    ),
    "all of the last elif": (
        "if x:\n    f()\nelif y:\n    g()\n",
        ["g()"],
        "if x:\n    f()\nelif y and RANK:\n    g()\n",
    ),
    "all of an elif before an else": (
        "if x:\n    f()\nelif y:\n    g()\nelse:\n    h()\n",
        ["g()"],
        "if x:\n    f()\nelif y:\n    if RANK:\n        g()\nelse:\n    h()\n",
    ),
    "two of three between semicolons": (
        "f(); g(); h()  # c\n",
        ["g()", "h()"],
        "f()\nif RANK:\n    g()\n    h()  # c\n",
    ),
    "no final newline": ("for x in y: f()", ["f()"], "for x in y:\n    if RANK:\n        f()"),
    "CRLF": ("f(1,\r\n  2)\r\n", ["f(1,\r\n  2)"], "if RANK:\r\n    f(1,\r\n      2)\r\n"),
    "CRLF known from a comment": ("# a\r\nf()", ["f()"], "# a\r\nif RANK:\r\n    f()"),
    "form feed": ("\f\nf()\n\fg()\n", ["f()", "g()"], "\f\nif RANK:\n    f()\n\f    g()\n"),
}


def guard(nodes: list[LN]) -> None:
    modifiers.guard(nodes[0], Guard(RANK), *nodes[1:])


@pytest.mark.parametrize("case", GUARDED)
def test_guard(case: str) -> None:
    text, pieces, expected = GUARDED[case]
    tree, nodes = at(text, *pieces)
    guard(nodes)
    assert checked(tree) == expected.replace("RANK", RANK)


def test_neighbouring_guards_become_one() -> None:
    tree, (f, g, h) = at("f()\ng()  # c\n\nh()\n", "f()", "g()", "h()")
    guard([f])
    guard([g])
    guard([h])
    assert checked(tree) == f"if {RANK}:\n    f()\n    g()  # c\n\nif {RANK}:\n    h()\n"


def test_the_author_s_own_condition_takes_nothing_in() -> None:
    tree, (g,) = at(f"if {RANK}:\n    f()\ng()\n", "g()")
    guard([g])
    assert checked(tree) == f"if {RANK}:\n    f()\nif {RANK}:\n    g()\n"


def test_a_guard_needs_neighbours() -> None:
    tree, (f, h) = at("f()\ng()\nh()\n", "f()", "h()")
    with pytest.raises(ValueError, match="consecutive"):
        guard([f, h])
    assert str(tree) == "f()\ng()\nh()\n"


TIMES = [
    ("f(lr=a)", "a", "f(lr=a * N)"),
    ("f(lr=1e-3)", "1e-3", "f(lr=1e-3 * N)"),
    ("f(lr=a+b)", "a+b", "f(lr=(a+b) * N)"),
    ("f(a - b)", "a - b", "f((a - b) * N)"),
    ("f(a / 2)", "a / 2", "f(a / 2 * N)"),
    ("f(a // b)", "a // b", "f(a // b * N)"),
    ("f(a % b)", "a % b", "f(a % b * N)"),
    ("f(a ** b)", "a ** b", "f(a ** b * N)"),
    ("f(a << b)", "a << b", "f((a << b) * N)"),
    ("f(-x)", "-x", "f(-x * N)"),
    ("f(a or b)", "a or b", "f((a or b) * N)"),
    ("f(not a)", "not a", "f((not a) * N)"),
    ("f(a < b)", "a < b", "f((a < b) * N)"),
    ("f(x if c else y)", "x if c else y", "f((x if c else y) * N)"),
    ("f(lambda: 0)", "lambda: 0", "f((lambda: 0) * N)"),
    ("f((y := 1))", "y := 1", "f((y := 1) * N)"),
    ("f(y := 1)", "y := 1", "f((y := 1) * N)"),
    ("f(*a)", "a", "f(*a * N)"),
    ("f(*a or b)", "a or b", "f(*(a or b) * N)"),
    ("f(**a)", "a", "f(**a * N)"),
    ("x = yield a", "yield a", "x = (yield a) * N"),
    ("async def f(): g(await a)", "await a", "async def f(): g(await a * N)"),
    ("x = a, b", "a", "x = a * N, b"),
    ("x = a ** b", "b", "x = a ** (b * N)"),
    ("x = a ** b", "a", "x = (a * N) ** b"),
    ("x = -a", "a", "x = -(a * N)"),
    ("x = b - a", "a", "x = b - a * N"),
    ("x = b / a", "a", "x = b / (a * N)"),
    ("x = b * a", "a", "x = b * (a * N)"),
    ("x = a * b", "a", "x = a * N * b"),
    ("x = a.b", "a.b", "x = a.b * N"),
    ("x = a.b.c", "a.b", "x = (a.b * N).c"),
    ("x = f(1)(2)", "f(1)", "x = (f(1) * N)(2)"),
    ("x = f(1).g", "f(1)", "x = (f(1) * N).g"),
    ("x = 'a' 'b'", "'a' 'b'", "x = 'a' 'b' * N"),
    ("f(lr=(a + b))", "a + b", "f(lr=(a + b) * N)"),
    ("f(lr=(a\n  + b))", "a\n  + b", "f(lr=(a\n  + b) * N)"),
    ("f(\n  a  # c\n)", "a", "f(\n  a * N  # c\n)"),
    ("f(\n  a\n  + b  # c\n)", "a\n  + b", "f(\n  (a\n  + b) * N  # c\n)"),
    ("f(\n  a +  # c\n  b\n)", "a +  # c\n  b", "f(\n  (a +  # c\n  b) * N\n)"),
    ("x = a + \\\n  b", "a + \\\n  b", "x = (a + \\\n  b) * N"),
    ("f(a=b,  # c\n  d=e)", "e", "f(a=b,  # c\n  d=e * N)"),
    ("return_ = [a for a in b if a]", "b", "return_ = [a for a in b * N if a]"),
    ("x[a:b]", "b", "x[a:b * N]"),
    ("print(a)\n", "print(a)", "print(a) * N\n"),
]


@pytest.mark.parametrize(("text", "piece", "expected"), TIMES)
def test_times_has_parentheses_only_where_they_are_needed(
    text: str, piece: str, expected: str
) -> None:
    tree, (node,) = at(text, piece)
    modifiers.wrap(node, Wrap("_ * hvd.size()"))
    assert checked(tree) == expected.replace("N", "hvd.size()")
    assert any(part is node for part in tree.pre_order())


WRAPPED = [
    ("f(verbose=len(x) + 1)", "len(x) + 1", "f(verbose=len(x) + 1 if R else 0)"),
    ("f(verbose=1)", "1", "f(verbose=1 if R else 0)"),
    ("f(verbose=a or b)", "a or b", "f(verbose=a or b if R else 0)"),
    ("f(verbose=a if b else c)", "a if b else c", "f(verbose=(a if b else c) if R else 0)"),
    ("x = a + 1", "a", "x = (a if R else 0) + 1"),
]


@pytest.mark.parametrize(("text", "piece", "expected"), WRAPPED)
def test_wrap(text: str, piece: str, expected: str) -> None:
    tree, (node,) = at(text, piece)
    modifiers.wrap(node, Wrap(f"_ if {RANK} else 0"))
    assert checked(tree) == expected.replace("R", RANK)


ARGUMENTS = {
    "none yet": ("f()", "f(v=1)"),
    "one": ("f(a)", "f(a, v=1)"),
    "before **": ("f(a, b=1, **k)", "f(a, b=1, v=1, **k)"),
    "before ** alone": ("f(**k)", "f(v=1, **k)"),
    "after *": ("f(*a)", "f(*a, v=1)"),
    "a trailing comma": ("f(a,)", "f(a, v=1,)"),
    "a generator": ("f(x for x in y)", "f((x for x in y), v=1)"),
    "replaced": ("f(a, v=2 + 3, b=1)", "f(a, v=1, b=1)"),
    "replaced, with its comment": ("f(\n  v=2,  # c\n)", "f(\n  v=1,  # c\n)"),
    "one per line": ("f(\n    a,\n    b\n)", "f(\n    a,\n    b,\n    v=1\n)"),
    "one per line, trailing comma": ("f(\n    a,\n    b,\n)", "f(\n    a,\n    b,\n    v=1,\n)"),
    "a comment after the last one": (
        "f(\n    a,\n    b,  # last\n)",
        "f(\n    a,\n    b,  # last\n    v=1,\n)",
    ),
    "a comment after the last one, no comma": (
        "f(\n    a,\n    b  # last\n)",
        "f(\n    a,\n    b,  # last\n    v=1\n)",
    ),
    "hanging": ("f(a,\n  b)", "f(a,\n  b,\n  v=1)"),
    "hanging, a comment before the bracket": (
        "f(a,\n  b  # c\n  )",
        "f(a,\n  b,  # c\n  v=1\n  )",
    ),
    "one per line before **": (
        "f(\n    a,  # first\n    **k  # options\n)",
        "f(\n    a,  # first\n    v=1,\n    **k  # options\n)",
    ),
    "all on the next line": ("f(\n    a, b\n)", "f(\n    a, b, v=1\n)"),
    "several on the last line": ("f(a, b,\n  c, d)", "f(a, b,\n  c, d, v=1)"),
    "the last one ends on a later line": ("f(a, [\n    1,\n])", "f(a, [\n    1,\n], v=1)"),
    "only a comment": ("f(  # c\n  )", "f(v=1  # c\n  )"),
    "spaces inside": ("f( a )", "f( a, v=1 )"),
    "CRLF": ("f(\r\n    a,  # c\r\n)\r\n", "f(\r\n    a,  # c\r\n    v=1,\r\n)\r\n"),
    "CR": ("f(\r    a,\r)\r", "f(\r    a,\r    v=1,\r)\r"),
    "a call of a call's method": ("f(a).g(b)", "f(a).g(b, v=1)"),
    "a nested call": ("f(g(1), h(2))", "f(g(1), h(2), v=1)"),
    "awaited": ("async def m(): await f(a)", "async def m(): await f(a, v=1)"),
    "a power": ("f(a) ** 2", "f(a, v=1) ** 2"),
    "the middle of a chain": ("x.f(a).h", "x.f(a, v=1).h"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_set_argument_follows_the_layout_of_the_call(case: str) -> None:
    text, expected = ARGUMENTS[case]
    source = Source(text)
    tree = parse(text, source.module)
    call = next(n for n in ast.walk(source.module) if isinstance(n, ast.Call))
    modifiers.set_argument(resolve(tree, source, [call])[call], SetArgument("v", "1"))
    assert checked(tree) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(1, 2)", "2"),
        ("f(1, b=3)", "3"),
        ("f(1)", None),
        ("f()", None),
        ("f(*a, 2)", None),
        ("f(1, *a)", None),
        ("f(1, **b)", None),
        ("f(c=1, b=2)", "2"),
        ("f(1, (x for x in y))", "(x for x in y)"),
    ],
)
def test_argument(text: str, expected: str | None) -> None:
    _, (call,) = at(text, text)
    found = argument(call, "b", 1)
    assert (found and str(found).strip()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 'x'", "'GPU'"),
        ('a = "x"', '"GPU"'),
        ("a = 1", '"GPU"'),
        ("a = 'x', 'y', \"z\"", "'GPU'"),
        ("'''x'''", '"GPU"'),
    ],
)
def test_quotes_are_those_of_the_file(text: str, expected: str) -> None:
    tree = parse(text)
    assert quoted('"GPU"', tree) == expected
    assert quoted('"it\'s"', tree) == '"it\'s"'


def quoted(code: str, near: LN) -> str:
    made = expression(code)
    match_quotes([made], near)
    return str(made)


def test_replace_expression_keeps_what_stands_before() -> None:
    tree, (node,) = at("f(a,  # c\n  b)", "b")
    replace_expression(node, "x + y")
    assert checked(tree) == "f(a,  # c\n  x + y)"
