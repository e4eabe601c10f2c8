"""Expressions in the form in which a program and its result on one worker are compared.

Each form stands for something that a rewrite may do without changing what one worker does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Callable

from ..library.estimators import by_name
from ..library.estimators import is_default as is_default_of_estimator
from ..library.horovod_alone import (
    DEFAULTS,
    GRADIENTS,
    HELPERS,
    NO_SETTINGS,
    READ_CONFIG,
    SEEDED,
    SHUFFLED,
    STOOD_IN,
    UNORDERED,
)
from ..library.names import in_v1
from ..library.optimizers import KERAS_3_RATES, OPTIMIZER_RATES, OPTIMIZERS, V1_RATES, of_string
from ..library.tensorflow_names import NESTED_MAP, STOP_AT_STEP
from ..program.node_fields import Transformer, within
from .one_worker import Imports, gone, is_gone, shape

BATCH_OF_FIT = 32  # the size of batches of arrays that `fit` takes by default
STEPS = "<steps>"  # a cell that is run over time (D501)
_NUMBERED = re.compile(r"(?:_\d+)+$")  # of a name that was taken


def helper(name: str, fresh: Collection[str]) -> str | None:
    """What a helper that a result defines means to one worker; None for what is none."""
    return HELPERS.get(_NUMBERED.sub("", name)) if name in fresh else None


class Forms(Transformer):
    """Expressions in their normal form."""

    def __init__(self, imports: Imports, fresh: Collection[str]) -> None:
        self._imports, self._fresh = imports, fresh
        self._gone: set[str] = set()  # attributes that only a result has, and that are nothing

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """An attribute that is nothing, `x[:] = x`, and `x = x`, are no statement."""
        self.generic_visit(node)
        (target, *others) = node.targets
        if (
            is_gone(node.value)
            and isinstance(target, ast.Attribute)
            and f".{target.attr}" in self._fresh
        ):
            self._gone.add(f".{target.attr}")
            return ast.Pass()
        if isinstance(target, ast.Name) and not others and shape(target) == shape(node.value):
            return ast.Pass()
        is_all = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice)
        if is_all and not others and shape(target.value) == shape(node.value):  # type: ignore[attr-defined]
            return ast.Pass()
        return node

    def _helper(self, node: ast.Call, means: str) -> ast.AST:
        """What a call of a helper is to one worker: nothing, its argument, or another class."""
        if not means:
            return gone()
        if means == "_":
            return node.args[0]
        node.func = ast.Name(means, ast.Load())
        if means == STEPS and len(node.args) == 3:
            cell, taken, carried = node.args
            node.args = [_cell(cell), *_taken(taken, carried)]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call by what it is called, then by its method."""
        is_of_elements = len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)
        self.generic_visit(node)
        if is_of_elements and not isinstance(node.args[0], ast.GeneratorExp):
            return node.args[0]
        name = self._imports.full(node.func) or ""
        node.keywords = [k for k in node.keywords if not self._is_default(name, k)]
        if name in STOOD_IN:
            node.func = ast.Name(STOOD_IN[name], ast.Load())
        if ".estimator." in name:
            _optimizers_by_name(name, node)
        means = helper(getattr(node.func, "id", ""), self._fresh)
        if means is not None:
            return self._helper(node, means)
        if name.startswith(OPTIMIZERS) or name in _V1_OPTIMIZERS:
            return _optimizer(node, name.rpartition(".")[2])
        if name in GRADIENTS:
            node.func = ast.Name("<gradients>", ast.Load())
        if len(node.args) == 1 and not node.keywords and self._is_copy(name, node.args[0]):
            return node.args[0]
        if name == NESTED_MAP and _is_identity(node.args[0]):
            return node.args[1]
        if method_of(node) == "compile":
            self._text_of_optimizer(node)
        row = _METHODS.get(method_of(node))
        return (row(node) if row is not None else None) or node

    def _text_of_optimizer(self, node: ast.Call) -> None:
        """`opt = "sgd"` and `compile(opt)`: what the name is, where nothing else can be."""
        texts = self._imports.texts
        node.args[:1] = [
            texts.get(each.id, each) if isinstance(each, ast.Name) else each
            for each in node.args[:1]
        ]
        for keyword in node.keywords:
            if keyword.arg == "optimizer" and isinstance(keyword.value, ast.Name):
                keyword.value = texts.get(keyword.value.id, keyword.value)

    def _is_copy(self, called: str, of: ast.expr) -> bool:
        """Whether a list, or a sorted one, is made of pairs, or of what has no order."""
        if called not in ("list", "tuple", "sorted"):
            return False
        while isinstance(of, ast.BinOp):
            of = of.left
        made = self._imports.full(of.func) or "" if isinstance(of, ast.Call) else ""
        is_unordered = isinstance(of, (ast.Set, ast.SetComp)) or made in UNORDERED
        return (is_unordered and called != "tuple") or (made == "zip" and called != "sorted")

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`np.random.RandomState(0).permutation` is `np.random.permutation`, but for the seed."""
        self.generic_visit(node)
        if f".{node.attr}" in self._gone and isinstance(node.ctx, ast.Load):
            return gone()
        maker = node.value
        if isinstance(maker, ast.Call) and [constant_of(a) for a in maker.args] == [0]:
            module = SEEDED.get(self._imports.full(maker.func) or "")
            if module is not None:
                node.value = ast.parse(module, mode="eval").body
        return node

    def _is_default(self, called: str, keyword: ast.keyword) -> bool:
        """Whether an argument says what would be so without it."""
        value, known = keyword.value, DEFAULTS.get(keyword.arg or "", ())
        if isinstance(value, ast.Call):
            name = self._imports.full(value.func) or ""
            if (keyword.arg or "").endswith("optimizer") and ".estimator." in called:
                return is_default_of_estimator(
                    called, name.strip("<>"), [constant_of(a) for a in value.args]
                )
            if name == READ_CONFIG:  # one seed for all: no other examples, but another order
                return [(k.arg, constant_of(k.value)) for k in value.keywords] == [SHUFFLED]
            return name in NO_SETTINGS and not value.args and not value.keywords
        if isinstance(value, ast.List):
            return not value.elts and [] in known
        if keyword.arg == "default" and called.startswith("json.dump"):
            return self._imports.full(value) == "float"  # numbers that an average gave
        if keyword.arg == "custom_objects" and isinstance(value, ast.Dict):
            return all(map(self._names_itself, value.keys, value.values))
        return isinstance(value, ast.Constant) and any(
            _are_same(value.value, each) for each in known
        )

    def _names_itself(self, key: ast.expr | None, value: ast.expr) -> bool:
        """Whether a class is known by its own name."""
        name = self._imports.full(value) or ""
        return key is not None and name.rpartition(".")[2].strip("<>") == constant_of(key)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`x[slice(0, len(x), 1)]` and `x[0::1]` are x; one of one gradients is the gradient."""
        self.generic_visit(node)
        if constant_of(node.slice) == 0 and method_of(node.value) == "gradient":
            sources = node.value.args[1:2]  # type: ignore[attr-defined]
            if sources and isinstance(sources[0], ast.List) and len(sources[0].elts) == 1:
                node.value.args[1] = sources[0].elts[0]  # type: ignore[attr-defined]
                return node.value
        if constant_of(node.slice) == 0 and _is_made_once(node.value):
            return node.value.elt  # type: ignore[attr-defined,no-any-return]
        return node.value if _is_all(node.slice) else node

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop that hands a value from layer to layer is `x = run(layers, x)` (D501)."""
        self.generic_visit(node)
        (first, *others) = node.body
        call = first.value if isinstance(first, ast.Assign) else None
        if not others and isinstance(first, ast.Assign) and _carries(node, first):
            return _in_steps(node, first)
        if others or not isinstance(call, ast.Call) or shape(call.func) != shape(node.target):
            return node
        if shape(call.args) != shape(first.targets):  # type: ignore[attr-defined]
            return node
        given = [node.iter, *call.args, *(keyword.value for keyword in call.keywords)]
        first.value = ast.Call(ast.Name("<run>", ast.Load()), given, [])  # type: ignore[attr-defined]
        return first

    def visit_List(self, node: ast.List) -> ast.AST:
        """`[a, *[b]]` is `[a, b]`."""
        self.generic_visit(node)
        node.elts = [inner for each in node.elts for inner in _spread(each)]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """A list of the elements of x as they are is x."""
        self.generic_visit(node)
        return _gradients(node) or _elements(node) or node

    visit_GeneratorExp = visit_SetComp = visit_ListComp  # type: ignore[assignment]

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """`{key: value for key, value in x.items()}` is x."""
        self.generic_visit(node)
        (first, *others) = node.generators
        if others or first.ifs or method_of(first.iter) != "items":
            return node
        is_same = shape(ast.Tuple([node.key, node.value], ast.Load())) == shape(first.target)
        return first.iter.func.value if is_same else node  # type: ignore[attr-defined]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """`None if x is None else x` is x."""
        self.generic_visit(node)
        if shape(node.body) == shape(node.orelse):
            return node.body
        test = node.test
        is_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
        is_same = is_none and shape(test.left) == shape(node.orelse)  # type: ignore[attr-defined]
        return node.orelse if is_same and _is_none(node.body) else node


def _spread(element: ast.expr) -> list[ast.expr]:
    is_list = isinstance(element, ast.Starred) and isinstance(element.value, ast.List)
    return element.value.elts if is_list else [element]  # type: ignore[attr-defined]


def _is_identity(node: ast.AST) -> bool:
    """Whether it is `lambda x: x`."""
    if not isinstance(node, ast.Lambda) or len(node.args.args) != 1:
        return False
    return isinstance(node.body, ast.Name) and node.body.id == node.args.args[0].arg


def _gradients(node: ast.ListComp) -> ast.expr | None:
    """`[g for g, _ in optimizer.compute_gradients(…)]` is `tf.gradients(…)`."""
    first, target = node.generators[0], node.generators[0].target
    if not (isinstance(target, ast.Tuple) and method_of(first.iter) == "compute_gradients"):
        return None
    return ast.Call(ast.Name("<gradients>", ast.Load()), first.iter.args, first.iter.keywords)  # type: ignore[attr-defined]


def _elements(node: ast.ListComp) -> ast.expr | None:
    (first, *others) = node.generators
    first.ifs = [each for each in first.ifs if constant_of(each) is not True]
    same = shape(node.elt) == shape(first.target)
    if others or first.ifs or not same:
        return None
    found = first.iter
    is_default = isinstance(found, ast.BoolOp) and isinstance(found.op, ast.Or)
    if is_default and isinstance(found.values[-1], ast.List) and not found.values[-1].elts:  # type: ignore[attr-defined]
        return found.values[0]  # type: ignore[attr-defined, no-any-return]
    return found


def _are_same(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_V1_OPTIMIZERS = in_v1(*(f"train.{name}" for name in V1_RATES))


def _optimizer(node: ast.Call, cls: str) -> ast.AST:
    """An optimizer without the rate that is its class's own."""
    known = [
        rows[cls].default for rows in (OPTIMIZER_RATES, V1_RATES, KERAS_3_RATES) if cls in rows
    ]
    rates = [float(default) for default in known if default is not None]
    node.func = ast.Name(f"<{cls}>", ast.Load())
    if not rates:
        return node
    for keyword in node.keywords:
        keyword.arg = "learning_rate" if keyword.arg == "lr" else keyword.arg
    node.keywords = [
        k for k in node.keywords if k.arg != "learning_rate" or constant_of(k.value) not in rates
    ]
    if len(node.args) == 1 and constant_of(node.args[0]) in rates:
        node.args = []
    rate = next((k for k in node.keywords if k.arg == "learning_rate"), None)
    if rate is not None and not node.args:  # by its name as in its place
        node.args, node.keywords = [rate.value], [k for k in node.keywords if k is not rate]
    return node


def _name_optimizer(node: ast.Call) -> None:
    """`compile("sgd", …)` names a class, and without a name it is RMSprop."""
    for known in (k for k in node.keywords if k.arg == "<optimizer>"):
        known.value = _looked_up(known.value)
        return
    named = next((k for k in node.keywords if k.arg == "optimizer"), None)
    given = named.value if named else node.args[0] if node.args else ast.Constant("rmsprop")
    cls = (
        of_string(given.value, is_keras_3=True)
        if isinstance(given, ast.Constant) and isinstance(given.value, str)
        else None
    )
    rest = [k for k in node.keywords if k is not named]
    if named is None and node.args:
        node.args = node.args[1:]
    if cls is not None:
        given = ast.Call(ast.Name(f"<{cls}>", ast.Load()), [], [])
    node.keywords = [ast.keyword("<optimizer>", _looked_up(given)), *rest]


def _looked_up(given: ast.expr) -> ast.expr:
    """`optimizers.get(name)` is what `compile` makes of the name itself."""
    is_one = isinstance(given, ast.Call) and getattr(given.func, "id", "") == "<get>"
    return given.args[0] if is_one and given.args else given  # type: ignore[attr-defined]


def _whole(node: ast.Call) -> ast.AST | None:
    """`.take(len(x)).shard(1, 0)` and its like are the data set itself."""
    if [constant_of(a) for a in node.args] != [1, 0]:
        return None
    data = receiver(node)
    return _below(data) if _takes_all(data) or _groups(data) else data


def _takes_all(node: ast.AST) -> bool:
    """Whether it is `.take(n)` of what is n long, as `range(n)` and `.take(n)` are."""
    if not isinstance(node, ast.Call) or method_of(node) != "take" or len(node.args) != 1:
        return False
    known = {shape(each) for each in within(receiver(node))}
    return _is_length(node.args[0]) or shape(node.args[0]) in known


def _batched_again(node: ast.Call) -> ast.AST | None:
    """`x.unbatch().batch(n)` is x, whose batches have n examples."""
    below = receiver(node)
    return receiver(below) if method_of(below) == "unbatch" else None


def _applied(node: ast.Call) -> ast.AST | None:
    """`x.apply(lambda d: d)` is x."""
    return receiver(node) if node.args and _is_identity(node.args[0]) else None


def _at_least_none(node: ast.Call) -> None:
    """`.take(max(0, n))` takes n."""
    given = node.args[0] if node.args else None
    if isinstance(given, ast.Call) and len(given.args) == 2 and constant_of(given.args[0]) == 0:
        node.args[0] = given.args[1]


def _all_of_its_steps(node: ast.Call) -> None:
    """`fit(x, steps_per_epoch=len(x))` is `fit(x)`, and so is `fit(x, batch_size=32)`.

    So many steps of `x.repeat()` are of x, if an epoch ends where x does: Keras begins anew there.
    """
    if node.args and any(keyword.arg == "steps_per_epoch" for keyword in node.keywords):
        node.args[0] = _once(node.args[0])
    data = shape(node.args[0]) if node.args else None

    def are_all(keyword: ast.keyword) -> bool:
        value = keyword.value
        is_length = isinstance(value, ast.Call) and _is_length(value)
        return keyword.arg == "steps_per_epoch" and is_length and shape(value.args[0]) == data  # type: ignore[attr-defined]

    def is_default(keyword: ast.keyword) -> bool:
        is_plain = keyword.arg == "batch_size" and isinstance(keyword.value, ast.Constant)
        return is_plain and keyword.value.value in (None, BATCH_OF_FIT)  # type: ignore[attr-defined]

    node.keywords = [each for each in node.keywords if not (are_all(each) or is_default(each))]
    for keyword in node.keywords:
        if keyword.arg == "callbacks" and isinstance(keyword.value, ast.List):
            if len(keyword.value.elts) == 1:  # one callback needs no list
                keyword.value = keyword.value.elts[0]
        if keyword.arg is None and isinstance(keyword.value, ast.Dict):
            keyword.value = _completed(keyword.value)


def _once(data: ast.expr) -> ast.expr:
    """What is repeated without an end."""
    is_endless = method_of(data) == "repeat" and not data.args and not data.keywords  # type: ignore[attr-defined]
    return receiver(data) if is_endless else data


def _completed(options: ast.Dict) -> ast.expr:
    """`{**options, "callbacks": options["callbacks"]}` is options."""
    first, others = options.values[0], options.values[1:]
    is_spread = bool(options.keys) and options.keys[0] is None
    own = [
        shape(ast.Subscript(first, key, ast.Load())) == shape(value)
        for key, value in list(zip(options.keys, options.values))[1:]
        if key is not None
    ]
    return first if is_spread and len(own) == len(others) and all(own) else options


def _first_of_pairs(node: ast.Call) -> ast.AST | None:
    """`tf.data.Dataset.zip((x, x)).map(lambda own, last: own)` is x."""
    pairs = receiver(node)
    row = node.args[0] if node.args else None
    if not isinstance(pairs, ast.Call) or method_of(pairs) != "zip":
        return None
    if not isinstance(row, ast.Lambda) or len(row.args.args) != 2:
        return None
    of: list[ast.expr] = list(getattr(pairs.args[0], "elts", ()))
    is_first = isinstance(row.body, ast.Name) and row.body.id == row.args.args[0].arg
    return of[0] if is_first and len(of) == 2 and shape(of[0]) == shape(of[1]) else None


def _pairs(node: ast.Call) -> None:
    """`apply_gradients(list(x))` is `apply_gradients(x)`."""
    given = node.args[0] if node.args else None
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "list":
        node.args[:1] = given.args


def _steps(node: ast.Call) -> None:
    """An Estimator whose folder is empty takes `max_steps` steps, as a hook may say as well."""
    for keyword in list(node.keywords):
        keyword.arg = "steps" if keyword.arg == "max_steps" else keyword.arg
        if keyword.arg == "hooks" and isinstance(keyword.value, ast.List):
            node.keywords += _ends_of_hooks(keyword.value)
            keyword.value = _only_of(keyword.value)
            if isinstance(keyword.value, ast.List) and not keyword.value.elts:
                node.keywords.remove(keyword)
    node.keywords.sort(key=lambda keyword: keyword.arg or "~")  # of one call they are one order


def _ends_of_hooks(hooks: ast.List) -> Iterator[ast.keyword]:
    """Takes the hooks out that end a training at a step; gives these steps as arguments."""
    for hook in list(hooks.elts):
        is_end = isinstance(hook, ast.Call) and method_of(hook) == STOP_AT_STEP.rpartition(".")[2]
        if is_end and [k.arg for k in hook.keywords] == ["last_step"]:  # type: ignore[attr-defined]
            hooks.elts.remove(hook)
            yield ast.keyword("steps", hook.keywords[0].value)  # type: ignore[attr-defined]


def _only_of(display: ast.List) -> ast.expr:
    """`[*x]` is x."""
    first = display.elts[0] if len(display.elts) == 1 else None
    return first.value if isinstance(first, ast.Starred) else display


_METHODS: dict[str, Callable[[ast.Call], ast.AST | None]] = {
    "apply": _applied,
    "apply_gradients": _pairs,
    "batch": _batched_again,
    "compile": _name_optimizer,
    "fit": _all_of_its_steps,
    "map": _first_of_pairs,
    "shard": _whole,
    "take": _at_least_none,
    "train": _steps,
}


def _optimizers_by_name(maker: str, node: ast.Call) -> None:
    """A ready-made model of TensorFlow 1 that is given "SGD" has that class, with its own rate."""
    for keyword in node.keywords:
        found = by_name(maker, constant_of(keyword.value)) if keyword.arg == "optimizer" else None
        if found is not None:
            cls, rate = found
            keyword.value = ast.Call(ast.Name(f"<{cls}>", ast.Load()), [ast.Constant(rate)], [])


# -- small questions ---------------------------------------------------------------------------


def receiver(node: ast.AST) -> ast.expr:
    """What the method of a call is called on."""
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    return node.func.value


def method_of(node: ast.AST) -> str:
    """The name of the method that a call calls; nothing for anything else."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return node.func.attr if is_call else ""  # type: ignore[attr-defined]


def _below(node: ast.AST) -> ast.expr:
    """The data set that a stage, or the two stages of a group, stand behind."""
    below = receiver(node)
    return receiver(below) if method_of(node) == "unbatch" else below


def _groups(node: ast.AST) -> bool:
    """Whether it is `.batch(1, drop_remainder=True).unbatch()`."""
    if method_of(node) != "unbatch":
        return False
    batch = receiver(node)
    return (
        isinstance(batch, ast.Call)
        and method_of(batch) == "batch"
        and [constant_of(a) for a in batch.args] == [1]
    )


def constant_of(node: ast.AST) -> object:
    """The value of a constant, else None."""
    return node.value if isinstance(node, ast.Constant) else None


def _is_all(index: ast.AST) -> bool:
    """Whether a slice takes all of what it is taken of."""
    if isinstance(index, ast.Slice):
        lower, step = (constant_of(each) if each else None for each in (index.lower, index.step))
        is_open = index.upper is None or _is_length(index.upper)
        return is_open and lower == 0 and step == 1
    if not (isinstance(index, ast.Call) and isinstance(index.func, ast.Name)):
        return False
    if index.func.id != "slice" or len(index.args) != 3:
        return False
    lower, upper, step = index.args
    return constant_of(lower) == 0 and constant_of(step) == 1 and _is_length(upper)


def _is_length(node: ast.AST) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return is_call and node.func.id == "len"  # type: ignore[attr-defined]


def _cell(value: ast.expr) -> ast.expr:
    """`cell` of `lambda x, h: cell(x, [h])[0]`."""
    body = value.body if isinstance(value, ast.Lambda) else None
    call = body.value if isinstance(body, ast.Subscript) else body
    return call.func if isinstance(call, ast.Call) else value


def _taken(value: ast.expr, carried: ast.expr) -> list[ast.expr]:
    """`x`, what is carried, and `n` where there is one, of `tf.unstack(x[:, :n], n, axis=1)`."""
    if not isinstance(value, ast.Call) or not value.args:
        return [value, carried]
    given, *count = value.args
    return [given.value if isinstance(given, ast.Subscript) else given, carried, *count]


def _carries(loop: ast.For, first: ast.Assign) -> bool:
    """`for t in range(n): h = cell(x[:, t], h)`, also `h, _ = cell(x[:, t], [h])`."""
    call, counted = first.value, loop.iter
    is_range = isinstance(counted, ast.Call) and getattr(counted.func, "id", "") == "range"
    if not is_range or not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords:
        return False
    taken, carried = call.args
    names = {n.id for n in within(taken) if isinstance(n, ast.Name)}
    is_step = isinstance(taken, ast.Subscript) and getattr(loop.target, "id", "") in names
    return is_step and shape(_first_of(first.targets[0])) == shape(_first_of(carried))


def _in_steps(loop: ast.For, first: ast.Assign) -> ast.Assign:
    """The same as one call."""
    call, counted = first.value, loop.iter
    assert isinstance(call, ast.Call)
    assert isinstance(counted, ast.Call)
    taken, carried = call.args
    count = counted.args[-1:]
    if count and ".shape[" in ast.unparse(count[0]):  # all that there are
        count = []
    given = [call.func, taken.value, _first_of(carried), *count]  # type: ignore[attr-defined]
    steps = ast.Call(ast.Name(STEPS, ast.Load()), given, [])
    return ast.Assign([_first_of(first.targets[0])], steps, lineno=first.lineno)


def _first_of(value: ast.expr) -> ast.expr:
    return value.elts[0] if isinstance(value, (ast.Tuple, ast.List)) and value.elts else value


def _is_made_once(node: ast.AST) -> bool:
    """`[draw() for turn in range(1)]`: the first of one worker's picks."""
    if not isinstance(node, ast.ListComp) or len(node.generators) != 1:
        return False
    (rounds,) = node.generators
    over, target = rounds.iter, rounds.target
    is_one = isinstance(over, ast.Call) and [constant_of(a) for a in over.args] == [1]
    is_range = is_one and getattr(over.func, "id", "") == "range" and not rounds.ifs  # type: ignore[attr-defined]
    names = {n.id for n in within(node.elt) if isinstance(n, ast.Name)}
    return is_range and isinstance(target, ast.Name) and target.id not in names
