"""The surface of a program: all that Python doesn't care about and that has to stay as it is."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from .choices import BREAK, CHAIN, CLOSE, COMMA, DOT, INDENT, OPEN, UNCHAIN, Draw, Lines

# What comments say steers nothing, however it looks.
SAYINGS = (
    "as it was",
    "opt = hvd.DistributedOptimizer(opt)",
    "* hvd.size()",
    'a "quote" and a \\',
    "größer als π",
    "model.fit(x, y)  # twice",
    "import horovod.tensorflow as hvd",
    ")]}",
    "TODO: type: ignore",
    "-" * 60,
)
COMPOUND = re.compile(
    r"(?:async )?(?:if|elif|else|for|while|try|except|finally|with|def|class|match|case)\b"
)
ASSIGNMENT = re.compile(r"[^\W\d][\w.]* = ")
SUITES = re.compile(r"(?:if|for|while|with|def|class|else|case)\b")


@dataclass(frozen=True)
class Surface:
    """How often what is done, in hundredths, and what holds for the whole file."""

    indent: str = INDENT
    newline: str = "\n"
    bom: bool = False
    final_newline: bool = True
    comments: int = 0
    blanks: int = 0
    exploded: int = 0
    joined: int = 0
    seed: int = 0


@st.composite
def surfaces(draw: Draw) -> Surface:
    """A plain one, or any mixture."""
    often = st.sampled_from((0, 10, 40))
    comments, blanks, exploded, joined = (draw(often) for _ in range(4))
    form = draw(st.sampled_from(("plain", "plain", "bom", "no end")))
    return Surface(
        indent=draw(st.sampled_from((INDENT, "  ", "\t", "   "))),
        newline=draw(st.sampled_from(("\n", "\r\n"))),
        bom=form == "bom",
        final_newline=form != "no end",
        comments=comments,
        blanks=blanks,
        exploded=exploded,
        joined=joined,
        seed=draw(st.integers(0, 2**16)) if comments or blanks or exploded or joined else 0,
    )


def render(lines: Sequence[str], surface: Surface) -> str:
    """The text of a program given by its logical lines."""
    text = "".join(_Renderer(surface).program(lines))
    if not surface.final_newline:
        text = text.rstrip("\n")
    return ("\ufeff" if surface.bom else "") + text.replace("\n", surface.newline)


class _Renderer:
    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.random = random.Random(surface.seed)
        self.number = 0

    def often(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def program(self, lines: Sequence[str]) -> Lines:
        out: Lines = []
        index = 0
        while index < len(lines):
            level, line = split(lines[index])
            count = self._suite(lines, index) if self.often(self.surface.joined) else 0
            if count:
                suite = "; ".join(flat(lines[index + 1 + n].strip(" ")) for n in range(count))
                text, index = f"{flat(line)} {suite}", index + 1 + count
            else:
                text, index = self._statement(lines, index, level)
            out += self._between(level, out)
            out.append(self.surface.indent * level + text + self._comment() + "\n")
        return out

    def _suite(self, lines: Sequence[str], index: int) -> int:
        """How many simple statements the block has that could stand behind its head."""
        level, line = split(lines[index])
        if not line.endswith(":") or not SUITES.match(line):
            return 0
        count = 0
        for following in lines[index + 1 :]:
            inner, text = split(following)
            if inner <= level:
                return count
            if not is_simple(text):
                return 0
            count += 1
        return count

    def _statement(self, lines: Sequence[str], index: int, level: int) -> tuple[str, int]:
        """One statement, or two that share a line; and the index behind them."""
        line = lines[index].strip(" ")
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if (
            is_simple(line)
            and is_simple(following.strip(" "))
            and split(following)[0] == level
            and self.often(self.surface.joined // 2)
        ):
            return f"{flat(line)}; {flat(following.strip(' '))}", index + 2
        return self._broken(line, level), index + 1

    def _broken(self, line: str, level: int) -> str:
        """The statement, perhaps on several lines."""
        here = self.surface.indent * level
        if DOT in line and self.often(self.surface.exploded):
            return self._chained(line, here)
        if OPEN in line and self.often(self.surface.exploded):
            return self._exploded(line, here)
        line = flat(line)
        if is_simple(line) and ASSIGNMENT.match(line) and self.often(self.surface.exploded // 2):
            return line.replace(" = ", f" = \\\n{here}    ", 1)
        if line.startswith("model.") and self.often(self.surface.exploded // 2):
            return f"({line})"
        return line

    def _chained(self, line: str, here: str) -> str:
        inner = here + self.surface.indent
        line = line.replace(OPEN, "").replace(COMMA, " ").replace(CLOSE, "")
        line = line.replace(CHAIN, f"({self._comment()}\n{inner}").replace(UNCHAIN, f"\n{here})")
        parts = line.split(DOT)
        return "".join(part + f"{self._comment()}\n{inner}" for part in parts[:-1]) + parts[-1]

    def _exploded(self, line: str, here: str) -> str:
        inner = here + self.surface.indent
        out, depth = "", 0
        for char in line:
            depth += (char == OPEN) - (char == CLOSE)
            if (char == OPEN and depth == 1) or (char == COMMA and depth == 1):
                out += f"{self._comment()}\n{inner}"
            elif char == CLOSE and depth == 0:
                out += f"{self.random.choice((',', ''))}{self._comment()}\n{here}"
            else:
                out += flat(char)
        return out

    def _comment(self) -> str:
        if not self.often(self.surface.comments):
            return ""
        return self.random.choice(("  ", " ", "\t")) + self._saying()

    def _saying(self) -> str:
        self.number += 1
        return f"#{self.random.choice((' ', ''))}{self.number} {self.random.choice(SAYINGS)}"

    def _between(self, level: int, out: Lines) -> Lines:
        """Comments and blank lines before a statement."""
        found: Lines = []
        is_decorated = bool(out) and out[-1].lstrip().startswith("@")
        if self.often(self.surface.comments // 2):
            found.append(self.surface.indent * level + self._saying() + "\n")
        if self.often(self.surface.blanks) and not is_decorated:
            found.append(
                self.random.choice(("\n", "\n\n", "    \n", "\f\n" if not level else "\n"))
            )
        self.random.shuffle(found)
        return found


def split(line: str) -> tuple[int, str]:
    """The level of a logical line, and what it says."""
    text = line.lstrip(" ")
    return (len(line) - len(text)) // len(INDENT), text


def is_simple(line: str) -> bool:
    """Whether it is a simple statement that may share a line with others."""
    return bool(line) and BREAK not in line and line[0] not in "@#" and not COMPOUND.match(line)


def flat(line: str) -> str:
    """On one line."""
    for mark, text in (
        (OPEN, ""),
        (COMMA, " "),
        (CLOSE, ""),
        (DOT, ""),
        (CHAIN, ""),
        (UNCHAIN, ""),
    ):
        line = line.replace(mark, text)
    return line.replace(BREAK, "\n")
