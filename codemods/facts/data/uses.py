"""What each dataset is used for in the end: training, validation, or what needs all of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import Enum

from ...library.datasets import METHODS
from ...library.tensorflow_names import AS_NUMPY
from ...program.records import NamedTuple
from ..facts import Facts
from ..training import fits
from ..training.estimator_training import trains_on
from ..training.training_loops import (
    are_counted,
    drawing_turns,
    draws,
    loop_around,
    rounds,
    trains,
    turns,
)
from ..value_parts import Moves
from .loop_ends import limits_of_endless
from .pipelines import (
    MAKERS,
    Pipelines,
    UncutDatasets,
    Way,
    begins_training,
    feeds_loops,
    is_endless,
    is_glance,
    is_initializer,
    makes_iterator,
    zip_of,
)

_WRAPPERS = (
    "builtins.enumerate",
    "builtins.zip",
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
)
_HARMLESS = tuple(f"builtins.{name}" for name in ("print", "next", "type", "isinstance", "repr"))
_TYPES = ("data.get_output_types", "data.get_output_shapes", "data.get_output_classes")
_OTHERS = (ast.Subscript, ast.NamedExpr, ast.IfExp, ast.BoolOp, ast.Await)
_GIVING = (ast.Return, ast.Lambda)
_SPECS = frozenset(
    ["element_spec", "class_names", "file_paths", "options", "__class__"]
    + [f"output_{what}" for what in ("types", "shapes", "classes")]
)


class Use(Enum):
    """What a dataset is for."""

    TRAINING = "training"
    VALIDATION = "validation data of fit"
    LENGTH = "its length is asked"
    PEEK = "looked at"
    OTHER = "something else"


class End(NamedTuple):
    """The last expression of a pipeline, what it is used for, and by which call or loop."""

    expr: ast.expr
    use: Use
    by: ast.AST
    ways: tuple[Way, ...]


class Uses:
    """All ends of all pipelines of a module."""

    def __init__(self, facts: Facts, pipelines: Pipelines) -> None:
        self._facts, self._pipelines = facts, pipelines
        self._fits = set(fits.fits(facts))
        self._moves = Moves(facts)
        self.kept = UncutDatasets()
        self.joined: dict[ast.Call, UncutDatasets] = {}  # what each call of `zip` needs as it is
        has_any = any(map(pipelines.is_source, facts.index.calls))
        self.ends = tuple(self._ends()) if has_any else ()

    def _ends(self) -> Iterator[End]:
        """The ends that are followed; what of the others is known is kept whole."""
        for node in _values(self._facts):
            found = self._pipelines.found(node)
            if not found.links and not found.lost:
                continue
            use = self._use(node)
            if use is not None and found.is_complete:
                yield End(node, *use, self._pipelines.known_ways(found))
            elif use is not None and use[0] not in (Use.PEEK, Use.LENGTH):
                self.kept.add(found)
        for n in self._facts.program.taken:
            key = self._facts.program.key(n)
            if not isinstance(key, ast.expr):  # others are used as above
                call = zip_of(self._facts, key)
                kept = self.kept if call is None else self.joined.setdefault(call, UncutDatasets())
                kept.add(self._pipelines.found(n))

    def _use(self, node: ast.expr) -> tuple[Use, ast.AST] | None:
        """None where the dataset only moves on: to a name, a parameter or the next method."""
        parent = self._facts.parent(node)
        if isinstance(parent, ast.Attribute):
            return self._attribute(parent)
        if self._moves.to(parent, node):
            return None
        if isinstance(parent, (ast.For, ast.AsyncFor)) and parent.iter is node:
            return self._of_loop(parent), parent
        if isinstance(parent, ast.keyword):
            parent = self._facts.parent(parent)
        if isinstance(parent, ast.Call):
            return self._argument(parent, node)
        if isinstance(parent, ast.Expr):
            return None if isinstance(node, ast.NamedExpr) else (Use.PEEK, parent)
        call = trains_on(self._facts, node) if isinstance(parent, _GIVING) else None
        return (Use.OTHER, parent or node) if call is None else (Use.TRAINING, call)

    def _of_loop(self, loop: ast.For | ast.AsyncFor) -> Use:
        if trains(self._facts, loop):
            return Use.TRAINING
        return Use.PEEK if isinstance(loop.body[-1], ast.Break) or is_glance(loop) else Use.OTHER

    def _attribute(self, parent: ast.Attribute) -> tuple[Use, ast.AST] | None:
        call = self._facts.parent(parent)
        is_called = isinstance(call, ast.Call) and call.func is parent
        if is_called and parent.attr in METHODS:
            return None
        if parent.attr in _SPECS:
            return Use.PEEK, parent
        if is_called and parent.attr in ("cardinality", "__len__"):
            return Use.LENGTH, parent
        if is_called and parent.attr in MAKERS and isinstance(call, ast.Call):
            return self._of_graph(call, parent.value)
        if is_called and parent.attr == "as_numpy_iterator" and isinstance(call, ast.Call):
            return self._use(call)
        return Use.OTHER, parent

    def _argument(self, call: ast.Call, node: ast.expr) -> tuple[Use, ast.AST] | None:
        name = self._facts.name(call.func) or ""
        if call in self._fits:
            return self._of_fit(call, node)
        if name == "builtins.len" or name.endswith("experimental.cardinality"):
            return Use.LENGTH, call
        if name in _WRAPPERS or name == AS_NUMPY:
            return self._of_wrapper(call)
        if name == "builtins.iter":
            return self._iterator(call)
        if makes_iterator(self._facts, call):
            return self._of_graph(call, node)
        if is_initializer(self._facts, call):
            return (Use.TRAINING if begins_training(self._facts, call) else Use.OTHER), call
        if name in _HARMLESS or name.endswith(_TYPES):
            return Use.PEEK, call
        return None if self._moves.into(call, node) else (Use.OTHER, call)

    def _of_fit(self, call: ast.Call, node: ast.expr) -> tuple[Use, ast.AST]:
        if fits.data(self._facts, call) is node:
            return Use.TRAINING, call
        if fits.argument(self._facts, call, "validation_data") is node:
            return Use.VALIDATION, call
        return Use.OTHER, call

    def _of_wrapper(self, call: ast.Call) -> tuple[Use, ast.AST]:
        """`for x in tqdm(ds)`, also with the bar bound to a name before."""
        parent = self._facts.parent(call)
        target = getattr(parent, "optional_vars", None)  # with tqdm(ds) as bar
        target = parent.targets[0] if isinstance(parent, ast.Assign) else target
        if not isinstance(target, ast.Name):
            return self._use(call) or (Use.OTHER, call)
        loops = [self._facts.parent(use) for use in self._facts.index.loads.get(target.id, ())]
        training = any(isinstance(loop, ast.For) and trains(self._facts, loop) for loop in loops)
        return (Use.TRAINING if training else Use.OTHER), call

    def _iterator(self, call: ast.Call) -> tuple[Use, ast.AST]:
        """`next(iter(ds))` looks; what a training loop draws from has to last."""
        parent = self._facts.parent(call)
        if isinstance(parent, ast.Call) and self._facts.name(parent.func) == "builtins.next":
            return Use.PEEK, parent
        drawn = draws(self._facts, call)
        around = (loop_around(self._facts, t) for draw in drawn for t in turns(self._facts, draw))
        loops = [loop for loop in around if loop is not None]
        if drawn and not loops and self._are_beside(drawn, call):
            return Use.PEEK, call  # a first batch, to show its shape
        endless = all(map(is_endless, self._pipelines.ways(call.args[0])))
        training = endless and any(trains(self._facts, loop) for loop in loops)
        training = training or are_counted(self._facts, call)
        return (Use.TRAINING if training else Use.OTHER), call

    def _of_graph(self, call: ast.Call, node: ast.expr) -> tuple[Use, ast.AST]:
        """What a session takes from has to last as long as its loops go on."""
        is_followed = feeds_loops(self._facts, call, self._pipelines.ways(node))
        return (Use.TRAINING if is_followed else Use.OTHER), call

    def _are_beside(self, drawn: list[ast.AST], call: ast.Call) -> bool:
        """Whether each of them is made once for an iterator, in the function that makes it."""
        home = self._facts.function(call)
        return all(self._facts.function(draw) is home for draw in drawn)

    def rounds(self, are_fewer: Callable[[Way], bool]) -> Iterator[ast.expr]:
        """The `n` of loops `for … in range(n)` that train on what they draw from such datasets.

        With those at which loops are left that go on for ever.
        `are_fewer`: whether each worker draws fewer of what comes on a way.
        """
        for end in self.ends:
            is_drawn = end.use is Use.TRAINING and isinstance(end.by, ast.Call)
            if is_drawn and all(map(are_fewer, end.ways)):
                yield from rounds(self._facts, end.by)  # type: ignore[arg-type]
                turns = drawing_turns(self._facts, end.by)  # type: ignore[arg-type]
                yield from limits_of_endless(self._facts, turns)


def _values(facts: Facts) -> list[ast.expr]:
    """The expressions that may be a dataset, in the order of the text."""
    loads = [node for nodes in facts.index.loads.values() for node in nodes]
    others = (node for kind in _OTHERS for node in facts.index.nodes(kind))
    found = [*loads, *facts.index.calls, *others]
    return sorted((node for node in found if isinstance(node, ast.expr)), key=_place)


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset
