"""The ways through each function, statement by statement, to the meetings that they lead to.

Written from the end: what comes behind a statement is known before the statement is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Callable, ClassVar

from ..library import effects
from ..library import waiting_calls as table
from ..library.tensorflow_names import CONDITIONS
from ..program.node_fields import children, nodes_in, within
from ..program.parts import methods
from ..program.program import Program
from ..program.records import NamedTuple
from .courses import ALIKE, ALONE, RANK, Courses
from .meetings import Meeting, Meetings
from .own import Level, Own, Owners
from .workers import NUMBERS

_JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_WITHS = (ast.With, ast.AsyncWith)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
COUNTS = ("epochs", "initial_epoch", "steps_per_epoch", "steps", "max_steps")
_SUPPRESS = "contextlib.suppress"
_STOPS = Meeting(("stop",), "stop_training")


class Handler(NamedTuple):
    """What takes an error: the names of its kinds (empty: all), and the way behind it."""

    names: tuple[str, ...]
    way: int


class Jumps(NamedTuple):
    """Where statements lead that don't go on to the next one."""

    returned: int
    left: int = 0
    again: int = 0
    handlers: tuple[Handler, ...] = ()


class Ways:
    """The ways through a program's functions."""

    def __init__(
        self, program: Program, owners: Owners, meetings: Meetings, parents: dict[ast.AST, ast.AST]
    ) -> None:
        self._program, self._owners = program, owners
        self._meetings, self._parents = meetings, parents
        self.courses = Courses()
        self.numbers: dict[ast.AST, tuple[object, ...]] = {}  # of the tests by rank
        self._known: dict[ast.AST, int] = {}
        self._hole = self.courses.leaf("hole")  # where a `with` lets its block run

    # -- what matters ---------------------------------------------------------------------------

    @cached_property
    def _ends(self) -> set[ast.AST]:
        """The calls that end the program of this worker."""
        calls = self._meetings.calls
        names = self._program.names
        return {c for c in calls if any(map(effects.never_returns, names(c.func)))}

    @cached_property
    def leading(self) -> set[ast.AST]:
        """The functions that lead to a meeting, to the end of the program, or to an error."""
        raises = self._meetings.of(ast.Raise)
        others = self._meetings.leading([*self._ends, *raises, *self._stops])
        return self._meetings.meeting | others

    @cached_property
    def _stops(self) -> set[ast.AST]:
        """Where `stop_training` is set to something that may be true."""
        if self._meetings.place is not None:
            return set()
        return {n for n in self._meetings.of(ast.Assign) if _sets_stop(n)}

    @cached_property
    def _marked(self) -> set[ast.AST]:
        """The nodes in which something stands that matters."""
        starts: list[ast.AST] = self._meetings.of(*_JUMPS)
        starts += [c for c in self._meetings.calls if self._matters(c)]
        found: set[ast.AST] = set()
        place = () if self._meetings.place is None else (self._meetings.place,)
        for node in (*starts, *self._stops, *self._managers, *place):
            while node is not None and node not in found:
                found.add(node)
                node = self._parents.get(node)
        return found

    def _matters(self, call: ast.Call) -> bool:
        if call in self._meetings.known or call in self._ends:
            return True
        return any(self._called(call)) or any(True for _ in self._meetings.signs(call))

    def _called(self, call: ast.Call) -> list[ast.AST]:
        """The functions that a call runs, of those that lead to something."""
        leading = self.leading
        return [f for f in self._meetings.run_by(call) if f in leading]

    @cached_property
    def _managers(self) -> set[ast.AST]:
        withs = self._meetings.of(*_WITHS)
        return {w for w in withs if any(self._managing(item) for item in w.items)}

    def _is_safe(self, call: ast.Call) -> bool:
        return any(map(table.is_safe, self._program.names(call.func)))

    # -- functions ------------------------------------------------------------------------------

    def of(self, node: ast.AST) -> int:
        """The ways through a function, or a module."""
        waiting = [] if node in self._known else [(node, iter(self._callees(node)))]
        while waiting:  # what is called comes first: the depth of calls is no depth here
            function, callees = waiting[-1]
            if function not in self._known:
                sign = ("once more", function)
                self._known[function] = self.courses.meet(sign, function, self.courses.end)
            further = next((each for each in callees if each not in self._known), None)
            if further is None:
                self._known[function] = self._through(function)
                waiting.pop()
            else:
                waiting.append((further, iter(self._callees(further))))
        return self._known[node]

    def _callees(self, node: ast.AST) -> list[ast.AST]:
        """The functions that a function runs, of those that lead to something."""
        inside = self._marked_within(node)
        calls = (n for n in inside if isinstance(n, ast.Call))
        found = [function for call in calls for function in self._called(call)]
        blocks = (n for n in inside if n in self._managers)
        items = (item for block in blocks for item in block.items)  # type: ignore[attr-defined]
        return list(dict.fromkeys([*found, *(f for item in items for f in self._managing(item))]))

    def _marked_within(self, node: ast.AST) -> list[ast.AST]:
        """What matters in a node, as `within` goes: what holds it does, too."""
        found, marked = [node], self._marked
        for each in found:  # which grows
            found += [child for child in children(each) if child in marked]
        return found

    def _through(self, node: ast.AST) -> int:
        end = Jumps(self.courses.end)
        if isinstance(node, ast.Lambda):
            return self._expr(node.body, self.courses.end, end)
        return self._block(node.body, self.courses.end, end)  # type: ignore[attr-defined]

    def _spliced(self, function: ast.AST, k: int, jumps: Jumps) -> int:
        """The ways through a function that is called, and then on."""
        way = self.of(function)
        by = {self.courses.end: k}
        if jumps.handlers:
            for n in self.courses.within(way):
                name = self.courses.error_of(n)
                if name is not None:
                    by[n] = self._raised(name, jumps)
        return self.courses.replaced(way, by)

    # -- statements -----------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt], k: int, jumps: Jumps) -> int:
        for statement in reversed(body):
            if statement in self._marked:
                k = self._met(statement, self._statement(statement, k, jumps))
        return k

    def _met(self, node: ast.AST, k: int) -> int:
        """The way from a place at which all are to meet, if it is that."""
        is_place = node is self._meetings.place
        return self.courses.meet(("place",), node, k) if is_place else k

    def _statement(self, node: ast.stmt, k: int, jumps: Jumps) -> int:
        row = self._rows.get(type(node).__name__)
        if row is not None:
            return row(self, node, k, jumps)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            return k
        return self._parts(node, self._stopped(node, k), jumps)

    def _stopped(self, node: ast.stmt, k: int) -> int:
        return self.courses.meet(_STOPS.sign, node, k) if node in self._stops else k

    def _parts(self, node: ast.AST, k: int, jumps: Jumps) -> int:
        for child in nodes_in(node):
            k = self._expr(child, k, jumps)
        return k

    def _if(self, node: ast.If, k: int, jumps: Jumps) -> int:
        chain = [node]
        while (further := _elif(chain[-1])) and further is not self._meetings.place:
            chain.append(further)  # however many `elif` there are
        way = self._block(chain[-1].orelse, k, jumps)
        for each in reversed(chain):
            way = self._test(each.test, self._block(each.body, k, jumps), way, jumps)
        return way

    def _loop(self, node: ast.For | ast.While, k: int, jumps: Jumps) -> int:
        again = self.courses.leaf("again", node)
        behind = self._block(node.orelse, k, jumps)
        body = self._block(node.body, again, jumps._replace(left=k, again=again))
        if isinstance(node, ast.While):
            return self.courses.loop(node, self._test(node.test, body, behind, jumps), k)
        way = self._choice(node.iter, body, behind, is_count=True)
        return self._expr(node.iter, self.courses.loop(node, way, k), jumps)

    def _try(self, node: ast.Try, k: int, jumps: Jumps) -> int:
        if node.finalbody:
            k, jumps = self._finally(node.finalbody, k, jumps)
        ways = [self._block(h.body, k, jumps) for h in node.handlers]
        handlers = tuple(Handler(_kinds(h.type), way) for h, way in zip(node.handlers, ways))
        inner = jumps._replace(handlers=(*handlers, *jumps.handlers))
        way = self._block(node.orelse, k, jumps)
        for statement in reversed(node.body):
            behind, way = way, self._block([statement], way, inner)
            for handler, taken in zip(node.handlers, ways):
                if _may_take(handler) and behind == way:  # nobody waits for others in between
                    how = ALIKE if self.raising(statement).level <= Level.SAME else ALONE
                    way = self.courses.choice(how, statement, taken, way)
        return way

    def raising(self, statement: ast.stmt) -> Own:
        """Whose own values are read, or given to calls, in a statement that may raise an error."""
        found = Own(Level.SAME)
        for node in within(statement):
            if isinstance(node, ast.Call) and not self._is_safe(node):
                found = max(found, self._owners.of(node), key=lambda own: own.level)
        return found

    def _finally(self, body: Sequence[ast.stmt], k: int, jumps: Jumps) -> tuple[int, Jumps]:
        def then(way: int) -> int:
            return self._block(body, way, jumps)

        handlers = tuple(h._replace(way=then(h.way)) for h in jumps.handlers)
        return then(k), Jumps(then(jumps.returned), then(jumps.left), then(jumps.again), handlers)

    def _with(self, node: ast.With, k: int, jumps: Jumps) -> int:
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and _SUPPRESS in self._program.names(call.func):
                kinds = tuple(name for arg in call.args for name in _kinds(arg))
                jumps = jumps._replace(handlers=(Handler(kinds, k), *jumps.handlers))
        behind = {id(item): self._managing(item) for item in node.items}
        for item in node.items:
            k = self._left_with(behind[id(item)], k, jumps)
        way = self._block(node.body, k, jumps)
        for item in reversed(node.items):
            way = self._entered(item, behind[id(item)], way, jumps)
        return way

    def _managing(self, item: ast.withitem) -> tuple[ast.AST, ...]:
        """The generator, or the methods of a class, that run around the block of a `with`."""
        expr = item.context_expr
        if not isinstance(expr, ast.Call):
            return ()
        named = self._generators.get(expr.func.id) if isinstance(expr.func, ast.Name) else None
        if named is not None:
            return (named,) if named in self.leading else ()
        classes = self._program.instances(expr).nodes
        return tuple(m for c in classes for m in methods(c, _AROUND) if m in self.leading)

    @cached_property
    def _generators(self) -> dict[str, ast.AST]:
        """The functions that `contextlib.contextmanager` decorates, by their names."""
        functions = self._meetings.of(ast.FunctionDef)
        return {f.name: f for f in functions if any(map(self._is_manager, f.decorator_list))}

    def _is_manager(self, decorator: ast.expr) -> bool:
        return any(n.endswith("contextmanager") for n in self._program.names(decorator))

    def _left_with(self, around: Sequence[ast.AST], k: int, jumps: Jumps) -> int:
        for method in around:
            if getattr(method, "name", "") == "__exit__":
                k = self._spliced(method, k, jumps)
            elif getattr(method, "name", "") != "__enter__":
                k = self._behind_yield(method, k)
        return k

    def _entered(self, item: ast.withitem, around: Sequence[ast.AST], k: int, jumps: Jumps) -> int:
        for method in around:
            if getattr(method, "name", "") == "__enter__":
                k = self._spliced(method, k, jumps)
            elif getattr(method, "name", "") != "__exit__":
                return self._before_yield(method, k)
        return self._expr(item.context_expr, k, jumps)

    def _behind_yield(self, function: ast.AST, k: int) -> int:
        body = function.body  # type: ignore[attr-defined]
        at = next((i for i, s in enumerate(body) if _yields(s)), len(body))
        return self._block(_rest(body[at:]), k, Jumps(k))

    def _before_yield(self, function: ast.AST, k: int) -> int:
        body = function.body  # type: ignore[attr-defined]
        at = next((i for i, s in enumerate(body) if _yields(s)), len(body))
        return self._block(body[:at], k, Jumps(k))

    def _match(self, node: ast.AST, k: int, jumps: Jumps) -> int:
        subject, way = node.subject, k  # type: ignore[attr-defined]
        for case in reversed(node.cases):  # type: ignore[attr-defined]
            body = self._block(case.body, k, jumps)
            way = self._choice(subject, body, way)
        return self._expr(subject, way, jumps)

    def _return(self, node: ast.Return, k: int, jumps: Jumps) -> int:
        way = jumps.returned
        return way if node.value is None else self._expr(node.value, way, jumps)

    def _raise(self, node: ast.Raise, k: int, jumps: Jumps) -> int:
        kinds = _kinds(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
        name = kinds[0] if kinds else ""
        way = self.courses.exit if name == "SystemExit" else self._raised(name, jumps)
        return self._parts(node, way, jumps)

    def _raised(self, name: str, jumps: Jumps) -> int:
        """Where an error of that name leads: to what takes it, or out of the function."""
        for handler in jumps.handlers:
            if not handler.names or name in handler.names or table.ANY_EXCEPTION & {*handler.names}:
                return handler.way
        return self.courses.error(name)

    def _break(self, node: ast.Break, k: int, jumps: Jumps) -> int:
        return jumps.left

    def _continue(self, node: ast.Continue, k: int, jumps: Jumps) -> int:
        return jumps.again

    # -- expressions ----------------------------------------------------------------------------

    def _expr(self, node: ast.AST, k: int, jumps: Jumps) -> int:
        if node not in self._marked or isinstance(node, ast.Lambda):
            return k
        if isinstance(node, ast.IfExp):
            yes = self._expr(node.body, k, jumps)
            return self._test(node.test, yes, self._expr(node.orelse, k, jumps), jumps)
        if isinstance(node, ast.BoolOp):
            return self._either(node, k, jumps)
        if isinstance(node, _COMPREHENSIONS):
            return self._comprehension(node, k, jumps)
        way = self._call(node, k, jumps) if isinstance(node, ast.Call) else k
        return self._parts(node, self._met(node, way), jumps)

    def _either(self, node: ast.BoolOp, k: int, jumps: Jumps) -> int:
        way = self._expr(node.values[-1], k, jumps)
        for value in reversed(node.values[:-1]):
            sides = (way, k) if isinstance(node.op, ast.And) else (k, way)
            way = self._test(value, *sides, jumps)
        return way

    def _comprehension(self, node: ast.AST, k: int, jumps: Jumps) -> int:
        again = self.courses.leaf("again", node)
        element = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]  # type: ignore
        way = again
        for part in reversed(element):
            way = self._expr(part, way, jumps)
        for generator in reversed(node.generators):  # type: ignore[attr-defined]
            for test in reversed(generator.ifs):
                way = self._test(test, way, again, jumps)
        first = node.generators[0].iter  # type: ignore[attr-defined]
        way = self.courses.loop(node, self._choice(first, way, k, is_count=True), k)
        return self._expr(first, way, jumps)

    def _test(self, test: ast.expr, yes: int, no: int, jumps: Jumps) -> int:
        """The way through a test, to one of two."""
        if isinstance(test, ast.BoolOp):
            for value in reversed(test.values):
                way = self._test(value, yes, no, jumps)
                yes, no = (way, no) if isinstance(test.op, ast.And) else (yes, way)
            return way
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._test(test.operand, no, yes, jumps)
        if isinstance(test, ast.Constant):
            return yes if test.value else no
        return self._expr(test, self._choice(test, yes, no), jumps)

    def _choice(self, test: ast.AST, yes: int, no: int, is_count: bool = False) -> int:
        """What a test decides; a loop goes on as long as there is something to go through."""
        if yes == no:
            return yes
        return self.courses.choice(self.how(test, is_count), test, yes, no)

    def own(self, test: ast.AST) -> Own:
        """Whose own a test is: of a loop, how often it goes round; of a statement, its errors."""
        if isinstance(test, ast.stmt):
            return self.raising(test)
        is_count = test in self._iterables
        return self._owners.rounds(test) if is_count else self._owners.of(test)  # type: ignore

    @cached_property
    def _iterables(self) -> set[ast.AST]:
        loops = (ast.For, ast.AsyncFor, ast.comprehension)
        return {node.iter for node in self._meetings.of(*loops)}

    def how(self, test: ast.AST, is_count: bool = False) -> str:
        """How a test decides: alike on all workers, by rank, or for each by itself."""
        if is_count:
            own = self._owners.rounds(test)  # type: ignore[arg-type]
            return ALONE if own.level is Level.OWN else ALIKE
        numbers = self._program.value(NUMBERS, test) or ()
        if len(set(numbers)) > 1:
            self.numbers[test] = numbers
            return RANK
        return ALIKE if self._owners.of(test).level <= Level.SAME else ALONE

    # -- calls ----------------------------------------------------------------------------------

    def _call(self, call: ast.Call, k: int, jumps: Jumps) -> int:
        if call in self._ends:
            return self.courses.error("SystemExit") if _ends_in_failure(call) else self.courses.exit
        if any(n in CONDITIONS for n in self._program.names(call.func)) and len(call.args) > 2:
            yes, no = (self._any(arm, k, jumps) for arm in call.args[1:3])
            return self._test(call.args[0], yes, no, jumps)
        known = self._meetings.known.get(call)
        if known is not None:
            return self.courses.meet(known.sign, call, k)
        for sign in self._meetings.signs(call):
            k = self.courses.meet(sign, call, k)
        called = self._called(call)
        if not called:
            return k
        others = len(self._meetings.run_by(call)) > len(called)
        ways = [self._spliced(f, k, jumps) for f in called] + ([k] if others else [])
        return self._one_of(call.func, ways)

    def _any(self, function: ast.expr, k: int, jumps: Jumps) -> int:
        found = [f for f in self._program.functions(function).nodes if f in self.leading]
        return self._one_of(function, [self._spliced(f, k, jumps) for f in found] or [k])

    def _one_of(self, which: ast.expr, ways: list[int]) -> int:
        way = ways[-1]
        for other in reversed(ways[:-1]):
            way = self._choice(which, other, way)
        return way

    _rows: ClassVar[dict[str, Callable[..., int]]] = {
        "If": _if,
        "For": _loop,
        "AsyncFor": _loop,
        "While": _loop,
        "Try": _try,
        "TryStar": _try,
        "With": _with,
        "AsyncWith": _with,
        "Match": _match,
        "Return": _return,
        "Raise": _raise,
        "Break": _break,
        "Continue": _continue,
    }


_AROUND = ("__enter__", "__exit__")


def _elif(node: ast.If) -> ast.If | None:
    """The `if` that is all there is in the `else` of another one."""
    only = node.orelse[0] if len(node.orelse) == 1 else None
    return only if isinstance(only, ast.If) else None


def _sets_stop(node: ast.Assign) -> bool:
    is_false = isinstance(node.value, ast.Constant) and not node.value.value
    targets = (t for t in node.targets if isinstance(t, ast.Attribute))
    return not is_false and any(t.attr == "stop_training" for t in targets)


def _kinds(expr: ast.expr | None) -> tuple[str, ...]:
    """The last names of the kinds of errors that an expression stands for."""
    parts: Iterable[ast.expr] = expr.elts if isinstance(expr, ast.Tuple) else filter(None, [expr])
    return tuple(getattr(part, "attr", getattr(part, "id", "?")) for part in parts)


def _may_take(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes errors that one worker may meet alone."""
    return handler.type is None or not table.ALIKE.issuperset(_kinds(handler.type))


def _yields(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Yield) for node in within(statement))


def _rest(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """What runs behind a `yield`: what `finally` holds, and the statements behind."""
    first, *others = body or [ast.Pass()]
    return [*(first.finalbody if isinstance(first, ast.Try) else ()), *others]


def _ends_in_failure(call: ast.Call) -> bool:
    """`sys.exit(1)`: the launcher ends the other workers."""
    given = call.args[0] if call.args else None
    return isinstance(given, ast.Constant) and given.value not in (0, None)
