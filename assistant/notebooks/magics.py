"""IPython's own lines (`%`, `%%`, `!`, `?`) behind calls that Python reads.

Each is stood for by the call that nbconvert makes of it, `get_ipython().system()`, with a comment
by which it is found again, wherever the line goes.
Source: https://ipython.readthedocs.io/en/stable/interactive/reference.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# Cell magics that run the rest of their cell as code of the notebook, once and in this process.
FOLLOWED = frozenset({"time", "capture"})
# Magics that run code of the notebook where nobody follows it.
HIDING = frozenset({"timeit", "prun", "lprun", "mprun", "memit", "debug", "pypy", "time"})
RUN = "`%run` runs another file among these cells, which distify doesn't follow: import it"
TRAINS = "distify doesn't follow what `%{}` runs, and it may train: take it off, or use %%time"
LINE, TIMED, HEAD, CELL = "line", "timed", "head", "cell"

_MAY_TRAIN = re.compile(r"fit\w*\s*\(|train\w*\s*\(|apply_gradients|minimize|GradientTape")
_CELL = re.compile(r"%%(\w+)[^\n]*")
_HELP = re.compile(r"([ \t]*)(?:\?{1,2}[ \t]*[%\w.*]+|[%\w.*]+(?:\[[^\]#]*\])*\?{1,2})[ \t;]*")
_ASSIGNED = re.compile(r"([ \t]*[^\W\d][\w.,* \t]*(?:\[[^\]#]*\])?[ \t]*=[ \t]*)[%!](?!=)")
_TIMED = re.compile(r"([ \t]*)(%time[ \t]+)(?=[^\s\\-])")
_LINE = re.compile(r"([ \t]*)[%!]")
_NAME = re.compile(r"%{1,2}(\w+)")


class Hidden(ValueError):
    """A magic that runs code which has to be seen; `line` counts from 1 in its cell."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class Mask(NamedTuple):
    """What stands for a magic in the module: `shown` there, `raw` in the notebook.

    It is a line or the end of one, or stands in front of code that is timed; it is the head of a
    cell, or all of it.
    """

    shown: str
    raw: str
    kind: str = LINE


class Masked(NamedTuple):
    """A cell as Python reads it, line for line, and what is hidden in it."""

    text: str
    masks: tuple[Mask, ...]


def masked(code: str, first: int) -> Masked:
    """The cell with masks that are numbered from `first`. Raises Hidden."""
    masks = _Masks(first)
    lines = code.split("\n")
    at = next((number for number, line in enumerate(lines) if line.strip()), 0)
    shown = lines[:at]
    while at < len(lines) and (head := _CELL.match(lines[at])):
        if head[1] not in FOLLOWED:
            _refuse_hidden(code, head[1], at + 1)
            only = _Masks(first)
            return Masked(only.call("run_cell_magic", code, CELL), tuple(only.made))
        line, end = _without_end(lines[at])
        shown.append(masks.call("run_cell_magic", line, HEAD) + end)
        at += 1
    shown += _lines(lines, at, masks)
    return Masked("\n".join(shown), tuple(masks.made))


class _Masks:
    """Makes masks, each with a number of its own."""

    def __init__(self, first: int) -> None:
        self._first = first
        self.made: list[Mask] = []

    def call(self, method: str, raw: str, kind: str = LINE) -> str:
        ends = "" if kind == CELL else "\n" * raw.count("\n")
        said = "" if kind == HEAD else repr(raw.lstrip("!%"))
        return self._made(f"get_ipython().{method}({said}{ends})", raw, kind)

    def timed(self, raw: str) -> str:
        return self._made("", raw, TIMED)

    def _made(self, call: str, raw: str, kind: str) -> str:
        shown = f"{call}  # distify-magic-{self._first + len(self.made)}."
        self.made.append(Mask(shown, raw, kind))
        return shown


def _lines(lines: list[str], at: int, masks: _Masks) -> Iterator[str]:
    """The lines from one on; a magic begins where a statement could."""
    before = Open()
    while at < len(lines):
        found = None if before.is_open else _mask_of(lines, at, masks)
        if found is None:
            before = before.behind(lines[at])
            yield lines[at]
            at += 1
        else:
            shown, count = found
            yield shown
            at += count


def _mask_of(lines: list[str], at: int, masks: _Masks) -> tuple[str, int] | None:
    """What stands for the magic that begins in a line, and how many lines it takes."""
    line, end = _without_end(lines[at])
    if helped := _HELP.fullmatch(line):
        return helped[1] + masks.call("run_line_magic", line[helped.end(1) :]) + end, 1
    assigned = _ASSIGNED.match(line)
    found = assigned or _LINE.match(line)
    if found is None:
        return None
    count = 1
    while at + count < len(lines) and _without_end(lines[at + count - 1])[0].endswith("\\"):
        count += 1
    raw, end = _without_end("\n".join([lines[at][found.end(1) :], *lines[at + 1 : at + count]]))
    if timed := _TIMED.match(line):
        return timed[1] + raw[len(timed[2]) :] + masks.timed(timed[2]) + end, count
    if name := _NAME.match(raw):
        _refuse_hidden(raw, name[1], at + 1)
    shell = "getoutput" if assigned else "system"
    method = "run_line_magic" if raw.startswith("%") else shell
    return line[: found.end(1)] + masks.call(method, raw) + end, count


def _refuse_hidden(code: str, name: str, line: int) -> None:
    if name == "run":
        raise Hidden(RUN, line)
    if name in HIDING and _MAY_TRAIN.search(code):
        raise Hidden(TRAINS.format(name), line)


def _without_end(line: str) -> tuple[str, str]:
    return (line[:-1], "\r") if line.endswith("\r") else (line, "")


# -- lines that begin in the middle of a statement -----------------------------------------------

_TRIPLE = ('"""', "'''")
_TOKEN = re.compile(
    r"#.*|\"\"\"|'''|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[()\[\]{}]",
)
_TO_END = {quote: re.compile(rf"(?:\\.|[^\\])*?{quote}") for quote in _TRIPLE}


class Open(NamedTuple):
    """What is open behind some lines: triple quotes, brackets, or a backslash."""

    quote: str = ""
    depth: int = 0
    is_continued: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the next line belongs to what began before."""
        return bool(self.quote or self.depth or self.is_continued)

    def behind(self, line: str) -> Open:
        """What is open behind one more line."""
        quote, depth, at = self.quote, self.depth, 0
        while at < len(line):
            if quote:
                end = _TO_END[quote].match(line, at)
                if end is None:
                    return Open(quote, depth)
                quote, at = "", end.end()
                continue
            found = _TOKEN.search(line, at)
            if found is None:
                break
            at = found.end()
            if found[0] in _TRIPLE:
                quote = found[0]
            else:
                depth = max(0, depth + (found[0] in "([{") - (found[0] in ")]}"))
        return Open(quote, depth, not quote and line.rstrip("\r").endswith("\\"))
