"""Versions of variables: what one binding gives, or any one of several of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Optional, Union

from .records import NamedTuple

EACH, ENTER = "each", "enter"  # steps of a path: an element, what `with` gives
Step = Union[int, str, tuple[object, ...]]
Path = tuple[Step, ...]


class Version:
    """One binding of a variable, or any one of `args`.

    A binding has `args` None; `value` flows in, at `path` inside of it. Its kinds: `assign`, `aug`,
    `for`, `with`, `param`, `def`, `class`, `import` (the value is the alias), `except`, `match`,
    `type` and `unbound`. The others choose between `args`:

    - `join`: what `tests` are decides; all versions of one join share one sequence of tests.
    - `cell`: all bindings of a variable, or all that a function may see.
    - `swallow`: `args[0]`, and the others if a context manager in `tests` swallows exceptions.
    - `true`, `false`: `args[0]`, if the test in `tests` may be true (false).
    - `imported`: `args[0]`, if another module calls the function `node`.
    - `returns`: `args[0]`, if the call in `tests` may return.
    """

    __slots__ = ("args", "kind", "node", "path", "tests", "value")

    def __init__(
        self,
        kind: str,
        node: ast.AST | None = None,
        value: ast.AST | None = None,
        path: Path = (),
        args: list[Version] | None = None,
        tests: Sequence[ast.AST] = (),
    ) -> None:
        self.kind, self.node, self.value, self.path = kind, node, value, path
        self.args, self.tests = args, tests

    def __repr__(self) -> str:
        line = getattr(self.node, "lineno", None)
        return f"<{self.kind}{'' if line is None else f' of line {line}'}>"


UNBOUND = Version("unbound")


def bindings(version: Version) -> list[Version]:
    """The bindings that a version stands for, UNBOUND among them if the variable may have none."""
    found: list[Version] = []
    seen: set[Version] = set()
    stack = [version]
    while stack:
        version = stack.pop()
        if version in seen:
            continue
        seen.add(version)
        if version.args is None:
            found.append(version)
        else:
            stack += version.args
    return found


def any_of(versions: Sequence[Version], tests: Sequence[ast.AST] = ()) -> Version:
    """The version that stands for any one of these."""
    if len(versions) == 1:
        return versions[0]
    return Version("join", args=list(versions), tests=tests)


class Condition:
    """What must be so for a statement to run: `tests` came out that way, and `outer` holds too.

    `kind` is `branch` or `loop` (it stands inside), `exit` (an earlier `return`, `break` or
    `continue` under these tests was not run) or `raise` (the same of raises alone). The test of
    what an exception decides is the `try`; that of a `for` is its iterable. `jumps` are what leaves
    the block or the loop, whose tests stand among `tests` too. Conditions share their outer ones:
    follow each once, or a long chain of early returns costs its square.
    """

    __slots__ = ("jumps", "kind", "outer", "tests")

    def __init__(
        self,
        kind: str,
        tests: list[ast.AST],
        outer: Condition | None,
        jumps: Sequence[ast.AST] = (),
    ) -> None:
        self.kind, self.tests, self.outer, self.jumps = kind, tests, outer, jumps


class Exit(NamedTuple):
    """A jump: its kind, the condition of its place, the statement."""

    kind: str
    condition: Optional[Condition]  # noqa: UP045  (Python 3.9 evaluates it)
    node: ast.AST
