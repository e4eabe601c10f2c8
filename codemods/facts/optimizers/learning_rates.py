"""Where learning rates have to be scaled: in optimizers, schedules, functions and settings."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ...library.callbacks import SCHEDULER
from ...library.decays import old_decay
from ...library.names import in_v1
from ...library.optimizers import HOLDING_WEIGHTS, RateArgument
from ...library.waiting_calls import prints
from ...model import KEPT
from ...program.call_sites import returns
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..causes import Problem, cause_of
from ..data.batch_needs import full_fits, keeps_batch
from ..data.full_batch import is_full_batch
from ..declared import declarations, keeps_rate
from ..facts import Facts, recorded
from ..roles import Role
from ..training.session_runs import session_runs
from . import rate_carriers
from .compiles import compiles, named_in_compile
from .optimizer_makers import gets_name, has_name, innermost
from .rate_carriers import (
    NAMES,
    Callback,
    absolute,
    functions_given,
    given_rate,
    is_of_graph,
    is_relative,
    of_optimizer,
    rate_arguments,
    rate_stores,
    scheduler_functions,
)
from .rate_values import Nature, branches, nature

# -- graph rates ---------------------------------------------------------------------------------
# Decaying rates of TensorFlow 1 that are scaled where they are made, so that all see one rate.
#
# `rate = tf.train.exponential_decay(0.1, …)`, which an optimizer takes and a summary shows:
# whoever multiplied the optimizer's argument alone would show another rate than the one that is
# trained with. Only where nothing else reads it: what is reckoned from a rate otherwise would
# become a multiple.

_SHOWING = in_v1("summary.scalar", "summary.histogram", "train.LoggingTensorHook")
_NAMING = in_v1("identity")  # `tf.identity(rate, name="rate")`: a name for hooks that log
_READ = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)
# Something else gives them their value, when the program runs.
_FILLED = in_v1("placeholder", "placeholder_with_default", "Variable", "get_variable")
_HOLDERS = (ast.Dict, ast.List, ast.Tuple, ast.keyword)
_TEXTS = (ast.BinOp, ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.keyword, ast.Starred)
_NUMBERS = ("format", "float", "str", "round", "item")


def maker_of(facts: Facts, rate: ast.expr) -> ast.Call | ast.BinOp | None:
    """The only expression that makes a rate, if it is a decay or reckons with tensors."""
    made = facts.origins(rate)
    only = made.nodes[0] if made.complete and len(made.nodes) == 1 else None
    if isinstance(only, ast.BinOp):
        return only
    name = facts.name(only.func) or "" if isinstance(only, ast.Call) else ""
    is_known = name.startswith("tensorflow.") and name not in _FILLED
    return only if isinstance(only, ast.Call) and is_known else None


def is_scaled_where_made(
    facts: Facts, maker: ast.Call | ast.BinOp, rates: Collection[ast.expr]
) -> bool:
    """Whether nothing reads it but the optimizers that take `rates`, and what shows it.

    A decay has a rate to scale; of others only what is shown needs to be scaled there.
    """
    is_decay = isinstance(maker, ast.Call) and old_decay(facts.name(maker.func)) is not None
    hides = isinstance(maker, ast.Call) and facts.has_hidden_arguments(maker)
    if hides or depends_on_size(facts, maker):
        return False
    uses = list(_uses(facts, maker))
    is_wanted = is_decay or any(_is_shown(facts, use) for use in uses)
    return is_wanted and all(_is_harmless(facts, use, maker, rates) for use in uses)


def _uses(facts: Facts, decay: ast.expr) -> Iterator[ast.expr]:
    """What may be its value, wherever it is read; also what may be anything, by its attribute."""
    kept = {n.attr for n in facts.index.nodes(ast.Attribute) if _is_kept_in(facts, n, decay)}
    for kind in _READ:
        for node in facts.index.nodes(kind):
            if not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
                made = facts.origins(node)
                is_unknown = not made.complete or node in made.nodes
                if decay in made.nodes or (is_unknown and getattr(node, "attr", None) in kept):
                    yield node


def _is_kept_in(facts: Facts, target: ast.Attribute, decay: ast.expr) -> bool:
    """Whether `self.rate = …` keeps it there."""
    statement = facts.parent(target)
    value = statement.value if isinstance(statement, ast.Assign) else None
    is_put = isinstance(target.ctx, ast.Store) and value is not None
    return is_put and decay in facts.origins(value or target).nodes


def _is_harmless(facts: Facts, use: ast.expr, decay: ast.expr, rates: Collection[ast.expr]) -> bool:
    if use in rates:
        return maker_of(facts, use) is decay
    return _is_handed_on(facts, use) or _is_shown(facts, use)


def _is_handed_on(facts: Facts, use: ast.expr) -> bool:
    """Whether it only gets a name, or goes into or out of a function of this file, as it is."""
    parent = facts.parent(use)
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        return all(isinstance(target, (ast.Name, ast.Attribute)) for target in targets)
    if isinstance(parent, ast.Return):
        function = facts.function(use)
        return function is not None and not facts.escapes(function)
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and use is not call.func and _is_of_file(facts, call)


def _is_of_file(facts: Facts, call: ast.Call) -> bool:
    function = facts.callee(call)
    if not isinstance(function, FunctionNode) or facts.has_hidden_arguments(call):
        return False
    return function.args.vararg is None and function.args.kwarg is None


def _is_shown(facts: Facts, use: ast.expr) -> bool:
    """Whether it goes into a summary, the log of a hook, or a run of which it is only printed."""
    call = _call_around(facts, use)
    if call is None:
        return False
    name = facts.name(call.func)
    if name in _NAMING:
        return isinstance(facts.parent(call), ast.Expr)
    is_run = any(run.call is call for run in session_runs(facts))
    return name in _SHOWING or (is_run and _is_only_printed(facts, call, use))


def _call_around(facts: Facts, use: ast.expr) -> ast.Call | None:
    node = facts.parent(use)
    while isinstance(node, _HOLDERS):
        node = facts.parent(node)
    return node if isinstance(node, ast.Call) else None


def _is_only_printed(facts: Facts, run: ast.Call, use: ast.expr) -> bool:
    """`_, value = session.run([train, rate])`, where nothing but a print reads `value`."""
    statement = facts.parent(run)
    if not isinstance(statement, ast.Assign):
        return _is_printed(facts, run)
    target = statement.targets[0] if len(statement.targets) == 1 else None
    holder = facts.parent(use)
    if isinstance(target, ast.Tuple) and isinstance(holder, (ast.List, ast.Tuple)):
        is_alike = len(target.elts) == len(holder.elts) and holder is not target
        target = target.elts[holder.elts.index(use)] if is_alike else None
    if not isinstance(target, ast.Name):
        return False
    return all(_is_printed(facts, read) for read in facts.index.loads.get(target.id, ()))


def _is_printed(facts: Facts, value: ast.AST) -> bool:
    """Whether it only goes into a text, or as a number into a call that prints or writes it."""
    node, parent = value, facts.parent(value)
    while isinstance(parent, _TEXTS) or _is_text_of(parent, node):
        node, parent = parent, facts.parent(parent)  # type: ignore[assignment,arg-type]
    if not isinstance(parent, ast.Call) or node is parent.func:
        return False
    return prints(facts.name(parent.func) or "") and isinstance(facts.parent(parent), ast.Expr)


def _is_text_of(parent: ast.AST | None, node: ast.AST) -> bool:
    """`"…".format(value)`, `float(value)`; a comparison or a sum that is printed is a text, too."""
    if not isinstance(parent, ast.Call) or node is parent.func:
        return False
    return getattr(parent.func, "attr", getattr(parent.func, "id", "")) in _NUMBERS


# -- kept rates ----------------------------------------------------------------------------------
# Whether the learning rates stay as they are, however many workers there are.

USES = ("minimize", "compute_gradients", "apply_gradients")


def keeps_rates(facts: Facts) -> bool:
    """Whether a step takes no more examples than before, or a person chose it so."""
    is_chosen = facts.options.learning_rate == KEPT or keeps_batch(facts)
    return is_chosen or is_full_batch(facts) or bool(full_fits(facts))


def is_kept(facts: Facts, made: ast.Call) -> bool:
    """Whether a person says where an optimizer is made or used that its rate stays."""
    return keeps_rate(facts, made) or made in _said_where_used(facts)


def is_kept_there(facts: Facts, rate: ast.AST) -> bool:
    """Whether a person says of a rate that it stays, or of the optimizer that it is given to."""
    used = _said_where_used(facts)
    return keeps_rate(facts, rate) or facts.statement(rate) in map(facts.statement, used)


@recorded
def _said_where_used(facts: Facts) -> frozenset[ast.AST]:
    """The optimizers of which it is said where a model is compiled with them, or a loss minimized.

    A rule that gives one a name leaves what stands behind the line in its place.
    """
    if not declarations(facts).all:
        return frozenset()
    said = [c.optimizer for c in compiles(facts) if keeps_rate(facts, c.call)]
    said += [c.func.value for c in facts.calls(*USES) if keeps_rate(facts, c)]  # type: ignore[attr-defined]
    return frozenset(m for each in said if each is not None for m in innermost(facts, each))


def are_kept(facts: Facts) -> bool:
    """Whether a person says so of all of them."""
    made = list(facts.creations(Role.OPTIMIZER))
    return bool(made) and all(is_kept(facts, each) for each in made)


# -- learning rates ------------------------------------------------------------------------------
# Where learning rates stand: in optimizers, schedules and the returns of the user's schedules.
#
# Seeds 000 and 001, `trans_S` on optimizer constructors. What every place needs is one edit, so
# that an optimizer which several loops share, or a schedule of two optimizers, is scaled once.


class Rate(NamedTuple):
    """What stands at a place: a rate, several of them, or a call that leaves its rate out."""

    is_sequence: bool = False
    argument: str = ""  # of the call: what it leaves out, with the value that it then has
    default: str = ""


def constructor_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """The rates given to optimizers and schedules where they are made."""
    found = _given_rates(facts)
    for cls in rate_carriers.outer_classes(facts):
        for value in rate_carriers.rates_of(facts, cls):
            if not _is_from_scaled_base(facts, cls, value) and not depends_on_size(facts, value):
                found[value] = Rate()
    return found


def _given_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """Those in the arguments of calls; of a graph where they are made, if that is right."""
    found: dict[ast.AST, Rate] = {}
    replaced = _replaced(facts) if facts.has_horovod else frozenset()
    every = [each for each in rate_arguments(facts) if each[0] not in replaced]
    arguments = [each for each in every if not is_kept(facts, each[0])]
    of_graph = [given_rate(facts, *each) for each in arguments if is_of_graph(facts, each[0])]
    rates = [rate for rate in of_graph if rate is not None and not is_kept_there(facts, rate)]
    for call, argument in arguments:
        value = given_rate(facts, call, argument)
        maker = maker_of(facts, value) if value is not None and value in rates else None
        if maker is not None and is_scaled_where_made(facts, maker, rates):
            found.update(_of_maker(facts, maker))
        else:
            found.update(_scaled(facts, call, argument))
    return found


def _replaced(facts: Facts) -> frozenset[ast.AST]:
    """The optimizers whose rate a schedule replaces, as D105 writes it behind the wrapper."""
    stores = [store for name in NAMES for store in facts.attribute_stores.get(name, ())]
    return frozenset(
        made
        for target, binding in stores
        if isinstance(binding.value, ast.expr) and facts.role(binding.value) is Role.SCHEDULE
        for made in innermost(facts, target.value)
    )


def _of_maker(facts: Facts, maker: ast.Call | ast.BinOp) -> dict[ast.AST, Rate]:
    """The rates that a decay of TensorFlow 1 is given; what makes a rate otherwise, itself."""
    row = old_decay(facts.name(maker.func)) if isinstance(maker, ast.Call) else None
    if row is None or not isinstance(maker, ast.Call):
        return {maker: Rate()}
    found: dict[ast.AST, Rate] = {}
    for argument in row.rates:
        found.update(_scaled(facts, maker, argument))
    return found


def _scaled(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    value = given_rate(facts, call, argument)
    if value is None:
        return _written_out(facts, call, argument)
    if argument.each:
        each = _each_scaled(facts, value)
        return {part: rate for part, rate in each.items() if not depends_on_size(facts, part)}
    if is_of_graph(facts, call) or old_decay(facts.name(call.func)) is not None:
        # a number or a tensor: the multiple of either is one
        return {} if depends_on_size(facts, value) else {value: Rate()}
    parts = [part for part in branches(facts, value) if not is_relative(facts, part)]
    return {part: Rate() for part in parts if nature(facts, part) is Nature.NUMBER}


def _written_out(facts: Facts, call: ast.Call, argument: RateArgument) -> dict[ast.AST, Rate]:
    if argument.default is None or argument.default == "None" or facts.has_hidden_arguments(call):
        return {}
    return {call: Rate(argument=argument.name, default=argument.default)}


def _each_scaled(facts: Facts, value: ast.expr) -> dict[ast.AST, Rate]:
    if isinstance(value, (ast.List, ast.Tuple)) and not any(
        isinstance(e, ast.Starred) for e in value.elts
    ):
        return {element: Rate() for element in value.elts}
    if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        return {value.elt: Rate()}
    return {value: Rate(is_sequence=True)}


def _is_from_scaled_base(facts: Facts, cls: ast.ClassDef, value: ast.expr) -> bool:
    """`return super().__call__(step)` of a class whose base is scaled already."""
    asks = any(
        isinstance(n, ast.Attribute) and n.attr == "__call__" and isinstance(n.value, ast.Call)
        for n in within(value)
    )
    return asks and rate_carriers.calls_super(facts, cls)


# -- rate settings -------------------------------------------------------------------------------
# Rates set while training: LearningRateScheduler functions, `optimizer.learning_rate = …`.
#
# An absolute rate is multiplied. One computed from the optimizer's own (already multiplied) rate
# is not, nor is what a schedule gives, which was multiplied where it was made.


def set_rates(facts: Facts) -> dict[ast.AST, Rate]:
    """Every absolute rate that is set while training."""
    found: dict[ast.AST, Rate] = {}
    for function in scheduler_functions(facts):
        for value in _results(function):
            for part in absolute(facts, value, _incoming(facts, function)):
                found[part] = Rate()
    for value in assigned(facts):
        if facts.role(value) is not Role.SCHEDULE and not _is_factor(facts, value):
            for part in absolute(facts, value, None):
                found[part] = Rate()
    return found


def _is_factor(facts: Facts, value: ast.expr) -> bool:
    """`optimizer.lr *= value`: the rate carries the scale, as a schedule does."""
    parent = facts.parent(value)
    return isinstance(parent, ast.AugAssign) and not isinstance(parent.op, (ast.Add, ast.Sub))


def unseen_functions(facts: Facts) -> Iterator[ast.expr]:
    """What LearningRateScheduler is given, where no function of it can be seen."""
    for call in facts.calls_of(SCHEDULER):
        given = facts.argument(call, "schedule", 0)
        if given is None or not functions_given(facts, given):
            yield given if given is not None else call


def unseen_values(facts: Facts) -> Iterator[ast.expr]:
    """The places that set a rate, or may set it, to what can't be seen."""
    return (place for place, value in rate_stores(facts) if value is None)


def scheduled(facts: Facts) -> Iterator[ast.expr]:
    """The rates that functions of LearningRateScheduler give."""
    for function in scheduler_functions(facts):
        yield from _results(function)


def _results(function: Callback) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [r.value for r in returns(function) if r.value is not None]


def _incoming(facts: Facts, function: Callback) -> str | None:
    """The second parameter: Keras passes the current rate in it."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if facts.classes.method_of(function) is not None else names
    return names[1] if len(names) > 1 else None


def assigned(facts: Facts) -> Iterator[ast.expr]:
    """The values that are put into the rates of optimizers, as far as they are seen."""
    return (value for _, value in rate_stores(facts) if value is not None)


# -- unknown rates -------------------------------------------------------------------------------
# Rates of which it can't be told whether and where they are to be scaled.


def unknown_rates(facts: Facts) -> Iterator[Problem]:
    """Rates of which it can't be told whether and where they are to be scaled."""
    for call in facts.creations(Role.OPTIMIZER):
        if _is_set_behind(facts, call):
            continue
        if facts.role_of_factory(call) is None and not any(True for _ in of_optimizer(facts, call)):
            is_wrapper = (facts.kind(call) or "").rpartition(".")[2] in HOLDING_WEIGHTS
            yield Problem(call, *(_WRAPPER if is_wrapper else _UNSEEN))
    for call, argument in rate_arguments(facts):
        yield from _problems(facts, call, argument)
    for call in rate_carriers.ambiguous(facts):
        yield Problem(
            call,
            "this schedule class is used on its own and inside of another schedule",
            "give the two uses classes of their own",
        )


def _problems(facts: Facts, call: ast.Call, argument: RateArgument) -> Iterator[Problem]:
    value = given_rate(facts, call, argument)
    if value is None:
        is_due = argument.default is not None or argument.each or argument.position == 0
        if facts.has_hidden_arguments(call) and is_due and not _is_set_behind(facts, call):
            yield Problem(
                call,
                "its rate may be among what `*` or `**` hands on here",
                f"pass {argument.name}= by name",
            )
        return
    if argument.each or is_of_graph(facts, call):
        return
    for part in branches(facts, value):
        found = nature(facts, part)
        if found in _WHY and not is_relative(facts, part):
            why, fix = _WHY[found]
            is_unknown = found is Nature.UNKNOWN
            yield Problem(part, why, fix, cause_of(facts, part) if is_unknown else None)


def _is_set_behind(facts: Facts, call: ast.Call) -> bool:
    """Whether the rate is set where the optimizer is there: it has a name, or gets one."""
    named = (each.compiled.optimizer for each in named_in_compile(facts) if each.is_looked_up)
    return has_name(facts, call) or gets_name(facts, call) or call in named


_UNSEEN = (
    "the learning rate of this optimizer can't be seen",
    "create it by its class with learning_rate= written out",
)
_WRAPPER = (
    "this optimizer averages the weights of another one: they begin as each worker's own, and the "
    "rate is the other one's",
    "train with the other one, and average the weights in a callback's `on_epoch_end`",
)
_WHY = {
    Nature.EITHER: (
        "this rate is a number in some cases and a schedule in others",
        "create the optimizer in each case with its own rate",
    ),
    Nature.UNKNOWN: (
        "nobody can tell whether this rate is a number or a schedule",
        "pass a number, or create the schedule in this file",
    ),
    Nature.VARIABLE: (
        "this rate is a tf.Variable that may be changed later",
        "pass the number and set optimizer.learning_rate where it changes",
    ),
    Nature.CALLABLE: (
        "this rate is a function, which Keras has dropped",
        "pass a number or a LearningRateSchedule",
    ),
}
