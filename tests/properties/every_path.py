"""Runs a small program along every path: which binding each use of a variable really sees."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Union

NAMES = ("a", "b")
ROUNDS = 3
Seen = set[tuple[ast.AST, "ast.AST | None"]]


class Jump(Exception):
    """`break`, `continue`, `return`, or the end of a path that takes too many rounds."""


class Raised(Exception):
    """An exception of the program."""


class Frame:
    """The variables of a function, or of the module."""

    def __init__(self, around: Frame | None, local: set[str], outside: set[str]) -> None:
        self.around, self.local, self.outside = around, local, outside
        self.module: Frame = self if around is None else around.module
        self.held: dict[str, ast.AST | None] = {}

    def where(self, name: str) -> dict[str, ast.AST | None]:
        if name in self.outside:
            return self.module.held
        if name in self.local or self.around is None:
            return self.held
        return self.around.where(name)


Later = tuple[Frame, Union[ast.FunctionDef, ast.GeneratorExp, ast.Lambda]]


class Path:
    """Runs the program once; every decision is the next of `choices` (new ones say no)."""

    def __init__(self, choices: list[bool]) -> None:
        self.choices, self.at, self.calls = choices, 0, 0
        self.seen: Seen = set()
        self.frame = Frame(None, set(NAMES), set())
        self.functions: dict[str, Later] = {}
        self.later: list[Later] = []  # what may run at any time from here on

    def choose(self) -> bool:
        if self.at == len(self.choices):
            self.choices.append(False)
        self.at += 1
        return self.choices[self.at - 1]

    def bind(self, name: str, node: ast.AST | None) -> None:
        self.frame.where(name)[name] = node

    # -- expressions

    def load(self, node: ast.Name) -> None:
        held = self.frame.where(node.id).get(node.id)
        self.seen.add((node, held))
        if held is None:
            raise Raised

    def expr(self, node: ast.AST) -> None:
        rule = getattr(self, "expr_" + type(node).__name__, None)
        if rule is not None:
            rule(node)
            return
        for child in ast.iter_child_nodes(node):
            self.expr(child)

    def expr_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id in NAMES:
            self.load(node)

    def expr_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.expr(node.value)
        self.bind(node.target.id, node.target)

    def expr_BoolOp(self, node: ast.BoolOp) -> None:
        self.expr(node.values[0])
        if self.choose():
            self.expr(node.values[1])

    def expr_IfExp(self, node: ast.IfExp) -> None:
        self.expr(node.test)
        self.expr(node.body if self.choose() else node.orelse)

    def expr_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> None:
        generator = node.generators[0]
        for _ in range(ROUNDS):
            if not self.choose():
                break
            self.expr(generator.ifs[0])
            if self.choose():
                self.expr(node.elt)

    def expr_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.later.append((self.frame, node))

    def expr_Lambda(self, node: ast.Lambda) -> None:
        self.later.append((self.frame, node))

    def expr_Call(self, node: ast.Call) -> None:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        for argument in node.args:
            if name == "sum" and isinstance(argument, ast.GeneratorExp):
                self.expr_ListComp(argument)
            else:
                self.expr(argument)
        if name == "keep":
            self.later.append(self.functions["h"])
        elif name == "resume" and self.later:
            self.run(*self.later[-1])
        elif name in self.functions:
            self.run(*self.functions[name])
        elif name in ("g", "k"):
            raise Raised  # not defined yet
        elif name == "f" and self.choose():
            raise Raised

    def run(self, frame: Frame, node: ast.AST) -> None:
        """Run a function or a generator in a frame."""
        self.calls += 1
        back, self.frame = self.frame, frame
        try:
            if self.calls > 5:
                raise Jump(ast.Pass)  # too deep: this path ends here
            if isinstance(node, ast.GeneratorExp):
                self.expr_ListComp(node)
            elif isinstance(node, ast.Lambda):
                self.expr(node.body)
            elif isinstance(node, ast.FunctionDef):
                self.call(node)
        finally:
            self.frame = back
            self.calls -= 1

    def call(self, function: ast.FunctionDef) -> None:
        outside = {n for s in function.body if isinstance(s, ast.Global) for n in s.names}
        bound = {n for s in function.body for n in _bound(s)}
        self.frame = Frame(self.frame, bound - outside, outside)
        try:
            self.block(function.body)
        except Jump as jump:
            if jump.args[0] is not ast.Return:
                raise

    # -- statements

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            getattr(self, "do_" + type(statement).__name__)(statement)

    def do_Expr(self, node: ast.Expr) -> None:
        self.expr(node.value)

    def do_Global(self, node: ast.Global) -> None:
        pass

    def do_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.functions[node.name] = (self.frame, node)

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        self.block(node.body)

    def do_Assign(self, node: ast.Assign) -> None:
        self.expr(node.value)
        target = node.targets[0]
        for name in [target] if isinstance(target, ast.Name) else target.elts:  # type: ignore[attr-defined]
            self.bind(name.id, name)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        assert isinstance(node.target, ast.Name)
        self.load(node.target)
        self.expr(node.value)
        self.bind(node.target.id, node.target)

    def do_Assert(self, node: ast.Assert) -> None:
        self.expr(node.test)
        if self.choose():
            raise Raised

    def do_Delete(self, node: ast.Delete) -> None:
        target = node.targets[0]
        assert isinstance(target, ast.Name)
        if self.frame.where(target.id).get(target.id) is None:
            raise Raised
        self.bind(target.id, None)

    def do_If(self, node: ast.If) -> None:
        self.expr(node.test)
        self.block(node.body if self.choose() else node.orelse)

    def do_While(self, node: ast.While) -> None:
        def next_round() -> bool:
            self.expr(node.test)
            return isinstance(node.test, ast.Constant) or self.choose()

        self.loop(node, next_round)

    def do_For(self, node: ast.For) -> None:
        self.expr(node.iter)

        def next_round() -> bool:
            if not self.choose():
                return False
            assert isinstance(node.target, ast.Name)
            self.bind(node.target.id, node.target)
            return True

        self.loop(node, next_round)

    def loop(self, node: ast.For | ast.While, next_round: Callable[[], bool]) -> None:
        for _ in range(ROUNDS):
            if not next_round():
                self.block(node.orelse)
                return
            try:
                self.block(node.body)
            except Jump as jump:
                if jump.args[0] is ast.Break:
                    return
                if jump.args[0] is not ast.Continue:
                    raise
        raise Jump(ast.Pass)  # too long: this path ends here

    def do_Try(self, node: ast.Try) -> None:
        with self._finally(node.finalbody):
            try:
                self.block(node.body)
            except Raised:
                if not node.handlers:
                    raise
                last = len(node.handlers) - 1
                handler = next(h for i, h in enumerate(node.handlers) if i == last or self.choose())
                self.handle(handler)
            else:
                self.block(node.orelse)

    def do_TryStar(self, node: ast.Try) -> None:
        with self._finally(node.finalbody):
            try:
                self.block(node.body)
            except Raised:
                for handler in node.handlers:
                    if self.choose():
                        self.handle(handler)
            else:
                self.block(node.orelse)

    @contextmanager
    def _finally(self, body: list[ast.stmt]) -> Iterator[None]:
        """`finally`, but a path that is too long ends at once."""
        try:
            yield
        except Jump as jump:
            if jump.args[0] is not ast.Pass:
                self.block(body)
            raise
        except Raised:
            self.block(body)
            raise
        self.block(body)

    def handle(self, handler: ast.ExceptHandler) -> None:
        if handler.name is None:
            self.block(handler.body)
            return
        self.bind(handler.name, handler)
        try:
            self.block(handler.body)
        finally:
            self.bind(handler.name, None)

    def do_With(self, node: ast.With) -> None:
        self.expr(node.items[0].context_expr)
        if isinstance(node.items[0].optional_vars, ast.Name):
            self.bind(node.items[0].optional_vars.id, node.items[0].optional_vars)
        try:
            self.block(node.body)
        except Raised:
            if self.choose():
                raise

    def do_Match(self, node: ast.AST) -> None:
        self.expr(node.subject)  # type: ignore[attr-defined]
        for case in node.cases:  # type: ignore[attr-defined]
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None)
                if name and self.choose():
                    self.bind(name, part)
                elif name:
                    break
            else:
                if type(case.pattern).__name__ == "MatchAs" or self.choose():
                    if case.guard is not None:
                        self.expr(case.guard)
                    if case.guard is None or self.choose():
                        self.block(case.body)
                        return

    def do_Break(self, node: ast.stmt) -> None:
        raise Jump(type(node))

    do_Continue = do_Return = do_Break

    def do_Raise(self, node: ast.Raise) -> None:
        raise Raised


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a function binds there, not in functions inside of it."""
    nodes: list[ast.AST] = [] if isinstance(statement, ast.FunctionDef) else [*ast.walk(statement)]
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) or type(node).__name__ in ("MatchAs", "MatchStar"):
            if node.name is not None:  # type: ignore[attr-defined]
                yield node.name  # type: ignore[attr-defined]


def every_path(module: ast.Module, most: int) -> tuple[Seen, bool]:
    """The (use, binding) pairs that the first `most` paths see, and whether these were all.

    The binding is None where the variable is not bound: the program raises there.
    """
    seen: Seen = set()
    choices: list[bool] = []
    for _ in range(most):
        path = Path(choices)
        with suppress(Jump, Raised):
            path.block(module.body)
        seen |= path.seen
        choices = choices[: path.at]
        while choices and choices[-1]:
            choices.pop()
        if not choices:
            return seen, True
        choices[-1] = True
    return seen, False
