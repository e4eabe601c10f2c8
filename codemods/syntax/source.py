"""A text and what Python says about it: its lines, its abstract tree, positions in it."""

from __future__ import annotations

import ast
import re
import warnings
from array import array
from functools import cached_property

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..program.records import NamedTuple
from .agreed import GATHER, mark
from .line_ends import BOM, LATER_LINES_INDENT, LINE_END

_CONTINUED_INDENT = re.compile(r"[ \t\f]*\\[\r\n]*")


class Span(NamedTuple):
    """Lines count from 1, columns from 0 in characters; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def refuse_no_program(module: ast.Module, text: str, name: str) -> None:
    """Raises SyntaxError or ValueError, as `compile`, for a text that parses as this tree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(module, name, "exec", dont_inherit=True)
        except ValueError:  # `True` in wide letters, say, which Python takes in a text alone
            compile(text, name, "exec", dont_inherit=True)


class Unmade(ValueError):
    """An edit that can't be made; `node` is its place in the original."""

    def __init__(self, message: str, node: ast.AST) -> None:
        super().__init__(message)
        self.node = node


class Source:
    """A text; raises SyntaxProblem if this Python can't read it.

    `lines` keep their ends and are split as the tokenizer does it; a byte order mark belongs to
    `text` but to no line, so columns are those an editor shows.
    """

    def __init__(self, text: str, module: ast.Module | None = None) -> None:
        self.text = text
        self.bom = BOM if text.startswith(BOM) else ""
        self.module = module or parse_module(text[len(self.bom) :])
        self._columns: dict[int, array[int]] = {}

    def refuse_what_cannot_run(self) -> None:
        """Raises SyntaxProblem for what parses but is no program, as `return` in a module."""
        try:
            refuse_no_program(self.module, self.text[len(self.bom) :], "<text>")
        except SyntaxError as error:
            problem = _problem(error)  # its column counts bytes, as those of nodes do
            column = self._column(problem.line, problem.column)
            raise SyntaxProblem(problem.message, problem.line, column) from None
        except (RecursionError, MemoryError):
            raise SyntaxProblem("the code is nested too deeply") from None
        if not LATER_LINES_INDENT:
            self._refuse_continued_indents()

    def _refuse_continued_indents(self) -> None:
        """Python 3.9 takes them in places where later ones don't, and not at a block's start."""
        above = {i for i, line in enumerate(self.lines, 1) if _CONTINUED_INDENT.fullmatch(line)}
        for node in within(self.module) if above else ():
            if not isinstance(node, ast.stmt) or node.lineno - 1 not in above:
                continue
            if not self.lines[node.lineno - 1][: self.span(node).column].strip():
                message = "a backslash continues an indentation, which Pythons read differently"
                raise SyntaxProblem(message, node.lineno - 1)

    @cached_property
    def starts(self) -> list[int]:
        """The offset in `text` at which each line begins, and its end."""
        ends = [found.end() for found in LINE_END.finditer(self.text)]
        return [len(self.bom), *ends, len(self.text)]

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends; there is one at least, and the last may be empty."""
        return [self.text[a:b] for a, b in zip(self.starts, self.starts[1:])]

    @cached_property
    def in_fstrings(self) -> frozenset[ast.AST]:
        """The nodes within f-strings; before Python 3.12 `ast` only guesses their positions."""
        strings = [node for node in within(self.module) if isinstance(node, ast.JoinedStr)]
        return frozenset(
            part for string in strings for part in within(string) if part is not string
        )

    def span(self, node: ast.AST) -> Span:
        """Where a node stands, in characters."""
        line, column, end_line, end_column = _byte_span(node)
        return Span(line, self._column(line, column), end_line, self._column(end_line, end_column))

    def offsets(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends in `text`."""
        span = self.span(node)
        starts = self.starts
        return starts[span.line - 1] + span.column, starts[span.end_line - 1] + span.end_column

    def _column(self, line: int, byte: int) -> int:
        text = self.lines[line - 1]
        if text.isascii():
            return byte
        if line not in self._columns:
            self._columns[line] = _columns(text)
        return self._columns[line][min(byte, len(self._columns[line]) - 1)]


def _byte_span(node: ast.AST) -> tuple[int, int, int, int]:
    names = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    try:
        line, column, end_line, end_column = (getattr(node, name) for name in names)
    except AttributeError:
        raise ValueError(f"{type(node).__name__} nodes have no position") from None
    return line, column, end_line, end_column


def _columns(line: str) -> array[int]:
    """For every byte of the line in UTF-8 the character it belongs to."""
    columns = array("l")
    for index, character in enumerate(line):
        columns.extend([index] * len(character.encode("utf-8", "surrogatepass")))
    columns.append(len(line))
    return columns


def parse_module(text: str) -> ast.Module:
    """`ast.parse` without its warnings and with one kind of error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _with_marks(ast.parse(text), text)
    except SyntaxError as error:
        raise _problem(error) from None
    except (RecursionError, MemoryError):
        raise SyntaxProblem("the code is nested too deeply") from None
    except UnicodeEncodeError as error:
        raise SyntaxProblem("half of a surrogate pair", *_place(text, error.start)) from None
    except ValueError:
        raise SyntaxProblem("a null byte", *_place(text, text.find("\0"))) from None


def _with_marks(module: ast.Module, text: str) -> ast.Module:
    if GATHER in text:  # few programs ask whether the workers agree
        mark(module)
    return module


def _problem(error: SyntaxError) -> SyntaxProblem:
    return SyntaxProblem(error.msg, error.lineno or 1, max((error.offset or 1) - 1, 0))


def _place(text: str, offset: int) -> tuple[int, int]:
    starts = [0, *(found.end() for found in LINE_END.finditer(text, 0, max(offset, 0)))]
    return len(starts), max(offset, 0) - starts[-1]
