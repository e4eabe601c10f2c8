"""Tokens and string literals, beside those of Python's own tokenizer."""

from __future__ import annotations

import io
import token
import tokenize

import pytest

from distify.codemods.syntax import strings
from distify.codemods.syntax.strings import end_of_string
from distify.codemods.syntax.tokens import column, indent_width, tokens

TEXTS = [
    "a = 1\n",
    "a = 1",
    "",
    "\n\n",
    "# only\n",
    "# only",
    "a  # why\n# more\nb\n",
    "if a:\n    b\nc\n",
    "if a:\n    b\n    # of the block\n# of the module\nc\n",
    "if a:\n  if b:\n    c\n  # inner\n    # deeper\nd\n",
    "if a:\n\tb\n\tc\nd\n",
    "if a:\n    b\n\n\n    c\n\n# end\n",
    "if a:\n    b",
    "if a: b; c\n",
    "a = (1,\n     2)\nb\n",
    "a = [\n# why\n1,\n\n]\n",
    "a = {1: (2, [3])}\nb\n",
    "a = 1 + \\\n    2\nb\n",
    "if a and \\\n   b:\n    c\n",
    "x = 0x1F + 0b11 + 0o17 + 1_000 + 1.5e-3 + .5 + 1. + 2j + 1e5J + 1E+5 + 1_0.0_1\n",
    "a **= b //= c >>= d <<= e\n",
    "a ** b // c >> d << e -> f := g != h\n",
    "a += b -= c *= d /= e %= f &= g @= h |= i ^= j <= k >= l == m\n",
    "~a @ b % c & d | e ^ f < g > h , i . j ; k\n",
    "a = 'x' \"y\" '''z''' \"\"\"w\"\"\" r'\\d' b'\\'' Rb'a' u'b'\nb\n",
    "a = '''x\ny\n''' + b\nc\n",
    "a = 'x\\\ny' + b\nc\n",
    "grün = 'ä' + ö\n",
    "async def f():\n    await g()\n",
    "a\r\nif b:\r\n    c\r\nd\r\n",
    "a\rb\r",
    "\x0ca = 1\n\x0c\nif a:\n\x0c    b\n",
    "def f(a, /, *, b=1, **c) -> d: e\n",
]


def ours(text: str) -> list[tuple[str, int, int]]:
    """The tokens that say something, with line and column."""
    skipped = (token.NEWLINE, token.INDENT, token.DEDENT, token.ENDMARKER)
    return [(value, line, col) for kind, value, _, line, col in tokens(text) if kind not in skipped]


def pythons(text: str) -> list[tuple[str, int, int]]:
    kinds = (token.NAME, token.NUMBER, token.STRING, token.OP)
    lines = io.StringIO(text, newline="").readlines()
    found = tokenize.generate_tokens(iter(lines).__next__)
    return [(t.string, *t.start) for t in found if t.type in kinds]


@pytest.mark.parametrize("text", [text for text in TEXTS if "\r" not in text])
def test_tokens_are_pythons(text: str) -> None:
    assert ours(text) == pythons(text)


@pytest.mark.parametrize("text", TEXTS)
def test_prefixes_and_values_are_the_text(text: str) -> None:
    for start in ("", "\ufeff"):
        whole = start + text
        assert "".join(prefix + value for _, value, prefix, _, _ in tokens(whole)) == whole


@pytest.mark.parametrize("text", [text for text in TEXTS if "\x0c" not in text])
def test_blocks_are_pythons(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    found = tokenize.generate_tokens(io.StringIO(plain).readline)
    kinds = (token.INDENT, token.DEDENT, token.NAME)
    expected = [
        (t.type, t.string if t.type == token.NAME else "") for t in found if t.type in kinds
    ]
    seen = [
        (token.NAME if value in ("async", "await") else kind, value if value else "")
        for kind, value, *_ in tokens(text)
    ]
    assert [pair for pair in seen if pair[0] in kinds] == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_count_whatever_ends_them(end: str) -> None:
    text = end.join(["a", "if b:", "    c", "", "# d", "e = '''f", "g''' + h", "i"])
    places = {value: (line, col) for value, line, col in ours(text)}
    assert places["c"] == (3, 4)
    assert places["e"] == (6, 0)
    assert places["h"] == (7, 7)
    assert places["i"] == (8, 0)


def test_comments_belong_to_the_block_they_are_indented_like() -> None:
    text = "if a:\n    b\n    # own\n  # less\n# none\nc\n"
    found = [(kind, prefix) for kind, _, prefix, _, _ in tokens(text)]
    assert (token.DEDENT, "    # own\n") in found
    assert ("c", "  # less\n# none\n") in [
        (value, prefix) for _, value, prefix, _, _ in tokens(text)
    ]


@pytest.mark.parametrize(
    ("space", "start", "expected"),
    [
        ("", 0, 0),
        ("   ", 0, 3),
        ("\t", 0, 8),
        ("   \t", 0, 8),
        ("\t\t ", 0, 17),
        ("        \t", 0, 16),
        (" \x0c  ", 0, 2),
        ("  ", 3, 5),
    ],
)
def test_the_column_behind_white_space(space: str, start: int, expected: int) -> None:
    assert column(space, start) == expected


@pytest.mark.parametrize(("space", "expected"), [("", 0), ("    ", 4), ("\t", 8)])
def test_the_width_of_an_indentation(space: str, expected: int) -> None:
    assert indent_width(space, 2) == expected


PLAIN = [
    "'a'",
    "''",
    "'''a'b''c'''",
    '"a"',
    '"""a"b""c"""',
    "''''a'''",
    "'a\\'b'",
    "'a\\\\'",
    "'''a\\'''b'''",
    "r'a\\'b'",
    "b'a'",
    "Rb'a'",
    "bR'a'",
    "u'a'",
    "'a\\\nb'",
    "'''a\nb'''",
    "f'a'",
    "rf'a'",
    "Fr'''a'''",
]
NESTED = [
    "f'{a}'",
    "f'{a!r:>{width}}'",
    "f'{a:%H:%M}'",
    "f'{{a}}'",
    "f'{{}}{a}'",
    "f'{a}}}'",
    "f'{b[\"c\"]}'",
    "f'{b['c']}'",
    "f'{f'{a}'}'",
    "f'{f\"{b['c']}\"}'",
    "f'{ {1: 2}[1] }'",
    "f'{(lambda x: 1)(2)}'",
    "f'{a:{b['c']}}'",
    "f'{a:{{b}}}'",
    "f'''{\na  # it's\n}'''",
    "f'{a #}\n}'",
    "f'\\N{BULLET}{a}'",
    "f'\\{a}'",
    "rf'\\N{a}'",
    "rf'\\{a}'",
    "rf'\\'{a}'",
    "f'a\\'{b}'",
    "f'a\\\r\n{b}'",
    "f'{a[1:2]}'",
    "f'{a:\\}'",
    "f'{rb'x'}'",
    "f'{nf['x']}'",
    "f\"{'a' 'b'}\"",
]


@pytest.mark.parametrize("nest", [False, True])
@pytest.mark.parametrize("text", PLAIN)
def test_where_a_plain_string_ends(text: str, nest: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "FIELDS_NEST", nest)
    for before, after in (("", ""), ("x = ", " + 'y'")):
        assert end_of_string(before + text + after, len(before)) == len(before + text)


@pytest.mark.parametrize("text", NESTED)
def test_where_an_f_string_ends_since_its_fields_nest(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strings, "FIELDS_NEST", True)
    for before, after in (("", ""), ("x = ", " + 'y' + f'{z}'")):
        assert end_of_string(before + text + after, len(before)) == len(before + text)


@pytest.mark.parametrize("text", ["'a", "f'a", "f'{a", "f'{a'", "f'{a:", "f'{'a}'", "f'\\"])
def test_a_string_that_never_ends(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "FIELDS_NEST", True)
    assert end_of_string(text, 0) == -1
