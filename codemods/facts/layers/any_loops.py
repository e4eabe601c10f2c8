"""Loops of any form that hand tensors from step to step, and what goes into a step."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Union

from ...library.rerun_loops import FOLDS, KNOWN, LISTED, RANGES, RUNS_CELLS, TAKEN_APART, TRAINS
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from .layer_calls import Problem, recorded
from .layer_lists import RANGE, turns
from .layer_loops import is_compiled, is_decided
from .step_bodies import ANEW, Exposed, StepBody, Value, Values, bound, reads

if TYPE_CHECKING:
    from ..facts import Facts


# -- any loops -----------------------------------------------------------------------------------
# Loops of any form that hand tensors from step to step, and what goes into a step.
#
# Whatever the loop runs over, and however it ends: what the steps leave to the next one is the
# state, what counts in Python runs before them, and what a gradient must reach is an argument.

Loop = Union[ast.For, ast.While]
BOXES = {ast.Dict: "dict", ast.DictComp: "dict", ast.List: "list", ast.ListComp: "list"}
ENDS = "it ends by what its own tensors hold, which is known only while it runs"
BEHIND = "what its last step gave as `{}` is read behind it"
UNSEEN = "nobody can see whether a gradient goes on through `{}`"
FORM = "`{}`: a step would leave the loop, or belongs to another one"
MIXED = "numbers are counted between what its steps compute: `{}`"
GRAPH = (
    "it runs over a tensor, so it is one loop of the graph, and TensorFlow has no gradient of what"
    " is run again inside of that; a `range` of up to 128 is known"
)
ITEMS = "it runs over tensors and other things together; tf.unstack(x) alone can be passed on"
LATER = (
    "`{}` is bound again before its gradients are asked for, and a step that is run again reads it"
)
READ = "`{}` is filled and read by the same step"
BEGUN = "`{}` is not begun right before, or has another name, too"
STATE = "`{}` goes from step to step, and is no tensor of floats from the beginning"
WHY = {
    "C01": "`{}` draws anew when it is run again",
    "C02": "`{}` is changed, and would be changed again",
    "C03": "no gradient would reach `{}`, which it reads",
    "C05": "nobody can see what `{}` does",
    "C08": "{}: not tried yet",
    "C09": "{}",
    ANEW: "each step makes `{}` anew, with weights of its own",
}
MOST = 128  # steps of a loop of the graph that are traced one by one
TWICE = "it fills more than one list, or not at every step"


class AnyLoop(NamedTuple):
    """A loop; `wrong` says why it is left, in words or as the problems of its body."""

    node: Loop
    state: tuple[str, ...] = ()  # what goes from step to step
    passed: tuple[str, ...] = ()  # tensors that are only read, and must get their gradient
    boxes: tuple[tuple[str, str], ...] = ()  # of the state: dictionaries and lists, by their type
    filled: ast.Expr | None = None  # `outputs.append(x)`
    counted: tuple[ast.stmt, ...] = ()  # statements of Python's numbers alone
    items: tuple[str, ...] = ()  # the names that a step gets, of a loop that is counted before
    is_passed: bool = False  # whether what the loop runs over needs a gradient
    repaired: tuple[Problem, ...] = ()  # what would not be the same in every run
    wrong: str = ""

    @property
    def steps(self) -> list[ast.stmt]:
        """The statements that are run again."""
        return [each for each in self.node.body if each not in self.counted]


def any_loops(facts: Facts) -> Iterator[AnyLoop]:
    """Every loop that a gradient passes through and that hands on a tensor, the outer ones first.

    A loop inside of one that can be rewritten is a part of its step.
    """
    if is_decided(facts):
        return
    done: set[ast.AST] = set()
    for node in _under_gradients(facts):
        if done.isdisjoint(facts.parents(node)):
            found = _Found(facts, node).loop()
            if found is not None:
                yield found
                if not found.wrong:
                    done.add(node)


def _under_gradients(facts: Facts) -> list[Loop]:
    found = [n for n in recorded(facts) if isinstance(n, (ast.For, ast.While))]
    return sorted(dict.fromkeys(found), key=lambda n: (n.lineno, n.col_offset))


class _Found:
    """What is known of one loop."""

    def __init__(self, facts: Facts, node: Loop) -> None:
        self._facts, self._node = facts, node
        self._values = facts.record(Values)
        self._target = bound([node.target]) if isinstance(node, ast.For) else set()
        self._boxes = dict(self._stored(node.body))
        self._filled = [s for s in node.body if _fills(s)]
        self._bound = (bound(node.body) | set(self._boxes)) - self._target
        exposed = Exposed(node.body).names | set(self._boxes)
        self._carried = [n for n in _in_order(node.body) if n in self._bound & exposed]
        self._numbers = {n for n in self._carried if self._value(n) <= Value.NUMBER}
        self._repaired: list[Problem] = []

    def loop(self) -> AnyLoop | None:
        """The loop, None if it hands on no tensor, or trains."""
        loop = AnyLoop(self._node)
        state = tuple(n for n in self._carried if n not in self._numbers)
        is_handed = any(map(self._is_tensor, state)) or self._is_kept_elsewhere()
        if not is_handed or any(map(_trains, within(self._node))):
            return None
        loop = loop._replace(state=state, counted=tuple(filter(self._counts, self._node.body)))
        wrong = next(self._wrong(loop), "")
        if wrong:
            return loop._replace(wrong=wrong)
        names = [n.id for s in loop.steps for n in reads(s)]
        passed = tuple(n for n in dict.fromkeys(names) if self._is_passed(loop, n))
        loop = self._with_items(loop._replace(passed=passed))
        boxes = tuple((n, self._boxes[n]) for n in state if n in self._boxes)
        loop = loop._replace(boxes=boxes, repaired=tuple(dict.fromkeys(self._repaired)))
        return loop._replace(filled=next(iter(self._filled), None))  # type: ignore[arg-type]

    # -- names --------------------------------------------------------------------------------

    def _stored(self, statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
        """The dictionaries and lists of which the loop sets elements, with their types."""
        for node in (n for s in statements for n in within(s)):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name):
                    made = [type(each.node) for each in self._facts.origins(node.value).items]
                    kinds = {BOXES.get(each, "") for each in made}
                    yield node.value.id, kinds.pop() if len(kinds) == 1 else ""

    def _value(self, name: str) -> Value:
        """The widest of what the loop binds to a name."""
        found = [Value.NOTHING]
        for node in self._all():
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if name in {n.id for t in targets for n in within(t) if isinstance(n, ast.Name)}:
                    is_added = isinstance(node, ast.AugAssign)
                    found.append(self._values.of(node if is_added else node.value))
            elif isinstance(node, (ast.For, ast.NamedExpr)) and name in bound([node.target]):
                found.append(Value.UNKNOWN)
        return max(found)

    def _is_tensor(self, name: str) -> bool:
        """Whether a tensor goes from step to step, or something that is made of one."""
        value = self._value(name)
        bound_here = [n for n in self._all() if isinstance(n, (ast.Assign, ast.AugAssign))]
        made = [n.value for n in bound_here if name in bound([n])]
        calls = [c for m in made for c in within(m) if isinstance(c, ast.Call)]
        is_made = any((self._facts.name(c.func) or "").startswith("tensorflow.") for c in calls)
        return value is Value.TENSOR or (value is Value.UNKNOWN and is_made)

    def _is_kept_elsewhere(self) -> bool:
        """Whether a tensor goes from step to step as an attribute, or in a list that is read."""
        loads = {ast.unparse(n) for n in self._all() if _is_attribute(n, ast.Load)}
        for node in self._all():
            targets = node.targets if isinstance(node, ast.Assign) else []
            names = {ast.unparse(t) for t in targets if isinstance(t, ast.Attribute)}
            if names & loads and self._values.of(node.value) is Value.TENSOR:  # type: ignore[attr-defined]
                return True
        filled = {_list_of(s) for s in self._filled} - self._own_lists()
        return any(len(self._reads(name)) > 1 for name in filled)

    def _all(self) -> Iterator[ast.AST]:
        return (node for statement in self._node.body for node in within(statement))

    def _reads(self, name: str) -> list[ast.Name]:
        return [n for s in self._node.body for n in reads(s) if n.id == name]

    def _is_passed(self, loop: AnyLoop, name: str) -> bool:
        if name in self._bound | self._target or name in loop.state:
            return False
        return self._closed(name) is Value.TENSOR

    def _closed(self, name: str) -> Value:
        """What a name holds that the loop only reads."""
        use = self._reads(name)[0]
        function = self._facts.function(use)
        arguments = function.args.args if isinstance(function, FunctionNode) else []
        is_own = bool(arguments) and arguments[0].arg == name
        is_known = (self._facts.name(use) or "").startswith(KNOWN)
        if is_known or (is_own and self._facts.classes.self_class(use)):
            return Value.HELD
        return self._values.of(use)

    def _counts(self, statement: ast.stmt) -> bool:
        """Whether a statement is about Python's numbers alone, and goes from step to step."""
        names = bound([statement])
        if isinstance(statement, ast.If):
            leaves = [n for n in within(statement) if isinstance(n, (ast.Break, ast.Continue))]
            is_number = self._values.of(statement.test) <= Value.NUMBER
            return is_number and bool(leaves) and names <= self._numbers
        is_bound = isinstance(statement, (ast.Assign, ast.AugAssign)) and bool(names)
        return is_bound and names <= self._numbers

    # -- what is in the way ---------------------------------------------------------------------

    def _wrong(self, loop: AnyLoop) -> Iterator[str]:
        yield from self._wrong_form(loop)
        yield from self._wrong_body()
        yield from self._wrong_names(loop)

    def _wrong_body(self) -> Iterator[str]:
        own = set(self._boxes) | {_list_of(s) for s in self._filled} | self._own_lists()
        body = StepBody(self._facts, self._values, frozenset(own), home=self._node)
        heads = [self._node.iter if isinstance(self._node, ast.For) else self._node.test]
        for problem in [*body.of(self._node.body), *body.expression(heads[0])]:
            if problem.repair and self._is_of_step(problem.node, heads[0]):
                self._repaired.append(problem)
            else:
                yield WHY[problem.code].format(problem.what)

    def _is_of_step(self, node: ast.AST, head: ast.expr) -> bool:
        """Whether it stands neither in what a loop runs over nor in what fills a list."""
        return {head, *self._filled}.isdisjoint((node, *self._facts.parents(node)))

    def _own_lists(self) -> set[str]:
        """Lists that each step begins anew."""
        assigned = [n for n in self._all() if isinstance(n, ast.Assign)]
        return {n for a in assigned if isinstance(a.value, ast.List) for n in bound([a])}

    def _wrong_form(self, loop: AnyLoop) -> Iterator[str]:
        node = self._node
        if node.orelse:
            yield FORM.format("else")
        for each in (n for s in loop.steps for n in within(s)):
            is_leaving = isinstance(each, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await))
            is_ended = isinstance(each, (ast.Break, ast.Continue)) and self._is_own(each)
            if is_leaving or is_ended or isinstance(each, (ast.Global, ast.Nonlocal)):
                yield FORM.format(type(each).__name__.lower())
        if isinstance(node, ast.While):
            if self._values.of(node.test) > Value.NUMBER or not self._numbers:
                yield ENDS
        numbers = [node.body.index(s) for s in loop.steps]
        if not numbers or numbers[-1] - numbers[0] + 1 != len(numbers):
            yield MIXED.format(ast.unparse((loop.counted or (node,))[0]).splitlines()[0])
        heads = [node.test] if isinstance(node, ast.While) else []
        counted = {n.id for s in [*loop.counted, *heads] for n in reads(s)}
        yield from (MIXED.format(name) for name in sorted(counted & bound(loop.steps)))
        if len(self._filled) != sum(map(_fills_list, self._inner())) or len(self._filled) > 1:
            yield TWICE
        for statement in self._filled:
            if len(self._reads(_list_of(statement))) > 1:
                yield READ.format(_list_of(statement))

    def _inner(self) -> Iterator[ast.AST]:
        """Everything in the body, but for lists that a step has for itself."""
        for node in self._all():
            if not (_fills(node) and _list_of(node) in self._own_lists()):
                yield node

    def _is_own(self, leaving: ast.AST) -> bool:
        """Whether a `break` or `continue` is of this loop, and not of one inside."""
        around = (p for p in self._facts.parents(leaving) if isinstance(p, (ast.For, ast.While)))
        return next(around) is self._node

    def _wrong_names(self, loop: AnyLoop) -> Iterator[str]:
        yield from self._wrong_reads(loop)
        for name in loop.state:
            is_floats = self._value(name) is Value.TENSOR and not self._begins_as_integer(name)
            if not self._boxes.get(name, "box") or (name not in self._boxes and not is_floats):
                yield STATE.format(name)
            elif not self._is_begun(name) or (name in self._boxes and self._is_shared(name)):
                yield BEGUN.format(name)
        is_counted = bool(loop.counted) or isinstance(self._node, ast.While)
        kept = {*self._carried, *(self._target if is_counted else ())}
        for name in sorted((self._bound | self._target) - kept):
            if self._is_read_behind(name):
                yield BEHIND.format(name)
        yield from self._wrong_items(is_counted)

    def _is_begun(self, name: str) -> bool:
        """Whether something binds it before the loop."""
        added = [n.target for n in self._all() if isinstance(n, ast.AugAssign)]
        uses = [n for n in added if isinstance(n, ast.Name) and n.id == name]
        found = (b for use in [*self._reads(name), *uses] for b in self._facts.reaching(use))
        places = (binding.node for binding in found)
        return any(self._node not in (p, *self._facts.parents(p)) for p in places)

    def _is_shared(self, name: str) -> bool:
        """Whether a dictionary or list may have another name, by which somebody sees it."""
        facts, home = self._facts, self._facts.function(self._node)
        for use in facts.index.loads.get(name, ()):
            is_before = use.lineno < self._node.lineno  # type: ignore[attr-defined]
            is_part = isinstance(facts.parent(use), ast.Subscript)
            if is_before and facts.function(use) is home and not is_part:
                return True
        made = [m.node for m in facts.origins(self._reads(name)[0]).items]
        return any(facts.function(each) is not home for each in made)

    def _wrong_reads(self, loop: AnyLoop) -> Iterator[str]:
        """What is in the way of names that the loop does not bind."""
        own = self._bound | self._target | {_list_of(s) for s in self._filled}
        for name in dict.fromkeys(n.id for s in loop.steps for n in reads(s)):
            value = self._closed(name) if name not in own else Value.TENSOR
            if value is Value.UNKNOWN:
                yield UNSEEN.format(name)
            elif value is not Value.TENSOR and self._is_bound_again(name):
                yield LATER.format(name)

    def _is_bound_again(self, name: str) -> bool:
        """Whether a name that the step closes over may be another one when it is run again."""
        use, facts = self._reads(name)[0], self._facts
        around = [p for p in facts.parents(self._node) if isinstance(p, (ast.For, ast.While))]
        home = facts.function(self._node)
        for binding in facts.bindings(use):
            node = binding.node
            parents = list(facts.parents(node))
            is_turn = any(loop in parents or loop is node for loop in around)
            is_behind = getattr(node, "lineno", 0) > self._node.lineno
            if not isinstance(node, (FunctionNode, ast.ClassDef, ast.arg)):
                if (is_behind and facts.function(node) is home) or is_turn:
                    return True
        return False

    def _begins_as_integer(self, name: str) -> bool:
        """A whole number of Python, or one of a program with other floats than TensorFlow's own."""
        use = next(iter(self._reads(name)), None)
        made = self._facts.origins(use).nodes if use is not None else ()
        numbers = [n.value for n in made if isinstance(n, ast.Constant)]
        is_wide = "float64" in self._facts.source.text or "float16" in self._facts.source.text
        return any(not isinstance(n, float) or is_wide for n in numbers)

    def _is_read_behind(self, name: str) -> bool:
        for use in self._facts.index.loads.get(name, ()):
            if isinstance(use, ast.Name) and self._node not in self._facts.parents(use):
                for binding in self._facts.reaching(use):
                    if self._node in (binding.node, *self._facts.parents(binding.node)):
                        return True
        return False

    def _wrong_items(self, is_counted: bool) -> Iterator[str]:
        """What the loop runs over must be known before its steps are run."""
        if not isinstance(self._node, ast.For):
            return
        over = self._node.iter
        value, name = self._values.of(over), _called(self._facts, over)
        if name in RANGES or (name == RANGE and self._is_of_tensors(over)):
            if is_counted or not self._may_be_unrolled(over):
                yield GRAPH
        elif value in (Value.DATA, Value.TENSOR) and not _is_taken_apart(name):
            yield GRAPH if name not in LISTED else ITEMS
        elif value is Value.UNKNOWN:
            yield UNSEEN.format(ast.unparse(over))
        elif value is Value.TENSOR and (is_counted or len(self._target) != 1):
            yield ITEMS

    def _is_of_tensors(self, over: ast.expr) -> bool:
        """Whether AutoGraph makes a loop of the graph of `range(n)`."""
        given = over.args if isinstance(over, ast.Call) else []
        return is_compiled(self._facts) and any(self._values.of(n) > Value.NUMBER for n in given)

    def _may_be_unrolled(self, over: ast.expr) -> bool:
        """Whether a loop over `tf.range` has few steps, or is run by Python as it is written."""
        known = turns(self._facts, over)
        return not is_compiled(self._facts) if known is None else known <= MOST

    # -- items ----------------------------------------------------------------------------------

    def _with_items(self, loop: AnyLoop) -> AnyLoop:
        """The same with what a step gets: the names that are counted, or the loop's own."""
        if isinstance(self._node, ast.For) and not loop.counted:
            return loop._replace(is_passed=self._values.of(self._node.iter) is Value.TENSOR)
        names = {n.id for s in loop.steps for n in reads(s)}
        known = [*_names(self._node), *_in_order(loop.counted)]
        items = tuple(dict.fromkeys(n for n in known if n in names and n in self._every))
        return loop._replace(items=items or tuple(n for n in known if n in self._every)[:1])

    @property
    def _every(self) -> set[str]:
        return self._target | self._numbers


def _trains(node: ast.AST) -> bool:
    """Whether weights are changed there: no gradient passes through that."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TRAINS


def _is_attribute(node: ast.AST, context: type[ast.expr_context]) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, context)


def _fills(statement: ast.AST) -> bool:
    """Whether it is `outputs.append(x)`."""
    return isinstance(statement, ast.Expr) and _fills_list(statement.value)


def _fills_list(node: ast.AST) -> bool:
    is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_method and node.func.attr == "append"  # type: ignore[attr-defined]


def _list_of(statement: ast.AST) -> str:
    return getattr(statement.value.func.value, "id", "")  # type: ignore[attr-defined]


def _called(facts: Facts, expr: ast.expr) -> str:
    return (facts.name(expr.func) or "") if isinstance(expr, ast.Call) else ""


def _is_taken_apart(name: str) -> bool:
    return name in TAKEN_APART


def _names(node: Loop) -> list[str]:
    return _in_order([node.target]) if isinstance(node, ast.For) else []


def _in_order(nodes: Sequence[ast.AST]) -> list[str]:
    """The names in nodes in the order of the text."""
    names = [n for each in nodes for n in within(each) if isinstance(n, ast.Name)]
    return list(dict.fromkeys(n.id for n in sorted(names, key=lambda n: (n.lineno, n.col_offset))))


# -- folds ---------------------------------------------------------------------------------------
# What runs steps by itself, where no loop stands that D501 could rewrite.

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def folds(facts: Facts) -> Iterator[tuple[ast.expr, str]]:
    """Calls under a gradient that hand on a value from step to step, with their names.

    And comprehensions that do, by `:=`, and layers of Keras that run a cell over time.
    """
    for call in facts.calls_of(*RUNS_CELLS):
        yield call, (facts.name(call.func) or "").replace("tensorflow.", "tf.", 1)
    for node in dict.fromkeys(recorded(facts)):
        if isinstance(node, ast.Call) and facts.name(node.func) in FOLDS:
            yield node, (facts.name(node.func) or "").replace("tensorflow.", "tf.", 1)
        elif isinstance(node, _COMPREHENSIONS):
            inside = [n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
            if inside and _is_handed_on(node, inside[0]):
                yield node, "a comprehension"


def _is_handed_on(node: ast.AST, named: ast.NamedExpr) -> bool:
    assert isinstance(named.target, ast.Name)
    names = [n for n in ast.walk(named.value) if isinstance(n, ast.Name)]
    return any(n.id == named.target.id for n in names)
