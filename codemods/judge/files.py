"""What a program does to files: each call that writes, reads or removes one, and by which path."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..library import file_effects as table
from ..library import file_rows as effects
from ..library.call_results import gives
from ..library.horovod_alone import part
from ..library.shell import HOLE, NOTEBOOK, only_installs, only_looks, shell_text, words_of
from ..program.program import Program
from ..program.records import NamedTuple
from .own import Level, Owners
from .paths import Path, Paths, segments
from .reach import ALL, Reach

_NAMED = (ast.Name, ast.Attribute)


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
        calls = [node for node in self._nodes if isinstance(node, ast.Call)]
        found = {call: [*self._of(call)] for call in calls}
        others = [call for call, known in found.items() if not known]
        found.update({call: [*self._said(call)] for call in others})
        written = [a for known in found.values() for a in known if a.effect == effects.WRITE]
        paths = {path for a in written for path in self.places(a) if path}
        found.update({c: [*self._uses(c, paths)] for c in others if paths and not found[c]})
        every = [access for call in calls for access in found[call]]
        return [self._ensured(each) if each.effect == effects.MAKE else each for each in every]

    def _ensured(self, access: Access) -> Access:
        """A folder that all may make is there for whoever comes later."""
        is_harmless = is_lenient(access.call) and self.workers(access) == ALL
        return access._replace(effect=effects.ENSURE) if is_harmless else access

    def _of(self, call: ast.Call) -> Iterator[Access]:
        names = self._program.names(call.func)
        for name in names:
            yield from self._named(call, name)
        if self._program.functions(call.func).nodes:
            return
        yield from self._handed(call)
        if isinstance(call.func, ast.Attribute) and not names:
            yield from self._method(call, call.func)

    def _named(self, call: ast.Call, name: str) -> Iterator[Access]:
        opener = table.opener(name)
        if opener is not None:
            is_written = self._is_written(call, opener.mode, opener.at)
            path = _argument(call, ("file", "filename", "name", "path", "fileobj"), 0)
            effect = self._written(call) if is_written else effects.READ
            yield Access(effect, call, path)
        for row in table.file_calls(name):
            if row.effect == effects.COMMAND and self._looks(call):
                continue
            path = call if row.at == effects.RESULT else _argument(call, row.names, row.at)
            is_somewhere = row.effect in (effects.COMMAND, effects.FETCH)
            is_temporary = path is None and name.endswith("urlretrieve")
            if (path is not None or is_somewhere) and not is_temporary:
                yield Access(row.effect, call, path)

    def _written(self, call: ast.Call) -> str:
        """What is done to a file that is opened to write: one closed at once is as empty of all."""
        parent = self._parents.get(call)
        is_empty = isinstance(parent, ast.Attribute) and parent.attr == "close"
        return effects.ENSURE if is_empty else effects.WRITE

    def _handed(self, call: ast.Call) -> Iterator[Access]:
        """`map(os.remove, paths)`: outside code calls what it is given."""
        given = [*call.args, *(k.value for k in call.keywords)]
        for each in given:
            names = self._program.names(each) if isinstance(each, _NAMED) else ()
            rows = [row for name in names for row in table.file_calls(name)]
            if any(row.effect not in effects.KEEPING for row in rows):
                path = next((other for other in given if other is not each), None)
                yield Access(rows[0].effect, call, path)

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
        makers = frozenset(
            name for node in self._program.origins(func.value).nodes for name in self._makers(node)
        )
        if func.attr == "open" and makers & table.PATHS:
            is_written = self._is_written(call, "r", 0)
            yield Access(effects.WRITE if is_written else effects.READ, call, func.value)
            return
        if _is_shell(call):
            yield from self._shelled(call, func.attr)
            return
        row = table.method(func.attr, makers)
        if row is None:
            return
        is_receiver = row.at == effects.RECEIVER
        path = func.value if is_receiver else _argument(call, row.names, row.at)
        if path is None and table.MANAGER in makers:
            path = func.value
        if path is not None or row.effect == effects.FETCH:
            yield Access(row.effect, call, path)

    def _makers(self, node: ast.AST) -> Iterator[str]:
        """The names of what makes something, or the role that it has."""
        if not isinstance(node, ast.Call):
            return
        bases = (b for c in self._program.classes(node.func).nodes for b in getattr(c, "bases", ()))
        for func in (node.func, *bases):
            for name in self._program.names(func):
                yield from (name, gives(name) or name)

    def _makes(self, node: ast.AST, test: Callable[[str], bool]) -> bool:
        return isinstance(node, ast.Call) and any(map(test, self._program.names(node.func)))

    def _said(self, call: ast.Call) -> Iterator[Access]:
        """What no row knows, and says itself that it writes: `onnx.save(model, "model.onnx")`."""
        word = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        for name in (word, *(n.rpartition(".")[2] for n in self._program.names(call.func))):
            if effects.may_write(name) and not self._is_of_program(call):
                for given in (*call.args, *(k.value for k in call.keywords)):
                    if self._ends_as_told(name, given):
                        yield Access(effects.WRITE, call, given)
                return

    def _uses(self, call: ast.Call, written: set[Path]) -> Iterator[Access]:
        """What no row knows, and is given the very path that the program writes."""
        names = self._program.names(call.func)
        if not names or self._is_of_program(call) or any(map(table.only_names_paths, names)):
            return
        for given in (*call.args, *(k.value for k in call.keywords)):
            if self.paths.of(given) in written:
                yield Access(effects.READ, call, given)

    def _ends_as_told(self, word: str, given: ast.expr) -> bool:
        pieces = [*self.paths.pieces(given)]
        is_text = any(isinstance(piece, str) for piece in pieces)
        last = pieces[-1] if isinstance(pieces[-1], str) else ""
        return is_text and effects.says_where(word, last)

    def _is_of_program(self, call: ast.Call) -> bool:
        """Whether a function of the program is called, or may be: one of its methods."""
        if self._program.functions(call.func).nodes:
            return True
        return isinstance(call.func, ast.Attribute) and call.func.attr in self._defined

    @cached_property
    def _defined(self) -> frozenset[str]:
        return frozenset(node.name for node in self._nodes if isinstance(node, ast.FunctionDef))

    # -- command lines --------------------------------------------------------------------------

    def _shelled(self, call: ast.Call, method: str) -> Iterator[Access]:
        """A line, or a cell, of a notebook that a shell runs."""
        given = call.args[0] if call.args else None
        text = self.command(given) if given is not None else HOLE
        if not self._is_harmless(shell_text(method, text)):
            yield Access(effects.COMMAND, call, given)

    def _looks(self, call: ast.Call) -> bool:
        command = _argument(call, ("args", "command", "cmd"), 0)
        return command is not None and self._is_harmless(self.command(command))

    @staticmethod
    def _is_harmless(command: str) -> bool:
        return only_looks(command) or only_installs(command)

    def command(self, expr: ast.expr) -> str:
        """The text of a command line, as far as it is known."""
        made = self._program.origins(expr).only or expr
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
        made = self._program.origins(path).only
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
        return Owners(self._program, frozenset({"rank"}))

    def _is_local(self, source: ast.AST | None) -> bool:
        """Whether workers of two machines have the same number."""
        return self._makes(source, lambda name: part(name) == "local_rank") if source else False

    def places(self, access: Access) -> list[Path]:
        """The paths of an access as segments: of a command line, all that may be one."""
        if access.path is None:
            return []
        if access.effect == effects.COMMAND:
            return [tuple(segments(word)) for word in words_of(self.command(access.path))]
        return [self.paths.of(access.path)]


def _is_shell(call: ast.Call) -> bool:
    """`get_ipython().system("…")`, which stands for a line of a notebook."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    name = made.func if isinstance(made, ast.Call) else None
    return isinstance(name, ast.Name) and name.id == NOTEBOOK


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
