"""By which API a program trains: one pattern, several apart from one another, or none known."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property

from ...library.names import in_v1
from ...library.sessions import MONITORED_MAKERS, OWN_SESSIONS, PLAIN_MAKERS
from ...library.tensorflow_names import VARIABLE
from ...model import NO_PATTERN, Evidence
from ...program.node_fields import is_placeholder, within
from ...program.parts import LOOPS, is_super
from ..facts import Facts, recorded
from ..horovod import member
from ..idle_sessions import idle_sessions
from ..roles import Role
from ..taken_methods import Taken, taken_methods, unseen_methods
from ..walks import reached
from .call_graph import call_graph
from .estimator_training import estimator_trainings
from .optimizer_calls import (
    calls_super_apply,
    in_train_step,
    is_applying,
    is_graph_op,
    may_be_graph_op,
    minimizes,
)
from .outside_training import is_foreign
from .session_runs import runs_no_step, training_runs

# -- alternatives --------------------------------------------------------------------------------
# Whether a run trains by `fit` or by a tape, and never by both: a branch decides.
#
# Then one model, and one optimizer, may serve both: `compile` wraps it for `fit`, which makes a
# new one, and the tape applies the one that it was made of.


def are_alternatives(facts: Facts, some: Iterable[ast.Call], others: Iterable[ast.Call]) -> bool:
    """Whether no run comes to one of these calls and to one of the others."""
    others = list(others)
    return all(_is_either(facts, call, other) for call in some for other in others)


def _is_either(facts: Facts, call: ast.Call, other: ast.Call) -> bool:
    mine, theirs = facts.lifted(call), facts.lifted(other)
    pairs = [(a, b) for scope, a in mine for also, b in theirs if scope is also]
    differ = [(a, b) for a, b in pairs if a is not b]
    repeats = any(facts.in_loop(a) for a, b in pairs if a is b)  # another branch each time
    return bool(differ) and not repeats and all(_are_branches(facts, a, b) for a, b in differ)


def _are_branches(facts: Facts, node: ast.AST, other: ast.AST) -> bool:
    """Whether they stand in the two branches of one `if`, around which nothing loops."""
    below = {parent: child for child, parent in _steps_up(facts, node)}
    for child, parent in _steps_up(facts, other):
        if parent in below:
            is_if = isinstance(parent, ast.If) and _branch(parent, child) != _branch(
                parent, below[parent]
            )
            return is_if and not any(isinstance(each, LOOPS) for each in facts.parents(parent))
    return False


def _steps_up(facts: Facts, node: ast.AST) -> Iterable[tuple[ast.AST, ast.AST]]:
    parents = [node, *facts.parents(node)]
    return zip(parents, parents[1:])


def _branch(test: ast.If, child: ast.AST) -> str:
    return next((name for name in ("body", "orelse") if child in getattr(test, name)), "test")


# -- patterns that are apart ---------------------------------------------------------------------
# Whether no optimizer serves both `fit` and a tape: what both train is migrated then.
#
# So they are where a run does the one or the other.
#
# Horovod averages for `fit` in the optimizer, and for a tape in the tape. An optimizer that
# serves both would average twice or not at all. A model may be trained by both, by the one behind
# the other: each leaves it in step, and what the other broadcasts at its beginning is the same on
# all workers.

KERAS, TAPE = "Keras", "GradientTape"


def are_apart(facts: Facts, places: Iterable[tuple[ast.Call, Pattern]]) -> bool:
    """Whether all models and optimizers are known, and no optimizer serves both kinds in a run."""
    calls: dict[str, list[ast.Call]] = {}
    for call, pattern in places:
        calls.setdefault(pattern.value, []).append(call)
    if set(calls) != {KERAS, TAPE}:
        return False
    fits, steps = calls[KERAS], calls[TAPE]
    fitted = [call.func.value for call in fits if isinstance(call.func, ast.Attribute)]
    applied = [call.func.value for call in steps if isinstance(call.func, ast.Attribute)]
    if len(fitted) < len(fits) or len(applied) < len(steps):
        return False
    if not all(facts.origins(expr).complete for expr in (*fitted, *applied)):
        return False
    own = list(steps_parts(facts, steps))
    if not all(any(is_trained(facts, node) for node in parts) for parts in own):
        return False
    theirs = calls_of({*_parts(facts, fitted), *_parts(facts, compiled(facts))})
    if all(_applies_own(facts, call) for call in steps):
        applying = {node for expr in applied for node in facts.origins(expr).nodes}
        return are_alternatives(facts, fits, steps) or theirs.isdisjoint(applying)
    return theirs.isdisjoint(calls_of(node for parts in own for node in parts))


def _applies_own(facts: Facts, step: ast.Call) -> bool:
    """Whether it applies gradients by an optimizer made in sight: `model.optimizer` is wrapped."""
    assert isinstance(step.func, ast.Attribute)
    made = [n for n in facts.origins(step.func.value).nodes if not is_placeholder(n)]
    known = (isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER for node in made)
    return step.func.attr == "apply_gradients" and bool(made) and all(known)


def steps_parts(facts: Facts, steps: Iterable[ast.Call]) -> Iterator[set[ast.AST]]:
    """What flows into each step: its optimizer, and the pairs of gradients and variables."""
    for call in steps:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        yield _parts(facts, [call.func, *given])


def compiled(facts: Facts) -> Iterator[ast.expr]:
    """What `compile` is called of, and what it is given."""
    for call in facts.calls("compile"):
        yield call.func
        yield from call.args
        yield from (keyword.value for keyword in call.keywords)


def calls_of(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """What is made, of whatever kind: layers as well."""
    return {node for node in nodes if isinstance(node, ast.Call)}


def is_trained(facts: Facts, node: ast.AST) -> bool:
    """Whether it makes a model, or a variable."""
    if not isinstance(node, ast.Call):
        return False
    return facts.made_by(node) is Role.MODEL or facts.name(node.func) == VARIABLE


def _parts(facts: Facts, exprs: Iterable[ast.expr]) -> set[ast.AST]:
    """What flows into them, and into the bodies of the classes of which something is made there."""
    found: set[ast.AST] = set()
    classes: set[ast.AST] = set()
    waiting = list(exprs)
    while waiting:
        new = set(facts.program.ingredients(waiting.pop())) - found
        found |= new
        for cls in {cls for node in new for cls in _classes_of(facts, node)} - classes:
            classes.add(cls)
            inside = set(within(cls))
            names = (node for node in inside if isinstance(node, ast.Name))
            waiting += [name for name in names if not _is_bound_in(facts, name, inside)]
    return found - {inner for cls in classes for inner in within(cls)}


def _classes_of(facts: Facts, node: ast.AST) -> tuple[ast.AST, ...]:
    return facts.program.classes(node.func).nodes if isinstance(node, ast.Call) else ()


def _is_bound_in(facts: Facts, name: ast.Name, inside: set[ast.AST]) -> bool:
    """Whether a name in a class is that of a parameter, or of a variable, of a method."""
    bindings = facts.bindings(name)
    return not isinstance(name.ctx, ast.Load) or any(b.node in inside for b in bindings)


# -- lattice -------------------------------------------------------------------------------------
# The flat lattice of training API patterns: Unknown, the five patterns, Multiple.


class Pattern(Enum):
    """The flat lattice of training API patterns."""

    UNKNOWN = NO_PATTERN
    SESSION = "Session"
    MONITORED_SESSION = "MonitoredSession"
    ESTIMATOR = "Estimator"
    GRADIENT_TAPE = "GradientTape"
    KERAS = "Keras"
    MULTIPLE = "Multiple"

    def join(self, other: Pattern) -> Pattern:
        """The least upper bound."""
        if self is other or other is Pattern.UNKNOWN:
            return self
        return other if self is Pattern.UNKNOWN else Pattern.MULTIPLE


# -- pattern -------------------------------------------------------------------------------------
# The training API pattern by summaries over the flat lattice (seeds 000 and 002, section 3).
#
# Unknown < Session, MonitoredSession, Estimator, GradientTape, Keras < Multiple. A function's
# summary joins what stands in it with the summaries of the functions it calls; the module's joins
# everything.

FITS = ("fit", "fit_generator", "train_on_batch")
TAKEN = (*FITS, "minimize")  # gradients that a taken `apply_gradients` gets are seen by G03


_MEMBERS = {
    Pattern.SESSION: (*PLAIN_MAKERS, "train.Supervisor"),
    Pattern.MONITORED_SESSION: MONITORED_MAKERS,
    Pattern.ESTIMATOR: ("estimator.train_and_evaluate",),
}
_LIBRARY = {name: pattern for pattern, them in _MEMBERS.items() for name in in_v1(*them)}
_LIBRARY.update(dict.fromkeys(OWN_SESSIONS, Pattern.SESSION))


class Training:
    """Which API trains in a module, where, and whether the module itself starts the training."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._own: dict[ast.AST, Pattern] = {}
        self._graph = call_graph(facts)
        self.reached = self._graph.reached
        self.places: list[tuple[ast.Call, Pattern]] = []  # calls that train
        self.uncertain: list[Taken] = []  # uses of an unknown value's `fit`, which may train
        for call in facts.index.calls:
            self._look_at(call)
        self._look_at_methods()
        self.pattern = self._join(p for _, p in self.places)
        self.pattern = Pattern.KERAS if are_apart(facts, self.places) else self.pattern

    def _look_at(self, call: ast.Call) -> None:
        pattern = self._of_library(call) or self._of_method(call)
        if pattern is None:
            return
        self.places.append((call, pattern))
        home = self._facts.function(call) or self._facts.module
        self._own[home] = self._own.get(home, Pattern.UNKNOWN).join(pattern)

    def _look_at_methods(self) -> None:
        """`train = model.fit`: a method that is passed on trains where nobody can see it."""
        for taken in taken_methods(self._facts, TAKEN):
            if not (self._facts.name(taken.use) or "").startswith("tensorflow."):
                self._may_train(taken)
        for called in unseen_methods(self._facts, Role.MODEL):
            self.uncertain.append(called._replace(method=FITS[0]))

    def _of_library(self, call: ast.Call) -> Pattern | None:
        found = _LIBRARY.get(self._facts.name(call.func) or "")
        if found is None and self._facts.makes(call, Role.ESTIMATOR):
            found = Pattern.ESTIMATOR
        # Most calls are neither: for them no value of the program is followed.
        if found is None or self._is_for_keras(call) or call in idle_sessions(self._facts):
            return None
        return None if found is Pattern.SESSION and runs_no_step(self._facts) else found

    def _is_for_keras(self, call: ast.Call) -> bool:
        """`K.set_session(tf.Session(config=…))`: how Horovod's old guide pins Keras to a GPU."""
        parent = self._facts.parent(call) if self._facts.has_horovod else None
        name = self._facts.name(parent.func) if isinstance(parent, ast.Call) else None
        return (name or "").endswith("backend.set_session")

    def _of_method(self, call: ast.Call) -> Pattern | None:
        if not isinstance(call.func, ast.Attribute):
            return None
        if self._runs_graphs and call in training_runs(self._facts):
            return self._pattern_of_graphs
        if call in estimator_trainings(self._facts):
            return Pattern.ESTIMATOR
        if call.func.attr in FITS:
            return self._of_fit(call, call.func)
        if is_applying(self._facts, call) or minimizes(self._facts, call, call.func):
            return self._of_application(call)
        if call.func.attr == "minimize" and self._facts.callee(call) is None:
            self._may_train(Taken(call, call.func.attr, call.func.value))
        return None

    def _of_application(self, call: ast.Call) -> Pattern | None:
        """What applies gradients: a loop of its own, `fit`, or a graph that something else runs."""
        if calls_super_apply(self._facts, call):
            return None
        if self._runs_graphs and may_be_graph_op(self._facts, call):
            return None
        if is_graph_op(self._facts, call):
            return None if self._runs_graphs else Pattern.SESSION
        return Pattern.KERAS if self.in_train_step(call) else Pattern.GRADIENT_TAPE

    @cached_property
    def _runs_graphs(self) -> bool:
        return self._pattern_of_graphs is not Pattern.UNKNOWN

    @cached_property
    def _pattern_of_graphs(self) -> Pattern:
        """What runs the graphs of the module: sessions, monitored ones, estimators."""
        found = (self._of_library(call) for call in self._facts.index.calls)
        return self._join(pattern for pattern in found if pattern is not None)

    def _of_fit(self, call: ast.Call, func: ast.Attribute) -> Pattern | None:
        if self._facts.callee(call) is not None:
            return None  # a method of this module: its own body tells
        if self.is_model(func.value):
            return Pattern.KERAS
        self._may_train(Taken(call, func.attr, func.value))
        return None

    def _may_train(self, taken: Taken) -> None:
        """Note the use unless its owner is known to be nothing that TensorFlow trains."""
        owner = taken.owner
        if owner is not None and is_foreign(self._facts, owner):
            is_optimizer = self._facts.role(owner) is Role.OPTIMIZER
            if not (taken.method == "minimize" and is_optimizer):
                return
        self.uncertain.append(taken)

    def is_model(self, expr: ast.AST) -> bool:
        """Whether the value is a Keras model: by role, or `self` (or `super()`) in a subclass."""
        if self._facts.role(expr) is Role.MODEL:
            return True
        cls = self._facts.classes.self_class(expr)
        if cls is None and is_super(expr):
            cls = self._facts.cls(expr)
        return cls is not None and self._facts.role_of_class(cls) is Role.MODEL

    def in_train_step(self, node: ast.AST) -> bool:
        """Whether the code belongs to a `train_step` that a Keras model's `fit` calls."""
        return in_train_step(self._facts, node)

    def summary(self, function: ast.AST) -> Pattern:
        """The pattern of a function: what stands in it joined with what it calls."""
        return self._join(p for p, homes in self._leading_to.items() if function in homes)

    @cached_property
    def _leading_to(self) -> dict[Pattern, frozenset[ast.AST]]:
        """What comes to code of each pattern: what it stands in, and all that calls that."""
        homes: dict[Pattern, list[ast.AST]] = {}
        for home, pattern in self._own.items():
            homes.setdefault(pattern, []).append(home)
        callers = self._graph.callers
        return {each: frozenset(reached(own, callers)) for each, own in homes.items()}

    @property
    def starts_here(self) -> bool:
        """Whether running the module trains: else it is a library module for another one."""
        return any(function in self._own for function in self._graph.running(self._facts.module))

    @staticmethod
    def _join(patterns: Iterable[Pattern]) -> Pattern:
        result = Pattern.UNKNOWN
        for pattern in patterns:
            result = result.join(pattern)
        return result

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The calls that decided, in the order of the text."""
        found = []
        for call, pattern in self.places:
            line, column = self._facts.place(call)
            found.append(Evidence(line, column, pattern.value, ast.unparse(call.func)))
        return tuple(sorted(found, key=lambda e: (e.line, e.column)))


@recorded
def training_of(facts: Facts) -> Training:
    """What the summaries over the lattice say about the module."""
    return Training(facts)


# -- patterns of TensorFlow 1 --------------------------------------------------------------------
# Patterns of TensorFlow 1: a graph is built first, and a session or an Estimator runs it.

SESSIONS = (Pattern.SESSION, Pattern.MONITORED_SESSION)
GRAPHS = (*SESSIONS, Pattern.ESTIMATOR)
_TELLS = frozenset({"broadcast_object"})


def runs_sessions(facts: Facts) -> bool:
    """Whether the module trains by `run` of a session, monitored or not."""
    return training_of(facts).pattern in SESSIONS


def runs_graph(facts: Facts) -> bool:
    """Whether the module trains a graph, by a session or by an Estimator."""
    return training_of(facts).pattern in GRAPHS


def waits_in_graph(facts: Facts) -> bool:
    """Whether `hvd.broadcast` of a number in a line of its own would fail, since a graph trains.

    `hvd.broadcast(0, root_rank=0)` asks the number for its name there, as if it were a tensor. That
    of a tensor only makes an operation, which a session has to run.
    """
    return runs_graph(facts) and not is_distributed(facts)


@recorded
def is_distributed(facts: Facts) -> bool:
    """Whether a module uses Horovod already, and not only to tell all workers a value.

    A line that lets them agree on when to stop is what T07 asks for, before all else is added.
    """
    if not facts.has_horovod or training_of(facts).pattern is not Pattern.SESSION:
        return facts.has_horovod
    used = {member(facts, node) for node in facts.index.nodes(ast.Attribute)} - {None}
    names = (node for node in facts.index.nodes(ast.Name) if _is_horovod(facts, node))
    is_followed = all(isinstance(facts.parent(node), ast.Attribute) for node in names)
    return not (used and used <= _TELLS and is_followed)


def _is_horovod(facts: Facts, node: ast.Name) -> bool:
    return (facts.name(node) or "").split(".")[0] == "horovod"
