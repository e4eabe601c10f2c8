"""Where the flag of a broadcast lives: beside the optimizer, in the scope or object of it."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..optimizers.optimizer_makers import innermost, is_kept
from ..precedence import lifted
from ..roles import Role
from ..scopes import Binding
from ..training.training_loops import runs_once
from .flag_records import SEVERAL, SEVERAL_MODELS, UNTRACED, Flag, Unplaced, is_nothing, is_replaced
from .flags_in_objects import flag_in_object, flag_of_tracking
from .paths import is_path

TRACING = "tensorflow.function"


def flag_of(facts: Facts, call: ast.Call) -> Flag | Unplaced:
    """The flag for a call of `apply_gradients` or `minimize`."""
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    if isinstance(receiver, ast.Name):
        return _of_name(facts, receiver)
    if isinstance(receiver, ast.Subscript):
        return _of_entry(facts, receiver)
    if not isinstance(receiver, ast.Attribute):
        return UNTRACED
    found = _of_checkpoint(facts, receiver) or _of_compiled(facts, receiver)
    return found or flag_in_object(facts, receiver)


def _of_entry(facts: Facts, receiver: ast.Subscript) -> Flag | Unplaced:
    """At module level for the one in a table, at a key that is written out: `opts["main"]`."""
    made = facts.origins(receiver)
    is_one = made.complete and made.only is not None and _is_optimizer(facts, made.only)
    is_fixed = isinstance(receiver.slice, ast.Constant) and is_path(receiver)
    if not is_one or not is_fixed or not runs_once(facts, made.only):  # type: ignore[arg-type]
        return UNTRACED
    owner = f"{facts.place(made.only)} entry"  # type: ignore[arg-type]
    making, top = facts.statement(made.only), facts.top(facts.statement(receiver))  # type: ignore[arg-type]
    if making in facts.module.body:
        return Flag(owner, after={making: None})
    is_itself = top is facts.statement(receiver)
    return UNTRACED if is_itself else Flag(owner, before=(top,))


def _of_compiled(facts: Facts, receiver: ast.Attribute) -> Flag | Unplaced | None:
    """At module level for the optimizer of a model, which is made once, that `compile` gives it."""
    made = innermost(facts, receiver) if is_kept(facts, receiver) else []
    if not made or not all(_is_optimizer(facts, node) for node in made):
        return None
    cls = facts.values.instance_of(receiver.value)
    if cls is not None:
        return flag_of_tracking(facts, cls, receiver)
    models = facts.origins(receiver.value)
    if models.only is None or not runs_once(facts, models.only):
        return SEVERAL_MODELS
    owner = f"{facts.place(models.only)} {receiver.attr}"
    return Flag(owner, before=(facts.top(facts.statement(receiver)),))


def _of_checkpoint(facts: Facts, receiver: ast.Attribute) -> Flag | Unplaced | None:
    """Beside the checkpoint that holds the optimizer: `ckpt.optimizer`, `self.ckpt.optimizer`."""
    holder, made = receiver.value, facts.origins(receiver)
    is_one = made.complete and made.only is not None and _is_optimizer(facts, made.only)
    if not is_one or facts.role(holder) is not Role.CHECKPOINT:
        return None
    found = _of_name(facts, holder) if isinstance(holder, ast.Name) else None
    if isinstance(holder, ast.Attribute):
        found = flag_in_object(facts, holder)
    return (
        found._replace(owner=f"{found.owner}.{receiver.attr}") if isinstance(found, Flag) else found
    )


def _of_name(facts: Facts, receiver: ast.Name) -> Flag | Unplaced:
    bindings = [b for b in facts.names.bindings(receiver) if not is_nothing(b)]
    owner = f"{_scope_name(facts, receiver)} {receiver.id}"
    is_assigned = all(b.kind == "assign" and isinstance(b.node, ast.stmt) for b in bindings)
    if not bindings or not (is_assigned or all(b.kind == "param" for b in bindings)):
        return UNTRACED
    if is_assigned and _are_in_its_scope(facts, receiver, bindings):
        after = {b.node: None for b in bindings if not is_replaced(facts, b, bindings)}
        return Flag(owner, after=after)  # type: ignore[arg-type]
    return _at_module_level(facts, receiver, owner)


def _are_in_its_scope(facts: Facts, receiver: ast.Name, bindings: list[Binding]) -> bool:
    """Whether the function (or the module) that owns the name binds it."""
    scope = facts.scope(receiver).find(receiver.id)
    owner = None if scope is None else scope.node
    return all((facts.function(b.node) or facts.module) is owner for b in bindings)


def _scope_name(facts: Facts, receiver: ast.Name) -> str:
    scope = facts.scope(receiver).find(receiver.id)
    node = scope.node if scope is not None else facts.module
    return f"{getattr(node, 'name', '')}:{getattr(node, 'lineno', 0)}"


def _at_module_level(facts: Facts, receiver: ast.expr, owner: str) -> Flag | Unplaced:
    """A flag beside the one optimizer there is, else before the function that trains.

    It is set back where an optimizer is made anew.
    """
    origins = facts.origins(receiver)
    made = [n for n in origins.nodes if not isinstance(n, ast.Constant)]
    if not made or not origins.complete or not all(_is_optimizer(facts, n) for n in made):
        return UNTRACED
    names = {_bound_name(facts, node) for node in made}
    if len(made) > 1 and (len(names) > 1 or None in names):
        return SEVERAL
    top = facts.top(facts.statement(receiver))
    making = facts.statement(made[0])
    is_one = len(made) == 1 and runs_once(facts, made[0]) and isinstance(making, ast.Assign)
    is_one = is_one and not isinstance(facts.parent(made[0]), ast.Call)  # which may run the step
    if is_one and making in facts.module.body and _are_of_one_file(facts, making, top):
        return Flag(owner, after={making: None})
    return Flag(owner, before=(top,))


def _are_of_one_file(facts: Facts, one: ast.stmt, other: ast.stmt) -> bool:
    return facts.joined is None or facts.joined.home(one) == facts.joined.home(other)


def _is_optimizer(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.made_by(node) in (Role.OPTIMIZER, Role.LOSS_SCALE)


def _bound_name(facts: Facts, node: ast.AST) -> str | None:
    """The name under which the statement of a creation stores it, with its function."""
    statement = facts.statement(node)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    function = facts.function(node)
    return f"{getattr(function, 'lineno', 0)} {ast.unparse(statement.targets[0])}"


def flag_in_maker(facts: Facts, call: ast.Call, flag: Flag) -> Flag:
    """The flag in the function that makes the training step for its optimizer, a parameter.

    Each step that it makes has a flag of its own there. At module level it stays where the maker
    may run in a graph, in which no variable can be made twice.
    """
    receiver = call.func.value  # type: ignore[attr-defined]
    maker = _maker(facts, receiver) if isinstance(receiver, ast.Name) else None
    if maker is None or not flag.before or not _runs_plainly(facts, maker):
        return flag
    around = {call, *facts.parents(call)}
    return flag._replace(before=tuple(each for each in maker.body if each in around))


def _maker(facts: Facts, receiver: ast.Name) -> ast.FunctionDef | None:
    """The function around that of a step whose parameter the optimizer is."""
    scope = facts.scope(receiver).find(receiver.id)
    owner = None if scope is None else scope.node
    is_around = isinstance(owner, ast.FunctionDef) and owner is not facts.function(receiver)
    bound = facts.names.bindings(receiver)
    is_given = all(binding.kind == "param" for binding in bound)
    return owner if is_around and is_given else None  # type: ignore[return-value]


def _runs_plainly(facts: Facts, maker: ast.FunctionDef) -> bool:
    """Whether it and its callers are functions that nothing decorates, wraps or hands on."""
    sites = facts.call_sites(maker)
    homes = [home for site in sites for home, _ in lifted(facts, site)]
    functions = [maker, *(home for home in homes if not isinstance(home, ast.Module))]
    traced = {facts.classes.function(a) for c in facts.calls_of(TRACING) for a in c.args}
    return bool(sites) and all(
        isinstance(each, ast.FunctionDef)
        and not each.decorator_list
        and each not in traced
        and not facts.values.escapes(each)
        for each in functions
    )
