"""What code does besides computing: what workers may leave out, or run less often."""

from __future__ import annotations

import ast

from ...library.array_names import LOADERS
from ...library.changes import RECEIVER
from ...library.displays import COLOURS, DRAWING, LOOKING, MAKING
from ...library.file_effects import READS_OF_FILES
from ...library.names import in_v1
from ...library.purity import CONSUMERS, ITERATORS, only_computes
from ...library.sessions import MANAGED, PLAIN_MAKERS
from ...library.tensorflow_names import COMPILED
from ...program.bindings import Binding
from ...program.node_fields import within
from ...program.parts import COMPREHENSIONS, Function, FunctionNode
from ..facts import Facts, recorded
from ..roles import Role
from ..training.call_graph import call_graph
from ..training.session_runs import fed, session_runs
from ..value_parts import changes, is_computing
from ..walks import inner_first
from .evaluation import (
    arguments_of,
    changes_parameter,
    evaluated,
    is_own_container,
    names_of,
    targets,
)
from .outputs import is_file_write, is_output, is_stored, is_written_file, opened_to_write, opens

# -- drawings ------------------------------------------------------------------------------------
# Calls that draw into Matplotlib's current figure: who doesn't show or save it needn't draw it.
#
# https://matplotlib.org/stable/api/pyplot_summary.html

_PASSING = ("builtins.enumerate", "builtins.len", "builtins.zip")
_TAKING = ("matplotlib.pyplot.", "seaborn.", *_PASSING)
_HANDED = ("clabel", "colorbar", "delaxes", "legend", "sca")  # they take parts of a figure
_PLOTS = ("boxplot", "hist", "plot")  # methods of a table
_PARTS = (ast.Attribute, ast.Subscript, ast.Call)
_READING = ("canvas", "buffer_rgba", "tostring_rgb", "get_array")


def is_drawing(facts: Facts, call: ast.Call) -> bool:
    """Whether it only draws, and nobody looks at the current figure but those who may have it."""
    is_known = facts.name(call.func) in DRAWING or _is_of_table(facts, call)
    axes = next((k.value for k in call.keywords if k.arg == "ax"), None)
    if is_known and axes is not None:
        is_known = _is_canvas(facts, axes)
    return (is_known or _is_on_canvas(facts, call)) and not _is_looked_at(facts)


def _is_of_table(facts: Facts, call: ast.Call) -> bool:
    """`pd.DataFrame(history.history).plot()`, `table["age"].plot.bar()`."""
    func = call.func
    if not isinstance(func, ast.Attribute):
        return False
    is_kind = isinstance(func.value, ast.Attribute) and func.value.attr == "plot"
    table = func.value.value if is_kind else func.value if func.attr in _PLOTS else None  # type: ignore[attr-defined]
    while isinstance(table, ast.Subscript) or _is_method(facts, table):
        table = table.value if isinstance(table, ast.Subscript) else table.func.value  # type: ignore[union-attr]
    found = None if table is None else facts.origins(table)
    made = found.nodes if found is not None and found.complete else ()
    return bool(made) and all(
        isinstance(n, ast.Call) and (facts.name(n.func) or "").startswith("pandas.") for n in made
    )


def _is_method(facts: Facts, node: ast.AST | None) -> bool:
    """`table.value_counts()`: what it does besides is asked of itself."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and facts.name(func) is None


def _is_on_canvas(facts: Facts, call: ast.Call) -> bool:
    """`ax.plot(…)`, `ax.get_xaxis().set_visible(…)` on axes or a figure that are only drawn on."""
    if call.func in _made(facts) or not isinstance(call.func, ast.Attribute):
        return False
    return _is_canvas(facts, call.func)


def _is_canvas(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is a figure or axes, or a part of them, that are only drawn on."""
    base = _base(facts, expr)
    if base in _made(facts):
        return base is not expr or _made(facts)[base]
    bound = facts.bindings(base)
    return bool(bound) and all(_is_made(facts, binding) for binding in bound)


def _is_made(facts: Facts, binding: Binding) -> bool:
    """Whether it is a figure or axes that are only drawn on, a part, or one of them in a loop."""
    if binding.kind != "for":
        value = binding.value
        return isinstance(value, ast.Call) and (_made(facts).get(value) or _is_part(facts, value))
    each = _taken_from(facts, binding)
    base = None if each is None else _base(facts, each)
    bound = facts.bindings(base) if isinstance(base, ast.Name) else []
    return bool(bound) and all(b.kind != "for" and _is_made(facts, b) for b in bound)


def _is_part(facts: Facts, made: ast.Call) -> bool:
    """Whether a figure or axes give it, or a table's plot: `figure.add_subplot(111)`."""
    known = facts.record(_Parts)
    if made not in known:
        known[made] = False  # of itself: `ax = ax.twinx()`
        is_given = _is_on_canvas(facts, made) or _is_of_table(facts, made)
        known[made] = is_given and _is_only_drawn_on(facts, made)
    return known[made]


class _Parts(dict[ast.Call, bool]):
    """What is known already of what figures give."""

    def __init__(self, _: Facts) -> None:
        super().__init__()


def _taken_from(facts: Facts, binding: Binding) -> ast.AST | None:
    """What a loop takes the values of a name from: `axes.flat` in `zip(axes.flat, images)`."""
    given, path = binding.value, binding.path[1:]
    while path and isinstance(given, ast.Call):
        name, at = facts.name(given.func), path[0]
        if name not in _PASSING or not isinstance(at, int):
            return None
        at -= name == "builtins.enumerate"  # what it counts comes behind the number
        given, path = given.args[at] if 0 <= at < len(given.args) else None, path[1:]
    return None if path else given


def _base(facts: Facts, expr: ast.AST) -> ast.AST:
    """What the attributes, elements and calls begin with: a name, or where a figure is made."""
    made, known, way = _made(facts), _bases(facts), []
    while expr not in known and expr not in made and isinstance(expr, _PARTS):
        way.append(expr)
        expr = expr.func if isinstance(expr, ast.Call) else expr.value
    base = known.get(expr, expr)
    known.update(dict.fromkeys(way, base))
    return base


@recorded
def _bases(facts: Facts) -> dict[ast.AST, ast.AST]:
    """What is known already: each call of a long chain asks again."""
    return {}


@recorded
def _made(facts: Facts) -> dict[ast.AST, bool]:
    """Where figures and axes are made, and whether nothing but drawing is done with each."""
    return {call: _is_only_drawn_on(facts, call) for call in facts.calls_of(*MAKING)}


def _is_only_drawn_on(facts: Facts, made: ast.Call) -> bool:
    statement = facts.parent(made)
    if isinstance(statement, (ast.Expr, ast.Attribute)):
        return True
    if not isinstance(statement, ast.Assign):
        return False
    names = [node for target in statement.targets for node in ast.walk(target)]
    if any(isinstance(node, (ast.Attribute, ast.Subscript)) for node in names):
        return False  # kept in an object
    bound = {node.id for node in names if isinstance(node, ast.Name)}
    uses = (use for name in bound for use in facts.index.loads.get(name, ()))
    return all(_is_drawn_on(facts, use) for use in uses if isinstance(use, ast.Name))


def _is_drawn_on(facts: Facts, use: ast.Name) -> bool:
    """Whether a method of it is called there, or it is handed to pyplot."""
    parent = facts.parent(use)
    while isinstance(parent, ast.Subscript) and parent.slice is not use:
        parent = facts.parent(parent)
    if isinstance(parent, ast.keyword):
        parent = facts.parent(parent)
    if isinstance(parent, ast.Call):
        is_method = isinstance(parent.func, ast.Attribute) and parent.func.attr in _HANDED
        return is_method or (facts.name(parent.func) or "").startswith(_TAKING)
    return isinstance(parent, (ast.Attribute, ast.For))


@recorded
def _is_looked_at(facts: Facts) -> bool:
    """Whether the file asks the current figure for something, beyond adding a bar of colours."""
    if any(name in facts.index.loads for name in _READING):
        return True
    return any(
        facts.name(call.func) != COLOURS
        or not isinstance(facts.parent(call), ast.Expr)
        or any(isinstance(node, ast.Call) for each in _given(call) for node in ast.walk(each))
        for call in facts.calls_of(*LOOKING)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


# -- graph reads ---------------------------------------------------------------------------------
# Runs of a session that only read a variable, which may as well be left to one worker.
#
# A monitored session runs its hooks with each, and they may do anything.

_PLAIN = in_v1(*PLAIN_MAKERS)
_STEP = in_v1("train.global_step")  # of a session: the number, by the variable
_VARIABLES = in_v1(
    "Variable",
    "get_variable",
    "train.get_global_step",
    "train.get_or_create_global_step",
    "train.create_global_step",
)


def reads_variable(facts: Facts, call: ast.Call) -> bool:
    """Whether a call gives the value of a variable, by a session that does nothing else."""
    if facts.name(call.func) in _STEP:
        return bool(call.args) and _is_plain(facts, call.args[0])
    run = next((run for run in session_runs(facts) if run.call is call), None)
    if run is None or run.session is None or fed(facts, run) is not None:
        return False
    return _is_plain(facts, run.session) and _is_variable(facts, run.fetches)


def _is_plain(facts: Facts, session: ast.expr) -> bool:
    made = facts.origins(session).nodes
    return bool(made) and all(isinstance(each, ast.Call) and _makes(facts, each) for each in made)


def _makes(facts: Facts, call: ast.Call) -> bool:
    is_managed = isinstance(call.func, ast.Attribute) and call.func.attr in MANAGED
    return is_managed or facts.name(call.func) in _PLAIN


def _is_variable(facts: Facts, fetched: ast.expr) -> bool:
    made = facts.origins(fetched).nodes
    calls = [each for each in made if isinstance(each, ast.Call)]
    return 0 < len(calls) == len(made) and all(facts.name(c.func) in _VARIABLES for c in calls)


# -- effects -------------------------------------------------------------------------------------
# What evaluating something does besides computing (R04), and what only rank 0 needs to run.
#
# `skippable` code computes, or writes for a person: a worker that leaves it out loses nothing.

_EFFECTS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_Leaving = tuple[type[ast.stmt], ...]


class Effects:
    """Answers for one module; functions of the module are looked into."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._graph = call_graph(facts)
        self._functions: dict[ast.AST, bool] = {}
        self._statements: dict[ast.AST, bool] = {}
        self._around: list[ast.AST] = []  # the statements and functions that are looked into

    # -- expressions --------------------------------------------------------------------------

    def skippable(self, expr: ast.AST | None) -> bool:
        """Whether evaluating `expr` on one worker only changes nothing for the others."""
        return expr is None or all(map(self._node, evaluated(expr)))

    def only_computes(self, node: ast.AST) -> bool:
        """The same of a node by itself, whatever its parts do."""
        return self._node(node)

    def skippable_arguments(self, call: ast.Call) -> bool:
        """Whether the arguments of a call take no effect to compute."""
        return all(map(self.skippable, arguments_of(call)))

    def outputs(self, expr: ast.AST) -> list[ast.Call]:
        """The calls in `expr` that only rank 0 should make, without those in lambdas."""
        calls = (node for node in evaluated(expr, lambdas=False) if isinstance(node, ast.Call))
        return [call for call in calls if is_output(self.facts, call)]

    def _node(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, COMPREHENSIONS):
            return not any(g.is_async or self._is_iterator(g.iter) for g in node.generators)
        if isinstance(node, ast.Starred):
            return not self._is_iterator(node.value)
        return not isinstance(node, _EFFECTS)

    def _call(self, call: ast.Call) -> bool:
        if is_output(self.facts, call) or opened_to_write(self.facts, call):
            return True
        if is_file_write(self.facts, call.func):
            return True
        if any(self._is_impure_function(a) for a in arguments_of(call)):
            return False
        if is_drawing(self.facts, call) or reads_variable(self.facts, call):
            return True
        changed = changes(self.facts, call)
        if changed:
            return changed == (RECEIVER,) and self._is_own(call.func.value)  # type: ignore[attr-defined]
        name = self.facts.name(call.func)
        if name is not None:
            uses_up = name in CONSUMERS and any(map(self._is_iterator, arguments_of(call)))
            is_read = name == "builtins.open" or (name in LOADERS and self._is_for_a_file())
            return (only_computes(name) or is_read) and not uses_up
        function = self.facts.callee(call)
        if function is not None:
            return self.function(function)
        if self.facts.role(call.func) is Role.SCHEDULE:
            return True
        return isinstance(call.func, ast.Attribute) and self._method(call, call.func)

    def _method(self, call: ast.Call, func: ast.Attribute) -> bool:
        """A method that is known to compute, unless a class of this module means another thing."""
        if func.attr in READS_OF_FILES and self._is_opened_inside(func.value):
            return True
        if not is_computing(self.facts, call, func):
            return False
        if func.attr == "join" and any(map(self._is_iterator, call.args)):
            return False
        methods = (
            s
            for s in self.facts.index.definitions
            if isinstance(s, FunctionNode) and s.name == func.attr
        )
        return all(self.function(m) for m in methods if self.facts.classes.method_of(m) is not None)

    def _is_opened_inside(self, file: ast.expr) -> bool:
        """Whether a file is opened in what is looked into: nobody else reads on where it ends."""
        opened = self.facts.origins(file).nodes if self._around else ()
        is_file = all(isinstance(n, ast.Call) and opens(self.facts, n) for n in opened)
        return is_file and bool(opened) and {*opened} <= {*within(self._around[-1])}

    def _is_own(self, expr: ast.AST) -> bool:
        """Whether it is a list or array that is made in what is looked into: nobody else has it."""
        return bool(self._around) and is_own_container(self.facts, expr, self._around[-1])

    def _is_for_a_file(self) -> bool:
        """Whether it is looked into what is done with a file that is written."""
        return bool(self._around) and isinstance(self._around[-1], ast.With)

    def _is_iterator(self, expr: ast.AST) -> bool:
        """Whether reading it may change what is read next: an iterator, or a dataset, which may
        be shuffled anew each time (on other workers it would stay one order behind).
        """
        if self.facts.role(expr) is Role.DATASET:
            return True
        if isinstance(expr, ast.Call):
            return False  # made here and now
        nodes = (
            self.facts.origins(expr).nodes if isinstance(expr, (ast.Name, ast.Attribute)) else ()
        )
        return any(map(self._makes_iterator, nodes))

    def _makes_iterator(self, node: ast.AST) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        return self.facts.name(node.func) in ITERATORS or self.facts.callee(node) is not None

    def _is_impure_function(self, expr: ast.AST) -> bool:
        """`sorted(xs, key=f)` calls `f`."""
        function = self.facts.classes.function(expr)
        return function is not None and not self.function(function)

    # -- functions and statements -------------------------------------------------------------

    def function(self, function: Function) -> bool:
        """Whether running a function of this module can be left to one worker."""
        if function not in self._functions:
            start: ast.AST = function
            for inner in inner_first(start, self._callees):  # deeper than Python's stack may be
                if isinstance(inner, FunctionNode) and inner not in self._functions:
                    self._functions[inner] = False  # recursion proves nothing
                    self._functions[inner] = self._runs(inner)
        return self._functions[function]

    def _callees(self, function: ast.AST) -> list[ast.AST]:
        return [each for each in self._graph.callees(function) if each not in self._functions]

    def _runs(self, function: Function) -> bool:
        self._around.append(function)
        found = self._runs_alone(function)
        self._around.pop()
        return found

    def _runs_alone(self, function: Function) -> bool:
        is_plain = isinstance(function, ast.FunctionDef) and not function.decorator_list
        block = [s for s in function.body if not changes_parameter(s, function)]
        return is_plain and block == function.body and self._block(block, (ast.Return,))

    def statement(self, node: ast.stmt) -> bool:
        """Whether a statement can be left to one worker, but for the names it binds."""
        if node not in self._statements:
            self._around.append(node)
            self._statements[node] = self._statement(node, ())
            self._around.pop()
        return self._statements[node]

    def along(self, node: ast.stmt, before: list[ast.stmt]) -> bool:
        """The same of a statement together with those before it: it may fill a list of theirs."""
        if self.statement(node):
            return True
        known, self._statements = self._statements, {}  # alone it is another answer
        self._around.append(ast.Module([*before, node], []))
        found = self._statement(node, ())
        self._around.pop()
        self._statements = known
        return found

    def _block(self, statements: list[ast.stmt], leaving: _Leaving) -> bool:
        return all(self._statement(statement, leaving) for statement in statements)

    def _statement(self, node: ast.stmt, leaving: _Leaving) -> bool:
        """`leaving`: the ways out that end inside of what is looked at."""
        if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return all(map(self._may_bind, targets(node))) and self.skippable(node.value)
        if isinstance(node, ast.Return):
            return ast.Return in leaving and self.skippable(node.value)
        if isinstance(node, ast.If):
            return self._branches(node, leaving)
        if isinstance(node, ast.For):
            body = self._block(node.body, (*leaving, ast.Break, ast.Continue))
            return body and self._for(node) and self._block(node.orelse, leaving)
        if isinstance(node, ast.With):
            is_inner = bool(self._around) and node is not self._around[-1]
            files = all(self._file(i) or (is_inner and self._is_read(i)) for i in node.items)
            return files and self._block(node.body, leaving)
        if isinstance(node, ast.Try) and not node.handlers:
            return all(self._block(b, leaving) for b in (node.body, node.finalbody))
        return isinstance(node, (ast.Pass, *leaving))

    def _may_bind(self, target: ast.AST) -> bool:
        """Whether nobody but this worker sees that something is bound."""
        if isinstance(target, ast.Name) or is_stored(self.facts, target):
            return True
        if not isinstance(target, ast.Subscript) or not self.skippable(target.slice):
            return False
        return is_written_file(self.facts, target.value) or self._is_own(target.value)

    def _branches(self, node: ast.If, leaving: _Leaving) -> bool:
        """An `elif` stands in the branch before: followed without recursion, and only once."""
        chain: list[ast.stmt] = []
        rest: list[ast.stmt] = [node]
        answer: bool | None = None
        while answer is None and len(rest) == 1 and isinstance(rest[0], ast.If):
            branch = rest[0]
            if not leaving and branch in self._statements:
                answer = self._statements[branch]
                break
            chain.append(branch)
            if not (self.skippable(branch.test) and self._block(branch.body, leaving)):
                answer = False
            rest = branch.orelse
        answer = self._block(rest, leaving) if answer is None else answer
        if not leaving and self._around[-1] is node:  # in more around it, more may be its own
            self._statements.update(dict.fromkeys(chain, answer))
        return answer

    def _for(self, node: ast.For) -> bool:
        is_plain = not self._is_iterator(node.iter) and self.skippable(node.iter)
        return is_plain and all(isinstance(t, ast.Name) for t in names_of(node.target))

    def _file(self, item: ast.withitem) -> bool:
        return self.is_output_file(item.context_expr) and isinstance(
            item.optional_vars, (ast.Name, type(None))
        )

    def _is_read(self, item: ast.withitem) -> bool:
        """A file that is opened to be read, within what is done for its own sake."""
        file, is_named = item.context_expr, isinstance(item.optional_vars, (ast.Name, type(None)))
        is_opened = isinstance(file, ast.Call) and opens(self.facts, file)
        return is_named and is_opened and self.skippable(file)

    def is_output_file(self, expr: ast.expr) -> bool:
        """`open(path, "w")` with a path that takes no effect to compute."""
        return opened_to_write(self.facts, expr) and self.skippable(expr)


# -- evaluations of models -----------------------------------------------------------------------
# Code that only evaluates a model, and shows or keeps what it finds.
#
# Where it runs at every so many steps it may run less often: nothing that trains hangs on it.

OF_MODELS = ("predict", "evaluate", "predict_on_batch", "test_on_batch")
OF_METRICS = ("update_state", "reset_state", "reset_states", "result")
LOSSES = ("tensorflow.keras.losses.", "tensorflow.keras.metrics.")
SUMMARIES = "tensorflow.summary."


class Evaluations(Effects):
    """Effects, of which those of metrics and of running a model or a loss count as none."""

    def _call(self, call: ast.Call) -> bool:
        return self._evaluates(call) or super()._call(call)

    def _evaluates(self, call: ast.Call) -> bool:
        func = call.func
        if self.facts.role(func) is Role.MODEL or _is_made_by(self.facts, func, LOSSES):
            return self.skippable_arguments(call)
        if not isinstance(func, ast.Attribute):
            return False
        if (self.facts.name(func) or "").startswith(SUMMARIES):
            return self.skippable_arguments(call)
        is_model = func.attr in OF_MODELS and self.facts.role(func.value) is Role.MODEL
        is_metric = func.attr in OF_METRICS and _is_made_by(self.facts, func.value, LOSSES)
        return (is_model or is_metric) and self.skippable_arguments(call)

    def _is_iterator(self, expr: ast.AST) -> bool:
        """A dataset that a loop goes through is gone through anew each time."""
        return self.facts.role(expr) is not Role.DATASET and super()._is_iterator(expr)

    def _runs(self, function: Function) -> bool:
        decorators = function.decorator_list
        names = (
            self.facts.name(each.func if isinstance(each, ast.Call) else each)
            for each in decorators
        )
        is_compiled = bool(decorators) and all(name in COMPILED for name in names)
        return super()._runs(function) or (
            is_compiled and self._block(function.body, (ast.Return,))
        )

    def _file(self, item: ast.withitem) -> bool:
        expr = item.context_expr
        is_writer = isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute)
        if is_writer and expr.func.attr == "as_default":  # type: ignore[attr-defined]
            return self.facts.role(expr.func.value) is Role.WRITER  # type: ignore[attr-defined]
        return super()._file(item)


def _is_made_by(facts: Facts, expr: ast.AST, modules: tuple[str, ...]) -> bool:
    """Whether all that a value can be is made by something of these modules."""
    found = facts.origins(expr)
    made = [node for node in found.nodes if isinstance(node, ast.Call)]
    names = [facts.name(node.func) or "" for node in made]
    return found.complete and len(made) == len(found.items) > 0 and _all_of(names, modules)


def _all_of(names: list[str], modules: tuple[str, ...]) -> bool:
    return all(name.startswith(modules) for name in names)
