"""What each kind of edit does to a text, at one place of it."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from distify.codemods import edits
from distify.codemods.applying.matching import Walks
from distify.codemods.edits import (
    At,
    Chain,
    Choose,
    Dissolve,
    DropArgument,
    DropBranch,
    DropNames,
    Edit,
    Empty,
    Enter,
    Fold,
    FoldCall,
    Guard,
    Hoist,
    Insert,
    LeaveBlock,
    Name,
    NameArgument,
    Narrow,
    Nest,
    Places,
    Prepend,
    PutLater,
    Remark,
    Remove,
    Rename,
    Replace,
    SetArgument,
    SetField,
    Spread,
    TakeOut,
    Wrap,
    WrapArgument,
)
from distify.codemods.edits.limit import set_limit
from distify.codemods.rewrites import Query
from distify.codemods.syntax import Source, parse, resolve

LONG = "a_name_of_20_letters"


def edited(text: str, pieces: list[str], *made: Edit) -> str:
    """The text after edits of one place (and others along), made by a chain of one link each."""
    source = Source(text)
    tree = parse(text, source.module)
    set_limit(tree, 88, text)
    nodes = [n for n in ast.walk(source.module) if isinstance(n, (ast.stmt, ast.expr))]
    found = [next(n for n in nodes if _text(source, n) == piece) for piece in pieces]
    places = Places([At(found[0], edit, tuple(found[1:])) for edit in made])
    places.resolve(resolve(tree, source, places.nodes))
    for edit in made:
        name = type(edit).__name__
        modifier = "".join("_" * bool(n) * c.isupper() + c.lower() for n, c in enumerate(name))
        query = Query().select("any").filter(places.each(type(edit)))
        (fixer,) = query.modify(getattr(edits, modifier)).compile()
        Walks(tree).run(fixer, "x.py")
    assert places.left() == []
    ast.parse(str(tree))
    return str(tree)


def _text(source: Source, node: ast.AST) -> str:
    start, end = source.offsets(node)
    return source.text[start:end]


CASES: dict[str, tuple[Edit, str, str, str]] = {
    "fields of an f-string": (
        SetField("a.b", "g(a.b)"), "f('a.b', rf'{a.b:4}{{a.b}} {{{ a.b!r}}}' '{a.b}' F'{a.bc}{a.b + 1}{c.a.b}')\n",
        "rf'{a.b:4}{{a.b}} {{{ a.b!r}}}' '{a.b}' F'{a.bc}{a.b + 1}{c.a.b}'",
        "f('a.b', rf'{g(a.b):4}{{a.b}} {{{ g(a.b)!r}}}' '{a.b}' F'{a.bc}{a.b + 1}{c.a.b}')\n",
    ),
    "lines on both sides": (
        Insert("a = 1\n", "b = 2\n"), "if x:\n  f()\n", "f()",
        "if x:\n  a = 1\n  f()\n  b = 2\n",
    ),
    "lines where a block begins": (
        Enter("a = 1\n"), "with x:\n  # b\n  f()\n", "with x:\n  # b\n  f()\n".rstrip(),
        "with x:\n  # b\n  a = 1\n  f()\n",
    ),
    "lines where a block of one line begins": (
        Enter("a = 1\n"), "with x: f(); g()\n", "with x: f(); g()",
        "with x:\n    a = 1\n    f()\n    g()\n",
    ),
    "a comment behind a statement": (
        Remark("# why"), "f(\n  1,\n)\ng()\n", "f(\n  1,\n)", "f(\n  1,\n)  # why\ng()\n",
    ),
    "a comment behind another one": (
        Remark("# why"), "f()  # x\n", "f()", "f()  # x  # why\n",
    ),
    "a comment behind the head of a block": (
        Remark("# why"), "for x in y:\n  f()\ng()\n", "for x in y:\n  f()", "for x in y:  # why\n  f()\ng()\n",
    ),
    "lines above what was inserted": (
        Insert("a = 1\n", distance=2), "b\nc\nf()\n", "f()", "a = 1\nb\nc\nf()\n",
    ),
    "lines below what was inserted": (
        Insert(after="a = 1\n", distance=1), "f()\nb\nc\n", "f()", "f()\nb\na = 1\nc\n",
    ),
    "lines between statements of one line": (
        Insert("a = 1\n"), "f(); g(); h()\n", "g()", "f()\na = 1\ng()\nh()\n",
    ),
    "a call that is too long": (
        Insert(f"a = f({LONG}, {LONG}, {LONG}, 123456789012)\n", fold=True), "if x: g()\n", "g()",
        f"if x:\n    a = f(\n        {LONG}, {LONG}, {LONG}, 123456789012\n    )\n    g()\n",
    ),
    "a call that is just not too long": (
        Insert(f"a = f({LONG}, {LONG}, {LONG}, 123456789012345)\n", fold=True), "g()\n", "g()",
        f"a = f({LONG}, {LONG}, {LONG}, 123456789012345)\ng()\n",
    ),
    "a call that is too long and stays so": (
        Insert(f"a = f({LONG}, {LONG}, {LONG}, 1234567890123456)\n"), "g()\n", "g()",
        f"a = f({LONG}, {LONG}, {LONG}, 1234567890123456)\ng()\n",
    ),
    "what is no call is not broken": (
        Insert(f"a, b = {LONG}[{LONG}], {LONG}[{LONG}]\nc = {LONG}.{LONG}.{LONG}[{LONG}]\n", fold=True),
        "g()\n", "g()",
        f"a, b = {LONG}[{LONG}], {LONG}[{LONG}]\nc = {LONG}.{LONG}.{LONG}[{LONG}]\ng()\n",
    ),
    "a statement with all inside": (Remove(), "if x:\n    a\nb\n", "if x:\n    a", "b\n"),
    "one name": (DropNames(("b",)), "from a import b, c\n", "from a import b, c", "from a import c\n"),
    "a name in the middle": (
        DropNames(("c",)), "from a import (b,\n  c,  # k\n  d)\n", "from a import (b,\n  c,  # k\n  d)",
        "from a import (b,\n  d)\n",
    ),
    "the last name": (DropNames(("c",)), "import a, b.d as c\n", "import a, b.d as c", "import a\n"),
    "a package by its first name": (DropNames(("a",)), "import a.b, c\n", "import a.b, c", "import c\n"),
    "all names": (DropNames(("b", "d")), "from a import b, c as d\ne\n", "from a import b, c as d", "e\n"),
    "the only name": (DropNames(("a",)), "import a\ne\n", "import a", "e\n"),
    "a branch goes": (
        DropBranch(), "if a:\n    f()\nelif b:\n    # g\n    g()\nelse:\n    h()\n",
        "if a:\n    f()\nelif b:\n    # g\n    g()\nelse:\n    h()",
        "if b:\n    # g\n    g()\nelse:\n    h()\n",
    ),
    "a block is all that stays": (
        Dissolve(), "a\n\n# b\nif c:  # d\n    # e\n    f(\n        1)\n    g\nh\n",
        "if c:  # d\n    # e\n    f(\n        1)\n    g",
        "a\n\n# b\n# d\n# e\nf(\n    1)\ng\nh\n",
    ),
    "a block on the line of its head": (
        Dissolve(), "if a:\n    if b: c; d\n", "if b: c; d", "if a:\n    c\n    d\n",
    ),
    "a test is added": (Narrow("t"), "if x or y:\n    f()\n", "x or y", "if (x or y) and t:\n    f()\n"),
    "another expression": (Replace("n"), "a = (f(x)) * 2\n", "f(x)", "a = n * 2\n"),
    "another one, in parentheses where operators need them": (Replace("b + c"), "a = 2 * x\n", "x", "a = 2 * (b + c)\n"),
    "a part of a larger expression": (Wrap("g(_) + 1"), "a = f(x) * 2\n", "f(x)", "a = (g(f(x)) + 1) * 2\n"),
    "the hole is a name of its own": (Wrap("a_b(_x, _)"), "f(x)\n", "x", "f(a_b(_x, x))\n"),
    "a choice": (Choose("_ if t else g()"), "a = f(x)\n", "f(x)", "a = f(x) if t else g()\n"),
    "a choice that is too long": (
        Choose(f"_ if {LONG} else {LONG}()"), f"abcdefghij_klm = {LONG}(x)\n", f"{LONG}(x)",
        f"abcdefghij_klm = (\n    {LONG}(x) if {LONG} else {LONG}()\n)\n",
    ),
    "a choice that is too long for two lines": (
        Choose(f"_ if {LONG} else {LONG}({LONG})"), f"return_ = {LONG}(x)\n", f"{LONG}(x)",
        f"return_ = (\n    {LONG}(x)\n    if {LONG}\n    else {LONG}({LONG})\n)\n",
    ),
    "a choice within a call that is too long": (
        Choose(f"_ if {LONG} else None"), f"abcdefghij({LONG}, {LONG}(x))\n", f"{LONG}(x)",
        f"abcdefghij(\n    {LONG}, {LONG}(x) if {LONG} else None\n)\n",
    ),
    "calls behind a name": (Chain("_.a().b(1)"), "x = ds\n", "ds", "x = ds.a().b(1)\n"),
    "calls in the middle of a chain": (
        Chain("_.a()"), "x = ds.c().d()\n", "ds.c()", "x = ds.c().a().d()\n",
    ),
    "calls in a chain with lines": (
        Chain("_.a()"), "x = (\n    ds.c()  # k\n    .d()\n)\n", "ds.c()",
        "x = (\n    ds.c()  # k\n    .a()\n    .d()\n)\n",
    ),
    "calls that are too long for the head of a loop": (
        Chain("_.batch(123).repeat()"), f"for x in {LONG}.{LONG}().{LONG}():\n    pass\n", f"{LONG}.{LONG}().{LONG}()",
        f"for x in (\n    {LONG}.{LONG}()\n    .{LONG}()\n    .batch(123)\n    .repeat()\n):\n    pass\n",
    ),
    "calls behind a name that it gets": (
        Chain("_.a(len(n))", name="n"), "x = ds.c(1).d()\n", "ds.c(1)",
        "n = ds.c(1)\nx = n.a(len(n)).d()\n",
    ),
    "a short call behind a long one": (
        Chain("_.shard(1)"), f"x = {LONG}.{LONG}({LONG}, {LONG})\n", f"{LONG}.{LONG}({LONG}, {LONG})",
        f"x = (\n    {LONG}.{LONG}({LONG}, {LONG})\n    .shard(1)\n)\n",
    ),
    "calls behind what is no chain": (Chain("_.a()"), "x = b + c\n", "b + c", "x = (b + c).a()\n"),
    "calls behind what is awaited": (
        Chain("_.a()"), "async def f():\n    x = await b\n", "await b",
        "async def f():\n    x = (await b).a()\n",
    ),
    "a chain that gets too long": (
        Chain("_.batch(123).repeat()"), f"x = {LONG}.{LONG}().{LONG}()\n", f"{LONG}.{LONG}().{LONG}()",
        f"x = (\n    {LONG}.{LONG}()\n    .{LONG}()\n    .batch(123)\n    .repeat()\n)\n",
    ),
    "a chain that gets too long in a call": (
        Chain("_.batch(123).repeat()"), f"f({LONG}.{LONG}().{LONG}(), 1)\n", f"{LONG}.{LONG}().{LONG}()",
        f"f(\n    {LONG}.{LONG}()\n    .{LONG}()\n    .batch(123)\n    .repeat(),\n    1,\n)\n",
    ),
    "a chain that gets too long as a keyword": (
        Chain("_.batch(123).repeat()"), f"f(1, a={LONG}.{LONG}().{LONG}())\n", f"{LONG}.{LONG}().{LONG}()",
        f"f(\n    1,\n    a=(\n        {LONG}.{LONG}()\n        .{LONG}()\n        .batch(123)\n"
        "        .repeat()\n    ),\n)\n",
    ),
    "a chain that gets too long in a pair": (
        Chain("_.batch(123).repeat()"), f"a, b = {LONG}.{LONG}().{LONG}(), 1\n", f"{LONG}.{LONG}().{LONG}()",
        f"a, b = (\n    {LONG}.{LONG}()\n    .{LONG}()\n    .batch(123)\n    .repeat()\n), 1\n",
    ),
    "an element": (Spread("*([_] if t else [])"), "a = [b, (c), d]\n", "c", "a = [b, *([(c)] if t else []), d]\n"),
    "an argument whose lines are aligned with it": (
        Hoist("r"), "p('a', f(1,\n         2,\n         g(3)))\n", "f(1,\n         2,\n         g(3))",
        "r = f(1,\n      2,\n      g(3))\np('a', r)\n",
    ),
    "an argument over lines of its own": (
        Hoist("r"), "if x:\n    p(\n        'a',\n        f(\n            1, \"\"\"a\n  b\"\"\"\n        ),\n    )\n",
        "f(\n            1, \"\"\"a\n  b\"\"\"\n        )",
        "if x:\n    r = f(\n        1, \"\"\"a\n  b\"\"\"\n    )\n    p(\n        'a',\n        r,\n    )\n",
    ),
    "an argument with a hanging indent": (
        Hoist("r"), "p('a', f(\n    1))\n", "f(\n    1)", "r = f(\n    1)\np('a', r)\n",
    ),
    "an argument before its statement": (
        Hoist("r"), "if x: f(1, g(\n  2))\n", "g(\n  2)", "if x:\n    r = g(\n  2)\n    f(1, r)\n",
    ),
    "what needs parentheses by itself": (
        Hoist("r"), "f(a\n  + b)\n", "a\n  + b", "r = (a\n     + b)\nf(r)\n",
    ),
    "what has parentheses of its own": (
        Hoist("r"), "def f():\n    return (\n        g()\n        .h()\n    )  # k\n", "g()\n        .h()",
        "def f():\n    r = (\n        g()\n        .h()\n    )\n    return r  # k\n",
    ),
    "what has parentheses behind a word": (
        Hoist("r"), "def f():\n    return((g()))\n", "g()", "def f():\n    r = ((g()))\n    return r\n",
    ),
    "a part of a tuple": (Hoist("r"), "a = (g(),)\nb = (g(2), 1)\n", "g()", "r = g()\na = (r,)\nb = (g(2), 1)\n"),
    "what was unpacked": (Hoist("r", "*"), "f(*g())\n", "g()", "r = [*g()]\nf(*r)\n"),
    "what was unpacked by name": (Hoist("r", "**"), "f(**g())\n", "g()", "r = {**g()}\nf(**r)\n"),
    "before what was hoisted earlier": (
        Hoist("r", distance=1), "a\nf(g())\n", "g()", "r = g()\na\nf(r)\n",
    ),
    "only if a test holds": (Hoist("r", only_if="t"), "f(g())\n", "g()", "r = g() if t else None\nf(r)\n"),
    "a choice of the name": (
        Hoist("r", template="_ if t else n"), "f(g())\n", "g()", "r = g()\nf(r if t else n)\n",
    ),
    "an argument behind the statement": (
        TakeOut("lr", 0, "0", "a.lr = _  # k\n"), "if x:\n\ta = f(g(1), 2)\nb\n", "f(g(1), 2)",
        "if x:\n\ta = f(0, 2)\n\ta.lr = g(1)  # k\nb\n",
    ),
    "comments in an argument move along": (
        Hoist("r"), "if x:\n    f(\n        g(\n            # k\n\n            1,\n        )\n    )\n",
        "g(\n            # k\n\n            1,\n        )",
        "if x:\n    r = g(\n        # k\n\n        1,\n    )\n    f(r)\n",
    ),
    "tabs of an argument, too": (
        Hoist("r"), "if x:\n\tf(\n\t\tg(\n\t\t\t1,\n\t\t),\n\t)\n", "g(\n\t\t\t1,\n\t\t)",
        "if x:\n\tr = g(\n\t\t1,\n\t)\n\tf(\n\t\tr,\n\t)\n",
    ),
    "a copy under a name": (
        Name("n", "use(n)\n", "list(_)"), "a = f(g(\n    1,\n)).h\n", "g(\n    1,\n)",
        "n = list(g(\n    1,\n))\nuse(n)\na = f(n).h\n",
    ),
    "what fits into its line again": (
        Name("n"), "if x:\n    f(\n        a=g(1), b=2\n    )\n", "g(1)", "if x:\n    n = g(1)\n    f(a=n, b=2)\n",
    ),
    "what is called on it": (Name("n"), "a = g(1).h(\n    2\n)\n", "g(1)", "n = g(1)\na = n.h(2)\n"),
    "what fits again behind its backslash": (Name("n"), "a = g(1) \\\n    .h()\n", "g(1)", "n = g(1)\na = n.h()\n"),
    "a line of its own for several": (
        Hoist("r"), "f('a',\n  g(1,\n    2))\n", "g(1,\n    2)", "r = g(1,\n      2)\nf('a', r)\n",
    ),
    "an item a line is somebody's layout": (
        Hoist("r"), "f('a',\n  g(1),\n  b)\n", "g(1)", "r = g(1)\nf('a',\n  r,\n  b)\n",
    ),
    "the comment of an argument with a line of its own": (
        Name("n", "use(n)\n"), "f(\n    a=g(1),  # k\n    b=2,  # l\n)  # m\n", "g(1)",
        "n = g(1)  # k\nuse(n)\nf(\n    a=n,\n    b=2,  # l\n)  # m\n",
    ),
    "the comment of a last argument": (
        Hoist("n"), "f(\r\n    b,  # l\r\n    g(\r\n        1\r\n    )  # k\r\n    # o\r\n)\r\n", "g(\r\n        1\r\n    )",
        "n = g(\r\n    1\r\n)  # k\r\nf(\r\n    b,  # l\r\n    n\r\n    # o\r\n)\r\n",
    ),
    "the comment of several arguments stays": (
        Name("n"), "f(\n    g(1), 2,  # k\n)\n", "g(1)", "n = g(1)\nf(\n    n, 2,  # k\n)\n",
    ),
    "so does one of a part of an argument": (
        Name("n"), "f(\n    1 + g(1),  # k\n)\n", "g(1)", "n = g(1)\nf(\n    1 + n,  # k\n)\n",
    ),
    "and one that speaks to distify": (
        Name("n"), "f(\n    g(1),  # distify: ignore[T07] k\n)\n", "g(1)",
        "n = g(1)\nf(\n    n,  # distify: ignore[T07] k\n)\n",
    ),
    "so is a last comma": (Name("n"), "f(\n    g(1),\n)\n", "g(1)", "n = g(1)\nf(\n    n,\n)\n"),
    "a comment has its line": (
        Name("n"), "f(  # k\n    g(1)\n)\n", "g(1)", "n = g(1)\nf(  # k\n    n\n)\n",
    ),
    "what stays too long": (
        Name("n"), f"{LONG}(\n    g(1), {LONG}, {LONG}, {LONG}\n)\n", "g(1)",
        f"n = g(1)\n{LONG}(\n    n, {LONG}, {LONG}, {LONG}\n)\n",
    ),
    "a copy of lines that hang": (
        Name("n"), "if x:\n    if y:\n        f(g(1,\n            2))\n", "g(1,\n            2)",
        "if x:\n    if y:\n        n = g(1,\n            2)\n        f(n)\n",
    ),
    "a copy without one of its arguments": (
        Name("n", "n = w(n)\n", first=TakeOut("lr", 0, "0", "n.lr = _\n")), "f(g(lr=h(1)))\n", "g(lr=h(1))",
        "n = g(lr=0)\nn = w(n)\nn.lr = h(1)\nf(n)\n",
    ),
    "an argument under a name": (
        NameArgument("b", 1, Name("n", "w(n)\n")), "x = f(1, g(2))\n", "f(1, g(2))",
        "n = g(2)\nw(n)\nx = f(1, n)\n",
    ),
    "an argument by position is replaced": (SetArgument("v", "1", 1), "f(a, b)\n", "f(a, b)", "f(a, 1)\n"),
    "an argument that is not there by position": (
        SetArgument("v", "1", 1), "f(a)\n", "f(a)", "f(a, v=1)\n",
    ),
    "an argument is wrapped": (WrapArgument("v", "_ * 2"), "f(v=a + b)\n", "f(v=a + b)", "f(v=(a + b) * 2)\n"),
    "an argument by position is wrapped": (
        WrapArgument("v", "[_]", 0, "9"), "f(a)\n", "f(a)", "f([a])\n",
    ),
    "a default is wrapped": (WrapArgument("v", "_ or _v", 1, "9"), "f(a)\n", "f(a)", "f(a, v=9 or _v)\n"),
    "elements first": (Prepend("v", "1, 2"), "f(v=[a])\n", "f(v=[a])", "f(v=[1, 2, a])\n"),
    "elements of nothing": (Prepend("v", "1, 2", 0), "f([])\n", "f([])", "f([1, 2])\n"),
    "elements on lines": (
        Prepend("v", "1, 2"), "f(v=[  # k\n    # l\n    a,\n])\n", "f(v=[  # k\n    # l\n    a,\n])",
        "f(v=[  # k\n    1,\n    2,\n    # l\n    a,\n])\n",
    ),
    "an argument less": (DropArgument("c"), "a(1, c=2, d=3)\n", "a(1, c=2, d=3)", "a(1, d=3)\n"),
    "the first argument less": (DropArgument("c"), "a(c=2, d=3)\n", "a(c=2, d=3)", "a(d=3)\n"),
    "the last argument less": (DropArgument("c"), "a(1, c=2)\n", "a(1, c=2)", "a(1)\n"),
    "the only argument less": (DropArgument("c"), "a(c=2)\n", "a(c=2)", "a()\n"),
    "the last argument of lines less": (
        DropArgument("c"),
        "a(\n    1,\n    c=2,\n)\n",
        "a(\n    1,\n    c=2,\n)",
        "a(\n    1,\n)\n",
    ),
    "no arguments": (Empty(), "x = a.b(1, c=2).d(e)\n", "a.b(1, c=2)", "x = a.b().d(e)\n"),
    "no arguments at the end": (Empty(), "x = a(g).b(\n    f(1),\n)\n", "a(g).b(\n    f(1),\n)", "x = a(g).b()\n"),
    "no arguments where there are none": (Empty(), "a()\n", "a()", "a()\n"),
    "another function": (Rename("b"), "m.a.a(a)\n", "m.a.a(a)", "m.a.b(a)\n"),
    "another function by a name": (Rename("b"), "x = a(a)\n", "a(a)", "x = b(a)\n"),
    "all around a place": (
        Fold(), f"{LONG}_f({LONG}, {LONG}, g({LONG}, 1))\n", LONG, f"{LONG}_f(\n    {LONG}, {LONG}, g({LONG}, 1)\n)\n"
    ),
    "around the arguments": (
        FoldCall(), f"{LONG}_f({LONG}, {LONG}, g({LONG}, 1))\n", f"g({LONG}, 1)",
        f"{LONG}_f(\n    {LONG}, {LONG}, g({LONG}, 1)\n)\n",
    ),
    "within the call alone": (
        FoldCall(alone=True), f"{LONG}_f({LONG}, {LONG}, g({LONG}, 1))\n", f"g({LONG}, 1)",
        f"{LONG}_f({LONG}, {LONG}, g(\n    {LONG}, 1\n))\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_edit(case: str) -> None:
    edit, before, piece, after = CASES[case]
    assert edited(before, [piece], edit) == after


LATER = {
    "the last ones": (
        PutLater("a", "t"),
        "a = [b, c, d]\n",
        ["[b, c, d]", "c", "d"],
        "a = [b]\nif t:\n    a += [c, d]\n",
    ),
    "all": (
        PutLater("a", "t"),
        "a = [\n    b,\n]\n",
        ["[\n    b,\n]", "b"],
        "a = []\nif t:\n    a.append(b)\n",
    ),
    "the first one, too": (
        PutLater("a", "t", first=1),
        "a = [b, c, d]\n",
        ["[b, c, d]", "b", "d"],
        "a = [c]\nif t:\n    a.insert(0, b)\n    a.append(d)\n",
    ),
    "of a call": (
        PutLater("a", "t", is_bound=False),
        "f(x=[b, c])\n",
        ["[b, c]", "c"],
        "a = [b]\nif t:\n    a.append(c)\nf(x=a)\n",
    ),
    "in lines of their own": (
        PutLater("a", "t"),
        "if x:\n    a = [\n        b,  # k\n        c,\n        d(\n            1\n        ),\n    ]  # l\n",
        [
            "[\n        b,  # k\n        c,\n        d(\n            1\n        ),\n    ]",
            "d(\n            1\n        )",
        ],
        "if x:\n    a = [\n        b,  # k\n        c,\n    ]  # l\n    if t:\n        a.append(d(\n            1\n        ))\n",
    ),
    "a comment of the one before": (
        PutLater("a", "t"),
        "a = [\n    b,  # k\n    c\n]\n",
        ["[\n    b,  # k\n    c\n]", "c"],
        "a = [\n    b  # k\n]\nif t:\n    a.append(c)\n",
    ),
}


@pytest.mark.parametrize("case", LATER)
def test_elements_are_put_in_later(case: str) -> None:
    edit, before, pieces, after = LATER[case]
    assert edited(before, pieces, edit) == after


CHAIN = f"{LONG}_f({LONG}).a({LONG}).b({LONG}, 1)"


@pytest.mark.parametrize("begin", ["x = ", "return ", "x, y = 1, "])
def test_a_chain_that_is_a_value_is_broken_before_its_dots(begin: str) -> None:
    parts = f"    {LONG}_f({LONG})\n    .a({LONG})\n    .b({LONG}, 1)\n"
    assert edited(f"{begin}{CHAIN}\n", [CHAIN], Fold()) == f"{begin}(\n{parts})\n"


def test_a_chain_with_lines_between_its_brackets_is_broken_before_its_dots() -> None:
    last = ".map(\n    g,  # h\n    1\n)"
    begin = f"{LONG}_f({LONG}).a({LONG}, {LONG})"
    parts = f"    {LONG}_f({LONG})\n    .a({LONG}, {LONG})\n"
    after = f"x = (\n{parts}    .b()\n    .map(\n        g,  # h\n        1\n    )\n)\n"
    assert edited(f"x = {begin}{last}\n", [begin], Chain("_.b()")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"x = 1 + {CHAIN}\n", f"x = 1 + {CHAIN}\n"),
        (f"{LONG}(*{CHAIN})\n", f"{LONG}(\n    *{CHAIN[:-len(LONG) - 4]}\n        {LONG}, 1\n    )\n)\n"),
    ],
    ids=["a sum", "arguments in a list"],
)  # fmt: skip
def test_a_chain_that_is_a_part_of_a_value_stays_whole(before: str, after: str) -> None:
    assert edited(before, [CHAIN], Fold()) == after


def test_edits_of_several_kinds_at_one_place() -> None:
    made = (SetArgument("v", "1"), WrapArgument("v", "_ + 1"), Insert("a\n"), Wrap("g(_)"))
    assert edited("x = f()\n", ["f()"], *made) == "a\nx = g(f(v=1 + 1))\n"


def test_statements_leave_their_block() -> None:
    text = "with a as b:\n    c\n    # d\n    e(\n        1)\n    f\ng\n"
    pieces = ["with a as b:\n    c\n    # d\n    e(\n        1)\n    f", "e(\n        1)", "f"]
    assert edited(text, pieces, LeaveBlock()) == "with a as b:\n    c\n# d\ne(\n    1)\nf\ng\n"


def test_statements_that_share_a_line_leave_their_block() -> None:
    pieces = ["with a: b; c; d", "c", "d"]
    assert edited("with a: b; c; d\n", pieces, LeaveBlock()) == "with a:\n    b\nc\nd\n"


def test_items_of_a_with_get_one_of_their_own() -> None:
    text = "with a as b, c, d as e:\n    # f\n    f(\n        1)\n    g\n    h\n"
    pieces = [text[:-1], "f(\n        1)", "g"]
    inner = "        f(\n            1)\n        g\n    h\n"
    assert edited(text, pieces, Nest(1)) == f"with a as b, c:\n    # f\n    with d as e:\n{inner}"
    assert edited(text, pieces, Nest(2)) == f"with a as b:\n    # f\n    with c, d as e:\n{inner}"


def test_statements_leave_an_asynchronous_block() -> None:
    text = "async def f():\n  async with a as b:\n    c\n    d\n"
    pieces = ["async with a as b:\n    c\n    d", "d"]
    wanted = "async def f():\n  async with a as b:\n    c\n  d\n"
    assert edited(text, pieces, LeaveBlock()) == wanted


def test_statements_go_under_one_guard() -> None:
    assert edited("a\nb\nc\n", ["a", "b"], Guard("t")) == "if t:\n    a\n    b\nc\n"


def test_what_goes_along_with_a_removed_statement_goes() -> None:
    text = "if x:\n    a  # k\nb\n"
    assert edited(text, ["if x:\n    a  # k".partition("  #")[0], "a"], Remove()) == "# k\nb\n"


@pytest.mark.parametrize(
    "edit",
    [WrapArgument("v", "_ + 1"), NameArgument("v", 3, Name("n")), Prepend("v", "1"), FoldCall("v")],
)
def test_an_argument_that_must_be_there(edit: Any) -> None:
    with pytest.raises(ValueError, match="f\\(1\\) has no argument v"):
        edited("f(1)\n", ["f(1)"], edit)
