"""Other texts out of given ones: by bytes, tokens, lines, splices and Unicode, as a number says.

A number gives the same text on every machine, so that what was found can be made again from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Callable

Change = Callable[[str, Random, Sequence[str]], str]

# Good enough to tell names, numbers, texts and signs apart, whatever state a text is in.
TOKEN = re.compile(
    r"(?P<comment>#[^\r\n]*)|(?P<text>[rbfuRBFU]{0,2}(?:'{3}.*?'{3}|\"{3}.*?\"{3}|'[^'\r\n]*'|\"[^\"\r\n]*\"))"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>\*\*=?|//=?|[-+*/%@&|^=!<>:]=|->|[^\s\w])",
    re.DOTALL,
)
KEYWORDS = (
    *("if", "else", "for", "while", "try", "finally", "with", "def", "class", "lambda", "return"),
    *("yield", "await", "async", "global", "nonlocal", "del", "import", "from", "as", "in", "not"),
    *("and", "or", "is", "None", "True", "match", "case", "type", "_", "*", "**", ":=", "...", ";"),
)
VALUES = ("0", "-1", "1e400", "0x_f", "1_0", "10**9", "''", "f'{x}'", "b''", "()", "[]", "{}", "x")
ODD_BYTES = (
    *(b"\0", b"\r", b"\n", b"\f", b"\t", b"\x1a", b"\x1b[2J", b"\\", b"\\\n", b"'", b'"""', b"#"),
    *(b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xed\xa0\x80", b"(", b")", b":", b"\v"),
)
ODD_TEXTS = (
    *("\u2028", "\u0085", "\u200b", "\u202e", "\ufeff", "\u0301", "\u00a0", "\u3000", "\x0c", "\r"),
    *(
        "\U0001f600",
        "é",
        "ﬁ",
        "µ",
        "\u212b",
        "\ud7ff",
        "\u0130",
        "\u017f",
        "\U0001d431",
        "٣",
        "²",
        "·",
    ),
)
HEADS = (
    *("if x:", "for i in x:", "while x:", "with x as y:", "def f(tf=None):", "class C:"),
    *("async def f():", "if __name__ == '__main__':", "try:\n    pass\nfinally:", "else:"),
    *("match x:\n    case _:\n      pass\nif True:", "for tf in x:", "def f(*a, **k):"),
)
BEGINNINGS = (
    *("# -*- coding: latin-1 -*-\n", "# coding: utf-8\n", "#!/usr/bin/env python\n", "\ufeff"),
    *('"""Docs."""\n', "from __future__ import annotations\n", "\f", "# coding: idna\n", "\\\n"),
    *("import tensorflow as tf\n" * 2, "import horovod.tensorflow as hvd\n", "hvd = 1\n"),
)


def scrambled(number: int, texts: Sequence[str], seed: str = "") -> bytes:
    """One of the texts after one to four changes; the last may be one of its bytes."""
    random = Random(f"{seed}:{number}")
    text = random.choice(texts)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        text = random.choices(CHANGES, WEIGHTS)[0](text, random, texts)
    data = text.encode("utf-8", "surrogatepass")
    return in_bytes(data, random) if random.random() < 0.1 else data


def in_bytes(data: bytes, random: Random) -> bytes:
    """A bit, a few bytes or a stretch is another."""
    at = random.randrange(len(data) + 1)
    to = min(len(data), at + random.choice((0, 1, 1, 2, 8, 64)))
    how = random.randrange(4)
    if how == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
    new = (random.choice(ODD_BYTES), b"", data[at:to] * 2, random.choice(ODD_BYTES))[how]
    return data[:at] + new + data[to:]


def tokens(text: str, random: Random, texts: Sequence[str]) -> str:
    """A token goes, comes twice, changes places, or another stands for it."""
    found = list(TOKEN.finditer(text))
    if not found:
        return text
    one, two = sorted(random.choices(found, k=2), key=lambda each: each.start())
    new = random.choice(("", one[0] * 2, f"{one[0]} {one[0]}", random.choice(KEYWORDS), two[0]))
    if random.random() < 0.3 and one.end() <= two.start():
        between = text[one.end() : two.start()]
        return text[: one.start()] + two[0] + between + one[0] + text[two.end() :]
    return text[: one.start()] + new + text[one.end() :]


def alike(text: str, random: Random, texts: Sequence[str]) -> str:
    """A token becomes another of its kind, from here or from elsewhere: mostly still a program."""
    found = [each for each in TOKEN.finditer(text) if each.lastgroup in ("name", "number", "text")]
    if not found:
        return text
    one = random.choice(found)
    other = random.choice((text, random.choice(texts)))
    kin = [each[0] for each in TOKEN.finditer(other) if each.lastgroup == one.lastgroup]
    new = random.choice(kin or [one[0]])
    if one.lastgroup != "name" and random.random() < 0.3:
        new = random.choice(VALUES)
    return text[: one.start()] + new + text[one.end() :]


def lines(text: str, random: Random, texts: Sequence[str]) -> str:
    """A line goes, comes twice, moves, changes its depth, or is joined with the next."""
    each = text.splitlines(keepends=True)
    if len(each) < 2:
        return text
    at, to = random.randrange(len(each) - 1), random.randrange(len(each))
    line, how = each[at], random.randrange(7)
    if how == 0:
        del each[at]
    elif how == 1:
        each.insert(to, line)
    elif how == 2:
        each.insert(to, each.pop(at))
    elif how == 3:
        each[at] = random.choice(("    ", "\t", " ", "  \\\n")) + line
    elif how == 4:
        each[at] = line.removeprefix("    ")
    elif how == 5:
        each[at] = (
            line.rstrip("\r\n") + random.choice(("; ", " \\\n", "  # \n", "")) + each.pop(at + 1)
        )
    else:
        each[at] = line[: len(line) - len(line.lstrip())] + random.choice(texts).lstrip()
    return "".join(each)


def under_head(text: str, random: Random, texts: Sequence[str]) -> str:
    """A stretch of lines stands in a block of its own."""
    each = text.splitlines(keepends=True) or [""]
    at = random.randrange(len(each))
    to = min(len(each), at + random.choice((1, 1, 2, 5, len(each))))
    indent = each[at][: len(each[at]) - len(each[at].lstrip())]
    head = "".join(f"{indent}{line}\n" for line in random.choice(HEADS).split("\n"))
    deeper = [f"    {line}" if line.strip() else line for line in each[at:to]]
    return "".join([*each[:at], head, *deeper, *each[to:]])


def splice(text: str, random: Random, texts: Sequence[str]) -> str:
    """The beginning of one and the end of another; or some lines of it in between."""
    ours, theirs = text.splitlines(keepends=True), random.choice(texts).splitlines(keepends=True)
    at, there = random.randrange(len(ours) + 1), random.randrange(len(theirs) + 1)
    if random.random() < 0.5:
        return "".join(ours[:at] + theirs[there:])
    return "".join(ours[:at] + theirs[there : there + random.choice((1, 3, 10))] + ours[at:])


def unicode(text: str, random: Random, texts: Sequence[str]) -> str:
    """Other letters, other ends of lines, other beginnings."""
    how = random.randrange(5)
    if how == 0:
        at = random.randrange(len(text) + 1)
        return text[:at] + random.choice(ODD_TEXTS) + text[at:]
    if how == 1:  # Python reads a name that is written in wide letters as the plain one
        names = [each for each in TOKEN.finditer(text) if each.lastgroup == "name"]
        if names:
            one = random.choice(names)
            wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in one[0])
            return text[: one.start()] + wide + text[one.end() :]
    if how == 2:
        return text.replace("\n", random.choice(("\r\n", "\r", "\n\n", "\n\f", " \n")))
    if how == 3:
        return text.rstrip("\n") + random.choice(("", "\\", "\n\t", "\n#", "\f", "\r"))
    return random.choice(BEGINNINGS) + text


CHANGES: tuple[Change, ...] = (tokens, alike, lines, under_head, splice, unicode)
WEIGHTS = (3, 8, 5, 3, 4, 2)
