"""The training API pattern by summaries over the flat lattice (seeds 000 and 002, section 3).

Unknown < Session, MonitoredSession, Estimator, GradientTape, Keras < Multiple. A function's summary
joins what stands in it with the summaries of the functions it calls; the module's joins everything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from ...library.names import in_v1
from ...library.sessions import MONITORED_MAKERS, OWN_SESSIONS, PLAIN_MAKERS
from ...model import Evidence
from ..classes import is_super
from ..facts import Facts, recorded
from ..idle_sessions import idle_sessions
from ..roles import Role
from ..taken_methods import Taken, taken_methods, unseen_methods
from ..walks import reached
from .apart import are_apart
from .applying import is_applying
from .call_graph import call_graph
from .estimators import estimator_trainings
from .graph_ops import is_graph_op, may_be_graph_op
from .lattice import Pattern as Pattern
from .minimize_calls import minimizes
from .other_libraries import is_foreign
from .own_optimizers import calls_super_apply
from .session_runs import training_runs
from .train_steps import in_train_step
from .unseen_fetches import runs_no_step

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
        if self._is_for_keras(call) or call in idle_sessions(self._facts):
            return None
        found = _LIBRARY.get(self._facts.name(call.func) or "")
        if found is Pattern.SESSION and runs_no_step(self._facts):
            return None
        is_estimator = found is None and self._facts.made_by(call) is Role.ESTIMATOR
        return Pattern.ESTIMATOR if is_estimator else found

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
