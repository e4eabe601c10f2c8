"""Everything that is changed, one thing at a time, to see whether a test notices.

A mutant is one node of a module's `ast` replaced by another. Left alone is what no behaviour hangs
on: docstrings, annotations and type aliases, `if TYPE_CHECKING`, `assert` (written for the type
checker only), `@dataclass(…)`, the size of a cache, `__slots__`, the values of enumerations, the
texts of findings and of errors, wherever they stand (three plain words or more that are no code are
one), what a rule is registered with; and comparisons with Python's own version, of which one run
sees one side only.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import TypeVar

COMPARE = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
OPPOSITE = {"any": "all", "all": "any", "min": "max", "max": "min"}
TRUTH = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.NamedExpr)
N = TypeVar("N", bound=ast.AST)
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
REGISTER = frozenset({"rewrite", "restriction", "hazard", "cast", "TypeVar"})
BEHAVIOUR = frozenset({"needs", "settles", "tensorflow"})  # of a registration's arguments
SPEAKS = frozenset(
    {
        "finding",
        "note",
        "warning",
        "Finding",
        "Problem",
        "SyntaxProblem",
        "Unplaced",
        "Unsound",
        "UnsoundResult",
    }
)
TEXTS = frozenset({"message", "fix", "why"})
PLAIN_WORD = re.compile(r"(?<![^ ])[A-Za-z']+(?=[ ,;:.]|$)")
PLAIN_WORDS = 3  # of a text for people


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, what it says, and how the tree is made with it."""

    path: str
    function: str  # the outermost function around it, "" for what runs at import
    within: str  # the qualified name of the innermost function or class
    lines: range  # of the innermost statement's head
    line: int
    old: str
    new: str
    number: int  # of those in `within` that read alike
    step: _Step

    @property
    def key(self) -> str:
        """What names this mutant as long as the code around it says the same."""
        again = f" #{self.number}" if self.number else ""
        return f"{self.path} {self.within or '<module>'}: {self.old} -> {self.new}{again}"

    def compiled(self, tree: ast.Module, filename: str) -> CodeType:
        """The module's code with this change; the tree is left as it was."""
        parent, field, index, new = self.step
        before = getattr(parent, field)
        after = new if index is None else [*before[:index], new, *before[index + 1 :]]
        setattr(parent, field, after)
        try:
            return compile(tree, filename, "exec", dont_inherit=True)
        finally:
            setattr(parent, field, before)


_Step = tuple[ast.AST, str, "int | None", ast.AST]


def mutants(path: Path, name: str) -> tuple[ast.Module, list[Mutant]]:
    """A module's tree and every mutant of it, in the order of the text."""
    tree = ast.parse(path.read_bytes())
    walk = _Walk(name)
    walk.block(tree)
    return tree, walk.found


class _Walk:
    """Goes through a module and remembers where it is."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Mutant] = []
        self.within: list[str] = []
        self.function = ""
        self.statement: ast.AST = ast.Pass()
        self.silent = False  # within what speaks to people
        self.alike: Counter[tuple[str, ...]] = Counter()

    def block(self, node: ast.AST) -> None:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params") or self._registers(node, field):
                continue
            if isinstance(value, list):
                for index, child in enumerate(value):
                    if isinstance(child, ast.AST):
                        self.visit(node, field, index, child)
            elif isinstance(value, ast.AST):
                self.visit(node, field, None, value)

    def _registers(self, node: ast.AST, field: str) -> bool:
        """Whether this holds the texts of a registration, or the name in `cast("Name", …)`."""
        if isinstance(node, ast.Call) and _name(node.func) in REGISTER:
            return field == "args"
        return False

    def visit(self, parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
        if _is_left_alone(parent, node):
            return
        kept = self.statement, self.function, self.silent
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            self.statement = node
        self.silent |= isinstance(node, ast.Raise) or _speaks(node)
        if field == "body" and isinstance(node, FUNCTION) and not self.function:
            self._outermost(node)
            self.statement, self.function, self.silent = kept
            return
        for new in _changes(node, parent, field):
            if not (self.silent and isinstance(new, (ast.Constant, ast.Assign))):
                self._remember((parent, field, index, _placed(new, node)), node)
        is_scope = isinstance(node, (*FUNCTION, ast.ClassDef))
        self.within += [node.name] if is_scope else []  # type: ignore[attr-defined]
        self.block(node)
        del self.within[len(self.within) - is_scope :]
        self.statement, self.function, self.silent = kept

    def _outermost(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Decorators and defaults are evaluated where it stands, the body where it is called."""
        self.within.append(node.name)
        for index, decorator in enumerate(node.decorator_list):
            self.visit(node, "decorator_list", index, decorator)
        self.visit(node, "args", None, node.args)
        self.function = ".".join(self.within)
        for index, statement in enumerate(node.body):
            self.visit(node, "body", index, statement)
        self.within.pop()

    def _remember(self, step: _Step, node: ast.AST) -> None:
        old, new = (" ".join(ast.unparse(n).split()) for n in (node, step[3]))
        within = ".".join(self.within)
        number = self.alike[within, old, new]
        self.alike[within, old, new] += 1
        line = getattr(node, "lineno", getattr(self.statement, "lineno", 1))
        lines = _head(self.statement)
        self.found.append(
            Mutant(self.path, self.function, within, lines, line, old, new, number, step)
        )


def _is_left_alone(parent: ast.AST, node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if _is_for_people(node):
        return True
    if isinstance(node, ast.If):
        return _name(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.Assign):
        is_alias = isinstance(node.value, ast.Subscript) and _name(node.value.value)[:1].isupper()
        is_value = isinstance(parent, ast.ClassDef) and "Enum" in map(_name, parent.bases)
        is_told = is_alias or is_value or _is_for_people(node.value) or _is_type(node.value)
        return is_told or bool({"__all__", "__slots__"} & set(map(_name, node.targets)))
    if isinstance(node, ast.Compare):
        return _name(node.left) == "version_info"
    if isinstance(node, ast.Call) and isinstance(parent, ast.ClassDef):
        return _name(node.func) == "dataclass"
    if isinstance(node, ast.Call) and _name(node.func) == "lru_cache":
        return True
    if isinstance(node, ast.keyword) and isinstance(parent, ast.Call):
        return _name(parent.func) in REGISTER and node.arg not in BEHAVIOUR
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert))


def _is_for_people(node: ast.AST) -> bool:
    """Whether this is a text that people read, and no code."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    text = node.value.strip(" ")
    is_plain = len(PLAIN_WORD.findall(text)) >= PLAIN_WORDS and "\n" not in text
    return is_plain and not any(map(_is_code, (text, f"{text} pass", f"{text}: pass")))


def _is_code(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) == "TypeVar"


def _speaks(node: ast.AST) -> bool:
    """Whether this makes a text for people."""
    if isinstance(node, ast.Call):
        return _name(node.func) in SPEAKS
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(_name(target).strip("_").lower() in TEXTS for target in targets)


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _head(statement: ast.AST) -> range:
    """The lines of a statement without those of its blocks."""
    first = min([statement, *getattr(statement, "decorator_list", [])], key=_line)
    body = getattr(statement, "body", None)
    last = _line(body[0]) - 1 if isinstance(body, list) else getattr(statement, "end_lineno", 1)
    return range(_line(first), max(last, getattr(statement, "lineno", 1)) + 1)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


def _placed(new: ast.AST, old: ast.AST) -> ast.AST:
    for node in ast.walk(new):
        if not hasattr(node, "lineno") and hasattr(old, "lineno"):
            ast.copy_location(node, old)
    return ast.fix_missing_locations(new)


def _changes(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """What may stand instead of a node."""
    if isinstance(node, ast.stmt):
        yield from _statements(node)
    elif isinstance(node, ast.expr):
        if _is_condition(parent, field) and isinstance(node, TRUTH):
            yield ast.UnaryOp(ast.Not(), node)
        yield from _expressions(node)
        if isinstance(parent, ast.Slice) and field != "step":
            yield ast.Constant(None)


def _is_condition(parent: ast.AST, field: str) -> bool:
    return field in ("test", "ifs") and isinstance(
        parent, (ast.If, ast.While, ast.IfExp, ast.comprehension)
    )


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant):
        yield from (ast.Constant(value) for value in _constants(node.value))
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield _with(node, ops=[COMPARE[type(node.ops[0])]()])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield _with(node, op=ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.Name) and node.id in OPPOSITE:
        yield ast.Name(OPPOSITE[node.id], node.ctx)


def _constants(value: object) -> Iterable[bool | float | str | bytes]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1]
    if isinstance(value, str):
        return [f"XX{value}XX"]
    return [b"XX" + value + b"XX"] if isinstance(value, bytes) else []


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(node, ast.Return) and not isinstance(node.value, (ast.Constant, type(None))):
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and not _is_falsy(node.value):
        yield _with(node, value=ast.Constant(None))
    elif isinstance(node, (ast.AugAssign, ast.Raise, ast.Delete, ast.Expr)):
        yield ast.Pass()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()


def _is_falsy(value: ast.expr | None) -> bool:
    """Whether None would mean the same, or there is no value."""
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, False))


def _with(node: N, **fields: object) -> N:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
