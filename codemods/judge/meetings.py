"""The calls that wait until every worker has come to them, and which of them meet each other."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from functools import cached_property
from typing import Any, Callable

from ..library import waiting_calls as table
from ..library.collectives import collective
from ..program.node_fields import within
from ..program.parts import methods
from ..program.program import Program
from ..program.records import NamedTuple
from ..program.sources import AnyFunction
from ..program.things import Partial

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_MAKING, _CALLING = ("__init__", "__post_init__"), ("__call__", "call")
_GROUP = "process_set"  # of some of the workers: who is in it, is not followed
STEP, PERHAPS = "step", "perhaps a step"


class Meeting(NamedTuple):
    """A place where workers wait for each other: those of one sign meet. `what`: in words."""

    sign: Hashable
    what: str
    is_perhaps: bool = False


class Meetings:
    """The meetings of a program, and the functions that lead to them.

    `steps`: calls in which workers are going to meet, of a program that is yet to be rewritten.
    """

    def __init__(
        self, program: Program, trees: Iterable[ast.Module], steps: Iterable[ast.Call] = ()
    ) -> None:
        self._program, self.assumed = program, frozenset(steps)
        self.place: ast.AST | None = None  # where all meet, whatever stands there
        self.nodes = [node for tree in trees for node in within(tree)]
        self._by_type: dict[type[ast.AST], list[Any]] = {}
        for node in self.nodes:
            self._by_type.setdefault(type(node), []).append(node)
        self.calls: list[ast.Call] = self.of(ast.Call)
        self._run: dict[ast.Call, tuple[ast.AST, ...]] = {}
        self._is_wrapped = program.sought(lambda n: self._makes(n, table.wraps))
        self._waits = program.sought(lambda n: self._makes(n, _waits))

    def only_at(self, place: ast.AST) -> Meetings:
        """The same program if all workers meet at one place, and nowhere else."""
        other = copy(self)
        known: dict[ast.Call, Meeting] = {}
        vars(other).update(known=known, place=place)
        return other

    def _makes(self, node: ast.AST, test: object) -> bool:
        is_call = isinstance(node, ast.Call)
        return is_call and any(map(test, self._program.names(node.func)))  # type: ignore

    def of(self, *kinds: type[ast.AST]) -> list[Any]:
        """The nodes of these kinds of syntax, in the order of all nodes."""
        found = [self._by_type[kind] for kind in kinds if kind in self._by_type]
        if len(found) < 2:
            return [node for each in found for node in each]
        return [node for node in self.nodes if type(node) in kinds]

    # -- calls ----------------------------------------------------------------------------------

    @cached_property
    def known(self) -> dict[ast.Call, Meeting]:
        """Horovod's own functions, and steps of its optimizers and tapes."""
        pairs = ((call, self._meeting(call)) for call in self.calls)
        return {call: meeting for call, meeting in pairs if meeting is not None}

    def is_perhaps(self, call: ast.Call) -> bool:
        """Whether nobody can tell if workers meet in a call."""
        return call in self.known and self.known[call].is_perhaps

    @property
    def certain(self) -> bool:
        """Whether workers meet anywhere for certain."""
        return any(not meeting.is_perhaps for meeting in self.known.values())

    def names(self, call: ast.Call) -> tuple[str, ...]:
        """The outside functions that a call may run."""
        partials = (t for t in self._program.things(call.func) if isinstance(t, Partial))
        filled = (name for each in partials for name in self._program.names(each.func))
        return (*self._program.names(call.func), *filled)

    def _meeting(self, call: ast.Call) -> Meeting | None:
        for name in self.names(call):
            kind = collective(name)
            if kind is not None:
                is_of_some = any(k.arg == _GROUP for k in call.keywords)
                sign = (kind, _text(call, "name"))
                return None if is_of_some else Meeting(sign, name.rpartition(".")[2])
            if name.endswith("estimator.train_and_evaluate"):
                return Meeting((STEP, name), "train_and_evaluate")
        is_method = isinstance(call.func, ast.Attribute) and not self._program.names(call.func)
        is_own = bool(is_method and self._program.functions(call.func).nodes)
        if not is_method or (is_own and call not in self.assumed):
            return None
        return self._step(call, call.func)  # type: ignore[arg-type]

    def _step(self, call: ast.Call, func: ast.Attribute) -> Meeting | None:
        given = [*call.args, *(k.value for k in call.keywords)]
        name = func.attr
        is_step = (
            call in self.assumed
            or (name in table.OF_ITSELF and self._is_wrapped(func.value))
            or (name in table.OF_WHAT_IT_HOLDS and self._is_wrapped(func.value))
            or (name in table.OF_WHAT_IT_GETS and self._gets(given))
        )
        if is_step:
            return Meeting((STEP, name, self._object(func.value)), name)
        is_perhaps = name in table.OF_WHOM_EVER and not self._program.origins(func.value).complete
        return Meeting((PERHAPS, name), name, is_perhaps=True) if is_perhaps else None

    def _gets(self, given: list[ast.expr]) -> bool:
        return any(map(self._waits, given))

    def _object(self, expr: ast.expr) -> Hashable:
        """Which object takes the step: two of them average other tensors."""
        return frozenset(self._program.origins(expr).nodes) or ast.dump(expr)

    # -- functions ------------------------------------------------------------------------------

    @cached_property
    def around(self) -> dict[ast.AST, ast.AST]:
        """The innermost function around each node of a function."""
        found: dict[ast.AST, ast.AST] = {}
        for node in self.functions:  # the outer ones come first
            body = node.body if isinstance(node.body, list) else [node.body]
            found.update((n, node) for part in body for n in within(part))
        return found

    @cached_property
    def functions(self) -> list[AnyFunction]:
        """All functions of the program."""
        return self.of(*_FUNCTIONS)

    @cached_property
    def blocks(self) -> dict[ast.AST, ast.With]:
        """The block of each expression that a `with` enters."""
        return {item.context_expr: block for block in self.of(ast.With) for item in block.items}

    @cached_property
    def _callers(self) -> dict[ast.AST, list[ast.AST]]:
        """The functions that call each function."""
        found: dict[ast.AST, list[ast.AST]] = {}
        for call in self.calls:
            home = self.around.get(call)
            if home is not None:
                for function in self.run_by(call):
                    found.setdefault(function, []).append(home)
        return found

    def run_by(self, call: ast.Call) -> tuple[ast.AST, ...]:
        """The functions of the program that a call runs, methods of what is called among them."""
        if call not in self._run:
            self._run[call] = self._found_run(call)
        return self._run[call]

    def _found_run(self, call: ast.Call) -> tuple[ast.AST, ...]:
        program = self._program
        found = program.functions(call.func).nodes
        made = (m for cls in program.classes(call.func).nodes for m in methods(cls, _MAKING))
        classes = program.instances(call.func).nodes if not found else ()
        return (*found, *made, *(m for cls in classes for m in methods(cls, _CALLING)))

    def leading(self, starts: Iterable[ast.AST]) -> set[ast.AST]:
        """The functions in which one of the nodes stands, or that lead to one of those."""
        found = {self.around[node] for node in starts if node in self.around}
        waiting = list(found)
        while waiting:
            further = [f for f in self._callers.get(waiting.pop(), ()) if f not in found]
            found.update(further)
            waiting += further
        return found

    @cached_property
    def meeting(self) -> set[ast.AST]:
        """The functions that lead to a meeting, by whatever calls."""
        found = self.leading(self.known if self.place is None else [self.place])
        while True:  # what makes or runs objects that meet, meets as well
            calls = [c for c in self._handing if self._code(c, found)]
            more = self.leading(calls) - found
            if not more:
                return found
            found |= more

    def signs(self, call: ast.Call) -> Iterator[Hashable]:
        """The code of the program that meets, and that outside code gets, or runs, by this call."""
        if call in self.known:
            return
        yield from (("code", node) for node in dict.fromkeys(self._code(call, self.meeting)))
        if isinstance(call.func, ast.Attribute) and call.func.attr in table.RUNNING:
            if self.meeting and self._holds_code(call.func.value):
                yield ("running", call.func.attr)

    @cached_property
    def _holds_code(self) -> Callable[[ast.expr], bool]:
        """Whether something was given an object whose methods meet: a metric, a layer."""
        return self._program.sought(self._makes_code)

    def _makes_code(self, node: ast.AST) -> bool:
        classes = self._program.classes(node.func).nodes if isinstance(node, ast.Call) else ()
        return any(m in self.meeting for cls in classes for m in methods(cls))

    def _code(self, call: ast.Call, meeting: set[ast.AST]) -> list[ast.AST]:
        """What of that meets, or is a collective itself."""
        handed = self._handing.get(call, ())
        return [node for node in handed if node in meeting or not isinstance(node, _FUNCTIONS)]

    @cached_property
    def _handing(self) -> dict[ast.Call, list[ast.AST]]:
        """The calls by which outside code gets, or runs, code of the program, or collectives."""
        found = ((call, [*self._made(call), *self._handed(call)]) for call in self.calls)
        return {call: nodes for call, nodes in found if nodes}

    def _made(self, call: ast.Call) -> Iterator[ast.AST]:
        """The methods of the object that a call makes, if nothing of the program calls them."""
        for cls in self._program.classes(call.func).nodes:
            run = (m for m in methods(cls) if m.name not in _MAKING)
            yield from (m for m in run if not self._program.call_sites(m).nodes)

    def _handed(self, call: ast.Call) -> Iterator[ast.AST]:
        program = self._program
        if program.functions(call.func).nodes or program.classes(call.func).nodes:
            return
        for each in (*call.args, *(k.value for k in call.keywords)):
            yield from program.functions(each).nodes
            yield from (each for name in program.names(each) if collective(name))
        if isinstance(call.func, ast.Attribute) and call.func.attr in table.RUNNING:
            for cls in program.instances(call.func.value).nodes:
                yield from methods(cls)


def _waits(name: str) -> bool:
    return bool(collective(name)) or table.wraps(name) or table.is_callback(name)


def _text(call: ast.Call, keyword: str) -> object:
    given = next((k.value for k in call.keywords if k.arg == keyword), None)
    return given.value if isinstance(given, ast.Constant) else None
