"""Every construct of Python 3.9 to 3.13: read exactly, and each of its nodes found."""

from __future__ import annotations

import ast
import sys

import pytest

from distify.codemods.model import SyntaxProblem
from distify.codemods.syntax import Source, parse

from .test_roundtrip import check_positions

# The Python that first has it, and programs.
CONSTRUCTS = {
    "positional-only parameters": (
        (3, 9),
        [
            "def f(a, /): pass",
            "def f(a, b=1, /, c=2, *, d, **e): pass",
            "lambda a, /, b=1, *c, d=2, **e: a",
            "lambda *, a: a",
            "lambda: (yield)",
            "def f(*, a=1,): pass",
        ],
    ),
    "annotations": (
        (3, 9),
        [
            "def f(a: int = 1, *b: str, **c: 'x') -> (yield): pass",
            "x: int",
            "x: int = yield",
            "(x): int = 1",
            "x.y[0]: a.b = 1, 2",
            "x: int = *a, b",
        ],
    ),
    "parenthesised with": (
        (3, 9),
        [
            "with (a): pass",
            "with (a, b): pass",
            "with (a, b) as c: pass",
            "with (a as b): pass",
            "with (a as b, c as d,): pass",
            "with (open(x)) as f, (g): pass",
            "with (a).b as c, d: pass",
            "with (yield): pass",
            "with (a for a in b): pass",
            "with (a := b): pass",
            "with a as (b, c), d as e[0]: pass",
            "with (\n    a() as b,  # why\n    c,\n): pass",
        ],
    ),
    "relaxed decorators": (
        (3, 9),
        [
            "@a\ndef f(): pass",
            "@a.b(c).d[0]\nclass A: pass",
            "@(x := y)\ndef f(): pass",
            "@lambda f: f\n# note\n@b\nasync def f(): pass",
            "@x if y else z\ndef f(): pass",
            "@f(i for i in j)\ndef f(): pass",
        ],
    ),
    "walrus": (
        (3, 9),
        [
            "if a := b: pass\nelif (c := d): pass",
            "while a := b(): pass",
            "f(a := 1)",
            "f(a := 1, b=(c := 2))",
            "[a := 1, b := 2]",
            "(a := 1, 2)",
            "{(a := 1)}",
            "[x := 1 for y in z if (w := y)]",
            "f(x := 1 for y in z)",
            "x = (y := 1)",
            "lambda: (x := 1)",
            "{(a := 1): (b := 2)}",
            "print((yield))",
        ],
    ),
    "walrus without parentheses": (
        (3, 10),
        ["a[b := 1]", "a[b := 1, c := 2]", "{a := 1, 2}", "{a := 1 for b in c}"],
    ),
    "stars": (
        (3, 9),
        [
            "return_ = *a, b",
            "def f():\n    return *a, b",
            "def f():\n    x = yield *a, b",
            "for a in *b, c: pass",
            "for a, *b in c: pass",
            "[*a, *b]",
            "{*a, *b}",
            "{**a, 'b': 1, **c}",
            "f(*a, *b, c=1, **d, **e)",
            "*a, = b",
            "a, (b, *c) = d",
            "x += *a, b",
            "del a, (b, [c])",
            "print(*a or b, **c or d)",
        ],
    ),
    "starred subscripts": ((3, 11), ["a[*b]", "a[*b, c]", "a[b:c, *d]", "def f(*a: *b): pass"]),
    "slices": (
        (3, 9),
        [
            "a[:]",
            "a[::]",
            "a[b:]",
            "a[:b]",
            "a[b:c:d]",
            "a[b, c:d, ...]",
            "a[b,]",
            "a[(b, c)]",
            "a[lambda: 1]",
            "a[...]",
        ],
    ),
    "except star": (
        (3, 11),
        [
            "try: pass\nexcept* A: pass",
            "try: pass\nexcept *(A, B) as e: pass\nelse: pass\nfinally: pass",
        ],
    ),
    "try": (
        (3, 9),
        [
            "try: pass\nexcept: pass",
            "try: pass\nfinally: pass",
            "try: pass\nexcept A as e: pass\nexcept (B, C): pass\nelse: pass",
        ],
    ),
    "match": (
        (3, 10),
        [
            "match x:\n    case 1: pass",
            "match x, *y:\n    case [1, *_], {'a': b, **c}: pass",
            "match match:\n    case case: pass",
            "match (x):\n    case -1 | 2 + 3j | 'a' 'b' | None: pass",
            "match x:\n    case A(): pass\n    case a.B(c, d=e | f): pass",
            "match x:\n    case (a as b) as c if d if e else f: pass\n"
            "    case [a, (b, c)] | (a, [b, c]): pass\n    # end\nx",
            "match -x:\n    case {}: pass\n"
            "    case {a.b: 1, -1: c, 'x': A(y=[z as w])}: pass\n    case (): pass\n"
            "    case (a,): pass\n    case *a, b: pass\n    case []: pass",
            "match x := 1:\n    case _ if (y := 1): pass",
            "match [a]:\n  case _:\n    match b:\n      case _: pass\n  case c: pass",
            "if 1:\n    pass\nmatch x:\n    case 1: pass\nmatch(x)",
            "if x: pass\nmatch x:\n    case 1: pass\nelse_ = 1",
            "match x,:\n    case 1,: pass",
        ],
    ),
    "soft keywords as names": (
        (3, 9),
        [
            "match = case = type = _ = 1",
            "match(x)",
            "match[x]",
            "match.case(type)",
            "type(x)",
            "type.x = 1",
            "type: int",
            "print(match, *case, type=type)",
            "def match(case): pass",
            "class type: pass",
            "import match as case",
            "match * x",
            "match -x",
            "type\n(x)",
            "match, case = type",
            "lambda match: match",
            "for case in match: case",
        ],
    ),
    "print and exec are names": (
        (3, 9),
        [
            "print >>f, x",
            "print",
            "exec('x')",
            "print = exec",
            "x.print.exec",
            "print(end='')",
            "exec in print",
        ],
    ),
    "type statements": (
        (3, 12),
        [
            "type X = int",
            "type X[T] = list[T]",
            "type X[T: (int, str), *U, **V] = a",
            "x = 'é'; type X = int",
            "type type = type",
            "if x: type X = int",
            "class A:\n    type X = int\n    type = 1",
            "type match = case",
            "if x:\n    pass\ntype X = int",
        ],
    ),
    "type parameters": (
        (3, 12),
        [
            "def f[T](a: T) -> T: pass",
            "class A[T, *U, **V]: pass",
            "class A[T: int](B, metaclass=C): pass",
            "async def f[T: (a, b)](): pass",
        ],
    ),
    "type parameter defaults": (
        (3, 13),
        [
            "type X[T = int, *U = *tuple[int], **V = [a, b]] = c",
            "class A[T: int = bool]: pass",
            "def f[*T = (a, b)](): pass",
        ],
    ),
    "async": (
        (3, 9),
        [
            "async def f():\n    async with a as b, c: pass\n    async for d in e: await g\n"
            "    else: pass\n    return [i async for i in j if await k]",
            "async def f():\n    x = await a.b(c) ** await d\n    -await a\n"
            "    await (yield)\n    return (i async for i in j)",
            "async def f(): await a; await b",
            "class A:\n    @b\n    async def c(self): pass",
            "[x async for x in y]",
        ],
    ),
    "operators": (
        (3, 9),
        [
            "a + b - c * d / e // f % g @ h ** -i",
            "a << b >> c & d | e ^ ~f",
            "a < b <= c != d == e is not f not in g",
            "not a or b and not c",
            "a if b else c if d else e",
            "a @= b",
            "a //= b",
            "a **= b",
            "a >>= b",
            "a <<= yield",
            "a ^= b; a |= c; a &= d; a %= e",
            "a = b = c",
            "a.b.c(d)(e)[f].g + h",
            "-a ** -b",
            "a--b",
            "...",
            "a = ...",
            "x[...].y",
        ],
    ),
    "numbers": (
        (3, 9),
        [
            "0_0",
            "1_000.0_1e-1_0j",
            "0xFF_ff",
            "0b_1",
            "0o1_7",
            "1.",
            ".5",
            "1e5",
            "1.e5J",
            "1..real",
            "1 .real",
            "1or 2",
            "1if 2else 3",
        ],
    ),
    "strings": (
        (3, 9),
        [
            "'a' \"b\" '''c''' \"\"\"d\"\"\"",
            "r'\\\\' u'x' U'y' R'\\''",
            "b'' Rb'\\'' bR'' BR'' B''",
            "'''a\n'b\\''' c'''",
            "'a\\\nb'",
            "'\\\\'",
            "''''a'''",
            '""""a"""',
            "f'' F'' fr'' Rf'' rF''",
            "('a'\n 'b')",
            "'' ''",
            "'\u2028\x0b\x85'",
        ],
    ),
    "f-strings": (
        (3, 9),
        [
            "f'{a}'",
            "f'{{}}'",
            "f'{a!r:>{b}}' 'c'",
            "f'{a=}'",
            "f'''{\na\n}'''",
            "f'{a[\"b\"]}'",
            "f'{{{a}}}'",
            "rf'\\\\{a}'",
            "f'\\N{EM DASH}{a}'",
            "f'{a:%H:%M}'",
            "f'{(lambda x: 1)}'",
            "f'{a:{b}{c}}'",
            "f'{a!s}' f\"{b}\"",
            "f'\\'{a}'",
            "f'{x:=5}'",
            "f'{a!=b}'",
            "f'{ {1: 2}[1] }'",
            "f'' f'{a}'",
        ],
    ),
    "nested f-strings": (
        (3, 12),
        [
            "f'{a['b']}'",
            "f'{f'{f'{1}'}'}'",
            "f'{\n    a  # why }\n}'",
            "f'{'\\n'.join(a)}'",
            "f'{a:{'>'}{b}}'",
            "f'{'{'}'",
            "f\"{'}'}\"",
            "f'{a['''x''']}' f'{b}'",
            "f'{x:\\N{DIGIT ONE}}'",
            "rf'{a:\\d}'",
            "f'\\{a}'",
            "rf'\\{a}'",
            "f'{lambda_(lambda x: {'a': x})}'",
            "f'''{\nf'''{a}'''\n}'''",
            "f'{rb'x'!r}'",
            "f'{a}' f'{b[c:d]:{e}}' 'f'",
        ],
    ),
    "statements": (
        (3, 9),
        [
            "pass",
            "a; b;",
            "if a: b; c\nelse: d",
            "global a, b",
            "def f():\n    nonlocal a",
            "assert a, b",
            "raise",
            "raise a from b",
            "return_",
            "import a.b as c, d",
            "from . import a",
            "from ...a.b import (c as d, e,)",
            "from .... import *",
            "from .a import b",
            "for a in b: pass\nelse: pass",
            "while a:\n    break\nelse:\n    continue_",
            "class A(B, *c, m=d, **e): 'doc'",
            "while a: continue",
            "def f(): return",
            "def f():\n    yield\n    yield a\n    yield from b\n    x = yield",
            "del a",
            "(a)",
            "(a, b)",
            "()",
            "[]",
            "{}",
            "a,",
        ],
    ),
    "comprehensions": (
        (3, 9),
        [
            "[a for b in c for d in e if f if g]",
            "{a: b for c in d}",
            "{a for b, in c}",
            "f(a for b in c)",
            "f(  # why\n    a for b in c\n)",
            "f((a for b in c), d)",
            "(a for b in c if lambda_)",
            "[a for a, *b in c]",
            "[lambda: a for a in b]",
            "[a for a in b or c if d or e]",
        ],
    ),
}
CASES = [(since, text) for since, texts in CONSTRUCTS.values() for text in texts]


@pytest.mark.parametrize(("since", "text"), CASES, ids=[text[:40] for _since, text in CASES])
def test_it_is_read_and_every_node_is_found(since: tuple[int, int], text: str) -> None:
    if sys.version_info < since:
        pytest.skip("this Python does not know it")
    for end in ("\n", ""):
        source = Source(text + end)
        tree = parse(source.text, source.module)
        assert str(tree) == source.text
        check_positions(tree, source, text)


@pytest.mark.parametrize(
    "text",
    [
        "print a",
        "exec 'x'",
        "a <> b",
        "`a`",
        "def f((a, b)): pass",
        "raise A, b",
        "0777",
        "ur''",
        "except",
        "x = 1 +",
        "match x: pass",
        "a b",
        "if x:\npass",
    ],
)
def test_what_python_refuses_is_refused(text: str) -> None:
    with pytest.raises(SyntaxProblem) as problem:
        parse(text)
    assert problem.value.line >= 1


def test_every_statement_of_ast_was_tried() -> None:
    seen = {
        type(node)
        for since, text in CASES
        if sys.version_info >= since
        for node in ast.walk(Source(text).module)
    }
    kinds = {kind for base in (ast.expr, ast.stmt) for kind in base.__subclasses__()}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
    assert {kind.__name__ for kind in kinds - seen} <= old
