"""Where the variables of a session get their values, and all workers take over those of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...judge.own import Level, Owners
from ...library.agreement import COUNTERS
from ...library.names import in_v1, normal
from ...library.sessions import FINDERS
from ...program.call_sites import passed
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..agreement.control import is_left_out
from ..facts import Facts, recorded
from ..input_files import is_shared
from ..own_values import owners_if
from ..roles import Role
from ..training.session_runs import (
    Run,
    fed,
    is_zero,
    leads_to_step,
    put_value,
    puts,
    session_runs,
    training_runs,
)
from ..training.training_loops import is_of_files, reads_files, trains

# -- values that are put alike -------------------------------------------------------------------
# Values that every worker puts into the variables alike: a rate that decays by the epoch, say.
#
# `sess.run(tf.assign(rate, 0.1 * 0.9 ** epoch))`, also by a placeholder that is fed such a
# number. Variables are the same on all workers between steps, so a copy of one is, too.

_FED = in_v1("placeholder", "placeholder_with_default")
_MAKERS = in_v1("Variable")
_VARIABLES = in_v1("Variable", "get_variable", "global_variables", "trainable_variables")
_COLLECTED = in_v1("get_collection")


def is_alike(facts: Facts, run: Run, values: list[ast.expr]) -> bool:
    """Whether all workers put the same there, as far as it can be followed."""
    is_fed = any(_is_fed(facts, node) for v in values for node in facts.program.ingredients(v))
    if is_fed and not all(_feeds_alike(facts, given) for given in _fed(facts, run)):
        return False
    return bool(values) and all(_in_graph(facts).of(value).level <= Level.SAME for value in values)


def _fed(facts: Facts, run: Run) -> Iterator[ast.expr | None]:
    """What the run is fed; None where that can't be seen."""
    yield fed(facts, run)
    if facts.has_hidden_arguments(run.call):
        yield None


def _feeds_alike(facts: Facts, given: ast.expr | None) -> bool:
    made = None if given is None else facts.origins(given).only
    return isinstance(made, ast.Dict) and all(is_shared(facts, value) for value in made.values)


def _is_fed(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) in _FED


def _is_known(facts: Facts, call: ast.Call) -> bool:
    """Whether a graph gives variables there, or what is fed, which is asked for before."""
    name = normal(facts.name(call.func) or "")
    is_collected = name in _COLLECTED and _are_variables(call)
    return name in _FED or name in _VARIABLES or is_collected


def _are_variables(call: ast.AST | None) -> bool:
    """`get_collection(tf.GraphKeys.GLOBAL_VARIABLES)`."""
    key = call.args[0] if isinstance(call, ast.Call) and call.args else None
    return isinstance(key, ast.Attribute) and key.attr.endswith("VARIABLES")


@recorded
def _in_graph(facts: Facts) -> Owners:
    """Whose own is what a graph computes, in which all workers have counted alike so far.

    They begin alike, and each put into a counter is asked about by itself: one that isn't alike
    is refused, or followed by a broadcast.
    """
    told = frozenset(run.call for run in session_runs(facts) if asks_counter(facts, run))
    known = (call for call in facts.index.calls if _is_known(facts, call))
    return owners_if(facts, told.union(known), lambda name: False)


def asks_counter(facts: Facts, run: Run) -> bool:
    """`epoch.eval()` of `epoch = tf.Variable(0, trainable=False)`, in a run that takes no step."""
    made = facts.origins(run.fetches).nodes
    is_counter = bool(made) and all(_is_counter(facts, node) for node in made)
    return is_counter and run.call not in training_runs(facts) and not _put_along(facts) & {*made}


@recorded
def _put_along(facts: Facts) -> frozenset[ast.AST]:
    """The variables that are given values in the run of a step, which nobody has looked at."""
    runs = training_runs(facts).values()
    run = {*facts.program.ingredients_of(each.fetches for each in runs)}
    targets = (_target(facts, call) for call in puts(facts) if call in run)
    return frozenset(node for target in targets if target for node in facts.origins(target).nodes)


def _target(facts: Facts, put: ast.Call) -> ast.expr | None:
    is_method = facts.name(put.func) is None
    return put.func.value if is_method else facts.argument(put, "ref", 0)  # type: ignore[attr-defined]


def _is_counter(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or facts.name(node.func) not in _MAKERS:
        return False
    begin = facts.argument(node, "initial_value", 0)
    given = facts.argument(node, "trainable")
    is_number = isinstance(begin, ast.Constant) and isinstance(begin.value, int)
    return is_number and isinstance(given, ast.Constant) and given.value is False


# -- where workers meet again --------------------------------------------------------------------
# Behind which statement all workers come together again once some of them have restored.
#
# `if checkpoint: saver.restore(…)` may hold on one worker alone. So may what a function does that
# tells whether it has: `if checkpoint: saver.restore(…); return True`. All workers meet where it
# is called.

_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Meeting(NamedTuple):
    """A statement, and the session of whoever comes there, with its text where it has no node.

    `site` is the call of a function that may have restored, and may tell how far it had come.
    """

    statement: ast.stmt
    session: ast.expr | None
    written: str = ""
    site: ast.Call | None = None


def meetings(facts: Facts, call: ast.Call, session: ast.expr | None) -> tuple[Meeting, ...]:
    """The places behind a call that every worker comes to, whoever has left it out."""
    here = Meeting(_around(facts, facts.statement(call)), session)
    return tuple(_outside(facts, here, ())) or (here,)


def _around(facts: Facts, statement: ast.stmt) -> ast.stmt:
    """The statement, or the outermost `if` or `try` around it in which nothing leaves the block."""
    for parent in facts.parents(statement):
        if isinstance(parent, ast.ExceptHandler):
            continue
        if not isinstance(parent, (ast.If, ast.Try)) or _leaves(facts, parent):
            break
        statement = parent
    return statement


def _leaves(facts: Facts, statement: ast.stmt) -> bool:
    """Whether the block may end in it; what is raised where nobody catches it ends the worker."""
    found = [type(node) for node in within(statement) if isinstance(node, _LEAVES)]
    return bool(found) and (
        any(kind is not ast.Raise for kind in found) or _is_caught(facts, statement)
    )


def _is_caught(facts: Facts, statement: ast.stmt) -> bool:
    around = (*within(statement), *facts.parents(statement))
    return any(isinstance(node, ast.Try) for node in around)


def _outside(facts: Facts, place: Meeting, seen: tuple[ast.AST, ...]) -> Iterator[Meeting]:
    """The place itself, or those behind the calls of a function that may not come to it.

    Nothing where one of these can't be told.
    """
    if not is_left_out(facts, place.statement):
        yield place
        return
    function = facts.function(place.statement)
    if (
        not isinstance(function, ast.FunctionDef)
        or function in seen
        or not _returns(facts, function)
    ):
        return
    found: list[Meeting] = []
    for site in facts.call_sites(function):
        there = _at(facts, site, function, place)
        further = [] if there is None else [*_outside(facts, there, (*seen, function))]
        if not further:
            return
        found += further
    yield from found


def _returns(facts: Facts, function: ast.FunctionDef) -> bool:
    """Whether all its calls are seen, and nothing is trained before it comes back."""
    waits = (ast.Yield, ast.YieldFrom)
    is_plain = not any(isinstance(node, waits) for node in within(function))
    return is_plain and not trains(facts, function) and not facts.escapes(function)


def _at(facts: Facts, site: ast.Call, function: ast.FunctionDef, place: Meeting) -> Meeting | None:
    """What stands behind a call of a function, and which session that is there."""
    statement = facts.statement(site)
    is_plain = isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign, ast.If))
    if not is_plain or _lies_in_body(facts, site, statement) or place.written:
        return None
    if isinstance(statement, ast.If) and (_leaves(facts, statement) or trains(facts, statement)):
        return None
    named = _session(facts, site, function, place.session)
    return None if named is None else Meeting(_around(facts, statement), *named, site)


def _lies_in_body(facts: Facts, site: ast.Call, statement: ast.stmt) -> bool:
    """Whether it runs later than the statement: in a lambda."""
    around = []
    for parent in facts.parents(site):
        if parent is statement:
            break
        around.append(parent)
    return any(isinstance(parent, (ast.Lambda, *FunctionNode)) for parent in around)


def _session(
    facts: Facts, site: ast.Call, function: ast.FunctionDef, session: ast.expr | None
) -> tuple[ast.expr | None, str] | None:
    """The session of a function as its caller spells it; None where that can't be told."""
    if session is None:
        return None, ""
    root = session
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return None
    kinds = {binding.node for binding in facts.bindings(root)}
    parameter = next((a for a in _parameters(function) if a.arg == root.id and a in kinds), None)
    if parameter is None:
        return (session, "") if _is_of_module(facts, root) else None
    given = _given(facts, site, function, parameter)
    if not isinstance(given, (ast.Name, ast.Attribute)) or len(kinds) != 1:
        return None
    text = ast.unparse(given) + ast.unparse(session)[len(root.id) :]
    return (given if root is session else session), text


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _given(
    facts: Facts, site: ast.Call, function: ast.FunctionDef, parameter: ast.arg
) -> ast.AST | None:
    """What stands for a parameter; for `self` it is what the method is called on."""
    is_method = facts.classes.method_of(function) is not None
    if is_method and parameter is _parameters(function)[0]:
        return site.func.value if isinstance(site.func, ast.Attribute) else None
    return passed(site, function, parameter, facts.classes)


def _is_of_module(facts: Facts, name: ast.Name) -> bool:
    """Whether a name is one of the module, which every function sees that has none of its own."""
    return all(facts.function(binding.node) is None for binding in facts.bindings(name))


# -- starts --------------------------------------------------------------------------------------
# Where the variables of a session get their values: workers have to take over those of one.
#
# Horovod's guide: `hvd.broadcast_global_variables(0)` is run after the initializer, and again
# after a checkpoint is restored; an operation that ran before the initializer would be
# overwritten by it.

_INITIALIZERS = in_v1(
    "global_variables_initializer",
    "initialize_all_variables",
    "initialize_variables",
    "variables_initializer",
)
_PUTS = ("assign", "assign_add", "assign_sub", "load", "scatter_update")
_PUT_BY = in_v1("assign", "assign_add", "assign_sub", "scatter_update")
_ITERATORS = ("make_initializable_iterator", "Iterator.from_structure")


class Start(NamedTuple):
    """A call that gives variables their values, and the statement behind which all have them.

    `session` is None for the default session, `written` what it is called there; `site` is the call
    of the function that holds the call, where that may have been left out.
    """

    call: ast.Call
    behind: ast.stmt
    session: ast.expr | None
    written: str = ""
    site: ast.Call | None = None


@recorded
def starts(facts: Facts) -> tuple[Start, ...]:
    """Every place where variables are initialised, restored or given values from outside."""
    return tuple(_starts(facts))


def _starts(facts: Facts) -> Iterator[Start]:
    for run in session_runs(facts):
        if initializes(facts, run) or (changes(facts, run) and not changes_alike(facts, run)):
            yield from _of(facts, run.call, run.session)
    for call in facts.calls("restore"):
        session = facts.argument(call, "sess", 0)
        is_ours = facts.name(call.func) is None and facts.callee(call) is None
        if is_ours and session is not None and facts.role(session) is Role.SESSION:
            yield from _of(facts, call, session)


def _of(facts: Facts, call: ast.Call, session: ast.expr | None) -> Iterator[Start]:
    for place in meetings(facts, call, session):
        yield Start(call, *place)


def initializes(facts: Facts, run: Run) -> bool:
    """Whether a run gives the variables of the graph their first values."""
    return any(_is_initializer(facts, n) for n in facts.program.ingredients(run.fetches))


def is_iterators_start(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is the `initializer` of an iterator, which begins with its data anew."""
    made = [n for n in facts.program.ingredients(expr) if isinstance(n, ast.Attribute)]
    starts_anew = [n for n in made if n.attr == "initializer" and facts.name(n) is None]
    return bool(starts_anew) and all(_is_iterator(facts, n.value) for n in starts_anew)


def _is_initializer(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        is_own = node.attr == "initializer" and facts.name(node) is None
        return is_own and not _is_iterator(facts, node.value)
    return isinstance(node, ast.Call) and facts.name(node.func) in _INITIALIZERS


def _is_iterator(facts: Facts, expr: ast.expr) -> bool:
    """Whether it begins with data anew, which is no variable."""
    made = [node for node in facts.origins(expr).nodes if isinstance(node, ast.Call)]
    names = [facts.name(call.func) or getattr(call.func, "attr", "") for call in made]
    return bool(names) and all(name.endswith(_ITERATORS) for name in names)


def changes(facts: Facts, run: Run) -> bool:
    """Whether a run that takes no step puts values into variables."""
    if leads_to_step(facts, run.fetches):
        return False
    return any(_puts(facts, node) for node in facts.program.ingredients(run.fetches))


def changes_alike(facts: Facts, run: Run) -> bool:
    """Whether every worker puts the same values into them, so that nobody has to be told."""
    puts = [n for n in facts.program.ingredients(run.fetches) if _puts(facts, n)]
    values = [put_value(facts, node) for node in puts if isinstance(node, ast.Call)]
    known = [value for value in values if value is not None]
    return len(known) == len(values) and is_alike(facts, run, known)


def _puts(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or is_zero(facts, put_value(facts, node)):
        return False
    name = facts.name(node.func)
    is_method = name is None and isinstance(node.func, ast.Attribute)
    return name in _PUT_BY or (is_method and node.func.attr in _PUTS)  # type: ignore[attr-defined]


def broadcasts(facts: Facts) -> Iterator[Start]:
    """The starts behind which a broadcast goes: the last of those that follow each other."""
    last = {start.behind: start for start in starts(facts)}
    for start in last.values():
        if not _is_followed(facts, start, last):
            yield start


def _is_followed(facts: Facts, start: Start, others: dict[ast.stmt, Start]) -> bool:
    """Whether another one comes before anything is trained, in the same block and session."""
    block, number = facts.block(start.behind)
    for later in block[number + 1 :]:
        if later in others and _is_of_same_session(facts, start, others[later]):
            return True
        if trains(facts, later) or any(isinstance(n, (*FunctionNode, *_LEAVES)) for n in [later]):
            return False
    return False


def _is_of_same_session(facts: Facts, one: Start, other: Start) -> bool:
    """Whether both have one session: they spell it alike, or the program makes no other."""
    return _spelled(one) == _spelled(other) or len(_sessions(facts)) == 1


@recorded
def _sessions(facts: Facts) -> list[ast.Call]:
    """The calls that make a session, of this file or of others."""
    return [call for call in facts.index.calls if facts.made_by(call) is Role.SESSION]


def _spelled(start: Start) -> str:
    return start.written or ("" if start.session is None else ast.unparse(start.session))


# -- told restores -------------------------------------------------------------------------------
# Functions that restore and tell how far the program had come, on which its loops then go on.
#
# `ok, start = self.load(folder)`, `for epoch in range(start, 50)`: a worker without the files
# would make other steps than the others. So worker 0 tells all of them what it got.


@recorded
def told_restores(facts: Facts) -> dict[ast.Call, Start]:
    """The calls whose results worker 0 tells, and the sessions by which it does."""
    sites = _sites(facts)
    told = (count for _, count in counts(facts) if is_told(facts, count)) if sites else ()
    used = {_site(facts, node) for count in told for node in facts.program.ingredients(count)}
    return {site: start for site, start in sites.items() if site in used}


@recorded
def _sites(facts: Facts) -> dict[ast.Call, Start]:
    return {start.site: start for start in starts(facts) if start.site is not None}


def _site(facts: Facts, node: ast.AST) -> ast.Call | None:
    """The call that gave a name all that it may hold, perhaps as one of several."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    made = {binding.value for binding in facts.bindings(node)}
    site = made.pop() if len(made) == 1 else None
    return site if isinstance(site, ast.Call) and site in _sites(facts) else None


def untold_counts(facts: Facts) -> Iterator[ast.expr]:
    """What the loops run over that go on where checkpoints say which each worker finds itself."""
    for rounds, count in counts(facts):
        if not is_of_files(facts, count) or is_told(facts, count):
            continue
        if any(_finds(facts, node) for node in facts.program.ingredients(count)):
            yield rounds


def _finds(facts: Facts, node: ast.AST) -> bool:
    """Whether it looks for the last checkpoint; of data all workers have the same."""
    return isinstance(node, ast.Call) and facts.name(node.func) in FINDERS


def is_told(facts: Facts, count: ast.expr) -> bool:
    """Whether a number comes from a restore of which worker 0 tells, and from no other file."""
    nodes = [*facts.program.ingredients(count, lambda node: _site(facts, node) is not None)]
    is_from = any(_site(facts, node) is not None for node in nodes)
    return is_from and not any(reads_files(facts, node) for node in nodes)


def counts(facts: Facts) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The arguments of the `range` that loops with steps run over, behind what they stand in."""
    for loop in facts.index.nodes(ast.For):
        call = loop.iter
        is_count = isinstance(call, ast.Call) and facts.name(call.func) in COUNTERS
        if is_count and trains(facts, loop):
            yield from ((call, each) for each in call.args)  # type: ignore[attr-defined]
