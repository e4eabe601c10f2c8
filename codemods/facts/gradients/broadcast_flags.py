"""Where the flag of a broadcast lives, what is known of it, and where it is set back."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from ...library.tensorflow_names import FUNCTION, SAVED_MODEL, TRACKING
from ...program.bindings import Binding
from ...program.node_fields import is_placeholder, within
from ...program.parts import Function, FunctionNode
from ...program.records import NamedTuple
from ..causes import Cause, Problem
from ..facts import Facts
from ..optimizers.optimizer_makers import innermost, is_kept
from ..roles import Role
from ..training.pattern import training_of
from ..training.training_loops import runs_once
from .applied_variables import Applied, is_path, key
from .changed_state import assigns, changes, sets_weights
from .trained_models import Batch

# -- flag records --------------------------------------------------------------------------------
# What is known about the flag of a broadcast, and which bindings of its optimizer count.


class Flag(NamedTuple):
    """One optimizer's flag: a name, or an attribute of the object that has the optimizer."""

    owner: str  # tells optimizers apart
    holder: ast.expr | None = None  # the object, as the call names it
    after: Mapping[ast.stmt, ast.expr | None] = MappingProxyType({})  # made there, in which object
    before: tuple[ast.stmt, ...] = ()  # made there, at module level
    keys: tuple[ast.expr, ...] = ()  # the objects that have it, where there are several of them


class Unplaced(NamedTuple):
    """Why no flag fits; `of_objects`: why one does not, where there are several objects."""

    why: str
    fix: str
    cause: Cause | None = None
    of_objects: bool = False


UNTRACED = Unplaced(
    "nobody can tell where this optimizer is made",
    "create it by its class in this file and bind it to a name or an attribute",
    of_objects=True,
)
SEVERAL = Unplaced(
    "several optimizers are used through this name, each of which needs a broadcast of its own",
    "write a training step for each of them",
    of_objects=True,
)
SEVERAL_MODELS = Unplaced(
    "the model of this optimizer is made several times, and each one needs a broadcast of its own",
    "keep the optimizer outside of the model",
    of_objects=True,
)


def is_nothing(binding: Binding) -> bool:
    """Whether it binds nothing yet, as `optimizer = None` does at first."""
    return binding.value is not None and is_placeholder(binding.value)


def is_replaced(facts: Facts, binding: Binding, bindings: Iterable[Binding]) -> bool:
    """Whether another one of the bindings takes the value up, and the flag goes after that."""
    return any(_replaces(facts, other, binding) for other in bindings)


def _replaces(facts: Facts, later: Binding, earlier: Binding) -> bool:
    """Whether `opt = LossScaleOptimizer(opt)` follows in the same block."""
    one, other = facts.statement(earlier.node), facts.statement(later.node)
    target = getattr(other, "targets", [None])[0]
    block, number = facts.block(one)
    if target is None or other not in block[number + 1 :]:
        return False
    loads = (n for n in within(other) if isinstance(getattr(n, "ctx", None), ast.Load))
    return ast.unparse(target) in {ast.unparse(n) for n in loads}


# -- broadcast records ---------------------------------------------------------------------------
# What is known about each broadcast of a program with loops of its own.


class OptimizerState(NamedTuple):
    """The variables of an optimizer, or of the one that a model was compiled with."""

    holder: ast.expr
    is_models: bool
    is_method: bool  # `variables()`


class Broadcast(NamedTuple):
    """What happens at one `apply_gradients`, `minimize` or `train_on_batch` call."""

    call: ast.Call
    flag: Flag
    applied: Applied
    optimizer: OptimizerState
    is_nested: bool  # the statement uses what the call returns, which needs a name for that
    asked: tuple[ast.expr, ...] = ()  # models that the step asks, but does not train
    beside: ast.expr | None = None  # a list of variables that nothing trains
    resets: tuple[ast.stmt, ...] = ()  # behind them the flag is set back
    together: tuple[Broadcast, ...] = ()  # those of optimizers that step just before, as always

    @property
    def key(self) -> tuple[object, ...]:
        """The same for calls that share a flag: those of one optimizer for the same variables."""
        return (self.flag.owner, *key(self.applied.variables))

    @property
    def spelled_key(self) -> tuple[object, ...]:
        """The same for those that reach the flag by the same name."""
        holder = self.flag.holder
        return (holder and ast.unparse(holder), *self.key)


class Broadcasts:
    """The calls that a broadcast follows, and those that it can't follow."""

    def __init__(self) -> None:
        self.applications: list[Broadcast] = []
        self.batches: list[Broadcast] = []
        self.problems: list[Problem] = []


# -- flag resets ---------------------------------------------------------------------------------
# Where the flag of a broadcast is set back, as the state has changed behind it.

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
    runs_steps = any(scope is function for step in steps for scope, _ in facts.lifted(step))
    if runs_steps or facts.escapes(function):
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
        elif any(batch.loop in facts.parents(run) for _, run in facts.lifted(node)):
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
    runs = [node for each, node in facts.lifted(statement) if each is frame]
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


# -- flags in objects ----------------------------------------------------------------------------
# Flags that live in the object which holds the optimizer, or beside its class.


def flag_in_object(facts: Facts, receiver: ast.Attribute) -> Flag | Unplaced:
    """The flag of an optimizer that an attribute holds."""
    cls = facts.classes.instance_of(receiver.value)
    if cls is None:
        return UNTRACED
    owner = _owner(cls, receiver)
    stores = _stores(facts, cls, receiver.attr)
    if stores is None:
        return UNTRACED
    if _tracks(facts, cls):
        return flag_of_tracking(facts, cls, receiver)
    bindings = [binding for _, binding in stores]
    after = {b.node: t.value for t, b in stores if not is_replaced(facts, b, bindings)}
    return Flag(owner, receiver.value, after)  # type: ignore[arg-type]


def _owner(cls: ast.ClassDef, receiver: ast.Attribute) -> str:
    return f"{cls.name} {receiver.attr}"


def _stores(
    facts: Facts, cls: ast.ClassDef, attr: str
) -> list[tuple[ast.Attribute, Binding]] | None:
    """The statements that store the optimizer in the object; None if there are none."""
    found = []
    for target, binding in facts.attribute_stores.get(attr, []):
        if facts.classes.instance_of(target.value) not in facts.classes.family(cls) or is_nothing(
            binding
        ):
            continue
        if binding.kind != "assign" or not isinstance(binding.node, ast.stmt):
            return None
        found.append((target, binding))
    return found or None


def _tracks(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether a tf.Variable in an attribute would become one of the model's weights."""
    return any(base.startswith(TRACKING) for base in facts.classes.library_bases(cls))


def flag_of_tracking(facts: Facts, cls: ast.ClassDef, receiver: ast.Attribute) -> Flag | Unplaced:
    """The flag beside a class whose objects are models or layers."""
    owner = _owner(cls, receiver)
    if _is_compiled(facts, receiver) and any(map(partial(_exports, facts), facts.index.calls)):
        return Unplaced(
            f"a SavedModel of `{cls.name}` takes its training step along, but not the flag in it",
            "save weights or an .h5 file, or keep the training step outside of the class",
        )
    made = [
        call
        for call in facts.index.calls
        if facts.classes.local(call.func) in facts.classes.family(cls)
    ]
    if len(made) != 1 or not runs_once(facts, made[0]):
        return Unplaced(
            f"`{cls.name}` is made several times, and each one needs a broadcast of its own",
            "keep the optimizer outside of the model",
            of_objects=True,
        )
    return Flag(owner, before=(facts.top(facts.statement(receiver)),))


def _is_compiled(facts: Facts, node: ast.AST) -> bool:
    """Whether `@tf.function` makes the method a part of what is exported."""
    decorators = getattr(facts.function(node), "decorator_list", [])
    return any(facts.name(getattr(d, "func", d)) == FUNCTION for d in decorators)


def _exports(facts: Facts, call: ast.Call) -> bool:
    """Whether the call writes a SavedModel: a path that ends otherwise says so."""
    if facts.name(call.func) == SAVED_MODEL:
        return True
    func = call.func
    is_save = isinstance(func, ast.Attribute) and func.attr == "save"
    if not is_save or not training_of(facts).is_model(func.value):  # type: ignore[attr-defined]
        return False
    last = [n.value for a in call.args[:1] for n in within(a) if isinstance(n, ast.Constant)]
    return not any(str(text).endswith((".h5", ".hdf5", ".keras")) for text in last)


# -- where a flag lives --------------------------------------------------------------------------
# Where the flag of a broadcast lives: beside the optimizer, in the scope or object of it.


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
    cls = facts.classes.instance_of(receiver.value)
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
    bindings = [b for b in facts.bindings(receiver) if not is_nothing(b)]
    owner = f"{_scope_name(facts, receiver)} {receiver.id}"
    is_assigned = all(b.kind == "assign" and isinstance(b.node, ast.stmt) for b in bindings)
    if not bindings or not (is_assigned or all(b.kind == "param" for b in bindings)):
        return UNTRACED
    if is_assigned and _are_in_its_scope(facts, receiver, bindings):
        after = {b.node: None for b in bindings if not is_replaced(facts, b, bindings)}
        return Flag(owner, after=after)  # type: ignore[arg-type]
    return _at_module_level(facts, receiver, owner)


def _are_in_its_scope(facts: Facts, receiver: ast.Name, bindings: Sequence[Binding]) -> bool:
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
    bound = facts.bindings(receiver)
    is_given = all(binding.kind == "param" for binding in bound)
    return owner if is_around and is_given else None  # type: ignore[return-value]


def _runs_plainly(facts: Facts, maker: ast.FunctionDef) -> bool:
    """Whether it and its callers are functions that nothing decorates, wraps or hands on."""
    sites = facts.call_sites(maker)
    homes = [home for site in sites for home, _ in facts.lifted(site)]
    functions = [maker, *(home for home in homes if not isinstance(home, ast.Module))]
    traced = {facts.classes.function(a) for c in facts.calls_of(FUNCTION) for a in c.args}
    return bool(sites) and all(
        isinstance(each, ast.FunctionDef)
        and not each.decorator_list
        and each not in traced
        and not facts.escapes(each)
        for each in functions
    )
