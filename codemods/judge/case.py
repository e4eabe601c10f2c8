"""What is judged: a program's files as they would lie on disk, and what they were before.

The judge knows nothing of what rules meant: it reads these texts anew.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from ..facts.setup.horovod_start import ends_unless_alone
from ..program.core import NO_LIBRARY, Questions
from ..program.node_fields import children, within
from ..program.program import Program
from ..syntax.source import Source
from .proof import NOT_PROVED, PROVED, VIOLATED, Proof

if TYPE_CHECKING:
    from ..facts import Facts
    from ..model import Options

V = TypeVar("V")
MOST_STEPS = 4_000_000  # of the engine, of all files together


class Place:
    """Where a node stands: the path of its file, line (from 1) and column (from 0)."""

    __slots__ = ("column", "line", "path")

    def __init__(self, path: str, line: int, column: int) -> None:
        self.path, self.line, self.column = path, line, column


class Case:
    """A program to be judged.

    `after`: its texts by their paths; `before`: what the same files held, empty for a program that
    a person has written; `entry`: the path of the file that is started; `questions`: what the
    engine asks of libraries; `facts`: makes what today's checks ask of the result.
    Raises SyntaxProblem where a text can't be read.
    """

    def __init__(
        self,
        after: Mapping[str, str],
        before: Mapping[str, str],
        entry: str,
        options: Options,
        questions: Questions = NO_LIBRARY,
        facts: Callable[[], Facts] | None = None,
    ) -> None:
        self.entry, self.options = entry, options
        self.after = {path: Source(text) for path, text in after.items()}
        self.before = {path: Source(text) for path, text in before.items()}
        self._questions, self._facts = questions, facts
        self._answers: dict[Callable[[Case], Any], Any] = {}
        self._share()

    def _share(self) -> None:
        """What today's checks have read of a program of one file is not read again."""
        if self._facts is None or len(self.after) != 1:
            return
        ((path, source),) = self.after.items()
        if self.facts.source.text == source.text:
            self.after = {path: self.facts.source}
            self.__dict__["program"] = self.facts.program  # as if it had been asked for before

    @classmethod
    def written(cls, facts: Facts) -> Case:
        """The program of these facts, as a person has written it: it is not read again."""
        return cls({"": facts.source.text}, {}, "", facts.options, facts=lambda: facts)

    @property
    def is_for_one(self) -> bool:
        """Whether nobody asked for many workers, and nothing here has any, or each of them ends."""
        if not self.is_result:
            return False
        if not any("horovod" in source.text for source in self.after.values()):
            return not self.options.distributes
        return self._facts is not None and ends_unless_alone(self.facts) is not None

    @property
    def is_result(self) -> bool:
        """Whether distify made the texts, and what they were is known."""
        return bool(self.before)

    @property
    def changed(self) -> list[str]:
        """The paths of the files that are another text than before."""
        was = self.before
        return [p for p, now in self.after.items() if p not in was or was[p].text != now.text]

    @cached_property
    def program(self) -> Program:
        """The values of the program that is judged. Raises TooLarge."""
        return self._program(self.after)

    @cached_property
    def was(self) -> Program:
        """The values of the program before it was rewritten. Raises TooLarge."""
        return self._program(self.before)

    def _program(self, sources: Mapping[str, Source]) -> Program:
        modules = {module_name(path): source.module for path, source in sources.items()}
        return Program(modules, self._questions, MOST_STEPS)

    @cached_property
    def facts(self) -> Facts:
        """What today's checks ask: for the modules of this room that wrap one."""
        assert self._facts is not None, "nobody said how facts are made"
        return self._facts()

    def close(self) -> None:
        """Forgets everything: what holds each other would wait for a search for circles."""
        facts = vars(self).get("facts")
        for known in ("program", "was"):
            program = vars(self).get(known)
            if program is not None and program is not (facts and vars(facts).get("program")):
                program.close()
        if facts is not None:
            from ..facts.closing import closing

            with closing(facts):
                pass
        vars(self).clear()

    def once(self, ask: Callable[[Case], V]) -> V:
        """What a question finds out about the program, which several obligations ask."""
        if ask not in self._answers:
            self._answers[ask] = ask(self)
        return self._answers[ask]  # type: ignore[no-any-return]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that holds each node of the judged texts."""
        found: dict[ast.AST, ast.AST] = {}
        for source in self.after.values():
            for node in within(source.module):
                found.update(dict.fromkeys(children(node), node))
        return found

    @cached_property
    def _paths(self) -> dict[ast.AST, str]:
        return {source.module: path for path, source in self.after.items()}

    def path(self, node: ast.AST) -> str:
        """The path of the judged file in which a node stands."""
        while node in self.parents:
            node = self.parents[node]
        return self._paths[node]

    def place(self, node: ast.AST) -> Place:
        """Where a node of the judged texts stands."""
        path = self.path(node)
        if not hasattr(node, "lineno"):
            return Place(path, 1, 0)
        return Place(path, *self.after[path].span(node)[:2])

    # -- answers ------------------------------------------------------------------------------

    def violated(
        self, obligation: str, node: ast.AST, why: str, fix: str = "", code: str = ""
    ) -> Proof:
        """The answer that something is wrong at a node."""
        at = self.place(node)
        where = (at.path, at.line, at.column)
        return Proof(obligation, VIOLATED, why, *where, fix, code)

    def not_proved(
        self, obligation: str, node: ast.AST, why: str, fix: str = "", code: str = ""
    ) -> Proof:
        """The answer that nobody can tell at a node."""
        return self.violated(obligation, node, why, fix, code)._replace(verdict=NOT_PROVED)


def proved(obligation: str, how: str, *assumptions: str) -> Proof:
    """The answer that an obligation holds of the whole program."""
    return Proof(obligation, PROVED, how, assumptions=assumptions)


def module_name(path: str) -> str:
    """The dotted name under which the engine knows a file; that of a script by itself is empty."""
    name = path[:-3] if path.endswith(".py") else path
    return name.strip("/").replace("/", ".")
