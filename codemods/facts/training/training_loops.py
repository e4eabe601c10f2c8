"""Loops that train: how often each place of them runs, what they draw, and where they go on."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import takewhile

from ...judge.own import Level
from ...library.agreement import COUNTERS, RANGES, READS
from ...library.effects import is_hook, iterates
from ...library.tensorflow_names import FUNCTION, VARIABLE
from ...program.node_fields import within
from ...program.parts import COMPREHENSIONS, LOOPS, FunctionNode
from ..facts import Facts, recorded
from ..input_files import is_of_inputs
from ..keras_version import is_keras_3
from ..own_values import own
from ..roles import Role
from ..value_parts import Moves
from ..walks import reached
from .fits import is_alike, is_sent, lists_files
from .optimizer_calls import OPTIMIZERS, is_apply
from .pattern import Pattern, training_of
from .session_runs import is_global_step

# -- training loops ------------------------------------------------------------------------------
# Loops that train, in their own body or through what they call.

_HANDING_ON = (FUNCTION, "functools.partial")  # what they give calls the first


def trains(facts: Facts, loop: ast.AST) -> bool:
    """Whether a round of the loop trains, itself or through what it calls."""
    return loop in _training(facts)


@recorded
def _training(facts: Facts) -> set[ast.AST]:
    """Every node that trains, itself or in one of its parts."""
    places = {call for call, _ in training_of(facts).places}
    found: set[ast.AST] = set()
    for call in facts.index.calls:
        if call not in found and (call in places or _calls_training(facts, call)):
            node: ast.AST | None = call
            while node is not None and node not in found:
                found.add(node)
                node = facts.parent(node)
    return found


@recorded
def _names_of_training(facts: Facts) -> set[str]:
    """How the functions of the module are called that train."""
    functions = (node for node in facts.index.definitions if isinstance(node, FunctionNode))
    summary = training_of(facts).summary
    return {node.name for node in functions if summary(node) is not Pattern.UNKNOWN}


def _calls_training(facts: Facts, call: ast.Call) -> bool:
    if not _names_of_training(facts):
        return False
    function = facts.callee(call)
    if function is not None:
        return training_of(facts).summary(function) is not Pattern.UNKNOWN
    made = facts.origins(call.func).nodes
    functions = [node for node in made if isinstance(node, FunctionNode)]
    if any(training_of(facts).summary(node) is not Pattern.UNKNOWN for node in functions):
        return True
    lambdas = (node for node in made if isinstance(node, ast.Lambda))
    inside = (facts.callee(n) for f in lambdas for n in within(f) if isinstance(n, ast.Call))
    if any(f and training_of(facts).summary(f) is not Pattern.UNKNOWN for f in inside):
        return True
    names = {_last_name(func) for func in (call.func, *(_compiled(facts, node) for node in made))}
    return not names.isdisjoint(_names_of_training(facts))


def _compiled(facts: Facts, made: ast.AST) -> ast.AST:
    """`self.step` of `step = tf.function(self.step)`, of `partial(self.step, model)`."""
    is_call = isinstance(made, ast.Call) and facts.name(made.func) in _HANDING_ON
    return made.args[0] if is_call and made.args else made  # type: ignore[attr-defined]


def _last_name(expr: ast.AST) -> str | None:
    return getattr(expr, "attr", None) or getattr(expr, "id", None)


def loop_around(facts: Facts, node: ast.AST) -> ast.AST | None:
    """The innermost loop of the same function."""
    for parent in facts.parents(node):
        if isinstance(parent, (ast.For, ast.While)):
            return parent
        if isinstance(parent, FunctionNode):
            return None
    return None


# -- repetition ----------------------------------------------------------------------------------
# How often a place runs in one run of the program.


def runs_once(facts: Facts, node: ast.AST, depth: int = 9) -> bool:
    """Whether `node` is evaluated at most once in a run of the program."""
    if facts.in_loop(node) or depth == 0:
        return False
    function = next(
        (p for p in facts.parents(node) if isinstance(p, (*FunctionNode, ast.Lambda))), None
    )
    if function is None:
        return True
    if isinstance(function, ast.Lambda):
        return False
    sites = facts.call_sites(function)
    if _is_called_by_library(facts, function):
        return False
    if facts.escapes(function):
        return not sites and _is_main(facts, function)
    return len(sites) == 1 and runs_once(facts, sites[0], depth - 1)


def is_delayed(facts: Facts, call: ast.Call) -> bool:
    """Whether it runs at another time than its statement, or for each element of something."""
    delaying = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    around = iter(facts.parents(call))
    return any(
        isinstance(p, delaying) for p in takewhile(lambda p: not isinstance(p, ast.stmt), around)
    )


def is_for_a_round(facts: Facts, node: ast.AST) -> bool:
    """Whether each round of a loop that trains comes to it anew, through whatever functions."""
    for each in reached([node], lambda n: _callers(facts, n)):
        loop, function = loop_around(facts, each), facts.function(each)
        if loop is not None and trains(facts, loop):
            return True
        if function is not None and _is_called_by_library(facts, function):
            return True
    return False


def _callers(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """What runs the function around a node: calls, and attributes that are properties."""
    function = facts.function(node)
    sites = () if function is None else facts.program.call_sites(function).nodes
    return list(sites)


def is_drawn_once(facts: Facts, call: ast.Call) -> bool:
    """So for a call; what a loop or a comprehension runs over is made before its first round."""
    drawn: ast.AST = call
    for parent in facts.parents(call):
        first = parent.generators[0] if isinstance(parent, COMPREHENSIONS) else parent
        if isinstance(first, (ast.For, ast.comprehension)) and call in ast.walk(first.iter):
            drawn = parent
        if isinstance(parent, ast.stmt):
            break
    return runs_once(facts, drawn)


def _is_called_by_library(facts: Facts, function: ast.AST) -> bool:
    """`on_epoch_end` of a class that derives from one of a library."""
    cls = facts.classes.method_of(function)
    bases = () if cls is None else facts.classes.library_bases(cls)
    is_derived = any(base != "builtins.object" for base in bases)
    return is_derived and is_hook(function.name)  # type: ignore[attr-defined]


def _is_main(facts: Facts, function: ast.AST) -> bool:
    """`app.run(main)`."""
    uses = facts.index.loads.get(function.name, [])  # type: ignore[attr-defined]
    parents = [facts.parent(use) for use in uses]
    return (
        len(parents) == 1
        and isinstance(parents[0], ast.Call)
        and ast.unparse(parents[0].func).endswith("run")
    )


# -- draws from iterators ------------------------------------------------------------------------
# What is drawn from an iterator, `next(it)` by `next(it)`, and how many rounds of it train.

_BARS = 3  # around one another, at most


def draws(facts: Facts, made: ast.expr) -> list[ast.AST]:
    """Every `next(iterator)` of the iterator that is made there, if it is used for nothing else."""
    found: list[ast.AST] = []
    for use in _holding(facts).get(made, ()):
        parent = facts.parent(use)
        parent = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
        if isinstance(parent, ast.Call) and _is_next(facts, parent):
            found.append(parent)
        elif not _moves_on(facts, parent, use):
            return []
    return found


@recorded
def _holding(facts: Facts) -> dict[ast.AST, list[ast.expr]]:
    """The places that may hold what each call makes: the call itself, and where it is read."""
    loads = (node for nodes in facts.index.loads.values() for node in nodes)
    found: dict[ast.AST, list[ast.expr]] = {}
    for place in (*facts.index.calls, *loads):
        for made in facts.origins(place).nodes:
            if isinstance(made, ast.Call) and isinstance(place, ast.expr):
                found.setdefault(made, []).append(place)
    return found


def _moves_on(facts: Facts, parent: ast.AST | None, use: ast.expr) -> bool:
    moves = Moves(facts)
    return moves.into(parent, use) if isinstance(parent, ast.Call) else moves.to(parent, use)


def _is_next(facts: Facts, call: ast.Call) -> bool:
    return facts.name(call.func) == "builtins.next" and len(call.args) == 1


def turns(facts: Facts, draw: ast.AST, deep: int = 3) -> list[ast.AST]:
    """What loops do for a draw: itself, or the calls of the function that draws once a call."""
    home = facts.function(draw)
    if home is None or not deep or loop_around(facts, draw) is not None:
        return [draw]
    return [turn for call in facts.call_sites(home) for turn in turns(facts, call, deep - 1)]


def rounds(facts: Facts, made: ast.expr) -> Iterator[ast.expr]:
    """The `n` of loops `for … in range(n)` that train on what they draw from this iterator."""
    for turn in drawing_turns(facts, made):
        yield from rounds_of(facts, turn, with_while=True)


def drawing_turns(facts: Facts, made: ast.expr) -> list[ast.AST]:
    """What loops do for all draws from an iterator."""
    return [turn for draw in draws(facts, made) for turn in turns(facts, draw)]


def are_counted(facts: Facts, made: ast.expr) -> bool:
    """Whether all that is drawn from an iterator is drawn by loops that train so many rounds."""
    found = drawing_turns(facts, made)
    loops = [whole_round(facts, turn) for turn in found]
    inner = (loop_around(facts, turn) for turn in found)  # a test beside training draws as well
    are_trained = all(loop is not None and trains(facts, loop) for loop in inner)
    is_each = all(loop is not None and _runs_once(facts, loop, made) for loop in loops)
    return bool(found) and are_trained and is_each and all(any(rounds_of(facts, t)) for t in found)


def _runs_once(facts: Facts, place: ast.AST, made: ast.expr, deep: int = 3) -> bool:
    """Whether a loop, or a call of the function it is in, has all rounds of an iterator.

    Where a loop around it goes on drawing, and it has four rounds, eight workers do one of them
    each: together twice as many as there is data for.
    """
    around, home = loop_around(facts, place), facts.function(place)
    if around is not None and made not in within(around):
        return False
    calls = facts.call_sites(home) if home not in (None, facts.function(made)) else []
    return bool(deep) and all(_runs_once(facts, call, made, deep - 1) for call in calls)


def rounds_of(facts: Facts, node: ast.AST, with_while: bool = False) -> Iterator[ast.expr]:
    """The number of rounds of the counting loop around what is done once a round."""
    loop = whole_round(facts, node)
    yield from _count(facts, loop)
    if with_while and isinstance(loop, ast.While):
        is_each = isinstance(loop.test, ast.BoolOp) and isinstance(loop.test.op, ast.And)
        for test in loop.test.values if is_each else [loop.test]:  # type: ignore[attr-defined]
            yield from _bound(facts, loop, test)


def _bound(facts: Facts, loop: ast.While, test: ast.expr) -> list[ast.expr]:
    """`n` of `while step < n:`, `n > step:` and `step * size < n:`, where `step` only counts."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return []
    sides = [test.left, test.comparators[0]]
    if isinstance(test.ops[0], (ast.Gt, ast.GtE)):
        sides.reverse()
    elif not isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.NotEq)):
        return []
    return sides[1:] if _is_counted(facts, loop, sides[0]) else []


def _is_counted(facts: Facts, loop: ast.While, value: ast.expr) -> bool:
    """Whether a value is reckoned from one number that counts the rounds, and from no other."""
    if is_global_step(facts, value):
        return True
    counters = [
        n for n in within(value) if isinstance(n, ast.Name) and counts_rounds(facts, loop, n)
    ]
    return isinstance(value, (ast.Name, ast.BinOp)) and len(counters) == 1


def counts_rounds(facts: Facts, loop: ast.AST, name: ast.Name) -> bool:
    """Whether a name begins with a number that is written out, and each round adds to it."""
    if is_global_step(facts, name):
        return True
    bindings, inside = facts.bindings(name), set(within(loop))
    rounds: list[ast.stmt] = getattr(loop, "body", [])
    added = [b for b in bindings if b.kind == "aug" and facts.statement(b.node) in rounds]
    begun = [
        b for b in bindings if b.kind == "assign" and is_number(b.value) and b.node not in inside
    ]
    return len(added) == 1 and len(added) + len(begun) == len(bindings)


def is_number(value: ast.AST | None) -> bool:
    """`0`, and -1."""
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int)


def whole_round(facts: Facts, node: ast.AST) -> ast.AST | None:
    """The loop of which each round takes the step that stands in a node."""
    return _whole_round(facts, loop_around(facts, node))


def _whole_round(facts: Facts, loop: ast.AST | None) -> ast.AST | None:
    """Out of a loop that takes turns with other training: five steps of a critic, then one."""
    around = None if loop is None else loop_around(facts, loop)
    while loop is not None and around is not None and _trains_beside(facts, around, loop):
        loop, around = around, loop_around(facts, around)
    return loop


def _trains_beside(facts: Facts, around: ast.AST, loop: ast.AST) -> bool:
    statements: list[ast.stmt] = around.body  # type: ignore[attr-defined]
    return any(trains(facts, s) for s in statements if loop not in within(s))


def _count(facts: Facts, loop: ast.AST | None) -> list[ast.expr]:
    """The number of rounds of a counting loop that trains."""
    is_trained = isinstance(loop, ast.For) and trains(facts, loop)
    count = without_bar(facts, loop.iter) if is_trained else None  # type: ignore[union-attr]
    if not isinstance(count, ast.Call) or facts.name(count.func) not in COUNTERS:
        return []
    if len(count.args) == 2:
        return _end(*count.args)
    return count.args if len(count.args) == 1 else []


def without_bar(facts: Facts, iterable: ast.expr) -> ast.expr:
    """What a loop runs over, where a progress bar around that shows how far it is."""
    for _ in range(_BARS):
        made = facts.origins(iterable).nodes if isinstance(iterable, ast.Name) else (iterable,)
        bar = next(iter(made)) if len(made) == 1 else None
        if not isinstance(bar, ast.Call) or not iterates(facts.name(bar.func) or ""):
            break
        iterable = bar.args[0] if bar.args else bar
    return iterable


def _end(begin: ast.expr, end: ast.expr) -> list[ast.expr]:
    """`n` of `range(1, n + 1)`, which counts from one, and of `range(0, n)`."""
    first = begin.value if isinstance(begin, ast.Constant) else None
    if first == 1 and isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add):
        is_one = isinstance(end.right, ast.Constant) and end.right.value == 1
        return [end.left] if is_one else []
    return [end] if first == 0 or (first == 1 and isinstance(end, ast.Constant)) else []


def ends_range_from_one(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is `n` of `range(1, n)`, which has a round less than that."""
    call = facts.parent(expr)
    if not isinstance(call, ast.Call) or facts.name(call.func) not in RANGES:
        return False
    begin = call.args[0]
    return len(call.args) == 2 and isinstance(begin, ast.Constant) and begin.value == 1


# -- resumed loops -------------------------------------------------------------------------------
# Loops that go on where files say, which each worker reads for itself: rank 0 tells how far.
#
# `for epoch in range(start, 50)`: a worker that finds another file makes other steps than the
# others, which then wait for it for ever.

_OF_ARRAYS = ("astype", "reshape")
_PARSING = ("parse_args", "parse_known_args")
_RESTORES = ("restore", "restore_or_initialize", "read")


@recorded
def told_counts(facts: Facts) -> Mapping[ast.expr, tuple[ast.expr, ...]]:
    """By what a loop runs over: the numbers of its `range` or `take` that rank 0 has to tell."""
    found: dict[ast.expr, tuple[ast.expr, ...]] = {}
    for loop in facts.index.nodes(ast.For):
        count = (
            _counting_call(facts, loop)
            if trains(facts, loop) and _is_outermost(facts, loop)
            else None
        )
        if count is not None:
            numbers = [*count.args, *(keyword.value for keyword in count.keywords)]
            told = tuple(n for n in numbers if is_of_files(facts, n) and not is_of_inputs(facts, n))
            others = [each for each in numbers if each not in told]
            if told and all(is_alike(facts, n) or is_of_inputs(facts, n) for n in others):
                found[loop.iter] = told
    return found


def _counting_call(facts: Facts, loop: ast.For) -> ast.Call | None:
    """`range(…)` or `data.take(…)`, also in `tqdm(…)`; none where a tensor may say how far."""
    calls = (node for node in ast.walk(loop.iter) if isinstance(node, ast.Call))
    found = next((call for call in calls if _is_count(facts, call)), None)
    return found if found is not None and not _is_compiled(facts, loop) else None


def _is_count(facts: Facts, call: ast.Call) -> bool:
    if facts.name(call.func) in RANGES:
        return True
    is_taken = isinstance(call.func, ast.Attribute) and call.func.attr == "take"
    return is_taken and facts.role(call) is Role.DATASET


def may_be_negative(facts: Facts, number: ast.expr) -> bool:
    """Whether `take` is given a difference, and nothing says that it is at least zero."""
    call = facts.parent(number)
    is_taken = isinstance(call, ast.Call) and facts.name(call.func) not in RANGES
    made = [node for node in (number, *facts.origins(number).nodes) if isinstance(node, ast.expr)]
    bounds = (n for n in made if isinstance(n, ast.Call) and facts.name(n.func) == "builtins.max")
    is_named = facts.scope(number).find("max") is not None
    return is_taken and not is_named and not any(True for _ in bounds)


def _is_compiled(facts: Facts, loop: ast.For) -> bool:
    home = facts.function(loop)
    return home is not None and bool(getattr(home, "decorator_list", ()))


def _is_outermost(facts: Facts, loop: ast.For) -> bool:
    around = takewhile(lambda node: not isinstance(node, FunctionNode), facts.parents(loop))
    return not any(isinstance(node, LOOPS) for node in around)


def is_of_files(facts: Facts, expr: ast.expr) -> bool:
    """Whether it comes from files, wherever they lie, and nothing else makes it a worker's own.

    How many examples there are is no such number: all workers read the same.
    """
    known: set[ast.AST] = set()  # no number of a worker's own comes by these

    def is_end(node: ast.AST) -> bool:
        if _is_length(facts, node) or _is_option(facts, node):
            known.add(node)
        return node in known or reads_files(facts, node)

    parts = list(facts.program.ingredients(expr, is_end))
    parts = [n for n in parts if n not in known]
    if any(is_sent(facts, node) for node in parts):
        return False
    reads = [node for node in parts if reads_files(facts, node)]
    own = (node for node in parts if isinstance(node, ast.Call) and node not in reads)
    return bool(reads) and not any(_is_own(facts, call) for call in own)


def _is_length(facts: Facts, node: ast.AST) -> bool:
    """`x.shape`, and `len(x)` of an array that NumPy gives, or of one in its file."""
    if isinstance(node, ast.Attribute):
        return node.attr == "shape"
    if not isinstance(node, ast.Call) or facts.name(node.func) != "builtins.len" or not node.args:
        return False
    made = facts.origins(node.args[0])
    return made.complete and bool(made.nodes) and all(_is_array(facts, n) for n in made.nodes)


def _is_array(facts: Facts, node: ast.AST) -> bool:
    """What NumPy gives, also from one of its files: `np.load(path)["x"]`."""
    if isinstance(node, ast.Subscript):
        made = facts.origins(node.value)
        return made.complete and bool(made.nodes) and all(_is_call(facts, n) for n in made.nodes)
    return _is_call(facts, node)


def _is_call(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _OF_ARRAYS
    return is_method or (facts.name(node.func) or "").startswith("numpy.")


def _is_option(facts: Facts, node: ast.AST) -> bool:
    """`args.epochs` of a parser, where nothing is stored under that name, if under others."""
    if not isinstance(node, ast.Attribute):
        return False
    made = facts.origins(node.value)
    is_parsed = made.complete and all(
        isinstance(n, ast.Call) and getattr(n.func, "attr", "") in _PARSING for n in made.nodes
    )
    return bool(made.nodes) and is_parsed and node.attr not in _stored(facts)


@recorded
def _stored(facts: Facts) -> frozenset[str]:
    """The names of the attributes that the program sets."""
    attributes = facts.index.nodes(ast.Attribute)
    return frozenset(n.attr for n in attributes if isinstance(n.ctx, ast.Store))


def is_kept(facts: Facts, node: ast.AST) -> bool:
    """Whether it is a variable that a checkpoint puts back: `Checkpoint(epoch=epoch)`."""
    made = facts.origins(node).nodes if isinstance(node, (ast.Name, ast.Attribute)) else ()
    variables = {n for n in made if isinstance(n, ast.Call) and facts.name(n.func) == VARIABLE}
    return bool(variables) and not variables.isdisjoint(_kept(facts))


@recorded
def _kept(facts: Facts) -> frozenset[ast.AST]:
    """What makes the variables that checkpoints hold, where one is restored."""
    if not any(True for _ in facts.calls(*_RESTORES)):
        return frozenset()
    given = (k.value for call in facts.creations(Role.CHECKPOINT) for k in call.keywords)
    return frozenset(node for value in given for node in facts.origins(value).nodes)


def is_counter_of_checkpoint(facts: Facts, node: ast.AST) -> bool:
    """`ckpt.step`, or the variable itself; a method of it is no number."""
    if is_kept(facts, node):
        return True
    is_held = isinstance(node, ast.Attribute) and facts.role(node.value) is Role.CHECKPOINT
    call = facts.parent(node)
    is_method = isinstance(call, ast.Call) and call.func is node
    return is_held and not is_method and any(True for _ in facts.calls(*_RESTORES))


def reads_files(facts: Facts, node: ast.AST) -> bool:
    """Whether it gives what stands in files, or was put back from them."""
    if is_counter_of_checkpoint(facts, node) or _is_latest(facts, node):
        return True
    if not isinstance(node, ast.Call):
        return False
    return lists_files(facts, node) or facts.name(node.func) in READS


def _is_latest(facts: Facts, node: ast.AST) -> bool:
    """`manager.latest_checkpoint`, the name of a file."""
    is_name = isinstance(node, ast.Attribute) and node.attr == "latest_checkpoint"
    return is_name and facts.role(node.value) is Role.MANAGER  # type: ignore[attr-defined]


def _is_own(facts: Facts, call: ast.Call) -> bool:
    """A clock, chance, or what a model computes of the worker's own share."""
    if facts.role(call.func) is Role.MODEL:
        return True
    found = own(facts, call)
    return found.level in (Level.READ, Level.OWN) and found.source is call


# -- unseen steps --------------------------------------------------------------------------------
# Steps of Keras 3 of which nobody sees what they change: no form that averages is known.

STATELESS = "stateless_apply"  # hands on new values; no variable is changed
_BY_OPTIMIZER = ("apply", "minimize")


def unseen_steps(facts: Facts) -> Iterator[ast.Call]:
    """`optimizer.apply(gradients)` without variables, `minimize`, and steps without state."""
    if not is_keras_3(facts):
        return
    for call in facts.calls(*_BY_OPTIMIZER):
        assert isinstance(call.func, ast.Attribute)
        if facts.roles(call.func.value) & OPTIMIZERS and not is_apply(facts, call):
            yield call
    yield from facts.calls(STATELESS)
