"""Whether a loss is a mean over the rows of a batch, each term of one row, by a constant divisor.

Then the average of the gradients of equal shares is the gradient of the batch. The domain keeps
what a value may be on each way to it; whatever it doesn't know is no such mean.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Callable

from ...library import losses
from ...library.names import normal
from ...library.tensorflow_names import ADDING, INPUTS, MODEL_MAKERS, RANDOM_INITIALIZER, VARIABLE
from ...library.words import words
from ...program.core import SLICE
from ...program.domain import Domain, Operands
from ...program.node_fields import within
from ...program.origins import Kind, Origin
from ...program.things import Box, Library
from ...program.versions import EACH, Version
from ..by_rank import depends_on_rank
from ..data.arrays import is_array
from ..facts import Facts, recorded
from ..roles import Role
from .row_kinds import (
    BAD,
    CALLED,
    CONST,
    COUNT,
    COUPLED,
    DIVIDED,
    FUNCTION,
    INDEXED,
    LOSS_OF_MEANS,
    LOSS_OF_SUMS,
    LOSS_OF_TERMS,
    MASKED,
    MEAN,
    NET,
    NOTHING,
    OWN,
    PER_ROW,
    ROWS,
    SHAPE,
    SUM,
    TERMS,
    UNKNOWN,
    VECTOR,
    Kinds,
    binary,
    feeds,
    given_rows,
    keeps_rows,
    kind_beside,
    kind_of_fed,
    kind_of_read,
    mixed,
    own_calls,
    takes_batch,
    whole_reads,
)

_AXES = words("axis dim axes reduction_indices dimension")
_WRAPPERS = words("enumerate zip tqdm trange take")
_UNKNOWN: Kinds = frozenset({UNKNOWN})
_MAKERS = ("tensorflow.keras.layers.", "tensorflow.keras.applications.")
_VARIABLES = (VARIABLE, RANDOM_INITIALIZER)


@recorded
def losses_of(facts: Facts) -> MeanLosses:
    """The domain of one module, made once."""
    return MeanLosses(facts)


class MeanLosses:
    """What the values of one module are, seen as losses."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._domain: Domain[Kinds] = Domain(
            NOTHING, _UNKNOWN, frozenset.union, self._create, suppose=self._create, at=self._at
        )

    def kinds(self, expr: ast.AST) -> Kinds:
        """What an expression may be."""
        return self._facts.program.value(self._domain, expr)

    def _at(self, key: Hashable, kinds: Kinds) -> Kinds:
        """What a loop takes of data, or a slice of an array, are rows of a batch."""
        if INDEXED in kinds and isinstance(key, ast.Subscript):
            is_kept = keeps_rows(key.slice) or takes_batch(self._facts, key)
            is_kept = is_kept or depends_on_rank(self._facts, key.slice)
            part = TERMS if is_kept else UNKNOWN
            if key.value in self._whole and depends_on_rank(self._facts, key.slice):
                part = kind_of_read(self._facts, key.value)
            return (kinds - {INDEXED}) | {part}
        if isinstance(key, ast.Name) and key in self._whole:
            return frozenset({kind_of_read(self._facts, key)})
        if UNKNOWN not in kinds:
            return kinds
        if self._is_given(key):
            return (kinds - {UNKNOWN}) | {ROWS}
        return (kinds - {UNKNOWN}) | {TERMS} if self._is_batch(key) else kinds

    def _is_given(self, key: Hashable) -> bool:
        """Whether Keras gives it, row by row, to a loss or to a layer of the program's own."""
        is_parameter = isinstance(key, Version) and key.kind == "param"
        return is_parameter and key.node in self._parameters  # type: ignore[attr-defined]

    @cached_property
    def _whole(self) -> frozenset[ast.expr]:
        return frozenset(whole_reads(self._facts))

    @cached_property
    def _parameters(self) -> frozenset[ast.AST]:
        facts, found = self._facts, set[ast.AST]()
        for call in facts.calls("compile"):
            given = facts.argument(call, "loss", 1)
            for function in facts.program.functions(given).nodes if given is not None else ():
                found.update(function.args.args)  # type: ignore[attr-defined]
        for method in own_calls(facts):
            found.update((*method.args.args[1:], *method.args.kwonlyargs))
        for given in given_rows(facts):
            for function in facts.program.functions(given).nodes:
                found.update(function.args.args)  # type: ignore[attr-defined]
        return frozenset(found)

    def _is_batch(self, key: Hashable) -> bool:
        if isinstance(key, Version):
            is_bound = key.kind in ("for", "assign") and isinstance(key.value, ast.expr)
            return is_bound and self._gives_batches(key.value, key.kind)  # type: ignore[arg-type]
        return (
            isinstance(key, ast.Subscript) and not self._whole and is_array(self._facts, key.value)
        )

    def _gives_batches(self, value: ast.expr, kind: str) -> bool:
        """Whether a loop, or `next`, takes batches of a data set; `enumerate` counts them."""
        if kind == "for" and Role.DATASET in self._facts.roles(value):
            return True
        if not isinstance(value, ast.Call) or not value.args:
            return False
        name = self._facts.name(value.func) or ""
        if name == "builtins.next":
            return self._is_iterator(value.args[0])
        wraps = name.rpartition(".")[2] in _WRAPPERS
        return wraps and any(self._gives_batches(each, "for") for each in value.args)

    def _is_iterator(self, value: ast.expr) -> bool:
        made = self._facts.origins(value).only
        name = self._facts.name(made.func) if isinstance(made, ast.Call) else None
        return name == "builtins.iter" and self._gives_batches(made.args[0], "for")  # type: ignore[union-attr]

    # -- by what makes a value ------------------------------------------------------------------

    def _create(self, origin: Origin, operands: Operands[Kinds]) -> Kinds:
        if origin.kind is Kind.CONSTANT:
            return frozenset({CONST})
        if origin.kind is Kind.COMPUTED:
            return _computed(origin, operands)
        if origin.kind is Kind.THING:
            return self._thing(origin, operands)
        if isinstance(origin.node, ast.Call) and origin.kind in (Kind.CALL, Kind.UNKNOWN):
            return self._call(origin, origin.node, operands)
        if origin.kind in (Kind.MEMBER, Kind.UNKNOWN) and origin.name is not None:
            return _each(_part, origin.name, operands.of(origin, "of"))
        return _UNKNOWN

    def _thing(self, origin: Origin, operands: Operands[Kinds]) -> Kinds:
        if isinstance(origin.thing, Library):
            return self._library(normal(origin.thing.name))
        if isinstance(origin.thing, Box):
            held = frozenset().union(*operands.of(origin)) or frozenset({CONST})
            made = origin.thing.origin
            is_list = held == {CONST} and isinstance(made, (ast.List, ast.Tuple))
            return kind_beside(self._facts, made) if is_list else held  # type: ignore[arg-type]
        return _UNKNOWN

    def _library(self, name: str) -> Kinds:
        if losses.is_function(name):
            return frozenset({FUNCTION})
        return _UNKNOWN

    def _call(self, origin: Origin, call: ast.Call, operands: Operands[Kinds]) -> Kinds:
        name = losses.of_tensorflow_2(normal(origin.name or _named(operands, origin) or ""))
        given = Given(origin, call, operands)
        if name:
            return self._named_call(name, given)
        method = getattr(call.func, "attr", "")
        func = operands.of(origin, "func")
        for kinds in func:
            if kinds & {COUPLED}:
                return frozenset({COUPLED})
            if kinds and kinds <= {NET, *CALLED}:
                return _union(map(given.called, kinds))
        if self._facts.role(call.func) in (Role.MODEL,):
            return given.rows_of_own()
        received = operands.of(origin, "receiver")
        if method in losses.SAME_METHODS:
            return given.first() if method in ("get_scaled_loss", "scale_loss") else _only(received)
        return _UNKNOWN

    def _named_call(self, name: str, given: Given) -> Kinds:
        if losses.is_class(name):
            return _loss_class(self._facts, given)
        if name in INPUTS:
            return frozenset({ROWS})
        if name.startswith(_MAKERS) or name in MODEL_MAKERS:
            return given.net() if name.endswith(".Model") else frozenset({NET})
        if name in _VARIABLES:
            is_variable = name.endswith("Variable")
            return kind_beside(self._facts, given.call) if is_variable else frozenset({CONST})
        if name.rpartition(".")[2] == "placeholder":
            return _union(self._fed(each, given.call) for each in feeds(self._facts, given.call))
        for names, row in _ROWS:
            if name in names:
                return row(given)
        if losses.is_function(name):
            return given.terms()
        return _UNKNOWN

    def _fed(self, value: ast.expr, placeholder: ast.Call) -> Kinds:
        """What a session puts into a placeholder: rows of a full batch, or of a share; a number."""
        is_cut = isinstance(value, ast.Subscript) and depends_on_rank(self._facts, value.slice)
        if value not in self._whole and not is_cut:
            made = self._facts.origins(value).only
            return frozenset({CONST}) if isinstance(made, ast.Constant) else _UNKNOWN
        array = value if value in self._whole else value.value  # type: ignore[attr-defined]
        shape = self._facts.argument(placeholder, "shape", 1)
        return frozenset({kind_of_fed(self._facts, array, shape) or UNKNOWN})


class Given:
    """What a call of a library is given."""

    def __init__(self, origin: Origin, call: ast.Call, operands: Operands[Kinds]) -> None:
        self._origin, self.call, self._operands = origin, call, operands

    def values(self) -> list[Kinds]:
        """All arguments."""
        labels = [each for each, _ in self._origin.operands if each not in ("func", "receiver")]
        return self._operands.of(self._origin, *labels) if labels else []

    def first(self, *names: str) -> Kinds:
        """The first argument."""
        found = self._operands.of(self._origin, 0, *names)
        return found[0] if found else _UNKNOWN

    def axis(self) -> tuple[int, ...] | None:
        """The axes that it works along; empty: all of them. None: nobody can tell."""
        values = [k.value for k in self.call.keywords if k.arg in _AXES]
        values += self.call.args[1:2] if not values else []
        if self.is_hidden() or (len(self.call.args) > 1 and self.name() == "norm"):
            return None  # of `norm`, the second argument is its order
        if not values or _is_none(values[0]):
            return ()
        try:
            found = ast.literal_eval(values[0])
        except ValueError:
            return None
        axes = tuple(found) if isinstance(found, (list, tuple)) else (found,)
        return axes if all(isinstance(each, int) for each in axes) else None

    def is_hidden(self) -> bool:
        """Whether some arguments stand in `*args` or `**options`."""
        starred = any(isinstance(each, ast.Starred) for each in self.call.args)
        return starred or any(each.arg is None for each in self.call.keywords)

    def name(self) -> str:
        """The last part of the name that is called."""
        name = self._origin.name or _named(self._operands, self._origin)
        return normal(name).rpartition(".")[2]

    def called(self, kind: str) -> Kinds:
        """What a layer, a model or a loss gives for them."""
        if kind == NET:
            return self.rows()
        terms = self.terms()
        if kind in (LOSS_OF_TERMS, FUNCTION):
            return terms
        if not terms <= {*PER_ROW, MEAN}:
            return terms
        return frozenset({MEAN if kind == LOSS_OF_MEANS else SUM})

    def net(self) -> Kinds:
        """A model, unless its outputs bring rows together: `Model(inputs, outputs)`."""
        together = {COUPLED, MASKED, MEAN, SUM, DIVIDED}
        return frozenset({COUPLED if _union(self.values()) & together else NET})

    def rows(self) -> Kinds:
        """Rows, of what are rows: a layer leaves each to itself."""
        given = self.values()
        if not all(given):
            return NOTHING
        return frozenset(ROWS if kind in (CONST, *PER_ROW) else kind for k in given for kind in k)

    def rows_of_own(self) -> Kinds:
        """What a class of the program's own gives: of one number of each row, maybe as many."""
        given, found = self.values(), self.rows()
        return frozenset({TERMS}) if given and given[0] == {VECTOR} and found == {ROWS} else found

    def terms(self) -> Kinds:
        """A term of each row, or their mean where the rows have no axis behind.

        Nobody knows what weights, axes and arguments behind the first two do to the rows.
        """
        others = {each.arg for each in self.call.keywords} - losses.OF_EACH_ROW
        if others or self.is_hidden() or len(self.call.args) > 2:
            return _UNKNOWN
        values = self.values()[:2]
        if "sparse" in self.name() or self.name() not in losses.NAMED:
            values = [frozenset(TERMS if k == VECTOR else k for k in kinds) for kinds in values]
        return _union(map(_term, mixed(values)))


def _term(kind: str) -> Kinds:
    rows = {ROWS: {TERMS}, TERMS: {TERMS, MEAN}, VECTOR: {TERMS, MEAN}, CONST: {CONST}}
    return frozenset(rows.get(kind, {kind if kind in BAD else COUPLED}))


def _computed(origin: Origin, operands: Operands[Kinds]) -> Kinds:
    node, values = origin.node, operands.of(origin)
    if not all(values):
        return NOTHING
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and len(values) == 2:
        return binary(node.op, *values)
    if isinstance(node, ast.UnaryOp) and values:
        return frozenset(UNKNOWN if kind == COUNT else kind for kind in values[0])
    if isinstance(node, (ast.List, ast.Tuple, ast.IfExp)):
        return _union(values)
    if isinstance(node, ast.Compare):
        return mixed(values)
    return _UNKNOWN if not _are_constant(values) else frozenset({CONST})


# -- functions ----------------------------------------------------------------------------------


def _elementwise(given: Given) -> Kinds:
    values = given.values()
    if not all(values):
        return NOTHING
    name = getattr(given.call.func, "attr", "")
    op = _NAMED_OPERATORS.get(name)
    if op is not None and len(values) == 2:
        return binary(op, *values)
    if name in _PLAIN and values:
        return values[0]
    return mixed(values)


def _shaped(given: Given) -> Kinds:
    """`expand_dims(x, -1)`, `reshape(x, [-1])`, `squeeze(x)`, `concat([x, y], 1)`, `flatten(x)`."""
    values = given.values()
    first = values[0] if values else _UNKNOWN
    is_joined = given.name() == "concat"
    if not _keeps_apart(given) or (is_joined and not first <= {*PER_ROW}):
        return frozenset(kind if kind in BAD else UNKNOWN for kind in first)
    return frozenset(TERMS if kind in PER_ROW else kind for kind in first)


def _keeps_apart(given: Given) -> bool:
    """Whether it is one of the few forms after which the rows are still on the first axis."""
    axes = given.axis()
    allowed: dict[str, tuple[tuple[int, ...], ...]] = {
        "expand_dims": ((-1,),),
        "squeeze": ((), (-1,), (1,)),
        "concat": ((-1,), (1,)),
        "flatten": ((),),
    }
    if given.name() != "reshape":
        return axes in allowed.get(given.name(), ())
    shapes = [k.value for k in given.call.keywords if k.arg in ("shape", "newshape")]
    shapes += given.call.args[1:2]
    written = ast.unparse(shapes[0]) if len(shapes) == 1 and not given.is_hidden() else ""
    return written in ("-1", "(-1,)", "[-1]", "(-1, 1)", "[-1, 1]")


def _along(given: Given) -> Kinds:
    axes = given.axis()
    is_softmax = given.name() in ("softmax", "log_softmax")
    is_last = is_softmax if axes == () else axes is not None and all(map(_is_behind, axes))
    kept = {ROWS: ROWS, CONST: CONST}
    return frozenset(
        kept.get(kind, kind if kind in BAD else COUPLED) if is_last else COUPLED
        for kind in given.first()
    )


def _is_behind(axis: int) -> bool:
    """Whether rows lie along another axis; how many there are, so which is -2, nobody knows."""
    return axis == -1 or axis > 0


def _matmul(given: Given) -> Kinds:
    values = given.values()[:2]
    if not all(values):
        return NOTHING
    if len(values) != 2 or any((k.arg or "").endswith("_a") for k in given.call.keywords):
        return _UNKNOWN
    return binary(ast.MatMult(), *values)


def _reduced(of_all: str) -> Callable[[Given], Kinds]:
    """The row of a reduction: what it gives where it goes over the rows."""

    def row(given: Given) -> Kinds:
        return _union(_along_axes(kind, given.axis(), of_all) for kind in given.first())

    return row


def _along_axes(kind: str, axes: tuple[int, ...] | None, of_all: str) -> Kinds:
    if kind == OWN:
        return frozenset({OWN if axes != () else CONST})
    if kind == CONST or kind in BAD:
        return frozenset({kind})
    if kind in (MEAN, SUM, DIVIDED) and of_all in (MEAN, SUM):
        return frozenset({kind})
    if kind not in PER_ROW or axes is None:
        return _UNKNOWN
    if any(axis < -1 for axis in axes):
        return frozenset({COUPLED})
    if not axes or 0 in axes:
        return frozenset({of_all})
    is_sure = kind == ROWS or all(axis > 0 for axis in axes)
    return frozenset({TERMS}) if is_sure else frozenset({TERMS, of_all})


def _added(given: Given) -> Kinds:
    """`tf.add_n([a, b])`, `sum(model.losses)`: the sum of what a list holds."""
    held = given.first()
    if held & {*PER_ROW, COUNT}:
        return _UNKNOWN  # Python's goes over the rows of a tensor
    return _union(binary(ast.Add(), frozenset({a}), held) for a in held) if held else NOTHING


def _counted(given: Given) -> Kinds:
    return frozenset(map(_of_shape, given.first()))


def _of_shape(kind: str) -> str:
    return COUNT if kind in PER_ROW else CONST if kind == CONST else UNKNOWN


def _shape(given: Given) -> Kinds:
    return frozenset({SHAPE})


def _average(given: Given) -> Kinds:
    """`tf.nn.compute_average_loss`: a sum, by the size that it is told, or its own rows."""
    is_told = len(given.call.args) > 1 or bool(given.call.keywords)
    return frozenset({DIVIDED if is_told else MEAN if k in PER_ROW else k for k in given.first()})


_NAMED_OPERATORS: dict[str, ast.operator] = {
    "add": ast.Add(),
    "subtract": ast.Sub(),
    "multiply": ast.Mult(),
    "divide": ast.Div(),
    "divide_no_nan": ast.Div(),
    "truediv": ast.Div(),
}
_PLAIN = words("cast identity convert_to_tensor constant negative float check_numerics float32")
_ROWS: tuple[tuple[frozenset[str], Callable[[Given], Kinds]], ...] = (
    (losses.ELEMENTWISE, _elementwise),
    (losses.SHAPING, _shaped),
    (losses.ALONG, _along),
    (losses.MATMULS, _matmul),
    (losses.MEAN_OF, _reduced(MEAN)),
    (losses.SUM_OF, _reduced(SUM)),
    (losses.L2_OF, _reduced(SUM)),
    (losses.OTHERS_OF, _reduced(COUPLED)),
    (losses.TERMS, Given.terms),
    (frozenset({losses.AVERAGE_LOSS}), _average),
    (losses.SHAPES, _shape),
    (words("builtins.len"), _counted),
    (ADDING, _added),
)


# -- parts and classes --------------------------------------------------------------------------


def _part(step: object, kind: str) -> str:
    """`tf.shape(x)[0]`, `x.shape`, `x[:, 0]`; of a batch of several tensors, one of them."""
    what, key = step if isinstance(step, tuple) and len(step) == 2 else (None, None)
    if kind == SHAPE:
        return _part_of_shape(what, key)
    if what == "." and key == "shape":
        return SHAPE if kind in PER_ROW else CONST if kind == CONST else UNKNOWN
    if what == ".":
        return CONST if kind == CONST or (kind == NET and key in losses.ATTRIBUTES) else UNKNOWN
    if kind in PER_ROW:
        is_row = step == EACH  # one of them by itself
        return INDEXED if what == "[" or step == SLICE else UNKNOWN if is_row else TERMS
    return kind if kind in (CONST, OWN, *BAD) else UNKNOWN


def _part_of_shape(what: object, key: object) -> str:
    """The number of rows, of what stands behind them, or nobody knows: `shape[-2]`."""
    if what != "[" or not isinstance(key, int) or key < 0:
        return UNKNOWN
    return CONST if key else COUNT


def given_by(facts: Facts, function: ast.AST) -> Kinds:
    """What a function of the program's own gives."""
    if isinstance(function, ast.Lambda):
        return losses_of(facts).kinds(function.body)
    returned = (node for node in within(function) if isinstance(node, ast.Return))
    values = [node.value for node in returned if node.value is not None]
    return _union(map(losses_of(facts).kinds, values))


def _loss_class(facts: Facts, given: Given) -> Kinds:
    """`tf.keras.losses.Huber(delta=2.0, reduction="none")`; nobody counts positions."""
    if given.call.args:
        return _UNKNOWN
    known = {k.arg: k.value for k in given.call.keywords}
    others = {*known} - losses.HARMLESS - {"reduction"}
    if others or None in known:
        return frozenset({MASKED if "ignore_class" in others else UNKNOWN})
    if "reduction" not in known:
        return frozenset({LOSS_OF_MEANS})
    return frozenset({reduction_of(facts, known["reduction"])})


def reduction_of(facts: Facts, value: ast.expr) -> str:
    """How a loss of Keras brings the terms of the rows together."""
    made = facts.origins(value).only
    word = getattr(made, "value", None) if isinstance(made, ast.Constant) else None
    word = str(word) if isinstance(made, ast.Constant) else getattr(value, "attr", "")
    rows = (
        (losses.MEANS, LOSS_OF_MEANS),
        (losses.NONE, LOSS_OF_TERMS),
        (losses.SUMS, LOSS_OF_SUMS),
        (losses.WEIGHTED, MASKED),
    )
    return next((kind for known, kind in rows if word in known), UNKNOWN)


# -- small ones ---------------------------------------------------------------------------------


def _each(row: Callable[[object, str], str], step: object, values: list[Kinds]) -> Kinds:
    return frozenset(row(step, kind) for kinds in values for kind in kinds) if values else _UNKNOWN


def _union(values: Iterable[Kinds]) -> Kinds:
    return frozenset().union(*values)


def _only(values: list[Kinds]) -> Kinds:
    return values[0] if values else _UNKNOWN


def _are_constant(values: list[Kinds]) -> bool:
    return bool(values) and all(kinds == {CONST} for kinds in values)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _named(operands: Operands[Kinds], origin: Origin) -> str:
    called = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
    return called[0] if len(called) == 1 else ""
