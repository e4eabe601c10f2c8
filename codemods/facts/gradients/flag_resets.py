"""Where the flag of a broadcast is set back, as the state has changed behind it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from ...program.node_fields import within
from ..causes import Cause
from ..facts import Facts
from ..precedence import lifted
from ..scopes import Function, FunctionNode
from .batches import Batch
from .changed_state import changes
from .flag_records import Flag, Unplaced
from .written_state import assigns, sets_weights

_HEADERS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try)
FIX = "do this in the function that trains, in a statement of its own"


def resets(
    facts: Facts, steps: list[ast.Call], flag: Flag, apart: Collection[str] = ()
) -> list[ast.stmt] | Unplaced:
    """The statements behind which the flag of these steps is set back.

    `apart`: the models that have flags of their own, as `changes` has it.
    """
    found: dict[ast.stmt, None] = {}
    for node in changes(facts, steps, flag.after, by_object=bool(flag.keys), apart=apart):
        behind = _behind(facts, steps, flag, node, frozenset())
        if behind is None:
            return _unplaced(node, steps[0])
        found.update(dict.fromkeys(behind))
    return [each for each in found if not _is_followed(facts, each, found)]


def _is_followed(facts: Facts, statement: ast.stmt, resets: Iterable[ast.stmt]) -> bool:
    """Whether the flag is set back again before anything is run: one line is enough for both.

    Weights that are set are broadcast at once, instead: each of these lines counts.
    """
    if assigns(statement) or sets_weights(statement) is not None:
        return False
    block, number = facts.block(statement)
    for later in block[number + 1 :]:
        calls = (node for node in within(later) if isinstance(node, ast.Call))
        is_of_library = all(facts.name(call.func) is not None for call in calls)
        if not isinstance(later, ast.Assign) or not is_of_library:
            return False
        if later in resets:
            return not (assigns(later) or sets_weights(later) is not None)
    return False


def _behind(
    facts: Facts, steps: list[ast.Call], flag: Flag, node: ast.AST, seen: frozenset[ast.AST]
) -> list[ast.stmt] | None:
    """Where a flag is set back for a change: there, or where its function is called.

    None where the flag has no name there, or a step comes before that.
    """
    statement = _statement(facts, node)
    if any(facts.statement(step) is statement for step in steps):
        return None  # what is made anew along with a step has no place behind which it stays
    if statement is not None and is_reached(facts, steps[0], flag, statement):
        return [statement]
    function = facts.function(node)
    if function in seen:
        return []  # a call of its own: what called it first is looked at
    if not isinstance(function, FunctionNode):
        return None
    runs_steps = any(scope is function for step in steps for scope, _ in lifted(facts, step))
    if runs_steps or facts.values.escapes(function):
        return None
    found: list[ast.stmt] = []
    for site in facts.call_sites(function):
        behind = _behind(facts, steps, flag, site, seen | {function})
        if behind is None:
            return None
        found += behind
    return found


def resets_in(facts: Facts, batch: Batch) -> list[ast.stmt] | Unplaced:
    """The same for a loop of `train_on_batch`, whose flag is made before the loop."""
    found: list[ast.stmt] = []
    for node in changes(facts, [batch.call]):
        statement = _statement(facts, node)
        if statement is not None and batch.loop in facts.parents(statement):
            found.append(statement)
        elif any(batch.loop in facts.parents(run) for _, run in lifted(facts, node)):
            return _unplaced(node, batch.call)
    return found


def _unplaced(node: ast.AST, step: ast.Call) -> Unplaced:
    what = "this changes what is trained, and the other workers would not take that over"
    return Unplaced(what, FIX, Cause(node if hasattr(node, "lineno") else step))


def _statement(facts: Facts, node: ast.AST) -> ast.stmt | None:
    """The statement behind which the change is done; None where nothing can stand behind it."""
    statement = facts.statement(node)
    if isinstance(statement, (*_HEADERS, *FunctionNode)) and statement is not node:
        return None
    return None if isinstance(statement, ast.Return) else statement


def is_reached(facts: Facts, step: ast.Call, flag: Flag, statement: ast.stmt) -> bool:
    """Whether the flag has its name there, and is made before."""
    assert isinstance(step.func, ast.Attribute)
    if facts.function(statement) is facts.function(step):
        return True
    if flag.holder is not None:
        return _is_method_of_it(facts, step, flag.holder, statement)
    made = (*flag.before, *flag.after)
    is_global = all(each in facts.module.body for each in made)
    frame = facts.module if is_global else _frame(facts, step.func.value)
    if frame not in {facts.module, *facts.parents(statement)} or not _of_file(
        facts, statement, made
    ):
        return False
    runs = [node for each, node in lifted(facts, statement) if each is frame]
    return all(facts.place(each) < facts.place(run) for each in made for run in runs)


def _of_file(facts: Facts, statement: ast.stmt, made: tuple[ast.stmt, ...]) -> bool:
    """Whether the flag is made in the same file: no other imports its name."""
    home = None if facts.joined is None else facts.joined.home
    return home is None or all(home(each) == home(statement) for each in made)


def _frame(facts: Facts, receiver: ast.expr) -> ast.AST | None:
    """The function, or the module, that owns the name of the optimizer."""
    assert isinstance(receiver, ast.Name)
    scope = facts.scope(receiver).find(receiver.id)
    return None if scope is None else scope.node


def _is_method_of_it(facts: Facts, step: ast.Call, holder: ast.expr, statement: ast.stmt) -> bool:
    """Whether `self` is the object that holds the flag."""
    name = ast.unparse(holder).partition(".")[0]
    return are_of_one_object(facts, name, facts.function(statement), facts.function(step))


def are_of_one_object(
    facts: Facts, name: str, here: Function | None, there: Function | None
) -> bool:
    """Whether two functions are methods of one class, and a name is `self` in both."""
    if here is None or there is None or facts.cls(here) is not facts.cls(there):
        return False
    first = [f.args.args[0].arg for f in (here, there) if f.args.args]
    return first == [name] * 2
