"""What a program does to files: each call that writes, reads or removes one, and by which path."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..library import files as table
from ..library.one_worker import part
from ..library.roles import gives
from ..library.shell import HOLE, only_looks
from ..program.program import Program
from ..program.records import NamedTuple
from .own import Level, Owners
from .paths import Path, Paths
from .reach import ALL, Reach

_SAVED = ("model", "checkpoint", "manager")


class Access(NamedTuple):
    """What a call does to a file; `path`: the expression, None where the program names none."""

    effect: str
    call: ast.Call
    path: ast.expr | None = None


class Files:
    """The accesses of one program, and who makes them."""

    def __init__(
        self, program: Program, nodes: list[ast.AST], parents: dict[ast.AST, ast.AST]
    ) -> None:
        self._program, self._nodes, self._parents = program, nodes, parents
        self.reach = Reach(program, nodes, parents)
        self.paths = Paths(program)

    @cached_property
    def accesses(self) -> list[Access]:
        """All of them, in the order of the text."""
        calls = (node for node in self._nodes if isinstance(node, ast.Call))
        found = [access for call in calls for access in self._of(call)]
        return [self._ensured(each) if each.effect == table.MAKE else each for each in found]

    def _ensured(self, access: Access) -> Access:
        """A folder that all may make is there for whoever comes later."""
        is_harmless = is_lenient(access.call) and self.workers(access) == ALL
        return access._replace(effect=table.ENSURE) if is_harmless else access

    def _of(self, call: ast.Call) -> Iterator[Access]:
        names = self._program.names(call.func)
        for name in names:
            yield from self._named(call, name)
        is_method = isinstance(call.func, ast.Attribute) and not names
        if is_method and not self._program.functions(call.func).nodes:
            yield from self._method(call, call.func)  # type: ignore[arg-type]

    def _named(self, call: ast.Call, name: str) -> Iterator[Access]:
        mode = table.opener(name)
        if mode is not None:
            is_written = self._is_written(call, *mode)
            names = ("file", "filename", "name", "path", "fileobj")
            path = _argument(call, names, 0)
            yield Access(table.WRITE if is_written else table.READ, call, path)
            return
        row = table.file_call(name)
        if row is None or (row.effect == table.COMMAND and self._looks(call)):
            return
        path = call if row.at == table.RESULT else _argument(call, row.names, row.at)
        if path is None and row.effect not in (table.COMMAND, table.FETCH):
            return
        if not (path is None and name.endswith("urlretrieve")):  # that goes to a file of its own
            yield Access(row.effect, call, path)

    def _is_written(self, call: ast.Call, default: str, at: int | None) -> bool:
        """Whether a mode says that a file is written; nobody can tell one that isn't spelled."""
        given = None if at is None else _argument(call, ("mode",), at)
        if given is None:
            return bool(table.WRITING_MODES.intersection(default))
        found = self._program.origins(given)
        texts = [n.value for n in found.nodes if isinstance(n, ast.Constant)]
        is_told = found.complete and len(texts) == len(found.items)
        return not is_told or any(table.WRITING_MODES & {*str(text)} for text in texts)

    def _method(self, call: ast.Call, func: ast.Attribute) -> Iterator[Access]:
        origins = self._program.origins(func.value).nodes
        row = table.method(
            func.attr,
            any(self._makes(node, table.PATHS.__contains__) for node in origins),
            any(map(self._is_model, origins)),
        )
        if row is None:
            if func.attr == "open" and any(
                self._makes(node, table.PATHS.__contains__) for node in origins
            ):
                is_written = self._is_written(call, "r", 0)
                yield Access(table.WRITE if is_written else table.READ, call, func.value)
            return
        path = func.value if row.at == table.RECEIVER else _argument(call, row.names, row.at)
        if path is None and any(
            self._makes(n, lambda name: gives(name) == "manager") for n in origins
        ):
            path = func.value
        if path is not None or row.effect == table.FETCH:
            yield Access(row.effect, call, path)

    def _makes(self, node: ast.AST, test: Callable[[str], bool]) -> bool:
        return isinstance(node, ast.Call) and any(map(test, self._program.names(node.func)))

    def _is_model(self, node: ast.AST) -> bool:
        """Whether it makes what saves itself: a model, a checkpoint."""
        if not isinstance(node, ast.Call):
            return False
        if self._makes(node, lambda name: gives(name) in _SAVED):
            return True
        bases = (b for c in self._program.classes(node.func).nodes for b in getattr(c, "bases", ()))
        names = (name for base in bases for name in self._program.names(base))
        return any(gives(name) in _SAVED for name in names)

    # -- command lines --------------------------------------------------------------------------

    def _looks(self, call: ast.Call) -> bool:
        command = _argument(call, ("args", "command", "cmd"), 0)
        return command is not None and only_looks(self.command(command))

    def command(self, expr: ast.expr) -> str:
        """The text of a command line, as far as it is known."""
        made = self._program.only_origin(expr) or expr
        if isinstance(made, (ast.List, ast.Tuple)):
            return " ".join(map(self.command, made.elts))
        return "".join(p if isinstance(p, str) else HOLE for p in self.paths.pieces(made))

    # -- who ------------------------------------------------------------------------------------

    def workers(self, access: Access) -> frozenset[int]:
        """The workers that may do it, of those of the model job."""
        found = self.reach.workers(access.call)
        if access.path is None or not found:
            return found
        return frozenset(w for w in found if not self._is_nowhere(access.path, w))

    def _is_nowhere(self, path: ast.expr, worker: int) -> bool:
        return all(map(self._is_no_file, self._arms(path, worker)))

    def _is_no_file(self, path: ast.expr) -> bool:
        """`os.devnull`, `None`, or a buffer in memory, or a file that was opened before."""
        is_none = isinstance(path, ast.Constant) and not isinstance(path.value, str)
        if is_none or table.NOWHERE.intersection(self._program.names(path)):
            return True
        nodes = self._program.origins(path).nodes
        return bool(nodes) and all(self._makes(n, _is_open) for n in nodes)

    def _arms(self, path: ast.expr, worker: int) -> Iterator[ast.expr]:
        """What a path is on a worker, where a test by rank chooses it."""
        made = self._program.only_origin(path)
        chosen = made if isinstance(made, ast.IfExp) else path
        if isinstance(chosen, ast.IfExp):
            said = self.reach.said(chosen.test)
            for arm, workers in ((chosen.body, said.yes), (chosen.orelse, said.no)):
                yield from self._arms(arm, worker) if worker in workers else ()
        else:
            yield path

    def is_own(self, access: Access) -> bool:
        """Whether a path is one that no other worker has: by its number, or a temporary one."""
        if access.path is None:
            return False
        arms = {arm for worker in ALL for arm in self._arms(access.path, worker)}
        return all(self._is_temporary(arm) or self._is_by_rank(arm) for arm in arms)

    @cached_property
    def _is_temporary(self) -> Callable[[ast.expr], bool]:
        return self._program.sought(lambda node: self._makes(node, table.is_own_place))

    def _is_by_rank(self, path: ast.expr) -> bool:
        own = self._owners.of(path)
        return own.level is Level.OWN and not self._is_local(own.source)

    @cached_property
    def _owners(self) -> Owners:
        return Owners(self._program, self._nodes, frozenset({"rank"}))

    def _is_local(self, source: ast.AST | None) -> bool:
        """Whether workers of two machines have the same number."""
        return self._makes(source, lambda name: part(name) == "local_rank") if source else False

    def is_alone_there(self, path: ast.expr) -> bool:
        """Whether a path goes by the number of a worker on its machine."""
        own = self._owners.of(path)
        return own.level is Level.OWN and self._is_local(own.source)

    def path(self, access: Access) -> Path | None:
        """The path as segments."""
        return None if access.path is None else self.paths.of(access.path)


def is_lenient(call: ast.Call) -> bool:
    """Whether who comes too late is told of no error: `exist_ok=True`."""
    told = [k.value for k in call.keywords if k.arg in table.LENIENT]
    told += call.args[table.EXIST_OK_AT :] if getattr(call.func, "attr", "") == "makedirs" else []
    return any(not (isinstance(value, ast.Constant) and not value.value) for value in told)


def _is_open(name: str) -> bool:
    return table.is_no_path(name) or table.opener(name) is not None


def _argument(call: ast.Call, names: tuple[str, ...], at: int) -> ast.expr | None:
    """The argument of one of some names, or else at that number."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    given = call.args[at] if 0 <= at < len(call.args) else None
    return None if isinstance(given, ast.Starred) else given
