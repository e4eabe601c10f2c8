"""Where a program asks how far a loop is whose steps the workers share: `if step == 20000`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..facts import Facts, recorded
from ..training.draws import without_bar
from ..training.fetched_steps import is_step_of_session
from ..training.session_runs import training_runs
from ..training.training_loops import trains
from .counts import shrinks
from .cuts import ShareForm
from .divided import divided
from .last_rounds import last_rounds
from .loop_limits import loop_limits
from .shares import shares_of
from .steps import is_shorter
from .whose_batch import keeps_batch

BATCH_HOOKS = (
    "on_batch_begin",
    "on_batch_end",
    "on_train_batch_begin",
    "on_train_batch_end",
)
_FEW = 1  # the first step is the first one for a share of them, too


class Asked(NamedTuple):
    """The number that a counter is compared with, or taken modulo of, and what hangs on it."""

    number: ast.expr
    branch: ast.If | ast.IfExp
    is_rhythm: bool  # modulo: every so many steps


def asked_counters(facts: Facts) -> Iterator[Asked]:
    """Where the counter of a loop decides that has fewer rounds than before."""
    for loop in shorter_loops(facts):
        names = _counters(facts, loop)
        for node in within(loop):
            if isinstance(node, (ast.If, ast.IfExp)):
                for number, is_rhythm in _asked(facts, node.test, partial(counts, names=names)):
                    yield Asked(number, node, is_rhythm)
    yield from _by_global_step(facts)


def _by_global_step(facts: Facts) -> Iterator[Asked]:
    """Where the step that a session counts decides: a job takes fewer of them."""
    if not training_runs(facts) or not is_shorter(facts):
        return
    ends = {number for number, _ in divided(facts)}
    branches: tuple[ast.If | ast.IfExp, ...] = (
        *facts.index.nodes(ast.If),
        *facts.index.nodes(ast.IfExp),
    )
    for node in branches:
        for number, is_rhythm in _asked(facts, node.test, partial(is_step_of_session, facts)):
            if number not in ends:
                yield Asked(number, node, is_rhythm)


def loop_counters(facts: Facts, node: ast.AST) -> set[str]:
    """The counters of the loops around a node that have fewer rounds than before."""
    around = set(facts.parents(node))
    loops = [loop for loop in shorter_loops(facts) if loop in around]
    return {name for loop in loops for name in _counters(facts, loop)}


def hook_counters(facts: Facts, cls: ast.ClassDef) -> set[str]:
    """The attributes that a callback counts up with each batch."""
    hooks = [facts.classes.method(cls, name) for name in BATCH_HOOKS]
    adds = (n for h in hooks if h for n in within(h) if isinstance(n, ast.AugAssign) and _is_one(n))
    return {add.target.attr for add in adds if isinstance(add.target, ast.Attribute)}


@recorded
def shorter_loops(facts: Facts) -> tuple[ast.For, ...]:
    """Loops of fewer rounds than before."""
    return tuple(_shorter_loops(facts))


def _shorter_loops(facts: Facts) -> Iterator[ast.For]:
    if keeps_batch(facts):
        return
    cuts = shares_of(facts).cuts.items()
    fewer = {expr for expr, cut in cuts if cut.form is not ShareForm.ENDLESS}
    fewer |= {count for count, _ in divided(facts)}
    left = {loop for number, loop in loop_limits(facts).items() if number in fewer}
    for loop in facts.index.nodes(ast.For) if fewer else ():
        if loop in left or (
            trains(facts, loop) and not fewer.isdisjoint(facts.program.ingredients(loop.iter))
        ):
            yield loop


def _counters(facts: Facts, loop: ast.For) -> set[str]:
    """`step` of `for step, x in enumerate(data)`, of `for step in range(n)` and of `step += 1`."""
    adds = (n for n in within(loop) if isinstance(n, ast.AugAssign) and _is_one(n))
    found = {add.target.id for add in adds if isinstance(add.target, ast.Name)}
    found |= {n.func.value.id for n in within(loop) if _adds_one(n)}  # type: ignore[attr-defined]
    over = without_bar(facts, loop.iter)
    called = facts.name(over.func) if isinstance(over, ast.Call) else None
    target = loop.target
    is_numbered = called == "builtins.enumerate" or _numbers(over)
    if is_numbered and isinstance(target, (ast.Tuple, ast.List)):
        target = target.elts[0]
    elif called not in COUNTERS:
        return found
    return found | ({target.id} if isinstance(target, ast.Name) else set())


def _adds_one(node: ast.AST) -> bool:
    """`steps_done.assign_add(1)`."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    if not is_call or node.func.attr != "assign_add":  # type: ignore[attr-defined]
        return False
    added = [getattr(each, "value", None) for each in node.args]  # type: ignore[attr-defined]
    return added == [1] and isinstance(node.func.value, ast.Name)  # type: ignore[attr-defined]


def _numbers(over: ast.expr) -> bool:
    """Whether it is `dataset.enumerate()`, perhaps with a stage behind it."""
    while isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute):
        if over.func.attr == "enumerate":
            return True
        over = over.func.value
    return False


def _is_one(add: ast.AugAssign) -> bool:
    is_one = isinstance(add.value, ast.Constant) and add.value.value == 1
    return isinstance(add.op, ast.Add) and is_one


def _asked(
    facts: Facts, test: ast.expr, counts_steps: Callable[[ast.expr], bool]
) -> Iterator[tuple[ast.expr, bool]]:
    """The other side of `step == 20000`, and 5000 of `(step + 1) % 5000`."""
    for node in within(test):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            sides = [(node.left, node.right)]
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = [(node.left, node.comparators[0]), (node.comparators[0], node.left)]
        else:
            continue
        for counter, number in sides:
            if _is_many(number) and counts_steps(counter) and not _is_share(facts, number):
                yield number, isinstance(node, ast.BinOp)


def _is_share(facts: Facts, number: ast.expr) -> bool:
    """Whether it is that of a share already, or is divided where it is the end of the loop."""
    is_reckoned = depends_on_size(facts, number) or shrinks(facts, number)
    is_end = number in loop_limits(facts) or not last_rounds(facts).keys().isdisjoint(
        within(number)
    )
    return is_reckoned or is_end


def counts(expr: ast.expr, names: set[str]) -> bool:
    """A counter itself, or one more than that; a variable as a number: `int(step)`."""
    while isinstance(expr, ast.BinOp) and isinstance(expr.op, (ast.Add, ast.Sub)):
        expr = expr.left
    if isinstance(expr, ast.Call) and getattr(expr.func, "id", "") == "int" and expr.args:
        expr = expr.args[0]
    return isinstance(expr, ast.Name) and expr.id in names


def _is_many(number: ast.expr) -> bool:
    if isinstance(number, ast.Constant):
        return isinstance(number.value, (int, float)) and number.value > _FEW
    return isinstance(number, (ast.Name, ast.Attribute, ast.BinOp, ast.Subscript))
