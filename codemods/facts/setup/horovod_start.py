"""Where a program starts Horovod itself, what of it runs before that, and what runs too early."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import children, within
from ...program.parts import FUNCTIONS, FunctionNode, outer_parts
from ..facts import Facts, recorded
from ..gradients.state_broadcasts import broadcasts
from ..horovod import calls_of
from ..training.pattern import training_of

# -- start ---------------------------------------------------------------------------------------
# Where a program starts Horovod itself, and what of it runs before that.

_CONDITIONS = (ast.If, ast.IfExp, ast.For, ast.While, ast.Try, ast.Lambda)


def starts(facts: Facts) -> list[ast.Call]:
    """The calls of `hvd.init()`."""
    return list(calls_of(facts, "init"))


@recorded
def way_to_start(facts: Facts) -> list[ast.Call]:
    """The first call of `hvd.init()`, that of the function around it, and so on to the module.

    Empty where it may be left out, or where it can't be told when it runs.
    """
    found = starts(facts)[:1]
    while found and facts.function(found[-1]) is not None:
        function = facts.function(found[-1])
        sites = facts.call_sites(function) if function is not None else []
        if len(sites) != 1 or facts.escapes(function) or sites[0] in found:  # type: ignore[arg-type]
            return []
        found.append(sites[0])
    return [] if any(_is_conditional(facts, call) for call in found) else found


def _is_conditional(facts: Facts, call: ast.Call) -> bool:
    for parent in facts.parents(call):
        if isinstance(parent, FunctionNode):
            return False
        if isinstance(parent, _CONDITIONS) and not _is_main(parent):
            return True
    return False


def _is_main(node: ast.AST) -> bool:
    test = getattr(node, "test", None)
    return test is not None and any(getattr(n, "id", "") == "__name__" for n in within(test))


def started_in(facts: Facts) -> ast.stmt | None:
    """The statement of the module in which Horovod is started."""
    way = way_to_start(facts)
    if not way:
        return None
    inside = [s for s in facts.module.body if s in set(_around(facts, way[-1]))]
    return inside[0] if inside else None


def _around(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    yield node
    yield from facts.parents(node)


def is_before_start(facts: Facts, node: ast.AST) -> bool:
    """Whether it runs before a `hvd.init()` that stands in a function: a call there is an error."""
    for call in way_to_start(facts):
        home = facts.function(call)
        if home is facts.function(node) and home is not None:
            return _position(node) < _position(call)
    early = _early(facts)
    return bool(early) and any(parent in early for parent in facts.parents(node))


@recorded
def _early(facts: Facts) -> frozenset[ast.AST]:
    """The functions that run before Horovod is started."""
    return frozenset(f for call in way_to_start(facts) for f in _run_before(facts, call))


def _run_before(facts: Facts, call: ast.Call) -> set[ast.AST]:
    """The functions that are called above a call in the same function."""
    home = facts.function(call)
    earlier = (c for c in facts.index.calls if facts.function(c) is home and c is not call)
    called = (facts.callee(c) for c in earlier if _position(c) < _position(call))
    around = set(_around(facts, call))
    found = {f for each in called if each is not None for f in training_of(facts).reached(each)}
    return found - around - {facts.module}


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


# -- programs of one process ---------------------------------------------------------------------
# Programs that end at once unless they are alone: what they share with others has one worker.

_TESTS = {ast.Gt: (1,), ast.NotEq: (1,), ast.GtE: (2,)}


@recorded
def ends_unless_alone(facts: Facts) -> ast.stmt | None:
    """`if hvd.size() > 1: raise …` directly behind the start, where all workers come by.

    An assertion is none: Python may be told to leave these out.
    """
    start, body = started_in(facts), facts.module.body
    is_plain = isinstance(start, ast.Expr) and start.value in starts(facts)
    number = body.index(start) + 1 if start is not None and is_plain else len(body)
    guard = body[number] if number < len(body) else None
    if not isinstance(guard, ast.If) or not isinstance(guard.body[0], ast.Raise):
        return None
    return guard if _asks_for_others(facts, guard.test) else None


def _asks_for_others(facts: Facts, test: ast.expr) -> bool:
    """Whether it is true wherever there is another worker, and says that by no other word."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    limit = test.comparators[0]
    numbers = _TESTS.get(type(test.ops[0]), ())
    is_limit = isinstance(limit, ast.Constant) and limit.value in numbers
    return is_limit and test.left in set(calls_of(facts, "size"))


# -- what runs at import -------------------------------------------------------------------------
# What runs while the other modules of a project are imported: before `hvd.init()` of the entry.

MAKING = ("__new__", "__init__", "__post_init__")


def calls_inside(function: ast.AST) -> Iterator[ast.Call]:
    """The calls that run with a function; what functions in it hold runs when they are called."""
    body: list[ast.AST] | ast.AST = getattr(function, "body", [])
    for part in body if isinstance(body, list) else [body]:
        yield from (node for node in _nodes(part) if isinstance(node, ast.Call))


@recorded
def functions_at_import(facts: Facts) -> frozenset[ast.AST]:
    """The functions that run, decorators among them, while other modules are imported."""
    own, found = set(facts.body), set[ast.AST]()
    for statement in facts.module.body:
        if statement not in own:
            for expr in called_at_import(statement):
                found |= running(facts, expr)
    return frozenset(found)


def running(facts: Facts, expr: ast.expr) -> set[ast.AST]:
    """The functions that run where an expression is called: of a class, what makes an instance."""
    cls = facts.classes.local(expr)
    made = [facts.classes.method(cls, name) for name in MAKING] if cls is not None else []
    first = [*facts.program.functions(expr).nodes, *(each for each in made if each is not None)]
    return {home for function in first for home in training_of(facts).reached(function)}


def called_at_import(statement: ast.stmt) -> Iterator[ast.expr]:
    """The functions, decorators among them, that a statement of a module calls."""
    for node in _nodes(statement):
        if isinstance(node, ast.Call):
            yield node.func
        yield from getattr(node, "decorator_list", ())


def _nodes(statement: ast.AST) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += outer_parts(node) if isinstance(node, FUNCTIONS) else children(node)


# -- devices that are used early -----------------------------------------------------------------
# Modules of a project that use a device while they are imported: Horovod is started before that.
#
# Horovod's guide, step 2: each process chooses its GPU first; TensorFlow allows that only until
# it has used one.

_IMPORTS = (ast.Import, ast.ImportFrom)
# Classes whose instances hold no tensors, functions that make none, and settings.
_HARMLESS = (
    "tensorflow.keras.losses. tensorflow.keras.layers. tensorflow.keras.initializers. "
    "tensorflow.keras.regularizers. tensorflow.keras.constraints. tensorflow.TensorSpec "
    "tensorflow.function tensorflow.autograph. tensorflow.get_logger "
    "tensorflow.io.FixedLenFeature tensorflow.io.FixedLenSequenceFeature "
    "tensorflow.io.VarLenFeature tensorflow.keras.utils.register_keras_serializable "
    "tensorflow.config. tensorflow.keras.saving.register_keras_serializable "
    "tensorflow.compat.v1.logging. tensorflow.random.set_seed "
    "tensorflow.keras.utils.set_random_seed tensorflow.logging. "
    "tensorflow.keras.backend.set_floatx tensorflow.keras.backend.set_epsilon "
    "tensorflow.keras.backend.set_image_data_format tensorflow.keras.mixed_precision."
)
_QUIET = tuple(_HARMLESS.split())


@recorded
def works_early(facts: Facts) -> list[ast.expr]:
    """The first call in each statement of other modules that may use a device at its import.

    Not where Horovod has been started by then.
    """
    own = set(facts.body) if facts.is_joined else set(facts.module.body)
    started = started_in(facts)
    if started is not None:
        own.update(facts.module.body[facts.module.body.index(started) :])
    found = (
        [expr for expr in called_at_import(statement) if _is_work(facts, expr)][:1]
        for statement in facts.module.body
        if statement not in own
    )
    return [expr for exprs in found for expr in exprs]


@recorded
def early_place(facts: Facts) -> ast.stmt | None:
    """The statement behind which Horovod is started, before such modules are imported.

    The flag of a broadcast is a variable: it is work, too, where a rule writes it into a module.

    None where none are, or where TensorFlow is only imported behind them.
    """
    joined = facts.joined
    if starts(facts) or joined is None:
        return None
    early = [joined.home(each) for each in (*works_early(facts), *_flagged(facts))]
    lines = [joined.line_of_import(path) for path in early]
    number = next((n for n, s in enumerate(facts.body) if lines and s.lineno == min(lines)), 0)
    if not number or not isinstance(facts.body[number], _IMPORTS):
        return None
    if facts.body[number - 1].end_lineno == min(lines):
        return None
    later = (name for s in facts.body[number:] for name in _roots(s))
    return None if "tensorflow" in later else facts.body[number - 1]


def _flagged(facts: Facts) -> list[ast.stmt]:
    """The statements of other modules beside which flags are made while these are imported."""
    found = broadcasts(facts)
    flags = [each.flag for each in (*found.batches, *found.applications)]
    beside = {statement for flag in flags for statement in (*flag.before, *flag.after)}
    return [s for s in facts.module.body if s in beside and s not in facts.body]


def _roots(statement: ast.stmt) -> Iterator[str]:
    """The packages whose names an import binds."""
    if isinstance(statement, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in statement.names)


def _is_work(facts: Facts, expr: ast.expr) -> bool:
    name = facts.name(expr)
    if name is not None:
        return isinstance(facts.parent(expr), ast.Call) and _uses_device(name)
    cls = facts.classes.local(expr)
    if cls is not None and not _is_plain(facts, cls):
        return True
    inside = (call for home in running(facts, expr) for call in calls_inside(home))
    return any(_uses_device(facts.name(each.func) or "") for each in inside)


def _is_plain(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether no class behind it is TensorFlow's, whose instances may hold variables."""
    every = (cls, *facts.classes.ancestors(cls))
    bases = [base for each in every for base in each.bases if facts.classes.local(base) is None]
    names = [facts.name(base) for base in bases]
    return not any(name is None or _uses_device(name) for name in names)


def _uses_device(name: str) -> bool:
    return name.startswith("tensorflow.") and not name.startswith(_QUIET)
