"""Names and spellings for the code that the rules add to a module (NewID of the seeds)."""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from ..facts.horovod import KERAS, MODULES, TENSORFLOW, module_name
from ..facts.keras_version import is_keras_3
from ..facts.names import normal
from ..facts.optimizers.wrapped_optimizers import passes
from ..facts.setup.horovod_start import starts
from ..facts.training.pattern import Pattern, runs_graph, training_of
from ..library.sessions import MAKERS
from ..library.tensorflow_names import V1
from ..model import ROOT
from ..program.node_fields import within

if TYPE_CHECKING:
    from ..facts import Facts


# What a thing is called where the program means another one by its first name.
OTHERS = {
    "callbacks": ("fit_callbacks",),
    "config": ("session_config",),
    "gradients": ("grads",),
    "optimizer": ("opt",),
}


class _FreshNames(dict[str, str]):
    """The names that were chosen for one module, by the names that were wished for."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        joined = facts.joined
        self._taken = facts.index.names | (frozenset() if joined is None else joined.taken)

    def is_free(self, name: str) -> bool:
        """Whether nothing has this name by now: then it is taken for the one who asks."""
        key = f"{name} = …"  # no rule wishes for that
        if key not in self:
            self[key] = "" if name in self._taken or name in self.values() else name
        return bool(self[key])

    def __missing__(self, name: str) -> str:
        taken = self._taken | set(self.values())
        numbered = (f"{name}_{n}" for n in range(1, len(taken) + 2))
        choices = chain((name, *OTHERS.get(name, ())), numbered)
        self[name] = next(choice for choice in choices if choice not in taken)
        return self[name]


def fresh(facts: Facts, name: str) -> str:
    """`name`, or another one, or `name_1`… when the module uses it; the same each time."""
    return facts.record(_FreshNames)[name]


def free(facts: Facts, *names: str) -> str:
    """The first of the names that neither the module nor another rule uses, if any; each time."""
    known = facts.record(_FreshNames)
    return next((name for name in names if known.is_free(name)), "")


class _Named(defaultdict[tuple[ast.AST, str], list[ast.AST]]):
    """The expressions of each statement that go before it under a name, by the wished name."""

    def __init__(self, _: Facts) -> None:
        super().__init__(list)


def fresh_for(facts: Facts, name: str, node: ast.AST) -> str:
    """A fresh name for an expression that goes before its statement.

    The second one of a statement has another name: both are bound before either is read. Those of
    `a, b = f(), g()` are named after what they are for.
    """
    around, target = _named_value(facts.statement(node), node)
    named = facts.record(_Named)[around, name]
    if node not in named:
        named.append(node)
    number, first = named.index(node) + 1, fresh(facts, f"{target}_{name}" if target else name)
    return first if number == 1 else fresh(facts, f"{first}_{number}")


def _named_value(statement: ast.stmt, node: ast.AST) -> tuple[ast.AST, str]:
    """The one of several values of an assignment that holds a node, and its name; else all."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names, values = (
        each.elts if isinstance(each, ast.Tuple) else []
        for each in (targets[0] if targets else None, getattr(statement, "value", None))
    )
    for name, value in zip(names, values) if len(names) == len(values) else ():
        if isinstance(name, ast.Name) and node in within(value):
            return value, name.id
    return statement, ""


# -- choices -----------------------------------------------------------------------------------


def scaled(facts: Facts, rate: str) -> str:
    """A rate as a step needs it that takes N times the examples: times N, or its root.

    N workers, each of which may add up the gradients of several batches for a step.
    """
    workers, number = f"{hvd(facts)}.size()", passes(facts)
    many = workers if number == 1 else f"{workers} * {number}"
    if facts.options.learning_rate != ROOT:
        return f"{rate} * {many}"
    return f"{rate} * {many if number == 1 else f'({many})'} ** 0.5"


def compressed(facts: Facts) -> str:
    """What is said behind the gradients where they are to travel as half floats."""
    is_half = facts.options.compression == "fp16"
    return f", compression={hvd(facts)}.Compression.fp16" if is_half else ""


def added_up(facts: Facts) -> tuple[str, ...]:
    """What the wrapper is told where each worker adds up the gradients of several batches.

    Horovod sums them unless it is told to average them, and can't add up sparse ones.
    """
    number = passes(facts)
    if number == 1:
        return ()
    return (
        f"backward_passes_per_step={number}",
        "average_aggregated_gradients=True",
        "sparse_as_dense=True",
    )


# -- modules -----------------------------------------------------------------------------------


def hvd(facts: Facts) -> str:
    """The name under which Horovod is imported by the program, or by the rewritten one."""
    name = module_name(facts, *MODULES)
    return fresh(facts, "hvd") if name is None else _bound_at_start(facts, name)


def _bound_at_start(facts: Facts, name: str) -> str:
    """The name, or that by which Horovod is started where this one is only imported behind that."""
    start = next(iter(starts(facts)), None)
    lines = [node.lineno for node in facts.index.imports if name in _bound_by(node)]
    if start is None or not lines or min(lines) < start.lineno:
        return name
    module = start.func.value if isinstance(start.func, ast.Attribute) else None
    return module.id if isinstance(module, ast.Name) else name


def _bound_by(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {alias.asname or alias.name.partition(".")[0] for alias in node.names}


def tape_module(facts: Facts) -> str:
    """The name of the Horovod module that has the tape: with Keras, a second import."""
    if is_keras_3(facts):
        return hvd(facts)
    if module_name(facts, *MODULES) is not None:
        return module_name(facts, *TENSORFLOW) or fresh(facts, "hvd_tf")
    return fresh(facts, "hvd_tf") if training_of(facts).pattern is Pattern.KERAS else hvd(facts)


def callback_module(facts: Facts) -> str:
    """The name of the one that has the callbacks: with a tape's Horovod alone, a second import."""
    if module_name(facts, *MODULES) is None:
        return hvd(facts)
    return module_name(facts, *KERAS) or fresh(facts, "hvd_keras")


def tf(facts: Facts) -> str:
    """The name that reaches the tensorflow module, which D102 imports where there is none."""
    names = facts.names
    known = names.name_of("tensorflow") or names.name_elsewhere("tensorflow")
    return known or _v1(facts) or fresh(facts, "tf")


def _v1(facts: Facts) -> str | None:
    """The name of TensorFlow's module of version 1, which has all that sessions need."""
    return facts.names.name_of(V1) if runs_graph(facts) else None


def member(facts: Facts, name: str) -> str:
    """A member of TensorFlow 1 in the spelling of the program's own imports and sessions."""
    old = any(True for _ in facts.calls_of(*(f"tensorflow.{maker}" for maker in MAKERS)))
    inside = "" if old else ".compat.v1"
    return f"{_v1(facts) or tf(facts) + inside}.{name}"


def os(facts: Facts) -> str:
    """The name that reaches the os module, which D204 imports where there is none."""
    return _standard(facts, "os")


def contextlib(facts: Facts) -> str:
    """The name that reaches the contextlib module, which D204 imports where there is none."""
    return _standard(facts, "contextlib")


def weakref(facts: Facts) -> str:
    """The name that reaches the weakref module, which D202 imports where there is none."""
    return _standard(facts, "weakref")


def _standard(facts: Facts, module: str) -> str:
    names = facts.names
    return names.name_of(module) or names.name_elsewhere(module) or fresh(facts, module)


# -- expressions -------------------------------------------------------------------------------


def spell(facts: Facts, canonical: str) -> str:
    """`canonical` in the module's own spelling: through its longest matching import."""
    imports = {full: name for name, full in reversed(list(facts.names.imports().items()))}
    head, tail = canonical, ""
    while head:
        if head in imports:
            return imports[head] + tail
        head, _, last = head.rpartition(".")
        tail = f".{last}{tail}"
    return tf(facts) + normal(canonical)[len("tensorflow") :]


def code(facts: Facts, expr: ast.expr) -> str:
    """The code of an expression as it stands, on one line."""
    begin, end = facts.source.offsets(expr)
    text = facts.source.text[begin:end]
    return text if "\n" not in text else ast.unparse(expr)
